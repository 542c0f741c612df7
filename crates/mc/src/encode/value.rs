//! Symbolic values and how they are compared and merged.

use super::algebra::{Algebra, Function};
use super::bits::Bits;
use crate::bdd::{Bdd, Limit};
use rustc_hash::FxHashMap;
use specwright_model::{Domain, ExprId, Value};
use std::rc::Rc;

/// What an expression evaluates to, in every state at once.
#[derive(Clone, Debug)]
pub(crate) enum SymbolicValue<F> {
    /// The states in which it is true.
    Bool(F),
    /// A number in two's complement, the sign last.
    Int(Bits<F>),
    /// A word, the least significant bit first.
    Word(Bits<F>),
    /// Values with the states in which each is taken; the conditions exclude each other.
    Choice(Vec<(Value, F)>),
    /// An array, indexed from a number on. An element that has no value somewhere matters only where it is looked at.
    Array(i64, Rc<[Coded<F>]>),
}

/// Why an expression may have no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum FaultKind {
    /// No branch of a `case` applies.
    NoBranch,
    /// Division by zero.
    DivisionByZero,
    /// An index outside the array.
    Index,
    /// A shift by a negative amount or by more than the width.
    Shift,
    /// A number that 64 bits are too few for.
    Overflow,
    /// A value that the assigned variable cannot take.
    OutOfRange,
}

/// A condition under which a part of an expression has no value.
#[derive(Clone, Debug)]
pub(crate) struct Fault<F = Bdd> {
    /// The part.
    pub(crate) expr: ExprId,
    /// Why.
    pub(crate) kind: FaultKind,
    /// When.
    pub(crate) when: F,
}

/// A symbolic value and where it is not to be trusted.
#[derive(Clone, Debug)]
pub(crate) struct Coded<F> {
    /// The value.
    pub(crate) value: SymbolicValue<F>,
    /// The conditions under which there is none.
    pub(crate) faults: Vec<Fault<F>>,
}

impl<F: Function> Coded<F> {
    /// This value where the condition holds, the other elsewhere.
    fn merge(
        condition: &F,
        then: &Coded<F>,
        otherwise: &Coded<F>,
        manager: &impl Algebra<Function = F>,
    ) -> Result<Coded<F>, Limit> {
        let value = SymbolicValue::merge(condition, &then.value, &otherwise.value, manager)?;
        let mut faults = restrict(&then.faults, condition, manager)?;
        faults.extend(restrict(&otherwise.faults, &manager.not(condition), manager)?);
        Ok(Coded { value, faults })
    }
}

/// Faults as far as they matter under a condition.
pub(crate) fn restrict<F: Function>(
    faults: &[Fault<F>],
    when: &F,
    manager: &impl Algebra<Function = F>,
) -> Result<Vec<Fault<F>>, Limit> {
    let mut restricted = Vec::new();
    for fault in faults {
        let when = manager.and(&fault.when, when)?;
        if !when.is_false() {
            restricted.push(Fault { when, ..fault.clone() });
        }
    }
    Ok(restricted)
}

impl<F: Function> SymbolicValue<F> {
    /// The condition of a truth value.
    pub(crate) fn as_bool(&self) -> &F {
        match self {
            SymbolicValue::Bool(condition) => condition,
            _ => unreachable!("the typing rules put a truth value here"),
        }
    }

    /// The bits of a number or word.
    pub(crate) fn as_bits(&self) -> &Bits<F> {
        match self {
            SymbolicValue::Int(bits) | SymbolicValue::Word(bits) => bits,
            _ => unreachable!("the typing rules put a number or word here"),
        }
    }

