//! One microstep: states are left, actions are executed, states are entered.

use super::config::{Config, Taken};
use super::ecma::Js;
use super::enter::Entry;
use super::events::{Event, Origin};
use super::{Lowering, events, nearby, send};
use crate::expr::ExprId;
use rustc_hash::FxHashMap;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::statechart::ast::{Profile, StateId, StateKind};
use specwright_syntax::statechart::codes;
use std::sync::Arc;

impl Lowering<'_> {
    /// Executes transitions. The result is the condition under which something has changed, as XState sees it.
    pub(super) fn microstep(&mut self, config: &mut Config, taken: &Taken) -> ExprId {
        let mut changed = self.boolean(false);
        if taken.is_empty() {
            return changed;
        }
        let chart = self.chart;
        let no = self.boolean(false);
        let before = config.clone();
        // Conditions in actions of XState see the states that were active before.
        if chart.profile == Profile::XState {
            config.seen = Some(before.active.clone());
        }
        // Where the active states or the histories change.
        let mut configured = no;

        // The states that are left.
        let mut left = vec![no; chart.states.len()];
        let mut left_by: Vec<Vec<ExprId>> = vec![Vec::new(); chart.states.len()];
        for (index, when) in taken {
            let Some(domain) = self.domains[*index] else { continue };
            // Of states that are never active together, no transition of one leaves the other.
            for state in nearby::left(chart, &self.extents, chart.transitions[*index].source, domain) {
                if self.truth_of(before.active[state.index()]) != Some(false) {
                    left_by[state.index()].push(*when);
                }
            }
        }
        for (state, node) in chart.states() {
            if node.is_history() || left_by[state.index()].is_empty() {
                continue;
            }
            let by = self.any(&left_by[state.index()]);
            let leaves = self.and(before.active[state.index()], by);
            left[state.index()] = self.pruned(leaves);
            self.touches.leaves(state, left[state.index()]);
        }
        for at in 0..self.layout.memories.len() {
            let Some(parent) = chart[self.layout.memories[at].history].parent else { continue };
            let value = self.remembered(at, &before);
            config.memories[at] = self.choose(left[parent.index()], value, config.memories[at]);
        }
        // XState remembers the children of parallel states as well, although it has no choice there.
        for (_, node) in chart.states().filter(|(_, node)| node.is_history()) {
            let Some(parent) = node.parent else { continue };
            configured = self.or(configured, left[parent.index()]);
        }
        for (state, node) in chart.states().rev() {
            let when = left[state.index()];
            if self.truth_of(when) == Some(false) {
                continue;
            }
            let assigned = self.execute(&node.exit, when, config);
            changed = self.or(changed, assigned);
            if !node.invokes.is_empty() {
                changed = self.or(changed, when);
                self.stop_actors(state, when, config);
            }
            self.stop_timers(state, when, config);
            config.active[state.index()] = self.without(config.active[state.index()], when);
        }

        for (index, when) in taken {
            let assigned = self.execute(&chart.transitions[*index].actions, *when, config);
            changed = self.or(changed, assigned);
        }

        let mut entry = Entry::default();
        // What histories lead to: the states as they were, the histories as they are after states were left.
        let left_behind = Config { memories: config.memories.clone(), ..before.clone() };
        for (index, when) in taken {
            let own = self.entry(*index, &left_behind);
            self.merge(own, *when, &mut entry);
        }
        let entered = self.enter(&entry, config);
        changed = self.or(changed, entered);

        // States that were left and not entered, or the other way round.
        let mut moved = vec![no; chart.states.len()];
        for (state, _) in chart.states() {
            let enters = entry.states.get(&state).copied().unwrap_or(no);
            if [left[state.index()], enters].into_iter().all(|when| self.truth_of(when) == Some(false)) {
                continue;
            }
            let gone = self.without(left[state.index()], enters);
            let new = self.without(enters, before.active[state.index()]);
            configured = self.or(configured, gone);
            configured = self.or(configured, new);
            if chart[state].is_atomic() && !self.layout.order.pairs.is_empty() {
                let again = self.and(enters, left[state.index()]);
                moved[state.index()] = self.or(new, again);
            }
        }
        let moved_in = |lowering: &mut Self, block: StateId| {
            let inside = chart.states().filter(|(state, _)| *state == block || chart.is_descendant(*state, block));
            let moved: Vec<ExprId> = inside.map(|(state, _)| moved[state.index()]).collect();
            lowering.any(&moved)
        };
        self.update_order(&moved_in, configured, config);
        config.seen = None;
        changed = self.or(changed, configured);
        changed
    }

    fn merge(&mut self, own: Entry, when: ExprId, entry: &mut Entry) {
        let no = self.boolean(false);
        for (from, to) in [
            (own.states, &mut entry.states),
            (own.by_default, &mut entry.by_default),
            (own.histories, &mut entry.histories),
        ] {
            for (state, enters) in from {
                let enters = self.and(when, enters);
                let old = to.get(&state).copied().unwrap_or(no);
                let new = self.or(old, enters);
                to.insert(state, new);
            }
        }
    }

    /// Enters states in document order. The result is the condition under which an action has changed something.
    pub(super) fn enter(&mut self, entry: &Entry, config: &mut Config) -> ExprId {
        let chart = self.chart;
        let mut changed = self.boolean(false);
        let was_done = config.done;
        let mut completed: FxHashMap<StateId, ExprId> = FxHashMap::default();
        for (&state, &when) in &entry.states {
            let when = self.pruned(when);
            if self.truth_of(when) == Some(false) {
                continue;
            }
            let node = &chart[state];
            config.active[state.index()] = self.or(config.active[state.index()], when);
            self.touches.enters(state, when);
            let assigned = self.execute(&node.entry, when, config);
            changed = self.or(changed, assigned);
            // XState starts the delays of a state after its entry actions.
            self.start_timers(state, when, config);
            if !node.invokes.is_empty() {
                changed = self.or(changed, when);
                self.start_actors(state, when, config);
            }
            if let (Some(by_default), Some(initial)) = (entry.by_default.get(&state), &node.initial) {
                let by_default = self.and(*by_default, when);
                let assigned = self.execute(&initial.actions, by_default, config);
                changed = self.or(changed, assigned);
            }
            for (history, by_default) in &entry.histories {
                if chart[*history].parent == Some(state)
                    && let Some(initial) = &chart[*history].initial
                {
                    let assigned = self.execute(&initial.actions, *by_default, config);
                    changed = self.or(changed, assigned);
                }
            }
            if node.kind == StateKind::Final {
                self.complete(state, when, config, &mut completed);
            }
        }
        // XState executes the exit actions of all states when the machine comes to its end.
        let ends = self.without(config.done, was_done);
        if self.truth_of(ends) != Some(false) && chart.profile == Profile::XState {
            for (state, node) in chart.states().rev() {
                if !node.exit.is_empty() {
                    let when = self.and(ends, config.active[state.index()]);
                    self.touches.leaves(state, when);
                    self.execute(&node.exit, when, config);
                }
            }
        }
        changed
    }

    /// The events of a final state that was entered.
    fn complete(
        &mut self,
        state: StateId,
        when: ExprId,
        config: &mut Config,
        completed: &mut FxHashMap<StateId, ExprId>,
    ) {
        let chart = self.chart;
        let Some(parent) = chart[state].parent else {
            config.done = self.or(config.done, when);
            return;
        };
        let is_scxml = chart.profile == Profile::Scxml;
        if is_scxml && parent == StateId::ROOT {
            config.done = self.or(config.done, when);
            return;
        }
        if chart[parent].kind == StateKind::Compound {
            let done = events::done(chart.profile, &chart[parent].id);
            self.raise_done(&done, state, when, config);
        }
        let mut when = when;
        let mut above = if chart[parent].kind == StateKind::Parallel { Some(parent) } else { chart[parent].parent };
        while let Some(ancestor) = above {
            if chart[ancestor].kind != StateKind::Parallel {
                return;
            }
            let no = self.boolean(false);
            let earlier = completed.get(&ancestor).copied().unwrap_or(no);
            let is_final = self.is_final(ancestor, config);
            let now = self.and(when, is_final);
            let now = self.without(now, earlier);
            let now = self.pruned(now);
            if self.truth_of(now) == Some(false) {
                return;
            }
            let both = self.or(earlier, now);
            completed.insert(ancestor, both);
            let done = events::done(chart.profile, &chart[ancestor].id);
            let done = self.plain_event(&done, Origin::Platform);
            self.raise(done, now, config);
            if is_scxml {
                return;
            }
            when = now;
            above = chart[ancestor].parent;
        }
        config.done = self.or(config.done, when);
    }

    /// Raises the event that the parent of a final state is done, with the data of that state.
    fn raise_done(&mut self, event: &Arc<str>, state: StateId, when: ExprId, config: &mut Config) {
        let Some(data) = &self.chart[state].done_data else {
            let event = self.plain_event(event, Origin::Platform);
            return self.raise(event, when, config);
        };
        self.path = Some(when);
        let Ok(cases) = self.cases(data, config) else {
            let message = "this data depends on what is not part of the model";
            self.diagnostics.push(Diagnostic::error(codes::UNREADABLE, data.span, message));
            return;
        };
        for (case, by) in cases {
            let when = self.and(when, by);
            if case.is_err() {
                self.fail(&send::ERROR.into(), None, when, config);
            }
            let event = Event::with_data(event, Origin::Platform, None, case.unwrap_or(Js::Undefined));
            self.raise(event, when, config);
        }
    }

    /// Whether a state is in a final state.
    pub(super) fn is_final(&mut self, state: StateId, config: &Config) -> ExprId {
        let chart = self.chart;
        let parts: Vec<StateId> = chart.substates(state).collect();
        match chart[state].kind {
            StateKind::Compound => {
                let finals = parts.into_iter().filter(|child| chart[*child].kind == StateKind::Final);
                let finals: Vec<ExprId> = finals.map(|child| config.active[child.index()]).collect();
                self.any(&finals)
            }
            StateKind::Parallel => {
                let all: Vec<ExprId> = parts.into_iter().map(|child| self.is_final(child, config)).collect();
                self.all(&all)
            }
            StateKind::Final => config.active[state.index()],
            StateKind::Atomic | StateKind::History { .. } => self.boolean(false),
        }
    }
}
