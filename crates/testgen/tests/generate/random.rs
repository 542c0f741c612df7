//! What is said to be infeasible is so on the explicit graph of random models, and what is covered is feasible.

use super::ends::shows;
use super::{assert_sound, complete, criterion_names, goals, options};
use specwright_engine::{Engine, Options as EngineOptions};
use specwright_model::interp::{Answer, Edge, Graph, Limits, check_property, eval_bool, failing_invariant};
use specwright_model::model::{Property, PropertyKind};
use specwright_model::op::{Logic, UnaryOp};
use specwright_model::testing::random_model;
use specwright_model::{ExprId, Model, Node, Written};
use specwright_syntax::span::Span;
use specwright_testgen::generate::{Outcome, Strategy};
use specwright_testgen::goal::Target;

/// Whether some fair execution does what is wanted, or makes it false that none does; `None` where nobody knows.
pub(super) fn explicit(model: &Model, target: Target) -> Option<bool> {
    if let Target::Show(expr) = target
        && !model.mentions(expr, specwright_model::typing::is_temporal)
    {
        // A plain one is about the first state or step, whatever follows.
        let graph = Graph::explore(model, Limits { states: 2000, work: 100_000 }).ok()?;
        let holds_at = |from: usize| {
            let alone = eval_bool(model, expr, &graph.states[from], None).unwrap_or(false);
            let step = |edge: &Edge| {
                eval_bool(model, expr, &graph.now(from, *edge), Some(&graph.states[edge.to])).unwrap_or(false)
            };
            alone || graph.edges[from].iter().any(step)
        };
        return Some((0..graph.n_initial).any(holds_at));
    }
    let mut model = model.clone();
    let not =
        |model: &mut Model, expr: ExprId| model.make(Node::Unary(UnaryOp::Not, expr)).expect("a test may fail here");
    let (kind, formula) = match target {
        Target::Reach(expr) => (PropertyKind::Invar, not(&mut model, expr)),
        Target::Show(expr) => (PropertyKind::Ctl, not(&mut model, expr)),
        Target::Falsify(formula) => {
            let ltl = model.mentions(formula, |node| match node {
                Node::Unary(op, _) => op.logic() == Some(Logic::Ltl),
                Node::Binary(op, ..) => op.logic() == Some(Logic::Ltl),
                Node::Bounded(op, ..) => op.logic() == Logic::Ltl,
                _ => false,
            });
            let temporal = model.mentions(formula, specwright_model::typing::is_temporal);
            let kind = if ltl { PropertyKind::Ltl } else { PropertyKind::Ctl };
            (if temporal { kind } else { PropertyKind::Invar }, formula)
        }
    };
    let graph = Graph::explore(&model, Limits { states: 2000, work: 100_000 }).ok()?;
    if kind == PropertyKind::Invar {
        return failing_invariant(&graph, formula).ok().map(|found| found.is_some());
    }
    let formula = Written { expr: formula, spans: [].into() };
    let property = Property { name: None, kind, formula, target: None, span: Span::NONE };
    check_property(&graph, &property).ok().map(|answer| answer == Answer::Fails)
}

#[test]
fn verdicts_agree_with_the_explicit_semantics() {
    let (mut n_covered, mut n_infeasible) = (0, 0);
    for seed in 0..40 {
        let model = random_model(seed);
        let Ok(mut engine) = Engine::new(model.clone(), &EngineOptions::default()) else { continue };
        for criterion in criterion_names() {
            let mut goals = goals(&mut engine, criterion);
            goals.truncate(60);
            for (word, strategy) in Strategy::NAMED {
                let what = format!("seed {seed}, {criterion}, {word}");
                let run = complete(&mut engine, &goals, &options(strategy));
                assert_sound(&engine, &goals, &run, &what);
                if strategy == Strategy::Extend {
                    continue;
                }
                for (goal, outcome) in goals.iter().zip(&run.outcomes) {
                    let Some(feasible) = explicit(engine.model(), goal.target) else { continue };
                    let text = || format!("{what}: {} {}", goal.id, goal.description);
                    match outcome {
                        Some(Outcome::Covered) => {
                            let shown = || run.tests.iter().any(|test| shows(engine.model(), &test.trace, goal.target));
                            assert!(feasible || shown(), "{} is not feasible", text());
                            n_covered += 1;
                        }
                        Some(Outcome::Infeasible) => {
                            assert!(!feasible, "{} is feasible", text());
                            n_infeasible += 1;
                        }
                        Some(Outcome::Nonfalsifiable) => assert!(feasible, "{} is no failure", text()),
                        _ => {}
                    }
                }
            }
        }
    }
    assert!(n_covered > 1000 && n_infeasible > 300, "{n_covered} {n_infeasible}");
}
