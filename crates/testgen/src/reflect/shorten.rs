//! Shortening of clauses: removal of conditions that are superfluous on the machine.
//!
//! The fewer conditions a clause has, the more of its mutants tests can distinguish. Conditions are tried one at a
//! time, in this order: negated guards of earlier branches, expounded ones, enumerated values, those of the source;
//! among these the last before the first. A condition is dropped if the clause still holds on the machine without it.
//! One pass gives a minimal clause: dropping conditions strengthens a clause, so a condition that could not be dropped
//! at first cannot be dropped later.

use crate::reflect::cx::Cx;
use crate::reflect::literal::{Literal, Product, Role, When};
use crate::reflect::{Clause, Reflection};
use specwright_mc::{Answer, Proof, Symbolic};
use specwright_model::Model;
use specwright_model::model::{Property, PropertyKind};
use specwright_syntax::span::Span;

/// The conditions that may be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortening {
    /// Only negated guards of earlier branches, as by Ammann and Black: own guards and expounded defaults are kept.
    Subtracted,
    /// All superfluous conditions.
    All,
}

/// Shortens all clauses, and finds the vacuous ones. The engine must be that of the reflected model.
/// The observer is called for every clause.
pub fn shorten(
    model: &mut Model,
    engine: &mut Symbolic,
    reflection: &mut Reflection,
    shortening: Shortening,
    observe: &mut dyn FnMut(usize),
) {
    for (number, clause) in reflection.clauses.iter_mut().enumerate() {
        observe(number);
        shorten_clause(model, engine, clause, shortening);
        clause.vacuous = is_vacuous(model, engine, clause);
    }
    reflection.make_unique();
}

/// Shortens one clause.
pub(crate) fn shorten_clause(model: &mut Model, engine: &mut Symbolic, clause: &mut Clause, shortening: Shortening) {
    let roles: &[Role] = match shortening {
        Shortening::Subtracted => &[Role::Subtracted],
        Shortening::All => &Role::SUPERFLUOUS_FIRST,
    };
    for role in roles {
        for at in (0..clause.product.len()).rev() {
            if clause.product[at].role != *role {
                continue;
            }
            let mut shorter = clause.product.clone();
            shorter.remove(at);
            if let Some(formula) = holds(model, engine, clause, &shorter) {
                (clause.product, clause.formula) = (shorter, formula);
            }
        }
    }
}

/// The formula of a clause with these conditions, if it holds.
fn holds(
    model: &mut Model,
    engine: &mut Symbolic,
    clause: &Clause,
    product: &[Literal],
) -> Option<specwright_model::SourcedExpr> {
    let formula = with_cx(model, |cx| cx.formula(clause.scope, product, &clause.claim));
    let kind = PropertyKind::Ctl;
    let property = Property { name: None, kind, formula: formula.clone(), target: None, span: Span::NONE };
    // If it is undecided, the condition stays.
    engine.is_violated(&property).is_impossible().then_some(formula)
}

/// Whether the conditions of a clause are never met: then it holds for want of opportunity.
fn is_vacuous(model: &mut Model, engine: &mut Symbolic, clause: &Clause) -> Option<bool> {
    if clause.scope == crate::reflect::Scope::Initial {
        return None;
    }
    let met = with_cx(model, |cx| conditions(cx, &clause.product));
    let Some(met) = met else { return Some(false) };
    match engine.is_reachable(met) {
        Answer::Found(()) => Some(false),
        Answer::Impossible(Proof::Infeasible) => Some(true),
        _ => None,
    }
}

/// The conjunction of all conditions, as an expression over a step.
fn conditions(cx: &mut Cx<'_>, product: &Product) -> Option<specwright_model::ExprId> {
    let mut trees = Vec::new();
    for literal in product {
        let node = specwright_model::Node::Next(literal.tree.expr);
        let tree = match literal.when {
            When::Next => cx.join(node, Span::NONE, std::slice::from_ref(&literal.tree)).ok()?,
            _ => literal.tree.clone(),
        };
        trees.push(tree);
    }
    cx.all(&trees).map(|tree| tree.expr)
}

fn with_cx<T>(model: &mut Model, work: impl FnOnce(&mut Cx<'_>) -> T) -> T {
    work(&mut Cx::new(model, crate::reflect::Options::default()))
}
