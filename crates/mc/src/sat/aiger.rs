//! A model as an AIGER circuit.
//!
//! A bit with a next value is a latch. A bit that follows from others in every state is made of gates. A bit that a step
//! chooses is an input, and constraints say which choices are allowed: the circuit stores the previous values that they
//! depend on, and which state is the first.

use super::Sat;
use super::certificate::{Embedded, gates};
use super::claim::{Moments, SafetyClaim};
use super::machine::{Machine, truth};
use crate::answer::Reason;
use crate::bdd::Limit;
use crate::encode::Time;
use rustc_hash::FxHashMap;
use specwright_model::model::{AssignKind, VarKind};
use specwright_model::{ExprId, Node as Expr, VarId};
use specwright_sat::{Aig, Node, Signal};
use specwright_syntax::aiger::ast::{self, Circuit, Named};
use specwright_syntax::aiger::renumbered;
use specwright_syntax::span::Span;
use std::rc::Rc;

/// A circuit, and what could not be said in it.
#[derive(Clone, Debug)]
pub struct Translated {
    /// The circuit, numbered as the binary format requires. Its bad states are the claims that are not left out, in order.
    pub circuit: Circuit,
    /// The claims that are no statements about single states or steps, by index.
    pub left_out: Vec<usize>,
    /// Whether a bad state may lie on no fair and infinite path, so that only invariants can be said.
    pub has_invariants_only: bool,
}

impl Sat {
    /// The model as a circuit with these claims and outputs. Fairness constraints are part of it.
    pub fn to_aiger(&mut self, claims: &[SafetyClaim<'_>], outputs: &[(String, ExprId)]) -> Result<Translated, Limit> {
        let (writer, parts, left_out) = self.write(claims, outputs)?;
        let circuit = renumbered(&writer.finish(parts));
        let has_invariants_only = !(self.machine.is_total && self.machine.is_fair);
        Ok(Translated { circuit, left_out, has_invariants_only })
    }

    /// The same circuit, perhaps with more gates and latches at its end, with the places of states in it.
    pub fn embed(&mut self, claims: &[SafetyClaim<'_>], outputs: &[(String, ExprId)]) -> Result<Embedded, Limit> {
        let (mut writer, parts, left_out) = self.write(claims, outputs)?;
        let n_latches = writer.circuit.latches.len();
        let bits = (0..self.machine.bits.len()).map(|bit| writer.present(bit).code()).collect();
        let invar = writer.copy(self.machine.invar, View::Present).code();
        let mut n_bad = 0;
        let bad = (0..claims.len()).map(|index| {
            let is_said = !left_out.contains(&index);
            n_bad += usize::from(is_said);
            is_said.then(|| n_bad - 1)
        });
        let bad = bad.collect();
        Ok(Embedded::translated(writer.finish(parts), bad, n_latches, bits, invar))
    }

    /// The writer of a circuit, the parts that are not in it yet, and the claims that could not be said in it.
    fn write(
        &mut self,
        claims: &[SafetyClaim<'_>],
        outputs: &[(String, ExprId)],
    ) -> Result<(Writer, Parts, Vec<usize>), Limit> {
        let mut bad = Vec::new();
        let mut left_out = Vec::new();
        for (index, claim) in claims.iter().enumerate() {
            match self.violations(claim) {
                Ok(moments) => bad.push((claim.name().map(str::to_owned), moments)),
                Err(Reason::Limit(limit)) => return Err(limit),
                Err(_) => left_out.push(index),
            }
        }
        let condition = |sat: &mut Sat, expr: ExprId| -> Result<Signal, Limit> {
            Ok(truth(&sat.system, &sat.machine, &mut sat.memo, expr, Time::Now)?.yes)
        };
        let fair: Vec<ExprId> = self.system.justice.iter().map(|written| written.expr).collect();
        let fair: Vec<Signal> = fair.into_iter().map(|expr| condition(self, expr)).collect::<Result<_, _>>()?;
        let mut signals = Vec::new();
        for (name, expr) in outputs {
            signals.push((Some(name.clone()), condition(self, *expr)?));
        }
        let mut writer = Writer::new(self);
        writer.constraints();
        let bad = writer.bad(bad);
        let fairness = writer.named(fair.into_iter().map(|signal| (None, signal)).collect());
        let outputs = writer.named(signals);
        Ok((writer, Parts { outputs, bad, fairness }, left_out))
    }
}

/// What refers to the gates of a circuit.
struct Parts {
    outputs: Vec<Named>,
    bad: Vec<Named>,
    fairness: Vec<Named>,
}

/// What the bits of a signal stand for when it is copied into the circuit.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum View {
    /// The present state.
    Present,
    /// The first state, with the reset values that are known.
    First,
    /// The step from the previous state to the present one.
    Step,
}

/// What an input of the graph of the machine stands for.
#[derive(Clone, Copy)]
enum Place {
    Now(usize),
    Next(usize),
    Input(usize),
}

/// How the circuit has a bit of a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Its next value is known from the present state.
    Latch,
    /// It follows from other bits in every state.
    Gates,
    /// A step chooses it.
    Input,
}

struct Writer {
    machine: Rc<Machine>,
    kinds: Vec<Kind>,
    /// The name of each bit of states, and of inputs.
    names: [Vec<String>; 2],
    places: FxHashMap<u32, Place>,
    copies: FxHashMap<(u32, View), Signal>,
    out: Aig,
    circuit: Circuit,
    /// The present value of each bit, as far as it has been needed.
    present: Vec<Option<Signal>>,
    inputs: Vec<Signal>,
    resets: Vec<Option<bool>>,
    previous: FxHashMap<(bool, usize), Signal>,
    first: Option<Signal>,
}

impl Writer {
    fn new(sat: &Sat) -> Writer {
        let machine = Rc::clone(&sat.machine);
        let (mut names, mut resets, mut places) = ([Vec::new(), Vec::new()], Vec::new(), FxHashMap::default());
        for (id, var) in sat.system.vars() {
            let is_input = var.kind == VarKind::Input;
            let [now, next] = [Time::Now, Time::Next].map(|time| machine.wires.of(id, time));
            let (n_bits, code) = (now.len(), first_code(sat, id));
            for (bit, (now, next)) in now.iter().zip(next).enumerate() {
                let list = &mut names[usize::from(is_input)];
                let index = list.len();
                let place = n_bits - 1 - bit;
                list.push(if n_bits == 1 { var.name.clone() } else { format!("{}[{place}]", var.name) });
                places.insert(now.node(), if is_input { Place::Input(index) } else { Place::Now(index) });
                if !is_input {
                    resets.push(code.map(|code| code >> place & 1 == 1));
                    if next != now {
                        places.insert(next.node(), Place::Next(index));
                    }
                }
            }
        }
        let mut writer = Writer {
            kinds: Vec::new(),
            present: vec![None; machine.bits.len()],
            inputs: Vec::new(),
            resets,
            names,
            places,
            copies: FxHashMap::default(),
            out: Aig::default(),
            circuit: Circuit::default(),
            previous: FxHashMap::default(),
            first: None,
            machine,
        };
        writer.variables();
        writer
    }

