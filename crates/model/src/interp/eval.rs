//! Evaluation of expressions in a state, or in a state and its successor.
//!
//! `&`, `|` and `->` are decided by either operand, whichever side it is on: `y != 0 & x / y = 1` is false where `y` is
//! zero, and so is `x / y = 1 & y != 0`. Every other operator is defined only if all operands that it evaluates are: a
//! `case` evaluates its guards up to the first that holds and the value of that branch, an array the element at the
//! index.
//!
//! So a truth value is true, false or undefined, and formulas are, too (Kleene's strong logic). A temporal operator is
//! true or false if it is so for every way of completing its undefined operands, and undefined otherwise: with `f`
//! undefined in one successor, `AX f` is false if `f` is false in another one, and undefined otherwise. [`Bound`]
//! implements this.

use super::error::{EvalError, EvalReason};
use super::ops;
use super::value_set::ValueSet;
use crate::expr::{ExprId, Node};
use crate::model::{TransitionSystem, VarKind};
use crate::op::BinaryOp;
use crate::state::State;
use crate::value::Value;
use rustc_hash::FxHashMap;

/// The value of an expression; `next` is the state for `next(…)`.
pub fn eval(model: &TransitionSystem, expr: ExprId, now: &State, next: Option<&State>) -> Result<Value, EvalError> {
    Evaluator::new(model, now, next).value(expr)
}

/// The value of a boolean expression.
pub fn eval_bool(model: &TransitionSystem, expr: ExprId, now: &State, next: Option<&State>) -> Result<bool, EvalError> {
    Evaluator::new(model, now, next).truth(expr)
}

/// The set of values of an expression: a singleton, unless it is a nondeterministic choice.
pub fn eval_set(
    model: &TransitionSystem,
    expr: ExprId,
    now: &State,
    next: Option<&State>,
) -> Result<ValueSet, EvalError> {
    Evaluator::new(model, now, next).set(expr)
}

/// Evaluates expressions in one state and caches every value: without the cache, defines that use each other twice
/// would take exponential time.
pub struct Evaluator<'a> {
    model: &'a TransitionSystem,
    now: &'a State,
    next: Option<&'a State>,
    memo: Memo,
    /// The plan of the search, if there is one.
    depths: Option<&'a Depths>,
    /// The number of the last variable in it that the value that is being computed has read so far.
    last: usize,
    /// Number of evaluated operators.
    pub(super) work: u64,
}

/// The values that were computed, as far as they are still valid. A search gives values to variables one by one, in the order of
/// its plan, and takes them back in the opposite order: a value stays valid until a variable that it depends on changes.
#[derive(Clone, Debug)]
pub(super) struct Memo {
    values: FxHashMap<(ExprId, Time), Known<Result<Value, EvalError>>>,
    sets: FxHashMap<(ExprId, Time), Known<Result<ValueSet, EvalError>>>,
    /// The number of variables that have values, and when each of them got its value; the first entry stands for none.
    n_set: usize,
    set_at: Vec<u64>,
    time: u64,
}

/// A value, and when it was computed.
#[derive(Clone, Debug)]
struct Known<T> {
    value: T,
    /// The number of the last variable that it depends on; zero for none.
    last: usize,
    /// The same, among those that had values.
    last_set: usize,
    time: u64,
}

impl Memo {
    /// For a search that gives values to this number of variables.
    pub(super) fn new(n_vars: usize) -> Memo {
        Memo {
            values: FxHashMap::default(),
            sets: FxHashMap::default(),
            n_set: 0,
            set_at: vec![0; n_vars + 1],
            time: 0,
        }
    }

    /// A variable got a value; all before it in the plan have one, and none after it.
    pub(super) fn set(&mut self, depth: usize) {
        self.time += 1;
        self.n_set = depth + 1;
        self.set_at[depth + 1] = self.time;
    }

    /// The value of the last variable was taken back.
    pub(super) fn unset(&mut self, depth: usize) {
        self.n_set = depth;
    }

    /// Variables got values in the order of the plan, so the last one that matters tells about those before it.
    fn is_valid<T>(&self, known: &Known<T>) -> bool {
        known.last.min(self.n_set) == known.last_set && self.set_at[known.last_set] <= known.time
    }

