//! Lexer of SMV. Reports invalid characters and unterminated tokens.
//!
//! The longest match wins, as in NuSMV; so a hyphen belongs to the name before it, and `n-1` is one name.

use super::codes;
use super::parse::push_bounded;
use super::token::{Keyword, Token, TokenKind};
use crate::budget::Budget;
use crate::diagnostic::Diagnostic;
use crate::span::{SourceFile, Span};

/// The result of lexing a file.
pub(crate) struct Lexed {
    /// The tokens; the last one is [`TokenKind::Eof`].
    pub(crate) tokens: Vec<Token>,
    /// The spans of comments.
    pub(crate) comments: Vec<Span>,
    /// Invalid characters and unterminated tokens.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Cuts a file into tokens.
pub(crate) fn lex(source: &SourceFile) -> Lexed {
    let lexed =
        Lexed { tokens: Vec::with_capacity(source.text.len() / 4 + 1), comments: Vec::new(), diagnostics: Vec::new() };
    let (text, base, budget) = (&*source.text, source.start, &source.budget);
    let mut lexer = Lexer { text, bytes: text.as_bytes(), base, at: 0, lexed, budget };
    if lexer.text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    lexer.run();
    lexer.lexed
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    base: u32,
    at: usize,
    lexed: Lexed,
    budget: &'a Budget,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            self.budget.look();
            let start = self.at;
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b'\x0c' => self.at += 1,
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.name(),
                b'0'..=b'9' => self.number(),
                b'-' if self.rest().starts_with(b"--") => self.line_comment(),
                b'/' if self.rest().starts_with(b"/--") => self.block_comment(),
                b'"' => self.quoted_name(),
                b'#' if start == 0 || self.bytes[start - 1] == b'\n' => self.preprocessor_line(),
                _ => match symbol(self.rest()) {
                    Some((kind, length)) => {
                        self.at += length;
                        self.push(kind, start);
                    }
                    None => self.invalid(),
                },
            }
        }
        self.push(TokenKind::Eof, self.at);
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if !push_bounded(&mut self.lexed.diagnostics, diagnostic) {
            self.at = self.bytes.len();
        }
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.base + start as u32, self.base + self.at as u32)
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let span = self.span(start);
        self.lexed.tokens.push(Token { kind, span });
    }

    fn skip_while(&mut self, belongs: impl Fn(u8) -> bool) {
        while self.bytes.get(self.at).is_some_and(|byte| belongs(*byte)) {
            self.at += 1;
        }
    }

    fn name(&mut self) {
        let start = self.at;
        self.skip_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | b'-' | b'\\'));
        let text = &self.text[start..self.at];
        self.push(Keyword::find(text).map_or(TokenKind::Name, TokenKind::Keyword), start);
        if text.ends_with('-') && self.bytes.get(self.at) == Some(&b'>') {
            let name = text.trim_end_matches('-');
            let (span, gap) = (self.span(start), self.span(self.at));
            let minus = Span::new(gap.start - 1, gap.start - 1);
            self.report(
                Diagnostic::warning(codes::SWALLOWED_MINUS, span, format!("`{text}` is read as one name"))
                    .label("the minus sign belongs to the name")
                    .note("names may hold hyphens, so `->` needs a space before it")
                    .suggest(format!("write `{name} ->` to mean an implication"), minus, " "),
            );
        }
    }

    fn number(&mut self) {
        let start = self.at;
        if let Some(length) = word_length(self.rest()) {
            self.at += length;
            return self.push(TokenKind::Word, start);
        }
        self.skip_while(|byte| byte.is_ascii_digit());
        let fraction = matches!(self.rest(), [b'.', b'0'..=b'9', ..]);
        if fraction {
            self.at += 1;
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        let exponent = match self.rest() {
            [b'e' | b'E', b'+' | b'-', b'0'..=b'9', ..] => 2,
            [b'e' | b'E', b'0'..=b'9', ..] => 1,
            _ => 0,
        };
        if exponent > 0 {
            self.at += exponent;
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        self.push(if fraction || exponent > 0 { TokenKind::Real } else { TokenKind::Int }, start);
    }

    fn line_comment(&mut self) {
        let start = self.at;
        self.skip_while(|byte| byte != b'\n');
        let end = self.at;
        if self.bytes[end - 1] == b'\r' {
            self.at -= 1;
        }
        let span = self.span(start);
        self.at = end;
        self.lexed.comments.push(span);
    }

    fn block_comment(&mut self) {
        let start = self.at;
        if let Some(length) = self.text[start + 3..].find("--/") {
            self.at = start + 3 + length + 3;
        } else {
            self.at += 3;
            let opener = self.span(start);
            self.at = self.bytes.len();
            self.report(
                Diagnostic::error(codes::UNTERMINATED, opener, "this comment does not end")
                    .label("starts here")
                    .help("a comment that starts with `/--` ends with `--/`"),
            );
        }
        let span = self.span(start);
        self.lexed.comments.push(span);
    }

    fn quoted_name(&mut self) {
        let start = self.at;
        if let Some(length) = self.text[start + 1..].find('"') {
            self.at = start + 1 + length + 1;
            return self.push(TokenKind::Name, start);
        }
        self.at += 1;
        let opener = self.span(start);
        self.report(
            Diagnostic::error(codes::UNTERMINATED, opener, "this quoted name does not end").label("starts here"),
        );
        self.push(TokenKind::Bad, start);
    }

    /// Lines such as `# 12 "model.smv"`, which the C preprocessor emits, are skipped.
    fn preprocessor_line(&mut self) {
        let start = self.at;
        self.skip_while(|byte| byte != b'\n');
        let line = &self.bytes[start..self.at];
        if !matches!(line, [b'#', b' ', b'0'..=b'9', ..]) {
            let span = self.span(start);
            self.report(
                Diagnostic::error(codes::PREPROCESSOR, span, "this line is for a preprocessor, which has not been run")
                    .help("run the preprocessor first, for example `cpp -P`"),
            );
        }
    }

    fn invalid(&mut self) {
        let start = self.at;
        let valid = |c: char| c.is_ascii_graphic() && !matches!(c, '@' | '\'' | '`' | '$' | '\\' | '#');
        let rest = &self.text[start..];
        let Some(first) = rest.chars().next() else { return };
        // A run of invalid characters is one error; the file may not be text at all.
        let length = rest.find(|c: char| c.is_whitespace() && c.is_ascii() || valid(c)).unwrap_or(rest.len());
        self.at += length.max(first.len_utf8());
        let run = &self.text[start..self.at];
        let span = self.span(start);
        let mut diagnostic = if run.chars().nth(1).is_none() {
            Diagnostic::error(codes::INVALID_CHARACTER, span, format!("{} does not belong here", describe(first)))
        } else {
            let message = format!("these characters do not belong here, the first is {}", describe(first));
            Diagnostic::error(codes::INVALID_CHARACTER, span, message)
        };
        if let Some(ours) = lookalike(first) {
            diagnostic = diagnostic.suggest(format!("SMV writes `{ours}`"), span, ours);
        } else if first == '\u{fffd}' || first == '\0' {
            diagnostic = diagnostic.note("the file does not seem to be text in UTF-8");
        } else if rest.starts_with("@TIME_DOMAIN") {
            diagnostic = diagnostic.note("timed models are not supported: models are finite");
        } else if first == '#' {
            diagnostic = diagnostic.note("preprocessors and macros are not run");
        } else if first.is_alphabetic() {
            diagnostic = diagnostic.note("names are made of ASCII letters, digits, `_`, `$`, `#` and `-`");
        }
        self.report(diagnostic);
        self.push(TokenKind::Bad, start);
    }
}

/// The length of the word constant at the start of `text`, if there is one.
fn word_length(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    if text.first() != Some(&b'0') {
        return None;
    }
    if matches!(text.get(at), Some(b'u' | b's')) {
        at += 1;
    }
    if !matches!(text.get(at), Some(b'b' | b'B' | b'o' | b'O' | b'd' | b'D' | b'h' | b'H')) {
        return None;
    }
    at += 1;
    at += text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if text.get(at) != Some(&b'_') || !text.get(at + 1).is_some_and(u8::is_ascii_hexdigit) {
        return None;
    }
    at += 1;
    Some(at + text[at..].iter().take_while(|byte| byte.is_ascii_hexdigit() || **byte == b'_').count())
}

/// The sign at the start of `text` and its length.
fn symbol(text: &[u8]) -> Option<(TokenKind, usize)> {
    use TokenKind as T;
    Some(match text {
        [b'<', b'-', b'>', ..] => (T::DoubleArrow, 3),
        [b'|', b'-', b'>', ..] => (T::PipeArrow, 3),
        [b'|', b'=', b'>', ..] => (T::PipeFatArrow, 3),
        [b':', b'=', ..] => (T::Becomes, 2),
        [b':', b':', ..] => (T::ColonColon, 2),
        [b'.', b'.', ..] => (T::DotDot, 2),
        [b'-', b'>', ..] => (T::Arrow, 2),
        [b'!', b'=', ..] => (T::Ne, 2),
        [b'<', b'=', ..] => (T::Le, 2),
        [b'>', b'=', ..] => (T::Ge, 2),
        [b'<', b'<', ..] => (T::Shl, 2),
        [b'>', b'>', ..] => (T::Shr, 2),
        [b'=', b'=', ..] => (T::EqEq, 2),
        [b'&', b'&', ..] => (T::AndAnd, 2),
        [b'|', b'|', ..] => (T::OrOr, 2),
        [b'=', b'>', ..] => (T::FatArrow, 2),
        [b'<', b'>', ..] => (T::LtGt, 2),
        [b'(', ..] => (T::LParen, 1),
        [b')', ..] => (T::RParen, 1),
        [b'[', ..] => (T::LBracket, 1),
        [b']', ..] => (T::RBracket, 1),
        [b'{', ..] => (T::LBrace, 1),
        [b'}', ..] => (T::RBrace, 1),
        [b',', ..] => (T::Comma, 1),
        [b';', ..] => (T::Semi, 1),
        [b':', ..] => (T::Colon, 1),
        [b'.', ..] => (T::Dot, 1),
        [b'?', ..] => (T::Question, 1),
        [b'!', ..] => (T::Not, 1),
        [b'&', ..] => (T::And, 1),
        [b'|', ..] => (T::Or, 1),
        [b'=', ..] => (T::Eq, 1),
        [b'<', ..] => (T::Lt, 1),
        [b'>', ..] => (T::Gt, 1),
        [b'+', ..] => (T::Plus, 1),
        [b'-', ..] => (T::Minus, 1),
        [b'*', ..] => (T::Star, 1),
        [b'/', ..] => (T::Slash, 1),
        [b'~', ..] => (T::Tilde, 1),
        [b'^', ..] => (T::Caret, 1),
        [b'%', ..] => (T::Percent, 1),
        _ => return None,
    })
}

/// A character and its code point, for messages.
fn describe(character: char) -> String {
    if character.is_ascii_graphic() {
        format!("`{character}`")
    } else if character.is_alphanumeric() || lookalike(character).is_some_and(|ours| ours != " ") {
        format!("`{character}` (U+{:04X})", u32::from(character))
    } else {
        format!("the character U+{:04X}", u32::from(character))
    }
}

/// The SMV notation of a typographic or mathematical sign.
fn lookalike(character: char) -> Option<&'static str> {
    Some(match character {
        '∧' | '⋀' => "&",
        '∨' | '⋁' => "|",
        '¬' => "!",
        '→' | '⇒' | '⟶' | '⟹' => "->",
        '↔' | '⇔' | '⟷' | '⟺' => "<->",
        '≤' | '⩽' => "<=",
        '≥' | '⩾' => ">=",
        '≠' => "!=",
        '∈' => "in",
        '∪' => "union",
        '⊕' => "xor",
        '−' | '–' | '—' => "-",
        '×' | '·' => "*",
        '…' => "..",
        '≔' => ":=",
        '□' => "G",
        '◇' => "F",
        '“' | '”' => "\"",
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{200b}' | '\u{feff}' => " ",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::lex;
    use crate::span::SourceMap;

    /// Compares the tokens, separated by spaces, and then the messages.
    fn check(input: &str, tokens: &str, messages: &[&str]) {
        let mut sources = SourceMap::default();
        sources.add("padding", "so that positions do not start at zero").unwrap();
        let file = sources.add("test.smv", input).unwrap();
        let source = &sources.files()[file];
        let lexed = lex(source);
        let texts: Vec<&str> = lexed.tokens.iter().map(|token| source.slice(token.span)).collect();
        assert_eq!(texts.join(" ").trim_end(), tokens, "tokens of {input:?}");
        let found: Vec<&str> = lexed.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
        assert_eq!(found, messages, "messages for {input:?}");
    }

    #[test]
    fn the_longest_match_wins() {
        check("a<->b", "a <-> b", &[]);
        check("n-1 n - 1", "n-1 n - 1", &[]);
        check("a-b$c#d\\e", "a-b$c#d\\e", &[]);
        check("1..3 1.5 1e5 1E-5 5e", "1 .. 3 1.5 1e5 1E-5 5 e", &[]);
        check("x[3:0]::w", "x [ 3 : 0 ] :: w", &[]);
        check("!=!<=<<>>>=", "!= ! <= << >> >=", &[]);
        check("a.b.0", "a . b . 0", &[]);
        check("{a|->b}", "{ a |-> b }", &[]);
    }

    #[test]
    fn word_constants() {
        check("0ud8_255 0sh4_f 0b_01_01 0B8_1 0d1", "0ud8_255 0sh4_f 0b_01_01 0B8_1 0 d1", &[]);
        check("0x10 0u8_1 0b8 0b_", "0 x10 0 u8_1 0 b8 0 b_", &[]);
    }

    #[test]
    fn comments_and_blanks() {
        check("a -- b\nc --", "a c", &[]);
        check("a -- b\r\nc\x0c", "a c", &[]);
        check("a /-- b -- c\n d --/ e", "a e", &[]);
        check("a--b", "a--b", &[]);
        check("1--b", "1", &[]);
        check("\u{feff}a", "a", &[]);
        check("# 1 \"x.smv\"\na\n#5", "a", &["this line is for a preprocessor, which has not been run"]);
        check("a /-- b", "a", &["this comment does not end"]);
    }

    #[test]
    fn quoted_names() {
        check("\"a b\" c", "\"a b\" c", &[]);
        check("\"a b", "\" a b", &["this quoted name does not end"]);
    }

    #[test]
    fn swallowed_minus() {
        check("a->b", "a- > b", &["`a-` is read as one name"]);
    }

    #[test]
    fn invalid_characters() {
        check("a @ b", "a @ b", &["`@` does not belong here"]);
        check("a ≤ b", "a ≤ b", &["`≤` (U+2264) does not belong here"]);
        check("a\u{a0}b", "a \u{a0} b", &["the character U+00A0 does not belong here"]);
        check(
            "\0\u{1}\u{2}a",
            "\0\u{1}\u{2} a",
            &["these characters do not belong here, the first is the character U+0000"],
        );
    }
}
