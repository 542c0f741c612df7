//! The order in which the active atomic states are asked for transitions.
//!
//! SCXML asks them in document order. XState asks them in the order in which they were entered where there is no event. That
//! order is part of the state where it matters: where eventless transitions of several regions are in conflict, or where
//! one assigns what another one reads or assigns, or both raise events.

use super::Lowering;
use super::config::{Config, Taken};
use super::timers::together;
use crate::expr::ExprId;
use crate::interface::Role;
use crate::model::VarId;
use crate::value::Domain;
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::statechart::ast::{Action, ActionKind, Chart, Expr, ExprKind, Profile, StateId, StateKind};
use specwright_syntax::statechart::codes;
use std::sync::Arc;

/// Maximal number of blocks whose order matters.
const MAX_GROUP: usize = 6;

/// The blocks of a chart: the largest states of which at most one atomic state is active at a time.
#[derive(Clone, Default)]
pub(super) struct Order {
    /// In document order.
    pub(super) blocks: Vec<StateId>,
    /// The blocks whose order among each other matters. Each block that is in no group is one of its own.
    groups: Vec<Vec<usize>>,
    pub(super) pairs: Vec<Pair>,
}

/// Two blocks of a group, and whether the one that is written first was entered last.
#[derive(Clone)]
pub(super) struct Pair {
    first: usize,
    second: usize,
    pub(super) var: VarId,
}

/// Whether a state has regions.
fn branches(chart: &Chart, state: StateId) -> bool {
    chart[state].kind == StateKind::Parallel && chart.substates(state).next().is_some()
}

