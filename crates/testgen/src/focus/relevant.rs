//! Relevance: the cone of influence of all goals.

use super::keep::Keep;
use crate::goal::Goal;
use rustc_hash::FxHashSet;
use specwright_mc::reduction::ConeOfInfluence;
use specwright_model::cone::Cone;
use specwright_model::{ExprId, Model, VarId};

/// The cone of influence of some goals and variables; none if it is everything, or if there are no goals. Variables outside
/// of the cone that nothing determines take values in focus.
pub fn relevant(whole: &Model, goals: &[Goal], others: &[VarId], keeps: &[Keep]) -> Option<ConeOfInfluence> {
    // Every variable can matter to how a mutant of the machine behaves.
    if goals.iter().any(|goal| goal.mutant.is_some()) {
        return None;
    }
    let of_goal = |goal: &Goal| {
        let exprs = [Some(goal.target.expr()), goal.contradiction].into_iter().flatten();
        exprs.chain(goal.bounds.iter().copied()).collect::<Vec<_>>()
    };
    let exprs: FxHashSet<ExprId> = goals.iter().flat_map(of_goal).collect();
    let mut exprs: Vec<ExprId> = exprs.into_iter().collect();
    exprs.sort_unstable();
    let cone = Cone::with(whole, exprs, others.iter().copied());
    if cone.is_everything() || goals.is_empty() {
        return None;
    }
    let mut reduction = ConeOfInfluence::new(whole, cone);
    for keep in keeps {
        reduction.choose(keep.var, keep.values.value_at(0));
    }
    Some(reduction)
}
