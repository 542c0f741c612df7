//! Numbers at which comparisons change their truth value, for the inputs of random walks.
//!
//! The numbers that decide what a machine does are often sums of constants and variables, as in `time >= start + delay`.
//! The difference of both sides is evaluated in a state for two values of an input; the line through them tells for which
//! value both sides are equal. That is exact if the difference is linear in the input.

use crate::policy::WALK_BOUNDARY_INPUTS;
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_model::interp::{Evaluator, Random};
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, Model, Node, State, Ty, Value, VarId};

/// Attempts to follow the line through two values: one is enough where it is straight.
const FOLLOWED: usize = 3;

/// The comparisons of a model by the variables that they depend on.
pub(super) struct Boundaries {
    comparisons: Vec<Comparison>,
    by_var: FxHashMap<VarId, Vec<usize>>,
    by_expr: FxHashMap<ExprId, usize>,
}

struct Comparison {
    left: ExprId,
    right: ExprId,
    /// Whether it speaks of new values, so that it belongs to a step.
    is_step: bool,
    vars: Vec<VarId>,
}

/// What an expression depends on.
#[derive(Clone, Default)]
struct Reads {
    /// The variables of interest, in order; those above the limit are left out.
    vars: Vec<VarId>,
    is_step: bool,
}

impl Boundaries {
    /// The comparisons among the parts of these expressions that depend on some of these variables.
    pub(super) fn new(model: &Model, parts: &[ExprId], vars: &[VarId]) -> Boundaries {
        let mut found =
            Boundaries { comparisons: Vec::new(), by_var: FxHashMap::default(), by_expr: FxHashMap::default() };
        if vars.is_empty() {
            return found;
        }
        let vars: FxHashSet<VarId> = vars.iter().copied().collect();
        let mut known = FxHashMap::default();
        for part in parts {
            let Node::Binary(op, left, right) = model[*part] else { continue };
            let compares =
                matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne);
            if !compares || *model.context.exprs.ty(left) != Ty::INT {
                continue;
            }
            let reads = reads(model, *part, &vars, &mut known);
            let index = found.comparisons.len();
            for var in &reads.vars {
                found.by_var.entry(*var).or_default().push(index);
            }
            found.by_expr.insert(*part, index);
            found.comparisons.push(Comparison { left, right, is_step: reads.is_step, vars: reads.vars });
        }
        found
    }

    /// Whether a variable occurs in a comparison.
    pub(super) fn has(&self, var: VarId) -> bool {
        self.by_var.contains_key(&var)
    }

    /// The variables of interest that a comparison depends on.
    pub(super) fn vars_of(&self, comparison: ExprId) -> &[VarId] {
        self.by_expr.get(&comparison).map_or(&[], |index| &self.comparisons[*index].vars)
    }

    /// A value at or beside the boundary of one of the comparisons of a variable, where the other variables have the
    /// values of a state; and the number of operators that were evaluated. `before` is the state before it.
    pub(super) fn propose(
        &self,
        model: &Model,
        var: VarId,
        before: Option<&State>,
        state: &mut State,
        random: &mut Random,
    ) -> (Option<i64>, u64) {
        let Some(indices) = self.by_var.get(&var) else { return (None, 0) };
        let comparison = &self.comparisons[*random.pick(indices)];
        let beside = *random.pick(&[-1, 0, 1]);
        let (boundary, work) = comparison.boundary(model, var, before, state);
        (boundary.map(|boundary| boundary.saturating_add(beside)), work)
    }

    /// The value of a variable at which both sides of a comparison are equal, or the one below it.
    pub(super) fn boundary(
        &self,
        model: &Model,
        comparison: ExprId,
        var: VarId,
        before: Option<&State>,
        state: &mut State,
    ) -> (Option<i64>, u64) {
        let Some(index) = self.by_expr.get(&comparison) else { return (None, 0) };
        self.comparisons[*index].boundary(model, var, before, state)
    }
}

impl Comparison {
    fn boundary(&self, model: &Model, var: VarId, before: Option<&State>, state: &mut State) -> (Option<i64>, u64) {
        let kept = state.get(var);
        let mut at = if let Some(Value::Int(value)) = kept { value } else { 0 };
        let mut work = 0;
        let mut difference = |value: i64, state: &mut State| {
            state.set(var, Value::Int(value));
            let mut evaluator = match before.filter(|_| self.is_step) {
                Some(before) => Evaluator::new(model, before, Some(state)),
                None => Evaluator::new(model, state, None),
            };
            let sides = (evaluator.value(self.left), evaluator.value(self.right));
            work += evaluator.work() + 1;
            match sides {
                (Ok(Value::Int(left)), Ok(Value::Int(right))) => Some(i128::from(left) - i128::from(right)),
                _ => None,
            }
        };
        let mut boundary = None;
        for _ in 0..FOLLOWED {
            let Some(here) = difference(at, state) else { break };
            let Some(there) = at.checked_add(1).and_then(|beside| difference(beside, state)) else { break };
            let slope = there - here;
            if slope == 0 {
                break;
            }
            let Ok(next) = i64::try_from(i128::from(at) - here.div_euclid(slope)) else { break };
            boundary = Some(next);
            if next == at {
                break;
            }
            at = next;
        }
        state.set(var, kept);
        (boundary, work)
    }
}

/// What an expression depends on, with defines resolved.
fn reads(model: &Model, expr: ExprId, vars: &FxHashSet<VarId>, known: &mut FxHashMap<ExprId, Reads>) -> Reads {
    let mut stack = vec![expr];
    while let Some(&top) = stack.last() {
        if known.contains_key(&top) {
            stack.pop();
            continue;
        }
        let mut children = model[top].children();
        if let Node::Define(define) = &model[top] {
            children.push(model.body(*define));
        }
        let open = children.iter().copied().filter(|child| !known.contains_key(child));
        let n_before = stack.len();
        stack.extend(open);
        if stack.len() > n_before {
            continue;
        }
        let mut own = Reads { vars: Vec::new(), is_step: matches!(model[top], Node::Next(_)) };
        if let Node::Var(var) = model[top]
            && vars.contains(&var)
        {
            own.vars.push(var);
        }
        for child in &children {
            let child = &known[child];
            own.vars.extend(&child.vars);
            own.is_step |= child.is_step;
        }
        own.vars.sort_unstable();
        own.vars.dedup();
        own.vars.truncate(WALK_BOUNDARY_INPUTS);
        known.insert(top, own);
        stack.pop();
    }
    known[&expr].clone()
}
