//! Visible escapes for control and formatting characters, which can be read back.
//!
//! The notation is `\u{1b}`, as in Rust. A backslash is escaped only where it would start that notation. So ordinary
//! text never changes, and [`unescape`] is the inverse of [`escape`].

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character affects the output instead of being shown: control characters, line separators, marks of writing
/// direction, invisible characters and noncharacters.
#[inline]
pub fn is_harmful(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
        || matches!(c, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fdd0}'..='\u{fdef}' | '\u{e0000}'..='\u{e007f}')
        || matches!(u32::from(c) & 0xffff, 0xfffe | 0xffff)
}

/// The text with harmful characters escaped.
pub fn visible(text: &str) -> Cow<'_, str> {
    escape(text, is_harmful)
}

/// The text with harmful characters and leading and trailing spaces escaped, so that it survives on a line of its own.
pub fn line(text: &str) -> Cow<'_, str> {
    let (start, end) = (text.len() - text.trim_start().len(), text.trim_end().len());
    if start == 0 && end == text.len() {
        return visible(text);
    }
    let (start, end) = (start.min(text.len()), end.max(start));
    let at_ends = |part| escape(part, char::is_whitespace);
    (at_ends(&text[..start]) + visible(&text[start..end]) + at_ends(&text[end..])).into_owned().into()
}

/// Whether the quotes in a name are balanced. Between quotes, an SMV name may have any characters.
pub fn has_pairs_of_quotes(name: &str) -> bool {
    name.matches('"').count().is_multiple_of(2)
}

/// A name as one word: escapes special characters outside of quotes, and harmful ones everywhere.
pub fn name(name: &str, special: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !name.contains('"') || !has_pairs_of_quotes(name) {
        return escape(name, |c| is_harmful(c) || special(c) || c.is_whitespace() || c == '"');
    }
    let parts = name.split('"').enumerate().map(|(index, part)| match index % 2 {
        0 => escape(part, |c| is_harmful(c) || special(c) || c.is_whitespace()),
        _ => visible(part),
    });
    parts.collect::<Vec<_>>().join("\"").into()
}

/// Splits a text at the first `sign` outside of quotes.
pub fn split_outside_quotes<'a>(text: &'a str, sign: &str) -> Option<(&'a str, &'a str)> {
    let found = text.match_indices(sign).find(|(at, _)| has_pairs_of_quotes(&text[..*at]));
    found.map(|(at, _)| (&text[..at], &text[at + sign.len()..]))
}

/// Escapes the special characters, and every start of an escape.
pub fn escape(text: &str, special: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&special) && !text.contains(START) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for (at, c) in text.char_indices() {
        if special(c) || text[at..].starts_with(START) {
            let _ = write!(escaped, "\\u{{{:x}}}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    escaped.into()
}

/// The inverse of [`escape`], for any set of special characters.
pub fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains(START) {
        return text.into();
    }
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(START) {
        plain.push_str(&rest[..at]);
        let inner = &rest[at + START.len()..];
        let read = inner.split_once('}').and_then(|(code, after)| {
            let is_code = (1..=6).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_hexdigit());
            let c = char::from_u32(u32::from_str_radix(code, 16).ok().filter(|_| is_code)?)?;
            Some((c, after))
        });
        if let Some((c, after)) = read {
            plain.push(c);
            rest = after;
        } else {
            plain.push_str(START);
            rest = inner;
        }
    }
    plain.push_str(rest);
    plain.into()
}

/// The start of an escape.
const START: &str = "\\u{";

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn harmful_characters_are_shown() {
        assert_eq!(visible("a\u{1b}[31m\u{202e}b\u{2028}\u{85}\0"), r"a\u{1b}[31m\u{202e}b\u{2028}\u{85}\u{0}");
        assert_eq!(visible(r"C:\users — naïve 日本 👩‍🚀"), r"C:\users — naïve 日本 👩‍🚀");
        assert_eq!(visible(r"\u{1b}"), r"\u{5c}u{1b}");
    }

    #[test]
    fn text_without_escapes_is_kept() {
        for text in [r"\u{}", r"\u{1234567}", r"\u{d800}", r"\u{+1}", r"\u{x}", r"\u{1b", r"\u"] {
            assert_eq!(unescape(text), text);
        }
    }

    proptest! {
        #[test]
        fn escaping_is_undone(text in prop_oneof![any::<String>(), "([a =\"\\\\u{}1bd\u{1b}\u{2028}]|\\\\u\\{){0,20}"]) {
            let escaped = visible(&text);
            prop_assert!(!escaped.contains(is_harmful));
            prop_assert_eq!(unescape(&escaped), text.as_str());
            let one_word = escape(&text, char::is_whitespace);
            prop_assert_eq!(unescape(&one_word), text.as_str());
            let on_a_line = line(&text);
            prop_assert_eq!(unescape(on_a_line.trim()), text.as_str());
            let assigned = format!("{} = {}", name(&text, |c| c == '='), line("a = \"b"));
            let (name, value) = split_outside_quotes(&assigned, " = ").unwrap();
            prop_assert_eq!((unescape(name), unescape(value)), (text.as_str().into(), "a = \"b".into()));
        }
    }
}
