//! JSON with the place of every value. Comments are allowed, as in the files of many tools.

use super::codes;
use super::term::{Entry, Repeated, Term, TermKind, find_repeated};
use crate::diagnostic::Diagnostic;
use crate::span::{SourceFile, Span};
use std::sync::Arc;

/// Maximal depth of nested values.
const MAX_DEPTH: usize = 200;

/// What a file has.
pub(crate) struct Json {
    pub(crate) value: Term,
    pub(crate) comments: Vec<Span>,
    pub(crate) repeated: Vec<Repeated>,
}

/// The value of a file, with its comments.
pub(crate) fn parse(source: &SourceFile) -> Result<Json, Box<Diagnostic>> {
    let (comments, repeated) = (Vec::new(), Vec::new());
    let mut reader = Reader { source, bytes: source.text.as_bytes(), at: 0, comments, repeated };
    if source.text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    let value = reader.value(0)?;
    reader.skip()?;
    if reader.at < reader.bytes.len() {
        return Err(reader.error("something follows the end of the value"));
    }
    Ok(Json { value, comments: reader.comments, repeated: reader.repeated })
}

struct Reader<'a> {
    source: &'a SourceFile,
    bytes: &'a [u8],
    at: usize,
    comments: Vec<Span>,
    repeated: Vec<Repeated>,
}

impl Reader<'_> {
    fn span(&self, start: usize) -> Span {
        Span::new(self.source.start + start as u32, self.source.start + self.at as u32)
    }

    fn error(&self, message: &str) -> Box<Diagnostic> {
        let length = self.source.text[self.at.min(self.bytes.len())..].chars().next().map_or(0, char::len_utf8);
        let start = self.source.start + self.at as u32;
        Box::new(Diagnostic::error(codes::SYNTAX, Span::new(start, start + length as u32), message))
    }

    fn skip(&mut self) -> Result<(), Box<Diagnostic>> {
        loop {
            match &self.bytes[self.at..] {
                [b' ' | b'\t' | b'\r' | b'\n', ..] => self.at += 1,
                [b'/', b'/', ..] => {
                    let start = self.at;
                    while self.bytes.get(self.at).is_some_and(|byte| *byte != b'\n') {
                        self.at += 1;
                    }
                    self.comments.push(self.span(start));
                }
                [b'/', b'*', rest @ ..] => {
                    let Some(length) = rest.windows(2).position(|pair| pair == b"*/") else {
                        return Err(self.error("the comment is not closed"));
                    };
                    let start = self.at;
                    self.at += length + 4;
                    self.comments.push(self.span(start));
                }
                _ => return Ok(()),
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Term, Box<Diagnostic>> {
        self.source.budget.look();
        self.skip()?;
        if depth > MAX_DEPTH {
            let mut diagnostic = self.error(&format!("values are nested more than {MAX_DEPTH} deep"));
            diagnostic.code = codes::TOO_LARGE;
            return Err(diagnostic);
        }
        let start = self.at;
        let kind = match self.bytes.get(self.at) {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => TermKind::Text(self.text()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'a'..=b'z') => self.word()?,
            Some(_) => return Err(self.error("expected a value")),
            None => return Err(self.error("the file ends where a value is expected")),
        };
        Ok(Term { kind, span: self.span(start) })
    }

    fn word(&mut self) -> Result<TermKind, Box<Diagnostic>> {
        for (word, kind) in [("true", TermKind::Bool(true)), ("false", TermKind::Bool(false)), ("null", TermKind::Null)]
        {
            if self.bytes[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(kind);
            }
        }
        Err(self.error("expected a value"))
    }

    fn number(&mut self) -> Result<TermKind, Box<Diagnostic>> {
        let start = self.at;
        while self
            .bytes
            .get(self.at)
            .is_some_and(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E'))
        {
            self.at += 1;
        }
        if let Ok(number) = self.source.text[start..self.at].parse() {
            return Ok(TermKind::Number(number));
        }
        self.at = start;
        Err(self.error("this is not a number"))
    }

    fn object(&mut self, depth: usize) -> Result<TermKind, Box<Diagnostic>> {
        self.at += 1;
        let mut entries = Vec::new();
        loop {
            self.skip()?;
            if self.bytes.get(self.at) == Some(&b'}') {
                self.at += 1;
                find_repeated(&entries, &mut self.repeated);
                return Ok(TermKind::Object(entries));
            }
            if !entries.is_empty() {
                self.expect(b',', "expected `,` or `}`")?;
                self.skip()?;
            }
            let start = self.at;
            if self.bytes.get(self.at) != Some(&b'"') {
                return Err(self.error("expected a key in quotes"));
            }
            let key = Some(self.text()?);
            let key_span = self.span(start);
            self.skip()?;
            self.expect(b':', "expected `:` after a key")?;
            let value = self.value(depth + 1)?;
            entries.push(Entry { key, computed: None, is_spread: false, key_span, value });
        }
    }

    fn array(&mut self, depth: usize) -> Result<TermKind, Box<Diagnostic>> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip()?;
            if self.bytes.get(self.at) == Some(&b']') {
                self.at += 1;
                return Ok(TermKind::Array(items));
            }
            if !items.is_empty() {
                self.expect(b',', "expected `,` or `]`")?;
            }
            items.push(self.value(depth + 1)?);
        }
    }

    fn expect(&mut self, byte: u8, message: &str) -> Result<(), Box<Diagnostic>> {
        if self.bytes.get(self.at) != Some(&byte) {
            return Err(self.error(message));
        }
        self.at += 1;
        Ok(())
    }

    /// A text in quotes.
    fn text(&mut self) -> Result<Arc<str>, Box<Diagnostic>> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let start = self.at;
            while self.bytes.get(self.at).is_some_and(|byte| !matches!(byte, b'"' | b'\\' | b'\n')) {
                self.at += 1;
            }
            text.push_str(&self.source.text[start..self.at]);
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text.into());
                }
                Some(b'\\') => text.push(self.escape()?),
                _ => return Err(self.error("the string is not closed")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Box<Diagnostic>> {
        self.at += 1;
        let escaped = match self.bytes.get(self.at) {
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(*byte),
            Some(b'u') => return self.unicode(),
            _ => return Err(self.error("this is not an escape sequence")),
        };
        self.at += 1;
        Ok(escaped)
    }

    fn unicode(&mut self) -> Result<char, Box<Diagnostic>> {
        let high = self.code_unit()?;
        if (0xd800..0xdc00).contains(&high) && self.bytes[self.at..].starts_with(b"\\u") {
            self.at += 1;
            let low = self.code_unit()?;
            let code = 0x1_0000 + ((high - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff);
            return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        Ok(char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// The four digits after `u`.
    fn code_unit(&mut self) -> Result<u32, Box<Diagnostic>> {
        let digits = self.source.text.get(self.at + 1..self.at + 5);
        match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(unit) => {
                self.at += 5;
                Ok(unit)
            }
            None => Err(self.error("`\\u` needs four digits")),
        }
    }
}
