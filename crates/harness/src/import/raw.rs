//! Tests of other tools, with unresolved names and values.

use super::mapping::Mapping;
use super::scenario::{self, Conditions, Execution};
use specwright_model::decimal::decimal;
use specwright_model::interface::{Observable, Role};
use specwright_model::model::{DefineId, EXECUTED, RuleChoice, Shape, VarKind};
use specwright_model::{Domain, Model, State, Trace, Value, VarId, Word};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::escape::unescape;
use specwright_syntax::span::Span;
use specwright_testgen::suite::{Expect, Names, Places, Raw, Read, Suite, Test, codes};
use std::borrow::Cow;

/// A test.
#[derive(Clone, Debug)]
pub(super) struct RawTest {
    /// Empty if the file has none.
    pub(super) name: String,
    pub(super) place: Span,
    pub(super) rejected: bool,
    pub(super) goals: Vec<String>,
    pub(super) notes: Vec<String>,
    pub(super) states: Vec<RawState>,
    pub(super) loop_start: Option<usize>,
    pub(super) departure: Option<usize>,
    pub(super) model_hash: Option<String>,
    pub(super) model: Option<String>,
    /// Whether the environment changes only those shared functions that the test sets.
    pub(super) is_scenario: bool,
}

/// The name of what a scenario executes before a step, among the values of a state.
pub(super) const EXECUTE: &str = "pick exec";

/// A state.
#[derive(Clone, Debug)]
pub(super) struct RawState {
    pub(super) place: Span,
    pub(super) values: Vec<RawValue>,
    /// Conditions in the language of the specification that hold in it.
    pub(super) conditions: Vec<(String, Span)>,
    /// The condition until which steps were taken from the state before, if it is not a single step.
    pub(super) until: Option<(String, Span)>,
}

/// A variable and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RawValue {
    pub(super) name: String,
    pub(super) text: String,
    /// Whether the text is a bit string, to be interpreted by the type of the variable.
    pub(super) is_bits: bool,
    /// Whether it is a value that the environment sets.
    pub(super) by_environment: bool,
    /// Its source span.
    pub(super) place: Span,
    /// The source span of the name, which a table has in its first row.
    pub(super) name_place: Span,
}

impl Default for RawTest {
    fn default() -> RawTest {
        RawTest {
            name: String::new(),
            place: Span::NONE,
            rejected: false,
            goals: Vec::new(),
            notes: Vec::new(),
            states: Vec::new(),
            loop_start: None,
            departure: None,
            model_hash: None,
            model: None,
            is_scenario: false,
        }
    }
}

impl RawTest {
    /// Undoes the escaping of all names, values and notes.
    pub(super) fn unescape(&mut self) {
        let values = self.states.iter_mut().flat_map(|state| &mut state.values);
        let texts = values.flat_map(|value| [&mut value.name, &mut value.text]);
        for text in texts.chain([&mut self.name]).chain(&mut self.notes) {
            if let Cow::Owned(plain) = unescape(text) {
                *text = plain;
            }
        }
    }
}

impl RawTest {
    /// Makes decimal numbers of the multiples that real variables have in a translated model.
    pub(super) fn make_decimal(&mut self, model: &Model, mapping: &Mapping) {
        for value in self.states.iter_mut().flat_map(|state| &mut state.values) {
            let var = mapping.variable(&value.name).and_then(|name| model.var_named(name));
            let Some(denominator) = var.and_then(|var| model.denominator(var)) else { continue };
            let number = if value.is_bits { i64::from_str_radix(&value.text, 2).ok() } else { value.text.parse().ok() };
            if let Some(number) = number {
                value.text = decimal(number, denominator);
                value.is_bits = false;
            }
        }
    }
}

impl Default for RawState {
    fn default() -> RawState {
        RawState { place: Span::NONE, values: Vec::new(), conditions: Vec::new(), until: None }
    }
}

impl RawState {
    /// Sets or replaces the value of a variable.
    pub(super) fn set(&mut self, name: &str, text: &str, place: Span) {
        self.put(RawValue {
            name: name.into(),
            text: text.into(),
            is_bits: false,
            by_environment: false,
            place,
            name_place: place,
        });
    }

