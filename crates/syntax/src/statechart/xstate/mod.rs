//! XState machine configurations as charts, from JSON or from a script.

mod actions;
mod enqueue;
mod expressions;
mod machines;
mod targets;
mod transitions;

use super::ast::{ActionKind, Chart, Datum, Initial, Name, Profile, State, StateId, StateKind};
use super::term::{Repeated, Term, TermKind, ordered};
use super::{codes, json, properties, script, spread};
use crate::diagnostic::{Diagnostic, closest};
use crate::span::{SourceFile, Span};
use expressions::{Scope, returned, value_of};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::Arc;

/// A chart, unless there is none, and what there is to say about it.
pub type Read = (Option<Chart>, Vec<Diagnostic>);

/// Maximal number of calls, statements and copied nodes when functions of a script are read.
const MAX_WORK: usize = 200_000;

/// Maximal number of states of a chart.
const MAX_STATES: usize = 5000;

/// Reads a machine configuration as JSON.
pub fn parse_json(source: &SourceFile) -> Read {
    let json::Json { value: config, comments, repeated } = match json::parse(source) {
        Ok(parsed) => parsed,
        Err(diagnostic) => return (None, vec![*diagnostic]),
    };
    if !looks_like_machine(&config) {
        let message = "this is not a machine: a configuration has `states`, `initial`, `type` or `on`";
        return (None, vec![Diagnostic::error(codes::NO_CHART, config.span, message)]);
    }
    let implementations = config.get("x-specwright").cloned();
    let mut reader = Reader::new(&[], implementations.iter().collect());
    reader.is_json = true;
    reader.warn_repeated(&repeated, &[config.span]);
    let chart = reader.machine(&config);
    finish(source, chart, reader.diagnostics, &comments)
}

/// Whether a JSON value can be a machine configuration.
pub(super) fn looks_like_machine(config: &Term) -> bool {
    matches!(config.kind, TermKind::Object(_))
        && ["states", "initial", "on", "always", "invoke", "type"].iter().any(|key| config.get(key).is_some())
}

/// Reads a machine from a script in JavaScript or TypeScript.
pub fn parse_script(source: &SourceFile) -> Read {
    let mut script = match script::parse(source) {
        Ok(script) => script,
        Err(diagnostic) => return (None, vec![*diagnostic]),
    };
    spread::expand(&mut script);
    let mut diagnostics = Vec::new();
    let Some(machine) = machines::find(&script, &mut diagnostics) else {
        let span = Span::new(source.start, source.start);
        let message = "there is no call of `createMachine` at the top level of the file";
        return (None, vec![Diagnostic::error(codes::NO_CHART, span, message)]);
    };
    let constants = machine.visible.as_deref().unwrap_or(&script.constants);
    let mut reader = Reader::new(constants, machine.implementations);
    reader.diagnostics = diagnostics;
    let parts: Vec<&Term> = std::iter::once(machine.config).chain(reader.implementations.iter().copied()).collect();
    let parts: Vec<Span> = parts.into_iter().map(|part| reader.resolve(part).span).collect();
    reader.warn_repeated(&script.repeated, &parts);
    let chart = reader.machine(machine.config);
    finish(source, chart, reader.diagnostics, &script.comments)
}

fn finish(source: &SourceFile, chart: Option<Chart>, diagnostics: Vec<Diagnostic>, comments: &[Span]) -> Read {
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    let chart = chart.filter(|_| !failed).map(|mut chart| {
        chart.properties = properties::in_comments(source, comments);
        chart
    });
    (chart, diagnostics)
}

/// An error that was reported.
struct Stop;

struct Reader<'t> {
    diagnostics: Vec<Diagnostic>,
    /// What names at the top level of a script stand for.
    constants: &'t [(Arc<str>, Term)],
    /// Objects with the implementations of guards, actions, delays and actors.
    implementations: Vec<&'t Term>,
    states: Vec<State>,
    /// The configuration of each state.
    configs: Vec<&'t Term>,
    ids: FxHashMap<Arc<str>, StateId>,
    transitions: Vec<super::ast::Transition>,
    data: Vec<Datum>,
    /// The event of the transition that is being read.
    event: Option<Arc<str>>,
    /// Work left for functions of the script whose values are read.
    work_left: Cell<usize>,
    is_json: bool,
    /// Names of actions without an implementation.
    unimplemented: Vec<Name>,
}

/// All keys of states and machines.
const KEYS: [&str; 27] = [
    "id",
    "key",
    "initial",
    "type",
    "states",
    "on",
    "always",
    "after",
    "entry",
    "exit",
    "invoke",
    "onDone",
    "history",
    "target",
    "tags",
    "meta",
    "description",
    "output",
    "context",
    "version",
    "types",
    "schemas",
    "options",
    "route",
    "x-specwright",
    "$schema",
    "order",
];

