//! Round trips of export and import, in every format that supports them.

use crate::read;
use specwright_harness::export::{FORMATS, Format, export};
use specwright_harness::import::Mapping;
use specwright_model::hash::model_hash;
use specwright_model::interp::{Explorer, Random};
use specwright_model::model::VarKind;
use specwright_model::testing::{model, random_model};
use specwright_model::{Model, State, Trace};
use specwright_testgen::suite::{Expect, Suite, Test};

/// Random executions of a model, some of them lassos.
fn random_suite(model: &Model, random: &mut Random) -> Suite {
    let explorer = Explorer::new(model);
    let mut tests = Vec::new();
    for number in 0..4 {
        let shuffle = |random: &mut Random| Random::new(random.next_u64());
        let Some(Ok(first)) = explorer.initial().shuffled(shuffle(random)).limit(20_000).next() else { break };
        let mut states = vec![first.next];
        let mut loop_start = None;
        for _ in 0..random.index(6) {
            let last = states.last().unwrap();
            let Some(Ok(step)) = explorer.steps(last).shuffled(shuffle(random)).limit(20_000).next() else { break };
            *states.last_mut().unwrap() = step.now;
            loop_start = states.iter().position(|state| bare(model, state) == step.next);
            if loop_start.is_some() {
                break;
            }
            states.push(step.next);
        }
        let mut test = Test::new(format!("test {number}, \"quoted\" & <odd>"), Trace { states, loop_start });
        if random.percent(30) {
            test.expect = Expect::Reject;
            test.departure = (test.trace.states.len() > 1 && random.percent(50)).then_some(1);
        }
        if random.percent(50) {
            test.goals = vec!["ORO-1".into(), "SNO-2".into()];
            test.notes = vec!["why, \"this\" state".into()];
        }
        tests.push(test);
    }
    Suite { model: model.name.clone(), model_hash: Some(model_hash(model)), tests, goals: None }
}

fn bare(model: &Model, state: &State) -> State {
    let mut bare = state.clone();
    for (var, declared) in model.vars() {
        if declared.kind == VarKind::Input {
            bare.set(var, None);
        }
    }
    bare
}

/// Removes some values.
fn with_holes(model: &Model, suite: &Suite, random: &mut Random) -> Suite {
    let mut suite = suite.clone();
    for state in suite.tests.iter_mut().flat_map(|test| &mut test.trace.states) {
        for (var, _) in model.vars() {
            if random.percent(30) {
                state.set(var, None);
            }
        }
    }
    suite
}

fn ended(suite: &Suite) -> Suite {
    let mut suite = suite.clone();
    suite.tests.iter_mut().for_each(Test::end_at_departure);
    suite
}

fn round_trip(model: &Model, suite: &Suite, format: &Format) -> Suite {
    let exported = export(model, suite, format).unwrap();
    let files: Vec<_> = exported.into_iter().map(|file| (file.name, file.text)).collect();
    let (read, found) = read(model, &files, &Mapping::default());
    assert!(found.is_empty(), "{format:?}: {found:?}\n{}", files[0].1);
    read
}

/// The data that every format keeps: names, expectations, executions up to the departure.
fn essence(suite: &Suite) -> Vec<(String, Expect, Trace)> {
    ended(suite).tests.iter().map(|test| (test.name.clone(), test.expect, test.trace.clone())).collect()
}

/// The formats that can be imported.
fn data_formats() -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().filter(|format| !format.is_code())
}

fn named(name: &str) -> &'static Format {
    Format::named(name).unwrap()
}

#[test]
fn executions_round_trip() {
    let mut n_tests = 0;
    for seed in 0..60 {
        let (model, mut random) = (random_model(seed), Random::new(seed));
        let suite = random_suite(&model, &mut random);
        if suite.tests.is_empty() {
            continue;
        }
        n_tests += suite.tests.len();
        for format in data_formats() {
            let back = round_trip(&model, &suite, format);
            assert_eq!(essence(&back), essence(&suite), "seed {seed}, {format:?}");
        }
        let back = round_trip(&model, &suite, named("itf"));
        assert_eq!(back.tests, suite.tests, "ITF carries goals and notes");
        assert_eq!(back.model_hash, suite.model_hash, "and which model it was");
        assert_eq!(round_trip(&model, &suite, named("csv")).tests, ended(&suite).tests, "CSV carries goals and notes");
    }
    assert!(n_tests > 100, "{n_tests}");
}

#[test]
fn missing_values_stay_missing() {
    for seed in 0..40 {
        let (model, mut random) = (random_model(seed), Random::new(seed));
        let suite = random_suite(&model, &mut random);
        let suite = with_holes(&model, &suite, &mut random);
        if suite.tests.is_empty() {
            continue;
        }
        // In NuSMV's text format, missing means unchanged; and a loop is shown by its first state.
        for format in ["csv", "itf", "vcd", "avalla", "json", "text"].map(named) {
            let back = round_trip(&model, &suite, format);
            assert_eq!(essence(&back), essence(&suite), "seed {seed}, {format:?}");
        }
    }
}

#[test]
fn values_of_all_kinds_round_trip() {
    let model = model(
        "MODULE main
         VAR r : -4..4; e : {x, z, s1}; m : {off, 1, 2}; u : unsigned word[8]; s : signed word[4]; b : boolean;
             a : array 0..1 of boolean;
         IVAR go : boolean;",
    );
    let explorer = Explorer::new(&model);
    let mut random = Random::new(7);
    let mut states: Vec<State> = Vec::new();
    for _ in 0..40 {
        let step = explorer.initial().shuffled(Random::new(random.next_u64())).next().unwrap().unwrap();
        let mut state = step.next;
        let go = model.var_named("go").unwrap();
        state.set(go, specwright_model::Value::Bool(random.percent(50)));
        states.push(state);
    }
    let trace = Trace { states, loop_start: None };
    let suite = Suite { model: "kinds".into(), model_hash: None, tests: vec![Test::new("all", trace)], goals: None };
    for format in data_formats() {
        assert_eq!(essence(&round_trip(&model, &suite, format)), essence(&suite), "{format:?}");
    }
}

/// Formats that name variables by short codes have enough of them.
#[test]
fn many_variables_are_told_apart() {
    const N_VARS: u32 = 9000;
    let names: Vec<String> = (0..N_VARS).map(|number| format!("v{number} : boolean;")).collect();
    let model = model(&format!("MODULE main VAR {}", names.join(" ")));
    let mut random = Random::new(3);
    let mut state = State::empty(model.vars.len());
    for var in 0..N_VARS {
        state.set(specwright_model::VarId(var), specwright_model::Value::Bool(random.percent(50)));
    }
    let trace = Trace { states: vec![state], loop_start: None };
    let suite = Suite { model: "many".into(), model_hash: None, tests: vec![Test::new("all", trace)], goals: None };
    assert_eq!(essence(&round_trip(&model, &suite, named("vcd"))), essence(&suite));
}
