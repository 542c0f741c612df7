//! Outcomes on random models agree with their explicit graphs.

use super::ends::shows;
use super::{assert_sound, complete, criterion_names, goals, options};
use specwright_mc::{Answer, Options as EngineOptions, Proof, Query, Symbolic};
use specwright_model::interp::{
    CheckError, Edge, Graph, Limits, Verdict, check_property, eval_bool, failing_invariant,
};
use specwright_model::model::{Property, PropertyKind};
use specwright_model::op::{Logic, UnaryOp};
use specwright_model::testing::{self, random_model, random_smv_with};
use specwright_model::{ExprId, Model, Node, SourcedExpr};
use specwright_syntax::span::Span;
use specwright_testgen::generate::Strategy;

/// Whether some fair execution reaches a target; `None` if undecided.
pub(super) fn explicit(model: &Model, target: Query) -> Option<bool> {
    if let Query::Show(expr) = target
        && !model.mentions(expr, specwright_model::typing::is_temporal)
    {
        // A plain expression is about the first state or step only.
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
        Query::Reach(expr) | Query::Kill(expr) => (PropertyKind::Invar, not(&mut model, expr)),
        Query::Show(expr) => (PropertyKind::Ctl, not(&mut model, expr)),
        Query::Falsify(formula) => {
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
    // Undefined is not false.
    let is_undefined = |error: &CheckError| matches!(error, CheckError::Eval(error) if error.is_undefined());
    if kind == PropertyKind::Invar {
        let found = failing_invariant(&graph, formula);
        return found.map_or_else(|error| is_undefined(&error).then_some(false), |found| Some(found.is_some()));
    }
    let formula = SourcedExpr { expr: formula, spans: [].into() };
    let property = Property { name: None, kind, formula, target: None, span: Span::NONE };
    let answer = check_property(&graph, &property);
    answer.map_or_else(|error| is_undefined(&error).then_some(false), |answer| Some(answer == Verdict::Fails))
}

/// Compares the outcomes of the goals of a model with the explicit semantics; counts covered and infeasible goals.
fn compare(seed: u64, model: &Model) -> Option<(usize, usize)> {
    let (mut n_covered, mut n_infeasible) = (0, 0);
    let mut engine = Symbolic::new(model.system.clone(), &EngineOptions::default()).ok()?;
    for criterion in criterion_names() {
        let mut goals = goals(model, &mut engine, criterion);
        goals.truncate(60);
        for (word, strategy) in Strategy::NAMED {
            let what = format!("seed {seed}, {criterion}, {word}");
            let run = complete(&mut engine, &goals, &options(strategy));
            assert_sound(model, &goals, &run, &what);
            if strategy == Strategy::Extend {
                continue;
            }
            for (goal, outcome) in goals.iter().zip(&run.outcomes) {
                let text = || format!("{what}: {} {}", goal.id, goal.description);
                assert!(!matches!(outcome, Some(Answer::Undecided(_))), "{} is not decided", text());
                let Some(feasible) = explicit(model, goal.target) else { continue };
                match outcome {
                    Some(Answer::Found(())) => {
                        let shown = || run.tests.iter().any(|test| shows(model, &test.trace, goal.target));
                        assert!(feasible || shown(), "{} is not feasible", text());
                        n_covered += 1;
                    }
                    Some(Answer::Impossible(Proof::Infeasible)) => {
                        assert!(!feasible, "{} is feasible", text());
                        n_infeasible += 1;
                    }
                    Some(Answer::Impossible(Proof::Nonfalsifiable)) => assert!(feasible, "{} is no failure", text()),
                    _ => {}
                }
            }
        }
    }
    Some((n_covered, n_infeasible))
}

#[test]
fn verdicts_agree_with_the_explicit_semantics() {
    let counts: Vec<(usize, usize)> = (0..40).filter_map(|seed| compare(seed, &random_model(seed))).collect();
    let (n_covered, n_infeasible): (usize, usize) =
        counts.iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    assert!(n_covered > 1000 && n_infeasible > 300, "{n_covered} {n_infeasible}");
}

/// Goals with parts that are undefined somewhere, by a division by zero or an index out of bounds, are decided.
#[test]
fn goals_that_are_undefined_somewhere_are_decided() {
    let options = testing::Options { partial: 100, ..Default::default() };
    let models = (100..125).map(|seed| (seed, testing::model(&random_smv_with(seed, &options))));
    let counts: Vec<(usize, usize)> = models.filter_map(|(seed, model)| compare(seed, &model)).collect();
    let (n_covered, n_infeasible): (usize, usize) =
        counts.iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    assert!(n_covered > 500 && n_infeasible > 100, "{n_covered} {n_infeasible}");
}

#[test]
fn a_guarded_index_leaves_nothing_open() {
    let text = "MODULE main VAR a : array 0..1 of boolean; j : 0..2;
        ASSIGN next(j) := case j < 2 & a[j] : 0; TRUE : 2; esac;";
    let (n_covered, n_infeasible) = compare(0, &testing::model(text)).expect("the model is fine");
    assert!(n_covered > 50 && n_infeasible > 0, "{n_covered} {n_infeasible}");
}
