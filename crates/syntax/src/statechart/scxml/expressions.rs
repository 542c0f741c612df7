//! Expressions of SCXML: variables of the data model, the current event, and the system variables.

use super::{PROCESSOR, Reader, quoted};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::statechart::ast::{Expr, ExprKind, Name};
use crate::statechart::codes;
use crate::statechart::expressions::{Leaf, literal, read};
use crate::statechart::script::parse_text;
use crate::statechart::term::{Term, TermKind};
use roxmltree::Node;
use std::sync::Arc;

/// The id of the session, which depends on the interpreter: any text does.
const SESSION: &str = "session";

impl<'d> Reader<'d> {
    /// Whether a name is that of a variable that can be assigned.
    pub(super) fn is_variable(&self, name: &str) -> bool {
        self.data.iter().any(|datum| *datum.name.text == *name)
    }

    /// Adds a variable without a value, unless it exists or its name is none.
    pub(super) fn declare(&mut self, name: &str, span: Span) {
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
            && name.chars().next().is_some_and(|c| !c.is_ascii_digit());
        if is_name && !is_reserved(name) && !self.is_variable(name) && self.system(name, span).is_none() {
            let name = Name { text: name.into(), span };
            let initial = Some(Expr { kind: ExprKind::Text("undefined".into()), span });
            self.data.push(crate::statechart::ast::Datum { name, initial, range: None });
        }
    }

    /// A system variable.
    fn system(&self, name: &str, span: Span) -> Option<ExprKind> {
        let text = |text: &str| Expr { kind: ExprKind::Text(quoted(text)), span };
        match name {
            "_event" => Some(ExprKind::Event),
            "_sessionid" => Some(text(SESSION).kind),
            "_name" => Some(text(&self.states.first()?.id).kind),
            "_x" => Some(ExprKind::Object(Vec::new())),
            "_ioprocessors" => {
                let location = vec![("location".into(), text(&format!("#_scxml_{SESSION}")))];
                let processor = Expr { kind: ExprKind::Object(location), span };
                Some(ExprKind::Object(vec![("scxml".into(), processor.clone()), (PROCESSOR.into(), processor)]))
            }
            _ => None,
        }
    }

    /// An expression; what cannot be read is reported.
    pub(super) fn expression(&mut self, text: &str, span: Span) -> Option<Expr> {
        let term = self.parsed(text, span)?;
        let read = self.read(&term);
        if read.is_none() {
            let mut diagnostic = Diagnostic::error(codes::UNREADABLE, span, format!("`{text}` cannot be read"));
            if let Some(name) = self.calls(&term) {
                diagnostic = diagnostic.note(format!("`{name}` is read if it only returns a value that can be read"));
            }
            self.diagnostics.push(diagnostic);
        }
        read
    }

    /// A condition; one that cannot be read is an input.
    pub(super) fn condition(&mut self, text: &str, span: Span) -> Option<Expr> {
        let term = self.parsed(text, span)?;
        Some(self.read(&term).unwrap_or_else(|| {
            let name: Arc<str> = format!("condition.{}", self.n_unknown + 1).into();
            self.n_unknown += 1;
            let message = "this condition cannot be read: it becomes an input that the tester controls";
            let diagnostic = Diagnostic::warning(codes::UNREADABLE, span, message);
            self.diagnostics.push(diagnostic.note(format!("the input is `guard.{name}`")));
            Expr { kind: ExprKind::Unknown(name), span }
        }))
    }

    /// What is written inside of `data`, `assign` and `content`: a literal, or a text, its blanks made one. XML cannot be
    /// read.
    pub(super) fn inline(&mut self, element: Node<'d, 'd>) -> Option<Expr> {
        if element.children().any(|child| child.is_element()) {
            return None;
        }
        let (text, span) = (element.text().unwrap_or_default(), self.tag(element));
        if let Some(read) = parse_text(text, span).ok().as_ref().and_then(literal) {
            return Some(read);
        }
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        Some(Expr { kind: ExprKind::Text(quoted(&words.join(" "))), span })
    }

    /// The expression that a term stands for. A name that stands for nothing is reported.
    pub(super) fn read(&mut self, term: &Term) -> Option<Expr> {
        let term = &self.inlined(term);
        let mut missing = Vec::new();
        let found = read(term, &mut |term| {
            let span = term.span;
            let kind = match &term.kind {
                TermKind::Name(_) if !self.has_script => return Leaf::Unreadable,
                TermKind::Name(name) if self.is_variable(name) => ExprKind::Var(name.clone()),
                TermKind::Name(name) if is_reserved(name) => return Leaf::Unreadable,
                TermKind::Name(name) => self.system(name, span).unwrap_or_else(|| {
                    missing.push(name.clone());
                    ExprKind::Missing(name.clone())
                }),
                TermKind::Call(callee, arguments) => match (&callee.kind, &arguments[..]) {
                    (TermKind::Name(name), [state]) if &**name == "In" => {
                        match state.text().and_then(|id| self.ids.get(id)) {
                            Some(state) => ExprKind::In(*state),
                            None => return Leaf::Unreadable,
                        }
                    }
                    _ => return Leaf::Other,
                },
                _ => return Leaf::Other,
            };
            Leaf::Value(Expr { kind, span })
        });
        // `typeof x` may ask whether there is such a variable.
        let is_question = matches!(term.kind, TermKind::Typeof(_));
        for name in missing.into_iter().filter(|_| found.is_some() && !is_question) {
            let message = format!("unknown variable `{name}`: to read it raises `{}`", super::content::ERROR);
            let diagnostic = Diagnostic::warning(codes::UNKNOWN_VARIABLE, term.span, message);
            if !self.diagnostics.contains(&diagnostic) {
                self.diagnostics.push(diagnostic);
            }
        }
        found
    }
}

/// Names of ECMAScript that are no variables.
fn is_reserved(name: &str) -> bool {
    const NAMES: [&str; 24] = [
        "Math", "Array", "Object", "JSON", "Number", "String", "Boolean", "Date", "RegExp", "NaN", "Infinity", "this",
        "continue", "break", "return", "for", "if", "else", "var", "let", "const", "function", "new", "parseInt",
    ];
    NAMES.contains(&name)
}
