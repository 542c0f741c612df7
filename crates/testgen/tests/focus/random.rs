//! Random models in random focuses, compared with the explicit semantics of the whole model.

use super::{generated, strategy};
use specwright_mc::reduction::Reduction;
use specwright_mc::{Answer, Options as EngineOptions, Proof, Query, Symbolic};
use specwright_model::interp::{Graph, Limits, Verdict, check_property, failing_invariant};
use specwright_model::model::{Property, PropertyKind};
use specwright_model::op::{Logic, UnaryOp};
use specwright_model::testing::{Options as Shape, model, random_smv_with};
use specwright_model::typing::is_temporal;
use specwright_model::{ExprId, Model, Node, SourcedExpr, State, Value};
use specwright_syntax::span::Span;
use specwright_testgen::criteria::{self, Mutation, Properties};
use specwright_testgen::focus::{Keep, is_outside, reduce, relevant};
use specwright_testgen::generate::{Run, Strategy, generate};
use specwright_testgen::grade::{Grader, Quantifiers};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A random focus for a seed.
fn focus(model: &Model, seed: u64) -> Vec<Keep> {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let mut keeps = Vec::new();
    for (var, declared) in model.vars() {
        let values: Vec<Value> = declared.domain.values().take(64).collect();
        let kept: Vec<Value> = values.into_iter().filter(|_| next() % 3 != 0).collect();
        if kept.is_empty() || next() % 4 == 0 {
            continue;
        }
        keeps.push(Keep::of(model, var, kept).expect("these are values of the variable"));
    }
    keeps
}

fn is_kept(keeps: &[Keep], state: &State) -> bool {
    keeps.iter().all(|keep| state.get(keep.var).is_none_or(|value| keep.values.contains(value)))
}

/// The steps between kept states, and the states from which a step leaves the focus; inputs are part of a step.
fn steps(
    graph: &Graph<'_>,
    n_vars: usize,
    in_focus: impl Fn(&State) -> bool,
) -> (BTreeSet<(State, State)>, BTreeSet<State>) {
    let cut = |state: &State| {
        let mut cut = State::empty(n_vars);
        state.values().iter().take(n_vars).enumerate().for_each(|(index, value)| {
            cut.set(specwright_model::VarId(u32::try_from(index).unwrap()), *value);
        });
        cut
    };
    let (mut inside, mut leaving) = (BTreeSet::new(), BTreeSet::new());
    let mut known: BTreeSet<usize> = (0..graph.n_initial).filter(|state| in_focus(&graph.states[*state])).collect();
    let mut waiting: Vec<usize> = known.iter().copied().collect();
    while let Some(from) = waiting.pop() {
        for edge in &graph.edges[from] {
            let now = graph.now(from, *edge);
            if in_focus(&now) && in_focus(&graph.states[edge.to]) {
                inside.insert((cut(&now), cut(&graph.states[edge.to])));
                if known.insert(edge.to) {
                    waiting.push(edge.to);
                }
            } else {
                leaving.insert(cut(&graph.states[from]));
            }
        }
    }
    (inside, leaving)
}

#[test]
fn soundness_is_lost_exactly_when_a_step_leaves_the_focus() {
    let (mut n_steps, mut n_leaving) = (0, 0);
    for seed in 0..120 {
        let whole = model(&random_smv_with(seed, &Shape::default()));
        let keeps = focus(&whole, seed);
        let Ok(reduced) = reduce(&whole, &keeps) else { continue };
        let limits = Limits { states: 3000, work: 200_000 };
        let (Ok(graph), Ok(small)) = (Graph::explore(&whole, limits), Graph::explore(&reduced.model, limits)) else {
            continue;
        };
        let n = whole.vars.len();
        let (expected, must_leave) = steps(&graph, n, |state| is_kept(&keeps, state));
        let sound = |state: &State| state.get(reduced.sound) == Some(Value::Bool(true)) && is_kept(&keeps, state);
        let (found, leaves) = steps(&small, n, sound);
        assert_eq!(found, expected, "seed {seed}");
        assert!(must_leave.is_subset(&leaves), "seed {seed}: a step that leaves is lost");
        let constrained = !(whole.trans.is_empty() && whole.invar.is_empty() && whole.init.is_empty());
        if !constrained {
            assert_eq!(leaves, must_leave, "seed {seed}");
        }
        n_steps += found.len();
        n_leaving += must_leave.len();
    }
    assert!(n_steps > 1000 && n_leaving > 100, "{n_steps} steps, {n_leaving} states to leave from");
}

/// Whether some execution of the whole model reaches a target.
fn explicit(model: &Model, target: Query) -> Option<bool> {
    let mut model = model.clone();
    let not = |model: &mut Model, expr: ExprId| model.make(Node::Unary(UnaryOp::Not, expr)).expect("a truth value");
    let (kind, formula) = match target {
        Query::Reach(expr) => (PropertyKind::Invar, not(&mut model, expr)),
        Query::Show(_) | Query::Kill(_) => return None,
        Query::Falsify(formula) => {
            let ltl = model.mentions(formula, |node| match node {
                Node::Unary(op, _) => op.logic() == Some(Logic::Ltl),
                Node::Binary(op, ..) => op.logic() == Some(Logic::Ltl),
                Node::Bounded(op, ..) => op.logic() == Logic::Ltl,
                _ => false,
            });
            let kind = if ltl { PropertyKind::Ltl } else { PropertyKind::Ctl };
            (if model.mentions(formula, is_temporal) { kind } else { PropertyKind::Invar }, formula)
        }
    };
    let graph = Graph::explore(&model, Limits { states: 2000, work: 100_000 }).ok()?;
    if kind == PropertyKind::Invar {
        return failing_invariant(&graph, formula).ok().map(|found| found.is_some());
    }
    // These logics ignore finite paths, and a focus has no deadlocks.
    if !graph.deadlocks().is_empty() {
        return None;
    }
    let formula = SourcedExpr { expr: formula, spans: [].into() };
    let property = Property { name: None, kind, formula, target: None, span: Span::NONE };
    check_property(&graph, &property).ok().map(|answer| answer == Verdict::Fails)
}