    /// The same for a bit string.
    pub(super) fn set_bits(&mut self, name: &str, bits: &str, place: Span) {
        self.put(RawValue {
            name: name.into(),
            text: bits.into(),
            is_bits: true,
            by_environment: false,
            place,
            name_place: place,
        });
    }

    /// The same for a value that the environment sets.
    pub(super) fn set_by_environment(&mut self, name: &str, text: &str, place: Span) {
        self.put(RawValue {
            name: name.into(),
            text: text.into(),
            is_bits: false,
            by_environment: true,
            place,
            name_place: place,
        });
    }

    /// The value that the environment sets.
    pub(super) fn given_by_environment(&self, name: &str) -> Option<&str> {
        let given = self.values.iter().find(|value| value.by_environment && value.name == name);
        given.map(|value| value.text.as_str())
    }

    fn put(&mut self, value: RawValue) {
        let same = |other: &&mut RawValue| (&other.name, other.by_environment) == (&value.name, value.by_environment);
        match self.values.iter_mut().find(same) {
            Some(old) => *old = value,
            None => self.values.push(value),
        }
    }

    /// The value of a variable.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|value| value.name == name).map(|value| value.text.as_str())
    }

    /// Whether both have the same values.
    pub(super) fn has_same_values(&self, other: &RawState) -> bool {
        self.values.len() == other.values.len()
            && self.values.iter().all(|value| other.get(&value.name) == Some(&value.text))
    }
}

/// Resolves names and values.
pub(super) fn resolve(model: &Model, mut tests: Vec<RawTest>, mapping: &Mapping) -> (Read, Vec<Diagnostic>) {
    let is_machine = !model.source.aliases.is_empty() || !model.source.compounds.is_empty();
    let conditions = if is_machine { conditions(model, mapping, &mut tests) } else { None };
    let suite = Suite { model: model.name.clone(), model_hash: None, tests: Vec::new(), goals: None };
    let mut read = Read { suite, places: Vec::new() };
    let names = Names::new(model);
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    for raw in tests {
        if raw.states.is_empty() {
            let message = format!("test `{}` has no states", raw.name);
            diagnostics.push(Diagnostic::error(codes::MISSING, raw.place, message));
            continue;
        }
        if let Some(hash) = raw.model_hash {
            read.suite.model_hash.get_or_insert(hash);
        }
        if let Some(model) = raw.model {
            read.suite.model = model;
        }
        let mut states: Vec<State> = Vec::with_capacity(raw.states.len());
        let mut defined: Vec<Vec<(DefineId, Value)>> = Vec::with_capacity(raw.states.len());
        let mut places = Vec::with_capacity(raw.states.len());
        let mut execution = (raw.is_scenario && is_machine).then(|| Execution::new(model));
        for raw_state in &raw.states {
            let mut state = State::empty(model.vars.len());
            let mut given = Vec::new();
            for value in &raw_state.values {
                let assigned = match define_of(model, mapping, value) {
                    Some(define) => assign_define(model, &names, mapping, &mut given, (define, value)),
                    None => assign_value(model, &names, mapping, &mut state, value),
                };
                if let Err(wrong) = assigned {
                    // A wrong name is reported once.
                    if !diagnostics.iter().any(|other| other.message == wrong.message) {
                        diagnostics.push(*wrong);
                    }
                }
            }
            if raw.is_scenario {
                execute_nothing(model, &mut state);
            }
            for shared in &model.source.shared {
                if raw.is_scenario && state.get(shared.set).is_none() {
                    state.set(shared.set, Value::Bool(false));
                    put_to_rest(model, &mut state, &shared.value);
                }
            }
            let Some(execution) = &mut execution else {
                states.push(state);
                defined.push(given);
                places.push(raw_state.place);
                diagnostics.extend(scenario::not_executed(raw_state));
                continue;
            };
            let keep = |before: &State, state: &mut State| {
                keep_inputs(model, before, state);
                execute_nothing(model, state);
            };
            if let (Some((text, place)), Some(last)) = (&raw_state.until, states.last()) {
                let mut last = last.clone();
                match execution.until((text, *place), conditions.as_ref(), &mut last, keep) {
                    Ok(None) => break,
                    Ok(Some(between)) => {
                        places.extend(between.iter().map(|_| *place));
                        defined.extend(between.iter().map(|_| Vec::new()));
                        states.extend(between);
                    }
                    Err(wrong) => {
                        diagnostics.push(*wrong);
                        break;
                    }
                }
                // What follows is about the last of these states.
                if let (Some(last), Some(known)) = (states.last_mut(), defined.last_mut()) {
                    overwrite(last, &state, model);
                    execution.change(last);
                    known.extend(given);
                }
            } else if let Some(before) = states.last() {
                keep_inputs(model, before, &mut state);
                execution.step(&state);
                states.push(state);
                defined.push(given);
                places.push(raw_state.place);
            } else {
                let unset = execution.start(&mut state);
                if !unset.is_empty() {
                    let message = format!("not set in the first state: {}", unset.join(", "));
                    let note = "the first value that agrees with the scenario is taken; in ASMETA they are `undef`";
                    diagnostics.push(Diagnostic::warning(codes::AMBIGUOUS, raw.place, message).note(note));
                }
                states.push(state);
                defined.push(given);
                places.push(raw_state.place);
            }
            for (text, place) in &raw_state.conditions {
                diagnostics.extend(execution.check(text, *place, conditions.as_ref()));
            }
        }
        let loop_start = raw.loop_start.filter(|start| *start < states.len());
        if loop_start != raw.loop_start {
            let message = format!("expected the number of a state, from 0 to {}", states.len() - 1);
            diagnostics.push(Diagnostic::error(codes::BAD_LOOP, raw.place, message));
        }
        let mut test = Test::new(raw.name, Trace { states, loop_start });
        defined.into_iter().enumerate().for_each(|(state, values)| test.give(state, values));
        test.expect = if raw.rejected { Expect::Reject } else { Expect::Accept };
        test.departure = raw.departure.filter(|state| (1..test.trace.states.len()).contains(state));
        (test.goals, test.notes) = (raw.goals, raw.notes);
        while test.notes.last().is_some_and(String::is_empty) {
            test.notes.pop();
        }
        read.suite.tests.push(test);
        read.places.push(Places { test: raw.place, states: places });
    }
    (read, diagnostics)
}

