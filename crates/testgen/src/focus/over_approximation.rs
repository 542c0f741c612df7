//! A finite over-approximation of an unbounded model.
//!
//! Numbers that are only compared with constants and change by constants are quantized, whether they are inputs or
//! assigned. What is impossible in the over-approximation is impossible in the model; traces are concretized and
//! replayed.

use super::quantize::{Quantity, Quantized, quantity};
use super::reduce::without_spans;
use crate::policy::{MANY_VALUES, OVER_APPROXIMATION_STEPS};
use specwright_mc::reduction::{Lifted, NotLifted, Reduction};
use specwright_mc::{Options, Proof, Query, Symbolic};
use specwright_model::model::AssignKind;
use specwright_model::op::BinaryOp;
use specwright_model::{Domain, ExprId, Model, Node, Trace, TransitionSystem, Ty, Value, VarId};

/// A finite model with at least the behaviour of another one.
pub struct OverApproximation {
    quantized: Quantized,
}

impl OverApproximation {
    /// An over-approximation in which these expressions keep their meaning. `None` if the model cannot be quantized, or
    /// is finite already.
    pub fn new(whole: &Model, exprs: &[ExprId]) -> Option<OverApproximation> {
        let mut model = whole.clone();
        let large = |domain: &Domain| match domain {
            Domain::Integer => true,
            Domain::Range(..) => domain.size().is_some_and(|size| size > MANY_VALUES),
            _ => false,
        };
        let vars: Vec<VarId> = model.vars().filter(|(_, var)| large(&var.domain)).map(|(var, _)| var).collect();
        for var in &vars {
            relate(&mut model, *var)?;
        }
        // Goals are checked separately.
        model.properties.clear();
        let quantity = |var: &VarId| quantity(&model, *var, exprs);
        let inputs: Vec<Quantity> = vars.iter().filter_map(quantity).collect();
        let endless = |var: &VarId| whole[*var].domain == Domain::Integer;
        if vars.iter().filter(|var| endless(var)).any(|var| !inputs.iter().any(|input| input.var == *var)) {
            return None;
        }
        Some(OverApproximation { quantized: Quantized::with(&model, inputs)? })
    }

    /// Whether expressions have the same meaning in the over-approximation.
    pub fn understands(&self, exprs: &[ExprId]) -> bool {
        self.quantized.understands(self.system(), exprs)
    }

    /// An engine that has explored the over-approximation; `None` if that exceeds the budget.
    pub fn engine(&self, limits: &Options) -> Option<Symbolic> {
        let mut engine = Symbolic::new(self.system().clone(), limits).ok()?;
        engine.explore_a_little(OVER_APPROXIMATION_STEPS).ok()?;
        engine.n_states().map(|_| engine)
    }
}

impl Reduction for OverApproximation {
    fn system(&self) -> &TransitionSystem {
        self.quantized.system()
    }

    fn promises_executions(&self) -> bool {
        false
    }

    fn preserves(&self, whole: &TransitionSystem, query: Query, proof: &Proof) -> bool {
        self.quantized.preserves(whole, query, proof)
    }

    fn lift(&self, whole: &TransitionSystem, trace: &Trace) -> Result<Lifted, NotLifted> {
        self.quantized.lift(whole, trace)
    }

    fn project(&self, trace: &Trace) -> Trace {
        self.quantized.project(trace)
    }
}

/// Replaces the assignment of a next value by a constraint. `None` if that is not possible.
fn relate(model: &mut Model, var: VarId) -> Option<()> {
    if model.assign(AssignKind::Always, var).is_some() {
        return None;
    }
    let Some(assign) = model.assign(AssignKind::Next, var) else { return Some(()) };
    let value = assign.value.expr;
    let now = model.make(Node::Var(var)).ok()?;
    let next = model.make(Node::Next(now)).ok()?;
    let claim = is_among(model, next, value)?;
    model.assigns.retain(|assign| assign.var != var || assign.kind != AssignKind::Next);
    model.trans.push(without_spans(claim));
    Some(())
}

/// The condition that a value is one of the choices of an expression.
fn is_among(model: &Model, place: ExprId, value: ExprId) -> Option<ExprId> {
    stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || match model[value].clone() {
        Node::Case(branches) => {
            // Where no guard holds, there is no value.
            let (last, _) = branches.last()?;
            if model[*last] != Node::Const(Value::Bool(true)) {
                return None;
            }
            let branches: Option<Box<[_]>> =
                branches.iter().map(|(guard, value)| Some((*guard, is_among(model, place, *value)?))).collect();
            model.make(Node::Case(branches?)).ok()
        }
        Node::Ite(condition, a, b) => {
            let (a, b) = (is_among(model, place, a)?, is_among(model, place, b)?);
            model.make(Node::Ite(condition, a, b)).ok()
        }
        Node::Set(items) => {
            let mut any = None;
            for item in items {
                let one = is_among(model, place, item)?;
                any = match any {
                    None => Some(one),
                    Some(any) => Some(model.make(Node::Binary(BinaryOp::Or, any, one)).ok()?),
                };
            }
            any
        }
        Node::Binary(BinaryOp::Union, a, b) => {
            let (a, b) = (is_among(model, place, a)?, is_among(model, place, b)?);
            model.make(Node::Binary(BinaryOp::Or, a, b)).ok()
        }
        _ => {
            let is_set = matches!(model.context.exprs.ty(value), Ty::Set(_));
            model.make(Node::Binary(if is_set { BinaryOp::In } else { BinaryOp::Eq }, place, value)).ok()
        }
    })
}
