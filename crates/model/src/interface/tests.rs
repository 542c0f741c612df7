//! Tests of the interface: what can be observed, what is by default, when inputs are taken, and the tester's view.

use super::outputs::{self, NotObservable};
use super::{Observable, Role, Timing};
use crate::interp::{Graph, Limits, check_trace};
use crate::model::{DefineId, Model, VarId};
use crate::state::{State, Trace};
use crate::testing::{model, random_model};
use std::collections::BTreeSet;

fn outputs_of(text: &str) -> String {
    let mut model = model(text);
    model.infer_outputs();
    let names = model.interface.defined_outputs().map(|define| model[define].name.clone());
    names.collect::<Vec<_>>().join(" ")
}

#[test]
fn defines_that_the_machine_does_not_read_are_outputs() {
    let machine = "VAR x : 0..3; y : boolean; ASSIGN init(x) := 0; next(x) := low ? x + 1 : 0; init(y) := FALSE;
                   next(y) := !y;";
    let check = |defines: &str, expected: &str| {
        let text = format!("MODULE main {machine} DEFINE low := x < 3; {defines}");
        assert_eq!(outputs_of(&text), expected, "{defines}");
    };
    check("lamp := x = 2;", "lamp");
    check("lamp := x = 2; siren := lamp & y;", "lamp siren");
    check("limit := 3;", "");
    check("later := next(x) = 2;", "");
    check("some := {0, x};", "");
    check("many := [x, 1];", "");
    // Not total, total by cases, and too many cases to tell.
    check("part := case x = 0 : y; x = 1 : !y; esac;", "");
    check("whole := case x < 2 : y; x >= 2 : !y; esac;", "whole");
    check("ratio := 6 / x;", "");
}

#[test]
fn defines_of_instances_are_no_outputs_by_default() {
    let text = "MODULE main VAR a : cell; DEFINE both := a.full; MODULE cell VAR x : boolean; DEFINE full := x;
                ASSIGN next(x) := !x;";
    assert_eq!(outputs_of(text), "both");
}

#[test]
fn a_define_that_reads_an_input_of_its_own_state_needs_inputs_on_entering() {
    let text = |next: &str| {
        format!("MODULE main VAR i : boolean; x : boolean; ASSIGN next(x) := {next}; DEFINE now := i & x; old := !x;")
    };
    assert_eq!(outputs_of(&text("i")), "old");
    assert_eq!(outputs_of(&text("next(i)")), "now old");
}

#[test]
fn what_cannot_be_observed_is_explained() {
    let model = model(
        "MODULE main VAR x : 0..3; IVAR go : boolean;
         DEFINE a := next(x); b := go & x = 1; c := {1, x}; d := [x, x]; e := 3 mod x; f := x + 1;",
    );
    let x = model.var_named("x").unwrap();
    let go = model.var_named("go").unwrap();
    let expected = [
        Err(NotObservable::Next(x)),
        Err(NotObservable::StepInput(go)),
        Err(NotObservable::Choice),
        Err(NotObservable::Array),
        Err(NotObservable::Partial),
        Ok(()),
    ];
    for ((define, _), expected) in model.defines().zip(expected) {
        assert_eq!(outputs::observable(&model, define), expected, "{}", model[define].name);
    }
}

