//! Tests for mutants of the machine: what generation says of a mutant, grading says of the suite.

use crate::{assert_sound, complete, engine, examples, goals, options};
use specwright_mc::{Answer, Certainty, Observer, Place, Proof, Reason, Tester, apply};
use specwright_model::interface::Role;
use specwright_model::interp::{Graph, Limits, Random, check_trace};
use specwright_model::model::{AssignKind, Model, VarKind};
use specwright_model::op::BinaryOp;
use specwright_model::testing::{model, random_model};
use specwright_model::{Node, Trace, Value};
use specwright_testgen::generate::{Run, Strategy};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{Bits, Matrix, add_kills, grade};
use specwright_testgen::suite::executed;

/// Generates tests for all mutants, and checks that the suite kills as surely as was said.
fn check(model: &Model, strategy: Strategy, what: &str) -> (Vec<Goal>, Run) {
    let mut engine = engine(model);
    let goals = goals(model, &mut engine, "machine-mutation");
    let run = complete(&mut engine, &goals, &options(strategy));
    assert_sound(model, &goals, &run, what);
    let suite = run.suite(model);
    let mut matrix = grade(model, &goals, &suite).matrix;
    let possible = add_kills(model, &goals, &executed(model, &suite), &mut matrix);
    for (index, goal) in goals.iter().enumerate() {
        let outcome = run.outcomes[index].as_ref();
        let is_certain = outcome == Some(&Answer::Found(()));
        let is_possible = outcome == Some(&Answer::Undecided(Reason::PossibleKill));
        assert_eq!(matrix.reached().contains(index), is_certain, "{what}: {}", goal.id);
        assert_eq!(possible.iter().any(|(goal, _)| *goal == index), is_possible, "{what}: {}", goal.id);
    }
    (goals, run)
}

#[test]
fn generation_and_grading_agree_on_random_models() {
    let (mut n_certain, mut n_possible, mut n_impossible) = (0, 0, 0);
    for seed in 0..crate::n_seeds(60) {
        let mut model = random_model(seed);
        let mut random = Random::new(seed);
        let vars: Vec<_> = model.vars().map(|(id, var)| (id, var.kind)).collect();
        for (var, kind) in vars {
            let role = match random.index(4) {
                _ if kind == VarKind::Input => Role::Input,
                // Some are taken on leaving their state, so those of the last state of a test are not sent.
                3 => Role::Input,
                0 => Role::Internal,
                _ => Role::Output,
            };
            model.set_role(var, role);
        }
        let strategy = [Strategy::Monitor, Strategy::Each, Strategy::Extend][seed as usize % 3];
        let (_, run) = check(&model, strategy, &format!("seed {seed}, {strategy:?}"));
        let counts = run.counts();
        n_certain += counts.covered;
        n_possible += counts.possible;
        n_impossible += counts.conforming + counts.equivalent;
    }
    assert!(n_certain > 500 && n_possible > 100 && n_impossible > 200, "{n_certain} {n_possible} {n_impossible}");
}

#[test]
fn mutants_of_small_examples_are_decided() {
    for (name, model) in examples() {
        if name == "barrier" || name == "card_stack" {
            let (_, run) = check(&model, Strategy::Monitor, &name);
            assert_eq!(run.counts().unknown, 0, "{name}");
        }
    }
}

/// A counter whose value is internal: a mutant is killed where the output shows it, not where the counter is wrong.
#[test]
fn a_kill_is_seen_in_outputs() {
    let text = "MODULE main
        VAR tick : boolean; level : 0..3; full : boolean;
        ASSIGN init(level) := 0; next(level) := tick & level < 3 ? level + 1 : level;
        init(full) := FALSE; next(full) := level = 3;";
    let mut hidden = model(text);
    let level = hidden.var_named("level").expect("declared");
    hidden.set_role(level, Role::Internal);
    let (_, run) = check(&hidden, Strategy::Monitor, "hidden");
    let longest = |run: &Run| run.tests.iter().map(|test| test.trace.states.len()).max();
    assert!(longest(&run) >= Some(5), "it takes three steps to fill the counter, and one to show it: {run:?}");
}