/// Reads the conditions of scenarios. Values of what the specification has and the model has not, such as constants, are
/// conditions, too; what the environment sets without effect is dropped.
fn conditions(model: &Model, mapping: &Mapping, tests: &mut [RawTest]) -> Option<Conditions> {
    let reader = model.source.conditions.as_ref()?;
    let function = |name: &str| name.split(['(', ' ']).next().unwrap_or_default().to_owned();
    for state in tests.iter_mut().filter(|test| test.is_scenario).flat_map(|test| &mut test.states) {
        let RawState { values, conditions, .. } = state;
        let unset: Vec<RawValue> = values.clone();
        values.retain(|value| {
            let is_known = value.name.starts_with("pick ")
                || mapping.variable(&value.name).is_none_or(|name| is_in_model(model, name))
                || !reader.declares(&function(&value.name));
            if !is_known && !value.by_environment {
                let is_set = |other: &&RawValue| other.by_environment && other.name == value.name;
                // A check of what was just set without effect.
                if !unset.iter().any(|other| is_set(&other)) {
                    conditions.push((format!("{} = {}", value.name, value.text), value.place));
                }
            }
            is_known
        });
    }
    let states = tests.iter().flat_map(|test| &test.states);
    let texts = states.flat_map(|state| state.conditions.iter().chain(&state.until)).map(|(text, _)| text.clone());
    Conditions::read(&model.source, texts)
}

/// Whether a variable, a define or a structure of variables has a name.
fn is_in_model(model: &Model, name: &str) -> bool {
    model.var_named(name).is_some()
        || model.define_named(name).is_some()
        || model.source.aliases.iter().any(|(_, alias)| alias == name)
        || model.source.compounds.iter().any(|compound| compound.name == name)
        || model.source.shared.iter().any(|shared| shared.name == name)
}