    /// The states in which two values are equal.
    pub(crate) fn equals(&self, other: &SymbolicValue<F>, manager: &impl Algebra<Function = F>) -> Result<F, Limit> {
        match (self, other) {
            (SymbolicValue::Bool(a), SymbolicValue::Bool(b)) => manager.iff(a, b),
            (SymbolicValue::Int(a), SymbolicValue::Int(b)) => a.equals_signed(b, manager),
            (SymbolicValue::Word(a), SymbolicValue::Word(b)) => a.equals(b, manager),
            (SymbolicValue::Array(_, a), SymbolicValue::Array(_, b)) => {
                let mut all = manager.constant(true);
                for (a, b) in a.iter().zip(b.iter()) {
                    all = manager.and(&all, &a.value.equals(&b.value, manager)?)?;
                }
                Ok(all)
            }
            (SymbolicValue::Choice(choices), other) | (other, SymbolicValue::Choice(choices)) => {
                let mut any = manager.constant(false);
                for (value, condition) in choices {
                    any = manager.or(&any, &manager.and(condition, &other.is(*value, manager)?)?)?;
                }
                Ok(any)
            }
            // Values of different types.
            _ => Ok(manager.constant(false)),
        }
    }

    /// The states in which it has a value.
    fn is(&self, value: Value, manager: &impl Algebra<Function = F>) -> Result<F, Limit> {
        Ok(match (self, value) {
            (SymbolicValue::Bool(condition), Value::Bool(true)) => condition.clone(),
            (SymbolicValue::Bool(condition), Value::Bool(false)) => manager.not(condition),
            (SymbolicValue::Int(bits), Value::Int(number)) => {
                bits.equals_signed(&Bits::number(number, manager), manager)?
            }
            (SymbolicValue::Choice(choices), value) => {
                let choice = choices.iter().find(|(other, _)| *other == value);
                choice.map_or_else(|| manager.constant(false), |(_, when)| when.clone())
            }
            _ => manager.constant(false),
        })
    }

    /// This value where the condition holds, the other elsewhere.
    pub(crate) fn merge(
        condition: &F,
        then: &SymbolicValue<F>,
        otherwise: &SymbolicValue<F>,
        manager: &impl Algebra<Function = F>,
    ) -> Result<SymbolicValue<F>, Limit> {
        Ok(match (then, otherwise) {
            (SymbolicValue::Bool(a), SymbolicValue::Bool(b)) => SymbolicValue::Bool(manager.ite(condition, a, b)?),
            (SymbolicValue::Int(a), SymbolicValue::Int(b)) => {
                SymbolicValue::Int(Bits::merge_signed(condition, a, b, manager)?)
            }
            (SymbolicValue::Word(a), SymbolicValue::Word(b)) => {
                SymbolicValue::Word(Bits::merge(condition, a, b, manager)?)
            }
            (SymbolicValue::Array(first, a), SymbolicValue::Array(_, b)) => {
                let items = a.iter().zip(b.iter()).map(|(a, b)| Coded::merge(condition, a, b, manager));
                SymbolicValue::Array(*first, items.collect::<Result<_, _>>()?)
            }
            (a, b) => {
                let mut merged = Vec::new();
                for (value, when) in a.choices(manager)? {
                    merged.push((value, manager.and(condition, &when)?));
                }
                for (value, when) in b.choices(manager)? {
                    let when = manager.diff(&when, condition)?;
                    match merged.iter_mut().find(|(other, _)| *other == value) {
                        Some((_, other)) => *other = manager.or(other, &when)?,
                        None => merged.push((value, when)),
                    }
                }
                merged.retain(|(_, when)| !when.is_false());
                SymbolicValue::Choice(merged)
            }
        })
    }

