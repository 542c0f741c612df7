//! Scenarios of ASMETA: what is monitored is set, what is controlled is checked, and then there is a step.

use super::stem;
use specwright_model::model::{Role, VarKind};
use specwright_model::{Model, State, Value};
use specwright_testgen::suite::{Expect, Suite};
use std::fmt::Write;

/// A test as a scenario.
pub(super) fn write(model: &Model, suite: &Suite, index: usize) -> String {
    let test = &suite.tests[index];
    let name: String = test.name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut text = format!("// test {name}\n");
    if test.expect == Expect::Reject {
        text.push_str("// expect reject\n");
    }
    if let Some(start) = test.trace.loop_start {
        let _ = writeln!(text, "// loop {start}");
    }
    let scenario = super::naming::snake(&name);
    let _ = writeln!(text, "scenario {scenario}\nload {}.asm", stem(&suite.model));
    for (number, state) in test.trace.states.iter().enumerate() {
        text.push_str(if number == 0 { "\n" } else { "step\n\n" });
        let note = test.note(number).replace(['\n', '\r'], " ");
        if !note.is_empty() {
            let _ = writeln!(text, "// {note}");
        }
        values(&mut text, model, state);
    }
    text
}

fn values(text: &mut String, model: &Model, state: &State) {
    for (id, var) in model.vars() {
        let Some(value) = state.get(id) else { continue };
        // Machines have names for their locations; what only tells whether there is a value is told by the value.
        let alias = model.aliases.iter().find(|(known, _)| *known == id);
        if alias.is_none() && !model.aliases.is_empty() {
            continue;
        }
        let flag = model.var_named(&format!("{}.defined", var.name));
        let value = match value {
            _ if flag.is_some_and(|flag| state.get(flag) == Some(Value::Bool(false))) => "undef".into(),
            Value::Bool(truth) => truth.to_string(),
            value => model.show(value),
        };
        let name = alias.map_or(&var.name, |(_, alias)| alias);
        let _ = if var.role == Role::Input || var.kind == VarKind::Input {
            writeln!(text, "set {name} := {value};")
        } else {
            writeln!(text, "check {name} = {value};")
        };
    }
}
