//! The symbolic value of every expression, computed once.

use super::Time;
use super::algebra::{Algebra, Function, code_is};
use super::bits::Bits;
use super::value::{self, Coded, Fault, FaultKind, SymbolicValue};
use crate::bdd::{Limit, Manager};
use rustc_hash::FxHashMap;
use specwright_model::op::{BinaryOp, Builtin, UnaryOp};
use specwright_model::{Domain, ExprId, Node, Scalar, TransitionSystem, Ty, Value, VarId};
use std::cell::RefCell;
use std::rc::Rc;

/// Evaluates the expressions of a model symbolically. What was evaluated once is remembered, so expressions that share
/// parts share the work.
pub(crate) struct Encoder<'a, A: Algebra = Manager> {
    pub(crate) system: &'a TransitionSystem,
    pub(crate) layout: &'a A::Layout,
    pub(crate) manager: A,
    memo: &'a mut Memo<A>,
}

/// Where a truth value holds, and the conditions under which it has none.
pub(crate) type Condition<F> = (F, Vec<Fault<F>>);

/// What was evaluated so far. It stays true while the model only grows.
pub(crate) struct Memo<A: Algebra = Manager> {
    exprs: Rc<RefCell<Exprs<A::Function>>>,
    vars: Rc<RefCell<Vars<A::Function>>>,
}

type Exprs<F> = FxHashMap<(ExprId, Time), Rc<Coded<F>>>;
type Vars<F> = FxHashMap<(VarId, Time), SymbolicValue<F>>;

impl<A: Algebra> Default for Memo<A> {
    fn default() -> Memo<A> {
        Memo { exprs: Rc::default(), vars: Rc::default() }
    }
}

/// Clones share what is known: they are for systems with the same variables and defines.
impl<A: Algebra> Clone for Memo<A> {
    fn clone(&self) -> Memo<A> {
        Memo { exprs: self.exprs.clone(), vars: self.vars.clone() }
    }
}

impl<A: Algebra> Memo<A> {
    /// Drops the values of expressions; they are computed again on demand.
    pub(crate) fn forget(&mut self) {
        self.exprs.borrow_mut().clear();
    }
}