/// Gives the values of one state to another.
fn overwrite(state: &mut State, with: &State, model: &Model) {
    for (id, _) in model.vars() {
        if let Some(value) = with.get(id) {
            state.set(id, value);
        }
    }
}

/// Where a scenario executes no rule, the machine takes a step of its own.
fn execute_nothing(model: &Model, state: &mut State) {
    for choice in model.source.choices.iter().filter(|choice| choice.names == [EXECUTED]) {
        if let (None, Some((nothing, _))) = (state.get(choice.var), choice.values.first()) {
            state.set(choice.var, *nothing);
        }
    }
}

/// What a scenario does not set anew stays as it was.
fn keep_inputs(model: &Model, before: &State, state: &mut State) {
    let is_shared =
        |var| model.source.shared.iter().any(|shared| shared.set == var || shared.value.vars().contains(&var));
    for (id, var) in model.vars() {
        if model.role(id) == Role::Input && var.kind == VarKind::State && state.get(id).is_none() && !is_shared(id) {
            state.set(id, before.get(id));
        }
    }
}

/// Assigns a value of a test to a variable, or to the inputs by which the environment changes it.
fn assign_value(
    model: &Model,
    names: &Names<'_>,
    mapping: &Mapping,
    state: &mut State,
    value: &RawValue,
) -> Result<(), Box<Diagnostic>> {
    if let Some(name) = value.name.strip_prefix("pick ") {
        return assign_pick(model, state, name, value);
    }
    let name = mapping.variable(&value.name).filter(|_| value.by_environment);
    match name.and_then(|name| model.source.shared.iter().find(|shared| shared.name == name)) {
        Some(shared) => {
            state.set(shared.set, Value::Bool(true));
            let text = mapping.value(&shared.name, &value.text);
            assign_shape(model, names, state, &shared.value, text, value.place)
        }
        None => assign(model, names, mapping, state, value),
    }
}

/// Makes the choices of a variable of the machine: `$x`, `$x in r_rule`, or `$x in r_rule#2` for the second one in that rule.
fn assign_pick(model: &Model, state: &mut State, name: &str, value: &RawValue) -> Result<(), Box<Diagnostic>> {
    let (name, rule) = name.split_once(" in ").map_or((name, None), |(name, rule)| (name, Some(rule)));
    let (rule, number) = match rule.and_then(|rule| rule.split_once('#')) {
        Some((rule, number)) => (Some(rule), number.parse::<usize>().ok()),
        None => (rule, None),
    };
    let is_meant = |choice: &&RuleChoice| {
        choice.names.iter().any(|known| known == name) && rule.is_none_or(|rule| choice.rule == rule)
    };
    let mut is_known = false;
    let meant = model.source.choices.iter().filter(is_meant).enumerate();
    for (_, choice) in meant.filter(|(at, _)| number.is_none_or(|number| number == at + 1)) {
        let Some(place) = choice.names.iter().position(|known| known == name) else { continue };
        let fits = |row: &[String]| row.get(place).is_some_and(|known| *known == value.text);
        let mut rows = choice.values.iter().filter(|(_, row)| fits(row));
        if let (Some((code, _)), None) = (rows.next(), rows.next()) {
            state.set(choice.var, *code);
            is_known = true;
        } else {
            // A value of one of several variables leaves the choice open.
            is_known |= choice.names.len() > 1 || choice.values.iter().all(|(_, row)| row.is_empty());
        }
    }
    if is_known {
        return Ok(());
    }
    if name == EXECUTED {
        let message = match model.source.conditions {
            Some(_) => "the model was read without the rules that its scenarios execute",
            None => "only scenarios of an Abstract State Machine execute rules",
        };
        return Err(Box::new(Diagnostic::error(codes::UNEXPECTED, value.place, message)));
    }
    let message = format!("no rule can choose {} for `{name}`", value.text);
    Err(Box::new(Diagnostic::error(codes::WRONG_VALUE, value.place, message)))
}

