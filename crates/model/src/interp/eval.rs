//! The value of an expression in a state, or between a state and its successor.
//!
//! `&`, `|` and `->` need only the operand that decides them, whichever side it is on: `y != 0 & x / y = 1` is false
//! where `y` is zero, and so is `x / y = 1 & y != 0`. Every other operator has a value only if all the operands that
//! it looks at have one.

use super::error::{EvalError, EvalReason};
use super::ops;
use super::value_set::ValueSet;
use crate::expr::{ExprId, Node};
use crate::model::{Model, VarKind};
use crate::op::BinaryOp;
use crate::state::State;
use crate::value::Value;
use rustc_hash::FxHashMap;

/// The value of an expression. `next` is what `next(…)` looks at.
pub fn eval(model: &Model, expr: ExprId, now: &State, next: Option<&State>) -> Result<Value, EvalError> {
    Evaluator::new(model, now, next).value(expr)
}

/// The truth of an expression.
pub fn eval_bool(model: &Model, expr: ExprId, now: &State, next: Option<&State>) -> Result<bool, EvalError> {
    Evaluator::new(model, now, next).truth(expr)
}

/// The values of which an expression offers the choice: one, unless it is a set.
pub fn eval_set(model: &Model, expr: ExprId, now: &State, next: Option<&State>) -> Result<ValueSet, EvalError> {
    Evaluator::new(model, now, next).set(expr)
}

/// Evaluates expressions of a model in one and the same state, and remembers every value that it has found: without
/// that, defines that use each other twice would cost a power of two.
pub struct Evaluator<'a> {
    model: &'a Model,
    now: &'a State,
    next: Option<&'a State>,
    values: FxHashMap<(ExprId, Time), Result<Value, EvalError>>,
    sets: FxHashMap<(ExprId, Time), Result<ValueSet, EvalError>>,
}

/// Which of the two states an expression is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Time {
    Now,
    Next,
}

