//! Many queries at once, in rounds.
//!
//! In each round, executions are looked for a little deeper, for all open queries together, and then a proof for each of them,
//! with a limit of work that grows from round to round. So what is easy is answered before much is spent on what is not.
//! Every batch begins with fresh solvers and no lemmas: what was asked before does not matter.
//!
//! Queries share lemmas, so a batch may decide more of them than they need alone. Fewer it must not: what is open at the end is
//! asked once more, each query for itself. Queries that only lassos answer are asked so from the beginning.

use super::Sat;
use super::bounded::{Bounded, Hit};
use super::induction::inductive;
use super::pdr::{Pdr, Verdict};
use super::target::Target;
use crate::answer::{Answer, Reason};
use crate::bdd::Limit;
use crate::policy::{SAT_FIRST_DEPTH, SAT_HELD_ROUNDS, SAT_INDUCTION_ROUNDS, SAT_LASSO_WORK};
use crate::query::Query;
use crate::search::{Search, Sink};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use specwright_model::Trace;
use specwright_sat::Signal;
use specwright_syntax::budget::Budget;
use std::ops::ControlFlow;

/// A query of a batch.
pub(super) struct Goal {
    /// Its place in the batch.
    index: usize,
    target: Target,
    /// Whether the target itself is out of reach. What is left are states that may answer the query if no step follows.
    is_end: bool,
    /// The steps of some execution to the target, if there is one; not of a shortest one.
    reached_in: Option<usize>,
    progress: Progress,
}

enum Progress {
    Open,
    /// The length of its shortest executions is known.
    Reached(Hit),
    Decided(Answer<Trace>),
    /// A lasso is needed.
    Lasso(Query),
    /// The answer was passed on, or is not needed any more.
    Closed,
}

impl Goal {
    /// A query, or the reason why it cannot be decided here.
    pub(super) fn new(index: usize, target: Result<Target, Reason>) -> Goal {
        match target {
            Ok(target) => Goal { index, target, is_end: false, reached_in: None, progress: Progress::Open },
            Err(reason) => Goal {
                index,
                target: Target::states(Signal::FALSE),
                is_end: false,
                reached_in: None,
                progress: Progress::Decided(Answer::Undecided(reason)),
            },
        }
    }

    fn is_open(&self) -> bool {
        matches!(self.progress, Progress::Open)
    }

    fn is_left(&self) -> bool {
        matches!(self.progress, Progress::Open | Progress::Lasso(_))
    }

    /// Whether there may be a proof that no execution reaches it.
    fn may_be_proved(&self) -> bool {
        self.is_open() && !self.target.at_start && self.reached_in.is_none()
    }

    /// Takes note that no execution reaches the target.
    fn exclude(&mut self, is_total: bool) {
        let Target { is_whole, ends, .. } = self.target;
        self.progress = Progress::Decided(if !is_whole {
            Answer::Undecided(Reason::Unsupported)
        } else if self.is_end || ends == Signal::FALSE || is_total {
            Answer::INFEASIBLE
        } else {
            // Where no step follows, what is known without one counts. Whether none follows is left to others.
            self.target = Target { state: ends, step: Signal::FALSE, ends: Signal::FALSE, ..self.target };
            self.is_end = true;
            self.progress = Progress::Open;
            return;
        });
    }
}

impl Sat {
    /// A query of a batch by its place.
    pub(super) fn goal(&mut self, index: usize, query: Query) -> Goal {
        match self.target(query) {
            Err(Reason::Unsupported) if self.lasso_formula(query).is_some() => {
                Goal { progress: Progress::Lasso(query), ..Goal::new(index, Err(Reason::Unsupported)) }
            }
            target => Goal::new(index, target),
        }
    }

