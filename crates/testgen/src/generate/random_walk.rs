//! Test generation by random walks: reached goals are covered, all others stay open.
//!
//! Random walks need no decision diagrams, so they work for models that are too large for them. The visited states form
//! a tree. Its nodes are states without the inputs of the tester, and each node has its parent. The inputs of a node
//! may be changed when it is left, so tests have no unnecessary waiting steps. Numbers without end that nothing determines,
//! and inputs with many values, have values at which comparisons change ([`Boundaries`]), or numbers that the model mentions,
//! or those next to them. From time to time inputs are chosen for an open goal ([`Aim`]).

use super::aim::Aim;
use super::boundaries::Boundaries;
use super::notes::annotate;
use super::state::Run;
use super::strategy::drop_useless;
use crate::goal::Goal;
use crate::grade::{Bits, Grader, Quantifiers};
use crate::policy::{
    WALK_AIMED, WALK_ATTEMPT_FRACTION, WALK_ATTEMPTS, WALK_IDLE_FRACTION, WALK_MANY_VALUES, WALK_OBSERVE,
    WALK_OBSERVE_WORK, WALK_RESTART, WALK_STEP_WORK, WALK_VALUES, WALK_VARIANTS,
};
use crate::suite::Test;
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_mc::{Answer, Query};
use specwright_model::interface::Role;
use specwright_model::interp::{Explorer, Random, Replayer, Search, SearchError, Step, support_of};
use specwright_model::model::{AssignKind, VarKind};
use specwright_model::{Domain, ExprId, Model, State, Trace, Value, VarId};
use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow;

/// Walks until all goals that finite executions can reach are covered, no new states are found, or the budget is
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

/// The variables whose values in the first state are restricted, and those whose new values depend on the state before.
/// Most inputs are free, so that a state is the same with any of their values.
fn tied(model: &Model) -> [FxHashSet<VarId>; 2] {
    let first = support_of(model, model.init.iter().map(|sourced| sourced.expr)).now;
    let steps = support_of(model, model.trans.iter().map(|sourced| sourced.expr)).next;
    let assigned = |wanted: AssignKind| {
        let assigns = model.assigns.iter().filter(move |assign| assign.kind == wanted);
        assigns.map(|assign| assign.var)
    };
    let first = first.into_iter().chain(assigned(AssignKind::Init)).collect();
    [first, steps.into_iter().chain(assigned(AssignKind::Next)).collect()]
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
    /// The goals that finite executions can reach, and those of them that are open.
    finite: Bits,
    open: Bits,
    /// The open goals that a step alone shows to be reached. A formula about the first states may be violated by a step that
    /// is none of the first.
    local: Bits,
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
    /// The inputs with many values that are compared, and all inputs that belong to states.
    wide: Vec<VarId>,
    free: FxHashSet<VarId>,
    boundaries: Boundaries,
    /// Number of operators of the model, about the work for a step without any choice.
    n_operators: u64,
    nodes: Vec<TreeNode>,
    known: FxHashSet<State>,
    /// The inputs that are part of the first state and of other ones, and how many nodes differ in them alone.
    tied: [FxHashSet<VarId>; 2],
    variants: FxHashMap<State, usize>,
    /// The nodes by the number of steps taken from them.
    queues: Vec<VecDeque<usize>>,
    /// The goals that each test covers.
    covered: Vec<Bits>,
}

impl<'a> RandomWalk<'a> {
    fn new(model: &'a Model, explorer: &'a Explorer<'a>, goals: &'a [Goal], work: u64) -> RandomWalk<'a> {
        let grader = Grader::new(model, goals.iter().map(|goal| goal.target), Quantifiers::Branching);
        let machine = model.parts();
        // What the goals compare may be no part of the machine, of which only what matters to them is left.
        let parts =
            model.context.exprs.parts(machine.iter().copied().chain(goals.iter().map(|goal| goal.target.expr())));
        let unbounded: Vec<VarId> =
            model.vars().filter(|(_, var)| var.domain == Domain::Integer).map(|(id, _)| id).collect();
        let inputs: Vec<VarId> =
            model.vars().filter(|(id, _)| model.role(*id) == Role::Input).map(|(id, _)| id).collect();
        let is_wide = |var: &VarId| {
            matches!(model[*var].domain, Domain::Range(..)) && model[*var].domain.size() > Some(WALK_MANY_VALUES)
        };
        let mut wide: Vec<VarId> = inputs.iter().copied().filter(is_wide).collect();
        let free = inputs.iter().copied().filter(|var| model[*var].kind != VarKind::Input).collect();
        let boundaries = Boundaries::new(model, &parts, &[unbounded.clone(), wide.clone()].concat());
        wide.retain(|var| boundaries.has(*var));
        let mut finite = Bits::new(goals.len());
        for (index, goal) in goals.iter().enumerate() {
            if let Query::Reach(_) | Query::Falsify(_) = goal.target {
                finite.insert(index);
            }
        }
        RandomWalk {
            model,
            explorer,
            goals,
            grader,
            replayer: Replayer::default(),
            open: finite.clone(),
            local: finite.clone(),
            finite,
            random: Random::new(0),
            work_left: work,
            deadline: work - work / WALK_IDLE_FRACTION,
            idle: work / WALK_IDLE_FRACTION,
            inputs,
            unbounded,
            numbers: (-1..=3).chain(model.numbers_in(&parts)).collect::<BTreeSet<i64>>().into_iter().collect(),
            wide,
            free,
            boundaries,
            n_operators: machine.len() as u64,
            nodes: Vec::new(),
            known: FxHashSet::default(),
            tied: tied(model),
            variants: FxHashMap::default(),
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
        let Some(step) = self.find(None, None, || explorer.initial()) else { return };
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
        let Some(step) = self.find(Some(&now), Some(&now), || explorer.steps(&now)) else { return };
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
        let near = place.state.clone();
        self.find(left.as_ref(), Some(&near), || search().like(&inner)).map(|step| step.next)
    }

