//! Random circuits: the states and steps of the model are those of the circuit, computed gate by gate.

use specwright_model::interface::Role;
use specwright_model::interp::{Explorer, Random, initial_states, steps_from};
use specwright_model::{Model, State, Trace, Value, VarId, lower};
use specwright_syntax::aiger::{ast::Circuit, parse};
use specwright_syntax::budget::Budget;
use specwright_syntax::span::SourceMap;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A circuit of two inputs, three latches and some gates, with a constraint now and then.
fn random_text(random: &mut Random) -> String {
    let n_gates = random.index(8) as u32;
    let max = 5 + n_gates;
    let mut literal = |below: u32| random.index(2 * below as usize) as u32;
    let constrained = literal(2) == 0;
    let mut text = format!("aag {max} 2 3 1 {n_gates} 0 {}\n2\n4\n", u32::from(constrained));
    for latch in [6, 8, 10] {
        let reset = [0, 1, latch][literal(2) as usize % 3];
        writeln!(text, "{latch} {} {reset}", literal(max + 1)).expect("a string grows");
    }
    for _ in 0..=u32::from(constrained) {
        writeln!(text, "{}", literal(max + 1)).expect("a string grows");
    }
    for gate in 6..=max {
        writeln!(text, "{} {} {}", 2 * gate, literal(gate), literal(gate)).expect("a string grows");
    }
    text
}

/// The values of all variables of a circuit, given those of inputs and latches.
fn evaluate(circuit: &Circuit, bits: &[bool]) -> Vec<bool> {
    let mut values = vec![false];
    values.extend(bits);
    for gate in &circuit.gates {
        let [left, right] = gate.operands.map(|operand| of(&values, operand.literal));
        values.push(left && right);
    }
    values
}

fn of(values: &[bool], literal: u32) -> bool {
    values[literal as usize / 2] != (literal % 2 == 1)
}

fn bits(state: &State) -> Vec<bool> {
    (0..5).map(|var| state.get(VarId(var)) == Some(Value::Bool(true))).collect()
}

fn all_bits() -> impl Iterator<Item = Vec<bool>> {
    (0..32_u32).map(|code| (0..5).map(|bit| code >> bit & 1 == 1).collect())
}

fn model_of(text: &str) -> (Circuit, Model) {
    let mut sources = SourceMap::default();
    sources.add("random.aag", text).expect("it is small");
    let (circuit, diagnostics) = parse(&sources.files()[0]);
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
    let model = lower::aiger::lower(&circuit, "random.aag", &Budget::default());
    (circuit, model)
}

#[test]
fn the_model_steps_as_the_circuit_does() {
    let mut random = Random::new(7);
    for _ in 0..300 {
        let text = random_text(&mut random);
        let (circuit, model) = model_of(&text);
        let allowed = |bits: &[bool]| {
            let values = evaluate(&circuit, bits);
            circuit.constraints.iter().all(|constraint| of(&values, constraint.signal.literal))
        };
        let starts = |bits: &[bool]| {
            circuit.latches.iter().zip(&bits[2..]).all(|(latch, bit)| latch.reset.is_none_or(|reset| reset == *bit))
        };
        let expected: BTreeSet<Vec<bool>> = all_bits().filter(|bits| allowed(bits) && starts(bits)).collect();
        let found: Vec<State> = initial_states(&model, 1_000).expect("few states");
        assert_eq!(found.iter().map(bits).collect::<BTreeSet<_>>(), expected, "{text}");

        let explorer = Explorer::new(&model);
        for from in &found {
            let values = evaluate(&circuit, &bits(from));
            let next: Vec<bool> = circuit.latches.iter().map(|latch| of(&values, latch.next.literal)).collect();
            let expected: BTreeSet<Vec<bool>> = all_bits().filter(|bits| allowed(bits) && bits[2..] == next).collect();
            let steps = steps_from(&explorer, from, 1_000).expect("few states");
            assert_eq!(steps.iter().map(|step| bits(&step.next)).collect::<BTreeSet<_>>(), expected, "{text}");
        }
    }
}

#[test]
fn symbols_become_names_that_expressions_can_use() {
    let text = "aag 3 2 1 1 0\n2\n4\n6 2\n6\ni0 a b\ni1 a_b\nl0 next\no0 1st\n";
    let (_, model) = model_of(text);
    let names: Vec<&str> = model.vars.iter().map(|var| var.name.as_str()).collect();
    assert_eq!(names, ["a_b", "a_b_", "next_"]);
    assert_eq!(model.defines[0].name, "_1st");
    assert_eq!(model.role(VarId(2)), Role::Internal);
}

#[test]
fn a_long_chain_of_gates_is_no_deep_recursion_and_shows_its_outputs_only() {
    let n = 30_000;
    let mut text = format!("aag {} 1 0 1 {n} 0\n2\n{}\n", n + 1, 2 * (n + 1));
    for gate in 2..n + 2 {
        writeln!(text, "{} {} 2", 2 * gate, 2 * (gate - 1) + 1).expect("a string grows");
    }
    let (_, mut model) = model_of(&text);
    model.infer_outputs();
    let outputs: Vec<&str> = model.interface.with_role(Role::Output).map(|of| model.name_of(of)).collect();
    assert_eq!(outputs, ["o0"]);
    let states = initial_states(&model, 10).expect("few states");
    let shown = model.shown_defines(specwright_model::trace::Defines::All);
    let table = specwright_model::trace::to_table_with(&model, &Trace { states, loop_start: None }, &shown);
    assert_eq!(table.lines().count(), 3);
}