    fn known<T>(&self, value: T, last: usize) -> Known<T> {
        Known { value, last, last_set: last.min(self.n_set), time: self.time }
    }
}

/// The numbers of the variables of the present and the next state in the plan of a search, from one; zero for those that do not
/// change.
#[derive(Clone, Debug, Default)]
pub(super) struct Depths {
    pub(super) now: Vec<usize>,
    pub(super) next: Vec<usize>,
}

/// How undefined values are read. A formula is true if it holds with [`Surely`](Bound::Surely), false if it does not
/// hold with [`Possibly`](Bound::Possibly), and undefined otherwise. Negation swaps the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// Undefined counts as false.
    Surely,
    /// Undefined counts as true.
    Possibly,
}

impl std::ops::Not for Bound {
    type Output = Bound;

    fn not(self) -> Bound {
        match self {
            Bound::Surely => Bound::Possibly,
            Bound::Possibly => Bound::Surely,
        }
    }
}

/// The state that an expression is evaluated in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Time {
    Now,
    Next,
}

impl<'a> Evaluator<'a> {
    /// An evaluator for a state and its optional successor.
    pub fn new(model: &'a TransitionSystem, now: &'a State, next: Option<&'a State>) -> Evaluator<'a> {
        Evaluator { model, now, next, memo: Memo::new(0), depths: None, last: 0, work: 0 }
    }

    /// Goes on with other states. What is known about these is forgotten, but its memory is used again.
    pub(super) fn move_to(&mut self, now: &'a State, next: Option<&'a State>) {
        (self.now, self.next) = (now, next);
        self.memo.values.clear();
        self.memo.sets.clear();
    }

    /// An evaluator for the states of a search, which goes on from the values of an earlier one.
    pub(super) fn with_memo(
        model: &'a TransitionSystem,
        (now, next): (&'a State, &'a State),
        depths: &'a Depths,
        memo: Memo,
    ) -> Evaluator<'a> {
        Evaluator { model, now, next: Some(next), memo, depths: Some(depths), last: 0, work: 0 }
    }

    /// The values that were computed.
    pub(super) fn into_memo(self) -> Memo {
        self.memo
    }

    /// Number of evaluated operators.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The value of an expression.
    pub fn value(&mut self, expr: ExprId) -> Result<Value, EvalError> {
        self.value_at(expr, Time::Now)
    }

    /// The value of a boolean expression.
    pub fn truth(&mut self, expr: ExprId) -> Result<bool, EvalError> {
        match self.value(expr)? {
            Value::Bool(truth) => Ok(truth),
            _ => Err(EvalError { expr, reason: EvalReason::IllTyped }),
        }
    }

    /// The set of values of an expression.
    pub fn set(&mut self, expr: ExprId) -> Result<ValueSet, EvalError> {
        self.set_at(expr, Time::Now)
    }

    fn value_at(&mut self, expr: ExprId, time: Time) -> Result<Value, EvalError> {
        let fail = |reason| Err(EvalError { expr, reason });
        match &self.model[expr] {
            Node::Const(value) => return Ok(*value),
            Node::Var(var) => {
                // A frozen variable has its present value in the next state.
                let now = time == Time::Now || self.model[*var].kind == VarKind::Frozen;
                if let Some(depths) = self.depths {
                    let depths = if now { &depths.now } else { &depths.next };
                    self.last = self.last.max(depths[var.0 as usize]);
                }
                let state = if now { Some(self.now) } else { self.next };
                return match state.map(|state| state.get(*var)) {
                    Some(Some(value)) => Ok(value),
                    Some(None) => fail(EvalReason::Unset(*var)),
                    None => fail(EvalReason::NoNextState),
                };
            }
            node if self.depths.is_none() && self.is_quick(node) => {
                self.work += 1;
                return self.compute(expr, time);
            }
            _ => {}
        }
        if let Some(known) = self.memo.values.get(&(expr, time)).filter(|known| self.memo.is_valid(known)) {
            self.last = self.last.max(known.last);
            return known.value;
        }
        self.work += 1;
        let before = std::mem::take(&mut self.last);
        let value = grow(|| self.compute(expr, time));
        self.memo.values.insert((expr, time), self.memo.known(value, self.last));
        self.last = self.last.max(before);
        value
    }

