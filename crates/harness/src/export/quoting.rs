//! Quoting: text inside of code cannot escape from its literal or comment. All text in code passes through here.

use super::language::Language;
use specwright_syntax::escape::{is_harmful, visible};
use std::fmt::Write;

impl Language {
    /// A text as a string literal.
    pub(super) fn quoted(self, text: &str) -> String {
        // Maximal length of a string literal in Java, in characters: class files limit constants. Longer strings are
        // concatenated.
        const MAX_JAVA_LITERAL: usize = 10_000;
        if self == Language::Java && text.chars().count() > MAX_JAVA_LITERAL {
            let chars: Vec<char> = text.chars().collect();
            let parts = chars.chunks(MAX_JAVA_LITERAL).map(|part| self.quoted(&part.iter().collect::<String>()));
            return format!("String.join(\"\", {})", parts.collect::<Vec<_>>().join(", "));
        }
        let mut literal = String::from("\"");
        let mut before = ' ';
        for c in text.chars() {
            match c {
                '"' => literal.push_str("\\\""),
                '\\' => literal.push_str("\\\\"),
                '\n' => literal.push_str("\\n"),
                '\r' => literal.push_str("\\r"),
                '\t' => literal.push_str("\\t"),
                // Two question marks may start a trigraph.
                '?' if self == Language::C && before == '?' => literal.push_str("\\?"),
                c if is_harmful(c) => self.escaped(c, &mut literal),
                c => literal.push(c),
            }
            before = c;
        }
        literal.push('"');
        literal
    }

    /// The escape of a character in a string literal.
    fn escaped(self, c: char, literal: &mut String) {
        let number = u32::from(c);
        let _ = match self {
            // Java decodes escapes such as `\u000a` before lexing, so they would end the line.
            Language::Java if number < 0x100 => write!(literal, "\\{number:03o}"),
            Language::C => c.encode_utf8(&mut [0; 4]).bytes().try_for_each(|byte| write!(literal, "\\{byte:03o}")),
            Language::Rust => write!(literal, "\\u{{{number:x}}}"),
            Language::Python | Language::Go if number > 0xffff => write!(literal, "\\U{number:08x}"),
            _ => c.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(literal, "\\u{unit:04x}")),
        };
    }

    /// A text for a comment, on one line. It can neither end the comment nor contain directives.
    pub(super) fn comment(self, text: &str) -> String {
        // Backslashes come first: they must not become the end of a comment.
        let text = visible(text).replace('\\', "/").replace("*/", "* /").replace("/*", "/ *").replace("\"\"\"", "'''");
        // In Python, comments are strings that end with three quotes.
        match text.strip_suffix('"') {
            Some(start) if self == Language::Python => format!("{start}'"),
            _ => text,
        }
    }
}

/// A key of an object in JavaScript.
pub(super) fn js_key(name: &str) -> String {
    match name {
        // Without brackets this key would set the prototype.
        "__proto__" => "[\"__proto__\"]".into(),
        _ if is_js_name(name) => name.into(),
        _ => Language::JavaScript.quoted(name),
    }
}

/// Access to a property of an object in JavaScript: `.name` or `["other name"]`.
pub(super) fn js_member(name: &str) -> String {
    if is_js_name(name) { format!(".{name}") } else { format!("[{}]", Language::JavaScript.quoted(name)) }
}

fn is_js_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    name.chars().all(plain) && !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// A cell of a Gherkin table.
pub(super) fn cell(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('|', "\\|").replace('\n', "\\n");
    visible(&text).into_owned()
}

/// JSON that is also valid JavaScript and Python, with harmful characters escaped.
pub(super) fn json(value: &impl serde::Serialize) -> String {
    let plain = serde_json::to_string(value).unwrap_or_default();
    if !plain.contains(is_harmful) {
        return plain;
    }
    // Outside of strings JSON has no such characters.
    let mut text = String::with_capacity(plain.len() + 16);
    for c in plain.chars() {
        if is_harmful(c) { Language::JavaScript.escaped(c, &mut text) } else { text.push(c) }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_its_own_escapes() {
        let odd = "a\"\\\n\u{1}\u{2028}\u{e0041}??/b";
        let expected = [
            (Language::Python, r#""a\"\\\n\u0001\u2028\U000e0041??/b""#),
            (Language::JavaScript, r#""a\"\\\n\u0001\u2028\udb40\udc41??/b""#),
            (Language::Java, r#""a\"\\\n\001\u2028\udb40\udc41??/b""#),
            (Language::Rust, r#""a\"\\\n\u{1}\u{2028}\u{e0041}??/b""#),
            (Language::C, r#""a\"\\\n\001\342\200\250\363\240\201\201?\?/b""#),
            (Language::Go, r#""a\"\\\n\u0001\u2028\U000e0041??/b""#),
        ];
        for (language, literal) in expected {
            assert_eq!(language.quoted(odd), literal, "{language:?}");
        }
    }

    #[test]
    fn text_cannot_end_a_comment() {
        for text in ["*/", "*\\", "/*/", "**//", "\\u002a/", "\"\"\"", "a\nb", "a\u{2028}b", "x\"", "\\"] {
            for language in [Language::Python, Language::Java, Language::C, Language::Plain] {
                let comment = language.comment(text);
                assert!(!comment.contains("*/") && !comment.contains("/*") && !comment.contains('\\'), "{comment}");
                assert!(!comment.contains("\"\"\"") && !comment.contains(is_harmful), "{comment}");
                assert!(language != Language::Python || !comment.ends_with('"'), "{comment}");
            }
        }
    }

    #[test]
    fn keys_cells_and_json_are_quoted() {
        assert_eq!(js_key("__proto__"), "[\"__proto__\"]");
        assert_eq!([js_key("a_1"), js_key("1a"), js_key("")], ["a_1", "\"1a\"", "\"\""]);
        assert_eq!([js_member("a_1"), js_member("1a"), js_member("a\"]")], [".a_1", "[\"1a\"]", "[\"a\\\"]\"]"]);
        assert_eq!(cell("a|b\\c\nd\u{1b}"), r"a\|b\\c\nd\u{1b}");
        assert_eq!(json(&"a\u{2028}\u{7f}\u{202e}\"é"), r#""a\u2028\u007f\u202e\"é""#);
    }
}
