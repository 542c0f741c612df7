//! Comparison of goals: by known executions, and by queries for a distinguishing execution.

use super::exposure::GoalExposure;
use crate::goal::Goal;
use crate::grade::{Bits, Grader, Quantifiers};
use specwright_mc::{Answer, CompiledGoal, Ends, Reason, States, Symbolic, ViolationKey};
use specwright_model::Trace;
use std::cell::OnceCell;

/// Compares the goals of one model.
pub struct Winnower<'e> {
    engine: &'e mut Symbolic,
    ends: Ends,
    goal_exposures: Vec<GoalExposure>,
    /// As the engine sees the goals, once it was asked.
    compiled: Vec<Option<CompiledGoal>>,
    /// The violation keys of the goals, once computed; the inner `None` means that there is no key.
    keys: Vec<OnceCell<Option<ViolationKey>>>,
    grader: Grader,
    /// For each goal, its known truth in the states of all executions seen so far, concatenated.
    states: Vec<Recorded>,
    /// For each goal, its known truth on these executions as wholes.
    traces: Vec<Recorded>,
    n_traces: usize,
    n_queries: usize,
}

/// Where a goal is reached, and where it is not, whatever follows or as far as the execution goes, depending on where
/// paths may end. Everywhere else it is unknown.
#[derive(Clone, Debug, Default)]
struct Recorded {
    met: Vec<u64>,
    missed: Vec<u64>,
    /// Number of positions where it is reached.
    n_met: u32,
}