impl<'a, A: Algebra> Encoder<'a, A> {
    pub(crate) fn new(
        system: &'a TransitionSystem,
        layout: &'a A::Layout,
        manager: &A,
        memo: &'a mut Memo<A>,
    ) -> Encoder<'a, A> {
        Encoder { system, layout, manager: manager.clone(), memo }
    }

    /// The value of an expression that is not a set.
    pub(crate) fn eval(&mut self, expr: ExprId, time: Time) -> Result<Rc<Coded<A::Function>>, Limit> {
        if let Some(coded) = self.memo.exprs.borrow().get(&(expr, time)) {
            return Ok(coded.clone());
        }
        let coded = Rc::new(stacker::maybe_grow(64 << 10, 1 << 20, || self.eval_node(expr, time))?);
        self.memo.exprs.borrow_mut().insert((expr, time), coded.clone());
        Ok(coded)
    }

    /// The states in which a truth value holds, with the conditions under which it has none.
    pub(crate) fn condition(&mut self, expr: ExprId, time: Time) -> Result<Condition<A::Function>, Limit> {
        let coded = self.eval(expr, time)?;
        Ok((coded.value.as_bool().clone(), coded.faults.clone()))
    }

    /// The value of a variable.
    pub(crate) fn var(&mut self, var: VarId, time: Time) -> Result<SymbolicValue<A::Function>, Limit> {
        if let Some(value) = self.memo.vars.borrow().get(&(var, time)) {
            return Ok(value.clone());
        }
        let manager = &self.manager;
        let mut bits = manager.bits(self.layout, var, time)?;
        let domain = &self.system[var].domain;
        let value = match domain {
            Domain::Bool => SymbolicValue::Bool(bits.swap_remove(0)),
            Domain::Word { .. } => {
                bits.reverse();
                SymbolicValue::Word(Bits(bits))
            }
            Domain::Range(first, _) => {
                bits.reverse();
                let offset = Bits::natural(bits, manager);
                let first = Bits::number(*first, manager);
                // Codes that are no values of the variable may lie beyond 64 bits.
                SymbolicValue::Int(offset.add_signed(&first, manager)?.cut(manager)?.0)
            }
            Domain::Enum(values) => {
                let mut choices = Vec::with_capacity(values.len());
                for value in values.iter() {
                    let code = domain.index_of(*value).expect("it is one of them");
                    choices.push((*value, code_is(manager, &bits, code)?));
                }
                if values.iter().all(|value| matches!(value, Value::Int(_))) {
                    self.number_of(&choices)?
                } else {
                    SymbolicValue::Choice(choices)
                }
            }
            Domain::Integer => unreachable!("unbounded domains are rejected before encoding"),
        };
        self.memo.vars.borrow_mut().insert((var, time), value.clone());
        Ok(value)
    }

    /// Numbers with their conditions, as one vector.
    fn number_of(&self, choices: &[(Value, A::Function)]) -> Result<SymbolicValue<A::Function>, Limit> {
        let mut number = Bits::number(0, &self.manager);
        for (value, when) in choices {
            let Value::Int(value) = value else { unreachable!("only numbers are given") };
            number = Bits::merge_signed(when, &Bits::number(*value, &self.manager), &number, &self.manager)?;
        }
        Ok(SymbolicValue::Int(number))
    }

    /// Faults as far as they matter under a condition.
    pub(crate) fn restrict(
        &self,
        faults: &[Fault<A::Function>],
        when: &A::Function,
    ) -> Result<Vec<Fault<A::Function>>, Limit> {
        value::restrict(faults, when, &self.manager)
    }

    fn eval_node(&mut self, expr: ExprId, time: Time) -> Result<Coded<A::Function>, Limit> {
        let system = self.system;
        let sound = |value| Ok(Coded { value, faults: Vec::new() });
        match &system[expr] {
            Node::Const(Value::Bool(value)) => sound(SymbolicValue::Bool(self.manager.constant(*value))),
            Node::Const(Value::Int(number)) => sound(SymbolicValue::Int(Bits::number(*number, &self.manager))),
            Node::Const(Value::Word(word)) => {
                sound(SymbolicValue::Word(Bits::word(word.bits, word.width.into(), &self.manager)))
            }
            Node::Const(symbol) => sound(SymbolicValue::Choice(vec![(*symbol, self.manager.constant(true))])),
            Node::Var(var) => sound(self.var(*var, time)?),
            Node::Define(define) => Ok((*self.eval(system.body(*define), time)?).clone()),
            Node::Next(inner) => Ok((*self.eval(*inner, Time::Next)?).clone()),
            Node::Unary(op, operand) => {
                let Coded { value, mut faults } = (*self.eval(*operand, time)?).clone();
                let value = match (op, value) {
                    (UnaryOp::Not, SymbolicValue::Bool(condition)) => SymbolicValue::Bool(self.manager.not(&condition)),
                    (UnaryOp::Not, SymbolicValue::Word(bits)) => SymbolicValue::Word(bits.invert(&self.manager)),
                    (UnaryOp::Neg, SymbolicValue::Int(bits)) => {
                        self.number(expr, bits.neg_signed(&self.manager)?, &mut faults)?
                    }
                    (UnaryOp::Neg, SymbolicValue::Word(bits)) => SymbolicValue::Word(bits.neg(&self.manager)?),
                    _ => unreachable!("temporal operators are not evaluated in a state"),
                };
                Ok(Coded { value, faults })
            }
            Node::Binary(BinaryOp::In, a, b) => {
                let mut faults = Vec::new();
                let value = SymbolicValue::Bool(self.subset(*a, *b, time, &mut faults)?);
                Ok(Coded { value, faults })
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.eval(*a, time)?, self.eval(*b, time)?);
                self.binary(expr, *op, &a, &b)
            }
            Node::Ite(_, _, otherwise) if matches!(system[*otherwise], Node::Ite(..)) && self.is_symbolic(expr) => {
                self.choice_chain(expr, time)
            }
            Node::Ite(condition, then, otherwise) => {
                let condition = self.eval(*condition, time)?;
                let (then, otherwise) = (self.eval(*then, time)?, self.eval(*otherwise, time)?);
                let when = condition.value.as_bool();
                let value = SymbolicValue::merge(when, &then.value, &otherwise.value, &self.manager)?;
                let mut faults = condition.faults.clone();
                faults.extend(self.restrict(&then.faults, when)?);
                faults.extend(self.restrict(&otherwise.faults, &self.manager.not(when))?);
                Ok(Coded { value, faults })
            }
            Node::Case(branches) => self.case(expr, branches, time),
            Node::Array(first, items) => {
                let mut values = Vec::new();
                for item in items {
                    values.push((*self.eval(*item, time)?).clone());
                }
                sound(SymbolicValue::Array(*first, values.into()))
            }
            Node::Index(array, index) => {
                let (array, index) = (self.eval(*array, time)?, self.eval(*index, time)?);
                self.index(expr, &array, &index)
            }
            Node::Slice(word, high, low) => {
                let coded = self.eval(*word, time)?;
                let bits = coded.value.as_bits().0[usize::from(*low)..=usize::from(*high)].to_vec();
                Ok(Coded { value: SymbolicValue::Word(Bits(bits)), faults: coded.faults.clone() })
            }
            Node::Call(builtin, args) => self.call(expr, *builtin, args, time),
            Node::Set(_) | Node::Range(..) => unreachable!("sets are offered, not evaluated"),
            Node::Bounded(..) | Node::BoundedUntil(..) => {
                unreachable!("temporal operators are not evaluated in a state")
            }
        }
    }

    fn case(&mut self, expr: ExprId, branches: &[(ExprId, ExprId)], time: Time) -> Result<Coded<A::Function>, Limit> {
        let mut rest = self.manager.constant(true);
        let mut faults = Vec::new();
        let mut coded = Vec::new();
        for (guard, value) in branches {
            let guard = self.eval(*guard, time)?;
            faults.extend(self.restrict(&guard.faults, &rest)?);
            let when = self.manager.and(&rest, guard.value.as_bool())?;
            rest = self.manager.diff(&rest, guard.value.as_bool())?;
            if !when.is_false() {
                let value = self.eval(*value, time)?;
                faults.extend(self.restrict(&value.faults, &when)?);
                coded.push((when, value));
            }
        }
        if !rest.is_false() {
            faults.push(Fault { expr, kind: FaultKind::NoBranch, when: rest });
        }
        // The conditions exclude each other, so the order of merging is free. Where no branch applies, anything goes.
        let Some((_, last)) = coded.pop() else {
            let arbitrary = self.eval(branches[0].1, time)?;
            return Ok(Coded { value: arbitrary.value.clone(), faults });
        };
        if matches!(last.value, SymbolicValue::Choice(_)) && coded.len() > 1 {
            // The last one stands for the states without a branch as well.
            let mut elsewhere = self.manager.constant(true);
            for (when, _) in &coded {
                elsewhere = self.manager.diff(&elsewhere, when)?;
            }
            coded.push((elsewhere, Rc::clone(&last)));
            if let Some(value) = SymbolicValue::select(&coded, &self.manager)? {
                return Ok(Coded { value, faults });
            }
            coded.pop();
        }
        let mut value = last.value.clone();
        for (when, branch) in coded.iter().rev() {
            value = SymbolicValue::merge(when, &branch.value, &value, &self.manager)?;
        }
        Ok(Coded { value, faults })
    }

    /// Whether the values of an expression are names.
    fn is_symbolic(&self, expr: ExprId) -> bool {
        matches!(self.system.context.exprs.ty(expr), Ty::One(Scalar::Symbol))
    }

    /// A chain of choices among names, as one choice.
    fn choice_chain(&mut self, expr: ExprId, time: Time) -> Result<Coded<A::Function>, Limit> {
        let system = self.system;
        let mut rest = self.manager.constant(true);
        let (mut faults, mut pieces) = (Vec::new(), Vec::new());
        let mut at = expr;
        while let Node::Ite(condition, then, otherwise) = &system[at] {
            let condition = self.eval(*condition, time)?;
            faults.extend(self.restrict(&condition.faults, &rest)?);
            let when = self.manager.and(&rest, condition.value.as_bool())?;
            rest = self.manager.diff(&rest, condition.value.as_bool())?;
            let then = self.eval(*then, time)?;
            faults.extend(self.restrict(&then.faults, &when)?);
            pieces.push((when, then));
            at = *otherwise;
        }
        let last = self.eval(at, time)?;
        faults.extend(self.restrict(&last.faults, &rest)?);
        pieces.push((rest, last));
        if let Some(value) = SymbolicValue::select(&pieces, &self.manager)? {
            return Ok(Coded { value, faults });
        }
        let (_, last) = pieces.pop().expect("a chain has an end");
        let mut value = last.value.clone();
        for (when, piece) in pieces.iter().rev() {
            value = SymbolicValue::merge(when, &piece.value, &value, &self.manager)?;
        }
        Ok(Coded { value, faults })
    }

    fn binary(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        a: &Coded<A::Function>,
        b: &Coded<A::Function>,
    ) -> Result<Coded<A::Function>, Limit> {
        let manager = self.manager.clone();
        let mut faults = self.connective_faults(op, a, b)?;
        let signed = matches!(
            self.system.context.exprs.ty(self.system[expr].children()[0]),
            Ty::One(Scalar::Int | Scalar::Word { signed: true, .. })
        );
        let value = match (&a.value, &b.value) {
            (SymbolicValue::Bool(a), SymbolicValue::Bool(b)) => SymbolicValue::Bool(logical(op, a, b, &manager)?),
            _ if matches!(op, BinaryOp::Eq | BinaryOp::Ne) => {
                let equal = a.value.equals(&b.value, &manager)?;
                SymbolicValue::Bool(if op == BinaryOp::Eq { equal } else { manager.not(&equal) })
            }
            (SymbolicValue::Int(_), SymbolicValue::Int(_)) | (SymbolicValue::Word(_), SymbolicValue::Word(_))
                if op.is_relational() =>
            {
                let (a, b) = (a.value.as_bits(), b.value.as_bits());
                let (a, b, negated) = match op {
                    BinaryOp::Lt => (a, b, false),
                    BinaryOp::Gt => (b, a, false),
                    BinaryOp::Le => (b, a, true),
                    _ => (a, b, true),
                };
                let less = if signed { a.less_signed(b, &manager)? } else { a.less(b, &manager)? };
                SymbolicValue::Bool(if negated { manager.not(&less) } else { less })
            }
            (SymbolicValue::Word(word), amount) if matches!(op, BinaryOp::Shl | BinaryOp::Shr) => {
                let amount = match amount {
                    SymbolicValue::Int(bits) => bits.clone(),
                    SymbolicValue::Word(bits) => bits.pad(bits.width() + 1, &manager),
                    _ => unreachable!("the typing rules want a number or word here"),
                };
                let outside = manager.not(&amount.between(0, place_number(word.width()), &manager)?);
                faults.push(Fault { expr, kind: FaultKind::Shift, when: outside });
                let amount = Bits(amount.0[..amount.width() - 1].to_vec());
                let fill = if signed { word.sign().clone() } else { manager.constant(false) };
                SymbolicValue::Word(match op {
                    BinaryOp::Shl => word.shift_left(&amount, &manager)?,
                    _ => word.shift_right(&amount, &fill, &manager)?,
                })
            }
            (SymbolicValue::Int(a), SymbolicValue::Int(b)) => {
                let bits = match op {
                    BinaryOp::Add => a.add_signed(b, &manager)?,
                    BinaryOp::Sub => a.sub_signed(b, &manager)?,
                    BinaryOp::Mul => a.mul_signed(b, &manager)?,
                    BinaryOp::Div | BinaryOp::Mod => {
                        faults.push(self.division_fault(expr, b)?);
                        let (quotient, remainder) = a.divide_signed(b, &manager)?;
                        if op == BinaryOp::Div { quotient } else { remainder }
                    }
                    _ => unreachable!("the typing rules allow no {op:?} on numbers"),
                };
                self.number(expr, bits, &mut faults)?
            }
            (SymbolicValue::Word(a), SymbolicValue::Word(b)) => SymbolicValue::Word(match op {
                BinaryOp::Add => a.add(b, &manager)?,
                BinaryOp::Sub => a.sub(b, &manager)?,
                BinaryOp::Mul => a.mul(b, &manager)?,
                BinaryOp::Div | BinaryOp::Mod => {
                    faults.push(self.division_fault(expr, b)?);
                    let (quotient, remainder) =
                        if signed { a.divide_signed_words(b, &manager)? } else { a.divide(b, &manager)? };
                    if op == BinaryOp::Div { quotient } else { remainder }
                }
                BinaryOp::Concat => Bits(b.0.iter().chain(&a.0).cloned().collect()),
                _ => a.zip(b, |a, b| logical(op, a, b, &manager))?,
            }),
            other => unreachable!("the typing rules allow no {op:?} on {other:?}"),
        };
        faults.retain(|fault| !fault.when.is_false());
        Ok(Coded { value, faults })
    }

    /// The result of an operation on numbers, which has no value where 64 bits are too few for it.
    fn number(
        &self,
        expr: ExprId,
        bits: Bits<A::Function>,
        faults: &mut Vec<Fault<A::Function>>,
    ) -> Result<SymbolicValue<A::Function>, Limit> {
        let (bits, when) = bits.cut(&self.manager)?;
        if !when.is_false() {
            faults.push(Fault { expr, kind: FaultKind::Overflow, when });
        }
        Ok(SymbolicValue::Int(bits))
    }

    fn division_fault(&self, expr: ExprId, divisor: &Bits<A::Function>) -> Result<Fault<A::Function>, Limit> {
        let zero = divisor.equals(&Bits::word(0, divisor.width(), &self.manager), &self.manager)?;
        Ok(Fault { expr, kind: FaultKind::DivisionByZero, when: zero })
    }

    /// The faults of two operands. Where one operand of a connective decides, the other need not have a value.
    fn connective_faults(
        &self,
        op: BinaryOp,
        a: &Coded<A::Function>,
        b: &Coded<A::Function>,
    ) -> Result<Vec<Fault<A::Function>>, Limit> {
        if a.faults.is_empty() && b.faults.is_empty() {
            return Ok(Vec::new());
        }
        let manager = &self.manager;
        let (SymbolicValue::Bool(left), SymbolicValue::Bool(right)) = (&a.value, &b.value) else {
            return Ok(a.faults.iter().chain(&b.faults).cloned().collect());
        };
        let (left_decides, right_decides) = match op {
            BinaryOp::And => (manager.not(left), manager.not(right)),
            BinaryOp::Or => (left.clone(), right.clone()),
            BinaryOp::Implies => (manager.not(left), right.clone()),
            _ => return Ok(a.faults.iter().chain(&b.faults).cloned().collect()),
        };
        // An operand without a value decides nothing.
        let open = |decides: &A::Function, faults: &[Fault<A::Function>]| -> Result<A::Function, Limit> {
            let mut open = manager.not(decides);
            for fault in faults {
                open = manager.or(&open, &fault.when)?;
            }
            Ok(open)
        };
        let mut faults = self.restrict(&a.faults, &open(&right_decides, &b.faults)?)?;
        faults.extend(self.restrict(&b.faults, &open(&left_decides, &a.faults)?)?);
        Ok(faults)
    }

    fn index(
        &mut self,
        expr: ExprId,
        array: &Coded<A::Function>,
        index: &Coded<A::Function>,
    ) -> Result<Coded<A::Function>, Limit> {
        let SymbolicValue::Array(first, items) = &array.value else {
            unreachable!("the typing rules want an array here")
        };
        let manager = &self.manager;
        let index_bits = match &index.value {
            SymbolicValue::Int(bits) => bits.clone(),
            SymbolicValue::Word(bits) => bits.pad(bits.width() + 1, manager),
            _ => unreachable!("the typing rules want a number or word here"),
        };
        let mut faults: Vec<Fault<A::Function>> = array.faults.iter().chain(&index.faults).cloned().collect();
        let last = first + place_number(items.len() - 1);
        let outside = manager.not(&index_bits.between(*first, last, manager)?);
        if !outside.is_false() {
            faults.push(Fault { expr, kind: FaultKind::Index, when: outside });
        }
        let mut value: Option<SymbolicValue<A::Function>> = None;
        for (place, item) in items.iter().enumerate().rev() {
            // Outside, where there is no value, anything goes: there the last element is as good as another.
            if value.is_none() && item.faults.is_empty() {
                value = Some(item.value.clone());
                continue;
            }
            let here = index_bits.equals_signed(&Bits::number(first + place_number(place), manager), manager)?;
            faults.extend(self.restrict(&item.faults, &here)?);
            value = Some(match value {
                Some(value) => SymbolicValue::merge(&here, &item.value, &value, manager)?,
                None => item.value.clone(),
            });
        }
        let value = value.expect("arrays are not empty");
        Ok(Coded { value, faults })
    }

    fn call(
        &mut self,
        expr: ExprId,
        builtin: Builtin,
        args: &[ExprId],
        time: Time,
    ) -> Result<Coded<A::Function>, Limit> {
        let manager = self.manager.clone();
        let mut faults = Vec::new();
        let mut values = Vec::new();
        // The width of `extend` and `resize` is part of the type.
        let n_values = if matches!(builtin, Builtin::Extend | Builtin::Resize) { 1 } else { args.len() };
        for arg in &args[..n_values] {
            let coded = self.eval(*arg, time)?;
            faults.extend(coded.faults.iter().cloned());
            values.push(coded.value.clone());
        }
        let signed = matches!(self.system.context.exprs.ty(args[0]), Ty::One(Scalar::Word { signed: true, .. }));
        let value = match (builtin, &values[0]) {
            (Builtin::Count, _) => {
                let mut sum = Bits::number(0, &manager);
                for value in &values {
                    sum = sum.add_signed(&Bits::natural(vec![value.as_bool().clone()], &manager), &manager)?;
                }
                SymbolicValue::Int(sum)
            }
            (Builtin::Abs, value) => self.number(expr, value.as_bits().abs_signed(&manager)?, &mut faults)?,
            (Builtin::Min | Builtin::Max, value) => {
                let (a, b) = (value.as_bits(), values[1].as_bits());
                let unsigned = matches!(value, SymbolicValue::Word(_)) && !signed;
                let less = if unsigned { a.less(b, &manager)? } else { a.less_signed(b, &manager)? };
                let first = if builtin == Builtin::Min { less } else { manager.not(&less) };
                SymbolicValue::merge(&first, value, &values[1], &manager)?
            }
            (Builtin::Bool, SymbolicValue::Bool(_)) | (Builtin::ToInt, SymbolicValue::Int(_)) => values[0].clone(),
            (Builtin::Bool, value) => {
                let bits = value.as_bits();
                let zero = bits.equals(&Bits::word(0, bits.width(), &manager), &manager)?;
                SymbolicValue::Bool(manager.not(&zero))
            }
            (Builtin::Word1, value) => SymbolicValue::Word(Bits(vec![value.as_bool().clone()])),
            (Builtin::ToInt, SymbolicValue::Bool(condition)) => {
                SymbolicValue::Int(Bits::natural(vec![condition.clone()], &manager))
            }
            (Builtin::ToInt, value) if signed => SymbolicValue::Int(value.as_bits().clone()),
            (Builtin::ToInt, value) => {
                self.number(expr, Bits::natural(value.as_bits().0.clone(), &manager), &mut faults)?
            }
            (Builtin::Signed | Builtin::Unsigned, value) => value.clone(),
            (Builtin::Extend | Builtin::Resize, value) => {
                let Ty::One(Scalar::Word { width, .. }) = self.system.context.exprs.ty(expr) else {
                    unreachable!("the typing rules make a word here")
                };
                SymbolicValue::Word(resize(value.as_bits(), signed, usize::from(*width), &manager))
            }
            (Builtin::UwConst | Builtin::SwConst | Builtin::SizeOf, _) => unreachable!("lowering folds these"),
        };
        Ok(Coded { value, faults })
    }
}

