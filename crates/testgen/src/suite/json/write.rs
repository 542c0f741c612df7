//! Writer of suites in JSON, with one line for each state, so that diffs of tests are readable.

use super::types;
use crate::suite::test::{Expect, GoalCounts, Suite, Test};
use serde::Serialize;
use specwright_model::Model;
use specwright_model::interface::{Observable, outputs};
use specwright_model::model::{DefineId, VarKind};
use specwright_model::trace::{TraceJson, ValueJson};
use std::fmt::Write;

/// The name of the format.
pub const SCHEMA: &str = "specwright/suite/2";

/// Earlier versions of the format, which are still read: the first one has no defines and no timing of inputs.
pub(super) const EARLIER: [&str; 1] = ["specwright/suite/1"];

#[derive(Serialize)]
struct VariableJson<'a> {
    name: &'a str,
    r#type: String,
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<&'static str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    optional: bool,
}

#[derive(Serialize)]
struct GoalsJson {
    total: usize,
    covered: usize,
    infeasible: usize,
    nonfalsifiable: usize,
    #[serde(skip_serializing_if = "is_zero")]
    inconsistent: usize,
    #[serde(skip_serializing_if = "is_zero")]
    possible: usize,
    #[serde(skip_serializing_if = "is_zero")]
    conforming: usize,
    #[serde(skip_serializing_if = "is_zero")]
    equivalent: usize,
    unknown: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "this is how it is called")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A suite as JSON.
pub fn write_json(model: &Model, suite: &Suite) -> String {
    let mut text = format!("{{\n  \"schema\": {},\n  \"model\": {},\n", json(SCHEMA), json(&suite.model));
    if let Some(hash) = &suite.model_hash {
        let _ = writeln!(text, "  \"model_hash\": {},", json(hash));
    }
    let (timings, defines) = (model.timings(), suite.defines(model));
    let specified = model.vars().filter(|(var, _)| !model.is_shadow(*var));
    let variables = specified.map(|(id, var)| {
        json(&VariableJson {
            name: &var.name,
            r#type: types::show_of(model, id),
            role: model.role(id).name(),
            kind: match var.kind {
                VarKind::State => None,
                VarKind::Frozen => Some("frozen"),
                VarKind::Input => Some("input"),
            },
            timing: timings.get(&id).map(|timing| timing.name()),
            optional: model.interface.is_optional(Observable::Var(id)),
        })
    });
    let defined = defines.iter().filter_map(|define| {
        let of = Observable::Define(*define);
        Some(json(&VariableJson {
            name: &model[*define].name,
            r#type: types::show(model, &outputs::domain(model, *define)?),
            role: model.interface.role(of).name(),
            kind: None,
            timing: None,
            optional: model.interface.is_optional(of),
        }))
    });
    let variables = variables.chain(defined);
    let _ = writeln!(text, "  \"variables\": {},", list(variables, 2));
    let tests = suite.tests.iter().map(|test| test_json(model, &defines, test));
    let _ = write!(text, "  \"tests\": {}", list(tests, 2));
    if let Some(goals) = &suite.goals {
        let _ = write!(text, ",\n  \"goals\": {}", json(&GoalsJson::from(goals)));
    }
    text.push_str("\n}\n");
    text
}

fn test_json(model: &Model, defines: &[DefineId], test: &Test) -> String {
    let expect = match test.expect {
        Expect::Accept => "accept",
        Expect::Reject => "reject",
    };
    let mut trace = TraceJson::new(model, &test.trace);
    for (index, state) in trace.states.iter_mut().enumerate() {
        let values = defines.iter().filter_map(|define| {
            let value = test.value_of(model, index, *define)?;
            Some((model[*define].name.clone(), ValueJson::new(model, value)))
        });
        state.0.extend(values);
    }
    let states = list(trace.states.iter().map(json), 6);
    let back = trace.loop_start.map(|start| format!(", \"loop\": {start}")).unwrap_or_default();
    let departure = test.departure.map(|state| format!("\n      \"departure\": {state},")).unwrap_or_default();
    let shows =
        if test.shows.is_empty() { String::new() } else { format!("\n      \"shows\": {},", json(&test.shows)) };
    let mut text = format!(
        "{{\n      \"name\": {},{shows}\n      \"expect\": \"{expect}\",{departure}\n      \"trace\": {{\"states\": {states}{back}}},\n      \"goals\": {}",
        json(&test.name),
        json(&test.goals)
    );
    if !test.possible.is_empty() {
        let _ = write!(text, ",\n      \"possible\": {}", json(&test.possible));
    }
    if !test.notes.is_empty() {
        let _ = write!(text, ",\n      \"notes\": {}", list(test.notes.iter().map(json), 6));
    }
    text.push_str("\n    }");
    text
}

/// A list with an item on each line, at an indentation.
fn list(items: impl Iterator<Item = String>, indent: usize) -> String {
    let items: Vec<String> = items.map(|item| format!("\n{:indent$}  {item}", "")).collect();
    if items.is_empty() { "[]".into() } else { format!("[{}\n{:indent$}]", items.join(","), "") }
}

fn json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("names and numbers can be written")
}

impl From<&GoalCounts> for GoalsJson {
    fn from(counts: &GoalCounts) -> GoalsJson {
        GoalsJson {
            total: counts.total,
            covered: counts.covered,
            infeasible: counts.infeasible,
            nonfalsifiable: counts.nonfalsifiable,
            inconsistent: counts.inconsistent,
            possible: counts.possible,
            conforming: counts.conforming,
            equivalent: counts.equivalent,
            unknown: counts.unknown,
        }
    }
}