    /// Whether a node takes less time to compute again than to find among the known values: one operator on variables and
    /// constants. A search in steps keeps these values as well: there they stay valid for many states.
    fn is_quick(&self, node: &Node) -> bool {
        let is_leaf = |expr: &ExprId| matches!(self.model[*expr], Node::Const(_) | Node::Var(_));
        match node {
            Node::Unary(_, a) | Node::Next(a) => is_leaf(a),
            Node::Binary(BinaryOp::In | BinaryOp::Union, ..) => false,
            Node::Binary(_, a, b) => is_leaf(a) && is_leaf(b),
            _ => false,
        }
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

    /// `a & b`, `a | b` or `a -> b`: one operand may decide although the other is undefined.
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

    /// The branch of an `Ite` or `Case` that is taken.
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

    /// The expression at an index of an array, and the state to evaluate it in.
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

    /// The array literal of an expression, and the state to evaluate it in.
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
        // A set of one element may have the type of that element.
        let written_as_set =
            matches!(self.model[expr], Node::Set(_) | Node::Range(..) | Node::Binary(BinaryOp::Union, ..));
        if !written_as_set && !self.model.context.exprs.ty(expr).is_set() {
            return self.value_at(expr, time).map(ValueSet::one);
        }
        if let Some(known) = self.memo.sets.get(&(expr, time)).filter(|known| self.memo.is_valid(known)) {
            self.last = self.last.max(known.last);
            return known.value.clone();
        }
        let before = std::mem::take(&mut self.last);
        let set = grow(|| self.compute_set(expr, time));
        self.memo.sets.insert((expr, time), self.memo.known(set.clone(), self.last));
        self.last = self.last.max(before);
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

/// Runs one level of a recursion, on a new stack segment if little is left; the depth is bounded by that of the model.
pub(crate) fn grow<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, f)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Define, DefineId};
    use crate::op::UnaryOp;
    use crate::testing::{expr, model};
    use specwright_syntax::span::Span;

    const VARS: &str = "MODULE main
        VAR x : 0..9; y : 0..9; b : boolean; c : {red, green, 7}; u : unsigned word[4]; s : signed word[4];
          a : array 1..3 of 0..9;
        FROZENVAR f : 0..9;
        DEFINE choice := {2, 1, 2}; table := [[1, 2], [3, 4]]; later := next(x);";

    /// Checks the value, or the set of values, of an expression where `x = 2`, `y = 0` and so on, and `x = 3` next.
    fn check(text: &str, expected: &str) {
        let model = model(VARS);
        let expr = expr(&model, text, None);
        let mut now = State::empty(model.vars.len());
        let values = ["x = 2", "y = 0", "b = TRUE", "u = 0ud4_5", "s = -0sd4_3", "a[1] = 4", "a[2] = 5", "f = 6"];
        for assignment in values {
            let (name, value) = assignment.split_once(" = ").unwrap();
            let var = model.var_named(name).unwrap();
            let value = match crate::trace::parse_word(value) {
                Some(word) => Value::Word(word),
                None if value == "TRUE" => Value::Bool(true),
                None => Value::Int(value.parse().unwrap()),
            };
            now.set(var, value);
        }
        let mut next = now.clone();
        next.set(model.var_named("x").unwrap(), Value::Int(3));
        let found = match eval_set(&model, expr, &now, Some(&next)) {
            Ok(set) => set.iter().map(|value| model.show(value)).collect::<Vec<_>>().join(", "),
            Err(error) => error.describe(&model),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn operators() {
        for (text, expected) in [
            ("x + 3 * 4 - 1", "13"),
            ("-7 / 2", "-3"),
            ("-7 mod x", "-1"),
            ("x < 3 & !b | b xor FALSE", "TRUE"),
            ("b -> x = 3", "FALSE"),
            ("b <-> x = 2", "TRUE"),
            ("b xnor x >= 3", "FALSE"),
            ("x = 2 ? 5 : 6", "5"),
            ("case x = 1 : 5; b : 6; TRUE : 7; esac", "6"),
            ("count(b, x = 1, y = 0)", "2"),
            ("abs(x - 5) + min(x, y) + max(x, y)", "5"),
            ("u + 0ud4_12", "0ud4_1"),
            ("!u :: u[2:1]", "0ud6_42"),
            ("s >> 1", "-0sd4_2"),
            ("signed(u) < s", "FALSE"),
            ("extend(s, 2)", "-0sd6_3"),
            ("resize(s, 2)", "-0sd2_1"),
            ("toint(s) + toint(u) + toint(b)", "3"),
            ("bool(u[0:0]) & word1(b) = 0b1_1", "TRUE"),
            ("unsigned(s) << x", "0ud4_4"),
            ("next(x + 1) + x", "6"),
            ("later * 2", "6"),
            ("a[x]", "5"),
            ("a[toint(word1(b))]", "4"),
            ("table[b ? 1 : 0][y]", "3"),
            ("next(f) + 1", "7"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn sets_keep_source_order_and_membership_is_inclusion() {
        for (text, expected) in [
            ("{3, x, 3, x + 1, y}", "3, 2, 0"),
            ("choice union 0..3", "2, 1, 0, 3"),
            ("b ? {x, 9} : 1", "2, 9"),
            ("x in choice", "TRUE"),
            ("{1, 2} in 0..2", "TRUE"),
            ("0..2 in {1, 2}", "FALSE"),
            ("x in {y, 3}", "FALSE"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn connectives_need_only_the_operand_that_decides() {
        let fails = "(x / y = 1)";
        for (text, expected) in [
            ("FALSE & ?", "FALSE"),
            ("? & FALSE", "FALSE"),
            ("TRUE & ?", "division by zero"),
            ("TRUE | ?", "TRUE"),
            ("? | TRUE", "TRUE"),
            ("? | FALSE", "division by zero"),
            ("FALSE -> ?", "TRUE"),
            ("? -> TRUE", "TRUE"),
            ("TRUE -> ?", "division by zero"),
            ("? -> FALSE", "division by zero"),
            ("FALSE <-> ?", "division by zero"),
            ("? ? TRUE : TRUE", "division by zero"),
        ] {
            check(&text.replacen('?', fails, 1), expected);
        }
    }

    #[test]
    fn undefined_values_have_a_reason() {
        for (text, expected) in [
            ("c = red", "`c` has no value here"),
            ("x mod y", "division by zero"),
            ("case x = 1 : 5; esac", "no condition of the `case` holds"),
            ("a[x + 2]", "the array has elements 1 to 3, and not 4"),
            ("u << (x + 3)", "a word of 4 bits cannot be shifted by 5"),
            ("9223372036854775807 + x", "the number is too large"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn next_needs_a_next_state() {
        let model = model(VARS);
        let (later, always) = (expr(&model, "next(x)", None), expr(&model, "AG b", Some(crate::op::Logic::Ctl)));
        let state = State::empty(model.vars.len());
        assert_eq!(eval(&model, later, &state, None).unwrap_err().reason, EvalReason::NoNextState);
        assert_eq!(eval(&model, always, &state, None).unwrap_err().reason, EvalReason::Temporal);
    }

    #[test]
    fn long_chains_of_defines_take_linear_time_and_bounded_stack() {
        let mut model = model("MODULE main VAR b : boolean;");
        let mut last = expr(&model, "b", None);
        for index in 0..100_000 {
            // Each define uses the previous one twice.
            let twice = model.make(Node::Binary(BinaryOp::Xor, last, last)).unwrap();
            let not = model.make(Node::Unary(UnaryOp::Not, twice)).unwrap();
            let body = crate::expr::SourcedExpr { expr: not, spans: [Span::NONE].into() };
            model.defines.push(Define { name: format!("d{index}"), body, span: Span::NONE });
            last = model.make(Node::Define(DefineId(index))).unwrap();
        }
        let mut state = State::empty(1);
        state.set(crate::VarId(0), Value::Bool(true));
        assert_eq!(eval_bool(&model, last, &state, None), Ok(true));
    }
}
