//! The variables of a chart: one for each region, for each history, for the context, and the inputs.
//!
//! A region is a compound state with its compound descendants, up to parallel states. One variable has its active leaf:
//! an atomic state or a parallel one. Regions of parallel states that can be left have the value `inactive`, too.

use super::Lowering;
use super::actors::Actor;
use super::ecma::Js;
use super::events::Event;
use super::order::Order;
use super::timers::{Tie, Timer};
use crate::expr::{ExprId, Node};
use crate::interface::{Observable, Role, Timing};
use crate::model::{Define, DefineId, Var, VarId, VarKind};
use crate::op::BinaryOp;
use crate::value::{Domain, Value};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use specwright_syntax::span::Span;
use specwright_syntax::statechart::ast::{Chart, Profile, StateId, StateKind};
use std::sync::Arc;

/// A region: a compound state with its compound descendants.
#[derive(Clone)]
pub(super) struct Region {
    pub(super) root: StateId,
    pub(super) var: VarId,
    /// The leaves with their values.
    pub(super) leaves: Vec<(StateId, ExprId)>,
    /// The value while the region is not active, if that can be.
    pub(super) inactive: Option<ExprId>,
}

/// What a history state remembers of a region: its last active leaf, or its last active child.
#[derive(Clone)]
pub(super) struct Memory {
    pub(super) history: StateId,
    pub(super) var: VarId,
    /// The remembered states with their values.
    pub(super) states: Vec<(StateId, ExprId)>,
    /// The value before anything is remembered, or where the region was not active.
    pub(super) none: ExprId,
}

/// A delay: that of a state, or that of an event that an action sends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Delay {
    /// Nothing if it may end at any time.
    pub(super) milliseconds: Option<u64>,
    /// The id by which it can be cancelled.
    pub(super) id: Option<Arc<str>>,
    /// Whether an action starts it.
    pub(super) is_sent: bool,
    /// What `_event` is at its end, if that is known.
    pub(super) object: Option<Js>,
}

/// An event that a tester can cause.
#[derive(Clone, Debug)]
pub(super) struct External {
    /// The name in the chart.
    pub(super) event: Arc<str>,
    /// The state that has to be active for it, if there is one: that of a delay or of an actor.
    pub(super) owner: Option<StateId>,
    /// The delay, if it is the end of one.
    pub(super) delay: Option<Delay>,
    /// The actor, if it reports something by the event.
    pub(super) actor: Option<Arc<str>>,
    /// The name in the model.
    pub(super) shown: String,
}

/// Variables and values of a chart.
#[derive(Clone, Default)]
pub(super) struct Layout {
    pub(super) regions: Vec<Region>,
    pub(super) memories: Vec<Memory>,
    /// The events that a tester can cause, with their values.
    pub(super) externals: Vec<(External, ExprId)>,
    pub(super) event: Option<VarId>,
    /// The delays.
    pub(super) timers: Vec<Timer>,
    /// For each delay those that can run beside it.
    pub(super) beside: Vec<Vec<usize>>,
    /// The delays with the same duration.
    pub(super) ties: Vec<Tie>,
    /// The actors that states invoke.
    pub(super) actors: Vec<Actor>,
    /// In which order regions are asked.
    pub(super) order: Order,
    /// The guards that the tester controls.
    pub(super) guards: IndexMap<Arc<str>, VarId>,
    /// The same for the start, where no event has been sent yet.
    pub(super) start_guards: IndexMap<Arc<str>, VarId>,
    /// The names in use.
    taken: FxHashSet<String>,
}

/// A name with the characters of names only.
pub(super) fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || "_$#-.".contains(c) { c } else { '_' }).collect()
}

/// Different names for states, by their paths below this depth.
fn names_below(chart: &Chart, states: &[StateId], depth: usize) -> Vec<String> {
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let mut names = Vec::new();
    for state in states {
        let mut name = plain(&chart.path(*state)[depth..].join("."));
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        names.push(name);
    }
    names
}

/// The leaves of a region, in document order.
pub(super) fn leaves(chart: &Chart, root: StateId) -> Vec<StateId> {
    let mut found = Vec::new();
    let mut stack = vec![root];
    while let Some(state) = stack.pop() {
        if chart[state].kind == StateKind::Compound {
            stack.extend(chart[state].children.iter().rev().copied().filter(|child| !chart[*child].is_history()));
        } else {
            found.push(state);
        }
    }
    found
}

/// The roots of all regions, in document order.
pub(super) fn region_roots(chart: &Chart) -> Vec<StateId> {
    let is_root = |state: StateId| {
        let parent = chart[state].parent;
        chart[state].kind == StateKind::Compound
            && parent.is_none_or(|parent| chart[parent].kind == StateKind::Parallel)
    };
    chart.states().map(|(state, _)| state).filter(|state| is_root(*state)).collect()
}

