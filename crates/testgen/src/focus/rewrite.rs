//! Constraint rewriting for a focus: formulas and goals in which unsound states do not count.

use super::other_value::Draft;
use super::reduce::{Reduced, without_spans};
use crate::cfsm::Rewriter;
use rustc_hash::FxHashMap;
use specwright_mc::Query;
use specwright_model::model::{Property, PropertyKind, VarKind};
use specwright_model::op::{BinaryOp, BoundedOp, UnaryOp};
use specwright_model::typing::is_temporal;
use specwright_model::{ExprId, Model, Node, TransitionSystem};

/// Where executions for a goal are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Within the focus: an execution found is a test of the whole model.
    Inside,
    /// Everything may happen outside of the focus: a goal that is infeasible here is infeasible in the whole model.
    Anywhere,
}

impl Reduced {
    /// Adds the properties of the whole model, rewritten.
    pub(super) fn rewrite_properties(&mut self, whole: &Model) {
        for property in &whole.properties {
            if !property.kind.is_claim() {
                self.left_out.push(property.name.clone());
                continue;
            }
            let formula = self.rewrite_as(property.formula.expr, true, property.kind != PropertyKind::Invar);
            self.model.properties.push(Property { formula: without_spans(formula), ..property.clone() });
        }
    }

    /// The target of a goal of the whole model, for the reduced one. The reduced model must have its expressions.
    pub fn target(&self, target: Query, reach: Reach) -> Query {
        // A formula to refute must be true in unsound states; a formula to show must be false there.
        let inside = reach == Reach::Inside;
        match target {
            Query::Falsify(formula) => Query::Falsify(self.rewrite(formula, inside)),
            Query::Reach(formula) => Query::Reach(self.rewrite(formula, !inside)),
            Query::Show(formula) => Query::Show(self.rewrite_as(formula, !inside, true)),
            Query::Kill(never) => Query::Kill(never),
        }
    }

    /// The formula in which unsound parts are true if `weak`, else false.
    pub fn rewrite(&self, formula: ExprId, weak: bool) -> ExprId {
        let temporal = self.model.mentions(formula, is_temporal);
        self.rewrite_as(formula, weak, temporal)
    }

    /// The same for a formula that is read as temporal even without temporal operators.
    fn rewrite_as(&self, formula: ExprId, weak: bool, temporal: bool) -> ExprId {
        let cautions = self.cautions(formula, temporal);
        let sound = self.make(Node::Var(self.sound));
        // An expression over a step counts if both of its states are sound.
        let of_step = !temporal && self.model.mentions(formula, |node| looks_ahead(&self.model, node));
        let counts = if of_step {
            let next = self.make(Node::Next(sound));
            self.make(Node::Binary(BinaryOp::And, sound, next))
        } else {
            sound
        };
        let begins_temporal = is_temporal(&self.model[formula]) && !is_past(&self.model[formula]);
        let caution = move |_: &TransitionSystem, expr: ExprId| cautions.get(&expr).copied();
        let mut rewriter = Rewriter::new(&self.model, counts, Box::new(caution));
        let rewritten = rewriter.rewrite(formula, weak);
        if begins_temporal { rewritten } else { rewriter.guard(rewritten, weak) }
    }

    fn make(&self, node: Node) -> ExprId {
        self.model.make(node).expect("soundness is a truth value")
    }

    /// The parts of a formula that lose their meaning outside of the focus, with the conditions under which they keep
    /// it.
    fn cautions(&self, formula: ExprId, temporal: bool) -> FxHashMap<ExprId, ExprId> {
        let is_delicate = |node: &Node| looks_ahead(&self.model, node) || is_partial(node);
        if !self.model.mentions(formula, is_delicate) {
            return FxHashMap::default();
        }
        let mut parts = self.model.context.exprs.parts([formula]);
        // Formulas may be defines.
        let mut at = 0;
        while at < parts.len() {
            if let Node::Define(define) = self.model[parts[at]] {
                let more = self.model.context.exprs.parts([self.model.body(define)]);
                parts.extend(more.into_iter().filter(|part| !parts.contains(part)).collect::<Vec<_>>());
            }
            at += 1;
        }
        let mut draft = Draft { model: self.model.clone(), focus: self.focus.clone() };
        let mut cautions = FxHashMap::default();
        for part in parts {
            if *draft.model.context.exprs.ty(part) != specwright_model::Ty::BOOL
                || draft.model.mentions(part, is_temporal)
            {
                continue;
            }
            let mut when = Vec::new();
            if draft.model.mentions(part, is_partial) {
                for var in draft.mentions(part).now {
                    when.push(draft.is_other(var, false, false));
                }
            }
            // A step counts if its target state is sound.
            if temporal && draft.model.mentions(part, |node| looks_ahead(&draft.model, node)) {
                let sound = draft.make(Node::Var(self.sound));
                when.push(draft.make(Node::Unary(UnaryOp::X, sound)));
            }
            if let Some(when) = draft.all(when) {
                cautions.insert(part, when);
            }
        }
        cautions
    }
}

/// Whether a node reads a step, not a state. Among temporal formulas, only those of linear time have such parts.
fn looks_ahead(model: &TransitionSystem, node: &Node) -> bool {
    match node {
        Node::Var(var) => model[*var].kind == VarKind::Input,
        node => matches!(node, Node::Next(_)),
    }
}

/// Whether a node is a past operator.
fn is_past(node: &Node) -> bool {
    match node {
        Node::Unary(op, _) => matches!(op, UnaryOp::Y | UnaryOp::Z | UnaryOp::O | UnaryOp::H),
        Node::Binary(op, ..) => matches!(op, BinaryOp::S | BinaryOp::T),
        Node::Bounded(op, ..) => matches!(op, BoundedOp::O | BoundedOp::H),
        _ => false,
    }
}

/// Whether a node may be undefined.
fn is_partial(node: &Node) -> bool {
    use BinaryOp::{Div, Mod, Shl, Shr};
    matches!(node, Node::Case(_) | Node::Index(..) | Node::Binary(Div | Mod | Shl | Shr, ..))
}