    /// Inputs and latches, in declared order.
    fn variables(&mut self) {
        for bit in 0..self.names[1].len() {
            let name = self.names[1][bit].clone();
            let signal = self.input(name);
            self.inputs.push(signal);
        }
        self.kinds = (0..self.present.len()).map(|bit| self.kind(bit)).collect();
        let mut latches = Vec::new();
        for bit in 0..self.present.len() {
            let name = self.names[0][bit].clone();
            match self.kinds[bit] {
                Kind::Gates => {}
                Kind::Input => self.present[bit] = Some(self.input(name)),
                Kind::Latch => {
                    self.present[bit] = Some(self.latch(name, self.resets[bit]));
                    latches.push(bit);
                }
            }
        }
        // The next values of latches may read what is made of gates.
        for (latch, bit) in latches.into_iter().enumerate() {
            let next = match self.machine.functions[bit] {
                Some(next) => self.copy(next.value, View::Present),
                None => self.present(bit),
            };
            self.circuit.latches[latch].next = literal(next);
        }
    }

    fn kind(&self, bit: usize) -> Kind {
        match self.machine.functions[bit] {
            None if self.is_frozen(bit) => Kind::Latch,
            None => Kind::Input,
            Some(next) if next.is_always => Kind::Gates,
            Some(next) if self.reads_next(next.value) => Kind::Input,
            Some(_) => Kind::Latch,
        }
    }

    fn reads_next(&self, signal: Signal) -> bool {
        let cone = self.machine.circuit.aig().cone([signal]);
        cone.iter().any(|node| matches!(self.places.get(node), Some(Place::Next(_))))
    }

    fn input(&mut self, name: String) -> Signal {
        let signal = self.out.input();
        self.circuit.inputs.push(Named { signal: literal(signal), name: Some(name) });
        signal
    }

    fn latch(&mut self, name: String, reset: Option<bool>) -> Signal {
        let signal = self.out.input();
        let (own, span) = (literal(signal), Span::NONE);
        self.circuit.latches.push(ast::Latch { signal: own, next: own, reset, span, name: Some(name) });
        signal
    }

    /// The present value of a bit.
    fn present(&mut self, bit: usize) -> Signal {
        if let Some(signal) = self.present[bit] {
            return signal;
        }
        // Bits that are made of gates depend on each other without circles; those that are needed come first.
        let mut open = vec![bit];
        while let Some(bit) = open.pop() {
            if self.present[bit].is_some() {
                continue;
            }
            let value = self.machine.functions[bit].expect("only these are made of gates").value;
            let cone = self.machine.circuit.aig().cone([value]);
            let needed = cone.iter().filter_map(|node| match self.places.get(node) {
                Some(Place::Next(other)) if self.present[*other].is_none() => Some(*other),
                _ => None,
            });
            let needed: Vec<usize> = needed.collect();
            if needed.is_empty() {
                self.present[bit] = Some(self.copy(value, View::Step));
            } else {
                open.push(bit);
                open.extend(needed);
            }
        }
        self.present[bit].expect("the loop ends with it")
    }

