//! The states that a transition enters.

use super::Lowering;
use super::config::Config;
use crate::expr::ExprId;
use crate::op::BinaryOp;
use specwright_syntax::statechart::ast::{Profile, StateId, StateKind};
use std::collections::BTreeMap;

/// The states to enter, each with the condition under which a transition enters it.
#[derive(Default)]
pub(super) struct Entry {
    pub(super) states: BTreeMap<StateId, ExprId>,
    /// The states whose initial actions are executed.
    pub(super) by_default: BTreeMap<StateId, ExprId>,
    /// The histories whose default actions are executed.
    pub(super) histories: BTreeMap<StateId, ExprId>,
}

impl Lowering<'_> {
    fn add_entry(&mut self, to: &mut BTreeMap<StateId, ExprId>, state: StateId, when: ExprId) {
        let no = self.boolean(false);
        let old = to.get(&state).copied().unwrap_or(no);
        let new = self.or(old, when);
        to.insert(state, new);
    }

    /// The states that are entered when the machine starts.
    pub(super) fn initial_entry(&mut self, config: &Config) -> Entry {
        let mut entry = Entry::default();
        let yes = self.boolean(true);
        entry.states.insert(StateId::ROOT, yes);
        entry.by_default.insert(StateId::ROOT, yes);
        self.enter_descendants(StateId::ROOT, yes, config, &mut entry);
        entry
    }

    /// The states that a transition enters.
    pub(super) fn entry(&mut self, index: usize, config: &Config) -> Entry {
        let chart = self.chart;
        let mut entry = Entry::default();
        let targets = &chart.transitions[index].targets;
        let Some(domain) = self.domains[index] else { return entry };
        let transition = &chart.transitions[index];
        let yes = self.boolean(true);
        for target in targets {
            let stays = chart.profile == Profile::XState
                && transition.source == *target
                && domain == Some(transition.source)
                && !transition.reenter;
            if !chart[*target].is_history() && !stays {
                entry.states.insert(*target, yes);
                if chart.profile == Profile::XState {
                    entry.by_default.insert(*target, yes);
                }
            }
            self.enter_descendants(*target, yes, config, &mut entry);
        }
        for target in targets {
            // A history enters its parent, too; what is inside of that was added above.
            let start = if chart[*target].is_history() { chart[*target].parent } else { Some(*target) };
            let Some(start) = start else { continue };
            if chart[*target].is_history()
                && Some(start) != domain
                && domain.is_none_or(|domain| chart.is_descendant(start, domain))
            {
                self.enter_ancestor(start, yes, config, &mut entry);
            }
            if Some(start) == domain {
                continue;
            }
            let above: Vec<StateId> = chart.ancestors(start).take_while(|state| Some(*state) != domain).collect();
            for ancestor in above {
                self.enter_ancestor(ancestor, yes, config, &mut entry);
            }
            // The other regions of a parallel domain were left, and are entered again.
            if let Some(domain) = domain.filter(|domain| chart[*domain].kind == StateKind::Parallel) {
                self.fill_regions(domain, yes, false, config, &mut entry);
            }
        }
        entry
    }

    fn enter_ancestor(&mut self, state: StateId, when: ExprId, config: &Config, entry: &mut Entry) {
        self.add_entry(&mut entry.states, state, when);
        if self.chart[state].kind == StateKind::Parallel {
            self.fill_regions(state, when, false, config, entry);
        }
    }

    /// Enters the regions of a parallel state that nothing else enters.
    fn fill_regions(&mut self, state: StateId, when: ExprId, by_default: bool, config: &Config, entry: &mut Entry) {
        let chart = self.chart;
        for child in chart.substates(state) {
            let inside: Vec<ExprId> = entry
                .states
                .iter()
                .filter(|(other, _)| chart.is_descendant(**other, child))
                .map(|(_, when)| *when)
                .collect();
            let inside = self.any(&inside);
            let when = self.without(when, inside);
            if self.truth_of(when) == Some(false) {
                continue;
            }
            self.add_entry(&mut entry.states, child, when);
            if by_default {
                self.add_entry(&mut entry.by_default, child, when);
            }
            self.enter_descendants(child, when, config, entry);
        }
    }

    /// Enters what a state has by default: initial states, all regions, what a history remembers.
    fn enter_descendants(&mut self, state: StateId, when: ExprId, config: &Config, entry: &mut Entry) {
        let chart = self.chart;
        match chart[state].kind {
            StateKind::Atomic | StateKind::Final => {}
            StateKind::Parallel => {
                self.fill_regions(state, when, chart.profile == Profile::XState, config, entry);
            }
            StateKind::Compound => {
                let Some(initial) = &chart[state].initial else { return };
                if chart.profile == Profile::Scxml {
                    self.add_entry(&mut entry.by_default, state, when);
                }
                self.enter_targets(&initial.targets, state, when, chart.profile == Profile::XState, config, entry);
            }
            StateKind::History { deep } => self.enter_history(state, deep, when, config, entry),
        }
    }

    /// Enters states inside of another one that is entered.
    fn enter_targets(
        &mut self,
        targets: &[StateId],
        inside: StateId,
        when: ExprId,
        by_default: bool,
        config: &Config,
        entry: &mut Entry,
    ) {
        let chart = self.chart;
        for target in targets {
            if !chart[*target].is_history() {
                self.add_entry(&mut entry.states, *target, when);
                if by_default {
                    self.add_entry(&mut entry.by_default, *target, when);
                }
            }
            self.enter_descendants(*target, when, config, entry);
        }
        for target in targets {
            let above: Vec<StateId> = chart.ancestors(*target).take_while(|state| *state != inside).collect();
            for ancestor in above {
                self.enter_ancestor(ancestor, when, config, entry);
            }
        }
    }

    fn enter_history(&mut self, history: StateId, deep: bool, when: ExprId, config: &Config, entry: &mut Entry) {
        let chart = self.chart;
        let Some(parent) = chart[history].parent else { return };
        let memories: Vec<usize> =
            (0..self.layout.memories.len()).filter(|at| self.layout.memories[*at].history == history).collect();
        let mut unknown = when;
        if let Some(first) = memories.first() {
            let none = self.layout.memories[*first].none;
            let is_none = self.binary(BinaryOp::Eq, config.memories[*first], none);
            let is_known = self.not(is_none);
            let known = self.and(when, is_known);
            let known = self.pruned(known);
            unknown = self.and(when, is_none);
            unknown = self.pruned(unknown);
            for at in memories {
                for (state, value) in self.layout.memories[at].states.clone() {
                    let same = self.binary(BinaryOp::Eq, config.memories[at], value);
                    let here = self.and(known, same);
                    let here = self.pruned(here);
                    if self.truth_of(here) == Some(false) {
                        continue;
                    }
                    self.add_entry(&mut entry.states, state, here);
                    if !deep {
                        self.enter_descendants(state, here, config, entry);
                    } else if chart[state].kind == StateKind::Parallel {
                        // Substates without a region of their own.
                        for child in chart.substates(state) {
                            self.add_entry(&mut entry.states, child, here);
                        }
                    }
                    let above: Vec<StateId> = chart.ancestors(state).take_while(|state| *state != parent).collect();
                    for ancestor in above {
                        self.add_entry(&mut entry.states, ancestor, here);
                    }
                }
            }
            if chart[parent].kind == StateKind::Parallel {
                for child in chart.substates(parent) {
                    self.add_entry(&mut entry.states, child, known);
                    if !deep {
                        self.enter_descendants(child, known, config, entry);
                    }
                }
            }
        }
        if self.truth_of(unknown) == Some(false) {
            return;
        }
        match (&chart[history].initial, chart[parent].kind, &chart[parent].initial) {
            (Some(default), ..) => {
                self.add_entry(&mut entry.histories, history, unknown);
                self.enter_targets(&default.targets, parent, unknown, false, config, entry);
            }
            (None, StateKind::Parallel, _) => {
                // XState enters the parent again, even if it is active.
                self.add_entry(&mut entry.states, parent, unknown);
                self.enter_descendants(parent, unknown, config, entry);
            }
            (None, _, Some(initial)) => {
                self.add_entry(&mut entry.by_default, parent, unknown);
                for target in &initial.targets {
                    self.add_entry(&mut entry.states, *target, unknown);
                    self.enter_descendants(*target, unknown, config, entry);
                }
            }
            (None, _, None) => {}
        }
    }

    /// The value of a history after states were left.
    pub(super) fn remembered(&mut self, at: usize, config: &Config) -> ExprId {
        let mut value = self.layout.memories[at].none;
        for (state, name) in self.layout.memories[at].states.clone().into_iter().rev() {
            value = self.choose(config.active[state.index()], name, value);
        }
        value
    }
}
