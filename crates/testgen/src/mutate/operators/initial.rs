//! IVO, wrong initial value: `init(x)` gets every other value of the domain, and so do constants in equations of
//! `INIT`.
//!
//! Not from the papers. For large domains only the ends and the neighbours are used.

use crate::mutate::cx::Cx;
use crate::mutate::mutant::Change;
use crate::mutate::site::SiteId;
use crate::mutate::tree::At;
use crate::policy::INITIAL_VALUES;
use specwright_model::model::AssignKind;
use specwright_model::op::BinaryOp;
use specwright_model::{Domain, Node, Value};

pub(in crate::mutate) fn mutate(cx: &mut Cx<'_>, at: At) {
    let domain = match cx.scope.site {
        SiteId::Assign(index) if cx.model.assigns[index].kind == AssignKind::Init && at == 0 => {
            cx.scope.assigned(cx.model).map(|(_, domain)| domain)
        }
        SiteId::Init(_) if matches!(cx.node(at), Node::Const(_)) && is_equated(cx, at) => cx.domain_at(at),
        _ => None,
    };
    let Some(domain) = domain else { return };
    let original = if let Node::Const(value) = *cx.node(at) { Some(value) } else { None };
    for value in candidates(domain, original) {
        cx.propose(at, Node::Const(value), Change::Replace);
    }
}

/// Whether an expression is one side of an equation.
fn is_equated(cx: &Cx<'_>, at: At) -> bool {
    let is_equation = |(parent, _)| matches!(cx.node(parent), Node::Binary(BinaryOp::Eq, ..));
    cx.tree.parent(at).is_some_and(is_equation)
}

fn candidates(domain: &Domain, original: Option<Value>) -> Vec<Value> {
    let Some(size) = domain.size() else { return Vec::new() };
    if size <= INITIAL_VALUES || matches!(domain, Domain::Enum(_)) {
        return domain.values().collect();
    }
    let last = u64::try_from(size - 1).unwrap_or(u64::MAX);
    let own = original.and_then(|value| domain.index_of(value));
    let near = own.map(|own| [own.checked_sub(1), own.checked_add(1)]).into_iter().flatten().flatten();
    let mut indices: Vec<u64> = near.chain([0, last]).collect();
    indices.sort_unstable();
    indices.dedup();
    indices.into_iter().filter_map(|index| domain.value_at(index)).collect()
}
