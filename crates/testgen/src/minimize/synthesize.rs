//! Synthesis of smaller suites: tests are cut to the needed prefix, and extended to reach the goals of other tests.

use super::{Minimum, Options, minimize};
use crate::goal::Goal;
use crate::grade::{Bits, Grader, Matrix};
use crate::policy::JOINED_STEPS;
use rustc_hash::FxHashMap;
use specwright_mc::{Budget, ExtendTrace, Query, Symbolic, TargetId};
use specwright_model::interp::check_trace;
use specwright_model::model::VarKind;
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, Node, State, Trace, TransitionSystem, Value, VarId};

/// The objective of minimization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// The number of tests.
    #[default]
    Tests,
    /// The number of their steps.
    Steps,
}

impl Objective {
    /// The cost of each test.
    pub fn costs<'t>(self, traces: impl Iterator<Item = &'t Trace>) -> Vec<u64> {
        let cost = |trace: &Trace| match self {
            Objective::Tests => 1,
            Objective::Steps => trace.n_steps() as u64,
        };
        traces.map(cost).collect()
    }
}

/// A synthesized suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Synthesis {
    /// The tests, each with the index of the original test that it was made from.
    pub tests: Vec<(usize, Trace)>,
    /// Number of tests that were cut.
    pub n_cut: usize,
    /// Number of tests that were joined to another one.
    pub n_joined: usize,
}

/// Synthesizes tests that reach all goals of these tests and are fewer or have fewer steps. The tests must be
/// executions. After every attempt, `observe` returns whether to go on.
pub fn synthesize(
    engine: &mut Symbolic,
    goals: &[Goal],
    grader: &mut Grader,
    traces: &[Trace],
    objective: Objective,
    options: &Options,
    observe: &mut dyn FnMut() -> bool,
) -> Synthesis {
    let start = cut(engine, grader, traces, objective, options);
    // Joining freely and cutting afterwards sometimes saves more steps than joining only where it saves some.
    let policies: &[Objective] = match objective {
        Objective::Tests => &[Objective::Tests],
        Objective::Steps => &[Objective::Steps, Objective::Tests],
    };
    let mut targets = FxHashMap::default();
    let mut best: Option<(u64, Synthesis)> = None;
    for policy in policies {
        let (mut tests, mut n_cut) = start.clone();
        let mut n_joined = 0;
        while join(engine, goals, grader, &mut tests, *policy, &mut targets, observe) {
            n_joined += 1;
        }
        if n_joined > 0 {
            // An extended test may make other tests, or its own end, superfluous.
            let now: Vec<Trace> = tests.iter().map(|test| test.trace.clone()).collect();
            let (again, more) = cut(engine, grader, &now, objective, options);
            let origin = |test: Candidate| Candidate { origin: tests[test.origin].origin, ..test };
            tests = again.into_iter().map(origin).collect();
            n_cut += more;
        }
        let cost = objective.costs(tests.iter().map(|test| &test.trace)).iter().sum();
        let tests = tests.into_iter().map(|test| (test.origin, test.trace)).collect();
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, Synthesis { tests, n_cut, n_joined }));
        }
    }
    best.map_or(Synthesis { tests: Vec::new(), n_cut: 0, n_joined: 0 }, |(_, synthesis)| synthesis)
}

/// A test made from an original one.
#[derive(Clone)]
struct Candidate {
    origin: usize,
    trace: Trace,
    reached: Bits,
}

/// The cheapest cover among all prefixes of tests.
fn cut(
    engine: &Symbolic,
    grader: &mut Grader,
    traces: &[Trace],
    objective: Objective,
    options: &Options,
) -> (Vec<Candidate>, usize) {
    let model = engine.system();
    let mut candidates: Vec<Candidate> = Vec::new();
    for (origin, trace) in traces.iter().enumerate() {
        let whole = grader.reached(model, trace);
        if trace.loop_start.is_none() {
            let mut before = Bits::new(grader.n_goals());
            for n in 1..trace.states.len() {
                let start = beginning(model, trace, n);
                let reached = grader.reached(model, &start);
                // Prefixes that reach no new goal are useless.
                if !reached.is_subset(&before) {
                    before = reached.clone();
                    candidates.push(Candidate { origin, trace: start, reached });
                }
            }
            if whole.is_subset(&before) {
                continue;
            }
        }
        candidates.push(Candidate { origin, trace: trace.clone(), reached: whole });
    }
    let matrix = Matrix::new(grader.n_goals(), candidates.iter().map(|test| test.reached.clone()).collect());
    // Among covers with the fewest tests, one with the fewest steps.
    let steps: Vec<u64> = candidates.iter().map(|test| test.trace.n_steps() as u64).collect();
    let test_cost = match objective {
        Objective::Steps => 0,
        Objective::Tests => steps.iter().sum::<u64>().min(100_000) + 1,
    };
    let costs: Vec<u64> = steps.iter().map(|steps| test_cost + steps).collect();
    let Minimum { tests, .. } = minimize(&matrix, &costs, options);
    let chosen: Vec<Candidate> = tests.into_iter().map(|test| candidates[test].clone()).collect();
    let is_cut = |test: &&Candidate| test.trace.states.len() < traces[test.origin].states.len();
    let n_cut = chosen.iter().filter(is_cut).count();
    (chosen, n_cut)
}

/// The first states of a test, without the inputs of the last one.
fn beginning(model: &TransitionSystem, trace: &Trace, n: usize) -> Trace {
    let mut states = trace.states[..n].to_vec();
    if let Some(last) = states.last_mut() {
        let inputs = model.vars().filter(|(_, var)| var.kind == VarKind::Input);
        inputs.for_each(|(var, _)| last.set(var, None));
    }
    Trace { states, loop_start: None }
}

