//! Which transitions are taken: guards, priorities and conflicts.

use super::Lowering;
use super::config::{Config, Current, Taken};
use super::nearby::Nearby;
use crate::expr::ExprId;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use specwright_syntax::statechart::ast::{Profile, StateId};

/// For each state the lists of transitions among which it chooses, each with the conditions for that; none where it always
/// does.
type Lists = FxHashMap<StateId, IndexMap<Vec<usize>, Vec<ExprId>>>;

impl Lowering<'_> {
    /// Whether the guard of a transition holds.
    /// Its second part says where it throws an error, which makes it false.
    pub(super) fn guard(&mut self, index: usize, config: &Config) -> (ExprId, ExprId) {
        let no = self.boolean(false);
        let transition = &self.chart.transitions[index];
        let Some(guard) = &transition.guard else { return (self.boolean(true), no) };
        if !self.facts.unread.contains(&transition.place) {
            let truth = self.truth(guard, config);
            let thrown = self.take_thrown();
            if let Ok(truth) = truth {
                return (self.without(truth, thrown), thrown);
            }
        }
        self.note_unread(&transition.place, guard.span);
        (self.unknown(&transition.place, guard.span), no)
    }

    /// Where expressions that were evaluated throw errors.
    pub(super) fn take_thrown(&mut self) -> ExprId {
        let thrown = std::mem::take(&mut self.thrown);
        self.any(&thrown)
    }

    /// The lists of transitions among which states choose by an event, or by the lack of one, each with its conditions.
    fn lists(&self, current: Option<&Current>) -> Lists {
        let chart = self.chart;
        let mut lists = Lists::default();
        if let Some(current) = current {
            for (event, when) in current {
                for (state, list) in self.takers.of(chart, &self.events[*event].name) {
                    lists.entry(state).or_default().entry(list).or_default().push(*when);
                }
            }
            return lists;
        }
        for state in self.takers.eventless() {
            let is_eventless = |index: &usize| chart.transitions[*index].events.is_empty();
            let list: Vec<usize> = chart[*state].transitions.iter().copied().filter(is_eventless).collect();
            if !list.is_empty() {
                lists.entry(*state).or_default().insert(list, Vec::new());
            }
        }
        lists
    }

    /// For each transition of a state the condition under which it is the first one that the event, or the lack of one,
    /// allows. Whether the state is active does not matter here.
    /// The second part of the result says where a guard throws an error.
    fn own(&mut self, state: StateId, lists: &mut Lists, config: &Config) -> (Taken, ExprId) {
        let mut failed = self.boolean(false);
        let mut own: IndexMap<usize, ExprId> = IndexMap::new();
        for (list, when) in lists.remove(&state).unwrap_or_default() {
            let mut open = if when.is_empty() { self.boolean(true) } else { self.any(&when) };
            for index in list {
                let reached = self.and(config.active[state.index()], open);
                self.touches.evaluated(index, reached);
                self.path = Some(reached);
                let (guard, thrown) = self.guard(index, config);
                let fails = self.and(open, thrown);
                failed = self.or(failed, fails);
                let taken = self.and(open, guard);
                self.coverage.evaluated(index, reached, guard);
                open = self.without(open, guard);
                let no = self.boolean(false);
                let old = *own.entry(index).or_insert(no);
                own[&index] = self.or(old, taken);
            }
        }
        (own.into_iter().collect(), failed)
    }

    /// The transitions that an event takes, before conflicts.
    pub(super) fn select(&mut self, current: &Current, config: &Config) -> Taken {
        self.touches.selects(current, config);
        match self.chart.profile {
            Profile::XState => self.select_inner(current, config),
            Profile::Scxml => self.select_by_atoms(Some(current), config),
        }
    }

    /// As XState selects: a state takes an event only if none of its descendants does.
    fn select_inner(&mut self, current: &Current, config: &Config) -> Taken {
        let chart = self.chart;
        let no = self.boolean(false);
        let mut fires = vec![no; chart.states.len()];
        let mut taken = Vec::new();
        let mut lists = self.lists(Some(current));
        for (state, _) in chart.states().rev() {
            let is_idle = chart[state].is_atomic() || state == StateId::ROOT;
            if self.truth_of(config.active[state.index()]) == Some(false) || is_idle && !lists.contains_key(&state) {
                continue;
            }
            let inner: Vec<ExprId> = chart.substates(state).map(|child| fires[child.index()]).collect();
            let inner = self.any(&inner);
            let mut all = inner;
            for (index, own) in self.own(state, &mut lists, config).0 {
                let here = self.and(config.active[state.index()], own);
                let here = self.without(here, inner);
                let here = self.pruned(here);
                if self.truth_of(here) != Some(false) {
                    taken.push((index, here));
                    all = self.or(all, here);
                }
            }
            fires[state.index()] = all;
        }
        self.in_order(taken)
    }

    /// As SCXML selects, and XState where there is no event: every active atomic state takes the first transition on the way
    /// to the root.
    pub(super) fn select_by_atoms(&mut self, current: Option<&Current>, config: &Config) -> Taken {
        let chart = self.chart;
        if current.is_none() && self.takers.eventless().is_empty() {
            return Taken::new();
        }
        let mut lists = self.lists(current);
        let no = self.boolean(false);
        let mut goes_on = vec![no; chart.states.len()];
        let mut own_of: FxHashMap<StateId, (Taken, ExprId)> = FxHashMap::default();
        let mut chunks: Vec<Taken> = Vec::new();
        for block in self.layout.order.blocks.clone() {
            let mut taken = Vec::new();
            // The last descendant comes right before the next state that is none.
            let last = self.extents[block.index()];
            for state in (block.index()..=last).rev().map(|at| StateId(at as u32)) {
                let node = &chart[state];
                if node.is_history() || self.truth_of(config.active[state.index()]) == Some(false) {
                    continue;
                }
                let reached = if node.is_atomic() || chart.substates(state).next().is_none() {
                    config.active[state.index()]
                } else {
                    let below: Vec<ExprId> = chart.substates(state).map(|child| goes_on[child.index()]).collect();
                    self.any(&below)
                };
                let own = self.own(state, &mut lists, config);
                goes_on[state.index()] = self.take(&own, reached, &mut taken);
            }
            let mut taken = self.in_order(taken);
            let mut reached = goes_on[block.index()];
            for outer in chart.ancestors(block) {
                if self.truth_of(reached) == Some(false) {
                    break;
                }
                let own = match own_of.get(&outer) {
                    Some(own) => own.clone(),
                    None => self.own(outer, &mut lists, config),
                };
                reached = self.take(&own, reached, &mut taken);
                own_of.insert(outer, own);
            }
            chunks.push(taken);
        }
        self.in_order_of_blocks(&chunks, current.is_none(), config)
    }

    /// Takes transitions of a state where it is reached. The result is the condition under which none is taken.
    fn take(&mut self, (own, failed): &(Taken, ExprId), reached: ExprId, taken: &mut Taken) -> ExprId {
        let mut rest = reached;
        let failed = self.and(reached, *failed);
        let failed = self.pruned(failed);
        if self.truth_of(failed) != Some(false) {
            self.failed_guards.push(failed);
        }
        for &(index, own) in own {
            let here = self.and(reached, own);
            let here = self.pruned(here);
            if self.truth_of(here) != Some(false) {
                taken.push((index, here));
            }
            rest = self.without(rest, own);
        }
        rest
    }

    /// Inner states before outer ones, then in document order: the order in which conflicts are resolved.
    fn in_order(&self, mut taken: Taken) -> Taken {
        let chart = self.chart;
        let rank = |state: StateId| self.post_order[state.index()];
        taken.sort_by_key(|(index, _)| (rank(chart.transitions[*index].source), *index));
        taken
    }

    /// Drops transitions in conflict: those that would leave a state that another one leaves. Inner ones win, then those
    /// that come first.
    pub(super) fn without_conflicts(&mut self, taken: Taken) -> Taken {
        let chart = self.chart;
        let source = |index: usize| chart.transitions[index].source;
        let mut kept: Taken = Vec::new();
        let mut nearby = Nearby::default();
        for (index, when) in taken {
            let mut when = when;
            let mut outer = Vec::new();
            for at in nearby.of(chart, source(index)) {
                let (other, by) = kept[at];
                if source(index) == source(other) || !self.conflict(index, other) {
                    continue;
                }
                if chart.is_descendant(source(index), source(other)) {
                    outer.push(at);
                } else {
                    when = self.without(when, by);
                }
            }
            let when = self.pruned(when);
            if self.truth_of(when) == Some(false) {
                continue;
            }
            for at in outer {
                let rest = self.without(kept[at].1, when);
                kept[at].1 = self.pruned(rest);
            }
            nearby.add(chart, source(index), kept.len());
            kept.push((index, when));
        }
        kept.retain(|(_, when)| self.truth_of(*when) != Some(false));
        kept
    }

    /// Whether two transitions that are taken together would leave the same state.
    pub(super) fn conflict(&self, a: usize, b: usize) -> bool {
        let (Some(a), Some(b)) = (&self.domains[a], &self.domains[b]) else { return false };
        match (a, b) {
            // Everything, with the root.
            (None, _) | (_, None) => true,
            (Some(a), Some(b)) => {
                let leaves = |state: StateId| !self.chart[state].is_atomic();
                let related = a == b || self.chart.is_descendant(*a, *b) || self.chart.is_descendant(*b, *a);
                related && leaves(*a) && leaves(*b)
            }
        }
    }
}
