//! What is known of a model that was checked.

use crate::check::hazards::Found;
use crate::check::{Checked, quantity_text, reason_text};
use crate::session::Session;
use crate::words::{kind_text, property_text};
use serde::{Serialize, Serializer};
use specwright_mc::{Answer, Engine, Quantity, Witness};
use specwright_model::trace::{Defines, TraceJson};

/// What is known of a model that was checked.
#[derive(Serialize)]
pub struct CheckDocument {
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
    /// The engine that answered, unless these are decision diagrams.
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'static str>,
    /// Whether a certificate was written for it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    certified: bool,
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

impl CheckDocument {
    /// The document of a check with the values of some defines; `why_stopped` are the words for a cancellation.
    pub fn new(session: &Session, checked: &Checked, which: Defines, why_stopped: &str) -> CheckDocument {
        let (model, defines) = (&session.model, session.model.shown_defines(which));
        let trace = |trace| Some(TraceJson::new(model, trace).with_defines(model, trace, &defines));
        let line = |span| session.sources.locate(span).map(|(_, line, _)| line);
        let hazards = checked.hazards.iter().map(|(hazard, found)| {
            let (verdict, reason, trace) = match found {
                Found::Happens(found) => ("happens", None, trace(found)),
                Found::Unknown(reason) => ("unknown", Some(reason.clone()), None),
            };
            let lines = hazard.sites.iter().filter_map(|(span, ..)| line(*span)).collect();
            HazardEntry { description: hazard.description.clone(), lines, verdict, reason, trace }
        });
        let properties = checked.verdicts.iter().map(|verdict| {
            let property = &session.model.properties[verdict.index];
            let (evidence, trace) = match &verdict.violation {
                Answer::Found(Witness::Trace(found)) => (Some("trace"), trace(found)),
                Answer::Found(Witness::Prefix(found)) => (Some("prefix"), trace(found)),
                Answer::Found(Witness::Unshown) => (Some("none"), None),
                _ => (None, None),
            };
            PropertyEntry {
                number: verdict.index + 1,
                name: property.name.clone(),
                kind: kind_text(property.kind),
                text: property_text(&session.model, property),
                line: line(property.span),
                verdict: verdict.word(),
                value: verdict.value.map(|value| match value {
                    Quantity::Steps(steps) => Number::Exact(steps),
                    quantity => Number::Word(quantity_text(quantity)),
                }),
                reason: verdict.violation.reason().map(|reason| reason_text(&session.model, reason, why_stopped)),
                engine: match verdict.engine {
                    Engine::Sat => Some("sat"),
                    Engine::Explicit => Some("explicit"),
                    Engine::Auto | Engine::Bdd => None,
                },
                certified: checked.certified.contains(&verdict.index),
                evidence,
                trace,
            }
        });
        let warnings = checked.warnings.iter().map(|warning| WarningEntry {
            code: warning.code.0,
            message: warning.message.clone(),
            notes: warning.notes.clone(),
            line: line(warning.primary.span),
        });
        let states =
            checked.n_states.as_ref().map(|count| match count.exact.and_then(|exact| u64::try_from(exact).ok()) {
                Some(exact) => Number::Exact(exact),
                None if count.approximate.is_finite() => Number::Approximate(count.approximate),
                None => Number::Word(count.to_string()),
            });
        CheckDocument {
            schema: "specwright/check/1",
            model: session.model.name.clone(),
            properties: properties.collect(),
            states,
            depth: checked.depth,
            hazards: hazards.collect(),
            warnings: warnings.collect(),
        }
    }
}
