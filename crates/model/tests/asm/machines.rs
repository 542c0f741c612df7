//! Minimal machines, and what becomes of their locations.

use super::{single, whole};
use specwright_model::Model;
use specwright_model::interp::{Explorer, initial_states, steps_from};
use specwright_model::lower::asm::{Options, lower};
use specwright_syntax::asm::parse;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceMap;

/// A machine from a signature, definitions with a main rule, and initial values.
pub(super) fn machine(signature: &str, definitions: &str, init: &str) -> (Option<Model>, Vec<Diagnostic>) {
    let text = format!(
        "asm small\nimport StandardLibrary\nsignature:\n{signature}\ndefinitions:\n{definitions}\n\
         default init s0:\n{init}\n"
    );
    let mut sources = SourceMap::default();
    sources.add("small.asm", text.as_str()).expect("it is small");
    let (file, diagnostics) = parse(&sources.files()[0]);
    assert!(diagnostics.is_empty(), "{diagnostics:?} in\n{text}");
    lower(std::slice::from_ref(&file), &Options { name: "small".into(), mutants: true, ..Options::default() })
}

pub(super) fn model(signature: &str, definitions: &str, init: &str) -> Model {
    let (model, diagnostics) = machine(signature, definitions, init);
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

pub(super) fn complaint(signature: &str, definitions: &str, init: &str) -> String {
    let (_, diagnostics) = machine(signature, definitions, init);
    diagnostics.first().map(|diagnostic| format!("{}: {}", diagnostic.code.0, diagnostic.message)).unwrap_or_default()
}

/// The values of a location along the only execution, until there is no step.
pub(super) fn history(model: &Model, location: &str) -> Vec<String> {
    let explorer = Explorer::new(model);
    let mut state = initial_states(model, 100_000).expect("initial states are found").remove(0);
    let mut seen = Vec::new();
    for _ in 0..8 {
        let compound = model.source.compounds.iter().find(|compound| compound.name == location);
        let value = match compound {
            Some(compound) => whole(model, &state, &compound.shape),
            None => single(model, &state, model.var_named(location).expect("it is a variable")),
        };
        seen.push(value.to_string());
        match steps_from(&explorer, &state, 100_000).expect("steps are found").into_iter().next() {
            Some(step) => state = step.next,
            None => break,
        }
    }
    seen
}

/// The values of a location in all reachable states.
pub(super) fn reached(model: &Model, location: &str) -> Vec<String> {
    let explorer = Explorer::new(model);
    let var = model.var_named(location).expect("it is a variable");
    let mut open = initial_states(model, 100_000).expect("initial states are found");
    let mut known = open.clone();
    while let Some(state) = open.pop() {
        for step in steps_from(&explorer, &state, 100_000).expect("steps are found") {
            if !known.contains(&step.next) {
                known.push(step.next.clone());
                open.push(step.next);
            }
        }
    }
    let mut values: Vec<String> = known.iter().map(|state| single(model, state, var).to_string()).collect();
    values.sort();
    values.dedup();
    values
}

/// The value of a term.
pub(super) fn value(term: &str) -> String {
    let given = "\tenum domain Color = {RED | GREEN | BLUE}\n\tcontrolled n: Integer\n\tcontrolled x: Any\n\
                 \tcontrolled c: Color\n\tcontrolled t: String";
    let rule = format!("\tmain rule r_Main = par x := {term} n := n + 0 c := c t := t endpar");
    let model = model(given, &rule, "\tfunction n = 2\n\tfunction c = GREEN\n\tfunction t = \"ab\"");
    history(&model, "x").get(1).cloned().unwrap_or_default()
}
