//! Parser of SCR tables. A line that cannot be parsed is reported and skipped, so that one run reports several errors.

mod continuation;
mod declarations;
pub(super) mod expr;
mod tables;

use super::ast::{Class, Expr, ExprKind, File, Inputs, TypeExpr, TypeKind, VarDecl};
use super::codes;
use super::lines::{Line, LineKind, SECTIONS, Section, lines};
use super::marks::plain_names;
use crate::diagnostic::{Diagnostic, closest};
use crate::span::{SourceFile, Span};
use continuation::{ends_open, open_brackets, starts_with_operator};
use expr::ExprParser;

pub(super) use tables::finish as finish_table;

/// Parses an SCR specification.
pub fn parse(source: &SourceFile) -> (File, Vec<Diagnostic>) {
    let text = plain_names(&source.text);
    let (lines, file) = (lines(&text), File::default());
    let mut parser = Parser { source, text: &text, lines, at: 0, file, diagnostics: Vec::new() };
    parser.file();
    tables::read_published(&mut parser.file);
    (parser.file, parser.diagnostics)
}

struct Parser<'a> {
    source: &'a SourceFile,
    /// Its text, without the marks of names.
    text: &'a str,
    lines: Vec<Line<'a>>,
    /// Index of the next line.
    at: usize,
    file: File,
    diagnostics: Vec<Diagnostic>,
}

/// A piece of text and its position.
#[derive(Clone, Copy)]
struct Piece<'a> {
    text: &'a str,
    start: u32,
}

impl Piece<'_> {
    fn span(self) -> Span {
        Span::new(self.start, self.start + self.text.len() as u32)
    }
}