fn assign(
    model: &Model,
    names: &Names<'_>,
    mapping: &Mapping,
    state: &mut State,
    value: &RawValue,
) -> Result<(), Box<Diagnostic>> {
    let Some(name) = mapping.variable(&value.name) else { return Ok(()) };
    if let Some(compound) = model.source.compounds.iter().find(|compound| compound.name == name) {
        let text = mapping.value(name, &value.text);
        return assign_shape(model, names, state, &compound.shape, text, value.place);
    }
    let var = names
        .var(name, value.name_place)
        .map_err(|unknown| Box::new(unknown.help("`--mapping FILE` maps names of the file to those of the model")))?;
    let text = mapping.value(name, &value.text);
    assign_variable(model, names, state, var, (text, value.is_bits), value.place)
}

/// Gives a variable the value of a text, which may consist of bits.
fn assign_variable(
    model: &Model,
    names: &Names<'_>,
    state: &mut State,
    var: VarId,
    (text, is_bits): (&str, bool),
    place: Span,
) -> Result<(), Box<Diagnostic>> {
    if text.is_empty() || text == "?" {
        return Ok(());
    }
    // For a location that may be `undef`, another variable tells whether it has a value.
    let flag = model
        .var_named(&format!("{}.defined", model[var].name))
        .filter(|_| !model.source.aliases.is_empty() || !model.source.compounds.is_empty());
    if let Some(flag) = flag {
        let defined = text != "undef";
        state.set(flag, Value::Bool(defined));
        if !defined {
            return Ok(());
        }
    }
    if state.get(var).is_some() {
        let message = format!("`{}` has two values", model[var].name);
        return Err(Box::new(Diagnostic::error(codes::TWICE, place, message)));
    }
    let written = written(&model[var].domain, text, is_bits);
    state.set(var, names.value(Observable::Var(var), Raw::Text(&written), true, place)?);
    Ok(())
}

/// The define that a value belongs to, if no variable has its name.
fn define_of(model: &Model, mapping: &Mapping, value: &RawValue) -> Option<DefineId> {
    let name = mapping.variable(&value.name)?;
    let is_known =
        model.var_named(name).is_some() || model.source.compounds.iter().any(|compound| compound.name == name);
    if is_known { None } else { model.define_named(name) }
}

/// Gives a value to a define. Tools print many of them: those that are no outputs are left out if they make no sense.
fn assign_define(
    model: &Model,
    names: &Names<'_>,
    mapping: &Mapping,
    given: &mut Vec<(DefineId, Value)>,
    (define, value): (DefineId, &RawValue),
) -> Result<(), Box<Diagnostic>> {
    let text = mapping.value(&model[define].name, &value.text);
    let is_output = model.interface.role(Observable::Define(define)) == Role::Output;
    let domain = match names.domain(define) {
        Ok(domain) if !(text.is_empty() || text == "?") => domain,
        _ => return Ok(()),
    };
    let written = written(&domain, text, value.is_bits);
    match names.value(Observable::Define(define), Raw::Text(&written), true, value.place) {
        Ok(value) => given.push((define, value)),
        Err(wrong) if is_output => return Err(wrong),
        Err(_) => {}
    }
    Ok(())
}

/// A value in the notation of suites.
fn written(domain: &Domain, text: &str, is_bits: bool) -> String {
    match domain {
        Domain::Word { signed, width } if is_bits => match u64::from_str_radix(text, 2) {
            Ok(bits) if bits <= Word::mask(*width) => Word::new(*signed, *width, bits).to_string(),
            _ => text.to_owned(),
        },
        Domain::Word { signed, width } => match text.parse::<i64>() {
            Ok(number) => {
                let word = Word::new(*signed, *width, number.cast_unsigned());
                if word.to_int() == i128::from(number) { word.to_string() } else { text.to_owned() }
            }
            Err(_) => text.to_owned(),
        },
        // Some tools have no booleans.
        Domain::Bool if text == "1" => "TRUE".into(),
        Domain::Bool if text == "0" => "FALSE".into(),
        Domain::Range(..) | Domain::Integer if is_bits => {
            u64::from_str_radix(text, 2).map_or_else(|_| text.to_owned(), |number| number.to_string())
        }
        _ => text.to_owned(),
    }
}

