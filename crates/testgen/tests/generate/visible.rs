//! Visible kills: what tests show of violations in internal variables.

use crate::{complete, engine, goals, options};
use specwright_mc::{Observer, Query};
use specwright_model::interface::Role;
use specwright_model::interp::{Explorer, Random, check_trace, eval, eval_bool, initial_states, steps_from};
use specwright_model::model::{DefineId, VarKind};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::testing::model;
use specwright_model::typing::is_temporal;
use specwright_model::{Model, Node, State, Trace, Value};
use specwright_testgen::generate::Strategy;
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{Bits, Grader, Quantifiers, Sight, Viewer};

/// A memory whose last entry is seen only when it is asked for.
const MEMORY: &str = "
MODULE main
VAR op : {put, ask}; bit : boolean; kept : boolean; said : {nothing, yes, no};
ASSIGN
  init(kept) := FALSE; init(said) := nothing;
  next(kept) := case op = put : bit; TRUE : kept; esac;
  next(said) := case op = ask & kept : yes; op = ask : no; TRUE : nothing; esac;
";

fn memory() -> Model {
    let mut model = model(MEMORY);
    for (name, role) in [("op", Role::Input), ("bit", Role::Input), ("kept", Role::Internal), ("said", Role::Output)] {
        let var = model.var_named(name).expect("it is declared");
        model.set_role(var, role);
    }
    model
}

#[test]
fn tests_ask_for_what_was_kept() {
    let model = memory();
    let mut engine = engine(&model);
    let goals = goals(&model, &mut engine, "mutation");
    let mut run = complete(&mut engine, &goals, &options(Strategy::Monitor));
    let observer = Observer::of(&model);
    let view = |run: &specwright_testgen::generate::Run| {
        let mut viewer =
            Viewer::new(&model, &observer, run.tests.iter().map(|test| test.trace.clone()).collect(), None);
        let through = |goal: &Goal| -> Vec<usize> {
            (0..run.tests.len()).filter(|test| run.tests[*test].goals.contains(&goal.id)).collect()
        };
        goals.iter().map(|goal| viewer.sight(goal, &through(goal))).collect::<Vec<_>>()
    };
    let n_hidden = |sights: &[Sight]| sights.iter().filter(|sight| matches!(sight, Sight::Hidden(_))).count();
    assert!(n_hidden(&view(&run)) > 0, "weak kills are not all seen");
    let sights = run.show_kills(&model, &observer, &goals, None);
    assert_eq!(n_hidden(&sights.into_iter().flatten().collect::<Vec<_>>()), 0);
    assert_eq!(n_hidden(&view(&run)), 0, "generating and viewing agree");
    for test in &run.tests {
        assert_eq!(check_trace(&model, &test.trace), Ok(()));
        assert_eq!(test.notes.len(), test.trace.states.len());
    }
}

#[test]
fn without_internal_variables_every_kill_is_visible() {
    let model = model(MEMORY);
    let mut engine = engine(&model);
    let goals = goals(&model, &mut engine, "mutation");
    let mut run = complete(&mut engine, &goals, &options(Strategy::Monitor));
    let before = run.clone();
    let observer = Observer::of(&model);
    let sights = run.show_kills(&model, &observer, &goals, None);
    assert_eq!(run, before);
    assert!(sights.iter().flatten().all(|sight| matches!(sight, Sight::Visible | Sight::WeakOnly)));
}

/// A violation in the step that closes a loop is one like any other.
#[test]
fn a_loop_shows_what_its_round_shows() {
    let model = memory();
    let observer = Observer::of(&model);
    let mut engine = engine(&model);
    let mut goal = goals(&model, &mut engine, "mutation").swap_remove(0);
    let var = |name: &str| model.var_named(name).expect("it is declared");
    let make = |node: Node| model.make(node).expect("it has a type");
    let kept = make(Node::Var(var("kept")));
    let after = make(Node::Unary(UnaryOp::AX, make(Node::Unary(UnaryOp::Not, kept))));
    let claim = make(Node::Binary(BinaryOp::Implies, kept, after));
    goal.target = Query::Falsify(make(Node::Unary(UnaryOp::AG, claim)));
    let explorer = Explorer::new(&model);
    let puts = |state: &State| {
        let op = state.get(var("op")).map(|op| model.show(op));
        op.as_deref() == Some("put") && state.get(var("bit")) == Some(Value::Bool(true))
    };
    let first =
        initial_states(&model, 1000).expect("they are few").into_iter().find(puts).expect("any input can be first");
    let steps = steps_from(&explorer, &first, 1000).expect("they are few");
    let second = steps.into_iter().map(|step| step.next).find(puts).expect("any input can be next");
    let states = vec![first, second.clone()];
    let looping = Trace { states: states.clone(), loop_start: Some(1) };
    let round = Trace { states: [states, vec![second]].concat(), loop_start: None };
    let [one, other] = [looping, round].map(|test| {
        assert_eq!(check_trace(&model, &test), Ok(()));
        match Viewer::new(&model, &observer, vec![test], None).sight(&goal, &[0]) {
            Sight::Hidden(hidden) => *hidden,
            sight => panic!("{sight:?}"),
        }
    });
    assert_eq!((one.at, other.at), (1, 2));
    assert_eq!(one.candidate, other.candidate);
    assert_eq!(one.shown_by, other.shown_by);
}

