//! And-inverter graphs as the Boolean functions of an encoding.

use crate::bdd::Limit;
use crate::encode::{Algebra, Function, Time};
use specwright_model::model::VarKind;
use specwright_model::{TransitionSystem, VarId};
use specwright_sat::{Aig, Signal};
use std::cell::{Ref, RefCell};
use std::rc::Rc;

/// A graph that grows up to a limit. Clones share it.
#[derive(Clone)]
pub(crate) struct Circuit {
    aig: Rc<RefCell<Aig>>,
    max_nodes: usize,
}

impl Circuit {
    pub(crate) fn new(max_nodes: usize) -> Circuit {
        Circuit { aig: Rc::default(), max_nodes }
    }

    pub(crate) fn aig(&self) -> Ref<'_, Aig> {
        self.aig.borrow()
    }

    /// Forgets all gates from a node on.
    pub(crate) fn truncate(&self, n_nodes: usize) {
        self.aig.borrow_mut().truncate(n_nodes);
    }

    fn gate(&self, make: impl FnOnce(&mut Aig) -> Signal) -> Result<Signal, Limit> {
        let mut aig = self.aig.borrow_mut();
        let signal = make(&mut aig);
        if aig.len() > self.max_nodes { Err(Limit::Nodes) } else { Ok(signal) }
    }
}

impl Function for Signal {
    fn is_false(&self) -> bool {
        *self == Signal::FALSE
    }
}

impl Algebra for Circuit {
    type Function = Signal;
    type Layout = Wires;

    fn bits(&self, wires: &Wires, var: VarId, time: Time) -> Result<Vec<Signal>, Limit> {
        Ok(wires.of(var, time).to_vec())
    }

    fn constant(&self, value: bool) -> Signal {
        Signal::constant(value)
    }

    fn not(&self, a: &Signal) -> Signal {
        !*a
    }

    fn and(&self, a: &Signal, b: &Signal) -> Result<Signal, Limit> {
        self.gate(|aig| aig.and(*a, *b))
    }

    fn or(&self, a: &Signal, b: &Signal) -> Result<Signal, Limit> {
        self.gate(|aig| aig.or(*a, *b))
    }

    fn diff(&self, a: &Signal, b: &Signal) -> Result<Signal, Limit> {
        self.gate(|aig| aig.and(*a, !*b))
    }

    fn xor(&self, a: &Signal, b: &Signal) -> Result<Signal, Limit> {
        self.gate(|aig| aig.xor(*a, *b))
    }

    fn iff(&self, a: &Signal, b: &Signal) -> Result<Signal, Limit> {
        self.gate(|aig| aig.iff(*a, *b))
    }

    fn implies(&self, a: &Signal, b: &Signal) -> Result<Signal, Limit> {
        self.gate(|aig| aig.implies(*a, *b))
    }

    fn ite(&self, condition: &Signal, then: &Signal, otherwise: &Signal) -> Result<Signal, Limit> {
        self.gate(|aig| aig.ite(*condition, *then, *otherwise))
    }
}

/// The inputs of the graph that stand for the variables: their bits now and next.
pub(crate) struct Wires {
    /// For each variable its bits now, the most significant first.
    now: Vec<Vec<Signal>>,
    /// The same in the next state. Frozen variables have the same bits there.
    next: Vec<Vec<Signal>>,
}

impl Wires {
    /// Gives each variable its bits, in declared order. The domains must be finite.
    pub(crate) fn new(system: &TransitionSystem, circuit: &Circuit) -> Wires {
        let mut aig = circuit.aig.borrow_mut();
        let mut wires = Wires { now: Vec::new(), next: Vec::new() };
        for var in &system.vars {
            let n_bits = var.domain.bits().expect("unbounded domains are rejected before encoding");
            let now: Vec<Signal> = (0..n_bits).map(|_| aig.input()).collect();
            let next = match var.kind {
                VarKind::Frozen => now.clone(),
                VarKind::State | VarKind::Input => (0..n_bits).map(|_| aig.input()).collect(),
            };
            wires.now.push(now);
            wires.next.push(next);
        }
        wires
    }

    /// The bits of a variable, the most significant first.
    pub(crate) fn of(&self, var: VarId, time: Time) -> &[Signal] {
        let bits = match time {
            Time::Now => &self.now,
            Time::Next => &self.next,
        };
        &bits[var.0 as usize]
    }
}
