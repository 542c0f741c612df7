//! Exploration, replay and checking of small models.

use super::*;
use crate::VarId;
use crate::model::TransitionSystem;
use crate::state::{State, Trace};
use crate::testing::model;
use crate::value::Value;

/// A counter to three that an input advances, and a bit that can only be set while the counter is below three.
const COUNTER: &str = "MODULE main
    VAR x : 0..3; b : boolean;
    IVAR go : boolean;
    ASSIGN init(x) := 0; next(x) := go & x < 3 ? x + 1 : x;
    INVAR b -> x < 3";

fn show(model: &TransitionSystem, state: &State) -> String {
    let values = state.values().iter().map(|value| value.map_or("-".into(), |value| model.show(value)));
    values.collect::<Vec<_>>().join(" ")
}

fn initial(text: &str) -> Result<Vec<String>, String> {
    let model = model(text);
    let states = initial_states(&model, 10_000).map_err(|error| error.describe(&model))?;
    Ok(states.iter().map(|state| show(&model, state)).collect())
}

#[test]
fn states_and_steps_come_in_declared_order() {
    let model = model(COUNTER);
    let initial = initial_states(&model, 1000).unwrap();
    assert_eq!(initial.iter().map(|state| show(&model, state)).collect::<Vec<_>>(), ["0 FALSE -", "0 TRUE -"]);
    let explorer = Explorer::new(&model);
    let steps = steps_from(&explorer, &initial[1], 1000).unwrap();
    let shown: Vec<String> =
        steps.iter().map(|step| show(&model, &step.now) + " | " + &show(&model, &step.next)).collect();
    assert_eq!(
        shown,
        ["0 TRUE FALSE | 0 FALSE -", "0 TRUE FALSE | 0 TRUE -", "0 TRUE TRUE | 1 FALSE -", "0 TRUE TRUE | 1 TRUE -"]
    );
    let mut guided = initial[0].clone();
    guided.set(VarId(2), Value::Bool(true));
    let mut wanted = State::empty(3);
    wanted.set(VarId(1), Value::Bool(false));
    let found: Vec<Step> = explorer.steps(&guided).like(&wanted).collect::<Result<_, _>>().unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(show(&model, &found[0].next), "1 FALSE -");
}

#[test]
fn assigned_variables_wait_for_what_they_depend_on() {
    let text = "MODULE main VAR x : 0..3; y : 1..2; z : {lo, hi}; ASSIGN init(x) := y + 1; z := x > 2 ? hi : lo;";
    assert_eq!(initial(text).unwrap(), ["2 1 lo", "3 2 hi"]);
}

#[test]
fn constraints_narrow_the_values_of_large_domains() {
    // A netlist of words; enumerating its values would not terminate in practice.
    let text = "MODULE main
        VAR sum : word[32]; a : word[32]; b : word[32]; out : word[32]; wire : word[32];
        DEFINE later := next(out);
        INIT out = 0ud32_7 INVAR wire = out & a = wire & b = 0ud32_1 & sum = a + b
        TRANS later = 0ud32_9 | (out < 0ud32_100 -> later = sum)";
    let model = model(text);
    let initial = initial_states(&model, 1000).unwrap();
    assert_eq!(initial.len(), 1);
    let steps = steps_from(&Explorer::new(&model), &initial[0], 10_000).unwrap();
    let shown: Vec<String> = steps.iter().map(|step| show(&model, &step.next)).collect();
    assert_eq!(shown, ["0ud32_9 0ud32_8 0ud32_1 0ud32_8 0ud32_8", "0ud32_10 0ud32_9 0ud32_1 0ud32_9 0ud32_9"]);
}

#[test]
fn random_order_finds_the_same_states() {
    let model = model(COUNTER);
    let explorer = Explorer::new(&model);
    for seed in 0..20 {
        let shuffled = explorer.initial().shuffled(Random::new(seed));
        let mut found: Vec<State> = shuffled.map(|step| step.unwrap().next).collect();
        found.sort_by_cached_key(|state| state.rank(&model));
        assert_eq!(found, initial_states(&model, 1000).unwrap());
    }
}

#[test]
fn limits_are_values() {
    let model = model(COUNTER);
    assert_eq!(initial_states(&model, 2), Err(SearchError::Limit));
    assert!(matches!(Graph::explore(&model, Limits { states: 3, work: 1000 }), Err(SearchError::Limit)));
}

