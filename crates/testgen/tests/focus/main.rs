//! Finite focus: the reduced model, rewriting, and soundness of tests.
#![expect(clippy::unwrap_used, reason = "a test that cannot do its work should say so and stop")]

mod examples;
mod quantized;
mod random;
mod rewriting;
mod unbounded;

use specwright_mc::reduction::Reduction;
use specwright_mc::{Budget, Options as EngineOptions, Symbolic};
use specwright_model::Model;
use specwright_model::testing::model;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::span::SourceMap;
use specwright_testgen::criteria::{self, Mutation};
use specwright_testgen::focus::{Keep, Reach, Reduced, decide_outside, reduce};
use specwright_testgen::generate::{Options, Run, Strategy, generate};
use specwright_testgen::goal::Goal;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

fn example(path: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(path);
    model(&std::fs::read_to_string(path).expect("the examples are there"))
}

fn keep(model: &mut Model, text: &str) -> Keep {
    let mut sources = SourceMap::default();
    let index = sources.add("--keep", text).expect("it is short");
    let keeps = Keep::read(model, &sources.files()[index], Dialect::NuSmv);
    keeps.unwrap_or_else(|error| panic!("{text}: {error:?}")).remove(0)
}

/// A model in focus, its goals, and their outcomes. Every test is one of the whole model.
struct Focused {
    whole: Model,
    reduced: Arc<Reduced>,
    goals: Vec<Goal>,
    run: Run,
}

fn focused(whole: Model, keeps: &[Keep], mutation: Mutation, options: &Options) -> Focused {
    let wanted = criteria::Options { mutation, focus: keeps.to_vec(), ..criteria::Options::default() };
    let (goals, _) = criteria::collect(&whole, None, &wanted);
    generated(whole, keeps, goals, options)
}

fn generated(whole: Model, keeps: &[Keep], goals: Vec<Goal>, options: &Options) -> Focused {
    let reduced = reduce(&whole, keeps).expect("everything here can be reduced");
    let inside: Vec<Goal> =
        goals.iter().map(|goal| Goal { target: reduced.target(goal.target, Reach::Inside), ..goal.clone() }).collect();
    let anywhere: Vec<_> = goals.iter().map(|goal| reduced.target(goal.target, Reach::Anywhere)).collect();
    let mut engine = Symbolic::new(reduced.model.system.clone(), &EngineOptions::default())
        .unwrap_or_else(|error| panic!("{error:?} in\n{}", specwright_model::unparse::print_model(&reduced.model)));
    let mut run = Run::new(goals.len());
    let done = generate(&mut engine, &inside, options, &mut run, &mut |_, _| ControlFlow::Continue(()));
    assert!(done.is_continue());
    assert!(decide_outside(&mut engine, &anywhere, &Budget::default(), &mut run, &mut |_| true));
    let reduced = Arc::new(reduced);
    let run = run.lift(&[Arc::clone(&reduced) as Arc<dyn Reduction>], &whole, &goals);
    Focused { whole, reduced, goals, run }
}

fn strategy(strategy: Strategy) -> Options {
    Options { strategy, ..Options::default() }
}
