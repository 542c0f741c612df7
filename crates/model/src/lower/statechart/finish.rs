//! From unfolded steps to the assignments and constraints of the model.

use super::Lowering;
use super::config::Config;
use super::data::Kind;
use super::ecma::Js;
use super::run::Unfolded;
use crate::expr::{ExprId, Node};
use crate::model::{Assign, AssignKind, Hazard, VarId};
use crate::op::BinaryOp;
use specwright_syntax::diagnostic::{Code, Diagnostic};
use specwright_syntax::span::Span;
use specwright_syntax::statechart::ast::{Action, ActionKind, StateId};
use specwright_syntax::statechart::codes;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Lowering<'_> {
    /// The configuration that the variables stand for.
    pub(super) fn set_now(&mut self) {
        let active = self.active_states();
        self.add_state_defines(&active);
        let vars: Vec<Option<VarId>> = self.data.iter().map(|variable| variable.var).collect();
        let data = vars.into_iter().map(|var| var.map(|var| self.var_expr(var))).collect();
        let memories: Vec<VarId> = self.layout.memories.iter().map(|memory| memory.var).collect();
        let memories = memories.into_iter().map(|var| self.var_expr(var)).collect();
        let done = self.boolean(false);
        let vars: Vec<Option<VarId>> = self.layout.timers.iter().map(|timer| timer.var).collect();
        let stopped = self.int(-1);
        let timers = vars.into_iter().map(|var| var.map_or(stopped, |var| self.var_expr(var))).collect();
        let vars: Vec<VarId> = self.layout.order.pairs.iter().map(|pair| pair.var).collect();
        let order = vars.into_iter().map(|var| self.var_expr(var)).collect();
        let vars: Vec<VarId> = self.layout.ties.iter().map(|tie| tie.var).collect();
        let ties = vars.into_iter().map(|var| self.var_expr(var)).collect();
        let vars: Vec<Option<VarId>> = self.layout.actors.iter().map(|actor| actor.var).collect();
        let actors = vars.into_iter().map(|var| var.map_or(done, |var| self.var_expr(var))).collect();
        let none = Config { sent_again: done, sent_nowhere: done, unhandled: done, done, ..self.now.clone() };
        self.now = Config { active, data, memories, actors, timers, ties, order, ..none };
        self.now.done = self.is_final(StateId::ROOT, &self.now.clone());
        self.assume_consistency();
    }

    /// Tells the decision procedure in which order variables decide. The context comes before the regions: actions of one
    /// region after the other change it, so that diagrams stay as wide as the context has values.
    fn order_variables(&mut self) {
        let layout = &self.layout;
        let vars: Vec<VarId> = (layout.event.into_iter())
            .chain(self.data.iter().filter_map(|variable| variable.var))
            .chain(layout.order.pairs.iter().map(|pair| pair.var))
            .chain(layout.regions.iter().map(|region| region.var))
            .chain(layout.memories.iter().map(|memory| memory.var))
            .chain(layout.timers.iter().filter_map(|timer| timer.var))
            .chain(layout.actors.iter().filter_map(|actor| actor.var))
            .chain(layout.ties.iter().map(|tie| tie.var))
            .collect();
        for var in vars {
            let expr = self.var_expr(var);
            self.prune.order(&self.model, expr);
        }
    }

    /// Regions of a parallel state are active exactly while it is.
    fn assume_consistency(&mut self) {
        self.order_variables();
        for at in 0..self.layout.regions.len() {
            let region = &self.layout.regions[at];
            let (Some(inactive), var) = (region.inactive, region.var) else { continue };
            let parent = self.now.active[region.root.index()];
            let var = self.var_expr(var);
            let is_active = self.binary(BinaryOp::Ne, var, inactive);
            let not = self.not(is_active);
            let same = self.choose(parent, is_active, not);
            self.prune.assume(&self.model, same);
        }
        self.prune.mark();
        self.assume_reachable();
    }

    /// Adds the values of regions in a configuration to those that are reached. Whether there were no new ones.
    pub(super) fn reach(&mut self, config: &Config) -> bool {
        let Some(mut reachable) = self.facts.reachable.take() else { return true };
        reachable.resize(self.layout.regions.len(), BTreeSet::new());
        let before = reachable.clone();
        let next = self.values(config);
        for (at, reached) in reachable.iter_mut().enumerate() {
            let (var, value) = next[at];
            let values = match self.model[value] {
                Node::Const(constant) => vec![constant],
                _ => self.prune.values(&self.model, value).unwrap_or_else(|| self.model[var].domain.values().collect()),
            };
            reached.extend(values);
        }
        let hold = reachable == before;
        self.facts.reachable = Some(reachable);
        hold
    }

    /// Regions have the values of reachable states.
    fn assume_reachable(&mut self) {
        for (at, values) in self.facts.reachable.clone().unwrap_or_default().into_iter().enumerate() {
            let var = self.var_expr(self.layout.regions[at].var);
            let mut any = Vec::new();
            for value in values {
                let value = self.node(Node::Const(value));
                any.push(self.binary(BinaryOp::Eq, var, value));
            }
            let any = self.any(&any);
            self.prune.assume(&self.model, any);
        }
    }

    /// The start of the machine.
    pub(super) fn unfold_start(&mut self) -> Unfolded {
        let no = self.boolean(false);
        let mut data = Vec::new();
        let mut failed = no;
        self.path = None;
        self.is_start = true;
        for (at, datum) in self.chart.data.iter().enumerate() {
            let initial = datum.initial.as_ref().filter(|_| self.data[at].var.is_some());
            // Variables have their values from the first one on.
            let mut known: Vec<Option<ExprId>> = data.clone();
            known.resize(self.chart.data.len(), None);
            let empty = Config { active: vec![no; self.chart.states.len()], data: known, ..self.now.clone() };
            let value = initial.and_then(|initial| self.value(initial, &empty).ok());
            let thrown = self.take_thrown();
            failed = self.or(failed, thrown);
            let value = value.and_then(|(value, kind)| self.as_value_of(at, value, kind));
            let is_undefined = self.data[at].kind == Kind::Any && initial.is_some();
            data.push(value.or_else(|| is_undefined.then(|| self.js_constant(&Js::Undefined))));
        }
        let memories = self.layout.memories.iter().map(|memory| memory.none).collect();
        let stopped = self.int(-1);
        let timers = vec![stopped; self.layout.timers.len()];
        let active = vec![no; self.chart.states.len()];
        let order = vec![no; self.layout.order.pairs.len()];
        let ties = vec![no; self.layout.ties.len()];
        let actors = vec![no; self.layout.actors.len()];
        let mut config = Config { active, data, memories, timers, ties, actors, order, done: no, ..self.now.clone() };
        self.fail(&"error.execution".into(), None, failed, &mut config);
        let mut start = self.start(config);
        self.settle_ties(&mut start.config);
        self.is_start = false;
        start
    }

    /// The step by the event of the tester.
    pub(super) fn unfold_step(&mut self) -> Unfolded {
        if self.currents.is_empty() {
            for (external, value) in self.layout.externals.clone() {
                let index = self.events.insert_full(external.as_event()).0;
                self.currents.push((index, value));
            }
        }
        self.unfold_step_by(&self.currents.clone())
    }

    /// The step by one of these events.
    pub(super) fn unfold_step_by(&mut self, currents: &[(usize, ExprId)]) -> Unfolded {
        let mut now = self.now.clone();
        self.pass_time(&mut now);
        self.end_actors(&mut now);
        let mut current = Vec::new();
        if let Some(event) = self.layout.event {
            let event = self.var_expr(event);
            for (index, value) in currents {
                let is_it = self.node(crate::expr::Node::Binary(BinaryOp::Eq, event, *value));
                current.push((*index, is_it));
            }
        }
        let mut step = self.react(now, &current);
        self.keep_ranges(false, &mut step.config);
        self.settle_ties(&mut step.config);
        step
    }

    /// The values of all variables of the state in a configuration.
    pub(super) fn values(&mut self, config: &Config) -> Vec<(VarId, ExprId)> {
        let mut values = Vec::new();
        for at in 0..self.layout.regions.len() {
            let var = self.layout.regions[at].var;
            let leaves = self.layout.regions[at].leaves.clone();
            let is_same = leaves.iter().all(|(leaf, _)| config.active[leaf.index()] == self.now.active[leaf.index()]);
            let value = if is_same && leaves.len() > 1 {
                self.var_expr(var)
            } else {
                let (last, rest) = match self.layout.regions[at].inactive {
                    Some(inactive) => (inactive, &leaves[..]),
                    None => (leaves[leaves.len() - 1].1, &leaves[..leaves.len() - 1]),
                };
                let mut value = last;
                for (leaf, name) in rest.iter().rev() {
                    value = self.choose(config.active[leaf.index()], *name, value);
                }
                value
            };
            values.push((var, value));
        }
        for (at, memory) in self.layout.memories.iter().enumerate() {
            values.push((memory.var, config.memories[at]));
        }
        for (at, timer) in self.layout.timers.iter().enumerate() {
            values.extend(timer.var.map(|var| (var, config.timers[at])));
        }
        for (at, actor) in self.layout.actors.iter().enumerate() {
            values.extend(actor.var.map(|var| (var, config.actors[at])));
        }
        for (at, tie) in self.layout.ties.iter().enumerate() {
            values.push((tie.var, config.ties[at]));
        }
        for (at, pair) in self.layout.order.pairs.iter().enumerate() {
            values.push((pair.var, config.order[at]));
        }
        for (at, variable) in self.data.iter().enumerate() {
            values.extend(variable.var.zip(config.data[at]));
        }
        values
    }

    /// Adds the assignments and constraints of the model.
    pub(super) fn finish(&mut self, start: &Unfolded, step: &Unfolded) {
        for (kind, unfolded) in [(AssignKind::Init, start), (AssignKind::Next, step)] {
            for (var, value) in self.values(&unfolded.config) {
                let span = self.model[var].span;
                self.model.assigns.push(Assign { kind, var, value: super::sourced(value, span), span });
            }
        }
        for constraint in std::mem::take(&mut self.constraints) {
            if self.truth_of(constraint) != Some(true) {
                let span = self.chart[StateId::ROOT].key.span;
                self.model.trans.push(super::sourced(constraint, span));
            }
        }
        self.add_permissions();
        self.add_endless(start.endless, step.endless);
        let chart = self.chart;
        let place = |is_it: fn(&Action) -> bool| {
            chart.actions().into_iter().find(|action| is_it(action)).map(|action| action.span)
        };
        let is_error = |event: &Arc<str>| event.starts_with(super::actors::ERROR);
        let handler = chart.transitions.iter().find(|transition| transition.events.iter().any(is_error));
        let (of_start, of_step) = (&start.config, &step.config);
        for (code, message, at_place, place, at_start, in_step) in [
            (
                codes::SENT_AGAIN,
                "a delayed event is sent again while it waits",
                "it is sent again here",
                place(|action| matches!(action.kind, ActionKind::Delay { .. })),
                of_start.sent_again,
                of_step.sent_again,
            ),
            (
                codes::SENT_NOWHERE,
                "an event is sent to an actor that is not running",
                "it is sent here",
                place(|action| matches!(action.kind, ActionKind::SendTo(_))),
                of_start.sent_nowhere,
                of_step.sent_nowhere,
            ),
            (
                codes::UNHANDLED,
                "an error of an actor is not handled",
                "this does not take it",
                handler.map(|transition| transition.event_span),
                of_start.unhandled,
                of_step.unhandled,
            ),
        ] {
            let Some(place) = place else { continue };
            self.exclude_start(code, place, message, at_start);
            if self.truth_of(in_step) != Some(false) {
                self.exclude(code, place, message, at_place, in_step);
            }
        }
    }

    /// Excludes starts from the model. There must be others.
    fn exclude_start(&mut self, code: Code, place: Span, message: &str, start: ExprId) {
        match self.truth_of(start) {
            Some(false) => {}
            Some(true) => self.diagnostics.push(Diagnostic::error(code, place, message)),
            None => {
                let note = "that depends on guards that the tester controls: such starts are left out";
                self.diagnostics.push(Diagnostic::warning(code, place, message).note(note));
                let span = self.chart[StateId::ROOT].key.span;
                let remains = self.not(start);
                self.model.init.push(super::sourced(remains, span));
            }
        }
    }

    /// Excludes steps from the model; `check` reports them.
    fn exclude(&mut self, code: Code, place: Span, message: &str, at_place: &str, step: ExprId) {
        let span = self.chart[StateId::ROOT].key.span;
        let remains = self.not(step);
        self.model.trans.push(super::sourced(remains, span));
        self.model.source.hazards.push(Hazard {
            code,
            is_contradiction: false,
            is_bound: true,
            description: message.into(),
            predicate: step,
            step,
            sites: vec![(place, at_place.into(), step)],
        });
    }

    /// Delays and actors cause events only while their states are active.
    fn add_permissions(&mut self) {
        let Some(event) = self.layout.event else { return };
        let event = self.var_expr(event);
        let running = self.not(self.now.done);
        for (at, (external, value)) in self.layout.externals.clone().into_iter().enumerate() {
            let Some(owner) = external.owner else { continue };
            let differs = self.binary(BinaryOp::Ne, event, value);
            let timer = self.layout.timers.iter().position(|timer| timer.external == at);
            let permitted = match timer {
                Some(timer) => self.ends_next(timer),
                None => self.can_report(owner, value),
            };
            let permitted = self.and(permitted, running);
            let constraint = self.or(differs, permitted);
            if self.truth_of(constraint) != Some(true) {
                let span = self.chart[owner].key.span;
                self.model.invar.push(super::sourced(constraint, span));
            }
        }
    }

    /// Steps that do not come to rest do not exist, and `check` reports them.
    fn add_endless(&mut self, start: ExprId, step: ExprId) {
        let message = "eventless transitions or raised events may continue forever";
        self.exclude_start(codes::ENDLESS, self.endless_place(), "the initial step of the machine is infinite", start);
        if self.truth_of(step) == Some(false) {
            return;
        }
        self.exclude(codes::ENDLESS, self.endless_place(), message, "it continues forever", step);
    }

    /// The first eventless transition, or the machine.
    fn endless_place(&self) -> Span {
        let eventless = self.chart.transitions.iter().find(|transition| transition.events.is_empty());
        eventless.map_or(self.chart[StateId::ROOT].key.span, |transition| transition.span)
    }
}
