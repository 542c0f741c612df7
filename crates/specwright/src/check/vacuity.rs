//! Properties that hold for want of a case: `AG (p -> q)` where `p` never comes true.

use specwright_mc::{Answer, Witness};
use specwright_model::model::{Property, PropertyKind};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::unparse::Unparser;
use specwright_model::{ExprId, Model, Node};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::codes;

/// The conditions of a property that holds only because no reachable state satisfies all of them.
pub(crate) fn vacuous(
    model: &Model,
    property: &Property,
    violation: &Answer<Witness>,
    reaches_all: impl FnOnce(&[ExprId]) -> Answer<()>,
) -> Option<Vec<ExprId>> {
    if !violation.is_impossible() {
        return None;
    }
    let conditions = conditions(model, property);
    (!conditions.is_empty() && reaches_all(&conditions).is_impossible()).then_some(conditions)
}

/// The `p` and `q` of `AG (p -> (q -> r))`, `G (p -> (q -> r))` and invariants of that kind, as far as they speak of
/// single states.
fn conditions(model: &Model, property: &Property) -> Vec<ExprId> {
    let mut body = match (property.kind, &model[property.formula.expr]) {
        (PropertyKind::Invar, _) => property.formula.expr,
        (_, Node::Unary(UnaryOp::AG | UnaryOp::G, body)) => *body,
        _ => return Vec::new(),
    };
    let mut conditions = Vec::new();
    while let Node::Binary(BinaryOp::Implies, condition, conclusion) = &model[body] {
        let support = specwright_model::interp::support(model, *condition);
        if support.temporal || !support.next.is_empty() {
            break;
        }
        conditions.push(*condition);
        body = *conclusion;
    }
    conditions
}

/// Says that a property holds for want of a case.
pub(crate) fn warning(unparser: &mut Unparser<'_>, property: &Property, conditions: &[ExprId]) -> Diagnostic {
    let name = property.name.as_ref().map_or_else(|| "this property ".into(), |name| format!("`{name}` "));
    let conditions: Vec<String> = conditions.iter().map(|expr| format!("`{}`", unparser.text(*expr))).collect();
    let never = match &conditions[..] {
        [condition] => format!("{condition} is never true in a reachable state"),
        several => format!("{} are never true together in a reachable state", several.join(" and ")),
    };
    Diagnostic::warning(codes::VACUOUS, property.formula.span(), format!("{name}holds vacuously")).note(never)
}