#[test]
fn unbounded_variables_take_the_values_that_they_are_given() {
    let error = initial("MODULE main VAR n : integer;").unwrap_err();
    assert!(error.contains("`n` can be any integer"), "{error}");
    let model = model("MODULE main VAR n : integer; INIT n = 1000000 TRANS next(n) = n + 1");
    let initial = initial_states(&model, 1000).unwrap();
    let steps = steps_from(&Explorer::new(&model), &initial[0], 1000).unwrap();
    assert_eq!(show(&model, &steps[0].next), "1000001");
}

#[test]
fn an_assignment_outside_the_domain_is_an_error_and_a_constraint_is_not() {
    assert_eq!(initial("MODULE main VAR x : 0..1; INIT x = 2").unwrap(), Vec::<String>::new());
    let error = initial("MODULE main VAR x : 0..1; y : 0..1; ASSIGN init(x) := y + 1;").unwrap_err();
    assert_eq!(error, "cannot assign 2 to `x`");
}

#[test]
fn an_undefined_conjunct_does_not_matter_if_another_is_false() {
    let found = initial("MODULE main VAR x : 0..2; y : 0..2; INIT x / y = 1 & y != 0").unwrap();
    assert_eq!(found, ["1 1", "2 2"]);
    assert_eq!(initial("MODULE main VAR x : 0..2; y : 0..2; INIT x / y = 1").unwrap_err(), "division by zero");
}

#[test]
fn the_graph_has_rings_shortest_paths_and_deadlocks() {
    let model = model(&format!("{COUNTER} TRANS x != 3"));
    let graph = Graph::explore(&model, Limits::default()).unwrap();
    assert_eq!(graph.rings, [0, 0, 1, 1, 2, 2, 3]);
    assert_eq!(graph.deadlocks(), [6]);
    let path = graph.path_to(6);
    assert_eq!(path.states.len(), 4);
    assert_eq!(check_trace(&model, &path), Ok(()));
}

#[test]
fn replay_says_what_is_wrong_and_where() {
    let model = model(&format!("{COUNTER} TRANS b -> next(b) | next(x) = x"));
    let state = |x: i64, b: bool, go: Option<bool>| {
        let mut state = State::empty(3);
        for (var, value) in [Some(Value::Int(x)), Some(Value::Bool(b)), go.map(Value::Bool)].into_iter().enumerate() {
            state.set(VarId(var as u32), value);
        }
        state
    };
    let check = |states: &[State], loop_start: Option<usize>, expected: &str| {
        let found = check_trace(&model, &Trace { states: states.to_vec(), loop_start });
        assert_eq!(found.map_or_else(|error| error.describe(&model), |()| "ok".into()), expected);
    };
    let (go, stay) = (Some(true), Some(false));
    let last = "the step from state 2 to state 3: `x` is 1, but its next assignment gives 2";
    check(&[], None, "the trace has no states");
    check(&[state(0, true, go), state(1, true, None)], None, "ok");
    check(&[state(0, true, go), state(1, true, stay)], Some(1), "ok");
    check(&[state(0, true, go), state(1, true, None)], Some(1), "state 2: `go` has no value");
    check(&[state(0, true, go), state(1, true, go)], Some(1), last);
    check(&[state(0, true, go)], Some(4), "the loop starts at state 5, which is not there");
    check(&[state(1, true, None)], None, "state 1: `x` is 1, but its initial assignment gives 0");
    check(&[state(0, true, None), state(0, true, None)], None, "state 1: `go` has no value");
    check(&[state(7, true, None)], None, "state 1: `x` cannot be 7");
    let fall = "the step from state 1 to state 2: a constraint on steps is false";
    check(&[state(0, true, go), state(1, false, None)], None, fall);
    let climb = |b| [state(0, false, go), state(1, false, go), state(2, false, go), state(3, b, None)];
    check(&climb(false), None, "ok");
    check(&climb(true), None, "the step from state 3 to state 4: an invariant constraint of the model is false");
}

/// The answers to all properties of a model.
fn answers(text: &str) -> Vec<Verdict> {
    let model = model(text);
    let graph = Graph::explore(&model, Limits::default()).unwrap();
    model.properties.iter().map(|property| check_property(&graph, property).unwrap()).collect()
}

