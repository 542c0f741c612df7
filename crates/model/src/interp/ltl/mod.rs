//! LTL on the graph of a model, past included, over infinite paths that are just and compassionate.
//!
//! The textbook way: the graph is multiplied with all consistent guesses of what the formula's parts will be, and a
//! path on which the negated formula holds is looked for. Atoms may look at inputs and next values, so the nodes of
//! the product are steps of the model and not states. A path that ends counts for nothing.

mod formula;
mod product;

use super::check::CheckError;
use super::error::EvalError;
use super::eval::{Bound, Evaluator};
use super::graph::Graph;
use crate::expr::ExprId;
use crate::state::Trace;
use formula::{Formula, Part};
use product::Product;

/// An execution on which a formula is false, if there is one: a loop, not always the shortest.
pub fn ltl_counterexample(graph: &Graph<'_>, formula: ExprId) -> Result<Option<Trace>, CheckError> {
    let is_partial = undefined_atom(graph, formula)?.is_some();
    not_holding(graph, formula, Bound::Possibly, is_partial)
}

/// Whether a formula is true on all executions, or false on one; an error if it is neither.
pub(super) fn ltl_holds(graph: &Graph<'_>, formula: ExprId) -> Result<bool, CheckError> {
    let undefined = undefined_atom(graph, formula)?;
    if not_holding(graph, formula, Bound::Possibly, undefined.is_some())?.is_some() {
        return Ok(false);
    }
    match undefined {
        Some(error) if not_holding(graph, formula, Bound::Surely, true)?.is_some() => Err(error.into()),
        _ => Ok(true),
    }
}

/// An execution on which a formula does not hold, with what is undefined read one way or the other. Where nothing is
/// undefined, both are the same, and telling them apart would only make the formula larger.
fn not_holding(
    graph: &Graph<'_>,
    formula: ExprId,
    bound: Bound,
    is_partial: bool,
) -> Result<Option<Trace>, CheckError> {
    let negated = Formula::negated(graph.model, formula, bound, is_partial)?;
    Product::new(graph, &negated)?.fair_path()
}

/// An atom of a formula that is undefined on some step of the graph.
fn undefined_atom(graph: &Graph<'_>, formula: ExprId) -> Result<Option<EvalError>, CheckError> {
    let formula = Formula::negated(graph.model, formula, Bound::Surely, false)?;
    for (from, edges) in graph.edges.iter().enumerate() {
        for edge in edges {
            let now = graph.now(from, *edge);
            let mut evaluator = Evaluator::new(graph.model, &now, Some(&graph.states[edge.to]));
            for part in &formula.parts {
                if let Part::Atom(expr, _) = part
                    && let Err(error) = evaluator.truth(*expr)
                {
                    return if error.is_undefined() { Ok(Some(error)) } else { Err(error.into()) };
                }
            }
        }
    }
    Ok(None)
}
