//! Certificates: proofs as witness circuits, which other programs can check.
//!
//! The format is that of Certifaiger (Yu, Froleyks, Biere and Heljanko), which the Hardware Model Checking Competition uses: a
//! circuit that simulates the circuit of the model and whose property is inductive. Here it is the circuit of the model
//! itself, and its property says that the invariant of the proof holds and no bad state is reached.

mod check;

pub use check::{Condition, Refused, check_certificate};

use super::Sat;
use super::aiger::literal;
use super::pdr::Verdict;
use super::target::Target;
use crate::answer::Reason;
use crate::bdd::Limit;
use crate::policy::SAT_CERTIFICATE_WORK;
use specwright_model::model::{Property, PropertyKind};
use specwright_sat::{Aig, Node, Signal};
use specwright_syntax::aiger::ast::{self, Circuit, Gate, Latch, Named};
use specwright_syntax::budget::Budget;
use specwright_syntax::span::Span;

/// A model as a circuit, with the places of its states.
#[derive(Clone, Debug)]
pub struct Embedded {
    /// The circuit.
    pub circuit: Circuit,
    /// For each property its bad state; none for properties that are not about single states or steps.
    pub bad: Vec<Option<usize>>,
    /// The number of latches that the circuit of the model has. Those after them are there for the bits of states.
    n_latches: usize,
    /// The literal of each bit of a state.
    bits: Vec<u32>,
    /// A literal that is true in every state.
    invar: u32,
}

impl Embedded {
    /// A circuit from which the model was read, with the number of its properties.
    pub fn circuit(circuit: Circuit, n_properties: usize) -> Embedded {
        let n_bad = bad_states(&circuit).len();
        let inputs = circuit.inputs.iter().map(|input| input.signal.literal);
        let bits = inputs.chain(circuit.latches.iter().map(|latch| latch.signal.literal)).collect();
        let bad = (0..n_properties).map(|index| (index < n_bad).then_some(index)).collect();
        Embedded { bad, n_latches: circuit.latches.len(), bits, invar: 1, circuit }
    }

    pub(super) fn translated(
        circuit: Circuit,
        bad: Vec<Option<usize>>,
        n_latches: usize,
        bits: Vec<u32>,
        invar: u32,
    ) -> Embedded {
        Embedded { circuit, bad, n_latches, bits, invar }
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
    /// A certificate for those of some properties, given by index, that are proved; and why the others are not part of it.
    pub fn certificate(
        &mut self,
        model: &Embedded,
        properties: &[(usize, &Property)],
        budget: &Budget,
    ) -> (Option<Circuit>, Vec<(usize, Reason)>) {
        let (mut proved, mut others) = (Vec::new(), Vec::new());
        self.begin(budget);
        for (index, property) in properties {
            match (model.bad[*index], self.is_proved(property)) {
                (Some(bad), Ok(())) => proved.push(bad),
                (None, Ok(())) => others.push((*index, Reason::Unsupported)),
                (_, Err(reason)) => others.push((*index, reason)),
            }
        }
        let circuit = (!proved.is_empty()).then(|| self.witness_circuit(model, &proved));
        (circuit, others)
    }

    /// Proves a property by an invariant.
    fn is_proved(&mut self, property: &Property) -> Result<(), Reason> {
        self.begin_query();
        let Target { state, step, at_start, ends, is_whole } = self.violation(property)?;
        let is_shown = property.kind == PropertyKind::Invar || self.machine.is_total && self.machine.is_fair;
        if !is_shown || at_start || ends != Signal::FALSE || !is_whole {
            return Err(Reason::Unsupported);
        }
        match self.pdr.prove(state, step, SAT_CERTIFICATE_WORK) {
            Verdict::Unreachable if self.pdr.confirm(&[(state, step)]) => Ok(()),
            _ => Err(self.limit(Limit::Steps).into()),
        }
    }

    /// The circuit of the model, with the property that none of some bad states is reached and that the invariant holds.
    fn witness_circuit(&self, model: &Embedded, proved: &[usize]) -> Circuit {
        let Embedded { circuit, n_latches, bits, invar, .. } = model;
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
        let maps = |literal: u32| Some(format!("= {literal}"));
        let input =
            |(input, signal): (&Named, &Signal)| Named { signal: literal(*signal), name: maps(input.signal.literal) };
        let latch = |(place, (latch, signal)): (usize, (&Latch, &Signal))| Latch {
            signal: literal(*signal),
            next: literal(instance.of(latch.next.literal)),
            reset: latch.reset,
            span: Span::NONE,
            name: maps(latch.signal.literal).filter(|_| place < *n_latches),
        };
        let constraint = |named: &Named| Named { signal: literal(instance.of(named.signal.literal)), name: None };
        Circuit {
            inputs: circuit.inputs.iter().zip(&inputs).map(input).collect(),
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
