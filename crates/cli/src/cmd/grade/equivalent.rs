//! Why a mutant is equivalent: whether what was changed makes a difference anywhere.

use specwright::Graded;
use specwright_mc::{Answer, Options, Proof, Query, Symbolic};
use specwright_model::op::{BinaryOp, Logic, UnaryOp};
use specwright_model::trace::to_table;
use specwright_model::typing::is_temporal;
use specwright_model::{ExprId, Model, Node, Ty};
use specwright_testgen::goal::Goal;

/// The explanation; nothing if the original is not at hand, or the question is undecided.
pub(super) fn why(outcome: &Graded, goal: &Goal, options: &Options) -> Option<String> {
    let Query::Falsify(mutant) = goal.target else { return None };
    let original = outcome.model.properties[goal.property?].formula.expr;
    let (old, new) = change(&outcome.model, original, mutant)?;
    let mut engine = Symbolic::new(outcome.model.system.clone(), options).ok()?;
    let model = engine.system();
    let same = model.make(Node::Binary(BinaryOp::Iff, old, new)).ok()?;
    let pursuit = if model.mentions(same, is_temporal) {
        let always = model.make(Node::Unary(UnaryOp::AG, same)).ok()?;
        engine.falsify(always)
    } else {
        let differ = model.make(Node::Unary(UnaryOp::Not, same)).ok()?;
        engine.reach(differ)
    };
    let model = engine.system();
    let both = format!("`{}` and `{}`", model.show_expr(old), model.show_expr(new));
    match pursuit {
        Answer::Impossible(Proof::Infeasible) => {
            Some(format!("{both} are the same in every state that the model can reach\n"))
        }
        Answer::Found(trace) => {
            let table = to_table(model, &trace);
            Some(format!("{both} differ at the end of this execution, but the claim is true with either:\n\n{table}"))
        }
        _ => None,
    }
}

/// The smallest truth values of two formulas that differ, and that states can tell.
fn change(model: &Model, mut old: ExprId, mut new: ExprId) -> Option<(ExprId, ExprId)> {
    let linear = |node: &Node| match node {
        Node::Unary(op, _) => op.logic() == Some(Logic::Ltl),
        Node::Binary(op, ..) => op.logic() == Some(Logic::Ltl),
        Node::Bounded(op, ..) => op.logic() == Logic::Ltl,
        Node::Next(_) | Node::BoundedUntil(..) => true,
        _ => false,
    };
    let mut found = None;
    while old != new {
        let is_told = |part: ExprId| *model.context.exprs.ty(part) == Ty::BOOL && !model.mentions(part, linear);
        if is_told(old) && is_told(new) {
            found = Some((old, new));
        }
        let shape = |node: &Node| node.map_children(|_| old);
        let (a, b) = (&model[old], &model[new]);
        let (parts, others) = (a.children(), b.children());
        let mut differing = parts.iter().zip(&others).filter(|(a, b)| a != b);
        match (differing.next(), differing.next()) {
            (Some((a_part, b_part)), None) if parts.len() == others.len() && shape(a) == shape(b) => {
                (old, new) = (*a_part, *b_part);
            }
            _ => break,
        }
    }
    found
}
