//! Mutants of rules as machines: they behave as the changed texts do.
#![expect(clippy::unwrap_used, reason = "a test that cannot do its work should say so and stop")]

use specwright::model::interp::Explorer;
use specwright::model::{Model, State, TransitionSystem};
use specwright::{GoalSettings, MutateSettings, ReadSettings, Session, Silent};
use std::collections::{BTreeSet, VecDeque};
use std::convert::Infallible;
use std::ops::ControlFlow;

/// The number of states of each mutant from which steps are compared.
const STATES: usize = 60;

const MACHINES: [&str; 3] = [
    // Sequences, parallel updates, calls with parameters, `switch` and `let`.
    "asm lamp
import StandardLibrary
signature:
    enum domain Light = {RED | AMBER | GREEN}
    domain Count subsetof Integer
    monitored go: Boolean
    monitored stop: Boolean
    controlled light: Light
    controlled n: Count
    controlled old: Count
    out shown: Boolean
definitions:
    domain Count = {0 : 3}
    rule r_set($l in Light) = light := $l
    rule r_count = if n < 3 then n := n + 1 else n := 0 endif
    main rule r_Main =
        seq
            par
                switch light
                    case RED: if go then r_set[GREEN] endif
                    case AMBER: r_set[RED]
                    case GREEN: if stop and not go then r_set[AMBER] endif
                endswitch
                old := n
            endpar
            if light = RED then r_count[] endif
            shown := n > old
        endseq
default init s0:
    function light = RED
    function n = 0
    function old = 0
    function shown = false
",
    // Choices, and rules over all elements.
    "asm seats
import StandardLibrary
signature:
    enum domain Seat = {A | B | C}
    monitored wanted: Boolean
    controlled taken: Seat -> Boolean
    controlled last: Seat
    out full: Boolean
definitions:
    rule r_take =
        choose $s in Seat with not taken($s) do par taken($s) := true last := $s endpar
        ifnone forall $t in Seat with taken($t) do taken($t) := false
    main rule r_Main = par if wanted then r_take[] endif full := (forall $s in Seat with taken($s)) endpar
default init s0:
    function taken($s in Seat) = false
    function last = A
    function full = false
",
    // Updates that contradict each other.
    "asm clash
import StandardLibrary
signature:
    monitored a: Boolean
    monitored b: Boolean
    controlled x: Boolean
    controlled y: Boolean
definitions:
    main rule r_Main =
        par
            if a then x := not x endif
            if b and not a then x := y endif
            if a != b then y := x endif
        endpar
default init s0:
    function x = false
    function y = false
",
];

fn session(name: &str, text: &str, settings: &ReadSettings) -> Session {
    Session::parse(name, text, settings, &mut Silent::default()).unwrap()
}

/// The values that a state has of what both models have, without choices, in the words of its model.
fn shown(model: &TransitionSystem, other: &TransitionSystem, state: &State) -> Vec<String> {
    // What no rule changes is a constant, and has no variable.
    let is_shared = |name: &str| other.vars().any(|(_, var)| var.name == name);
    let known = model.vars().filter(|(_, var)| !var.name.starts_with("choice.") && is_shared(&var.name));
    known.map(|(id, var)| format!("{}={:?}", var.name, state.get(id).map(|value| model.show(value)))).collect()
}

/// The initial states, or those after a state.
fn next(model: &TransitionSystem, state: Option<&State>) -> Vec<State> {
    let explorer = Explorer::new(model);
    let steps = state.map_or_else(|| explorer.initial(), |state| explorer.steps(state));
    steps.map(|step| model.without_step_inputs(&step.unwrap().next)).collect()
}

/// Compares two machines with the same variables, state by state.
fn compare(name: &str, one: &TransitionSystem, other: &TransitionSystem) {
    let mut seen = BTreeSet::new();
    let mut open = VecDeque::from([(None, None)]);
    while let Some((state, twin)) = open.pop_front() {
        let (own, others) = (next(one, state.as_ref()), next(other, twin.as_ref()));
        let left: BTreeSet<Vec<String>> = own.iter().map(|state| shown(one, other, state)).collect();
        let right: BTreeSet<Vec<String>> = others.iter().map(|state| shown(other, one, state)).collect();
        assert_eq!(left, right, "{name} after {:?}", state.map(|state| shown(one, other, &state)));
        for state in own {
            let text = shown(one, other, &state);
            let twin = others.iter().find(|twin| shown(other, one, twin) == text).cloned();
            if seen.len() < STATES && seen.insert(text) {
                open.push_back((Some(state), twin));
            }
        }
    }
}

#[test]
fn mutants_of_rules_behave_as_their_texts_do() {
    let mut n_compared = 0;
    for text in MACHINES {
        let settings = MutateSettings::default();
        let whole = session("m.asm", text, &settings.reading(ReadSettings::default()));
        let mut texts = Vec::new();
        let mutating = whole.mutate(&settings, &mut Silent::default()).unwrap();
        let mut receive = |mutant: &specwright::mutate::MutantView<'_>| {
            texts.push((mutant.id(), mutant.file().unwrap().1));
            Ok::<_, Infallible>(ControlFlow::Continue(()))
        };
        mutating.each(&mut receive).unwrap();
        let wanted = GoalSettings::criteria(["machine-mutation"]);
        let read = session("m.asm", text, &wanted.reading(ReadSettings::default()));
        let goals = read.goals(&wanted, &mut Silent::default()).unwrap();
        let names = |model: &Model| -> Vec<String> { model.vars.iter().map(|var| var.name.clone()).collect() };
        for (id, text) in texts {
            let goal = goals.goals.iter().find(|goal| goal.id == format!("machine-mutation:{id}"));
            let Some(mutant) = goal.and_then(|goal| goal.mutant.as_ref()) else { continue };
            let Ok(changed) = Session::parse("m.asm", &*text, &ReadSettings::default(), &mut Silent::default()) else {
                continue;
            };
            let machine = specwright::mc::apply(&goals.model, &mutant.changes);
            let domains_differ = machine.vars().any(|(_, var)| {
                changed.model.vars().any(|(_, other)| other.name == var.name && other.domain != var.domain)
            });
            if domains_differ || names(&goals.model).len() < changed.model.vars.len() {
                continue;
            }
            compare(&id, &machine, &changed.model);
            n_compared += 1;
        }
    }
    assert!(n_compared > 50, "{n_compared} mutants were compared");
}
