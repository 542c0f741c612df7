//! Export to the Informal Trace Format of Apalache and Quint: JSON, a document for each trace.

use serde_json::{Map, Value as Json, json};
use specwright_model::{Model, Value};
use specwright_testgen::suite::{Expect, Suite};

/// A test as a document.
pub(super) fn write(model: &Model, suite: &Suite, index: usize) -> String {
    let test = &suite.tests[index];
    let mut meta = Map::new();
    meta.insert("format".into(), "ITF".into());
    meta.insert("description".into(), "Written by specwright export".into());
    meta.insert("source".into(), suite.model.clone().into());
    meta.insert("test".into(), test.name.clone().into());
    if let Some(hash) = &suite.model_hash {
        meta.insert("model_hash".into(), hash.clone().into());
    }
    if test.expect == Expect::Reject {
        meta.insert("expect".into(), "reject".into());
    }
    if let Some(departure) = test.departure {
        meta.insert("departure".into(), departure.into());
    }
    if !test.goals.is_empty() {
        meta.insert("goals".into(), test.goals.clone().into());
    }
    if !test.notes.is_empty() {
        meta.insert("notes".into(), test.notes.clone().into());
    }
    let states = test.trace.states.iter().enumerate().map(|(number, state)| {
        let mut written = Map::new();
        written.insert("#meta".into(), json!({"index": number}));
        for (id, var) in model.vars() {
            if let Some(value) = state.get(id) {
                written.insert(var.name.clone(), self::value(model, value));
            }
        }
        Json::Object(written)
    });
    let states: Vec<Json> = states.collect();
    let mut document = Map::new();
    document.insert("#meta".into(), Json::Object(meta));
    document.insert("vars".into(), model.vars.iter().map(|var| var.name.clone()).collect::<Vec<_>>().into());
    document.insert("states".into(), states.into());
    if let Some(start) = test.trace.loop_start {
        document.insert("loop".into(), start.into());
    }
    serde_json::to_string_pretty(&document).expect("names and values can be written") + "\n"
}

fn value(model: &Model, value: Value) -> Json {
    match value {
        Value::Bool(truth) => truth.into(),
        Value::Int(number) => json!({"#bigint": number.to_string()}),
        Value::Symbol(_) | Value::Word(_) => model.show(value).into(),
    }
}
