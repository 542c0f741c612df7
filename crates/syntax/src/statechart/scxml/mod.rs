//! SCXML 1.0, with the null data model and the part of the ECMAScript data model that can be read. Knows `roxmltree`.

mod content;
mod expressions;
mod functions;
mod send;

pub use send::duration;

use super::ast::{
    Action, ActionKind, Chart, Datum, Expr, ExprKind, Initial, Name, Profile, State, StateId, StateKind, Transition,
};
use super::expressions::quoted;
use super::script::Functions;
use super::{codes, properties};
use crate::diagnostic::{Code, Diagnostic, closest};
use crate::span::{SourceFile, Span};
use roxmltree::{Document, Node, ParsingOptions};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The namespace of SCXML.
const NAMESPACE: &str = "http://www.w3.org/2005/07/scxml";

/// The type of events between charts.
pub const PROCESSOR: &str = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor";

/// Maximal number of nodes of a document.
const MAX_NODES: u32 = 200_000;

/// Maximal number of states of a chart.
const MAX_STATES: usize = 5000;

/// Maximal depth of states and actions.
const MAX_DEPTH: usize = 60;

/// Reads a chart. Document types are not allowed, so a document has no entities of its own.
pub fn parse_scxml(source: &SourceFile) -> super::xstate::Read {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = match Document::parse_with_options(&source.text, options) {
        Ok(document) => document,
        Err(error) => return (None, vec![syntax_error(source, &error)]),
    };
    let mut reader = Reader {
        base: source.start,
        diagnostics: Vec::new(),
        states: Vec::new(),
        elements: Vec::new(),
        ids: FxHashMap::default(),
        transitions: Vec::new(),
        data: Vec::new(),
        has_script: true,
        functions: Functions::default(),
        n_unknown: 0,
    };
    let root = document.root_element();
    if root.tag_name().name() != "scxml" {
        let message = format!("the document is a `{}`, not an `scxml`", root.tag_name().name());
        return (None, vec![Diagnostic::error(codes::NO_CHART, reader.tag(root), message)]);
    }
    reader.chart(root);
    let comments: Vec<Span> =
        document.descendants().filter(Node::is_comment).map(|comment| reader.span(comment.range())).collect();
    let failed = reader.diagnostics.iter().any(Diagnostic::is_error);
    let chart = Chart {
        profile: Profile::Scxml,
        states: reader.states,
        transitions: reader.transitions,
        data: reader.data,
        properties: properties::in_comments(source, &comments),
    };
    (Some(chart).filter(|_| !failed), reader.diagnostics)
}

fn syntax_error(source: &SourceFile, error: &roxmltree::Error) -> Diagnostic {
    let at = error.pos();
    let line = source.text.lines().nth(at.row.saturating_sub(1) as usize).unwrap_or_default();
    let start = line.as_ptr() as usize - source.text.as_ptr() as usize;
    let offset: usize = line.chars().take(at.col.saturating_sub(1) as usize).map(char::len_utf8).sum();
    let position = source.start + (start + offset).min(source.text.len()) as u32;
    // The parser says the place at the end of its message as well.
    let message = error.to_string();
    let message = message.rsplit_once(" at ").map_or(&*message, |(message, _)| message);
    Diagnostic::error(codes::SYNTAX, Span::new(position, position), message)
}

struct Reader<'d> {
    base: u32,
    diagnostics: Vec<Diagnostic>,
    states: Vec<State>,
    /// The element of each state.
    elements: Vec<Node<'d, 'd>>,
    ids: FxHashMap<Arc<str>, StateId>,
    transitions: Vec<Transition>,
    data: Vec<Datum>,
    /// Whether expressions are those of ECMAScript.
    has_script: bool,
    /// The functions that scripts of the chart declare.
    functions: Functions,
    /// Number of conditions that cannot be read.
    n_unknown: usize,
}

