//! Which bits of the decision diagrams hold which variable.

use crate::bdd::{Bdd, Limit, Manager, Var};
use specwright_model::{Domain, TransitionSystem, Value, VarId};

/// Whether an expression is meant in the state before a step or after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Time {
    /// Before the step.
    Now,
    /// After the step.
    Next,
}

/// The bits of all variables. A bit is named by its current-state variable of the diagrams.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// For each model variable its bits, the most significant first: codes then ascend in declared order.
    bits: Vec<Vec<Var>>,
    domains: Vec<Domain>,
}

impl Layout {
    /// Gives each variable its bits, in declared order. The domains must be finite.
    pub(crate) fn new(system: &TransitionSystem) -> Layout {
        let mut next_bit = 0;
        let bits = system.vars.iter().map(|var| {
            let n_bits = var.domain.bits().expect("unbounded domains are rejected before encoding");
            (0..n_bits)
                .map(|_| {
                    next_bit += 2;
                    next_bit - 2
                })
                .collect()
        });
        Layout { bits: bits.collect(), domains: system.vars.iter().map(|var| var.domain.clone()).collect() }
    }

    /// The same variables with bits of their own, each beside that of this layout, but for shared ones.
    pub(crate) fn beside(&self, manager: &Manager, is_shared: &dyn Fn(VarId) -> bool) -> Layout {
        let bits = (0..).map(VarId).zip(&self.bits).map(|(var, bits)| {
            let own = |bit: &Var| if is_shared(var) { *bit } else { manager.add_pair_below(*bit) };
            bits.iter().map(own).collect()
        });
        Layout { bits: bits.collect(), domains: self.domains.clone() }
    }

    /// The number of diagram variables, current and next together.
    pub(crate) fn n_diagram_vars(&self) -> u32 {
        2 * self.bits.iter().map(|bits| bits.len() as u32).sum::<u32>()
    }

    /// The current-state bits of a variable, the most significant first.
    pub(crate) fn bits(&self, var: VarId) -> &[Var] {
        &self.bits[var.0 as usize]
    }

    /// The values of a variable.
    pub(crate) fn domain(&self, var: VarId) -> &Domain {
        &self.domains[var.0 as usize]
    }

    /// The bits as functions, the most significant first.
    pub(crate) fn functions(&self, manager: &Manager, var: VarId, time: Time) -> Result<Vec<Bdd>, Limit> {
        let shift = u32::from(time == Time::Next);
        self.bits(var).iter().map(|bit| manager.var(bit + shift)).collect()
    }

    /// The states in which a variable has a value.
    pub(crate) fn equals(&self, manager: &Manager, var: VarId, time: Time, value: Value) -> Result<Bdd, Limit> {
        match self.domain(var).index_of(value) {
            Some(code) => code_is(manager, &self.functions(manager, var, time)?, code),
            None => Ok(manager.constant(false)),
        }
    }

    /// The states in which the bits of a variable stand for one of its values at all.
    pub(crate) fn valid(&self, manager: &Manager, var: VarId, time: Time) -> Result<Bdd, Limit> {
        let bits = self.functions(manager, var, time)?;
        let size = self.domain(var).size().expect("unbounded domains are rejected before encoding");
        if size == 1 << bits.len() {
            return Ok(manager.constant(true));
        }
        // Less than the size, bit by bit from the least significant: all smaller codes are in use.
        let mut below = manager.constant(false);
        for (place, bit) in bits.iter().rev().enumerate() {
            below = if size >> place & 1 == 1 {
                manager.or(&manager.not(bit), &below)?
            } else {
                manager.and(&manager.not(bit), &below)?
            };
        }
        Ok(below)
    }

    /// The value of a variable, given the values of the diagram variables.
    pub(crate) fn decode(&self, var: VarId, time: Time, bit: &dyn Fn(Var) -> bool) -> Value {
        let shift = u32::from(time == Time::Next);
        let code = self.bits(var).iter().fold(0, |code, var| code << 1 | u64::from(bit(var + shift)));
        self.domain(var).value_at(code).expect("sets of states hold valid codes only")
    }
}

/// The condition that the bits, the most significant first, are those of a code.
fn code_is(manager: &Manager, bits: &[Bdd], code: u64) -> Result<Bdd, Limit> {
    let mut all = manager.constant(true);
    for (place, bit) in bits.iter().rev().enumerate() {
        let literal = if code >> place & 1 == 1 { bit.clone() } else { manager.not(bit) };
        all = manager.and(&all, &literal)?;
    }
    Ok(all)
}
