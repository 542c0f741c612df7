//! Reader of suites in JSON.

use super::tree::{Node, Tree, parse};
use super::types;
use super::write::{EARLIER, SCHEMA};
use crate::suite::codes;
use crate::suite::names::{Names, Raw};
use crate::suite::read::{Places, Read};
use crate::suite::test::{Expect, GoalCounts, Suite, Test};
use specwright_model::interface::{Observable, Role, Timing};
use specwright_model::model::{DefineId, Var, VarKind};
use specwright_model::{Model, State, Trace, Value, VarId};
use specwright_syntax::diagnostic::{Code, Diagnostic};
use specwright_syntax::span::{SourceFile, Span};

/// Reads a suite, as far as possible, with diagnostics.
pub fn read_json(model: &Model, file: &SourceFile) -> (Read, Vec<Diagnostic>) {
    let suite = Suite { model: model.name.clone(), model_hash: None, tests: Vec::new(), goals: None };
    let mut reader = Reader { names: Names::new(model), model, diagnostics: Vec::new() };
    let mut read = Read { suite, places: Vec::new() };
    if let Some(tree) = reader.document(file) {
        reader.suite(&tree, &mut read);
    }
    (read, reader.diagnostics)
}

/// A model with only the variables that a suite declares: enough to read the suite if the model itself is not
/// available.
pub fn shell(file: &SourceFile) -> Result<Model, Vec<Diagnostic>> {
    let empty = Model::default();
    let mut reader = Reader { names: Names::new(&empty), model: &empty, diagnostics: Vec::new() };
    let mut model = Model::default();
    if let Some(tree) = reader.document(file) {
        model.name = tree.get("model").and_then(Tree::text).unwrap_or_default().into();
        for (index, variable) in reader.list(&tree, "variables", "").into_iter().enumerate() {
            let path = format!("variables[{index}]");
            let (Some(name), Some(ty)) =
                (reader.string(variable, "name", &path), reader.string(variable, "type", &path))
            else {
                continue;
            };
            let Some((domain, denominator)) = types::read_of(&mut model, ty) else {
                let span = variable.get("type").map_or(variable.span, |ty| ty.span);
                reader.wrong(codes::UNEXPECTED, span, "not a type".into(), &format!("{path}.type"));
                continue;
            };
            let role = match variable.get("role").and_then(Tree::text) {
                Some("input") => Role::Input,
                Some("output") => Role::Output,
                _ => Role::Internal,
            };
            let kind = match variable.get("kind").and_then(Tree::text) {
                Some("input") => VarKind::Input,
                Some("frozen") => VarKind::Frozen,
                _ => VarKind::State,
            };
            model.vars.push(Var { name: name.into(), domain, kind, span: Span::NONE });
            let var = VarId(model.vars.len() as u32 - 1);
            model.system.denominators.extend(denominator.map(|denominator| (var, denominator)));
            let is_optional = variable.get("optional").is_some_and(|optional| optional.node == Node::Bool(true));
            if is_optional && role == Role::Output {
                model.interface.set_optional_output(Observable::Var(var));
            } else {
                model.set_role(var, role);
            }
            if let Some(timing) = variable.get("timing").and_then(Tree::text).and_then(Timing::named) {
                model.interface.set_timing(var, timing);
            }
        }
    }
    if reader.diagnostics.is_empty() { Ok(model) } else { Err(reader.diagnostics) }
}

/// Values of defines in a state.
type Given = Vec<(DefineId, Value)>;

