//! What an encoding of expressions needs of Boolean functions: decision diagrams have it, and so have and-inverter graphs.

use super::Time;
use crate::bdd::Limit;
use specwright_model::{Domain, VarId};
use std::fmt::Debug;
use std::hash::Hash;

/// A Boolean function of the bits of variables.
pub(crate) trait Function: Clone + Debug + PartialEq + Eq + Hash {
    /// Whether it is known to be false everywhere. Decision diagrams always know.
    fn is_false(&self) -> bool;
}

/// Operations on Boolean functions. Each may run into a limit.
pub(crate) trait Algebra: Clone {
    /// The functions.
    type Function: Function;
    /// Which bits stand for which variable.
    type Layout;

    /// The bits of a variable, the most significant first: codes ascend in declared order.
    fn bits(&self, layout: &Self::Layout, var: VarId, time: Time) -> Result<Vec<Self::Function>, Limit>;

    fn constant(&self, value: bool) -> Self::Function;
    fn not(&self, a: &Self::Function) -> Self::Function;
    fn and(&self, a: &Self::Function, b: &Self::Function) -> Result<Self::Function, Limit>;
    fn or(&self, a: &Self::Function, b: &Self::Function) -> Result<Self::Function, Limit>;
    /// The first without the second.
    fn diff(&self, a: &Self::Function, b: &Self::Function) -> Result<Self::Function, Limit>;
    fn xor(&self, a: &Self::Function, b: &Self::Function) -> Result<Self::Function, Limit>;
    fn iff(&self, a: &Self::Function, b: &Self::Function) -> Result<Self::Function, Limit>;
    fn implies(&self, a: &Self::Function, b: &Self::Function) -> Result<Self::Function, Limit>;
    fn ite(
        &self,
        condition: &Self::Function,
        then: &Self::Function,
        otherwise: &Self::Function,
    ) -> Result<Self::Function, Limit>;
}

/// Where the bits, the most significant first, are those of a code.
pub(crate) fn code_is<A: Algebra>(algebra: &A, bits: &[A::Function], code: u64) -> Result<A::Function, Limit> {
    let mut all = algebra.constant(true);
    for (place, bit) in bits.iter().rev().enumerate() {
        let literal = if code >> place & 1 == 1 { bit.clone() } else { algebra.not(bit) };
        all = algebra.and(&all, &literal)?;
    }
    Ok(all)
}

/// Where the bits, the most significant first, stand for a value of a finite domain at all.
pub(crate) fn valid<A: Algebra>(algebra: &A, domain: &Domain, bits: &[A::Function]) -> Result<A::Function, Limit> {
    let size = domain.size().expect("unbounded domains are rejected before encoding");
    if size == 1 << bits.len() {
        return Ok(algebra.constant(true));
    }
    // Less than the size, bit by bit from the least significant: all smaller codes are in use.
    let mut below = algebra.constant(false);
    for (place, bit) in bits.iter().rev().enumerate() {
        let not = algebra.not(bit);
        below = if size >> place & 1 == 1 { algebra.or(&not, &below)? } else { algebra.and(&not, &below)? };
    }
    Ok(below)
}
