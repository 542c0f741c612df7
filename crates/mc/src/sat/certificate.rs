//! Certificates: proofs as witness circuits, which other programs can check.
//!
//! The format is that of Certifaiger (Yu, Froleyks, Biere and Heljanko), which the Hardware Model Checking Competition uses: a
//! circuit that simulates the circuit of the model and whose property is inductive. Here it is the circuit of the model
//! itself, and its property says that the invariant of the proof holds and no bad state is reached.

mod check;

pub use check::{Condition, Refused, check_certificate};

use super::Sat;
use super::aiger::literal;
use super::claim::{Moments, SafetyClaim};
use super::pdr::Verdict;
use crate::answer::Reason;
use crate::bdd::Limit;
use crate::policy::SAT_CERTIFICATE_WORK;
use specwright_sat::{Aig, Node, Signal};
use specwright_syntax::aiger::ast::{self, Circuit, Gate, Latch, Named};
use specwright_syntax::budget::Budget;
use specwright_syntax::span::Span;

/// A model as a circuit, with the places of its states.
#[derive(Clone, Debug)]
pub struct Embedded {
    /// The circuit.
    pub circuit: Circuit,
    /// For each claim its bad state; none for claims that are not about single states or steps.
    pub bad: Vec<Option<usize>>,
    /// The literals that the inputs and the latches have in the circuit of the model. Latches after those are there for the
    /// bits of states.
    known: [Vec<u32>; 2],
    /// The literal of each bit of a state.
    bits: Vec<u32>,
    /// A literal that is true in every state.
    invar: u32,
}

impl Embedded {
    /// A circuit from which the model was read, with the number of its properties.
    pub fn circuit(circuit: Circuit, n_properties: usize) -> Embedded {
        let n_bad = bad_states(&circuit).len();
        let inputs: Vec<u32> = circuit.inputs.iter().map(|input| input.signal.literal).collect();
        let latches: Vec<u32> = circuit.latches.iter().map(|latch| latch.signal.literal).collect();
        let bits = inputs.iter().chain(&latches).copied().collect();
        let bad = (0..n_properties).map(|index| (index < n_bad).then_some(index)).collect();
        Embedded { bad, known: [inputs, latches], bits, invar: 1, circuit }
    }

    pub(super) fn translated(
        circuit: Circuit,
        bad: Vec<Option<usize>>,
        n_latches: usize,
        bits: Vec<u32>,
        invar: u32,
    ) -> Embedded {
        let n_inputs = circuit.inputs.len();
        // The circuit of the model is numbered as the binary format requires.
        let numbers = |from: usize, n: usize| (from..from + n).map(|place| 2 * (place as u32 + 1)).collect();
        Embedded { circuit, bad, known: [numbers(0, n_inputs), numbers(n_inputs, n_latches)], bits, invar }
    }
}

/// The bad states of a circuit. Before version 1.9, outputs stand for them.
pub(super) fn bad_states(circuit: &Circuit) -> &[Named] {
    if circuit.is_version_1_0 { &circuit.outputs } else { &circuit.bad }
}

/// A circuit in a graph.
pub(super) struct Instance {
    /// The signal of each variable.
    signals: Vec<Signal>,
}

impl Instance {
    /// Copies the gates of a circuit whose inputs and latches have these signals.
    pub(super) fn new(aig: &mut Aig, circuit: &Circuit, inputs: &[Signal], latches: &[Signal]) -> Instance {
        let last = circuit.variables().map(ast::Signal::variable).max().unwrap_or(0);
        let mut instance = Instance { signals: vec![Signal::FALSE; last as usize + 1] };
        let leaves = circuit.inputs.iter().map(|input| input.signal).chain(circuit.latches.iter().map(|l| l.signal));
        for (leaf, signal) in leaves.zip(inputs.iter().chain(latches)) {
            instance.signals[leaf.variable() as usize] = *signal;
        }
        for gate in &circuit.gates {
            let [left, right] = gate.operands.map(|operand| instance.of(operand.literal));
            instance.signals[gate.signal.variable() as usize] = aig.and(left, right);
        }
        instance
    }

    /// The signal of a literal.
    pub(super) fn of(&self, literal: u32) -> Signal {
        self.signals[literal as usize / 2].negate_if(literal % 2 == 1)
    }

