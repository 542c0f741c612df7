//! Executable content and expressions of SCXML.

use super::{MAX_DEPTH, Reader};
use crate::op::BinaryOp;
use crate::span::Span;
use crate::statechart::ast::{Action, ActionKind, Expr, ExprKind, Name};
use crate::statechart::codes;
use crate::statechart::script::parse_text;
use crate::statechart::term::{Term, TermKind};
use crate::statechart::xstate::{quoted, whole};
use roxmltree::Node;

/// The type of events between charts.
const PROCESSOR: &str = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor";

impl<'d> Reader<'d> {
    /// The actions in an element.
    pub(super) fn actions(&mut self, element: Node<'d, 'd>, depth: usize) -> Vec<Action> {
        let mut actions = Vec::new();
        if depth > MAX_DEPTH {
            self.error(codes::TOO_LARGE, self.tag(element), "actions are nested too deeply");
            return actions;
        }
        for child in Reader::children(element) {
            let span = self.span(child.range());
            if let Some(kind) = self.action(child, depth) {
                actions.push(Action { kind, span });
            }
        }
        actions
    }

    fn action(&mut self, element: Node<'d, 'd>, depth: usize) -> Option<ActionKind> {
        let name = element.tag_name().name();
        match name {
            "raise" => {
                if let Some(event) = element.attribute("event") {
                    Some(ActionKind::Raise(Name { text: event.into(), span: self.attribute_span(element, "event") }))
                } else {
                    self.error(codes::WRONG_KIND, self.tag(element), "`raise` needs an `event`");
                    None
                }
            }
            "log" | "cancel" => Some(ActionKind::Effect(name.into())),
            "assign" => self.assign(element),
            "if" => Some(self.branches(element, depth)),
            "send" => self.send(element),
            "script" if element.text().is_none_or(|text| text.trim().is_empty()) && !element.has_attribute("src") => {
                Some(ActionKind::Effect(name.into()))
            }
            "foreach" | "script" | "invoke" => {
                self.unsupported(self.tag(element), format!("`{name}` is not supported"));
                None
            }
            other => {
                self.error(codes::UNKNOWN_KEY, self.tag(element), format!("there is no action `{other}`"));
                None
            }
        }
    }

    fn assign(&mut self, element: Node<'d, 'd>) -> Option<ActionKind> {
        let (Some(location), Some(expr)) = (element.attribute("location"), element.attribute("expr")) else {
            self.unsupported(self.tag(element), "`assign` needs a `location` and an `expr`");
            return None;
        };
        let span = self.attribute_span(element, "location");
        if !self.data.iter().any(|datum| *datum.name.text == *location) {
            self.error(codes::UNKNOWN_VARIABLE, span, format!("there is no variable `{location}`"));
            return None;
        }
        let value = self.expression(expr, self.attribute_span(element, "expr"))?;
        Some(ActionKind::Assign(vec![(Name { text: location.into(), span }, Some(value))]))
    }

    fn send(&mut self, element: Node<'d, 'd>) -> Option<ActionKind> {
        let delayed = ["delay", "delayexpr", "eventexpr", "targetexpr", "typeexpr", "idlocation"];
        if let Some(name) = delayed.into_iter().find(|name| element.has_attribute(*name)) {
            let span = self.attribute_span(element, name);
            if name != "delay" || element.attribute("delay").is_none_or(|delay| !matches!(delay, "0" | "0s" | "0ms")) {
                self.unsupported(span, format!("`send` with `{name}` is not supported"));
                return None;
            }
        }
        let Some(event) = element.attribute("event") else {
            self.unsupported(self.tag(element), "`send` needs an `event`");
            return None;
        };
        let name = Name { text: event.into(), span: self.attribute_span(element, "event") };
        // Other processors and targets may not exist, which raises an error.
        if let Some(other) = element.attribute("type").filter(|kind| !matches!(*kind, "" | "scxml" | PROCESSOR)) {
            let span = self.attribute_span(element, "type");
            self.unsupported(span, format!("`send` with the type `{other}` is not supported"));
            return None;
        }
        match element.attribute("target") {
            None | Some("") => Some(ActionKind::Send(name)),
            Some("#_internal") => Some(ActionKind::Raise(name)),
            Some("#_parent") => Some(ActionKind::Effect(event.into())),
            Some(other) => {
                let span = self.attribute_span(element, "target");
                self.unsupported(span, format!("`send` to `{other}` is not supported"));
                None
            }
        }
    }

