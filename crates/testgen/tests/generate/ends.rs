//! Models with deadlocks and with states without fair paths: generation and grading agree, and no finite execution
//! reaches an infeasible goal.

use super::random::explicit;
use super::{assert_sound, complete, engine, goals, is_path, options};
use specwright_mc::{Answer, Budget, Options as EngineOptions, Proof, Query, Symbolic};
use specwright_model::interp::{Graph, Limits, Path};
use specwright_model::op::{BinaryOp, BoundedOp, BoundedUntilOp, UnaryOp};
use specwright_model::testing::{Options as ModelOptions, model, random_smv_with};
use specwright_model::{ExprId, Model, Node, State, Trace};
use specwright_testgen::generate::Strategy;
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{Bits, GoalGrade, Grader, Quantifiers, goal_grades, grade, grade_with};
use std::collections::VecDeque;

/// A random model with unsatisfiable fairness, a clock that stops, or a state that is never left although fairness
/// requires it.
fn model_with_an_end(seed: u64) -> Model {
    let options =
        ModelOptions { max_states: 40, justice: 50, compassion: 25, compute: 0, depth: 2, ..ModelOptions::default() };
    let mut text = random_smv_with(seed, &options);
    text += match seed % 4 {
        0 => "FAIRNESS FALSE;\n",
        1 => {
            "VAR clock : 0..3;\nINIT clock = 0;\nTRANS next(clock) = clock + 1;\n\
             SPEC AG clock < 2;\nSPEC A [clock = 0 U clock = 2];\nLTLSPEC G (clock = 3 -> O clock = 1);\n"
        }
        2 => {
            "VAR lost : boolean;\nINIT !lost;\nTRANS lost -> next(lost);\nFAIRNESS !lost;\n\
             SPEC AG (lost -> AX !lost);\nLTLSPEC G (lost -> F !lost);\nSPEC AF lost;\n"
        }
        _ => {
            "VAR clock : 0..2;\nINIT clock = 0;\nTRANS next(clock) >= clock & clock < 2;\n\
             LTLSPEC F clock = 2;\nSPEC AG (clock = 1 -> AX clock = 2);\nSPEC AG EF clock = 2;\n"
        }
    };
    model(&text)
}

/// All finite executions of up to `n_states` states, as long as they are not too many.
fn executions(graph: &Graph<'_>, n_states: usize) -> Vec<Trace> {
    const MOST: usize = 1500;
    let mut traces = Vec::new();
    // Breadth-first, so that short ones are preferred.
    let mut open: VecDeque<(Vec<State>, usize)> = (0..graph.n_initial).map(|at| (Vec::new(), at)).collect();
    while let Some((before, at)) = open.pop_front() {
        let mut states = before.clone();
        states.push(graph.states[at].clone());
        traces.push(Trace { states, loop_start: None });
        if traces.len() == MOST {
            break;
        }
        if before.len() + 1 < n_states {
            for edge in &graph.edges[at] {
                let mut longer = before.clone();
                longer.push(graph.now(at, *edge));
                open.push_back((longer, edge.to));
            }
        }
    }
    traces
}

/// Whether a formula is universal, so that a path on which it is false refutes it.
pub(super) fn is_universal(model: &Model, formula: ExprId, positive: bool) -> bool {
    let both = |part: ExprId| is_universal(model, part, positive);
    let any = |part: ExprId| is_universal(model, part, true) && is_universal(model, part, false);
    match &model[formula] {
        Node::Unary(UnaryOp::Not, a) => is_universal(model, *a, !positive),
        Node::Unary(UnaryOp::EX | UnaryOp::EF | UnaryOp::EG, a)
        | Node::Bounded(BoundedOp::EBF | BoundedOp::EBG, _, _, a) => !positive && both(*a),
        Node::Unary(UnaryOp::AX | UnaryOp::AF | UnaryOp::AG, a)
        | Node::Bounded(BoundedOp::ABF | BoundedOp::ABG, _, _, a) => positive && both(*a),
        Node::Unary(_, a) | Node::Bounded(_, _, _, a) => both(*a),
        Node::Binary(BinaryOp::EU, a, b) => !positive && both(*a) && both(*b),
        Node::Binary(BinaryOp::AU, a, b) => positive && both(*a) && both(*b),
        Node::BoundedUntil(op, _, _, a, b) => (*op == BoundedUntilOp::ABU) == positive && both(*a) && both(*b),
        Node::Binary(BinaryOp::Implies, a, b) => is_universal(model, *a, !positive) && both(*b),
        Node::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::U | BinaryOp::V | BinaryOp::S | BinaryOp::T, a, b) => {
            both(*a) && both(*b)
        }
        Node::Binary(_, a, b) => any(*a) && any(*b),
        Node::Define(define) => is_universal(model, model.body(*define), positive),
        node => node.children().into_iter().all(any),
    }
}

/// Whether an execution reaches a goal according to the interpreter, if a single path decides it.
pub(super) fn shows(model: &Model, trace: &Trace, target: Query) -> bool {
    let mut path = Path::new(model, trace);
    let is_plain = |expr| !model.mentions(expr, specwright_model::typing::is_temporal);
    match target {
        Query::Falsify(formula) if is_plain(formula) => {
            let positions = 0..trace.states.len() as u64;
            path.values(formula).is_ok_and(|values| positions.into_iter().any(|at| values.at(at) == Some(false)))
        }
        Query::Falsify(formula) => is_universal(model, formula, true) && path.truth(formula) == Ok(Some(false)),
        Query::Show(formula) => is_universal(model, formula, false) && path.truth(formula) == Ok(Some(true)),
        Query::Reach(expr) | Query::Kill(expr) => {
            let positions = 0..trace.states.len() as u64;
            path.values(expr).is_ok_and(|values| positions.into_iter().any(|at| values.at(at) == Some(true)))
        }
    }
}

