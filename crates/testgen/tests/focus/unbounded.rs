//! Unbounded integers: what the whole model reaches in a few steps is never called infeasible, however large its
//! constants are.

use super::{Focused, generated, strategy};
use specwright_mc::{Answer, Options as EngineOptions, Proof, Query, Reason, Symbolic};
use specwright_model::interp::{Explorer, Random, eval_bool};
use specwright_model::testing::{expr, model};
use specwright_model::{Domain, Model, State, Value};
use specwright_syntax::span::Span;
use specwright_testgen::focus::{Keep, elsewhere, reduce};
use specwright_testgen::generate::Strategy;
use specwright_testgen::goal::Goal;

/// Numbers of every size, most of them close to a power of two or to the ends of 64 bits.
fn constant(random: &mut Random) -> i64 {
    let near = i64::try_from(random.index(7)).unwrap() - 3;
    let size = match random.index(8) {
        0 | 1 => 0,
        2 => 1 << 40,
        3 => 3_000_000_000_000,
        4 => 1 << 62,
        5 => 9_000_000_000_000_000_000,
        6 => i64::MAX - 3,
        _ => 1 << random.index(63),
    };
    if random.percent(40) { -size + near } else { size.saturating_add(near) }
}

/// Two numbers that change by constants and are compared with constants.
fn random_smv(random: &mut Random) -> String {
    let mut assigns = Vec::new();
    let mut trans = Vec::new();
    for var in ["x", "y"] {
        let [first, other, low, high] = [(); 4].map(|()| constant(random));
        let [up, down] = [(); 2].map(|()| format!("{var} + ({})", constant(random)));
        let first = if random.percent(50) { format!("{{{first}, {other}}}") } else { first.to_string() };
        assigns.push(format!("  init({var}) := {first};\n"));
        match random.index(4) {
            0 => assigns.push(format!(
                "  next({var}) := case b & {var} < {high} : {up}; {var} > {low} : {{{down}, {other}}}; TRUE : {var}; esac;\n"
            )),
            1 => assigns.push(format!(
                "  next({var}) := case m = p : {up}; b : {low}; TRUE : {{{var}, {down}}}; esac;\n"
            )),
            2 => trans.push(format!("TRANS next({var}) in {{{var}, {up}, {high}}};\n")),
            _ => trans.push(format!("TRANS b & next({var}) = {up} | !b & next({var}) in {{{down}, {var}}};\n")),
        }
    }
    let (above, below) = (constant(random), constant(random));
    format!(
        "MODULE main
VAR x : integer; y : integer; b : boolean; m : {{p, q, r}};
ASSIGN
{}  init(m) := p;
  next(m) := case m = p & x > {above} : q; m = q & next(y) < {below} : r; TRUE : m; esac;
{}",
        assigns.concat(),
        trans.concat()
    )
}

/// Some states that the whole model reaches in a few steps, by the explicit semantics.
fn reached(model: &Model, n_steps: usize) -> Vec<State> {
    const MOST: usize = 300;
    let explorer = Explorer::new(model);
    let mut states: Vec<State> =
        explorer.initial().limit(100_000).filter_map(Result::ok).map(|step| step.next).collect();
    let mut from = 0;
    for _ in 0..n_steps {
        let fresh = from..states.len();
        from = states.len();
        for at in fresh {
            // Steps whose numbers exceed 64 bits are skipped.
            for step in explorer.steps(&states[at].clone()).limit(100_000).map_while(Result::ok) {
                if states.len() < MOST && !states.contains(&step.next) {
                    states.push(step.next);
                }
            }
        }
    }
    states
}

fn int(model: &Model, name: &str, state: &State) -> i64 {
    match state.get(model.var_named(name).unwrap()) {
        Some(Value::Int(number)) => number,
        other => panic!("{name} is a number, not {other:?}"),
    }
}

