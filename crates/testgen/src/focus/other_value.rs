//! Expressions in the reduced model, in which a variable may have the value "other".

use super::keep::Keep;
use super::reduce::Unreducible;
use rustc_hash::FxHashMap;
use specwright_model::model::VarKind;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{Domain, ExprId, Model, Node, Ty, Value, VarId, Word};
use std::collections::BTreeSet;

/// The reduced model under construction.
pub(super) struct Draft {
    pub(super) model: Model,
    /// For each variable in focus, its kept values and the value "other".
    pub(super) focus: FxHashMap<VarId, (Keep, ExprId)>,
}

/// The variables in focus that an expression reads.
#[derive(Default)]
pub(super) struct Mentions {
    pub(super) now: BTreeSet<VarId>,
    pub(super) next: BTreeSet<VarId>,
}

impl Draft {
    pub(super) fn make(&mut self, node: Node) -> ExprId {
        self.model.make(node).expect("reducing keeps expressions well-typed")
    }

    pub(super) fn truth(&mut self, truth: bool) -> ExprId {
        self.make(Node::Const(Value::Bool(truth)))
    }

    /// The conjunction; `None` if there are no parts.
    pub(super) fn all(&mut self, parts: impl IntoIterator<Item = ExprId>) -> Option<ExprId> {
        parts.into_iter().reduce(|all, part| self.make(Node::Binary(BinaryOp::And, all, part)))
    }

    /// The variables in focus that an expression reads, with defines resolved.
    pub(super) fn mentions(&self, expr: ExprId) -> Mentions {
        let mut mentions = Mentions::default();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut waiting = vec![(expr, false)];
        while let Some((expr, next)) = waiting.pop() {
            if !seen.insert((expr, next)) {
                continue;
            }
            match &self.model[expr] {
                Node::Var(var) if self.focus.contains_key(var) => {
                    // A frozen variable has the same value in the next state.
                    let next = next && self.model[*var].kind == VarKind::State;
                    if next {
                        mentions.next.insert(*var)
                    } else {
                        mentions.now.insert(*var)
                    };
                }
                Node::Define(define) => waiting.push((self.model.body(*define), next)),
                Node::Next(inner) => waiting.push((*inner, true)),
                node => node.for_each_child(|child| waiting.push((child, next))),
            }
        }
        mentions
    }

    /// The condition that a variable has, or does not have, the value "other".
    pub(super) fn is_other(&mut self, var: VarId, next: bool, truth: bool) -> ExprId {
        let other = self.focus[&var].1;
        let mut value = self.make(Node::Var(var));
        if next {
            value = self.make(Node::Next(value));
        }
        match self.model[other] {
            Node::Const(Value::Bool(other)) if other == truth => value,
            Node::Const(Value::Bool(_)) => self.make(Node::Unary(UnaryOp::Not, value)),
            _ => self.make(Node::Binary(if truth { BinaryOp::Eq } else { BinaryOp::Ne }, value, other)),
        }
    }

    /// For each variable in focus that an expression reads, the condition that it has, or does not have, the value
    /// "other".
    fn each_other(&mut self, expr: ExprId, truth: bool) -> Vec<ExprId> {
        let Mentions { now, next } = self.mentions(expr);
        let now: Vec<ExprId> = now.into_iter().map(|var| self.is_other(var, false, truth)).collect();
        let next = next.into_iter().map(|var| self.is_other(var, true, truth));
        now.into_iter().chain(next.collect::<Vec<_>>()).collect()
    }

    /// The condition under which an expression has its value of the whole model; `None` if it always has.
    pub(super) fn trusted(&mut self, expr: ExprId) -> Option<ExprId> {
        let parts = self.each_other(expr, false);
        self.all(parts)
    }

    /// The negation of [`trusted`](Draft::trusted).
    pub(super) fn distrusted(&mut self, expr: ExprId) -> Option<ExprId> {
        let parts = self.each_other(expr, true);
        parts.into_iter().reduce(|any, part| self.make(Node::Binary(BinaryOp::Or, any, part)))
    }

