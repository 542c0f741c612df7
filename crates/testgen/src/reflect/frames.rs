//! Frame conditions that need the engine: variables that keep their values whenever another one does.
//!
//! "`mode` and `level` never change together" cannot be enumerated if `level` has thousands of values. But if `alarm`
//! changes only when `level` does, "`mode` and `alarm` never change together" follows, and that can be.

use super::cx::Cx;
use super::{Clause, Pending, Reflection};
use crate::reflect::literal::Literal;
use specwright_mc::Symbolic;
use specwright_model::model::{Property, PropertyKind, VarKind};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Model, Node, SourcedExpr, VarId};
use specwright_syntax::span::Span;
use std::sync::Arc;

/// Restates what needs the engine. The engine must be that of the reflected model.
pub fn settle(model: &mut Model, engine: &mut Symbolic, reflection: &mut Reflection) {
    let mut found: Vec<Clause> = Vec::new();
    for pending in std::mem::take(&mut reflection.pending) {
        let followers = followers(model, engine, reflection, pending.var);
        let mut cx = Cx::new(model, reflection.options);
        let before = found.len();
        for follower in followers {
            found.extend(cx.follow(&pending, follower));
        }
        if found.len() == before {
            cx.note_unrelated(&pending.site, super::relate::Unrelated::Large(pending.var));
        }
        let new = cx.notes.into_iter().filter(|note| !reflection.notes.contains(note));
        reflection.notes.extend(new.collect::<Vec<_>>());
    }
    // New clauses continue the numbering of their constraint.
    for mut clause in found {
        let same = |other: &Clause| other.origin == clause.origin && is_part(&other.name, &clause.name);
        let number = reflection.clauses.iter().filter(|other| same(other)).count() + 1;
        let at = reflection.clauses.iter().rposition(same).map_or(reflection.clauses.len(), |at| at + 1);
        clause.name = format!("{} part {number}", clause.name);
        clause.id = format!("{}_{number}", clause.id);
        reflection.clauses.insert(at, clause);
    }
    reflection.make_unique();
}

fn is_part(name: &str, site: &str) -> bool {
    name.strip_prefix(site).is_some_and(|rest| rest.is_empty() || rest.starts_with(" part "))
}

/// The variables with few values that change, but only when the leader does.
fn followers(model: &Model, engine: &mut Symbolic, reflection: &Reflection, leader: VarId) -> Vec<VarId> {
    let small = |(var, declared): &(VarId, &specwright_model::model::Var)| {
        let few = declared.domain.size().is_some_and(|size| size <= reflection.options.max_values as u128);
        few && *var != leader && declared.kind == VarKind::State && !reflection.shadows.contains(var)
    };
    let candidates: Vec<VarId> = model.vars().filter(small).map(|(var, _)| var).collect();
    let mut followers = Vec::new();
    for var in candidates {
        let (led, stays) = (stays(model, leader), stays(model, var));
        let follows = make(model, Node::Binary(BinaryOp::Implies, led, stays));
        if always(engine, follows) && !always(engine, stays) {
            followers.push(var);
        }
    }
    followers
}

fn always(engine: &mut Symbolic, expr: ExprId) -> bool {
    let formula = SourcedExpr { expr, spans: Arc::new([]) };
    let property = Property { name: None, kind: PropertyKind::Invar, formula, target: None, span: Span::NONE };
    engine.is_violated(&property).is_impossible()
}

/// `next(x) = x`
fn stays(model: &Model, var: VarId) -> ExprId {
    let now = make(model, Node::Var(var));
    let next = make(model, Node::Next(now));
    make(model, Node::Binary(BinaryOp::Eq, next, now))
}

fn make(model: &Model, node: Node) -> ExprId {
    model.make(node).expect("a variable has the type of its next value")
}

impl Cx<'_> {
    /// The clauses of a forbidden product, with the change of one variable replaced by that of another.
    fn follow(&mut self, pending: &Pending, follower: VarId) -> Vec<Clause> {
        let mut product = pending.product.clone();
        let Some(at) = self.changes(&product, pending.var) else { return Vec::new() };
        let span = product[at].tree.span();
        let now = self.leaf(Node::Var(follower), span).expect("variables have types");
        let node = Node::Next(now.expr);
        let next = self.join(node, span, std::slice::from_ref(&now)).expect("variables have next values");
        let node = Node::Binary(BinaryOp::Eq, next.expr, now.expr);
        let stays = self.join(node, span, &[next, now]).expect("a variable has the type of its next value");
        let node = Node::Unary(UnaryOp::Not, stays.expr);
        let changes = self.join(node, span, &[stays]).expect("a comparison is boolean");
        product[at] = Literal { tree: changes, ..product[at].clone() };
        if self.is_contradiction(&product) {
            return Vec::new();
        }
        let mut more = Vec::new();
        let clauses = self.forbid(&pending.site, &product, &mut more);
        for pending in more {
            self.note_unrelated(&pending.site, super::relate::Unrelated::Large(pending.var));
        }
        clauses
    }
}