/// A length or place as a number of the language.
fn place_number(place: usize) -> i64 {
    i64::try_from(place).expect("nothing in memory is that long")
}

/// A word of another width. A signed word that gets narrower keeps its sign and its lowest bits.
fn resize<F: Function>(bits: &Bits<F>, signed: bool, width: usize, manager: &impl Algebra<Function = F>) -> Bits<F> {
    if width >= bits.width() {
        return if signed { bits.widen(width) } else { bits.pad(width, manager) };
    }
    let mut narrow = bits.0[..width].to_vec();
    if signed {
        narrow[width - 1] = bits.sign().clone();
    }
    Bits(narrow)
}

/// A connective on truth values, or on the bits of words.
fn logical<F: Function>(op: BinaryOp, a: &F, b: &F, manager: &impl Algebra<Function = F>) -> Result<F, Limit> {
    match op {
        BinaryOp::And => manager.and(a, b),
        BinaryOp::Or => manager.or(a, b),
        BinaryOp::Xor | BinaryOp::Ne => manager.xor(a, b),
        BinaryOp::Xnor | BinaryOp::Iff | BinaryOp::Eq => manager.iff(a, b),
        BinaryOp::Implies => manager.implies(a, b),
        _ => unreachable!("the typing rules allow no {op:?} on truth values"),
    }
}
