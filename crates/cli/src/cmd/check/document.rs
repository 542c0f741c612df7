//! `check --format json`.

use super::hazards::Found;
use super::{Checked, quantity_text, reason_text, word};
use crate::cmd::show::{kind_text, property_text};
use crate::load::Loaded;
use serde::{Serialize, Serializer};
use specwright_mc::bdd::Count;
use specwright_mc::{Answer, Quantity, Witness};
use specwright_model::model::Hazard;
use specwright_model::trace::TraceJson;
use specwright_syntax::diagnostic::Diagnostic;

#[derive(Serialize)]
pub(super) struct Document {
    schema: &'static str,
    model: String,
    properties: Vec<PropertyEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hazards: Vec<HazardEntry>,
    warnings: Vec<WarningEntry>,
}

#[derive(Serialize)]
struct HazardEntry {
    description: String,
    /// The lines of what is involved.
    lines: Vec<usize>,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<TraceJson>,
}

#[derive(Serialize)]
struct PropertyEntry {
    number: usize,
    name: Option<String>,
    kind: &'static str,
    text: String,
    line: Option<usize>,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<TraceJson>,
}

#[derive(Serialize)]
struct WarningEntry {
    code: &'static str,
    message: String,
    notes: Vec<String>,
    line: Option<usize>,
}

/// A number, or a word where no number fits.
enum Number {
    Exact(u64),
    Approximate(f64),
    Word(String),
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Number::Exact(number) => serializer.serialize_u64(*number),
            Number::Approximate(number) => serializer.serialize_f64(*number),
            Number::Word(word) => serializer.serialize_str(word),
        }
    }
}

pub(super) fn document(
    loaded: &Loaded,
    results: &[Checked],
    n_states: Option<&Count>,
    depth: Option<usize>,
    warnings: &[Diagnostic],
    hazards: &[(Hazard, Found)],
) -> Document {
    let line = |span| loaded.sources.locate(span).map(|(_, line, _)| line);
    let hazards = hazards.iter().map(|(hazard, found)| {
        let (verdict, reason, trace) = match found {
            Found::Happens(trace) => ("happens", None, Some(TraceJson::new(&loaded.model, trace))),
            Found::Unknown(reason) => ("unknown", Some(reason.clone()), None),
        };
        let lines = hazard.sites.iter().filter_map(|(span, ..)| line(*span)).collect();
        HazardEntry { description: hazard.description.clone(), lines, verdict, reason, trace }
    });
    let properties = results.iter().map(|checked| {
        let property = &loaded.model.properties[checked.index];
        let trace = |trace| Some(TraceJson::new(&loaded.model, trace));
        let (evidence, trace) = match &checked.verdict.violation {
            Answer::Found(Witness::Trace(found)) => (Some("trace"), trace(found)),
            Answer::Found(Witness::Prefix(found)) => (Some("prefix"), trace(found)),
            Answer::Found(Witness::Unshown) => (Some("none"), None),
            _ => (None, None),
        };
        PropertyEntry {
            number: checked.index + 1,
            name: property.name.clone(),
            kind: kind_text(property.kind),
            text: property_text(&loaded.model, property),
            line: line(property.span),
            verdict: word(&checked.verdict),
            value: checked.verdict.value.map(|value| match value {
                Quantity::Steps(steps) => Number::Exact(steps),
                quantity => Number::Word(quantity_text(quantity)),
            }),
            reason: checked.verdict.violation.reason().map(|reason| reason_text(loaded, reason)),
            evidence,
            trace,
        }
    });
    let warnings = warnings.iter().map(|warning| WarningEntry {
        code: warning.code.0,
        message: warning.message.clone(),
        notes: warning.notes.clone(),
        line: line(warning.primary.span),
    });
    let states = n_states.map(|count| match count.exact.and_then(|exact| u64::try_from(exact).ok()) {
        Some(exact) => Number::Exact(exact),
        None if count.approximate.is_finite() => Number::Approximate(count.approximate),
        None => Number::Word(count.to_string()),
    });
    Document {
        schema: "specwright/check/1",
        model: loaded.model.name.clone(),
        properties: properties.collect(),
        states,
        depth,
        hazards: hazards.collect(),
        warnings: warnings.collect(),
    }
}
