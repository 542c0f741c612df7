//! Generation on whole models: suites are adequate, answers are right, and runs can be stopped and resumed.

mod adequacy;
mod asked;
mod ends;
mod machine;
mod random;
mod random_walk;
mod resume;
mod rules;
mod visible;

use specwright_mc::{Answer, Options as EngineOptions, Proof, Query, Symbolic};
use specwright_model::Model;
use specwright_model::interp::check_trace;
use specwright_testgen::criteria::{self, CRITERIA};
use specwright_testgen::generate::{Options, Run, Strategy, generate};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::grade;
use specwright_testgen::pair;
use std::ops::ControlFlow;
use std::path::Path;

/// How many models are tried: `SPECWRIGHT_SEEDS`, if it is more.
fn n_seeds(least: u64) -> u64 {
    let wanted = std::env::var("SPECWRIGHT_SEEDS").ok().and_then(|text| text.parse().ok());
    wanted.unwrap_or(least).max(least)
}

/// The models of the examples, with their names.
fn examples() -> Vec<(String, Model)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut paths = Vec::new();
    for folder in std::fs::read_dir(root).expect("a test may fail here") {
        let files = std::fs::read_dir(folder.expect("a test may fail here").path())
            .expect("a test may fail here")
            .map(|entry| entry.expect("a test may fail here").path());
        paths.extend(files.filter(|path| path.extension().is_some_and(|extension| extension == "smv")));
    }
    // Requirements are properties without a model.
    paths.retain(|path| !path.to_string_lossy().ends_with("requirements.smv"));
    // These are too large without a focus, or to be explored again and again.
    let is_large = |part: std::path::Component<'_>| {
        ["finite-focus", "flight-guidance"].map(AsRef::as_ref).contains(&part.as_os_str())
    };
    paths.retain(|path| !path.components().any(is_large));
    paths.sort();
    let load = |path: &std::path::PathBuf| {
        let name = path.file_stem().expect("a test may fail here").to_string_lossy().into_owned();
        (name, specwright_model::testing::model(&std::fs::read_to_string(path).expect("a test may fail here")))
    };
    paths.iter().map(load).collect()
}

fn engine(model: &Model) -> Symbolic {
    Symbolic::new(model.system.clone(), &EngineOptions::default()).unwrap_or_else(|error| panic!("{error:?}"))
}

fn options(strategy: Strategy) -> Options {
    Options { strategy, ..Options::default() }
}

/// The goals of one criterion.
fn goals(model: &Model, engine: &mut Symbolic, criterion: &str) -> Vec<Goal> {
    let options = criteria::Options { criteria: vec![criterion.into()], ..criteria::Options::default() };
    let mut goals = criteria::collect(model, Some(engine), &options).0;
    pair::settle(pair::Ground::Engine(engine), &mut goals, &[]);
    goals
}

/// A whole run.
fn complete(engine: &mut Symbolic, goals: &[Goal], options: &Options) -> Run {
    let mut run = Run::new(goals.len());
    let result = generate(engine, goals, options, &mut run, &mut |_, _| ControlFlow::Continue(()));
    assert!(result.is_continue());
    run
}

/// The names of the criteria that need no input from the user, and whose goals are formulas that an engine decides. The
/// tests of criteria for machines are made without one.
fn criterion_names() -> impl Iterator<Item = &'static str> {
    let names = CRITERIA.iter().filter(|criterion| criterion.rank > 0).map(|criterion| criterion.name);
    names.filter(|name| *name != "machine-mutation" && !specwright_testgen::fsm::is_fsm(name))
}

/// Whether a single path decides a target. A branching-time formula may hold in the model although it is false on a
/// path.
fn is_path(model: &Model, target: Query) -> bool {
    match target {
        Query::Reach(_) | Query::Kill(_) => true,
        Query::Falsify(formula) => ends::is_universal(model, formula, true),
        Query::Show(formula) => ends::is_universal(model, formula, false),
    }
}

/// Checks the invariants of every run.
fn assert_sound(model: &Model, goals: &[Goal], run: &Run, what: &str) {
    let counts = run.counts();
    assert_eq!(counts.total, goals.len(), "{what}");
    let impossible = counts.infeasible + counts.nonfalsifiable + counts.conforming + counts.equivalent;
    assert_eq!(counts.covered + impossible + counts.possible + counts.unknown, counts.total, "{what}");
    assert!(run.outcomes.iter().all(Option::is_some), "{what}: every goal is decided");
    for test in &run.tests {
        assert_eq!(check_trace(model, &test.trace), Ok(()), "{what}: {}", test.name);
        assert_eq!(test.notes.len(), test.trace.states.len(), "{what}: {}", test.name);
        assert!(!test.goals.is_empty(), "{what}: {} is for nothing", test.name);
    }
    let grade = grade(model, goals, &run.suite(model));
    assert_eq!(grade.invalid_tests, [], "{what}");
    let reached = grade.matrix.reached();
    for (index, goal) in goals.iter().enumerate() {
        if run.outcomes[index] == Some(Answer::Found(())) {
            assert!(reached.contains(index), "{what}: {} {} is not graded as covered", goal.id, goal.description);
            assert!(run.tests.iter().any(|test| test.goals.contains(&goal.id)), "{what}: {} has no test", goal.id);
        } else if run.outcomes[index] == Some(Answer::Impossible(Proof::Infeasible)) && is_path(model, goal.target) {
            assert!(!reached.contains(index), "{what}: {} {} is graded as covered", goal.id, goal.description);
        }
    }
}

/// Test generation knows engines by the seam alone: an explicit search gives the tests that a symbolic one gives.
#[test]
fn every_engine_gives_the_same_tests() {
    let mut n_tests = 0;
    for seed in 0..40 {
        let text = specwright_model::testing::random_smv(seed);
        let model = specwright_model::testing::model(&text);
        let mut engine = engine(&model);
        for criterion in ["states", "transitions", "decision", "condition", "boundary"] {
            let goals = goals(&model, &mut engine, criterion);
            for strategy in [Strategy::Each, Strategy::Monitor] {
                let options = Options { tests_per_goal: 1 + seed as usize % 2, ..options(strategy) };
                let expected = complete(&mut engine, &goals, &options);
                let limits = specwright_model::interp::Limits::default();
                let mut explicit = specwright_mc::Explicit::new(engine.system().clone(), limits);
                let mut run = Run::new(goals.len());
                let result = generate(&mut explicit, &goals, &options, &mut run, &mut |_, _| ControlFlow::Continue(()));
                assert_eq!(result, ControlFlow::Continue(()));
                // Goals with temporal formulas are not for explicit search.
                if run.counts().unknown == 0 {
                    assert_eq!(run, expected, "seed {seed}, {criterion}, {strategy:?}\n{text}");
                    n_tests += run.tests.len();
                }
            }
        }
    }
    assert!(n_tests > 500, "{n_tests} tests");
}
