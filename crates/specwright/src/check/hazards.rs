//! Steps that a specification calls for and does not allow, such as updates that contradict each other.

use crate::words::count;
use specwright_mc::{Answer, Reason};
use specwright_model::model::{Hazard, VarKind};
use specwright_model::{ExprId, Model, Node, Trace, VarId, interp};
use specwright_syntax::diagnostic::Diagnostic;

/// What became of a hazard.
#[derive(Clone, Debug)]
pub enum Found {
    /// This execution leads to where it happens.
    Happens(Trace),
    /// Whether it happens is not known, for this reason.
    Unknown(String),
}

/// The hazards that happen, or may.
pub(crate) fn find(
    model: &Model,
    mut reach: impl FnMut(ExprId) -> Answer<Trace>,
    reason_text: impl Fn(&Reason) -> String,
) -> Vec<(Hazard, Found)> {
    let mut found = Vec::new();
    for hazard in model.source.hazards.clone() {
        let chosen = |node: &Node| matches!(node, Node::Var(var) if model[*var].kind == VarKind::Input);
        if model.mentions(hazard.predicate, chosen) {
            found.push((hazard, Found::Unknown("it depends on too many choices".into())));
            continue;
        }
        match reach(hazard.predicate) {
            Answer::Found(trace) => found.push((hazard, Found::Happens(trace))),
            Answer::Impossible(_) => {}
            Answer::Undecided(reason) => {
                let reason = reason_text(&reason);
                found.push((hazard, Found::Unknown(reason)));
            }
        }
    }
    found
}

/// What happens, as diagnostics that point at what is involved.
pub(crate) fn diagnostics(model: &Model, hazards: &[(Hazard, Found)]) -> Vec<Diagnostic> {
    let happens = hazards.iter().filter_map(|(hazard, found)| match found {
        Found::Happens(trace) => diagnostic(model, hazard, trace),
        Found::Unknown(_) => None,
    });
    happens.collect()
}

fn diagnostic(model: &Model, hazard: &Hazard, trace: &Trace) -> Option<Diagnostic> {
    let mut sites = hazard.sites.iter();
    let (span, text, _) = sites.next()?;
    let mut diagnostic = Diagnostic::warning(hazard.code, *span, hazard.description.clone()).label(text.clone());
    for (span, text, _) in sites {
        diagnostic = diagnostic.also(*span, text.clone());
    }
    let state = trace.states.last()?;
    let value = |var: VarId| Some(format!("{} = {}", model[var].name, model.show_of(var, state.get(var)?)));
    let known: Vec<String> = interp::support(model, hazard.predicate).now.into_iter().filter_map(value).collect();
    let steps = count(trace.states.len() - 1, "step");
    let when = if known.is_empty() { String::new() } else { format!(", when {}", known.join(", ")) };
    Some(diagnostic.note(format!("after {steps}{when}")))
}
