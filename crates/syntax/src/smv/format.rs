//! Formatter: indents lines by their structure and puts spaces where they belong. Lines stay lines, and comments stay.
//!
//! Columns that people have aligned before `:`, `:=` and comments stay aligned. What was written is read again: if anything
//! but the layout would change, nothing does.

use super::lexer::lex;
use super::token::{Keyword, Token, TokenKind};
use crate::span::{SourceFile, SourceMap, Span};

/// Indentation of each level.
const INDENT: usize = 2;

/// Deeper lines are not indented further.
const MOST: usize = 40;

/// Formats a file. A file that cannot be cut into tokens stays as it is.
pub fn format(text: &str) -> String {
    let Some(before) = pieces(text) else { return text.to_owned() };
    let mut layout = Layout::default();
    for (at, piece) in before.pieces.iter().enumerate() {
        layout.add(&before, at, *piece);
    }
    let mut out = layout.out;
    if !out.is_empty() {
        out.push('\n');
    }
    if text.contains("\r\n") {
        out = out.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    match pieces(&out) {
        Some(after) if after.words() == before.words() => out,
        _ => text.to_owned(),
    }
}

/// A token or a comment.
#[derive(Clone, Copy)]
enum Piece {
    Token(Token),
    Comment(Span),
}

impl Piece {
    fn span(self) -> Span {
        match self {
            Piece::Token(token) => token.span,
            Piece::Comment(span) => span,
        }
    }

    fn kind(self) -> Option<TokenKind> {
        match self {
            Piece::Token(token) => Some(token.kind),
            Piece::Comment(_) => None,
        }
    }
}

struct Pieces {
    source: SourceFile,
    pieces: Vec<Piece>,
}

/// The tokens and comments of a text; nothing if it has invalid ones.
fn pieces(text: &str) -> Option<Pieces> {
    let mut sources = SourceMap::default();
    sources.add("", text).ok()?;
    let source = sources.files()[0].clone();
    let lexed = lex(&source);
    if lexed.diagnostics.iter().any(crate::diagnostic::Diagnostic::is_error) {
        return None;
    }
    let tokens = lexed.tokens.into_iter().filter(|token| token.kind != TokenKind::Eof).map(Piece::Token);
    let mut pieces: Vec<Piece> = tokens.chain(lexed.comments.into_iter().map(Piece::Comment)).collect();
    pieces.sort_by_key(|piece| piece.span().start);
    Some(Pieces { source, pieces })
}

impl Pieces {
    fn text(&self, piece: Piece) -> &str {
        let text = self.source.slice(piece.span());
        if piece.kind().is_none() { text.trim_end() } else { text }
    }

    /// What is written, without the layout.
    fn words(&self) -> Vec<String> {
        self.pieces.iter().map(|piece| self.text(*piece).replace("\r\n", "\n")).collect()
    }

    /// The text between a piece and the one before.
    fn gap(&self, at: usize) -> &str {
        let start = at.checked_sub(1).map_or(0, |before| self.pieces[before].span().end);
        self.source.slice(Span::new(start, self.pieces[at].span().start))
    }

    /// The next token at or behind a piece.
    fn next_token(&self, at: usize) -> Option<TokenKind> {
        self.pieces[at..].iter().find_map(|piece| piece.kind())
    }
}

#[derive(Default)]
struct Layout {
    out: String,
    /// The open brackets and cases, and whether each is a case.
    open: Vec<bool>,
    /// The last token.
    last: Option<TokenKind>,
}

impl Layout {
    fn add(&mut self, all: &Pieces, at: usize, piece: Piece) {
        let gap = all.gap(at);
        let n_breaks = gap.matches('\n').count();
        let kind = piece.kind();
        if at == 0 {
            // The first piece starts the file.
        } else if n_breaks > 0 {
            self.out.push_str(if n_breaks > 1 { "\n\n" } else { "\n" });
            let next = if kind.is_some() { kind } else { all.next_token(at) };
            // A comment behind the last declaration of a module belongs to what follows.
            self.out.push_str(&" ".repeat(self.indent(next)));
        } else {
            self.out.push_str(&Layout::space(all, at, gap));
        }
        self.out.push_str(all.text(piece));
        let Some(kind) = kind else { return };
        match kind {
            TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace => self.open.push(false),
            TokenKind::Keyword(Keyword::Case) => self.open.push(true),
            TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace | TokenKind::Keyword(Keyword::Esac) => {
                self.open.pop();
            }
            kind if kind.starts_section() => self.open.clear(),
            _ => {}
        }
        self.last = Some(kind);
    }

    /// The indentation of a line that starts with a token.
    fn indent(&self, next: Option<TokenKind>) -> usize {
        let Some(next) = next else { return 0 };
        if next.starts_section() {
            return 0;
        }
        let closes = matches!(
            next,
            TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace | TokenKind::Keyword(Keyword::Esac)
        );
        let depth = self.open.len() - usize::from(closes && !self.open.is_empty());
        let starts = match self.last {
            None | Some(TokenKind::Semi | TokenKind::Keyword(Keyword::Case)) => true,
            Some(last) => last.starts_section(),
        };
        let is_continued = !starts && !closes && self.open.last().is_none_or(|is_case| *is_case);
        INDENT * (1 + (depth + usize::from(is_continued)).min(MOST))
    }

    /// The space between two pieces on one line.
    fn space(all: &Pieces, at: usize, gap: &str) -> String {
        use TokenKind as K;
        let (before, after) = (all.pieces[at - 1].kind(), all.pieces[at].kind());
        let keeps = |kind: Option<TokenKind>| matches!(kind, None | Some(K::Colon | K::Becomes));
        if matches!(after, Some(K::Semi | K::Comma | K::RParen)) || matches!(before, Some(K::LParen)) {
            return if before.is_none() || after.is_none() { " ".into() } else { String::new() };
        }
        let is_aligned = gap.chars().count() > 1 && (keeps(before) || keeps(after));
        if is_aligned && gap.chars().all(|c| c == ' ') {
            return gap.into();
        }
        let wants = gap.is_empty()
            && (matches!(before, None | Some(K::Comma | K::Becomes | K::Semi))
                || matches!(after, None | Some(K::Becomes)));
        if wants || !gap.is_empty() { " ".into() } else { String::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::format;

    #[test]
    fn lines_are_indented_and_comments_stay() {
        let text = "-- A pump.\nMODULE main\nVAR\nhigh : boolean; -- the sensor\n      pump:{off,on};\nASSIGN\ninit(pump):=off;\n\n\n\nnext( pump ) := case\nhigh : on;  /-- a\n  b --/\nTRUE :\noff;\nesac ;\nSPEC AG (high ->\nAX pump = on)\n";
        let expected = "-- A pump.\nMODULE main\nVAR\n  high : boolean; -- the sensor\n  pump:{off, on};\nASSIGN\n  init(pump) := off;\n\n  next(pump) := case\n    high : on;  /-- a\n  b --/\n    TRUE :\n      off;\n  esac;\nSPEC AG (high ->\n    AX pump = on)\n";
        assert_eq!(format(text), expected);
        assert_eq!(format(expected), expected, "a second time changes nothing");
    }

    #[test]
    fn aligned_columns_stay() {
        let text = "MODULE main\nVAR\n  a     : boolean;   -- x\n  other : boolean;\n";
        assert_eq!(format(text), text);
    }

    #[test]
    fn what_cannot_be_read_stays() {
        for text in ["MODULE main §\n", "", "/-- no end", "MODULE main\r\nVAR\r\nx:boolean;\r\n"] {
            let formatted = format(text);
            assert_eq!(format(&formatted), formatted);
        }
        assert_eq!(format("MODULE main §\n"), "MODULE main §\n");
        assert_eq!(format("MODULE main\r\nVAR\r\nx:boolean;"), "MODULE main\r\nVAR\r\n  x:boolean;\r\n");
    }
}