    /// Answers a batch: what is known when all of it is, or after some rounds as it comes; undecided queries last.
    ///
    /// A query in the middle of another batch has solvers of its own, and leaves those of the batch as they were.
    pub(super) fn run(
        &mut self,
        goals: Vec<Goal>,
        rounds: &[u64],
        budget: &Budget,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        if !self.is_running {
            self.begin(budget);
            self.is_running = true;
            let flow = self.run_rounds(goals, rounds, budget, sink);
            self.is_running = false;
            return flow;
        }
        let bounded = std::mem::replace(&mut self.bounded, Bounded::new(&self.machine, &self.is_stopped));
        let pdr = std::mem::replace(&mut self.pdr, Pdr::new(&self.machine, &self.is_stopped));
        let (whole, query) = (self.whole_budget.clone(), self.budget.borrow().clone());
        self.begin(budget);
        let flow = self.run_rounds(goals, rounds, budget, sink);
        self.spent += self.bounded.work() + self.pdr.work();
        (self.bounded, self.pdr, self.whole_budget) = (bounded, pdr, whole);
        *self.budget.borrow_mut() = query;
        flow
    }

    fn run_rounds(
        &mut self,
        mut goals: Vec<Goal>,
        rounds: &[u64],
        budget: &Budget,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let most = budget.steps().unwrap_or(u64::MAX);
        let mut depth = SAT_FIRST_DEPTH;
        let mut is_paused = false;
        for (round, work) in rounds.iter().enumerate() {
            let work = most.min(*work);
            if !goals.iter().any(Goal::is_open) {
                break;
            }
            let is_last = round + 1 == rounds.len() || work == most;
            if self.look(&mut goals, work, if is_last { usize::MAX } else { depth }).is_err() {
                break;
            }
            if round >= SAT_HELD_ROUNDS {
                self.pass_on(&mut goals, false, sink)?;
            }
            if round < SAT_INDUCTION_ROUNDS && self.induct(&mut goals, 1 << round, work).is_err() {
                break;
            }
            if round == 0 && goals.iter().any(Goal::is_open) {
                self.begin_query();
                if self.begin_proofs().is_err() && self.go_on().is_err() {
                    break;
                }
            }
            if self.prove(&mut goals, work).is_err() {
                break;
            }
            if round >= SAT_HELD_ROUNDS {
                self.pass_on(&mut goals, false, sink)?;
            }
            if is_last {
                break;
            }
            if round == SAT_HELD_ROUNDS && goals.iter().any(Goal::is_open) {
                pause(&mut goals, sink)?;
                is_paused = true;
            }
            depth *= 2;
        }
        if !is_paused && goals.iter().any(|goal| matches!(goal.progress, Progress::Lasso(_))) {
            pause(&mut goals, sink)?;
        }
        self.ask_alone(&mut goals, rounds, budget, sink)?;
        self.begin_query();
        let limit = self.limit(Limit::Steps);
        for goal in goals.iter_mut().filter(|goal| goal.is_left()) {
            let is_left_to_others = goal.is_end && limit != Limit::Interrupted;
            let reason = if is_left_to_others { Reason::Unsupported } else { limit.into() };
            goal.progress = Progress::Decided(Answer::Undecided(reason));
        }
        // If nothing was passed on yet, all answers keep their order.
        if goals.iter().any(|goal| matches!(goal.progress, Progress::Closed)) {
            self.pass_on(&mut goals, false, sink)?;
        }
        self.pass_on(&mut goals, true, sink)
    }

    /// Asks what is left, each query for itself.
    fn ask_alone(
        &mut self,
        goals: &mut [Goal],
        rounds: &[u64],
        budget: &Budget,
        sink: &mut dyn Sink,
    ) -> ControlFlow<()> {
        let is_batch = goals.len() > 1;
        let mut order: Vec<usize> = (0..goals.len()).filter(|place| goals[*place].is_left()).collect();
        order.sort_by_key(|place| goals[*place].index);
        for place in order {
            self.begin_query();
            if self.go_on().is_err() {
                break;
            }
            let Goal { index, target, is_end, ref progress, .. } = goals[place];
            let answer = match *progress {
                _ if !sink.is_open(index) => continue,
                Progress::Lasso(query) => self.lasso(query, &budget.limited(SAT_LASSO_WORK)),
                Progress::Open if is_batch => {
                    let (reached_in, progress) = (None, Progress::Open);
                    let mut one = One::default();
                    let goal = Goal { index: 0, target, is_end, reached_in, progress };
                    let _ = self.run(vec![goal], rounds, budget, &mut one);
                    one.0.expect("every query of a batch is answered")
                }
                _ => continue,
            };
            if !answer.is_undecided() {
                goals[place].progress = Progress::Decided(answer);
                self.pass_on(goals, false, sink)?;
            } else if matches!(goals[place].progress, Progress::Lasso(_)) {
                goals[place].progress = Progress::Decided(answer);
            }
        }
        ControlFlow::Continue(())
    }

