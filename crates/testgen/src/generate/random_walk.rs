//! Test generation by random walks: reached goals are covered, all others stay open.
//!
//! Random walks need no decision diagrams, so they work for models that are too large for them. The visited states form
//! a tree. Its nodes are states without the inputs of the tester, and each node has its parent. The inputs of a node
//! may be changed when it is left, so tests have no unnecessary waiting steps. Numbers without end that nothing determines are
//! one of those that the model mentions, or next to one.

use super::notes::annotate;
use super::state::Run;
use super::strategy::drop_useless;
use crate::goal::Goal;
use crate::grade::{Bits, Grader, Quantifiers};
use crate::policy::{
    WALK_ATTEMPT_FRACTION, WALK_ATTEMPTS, WALK_IDLE_FRACTION, WALK_OBSERVE, WALK_OBSERVE_WORK, WALK_RESTART,
    WALK_STEP_WORK, WALK_VALUES,
};
use crate::suite::Test;
use rustc_hash::FxHashSet;
use specwright_mc::{Answer, Query};
use specwright_model::interface::Role;
use specwright_model::interp::{Explorer, Random, Replayer, Search, SearchError, Step};
use specwright_model::typing::is_temporal;
use specwright_model::{Domain, Model, Node, State, Trace, Value, VarId};
use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow;

/// Walks until all goals that a state or a step can decide are covered, no new states are found, or the budget is
/// spent: `work` values tried and operators evaluated. Adds tests to the run, which must have none; other goals stay
/// open.
///
/// The observer is called from time to time and may stop the walk.
pub fn random_walk(
    model: &Model,
    goals: &[Goal],
    work: u64,
    run: &mut Run,
    observe: &mut dyn FnMut(&Run) -> ControlFlow<()>,
) -> ControlFlow<()> {
    assert!(run.outcomes.len() == goals.len() && run.tests.is_empty(), "a run belongs to its goals");
    let explorer = Explorer::new(model);
    let mut wanderer = RandomWalk::new(model, &explorer, goals, work);
    let result = wanderer.walk(run, observe);
    let mut covered = wanderer.covered;
    drop_useless(&mut run.tests, &mut covered, goals.len());
    annotate(model, goals, run, &covered);
    result
}

/// The numbers that a model mentions, and those next to them; and the number of its operators.
fn numbers(model: &Model) -> (Vec<i64>, u64) {
    let mut numbers: BTreeSet<i64> = (-1..=3).collect();
    let constraints = [&model.init, &model.trans, &model.invar].into_iter().flatten().map(|sourced| sourced.expr);
    let defines = model.defines.iter().map(|define| define.body.expr);
    let assigns = model.assigns.iter().map(|assign| assign.value.expr);
    let parts = model.context.exprs.parts(constraints.chain(defines).chain(assigns));
    for expr in &parts {
        if let Node::Const(Value::Int(number)) = model[*expr] {
            numbers.extend([number.saturating_sub(1), number, number.saturating_add(1)]);
        }
    }
    (numbers.into_iter().collect(), parts.len() as u64)
}

/// A node of the tree of visited states.
struct TreeNode {
    /// Its parent, with the state in which that was left; `None` for initial states.
    from: Option<(usize, State)>,
    /// The state when it was first visited.
    state: State,
}

struct RandomWalk<'a> {
    model: &'a Model,
    explorer: &'a Explorer<'a>,
    goals: &'a [Goal],
    grader: Grader,
    /// Most tests begin as others do.
    replayer: Replayer,
    /// The goals that can be decided, and those of them that are open.
    plain: Bits,
    open: Bits,
    random: Random,
    work_left: u64,
    /// The remaining work at which the walk ends, unless a new state is found.
    deadline: u64,
    /// Maximal work without a new state.
    idle: u64,
    inputs: Vec<VarId>,
    /// The variables without end, and the numbers that they may be where nothing determines them.
    unbounded: Vec<VarId>,
    numbers: Vec<i64>,
    /// Number of operators of the model, about the work for a step without any choice.
    n_operators: u64,
    nodes: Vec<TreeNode>,
    known: FxHashSet<State>,
    /// The nodes by the number of steps taken from them.
    queues: Vec<VecDeque<usize>>,
    /// The goals that each test covers.
    covered: Vec<Bits>,
}

