//! LTL on the graph of a model, past included, over infinite paths that are just and compassionate.
//!
//! The textbook way: the graph is multiplied with all consistent guesses of what the formula's parts will be, and a
//! path on which the negated formula holds is looked for. Atoms may look at inputs and next values, so the nodes of
//! the product are steps of the model and not states. A path that ends counts for nothing.

mod formula;
mod product;

use super::check::CheckError;
use super::graph::Graph;
use crate::expr::ExprId;
use crate::state::Trace;

/// An execution on which a formula is false, if there is one: a loop, not always the shortest.
pub fn ltl_counterexample(graph: &Graph<'_>, formula: ExprId) -> Result<Option<Trace>, CheckError> {
    let negated = formula::Formula::negated(graph.model, formula)?;
    product::Product::new(graph, &negated)?.fair_path()
}
