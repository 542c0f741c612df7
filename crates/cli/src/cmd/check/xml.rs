//! Traces in the XML of NuSMV.

use specwright_model::model::VarKind;
use specwright_model::{Model, State, Trace};
use std::fmt::Write;

/// A trace as NuSMV's `counter-example` document.
pub(super) fn trace(model: &Model, trace: &Trace, number: usize, description: &str) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<counter-example type=\"0\" id=\"{number}\" desc=\"{}\" >\n",
        escape(description)
    );
    // The loop ends where it began, and is shown so.
    let repeated = trace.loop_start.and_then(|start| trace.states.get(start));
    let mut before: Option<&State> = None;
    for (index, state) in trace.states.iter().chain(repeated).enumerate() {
        let id = index + 1;
        text.push_str("\t<node>\n");
        if let Some(before) = before {
            element(&mut text, model, before, id, "input", |kind| kind == VarKind::Input);
        }
        element(&mut text, model, state, id, "state", |kind| kind != VarKind::Input);
        text.push_str("\t</node>\n");
        before = Some(state);
    }
    let loops = trace.loop_start.map(|start| format!(" {} ", start + 1)).unwrap_or_default();
    let _ = writeln!(text, "\t<loops>{loops}</loops>\n</counter-example>");
    text
}

fn element(text: &mut String, model: &Model, state: &State, id: usize, tag: &str, wanted: fn(VarKind) -> bool) {
    let values = model.vars().filter(|(_, var)| wanted(var.kind));
    let values: Vec<_> = values.filter_map(|(id, var)| Some((&var.name, state.get(id)?))).collect();
    if values.is_empty() && tag == "input" {
        return;
    }
    let _ = writeln!(text, "\t\t<{tag} id=\"{id}\">");
    for (name, value) in values {
        let _ = writeln!(text, "\t\t\t<value variable=\"{}\">{}</value>", escape(name), escape(&model.show(value)));
    }
    let _ = writeln!(text, "\t\t</{tag}>");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
