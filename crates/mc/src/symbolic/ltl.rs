//! Formulas of linear time on sets of states.

pub(crate) mod path_starts;
pub(crate) mod tableau;
