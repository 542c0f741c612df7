//! Microbenchmarks of single stages: parsing, lowering, encoding, exploring, grading.
//!
//! `cargo bench -p specwright-testgen`. The peer benchmarks in `benches/peer` measure whole programs; these attribute a
//! change to a stage.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use specwright_mc::{Options, Symbolic};
use specwright_model::interp::{Explorer, Random};
use specwright_model::testing::{model, scr};
use specwright_model::{Model, Trace};
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::span::SourceMap;
use specwright_testgen::criteria::{self, Mutation, Properties};
use specwright_testgen::grade::{Bits, Grader, Quantifiers};
use std::hint::black_box;

const INJECTION: &str = include_str!("../../../examples/safety-injection/safety_injection.smv");
const BOAT: &str = include_str!("../../../examples/survey-boat/survey_boat.scr");

fn parser(c: &mut Criterion) {
    let mut sources = SourceMap::default();
    let file = sources.add("model.smv", INJECTION).expect("the example is small");
    let mut group = c.benchmark_group("parser");
    group.throughput(Throughput::Bytes(INJECTION.len() as u64));
    group.bench_function("parse", |b| b.iter(|| specwright_syntax::smv::parse(&sources.files()[file], Dialect::NuSmv)));
    group.bench_function("parse and lower", |b| b.iter(|| model(black_box(INJECTION))));
    group.finish();
}

fn engine(c: &mut Criterion) {
    let models = [("safety injection", model(INJECTION)), ("survey boat", scr(BOAT, false))];
    for (name, model) in models {
        let new = || Symbolic::new(model.system.clone(), &Options::default()).expect("the example has an engine");
        c.bench_function(&format!("encode {name}"), |b| b.iter(new));
        let explore = |mut engine: Symbolic| engine.explore(&mut |_| ()).expect("the example is small");
        c.bench_function(&format!("images of {name}"), |b| {
            b.iter_batched(new, explore, criterion::BatchSize::SmallInput);
        });
    }
}

/// Throughput is counted in pairs of a mutant and a step of a test.
fn grade(c: &mut Criterion) {
    const MUTANTS: usize = 10_000;
    const STEPS: usize = 50;
    let model = scr(BOAT, false);
    let mutation = Mutation { properties: Properties::Reflected, ..Mutation::default() };
    let wanted = criteria::Options { mutation, ..criteria::Options::default() };
    let (mut goals, _) = criteria::collect(&model, None, &wanted);
    assert!(goals.len() >= MUTANTS, "the example has {} mutants", goals.len());
    goals.truncate(MUTANTS);
    let grader = Grader::new(&model, goals.iter().map(|goal| goal.target), Quantifiers::Branching);
    let walks: Vec<Trace> = (0..200).map(|seed| walk(&model, seed, STEPS)).collect();
    let walks: Vec<&Trace> = walks.iter().collect();
    let mut group = c.benchmark_group("grade");
    group.throughput(Throughput::Elements((MUTANTS * STEPS * walks.len()) as u64));
    group.sample_size(20);
    group.bench_function("10,000 mutants, 200 tests, 50 steps", |b| {
        b.iter(|| grader.reached_by_each(&model, &walks).iter().map(Bits::count).sum::<usize>());
    });
    group.finish();
}

fn walk(model: &Model, seed: u64, n_steps: usize) -> Trace {
    let explorer = Explorer::new(model);
    let first = explorer.initial().shuffled(Random::new(seed)).next().expect("there is an initial state");
    let mut states = vec![first.expect("the example has values").next];
    for step in 0..n_steps as u64 {
        let last = states.last().expect("there is a first state");
        let next = explorer.steps(last).shuffled(Random::new(seed * 1000 + step)).next().expect("the example goes on");
        states.push(next.expect("the example has values").next);
    }
    Trace { states, loop_start: None }
}

criterion_group!(benches, parser, engine, grade);
criterion_main!(benches);
