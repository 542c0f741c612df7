//! Word-level differences of two lines, and truncation of long texts.

use super::data::Diff;

/// Maximal length of the common context on either side, in characters.
const MAX_CONTEXT: usize = 90;
/// Maximal length of a text that is shown, in characters.
const MAX_LENGTH: usize = 240;

impl Diff {
    /// The difference of two texts: all words from the first to the last in which they differ.
    pub fn of(old: &str, new: &str) -> Diff {
        let (a, b) = (words(old), words(new));
        let start = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
        let most = a.len().min(b.len()) - start;
        let end = a.iter().rev().zip(b.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
        Diff {
            before: tail(&a[..start].concat(), MAX_CONTEXT),
            old: shorten(&a[start..a.len() - end].concat()),
            new: shorten(&b[start..b.len() - end].concat()),
            after: head(&a[a.len() - end..].concat(), MAX_CONTEXT),
        }
    }

    /// The replacement of a part of a line.
    pub fn within(line: &str, from: usize, old: &str, new: &str) -> Option<Diff> {
        let (before, rest) = line.split_at_checked(from)?;
        let after = rest.strip_prefix(old)?;
        Some(Diff {
            before: tail(before.trim_start(), MAX_CONTEXT),
            old: shorten(old),
            new: shorten(new),
            after: head(after.trim_end(), MAX_CONTEXT),
        })
    }
}

/// Names, numbers, blanks, and all other characters one by one.
fn words(text: &str) -> Vec<&str> {
    let kind = |c: char| {
        if c.is_alphanumeric() || c == '_' {
            'w'
        } else if c.is_whitespace() {
            ' '
        } else {
            c
        }
    };
    let mut words = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        let now = kind(c);
        if last.is_some_and(|last| last != now) {
            words.push(&text[start..at]);
            start = at;
        }
        last = Some(now);
    }
    words.push(&text[start..]);
    words
}

/// The beginning of a text, with an ellipsis.
fn head(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// The end of a text, with an ellipsis.
fn tail(text: &str, most: usize) -> String {
    let n = text.chars().count();
    match text.char_indices().nth(n.saturating_sub(most)) {
        Some((start, _)) if n > most => format!("…{}", &text[start..]),
        _ => text.into(),
    }
}

/// A text, truncated if it is long.
pub(super) fn shorten(text: &str) -> String {
    if text.chars().nth(MAX_LENGTH).is_none() {
        return text.into();
    }
    let beginning = head(text, MAX_LENGTH * 2 / 3);
    format!("{beginning}{}", tail(text, MAX_LENGTH / 3).trim_start_matches('…'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_whole_words() {
        let diff = Diff::of("AG (x = low -> AX y)", "AG (x = lower -> AX y)");
        assert_eq!((&*diff.before, &*diff.old, &*diff.new, &*diff.after), ("AG (x = ", "low", "lower", " -> AX y)"));
        let inserted = Diff::of("a & b", "a & a & b");
        assert_eq!((&*inserted.old, &*inserted.new), ("", "a & "));
        assert_eq!(
            Diff::of("", "x"),
            Diff { before: String::new(), old: String::new(), new: "x".into(), after: String::new() }
        );
    }

    #[test]
    fn long_texts_are_truncated() {
        let long = "é".repeat(10_000);
        assert_eq!(shorten(&long).chars().count(), MAX_LENGTH + 1);
        assert_eq!(Diff::of(&format!("{long} a"), &format!("{long} b")).before.chars().count(), MAX_CONTEXT + 1);
        assert_eq!(Diff::within("  x := low;", 7, "low", "high").unwrap().after, ";");
        assert_eq!(Diff::within("é", 1, "low", "high"), None);
    }
}