struct Reader<'m> {
    model: &'m Model,
    names: Names<'m>,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn wrong(&mut self, code: Code, span: Span, message: String, path: &str) {
        let wrong = Diagnostic::error(code, span, message);
        self.diagnostics.push(if path.is_empty() { wrong } else { wrong.note(format!("at {path}")) });
    }

    fn document(&mut self, file: &SourceFile) -> Option<Tree> {
        let tree = match parse(&file.text, file.start) {
            Ok(tree) => tree,
            Err(error) => {
                let wrong = Diagnostic::error(codes::UNEXPECTED, error.span, "the document is not JSON");
                self.diagnostics.push(wrong.label(error.message));
                return None;
            }
        };
        // A document without a schema is accepted.
        match tree.get("schema") {
            Some(schema) if !schema.text().is_some_and(|name| name == SCHEMA || EARLIER.contains(&name)) => {
                let message = match schema.text() {
                    Some(name) if name.starts_with("specwright/suite/") => format!("a newer version: {name}"),
                    Some(name) => format!("not a suite: {name}"),
                    None => "not a suite".into(),
                };
                let wrong = Diagnostic::error(codes::WRONG_SCHEMA, schema.span, message);
                self.diagnostics.push(wrong.label(format!("expected \"{SCHEMA}\"")));
                None
            }
            _ => Some(tree),
        }
    }

    fn suite(&mut self, tree: &Tree, read: &mut Read) {
        if let Some(name) = tree.get("model").and_then(Tree::text) {
            read.suite.model = name.into();
        }
        read.suite.model_hash = tree.get("model_hash").and_then(Tree::text).map(Into::into);
        for (index, test) in self.list(tree, "tests", "").into_iter().enumerate() {
            let path = format!("tests[{index}]");
            let Some((test, places)) = self.test(test, &path) else { continue };
            if let Some(first) = read.suite.tests.iter().position(|other| other.name == test.name) {
                let message = format!("two tests have the name `{}`", test.name);
                let wrong = Diagnostic::error(codes::TWICE, places.test, message).note(format!("at {path}.name"));
                self.diagnostics.push(wrong.also(read.places[first].test, "the first one"));
            }
            read.suite.tests.push(test);
            read.places.push(places);
        }
        read.suite.goals = tree.get("goals").map(|goals| {
            let mut count = |name: &str| match goals.get(name).map(|count| (count.count(), count.span)) {
                Some((Some(count), _)) => count,
                Some((None, span)) => {
                    self.wrong(codes::UNEXPECTED, span, "expected a count".into(), &format!("goals.{name}"));
                    0
                }
                None => 0,
            };
            GoalCounts {
                total: count("total"),
                covered: count("covered"),
                infeasible: count("infeasible"),
                nonfalsifiable: count("nonfalsifiable"),
                inconsistent: count("inconsistent"),
                possible: count("possible"),
                conforming: count("conforming"),
                equivalent: count("equivalent"),
                unknown: count("unknown"),
            }
        });
    }

    fn test(&mut self, tree: &Tree, path: &str) -> Option<(Test, Places)> {
        let name = self.string(tree, "name", path)?;
        let name_span = tree.get("name").map_or(tree.span, |name| name.span);
        let expect = match tree.get("expect").map(|expect| (expect.text(), expect.span)) {
            None | Some((Some("accept"), _)) => Expect::Accept,
            Some((Some("reject"), _)) => Expect::Reject,
            Some((_, span)) => {
                let message = "expected \"accept\" or \"reject\"".into();
                self.wrong(codes::UNEXPECTED, span, message, &format!("{path}.expect"));
                Expect::Accept
            }
        };
        let Some(trace) = tree.get("trace") else {
            let message = format!("test `{name}` has no trace");
            self.wrong(codes::MISSING, name_span, message, path);
            return None;
        };
        let (trace, defined, states) = self.trace(trace, name, name_span, &format!("{path}.trace"))?;
        let goals = self.strings(tree, "goals", path);
        let possible = self.strings(tree, "possible", path);
        let notes = self.strings(tree, "notes", path);
        let departure = self.departure(tree, &trace, path);
        let shows = match tree.get("shows") {
            Some(_) => self.string(tree, "shows", path).unwrap_or_default().into(),
            None => String::new(),
        };
        let mut test = Test { shows, expect, departure, goals, possible, notes, ..Test::new(name, trace) };
        defined.into_iter().enumerate().for_each(|(state, values)| test.give(state, values));
        Some((test, Places { test: name_span, states }))
    }

    fn trace(&mut self, tree: &Tree, test: &str, at: Span, path: &str) -> Option<(Trace, Vec<Given>, Vec<Span>)> {
        let (mut states, mut defined, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for (index, state) in self.list(tree, "states", path).into_iter().enumerate() {
            let path = format!("{path}.states[{index}]");
            let Node::Object(members) = &state.node else {
                self.wrong(codes::UNEXPECTED, state.span, format!("expected a state, found {}", state.kind()), &path);
                continue;
            };
            let mut read = (State::empty(self.model.vars.len()), Given::new());
            for (name, span, value) in members {
                let path = format!("{path}.{name}, test `{test}`, state {}", index + 1);
                if let Err(wrong) = self.assign(&mut read, name, *span, value) {
                    self.diagnostics.push(wrong.note(format!("at {path}")));
                }
            }
            states.push(read.0);
            defined.push(read.1);
            places.push(state.span);
        }
        if states.is_empty() {
            self.wrong(codes::MISSING, at, format!("test `{test}` has no states"), path);
            return None;
        }
        let loop_start = tree.get("loop").filter(|back| back.node != Node::Null).and_then(|back| {
            let start = back.count().filter(|start| *start < states.len());
            if start.is_none() {
                let message = format!("expected the number of a state, from 0 to {}", states.len() - 1);
                self.wrong(codes::BAD_LOOP, back.span, message, &format!("{path}.loop"));
            }
            start
        });
        Some((Trace { states, loop_start }, defined, places))
    }

    fn assign(
        &self,
        (state, defined): &mut (State, Given),
        name: &str,
        span: Span,
        value: &Tree,
    ) -> Result<(), Box<Diagnostic>> {
        let of = self.names.observable(name, span)?;
        let is_given = match of {
            Observable::Var(var) => state.get(var).is_some(),
            Observable::Define(define) => defined.iter().any(|(other, _)| *other == define),
        };
        if is_given {
            return Err(Diagnostic::error(codes::TWICE, span, format!("`{name}` has two values")).into());
        }
        let raw = match &value.node {
            Node::Null => return Ok(()),
            Node::Bool(truth) => Raw::Bool(*truth),
            Node::Int(number) => Raw::Int(*number),
            Node::Text(text) => Raw::Text(text),
            Node::Number(text) => Raw::Decimal(text),
            _ => {
                let message = format!("`{name}` cannot be {}", value.kind());
                return Err(Diagnostic::error(codes::WRONG_VALUE, value.span, message).into());
            }
        };
        let value = self.names.value(of, raw, false, value.span)?;
        match of {
            Observable::Var(var) => state.set(var, value),
            Observable::Define(define) => defined.push((define, value)),
        }
        Ok(())
    }

    /// The state that is marked as the departure, if there is one.
    fn departure(&mut self, tree: &Tree, trace: &Trace, path: &str) -> Option<usize> {
        let departure = tree.get("departure").filter(|departure| departure.node != Node::Null)?;
        let state = departure.count().filter(|state| (1..trace.states.len()).contains(state));
        if state.is_none() {
            let message = "expected the number of a state after the first, which is 0".into();
            self.wrong(codes::UNEXPECTED, departure.span, message, &format!("{path}.departure"));
        }
        state
    }

    /// A required list.
    fn list<'t>(&mut self, tree: &'t Tree, name: &str, path: &str) -> Vec<&'t Tree> {
        let dot = if path.is_empty() { "" } else { "." };
        let Some(member) = tree.get(name) else {
            self.wrong(codes::MISSING, head(tree.span), format!("`{name}` is missing"), path);
            return Vec::new();
        };
        if member.list().is_none() {
            let message = format!("expected a list, found {}", member.kind());
            self.wrong(codes::UNEXPECTED, member.span, message, &format!("{path}{dot}{name}"));
        }
        member.list().unwrap_or_default().iter().collect()
    }

    /// A required string.
    fn string<'t>(&mut self, tree: &'t Tree, name: &str, path: &str) -> Option<&'t str> {
        let Some(member) = tree.get(name) else {
            self.wrong(codes::MISSING, head(tree.span), format!("`{name}` is missing"), path);
            return None;
        };
        if member.text().is_none() {
            let message = format!("expected a string, found {}", member.kind());
            self.wrong(codes::UNEXPECTED, member.span, message, &format!("{path}.{name}"));
        }
        member.text()
    }

    /// An optional list of strings.
    fn strings(&mut self, tree: &Tree, name: &str, path: &str) -> Vec<String> {
        if tree.get(name).is_none() {
            return Vec::new();
        }
        let mut strings = Vec::new();
        for (index, item) in self.list(tree, name, path).into_iter().enumerate() {
            if let Some(text) = item.text() {
                strings.push(text.into());
            } else {
                let message = format!("expected a string, found {}", item.kind());
                self.wrong(codes::UNEXPECTED, item.span, message, &format!("{path}.{name}[{index}]"));
            }
        }
        strings
    }
}

/// The first character of a long span.
fn head(span: Span) -> Span {
    Span::new(span.start, span.end.min(span.start + 1))
}