impl<'d> Reader<'d> {
    fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.base + range.start as u32, self.base + range.end as u32)
    }

    /// The place of the start of an element.
    fn tag(&self, node: Node<'_, '_>) -> Span {
        let start = node.range().start;
        self.span(start..start + 1 + node.tag_name().name().len())
    }

    fn attribute_span(&self, node: Node<'_, '_>, name: &str) -> Span {
        node.attribute_node(name).map_or_else(|| self.tag(node), |attribute| self.span(attribute.range_value()))
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }

    fn unsupported(&mut self, span: Span, message: impl Into<String>) {
        self.error(codes::UNSUPPORTED, span, message);
    }

    /// The elements inside of one. What is of another namespace is ignored.
    fn children(node: Node<'d, 'd>) -> impl Iterator<Item = Node<'d, 'd>> {
        node.children().filter(|child| {
            child.is_element() && child.tag_name().namespace().is_none_or(|namespace| namespace == NAMESPACE)
        })
    }

    fn chart(&mut self, root: Node<'d, 'd>) {
        match root.attribute("datamodel") {
            None | Some("ecmascript") => {}
            Some("null") => self.has_script = false,
            Some(other) => {
                let span = self.attribute_span(root, "datamodel");
                self.unsupported(
                    span,
                    format!("the data model `{other}` is not supported: `null` and `ecmascript` are"),
                );
            }
        }
        if root.attribute("binding") == Some("late") {
            let span = self.attribute_span(root, "binding");
            self.unsupported(span, "late binding is not supported");
        }
        self.state(root, None, 0);
        for element in self.elements.clone() {
            for child in Reader::children(element).filter(|child| child.tag_name().name() == "datamodel") {
                self.data_model(child);
            }
        }
        self.declare_variables(root);
        for at in 0..self.states.len() {
            self.initial(StateId(at as u32));
        }
        for at in 0..self.states.len() {
            self.contents(StateId(at as u32));
        }
    }

    /// Adds a state and its descendants.
    fn state(&mut self, element: Node<'d, 'd>, parent: Option<StateId>, depth: usize) -> Option<StateId> {
        if self.states.len() >= MAX_STATES || depth > MAX_DEPTH {
            let message = format!("the chart has more than {MAX_STATES} states, or they are nested too deeply");
            self.error(codes::TOO_LARGE, self.tag(element), message);
            return None;
        }
        let substates: Vec<Node<'d, 'd>> = Reader::children(element)
            .filter(|child| matches!(child.tag_name().name(), "state" | "parallel" | "final" | "history"))
            .collect();
        let kind = match element.tag_name().name() {
            "parallel" if !substates.is_empty() => StateKind::Parallel,
            "final" => StateKind::Final,
            "history" => StateKind::History { deep: element.attribute("type") == Some("deep") },
            _ if substates.iter().any(|child| child.tag_name().name() != "history") => StateKind::Compound,
            _ => StateKind::Atomic,
        };
        let state = StateId(self.states.len() as u32);
        let given = if parent.is_none() { element.attribute("name") } else { element.attribute("id") };
        let id: Arc<str> = given.map_or_else(|| format!("_state{}", state.0).into(), Into::into);
        let key_span = self.attribute_span(element, if parent.is_none() { "name" } else { "id" });
        if parent.is_some()
            && let Some(other) = self.ids.insert(id.clone(), state)
        {
            let place = self.states[other.index()].key.span;
            self.diagnostics.push(
                Diagnostic::error(codes::DUPLICATE, key_span, format!("two states have the id `{id}`"))
                    .also(place, "the other one"),
            );
        }
        self.states.push(State {
            key: Name { text: id.clone(), span: key_span },
            id,
            kind,
            parent,
            children: Vec::new(),
            initial: None,
            entry: Vec::new(),
            exit: Vec::new(),
            transitions: Vec::new(),
            delays: Vec::new(),
            invokes: Vec::new(),
            done_data: None,
            span: self.span(element.range()),
        });
        self.elements.push(element);
        for child in substates {
            let is_too_large = self.states.len() >= MAX_STATES;
            if let Some(child) = self.state(child, Some(state), depth + 1) {
                self.states[state.index()].children.push(child);
            } else if is_too_large {
                break;
            }
        }
        Some(state)
    }

    /// The states that a list of ids names.
    fn targets(&mut self, ids: &str, span: Span) -> Vec<StateId> {
        let mut found = Vec::new();
        for id in ids.split_ascii_whitespace() {
            if let Some(state) = self.ids.get(id) {
                found.push(*state);
            } else {
                let mut diagnostic = Diagnostic::error(codes::UNKNOWN_STATE, span, format!("unknown state `{id}`"));
                let mut all: Vec<&str> = self.ids.keys().map(|id| &**id).collect();
                all.sort_unstable();
                if let Some(near) = closest(id, all) {
                    diagnostic = diagnostic.help(format!("`{near}` has a similar name"));
                }
                self.diagnostics.push(diagnostic);
            }
        }
        found
    }

    fn initial(&mut self, state: StateId) {
        let element = self.elements[state.index()];
        let kind = self.states[state.index()].kind;
        let child = |name: &str| Reader::children(element).find(|child| child.tag_name().name() == name);
        let initial = match kind {
            StateKind::History { .. } => {
                if let Some(transition) = child("transition") {
                    self.initial_transition(transition)
                } else {
                    let span = self.tag(element);
                    self.error(codes::NO_INITIAL, span, "a history state needs a default transition");
                    return;
                }
            }
            StateKind::Compound => {
                let transition = child("initial")
                    .and_then(|initial| Reader::children(initial).find(|c| c.tag_name().name() == "transition"));
                if let Some(ids) = element.attribute("initial") {
                    let span = self.attribute_span(element, "initial");
                    let targets = self.targets(ids, span);
                    Initial { targets, actions: Vec::new(), span }
                } else if let Some(transition) = transition {
                    self.initial_transition(transition)
                } else {
                    // The first substate in document order.
                    let children = &self.states[state.index()].children;
                    let first = children.iter().copied().find(|child| !self.states[child.index()].is_history());
                    Initial { targets: first.into_iter().collect(), actions: Vec::new(), span: self.tag(element) }
                }
            }
            _ => return,
        };
        for target in &initial.targets {
            let inside = match kind {
                StateKind::History { .. } => self.states[state.index()].parent,
                _ => Some(state),
            };
            let mut above = std::iter::successors(Some(*target), |state| self.states[state.index()].parent).skip(1);
            if !above.any(|ancestor| Some(ancestor) == inside) {
                let message = format!("`{}` is not inside of the state that it starts", self.states[target.index()].id);
                self.error(codes::BAD_STRUCTURE, initial.span, message);
            }
        }
        self.states[state.index()].initial = Some(initial);
    }

    fn initial_transition(&mut self, transition: Node<'d, 'd>) -> Initial {
        let span = self.attribute_span(transition, "target");
        let targets = self.targets(transition.attribute("target").unwrap_or_default(), span);
        if targets.is_empty() {
            self.error(codes::NO_INITIAL, self.tag(transition), "this transition needs a target");
        }
        let actions = self.actions(transition, 0);
        Initial { targets, actions, span }
    }

    fn data_model(&mut self, element: Node<'d, 'd>) {
        for child in Reader::children(element) {
            if child.tag_name().name() != "data" {
                self.unsupported(self.tag(child), format!("`{}` is not data", child.tag_name().name()));
                continue;
            }
            let Some(id) = child.attribute("id") else {
                self.error(codes::WRONG_KIND, self.tag(child), "`data` needs an `id`");
                continue;
            };
            let name = Name { text: id.into(), span: self.attribute_span(child, "id") };
            if self.data.iter().any(|datum| datum.name.text == name.text) {
                self.error(codes::DUPLICATE, name.span, format!("two variables have the name `{id}`"));
                continue;
            }
            let has_content =
                child.children().any(|inner| inner.is_element() || inner.text().is_some_and(|t| !t.trim().is_empty()));
            let initial = if let Some(expr) = child.attribute("expr") {
                let span = self.attribute_span(child, "expr");
                self.parsed(expr, span).and_then(|term| self.read(&term))
            } else if child.has_attribute("src") {
                None
            } else if has_content {
                self.inline(child)
            } else {
                Some(Expr { kind: ExprKind::Text("undefined".into()), span: name.span })
            };
            self.data.push(Datum { name, initial, range: None });
        }
    }

    fn contents(&mut self, state: StateId) {
        let element = self.elements[state.index()];
        if self.states[state.index()].is_history() {
            return;
        }
        for child in Reader::children(element) {
            match child.tag_name().name() {
                "state" | "parallel" | "final" | "history" | "initial" | "datamodel" => {}
                "donedata" => {
                    let data = self.payload(child);
                    self.states[state.index()].done_data = data.unwrap_or_default();
                }
                name @ ("onentry" | "onexit") => {
                    let actions = self.actions(child, 0);
                    let node = &mut self.states[state.index()];
                    let list = if name == "onentry" { &mut node.entry } else { &mut node.exit };
                    add_block(list, actions, element, name);
                }
                "transition" => self.transition(state, child),
                "script"
                    if child.text().is_none_or(|text| text.trim().is_empty()) && child.attribute("src").is_none() => {}
                "invoke" => self.invoke(state, child),
                // It is executed before the machine starts.
                "script" if state == StateId::ROOT => {
                    let span = self.span(child.range());
                    if let Some(kind) = self.action(child, 0) {
                        self.states[state.index()].entry.insert(0, Action { kind, span });
                    }
                }
                other => {
                    let message = format!("a state has no `{other}`");
                    self.error(codes::UNKNOWN_KEY, self.tag(child), message);
                }
            }
        }
    }

    fn transition(&mut self, source: StateId, element: Node<'d, 'd>) {
        let span = self.span(element.range());
        let events: Vec<Arc<str>> =
            element.attribute("event").unwrap_or_default().split_ascii_whitespace().map(Arc::from).collect();
        let targets = element.attribute("target").unwrap_or_default();
        let targets = self.targets(targets, self.attribute_span(element, "target"));
        let guard = element.attribute("cond").and_then(|cond| {
            let span = self.attribute_span(element, "cond");
            self.condition(cond, span)
        });
        let is_internal = element.attribute("type") == Some("internal");
        let actions = self.actions(element, 0);
        let event_span = self.attribute_span(element, "event");
        let event = events.first().map_or("always", |event| event);
        let state = &mut self.states[source.index()];
        let place = format!("{}.{event}.{}", state.key.text, state.transitions.len() + 1).into();
        let reenter = !is_internal;
        let transition = Transition { source, place, events, guard, targets, actions, reenter, event_span, span };
        self.states[source.index()].transitions.push(self.transitions.len());
        self.transitions.push(transition);
    }
}

/// Adds the actions of an element. Where a state has several of the kind, an error in one ends that one only.
fn add_block(list: &mut Vec<Action>, actions: Vec<Action>, state: Node<'_, '_>, kind: &str) {
    let n = state.children().filter(|child| child.tag_name().name() == kind).count();
    match (n, actions.first()) {
        (2.., Some(first)) => {
            let span = first.span;
            list.push(Action { kind: ActionKind::Block(actions), span });
        }
        _ => list.extend(actions),
    }
}
