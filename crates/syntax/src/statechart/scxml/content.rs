//! Executable content and expressions of SCXML.

use super::{MAX_DEPTH, Reader};
use crate::op::BinaryOp;
use crate::span::Span;
use crate::statechart::ast::{Action, ActionKind, Expr, ExprKind, Name};
use crate::statechart::codes;
use crate::statechart::script::{parse_assignments, parse_text};
use crate::statechart::term::{Term, TermKind};
use crate::statechart::xstate::{quoted, whole};
use roxmltree::Node;
use std::sync::Arc;

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

    pub(super) fn action(&mut self, element: Node<'d, 'd>, depth: usize) -> Option<ActionKind> {
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
            "log" => Some(ActionKind::Effect(name.into())),
            "cancel" => self.constant_attribute(element, "sendid", "sendidexpr").ok().flatten().map(ActionKind::Cancel),
            "assign" => self.assign(element),
            "if" => Some(self.branches(element, depth)),
            "send" => self.send(element),
            "script" if element.text().is_none_or(|text| text.trim().is_empty()) && !element.has_attribute("src") => {
                Some(ActionKind::Effect(name.into()))
            }
            "script" if !element.has_attribute("src") => self.script(element),
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

    /// The statements of a script, all of which assign to variables.
    fn script(&mut self, element: Node<'d, 'd>) -> Option<ActionKind> {
        let span = self.tag(element);
        let Some(statements) = parse_assignments(element.text().unwrap_or_default(), span) else {
            self.unsupported(span, "a `script` with other statements than assignments to variables is not supported");
            return None;
        };
        let mut actions = Vec::new();
        for (variable, term) in statements {
            if !self.data.iter().any(|datum| datum.name.text == variable) {
                self.error(codes::UNKNOWN_VARIABLE, span, format!("there is no variable `{variable}`"));
                return None;
            }
            let Some(value) = self.read(&term, 0) else {
                self.error(codes::UNREADABLE, span, format!("the value of `{variable}` cannot be read"));
                return None;
            };
            let assigned = vec![(Name { text: variable, span }, Some(value))];
            actions.push(Action { kind: ActionKind::Assign(assigned), span });
        }
        Some(ActionKind::If(vec![(None, actions)]))
    }

    /// The text of an attribute, or of the constant expression in another one. An expression that is not constant is
    /// reported.
    fn constant_attribute(&mut self, element: Node<'d, 'd>, name: &str, expr: &str) -> Result<Option<Arc<str>>, ()> {
        if let Some(text) = element.attribute(name) {
            return Ok(Some(text.into()));
        }
        let Some(text) = element.attribute(expr) else { return Ok(None) };
        let span = self.attribute_span(element, expr);
        let term = parse_text(text, span).ok();
        let constant = term.as_ref().and_then(|term| match &term.kind {
            TermKind::Text(text) => Some(text.clone()),
            // A variable that is never assigned.
            TermKind::Name(variable) if !self.assigned.contains(&**variable) => {
                let datum = self.data.iter().find(|datum| datum.name.text == *variable)?;
                match &datum.initial.as_ref()?.kind {
                    ExprKind::Text(text) if !matches!(&**text, "null" | "undefined") => Some(text.clone()),
                    _ => None,
                }
            }
            _ => None,
        });
        if constant.is_none() {
            self.unsupported(span, format!("`{expr}` is supported with constants only, and this is `{text}`"));
            return Err(());
        }
        Ok(constant)
    }

    fn send(&mut self, element: Node<'d, 'd>) -> Option<ActionKind> {
        if element.has_attribute("idlocation") {
            self.unsupported(self.attribute_span(element, "idlocation"), "`send` with `idlocation` is not supported");
            return None;
        }
        for variable in element.attribute("namelist").unwrap_or_default().split_ascii_whitespace() {
            if !self.data.iter().any(|datum| *datum.name.text == *variable) {
                let span = self.attribute_span(element, "namelist");
                self.error(codes::UNKNOWN_VARIABLE, span, format!("there is no variable `{variable}`"));
                return None;
            }
        }
        let Some(event) = self.constant_attribute(element, "event", "eventexpr").ok()? else {
            self.unsupported(self.tag(element), "`send` needs an `event`");
            return None;
        };
        let delay = self.constant_attribute(element, "delay", "delayexpr").ok()?;
        let milliseconds = match delay.as_deref().map(duration) {
            Some(None) => {
                let message = "a delay is a number with `s` or `ms`, such as `1.5s`";
                self.error(codes::WRONG_KIND, self.tag(element), message);
                return None;
            }
            Some(milliseconds) => milliseconds,
            None => None,
        };
        let name = Name { text: event.clone(), span: self.attribute_span(element, "event") };
        // Other processors and targets may not exist, which raises an error.
        let kind = self.constant_attribute(element, "type", "typeexpr").ok()?;
        if let Some(other) = kind.filter(|kind| !matches!(&**kind, "" | "scxml" | PROCESSOR)) {
            let span = self.attribute_span(element, "type");
            self.unsupported(span, format!("`send` with the type `{other}` is not supported"));
            return None;
        }
        let target = self.constant_attribute(element, "target", "targetexpr").ok()?;
        match (target.as_deref(), milliseconds) {
            (None | Some(""), None | Some(0)) => Some(ActionKind::Send(name)),
            (None | Some(""), milliseconds) => {
                let id = element.attribute("id").map(Into::into);
                Some(ActionKind::Delay { event: name, milliseconds, id })
            }
            (Some("#_internal"), None | Some(0)) => Some(ActionKind::Raise(name)),
            (Some("#_parent"), _) => Some(ActionKind::Effect(event)),
            (Some(other), _) => {
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

/// A duration, such as `10ms` or `.5s`, in milliseconds.
fn duration(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, factor) = match text.strip_suffix("ms") {
        Some(number) => (number, 1.0),
        None => text.strip_suffix('s').map_or((text, 1.0), |number| (number, 1000.0)),
    };
    let number: f64 = number.trim().parse().ok()?;
    whole((number * factor).round()).and_then(|number| u64::try_from(number).ok())
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
