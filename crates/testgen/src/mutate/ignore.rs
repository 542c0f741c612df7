//! Ignore lists: mutants that have been reviewed and are left out, each with a reason.

/// A mutant to leave out, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignore {
    /// The id of the mutant.
    pub id: String,
    /// Why it is left out.
    pub reason: String,
}

impl Ignore {
    /// The part of the id that identifies the mutant, whichever operators are selected.
    pub fn key(&self) -> &str {
        // The names of operators have no digits after a hyphen; the hash follows the first hyphen.
        self.id.split_once('-').map_or(self.id.as_str(), |(_, key)| key)
    }
}

/// An error in an ignore list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct IgnoreError {
    /// The line, counted from 1.
    pub line: usize,
    /// The error.
    pub problem: &'static str,
}

/// Parses an ignore list: an id and a reason on each line. Empty lines and lines that start with `#` are ignored.
pub fn parse_ignores(text: &str) -> Result<Vec<Ignore>, IgnoreError> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(line, entry)| match entry.split_once(char::is_whitespace) {
            None => Err(IgnoreError { line, problem: "a reason must follow the name of the mutant" }),
            Some((id, _)) if !is_name(id) => Err(IgnoreError {
                line,
                problem: "this is not the name of a mutant or another goal, such as `ORO-3fa91c07` or `states:x=on`",
            }),
            Some((id, reason)) => Ok(Ignore { id: id.into(), reason: reason.trim().into() }),
        })
        .collect()
}

fn is_name(id: &str) -> bool {
    // Goals that are no mutants are prefixed with their criterion.
    if id.split_once(':').is_some_and(|(criterion, rest)| !criterion.is_empty() && !rest.is_empty()) {
        return true;
    }
    let Some((operator, key)) = id.split_once('-') else { return false };
    let (hash, copy) = key.split_once('-').unwrap_or((key, "2"));
    let is_known = super::OPERATORS.iter().any(|info| info.name == operator);
    is_known && hash.len() == 8 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) && copy.parse::<u32>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_names_a_mutant_and_gives_a_reason() {
        let list = parse_ignores("# looked at in March\n\nORO-3fa91c07  both are off at night\nENO-00000000-2\tsame\n")
            .unwrap();
        assert_eq!(list[0], Ignore { id: "ORO-3fa91c07".into(), reason: "both are off at night".into() });
        assert_eq!(list[1].key(), "00000000-2");
    }

    #[test]
    fn a_line_without_a_reason_or_an_id_is_rejected() {
        assert_eq!(parse_ignores("\nORO-3fa91c07\n").unwrap_err().line, 2);
        assert_eq!(parse_ignores("this is prose").unwrap_err().line, 1);
        assert_eq!(parse_ignores("NIL-3fa91c07 because").unwrap_err().line, 1);
    }
}