/// The goals of the mutants, of all properties, and of their negations.
fn all_goals(model: &Model, engine: &mut Symbolic) -> Vec<Goal> {
    let mut goals = goals(model, engine, "mutation");
    goals.truncate(80);
    let properties: Vec<ExprId> = model.properties.iter().map(|property| property.formula.expr).collect();
    let Some(like) = goals.first().cloned() else { return goals };
    for (index, formula) in properties.into_iter().enumerate() {
        for (word, target) in [("falsify", Query::Falsify(formula)), ("show", Query::Show(formula))] {
            let description = model.show_expr(formula);
            goals.push(Goal { id: format!("{word}-{index}"), description, target, ..like.clone() });
        }
    }
    goals
}

#[test]
fn generating_and_grading_agree_where_nothing_fair_follows() {
    let (mut n_covered, mut n_infeasible, mut n_only_finite) = (0, 0, 0);
    for seed in 0..60 {
        let model = model_with_an_end(seed);
        let Ok(mut engine) = Symbolic::new(model.system.clone(), &EngineOptions::default()) else { continue };
        let goals = all_goals(&model, &mut engine);
        let Ok(graph) = Graph::explore(&model, Limits { states: 2000, work: 100_000 }) else { continue };
        let world = executions(&graph, 5);
        let mut grader = Grader::new(&model, goals.iter().map(|goal| goal.target), Quantifiers::Branching);
        let mut possible = Bits::new(goals.len());
        for trace in &world {
            possible.union_with(&grader.reached(&model, trace));
        }
        let fairly: Vec<Option<bool>> = goals.iter().map(|goal| explicit(&model, goal.target)).collect();
        for (word, strategy) in Strategy::NAMED {
            let what = format!("seed {seed}, {word}");
            let run = complete(&mut engine, &goals, &options(strategy));
            assert_sound(&model, &goals, &run, &what);
            // The covered goals are exactly those that grading counts.
            let suite = run.suite(&model);
            let surely = grade_with(&model, &grader, &suite).matrix.reached();
            let reached = grade(&model, &goals, &suite).matrix.reached();
            let fates =
                goal_grades(&mut engine, &goals, &reached, &surely, &|_| true, &Budget::default(), &mut |_| true);
            for (index, (goal, outcome)) in goals.iter().zip(&run.outcomes).enumerate() {
                let text = || format!("{what}: {} {}: {outcome:?}", goal.id, goal.description);
                let covered = *outcome == Some(Answer::Found(()));
                assert_eq!(matches!(fates[index], GoalGrade::Reached), covered, "{}", text());
                if covered {
                    n_covered += 1;
                    n_only_finite += usize::from(fairly[index] == Some(false));
                    continue;
                }
                if matches!(outcome, Some(Answer::Undecided(_))) {
                    continue;
                }
                assert!(!possible.contains(index), "{} is reached by a finite execution", text());
                if strategy == Strategy::Monitor {
                    let shown = world.iter().find(|trace| shows(&model, trace, goal.target));
                    assert_eq!(shown, None, "{}", text());
                }
                if *outcome == Some(Answer::Impossible(Proof::Infeasible)) {
                    n_infeasible += 1;
                    // No single execution shows a universal formula, even if it holds; and CTL ignores compassion.
                    let shows = is_path(&model, goal.target) && model.compassion.is_empty();
                    assert!(
                        matches!(goal.target, Query::Show(_)) && !shows || fairly[index] != Some(true),
                        "{} is feasible",
                        text()
                    );
                }
            }
        }
    }
    assert!(
        n_covered > 3000 && n_infeasible > 1000 && n_only_finite > 500,
        "{n_covered} {n_infeasible} {n_only_finite}"
    );
}

#[test]
fn a_test_may_end_in_a_deadlock() {
    let text = "MODULE main VAR n : 0..3; INIT n = 0; TRANS next(n) = n + 1;
        SPEC AG n < 3; SPEC AF n = 3; LTLSPEC G (n = 2 -> X n = 1); LTLSPEC G F n = 0;";
    let model = model(text);
    let mut engine = engine(&model);
    let goals = all_goals(&model, &mut engine);
    let run = complete(&mut engine, &goals, &options(Strategy::Monitor));
    let outcome = |id: &str| {
        let index = goals.iter().position(|goal| goal.id == id).expect("there is such a goal");
        run.outcomes[index].clone().expect("every goal is decided")
    };
    // The last state is one of the model as any other.
    assert_eq!(outcome("falsify-0"), Answer::Found(()));
    assert_eq!(outcome("falsify-2"), Answer::Found(()));
    // What would take for ever cannot be seen: there is no such path, and nothing is expected where one ends.
    assert_eq!(outcome("falsify-1"), Answer::Impossible(Proof::Infeasible));
    assert_eq!(outcome("falsify-3"), Answer::Impossible(Proof::Infeasible));
    assert_eq!(run.tests.iter().map(|test| test.trace.states.len()).max(), Some(4));
}