impl<'a> Evaluator<'a> {
    /// An evaluator for a state and, if there is one, its successor.
    pub fn new(model: &'a Model, now: &'a State, next: Option<&'a State>) -> Evaluator<'a> {
        Evaluator { model, now, next, values: FxHashMap::default(), sets: FxHashMap::default() }
    }

    /// The value of an expression.
    pub fn value(&mut self, expr: ExprId) -> Result<Value, EvalError> {
        self.value_at(expr, Time::Now)
    }

    /// The truth of an expression.
    pub fn truth(&mut self, expr: ExprId) -> Result<bool, EvalError> {
        match self.value(expr)? {
            Value::Bool(truth) => Ok(truth),
            _ => Err(EvalError { expr, reason: EvalReason::IllTyped }),
        }
    }

    /// The values of which an expression offers the choice.
    pub fn set(&mut self, expr: ExprId) -> Result<ValueSet, EvalError> {
        self.set_at(expr, Time::Now)
    }

    fn value_at(&mut self, expr: ExprId, time: Time) -> Result<Value, EvalError> {
        let fail = |reason| Err(EvalError { expr, reason });
        match &self.model[expr] {
            Node::Const(value) => return Ok(*value),
            Node::Var(var) => {
                // What is frozen needs no next state: it is there what it is now.
                let now = time == Time::Now || self.model[*var].kind == VarKind::Frozen;
                let state = if now { Some(self.now) } else { self.next };
                return match state.map(|state| state.get(*var)) {
                    Some(Some(value)) => Ok(value),
                    Some(None) => fail(EvalReason::Unset(*var)),
                    None => fail(EvalReason::NoNextState),
                };
            }
            _ => {}
        }
        if let Some(known) = self.values.get(&(expr, time)) {
            return *known;
        }
        let value = grow(|| self.compute(expr, time));
        self.values.insert((expr, time), value);
        value
    }

    fn compute(&mut self, expr: ExprId, time: Time) -> Result<Value, EvalError> {
        let fail = |reason| EvalError { expr, reason };
        let model = self.model;
        match &model[expr] {
            Node::Const(_) | Node::Var(_) => self.value_at(expr, time),
            Node::Define(define) => self.value_at(model.body(*define), time),
            Node::Next(_) if time == Time::Next => Err(fail(EvalReason::NextOfNext)),
            Node::Next(a) => self.value_at(*a, Time::Next),
            Node::Unary(op, _) if op.logic().is_some() => Err(fail(EvalReason::Temporal)),
            Node::Unary(op, a) => ops::unary(*op, self.value_at(*a, time)?).map_err(fail),
            Node::Binary(op, ..) if op.logic().is_some() => Err(fail(EvalReason::Temporal)),
            Node::Binary(BinaryOp::In, a, b) => {
                let (left, right) = (self.set_at(*a, time)?, self.set_at(*b, time)?);
                Ok(Value::Bool(left.is_subset(&right)))
            }
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), a, b) => {
                self.connective(*op, *a, *b, time).map_err(|error| error.unwrap_or_else(fail))
            }
            Node::Set(_) | Node::Range(..) | Node::Binary(BinaryOp::Union, ..) => {
                let set = self.set_at(expr, time)?;
                set.get(0).filter(|_| set.len() == 1).ok_or_else(|| fail(EvalReason::Several))
            }
            Node::Binary(op, a, b) => {
                let (left, right) = (self.value_at(*a, time)?, self.value_at(*b, time)?);
                ops::binary(*op, left, right).map_err(fail)
            }
            Node::Bounded(..) | Node::BoundedUntil(..) => Err(fail(EvalReason::Temporal)),
            Node::Ite(..) | Node::Case(_) => {
                let branch = self.branch(expr, time)?;
                self.value_at(branch, time)
            }
            Node::Index(array, index) => {
                let (element, time) = self.element(expr, *array, *index, time)?;
                self.value_at(element, time)
            }
            Node::Array(..) => Err(fail(EvalReason::IllTyped)),
            Node::Slice(a, high, low) => ops::slice(self.value_at(*a, time)?, *high, *low).map_err(fail),
            Node::Call(builtin, args) => {
                let args: Result<Vec<Value>, EvalError> = args.iter().map(|arg| self.value_at(*arg, time)).collect();
                ops::call(*builtin, &args?).map_err(fail)
            }
        }
    }

    /// `a & b`, `a | b` or `a -> b`: one operand may decide although the other has no value.
    fn connective(
        &mut self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        time: Time,
    ) -> Result<Value, Result<EvalError, EvalReason>> {
        let decides_left = op == BinaryOp::Or;
        let decides_right = op != BinaryOp::And;
        let left = self.value_at(a, time);
        if left == Ok(Value::Bool(decides_left)) {
            return Ok(Value::Bool(decides_right));
        }
        let right = self.value_at(b, time);
        if right == Ok(Value::Bool(decides_right)) {
            return Ok(Value::Bool(decides_right));
        }
        ops::binary(op, left.map_err(Ok)?, right.map_err(Ok)?).map_err(Err)
    }

    /// The branch of an `Ite` or `Case` that counts.
    fn branch(&mut self, expr: ExprId, time: Time) -> Result<ExprId, EvalError> {
        let model = self.model;
        let mut holds = |guard| match self.value_at(guard, time)? {
            Value::Bool(truth) => Ok(truth),
            _ => Err(EvalError { expr: guard, reason: EvalReason::IllTyped }),
        };
        match &model[expr] {
            Node::Ite(condition, a, b) => Ok(if holds(*condition)? { *a } else { *b }),
            Node::Case(branches) => {
                for (guard, value) in branches {
                    if holds(*guard)? {
                        return Ok(*value);
                    }
                }
                Err(EvalError { expr, reason: EvalReason::NoCase })
            }
            _ => Err(EvalError { expr, reason: EvalReason::IllTyped }),
        }
    }

    /// The expression that stands at an index of an array, and which state it is about.
    fn element(&mut self, expr: ExprId, array: ExprId, index: ExprId, time: Time) -> Result<(ExprId, Time), EvalError> {
        let index = match self.value_at(index, time)? {
            Value::Int(index) => i128::from(index),
            Value::Word(word) => word.to_int(),
            _ => return Err(EvalError { expr, reason: EvalReason::IllTyped }),
        };
        let (array, time) = self.array(array, time)?;
        match &self.model[array] {
            Node::Array(first, items) => {
                let place = usize::try_from(index - i128::from(*first)).ok();
                place.and_then(|place| items.get(place)).map(|item| (*item, time)).ok_or_else(|| {
                    let index = i64::try_from(index).unwrap_or(i64::MAX);
                    let last = first.wrapping_add_unsigned(items.len() as u64).wrapping_sub(1);
                    EvalError { expr, reason: EvalReason::Index { index, first: *first, last } }
                })
            }
            _ => Err(EvalError { expr, reason: EvalReason::IllTyped }),
        }
    }

    /// The array that an expression stands for, as a list of elements, and which state it is about.
    fn array(&mut self, expr: ExprId, time: Time) -> Result<(ExprId, Time), EvalError> {
        let model = self.model;
        grow(|| match &model[expr] {
            Node::Define(define) => self.array(model.body(*define), time),
            Node::Next(a) if time == Time::Now => self.array(*a, Time::Next),
            Node::Ite(..) | Node::Case(_) => {
                let branch = self.branch(expr, time)?;
                self.array(branch, time)
            }
            Node::Index(array, index) => {
                let (element, time) = self.element(expr, *array, *index, time)?;
                self.array(element, time)
            }
            _ => Ok((expr, time)),
        })
    }

    fn set_at(&mut self, expr: ExprId, time: Time) -> Result<ValueSet, EvalError> {
        // A set of one member may have the type of that member.
        let written_as_set =
            matches!(self.model[expr], Node::Set(_) | Node::Range(..) | Node::Binary(BinaryOp::Union, ..));
        if !written_as_set && !self.model.exprs.ty(expr).is_set() {
            return self.value_at(expr, time).map(ValueSet::one);
        }
        if let Some(known) = self.sets.get(&(expr, time)) {
            return known.clone();
        }
        let set = grow(|| self.compute_set(expr, time));
        self.sets.insert((expr, time), set.clone());
        set
    }

    fn compute_set(&mut self, expr: ExprId, time: Time) -> Result<ValueSet, EvalError> {
        let model = self.model;
        match &model[expr] {
            Node::Define(define) => self.set_at(model.body(*define), time),
            Node::Next(a) if time == Time::Now => self.set_at(*a, Time::Next),
            Node::Ite(..) | Node::Case(_) => {
                let branch = self.branch(expr, time)?;
                self.set_at(branch, time)
            }
            Node::Index(array, index) => {
                let (element, time) = self.element(expr, *array, *index, time)?;
                self.set_at(element, time)
            }
            Node::Set(items) => self.union(items, time),
            Node::Binary(BinaryOp::Union, a, b) => self.union(&[*a, *b], time),
            Node::Range(a, b) => match (self.value_at(*a, time)?, self.value_at(*b, time)?) {
                (Value::Int(first), Value::Int(last)) => {
                    let mut set = ValueSet::default();
                    set.insert_range(first, last);
                    Ok(set)
                }
                _ => Err(EvalError { expr, reason: EvalReason::IllTyped }),
            },
            _ => self.value_at(expr, time).map(ValueSet::one),
        }
    }

    fn union(&mut self, items: &[ExprId], time: Time) -> Result<ValueSet, EvalError> {
        let mut set = ValueSet::default();
        for item in items {
            set.extend(&self.set_at(*item, time)?);
        }
        Ok(set)
    }
}

