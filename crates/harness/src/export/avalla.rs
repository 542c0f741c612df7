//! Export to Avalla, the scenarios of ASMETA: monitored functions are set, controlled ones are checked, shared ones are
//! checked and may be set, followed by a step.

use super::stem;
use specwright_model::interface::Role;
use specwright_model::interp::eval_bool;
use specwright_model::model::{PropertyKind, RuleChoice, Shape, VarKind};
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
    let n_states = test.trace.states.iter().position(|state| breaks_invariant(model, state));
    if n_states.is_some() && test.expect == Expect::Accept {
        text.push_str("// it ends before the step that breaks an invariant\n");
    }
    let n_states = n_states.filter(|_| test.expect == Expect::Accept).unwrap_or(test.trace.states.len()).max(1);
    for (number, state) in test.trace.states.iter().take(n_states).enumerate() {
        text.push_str(if number == 0 { "\n" } else { "step\n\n" });
        let note = test.note(number);
        if !note.is_empty() {
            let _ = writeln!(text, "// {}", line(note));
        }
        values(&mut text, model, state, number == 0);
        if number + 1 < n_states {
            picks(&mut text, model, state);
        }
    }
    text
}

/// Whether the model comes from a machine, whose locations have names of their own.
fn is_machine(model: &Model) -> bool {
    !model.source.aliases.is_empty() || !model.source.compounds.is_empty()
}

/// Whether a state violates an invariant of the machine. A simulator of machines stops there.
fn breaks_invariant(model: &Model, state: &State) -> bool {
    if !is_machine(model) {
        return false;
    }
    let invariants = model.properties.iter().filter(|property| property.kind == PropertyKind::Invar);
    let mut broken = invariants.map(|property| eval_bool(model, property.formula.expr, state, None));
    broken.any(|holds| holds == Ok(false))
}

/// The choices of a step. A scenario has one value for all choices of a variable in a rule, so it picks the value of those that
/// are made in the step, if they agree. A comment has the value of each, which is read back.
fn picks(text: &mut String, model: &Model, state: &State) {
    let choices = &model.source.choices;
    let value_of = |choice: &RuleChoice, name: &str| {
        let (_, row) = choice.values.iter().find(|(value, _)| state.get(choice.var) == Some(*value))?;
        let at = choice.names.iter().position(|known| known == name)?;
        row.get(at).filter(|_| row.len() == choice.names.len()).cloned()
    };
    for (at, choice) in choices.iter().enumerate() {
        for name in &choice.names {
            let others: Vec<(usize, &RuleChoice)> =
                choices.iter().enumerate().filter(|(_, other)| other.names.contains(name)).collect();
            let here: Vec<&(usize, &RuleChoice)> =
                others.iter().filter(|(_, other)| other.rule == choice.rule).collect();
            let number = here.iter().position(|(other, _)| *other == at).unwrap_or(0) + 1;
            let place = if others.len() > 1 { format!(" in {}", choice.rule) } else { String::new() };
            let is_made = |choice: &RuleChoice| eval_bool(model, choice.is_made, state, None) != Ok(false);
            let made = here.iter().filter(|(_, other)| here.len() == 1 || is_made(other));
            let mut wanted = made.map(|(_, other)| value_of(other, name));
            if number == 1
                && let Some(Some(value)) = wanted.next()
                && wanted.all(|other| other.as_ref() == Some(&value))
            {
                let _ = writeln!(text, "pick {name}{place} := {};", escape(&value, |c| is_harmful(c) || c == ';'));
            }
            if let Some(value) = value_of(choice, name).filter(|_| here.len() > 1) {
                let (name, n) = (line(name), here.len());
                let _ = writeln!(text, "// choice {number} of {n} for {name} in {}: {}", choice.rule, line(&value));
            }
        }
    }
}

/// The values in a state. What never changes in a machine is set in the first state.
fn values(text: &mut String, model: &Model, state: &State, is_first: bool) {
    let is_shown = |var: VarId| is_first || model[var].kind != VarKind::Frozen || !is_machine(model);
    for (id, var) in model.vars().filter(|(id, _)| is_shown(*id)) {
        // Locations have names of their own; a variable that only tells whether there is a value is implied by the
        // value.
        let alias = model.source.aliases.iter().find(|(known, _)| *known == id);
        if alias.is_none() && is_machine(model) {
            continue;
        }
        let Some(mut value) = single(model, state, id) else { continue };
        if model.source.naturals.contains(&id) && value.parse::<u64>().is_ok() {
            value.push('n');
        }
        let name = alias.map_or(var.name.as_str(), |(_, alias)| alias);
        say(text, is_set(model, id), written(model, name), &value);
    }
    for compound in &model.source.compounds {
        let (Some(value), Some(var)) = (whole(model, state, &compound.shape), compound.shape.first_var()) else {
            continue;
        };
        if !is_shown(var) {
            continue;
        }
        say(text, is_set(model, var), written(model, &compound.name), &value);
    }
    // The result of a step is checked before the environment changes it.
    for shared in model.source.shared.iter().filter(|shared| state.get(shared.set) == Some(Value::Bool(true))) {
        if let Some(value) = whole(model, state, &shared.value) {
            say(text, true, written(model, &shared.name), &value);
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

/// The name of a location as ASMETA writes it.
fn written<'a>(model: &'a Model, name: &'a str) -> &'a str {
    let known = model.source.natural_names.iter().find(|(known, _)| known == name);
    known.map_or(name, |(_, written)| written)
}

/// Whether a text names an element that the machine creates. A scenario has no name for it.
fn is_created(text: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '#')).any(|word| {
        word.split_once('#').is_some_and(|(domain, number)| !domain.is_empty() && number.parse::<u32>().is_ok())
    })
}

fn say(text: &mut String, is_set: bool, name: &str, value: &str) {
    if !value.starts_with('"') && (is_created(name) || is_created(value)) {
        let _ = writeln!(text, "// {} is {}", line(name), line(value));
        return;
    }
    if !is_set && matches!(value, "[]" | "{}") {
        // ASMETA does not read a comparison with an empty sequence or set.
        let _ = writeln!(text, "check isEmpty({});", escape(name, ends_name));
        return;
    }
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
        value => model.show_of(id, value),
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
        Shape::Fraction(_, shape) => whole(model, state, shape),
        Shape::Mixed { kind, cases } => {
            let kind = model.show(state.get(*kind)?);
            match cases.iter().find(|(name, _)| *name == kind) {
                Some((_, shape)) => whole(model, state, shape),
                None => Some("undef".into()),
            }
        }
    }
}