#[test]
fn no_test_depends_on_states_outside_of_the_focus() {
    let (mut n_tests, mut n_covered, mut n_infeasible, mut n_beyond) = (0, 0, 0, 0);
    for seed in 0..60 {
        let whole = model(&random_smv_with(seed, &Shape::default()));
        let keeps = focus(&whole, seed + 1000);
        if reduce(&whole, &keeps).is_err() {
            continue;
        }
        let criteria = vec!["mutation".into(), "states".into(), "transitions".into(), "decision".into()];
        let wanted = criteria::Options { criteria, focus: keeps.clone(), ..criteria::Options::default() };
        let (mut goals, _) = criteria::collect(&whole, None, &wanted);
        // A few of every kind.
        let every = goals.len().div_ceil(60).max(1);
        goals = goals.into_iter().step_by(every).collect();
        let strategies = [Strategy::Each, Strategy::Monitor, Strategy::Extend];
        let focused = generated(whole, &keeps, goals, &strategy(strategies[seed as usize % 3]));
        n_tests += focused.run.tests.len();
        let grade =
            specwright_testgen::grade::grade(&focused.whole, &focused.goals, &focused.run.suite(&focused.whole));
        assert!(grade.invalid_tests.is_empty(), "seed {seed}");
        assert!(focused.run.tests.iter().all(|test| test.trace.states.iter().all(|state| is_kept(&keeps, state))));
        for (goal, outcome) in focused.goals.iter().zip(&focused.run.outcomes) {
            let text = || format!("seed {seed}: {} {}", goal.id, goal.description);
            match outcome {
                outcome if is_outside(outcome.as_ref()) => n_beyond += 1,
                // That something fair follows outside of the focus is taken for granted.
                Some(Answer::Found(())) if focused.whole.justice.is_empty() && focused.whole.compassion.is_empty() => {
                    if let Some(feasible) = explicit(&focused.whole, goal.target) {
                        assert!(feasible, "{} is not feasible", text());
                        n_covered += 1;
                    }
                }
                Some(Answer::Impossible(Proof::Infeasible)) => {
                    if let Some(feasible) = explicit(&focused.whole, goal.target) {
                        let model = || specwright_model::unparse::print_model(&focused.reduced.model);
                        assert!(!feasible, "{} is feasible\n{}", text(), model());
                        n_infeasible += 1;
                    }
                }
                _ => {}
            }
        }
    }
    let counts = [n_tests, n_covered, n_infeasible, n_beyond];
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}

/// Variables outside of the cone do not affect the outcomes of goals, and tests are lifted to them.
#[test]
fn goals_have_the_same_outcomes_on_their_cone_of_influence() {
    let (mut n_models, mut n_tests) = (0, 0);
    let shape = Shape { justice: 10, compassion: 5, ctl: 1, ltl: 1, ..Shape::default() };
    for seed in 0..150 {
        let mut whole = model(&random_smv_with(seed, &shape));
        whole.properties.truncate(2);
        let mutation = Mutation { properties: Properties::Own, ..Mutation::default() };
        let wanted = criteria::Options { mutation, ..criteria::Options::default() };
        let (mut goals, _) = criteria::collect(&whole, None, &wanted);
        goals.truncate(30);
        let Some(relevant) = relevant(&whole, &goals, &[], &[]) else { continue };
        n_models += 1;
        let run = |model: &Model| {
            let mut engine =
                Symbolic::new(model.system.clone(), &EngineOptions::default()).expect("the model is total");
            let mut run = Run::new(goals.len());
            let options = strategy(Strategy::Monitor);
            assert!(
                generate(&mut engine, &goals, &options, &mut run, &mut |_, _| ControlFlow::Continue(())).is_continue()
            );
            run
        };
        let (all, part) = (run(&whole), run(&whole.reduced_to(relevant.system())));
        assert_eq!(part.outcomes, all.outcomes, "seed {seed}");
        let stack: [Arc<dyn Reduction>; 1] = [Arc::new(relevant)];
        let restored = part.lift(&stack, &whole, &goals);
        assert_eq!(restored.outcomes, all.outcomes, "seed {seed}");
        assert_eq!(restored.clone().project(&stack).outcomes, part.outcomes);
        let mut grader = Grader::new(&whole, goals.iter().map(|goal| goal.target), Quantifiers::Branching);
        for test in &restored.tests {
            n_tests += 1;
            let reached = grader.reached(&whole, &test.trace);
            for (index, goal) in goals.iter().enumerate().filter(|(_, goal)| test.goals.contains(&goal.id)) {
                // Only the engine decides universal formulas.
                let formula = matches!(goal.target, Query::Falsify(_));
                assert!(reached.contains(index) || formula, "seed {seed}: {}", goal.id);
            }
        }
    }
    assert!(n_models > 20 && n_tests > 20, "{n_models} models, {n_tests} tests");
}
