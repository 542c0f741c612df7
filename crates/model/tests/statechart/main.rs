//! Statecharts, step by step: what the lowered model does for events, and what is reported.

mod actors;
mod data;
mod delays;
mod guards;
mod mutants;
mod profile;
mod scripts;
mod scxml;
mod structure;

use specwright_model::interp::{Explorer, initial_states, steps_from};
use specwright_model::lower::statechart::{Options, lower};
use specwright_model::model::VarKind;
use specwright_model::{Model, Role, State, Value};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceMap;
use specwright_syntax::statechart::{parse_json, parse_script, parse_scxml};

/// The model of a chart, and all diagnostics.
fn read(name: &str, text: &str) -> (Option<Model>, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    sources.add(name, text).expect("it is small");
    let file = &sources.files()[0];
    let (chart, mut diagnostics) = match name.rsplit('.').next() {
        Some("json") => parse_json(file),
        Some("scxml") => parse_scxml(file),
        _ => parse_script(file),
    };
    let Some(chart) = chart else { return (None, diagnostics) };
    let (model, found) = lower(&chart, &Options::default());
    diagnostics.extend(found);
    (model, diagnostics)
}

fn model(name: &str, text: &str) -> Model {
    let (model, diagnostics) = read(name, text);
    model.unwrap_or_else(|| panic!("{diagnostics:#?}"))
}

/// The outputs of a state, such as `state=red context.n=1`.
fn outputs(model: &Model, state: &State) -> String {
    let shown = model.vars().filter(|(var, _)| model.role(*var) == Role::Output).map(|(var, info)| {
        let value = state.get(var).map_or("?".into(), |value| model.show(value));
        format!("{}={value}", info.name)
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// Whether a state has these values of inputs; those that are not given are false.
fn has_inputs(model: &Model, state: &State, wanted: &[(&str, &str)]) -> bool {
    model.vars().filter(|(var, _)| model.role(*var) == Role::Input).all(|(var, info)| {
        let value = state.get(var).map(|value| model.show(value)).unwrap_or_default();
        match wanted.iter().find(|(name, _)| *name == info.name) {
            Some((_, wanted)) => value == *wanted,
            None => state.get(var) == Some(Value::Bool(false)) || info.name == "event",
        }
    })
}

/// The outputs after the start and after each event. An event is its name, then the guards that hold.
fn walk(model: &Model, events: &[&str]) -> Vec<String> {
    assert!(model.vars().all(|(_, var)| var.kind != VarKind::Input));
    let explorer = Explorer::new(model);
    let wanted = |at: usize| -> Vec<(&str, &str)> {
        let mut words = events.get(at).copied().unwrap_or_default().split(' ').filter(|word| !word.is_empty());
        let event = words.next().map(|event| ("event", event));
        event.into_iter().chain(words.map(|guard| (guard, "TRUE"))).collect()
    };
    let mut states = initial_states(model, 1 << 20).expect("it has a start");
    let mut seen = Vec::new();
    for at in 0..=events.len() {
        let found = states.into_iter().find(|state| has_inputs(model, state, &wanted(at)));
        let Some(state) = found else { panic!("no state with {:?} after {seen:?}", wanted(at)) };
        seen.push(outputs(model, &state));
        if at == events.len() {
            break;
        }
        states =
            steps_from(&explorer, &state, 1 << 20).expect("it has steps").into_iter().map(|step| step.next).collect();
    }
    seen
}

fn check(name: &str, text: &str, events: &[&str], expected: &[&str]) {
    assert_eq!(walk(&model(name, text), events), expected);
}

/// What is reported for a text: codes in order.
fn codes(name: &str, text: &str) -> Vec<&'static str> {
    read(name, text).1.into_iter().map(|diagnostic| diagnostic.code.0).collect()
}

/// The values of the input `event` that are possible in the states after some events.
fn possible(model: &Model, events: &[&str]) -> Vec<String> {
    let explorer = Explorer::new(model);
    let event = model.vars().find(|(_, info)| info.name == "event").expect("it has events").0;
    let value = |state: &State| state.get(event).map(|value| model.show(value)).unwrap_or_default();
    let mut states = initial_states(model, 1 << 20).expect("it has a start");
    for wanted in events {
        let state = states.into_iter().find(|state| value(state) == *wanted).expect("the event is possible");
        let steps = steps_from(&explorer, &state, 1 << 20).expect("it has steps");
        states = steps.into_iter().map(|step| step.next).collect();
    }
    let mut found: Vec<String> = states.iter().map(value).collect();
    found.sort();
    found.dedup();
    found
}

/// A machine with these guards, actions and constants: `E` goes from `a` to `b` if `guard` holds, and `F` executes `action`.
fn machine(constants: &str, context: &str, guard: &str, action: &str) -> String {
    format!(
        "import {{ assign, createMachine, enqueueActions }} from 'xstate';
        {constants}
        export const machine = createMachine({{ context: {context}, initial: 'a', states: {{
            a: {{ on: {{ E: {{ target: 'b', guard: {guard} }}, F: {{ actions: {action} }} }} }}, b: {{}} }} }});"
    )
}

/// An SCXML chart with data and states.
fn scxml(data: &str, states: &str) -> String {
    format!(
        r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" datamodel="ecmascript" name="chart">
        <datamodel>{data}</datamodel>{states}</scxml>"#
    )
}
