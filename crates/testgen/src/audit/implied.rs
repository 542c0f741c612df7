//! Whether the other properties imply a property: whether it holds on every machine over the same variables on which they do.
//!
//! The properties that constrain initial states, states or steps are themselves a machine: the most permissive one that
//! satisfies them. Every machine that satisfies them has a part of its paths. So a universal property (LTL, or CTL without
//! existential quantifiers) that holds on it is implied. If all other properties are such constraints, the permissive machine
//! satisfies them, and a property that fails on it is not implied. Everything else is undecided.

use super::safety_clause::{SafetyClause, is_universal, mentions_step, safety_clause};
use specwright_mc::{Answer, Options, Symbolic};
use specwright_model::model::{Property, PropertyKind};
use specwright_model::op::UnaryOp;
use specwright_model::{ExprId, Model, Node, SourcedExpr, TransitionSystem};
use std::sync::Arc;

/// Whether the other properties imply a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Implied {
    /// On every machine that satisfies the others, with the same variables, defines and fairness constraints, it holds.
    Yes,
    /// Some such machine violates it.
    No,
    /// Neither is known.
    Undecided,
}

impl Implied {
    /// Its name in JSON documents.
    pub fn word(self) -> &'static str {
        match self {
            Implied::Yes => "yes",
            Implied::No => "no",
            Implied::Undecided => "undecided",
        }
    }
}

/// Whether some properties of a model imply another one, within the budget of the options.
pub fn implied(model: &Model, property: usize, others: &[usize], options: &Options) -> Implied {
    let property = &model.properties[property];
    // Invariants are about all reachable states; other properties are about those on fair paths.
    let is_unfair = property.kind == PropertyKind::Invar && !(model.justice.is_empty() && model.compassion.is_empty());
    let clause = |index: &usize| {
        let other = &model.properties[*index];
        safety_clause(model, other).filter(|_| !is_unfair || other.kind == PropertyKind::Invar)
    };
    let clauses: Vec<Option<SafetyClause>> = others.iter().map(clause).collect();
    let is_permissive_whole = clauses.iter().all(Option::is_some);
    let universal = is_universal(model, property);
    if !universal && !is_permissive_whole {
        return Implied::Undecided;
    }
    let mut machine = permissive(model, clauses.into_iter().flatten());
    if is_unfair {
        machine.justice.clear();
        machine.compassion.clear();
    }
    let options = Options { traces: false, ..options.clone() };
    let Ok(mut engine) = Symbolic::new(machine, &options) else { return Implied::Undecided };
    let Some(question) = on_paths(model, property) else { return Implied::Undecided };
    match engine.check(&question) {
        Answer::Impossible(_) if universal => Implied::Yes,
        // What is false of all paths is false of those of the machine without dead ends.
        Answer::Found(_) if is_permissive_whole && (universal || ends_nowhere(&mut engine)) => Implied::No,
        _ => Implied::Undecided,
    }
}

fn ends_nowhere(engine: &mut Symbolic) -> bool {
    let sanity = engine.sanity();
    !sanity.is_partial && sanity.deadlock.is_none() && !sanity.partly_unfair && !sanity.no_initial_state
}

/// The most permissive machine that satisfies some constraints.
fn permissive(model: &Model, clauses: impl Iterator<Item = SafetyClause>) -> TransitionSystem {
    let mut machine = model.system.clone();
    machine.assigns.clear();
    machine.init.clear();
    machine.invar.clear();
    machine.trans.clear();
    let unplaced = |expr: ExprId| SourcedExpr { expr, spans: Arc::new([]) };
    for clause in clauses {
        match clause {
            SafetyClause::Initial(expr) => machine.init.push(unplaced(expr)),
            SafetyClause::Always(expr) if mentions_step(model, expr) => machine.trans.push(unplaced(expr)),
            SafetyClause::Always(expr) => machine.invar.push(unplaced(expr)),
        }
    }
    machine
}

/// A property as one of paths without end: the permissive machine may have dead ends, which no machine has.
fn on_paths(model: &Model, property: &Property) -> Option<Property> {
    let expr = property.formula.expr;
    if property.kind != PropertyKind::Invar {
        return Some(property.clone());
    }
    if mentions_step(model, expr) {
        return None;
    }
    let expr = model.make(Node::Unary(UnaryOp::AG, expr)).ok()?;
    let formula = SourcedExpr { expr, spans: property.formula.spans.clone() };
    Some(Property { kind: PropertyKind::Ctl, formula, ..property.clone() })
}