impl<'e> Winnower<'e> {
    /// Compares these goals, which must be of the model of the engine, on paths that may end where it says.
    pub fn new(engine: &'e mut Symbolic, goals: &[Goal], ends: Ends) -> Winnower<'e> {
        let goal_exposures: Vec<GoalExposure> =
            goals.iter().map(|goal| GoalExposure::new(engine.system(), goal.target)).collect();
        let targets = goal_exposures.iter().map(|exposure| exposure.target());
        let grader = Grader::new(engine.system(), targets, Quantifiers::Path);
        let n = goals.len();
        Winnower {
            engine,
            ends,
            goal_exposures,
            compiled: vec![None; n],
            keys: vec![OnceCell::new(); n],
            grader,
            states: vec![Recorded::default(); n],
            traces: vec![Recorded::default(); n],
            n_traces: 0,
            n_queries: 0,
        }
    }

    /// The number of goals.
    pub fn n_goals(&self) -> usize {
        self.goal_exposures.len()
    }

    /// Number of queries to the engine.
    pub fn n_queries(&self) -> usize {
        self.n_queries
    }

    /// Whether the engine's budget is spent.
    pub(super) fn is_spent(&self) -> bool {
        self.engine.is_spent()
    }

    /// Records an execution: goals that it distinguishes need no query.
    pub fn record(&mut self, trace: &Trace) {
        let exposures = self.grader.exposures(self.engine.system(), trace);
        let (word, bit) = (self.n_traces / 64, self.n_traces % 64);
        for (goal, (met, missed)) in exposures.iter().enumerate() {
            let anywhere = self.goal_exposures[goal].anywhere;
            let is_missed = match self.ends {
                Ends::Anywhere => met.is_empty(),
                Ends::Nowhere if anywhere => trace.loop_start.is_some() && missed.count() == missed.limit(),
                Ends::Nowhere => missed.contains(0),
            };
            let whole = &mut self.traces[goal];
            whole.met.resize(word + 1, 0);
            whole.missed.resize(word + 1, 0);
            whole.met[word] |= u64::from(!met.is_empty()) << bit;
            whole.missed[word] |= u64::from(is_missed) << bit;
            self.note(goal, met, missed, true);
        }
        self.n_traces += 1;
    }

    /// The same for a path fragment, which decides only local goals.
    fn record_fragment(&mut self, fragment: &Trace) {
        let exposures = self.grader.exposures(self.engine.system(), fragment);
        for (goal, (met, missed)) in exposures.iter().enumerate() {
            let local = self.goal_exposures[goal].is_local(self.engine.system());
            self.note(goal, met, missed, local);
        }
    }

    fn note(&mut self, goal: usize, met: &Bits, missed: &Bits, known: bool) {
        let seen = &mut self.states[goal];
        if !known {
            seen.met.resize(seen.met.len() + met.words().len(), 0);
            seen.missed.resize(seen.missed.len() + met.words().len(), 0);
            return;
        }
        seen.n_met += u32::try_from(met.count()).unwrap_or(u32::MAX);
        seen.met.extend_from_slice(met.words());
        match self.ends {
            Ends::Nowhere => seen.missed.extend_from_slice(missed.words()),
            // Bits beyond the last state are never set in `met`.
            Ends::Anywhere => seen.missed.extend(met.words().iter().map(|word| !word)),
        }
    }

    /// Whether a recorded execution reaches one goal and not the other.
    fn is_recorded_beyond(&self, one: usize, other: usize) -> bool {
        let alike = self.goal_exposures[one].anywhere == self.goal_exposures[other].anywhere;
        let seen = if alike { &self.states } else { &self.traces };
        seen[one].met.iter().zip(&seen[other].missed).any(|(one, other)| one & other != 0)
    }

    /// Number of recorded states at which a goal is reached.
    pub(super) fn n_recorded(&self, goal: usize) -> u32 {
        self.states[goal].n_met
    }

    /// Whether no recorded execution distinguishes two goals.
    pub(super) fn seem_equivalent(&self, one: usize, other: usize) -> bool {
        self.goal_exposures[one] == self.goal_exposures[other]
            || !self.is_recorded_beyond(one, other) && !self.is_recorded_beyond(other, one)
    }

    /// Whether something reaches one goal and not the other, on any path fragment from a reachable state.
    pub fn differs(&mut self, one: usize, other: usize) -> Answer<()> {
        if self.goal_exposures[one] == self.goal_exposures[other] {
            return Answer::INFEASIBLE;
        }
        if self.is_recorded_beyond(one, other) {
            return Answer::Found(());
        }
        if let (Some(one), Some(other)) = (self.key(one), self.key(other)) {
            return self.engine.has_more(&one, &other);
        }
        // Sets of states decide most pairs, without an execution.
        match self.compiled(one, other) {
            Ok((one, other)) if one.is_evidently(&other) => return Answer::INFEASIBLE,
            Ok((one, other)) => match self.engine.differs(&one, &other, self.ends) {
                Answer::Undecided(Reason::Unsupported) => {}
                answer => return answer,
            },
            Err(reason) => return Answer::Undecided(reason),
        }
        self.ask(one, other, false).map(|trace| {
            let local = |goal: usize| self.goal_exposures[goal].is_local(self.engine.system());
            if trace.loop_start.is_none() && local(one) && local(other) {
                self.record_fragment(&trace);
            } else {
                self.record(&trace);
            }
            debug_assert!(
                self.ends == Ends::Nowhere || self.is_recorded_beyond(one, other),
                "an execution that tells goals apart does so for the grader: {:?} {}\n{:?} {}\n{trace:?}",
                self.goal_exposures[one],
                self.engine.system().show_expr(self.goal_exposures[one].formula),
                self.goal_exposures[other],
                self.engine.system().show_expr(self.goal_exposures[other].formula),
            );
        })
    }

    /// An execution that reaches one goal and not the other at some state.
    pub fn distinguish(&mut self, one: usize, other: usize) -> Answer<Trace> {
        if self.goal_exposures[one] == self.goal_exposures[other] {
            Answer::INFEASIBLE
        } else {
            self.ask(one, other, true)
        }
    }

    fn ask(&mut self, one: usize, other: usize, whole: bool) -> Answer<Trace> {
        self.n_queries += 1;
        match self.compiled(one, other) {
            Ok((one, other)) if one.is_evidently(&other) => Answer::INFEASIBLE,
            Ok((one, other)) => {
                let whole = whole || !(one.is_local() && other.is_local());
                self.engine.distinguish(&one, &other, self.ends, whole)
            }
            Err(reason) => Answer::Undecided(reason),
        }
    }

    fn compiled(&mut self, one: usize, other: usize) -> Result<(CompiledGoal, CompiledGoal), Reason> {
        Ok((self.exposure(one)?, self.exposure(other)?))
    }

    fn exposure(&mut self, goal: usize) -> Result<CompiledGoal, Reason> {
        if let Some(known) = &self.compiled[goal] {
            return Ok(known.clone());
        }
        let GoalExposure { formula, anywhere } = self.goal_exposures[goal];
        let exposure = self.engine.compile(formula, anywhere)?;
        self.compiled[goal] = Some(exposure.clone());
        Ok(exposure)
    }

    /// Where a goal is reached, in a form in which two goals are the same exactly if these are; nothing if there is none.
    pub(super) fn key(&mut self, goal: usize) -> Option<ViolationKey> {
        if let Some(known) = self.keys[goal].get() {
            return known.clone();
        }
        let exposure = self.exposure(goal).ok();
        let key = exposure.and_then(|exposure| self.engine.violation_key(&exposure, self.ends).ok().flatten());
        self.keys[goal].get_or_init(|| key).clone()
    }

    /// Whether two goals are the same: exact, on all paths.
    ///
    /// [`Answer::Impossible`] if they are.
    pub fn differ(&mut self, one: usize, other: usize) -> Answer<()> {
        match self.differs(one, other) {
            Answer::Impossible(_) => self.differs(other, one),
            answer => answer,
        }
    }

    /// Whether some execution never reaches a goal. If none does, the goal is trivial.
    pub fn avoids(&mut self, goal: usize) -> Answer<()> {
        match self.exposure(goal) {
            Ok(exposure) => self.engine.avoids(&exposure),
            Err(reason) => Answer::Undecided(reason),
        }
    }

    /// The states that reach a goal in branching time, if states decide it.
    pub(super) fn states(&mut self, goal: usize) -> Option<(bool, States)> {
        let exposure = self.goal_exposures[goal];
        if !exposure.is_branching(self.engine.system()) {
            return None;
        }
        let states = self.engine.states_where(exposure.formula).ok()?;
        Some((exposure.anywhere, states))
    }
}