/// Conditions on states: some that were reached, and some with arbitrary numbers.
fn user_goals(model: &Model, states: &[State], random: &mut Random) -> Vec<String> {
    let mut texts = Vec::new();
    for _ in 0..12 {
        let state = random.pick(states);
        let var = *random.pick(&["x", "y"]);
        let number = if random.percent(70) { int(model, var, state) } else { constant(random) };
        let relation = *random.pick(&["=", "=", ">=", "<=", "<", ">"]);
        let also = *random.pick(&["", "", " & m = q", " & m = r", " & !b"]);
        texts.push(format!("{var} {relation} {number}{also}"));
    }
    texts
}

fn goal(whole: &mut Model, text: &str, index: usize) -> Goal {
    let falsify = index % 3 == 2;
    let target = if falsify {
        Query::Falsify(expr(whole, &format!("AG !({text})"), Some(specwright_model::op::Logic::Ctl)))
    } else {
        Query::Reach(expr(whole, text, None))
    };
    let (id, description, groups) = (format!("g{index}"), text.to_owned(), vec!["goal".to_owned()]);
    Goal {
        id,
        criterion: "goal",
        groups,
        description,
        span: Span::NONE,
        property: None,
        target,
        pair: None,
        contradiction: None,
        bounds: std::sync::Arc::default(),
        mutant: None,
    }
}

#[test]
fn reachable_goals_are_never_called_infeasible() {
    let (mut n_nowhere, mut n_reached, mut n_far, mut n_refused) = (0, 0, 0, 0);
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let text = random_smv(&mut random);
        let mut whole = model(&text);
        let states = reached(&whole, 4);
        let wanted = user_goals(&whole, &states, &mut random);
        let goals: Vec<Goal> = wanted.iter().enumerate().map(|(index, text)| goal(&mut whole, text, index)).collect();
        let conditions: Vec<_> = wanted.iter().map(|text| expr(&whole, text, None)).collect();
        let is_reached: Vec<bool> = conditions
            .iter()
            .map(|condition| states.iter().any(|state| eval_bool(&whole, *condition, state, None) == Ok(true)))
            .collect();
        let keeps: Vec<Keep> = ["x", "y"]
            .map(|name| {
                let low = int(&whole, name, &states[0]);
                let values = Domain::Range(low, low.saturating_add(3));
                Keep { var: whole.var_named(name).unwrap(), values }
            })
            .to_vec();
        // A reduction is rejected if a kept number could exceed 64 bits.
        let reduced = reduce(&whole, &keeps).expect("everything here can be reduced").model;
        if Symbolic::new(reduced.system, &EngineOptions::default()).is_err() {
            n_refused += 1;
            continue;
        }
        let Focused { whole, run, .. } = generated(whole, &keeps, goals.clone(), &strategy(Strategy::Monitor));
        let open: Vec<usize> = (0..goals.len())
            .filter(|goal| {
                matches!(&run.outcomes[*goal], Some(Answer::Undecided(Reason::OutsideFocus { reached: false })))
            })
            .collect();
        let asked: Vec<Goal> = open.iter().map(|goal| goals[*goal].clone()).collect();
        let known = elsewhere(&whole, &asked, &EngineOptions::default(), &mut |_| true);
        for (goal, outcome) in run.outcomes.iter().enumerate() {
            let impossible = matches!(outcome, Some(Answer::Impossible(Proof::Infeasible)));
            assert!(!(impossible && is_reached[goal]), "seed {seed}: `{}` is reached in\n{text}", wanted[goal]);
        }
        for (goal, known) in open.into_iter().zip(known) {
            match known {
                Answer::Impossible(_) => {
                    n_nowhere += 1;
                    assert!(!is_reached[goal], "seed {seed}: `{}` is reached in\n{text}", wanted[goal]);
                }
                Answer::Found(()) => {
                    n_reached += 1;
                    n_far += usize::from(wanted[goal].len() > 16);
                }
                Answer::Undecided(_) => {}
            }
        }
    }
    assert!(n_refused < 15, "{n_refused} models were refused");
    // The test is not vacuous: many goals are proved infeasible, and many are found outside of the focus.
    assert!(n_nowhere > 20 && n_reached > 20 && n_far > 10, "{n_nowhere} nowhere, {n_reached} reached, {n_far} far");
}
