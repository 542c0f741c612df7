//! Uses of a number: whether it is only compared with constants and with its own next value.

use rustc_hash::FxHashSet;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Node, TransitionSystem, Value, VarId};
use std::collections::BTreeSet;

/// `now * x + next * next(x) + constant`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Linear {
    now: i64,
    next: i64,
    constant: i64,
}

impl Linear {
    fn combine(self, other: Linear, factor: i64) -> Option<Linear> {
        let sum = |a: i64, b: i64| a.checked_add(b.checked_mul(factor)?);
        Some(Linear {
            now: sum(self.now, other.now)?,
            next: sum(self.next, other.next)?,
            constant: sum(self.constant, other.constant)?,
        })
    }

    fn is_constant(self) -> bool {
        self.now == 0 && self.next == 0
    }
}

/// A linear term that is compared with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A comparison of the variable, now or next, with a constant: the threshold.
    Threshold(i64),
    /// A comparison of its change with a constant: the threshold.
    Change(i64),
}

/// The uses of a variable.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// The constants that it is compared with.
    pub(super) thresholds: BTreeSet<i64>,
    /// The constants that its change is compared with, except for tests of whether it changes.
    pub(super) changes: BTreeSet<i64>,
    /// A use of another kind.
    pub(super) obstacle: Option<ExprId>,
}

/// The uses of a variable in expressions.
pub(super) fn uses(model: &TransitionSystem, var: VarId, exprs: impl IntoIterator<Item = ExprId>) -> Uses {
    let mut uses = Uses::default();
    let mut seen = FxHashSet::default();
    let mut waiting: Vec<(ExprId, bool)> = exprs.into_iter().map(|expr| (expr, false)).collect();
    while let Some((expr, next)) = waiting.pop() {
        if !seen.insert((expr, next)) {
            continue;
        }
        if let Some(forms) = comparison(model, var, expr, next) {
            for form in forms {
                match form {
                    Form::Threshold(at) => uses.thresholds.insert(at),
                    Form::Change(by) => uses.changes.insert(by),
                };
            }
            continue;
        }
        match &model[expr] {
            Node::Define(define) => waiting.push((model.body(*define), next)),
            Node::Next(inner) => waiting.push((*inner, true)),
            node => {
                let children = node.children();
                // The parent expression shows how it is used.
                if children.iter().any(|child| is_value_of(model, *child, var)) && uses.obstacle.is_none() {
                    uses.obstacle = Some(expr);
                }
                if *node == Node::Var(var) && uses.obstacle.is_none() {
                    uses.obstacle = Some(expr);
                }
                waiting.extend(children.into_iter().map(|child| (child, next)));
            }
        }
    }
    uses
}

/// Whether an expression is the value of a variable, now or next.
fn is_value_of(model: &TransitionSystem, expr: ExprId, var: VarId) -> bool {
    match model[expr] {
        Node::Var(other) => other == var,
        Node::Next(inner) => model[inner] == Node::Var(var),
        _ => false,
    }
}

/// The linear terms of a comparison that reads only this variable. `x = next(x)` has no relevant term.
fn comparison(model: &TransitionSystem, var: VarId, expr: ExprId, next: bool) -> Option<Vec<Form>> {
    let Node::Binary(op, left, right) = model[expr] else { return None };
    if op.is_relational() {
        let difference = linear(model, var, left, next)?.combine(linear(model, var, right, next)?, -1)?;
        return match form(difference)? {
            Form::Change(0) if matches!(op, BinaryOp::Eq | BinaryOp::Ne) => Some(Vec::new()),
            form => Some(vec![form]),
        };
    }
    if op != BinaryOp::In {
        return None;
    }
    let left = linear(model, var, left, next)?;
    let members = members(model, right)?;
    let ends = members.into_iter().flat_map(|(low, high)| [low, high]);
    let forms = ends.map(|end| form(left.combine(linear(model, var, end, next)?, -1)?));
    forms.collect::<Option<Vec<Form>>>().filter(|forms| !forms.is_empty())
}

/// The elements of a set as single comparisons, if some are about the change of a variable and others about its value.
pub(super) fn members_apart(model: &TransitionSystem, var: VarId, expr: ExprId) -> Option<Vec<ExprId>> {
    let Node::Binary(BinaryOp::In, left, right) = model[expr] else { return None };
    let forms = comparison(model, var, expr, false)?;
    let changes = forms.iter().filter(|form| matches!(form, Form::Change(_))).count();
    if changes == 0 || changes == forms.len() {
        return None;
    }
    let members = members(model, right)?;
    let compare = |op, a, b| model.make(Node::Binary(op, a, b)).expect("numbers can be compared");
    let member = |(low, high): (ExprId, ExprId)| {
        if low == high {
            return compare(BinaryOp::Eq, left, low);
        }
        let (above, below) = (compare(BinaryOp::Ge, left, low), compare(BinaryOp::Le, left, high));
        compare(BinaryOp::And, above, below)
    };
    Some(members.into_iter().map(member).collect())
}

