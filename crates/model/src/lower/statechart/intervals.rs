//! Intervals of numbers by their assignments alone, whatever the machine does: bounds for variables whose values the
//! passes do not find.

use super::data::{assignments, constants};
use rustc_hash::FxHashMap;
use specwright_syntax::op::BinaryOp;
use specwright_syntax::statechart::ast::{Chart, Expr, ExprKind};
use std::sync::Arc;

type Interval = (i64, i64);

/// Number of rounds in which an interval grows value by value; then it grows to the next constant.
const SLOW_ROUNDS: usize = 8;

/// Maximal number of rounds.
const MAX_ROUNDS: usize = 64;

/// Maximal depth of expressions.
const MAX_DEPTH: usize = 40;

/// What is known of expressions: the values of variables, and bounds that conditions say.
struct Known<'e> {
    variables: FxHashMap<Arc<str>, Option<Interval>>,
    bounds: Vec<(&'e Expr, Interval)>,
}

/// The intervals of all variables that have one.
pub(super) fn intervals(chart: &Chart) -> FxHashMap<Arc<str>, Interval> {
    let assigned = assignments(chart);
    let constants = constants(chart);
    let empty = || Known { variables: FxHashMap::default(), bounds: Vec::new() };
    let mut known = empty();
    for datum in &chart.data {
        let start = datum.initial.as_ref().and_then(|initial| empty().interval(initial, 0));
        known.variables.insert(datum.name.text.clone(), start);
    }
    for round in 0..MAX_ROUNDS {
        let mut hold = true;
        for (name, value) in &assigned {
            let Some(Some((low, high))) = known.variables.get(*name).copied() else { continue };
            let next = value.and_then(|value| known.interval(value, 0)).map(|(a, b)| (a.min(low), b.max(high)));
            let next = next.filter(|_| round + 1 < MAX_ROUNDS).and_then(|(mut a, mut b)| {
                if round > SLOW_ROUNDS && a < low {
                    a = constants.iter().rev().copied().find(|constant| *constant <= a)?;
                }
                if round > SLOW_ROUNDS && b > high {
                    b = constants.iter().copied().find(|constant| *constant >= b)?;
                }
                Some((a, b))
            });
            hold &= next == Some((low, high));
            known.variables.insert((*name).clone(), next);
        }
        if hold {
            break;
        }
    }
    known.variables.into_iter().filter_map(|(name, interval)| Some((name, interval?))).collect()
}

impl<'e> Known<'e> {
    fn interval(&mut self, expr: &'e Expr, depth: usize) -> Option<Interval> {
        if depth > MAX_DEPTH {
            return None;
        }
        let found = match &expr.kind {
            ExprKind::Int(number) => Some((*number, *number)),
            ExprKind::Var(name) => self.variables.get(name).copied().flatten(),
            ExprKind::Neg(inner) => {
                let (low, high) = self.interval(inner, depth + 1)?;
                Some((high.checked_neg()?, low.checked_neg()?))
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.interval(a, depth + 1), self.interval(b, depth + 1)?);
                match op {
                    // The rest has the sign of the dividend.
                    BinaryOp::Mod if b.0 > 0 => {
                        let (low, high) = a.unwrap_or((i64::MIN, i64::MAX));
                        Some((low.clamp(1 - b.1, 0), high.clamp(0, b.1 - 1)))
                    }
                    BinaryOp::Add => Some((a?.0.checked_add(b.0)?, a?.1.checked_add(b.1)?)),
                    BinaryOp::Sub => Some((a?.0.checked_sub(b.1)?, a?.1.checked_sub(b.0)?)),
                    BinaryOp::Mul => {
                        let (a, mut products) = (a?, Vec::new());
                        for (x, y) in [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)] {
                            products.push(x.checked_mul(y)?);
                        }
                        products.iter().copied().min().zip(products.iter().copied().max())
                    }
                    _ => None,
                }
            }
            ExprKind::Conditional(condition, yes, no) => {
                let n = self.bounds.len();
                self.suppose(condition, true, depth + 1);
                let yes = self.interval(yes, depth + 1);
                self.bounds.truncate(n);
                self.suppose(condition, false, depth + 1);
                let no = self.interval(no, depth + 1);
                self.bounds.truncate(n);
                Some((yes?.0.min(no?.0), yes?.1.max(no?.1)))
            }
            _ => None,
        };
        let bounds = self.bounds.iter().filter(|(other, _)| same(other, expr, depth));
        let within = |interval: Option<Interval>, bound: Interval| {
            let (low, high) = interval.unwrap_or((i64::MIN, i64::MAX));
            Some((low.max(bound.0), high.min(bound.1)))
        };
        // What cannot be is any value.
        let bounded = bounds.fold(found, |interval, (_, bound)| within(interval, *bound));
        bounded.filter(|(low, high)| low <= high && *low > i64::MIN && *high < i64::MAX).or(found)
    }

    /// Adds the bounds that a condition says if it has a truth value.
    fn suppose(&mut self, condition: &'e Expr, truth: bool, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        match &condition.kind {
            ExprKind::Not(inner) => self.suppose(inner, !truth, depth + 1),
            ExprKind::Binary(BinaryOp::And, a, b) if truth => {
                self.suppose(a, true, depth + 1);
                self.suppose(b, true, depth + 1);
            }
            ExprKind::Binary(BinaryOp::Or, a, b) if !truth => {
                self.suppose(a, false, depth + 1);
                self.suppose(b, false, depth + 1);
            }
            ExprKind::Binary(op, a, b) => {
                let (of_a, of_b) = (self.interval(a, depth + 1), self.interval(b, depth + 1));
                let any = (i64::MIN, i64::MAX);
                let ((a_low, a_high), (b_low, b_high)) = (of_a.unwrap_or(any), of_b.unwrap_or(any));
                let (less, or_equal) = match (op, truth) {
                    (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => (true, false),
                    (BinaryOp::Le, true) | (BinaryOp::Gt, false) => (true, true),
                    (BinaryOp::Gt, true) | (BinaryOp::Le, false) => (false, false),
                    (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => (false, true),
                    (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => {
                        self.bounds.push((a, (b_low, b_high)));
                        self.bounds.push((b, (a_low, a_high)));
                        return;
                    }
                    _ => return,
                };
                let gap = i64::from(!or_equal);
                let (above, below) = if less { (b_high, a_low) } else { (a_high, b_low) };
                let (small, large) = if less { (a, b) } else { (b, a) };
                self.bounds.push((small, (i64::MIN, above.saturating_sub(if above == i64::MAX { 0 } else { gap }))));
                self.bounds.push((large, (below.saturating_add(if below == i64::MIN { 0 } else { gap }), i64::MAX)));
            }
            _ => {}
        }
    }
}

/// Whether two expressions of numbers are the same, wherever they are written.
fn same(a: &Expr, b: &Expr, depth: usize) -> bool {
    match (&a.kind, &b.kind) {
        _ if depth > MAX_DEPTH => false,
        (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
        (ExprKind::Var(a), ExprKind::Var(b)) => a == b,
        (ExprKind::Neg(a), ExprKind::Neg(b)) => same(a, b, depth + 1),
        (ExprKind::Binary(op, a, b), ExprKind::Binary(other, c, d)) => {
            op == other && same(a, c, depth + 1) && same(b, d, depth + 1)
        }
        (ExprKind::Conditional(guard, then, otherwise), ExprKind::Conditional(guard_b, then_b, otherwise_b)) => {
            [(guard, guard_b), (then, then_b), (otherwise, otherwise_b)].into_iter().all(|(a, b)| same(a, b, depth + 1))
        }
        _ => false,
    }
}
