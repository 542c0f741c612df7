//! Actors that are invoked: which ones are still running, and the snapshots that they send.
//!
//! An actor runs from the entry of its state until it reports its end or an error, or until the state is left. XState tells
//! a chart with `onSnapshot` of every snapshot of an actor: of the first one when the actor starts, which is at the end of
//! the macrostep that invokes it, and of one for every event that the actor gets.

use super::Lowering;
use super::config::{Config, Sent};
use super::events::Event;
use crate::expr::{ExprId, Node};
use crate::interface::Role;
use crate::model::VarId;
use crate::op::BinaryOp;
use crate::value::Domain;
use specwright_syntax::statechart::ast::StateId;
use std::sync::Arc;

/// An actor that a state invokes.
#[derive(Clone)]
pub(super) struct Actor {
    pub(super) owner: StateId,
    id: Arc<str>,
    /// The values of the input `event` by which it reports something.
    reports: Vec<ExprId>,
    /// Those by which it reports that it has come to an end.
    ends: Vec<ExprId>,
    /// The event of its snapshots, if there are transitions for it.
    snapshot: Option<Arc<str>>,
    /// Whether it is running. Nothing if that follows from its state.
    pub(super) var: Option<VarId>,
}

/// How the events begin by which actors report errors.
pub(super) const ERROR: &str = "xstate.error.actor.";

/// The event by which an actor tells of a snapshot.
fn snapshot_of(id: &str) -> String {
    format!("xstate.snapshot.{id}")
}

impl Lowering<'_> {
    /// Makes the variables of actors.
    pub(super) fn make_actors(&mut self) {
        let chart = self.chart;
        for (owner, node) in chart.states() {
            for invoke in &node.invokes {
                let reports: Vec<(Arc<str>, ExprId)> = self
                    .layout
                    .externals
                    .iter()
                    .filter(|(external, _)| {
                        external.owner == Some(owner) && external.actor.as_ref() == Some(&invoke.id)
                    })
                    .map(|(external, value)| (external.event.clone(), *value))
                    .collect();
                let snapshot = snapshot_of(&invoke.id);
                let ends = || reports.iter().filter(|(event, _)| **event != *snapshot);
                let outlives = ends().any(|(event, _)| !self.always_leaves(owner, event));
                let var = outlives.then(|| {
                    self.add_var(&format!("running.{}", invoke.id), Domain::Bool, Role::Internal, invoke.span)
                });
                let ends = ends().map(|(_, value)| *value).collect();
                self.layout.actors.push(Actor {
                    owner,
                    id: invoke.id.clone(),
                    reports: reports.iter().map(|(_, value)| *value).collect(),
                    ends,
                    snapshot: invoke.events.iter().find(|event| ***event == *snapshot).cloned(),
                    var,
                });
            }
        }
    }

    /// Whether an actor is running.
    fn runs(&self, at: usize, config: &Config) -> ExprId {
        let actor = &self.layout.actors[at];
        if actor.var.is_some() { config.actors[at] } else { config.active[actor.owner.index()] }
    }

    /// Whether a tester can let an actor report by an event of the chart.
    pub(super) fn can_report(&self, owner: StateId, value: ExprId) -> ExprId {
        let actor = self.layout.actors.iter().position(|actor| actor.owner == owner && actor.reports.contains(&value));
        match actor {
            Some(at) => self.runs(at, &self.now),
            None => self.now.active[owner.index()],
        }
    }

    /// Where actors can report by an event of the chart.
    pub(super) fn reporting(&self, event: usize) -> Vec<ExprId> {
        let externals = self.layout.externals.iter();
        let of_event = externals.filter(|(external, _)| external.event == self.events[event].name);
        of_event.filter_map(|(external, value)| Some(self.can_report(external.owner?, *value))).collect()
    }

    /// Ends the actor that reports that it has come to an end.
    pub(super) fn end_actors(&mut self, config: &mut Config) {
        let Some(event) = self.layout.event else { return };
        let event = self.var_expr(event);
        for at in 0..self.layout.actors.len() {
            let actor = self.layout.actors[at].clone();
            for value in actor.ends.into_iter().filter(|_| actor.var.is_some()) {
                let is_it = self.node(Node::Binary(BinaryOp::Eq, event, value));
                config.actors[at] = self.without(config.actors[at], is_it);
            }
        }
    }

    /// Starts the actors of a state that is entered.
    pub(super) fn start_actors(&mut self, state: StateId, when: ExprId, config: &mut Config) {
        for at in 0..self.layout.actors.len() {
            if self.layout.actors[at].owner == state {
                config.actors[at] = self.or(config.actors[at], when);
                self.send_snapshot(at, when, config);
            }
        }
    }

    /// Stops the actors of a state that is left. What they would still do at the end of the macrostep does not happen.
    pub(super) fn stop_actors(&mut self, state: StateId, when: ExprId, config: &mut Config) {
        for at in 0..self.layout.actors.len() {
            if self.layout.actors[at].owner == state {
                config.actors[at] = self.without(config.actors[at], when);
            }
        }
        for at in 0..config.sent.len() {
            if let Sent { by: Some((owner, waits)), .. } = config.sent[at]
                && owner == state
            {
                let stopped = self.and(when, waits);
                config.sent[at].when = self.without(config.sent[at].when, stopped);
            }
        }
    }

    /// Lets an actor tell of a snapshot at the end of the macrostep.
    fn send_snapshot(&mut self, at: usize, when: ExprId, config: &mut Config) {
        let Actor { owner, snapshot: Some(event), .. } = self.layout.actors[at].clone() else { return };
        let when = self.pruned(when);
        if self.truth_of(when) != Some(false) {
            let event = self.events.insert_full(Event::named(&event)).0;
            let yes = self.boolean(true);
            config.sent.push(Sent { when, event, by: Some((owner, yes)) });
        }
    }

    /// Sends an event to an actor. XState stops the machine with an error if it is not there.
    pub(super) fn send_to_actor(&mut self, id: &Arc<str>, when: ExprId, config: &mut Config) {
        let mut there = self.boolean(false);
        for at in 0..self.layout.actors.len() {
            let actor = &self.layout.actors[at];
            if actor.id != *id {
                continue;
            }
            let is_active = config.active[actor.owner.index()];
            there = self.or(there, is_active);
            let runs = self.runs(at, config);
            let gets = self.and(when, runs);
            self.send_snapshot(at, gets, config);
        }
        // Others may have been spawned.
        if !self.layout.actors.iter().any(|actor| actor.id == *id) {
            return;
        }
        let missing = self.without(when, there);
        let missing = self.pruned(missing);
        config.sent_nowhere = self.or(config.sent_nowhere, missing);
    }
}
