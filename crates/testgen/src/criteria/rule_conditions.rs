//! Criteria for the conditions in the guards of rules: complete condition, missing condition and meaningful impact.
//!
//! The instances of a rule are unfolded from the same text, so their guards have the same conditions in the same order.
//! One instance is enough for a goal.

use super::builder::Builder;
use super::decisions::{is_connective, list_conditions};
use super::elements::group_of;
use specwright_model::model::Element;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Model, Node, Value};

/// Maximal number of conditions in a guard whose truth values are combined.
const MAX_CONDITIONS: usize = 8;

/// Maximal number of terms of the disjunctive normal form of a guard.
const MAX_TERMS: usize = 64;

/// A conjunction of conditions, each with its truth value.
type Term = Vec<(ExprId, bool)>;

/// A disjunction of terms.
type NormalForm = Vec<Term>;

/// Every combination of truth values of the conditions of a guarded rule.
pub(super) fn complete_condition(builder: &mut Builder<'_>) {
    for element in builder.elements("rule") {
        let instances = conditions_of(builder, &element);
        let n = instances.iter().map(|(_, conditions)| conditions.len()).max().unwrap_or(0);
        if n > MAX_CONDITIONS {
            let name = &element.name;
            let message = format!("{name} has {n} conditions, of which not all combinations are asked for");
            builder.note(element.span, message);
            continue;
        }
        for bits in 0..1usize << n {
            let mut cases = Vec::new();
            for (_, conditions) in instances.iter().filter(|(_, conditions)| conditions.len() == n) {
                let values = conditions.iter().enumerate().map(|(at, condition)| (*condition, bits >> at & 1 == 1));
                let values: Term = values.collect();
                cases.push(conjunction(builder, &values));
            }
            let word: String = (0..n).map(|at| if bits >> at & 1 == 1 { 'T' } else { 'F' }).collect();
            let description = format!("{}: its conditions are {}", element.name, if n == 0 { "none" } else { &word });
            goal(builder, &element, &cases, &word, description);
        }
    }
}

/// Every condition of a guarded rule is missed where it is left out.
pub(super) fn missing_condition(builder: &mut Builder<'_>) {
    for element in builder.elements("rule") {
        let instances = conditions_of(builder, &element);
        let n = instances.iter().map(|(_, conditions)| conditions.len()).max().unwrap_or(0);
        for at in 0..n {
            let (mut cases, mut text) = (Vec::new(), String::new());
            for (guard, conditions) in &instances {
                let Some(condition) = conditions.get(at) else { continue };
                let rest = without(builder, *guard, *condition);
                let rest = rest.unwrap_or_else(|| builder.make(Node::Const(Value::Bool(true))));
                cases.push(builder.binary(BinaryOp::Xor, *guard, rest));
                text = builder.text(*condition);
            }
            let description = format!("{}: `{text}` is missed where it is left out", element.name);
            goal(builder, &element, &cases, &(at + 1).to_string(), description);
        }
    }
}

/// Every term of a guard in disjunctive normal form is true alone, and every condition in it makes the guard false.
pub(super) fn meaningful_impact(builder: &mut Builder<'_>) {
    for element in builder.elements("rule") {
        let forms: Option<Vec<(ExprId, NormalForm)>> = element
            .instances
            .iter()
            .map(|guard| normal_form(builder.model(), *guard, true).map(|form| (*guard, irredundant(&form))))
            .collect();
        let Some(forms) = forms else {
            let message = format!("the guard of {} has more than {MAX_TERMS} terms: it is left out", element.name);
            builder.note(element.span, message);
            continue;
        };
        let n_terms = forms.iter().map(|(_, form)| form.len()).max().unwrap_or(0);
        for at in 0..n_terms {
            let mut alone = Vec::new();
            for (_, form) in forms.iter().filter(|(_, form)| at < form.len()) {
                let own = conjunction(builder, &form[at]);
                let others = form.iter().enumerate().filter(|(other, _)| *other != at);
                let others: Vec<ExprId> = others.map(|(_, term)| conjunction(builder, term)).collect();
                let others = builder.any_of(&others);
                let none = builder.not(others);
                alone.push(builder.all([own, none]));
            }
            let description = format!("{}: alternative {} of its guard holds alone", element.name, at + 1);
            goal(builder, &element, &alone, &format!("{}=true", at + 1), description);
            let n_literals = forms.iter().filter_map(|(_, form)| form.get(at)).map(Vec::len).max().unwrap_or(0);
            for literal in 0..n_literals {
                let (mut near, mut text) = (Vec::new(), String::new());
                for (guard, form) in &forms {
                    let Some(term) = form.get(at).filter(|term| literal < term.len()) else { continue };
                    let mut changed = term.clone();
                    changed[literal].1 = !changed[literal].1;
                    text = builder.text(changed[literal].0);
                    let (changed, rests) = (conjunction(builder, &changed), builder.not(*guard));
                    near.push(builder.all([changed, rests]));
                }
                let name = &element.name;
                let description = format!("{name}: `{text}` makes alternative {} and the guard false", at + 1);
                goal(builder, &element, &near, &format!("{}/{}=false", at + 1, literal + 1), description);
            }
        }
    }
}

