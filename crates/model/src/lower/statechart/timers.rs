//! Delays: how long each one still takes, so that they end in the order that their durations force.
//!
//! Time passes only where a tester waits for the next delay to end: the event of that delay. All other delays that are
//! running then take less by the same time. Delays that end at the same moment are part of one step, in the order in which
//! they were started.

use super::Lowering;
use super::config::Config;
use super::layout::{Delay, External};
use super::nearby::Nearby;
use crate::expr::{ExprId, Node};
use crate::interface::Role;
use crate::model::VarId;
use crate::op::BinaryOp;
use crate::value::{Domain, Value};
use specwright_syntax::statechart::ast::{ActionKind, Chart, Profile, StateId, StateKind};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Maximal number of different rests of a delay that are told apart; beyond it all numbers are possible.
const MAX_RESTS: usize = 40;

/// A delay of a state.
#[derive(Clone)]
pub(super) struct Timer {
    pub(super) owner: StateId,
    /// Its event.
    pub(super) event: usize,
    /// The value of the input `event` for it.
    value: ExprId,
    /// The delay in milliseconds; nothing if it may end at any time.
    milliseconds: Option<i64>,
    /// Whether an action starts it.
    is_sent: bool,
    /// The id by which it can be cancelled.
    id: Option<Arc<str>>,
    /// The event of the tester that waits for it.
    pub(super) external: usize,
    /// How long it still takes; -1 if it is not running. Nothing if that follows from its state.
    pub(super) var: Option<VarId>,
}

/// Two delays with the same duration, and whether the second one was started first.
#[derive(Clone)]
pub(super) struct Tie {
    first: usize,
    second: usize,
    pub(super) var: VarId,
}

/// Whether two states can be active together.
pub(super) fn together(chart: &Chart, a: StateId, b: StateId) -> bool {
    if a == b || chart.is_descendant(a, b) || chart.is_descendant(b, a) {
        return true;
    }
    let common = chart.ancestors(a).find(|ancestor| chart.is_descendant(b, *ancestor));
    common.is_some_and(|common| chart[common].kind == StateKind::Parallel)
}

