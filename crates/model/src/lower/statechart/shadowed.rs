//! Transitions that never come to their turn: others of the same state always precede them.

use super::Lowering;
use super::events::candidates;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::statechart::codes;

impl Lowering<'_> {
    /// Warns of transitions that come after one without a guard, for each of their events.
    pub(super) fn report_shadowed(&mut self) {
        let chart = self.chart;
        for (state, node) in chart.states() {
            let eventless: Vec<usize> =
                node.transitions.iter().copied().filter(|index| chart.transitions[*index].events.is_empty()).collect();
            let lists = self.events.iter().map(|event| candidates(chart, state, &event.name));
            let lists: Vec<Vec<usize>> = lists.chain([eventless]).collect();
            for index in &node.transitions {
                // The first transition without a guard that precedes it, for each event.
                let before = |list: &Vec<usize>| {
                    let earlier = list.iter().take_while(|other| *other != index);
                    earlier.copied().find(|other| chart.transitions[*other].guard.is_none())
                };
                let own = lists.iter().filter(|list| list.contains(index)).map(before);
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
