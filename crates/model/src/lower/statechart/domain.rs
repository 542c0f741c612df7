//! The domain of a transition: the state whose descendants it leaves.

use super::takers::Takers;
use super::{Lowering, nearby};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::statechart::ast::{Profile, StateId, StateKind};
use specwright_syntax::statechart::codes;

/// Nothing if a transition leaves no state; `Some(None)` if it leaves the root as well.
pub(super) type Domain = Option<Option<StateId>>;

impl Lowering<'_> {
    /// The domains of all transitions.
    pub(super) fn find_domains(&mut self) {
        self.check_defaults();
        self.domains = (0..self.chart.transitions.len()).map(|index| self.domain(index)).collect();
        // Children before parents, in document order.
        let mut order = vec![0; self.chart.states.len()];
        let mut next = 0;
        let mut stack = vec![(StateId::ROOT, false)];
        while let Some((state, is_done)) = stack.pop() {
            if is_done {
                order[state.index()] = next;
                next += 1;
                continue;
            }
            stack.push((state, true));
            stack.extend(self.chart[state].children.iter().rev().map(|child| (*child, false)));
        }
        self.post_order = order;
        self.extents = nearby::extents(self.chart);
        self.takers = Takers::new(self.chart);
    }

    /// Reports compound states that nothing in them can start, and histories that lead to themselves.
    fn check_defaults(&mut self) {
        let chart = self.chart;
        for (state, node) in chart.states() {
            if node.kind == StateKind::Compound && chart.substates(state).next().is_none() {
                let message = "a compound state needs a state that is no history";
                self.diagnostics.push(Diagnostic::error(codes::NO_INITIAL, node.key.span, message));
            }
            // Only histories of the same state can lead to each other.
            let next = |history: StateId| {
                let own = chart[history].initial.as_ref();
                let default = own.or_else(|| chart[chart[history].parent?].initial.as_ref())?;
                default.targets.iter().copied().find(|target| chart[*target].is_history())
            };
            let chain = std::iter::successors(next(state).filter(|_| node.is_history()), |at| next(*at));
            if chain.take(chart.states.len()).any(|at| at == state) {
                let message = "this history leads to itself: it needs a default";
                self.diagnostics.push(Diagnostic::error(codes::NO_INITIAL, node.key.span, message));
            }
        }
    }

    pub(super) fn domain(&mut self, index: usize) -> Domain {
        let chart = self.chart;
        let transition = &chart.transitions[index];
        let targets = &transition.targets;
        if targets.is_empty() {
            return None;
        }
        let source = transition.source;
        // A history stands for states inside of its parent.
        let mut states = Vec::new();
        for target in targets {
            match (chart[*target].is_history(), chart[*target].parent) {
                (true, Some(parent)) => {
                    if chart.is_descendant(source, parent) {
                        let message = "a transition into the history of a state that is active is not supported";
                        self.diagnostics.push(Diagnostic::error(codes::UNSUPPORTED, transition.span, message));
                    }
                    // XState enters the parent again without having left it.
                    let is_doubled = source == parent && !transition.reenter && chart[*target].initial.is_none();
                    let is_doubled = is_doubled && chart[parent].kind == StateKind::Parallel;
                    if is_doubled && !(chart[parent].delays.is_empty() && chart[parent].invokes.is_empty()) {
                        let message = "a transition into the history of the parallel state that it leaves is not \
                                       supported: XState would start the delays and actors of that state twice";
                        self.diagnostics.push(Diagnostic::error(codes::UNSUPPORTED, transition.span, message));
                    }
                    states.push((parent, true));
                }
                _ => states.push((*target, false)),
            }
        }
        let is_inside =
            |state: StateId, inner: bool, of: StateId| chart.is_descendant(state, of) || (inner && state == of);
        match chart.profile {
            Profile::XState => {
                let stays = |(state, inner): &(StateId, bool)| *state == source || is_inside(*state, *inner, source);
                if !transition.reenter && states.iter().all(stays) {
                    return Some(Some(source));
                }
                // The least proper ancestor of the first target that has all others and the source.
                let (first, inner) = states[0];
                let mut ancestors = inner.then_some(first).into_iter().chain(chart.ancestors(first));
                let common = ancestors.find(|ancestor| {
                    chart.is_descendant(source, *ancestor)
                        && states[1..].iter().all(|(state, inner)| is_inside(*state, *inner, *ancestor))
                });
                match common {
                    Some(common) => Some(Some(common)),
                    None if transition.reenter => Some(None),
                    None => Some(Some(StateId::ROOT)),
                }
            }
            Profile::Scxml => {
                let inside = |(state, inner): &(StateId, bool)| is_inside(*state, *inner, source);
                if !transition.reenter && chart[source].kind == StateKind::Compound && states.iter().all(inside) {
                    return Some(Some(source));
                }
                let common = chart.ancestors(source).find(|ancestor| {
                    (chart[*ancestor].kind == StateKind::Compound || *ancestor == StateId::ROOT)
                        && states.iter().all(|(state, inner)| is_inside(*state, *inner, *ancestor))
                });
                Some(Some(common.unwrap_or(StateId::ROOT)))
            }
        }
    }
}