impl Lowering<'_> {
    /// Finds the blocks, and makes the variables for their order.
    pub(super) fn make_order(&mut self) {
        let chart = self.chart;
        let mut has_regions = vec![false; chart.states.len()];
        for (state, node) in chart.states().rev() {
            has_regions[state.index()] |= branches(chart, state);
            if let (true, Some(parent)) = (has_regions[state.index()], node.parent) {
                has_regions[parent.index()] = true;
            }
        }
        let is_block = |state: StateId| {
            !chart[state].is_history()
                && !has_regions[state.index()]
                && chart[state].parent.is_none_or(|parent| has_regions[parent.index()])
        };
        let blocks: Vec<StateId> = chart.states().map(|(state, _)| state).filter(|state| is_block(*state)).collect();
        let groups = self.groups(&blocks);
        let mut pairs = Vec::new();
        for group in groups.iter().filter(|group| group.len() > 1) {
            if group.len() > MAX_GROUP {
                let span = chart[blocks[group[0]]].key.span;
                let message =
                    "eventless transitions that depend on each other in more than 6 regions are not supported";
                self.diagnostics.push(Diagnostic::error(codes::UNSUPPORTED, span, message));
                break;
            }
            for (at, &first) in group.iter().enumerate() {
                for &second in &group[at + 1..] {
                    if together(chart, blocks[first], blocks[second]) {
                        let names = [first, second].map(|block| chart.path(blocks[block]).join("."));
                        let name = format!("order.{}.{}", names[1], names[0]);
                        let span = chart[blocks[first]].key.span;
                        let var = self.add_var(&name, Domain::Bool, Role::Internal, span);
                        pairs.push(Pair { first, second, var });
                    }
                }
            }
        }
        self.layout.order = Order { blocks, groups, pairs };
    }

    /// Puts blocks into groups: those whose order matters, directly or because of others.
    fn groups(&self, blocks: &[StateId]) -> Vec<Vec<usize>> {
        let chart = self.chart;
        let mut group_of: Vec<usize> = (0..blocks.len()).collect();
        if chart.profile == Profile::XState {
            let of_block = |block: StateId| -> Vec<usize> {
                let is_asked = |state: StateId| {
                    state == block || chart.is_descendant(state, block) || chart.is_descendant(block, state)
                };
                let eventless = chart.transitions.iter().enumerate().filter(|(_, t)| t.events.is_empty());
                eventless.filter(|(_, t)| is_asked(t.source)).map(|(index, _)| index).collect()
            };
            let asked: Vec<Vec<usize>> = blocks.iter().map(|block| of_block(*block)).collect();
            for a in 0..blocks.len() {
                for b in a + 1..blocks.len() {
                    let depend = |x: &usize| asked[b].iter().any(|y| x != y && self.depend(*x, *y));
                    if together(chart, blocks[a], blocks[b]) && asked[a].iter().any(depend) {
                        let (old, new) = (group_of[b], group_of[a]);
                        group_of.iter_mut().filter(|group| **group == old).for_each(|group| *group = new);
                    }
                }
            }
        }
        let all = 0..blocks.len();
        let groups = all.clone().map(|group| all.clone().filter(|block| group_of[*block] == group).collect());
        groups.filter(|group: &Vec<usize>| !group.is_empty()).collect()
    }

    /// Whether the order of two transitions matters.
    fn depend(&self, a: usize, b: usize) -> bool {
        let chart = self.chart;
        let (first, second) = (&chart.transitions[a], &chart.transitions[b]);
        if first.source == second.source {
            return false;
        }
        let is_inner =
            chart.is_descendant(first.source, second.source) || chart.is_descendant(second.source, first.source);
        if !is_inner && self.conflict(a, b) {
            return true;
        }
        let (mut x, mut y) = (Touched::default(), Touched::default());
        x.actions(&first.actions);
        y.actions(&second.actions);
        x.raises && y.raises
            || x.writes.iter().any(|name| y.writes.contains(name) || y.reads.contains(name))
            || y.writes.iter().any(|name| x.reads.contains(name))
    }

    /// What the blocks take, in the order in which they are asked. A transition that several of them take counts once.
    pub(super) fn in_order_of_blocks(&mut self, chunks: &[Taken], is_eventless: bool, config: &Config) -> Taken {
        let mut taken: Taken = Vec::new();
        let mut selected: FxHashMap<usize, ExprId> = FxHashMap::default();
        let yes = self.boolean(true);
        let mut slots: Vec<(usize, ExprId)> = Vec::new();
        if is_eventless && !self.layout.order.pairs.is_empty() {
            for group in self.layout.order.groups.clone() {
                for rank in 0..group.len() {
                    for &block in &group {
                        let when = self.has_rank(block, rank, &group, config);
                        slots.push((block, when));
                    }
                }
            }
        } else {
            slots.extend((0..chunks.len()).map(|block| (block, yes)));
        }
        for (block, slot) in slots {
            for &(index, when) in &chunks[block] {
                let mut when = self.and(when, slot);
                if let Some(&earlier) = selected.get(&index) {
                    when = self.without(when, earlier);
                }
                let when = self.pruned(when);
                if self.truth_of(when) == Some(false) {
                    continue;
                }
                let all = selected.get(&index).copied().map_or(when, |earlier| self.or(earlier, when));
                selected.insert(index, all);
                taken.push((index, when));
            }
        }
        taken
    }

    /// Whether this number of the other active blocks of a group is asked before a block.
    fn has_rank(&mut self, block: usize, rank: usize, group: &[usize], config: &Config) -> ExprId {
        let yes = self.boolean(true);
        let no = self.boolean(false);
        let mut counts = vec![no; group.len() + 1];
        counts[0] = yes;
        for &other in group.iter().filter(|other| **other != block) {
            let Some(before) = self.is_before_block(other, block, config) else { continue };
            for count in (0..counts.len()).rev() {
                let less = if count == 0 { no } else { counts[count - 1] };
                counts[count] = self.choose(before, less, counts[count]);
            }
        }
        counts[rank]
    }

    fn is_before_block(&mut self, other: usize, block: usize, config: &Config) -> Option<ExprId> {
        let is_pair =
            |pair: &Pair| (pair.first, pair.second) == (other, block) || (pair.first, pair.second) == (block, other);
        let at = self.layout.order.pairs.iter().position(is_pair)?;
        let swapped = config.order[at];
        let before = if other < block { self.not(swapped) } else { swapped };
        let active = config.active[self.layout.order.blocks[other].index()];
        Some(self.and(before, active))
    }

    /// The order after states were entered: those go to the end, in document order, unless nothing has changed.
    pub(super) fn update_order(
        &mut self,
        moved: &dyn Fn(&mut Self, StateId) -> ExprId,
        changed: ExprId,
        config: &mut Config,
    ) {
        let no = self.boolean(false);
        for at in 0..self.layout.order.pairs.len() {
            let Pair { first, second, .. } = self.layout.order.pairs[at];
            let (first, second) = (self.layout.order.blocks[first], self.layout.order.blocks[second]);
            let (first_moved, second_moved) = (moved(self, first), moved(self, second));
            let stays = self.choose(second_moved, no, config.order[at]);
            let other = self.not(second_moved);
            let new = self.choose(first_moved, other, stays);
            let new = self.choose(changed, new, config.order[at]);
            let both = self.and(config.active[first.index()], config.active[second.index()]);
            let new = self.and(both, new);
            config.order[at] = self.pruned(new);
        }
    }
}

/// What actions read and write.
#[derive(Default)]
pub(super) struct Touched {
    pub(super) reads: FxHashSet<Arc<str>>,
    pub(super) writes: FxHashSet<Arc<str>>,
    pub(super) raises: bool,
    /// Whether they ask whether a state is active, or what the event is.
    pub(super) asks: bool,
}

impl Touched {
    pub(super) fn actions(&mut self, actions: &[Action]) {
        for action in actions {
            match &action.kind {
                ActionKind::Assign(list) => self.writes.extend(list.iter().map(|(name, _)| name.text.clone())),
                // The profile that this is about has no other actions.
                ActionKind::If(_) | ActionKind::Block(_) | ActionKind::Effect(_) => {}
                _ => self.raises = true,
            }
            for expr in action.kind.expressions() {
                self.expr(expr);
            }
            for actions in action.kind.inner() {
                self.actions(actions);
            }
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(name) => {
                self.reads.insert(name.clone());
            }
            ExprKind::In(_) | ExprKind::Event => self.asks = true,
            _ => {}
        }
        for part in expr.parts() {
            self.expr(part);
        }
    }
}