/// In one test the mutant leaves its domain, and in the other one its output is wrong.
#[test]
fn a_test_without_an_answer_hides_no_kill_by_another() {
    let model = model(
        "MODULE main VAR i : boolean; x : 0..2;
         ASSIGN init(x) := 0; next(x) := case i & x < 2 : x + 1; TRUE : x; esac;",
    );
    let x = model.var_named("x").expect("it is declared");
    let mut goal = goals(&model, &mut engine(&model), "machine-mutation").swap_remove(0);
    let make = |node: Node| model.make(node).expect("it has a type");
    let more = make(Node::Binary(BinaryOp::Add, make(Node::Var(x)), make(Node::Const(Value::Int(1)))));
    let next = model.assigns.iter().position(|assign| assign.kind == AssignKind::Next).expect("there is one");
    let mutant = goal.mutant.as_mut().expect("it is a mutant of the machine");
    mutant.changes = vec![(Place::Assign(next), more)].into();
    let graph = Graph::explore(&model, Limits { states: 100, work: 100_000 }).expect("it is small");
    let full = graph.states.iter().position(|state| state.get(x) == Some(Value::Int(2))).expect("it can be full");
    let mut leaves = graph.path_to(full);
    let first = leaves.states[0].clone();
    leaves.states.push(graph.states[full].clone());
    let mut idle = first.clone();
    idle.set(model.var_named("i").expect("it is declared"), Value::Bool(false));
    let differs = Trace { states: vec![idle, first], loop_start: None };
    for (tests, killing) in [([leaves.clone(), differs.clone()], 1), ([differs, leaves], 0)] {
        for test in &tests {
            assert_eq!(check_trace(&model, test), Ok(()));
        }
        let mut matrix = Matrix::new(1, vec![Bits::new(1), Bits::new(1)]);
        let possible = add_kills(&model, std::slice::from_ref(&goal), &tests, &mut matrix);
        assert!(matrix.reached().contains(0) && possible.is_empty(), "test {killing} kills it");
    }
}

/// A deterministic machine with an input, two internal variables and an output.
fn random_machine(random: &mut Random) -> Model {
    let (domain, start, next) = if random.index(2) == 0 { truths(random) } else { numbers(random) };
    let [x, y, o] = next;
    let mut model = model(&format!(
        "MODULE main VAR i : boolean; x : {domain}; y : {domain}; o : {domain};
         ASSIGN init(x) := {start}; init(y) := {start}; init(o) := {start}; next(x) := {x}; next(y) := {y}; next(o) := {o};"
    ));
    for (name, role) in [("i", Role::Input), ("x", Role::Internal), ("y", Role::Internal), ("o", Role::Output)] {
        let var = model.var_named(name).expect("it is declared");
        model.set_role(var, role);
    }
    model
}

/// A domain, an initial value, and three next values.
type Parts = (&'static str, &'static str, [String; 3]);

fn truths(random: &mut Random) -> Parts {
    let mut term = || {
        let atoms = ["i", "x", "y", "!x", "!y", "o", "!i"];
        let ops = ["&", "|", "xor", "<->"];
        let pair = format!("({} {} {})", random.pick(&atoms), random.pick(&ops), random.pick(&atoms));
        format!(
            "case {pair} : {}; {} : {}; TRUE : {pair}; esac",
            random.pick(&atoms),
            random.pick(&atoms),
            random.pick(&atoms)
        )
    };
    ("boolean", "FALSE", [term(), term(), term()])
}

/// Branches that often have the same value, and next values that others read: some mutants close a circle of them.
fn numbers(random: &mut Random) -> Parts {
    let mut term = |later: &[&str]| {
        let atoms = [&["i", "x = 1", "y = o", "x < y", "o != 2", "y > 0"][..], later].concat();
        let values = ["0", "1", "2", "x", "y", "o"];
        let mut branch = || format!("{} & {} : {};", random.pick(&atoms), random.pick(&atoms), random.pick(&values));
        let branches = [branch(), branch(), branch()].concat();
        format!("case {branches} TRUE : {}; esac", random.pick(&values))
    };
    ("0..2", "0", [term(&[]), term(&["next(x) = 1"]), term(&["next(x) = 0", "next(y) = 2", "next(i)"])])
}

/// Which tests kill a mutant, and that no test does, against the general search of the interpreter.
#[test]
fn mutants_of_deterministic_machines_are_judged_as_by_the_interpreter() {
    let (mut n_killed, mut n_equivalent) = (0, 0);
    for seed in 0..crate::n_seeds(40) {
        let model = random_machine(&mut Random::new(seed));
        let (goals, run) = check(&model, Strategy::Monitor, &format!("seed {seed}"));
        let traces: Vec<_> = run.tests.iter().map(|test| &test.trace).collect();
        let observer = Observer::of(&model);
        let limits = Limits { states: 1000, work: 100_000 };
        let mut tester = Tester::new(&model, &observer, limits);
        for (index, goal) in goals.iter().enumerate() {
            let changes = &goal.mutant.as_ref().expect("it is a mutant of the machine").changes;
            let compared = tester.compare(&apply(&model, changes));
            assert_eq!(run.outcomes[index], Some(compared.map(|_| ())), "seed {seed}: {}", goal.description);
            let kills = tester.judge(traces.iter().copied(), changes, false).expect("the machine is small");
            for (test, kill) in run.tests.iter().zip(kills) {
                let is_listed = test.goals.contains(&goal.id);
                assert_eq!(is_listed, kill == Some(Certainty::Certain), "seed {seed}: {}", goal.description);
                n_killed += usize::from(is_listed);
            }
            n_equivalent += usize::from(run.outcomes[index] == Some(Answer::Impossible(Proof::Equivalent)));
        }
    }
    assert!(n_killed > 1000 && n_equivalent > 100, "{n_killed} killed, {n_equivalent} equivalent");
}