impl Lowering<'_> {
    /// Makes the variables of delays.
    pub(super) fn make_timers(&mut self) {
        let chart = self.chart;
        let mut timers: Vec<(Timer, String)> = Vec::new();
        for (at, (external, value)) in self.layout.externals.clone().into_iter().enumerate() {
            let (Some(owner), Some(delay)) = (external.owner, external.delay.clone()) else { continue };
            let event = self.events.insert_full(external.as_event()).0;
            let milliseconds = delay.milliseconds.map(|time| i64::try_from(time).unwrap_or(i64::MAX));
            timers.push((
                Timer {
                    owner,
                    event,
                    value,
                    milliseconds,
                    is_sent: delay.is_sent,
                    id: delay.id,
                    external: at,
                    var: None,
                },
                external.shown,
            ));
        }
        let beside = beside(chart, &timers.iter().map(|(timer, _)| timer.owner).collect::<Vec<_>>());
        let rests = rests(&beside, &timers.iter().map(|(timer, _)| timer.clone()).collect::<Vec<_>>());
        for at in 0..timers.len() {
            let (timer, shown) = timers[at].clone();
            let is_alone = beside[at].is_empty();
            let mut timer = timer;
            let event = self.events[timer.event].name.clone();
            if timer.is_sent || !(is_alone && self.always_leaves(timer.owner, &event)) {
                let mut values = vec![Value::Int(-1)];
                values.extend(rests[at].iter().map(|rest| Value::Int(*rest)));
                let domain = match timer.milliseconds {
                    Some(time) if rests[at].len() > MAX_RESTS => Domain::Range(-1, time),
                    _ => Domain::Enum(values.into()),
                };
                let name = shown.strip_prefix("after.").unwrap_or(&shown).to_owned();
                let span = chart[timer.owner].key.span;
                timer.var = Some(self.add_var(&format!("timer.{name}"), domain, Role::Internal, span));
            }
            self.layout.timers.push(timer);
        }
        self.layout.beside = beside;
        self.make_ties();
    }

    /// Makes the variables that say which of two delays with the same duration was started first.
    fn make_ties(&mut self) {
        let timers = self.layout.timers.clone();
        for (first, a) in timers.iter().enumerate() {
            for second in self.layout.beside[first].clone().into_iter().filter(|second| *second > first) {
                let b = &timers[second];
                let is_same = a.milliseconds.is_some() && a.milliseconds == b.milliseconds;
                if is_same && a.var.is_some() && b.var.is_some() && !self.independent(a.owner, b.owner) {
                    let name = |timer: &Timer| self.layout.externals[timer.external].0.shown.clone();
                    let name = format!("started.{}.{}", name(b), name(a));
                    let span = self.chart[a.owner].key.span;
                    let var = self.add_var(&name, Domain::Bool, Role::Internal, span);
                    self.layout.ties.push(Tie { first, second, var });
                }
            }
        }
    }

    /// Whether an event that belongs to a state, such as the end of a delay, always leaves that state.
    pub(super) fn always_leaves(&self, owner: StateId, event: &str) -> bool {
        let chart = self.chart;
        let takers = self.takers.of(chart, event);
        let leaves = |index: &usize| match self.domains[*index] {
            None => false,
            Some(None) => true,
            Some(Some(domain)) => chart.is_descendant(owner, domain),
        };
        let is_unguarded = |index: &usize| chart.transitions[*index].guard.is_none();
        // Descendants and other regions must not take the event instead, by a wildcard.
        let others = takers.iter().any(|(state, _)| *state != owner && !chart.is_descendant(owner, *state));
        let own = takers.iter().find(|(state, _)| *state == owner).map_or(&[][..], |(_, list)| list);
        !others && own.iter().all(leaves) && own.iter().any(is_unguarded)
    }

    /// Whether a delay is running, and how long it still takes.
    fn rest(&mut self, at: usize, config: &Config) -> (ExprId, ExprId) {
        let timer = self.layout.timers[at].clone();
        if timer.var.is_some() {
            let stopped = self.int(-1);
            let runs = self.binary(BinaryOp::Ne, config.timers[at], stopped);
            return (runs, config.timers[at]);
        }
        let time = self.int(timer.milliseconds.unwrap_or(0));
        (config.active[timer.owner.index()], time)
    }

    /// Whether a tester can wait for the end of a delay: no other one ends before.
    pub(super) fn ends_next(&mut self, at: usize) -> ExprId {
        let now = self.now.clone();
        let timer = self.layout.timers[at].clone();
        let (runs, rest) = self.rest(at, &now);
        let mut first = self.and(now.active[timer.owner.index()], runs);
        if timer.milliseconds.is_none() {
            return first;
        }
        for other in self.layout.beside[at].clone() {
            if self.layout.timers[other].milliseconds.is_none() {
                continue;
            }
            let (other_runs, other_rest) = self.rest(other, &now);
            // Of those that end together, the one that was started first is waited for.
            let before = self.is_before(other, at);
            let (less, at_most) =
                (self.binary(BinaryOp::Lt, other_rest, rest), self.binary(BinaryOp::Le, other_rest, rest));
            let earlier = self.choose(before, at_most, less);
            let earlier = self.and(other_runs, earlier);
            first = self.without(first, earlier);
        }
        first
    }

    /// Whether a delay was started before another one that ends together with it: it is longer, or it was started first at
    /// the same time.
    pub(super) fn is_before(&mut self, a: usize, b: usize) -> ExprId {
        let time = |at: usize| self.layout.timers[at].milliseconds;
        if time(a) != time(b) {
            return self.boolean(time(a) > time(b));
        }
        let tie = self.layout.ties.iter().position(|tie| (tie.first, tie.second) == (a.min(b), a.max(b)));
        match tie {
            Some(tie) if a < b => self.not(self.now.ties[tie]),
            Some(tie) => self.now.ties[tie],
            None => self.boolean(a < b),
        }
    }

    /// Lets time pass until the delay ends that the tester waits for.
    pub(super) fn pass_time(&mut self, config: &mut Config) {
        let Some(event) = self.layout.event else { return };
        let event = self.var_expr(event);
        let before = config.clone();
        let mut due: Vec<Vec<ExprId>> = vec![Vec::new(); self.layout.timers.len()];
        for at in 0..self.layout.timers.len() {
            let timer = self.layout.timers[at].clone();
            let is_awaited = self.node(Node::Binary(BinaryOp::Eq, event, timer.value));
            if !self.prune.can_hold(&self.model, is_awaited) {
                continue;
            }
            let (_, elapsed) = self.rest(at, &before);
            let stopped = self.int(-1);
            if timer.var.is_some() {
                config.timers[at] = self.choose(is_awaited, stopped, config.timers[at]);
            }
            for other in self.layout.beside[at].clone() {
                let second = &self.layout.timers[other];
                if second.var.is_none() || second.milliseconds.is_none() || timer.milliseconds.is_none() {
                    continue;
                }
                let (runs, rest) = self.rest(other, &before);
                let passes = self.and(is_awaited, runs);
                let same = self.binary(BinaryOp::Eq, rest, elapsed);
                let ends = self.and(passes, same);
                due[other].push(self.pruned(ends));
                let left = self.binary(BinaryOp::Sub, rest, elapsed);
                // Elsewhere, which never happens, there is no time left.
                let zero = self.int(0);
                let is_time = self.binary(BinaryOp::Ge, elapsed, zero);
                let is_longer = self.binary(BinaryOp::Gt, rest, elapsed);
                let is_longer = self.and(is_time, is_longer);
                let left = self.choose(is_longer, left, stopped);
                config.timers[other] = self.choose(passes, left, config.timers[other]);
            }
        }
        for (at, by) in due.into_iter().enumerate() {
            let ends = self.any(&by);
            if self.truth_of(ends) != Some(false) {
                config.due.push((ends, at));
            }
        }
    }

    /// Starts the delays of a state that is entered.
    pub(super) fn start_timers(&mut self, state: StateId, when: ExprId, config: &mut Config) {
        for at in 0..self.layout.timers.len() {
            let timer = &self.layout.timers[at];
            if timer.owner == state && !timer.is_sent && timer.var.is_some() {
                self.start_timer(at, when, config);
            }
        }
    }

    fn start_timer(&mut self, at: usize, when: ExprId, config: &mut Config) {
        let no = self.boolean(false);
        for tie in 0..self.layout.ties.len() {
            let Tie { first, second, .. } = self.layout.ties[tie];
            if first == at {
                let (runs, _) = self.rest(second, config);
                config.ties[tie] = self.choose(when, runs, config.ties[tie]);
            } else if second == at {
                config.ties[tie] = self.choose(when, no, config.ties[tie]);
            }
        }
        let time = self.layout.timers[at].milliseconds.unwrap_or(0);
        let time = self.int(time);
        config.timers[at] = self.choose(when, time, config.timers[at]);
    }

    /// Forgets which delay was started first where they do not end together.
    pub(super) fn settle_ties(&mut self, config: &mut Config) {
        for tie in 0..self.layout.ties.len() {
            let Tie { first, second, .. } = self.layout.ties[tie];
            let (runs, rest) = self.rest(first, config);
            let same = self.binary(BinaryOp::Eq, rest, config.timers[second]);
            let matters = self.and(runs, same);
            let swapped = self.and(config.ties[tie], matters);
            config.ties[tie] = self.pruned(swapped);
        }
    }

    /// Stops the delays of a state that is left.
    pub(super) fn stop_timers(&mut self, state: StateId, when: ExprId, config: &mut Config) {
        for at in 0..self.layout.timers.len() {
            if self.layout.timers[at].owner == state && !self.layout.timers[at].is_sent {
                self.stop_timer(at, when, config);
            }
        }
    }

    fn stop_timer(&mut self, at: usize, when: ExprId, config: &mut Config) {
        if self.layout.timers[at].var.is_some() {
            let stopped = self.int(-1);
            config.timers[at] = self.choose(when, stopped, config.timers[at]);
        }
        for due in 0..config.due.len() {
            let (waits, timer) = config.due[due];
            if timer == at {
                config.due[due].0 = self.without(waits, when);
            }
        }
    }

    /// Sends an event after a delay. One that waits must not be sent again, and neither may one with its id.
    pub(super) fn send_later(&mut self, event: &Arc<str>, wanted: &Delay, when: ExprId, config: &mut Config) {
        let is_it = |external: &External| external.event == *event && external.delay.as_ref() == Some(wanted);
        let externals = &self.layout.externals;
        let Some(at) = self.layout.timers.iter().position(|timer| is_it(&externals[timer.external].0)) else {
            // One with computed parts has a timer in the next pass.
            self.facts.sent.insert((event.clone(), wanted.clone()));
            self.is_incomplete = true;
            return;
        };
        let same: Vec<usize> = (0..self.layout.timers.len()).filter(|other| self.is_same_sending(at, *other)).collect();
        let mut waiting: Vec<ExprId> = same.iter().map(|other| self.rest(*other, config).0).collect();
        waiting.extend(config.due.iter().filter(|(_, timer)| same.contains(timer)).map(|(waits, _)| *waits));
        let waiting = self.any(&waiting);
        let again = self.and(when, waiting);
        let again = self.pruned(again);
        config.sent_again = self.or(config.sent_again, again);
        self.start_timer(at, when, config);
    }

    /// Whether two delayed events must not wait together. Those with one id must not where it is cancelled: XState cancels the
    /// last one of them, and none after one of them was sent.
    fn is_same_sending(&self, at: usize, other: usize) -> bool {
        let (timer, second) = (&self.layout.timers[at], &self.layout.timers[other]);
        let is_cancelled = |id: &Arc<str>| {
            self.chart.actions().into_iter().any(|action| match &action.kind {
                ActionKind::Cancel(cancelled) => cancelled == id,
                ActionKind::CancelComputed(_) => true,
                _ => false,
            })
        };
        at == other
            || self.chart.profile == Profile::XState
                && second.is_sent
                && timer.id == second.id
                && timer.id.as_ref().is_some_and(is_cancelled)
    }

    /// Cancels the delayed events with an id.
    pub(super) fn cancel(&mut self, id: &Arc<str>, when: ExprId, config: &mut Config) {
        for at in 0..self.layout.timers.len() {
            if self.layout.timers[at].id.as_ref() == Some(id) {
                self.stop_timer(at, when, config);
            }
        }
    }
}

