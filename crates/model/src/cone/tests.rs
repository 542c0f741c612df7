use super::*;
use crate::interp::{Graph, Limits, Random, check_property, check_trace, ltl_counterexample};
use crate::model::{Model, PropertyKind};
use crate::testing::{Options, model, random_smv_with};

fn dropped(model: &Model, property: usize) -> Vec<&str> {
    let cone = Cone::of(model, [model.properties[property].formula.expr]);
    cone.dropped().map(|var| model[var].name.as_str()).collect()
}

#[test]
fn only_variables_that_cannot_block_the_rest_are_dropped() {
    let model = model(
        "\
MODULE main
VAR a : 0..3; b : boolean; c : 0..3; d : 0..7; e : 0..7; f : boolean; g : 0..9; h : boolean;
FROZENVAR k : 0..3;
IVAR i : boolean; j : boolean;
ASSIGN
  init(a) := 0; next(a) := case b : k; i : 0; TRUE : a; esac;
  init(c) := a; next(c) := (c + a) mod 4;
  next(d) := d + 1; -- may be too large
  next(e) := case e < 7 : e + 1; TRUE : {0, 1}; esac;
TRANS f -> next(f)
INVAR g != 4
SPEC AG a < 3
SPEC AG c < 3
",
    );
    assert_eq!(dropped(&model, 0), ["c", "e", "f", "g", "h", "j"]);
    assert_eq!(dropped(&model, 1), ["e", "f", "g", "h", "j"]);
}

#[test]
fn constraints_are_dropped_if_they_cannot_block() {
    let dropped = |constraints: &str| {
        let text = format!(
            "MODULE main\nVAR a : boolean; b : 0..3; c : 0..3; d : boolean;\nASSIGN next(a) := !a;\n{constraints}\nSPEC AG a\n"
        );
        let model = model(&text);
        let dropped = dropped(&model, 0);
        dropped.concat()
    };
    assert_eq!(dropped("TRANS next(b) = c INVAR c != 2"), "bcd");
    // It has a deadlock at 3.
    assert_eq!(dropped("TRANS next(b) = b + 1 INIT b = 0"), "cd");
    // There is no initial state.
    assert_eq!(dropped("INIT b = c INIT b != c"), "d");
    // It is connected to a kept variable.
    assert_eq!(dropped("TRANS next(b) = c TRANS a | c = 0"), "d");
    // Variables of fairness constraints are kept.
    assert_eq!(dropped("INVAR b != c FAIRNESS b = 1"), "d");
    // A constraint without variables is never dropped.
    assert_eq!(dropped("INVAR FALSE INVAR b < 2"), "bcd");
}

#[test]
fn loops_are_unrolled_until_dropped_variables_repeat() {
    let model = model(
        "\
MODULE main
VAR a : boolean; n : 0..2;
ASSIGN init(a) := FALSE; next(a) := !a; init(n) := 0; next(n) := (n + 1) mod 3;
LTLSPEC F G a
",
    );
    let cone = Cone::of(&model, [model.properties[0].formula.expr]);
    let small = cone.reduce(&model);
    let graph = Graph::explore(&small, Limits::default()).unwrap();
    let trace = ltl_counterexample(&graph, model.properties[0].formula.expr).unwrap().unwrap();
    let restored = cone.lift(&model, &trace).unwrap();
    assert_eq!(check_trace(&model, &restored), Ok(()));
    assert_eq!(restored.folded().states.len(), 6);
}

/// Verdicts, deadlocks and executions are those of the whole model, for all properties of random models.
#[test]
fn reduced_models_give_the_answers_of_whole_models() {
    let (mut n_dropped, mut n_traces, mut n_constraints) = (0, 0, 0);
    let n_of = |model: &TransitionSystem| model.init.len() + model.trans.len() + model.invar.len();
    // Constraints connect many variables, so some models have few of them.
    let many = Options::default();
    let few = Options { justice: 10, compassion: 5, ctl: 4, ltl: 4, invar: 3, ..Options::default() };
    for seed in 0..400 {
        let whole = model(&random_smv_with(seed, if seed % 2 == 0 { &few } else { &many }));
        let Ok(graph) = Graph::explore(&whole, Limits::default()) else { continue };
        for property in &whole.properties {
            let exprs = [Some(&property.formula), property.target.as_ref()].into_iter().flatten();
            let cone = Cone::of(&whole, exprs.map(|sourced| sourced.expr));
            if cone.is_everything() {
                continue;
            }
            n_dropped += 1;
            let small = cone.reduce(&whole);
            n_constraints += usize::from(n_of(&small) < n_of(&whole));
            let small_graph = Graph::explore(&small, Limits::default()).unwrap();
            assert!(small_graph.len() <= graph.len(), "seed {seed}");
            assert_eq!(small_graph.deadlocks().is_empty(), graph.deadlocks().is_empty(), "seed {seed}");
            let name = whole.show_expr(property.formula.expr);
            let (ours, theirs) = (check_property(&small_graph, property), check_property(&graph, property));
            assert_eq!(ours, theirs, "seed {seed}: {name}");
            let mut traces = vec![walk(&small, seed)];
            if property.kind == PropertyKind::Ltl {
                traces.push(ltl_counterexample(&small_graph, property.formula.expr).unwrap());
            }
            for trace in traces.into_iter().flatten() {
                let restored = cone.lift(&whole, &trace).unwrap_or_else(|| panic!("seed {seed}: {trace:?}"));
                assert_eq!(check_trace(&whole, &restored), Ok(()), "seed {seed}: {name}");
                same_on_kept(&cone, &whole, &trace, &restored);
                n_traces += 1;
            }
        }
    }
    assert!(n_dropped > 300 && n_traces > 300, "{n_dropped} cones, {n_traces} traces");
    assert!(n_constraints > 30, "{n_constraints} cones without some constraint");
}

fn walk(model: &TransitionSystem, seed: u64) -> Option<Trace> {
    let explorer = Explorer::new(model);
    let random = |step| Random::new(seed.wrapping_mul(100) + step);
    let mut state = explorer.initial().shuffled(random(0)).next()?.ok()?.next;
    let mut states = Vec::new();
    for step in 1..8 {
        let Some(Ok(taken)) = explorer.steps(&state).shuffled(random(step)).next() else { break };
        states.push(taken.now);
        state = taken.next;
    }
    states.push(state);
    Some(Trace { states, loop_start: None })
}

fn same_on_kept(cone: &Cone, model: &Model, small: &Trace, whole: &Trace) {
    let (mut at, mut small_at) = (0, 0);
    for _ in 0..=small.states.len().max(whole.states.len()) {
        let (ours, theirs) = (&small.states[small_at], &whole.states[at]);
        let kept = model.vars().filter(|(var, _)| cone.contains(*var));
        assert!(kept.map(|(var, _)| var).all(|var| ours.get(var) == theirs.get(var)));
        let (Some(next), Some(small_next)) = (whole.next(at), small.next(small_at)) else {
            assert_eq!(whole.next(at), small.next(small_at));
            break;
        };
        (at, small_at) = (next, small_next);
    }
}