    /// The value that a bit had in the previous state.
    fn previous(&mut self, is_input: bool, bit: usize) -> Signal {
        if let Some(signal) = self.previous.get(&(is_input, bit)) {
            return *signal;
        }
        let name = format!("previous {}", self.names[usize::from(is_input)][bit]);
        let value = if is_input { self.inputs[bit] } else { self.present(bit) };
        let signal = self.latch(name, Some(false));
        self.circuit.latches.last_mut().expect("it was just added").next = literal(value);
        self.previous.insert((is_input, bit), signal);
        signal
    }

    /// Whether the present state is the first.
    fn first(&mut self) -> Signal {
        if let Some(signal) = self.first {
            return signal;
        }
        let signal = self.latch("first".into(), Some(true));
        self.circuit.latches.last_mut().expect("it was just added").next = literal(Signal::FALSE);
        self.first = Some(signal);
        signal
    }

    /// A signal of the machine in the circuit.
    fn copy(&mut self, signal: Signal, view: View) -> Signal {
        let machine = Rc::clone(&self.machine);
        let cone = machine.circuit.aig().cone([signal]);
        for node in cone {
            if self.copies.contains_key(&(node, view)) {
                continue;
            }
            let kind = machine.circuit.aig().node(node);
            let copy = match kind {
                Node::False => Signal::FALSE,
                Node::And(a, b) => {
                    let [a, b] = [a, b].map(|part| self.copies[&(part.node(), view)].negate_if(part.is_negated()));
                    self.out.and(a, b)
                }
                Node::Input(_) => match (self.places.get(&node).copied(), view) {
                    (Some(Place::Input(bit)), View::Step) => self.previous(true, bit),
                    (Some(Place::Input(bit)), _) => self.inputs[bit],
                    (Some(Place::Now(bit)), View::Step) if !self.is_frozen(bit) => self.previous(false, bit),
                    (Some(Place::Now(bit)), View::First) if self.kinds[bit] == Kind::Latch => {
                        let present = self.present(bit);
                        self.resets[bit].map_or(present, Signal::constant)
                    }
                    (Some(Place::Now(bit) | Place::Next(bit)), _) => self.present(bit),
                    (None, _) => Signal::FALSE,
                },
            };
            self.copies.insert((node, view), copy);
        }
        self.copies[&(signal.node(), view)].negate_if(signal.is_negated())
    }

    fn is_frozen(&self, bit: usize) -> bool {
        self.machine.bits[bit].now == self.machine.bits[bit].next
    }

    /// What the first state satisfies, and what every step does.
    fn constraints(&mut self) {
        let machine = Rc::clone(&self.machine);
        let start = self.copy(machine.init, View::First);
        if start != Signal::TRUE {
            let first = self.first();
            let constraint = self.out.or(!first, start);
            self.constrain(constraint);
        }
        for piece in &machine.pieces {
            let is_built_in = |bit: &usize| self.kinds[*bit] != Kind::Input;
            if !piece.owns.is_empty() && piece.owns.iter().all(is_built_in) {
                continue;
            }
            let step = self.copy(piece.signal, View::Step);
            if step != Signal::TRUE {
                let first = self.first();
                let constraint = self.out.or(first, step);
                self.constrain(constraint);
            }
        }
    }

    fn constrain(&mut self, signal: Signal) {
        self.circuit.constraints.push(Named { signal: literal(signal), name: None });
    }

    fn named(&mut self, signals: Vec<(Option<String>, Signal)>) -> Vec<Named> {
        let copy = |(name, signal): (Option<String>, Signal)| Named {
            signal: literal(self.copy(signal, View::Present)),
            name,
        };
        signals.into_iter().map(copy).collect()
    }

    /// What violates properties. A step does so in the state that it leads to.
    fn bad(&mut self, moments: Vec<(Option<String>, Moments)>) -> Vec<Named> {
        let mut bad = Vec::new();
        for (name, Moments { state, step }) in moments {
            let mut signal = self.copy(state, View::Present);
            if step != Signal::FALSE {
                let (first, step) = (self.first(), self.copy(step, View::Step));
                let step = self.out.and(!first, step);
                signal = self.out.or(signal, step);
            }
            bad.push(Named { signal: literal(signal), name });
        }
        bad
    }

    fn finish(mut self, parts: Parts) -> Circuit {
        self.circuit.gates = gates(&self.out);
        let Parts { outputs, bad, fairness } = parts;
        Circuit { outputs, bad, fairness, ..self.circuit }
    }
}

/// The code of the first value of a variable, if its assignment is a constant.
fn first_code(sat: &Sat, var: VarId) -> Option<u64> {
    let assign = sat.system.assign(AssignKind::Init, var)?;
    match sat.system[assign.value.expr] {
        Expr::Const(value) => sat.system[var].domain.index_of(value),
        _ => None,
    }
}

pub(super) fn literal(signal: Signal) -> ast::Signal {
    ast::Signal { literal: signal.code(), span: Span::NONE }
}