    /// The first step of a search, if it is found within the limit. A search that has gone astray starts again with other values.
    /// Boundaries of inputs are those of the state `near`.
    fn find<'s>(
        &mut self,
        from: Option<&State>,
        near: Option<&State>,
        search: impl Fn() -> Search<'s>,
    ) -> Option<Step> {
        let first = (WALK_STEP_WORK / WALK_ATTEMPT_FRACTION).max(4 * self.n_operators);
        for _ in 0..WALK_ATTEMPTS {
            match self.attempt(from, near, search(), first) {
                // Other numbers without end may allow a step.
                Ok(None) if !self.unbounded.is_empty() => {}
                Ok(found) => return found,
                Err(_) => {}
            }
        }
        self.attempt(from, near, search(), WALK_STEP_WORK.max(first)).ok()?
    }

    /// The first step of a search; an error if it is not found in this much work.
    fn attempt(
        &mut self,
        from: Option<&State>,
        near: Option<&State>,
        search: Search<'_>,
        work: u64,
    ) -> Result<Option<Step>, SearchError> {
        let most = self.work_left.min(work);
        let mut search = search.shuffled(Random::new(self.random.next_u64())).limit(most);
        let aimed = if near.is_some() { self.aimed() } else { None };
        if aimed.is_some() || !self.unbounded.is_empty() || !self.wide.is_empty() {
            let mut values = self.values(from, near);
            if let (Some((condition, truth)), Some(near)) = (aimed, near) {
                let mut state = near.clone();
                let Self { model, boundaries, free, random, .. } = self;
                let mut aim = Aim { model, boundaries, inputs: free, before: from, random, work: 0 };
                aim.choose(condition, truth, &mut state, &mut values);
                self.work_left -= aim.work.min(self.work_left);
            }
            search = search.otherwise(&values);
        }
        let found = search.next();
        self.work_left -= (most - search.work_left()).max(1).min(self.work_left);
        found.transpose()
    }

    /// Sometimes, what is to hold for an open goal, or not to hold.
    fn aimed(&mut self) -> Option<(ExprId, bool)> {
        /// Attempts to meet a goal that is open.
        const TRIES: usize = 16;
        if self.free.is_empty() || !self.random.percent(WALK_AIMED) {
            return None;
        }
        let goals = self.goals;
        let mut picked = (0..TRIES).map(|_| self.random.index(goals.len()));
        let open = &self.open;
        match goals[picked.find(|goal| open.contains(*goal))?].target {
            Query::Reach(condition) => Some((condition, true)),
            Query::Falsify(condition) => Some((condition, false)),
            _ => None,
        }
    }

    /// Values of unbounded variables and of inputs with many values, if nothing determines them.
    fn values(&mut self, from: Option<&State>, near: Option<&State>) -> State {
        let mut values = State::empty(self.model.vars.len());
        // The state that the values are for, as far as they are chosen.
        let mut near = near.cloned();
        for index in 0..self.unbounded.len() + self.wide.len() {
            let (var, is_wide) = match self.unbounded.get(index) {
                Some(var) => (*var, false),
                None => (self.wide[index - self.unbounded.len()], true),
            };
            // Often few inputs change in a step, or may change.
            let kept =
                from.and_then(|state| state.get(var)).filter(|_| self.random.below(if is_wide { 4 } else { 2 }) == 0);
            let value = match (kept, &mut near) {
                (Some(_), _) => kept,
                (None, Some(near)) if self.random.below(4) >= if is_wide { 2 } else { 1 } => {
                    let (value, work) = self.boundaries.propose(self.model, var, from, near, &mut self.random);
                    self.work_left -= work.min(self.work_left);
                    value.map(Value::Int)
                }
                _ => None,
            };
            let value = value.filter(|value| self.model[var].domain.contains(*value));
            // Inputs with many values have any of them otherwise.
            let value = value.or_else(|| {
                (!is_wide).then(|| Value::Int(self.numbers[self.random.below(self.numbers.len() as u128) as usize]))
            });
            values.set(var, value);
            if let Some(near) = near.as_mut().filter(|_| value.is_some()) {
                near.set(var, value);
            }
        }
        values
    }

    fn remember(&mut self, from: Option<(usize, State)>, state: State) {
        let inner = self.inner(&state);
        let mut identity = inner.clone();
        let tied = &self.tied[usize::from(from.is_some())];
        self.inputs.iter().filter(|var| tied.contains(var)).for_each(|var| identity.set(*var, state.get(*var)));
        if self.known.contains(&identity) {
            return;
        }
        let variants = self.variants.entry(inner).or_insert(0);
        if *variants == WALK_VARIANTS {
            return;
        }
        *variants += 1;
        self.known.insert(identity);
        self.enqueue(0, self.nodes.len());
        self.nodes.push(TreeNode { from, state });
        self.deadline = self.work_left.saturating_sub(self.idle);
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
        fresh.intersect(&self.local);
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
        covered.intersect(&self.finite);
        fresh.subtract(&covered);
        self.local.subtract(&fresh);
        self.local.subtract(&covered);
        let mut new = covered.clone();
        new.intersect(&self.open);
        if new.is_empty() {
            return;
        }
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
