//! Evaluation of compiled goals on traces.

use super::block::{Block, Room};
use super::matrix::Bits;
use super::plan::Plan;
use super::program::{Operand, Program, Quantifiers};
use super::trace_batch::TraceBatch;
use super::truth_vectors::get;
use crate::policy::{BLOCK_WORDS, MIN_BLOCK, MOST_TRUTH_WORDS, TRUTH_WORDS, UNROLLED_STATES};
use specwright_mc::Query;
use specwright_model::typing::is_temporal;
use specwright_model::{Trace, TransitionSystem};
use specwright_syntax::parallel;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// Decides which goals a trace reaches.
///
/// It belongs to the model that it was made for, and stays valid when expressions are added to that model.
#[derive(Clone, Debug)]
pub struct Grader {
    program: Program,
    goals: Vec<GoalCheck>,
    /// For each operation, the number of times a loop must be unrolled before its past operators are stable.
    past: Vec<u64>,
    most_past: u64,
    /// The kept traces, followed by one that is judged on its own.
    kept: TraceBatch,
    alone: TraceBatch,
    /// All goals on all states at once; made when it is first needed.
    plan: OnceLock<Arc<Plan>>,
    room: Room,
    /// The system that it was made for.
    system: Arc<TransitionSystem>,
}

/// What a goal requires of its formula.
#[derive(Clone, Copy, Debug)]
struct GoalCheck {
    operand: Operand,
    /// Whether it may be true in any state, or only in the first one.
    anywhere: bool,
}

impl Grader {
    /// A grader for the targets of these goals.
    pub fn new(model: &TransitionSystem, targets: impl IntoIterator<Item = Query>, quantifiers: Quantifiers) -> Grader {
        let mut program = Program::new(quantifiers);
        let wish = |target| {
            model.budget.look();
            let (formula, falsify) = match target {
                Query::Falsify(formula) => (formula, true),
                Query::Reach(expr) => return GoalCheck { operand: program.compile(model, expr), anywhere: true },
                Query::Show(formula) | Query::Kill(formula) => (formula, false),
            };
            let operand = program.compile(model, formula);
            // An expression to be refuted is an invariant.
            let anywhere = falsify && !model.mentions(formula, is_temporal);
            GoalCheck { operand: if falsify { !operand } else { operand }, anywhere }
        };
        let goals = targets.into_iter().map(wish).collect();
        let past = program.past_depth();
        let most_past = past.iter().copied().max().unwrap_or(0);
        let (kept, alone, system) = (TraceBatch::default(), TraceBatch::default(), Arc::new(model.clone()));
        let (plan, room) = (OnceLock::new(), Room::default());
        Grader { program, goals, past, most_past, kept, alone, plan, room, system }
    }

    /// The number of goals.
    pub fn n_goals(&self) -> usize {
        self.goals.len()
    }

    /// The number of operations of all goals on every trace.
    pub fn n_operations(&self) -> usize {
        self.program.ops.len()
    }

    /// Adds a nonempty trace to those that are kept. It is not checked whether it is an execution.
    ///
    /// Kept traces are judged together, a bit for each state, and only by the goals that are requested: with many goals
    /// and traces this is many times faster than judging traces one by one.
    pub fn keep(&mut self, trace: &Trace) {
        let (trace, walks) = self.unrolled(trace);
        let trace = trace.into_owned();
        self.kept.add(&self.program, trace, walks);
    }

    /// Drops the kept traces.
    pub fn forget(&mut self) {
        self.kept.clear();
    }

    /// Whether the number of kept traces has reached its limit.
    pub fn is_full(&self) -> bool {
        let n_words = self.kept.layout.n_words();
        let most = if n_words < MIN_BLOCK { MOST_TRUTH_WORDS } else { TRUTH_WORDS };
        n_words * 2 * self.program.ops.len() >= most
    }

    /// Visits the kept traces that reach a goal, by ascending index, until the visitor returns false.
    pub fn each_kept(&mut self, goal: usize, mut goes_on: impl FnMut(usize) -> bool) {
        self.system.budget.look();
        let Grader { kept, program, past, goals, system, .. } = self;
        if kept.places.is_empty() {
            return;
        }
        let GoalCheck { operand, anywhere } = goals[goal];
        kept.compute(program, system, operand);
        let mut bit = 0;
        while let Some(met) = kept.next_met(operand, anywhere, bit) {
            let trace = kept.trace_at(met);
            if past[operand.op()] <= kept.walks[trace] && !goes_on(trace) {
                return;
            }
            bit = kept.places[trace].end();
        }
    }