impl External {
    /// The event that the chart gets.
    pub(super) fn as_event(&self) -> Event {
        let object = self.delay.as_ref().and_then(|delay| delay.object.clone());
        Event { name: self.event.clone(), object }
    }
}

impl Lowering<'_> {
    /// A name that is not in use.
    pub(super) fn free_name(&mut self, name: &str) -> String {
        let mut name = plain(name);
        while !self.layout.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    pub(super) fn add_var(&mut self, name: &str, domain: Domain, role: Role, span: Span) -> VarId {
        let name = self.free_name(name);
        let var = VarId(self.model.vars.len() as u32);
        self.model.vars.push(Var { name, domain, kind: VarKind::State, span });
        self.model.set_role(var, role);
        if role == Role::Input {
            self.model.interface.set_timing(var, Timing::Leaving);
        }
        var
    }

    pub(super) fn var_expr(&mut self, var: VarId) -> ExprId {
        self.node(Node::Var(var))
    }

    /// An enumeration of names, with the values.
    pub(super) fn symbols(&mut self, names: &[String]) -> (Domain, Vec<ExprId>) {
        let exprs: Vec<ExprId> = names.iter().map(|name| self.symbol(name)).collect();
        let value = |expr: &ExprId| match self.model[*expr] {
            Node::Const(value) => value,
            _ => Value::Bool(false),
        };
        let values: Vec<Value> = exprs.iter().map(value).collect();
        (Domain::Enum(values.into()), exprs)
    }

    /// Makes the variables of regions and histories, and the input for events.
    pub(super) fn make_layout(&mut self, externals: Vec<External>) {
        let chart = self.chart;
        // The event comes first: it decides most.
        let names: Vec<String> = externals.iter().map(|external| external.shown.clone()).collect();
        if !names.is_empty() {
            let (domain, values) = self.symbols(&names);
            let event = self.add_var("event", domain, Role::Input, chart[StateId::ROOT].key.span);
            self.layout.event = Some(event);
            self.layout.externals = externals.into_iter().zip(values).collect();
        }
        for root in region_roots(chart) {
            self.make_region(root);
        }
        for (state, node) in chart.states() {
            if let StateKind::History { deep } = node.kind {
                self.make_memories(state, deep);
            }
        }
    }

    fn make_region(&mut self, root: StateId) {
        let chart = self.chart;
        let depth = chart.path(root).len();
        let all = leaves(chart, root);
        let mut names = names_below(chart, &all, depth);
        let can_be_inactive = chart.ancestors(root).any(|state| chart[state].kind == StateKind::Compound);
        if can_be_inactive {
            let mut name = "inactive".to_owned();
            while names.contains(&name) {
                name.push('_');
            }
            names.push(name);
        }
        let (domain, values) = self.symbols(&names);
        let name =
            std::iter::once("state").chain(chart.path(root).iter().map(|key| &**key)).collect::<Vec<_>>().join(".");
        let var = self.add_var(&name, domain, Role::Output, chart[root].key.span);
        let inactive = can_be_inactive.then(|| values[all.len()]);
        let leaves = all.into_iter().zip(values).collect();
        self.layout.regions.push(Region { root, var, leaves, inactive });
    }

    fn make_memories(&mut self, history: StateId, deep: bool) {
        let chart = self.chart;
        let Some(parent) = chart[history].parent else { return };
        let name = format!("history.{}", chart.path(history).join("."));
        let span = chart[history].key.span;
        if !deep {
            // A parallel state has no choice among its children. Only whether it was left matters: for itself, and where it is
            // entered otherwise than by the history.
            let is_used = |index: &usize| chart.transitions[*index].targets.contains(&history);
            let acts =
                |child: StateId| chart[child].initial.as_ref().is_some_and(|initial| !initial.actions.is_empty());
            let matters = chart[history].initial.is_some()
                || chart[parent].transitions.iter().any(is_used)
                || chart.profile == Profile::XState && chart.substates(parent).any(acts);
            let children: Vec<StateId> = match chart[parent].kind {
                StateKind::Compound => chart.substates(parent).collect(),
                _ if matters => chart.substates(parent).take(1).collect(),
                _ => Vec::new(),
            };
            if !children.is_empty() {
                self.make_memory(history, &name, children, span);
            }
            return;
        }
        for at in 0..self.layout.regions.len() {
            let region = &self.layout.regions[at];
            let root = region.root;
            let is_inside = |state: StateId| state == parent || chart.is_descendant(state, parent);
            let inside: Vec<StateId> =
                region.leaves.iter().map(|(leaf, _)| *leaf).filter(|leaf| chart.is_descendant(*leaf, parent)).collect();
            if inside.is_empty() || !(is_inside(root) || chart.is_descendant(parent, root)) {
                continue;
            }
            let name = if is_inside(root) && root != parent {
                format!("{name}.{}", chart.path(root).join("."))
            } else {
                name.clone()
            };
            self.make_memory(history, &name, inside, span);
        }
    }

    fn make_memory(&mut self, history: StateId, name: &str, states: Vec<StateId>, span: Span) {
        let chart = self.chart;
        let parent = chart[history].parent.unwrap_or(StateId::ROOT);
        let depth = chart.path(parent).len();
        let mut names = names_below(chart, &states, depth);
        let mut none = "none".to_owned();
        while names.contains(&none) {
            none.push('_');
        }
        names.push(none);
        let (domain, values) = self.symbols(&names);
        let var = self.add_var(name, domain, Role::Internal, span);
        let none = values[states.len()];
        self.layout.memories.push(Memory { history, var, states: states.into_iter().zip(values).collect(), none });
    }

    /// The input for a guard that the tester controls. What it is at the start is said before the first event.
    pub(super) fn unknown(&mut self, name: &Arc<str>, span: Span) -> ExprId {
        let known = if self.is_start { &self.layout.start_guards } else { &self.layout.guards };
        let var = match known.get(name).copied() {
            Some(var) => var,
            // What the chart never asks for is not part of the model.
            None if self.is_variant => {
                self.is_incomplete = true;
                return self.boolean(false);
            }
            None if self.is_start => {
                let var = self.add_var(&format!("start.guard.{name}"), Domain::Bool, Role::Internal, span);
                self.model.vars[var.0 as usize].kind = VarKind::Frozen;
                self.model.set_role(var, Role::Input);
                self.layout.start_guards.insert(name.clone(), var);
                var
            }
            None => {
                let var = self.add_var(&format!("guard.{name}"), Domain::Bool, Role::Input, span);
                self.layout.guards.insert(name.clone(), var);
                var
            }
        };
        self.var_expr(var)
    }

    /// Whether each state is active, by the variables of the regions.
    pub(super) fn active_states(&mut self) -> Vec<ExprId> {
        let chart = self.chart;
        let no = self.boolean(false);
        let mut active = vec![no; chart.states.len()];
        for at in 0..self.layout.regions.len() {
            let var = self.layout.regions[at].var;
            let var = self.var_expr(var);
            for (leaf, value) in self.layout.regions[at].leaves.clone() {
                // A region with one leaf has a variable with one value.
                let is_only = self.layout.regions[at].leaves.len() == 1 && self.layout.regions[at].inactive.is_none();
                active[leaf.index()] =
                    if is_only { self.boolean(true) } else { self.node(Node::Binary(BinaryOp::Eq, var, value)) };
            }
        }
        active[StateId::ROOT.index()] = self.boolean(true);
        // Substates of parallel states are active with them; compound states are active with one of their leaves.
        for (state, node) in chart.states() {
            let Some(parent) = node.parent else { continue };
            if chart[parent].kind == StateKind::Parallel && !node.is_history() {
                active[state.index()] = active[parent.index()];
            } else if node.kind == StateKind::Compound {
                let inside = leaves(chart, state);
                let own: Vec<ExprId> = inside.iter().map(|leaf| active[leaf.index()]).collect();
                let mut all = self.any(&own);
                let mut regions = self.layout.regions.iter();
                let region = regions.find(|region| region.leaves.iter().map(|(leaf, _)| leaf).eq(&inside));
                // All leaves of a region that is always active.
                if region.is_some_and(|region| region.inactive.is_none()) {
                    all = self.boolean(true);
                }
                active[state.index()] = all;
            }
        }
        active
    }

    /// Defines that say whether a state with substates is active, for properties.
    pub(super) fn add_state_defines(&mut self, active: &[ExprId]) {
        let chart = self.chart;
        for (state, node) in chart.states() {
            // The leaves are values of variables already.
            let is_inner = matches!(node.kind, StateKind::Compound | StateKind::Parallel);
            if state == StateId::ROOT || !is_inner || self.truth_of(active[state.index()]).is_some() {
                continue;
            }
            let name = self.free_name(&format!("at.{}", chart.path(state).join(".")));
            let body = super::sourced(active[state.index()], node.key.span);
            let define = DefineId(self.model.defines.len() as u32);
            self.model.defines.push(Define { name, body, span: node.key.span });
            self.model.interface.set(Observable::Define(define), Role::Internal);
        }
    }
}
