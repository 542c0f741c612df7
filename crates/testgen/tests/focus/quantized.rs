//! Quantization: it loses no test and adds none.

use specwright_mc::reduction::Reduction;
use specwright_mc::{Answer, Options as EngineOptions, Proof, Symbolic};
use specwright_model::interp::Random;
use specwright_model::testing::model;
use specwright_model::{Model, Value};
use specwright_testgen::criteria::{self, Mutation, Properties};
use specwright_testgen::focus::{OverApproximation, Quantized, elsewhere};
use specwright_testgen::generate::{Options, Run, generate};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{Grader, Quantifiers};
use specwright_testgen::suite::validate;
use std::ops::ControlFlow;
use std::sync::Arc;

fn run(model: &Model, goals: &[Goal]) -> Run {
    let mut engine = Symbolic::new(model.system.clone(), &EngineOptions::default()).unwrap();
    let mut run = Run::new(goals.len());
    let done = generate(&mut engine, goals, &Options::default(), &mut run, &mut |_, _| ControlFlow::Continue(()));
    assert!(done.is_continue());
    run
}

fn own_goals(whole: &Model) -> Vec<Goal> {
    let mutation = Mutation { properties: Properties::Own, ..Mutation::default() };
    let wanted = criteria::Options { mutation, ..criteria::Options::default() };
    criteria::collect(whole, None, &wanted).0
}

/// The outcomes of goals on the quantized model, and the number of its values.
fn quantized(whole: &Model, goals: &[Goal]) -> Option<(Arc<Quantized>, Run)> {
    let quantized = Arc::new(Quantized::new(whole, &[])?);
    let found = run(&whole.reduced_to(quantized.system()), goals);
    let left = found.lift(&[Arc::clone(&quantized) as Arc<dyn Reduction>], whole, goals);
    Some((quantized, left))
}

/// A model of a pressure and a mode that follows it; the change of the pressure is limited or not.
fn random_smv(seed: u64, driven: bool) -> String {
    let mut random = Random::new(seed);
    let low = 20 + random.index(20);
    let permit = low + 8 + random.index(30);
    let constants = [low, permit, low + 1, 70, 97];
    let mut constant = || *random.pick(&constants);
    let thresholds: Vec<usize> = (0..10).map(|_| constant()).collect();
    let mut random = Random::new(seed ^ 0x5eed);
    let speed = 1 + random.index(4);
    let limit = match random.index(8) {
        0 => "TRUE".to_owned(),
        1 => format!("next(x) - x <= {speed} & x - next(x) <= {speed}"),
        2 => format!("next(x) <= x + {speed} & next(x) >= x - 2"),
        3 => format!("(m = p -> next(x) - x in -{speed}..{speed}) & next(x) + 3 >= x"),
        4 => format!("next(x) in {{x, x + {speed}, x - 1}}"),
        5 => format!("next(x) - x < rise & 2 * (x - next(x)) <= 5 | next(x) = {low}"),
        6 => "next(x) - x != 2 & !(x - next(x) > 7)".to_owned(),
        _ => format!("next(x) >= x & next(x) - x <= {speed} | next(x) = 0"),
    };
    let (limit, drive) = if driven {
        let (high, low) = (thresholds[7], thresholds[8]);
        let rest = *random.pick(&["x", "{x, 0}", "{x, 1} union {40}", "0..3", "b ? 0 : x"]);
        let drive =
            format!("  next(x) := case next(b) & x < {high} : x + {speed}; x > {low} : x - 2; TRUE : {rest}; esac;\n");
        ("TRUE".to_owned(), drive)
    } else {
        (limit, String::new())
    };
    let alone = if random.percent(50) { "TRANS next(x) = x | next(b) = b;\n" } else { "" };
    let init = if random.percent(70) { "init(x) := {2};\n" } else { "" };
    // A variable that changes in every step.
    let clock = if random.percent(25) { "  init(t) := 0; next(t) := (t + 1) mod 3;\n" } else { "  t := 0;\n" };
    let fairness = if random.percent(20) { format!("JUSTICE x < {};\n", thresholds[9]) } else { String::new() };
    let modes = ["p", "q", "r"];
    let relations = [">=", "<", ">", "<=", "="];
    let mut claims = String::new();
    for _ in 0..3 {
        let (from, to) = (*random.pick(&modes), *random.pick(&modes));
        let relation = *random.pick(&relations);
        let at = *random.pick(&constants);
        let claim = match random.index(8) {
            0 => format!("SPEC AG (m = {from} & x {relation} {at} -> AX (m = {to} | b))\n"),
            1 => format!("SPEC AG (m = {from} -> AX (x {relation} {at} -> m = {from}))\n"),
            2 => format!("SPEC AF (m = {from} | x {relation} {at})\n"),
            3 => format!("SPEC AG EF m = {to}\n"),
            4 => format!("LTLSPEC G (m = {from} -> X (m = {to} | x {relation} {at}))\n"),
            5 => format!("LTLSPEC G (x {relation} {at} -> F m = {to})\n"),
            6 => format!("INVARSPEC m = {from} -> x {relation} {at}\n"),
            _ => format!("SPEC A [m = {from} U (m = {to} | t = 2)]\n"),
        };
        claims.push_str(&claim);
    }
    format!(
        "MODULE main
VAR x : 0..99; b : boolean; m : {{p, q, r}}; t : 0..2;
DEFINE rise := 4;
ASSIGN
  {init}  init(m) := p; init(b) := FALSE;
  next(m) := case
    m = p & next(x) >= {} : q;
    m = q & x < {} & next(x) >= {} : r;
    next(x) < {} & !(x < {}) : p;
    TRUE : m;
  esac;
{clock}{drive}TRANS {limit};
{alone}{fairness}{claims}",
        thresholds[0], thresholds[1], thresholds[2], thresholds[3], thresholds[3]
    )
}

