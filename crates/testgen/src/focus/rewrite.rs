//! Constraint rewriting for a focus: formulas and goals for which nothing counts that is not sound.

use super::leave::Draft;
use super::reduce::{Reduced, without_spans};
use crate::cfsm::Rewriter;
use crate::goal::Target;
use rustc_hash::FxHashMap;
use specwright_model::model::{Property, PropertyKind, VarKind};
use specwright_model::op::{BinaryOp, BoundedOp, UnaryOp};
use specwright_model::typing::is_temporal;
use specwright_model::{ExprId, Model, Node};

/// How far a goal is to be looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// On executions that stay in the kept part: what is found is a test of the whole model.
    Inside,
    /// Anything may happen outside of the kept part: what is not found here is nowhere in the whole model.
    Anywhere,
}

impl Reduced {
    /// The properties of the whole model, rewritten.
    pub(super) fn rewrite_properties(&mut self, whole: &Model) {
        for property in &whole.properties {
            if matches!(property.kind, PropertyKind::ComputeMin | PropertyKind::ComputeMax) {
                self.left_out.push(property.name.clone());
                continue;
            }
            let formula = self.rewrite_as(property.formula.expr, true, property.kind != PropertyKind::Invar);
            self.model.properties.push(Property { formula: without_spans(formula), ..property.clone() });
        }
    }

    /// A goal of the whole model, for the reduced one. The reduced model must have its expressions.
    pub fn target(&mut self, target: Target, reach: Reach) -> Target {
        // What is to be refuted must hold wherever nothing is known; what is to be shown must not.
        let inside = reach == Reach::Inside;
        match target {
            Target::Falsify(formula) => Target::Falsify(self.rewrite(formula, inside)),
            Target::Reach(formula) => Target::Reach(self.rewrite(formula, !inside)),
            Target::Show(formula) => Target::Show(self.rewrite_as(formula, !inside, true)),
        }
    }

    /// The formula in which all that is not sound is true, if it is to be `weak`, or else false.
    pub fn rewrite(&mut self, formula: ExprId, weak: bool) -> ExprId {
        let temporal = self.model.mentions(formula, is_temporal);
        self.rewrite_as(formula, weak, temporal)
    }

    /// The same for a formula that is temporal even if it has no temporal operator.
    fn rewrite_as(&mut self, formula: ExprId, weak: bool, temporal: bool) -> ExprId {
        let cautions = self.cautions(formula, temporal);
        let sound = self.make(Node::Var(self.sound));
        // What is said of a step counts if both of its states do.
        let of_step = !temporal && self.model.mentions(formula, |node| looks_ahead(&self.model, node));
        let counts = if of_step {
            let next = self.make(Node::Next(sound));
            self.make(Node::Binary(BinaryOp::And, sound, next))
        } else {
            sound
        };
        let begins_temporal = is_temporal(&self.model[formula]) && !is_past(&self.model[formula]);
        let caution = move |_: &Model, expr: ExprId| cautions.get(&expr).copied();
        let mut rewriter = Rewriter::new(&mut self.model, counts, Box::new(caution));
        let rewritten = rewriter.rewrite(formula, weak);
        if begins_temporal { rewritten } else { rewriter.guard(rewritten, weak) }
    }

    fn make(&mut self, node: Node) -> ExprId {
        self.model.make(node).expect("soundness is a truth value")
    }

    /// The parts of a formula that mean nothing as they stand where something has left the kept part, and when they do.
    fn cautions(&mut self, formula: ExprId, temporal: bool) -> FxHashMap<ExprId, ExprId> {
        let is_delicate = |node: &Node| looks_ahead(&self.model, node) || is_partial(node);
        if !self.model.mentions(formula, is_delicate) {
            return FxHashMap::default();
        }
        let mut parts = self.model.exprs.parts([formula]);
        // Formulas may be behind names.
        let mut at = 0;
        while at < parts.len() {
            if let Node::Define(define) = self.model[parts[at]] {
                let more = self.model.exprs.parts([self.model.body(define)]);
                parts.extend(more.into_iter().filter(|part| !parts.contains(part)).collect::<Vec<_>>());
            }
            at += 1;
        }
        let model = std::mem::take(&mut self.model);
        let focus = std::mem::take(&mut self.focus);
        let mut draft = Draft { model, focus };
        let mut cautions = FxHashMap::default();
        for part in parts {
            if *draft.model.exprs.ty(part) != specwright_model::Ty::BOOL || draft.model.mentions(part, is_temporal) {
                continue;
            }
            let mut when = Vec::new();
            if draft.model.mentions(part, is_partial) {
                for var in draft.mentions(part).now {
                    when.push(draft.is_other(var, false, false));
                }
            }
            // A step counts if it leads to a state that does.
            if temporal && draft.model.mentions(part, |node| looks_ahead(&draft.model, node)) {
                let sound = draft.make(Node::Var(self.sound));
                when.push(draft.make(Node::Unary(UnaryOp::X, sound)));
            }
            if let Some(when) = draft.all(when) {
                cautions.insert(part, when);
            }
        }
        (self.model, self.focus) = (draft.model, draft.focus);
        cautions
    }
}

/// Whether a node belongs to a step, not to a state. Of temporal formulas, only those of linear time have such parts.
fn looks_ahead(model: &Model, node: &Node) -> bool {
    match node {
        Node::Var(var) => model[*var].kind == VarKind::Input,
        node => matches!(node, Node::Next(_)),
    }
}

/// Whether a node speaks of the present and the past.
fn is_past(node: &Node) -> bool {
    match node {
        Node::Unary(op, _) => matches!(op, UnaryOp::Y | UnaryOp::Z | UnaryOp::O | UnaryOp::H),
        Node::Binary(op, ..) => matches!(op, BinaryOp::S | BinaryOp::T),
        Node::Bounded(op, ..) => matches!(op, BoundedOp::O | BoundedOp::H),
        _ => false,
    }
}

/// Whether a node may have no value.
fn is_partial(node: &Node) -> bool {
    use BinaryOp::{Div, Mod, Shl, Shr};
    matches!(node, Node::Case(_) | Node::Index(..) | Node::Binary(Div | Mod | Shl | Shr, ..))
}