/// Many tests go through a violation, and one that comes after all others shows it.
#[test]
fn the_last_of_many_tests_through_a_point_may_show_it() {
    let model = memory();
    let (observer, explorer) = (Observer::of(&model), Explorer::new(&model));
    let mut goal = goals(&model, &mut engine(&model), "mutation").swap_remove(0);
    let var = |name: &str| model.var_named(name).expect("it is declared");
    let make = |node: Node| model.make(node).expect("it has a type");
    let forgotten = make(Node::Unary(UnaryOp::Not, make(Node::Var(var("kept")))));
    goal.target = Query::Falsify(make(Node::Unary(UnaryOp::AG, forgotten)));
    let walk = |inputs: &[(&str, bool)]| {
        let mut states: Vec<State> = Vec::new();
        for (op, bit) in inputs {
            let all = match states.last() {
                None => initial_states(&model, 1000).expect("they are few"),
                Some(now) => {
                    let steps = steps_from(&explorer, now, 1000).expect("they are few");
                    steps.into_iter().map(|step| step.next).collect()
                }
            };
            let has_inputs = |state: &State| {
                state.get(var("op")).map(|op| model.show(op)).as_deref() == Some(op)
                    && state.get(var("bit")) == Some(Value::Bool(*bit))
            };
            states.extend(all.into_iter().find(has_inputs));
        }
        Trace { states, loop_start: None }
    };
    let forgets = |n_puts: usize| walk(&[&[("put", true)][..], &vec![("put", false); n_puts]].concat());
    let mut tests: Vec<Trace> = (2..15).map(forgets).collect();
    let sight = |tests: &[Trace]| {
        let through: Vec<usize> = (0..tests.len()).collect();
        Viewer::new(&model, &observer, tests.to_vec(), None).sight(&goal, &through)
    };
    assert!(matches!(sight(&tests), Sight::Hidden(_)));
    tests.push(walk(&[("put", true), ("ask", false), ("put", false)]));
    assert_eq!(sight(&tests), Sight::Visible);
}

/// What a tester sets for a step, and sees after it.
fn seen(model: &Model, now: Option<&State>, next: &State) -> (Vec<Option<Value>>, Vec<Option<Value>>) {
    let observer = Observer::of(model);
    let side = |var: specwright_model::VarId| {
        if model[var].kind == VarKind::Input { now.and_then(|now| now.get(var)) } else { next.get(var) }
    };
    let define = |define: &DefineId| eval(model, model.body(*define), next, None).ok();
    let outputs = observer.outputs.iter().map(|var| next.get(*var)).chain(observer.defines.iter().map(define));
    (observer.inputs.iter().map(|var| side(*var)).collect(), outputs.collect())
}

/// Whether outputs after the place of a test differ from those of every run from a candidate. The model is deterministic.
fn differs(model: &Model, test: &Trace, at: usize, candidate: &State) -> bool {
    let explorer = Explorer::new(model);
    if seen(model, None, &test.states[at]).1 != seen(model, None, candidate).1 {
        return true;
    }
    let mut runs = vec![candidate.clone()];
    for step in test.states[at..].windows(2) {
        let wanted = seen(model, Some(&step[0]), &step[1]);
        let next = runs.iter().flat_map(|run| steps_from(&explorer, run, 100_000).unwrap_or_default());
        runs = next.filter(|next| seen(model, Some(&next.now), &next.next) == wanted).map(|next| next.next).collect();
        if runs.is_empty() {
            return true;
        }
    }
    false
}

/// A deterministic machine with one input, two internal variables and an output, and claims about all of them.
fn random_memory(random: &mut Random) -> Model {
    let mut term = || {
        let atoms = ["i", "x", "y", "!x", "!y", "o", "!i"];
        let ops = ["&", "|", "xor", "<->"];
        format!("({} {} {})", random.pick(&atoms), random.pick(&ops), random.pick(&atoms))
    };
    let text = format!(
        "MODULE main VAR i : boolean; x : boolean; y : boolean; o : boolean;
         ASSIGN init(x) := FALSE; init(y) := FALSE; init(o) := FALSE;
         next(x) := {}; next(y) := {}; next(o) := {};
         SPEC AG ({} | o | x | y | i) SPEC AG (x -> {} | y | !i)",
        term(),
        term(),
        term(),
        term(),
        term()
    );
    let mut model = model(&text);
    let roles = [("i", Role::Input), ("x", Role::Internal), ("y", Role::Internal), ("o", Role::Output)];
    for (name, role) in roles {
        let var = model.var_named(name).expect("it is declared");
        model.set_role(var, role);
    }
    model
}