/// For each delay those that can run beside it, by the states that they belong to.
fn beside(chart: &Chart, owners: &[StateId]) -> Vec<Vec<usize>> {
    let mut nearby = Nearby::default();
    for (at, owner) in owners.iter().enumerate() {
        nearby.add(chart, *owner, at);
    }
    let others = |(at, owner): (usize, &StateId)| {
        let all = nearby.of(chart, *owner).into_iter();
        all.filter(|other| *other != at).collect()
    };
    owners.iter().enumerate().map(others).collect()
}

/// The times that delays can still take: all differences that can arise.
fn rests(beside: &[Vec<usize>], timers: &[Timer]) -> Vec<BTreeSet<i64>> {
    let mut rests: Vec<BTreeSet<i64>> = timers.iter().map(|timer| [timer.milliseconds.unwrap_or(0)].into()).collect();
    loop {
        let before = rests.clone();
        for (at, timer) in timers.iter().enumerate() {
            for &other in &beside[at] {
                if timer.milliseconds.is_none() || timers[other].milliseconds.is_none() {
                    continue;
                }
                if rests[at].len() > MAX_RESTS || rests[other].len() > MAX_RESTS {
                    continue;
                }
                let differences: Vec<i64> = before[at]
                    .iter()
                    .flat_map(|a| before[other].iter().map(move |b| a - b))
                    .filter(|difference| *difference > 0)
                    .collect();
                rests[at].extend(differences);
            }
        }
        if rests == before {
            break;
        }
    }
    // Where one has too many, those beside it may have any number as well.
    if rests.iter().any(|rests| rests.len() > MAX_RESTS) {
        for (rest, timer) in rests.iter_mut().zip(timers) {
            if timer.milliseconds.is_some() {
                rest.extend((0..).take(MAX_RESTS + 1));
            }
        }
    }
    rests
}