    fn branches(&mut self, element: Node<'d, 'd>, depth: usize) -> ActionKind {
        let condition = |reader: &mut Reader<'d>, node: Node<'d, 'd>| {
            if let Some(cond) = node.attribute("cond") {
                reader.expression(cond, reader.attribute_span(node, "cond"))
            } else {
                reader.error(codes::WRONG_KIND, reader.tag(node), "a condition is missing");
                None
            }
        };
        let mut branches = vec![(condition(self, element), Vec::new())];
        if depth > MAX_DEPTH {
            self.error(codes::TOO_LARGE, self.tag(element), "actions are nested too deeply");
            return ActionKind::If(branches);
        }
        for child in Reader::children(element) {
            match child.tag_name().name() {
                "elseif" => branches.push((condition(self, child), Vec::new())),
                "else" => branches.push((None, Vec::new())),
                _ => {
                    let span = self.span(child.range());
                    if let (Some(kind), Some((_, actions))) = (self.action(child, depth + 1), branches.last_mut()) {
                        actions.push(Action { kind, span });
                    }
                }
            }
        }
        ActionKind::If(branches)
    }

    /// The first value of a variable, if it can be read. A text that is no expression is an error.
    pub(super) fn initial_value(&mut self, text: &str, span: Span) -> Option<Expr> {
        match parse_text(text, span) {
            Ok(term) => self.constant(&term),
            Err(diagnostic) => {
                self.diagnostics.push(*diagnostic);
                None
            }
        }
    }

    /// The same for what is written inside of `data`: what is no expression is a text, its blanks made one.
    pub(super) fn content(&mut self, text: &str, span: Span) -> Option<Expr> {
        if let Ok(term) = parse_text(text, span) {
            return self.constant(&term);
        }
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        Some(Expr { kind: ExprKind::Text(quoted(&words.join(" "))), span })
    }

    fn constant(&mut self, term: &Term) -> Option<Expr> {
        let read = self.read(term, 0)?;
        is_constant(&read).then_some(read)
    }

    /// An expression; what cannot be read is reported.
    pub(super) fn expression(&mut self, text: &str, span: Span) -> Option<Expr> {
        let term = match parse_text(text, span) {
            Ok(term) => term,
            Err(diagnostic) => {
                self.diagnostics.push(*diagnostic);
                return None;
            }
        };
        let read = self.read(&term, 0);
        if read.is_none() {
            self.error(codes::UNREADABLE, span, format!("`{text}` cannot be read"));
        }
        read
    }

    fn read(&mut self, term: &Term, depth: usize) -> Option<Expr> {
        if depth > MAX_DEPTH {
            return None;
        }
        let span = term.span;
        let kind = match &term.kind {
            TermKind::Null => ExprKind::Text("null".into()),
            TermKind::Undefined => ExprKind::Text("undefined".into()),
            TermKind::Bool(value) => ExprKind::Bool(*value),
            TermKind::Number(value) => ExprKind::Int(whole(*value)?),
            TermKind::Text(text) => ExprKind::Text(quoted(text)),
            TermKind::Name(name) => {
                if !self.has_script || !self.data.iter().any(|datum| datum.name.text == *name) {
                    return None;
                }
                ExprKind::Var(name.clone())
            }
            TermKind::Not(inner) => ExprKind::Not(Box::new(self.read(inner, depth + 1)?)),
            TermKind::Neg(inner) => match self.read(inner, depth + 1)?.kind {
                ExprKind::Int(number) => ExprKind::Int(-number),
                kind => ExprKind::Neg(Box::new(Expr { kind, span })),
            },
            TermKind::Binary(op, left, right) => {
                let (left, right) = (self.read(left, depth + 1)?, self.read(right, depth + 1)?);
                if *op == BinaryOp::Mod && !matches!(right.kind, ExprKind::Int(number) if number != 0) {
                    return None;
                }
                ExprKind::Binary(*op, Box::new(left), Box::new(right))
            }
            TermKind::Conditional(condition, yes, no) => ExprKind::Conditional(
                Box::new(self.read(condition, depth + 1)?),
                Box::new(self.read(yes, depth + 1)?),
                Box::new(self.read(no, depth + 1)?),
            ),
            TermKind::Call(callee, arguments) => match (&callee.kind, &arguments[..]) {
                (TermKind::Name(name), [state]) if &**name == "In" => {
                    let id = state.text()?;
                    ExprKind::In(*self.ids.get(id)?)
                }
                _ => return None,
            },
            _ => return None,
        };
        Some(Expr { kind, span })
    }
}

fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Text(_) => true,
        ExprKind::Not(inner) | ExprKind::Neg(inner) => is_constant(inner),
        ExprKind::Binary(_, a, b) => is_constant(a) && is_constant(b),
        ExprKind::Conditional(a, b, c) => is_constant(a) && is_constant(b) && is_constant(c),
        ExprKind::Var(_) | ExprKind::In(_) | ExprKind::Unknown(_) => false,
    }
}