/// On deterministic machines, a violation of `AG p` is hidden if some candidate has the outputs of all tests through it.
#[test]
fn hidden_violations_are_those_that_outputs_do_not_show() {
    let (mut n_visible, mut n_hidden, mut n_never) = (0, 0, 0);
    for seed in 0..crate::n_seeds(150) {
        let model = random_memory(&mut Random::new(seed));
        let observer = Observer::of(&model);
        let mut engine = engine(&model);
        let all = goals(&model, &mut engine, "mutation");
        let run = complete(&mut engine, &all, &options(Strategy::Monitor));
        let tests: Vec<Trace> =
            run.tests.iter().map(|test| test.trace.clone()).filter(|trace| trace.loop_start.is_none()).collect();
        let mut viewer = Viewer::new(&model, &observer, tests.clone(), Some(&mut engine));
        for goal in &all {
            let Query::Falsify(formula) = goal.target else { continue };
            let Node::Unary(UnaryOp::AG, claim) = model[formula] else { continue };
            if model.mentions(claim, is_temporal) {
                continue;
            }
            let is_violated = |state: &State| eval_bool(&model, claim, state, None) == Ok(false);
            for index in (0..tests.len()).filter(|test| tests[*test].states.iter().any(is_violated)) {
                match viewer.sight(goal, &[index]) {
                    Sight::Hidden(hidden) => {
                        n_hidden += 1;
                        let state = &tests[hidden.test].states[hidden.at];
                        assert!(is_violated(state) && !is_violated(&hidden.candidate), "seed {seed}");
                        for test in &tests {
                            for at in (0..test.states.len()).filter(|at| same(&model, &test.states[*at], state)) {
                                assert!(!differs(&model, test, at, &hidden.candidate), "seed {seed}");
                            }
                        }
                        let mut other = hidden.shown_by.states[hidden.shown_at].clone();
                        for var in ["x", "y"].map(|name| model.var_named(name).expect("it is declared")) {
                            other.set(var, hidden.candidate.get(var));
                        }
                        assert!(differs(&model, &hidden.shown_by, hidden.shown_at, &other), "seed {seed}");
                    }
                    Sight::Visible => n_visible += 1,
                    Sight::Indistinguishable | Sight::Elsewhere(_) => n_never += 1,
                    sight => panic!("seed {seed}: {sight:?}"),
                }
            }
        }
    }
    assert!(
        n_visible > 100 && n_hidden > 100 && n_never > 20,
        "{n_visible} visible, {n_hidden} hidden, {n_never} never"
    );
}

/// Whether two states are the same but for inputs of steps.
fn same(model: &Model, one: &State, other: &State) -> bool {
    model.vars().filter(|(_, var)| var.kind != VarKind::Input).all(|(var, _)| one.get(var) == other.get(var))
}

/// The score counts visible kills among those mutants that are not proved to be indistinguishable.
#[test]
fn more_tests_show_no_less() {
    let (mut n_more, mut n_never, mut n_elsewhere) = (0, 0, 0);
    for seed in 0..crate::n_seeds(150) {
        let model = random_memory(&mut Random::new(seed));
        let observer = Observer::of(&model);
        let mut engine = engine(&model);
        let all = goals(&model, &mut engine, "mutation");
        let mut run = complete(&mut engine, &all, &options(Strategy::Monitor));
        let final_sights = run.show_kills(&model, &observer, &all, Some(&mut engine));
        let mut grader = Grader::new(&model, all.iter().map(|goal| goal.target), Quantifiers::Branching);
        let tests: Vec<Trace> = run.tests.iter().map(|test| test.trace.clone()).collect();
        let reached: Vec<Bits> = tests.iter().map(|test| grader.reached(&model, test)).collect();
        let mut sights = |n_tests: usize| -> Vec<Sight> {
            let mut viewer = Viewer::new(&model, &observer, tests[..n_tests].to_vec(), Some(&mut engine));
            let through = |goal: usize| (0..n_tests).filter(|test| reached[*test].contains(goal)).collect::<Vec<_>>();
            all.iter().enumerate().map(|(index, goal)| viewer.sight(goal, &through(index))).collect()
        };
        let (half, whole) = (sights(tests.len() / 2), sights(tests.len()));
        for ((half, whole), last) in half.iter().zip(&whole).zip(final_sights) {
            assert!(*half != Sight::Visible || *whole == Sight::Visible, "seed {seed}: {half:?} {whole:?}");
            let proved = [half, whole].map(|sight| *sight == Sight::Indistinguishable);
            assert_eq!(proved[0], proved[1], "seed {seed}");
            n_more += usize::from(half != whole);
            n_never += usize::from(proved[0]);
            n_elsewhere += usize::from(matches!(half, Sight::Elsewhere(_)));
            // Generation leaves nothing that could be shown.
            let done = [Sight::Visible, Sight::Indistinguishable, Sight::WeakOnly];
            assert!(last.is_none_or(|last| done.contains(&last)), "seed {seed}");
        }
    }
    assert!(
        n_more > 100 && n_never > 100 && n_elsewhere > 20,
        "{n_more} more, {n_never} never, {n_elsewhere} elsewhere"
    );
}
