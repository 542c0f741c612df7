//! What a model is made of.

use crate::session::Session;
use crate::words::{domain_text, kind_text, property_text};
use serde::Serialize;
use specwright_model::interface::Observable;
use specwright_model::model::VarKind;

/// What a model is made of.
#[derive(Serialize)]
pub struct ShowDocument {
    schema: &'static str,
    model: String,
    variables: Vec<VariableEntry>,
    instances: Vec<InstanceEntry>,
    defines: Vec<DefineEntry>,
    properties: Vec<PropertyEntry>,
    counts: Counts,
}

#[derive(Serialize)]
struct VariableEntry {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    kind: &'static str,
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<&'static str>,
    bits: Option<u32>,
    line: Option<usize>,
}

#[derive(Serialize)]
struct InstanceEntry {
    name: String,
    module: String,
    process: bool,
}

#[derive(Serialize)]
struct DefineEntry {
    name: String,
    text: String,
    role: &'static str,
    line: Option<usize>,
}

#[derive(Serialize)]
struct PropertyEntry {
    number: usize,
    name: Option<String>,
    kind: &'static str,
    text: String,
    line: Option<usize>,
}

#[derive(Serialize)]
struct Counts {
    variables: usize,
    bits: Option<u32>,
    instances: usize,
    defines: usize,
    assignments: usize,
    init: usize,
    trans: usize,
    invar: usize,
    justice: usize,
    compassion: usize,
    properties: usize,
}

impl ShowDocument {
    /// The document of a model.
    pub fn new(session: &Session) -> ShowDocument {
        let Session { model, .. } = session;
        let line = |span| session.sources.locate(span).map(|(_, line, _)| line);
        let timings = model.timings();
        let variables = model.vars().map(|(id, var)| VariableEntry {
            name: var.name.clone(),
            ty: domain_text(model, &var.domain),
            kind: match var.kind {
                VarKind::State => "state",
                VarKind::Frozen => "frozen",
                VarKind::Input => "input",
            },
            role: model.role(id).name(),
            timing: timings.get(&id).map(|timing| timing.name()),
            bits: var.domain.bits(),
            line: line(var.span),
        });
        let instances = model.source.instances.iter().filter(|instance| !instance.path.is_empty()).map(|instance| {
            InstanceEntry { name: instance.path.clone(), module: instance.module.clone(), process: instance.process }
        });
        let instances: Vec<InstanceEntry> = instances.collect();
        let defines = model.defines().map(|(id, define)| DefineEntry {
            name: define.name.clone(),
            text: model.show_sourced(&define.body),
            role: model.interface.role(Observable::Define(id)).name(),
            line: line(define.span),
        });
        let properties = model.properties.iter().enumerate().map(|(index, property)| PropertyEntry {
            number: index + 1,
            name: property.name.clone(),
            kind: kind_text(property.kind),
            text: property_text(model, property),
            line: line(property.span),
        });
        ShowDocument {
            schema: "specwright/show/1",
            model: model.name.clone(),
            variables: variables.collect(),
            defines: defines.collect(),
            properties: properties.collect(),
            counts: Counts {
                variables: model.vars.len(),
                bits: model.vars.iter().map(|var| var.domain.bits()).sum(),
                instances: instances.len(),
                defines: model.defines.len(),
                assignments: model.assigns.len(),
                init: model.init.len(),
                trans: model.trans.len(),
                invar: model.invar.len(),
                justice: model.justice.len(),
                compassion: model.compassion.len(),
                properties: model.properties.len(),
            },
            instances,
        }
    }
}
