//! Text that lines up: how wide it is on a terminal, and spaces to fill it up.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width to which text is padded at most, so that one long name does not make all lines long.
pub const MAX_PADDING: usize = 1000;

/// The columns that a text takes on a terminal: two for a wide character, none for one that joins another.
pub fn width(text: &str) -> usize {
    let is_plain = text.bytes().all(|byte| (b' '..0x7f).contains(&byte));
    if is_plain { text.len() } else { text.width() }
}

/// Whether [`shorten`] would cut a text, whatever follows it.
pub fn is_wider(text: &str, columns: usize) -> bool {
    text.len() > columns
        && width(text) > columns
        && text.chars().map(|c| c.width().unwrap_or(0)).sum::<usize>() > columns
}

/// A text on the left of a column.
pub fn left(text: &str, columns: usize) -> String {
    text.to_owned() + &spaces(text, columns)
}

/// A text on the right of a column.
pub fn right(text: &str, columns: usize) -> String {
    spaces(text, columns) + text
}

fn spaces(text: &str, columns: usize) -> String {
    " ".repeat(columns.saturating_sub(width(text)))
}

/// A text cut to a width.
pub fn shorten(text: String, columns: usize) -> String {
    if width(&text) <= columns {
        return text;
    }
    let mut taken = 1;
    let fits = |c: &char| {
        taken += c.width().unwrap_or(0);
        taken <= columns
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!((width("abc"), width("é"), width("e\u{301}"), width("日本"), width("👩‍🚀")), (3, 1, 1, 4, 2));
        assert_eq!(
            (left("日本", 6), right("日本", 6), left("日本", 3)),
            ("日本  ".into(), "  日本".into(), "日本".into())
        );
    }

    #[test]
    fn what_is_cut_is_no_wider_than_asked() {
        assert_eq!(shorten("abcdef".into(), 6), "abcdef");
        assert_eq!(shorten("abcdefg".into(), 6), "abcde…");
        assert_eq!(shorten("日本語".into(), 6), "日本語");
        assert_eq!(shorten("日本語の".into(), 6), "日本…");
        assert!(is_wider("日本語の", 6) && !is_wider("日本語", 6) && !is_wider("abcdef", 6) && is_wider("abcdefg", 6));
    }
}
