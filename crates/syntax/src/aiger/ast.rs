//! The tree of a circuit.

use crate::span::Span;

/// A circuit. Signals refer to variables by literals: twice the number of the variable, plus one if it is inverted.
/// Variable 0 is the constant `FALSE`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circuit {
    /// The inputs.
    pub inputs: Vec<Named>,
    /// The latches.
    pub latches: Vec<Latch>,
    /// The outputs.
    pub outputs: Vec<Named>,
    /// The signals that must never be true.
    pub bad: Vec<Named>,
    /// The signals that are true in every state.
    pub constraints: Vec<Named>,
    /// Sets of signals that must not all be true infinitely often.
    pub justice: Vec<Justice>,
    /// The signals that are true infinitely often on fair paths.
    pub fairness: Vec<Named>,
    /// The gates, each after those that it reads.
    pub gates: Vec<Gate>,
    /// Whether the header has only the five numbers of version 1.0, in which an output stands for a bad state.
    pub is_version_1_0: bool,
}

/// A literal and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    /// The literal.
    pub literal: u32,
    /// Its span.
    pub span: Span,
}

impl Signal {
    /// The variable.
    pub fn variable(self) -> u32 {
        self.literal / 2
    }

    /// Whether the variable is inverted.
    pub fn is_inverted(self) -> bool {
        self.literal % 2 == 1
    }
}

/// A signal with its name of the symbol table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The signal.
    pub signal: Signal,
    /// Its name, if it has one.
    pub name: Option<String>,
}

/// A latch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latch {
    /// Its literal.
    pub signal: Signal,
    /// Its next value.
    pub next: Signal,
    /// Its first value; any if there is none.
    pub reset: Option<bool>,
    /// The span of its line.
    pub span: Span,
    /// Its name, if it has one.
    pub name: Option<String>,
}

/// A set of signals that must not all be true infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Justice {
    /// The signals.
    pub signals: Vec<Signal>,
    /// The span of the line with their number.
    pub span: Span,
    /// Its name, if it has one.
    pub name: Option<String>,
}

/// An and-gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Its literal.
    pub signal: Signal,
    /// Its operands.
    pub operands: [Signal; 2],
    /// The span of its line.
    pub span: Span,
}

impl Circuit {
    /// The signals that are defined: of inputs, latches and gates.
    pub fn variables(&self) -> impl Iterator<Item = Signal> {
        let inputs = self.inputs.iter().map(|input| input.signal);
        let latches = self.latches.iter().map(|latch| latch.signal);
        inputs.chain(latches).chain(self.gates.iter().map(|gate| gate.signal))
    }

    /// Visits every signal, to change it.
    pub fn for_each_signal(&mut self, mut visit: impl FnMut(&mut Signal)) {
        let lists = [&mut self.inputs, &mut self.outputs, &mut self.bad, &mut self.constraints, &mut self.fairness];
        lists.into_iter().flatten().for_each(|named| visit(&mut named.signal));
        for latch in &mut self.latches {
            visit(&mut latch.signal);
            visit(&mut latch.next);
        }
        self.justice.iter_mut().flat_map(|justice| &mut justice.signals).for_each(&mut visit);
        for gate in &mut self.gates {
            visit(&mut gate.signal);
            gate.operands.iter_mut().for_each(&mut visit);
        }
    }
}