/// Extends one test to reach the unique goals of another one, and drops that one. Returns whether that was possible.
fn join(
    engine: &mut Symbolic,
    goals: &[Goal],
    grader: &mut Grader,
    tests: &mut Vec<Candidate>,
    objective: Objective,
    targets: &mut FxHashMap<usize, Option<TargetId>>,
    observe: &mut dyn FnMut() -> bool,
) -> bool {
    let matrix = Matrix::new(grader.n_goals(), tests.iter().map(|test| test.reached.clone()).collect());
    let unique = matrix.unique();
    // Tests with the fewest unique goals come first: they are the easiest to replace.
    let mut order: Vec<usize> = (0..tests.len()).collect();
    order.sort_by_key(|test| (unique[*test].count(), *test));
    for gone in order {
        let mut best: Option<(usize, Candidate)> = None;
        for (place, test) in tests.iter().enumerate() {
            if place == gone || test.trace.loop_start.is_some() {
                continue;
            }
            if !observe() {
                return false;
            }
            let most = match objective {
                Objective::Tests => JOINED_STEPS,
                // Joining must not add steps.
                Objective::Steps => test.trace.n_steps() + tests[gone].trace.n_steps(),
            };
            let most = best.as_ref().map_or(most, |(_, best)| most.min(best.trace.n_steps().saturating_sub(1)));
            let longer = extend(engine, goals, grader, test, &unique[gone], most, targets)
                .or_else(|| append(engine, grader, test, &tests[gone], &unique[gone], most));
            if let Some(longer) = longer {
                best = Some((place, longer));
            }
        }
        if let Some((place, longer)) = best {
            tests[place] = longer;
            tests.remove(gone);
            return true;
        }
    }
    false
}

/// A test extended until it reaches all these goals, if it can within a number of steps.
fn extend(
    engine: &mut Symbolic,
    goals: &[Goal],
    grader: &mut Grader,
    test: &Candidate,
    wanted: &Bits,
    most: usize,
    targets: &mut FxHashMap<usize, Option<TargetId>>,
) -> Option<Candidate> {
    let mut longer = test.clone();
    loop {
        let mut left = wanted.clone();
        left.subtract(&longer.reached);
        if left.is_empty() {
            return (longer.trace.n_steps() <= most).then_some(longer);
        }
        let open: Vec<usize> = left.iter().collect();
        for goal in &open {
            if !targets.contains_key(goal) {
                targets.insert(*goal, engine.target(goals[*goal].target, &Budget::default()).found());
            }
        }
        let near: Option<Vec<TargetId>> = open.iter().map(|goal| targets[goal]).collect();
        let steps_left = most.checked_sub(longer.trace.n_steps()).filter(|left| *left > 0)?;
        let (_, trace) = engine.extend_trace(&longer.trace, &near?, steps_left, &Budget::default()).found()?;
        let reached = grader.reached(engine.system(), &trace);
        // Query sets have branching-time semantics; grading on a path may differ.
        let progress = open.iter().any(|goal| reached.contains(*goal));
        if !progress || !longer.reached.is_subset(&reached) {
            return None;
        }
        longer = Candidate { trace, reached, ..longer };
    }
}

/// A test extended to the initial state of another one, followed by that one, if possible within a number of steps.
/// Longer than extending to the goals directly, but works for goals without a target set.
fn append(
    engine: &mut Symbolic,
    grader: &mut Grader,
    test: &Candidate,
    other: &Candidate,
    wanted: &Bits,
    most: usize,
) -> Option<Candidate> {
    let (last, first) = (test.trace.states.last()?, other.trace.states.first()?);
    let bare = |state: &State, var: VarId| state.get(var).filter(|_| engine.system()[var].kind != VarKind::Input);
    let vars: Vec<(VarId, Value)> =
        engine.system().vars().filter_map(|(var, _)| Some((var, bare(first, var)?))).collect();
    let is_there = vars.iter().all(|(var, value)| last.get(*var) == Some(*value));
    let room = most.checked_sub(test.trace.n_steps() + other.trace.n_steps())?;
    let mut states = if is_there {
        test.trace.states.clone()
    } else {
        let place = at_state(engine.system(), &vars)?;
        let target = engine.target(Query::Reach(place), &Budget::default()).found()?;
        engine.extend_trace(&test.trace, &[target], room, &Budget::default()).found()?.1.states
    };
    states.pop();
    let before = states.len();
    states.extend(other.trace.states.iter().cloned());
    let trace = Trace { states, loop_start: other.trace.loop_start.map(|start| start + before) };
    let reached = grader.reached(engine.system(), &trace);
    let good = wanted.is_subset(&reached) && test.reached.is_subset(&reached) && trace.n_steps() <= most;
    let good = good && check_trace(engine.system(), &trace).is_ok();
    good.then_some(Candidate { trace, reached, origin: test.origin })
}

/// The expression that holds in exactly this state.
fn at_state(model: &TransitionSystem, vars: &[(VarId, Value)]) -> Option<ExprId> {
    let mut all = model.make(Node::Const(Value::Bool(true))).ok()?;
    for (var, value) in vars {
        let var = model.make(Node::Var(*var)).ok()?;
        let value = model.make(Node::Const(*value)).ok()?;
        let equal = model.make(Node::Binary(BinaryOp::Eq, var, value)).ok()?;
        all = model.make(Node::Binary(BinaryOp::And, all, equal)).ok()?;
    }
    Some(all)
}
