//! Diagnostics: problems of a specification, as data. The command line renders them.

use crate::span::Span;

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The specification has no meaning.
    Error,
    /// It has a meaning, but probably not the intended one.
    Warning,
}

/// A stable code such as `SMV012`. Each language has one catalogue of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub &'static str);

/// A span that is involved in a problem, with a short explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Its span.
    pub span: Span,
    /// The explanation; may be empty.
    pub text: String,
}

/// A change that would probably fix the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What the change does, as in "a variable with a similar name exists".
    pub message: String,
    /// The text to replace; empty to insert.
    pub span: Span,
    /// The new text.
    pub replacement: String,
}

/// One problem in a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its severity.
    pub severity: Severity,
    /// Its stable code.
    pub code: Code,
    /// What is wrong: a lowercase fragment without a final dot.
    pub message: String,
    /// The place of the problem.
    pub primary: Label,
    /// Other places that matter, such as the first of two declarations.
    pub secondary: Vec<Label>,
    /// Facts that help to understand it.
    pub notes: Vec<String>,
    /// What the user may do about it.
    pub help: Vec<String>,
    /// Changes that would fix it.
    pub suggestions: Vec<Suggestion>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            suggestions: Vec::new(),
        }
    }

    /// A warning at a place.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Sets the text at the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// Adds a secondary label.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        if span.is_some() {
            self.secondary.push(Label { span, text: text.into() });
        }
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds a help text.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Adds a suggestion.
    #[must_use]
    pub fn suggest(mut self, message: impl Into<String>, span: Span, replacement: impl Into<String>) -> Diagnostic {
        if span.is_some() {
            let (message, replacement) = (message.into(), replacement.into());
            self.suggestions.push(Suggestion { message, span, replacement });
        }
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The candidate closest to `name`, if it is close enough to be suggested.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (name.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| (edit_distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Damerau–Levenshtein distance (insertions, deletions, replacements, swaps of neighbours), ignoring case.
fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().take(64).collect();
    let b: Vec<char> = b.to_lowercase().chars().take(64).collect();
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn near_misses_are_suggested_and_distant_names_are_not() {
        let names = ["Pressure", "Reset", "Block"];
        assert_eq!(closest("Presure", names), Some("Pressure"));
        assert_eq!(closest("reset", names), Some("Reset"));
        assert_eq!(closest("Bolck", names), Some("Block"));
        assert_eq!(closest("Overridden", names), None);
        assert_eq!(closest("x", ["y", "xx"]), Some("xx"), "the first of equals, in alphabetical order");
    }
}