#[test]
fn inputs_are_taken_on_leaving_if_no_output_of_their_state_depends_on_them() {
    let timing = |text: &str| {
        let model = model(&format!("MODULE main VAR i : boolean; j : boolean; x : boolean; {text}"));
        let timings: BTreeSet<&str> = model.timings().into_values().map(Timing::name).collect();
        timings.into_iter().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(timing("ASSIGN init(x) := FALSE; next(x) := i & j;"), "leaving");
    assert_eq!(timing("ASSIGN next(x) := next(i) & j;"), "entering");
    assert_eq!(timing("DEFINE n := next(i); ASSIGN next(x) := n;"), "entering");
    // By the initial state, by an output of the same state, by a constraint.
    assert_eq!(timing("ASSIGN init(x) := i & j; next(x) := j;"), "entering");
    assert_eq!(timing("ASSIGN x := i & j;"), "entering");
    assert_eq!(timing("ASSIGN next(x) := i; TRANS next(i) -> next(x);"), "entering");
    // Constraints on nothing but inputs say nothing about the system.
    assert_eq!(timing("ASSIGN next(x) := i; TRANS next(i) -> !next(j); INIT !i; INVAR !(i & j);"), "leaving");
    assert_eq!(timing("ASSIGN next(x) := i; TRANS (next(i) -> !next(j)) & (x -> next(x));"), "leaving");
}

#[test]
fn each_input_has_a_timing_of_its_own_unless_an_event_reads_it() {
    let timing = |text: &str| {
        let model = model(&format!("MODULE main VAR i : boolean; j : boolean; x : boolean; y : boolean; {text}"));
        model.timings().into_values().map(Timing::name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(timing("ASSIGN next(x) := next(i); next(y) := j;"), "entering leaving");
    assert_eq!(timing("ASSIGN init(x) := i; next(x) := j; next(y) := y;"), "entering leaving");
    assert_eq!(timing("ASSIGN x := i; next(y) := j;"), "entering leaving");
    // The condition of an event, at once or by way of another variable.
    assert_eq!(timing("ASSIGN next(x) := !i & next(i) & j; next(y) := y;"), "entering entering");
    assert_eq!(timing("VAR z : boolean; ASSIGN z := j; next(x) := next(i) & z; next(y) := y;"), "entering entering");
    // What nothing reads is taken with the rest.
    assert_eq!(timing("ASSIGN next(x) := next(i); next(y) := y;"), "entering entering");
    assert_eq!(timing("ASSIGN next(x) := i; next(y) := y;"), "leaving leaving");
}

#[test]
fn recorded_timing_is_kept() {
    let mut model = model("MODULE main VAR i : boolean; x : boolean; ASSIGN next(x) := i;");
    let i = model.var_named("i").unwrap();
    model.interface.set_timing(i, Timing::Entering);
    assert_eq!(model.timings()[&i], Timing::Entering);
}

/// In the tester's view of random models, every output has the value of its define, and nothing else changes.
#[test]
fn a_view_has_the_same_executions() {
    let (mut n_views, mut n_states) = (0, 0);
    for seed in 0..400 {
        let mut model = random_model(seed);
        let defines: Vec<DefineId> = model.defines().map(|(define, _)| define).collect();
        for define in defines {
            if outputs::observable(&model, define).is_ok() {
                model.interface.set(Observable::Define(define), Role::Output);
            }
        }
        let outputs: Vec<DefineId> = model.interface.defined_outputs().collect();
        let limits = Limits { states: 300, ..Limits::default() };
        let (Ok(plain), false) = (Graph::explore(&model, limits), outputs.is_empty()) else { continue };
        let view = model.tester_view();
        let seen =
            Graph::explore(&view, limits).unwrap_or_else(|error| panic!("seed {seed}: {}", error.describe(&view)));
        assert_eq!(plain.len(), seen.len(), "seed {seed}");
        let widen = |state: &State| {
            let mut wide = State::empty(view.vars.len());
            for (var, _) in model.vars() {
                wide.set(var, state.get(var));
            }
            view.fill_defined_outputs(&mut wide);
            wide
        };
        for state in 0..plain.len() {
            let Trace { states, .. } = plain.path_to(state);
            let wide = Trace { states: states.iter().map(widen).collect(), loop_start: None };
            check_trace(&view, &wide).unwrap_or_else(|error| panic!("seed {seed}: {}", error.describe(&view)));
            let last = wide.states.last().unwrap();
            for (var, define) in (model.vars.len() as u32..).map(VarId).zip(&outputs) {
                let value = model.define_value(*define, states.last().unwrap());
                assert_eq!(last.get(var), value, "seed {seed}: {}", model[*define].name);
                assert!(value.is_some_and(|value| view[var].domain.contains(value)), "seed {seed}");
            }
            n_states += 1;
        }
        n_views += 1;
    }
    assert!(n_views > 50 && n_states > 500, "{n_views} views, {n_states} states");
}

#[test]
fn the_interface_of_a_suite_replaces_that_of_the_model() {
    let mut model: Model = model("MODULE main VAR x : boolean; ASSIGN next(x) := !x; DEFINE a := x; b := !x;");
    model.infer_outputs();
    let mut suite = crate::testing::model("MODULE main VAR x : boolean; b : boolean; ASSIGN next(x) := !x;");
    let (x, b) = (suite.var_named("x").unwrap(), suite.var_named("b").unwrap());
    suite.set_role(b, Role::Output);
    suite.interface.set_timing(x, Timing::Leaving);
    model.adopt_interface(&suite);
    let outputs: Vec<&str> = model.interface.defined_outputs().map(|define| model[define].name.as_str()).collect();
    assert_eq!(outputs, ["b"]);
}
