//! Whether it matters which of two delays ends first if both end at the same moment.
//!
//! It does not where the delays belong to different regions of a parallel state, each region does nothing but change its own
//! states and variables, and nothing else asks for both.

use super::Lowering;
use super::order::Touched;
use specwright_syntax::statechart::ast::{Expr, ExprKind, StateId, StateKind};

impl Lowering<'_> {
    /// Whether the ends of delays of two states lead to the same in whichever order they come.
    pub(super) fn independent(&self, a: StateId, b: StateId) -> bool {
        let chart = self.chart;
        let Some(common) = chart.ancestors(a).find(|ancestor| chart.is_descendant(b, *ancestor)) else { return false };
        if chart[common].kind != StateKind::Parallel || chart.is_descendant(a, b) || chart.is_descendant(b, a) {
            return false;
        }
        let region = |state: StateId| {
            chart.substates(common).find(|child| *child == state || chart.is_descendant(state, *child))
        };
        let (Some(of_a), Some(of_b)) = (region(a), region(b)) else { return false };
        let is_in = |state: StateId, region: StateId| state == region || chart.is_descendant(state, region);
        // Later delays of the regions start in the order in which these end, so the order of none may matter.
        let all_stay = |region: StateId| {
            let mut timers = self.layout.timers.iter().filter(|timer| is_in(timer.owner, region));
            timers.all(|timer| {
                let takers = self.takers.of(chart, &self.events[timer.event].name);
                takers.iter().all(|(state, _)| is_in(*state, region))
            })
        };
        if !all_stay(of_a) || !all_stay(of_b) {
            return false;
        }
        let (Some(in_a), Some(in_b)) = (self.touched_inside(of_a), self.touched_inside(of_b)) else { return false };
        // Eventless transitions elsewhere come after each of the two.
        let mut elsewhere = Touched::default();
        for state in self.takers.eventless() {
            for index in &chart[*state].transitions {
                let transition = &chart.transitions[*index];
                if transition.events.is_empty() {
                    elsewhere.actions(&transition.actions);
                    if let Some(guard) = &transition.guard {
                        elsewhere.expr(guard);
                        if asks_for_states(guard) {
                            return false;
                        }
                    }
                }
            }
        }
        let apart =
            |x: &Touched, y: &Touched| x.writes.iter().all(|name| !y.writes.contains(name) && !y.reads.contains(name));
        apart(&in_a, &in_b) && apart(&in_b, &in_a) && apart(&in_a, &elsewhere) && apart(&in_b, &elsewhere)
    }

    /// What a region reads and writes; nothing if it does more than that.
    fn touched_inside(&self, region: StateId) -> Option<Touched> {
        let chart = self.chart;
        let mut touched = Touched::default();
        for at in region.index()..=self.extents[region.index()] {
            let state = &chart.states[at];
            let is_silent = state.kind != StateKind::Final && state.invokes.is_empty() && state.done_data.is_none();
            if !is_silent {
                return None;
            }
            touched.actions(&state.entry);
            touched.actions(&state.exit);
            if let Some(initial) = &state.initial {
                touched.actions(&initial.actions);
            }
            for index in &state.transitions {
                let transition = &chart.transitions[*index];
                let is_inside = match self.domains[*index] {
                    None => true,
                    Some(domain) => {
                        domain.is_some_and(|domain| domain == region || chart.is_descendant(domain, region))
                    }
                };
                let asks = transition.guard.as_ref().is_some_and(asks_for_states);
                if !is_inside || asks || transition.events.is_empty() {
                    return None;
                }
                touched.actions(&transition.actions);
                if let Some(guard) = &transition.guard {
                    touched.expr(guard);
                }
            }
        }
        (!touched.raises && !touched.asks).then_some(touched)
    }
}

/// Whether an expression asks whether a state is active.
fn asks_for_states(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::In(_)) || expr.parts().into_iter().any(asks_for_states)
}