#[test]
fn ctl_quantifies_over_fair_paths() {
    use Verdict::{Fails, Holds};
    let specs = "SPEC AF x = 3 SPEC AG EF x = 3";
    assert_eq!(answers(&format!("{COUNTER} {specs}")), [Fails, Holds]);
    // With `go` infinitely often, the end is reached; justice may read inputs.
    assert_eq!(answers(&format!("{COUNTER} JUSTICE go {specs}")), [Holds, Holds]);
    // With a deadlock at the end there is no such infinite path, so no property fails. Invariants are about all states;
    // invariants over inputs are about steps, and no step leaves the end.
    let dead = format!("{COUNTER} TRANS x != 3 JUSTICE go");
    let specs = "SPEC FALSE INVARSPEC x != 3 INVARSPEC x != 3 | go LTLSPEC FALSE";
    assert_eq!(answers(&format!("{dead} {specs}")), [Holds, Fails, Holds, Holds]);
}

#[test]
fn next_values_of_frozen_variables_are_present_values() {
    // So the invariant is about states, including deadlocks.
    let text = "MODULE main VAR x : boolean; FROZENVAR f : boolean; TRANS FALSE INVARSPEC next(f)";
    assert_eq!(answers(text), [Verdict::Fails]);
    assert_eq!(answers(&text.replace("next(f)", "next(x)")), [Verdict::Holds]);
}

#[test]
fn bounded_operators() {
    for (formula, expected) in [
        ("EBF 0..2 x = 3", false),
        ("EBF 0..3 x = 3", true),
        ("EBF 5..5 x = 3", true),
        ("EBF 0..1000000000 x = 3", true),
        ("ABF 0..9 x = 3", false),
        ("EBG 3..1000000000 x = 3", true),
        ("EBG 2..3 x = 3", false),
        ("ABG 0..1 x < 2", true),
        ("E [x < 2 BU 2..3 x = 2]", true),
        ("E [x < 1 BU 2..3 x = 2]", false),
        ("A [x < 2 BU 0..9 x = 2]", false),
    ] {
        let expected = if expected { Verdict::Holds } else { Verdict::Fails };
        assert_eq!(answers(&format!("{COUNTER} SPEC {formula}")), [expected], "{formula}");
    }
}

#[test]
fn lengths_of_paths() {
    for (compute, expected) in [
        ("MIN [x = 0, x = 3]", Length::Steps(3)),
        ("MAX [x = 0, x = 3]", Length::Infinite),
        ("MAX [x = 3, x = 3]", Length::Steps(0)),
        ("MIN [x = 3, x = 0]", Length::Infinite),
        ("MAX [x = 0, x = 0 & x = 1]", Length::Undefined),
        ("MIN [x = 0, x = 0 & x = 1]", Length::Infinite),
    ] {
        assert_eq!(answers(&format!("{COUNTER} COMPUTE {compute}")), [Verdict::Length(expected)], "{compute}");
    }
    let turning = "MODULE main VAR x : 0..3; ASSIGN next(x) := (x + 1) mod 4; COMPUTE MAX [x = 0, x = 3]";
    assert_eq!(answers(turning), [Verdict::Length(Length::Steps(3))]);
}

#[test]
fn linear_formulas_with_past_inputs_and_strong_fairness() {
    for (formula, expected) in [
        ("G (x = 2 & go -> X x = 3)", true),
        ("G (x = 2 -> X x = 3)", false),
        ("F x = 3", false),
        ("G F go -> F x = 3", true),
        ("G (x = 3 -> O (x = 2 & go))", true),
        ("G (x = 3 -> Y x = 2)", false),
        ("Z FALSE & !Y TRUE", true),
        ("G (x = 1 -> H x <= 1)", true),
        ("(x = 0) U (x = 1) | G x = 0", true),
        ("(x != 3) V (x < 3 | TRUE)", true),
        ("G (x = 3 -> (x > 0) S (x = 1))", true),
        ("F [0,2] x = 1", false),
        ("X F [0,2] (x = 1 | !go | TRUE)", true),
        // NuSMV expands a bounded H with Y, so it is false in the first state.
        ("H [0,1] TRUE", false),
        ("O [0,1] TRUE", true),
    ] {
        let expected = if expected { Verdict::Holds } else { Verdict::Fails };
        assert_eq!(answers(&format!("{COUNTER} LTLSPEC {formula}")), [expected], "{formula}");
    }
    let strong = format!("{COUNTER} COMPASSION (x < 3, go) LTLSPEC F x = 3 SPEC AF x = 3");
    assert_eq!(answers(&strong), [Verdict::Holds, Verdict::Fails]);
}