    /// The values under conditions that exclude each other and leave out nothing; nothing if these are no choices. Each value
    /// is looked at once, while merging one after the other looks at all earlier ones again.
    pub(crate) fn select(
        pieces: &[(F, Rc<Coded<F>>)],
        manager: &impl Algebra<Function = F>,
    ) -> Result<Option<SymbolicValue<F>>, Limit> {
        let mut places: FxHashMap<Value, usize> = FxHashMap::default();
        let mut merged: Vec<(Value, F)> = Vec::new();
        for (condition, piece) in pieces {
            let SymbolicValue::Choice(choices) = &piece.value else { return Ok(None) };
            for (value, when) in choices {
                let when = manager.and(condition, when)?;
                if when.is_false() {
                    continue;
                }
                let place = *places.entry(*value).or_insert(merged.len());
                match merged.get_mut(place) {
                    Some((_, other)) => *other = manager.or(other, &when)?,
                    None => merged.push((*value, when)),
                }
            }
        }
        Ok(Some(SymbolicValue::Choice(merged)))
    }

    /// The values that occur, each with its states.
    pub(crate) fn choices(&self, manager: &impl Algebra<Function = F>) -> Result<Vec<(Value, F)>, Limit> {
        Ok(match self {
            SymbolicValue::Choice(choices) => choices.clone(),
            SymbolicValue::Bool(condition) => {
                let both = [(Value::Bool(false), manager.not(condition)), (Value::Bool(true), condition.clone())];
                both.into_iter().filter(|(_, when)| !when.is_false()).collect()
            }
            SymbolicValue::Int(bits) => {
                bits.values(manager)?.into_iter().map(|(number, when)| (Value::Int(number), when)).collect()
            }
            SymbolicValue::Word(_) | SymbolicValue::Array(..) => {
                unreachable!("words and arrays are never mixed with other values")
            }
        })
    }

    /// The states in which the value lies outside a domain.
    pub(crate) fn outside(&self, domain: &Domain, manager: &impl Algebra<Function = F>) -> Result<F, Limit> {
        match (self, domain) {
            // Types alone decide these.
            (SymbolicValue::Bool(_) | SymbolicValue::Word(_), _) | (_, Domain::Integer) => Ok(manager.constant(false)),
            (SymbolicValue::Int(bits), Domain::Range(first, last)) => {
                Ok(manager.not(&bits.between(*first, *last, manager)?))
            }
            (SymbolicValue::Int(_), Domain::Enum(values)) => {
                let mut inside = manager.constant(false);
                for value in values.iter() {
                    inside = manager.or(&inside, &self.is(*value, manager)?)?;
                }
                Ok(manager.not(&inside))
            }
            _ => {
                let mut outside = manager.constant(false);
                for (value, when) in self.choices(manager)? {
                    if !domain.contains(value) {
                        outside = manager.or(&outside, &when)?;
                    }
                }
                Ok(outside)
            }
        }
    }

    /// The bits of its code in a domain, the most significant first. Where it lies outside, they are arbitrary.
    pub(crate) fn code(&self, domain: &Domain, manager: &impl Algebra<Function = F>) -> Result<Vec<F>, Limit> {
        let width = domain.bits().expect("unbounded domains are rejected before encoding") as usize;
        let mut bits = match (self, domain) {
            (SymbolicValue::Bool(condition), _) => vec![condition.clone()],
            (SymbolicValue::Word(bits), _) => bits.0.clone(),
            (SymbolicValue::Int(bits), Domain::Range(first, _)) => {
                let offset = bits.sub_signed(&Bits::number(*first, manager), manager)?;
                offset.widen(width).0[..width].to_vec()
            }
            _ => {
                let mut bits = vec![manager.constant(false); width];
                let occurring = match (self, domain) {
                    (SymbolicValue::Int(_), Domain::Enum(values)) => {
                        values.iter().map(|value| Ok((*value, self.is(*value, manager)?))).collect::<Result<_, _>>()?
                    }
                    _ => self.choices(manager)?,
                };
                for (value, when) in occurring {
                    let code = domain.index_of(value).unwrap_or(0);
                    let is_set = |place: usize| code >> place & 1 == 1;
                    for (_, bit) in bits.iter_mut().enumerate().filter(|(place, _)| is_set(*place)) {
                        *bit = manager.or(bit, &when)?;
                    }
                }
                bits
            }
        };
        bits.reverse();
        Ok(bits)
    }
}