/// The elements of a set, as ranges.
fn members(model: &TransitionSystem, set: ExprId) -> Option<Vec<(ExprId, ExprId)>> {
    let mut members = Vec::new();
    let mut waiting = vec![set];
    while let Some(expr) = waiting.pop() {
        match &model[expr] {
            Node::Set(items) => waiting.extend(items.iter().copied()),
            Node::Binary(BinaryOp::Union, a, b) => waiting.extend([*a, *b]),
            Node::Range(low, high) => members.push((*low, *high)),
            Node::Define(define) => waiting.push(model.body(*define)),
            Node::Case(_) | Node::Ite(..) => return None,
            _ => members.push((expr, expr)),
        }
    }
    Some(members)
}

/// The threshold of a comparison with zero.
fn form(Linear { now, next, constant }: Linear) -> Option<Form> {
    // A threshold between two numbers is rounded down; callers also consider its neighbours.
    let at = |factor: i64| constant.checked_neg()?.checked_div_euclid(factor);
    match (now, next) {
        (0, 0) => None,
        (0, factor) | (factor, 0) => at(factor).map(Form::Threshold),
        _ if now.checked_add(next) == Some(0) => at(next).map(Form::Change),
        _ => None,
    }
}

fn linear(model: &TransitionSystem, var: VarId, expr: ExprId, next: bool) -> Option<Linear> {
    stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || match &model[expr] {
        Node::Const(Value::Int(constant)) => Some(Linear { constant: *constant, ..Linear::default() }),
        Node::Var(other) if *other == var => {
            Some(if next { Linear { next: 1, ..Linear::default() } } else { Linear { now: 1, ..Linear::default() } })
        }
        Node::Define(define) => linear(model, var, model.body(*define), next),
        Node::Next(inner) => linear(model, var, *inner, true),
        Node::Unary(UnaryOp::Neg, inner) => Linear::default().combine(linear(model, var, *inner, next)?, -1),
        Node::Binary(BinaryOp::Add, a, b) => linear(model, var, *a, next)?.combine(linear(model, var, *b, next)?, 1),
        Node::Binary(BinaryOp::Sub, a, b) => linear(model, var, *a, next)?.combine(linear(model, var, *b, next)?, -1),
        Node::Binary(BinaryOp::Mul, a, b) => {
            let (a, b) = (linear(model, var, *a, next)?, linear(model, var, *b, next)?);
            let (factor, other) = if a.is_constant() { (a, b) } else { (b, a) };
            factor.is_constant().then(|| Linear::default().combine(other, factor.constant))?
        }
        _ => None,
    })
}

/// Whether a comparison is true for a given change of the variable; `None` if it is not about the change.
pub(super) fn truth_of_change(model: &TransitionSystem, var: VarId, expr: ExprId, by: i128) -> Option<bool> {
    let forms = comparison(model, var, expr, false)?;
    if forms.is_empty() || forms.iter().any(|form| matches!(form, Form::Threshold(_))) {
        return None;
    }
    let value = |expr| {
        // Only the change matters, so the variable itself may be zero.
        let Linear { next, constant, .. } = linear(model, var, expr, false)?;
        Some(i128::from(next) * by + i128::from(constant))
    };
    let Node::Binary(op, left, right) = model[expr] else { return None };
    let number = value(left)?;
    if op == BinaryOp::In {
        let mut members = members(model, right)?.into_iter().map(|(low, high)| Some((value(low)?, value(high)?)));
        return members.try_fold(false, |found, member| {
            let (low, high) = member?;
            Some(found || (low..=high).contains(&number))
        });
    }
    let other = value(right)?;
    Some(match op {
        BinaryOp::Eq => number == other,
        BinaryOp::Ne => number != other,
        BinaryOp::Lt => number < other,
        BinaryOp::Le => number <= other,
        BinaryOp::Gt => number > other,
        _ => number >= other,
    })
}

/// The value of a constant expression.
pub(super) fn constant(model: &TransitionSystem, expr: ExprId) -> Option<i64> {
    // No variable has this id, so the term has no variable.
    linear(model, VarId(u32::MAX), expr, false).map(|linear| linear.constant)
}
