//! Which bits of the decision diagrams hold which variable.

use crate::bdd::{Bdd, Limit, Manager, Var};
use crate::encode::{Algebra, Function, Time, code_is, valid};
use specwright_model::{Domain, TransitionSystem, Value, VarId};

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
        valid(manager, self.domain(var), &self.functions(manager, var, time)?)
    }

    /// The value of a variable, given the values of the diagram variables.
    pub(crate) fn decode(&self, var: VarId, time: Time, bit: &dyn Fn(Var) -> bool) -> Value {
        let shift = u32::from(time == Time::Next);
        let code = self.bits(var).iter().fold(0, |code, var| code << 1 | u64::from(bit(var + shift)));
        self.domain(var).value_at(code).expect("sets of states hold valid codes only")
    }
}

impl Function for Bdd {
    fn is_false(&self) -> bool {
        Bdd::is_false(self)
    }
}

impl Algebra for Manager {
    type Function = Bdd;
    type Layout = Layout;

    fn bits(&self, layout: &Layout, var: VarId, time: Time) -> Result<Vec<Bdd>, Limit> {
        layout.functions(self, var, time)
    }

    fn constant(&self, value: bool) -> Bdd {
        Manager::constant(self, value)
    }

    fn not(&self, a: &Bdd) -> Bdd {
        Manager::not(self, a)
    }

    fn and(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Limit> {
        Manager::and(self, a, b)
    }

    fn or(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Limit> {
        Manager::or(self, a, b)
    }

    fn diff(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Limit> {
        Manager::diff(self, a, b)
    }

    fn xor(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Limit> {
        Manager::xor(self, a, b)
    }

    fn iff(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Limit> {
        Manager::iff(self, a, b)
    }

    fn implies(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Limit> {
        Manager::implies(self, a, b)
    }

    fn ite(&self, condition: &Bdd, then: &Bdd, otherwise: &Bdd) -> Result<Bdd, Limit> {
        Manager::ite(self, condition, then, otherwise)
    }
}