/// Assigns a composite value to its variables: `(1,red)`, `{a,b}`, `[a,b]`.
fn assign_shape(
    model: &Model,
    names: &Names<'_>,
    state: &mut State,
    shape: &Shape,
    text: &str,
    place: Span,
) -> Result<(), Box<Diagnostic>> {
    let text = text.trim();
    let wrong = |wanted: &str| {
        let message = format!("`{text}` is not {wanted}");
        Err(Box::new(Diagnostic::error(codes::WRONG_VALUE, place, message)))
    };
    match shape {
        Shape::Known(_) => Ok(()),
        // The variable may have the name of the location.
        Shape::One(var) => assign_variable(model, names, state, *var, (text, false), place),
        Shape::Tuple(parts) => {
            let items = match text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
                Some(inner) => list(inner),
                None if text == "undef" => vec!["undef"; parts.len()],
                None => Vec::new(),
            };
            if items.len() != parts.len() {
                return wrong(&format!("a tuple of {} values", parts.len()));
            }
            parts.iter().zip(items).try_for_each(|(part, item)| assign_shape(model, names, state, part, item, place))
        }
        Shape::Set(members) => {
            let items = match text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
                Some(inner) => list(inner),
                // That something is empty is said of sets and sequences alike.
                None if text == "undef" || text == "[]" => Vec::new(),
                None => return wrong("a set"),
            };
            if let Some(item) = items.iter().find(|item| !members.iter().any(|(member, _)| member == *item)) {
                let known: Vec<&str> = members.iter().map(|(member, _)| member.as_str()).collect();
                return wrong(&format!("a set of these, for `{item}`: {}", known.join(", ")));
            }
            for (member, var) in members {
                state.set(*var, Value::Bool(items.contains(&member.as_str())));
            }
            Ok(())
        }
        Shape::Seq { length, items } => {
            let parts = match text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
                Some(inner) => list(inner),
                None if text == "undef" => Vec::new(),
                None => return wrong("a sequence"),
            };
            let n = if text == "undef" { -1 } else { i64::try_from(parts.len()).unwrap_or(i64::MAX) };
            let fits = match length {
                Some(length) => model[*length].domain.contains(Value::Int(n)),
                None => parts.len() == items.len(),
            };
            if !fits || parts.len() > items.len() {
                return wrong("a sequence of a length that it may have");
            }
            if let Some(length) = length {
                state.set(*length, Value::Int(n));
            }
            items[parts.len()..].iter().for_each(|item| put_to_rest(model, state, item));
            items.iter().zip(parts).try_for_each(|(item, part)| assign_shape(model, names, state, item, part, place))
        }
        Shape::Fraction(_, whole) => assign_shape(model, names, state, whole, text, place),
        Shape::Mixed { kind, cases } => {
            let name: String = match text {
                "undef" => "undef".into(),
                "true" | "false" => "truth".into(),
                _ if text.parse::<i64>().is_ok() => "number".into(),
                _ if text.starts_with('{') => "set".into(),
                _ if text.starts_with('[') => "sequence".into(),
                _ if text.starts_with('(') => {
                    format!("tuple{}", list(text[1..].strip_suffix(')').unwrap_or_default()).len())
                }
                _ => "element".into(),
            };
            assign_variable(model, names, state, *kind, (&name, false), place)?;
            cases.iter().filter(|(known, _)| *known != name).for_each(|(_, shape)| put_to_rest(model, state, shape));
            let shape = cases.iter().find(|(known, _)| *known == name);
            shape.map_or(Ok(()), |(_, shape)| assign_shape(model, names, state, shape, text, place))
        }
    }
}

/// Unused variables of a composite value have the first of their values.
fn put_to_rest(model: &Model, state: &mut State, shape: &Shape) {
    for var in shape.vars() {
        let flag = model.var_named(&format!("{}.defined", model[var].name));
        for var in [Some(var), flag].into_iter().flatten() {
            state.set(var, Some(model[var].domain.values().next().unwrap_or(Value::Int(0))));
        }
    }
}

/// Splits at commas outside of parentheses.
fn list(text: &str) -> Vec<&str> {
    let (mut items, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                items.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text.trim().is_empty() {
        items.push(text[start..].trim());
    }
    items
}
