//! Constraint rewriting for a focus: formulas and goals for which nothing counts that is not sound.

use super::leave::Draft;
use super::reduce::{Reduced, written};
use crate::cfsm::Rewriter;
use crate::goal::Target;
use rustc_hash::FxHashMap;
use specwright_model::model::{Property, PropertyKind, VarKind};
use specwright_model::op::BinaryOp;
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
            let Target::Falsify(formula) = self.target(Target::Falsify(property.formula.expr), Reach::Inside) else {
                unreachable!("rewriting keeps the kind of a goal")
            };
            self.model.properties.push(Property { formula: written(formula), ..property.clone() });
        }
    }

    /// A goal of the whole model, for the reduced one. The reduced model must have its expressions.
    pub fn target(&mut self, target: Target, reach: Reach) -> Target {
        // What is to be refuted must hold wherever nothing is known; what is to be shown must not.
        let inside = reach == Reach::Inside;
        match target {
            Target::Falsify(formula) => Target::Falsify(self.rewrite(formula, inside)),
            Target::Reach(formula) => Target::Reach(self.rewrite(formula, !inside)),
            Target::Show(formula) => Target::Show(self.rewrite(formula, !inside)),
        }
    }

    /// The formula in which all that is not sound is true, if it is to be `weak`, or else false.
    pub fn rewrite(&mut self, formula: ExprId, weak: bool) -> ExprId {
        let cautions = self.cautions(formula);
        let sound = self.model.make(Node::Var(self.sound)).expect("variables are well-typed");
        let begins_temporal = is_temporal(&self.model[formula]);
        let caution = move |_: &Model, expr: ExprId| cautions.get(&expr).copied();
        let mut rewriter = Rewriter::new(&mut self.model, sound, Box::new(caution));
        let rewritten = rewriter.rewrite(formula, weak);
        if begins_temporal { rewritten } else { rewriter.guard(rewritten, weak) }
    }

    /// The parts of a formula that mean nothing as they stand where something has left the kept part, and when they do.
    fn cautions(&mut self, formula: ExprId) -> FxHashMap<ExprId, ExprId> {
        let has_input = |node: &Node| match node {
            Node::Var(var) => self.model[*var].kind == VarKind::Input && self.focus.contains_key(var),
            node => matches!(node, Node::Next(_)) || is_partial(node),
        };
        if !self.model.mentions(formula, has_input) {
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
            let mentions = draft.mentions(part);
            if draft.model.mentions(part, |node| matches!(node, Node::Next(_))) {
                let sound = draft.make(Node::Var(self.sound));
                when.push(draft.make(Node::Next(sound)));
            }
            let partial = draft.model.mentions(part, is_partial);
            for var in mentions.now {
                if partial || draft.model[var].kind == VarKind::Input {
                    when.push(draft.is_other(var, false, false));
                }
            }
            if let Some(when) = draft.all(when) {
                cautions.insert(part, when);
            }
        }
        (self.model, self.focus) = (draft.model, draft.focus);
        cautions
    }
}

/// Whether a node may have no value.
fn is_partial(node: &Node) -> bool {
    use BinaryOp::{Div, Mod, Shl, Shr};
    matches!(node, Node::Case(_) | Node::Index(..) | Node::Binary(Div | Mod | Shl | Shr, ..))
}