impl<'a> Parser<'a> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn piece(&self, line: &Line<'a>, from: usize) -> Piece<'a> {
        let rest = &line.text[from..];
        let text = rest.trim_start();
        let start = self.source.start + (line.at + from + rest.len() - text.len()) as u32;
        Piece { text, start }
    }

    fn file(&mut self) {
        while let Some(line) = self.lines.get(self.at).copied() {
            self.source.budget.look();
            self.at += 1;
            match line.kind {
                LineKind::Blank | LineKind::Rule => {}
                LineKind::Start(section, keyword) => self.section(section, &line, keyword),
                LineKind::Part => {
                    self.stray(&line);
                    // The lines up to the next section would only repeat the error.
                    while self.lines.get(self.at).is_some_and(|line| !matches!(line.kind, LineKind::Start(..))) {
                        self.at += 1;
                    }
                }
            }
        }
    }

    fn stray(&mut self, line: &Line<'a>) {
        let piece = self.piece(line, 0);
        let first = piece.text.split(|c: char| c.is_whitespace() || c == ':').next().unwrap_or_default();
        let span = Span::new(piece.start, piece.start + first.len() as u32);
        let message = format!("`{first}` is not a section");
        let mut diagnostic = Diagnostic::error(codes::NO_SECTION, span, message);
        let keywords = SECTIONS.iter().map(|(keyword, _)| *keyword);
        diagnostic = match closest(first, keywords) {
            Some(keyword) => diagnostic.suggest("a section is called", span, keyword),
            None => diagnostic.help(
                "sections are `types`, `constants`, `monitored`, `modes`, `terms`, `controlled`, `inputs`, `clock`, \
                 `assume`, `initially`, `properties`, `mode table`, `mode matrix`, `event table` and `condition table`",
            ),
        };
        self.report(diagnostic);
    }

    fn section(&mut self, section: Section, line: &Line<'a>, keyword: usize) {
        let colon = line.text[keyword..].trim_start().starts_with(':');
        let from = if colon { keyword + line.text[keyword..].find(':').unwrap_or(0) + 1 } else { keyword };
        let rest = self.piece(line, from);
        if let Section::Table(kind) = section {
            return self.table(kind, line, keyword, rest);
        }
        let mut pieces = Vec::new();
        if !rest.text.is_empty() {
            self.at -= 1;
            pieces.push(self.continued(rest));
        }
        while let Some(line) = self.lines.get(self.at).copied() {
            match line.kind {
                LineKind::Start(..) => break,
                LineKind::Blank | LineKind::Rule => self.at += 1,
                LineKind::Part => {
                    let piece = self.piece(&line, 0);
                    pieces.push(self.continued(piece));
                }
            }
        }
        for piece in pieces {
            self.part(section, piece);
        }
    }

    /// A piece joined with its continuation lines: a line is continued while a bracket is open, if it ends in an
    /// operator, or if the next line starts with one. Stops at the line after the piece.
    fn continued(&mut self, piece: Piece<'a>) -> Piece<'a> {
        let mut end = self.at;
        let mut open = 0i32;
        loop {
            let line = self.lines[end];
            let text = if end == self.at { piece.text } else { line.text };
            open += open_brackets(text);
            let Some(next) = self.lines[end + 1..].iter().position(|line| line.kind != LineKind::Blank) else { break };
            let next = end + 1 + next;
            let follows = self.lines[next].kind == LineKind::Part
                && (open > 0 || ends_open(text) || starts_with_operator(self.lines[next].text));
            if !follows {
                break;
            }
            end = next;
        }
        self.at = end + 1;
        let last = self.lines[end];
        let stop = if last.at + last.text.len() > (piece.start - self.source.start) as usize {
            last.at + last.text.len()
        } else {
            (piece.start - self.source.start) as usize + piece.text.len()
        };
        let from = (piece.start - self.source.start) as usize;
        Piece { text: &self.text[from..stop], start: piece.start }
    }

    fn part(&mut self, section: Section, piece: Piece<'a>) {
        match section {
            Section::Types => self.type_decl(piece),
            Section::Constants => self.constant(piece),
            Section::Vars(class) => self.var(class, piece),
            Section::Inputs => self.inputs(piece),
            Section::Clock => self.clock(piece),
            Section::Assume => {
                let expr = self.expr(piece, false);
                self.file.assumptions.extend(expr);
            }
            Section::Initially => {
                let expr = self.expr(piece, false);
                self.file.initially.extend(expr);
            }
            Section::Properties => self.property(piece),
            Section::Table(_) => unreachable!("tables are read as such"),
        }
    }

    fn expr(&mut self, piece: Piece<'a>, temporal: bool) -> Option<Expr> {
        ExprParser::new(piece.text, piece.start, temporal, &mut self.diagnostics)?.whole()
    }

    /// `clock Second`
    fn clock(&mut self, piece: Piece<'a>) {
        let name = ExprParser::new(piece.text, piece.start, false, &mut self.diagnostics).and_then(|mut line| {
            let name = line.name("the unit of time, such as `Second`")?;
            line.end()?;
            Some(name)
        });
        let Some(name) = name else { return };
        if let Some(first) = &self.file.clock {
            let message = "there are two units of time";
            let diagnostic = Diagnostic::error(codes::DUPLICATE, name.span, message);
            self.diagnostics.push(diagnostic.also(first.span, "the first one is here"));
            return;
        }
        let span = name.span;
        self.file.vars.push(VarDecl {
            class: Class::Monitored,
            name: name.clone(),
            ty: TypeExpr { kind: TypeKind::Boolean, span },
            initially: Some(Expr { kind: Box::new(ExprKind::Bool(false)), span }),
        });
        self.file.clock = Some(name);
    }

    fn inputs(&mut self, piece: Piece<'a>) {
        let word = piece.text.trim_end_matches(';').trim_end();
        let inputs = match word.to_ascii_lowercase().as_str() {
            "one" => Inputs::One,
            "any" => Inputs::Any,
            _ => {
                let message = format!("`{word}` is neither `one` nor `any`");
                self.report(
                    Diagnostic::error(codes::UNEXPECTED, piece.span(), message)
                        .help("`inputs one`: one monitored variable changes in each step; `inputs any`: any number"),
                );
                return;
            }
        };
        self.file.inputs = Some((inputs, piece.span()));
    }
}
