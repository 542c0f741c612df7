//! Properties that say what initial states, states or steps are allowed, as constraints on a machine.

use specwright_model::model::{Property, PropertyKind, VarKind};
use specwright_model::op::{BinaryOp, Logic, UnaryOp};
use specwright_model::typing::is_temporal;
use specwright_model::{ExprId, Model, Node};

/// What a property says, if it says it of initial states, of all states or of all steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SafetyClause {
    /// What initial states satisfy.
    Initial(ExprId),
    /// What reachable states satisfy; or steps from them, if it mentions inputs or next values.
    Always(ExprId),
}

/// The property as a constraint on machines: a machine satisfies the property if and only if its initial states, or the states
/// and steps of its paths, satisfy the constraint. Nothing for properties of another kind.
pub fn safety_clause(model: &Model, property: &Property) -> Option<SafetyClause> {
    let formula = through_defines(model, property.formula.expr);
    let is_ctl = match property.kind {
        PropertyKind::Invar => return Some(SafetyClause::Always(formula)),
        PropertyKind::Ctl | PropertyKind::Psl(Logic::Ctl) => true,
        PropertyKind::Ltl | PropertyKind::Psl(Logic::Ltl) => false,
        PropertyKind::ComputeMin | PropertyKind::ComputeMax => return None,
    };
    if !model.mentions(formula, is_temporal) {
        // What it says of a step from an initial state is no constraint on states.
        return (!mentions_step(model, formula)).then_some(SafetyClause::Initial(formula));
    }
    match model[formula] {
        Node::Unary(UnaryOp::AG, body) if is_ctl => Some(SafetyClause::Always(step(model, body, true)?.0)),
        Node::Unary(UnaryOp::G, body) if !is_ctl => Some(SafetyClause::Always(step(model, body, false)?.0)),
        _ => None,
    }
}

/// What a property says of all reachable states or steps: a machine on which all infinite paths are fair and no path ends violates
/// the property if and only if it reaches a state or a step in which this is false.
pub(super) fn always_claim(model: &Model, property: &Property) -> Option<ExprId> {
    let Some(SafetyClause::Always(claim)) = safety_clause(model, property) else { return None };
    let is_ctl = matches!(property.kind, PropertyKind::Ctl | PropertyKind::Psl(Logic::Ctl));
    let reads_input = |node: &Node| matches!(node, Node::Var(var) if model[*var].kind == VarKind::Input);
    // Formulas of CTL are about states; what one with inputs says of a step is another matter.
    (!(is_ctl && model.mentions(claim, reads_input))).then_some(claim)
}

/// The body of a define that stands for a formula.
fn through_defines(model: &Model, mut expr: ExprId) -> ExprId {
    while let Node::Define(define) = model[expr] {
        expr = model.body(define);
    }
    expr
}

/// A formula about a state and its successor as an expression over both; and whether it speaks of the successor.
///
/// `AX p | AX q` is weaker than what each step satisfies, so only one operand of a disjunction may speak of successors in CTL.
fn step(model: &Model, expr: ExprId, is_ctl: bool) -> Option<(ExprId, bool)> {
    let expr = through_defines(model, expr);
    if !model.mentions(expr, is_temporal) {
        return Some((expr, false));
    }
    let next = |inner: ExprId| {
        let is_plain = !model.mentions(inner, is_temporal) && !mentions_step(model, inner);
        let next = is_plain.then(|| model.make(Node::Next(inner)).ok()).flatten()?;
        Some((next, true))
    };
    match model[expr] {
        Node::Unary(UnaryOp::AX, inner) if is_ctl => next(inner),
        Node::Unary(UnaryOp::X, inner) if !is_ctl => next(inner),
        Node::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), left, right) => {
            let (left, left_steps) = step(model, left, is_ctl)?;
            let (right, right_steps) = step(model, right, is_ctl)?;
            // A negated `AX` asks for some successor.
            let is_negative = is_ctl && op == BinaryOp::Implies && left_steps;
            let is_weaker = is_ctl && op != BinaryOp::And && left_steps && right_steps;
            if is_negative || is_weaker {
                return None;
            }
            Some((model.make(Node::Binary(op, left, right)).ok()?, left_steps || right_steps))
        }
        Node::Unary(UnaryOp::Not, inner) if !is_ctl => {
            let (inner, steps) = step(model, inner, is_ctl)?;
            Some((model.make(Node::Unary(UnaryOp::Not, inner)).ok()?, steps))
        }
        _ => None,
    }
}

/// Whether an expression speaks of inputs or of the next state.
pub(super) fn mentions_step(model: &Model, expr: ExprId) -> bool {
    model.mentions(expr, |node| match node {
        Node::Next(_) => true,
        Node::Var(var) => model[*var].kind == VarKind::Input,
        _ => false,
    })
}

/// Whether a property holds on a machine if it holds on one with more behaviour.
pub(super) fn is_universal(model: &Model, property: &Property) -> bool {
    use UnaryOp::{AF, AG, AX, EF, EG, EX, Not};
    match property.kind {
        PropertyKind::Ctl | PropertyKind::Psl(Logic::Ctl) => {}
        PropertyKind::Invar | PropertyKind::Ltl | PropertyKind::Psl(Logic::Ltl) => return true,
        PropertyKind::ComputeMin | PropertyKind::ComputeMax => return false,
    }
    let mut open = vec![(property.formula.expr, true)];
    while let Some((expr, is_positive)) = open.pop() {
        if !model.mentions(expr, is_temporal) {
            continue;
        }
        match model[expr] {
            Node::Define(define) => open.push((model.body(define), is_positive)),
            Node::Unary(Not, inner) => open.push((inner, !is_positive)),
            Node::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                open.extend([(left, is_positive), (right, is_positive)]);
            }
            Node::Binary(BinaryOp::Implies, left, right) => open.extend([(left, !is_positive), (right, is_positive)]),
            Node::Unary(AX | AF | AG, inner) if is_positive => open.push((inner, true)),
            Node::Unary(EX | EF | EG, inner) if !is_positive => open.push((inner, false)),
            Node::Binary(BinaryOp::AU, left, right) if is_positive => open.extend([(left, true), (right, true)]),
            Node::Binary(BinaryOp::EU, left, right) if !is_positive => open.extend([(left, false), (right, false)]),
            _ => return false,
        }
    }
    true
}
