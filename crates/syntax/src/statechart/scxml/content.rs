//! Executable content of SCXML.

use super::{MAX_DEPTH, Reader};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::statechart::ast::{Action, ActionKind, Expr, ExprKind, Function, Name};
use crate::statechart::codes;
use crate::statechart::script::{Functions, parse_statements, parse_text};
use crate::statechart::term::{Body, Statement, Term, TermKind};
use roxmltree::Node;
use std::sync::Arc;

/// The event of an error in executable content.
pub(super) const ERROR: &str = "error.execution";

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
            "cancel" => match (element.attribute("sendid"), element.attribute("sendidexpr")) {
                (Some(id), _) => Some(ActionKind::Cancel(id.into())),
                (None, Some(text)) => {
                    self.expression(text, self.attribute_span(element, "sendidexpr")).map(ActionKind::CancelComputed)
                }
                (None, None) => {
                    self.error(codes::WRONG_KIND, self.tag(element), "`cancel` needs a `sendid`");
                    None
                }
            },
            "assign" => self.assign(element),
            "if" => Some(self.branches(element, depth)),
            "send" => self.send(element),
            "foreach" => self.for_each(element, depth),
            "script" if element.has_attribute("src") => {
                self.unsupported(self.tag(element), "a `script` in another file is not supported");
                None
            }
            "script" => self.script(element),
            other => {
                self.error(codes::UNKNOWN_KEY, self.tag(element), format!("unknown action `{other}`"));
                None
            }
        }
    }

    fn assign(&mut self, element: Node<'d, 'd>) -> Option<ActionKind> {
        let Some(location) = element.attribute("location") else {
            self.error(codes::WRONG_KIND, self.tag(element), "`assign` needs a `location`");
            return None;
        };
        let span = self.attribute_span(element, "location");
        let target = self.parsed(location, span)?;
        let (value, value_span) = if let Some(expr) = element.attribute("expr") {
            let span = self.attribute_span(element, "expr");
            let term = self.parsed(expr, span)?;
            (self.read(&term), span)
        } else {
            (self.inline(element), self.tag(element))
        };
        let Some(value) = value else {
            self.warn_unreadable(location, value_span);
            return Some(self.assignment_of_unknown(&target, span));
        };
        Some(self.assignment(&target, value, span))
    }

    fn warn_unreadable(&mut self, variable: &str, span: Span) {
        let message = format!("the value of `{variable}` cannot be read: it is not part of the model");
        let note = "conditions that read it become inputs that the tester controls";
        self.diagnostics.push(Diagnostic::warning(codes::UNREADABLE, span, message).note(note));
    }

    /// An assignment to a variable or to a member of one. What is no place raises an error.
    fn assignment(&mut self, target: &Term, value: Expr, span: Span) -> ActionKind {
        match self.place(target, value) {
            Some((variable, value)) => ActionKind::Assign(vec![(Name { text: variable, span }, Some(value))]),
            None => self.no_place(span),
        }
    }

    fn assignment_of_unknown(&mut self, target: &Term, span: Span) -> ActionKind {
        let nothing = Expr { kind: ExprKind::Bool(false), span };
        match self.place(target, nothing) {
            Some((variable, _)) => ActionKind::Assign(vec![(Name { text: variable, span }, None)]),
            None => self.no_place(span),
        }
    }

    fn no_place(&mut self, span: Span) -> ActionKind {
        let message = format!("there is no such variable: this raises `{ERROR}`");
        self.diagnostics.push(Diagnostic::warning(codes::UNKNOWN_VARIABLE, span, message));
        ActionKind::Fail(ERROR.into())
    }

    /// The variable of a place, and the value that it gets if the place gets one.
    fn place(&mut self, target: &Term, value: Expr) -> Option<(Arc<str>, Expr)> {
        let (object, key) = match &target.kind {
            TermKind::Name(name) => return self.is_variable(name).then(|| (name.clone(), value)),
            TermKind::Member(object, key) => {
                (object, Expr { kind: ExprKind::Text(super::quoted(key)), span: target.span })
            }
            TermKind::Index(object, key) => (object, self.read(key)?),
            _ => return None,
        };
        let (span, old) = (value.span, self.read(object)?);
        let new = Expr { kind: ExprKind::With(Box::new(old), Box::new(key), Box::new(value)), span };
        self.place(object, new)
    }

    /// Executes actions for each item of a list.
    fn for_each(&mut self, element: Node<'d, 'd>, depth: usize) -> Option<ActionKind> {
        let (Some(array), Some(item)) = (element.attribute("array"), element.attribute("item")) else {
            self.error(codes::WRONG_KIND, self.tag(element), "`foreach` needs an `array` and an `item`");
            return None;
        };
        let list = self.expression(array, self.attribute_span(element, "array"))?;
        let index = element.attribute("index");
        if [Some(item), index].into_iter().flatten().any(|name| !self.is_variable(name)) {
            return Some(self.no_place(self.attribute_span(element, "item")));
        }
        let item = Name { text: item.into(), span: self.attribute_span(element, "item") };
        let index = index.map(|index| Name { text: index.into(), span: self.attribute_span(element, "index") });
        let body = self.actions(element, depth + 1);
        Some(ActionKind::ForEach { list, item, index, body })
    }

    /// The statements of a script.
    fn script(&mut self, element: Node<'d, 'd>) -> Option<ActionKind> {
        let span = self.tag(element);
        // Functions of other scripts exist only after these were executed.
        let is_known = |name: &Arc<str>| self.functions.contains_key(name);
        let actions = match statements(element, span) {
            Some((functions, statements)) if functions.keys().all(is_known) => self.statements(&statements, span, 0),
            _ => None,
        };
        if actions.is_none() {
            let message =
                "a `script` with other statements than assignments, declarations and conditions cannot be read";
            let help = "functions are read in scripts of `scxml` itself, if they return a value or assign variables";
            self.diagnostics.push(Diagnostic::error(codes::UNREADABLE, span, message).help(help));
        }
        Some(ActionKind::Block(actions?))
    }

    fn statements(&mut self, statements: &[Statement], span: Span, depth: usize) -> Option<Vec<Action>> {
        let mut actions = Vec::new();
        for statement in statements {
            let kind = match statement {
                Statement::Assign(target, value) => {
                    if let Some(value) = self.read(value) {
                        self.assignment(target, value, span)
                    } else {
                        self.warn_unreadable("this place", span);
                        self.assignment_of_unknown(target, span)
                    }
                }
                Statement::If(condition, yes, no) => {
                    let condition = self.read(condition)?;
                    let (yes, no) = (self.statements(yes, span, depth)?, self.statements(no, span, depth)?);
                    ActionKind::If(vec![(Some(condition), yes), (None, no)])
                }
                Statement::Call(call) => match self.called(call).filter(|_| depth < MAX_DEPTH) {
                    Some(statements) => {
                        actions.extend(self.statements(&statements, span, depth + 1)?);
                        continue;
                    }
                    None => self.call(call, span)?,
                },
                Statement::Return(_) | Statement::Throw | Statement::Loop(_) | Statement::Break => return None,
            };
            actions.push(Action { kind, span });
        }
        Some(actions)
    }

    /// Calls: `list.push(item)`, and what only prints.
    fn call(&mut self, call: &Term, span: Span) -> Option<ActionKind> {
        let TermKind::Call(callee, arguments) = &call.kind else { return None };
        let TermKind::Member(object, method) = &callee.kind else { return None };
        match (&object.kind, &**method, &arguments[..]) {
            (TermKind::Name(name), _, _) if &**name == "console" => Some(ActionKind::Effect("console".into())),
            (_, "push", [item]) => {
                let list = Expr { kind: ExprKind::Array(vec![self.read(item)?]), span };
                let old = self.read(object)?;
                let new = Expr { kind: ExprKind::Call(Function::Concat, vec![old, list]), span };
                Some(self.assignment(object, new, span))
            }
            _ => None,
        }
    }

    fn branches(&mut self, element: Node<'d, 'd>, depth: usize) -> ActionKind {
        let condition = |reader: &mut Reader<'d>, node: Node<'d, 'd>| {
            if let Some(cond) = node.attribute("cond") {
                reader.condition(cond, reader.attribute_span(node, "cond"))
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

    /// The variables that scripts and `foreach` make.
    pub(super) fn declare_variables(&mut self, root: Node<'d, 'd>) {
        for element in root.descendants().filter(Node::is_element) {
            match element.tag_name().name() {
                "script" => {
                    let span = self.tag(element);
                    let (functions, statements) = statements(element, span).unwrap_or_default();
                    self.declare_assigned(&statements, span);
                    if element.parent() == Some(root) {
                        self.declare_functions(&functions, span);
                    }
                }
                "foreach" => {
                    for attribute in ["item", "index"] {
                        if let Some(name) = element.attribute(attribute) {
                            self.declare(name, self.attribute_span(element, attribute));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Declares functions, and the variables that they assign and do not declare.
    fn declare_functions(&mut self, functions: &Functions, span: Span) {
        let mut names: Vec<Arc<str>> = functions.keys().cloned().collect();
        names.sort_unstable();
        for name in names {
            let (function, locals) = functions[&name].clone();
            if let TermKind::Function(_, Body::Block(statements)) = &function.kind {
                let mut assigned = Vec::new();
                for statement in statements {
                    statement.names(&mut assigned);
                }
                assigned.retain(|name| !locals.contains(name));
                for name in &assigned {
                    self.declare(name, span);
                }
            }
            self.functions.insert(name, (function, locals));
        }
    }

    fn declare_assigned(&mut self, statements: &[Statement], span: Span) {
        for statement in statements {
            match statement {
                Statement::Assign(Term { kind: TermKind::Name(name), .. }, _) => self.declare(name, span),
                Statement::If(_, yes, no) => {
                    self.declare_assigned(yes, span);
                    self.declare_assigned(no, span);
                }
                // Scripts with others cannot be read.
                _ => {}
            }
        }
    }
}

/// The statements of a script, if they can be read.
fn statements(element: Node<'_, '_>, span: Span) -> Option<(Functions, Vec<Statement>)> {
    let text: String = element.children().filter_map(|child| child.text().filter(|_| child.is_text())).collect();
    parse_statements(&text, span)
}

impl Reader<'_> {
    /// The term of a text; one that is none is reported.
    pub(super) fn parsed(&mut self, text: &str, span: Span) -> Option<Term> {
        match parse_text(text, span) {
            Ok(term) => Some(term),
            Err(diagnostic) => {
                self.diagnostics.push(*diagnostic);
                None
            }
        }
    }
}
