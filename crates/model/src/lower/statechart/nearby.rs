//! Which states can be active together, without a look at every pair.

use rustc_hash::FxHashMap;
use specwright_syntax::statechart::ast::{Chart, StateId, StateKind};

/// Items that belong to states.
#[derive(Default)]
pub(super) struct Nearby {
    at: FxHashMap<StateId, Vec<usize>>,
    /// Those of a state and of its descendants.
    under: FxHashMap<StateId, Vec<usize>>,
}

impl Nearby {
    pub(super) fn add(&mut self, chart: &Chart, state: StateId, item: usize) {
        self.at.entry(state).or_default().push(item);
        for state in std::iter::once(state).chain(chart.ancestors(state)) {
            self.under.entry(state).or_default().push(item);
        }
    }

    /// The items of states that can be active together with a state, in ascending order.
    pub(super) fn of(&self, chart: &Chart, state: StateId) -> Vec<usize> {
        let list = |lists: &FxHashMap<StateId, Vec<usize>>, state| lists.get(&state).cloned().unwrap_or_default();
        let mut found = list(&self.under, state);
        let mut child = state;
        for parent in chart.ancestors(state) {
            found.extend(list(&self.at, parent));
            if chart[parent].kind == StateKind::Parallel {
                for other in chart[parent].children.iter().filter(|other| **other != child) {
                    found.extend(list(&self.under, *other));
                }
            }
            child = parent;
        }
        found.sort_unstable();
        found
    }
}

/// For each state its last descendant in document order, or itself.
pub(super) fn extents(chart: &Chart) -> Vec<usize> {
    let mut last: Vec<usize> = (0..chart.states.len()).collect();
    for (state, node) in chart.states().rev() {
        if let Some(parent) = node.parent {
            last[parent.index()] = last[parent.index()].max(last[state.index()]);
        }
    }
    last
}

/// The states below a domain, or all of them, that can be active together with the source of a transition.
pub(super) fn left(chart: &Chart, last: &[usize], source: StateId, domain: Option<StateId>) -> Vec<StateId> {
    let below = |state: StateId| (state.index() + 1..=last[state.index()]).map(|at| StateId(at as u32));
    let mut found: Vec<StateId> = below(source).collect();
    let mut child = source;
    while Some(child) != domain {
        found.push(child);
        let Some(parent) = chart[child].parent else { break };
        if chart[parent].kind == StateKind::Parallel {
            for other in chart[parent].children.iter().filter(|other| **other != child) {
                found.push(*other);
                found.extend(below(*other));
            }
        }
        child = parent;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::timers::together;
    use super::*;
    use specwright_syntax::span::SourceMap;
    use specwright_syntax::statechart::parse_json;

    #[test]
    fn nearby_items_are_those_of_states_that_can_be_active_together() {
        let text = r#"{ "type": "parallel", "states": {
            "a": { "initial": "x", "states": { "x": {}, "y": { "type": "parallel", "states": {
                "p": { "initial": "m", "states": { "m": {}, "n": {} } }, "q": {} } } } },
            "b": { "initial": "z", "states": { "z": {}, "w": { "initial": "v", "states": { "v": {} } } } } } }"#;
        let mut sources = SourceMap::default();
        let file = sources.add("a.json", text).unwrap();
        let chart = parse_json(&sources.files()[file]).0.unwrap();
        let mut nearby = Nearby::default();
        for (state, _) in chart.states() {
            nearby.add(&chart, state, state.index());
        }
        let last = extents(&chart);
        for (state, _) in chart.states() {
            let expected: Vec<usize> = chart
                .states()
                .map(|(other, _)| other)
                .filter(|o| together(&chart, state, *o))
                .map(StateId::index)
                .collect();
            assert_eq!(nearby.of(&chart, state), expected);
            for domain in [None, Some(state)].into_iter().chain(chart.ancestors(state).map(Some)) {
                let mut all = left(&chart, &last, state, domain);
                all.sort_unstable();
                let inside = |other: StateId| domain.is_none_or(|domain| chart.is_descendant(other, domain));
                let expected: Vec<StateId> =
                    expected.iter().map(|at| StateId(*at as u32)).filter(|other| inside(*other)).collect();
                assert_eq!(all, expected);
            }
        }
    }
}
