//! Circuits as text, and in the binary format.

use super::ast::{Circuit, Signal};
use std::fmt::Write;

/// A circuit in ASCII format. Gates come in the order of the circuit.
pub fn ascii(circuit: &Circuit) -> String {
    let mut text = String::new();
    let last = circuit.variables().map(Signal::variable).max().unwrap_or(0);
    header(&mut text, "aag", last, circuit);
    for input in &circuit.inputs {
        line(&mut text, &[input.signal.literal]);
    }
    for latch in &circuit.latches {
        let reset = latch.reset.map_or(latch.signal.literal, u32::from);
        line(&mut text, &[latch.signal.literal, latch.next.literal, reset]);
    }
    sections(&mut text, circuit);
    for gate in &circuit.gates {
        let [left, right] = gate.operands;
        line(&mut text, &[gate.signal.literal, left.literal, right.literal]);
    }
    symbols(&mut text, circuit);
    text
}

/// A circuit in binary format, which needs fewer bytes. Variables are numbered anew: inputs, latches, gates.
pub fn binary(circuit: &Circuit) -> Vec<u8> {
    let circuit = renumbered(circuit);
    let mut text = String::new();
    let last = circuit.inputs.len() + circuit.latches.len() + circuit.gates.len();
    header(&mut text, "aig", last as u32, &circuit);
    for latch in &circuit.latches {
        let reset = latch.reset.map_or(latch.signal.literal, u32::from);
        line(&mut text, &[latch.next.literal, reset]);
    }
    sections(&mut text, &circuit);
    let mut bytes = text.into_bytes();
    for gate in &circuit.gates {
        let [left, right] = gate.operands.map(|operand| operand.literal);
        let (high, low) = (left.max(right), left.min(right));
        delta(&mut bytes, gate.signal.literal - high);
        delta(&mut bytes, high - low);
    }
    let mut text = String::new();
    symbols(&mut text, &circuit);
    bytes.extend(text.into_bytes());
    bytes
}

fn header(text: &mut String, format: &str, last: u32, circuit: &Circuit) {
    let Circuit { inputs, latches, outputs, gates, bad, constraints, justice, fairness, .. } = circuit;
    let _ = write!(text, "{format} {last} {} {} {} {}", inputs.len(), latches.len(), outputs.len(), gates.len());
    let more = [bad.len(), constraints.len(), justice.len(), fairness.len()];
    let n_written =
        if circuit.is_version_1_0 { 0 } else { more.iter().rposition(|n| *n > 0).map_or(1, |last| last + 1) };
    for number in &more[..n_written] {
        let _ = write!(text, " {number}");
    }
    text.push('\n');
}

/// Everything between latches and gates.
fn sections(text: &mut String, circuit: &Circuit) {
    let Circuit { outputs, bad, constraints, justice, fairness, .. } = circuit;
    for named in outputs.iter().chain(bad).chain(constraints) {
        line(text, &[named.signal.literal]);
    }
    for justice in justice {
        let _ = writeln!(text, "{}", justice.signals.len());
    }
    let signals = justice.iter().flat_map(|justice| &justice.signals);
    for signal in signals.chain(fairness.iter().map(|named| &named.signal)) {
        line(text, &[signal.literal]);
    }
}

fn symbols(text: &mut String, circuit: &Circuit) {
    let names = |kind: char, names: Vec<Option<&str>>, text: &mut String| {
        for (number, name) in names.into_iter().enumerate() {
            // A name ends with its line.
            if let Some(name) = name.filter(|name| !name.is_empty() && !name.contains(['\n', '\r'])) {
                let _ = writeln!(text, "{kind}{number} {name}");
            }
        }
    };
    names('i', circuit.inputs.iter().map(|named| named.name.as_deref()).collect(), text);
    names('l', circuit.latches.iter().map(|latch| latch.name.as_deref()).collect(), text);
    for (kind, list) in [('o', &circuit.outputs), ('b', &circuit.bad), ('c', &circuit.constraints)] {
        names(kind, list.iter().map(|named| named.name.as_deref()).collect(), text);
    }
    names('j', circuit.justice.iter().map(|justice| justice.name.as_deref()).collect(), text);
    names('f', circuit.fairness.iter().map(|named| named.name.as_deref()).collect(), text);
}

fn line(text: &mut String, literals: &[u32]) {
    for (at, literal) in literals.iter().enumerate() {
        let _ = write!(text, "{}{literal}", if at == 0 { "" } else { " " });
    }
    text.push('\n');
}

/// A number in groups of seven bits, the lowest first.
fn delta(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The same circuit with the numbers that the binary format requires.
pub fn renumbered(circuit: &Circuit) -> Circuit {
    let mut circuit = circuit.clone();
    let last = circuit.variables().map(Signal::variable).max().unwrap_or(0);
    let mut numbers = vec![0; last as usize + 1];
    for (number, signal) in (1..).zip(circuit.variables()) {
        numbers[signal.variable() as usize] = number;
    }
    circuit.for_each_signal(|signal| signal.literal = 2 * numbers[signal.variable() as usize] + signal.literal % 2);
    circuit
}
