//! Export to the trace formats of NuSMV: XML and text.

use specwright_model::model::VarKind;
use specwright_model::trace::{TextOptions, to_text};
use specwright_model::{Model, State, Trace};
use specwright_syntax::escape::line;
use specwright_testgen::suite::{Suite, Test};
use std::fmt::Write;

/// A trace as a `counter-example` document of NuSMV.
pub fn xml(model: &Model, trace: &Trace, number: usize, description: &str) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<counter-example type=\"0\" id=\"{number}\" desc=\"{}\" >\n",
        text_of(description)
    );
    // The first state of the loop is shown again at the end.
    let repeated = trace.loop_start.and_then(|start| trace.states.get(start));
    let mut before: Option<&State> = None;
    let mut n_nodes = 0;
    for (index, state) in trace.states.iter().chain(repeated).enumerate() {
        n_nodes = index + 1;
        text.push_str("\t<node>\n");
        if let Some(before) = before {
            element(&mut text, model, before, n_nodes, "input", |kind| kind == VarKind::Input);
        }
        element(&mut text, model, state, n_nodes, "state", |kind| kind != VarKind::Input);
        text.push_str("\t</node>\n");
        before = Some(state);
    }
    // Inputs in the last state of a finite trace, although no step takes them.
    let last = trace.states.last().filter(|_| trace.loop_start.is_none());
    if let Some(last) = last.filter(|last| has_inputs(model, last)) {
        text.push_str("\t<node>\n");
        element(&mut text, model, last, n_nodes + 1, "input", |kind| kind == VarKind::Input);
        text.push_str("\t</node>\n");
    }
    let loops = trace.loop_start.map(|start| format!(" {} ", start + 1)).unwrap_or_default();
    let _ = writeln!(text, "\t<loops>{loops}</loops>\n</counter-example>");
    text
}

/// A text escaped so that it round-trips: on one line, without characters that XML cannot have.
fn text_of(text: &str) -> String {
    line(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn has_inputs(model: &Model, state: &State) -> bool {
    model.vars().any(|(id, var)| var.kind == VarKind::Input && state.get(id).is_some())
}

fn element(text: &mut String, model: &Model, state: &State, id: usize, tag: &str, wanted: fn(VarKind) -> bool) {
    let values = model.vars().filter(|(_, var)| wanted(var.kind));
    let values: Vec<_> = values.filter_map(|(id, var)| Some((&var.name, state.get(id)?))).collect();
    if values.is_empty() && tag == "input" {
        return;
    }
    let _ = writeln!(text, "\t\t<{tag} id=\"{id}\">");
    for (name, value) in values {
        let _ = writeln!(text, "\t\t\t<value variable=\"{}\">{}</value>", text_of(name), text_of(&model.show(value)));
    }
    let _ = writeln!(text, "\t\t</{tag}>");
}

/// A test as such a document.
pub(super) fn test_xml(model: &Model, suite: &Suite, index: usize) -> String {
    let test = &suite.tests[index];
    xml(model, &test.trace, index + 1, &description(test))
}

/// All tests in NuSMV's text format.
pub(super) fn text(model: &Model, suite: &Suite) -> String {
    let mut text = String::new();
    for (index, test) in suite.tests.iter().enumerate() {
        // If only changes were shown, a value that becomes unknown would look unchanged.
        let options = TextOptions {
            number: index + 1,
            description: description(test),
            kind: "Simulation".into(),
            all: true,
            defines: Vec::new(),
        };
        text.push_str(&to_text(model, &test.trace, &options));
    }
    text
}

/// The name of a test, and whether it is negative.
fn description(test: &Test) -> String {
    let name = &test.name;
    match test.expect {
        specwright_testgen::suite::Expect::Accept => format!("test {name}"),
        specwright_testgen::suite::Expect::Reject => format!("rejected test {name}"),
    }
}
