//! The mutation operators, one file each.

pub(super) mod arithmetic;
pub(super) mod aso;
pub(super) mod branch;
pub(super) mod eno;
pub(super) mod gso;
pub(super) mod initial;
pub(super) mod lro;
pub(super) mod mco;
pub(super) mod next_current;
pub(super) mod off_by_one;
pub(super) mod oro;
pub(super) mod rro;
pub(super) mod rules;
pub(super) mod sno;
pub(super) mod sro;
pub(super) mod sto;
pub(super) mod temporal;