    /// A value that is assigned to a variable in focus, with "other" for values that are not kept.
    pub(super) fn kept(&mut self, var: VarId, expr: ExprId) -> Result<ExprId, Unreducible> {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.compute_kept(var, expr))
    }

    fn compute_kept(&mut self, var: VarId, expr: ExprId) -> Result<ExprId, Unreducible> {
        let (Keep { values, .. }, other) = self.focus[&var].clone();
        if self.model[var].domain == Domain::Bool {
            return Ok(expr);
        }
        Ok(match self.model[expr].clone() {
            Node::Const(value) if values.contains(value) => expr,
            Node::Const(_) => other,
            Node::Var(same) if same == var => expr,
            Node::Case(branches) => {
                let branches = branches.iter().map(|(guard, value)| Ok((*guard, self.kept(var, *value)?)));
                let branches = branches.collect::<Result<_, _>>()?;
                self.make(Node::Case(branches))
            }
            Node::Ite(condition, a, b) => {
                let (a, b) = (self.kept(var, a)?, self.kept(var, b)?);
                self.make(Node::Ite(condition, a, b))
            }
            Node::Set(items) => {
                let items = items.iter().map(|item| self.kept(var, *item)).collect::<Result<Vec<_>, _>>()?;
                self.any_of(items)
            }
            Node::Binary(BinaryOp::Union, a, b) => {
                let (a, b) = (self.kept(var, a)?, self.kept(var, b)?);
                self.any_of(vec![a, b])
            }
            Node::Range(low, high) => self.kept_of_range(var, low, high)?,
            Node::Define(define) if matches!(self.model.context.exprs.ty(expr), Ty::Set(_)) => {
                self.kept(var, self.model.body(define))?
            }
            _ if matches!(self.model.context.exprs.ty(expr), Ty::Set(_)) => return Err(Unreducible { var, expr }),
            _ => {
                let inside = self.is_kept(&values, expr);
                self.make(Node::Ite(inside, expr, other))
            }
        })
    }

    /// The condition that a value is kept.
    pub(super) fn is_kept(&mut self, values: &Domain, expr: ExprId) -> ExprId {
        if let Domain::Range(low, high) = values
            && let Some((part, range)) = self.shifted(expr, *low, *high)
        {
            return match range {
                Some((from, to)) => self.is_kept(&Domain::Range(from, to), part),
                None => self.truth(false),
            };
        }
        match values {
            Domain::Range(low, high) if low == high => {
                let low = self.make(Node::Const(Value::Int(*low)));
                self.make(Node::Binary(BinaryOp::Eq, expr, low))
            }
            Domain::Range(low, high) => {
                let [low, high] = [*low, *high].map(|end| self.make(Node::Const(Value::Int(end))));
                let (above, below) = (Node::Binary(BinaryOp::Ge, expr, low), Node::Binary(BinaryOp::Le, expr, high));
                let (above, below) = (self.make(above), self.make(below));
                self.make(Node::Binary(BinaryOp::And, above, below))
            }
            values if matches!(values.value_at(0), Some(Value::Word(_))) => {
                let runs = runs(values);
                let runs: Vec<ExprId> = runs.into_iter().map(|(low, high)| self.between(expr, low, high)).collect();
                let any = runs.into_iter().reduce(|any, run| self.make(Node::Binary(BinaryOp::Or, any, run)));
                any.expect("something is kept")
            }
            values => {
                let items: Vec<ExprId> = values.values().map(|value| self.make(Node::Const(value))).collect();
                let set = self.any_of(items);
                let op = if values.size() == Some(1) { BinaryOp::Eq } else { BinaryOp::In };
                self.make(Node::Binary(op, expr, set))
            }
        }
    }

    /// For `x + c` that may exceed 64 bits: `x`, and the range in which `x` must be for `x + c` to be in the given
    /// range, if there is one.
    fn shifted(&self, expr: ExprId, low: i64, high: i64) -> Option<(ExprId, Option<(i64, i64)>)> {
        let number = |expr| match self.model[expr] {
            Node::Const(Value::Int(number)) => Some(i128::from(number)),
            _ => None,
        };
        let (part, by) = match self.model[expr] {
            Node::Binary(BinaryOp::Add, a, b) => number(b).map(|by| (a, by)).or_else(|| Some((b, number(a)?)))?,
            Node::Binary(BinaryOp::Sub, a, b) => (a, -number(b)?),
            _ => return None,
        };
        let Node::Var(var) = self.model[part] else { return None };
        let Domain::Range(first, last) = self.model[var].domain else { return None };
        let fits = |end: i64| i64::try_from(i128::from(end) + by).is_ok();
        if fits(first) && fits(last) {
            return None;
        }
        let (from, to) = ((i128::from(low) - by).max(first.into()), (i128::from(high) - by).min(last.into()));
        let ends = i64::try_from(from).ok().zip(i64::try_from(to).ok());
        Some((part, ends.filter(|(from, to)| from <= to)))
    }

    /// The condition that a word is between two others.
    fn between(&mut self, expr: ExprId, low: Word, high: Word) -> ExprId {
        let [first, last] = [low, high].map(|word| self.make(Node::Const(Value::Word(word))));
        if low == high {
            return self.make(Node::Binary(BinaryOp::Eq, expr, first));
        }
        let (above, below) = (Node::Binary(BinaryOp::Ge, expr, first), Node::Binary(BinaryOp::Le, expr, last));
        let (above, below) = (self.make(above), self.make(below));
        self.make(Node::Binary(BinaryOp::And, above, below))
    }

    /// A choice of the numbers between two, with "other" for those that are not kept.
    fn kept_of_range(&mut self, var: VarId, low: ExprId, high: ExprId) -> Result<ExprId, Unreducible> {
        let (Keep { values, .. }, other) = self.focus[&var].clone();
        let constant = |expr| match self.model[expr] {
            Node::Const(Value::Int(number)) => Some(number),
            _ => None,
        };
        let (Some(first), Some(last)) = (constant(low), constant(high)) else {
            let expr = self.make(Node::Range(low, high));
            return Err(Unreducible { var, expr });
        };
        let mut items = Vec::new();
        let inside = match &values {
            Domain::Range(low, high) => {
                let (from, to) = (first.max(*low), last.min(*high));
                if from <= to {
                    let [from, to] = [from, to].map(|end| self.make(Node::Const(Value::Int(end))));
                    items.push(if from == to { from } else { self.make(Node::Range(from, to)) });
                }
                *low <= first && last <= *high
            }
            values => {
                let numbers =
                    values.values().filter(|value| matches!(value, Value::Int(n) if (first..=last).contains(n)));
                items.extend(numbers.map(|value| self.make(Node::Const(value))).collect::<Vec<_>>());
                items.len() as u64 == last.abs_diff(first).saturating_add(1)
            }
        };
        if !inside {
            items.push(other);
        }
        Ok(self.any_of(items))
    }

    /// The set of these values without duplicates.
    fn any_of(&mut self, items: Vec<ExprId>) -> ExprId {
        let mut once: Vec<ExprId> = Vec::new();
        for item in items {
            if !once.contains(&item) {
                once.push(item);
            }
        }
        // Nested sets are unions.
        let is_set = |draft: &Draft, item: ExprId| matches!(draft.model.context.exprs.ty(item), Ty::Set(_));
        let (sets, single): (Vec<ExprId>, Vec<ExprId>) = once.into_iter().partition(|item| is_set(self, *item));
        let single = match single[..] {
            [] => None,
            [one] => Some(one),
            _ => Some(self.make(Node::Set(single.into()))),
        };
        let all = sets.into_iter().chain(single);
        all.reduce(|all, item| self.make(Node::Binary(BinaryOp::Union, all, item))).expect("something is assigned")
    }
}

/// The first and last words of each run of consecutive words.
fn runs(values: &Domain) -> Vec<(Word, Word)> {
    let mut runs: Vec<(Word, Word)> = Vec::new();
    for value in values.values() {
        let Value::Word(word) = value else { continue };
        match runs.last_mut() {
            Some((_, last)) if last.to_int() + 1 == word.to_int() => *last = word,
            _ => runs.push((word, word)),
        }
    }
    runs
}