    /// Looks for executions to all open queries of at most `depth` steps.
    fn look(&mut self, goals: &mut [Goal], work: u64, depth: usize) -> Result<(), Limit> {
        self.bounded.assume(self.pdr.forever());
        // Those for which the next depth takes too long.
        let mut stuck: FxHashSet<Target> = FxHashSet::default();
        // Proofs have this work for each query.
        let n_open = goals.iter().filter(|goal| goal.is_open()).count() as u64;
        let most = self.bounded.work().saturating_add(work.saturating_mul(n_open + 1) / 4);
        // As deep as it takes where an execution is known.
        let known = goals.iter().filter(|goal| goal.is_open()).filter_map(|goal| goal.reached_in).max();
        let depth = depth.max(known.unwrap_or(0));
        while self.bounded.work() < most {
            let open = goals.iter().filter(|goal| goal.is_open()).map(|goal| goal.target);
            let open: IndexSet<Target, FxBuildHasher> = open.filter(|target| !stuck.contains(target)).collect();
            let nearest = open.iter().map(|target| self.bounded.from(target)).min().filter(|from| *from <= depth);
            let Some(n_steps) = nearest else { return Ok(()) };
            let open: Vec<Target> = open.into_iter().filter(|target| self.bounded.from(target) == n_steps).collect();
            self.begin_query();
            if self.bounded.look(n_steps, &open, work).is_err() {
                self.go_on()?;
                // One by one, what is hard does not stand in the way of the rest.
                for target in open.iter().filter(|_| open.len() > 1) {
                    if self.bounded.hit(target).is_none() && self.bounded.from(target) == n_steps {
                        self.begin_query();
                        if self.bounded.look(n_steps, &[*target], work).is_err() {
                            self.go_on()?;
                        }
                    }
                }
                stuck.extend(open.iter().filter(|target| self.bounded.from(target) == n_steps));
            }
            for goal in goals.iter_mut().filter(|goal| goal.is_open()) {
                if let Some(hit) = self.bounded.hit(&goal.target) {
                    goal.progress = if goal.is_end {
                        Progress::Decided(Answer::Undecided(Reason::Unsupported))
                    } else {
                        Progress::Reached(hit)
                    };
                } else if goal.target.at_start && self.bounded.from(&goal.target) > 1 {
                    goal.exclude(self.machine.is_total);
                }
            }
        }
        Ok(())
    }

    /// Looks for a proof for all open queries together, by induction over a number of steps.
    fn induct(&mut self, goals: &mut [Goal], n_steps: usize, work: u64) -> Result<(), Limit> {
        let open = goals.iter().filter(|goal| goal.may_be_proved()).map(|goal| goal.target);
        let open: IndexSet<Target, FxBuildHasher> = open.filter(|target| self.bounded.from(target) > n_steps).collect();
        if open.is_empty() {
            return Ok(());
        }
        let open: Vec<Target> = open.into_iter().collect();
        self.bounded.assume(self.pdr.forever());
        self.begin_query();
        match inductive(&self.machine, &self.bounded, &open, n_steps, work, &mut self.spent) {
            // They rest on lemmas as well.
            Ok(proved) if !proved.is_empty() && self.pdr.confirm(&[]) => {
                let proved: FxHashSet<Target> = proved.into_iter().map(|place| open[place]).collect();
                let is_proved = |goal: &&mut Goal| goal.is_open() && proved.contains(&goal.target);
                goals.iter_mut().filter(is_proved).for_each(|goal| goal.exclude(self.machine.is_total));
                Ok(())
            }
            _ => self.go_on(),
        }
    }