/// Runs one level of a recursion as deep as the model is, on more stack if there is little left.
pub(super) fn grow<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, f)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::kit::Kit;
    use crate::op::UnaryOp;

    #[test]
    fn connectives_need_only_the_operand_that_decides() {
        let mut kit = Kit::default();
        let (x, y) = (kit.range("x", 0, 3), kit.range("y", 0, 3));
        let quotient = kit.bin(BinaryOp::Div, x, y);
        let fails = kit.eq(quotient, 1);
        let (yes, no) = (kit.truth(true), kit.truth(false));
        let state = kit.state(&[Value::Int(1), Value::Int(0)]);
        for (op, a, b, expected) in [
            (BinaryOp::And, no, fails, Some(false)),
            (BinaryOp::And, fails, no, Some(false)),
            (BinaryOp::And, yes, fails, None),
            (BinaryOp::Or, yes, fails, Some(true)),
            (BinaryOp::Or, fails, yes, Some(true)),
            (BinaryOp::Or, fails, no, None),
            (BinaryOp::Implies, no, fails, Some(true)),
            (BinaryOp::Implies, fails, yes, Some(true)),
            (BinaryOp::Implies, yes, fails, None),
            (BinaryOp::Implies, fails, no, None),
            (BinaryOp::Iff, no, fails, None),
            (BinaryOp::Xor, fails, no, None),
        ] {
            let expr = kit.bin(op, a, b);
            assert_eq!(eval_bool(&kit.0, expr, &state, None).ok(), expected, "{op:?}");
        }
        assert_eq!(eval(&kit.0, fails, &state, None).unwrap_err().reason, EvalReason::DivisionByZero);
    }

    #[test]
    fn sets_keep_their_order_and_membership_is_inclusion() {
        let mut kit = Kit::default();
        let [one, two, three] = [1, 2, 3].map(|number| kit.int(number));
        let small = kit.set(&[two, one, two]);
        let (zero, four) = (kit.int(0), kit.int(4));
        let range = kit.node(Node::Range(zero, three));
        let all = kit.bin(BinaryOp::Union, small, range);
        let state = kit.state(&[]);
        let all = kit.set(&[small, range, all]);
        let set = eval_set(&kit.0, all, &state, None).unwrap();
        assert_eq!(set.iter().collect::<Vec<_>>(), [2, 1, 0, 3].map(Value::Int));
        let mut holds = |a, b| {
            let expr = kit.bin(BinaryOp::In, a, b);
            eval_bool(&kit.0, expr, &state, None).unwrap()
        };
        assert!(holds(small, range) && !holds(range, small) && holds(two, small) && !holds(four, range));
    }

    #[test]
    fn arrays_case_and_next() {
        let mut kit = Kit::default();
        let (x, b) = (kit.range("x", 0, 9), kit.boolean("b"));
        let items = [7, 8, 9].map(|number| kit.int(number));
        let array = kit.node(Node::Array(1, items.into()));
        let array = kit.define("a", array);
        let later = kit.next(x);
        let element = kit.node(Node::Index(array, later));
        let case = kit.node(Node::Case([(b, element)].into()));
        let state = |kit: &Kit, x, b| kit.state(&[Value::Int(x), Value::Bool(b)]);
        let (now, next) = (state(&kit, 0, true), state(&kit, 3, false));
        assert_eq!(eval(&kit.0, case, &now, Some(&next)), Ok(Value::Int(9)));
        assert_eq!(eval(&kit.0, case, &now, None).unwrap_err().reason, EvalReason::NoNextState);
        assert_eq!(eval(&kit.0, case, &next, Some(&next)).unwrap_err().reason, EvalReason::NoCase);
        let outside = eval(&kit.0, case, &now, Some(&now)).unwrap_err();
        assert_eq!(outside.reason, EvalReason::Index { index: 0, first: 1, last: 3 });
        let open = eval(&kit.0, case, &State::empty(2), None).unwrap_err();
        assert!(open.is_open());
        let always = kit.un(UnaryOp::AG, b);
        assert_eq!(eval(&kit.0, always, &now, None).unwrap_err().reason, EvalReason::Temporal);
    }

    #[test]
    fn long_chains_of_defines_neither_overflow_the_stack_nor_take_for_ever() {
        let mut kit = Kit::default();
        let b = kit.boolean("b");
        let mut last = b;
        for index in 0..100_000 {
            let twice = kit.bin(BinaryOp::Xor, last, last);
            let not = kit.un(UnaryOp::Not, twice);
            last = kit.define(&format!("d{index}"), not);
        }
        let state = kit.state(&[Value::Bool(true)]);
        assert_eq!(eval_bool(&kit.0, last, &state, None), Ok(true));
    }
}