    /// The kept traces, from one on, in which a goal is true or open somewhere: each with these states in ascending order. In the
    /// last state of a finite trace, where conditions on steps are open, it must be true.
    pub(super) fn open_states(&mut self, goal: usize, from: usize) -> Vec<(usize, Vec<usize>)> {
        let Grader { kept, program, goals, system, .. } = self;
        let mut traces: Vec<(usize, Vec<usize>)> = Vec::new();
        if kept.places.len() <= from {
            return traces;
        }
        kept.compute(program, system, goals[goal].operand);
        for bit in kept.open_bits(goals[goal].operand, kept.places[from].base) {
            let trace = kept.trace_at(bit);
            if traces.last().is_none_or(|(last, _)| *last != trace) {
                traces.push((trace, Vec::new()));
            }
            let states = &mut traces.last_mut().expect("there is one now").1;
            states.push(kept.places[trace].end() - 1 - bit);
        }
        for (_, states) in &mut traces {
            states.reverse();
        }
        traces
    }

    /// The goals that a nonempty trace reaches. It is not checked whether it is an execution.
    pub fn reached(&mut self, model: &TransitionSystem, trace: &Trace) -> Bits {
        let plan = self.plan();
        let (unrolled, walks) = self.unrolled(trace);
        let mut block = Block::default();
        block.add(unrolled, walks);
        block.reached(&plan, model, &mut self.room).remove(0)
    }

    /// For each of some nonempty traces, the goals that it reaches: much faster than one trace after the other. The work is
    /// spread over the threads of the model's budget.
    pub fn reached_by_each(&self, model: &TransitionSystem, traces: &[&Trace]) -> Vec<Bits> {
        if traces.is_empty() {
            return Vec::new();
        }
        let plan = self.plan();
        let jobs = model.budget.jobs();
        let n_words = traces.iter().map(|trace| trace.states.len()).sum::<usize>().div_ceil(64);
        let in_cache = BLOCK_WORDS / plan.n_vectors.max(1);
        let most = in_cache.min(n_words.div_ceil(jobs)).max(MIN_BLOCK);
        let mut blocks = vec![Block::default()];
        for trace in traces {
            let (unrolled, walks) = self.unrolled(trace);
            if blocks.last().is_some_and(|block| block.n_words() >= most) {
                blocks.push(Block::default());
            }
            blocks.last_mut().expect("there is a block").add(unrolled, walks);
        }
        parallel::map_with(jobs, &blocks, Room::default, |room, block| block.reached(&plan, model, room)).concat()
    }

    fn plan(&self) -> Arc<Plan> {
        let goal = |goal: &GoalCheck| (goal.operand, goal.anywhere, self.past[goal.operand.op()]);
        let new = || Arc::new(Plan::new(&self.program, self.goals.iter().map(goal)));
        Arc::clone(self.plan.get_or_init(new))
    }

    /// For each goal, the states of a trace at which it is reached, and those at which it is not reached whatever
    /// follows. For a formula to be shown, only the first state counts.
    pub fn exposures(&mut self, model: &TransitionSystem, trace: &Trace) -> Vec<(Bits, Bits)> {
        self.judge(model, trace);
        let place = self.alone.places[0];
        let exposures = |wish: &GoalCheck| {
            let (mut met, mut missed) = (Bits::new(place.n), Bits::new(place.n));
            if self.past[wish.operand.op()] <= self.alone.walks[0] {
                let truth_vectors = self.alone.truth_vectors(wish.operand);
                for state in 0..if wish.anywhere { place.n } else { 1 } {
                    if get(truth_vectors.yes, place.bit(state)) {
                        met.insert(state);
                    } else if get(truth_vectors.no, place.bit(state)) {
                        missed.insert(state);
                    }
                }
            }
            (met, missed)
        };
        self.goals.iter().map(exposures).collect()
    }

    /// Evaluates all operations on one trace.
    fn judge(&mut self, model: &TransitionSystem, trace: &Trace) {
        let (trace, walks) = self.unrolled(trace);
        let trace = trace.into_owned();
        self.alone.clear();
        self.alone.add(&self.program, trace, walks);
        self.alone.complete(&self.program, model);
    }

    /// The trace with its loop unrolled for past operators, and the number of repetitions.
    fn unrolled<'t>(&self, trace: &'t Trace) -> (Cow<'t, Trace>, u64) {
        match trace.loop_start {
            Some(start) if self.most_past > 0 => {
                let period = trace.states.len() - start;
                let walks = self.most_past.min(UNROLLED_STATES / period as u64);
                (Cow::Owned(unroll(trace, start, walks)), walks)
            }
            _ => (Cow::Borrowed(trace), u64::MAX),
        }
    }
}

/// The trace with `walks` more repetitions of its loop before the loop starts.
fn unroll(trace: &Trace, start: usize, walks: u64) -> Trace {
    let mut states = trace.states.clone();
    for _ in 0..walks {
        states.extend_from_slice(&trace.states[start..]);
    }
    let period = trace.states.len() - start;
    Trace { loop_start: Some(states.len() - period), states }
}