/// The guards of an element, each with its conditions.
fn conditions_of(builder: &Builder<'_>, element: &Element) -> Vec<(ExprId, Vec<ExprId>)> {
    let conditions = |guard: &ExprId| {
        let mut conditions = Vec::new();
        list_conditions(builder.model(), *guard, &mut conditions);
        (*guard, conditions)
    };
    element.instances.iter().map(conditions).collect()
}

fn goal(builder: &mut Builder<'_>, element: &Element, cases: &[ExprId], key: &str, description: String) {
    let predicate = builder.any_of(cases);
    let key = format!("{}/{key}", element.name);
    builder.step(predicate, element.span, group_of(element), key, description);
}

fn conjunction(builder: &mut Builder<'_>, term: &[(ExprId, bool)]) -> ExprId {
    let parts: Vec<ExprId> = term.iter().map(|(expr, truth)| if *truth { *expr } else { builder.not(*expr) }).collect();
    builder.all(parts)
}

/// A formula without a condition; `None` if nothing is left of it.
fn without(builder: &mut Builder<'_>, expr: ExprId, condition: ExprId) -> Option<ExprId> {
    if expr == condition {
        return None;
    }
    let mut conditions = Vec::new();
    list_conditions(builder.model(), expr, &mut conditions);
    if !conditions.contains(&condition) || conditions == [expr] {
        return Some(expr);
    }
    match builder.model()[expr].clone() {
        Node::Unary(UnaryOp::Not, inner) => without(builder, inner, condition).map(|rest| builder.not(rest)),
        Node::Binary(op, left, right) => {
            match (without(builder, left, condition), without(builder, right, condition)) {
                (Some(left), Some(right)) => Some(builder.binary(op, left, right)),
                (Some(left), None) if op == BinaryOp::Implies => Some(builder.not(left)),
                (rest, None) | (None, rest) => rest,
            }
        }
        _ => Some(expr),
    }
}

/// The disjunctive normal form of a formula, or of its negation, over its conditions; `None` if it has too many terms.
fn normal_form(model: &Model, expr: ExprId, truth: bool) -> Option<NormalForm> {
    let form = match model[expr].clone() {
        Node::Const(Value::Bool(value)) if value == truth => vec![Vec::new()],
        Node::Const(Value::Bool(_)) => Vec::new(),
        _ if !is_connective(model, expr) => vec![vec![(expr, truth)]],
        Node::Unary(UnaryOp::Not, inner) => normal_form(model, inner, !truth)?,
        Node::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), left, right) => {
            let left = normal_form(model, left, truth != (op == BinaryOp::Implies))?;
            let right = normal_form(model, right, truth)?;
            if (op == BinaryOp::And) == truth { product(&left, &right)? } else { [left, right].concat() }
        }
        Node::Binary(op, left, right) => {
            // The others compare truth values.
            let same = !matches!(op, BinaryOp::Xor | BinaryOp::Ne) == truth;
            let both = product(&normal_form(model, left, true)?, &normal_form(model, right, same)?)?;
            let neither = product(&normal_form(model, left, false)?, &normal_form(model, right, !same)?)?;
            [both, neither].concat()
        }
        _ => vec![vec![(expr, truth)]],
    };
    (form.len() <= MAX_TERMS).then_some(form)
}

/// The conjunctions of two normal forms without those that contradict themselves; `None` if there are too many.
fn product(left: &NormalForm, right: &NormalForm) -> Option<NormalForm> {
    if left.len() * right.len() > MAX_TERMS {
        return None;
    }
    let mut all = Vec::new();
    for one in left {
        for other in right {
            let mut term = one.clone();
            term.extend(other.iter().filter(|literal| !one.contains(literal)));
            if !term.iter().any(|(expr, truth)| term.contains(&(*expr, !truth))) {
                all.push(term);
            }
        }
    }
    Some(all)
}

/// A normal form without terms that others imply.
fn irredundant(form: &[Term]) -> NormalForm {
    let implied = |at: usize, term: &Term| {
        form.iter().enumerate().any(|(other, wider)| {
            let is_wider = wider.iter().all(|literal| term.contains(literal));
            other != at && is_wider && (wider.len() < term.len() || other < at)
        })
    };
    let kept = form.iter().enumerate().filter(|(at, term)| !implied(*at, term));
    kept.map(|(_, term)| term.clone()).collect()
}