/// The answers of the quantized model are those of the whole model, and it leaves few goals open.
#[test]
fn a_quantized_model_agrees_with_the_whole_model() {
    let (mut n_goals, mut n_open, mut n_limited, mut n_stretched) = (0, 0, 0, 0);
    for seed in 0..100 {
        let text = random_smv(seed, false);
        let whole = model(&text);
        let goals: Vec<Goal> = own_goals(&whole).into_iter().step_by(3).take(40).collect();
        let Some((quantized, found)) = quantized(&whole, &goals) else { panic!("seed {seed}:\n{text}") };
        n_limited += usize::from(quantized.is_limited());
        let expected = run(&whole, &goals);
        for ((goal, found), expected) in goals.iter().zip(&found.outcomes).zip(&expected.outcomes) {
            let formula = whole.show_expr(goal.target.expr());
            n_goals += 1;
            match found {
                Some(found) => assert_eq!(Some(found), expected.as_ref(), "seed {seed}: {formula}\n{text}"),
                None => n_open += 1,
            }
        }
        let mut grader = Grader::new(&whole, goals.iter().map(|goal| goal.target), Quantifiers::Branching);
        for test in &found.tests {
            validate(&whole, test).unwrap_or_else(|invalid| panic!("seed {seed}: {invalid:?}"));
            let reached = grader.reached(&whole, &test.trace);
            let ids: Vec<&String> = reached.iter().map(|goal| &goals[goal].id).collect();
            assert!(test.goals.iter().all(|id| ids.contains(&id)), "seed {seed}");
            n_stretched += usize::from(test.trace.states.len() > 12);
        }
        // Projected to the quantized model, tests are executions of it.
        let again = quantized.system();
        let inside = found.clone().project(&[Arc::clone(&quantized) as Arc<dyn Reduction>]);
        for test in inside.tests.iter().filter(|test| test.trace.loop_start.is_none()) {
            validate(again, test).unwrap_or_else(|invalid| panic!("seed {seed}: {}", invalid.describe(again)));
        }
    }
    assert!(n_limited > 60 && n_stretched > 40, "{n_limited} limited, {n_stretched} stretched");
    assert!(n_open * 5 < n_goals, "{n_open} of {n_goals} goals are open");
}

