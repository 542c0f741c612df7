//! Parts of a property that do not matter: the property holds on the machine whatever stands there.
//!
//! This is vacuity as by Beer, Ben-David, Eisner and Rodeh (CAV 1997), and Kupferman and Vardi (CHARME 1999). A part of a formula
//! is monotonic or antitonic wherever it occurs once, so the formula holds for everything in its place if it holds for
//! both truth values.

use crate::mutate::with_child;
use crate::policy::RELEVANT_PARTS;
use specwright_mc::Symbolic;
use specwright_model::model::Property;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::typing::is_temporal;
use specwright_model::{ExprId, Model, Node, SourcedExpr, Ty, Value};

/// The largest parts of a property that do not matter. The property must hold on the model of the engine.
/// Parts that could not be tried within the limits of the engine are left out.
pub fn irrelevant(model: &Model, engine: &mut Symbolic, property: &Property) -> Vec<ExprId> {
    let mut search = Search { model, engine, property, found: Vec::new(), left: RELEVANT_PARTS };
    search.visit(&mut Vec::new(), property.formula.expr);
    search.found
}

struct Search<'a> {
    model: &'a Model,
    engine: &'a mut Symbolic,
    property: &'a Property,
    found: Vec<ExprId>,
    /// The parts that may still be tried.
    left: usize,
}

impl Search<'_> {
    /// Tries the parts of an expression. The way to it are the expressions around it, each with the place of the next one.
    fn visit(&mut self, way: &mut Vec<(ExprId, usize)>, expr: ExprId) {
        for (place, part) in self.model[expr].children().into_iter().enumerate() {
            let is_condition = *self.model.context.exprs.ty(part) == Ty::BOOL
                && !matches!(self.model[part], Node::Const(_))
                && is_logical(self.model, expr);
            if !is_condition || self.left == 0 || self.engine.is_spent() {
                continue;
            }
            self.left -= 1;
            way.push((expr, place));
            if self.holds_without(way) {
                if !self.found.contains(&part) {
                    self.found.push(part);
                }
            } else {
                self.visit(way, part);
            }
            way.pop();
        }
    }

    /// Whether the property holds whatever stands at the end of a way. It holds as it is: where the part occurs positively it
    /// holds with `TRUE`, and elsewhere with `FALSE`, so the other value decides.
    fn holds_without(&mut self, way: &[(ExprId, usize)]) -> bool {
        let is_negative = |(outer, place): &&(ExprId, usize)| match self.model[*outer] {
            Node::Unary(UnaryOp::Not, _) => true,
            Node::Binary(BinaryOp::Implies, ..) => *place == 0,
            _ => false,
        };
        let is_positive = way.iter().filter(is_negative).count() % 2 == 0;
        self.holds_with(way, !is_positive)
    }

    /// Whether the property holds with a constant at the end of a way.
    fn holds_with(&mut self, way: &[(ExprId, usize)], value: bool) -> bool {
        let Ok(mut expr) = self.model.make(Node::Const(Value::Bool(value))) else { return false };
        for (outer, place) in way.iter().rev() {
            let Ok(changed) = self.model.make(with_child(&self.model[*outer], *place, expr)) else { return false };
            expr = changed;
        }
        let formula = SourcedExpr { expr, spans: self.property.formula.spans.clone() };
        self.engine.check(&Property { formula, ..self.property.clone() }).is_impossible()
    }
}

/// Whether an expression connects conditions: then each of them occurs in one direction. Comparisons and equivalences do not.
fn is_logical(model: &Model, expr: ExprId) -> bool {
    let node = &model[expr];
    let connects = |node: &Node| {
        matches!(
            node,
            Node::Unary(UnaryOp::Not, _) | Node::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, ..)
        )
    };
    is_temporal(node) || connects(node)
}
