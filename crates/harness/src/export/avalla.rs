//! Export to Avalla, the scenarios of ASMETA: monitored functions are set, controlled ones are checked, shared ones are
//! checked and may be set, followed by a step.

use super::stem;
use specwright_model::interface::Role;
use specwright_model::model::{Shape, VarKind};
use specwright_model::{Model, State, Value, VarId};
use specwright_syntax::escape::{escape, is_harmful, line};
use specwright_testgen::suite::{Expect, Suite};
use std::fmt::Write;

/// A test as a scenario.
pub(super) fn write(model: &Model, suite: &Suite, index: usize) -> String {
    let test = &suite.tests[index];
    let mut text = format!("// test {}\n", line(&test.name));
    if test.expect == Expect::Reject {
        text.push_str("// expect reject\n");
    }
    if let Some(start) = test.trace.loop_start {
        let _ = writeln!(text, "// loop {start}");
    }
    let scenario = super::naming::short(super::naming::snake(&test.name));
    let _ = writeln!(text, "scenario {scenario}\nload {}.asm", escape(&stem(&suite.model), ends_name));
    for (number, state) in test.trace.states.iter().enumerate() {
        text.push_str(if number == 0 { "\n" } else { "step\n\n" });
        let note = test.note(number);
        if !note.is_empty() {
            let _ = writeln!(text, "// {}", line(note));
        }
        values(&mut text, model, state);
    }
    text
}

fn values(text: &mut String, model: &Model, state: &State) {
    let is_machine = !model.source.aliases.is_empty() || !model.source.compounds.is_empty();
    for (id, var) in model.vars() {
        // Locations have names of their own; a variable that only tells whether there is a value is implied by the
        // value.
        let alias = model.source.aliases.iter().find(|(known, _)| *known == id);
        if alias.is_none() && is_machine {
            continue;
        }
        let Some(value) = single(model, state, id) else { continue };
        say(text, is_set(model, id), alias.map_or(&var.name, |(_, alias)| alias), &value);
    }
    for compound in &model.source.compounds {
        let (Some(value), Some(var)) = (whole(model, state, &compound.shape), compound.shape.first_var()) else {
            continue;
        };
        say(text, is_set(model, var), &compound.name, &value);
    }
    // The result of a step is checked before the environment changes it.
    for shared in model.source.shared.iter().filter(|shared| state.get(shared.set) == Some(Value::Bool(true))) {
        if let Some(value) = whole(model, state, &shared.value) {
            say(text, true, &shared.name, &value);
        }
    }
}

/// Whether a character cannot be part of a name.
fn ends_name(c: char) -> bool {
    is_harmful(c) || c.is_whitespace() || matches!(c, ';' | ':' | '=' | '!' | '<' | '>' | '+' | '*')
}

/// Whether the environment sets a variable.
fn is_set(model: &Model, var: VarId) -> bool {
    model.role(var) == Role::Input || model[var].kind == VarKind::Input
}

fn say(text: &mut String, is_set: bool, name: &str, value: &str) {
    // Spaces inside of a value are harmless unless the value would be split.
    let is_one = value.trim() == value && !value.contains(" and ");
    let value = escape(value, |c| is_harmful(c) || c == ';' || (!is_one && c.is_whitespace()));
    let name = escape(name, ends_name);
    let _ = if is_set { writeln!(text, "set {name} := {value};") } else { writeln!(text, "check {name} = {value};") };
}

/// The value of a variable.
fn single(model: &Model, state: &State, id: VarId) -> Option<String> {
    let flag = model.var_named(&format!("{}.defined", model[id].name));
    Some(match state.get(id)? {
        _ if flag.is_some_and(|flag| state.get(flag) == Some(Value::Bool(false))) => "undef".into(),
        Value::Bool(truth) => truth.to_string(),
        value => model.show(value),
    })
}

/// The composite value of several variables.
fn whole(model: &Model, state: &State, shape: &Shape) -> Option<String> {
    match shape {
        Shape::One(var) => single(model, state, *var),
        Shape::Known(value) => Some(value.clone()),
        Shape::Tuple(parts) => {
            let parts: Option<Vec<String>> = parts.iter().map(|part| whole(model, state, part)).collect();
            let parts = parts?;
            let nothing = parts.iter().all(|part| part == "undef");
            Some(if nothing { "undef".into() } else { format!("({})", parts.join(",")) })
        }
        Shape::Set(members) => {
            let mut inside = Vec::new();
            for (member, var) in members {
                if state.get(*var)? == Value::Bool(true) {
                    inside.push(member.as_str());
                }
            }
            Some(format!("{{{}}}", inside.join(",")))
        }
        Shape::Seq { length, items } => {
            let n = match length {
                None => items.len(),
                Some(length) => match state.get(*length)? {
                    Value::Int(n) if n >= 0 => usize::try_from(n).ok()?,
                    _ => return Some("undef".into()),
                },
            };
            let items: Option<Vec<String>> = items.iter().take(n).map(|item| whole(model, state, item)).collect();
            Some(format!("[{}]", items?.join(",")))
        }
        Shape::Mixed { kind, cases } => {
            let kind = model.show(state.get(*kind)?);
            match cases.iter().find(|(name, _)| *name == kind) {
                Some((_, shape)) => whole(model, state, shape),
                None => Some("undef".into()),
            }
        }
    }
}