    /// All of these.
    pub(super) fn all(&self, aig: &mut Aig, named: &[Named]) -> Signal {
        aig.all(named.iter().map(|named| self.of(named.signal.literal)).collect::<Vec<_>>())
    }
}

impl Sat {
    /// Proves claims by one inductive invariant. For each of them whether that is done, or why not.
    pub fn prove_claims(&mut self, claims: &[SafetyClaim<'_>], budget: &Budget) -> Vec<Result<(), Reason>> {
        self.begin(budget);
        let asked: Vec<Result<Moments, Reason>> = claims.iter().map(|claim| self.violations(claim)).collect();
        let mut open: Vec<usize> = (0..claims.len()).filter(|index| asked[*index].is_ok()).collect();
        let (mut is_proved, mut targets) = (vec![false; claims.len()], Vec::new());
        for with_pairs in [false, true] {
            if with_pairs {
                // What is easy has a shorter certificate without them.
                self.begin_query();
                if open.is_empty() || self.begin_proofs().is_err() {
                    break;
                }
            }
            open.retain(|index| {
                let Ok(Moments { state, step }) = asked[*index] else { return false };
                self.begin_query();
                is_proved[*index] = self.pdr.prove(state, step, SAT_CERTIFICATE_WORK) == Verdict::Unreachable;
                if is_proved[*index] {
                    targets.push((state, step));
                }
                !is_proved[*index]
            });
        }
        self.begin_query();
        let is_confirmed = self.pdr.confirm(&targets);
        let limit = Reason::from(self.limit(Limit::Steps));
        let outcome = |(index, asked): (usize, Result<Moments, Reason>)| match asked {
            Ok(_) if is_confirmed && is_proved[index] => Ok(()),
            Ok(_) => Err(limit.clone()),
            Err(reason) => Err(reason),
        };
        asked.into_iter().enumerate().map(outcome).collect()
    }

    /// The proof of the last claims that were proved as a certificate: the circuit of the model, with the property that none
    /// of some bad states is reached and that the invariant holds.
    pub fn certificate(&self, model: &Embedded, proved: &[usize]) -> Circuit {
        let Embedded { circuit, known, bits, invar, .. } = model;
        let mut aig = Aig::default();
        let inputs: Vec<Signal> = circuit.inputs.iter().map(|_| aig.input()).collect();
        let latches: Vec<Signal> = circuit.latches.iter().map(|_| aig.input()).collect();
        let instance = Instance::new(&mut aig, circuit, &inputs, &latches);
        let mut invariant = instance.of(*invar);
        for bad in proved {
            invariant = aig.and(invariant, !instance.of(bad_states(circuit)[*bad].signal.literal));
        }
        for cube in self.pdr.forever() {
            let bit = |(bit, value): &(usize, bool)| instance.of(bits[*bit]).negate_if(!*value);
            let excluded = aig.all(cube.iter().map(bit).collect::<Vec<_>>());
            invariant = aig.and(invariant, !excluded);
        }
        // A name says which literal of the model it stands for.
        let maps = |kind: usize, place: usize| known[kind].get(place).map(|literal| format!("= {literal}"));
        let input = |(place, signal): (usize, &Signal)| Named { signal: literal(*signal), name: maps(0, place) };
        let latch = |(place, (latch, signal)): (usize, (&Latch, &Signal))| Latch {
            signal: literal(*signal),
            next: literal(instance.of(latch.next.literal)),
            reset: latch.reset,
            span: Span::NONE,
            name: maps(1, place),
        };
        let constraint = |named: &Named| Named { signal: literal(instance.of(named.signal.literal)), name: None };
        Circuit {
            inputs: inputs.iter().enumerate().map(input).collect(),
            latches: circuit.latches.iter().zip(&latches).enumerate().map(latch).collect(),
            constraints: circuit.constraints.iter().map(constraint).collect(),
            bad: vec![Named { signal: literal(!invariant), name: None }],
            gates: gates(&aig),
            ..Circuit::default()
        }
    }
}

/// The gates of a graph.
pub(super) fn gates(aig: &Aig) -> Vec<Gate> {
    let gates = (0..aig.len() as u32).filter_map(|node| match aig.node(node) {
        Node::And(a, b) => {
            let (signal, operands) = (literal(Signal::new(node, false)), [literal(a), literal(b)]);
            Some(Gate { signal, operands, span: Span::NONE })
        }
        Node::False | Node::Input(_) => None,
    });
    gates.collect()
}
