//! Safety properties: invariants of the machine.

use specwright_model::model::{Property, PropertyKind, VarKind};
use specwright_model::op::UnaryOp;
use specwright_model::typing::is_temporal;
use specwright_model::{ExprId, Model, Node, Ty};

/// A safety property: an expression that holds in every state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// Its name.
    pub name: String,
    /// The expression.
    pub expr: ExprId,
}

/// Why a property is not an invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoInvariant {
    /// It is neither an `INVARSPEC` nor of the form `AG p` or `G p`.
    #[error("it is not an invariant: only `INVARSPEC p`, `AG p`, `G p` and plain expressions are")]
    Temporal,
    /// It is about steps.
    #[error("it reads inputs or next values, and a safety property is a condition on states")]
    Step,
    /// It is not boolean.
    #[error("it is not boolean")]
    NotBoolean,
}

impl Invariant {
    /// The invariant of a property of a model.
    pub fn of_property(model: &Model, index: usize) -> Result<Invariant, NoInvariant> {
        let Property { kind, formula, name, .. } = &model.properties[index];
        if !kind.is_claim() {
            return Err(NoInvariant::Temporal);
        }
        let is_always = matches!(&model[formula.expr], Node::Unary(UnaryOp::AG | UnaryOp::G, _));
        if *kind != PropertyKind::Invar && !is_always {
            // Without a temporal operator it is about initial states only.
            return Err(NoInvariant::Temporal);
        }
        let name = name.clone().unwrap_or_else(|| (index + 1).to_string());
        Invariant::of_expr(model, name, formula.expr)
    }

    /// The invariant of an expression, perhaps below `AG` or `G`.
    pub fn of_expr(model: &Model, name: String, formula: ExprId) -> Result<Invariant, NoInvariant> {
        let expr = match model[formula] {
            Node::Unary(UnaryOp::AG | UnaryOp::G, inner) => inner,
            _ => formula,
        };
        let is_step = |node: &Node| match node {
            Node::Next(_) => true,
            Node::Var(var) => model[*var].kind == VarKind::Input,
            _ => false,
        };
        if *model.context.exprs.ty(expr) != Ty::BOOL {
            Err(NoInvariant::NotBoolean)
        } else if model.mentions(expr, is_temporal) {
            Err(NoInvariant::Temporal)
        } else if model.mentions(expr, is_step) {
            Err(NoInvariant::Step)
        } else {
            Ok(Invariant { name, expr })
        }
    }
}
