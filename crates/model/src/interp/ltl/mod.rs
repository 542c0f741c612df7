//! Explicit model checking of LTL with past, over infinite paths that are just and compassionate.
//!
//! The standard construction: a search for a fair path in the product of the graph with a tableau of the negated
//! formula. Atoms may read inputs and next values, so the nodes of the product are steps of the model, not states.
//! Finite paths are ignored.

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

/// A counterexample to a formula, if there is one: a lasso, not necessarily a shortest one.
pub fn ltl_counterexample(graph: &Graph<'_>, formula: ExprId) -> Result<Option<Trace>, CheckError> {
    let is_partial = undefined_atom(graph, formula)?.is_some();
    not_holding(graph, formula, Bound::Possibly, is_partial)
}

/// True if a formula is true on all executions, false if it is false on one; otherwise it is undefined: an error.
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

/// An execution on which a formula does not hold under a bound. For total formulas both bounds agree, and
/// distinguishing them would only make the formula larger.
fn not_holding(
    graph: &Graph<'_>,
    formula: ExprId,
    bound: Bound,
    is_partial: bool,
) -> Result<Option<Trace>, CheckError> {
    let negated = Formula::negated(graph.system, formula, bound, is_partial)?;
    Product::new(graph, &negated)?.fair_path()
}

/// An atom that is undefined on some step of the graph.
fn undefined_atom(graph: &Graph<'_>, formula: ExprId) -> Result<Option<EvalError>, CheckError> {
    let formula = Formula::negated(graph.system, formula, Bound::Surely, false)?;
    for (from, edges) in graph.edges.iter().enumerate() {
        for edge in edges {
            let now = graph.now(from, *edge);
            let mut evaluator = Evaluator::new(graph.system, &now, Some(&graph.states[edge.to]));
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
