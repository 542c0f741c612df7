//! Counterexamples on earlier mutants, replayed on later ones.
//!
//! Mutants of one machine differ in one place, so an execution that refutes a property on one of them is often an execution of
//! the next one, too. To find that out takes no search.

use super::safety_clause::is_universal;
use crate::policy::AUDIT_REPLAYS;
use specwright_model::interp::{check_trace, kills, unfair};
use specwright_model::model::{Property, PropertyKind};
use specwright_model::{Model, Trace, TransitionSystem};

/// The executions that refuted properties last.
pub(super) struct Counterexamples {
    /// For each property, the one that served last first; nothing if no execution alone refutes the property.
    traces: Vec<Option<Vec<Trace>>>,
}

impl Counterexamples {
    pub(super) fn new<'a>(
        model: &Model,
        properties: impl IntoIterator<Item = &'a (usize, Property)>,
    ) -> Counterexamples {
        let traces = properties.into_iter().map(|(_, property)| is_universal(model, property).then(Vec::new));
        Counterexamples { traces: traces.collect() }
    }

    /// Whether one of them is an execution of a machine and refutes a property there. Every state of the machine has a successor.
    pub(super) fn refute(&mut self, place: usize, property: &Property, machine: &TransitionSystem) -> bool {
        let Some(traces) = &mut self.traces[place] else { return false };
        let refutes = |trace: &Trace| {
            (property.kind == PropertyKind::Invar || is_fair(trace, machine))
                && check_trace(machine, trace).is_ok()
                && kills(machine, trace, property).unwrap_or(false)
        };
        let Some(found) = traces.iter().position(refutes) else { return false };
        traces[..=found].rotate_right(1);
        true
    }

    /// Keeps what refuted a property.
    pub(super) fn add(&mut self, place: usize, trace: Trace) {
        let Some(traces) = &mut self.traces[place] else { return };
        traces.insert(0, trace);
        traces.truncate(AUDIT_REPLAYS);
    }
}

/// Whether an execution is part of a fair one, if it is one at all.
fn is_fair(trace: &Trace, machine: &TransitionSystem) -> bool {
    let is_unconstrained = machine.justice.is_empty() && machine.compassion.is_empty();
    is_unconstrained || trace.loop_start.is_some() && unfair(machine, trace).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use specwright_mc::{Answer, Options, Sat, Witness};
    use specwright_model::testing::model;
    use specwright_syntax::budget::Budget;

    #[test]
    fn a_counterexample_refutes_where_it_is_an_execution_and_nowhere_else() {
        let text = |step: &str| {
            format!(
                "MODULE main VAR n : 0..4; ASSIGN init(n) := 0; next(n) := {step}; CTLSPEC AG n < 3 CTLSPEC EF n = 4"
            )
        };
        let (wrong, other) = (model(&text("n < 4 ? n + 1 : 0")), model(&text("{n, 3}")));
        let properties: Vec<(usize, Property)> = wrong.properties.iter().cloned().enumerate().collect();
        let mut known = Counterexamples::new(&wrong, &properties);
        let mut sat = Sat::new(wrong.system.clone(), &Options::default()).unwrap();
        let Answer::Found(Witness::Trace(trace)) = sat.check(&properties[0].1, &Budget::default()) else { panic!() };
        known.add(0, trace.clone());
        known.add(1, trace);
        assert!(known.refute(0, &properties[0].1, &wrong));
        // It takes three steps to 3, and the other machine gets there in one.
        assert!(!known.refute(0, &properties[0].1, &other));
        // No execution refutes that something is possible.
        assert!(!known.refute(1, &properties[1].1, &wrong));
    }
}
