//! A JSON parser that keeps source spans, for diagnostics in hand-edited files.

use specwright_syntax::span::Span;

/// A value and its source span.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The value.
    pub node: Node,
    /// Its source span.
    pub span: Span,
}

/// A JSON value. Members keep their order, and their names their spans.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// `null`
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number that is not an integer, or too large.
    Number(String),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Tree>),
    /// An object: names, their spans, and values.
    Object(Vec<(String, Span, Tree)>),
}

/// A syntax error.
pub struct SyntaxError {
    /// The message.
    pub message: &'static str,
    /// The source span.
    pub span: Span,
}

impl Tree {
    /// The first member with this name.
    pub fn get(&self, name: &str) -> Option<&Tree> {
        match &self.node {
            Node::Object(members) => members.iter().find(|(other, ..)| other == name).map(|(.., value)| value),
            _ => None,
        }
    }

    /// The text of a string.
    pub fn text(&self) -> Option<&str> {
        match &self.node {
            Node::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items of a list.
    pub fn list(&self) -> Option<&[Tree]> {
        match &self.node {
            Node::List(items) => Some(items),
            _ => None,
        }
    }

    /// The value of a nonnegative integer.
    pub fn count(&self) -> Option<usize> {
        match &self.node {
            Node::Int(number) => usize::try_from(*number).ok(),
            _ => None,
        }
    }

    /// Its kind, for messages.
    pub fn kind(&self) -> &'static str {
        match &self.node {
            Node::Null => "null",
            Node::Bool(_) => "a boolean",
            Node::Int(_) => "a number",
            Node::Number(_) => "a number that is not a small integer",
            Node::Text(_) => "a string",
            Node::List(_) => "a list",
            Node::Object(_) => "an object",
        }
    }
}

/// Parses a text whose first byte is at a position.
pub fn parse(text: &str, start: u32) -> Result<Tree, SyntaxError> {
    let mut parser = Parser { text, at: 0, start, depth: 0 };
    let tree = parser.value()?;
    parser.space();
    if parser.at < text.len() { Err(parser.error("nothing may follow the document")) } else { Ok(tree) }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    start: u32,
    depth: u32,
}

/// Maximal nesting depth: deeper than any of our documents, and safe for the stack.
const MAX_DEPTH: u32 = 100;

impl Parser<'_> {
    fn error(&self, message: &'static str) -> SyntaxError {
        let length = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        SyntaxError { message, span: self.span(self.at, self.at + length) }
    }

    fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.start + from as u32, self.start + to as u32)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Skips spaces and consumes a sign, if it is next.
    fn take(&mut self, sign: u8) -> bool {
        self.space();
        let found = self.peek() == Some(sign);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self) -> Result<Tree, SyntaxError> {
        self.space();
        let from = self.at;
        let node = match self.peek() {
            Some(b'{' | b'[') if self.depth == MAX_DEPTH => return Err(self.error("too deep")),
            Some(b'{') => self.object()?,
            Some(b'[') => self.array()?,
            Some(b'"') => Node::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'a'..=b'z') => self.word()?,
            Some(_) => return Err(self.error("expected a value")),
            None => return Err(self.error("the text ends too early")),
        };
        Ok(Tree { node, span: self.span(from, self.at) })
    }

    fn object(&mut self) -> Result<Node, SyntaxError> {
        self.at += 1;
        self.depth += 1;
        let mut members = Vec::new();
        if !self.take(b'}') {
            loop {
                self.space();
                let from = self.at;
                if self.peek() != Some(b'"') {
                    return Err(self.error("expected the name of a member, in quotes"));
                }
                let name = self.string()?;
                let span = self.span(from, self.at);
                if !self.take(b':') {
                    return Err(self.error("expected `:`"));
                }
                members.push((name, span, self.value()?));
                if self.take(b'}') {
                    break;
                }
                if !self.take(b',') {
                    return Err(self.error("expected `,` or `}`"));
                }
            }
        }
        self.depth -= 1;
        Ok(Node::Object(members))
    }

    fn array(&mut self) -> Result<Node, SyntaxError> {
        self.at += 1;
        self.depth += 1;
        let mut items = Vec::new();
        if !self.take(b']') {
            loop {
                items.push(self.value()?);
                if self.take(b']') {
                    break;
                }
                if !self.take(b',') {
                    return Err(self.error("expected `,` or `]`"));
                }
            }
        }
        self.depth -= 1;
        Ok(Node::List(items))
    }

    /// A string; its escapes are decoded by `serde_json`.
    fn string(&mut self) -> Result<String, SyntaxError> {
        let from = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(b'\n') | None => return Err(self.unclosed(from)),
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        let string = self.text.get(from..self.at).and_then(|text| serde_json::from_str(text).ok());
        let span = self.span(from, self.at.min(self.text.len()));
        string.ok_or(SyntaxError { message: "a string with a wrong escape", span })
    }

    fn unclosed(&self, from: usize) -> SyntaxError {
        SyntaxError { message: "a string that does not end", span: self.span(from, self.at.min(self.text.len())) }
    }

    fn number(&mut self) -> Result<Node, SyntaxError> {
        let from = self.at;
        while matches!(self.peek(), Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')) {
            self.at += 1;
        }
        let text = &self.text[from..self.at];
        if serde_json::from_str::<f64>(text).is_err() {
            return Err(SyntaxError { message: "not a number", span: self.span(from, self.at) });
        }
        Ok(serde_json::from_str(text).map_or_else(|_| Node::Number(text.to_owned()), Node::Int))
    }

    fn word(&mut self) -> Result<Node, SyntaxError> {
        let from = self.at;
        while matches!(self.peek(), Some(b'a'..=b'z')) {
            self.at += 1;
        }
        match &self.text[from..self.at] {
            "true" => Ok(Node::Bool(true)),
            "false" => Ok(Node::Bool(false)),
            "null" => Ok(Node::Null),
            _ => Err(SyntaxError { message: "expected a value", span: self.span(from, self.at) }),
        }
    }
}