impl<'t> Reader<'t> {
    fn new(constants: &'t [(Arc<str>, Term)], implementations: Vec<&'t Term>) -> Reader<'t> {
        Reader {
            diagnostics: Vec::new(),
            constants,
            implementations,
            states: Vec::new(),
            configs: Vec::new(),
            ids: FxHashMap::default(),
            transitions: Vec::new(),
            data: Vec::new(),
            event: None,
            work_left: Cell::new(MAX_WORK),
            is_json: false,
            unimplemented: Vec::new(),
        }
    }

    fn error(&mut self, code: crate::diagnostic::Code, span: Span, message: impl Into<String>) -> Stop {
        self.diagnostics.push(Diagnostic::error(code, span, message));
        Stop
    }

    /// Reports what stands in the place of an object: code that would make one, or something else.
    fn no_object(&mut self, key: &str, term: &Term) -> Stop {
        let is_code = matches!(
            term.kind,
            TermKind::Call(..) | TermKind::Name(_) | TermKind::Member(..) | TermKind::Index(..) | TermKind::Other(_)
        );
        if is_code {
            let message = format!("`{key}` is made by code that cannot be read");
            let help = "write the object, or make it of constants and functions of this file";
            self.diagnostics.push(Diagnostic::error(codes::UNREADABLE, term.span, message).help(help));
            return Stop;
        }
        let message = format!("`{key}` is an object, and this is {}", term.describe());
        self.error(codes::WRONG_KIND, term.span, message)
    }

    /// Warns of the keys that objects have twice, in the parts of a file that the machine is made of.
    fn warn_repeated(&mut self, repeated: &[Repeated], parts: &[Span]) {
        for (key, first, again) in repeated {
            if parts.iter().any(|part| part.start <= again.start && again.end <= part.end) {
                let message = format!("the key `{key}` is given twice: the last value counts");
                self.diagnostics.push(
                    Diagnostic::warning(codes::REPEATED_KEY, *again, message).also(*first, "this value is ignored"),
                );
            }
        }
    }

    /// What a name stands for.
    fn resolve(&self, term: &'t Term) -> &'t Term {
        spread::resolve(self.constants, term)
    }

    /// The value for a key, with names resolved.
    fn get(&self, config: &'t Term, key: &str) -> Option<&'t Term> {
        config.get(key).map(|value| self.resolve(value))
    }

    /// The implementation of something, such as the guard of a name.
    fn implementation(&self, kind: &str, name: &str) -> Option<&'t Term> {
        self.implementations.iter().find_map(|all| {
            let of_kind = self.get(self.resolve(all), kind)?;
            self.get(of_kind, name)
        })
    }

    fn machine(&mut self, config: &'t Term) -> Option<Chart> {
        let config = self.resolve(config);
        if !matches!(config.kind, TermKind::Object(_)) {
            let message = format!("the configuration of a machine is an object, and this is {}", config.describe());
            self.error(codes::WRONG_KIND, config.span, message);
            return None;
        }
        let id = self.get(config, "id").and_then(Term::text).cloned().unwrap_or_else(|| "(machine)".into());
        let key = Name { text: id.clone(), span: config.span };
        self.state(config, key, None, &id, 0).ok()?;
        self.context(config);
        for state in 0..self.states.len() {
            let _ = self.initial(StateId(state as u32));
        }
        for state in 0..self.states.len() {
            let _ = self.contents(StateId(state as u32));
        }
        self.report_unimplemented();
        Some(Chart {
            profile: Profile::XState,
            states: std::mem::take(&mut self.states),
            transitions: std::mem::take(&mut self.transitions),
            data: std::mem::take(&mut self.data),
            properties: Vec::new(),
        })
    }

    /// The keys from the root to a state, without the root.
    fn path(&self, state: StateId) -> Vec<&str> {
        let ancestors = std::iter::successors(Some(state), |state| self.states[state.index()].parent);
        let mut keys: Vec<&str> = ancestors
            .filter(|state| *state != StateId::ROOT)
            .map(|state| &*self.states[state.index()].key.text)
            .collect();
        keys.reverse();
        keys
    }

    /// Adds a state and its descendants.
    fn state(
        &mut self,
        config: &'t Term,
        key: Name,
        parent: Option<StateId>,
        machine: &str,
        depth: usize,
    ) -> Result<StateId, Stop> {
        let TermKind::Object(entries) = &config.kind else {
            let message = format!("a state is an object, and this is {}", config.describe());
            return Err(self.error(codes::WRONG_KIND, config.span, message));
        };
        if self.states.len() >= MAX_STATES || depth > 60 {
            let message = format!("the chart has more than {MAX_STATES} states, or they are nested more than 60 deep");
            return Err(self.error(codes::TOO_LARGE, key.span, message));
        }
        self.check_keys(entries);
        let state = StateId(self.states.len() as u32);
        let kind = self.kind(config)?;
        let id: Arc<str> = match (self.get(config, "id").and_then(Term::text), parent) {
            (Some(id), _) => id.clone(),
            (None, None) => machine.into(),
            (None, Some(parent)) => {
                let keys = std::iter::once(machine).chain(self.path(parent)).chain([&*key.text]);
                keys.collect::<Vec<_>>().join(".").into()
            }
        };
        if let Some(other) = self.ids.insert(id.clone(), state) {
            let place = self.states[other.index()].key.span;
            self.diagnostics.push(
                Diagnostic::error(codes::DUPLICATE, key.span, format!("two states have the id `{id}`"))
                    .also(place, "the other one"),
            );
        }
        self.states.push(State {
            span: key.span.to(config.span),
            key,
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
        });
        self.configs.push(config);
        if let Some(states) = self.get(config, "states") {
            let TermKind::Object(children) = &states.kind else { return Err(self.no_object("states", states)) };
            for child in ordered(children) {
                let Some(key) = &child.key else {
                    self.error(codes::UNREADABLE, child.key_span, "states whose names are computed cannot be read");
                    continue;
                };
                if key.is_empty() || key.contains('.') {
                    let message =
                        format!("`{key}` cannot be the name of a state: names are not empty and have no dots");
                    self.error(codes::BAD_STRUCTURE, child.key_span, message);
                    continue;
                }
                let is_too_large = self.states.len() >= MAX_STATES;
                let key = Name { text: key.clone(), span: child.key_span };
                let value = self.resolve(&child.value);
                if let Ok(child) = self.state(value, key, Some(state), machine, depth + 1) {
                    self.states[state.index()].children.push(child);
                } else if is_too_large {
                    return Err(Stop);
                }
            }
        }
        Ok(state)
    }

    fn check_keys(&mut self, entries: &'t [super::term::Entry]) {
        for entry in entries {
            let Some(key) = entry.key.as_deref() else {
                let message = "a part of the configuration is computed and cannot be read";
                self.error(codes::UNREADABLE, entry.key_span, message);
                continue;
            };
            if KEYS.contains(&key) || key.starts_with("x-") {
                continue;
            }
            let message = format!("a state has no key `{key}`: it is ignored");
            let mut diagnostic = Diagnostic::warning(codes::UNKNOWN_KEY, entry.key_span, message);
            if let Some(near) = closest(key, KEYS) {
                diagnostic = diagnostic.help(format!("`{near}` has a similar name"));
            }
            self.diagnostics.push(diagnostic);
        }
    }

    fn kind(&mut self, config: &'t Term) -> Result<StateKind, Stop> {
        let history = self.get(config, "history");
        let deep = history.and_then(Term::text).is_some_and(|text| &**text == "deep");
        let has_states = matches!(
            self.get(config, "states").map(|states| &states.kind),
            Some(TermKind::Object(children)) if !children.is_empty()
        );
        let Some(kind) = self.get(config, "type") else {
            return Ok(match (has_states, history) {
                (true, _) => StateKind::Compound,
                (false, Some(_)) => StateKind::History { deep },
                (false, None) => StateKind::Atomic,
            });
        };
        match kind.text().map(|text| &**text) {
            Some("compound") => Ok(StateKind::Compound),
            // A parallel state without substates is like an atomic one.
            Some("parallel") if has_states => Ok(StateKind::Parallel),
            Some("atomic" | "parallel") => Ok(StateKind::Atomic),
            Some("final") => Ok(StateKind::Final),
            Some("history") => Ok(StateKind::History { deep }),
            _ => {
                let message = "the type of a state is `atomic`, `compound`, `parallel`, `final` or `history`";
                Err(self.error(codes::WRONG_KIND, kind.span, message))
            }
        }
    }

    fn initial(&mut self, state: StateId) -> Result<(), Stop> {
        let config = self.configs[state.index()];
        let span = self.states[state.index()].key.span;
        let kind = self.states[state.index()].kind;
        let key = if matches!(kind, StateKind::History { .. }) { "target" } else { "initial" };
        let Some(initial) = self.get(config, key) else {
            if kind == StateKind::Compound {
                let first = self.states[state.index()].children.first().copied();
                let mut diagnostic =
                    Diagnostic::error(codes::NO_INITIAL, span, "a compound state needs an `initial` state");
                if let Some(first) = first {
                    diagnostic =
                        diagnostic.help(format!("its first state is `{}`", self.states[first.index()].key.text));
                }
                self.diagnostics.push(diagnostic);
                return Err(Stop);
            }
            return Ok(());
        };
        if !matches!(kind, StateKind::Compound | StateKind::History { .. }) {
            return Ok(());
        }
        let (targets, actions) = match &initial.kind {
            TermKind::Object(_) => (self.get(initial, "target").unwrap_or(initial), self.get(initial, "actions")),
            _ => (initial, None),
        };
        let from = if kind == StateKind::Compound { state } else { self.states[state.index()].parent.unwrap_or(state) };
        let mut found = Vec::new();
        for target in targets.items() {
            let target = self.resolve(target);
            found.push(self.path_target(from, target)?);
        }
        let actions = actions.map(|actions| self.actions(actions, state)).unwrap_or_default();
        self.states[state.index()].initial = Some(Initial { targets: found, actions, span: initial.span });
        Ok(())
    }

    /// The variables of the context.
    fn context(&mut self, config: &'t Term) {
        let Some(context) = self.get(config, "context") else { return };
        let mut object = context;
        let mut scope = Scope::new(&[], None);
        // A function, or the call of one.
        for _ in 0..2 {
            let function = match &object.kind {
                TermKind::Function(patterns, body) => Some((patterns, body)),
                TermKind::Call(callee, arguments) if arguments.is_empty() && !scope.has(callee) => {
                    match &self.resolve(callee).kind {
                        TermKind::Function(patterns, body) => Some((patterns, body)),
                        _ => None,
                    }
                }
                _ => None,
            };
            let made = function.and_then(|(patterns, body)| returned(self, body, Scope::new(patterns, None)));
            if let Some((value, inner)) = made {
                object = if inner.has(value) { value } else { self.resolve(value) };
                scope = inner;
            }
        }
        let TermKind::Object(_) = &object.kind else {
            let message = "the context cannot be read: guards that read it are inputs, and assignments are left out";
            self.diagnostics.push(Diagnostic::warning(codes::UNREADABLE, context.span, message));
            return;
        };
        self.context_part(object, "", &scope, 0);
        let ranges = self.implementations.iter().find_map(|all| self.get(self.resolve(all), "context"));
        for datum in &mut self.data {
            let declared = ranges.and_then(|ranges| ranges.get(&datum.name.text));
            if let Some([low, high]) = declared.map(Term::items)
                && let (TermKind::Number(low), TermKind::Number(high)) = (&low.kind, &high.kind)
                && low <= high
            {
                datum.range = Some((*low as i64, *high as i64));
            }
        }
    }

    fn context_part(&mut self, object: &'t Term, prefix: &str, scope: &Scope<'t>, depth: usize) {
        let TermKind::Object(entries) = &object.kind else { return };
        for entry in ordered(entries) {
            let Some(key) = &entry.key else {
                let message = "a part of the context is computed and cannot be read";
                self.diagnostics.push(Diagnostic::warning(codes::UNREADABLE, entry.key_span, message));
                continue;
            };
            let name = format!("{prefix}{key}");
            let value = if scope.has(&entry.value) { &entry.value } else { self.resolve(&entry.value) };
            if matches!(&value.kind, TermKind::Object(entries) if !entries.is_empty()) && depth < 4 {
                self.context_part(value, &format!("{name}."), scope, depth + 1);
                continue;
            }
            let initial = value_of(self, value, scope);
            if initial.is_none() {
                let message = format!("the initial value of `{name}` cannot be read: it is not part of the model");
                let note = "guards that read it become inputs that the tester controls";
                self.diagnostics.push(Diagnostic::warning(codes::UNREADABLE, value.span, message).note(note));
            }
            let name = Name { text: name.into(), span: entry.key_span };
            self.data.push(Datum { name, initial, range: None });
        }
    }

    /// Reports the actions that may assign something for all that is known.
    fn report_unimplemented(&mut self) {
        if self.data.is_empty() {
            return;
        }
        let mut reported: Vec<Arc<str>> = Vec::new();
        for Name { text, span } in std::mem::take(&mut self.unimplemented) {
            if reported.contains(&text) {
                continue;
            }
            let message =
                format!("the action `{text}` has no implementation here: it is assumed not to change the context");
            let help = "give it in `setup`, or under `actions` of `x-specwright` with the values that it assigns";
            self.diagnostics.push(Diagnostic::warning(codes::UNREADABLE, span, message).help(help));
            reported.push(text);
        }
    }
}

/// An action that changes nothing in the chart.
fn effect(name: &str) -> ActionKind {
    ActionKind::Effect(name.into())
}
