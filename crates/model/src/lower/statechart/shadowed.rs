//! Transitions that never come to their turn: others of the same state always precede them.

use super::Lowering;
use rustc_hash::FxHashMap;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::statechart::codes;

impl Lowering<'_> {
    /// Warns of transitions that come after one without a guard, for each of their events.
    pub(super) fn report_shadowed(&mut self) {
        let chart = self.chart;
        // The lists of transitions among which an event chooses, for each state.
        let mut lists: Vec<Vec<Vec<usize>>> = vec![Vec::new(); chart.states.len()];
        for event in &self.events {
            for (state, list) in self.takers.of(chart, &event.name) {
                lists[state.index()].push(list);
            }
        }
        for (state, node) in chart.states() {
            let eventless: Vec<usize> =
                node.transitions.iter().copied().filter(|index| chart.transitions[*index].events.is_empty()).collect();
            // For each transition the first one without a guard that precedes it, in each of its lists.
            let mut preceding: FxHashMap<usize, Vec<Option<usize>>> = FxHashMap::default();
            for list in lists[state.index()].iter().chain([&eventless]) {
                let mut first = None;
                for &index in list {
                    preceding.entry(index).or_default().push(first);
                    first = first.or_else(|| chart.transitions[index].guard.is_none().then_some(index));
                }
            }
            for index in &node.transitions {
                let own = preceding.remove(index).unwrap_or_default().into_iter();
                let Some(others) = own.collect::<Option<Vec<usize>>>() else { continue };
                let Some(first) = others.first() else { continue };
                let message = "this transition is never taken: one without a guard precedes it";
                let place = chart.transitions[*first].span;
                self.diagnostics.push(
                    Diagnostic::warning(codes::SHADOWED, chart.transitions[*index].span, message)
                        .also(place, "this one is always taken instead"),
                );
            }
        }
    }
}
