//! The expressions of a site that are evaluated on their own.

use super::site::SiteId;
use specwright_model::interp::Demand;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Model, Node};

/// The expressions that are evaluated on their own, for a site with this expression.
pub(super) fn units(model: &Model, site: SiteId, expr: ExprId) -> Vec<Demand> {
    match site {
        SiteId::Assign(index) => vec![Demand { expr, var: Some(model.assigns[index].var) }],
        // A define is not evaluated on its own.
        SiteId::Define(_) => Vec::new(),
        SiteId::Init(_) | SiteId::Invar(_) | SiteId::Fairness(_) => vec![Demand { expr, var: None }],
        SiteId::Trans(_) | SiteId::Property(_) => {
            let mut units = Vec::new();
            let mut stack = vec![expr];
            while let Some(expr) = stack.pop() {
                match &model[expr] {
                    node if is_split(site, node) => node.for_each_child(|child| stack.push(child)),
                    _ => units.push(Demand { expr, var: None }),
                }
            }
            units
        }
    }
}

/// Whether the parts of a node are evaluated on their own.
fn is_split(site: SiteId, node: &Node) -> bool {
    use BinaryOp::{And, Iff, Implies, Or, Xnor, Xor};
    match node {
        Node::Binary(And, ..) => true,
        _ if !site.is_property() => false,
        Node::Unary(op, _) => *op != UnaryOp::Neg,
        Node::Binary(op, ..) => op.logic().is_some() || matches!(op, Or | Implies | Iff | Xor | Xnor),
        Node::Bounded(..) | Node::BoundedUntil(..) => true,
        _ => false,
    }
}
