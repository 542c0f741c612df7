//! Run to completion: a whole step, with its eventless transitions and its internal events, unfolded.

use super::Lowering;
use super::config::{Config, Current, Taken};
use crate::expr::ExprId;
use specwright_syntax::statechart::ast::{Profile, StateId};

/// Maximal number of microsteps of a step. Steps that need more do not exist, and `check` reports them.
const MAX_MICROSTEPS: usize = 48;

/// The same for steps that stay small, such as those that count.
const MAX_SMALL_MICROSTEPS: usize = 200;

/// Maximal number of expressions of a model with such steps.
const SMALL: usize = 50_000;

/// Maximal number of expressions of the model.
pub(super) const MAX_EXPRESSIONS: usize = 2_000_000;

/// A step that was unfolded.
pub(super) struct Unfolded {
    pub(super) config: Config,
    /// The condition under which it has not come to its end.
    pub(super) endless: ExprId,
}

impl Lowering<'_> {
    /// The start of the machine.
    pub(super) fn start(&mut self, mut config: Config) -> Unfolded {
        let entry = self.initial_entry(&config);
        if self.chart.profile == Profile::XState {
            // Before the first step, conditions in actions see the states where everything starts.
            let no = self.boolean(false);
            let of = |at: usize| entry.states.get(&StateId(at as u32)).copied().unwrap_or(no);
            config.seen = Some((0..self.chart.states.len()).map(of).collect());
        }
        self.enter(&entry, &mut config);
        config.seen = None;
        self.complete_run(config)
    }

    /// The step by an event.
    pub(super) fn react(&mut self, mut config: Config, current: &Current) -> Unfolded {
        let running = self.not(config.done);
        let mut enabled = Vec::new();
        for (event, when) in current {
            let when = self.and(*when, running);
            enabled.push((*event, when));
        }
        config.event.clone_from(current);
        let selected = self.select(&enabled, &config);
        self.raise_failed_guards(&mut config);
        self.note_unhandled(&enabled, &selected, &mut config);
        let taken = self.without_conflicts(selected);
        self.record(&taken);
        self.microstep(&mut config, &taken);
        self.complete_run(config)
    }

    /// XState stops a machine with an error if an actor reports one and no transition takes it.
    fn note_unhandled(&mut self, current: &Current, selected: &Taken, config: &mut Config) {
        if self.chart.profile != Profile::XState {
            return;
        }
        let taken: Vec<ExprId> = selected.iter().map(|(_, when)| *when).collect();
        let taken = self.any(&taken);
        for (event, when) in current {
            if self.events[*event].name.starts_with(super::actors::ERROR) {
                let owners: Vec<ExprId> = self.reporting(*event);
                let reports = self.any(&owners);
                let reports = self.and(*when, reports);
                let unhandled = self.without(reports, taken);
                let unhandled = self.pruned(unhandled);
                config.unhandled = self.or(config.unhandled, unhandled);
            }
        }
    }

    /// Takes eventless transitions and internal events until there are none.
    fn complete_run(&mut self, mut config: Config) -> Unfolded {
        // XState does not repeat eventless transitions that have changed nothing.
        let mut may_repeat = self.boolean(true);
        for number in 0..MAX_SMALL_MICROSTEPS {
            self.model.budget.look();
            if number >= MAX_MICROSTEPS && self.model.context.exprs.len() > SMALL {
                break;
            }
            let running = self.not(config.done);
            let selected = self.select_by_atoms(None, &config);
            let eventless_failed = std::mem::take(&mut self.failed_guards);
            let mut eventless: Taken = Vec::new();
            for (index, when) in selected {
                let when = self.and(when, running);
                let when = self.and(when, may_repeat);
                let when = self.pruned(when);
                if self.truth_of(when) != Some(false) {
                    eventless.push((index, when));
                }
            }
            let mut taken = self.without_conflicts(eventless);
            let conditions: Vec<ExprId> = taken.iter().map(|(_, when)| *when).collect();
            let any = self.any(&conditions);
            let current = self.take_from_queues(running, any, &mut config);
            if taken.is_empty() && current.is_empty() && eventless_failed.is_empty() {
                let endless = self.boolean(false);
                return Unfolded { config, endless };
            }
            if self.model.context.exprs.len() > MAX_EXPRESSIONS || self.is_too_large() {
                break;
            }
            self.take_event(&current, &mut config);
            let selected = self.select(&current, &config);
            // Errors of guards wait behind the event that was taken.
            self.failed_guards.splice(0..0, eventless_failed);
            self.raise_failed_guards(&mut config);
            let by_event = self.without_conflicts(selected);
            taken.extend(by_event);
            self.record(&taken);
            let changed = self.microstep(&mut config, &taken);
            let yes = self.boolean(true);
            may_repeat = match self.chart.profile {
                Profile::XState => self.choose(any, changed, yes),
                Profile::Scxml => yes,
            };
        }
        let endless = self.endless(&mut config);
        Unfolded { config, endless }
    }

    /// The condition under which the machine is not at rest.
    fn endless(&mut self, config: &mut Config) -> ExprId {
        let running = self.not(config.done);
        let selected = self.select_by_atoms(None, config);
        self.failed_guards.clear();
        let mut waiting: Vec<ExprId> = selected.into_iter().map(|(_, when)| when).collect();
        waiting.extend(config.queue.iter().chain(&config.due).map(|(when, _)| *when));
        waiting.extend(config.sent.iter().map(|sent| sent.when));
        let waiting = self.any(&waiting);
        let endless = self.and(waiting, running);
        self.pruned(endless)
    }

    /// Takes the first internal event, unless an eventless transition was taken; where none waits, the first external one
    /// that the machine has sent to itself.
    fn take_from_queues(&mut self, running: ExprId, eventless: ExprId, config: &mut Config) -> Current {
        let mut free = self.without(running, eventless);
        let mut current: Current = Vec::new();
        for (waits, event) in std::mem::take(&mut config.queue) {
            let rest = self.take_head(waits, event, &mut free, &mut current);
            if self.truth_of(rest) != Some(false) {
                config.queue.push((rest, event));
            }
        }
        // The macrostep ends here, so actors have sent what they send.
        let at_end = free;
        for mut sent in std::mem::take(&mut config.sent) {
            sent.when = self.take_head(sent.when, sent.event, &mut free, &mut current);
            if self.truth_of(sent.when) != Some(false) {
                if let Some((_, waits)) = &mut sent.by {
                    *waits = self.without(*waits, at_end);
                }
                config.sent.push(sent);
            }
        }
        // Delays that end at the same moment, one after the other.
        let due = std::mem::take(&mut config.due);
        for (at, &(waits, timer)) in due.iter().enumerate() {
            let mut first = waits;
            for &(other, earlier) in due[..at].iter().chain(&due[at + 1..]) {
                let is_earlier = self.is_before(earlier, timer);
                let is_earlier = self.and(other, is_earlier);
                first = self.without(first, is_earlier);
            }
            let head = self.and(free, first);
            let head = self.pruned(head);
            let rest = self.without(waits, head);
            let rest = self.pruned(rest);
            if self.truth_of(rest) != Some(false) {
                config.due.push((rest, timer));
            }
            if self.truth_of(head) != Some(false) {
                current.push((self.layout.timers[timer].event, head));
            }
        }
        current
    }

    /// Takes an event where it waits and nothing else was taken. The result is the condition under which it still waits.
    fn take_head(&mut self, waits: ExprId, event: usize, free: &mut ExprId, current: &mut Current) -> ExprId {
        let head = self.and(*free, waits);
        let head = self.pruned(head);
        *free = self.without(*free, waits);
        let rest = self.without(waits, head);
        if self.truth_of(head) != Some(false) {
            match current.iter().position(|(other, _)| *other == event) {
                Some(at) => current[at].1 = self.or(current[at].1, head),
                None => current.push((event, head)),
            }
        }
        self.pruned(rest)
    }

    /// The current event is the one that was taken, or still the one before.
    fn take_event(&mut self, current: &Current, config: &mut Config) {
        if current.is_empty() {
            return;
        }
        let taken: Vec<ExprId> = current.iter().map(|(_, when)| *when).collect();
        let taken = self.any(&taken);
        let mut events = current.clone();
        for (event, when) in std::mem::take(&mut config.event) {
            let still = self.without(when, taken);
            let still = self.pruned(still);
            match events.iter().position(|(other, _)| *other == event) {
                _ if self.truth_of(still) == Some(false) => {}
                Some(at) => events[at].1 = self.or(events[at].1, still),
                None => events.push((event, still)),
            }
        }
        config.event = events;
    }

    /// Raises the errors of guards.
    fn raise_failed_guards(&mut self, config: &mut Config) {
        for failed in std::mem::take(&mut self.failed_guards) {
            self.fail(&super::send::ERROR.into(), None, failed, config);
        }
    }

    /// Records that transitions are taken, for criteria.
    fn record(&mut self, taken: &Taken) {
        for (index, when) in taken {
            self.coverage.taken(*index, *when);
        }
    }
}