impl<'a> RandomWalk<'a> {
    fn new(model: &'a Model, explorer: &'a Explorer<'a>, goals: &'a [Goal], work: u64) -> RandomWalk<'a> {
        let grader = Grader::new(model, goals.iter().map(|goal| goal.target), Quantifiers::Branching);
        let (numbers, n_operators) = numbers(model);
        let mut plain = Bits::new(goals.len());
        for (index, goal) in goals.iter().enumerate() {
            if let Query::Reach(expr) | Query::Falsify(expr) = goal.target
                && !model.mentions(expr, is_temporal)
            {
                plain.insert(index);
            }
        }
        RandomWalk {
            model,
            explorer,
            goals,
            grader,
            replayer: Replayer::default(),
            open: plain.clone(),
            plain,
            random: Random::new(0),
            work_left: work,
            deadline: work - work / WALK_IDLE_FRACTION,
            idle: work / WALK_IDLE_FRACTION,
            inputs: model.vars().filter(|(id, _)| model.role(*id) == Role::Input).map(|(id, _)| id).collect(),
            unbounded: model.vars().filter(|(_, var)| var.domain == Domain::Integer).map(|(id, _)| id).collect(),
            numbers,
            n_operators,
            nodes: Vec::new(),
            known: FxHashSet::default(),
            queues: Vec::new(),
            covered: Vec::new(),
        }
    }

    fn walk(&mut self, run: &mut Run, observe: &mut dyn FnMut(&Run) -> ControlFlow<()>) -> ControlFlow<()> {
        let (mut rounds, mut newest) = (0usize, true);
        let mut observed = self.work_left;
        while self.work_left > self.deadline && !self.open.is_empty() {
            if rounds.is_multiple_of(WALK_RESTART) || rounds.is_power_of_two() {
                self.begin(run);
                if self.nodes.is_empty() {
                    break;
                }
            }
            // Taking the newest node goes deep, taking the oldest keeps tests short; they alternate.
            self.go_on(newest, run);
            newest = !newest;
            rounds += 1;
            if rounds.is_multiple_of(WALK_OBSERVE) || observed - self.work_left > WALK_OBSERVE_WORK {
                observed = self.work_left;
                observe(run)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Starts in an initial state.
    fn begin(&mut self, run: &mut Run) {
        let explorer = self.explorer;
        let Some(step) = self.find(None, || explorer.initial()) else { return };
        let trace = Trace { states: vec![step.next.clone()], loop_start: None };
        self.judge(&trace, None, run);
        self.remember(None, step.next);
    }

    /// Takes a step from one of the nodes with the fewest attempts.
    fn go_on(&mut self, newest: bool, run: &mut Run) {
        let Some(tries) = self.queues.iter().position(|queue| !queue.is_empty()) else { return };
        let queue = &mut self.queues[tries];
        let Some(at) = (if newest { queue.pop_back() } else { queue.pop_front() }) else { return };
        self.enqueue(tries + 1, at);
        let Some(now) = self.vary(at, tries) else { return };
        let explorer = self.explorer;
        let Some(step) = self.find(Some(&now), || explorer.steps(&now)) else { return };
        let trace = Trace { states: vec![step.now.clone(), step.next.clone()], loop_start: None };
        self.judge(&trace, Some(at), run);
        if self.nodes.len().saturating_mul(2 * self.model.vars.len()) < WALK_VALUES {
            self.remember(Some((at, step.now)), step.next);
        }
    }

    /// The state of a node; with other inputs after the first attempt.
    fn vary(&mut self, at: usize, tries: usize) -> Option<State> {
        let place = &self.nodes[at];
        if tries == 0 {
            return Some(place.state.clone());
        }
        let inner = self.inner(&place.state);
        let (explorer, left) = (self.explorer, place.from.as_ref().map(|(_, left)| left.clone()));
        let search = || left.as_ref().map_or_else(|| explorer.initial(), |left| explorer.steps(left));
        self.find(left.as_ref(), || search().like(&inner)).map(|step| step.next)
    }

    /// The first step of a search, if it is found within the limit. A search that has gone astray starts again with other values.
    fn find<'s>(&mut self, from: Option<&State>, search: impl Fn() -> Search<'s>) -> Option<Step> {
        let first = (WALK_STEP_WORK / WALK_ATTEMPT_FRACTION).max(4 * self.n_operators);
        for _ in 0..WALK_ATTEMPTS {
            match self.attempt(from, search(), first) {
                // Other numbers without end may allow a step.
                Ok(None) if !self.unbounded.is_empty() => {}
                Ok(found) => return found,
                Err(_) => {}
            }
        }
        self.attempt(from, search(), WALK_STEP_WORK.max(first)).ok()?
    }

    /// The first step of a search; an error if it is not found in this much work.
    fn attempt(&mut self, from: Option<&State>, search: Search<'_>, work: u64) -> Result<Option<Step>, SearchError> {
        let most = self.work_left.min(work);
        let mut search = search.shuffled(Random::new(self.random.next_u64())).limit(most);
        if !self.unbounded.is_empty() {
            let mut values = State::empty(self.model.vars.len());
            for var in &self.unbounded {
                // Often few inputs change in a step, or may change.
                let kept = from.and_then(|state| state.get(*var)).filter(|_| self.random.below(2) == 0);
                let at = self.random.below(self.numbers.len() as u128);
                values.set(*var, kept.unwrap_or(Value::Int(self.numbers[at as usize])));
            }
            search = search.otherwise(&values);
        }
        let found = search.next();
        self.work_left -= (most - search.work_left()).max(1).min(self.work_left);
        found.transpose()
    }

    fn remember(&mut self, from: Option<(usize, State)>, state: State) {
        let inner = self.inner(&state);
        if self.known.insert(inner) {
            self.enqueue(0, self.nodes.len());
            self.nodes.push(TreeNode { from, state });
            self.deadline = self.work_left.saturating_sub(self.idle);
        }
    }

    fn enqueue(&mut self, tries: usize, at: usize) {
        while self.queues.len() <= tries {
            self.queues.push(VecDeque::new());
        }
        self.queues[tries].push_back(at);
    }

    /// A state without the inputs of the tester.
    fn inner(&self, state: &State) -> State {
        let mut inner = state.clone();
        self.inputs.iter().for_each(|var| inner.set(*var, None));
        inner
    }

    /// Makes a test of the path to a node and this end, if the end covers an open goal.
    fn judge(&mut self, end: &Trace, at: Option<usize>, run: &mut Run) {
        self.work_left -= (self.grader.n_operations() as u64).min(self.work_left);
        let mut fresh = self.grader.reached(self.model, end);
        fresh.intersect(&self.open);
        if fresh.is_empty() {
            return;
        }
        let mut states: Vec<State> = end.states.iter().rev().cloned().collect();
        let mut from = at.and_then(|at| self.nodes[at].from.as_ref());
        while let Some((before, state)) = from {
            states.push(state.clone());
            from = self.nodes[*before].from.as_ref();
        }
        states.reverse();
        let trace = Trace { states, loop_start: None };
        // A path of legal steps is an execution; others are dropped.
        if self.replayer.check(self.model, &trace).is_err() {
            return;
        }
        let mut covered = self.grader.reached(self.model, &trace);
        covered.intersect(&self.plain);
        self.open.subtract(&covered);
        self.deadline = self.work_left.saturating_sub(self.idle);
        let mut test = Test::new(run.free_name(), trace);
        test.goals = covered.iter().map(|goal| self.goals[goal].id.clone()).collect();
        for goal in covered.iter() {
            run.outcomes[goal] = Some(Answer::Found(()));
        }
        run.tests.push(test);
        self.covered.push(covered);
    }
}
