//! Formulas of linear time on sets of states.

pub(crate) mod path_starts;
pub(crate) mod tableau;

use crate::bdd::{Bdd, Var};
use crate::ltl::LinearId;
use rustc_hash::FxHashMap;

/// What formulas of linear time share.
#[derive(Default)]
pub(crate) struct LtlCache {
    /// The first atom for each set of reachable states.
    pub(crate) atoms: FxHashMap<Bdd, LinearId>,
    /// Where paths start that satisfy a formula, as far as states can tell.
    pub(crate) path_starts: FxHashMap<LinearId, Option<Bdd>>,
    /// Diagram variables for the obligations of paths, shared by all formulas; each for as many rounds as were needed.
    pub(crate) spare_bits: Vec<Vec<Var>>,
}