/// The answers of an over-approximation are right, also if the number is assigned.
#[test]
fn an_over_approximation_agrees_with_the_whole_model() {
    let (mut n_nowhere, mut n_reached, mut n_unknown, mut n_holds) = (0, 0, 0, 0);
    for seed in 0..80 {
        let text = random_smv(seed, seed % 4 != 0);
        let whole = model(&text);
        let goals: Vec<Goal> = own_goals(&whole).into_iter().step_by(3).take(30).collect();
        let expected = run(&whole, &goals);
        let known = elsewhere(&whole, &goals, &EngineOptions::default(), &mut |_| true);
        for ((goal, known), expected) in goals.iter().zip(known).zip(&expected.outcomes) {
            let formula = whole.show_expr(goal.target.expr());
            match known {
                Answer::Impossible(_) => {
                    n_nowhere += 1;
                    assert_eq!(
                        *expected,
                        Some(Answer::Impossible(Proof::Infeasible)),
                        "seed {seed}: {formula}\n{text}"
                    );
                }
                Answer::Found(()) => {
                    n_reached += 1;
                    assert_eq!(*expected, Some(Answer::Found(())), "seed {seed}: {formula}\n{text}");
                }
                Answer::Undecided(_) => n_unknown += 1,
            }
        }
        // A universal property of the over-approximation holds in the model.
        let properties: Vec<_> = whole.properties.clone();
        let exprs: Vec<_> = properties.iter().map(|property| property.formula.expr).collect();
        let Some(overview) = OverApproximation::new(&whole, &exprs) else { panic!("seed {seed}:\n{text}") };
        assert!(overview.understands(&exprs), "seed {seed}");
        let mut afar = overview.engine(&EngineOptions::default()).unwrap();
        let mut near = Symbolic::new(whole.system.clone(), &EngineOptions::default()).unwrap();
        for property in &properties {
            let possible = whole.show_expr(property.formula.expr).contains("EF");
            if !possible && matches!(afar.check(property), Answer::Impossible(Proof::Infeasible)) {
                n_holds += 1;
                assert!(matches!(near.check(property), Answer::Impossible(Proof::Infeasible)), "seed {seed}:\n{text}");
            }
        }
    }
    assert!(n_nowhere > 300 && n_reached > 300 && n_holds > 40, "{n_nowhere}, {n_reached}, {n_holds}");
    assert!(n_unknown * 5 < n_nowhere + n_reached, "{n_unknown} of {}", n_nowhere + n_reached);
}

/// A pressure that changes by at most 3, up to 200 or up to 20000: the tests differ only in how long they wait.
#[test]
fn tests_of_a_large_range_are_those_of_a_small_one_with_waiting() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/safety-injection");
    let text = std::fs::read_to_string(path.join("safety_injection.smv")).unwrap();
    let suite = |most: i64, low: i64, permit: i64| {
        let text = text.replace("0..200;", &format!("0..{most};"));
        let text = text.replace(":= 90;", &format!(":= {low};")).replace(":= 100;", &format!(":= {permit};"));
        let whole = model(&text);
        let pressure = whole.var_named("WaterPres").unwrap();
        let goals = own_goals(&whole);
        let (_, run) = quantized(&whole, &goals).unwrap();
        assert!(run.outcomes.iter().all(Option::is_some), "nothing has to be searched among all values");
        let region =
            |number: i64| (i64::from(number >= low) + i64::from(number >= permit), offset(number, &[2, low, permit]));
        let tests: Vec<Vec<Vec<Option<Value>>>> = run
            .tests
            .iter()
            .map(|test| {
                let mut states: Vec<Vec<Option<Value>>> = Vec::new();
                for state in &test.trace.states {
                    let Some(Value::Int(number)) = state.get(pressure) else { panic!("it has a value") };
                    let mut values = state.values().to_vec();
                    let (region, near) = region(number);
                    values[pressure.0 as usize] = Some(Value::Int(region));
                    values.push(near.map(Value::Int));
                    // Waiting states are ignored.
                    if near.is_some() || states.last() != Some(&values) {
                        states.push(values);
                    }
                }
                states
            })
            .collect();
        let counts = run.counts();
        (tests, (counts.covered, counts.infeasible, counts.nonfalsifiable))
    };
    let (small, large) = (suite(200, 60, 120), suite(20_000, 9000, 10_000));
    assert!(small.0.len() > 10);
    assert_eq!(small, large);
}

/// The distance of a number from the nearest of these, if it is small.
fn offset(number: i64, points: &[i64]) -> Option<i64> {
    points.iter().map(|point| number - point).find(|by| by.abs() <= 2)
}