    /// Looks for a proof for each open query, and checks all of them together.
    fn prove(&mut self, goals: &mut [Goal], work: u64) -> Result<(), Limit> {
        loop {
            let (mut proved, mut reachable, mut late) = (Vec::new(), Vec::new(), Vec::new());
            for (place, goal) in goals.iter().enumerate().filter(|(_, goal)| goal.may_be_proved()) {
                self.begin_query();
                let verdict = self.pdr.prove(goal.target.state, goal.target.step, work);
                if let Some(n_steps) = self.pdr.cleared() {
                    self.bounded.skip(&goal.target, n_steps + 1);
                }
                match verdict {
                    Verdict::Unreachable => proved.push(place),
                    // There is an execution; the search for the shortest one comes to it.
                    Verdict::Reachable(n_steps) => reachable.push((place, n_steps)),
                    Verdict::Unknown => {
                        self.go_on()?;
                        if self.limit(Limit::Steps) == Limit::Time {
                            late.push(place);
                        }
                    }
                }
            }
            for (place, n_steps) in reachable {
                goals[place].reached_in = Some(n_steps);
            }
            for place in late {
                goals[place].progress = Progress::Decided(Answer::Undecided(Limit::Time.into()));
            }
            if proved.is_empty() {
                return Ok(());
            }
            self.begin_query();
            let targets: Vec<(Signal, Signal)> =
                proved.iter().map(|place| (goals[*place].target.state, goals[*place].target.step)).collect();
            if !self.pdr.confirm(&targets) {
                return self.go_on();
            }
            for place in &proved {
                goals[*place].exclude(self.machine.is_total);
            }
            // What remains of some are states without steps.
            if !proved.iter().any(|place| goals[*place].is_open()) {
                return Ok(());
            }
        }
    }

    /// Passes on answers in the order of the batch.
    fn pass_on(&mut self, goals: &mut [Goal], undecided: bool, sink: &mut dyn Sink) -> ControlFlow<()> {
        let mut order: Vec<usize> = (0..goals.len()).collect();
        order.sort_by_key(|place| goals[*place].index);
        for place in order {
            let goal = &mut goals[place];
            match &goal.progress {
                Progress::Open | Progress::Lasso(_) | Progress::Closed => continue,
                Progress::Decided(answer) if answer.is_undecided() && !undecided => continue,
                Progress::Reached(_) | Progress::Decided(_) => {}
            }
            let progress = std::mem::replace(&mut goal.progress, Progress::Closed);
            if !sink.is_open(goal.index) {
                continue;
            }
            let answer = match progress {
                Progress::Open | Progress::Lasso(_) | Progress::Closed => continue,
                Progress::Reached(hit) => {
                    self.begin_query();
                    match self.found(&goal.target, &hit) {
                        Ok(trace) => Answer::Found(trace),
                        Err(limit) => Answer::Undecided(self.limit(limit).into()),
                    }
                }
                Progress::Decided(answer) => answer,
            };
            sink.answer(self, goal.index, answer)?;
        }
        ControlFlow::Continue(())
    }
}

/// Says that what is easy is answered. What another engine answers then needs no answer any more.
fn pause(goals: &mut [Goal], sink: &mut dyn Sink) -> ControlFlow<()> {
    let mut left: Vec<usize> = goals.iter().filter(|goal| goal.is_left()).map(|goal| goal.index).collect();
    left.sort_unstable();
    if sink.pause(&left)? {
        goals.iter_mut().filter(|goal| goal.is_left()).for_each(|goal| goal.progress = Progress::Closed);
    }
    ControlFlow::Continue(())
}

/// Takes the answer to a single query.
#[derive(Default)]
pub(super) struct One(pub(super) Option<Answer<Trace>>);

impl Sink for One {
    fn is_open(&mut self, _: usize) -> bool {
        true
    }

    fn answer(&mut self, _: &mut dyn Search, _: usize, answer: Answer<Trace>) -> ControlFlow<()> {
        self.0 = Some(answer);
        ControlFlow::Continue(())
    }
}
