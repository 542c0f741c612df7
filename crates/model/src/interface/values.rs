//! The values that an expression can have, by interval arithmetic: a superset.

use crate::expr::{ExprId, Node};
use crate::model::TransitionSystem;
use crate::op::{BinaryOp, Builtin, UnaryOp};
use crate::ty::{Scalar, Ty};
use crate::value::{Domain, Value};
use rustc_hash::FxHashMap;

/// A domain with all values of an expression; `None` if it is a choice or an array.
pub(super) fn domain_of(model: &TransitionSystem, expr: ExprId) -> Option<Domain> {
    Some(match model.context.exprs.ty(expr) {
        Ty::One(Scalar::Bool) => Domain::Bool,
        Ty::One(Scalar::Word { signed, width }) => Domain::Word { signed: *signed, width: *width },
        Ty::One(Scalar::Int | Scalar::Symbol | Scalar::Mixed) => {
            Analysis { model, known: FxHashMap::default() }.values(expr).domain()
        }
        Ty::Set(_) | Ty::Array(..) => return None,
    })
}

impl TransitionSystem {
    /// A domain with all values of an expression, and perhaps more; nothing if it is a choice or an array.
    pub fn domain_of(&self, expr: ExprId) -> Option<Domain> {
        domain_of(self, expr)
    }
}

/// Possible values.
#[derive(Clone, Debug, Default)]
struct Values {
    /// The smallest and the largest number; `None` if there are no numbers.
    numbers: Option<(i128, i128)>,
    /// Whether numbers have no known bounds.
    unbounded: bool,
    /// The symbols, in order of their first occurrence.
    symbols: Vec<Value>,
}

impl Values {
    fn between(low: i128, high: i128) -> Values {
        Values { numbers: Some((low, high)), ..Values::default() }
    }

    fn unbounded() -> Values {
        Values { unbounded: true, ..Values::default() }
    }

    fn of(domain: &Domain) -> Values {
        match domain {
            Domain::Range(first, last) => Values::between((*first).into(), (*last).into()),
            Domain::Enum(values) => {
                values.iter().fold(Values::default(), |all, value| all.or(Values::constant(*value)))
            }
            Domain::Bool | Domain::Word { .. } | Domain::Integer => Values::unbounded(),
        }
    }

    fn constant(value: Value) -> Values {
        match value {
            Value::Int(number) => Values::between(number.into(), number.into()),
            Value::Symbol(_) => Values { symbols: vec![value], ..Values::default() },
            Value::Bool(_) | Value::Word(_) => Values::unbounded(),
        }
    }

    fn or(mut self, other: Values) -> Values {
        self.numbers = match (self.numbers, other.numbers) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (some, None) | (None, some) => some,
        };
        self.unbounded |= other.unbounded;
        let new: Vec<Value> = other.symbols.into_iter().filter(|symbol| !self.symbols.contains(symbol)).collect();
        self.symbols.extend(new);
        self
    }

    fn domain(&self) -> Domain {
        /// Maximal number of numbers in an enumeration with symbols.
        const MAX_LISTED: i128 = 1000;
        let bounds = self.numbers.map(|(low, high)| (i64::try_from(low), i64::try_from(high)));
        match (bounds, &self.symbols[..]) {
            (None, symbols) if !self.unbounded && !symbols.is_empty() => Domain::Enum(symbols.into()),
            (Some((Ok(low), Ok(high))), []) if !self.unbounded => Domain::Range(low, high),
            (Some((Ok(low), Ok(high))), symbols)
                if !self.unbounded && i128::from(high) - i128::from(low) < MAX_LISTED =>
            {
                Domain::Enum(symbols.iter().copied().chain((low..=high).map(Value::Int)).collect())
            }
            _ => Domain::Integer,
        }
    }
}

struct Analysis<'m> {
    model: &'m TransitionSystem,
    known: FxHashMap<ExprId, Values>,
}

impl Analysis<'_> {
    fn values(&mut self, expr: ExprId) -> Values {
        if let Some(known) = self.known.get(&expr) {
            return known.clone();
        }
        let values = crate::interp::grow(|| self.compute(expr));
        self.known.insert(expr, values.clone());
        values
    }

    fn compute(&mut self, expr: ExprId) -> Values {
        let model = self.model;
        match &model[expr] {
            Node::Const(value) => Values::constant(*value),
            Node::Var(var) => Values::of(&model[*var].domain),
            Node::Define(define) => self.values(model.body(*define)),
            Node::Ite(_, a, b) => self.values(*a).or(self.values(*b)),
            Node::Case(branches) => {
                branches.iter().fold(Values::default(), |all, (_, value)| all.or(self.values(*value)))
            }
            Node::Array(_, items) => items.iter().fold(Values::default(), |all, item| all.or(self.values(*item))),
            Node::Index(array, _) => self.values(*array),
            Node::Unary(UnaryOp::Neg, a) => {
                self.number(*a).map_or_else(Values::unbounded, |(low, high)| Values::between(-high, -low))
            }
            Node::Binary(op, a, b) => self.binary(*op, *a, *b),
            Node::Call(builtin, args) => self.call(*builtin, args),
            _ => Values::unbounded(),
        }
    }

    /// The bounds of a number. All bounds are those of 64-bit integers at most, so their products fit.
    fn number(&mut self, expr: ExprId) -> Option<(i128, i128)> {
        let values = self.values(expr);
        let fits = |bound: i128| i64::try_from(bound).is_ok();
        values.numbers.filter(|(low, high)| !values.unbounded && fits(*low) && fits(*high))
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Values {
        let (Some((a, b)), Some((c, d))) = (self.number(a), self.number(b)) else { return Values::unbounded() };
        match op {
            BinaryOp::Add => Values::between(a + c, b + d),
            BinaryOp::Sub => Values::between(a - d, b - c),
            BinaryOp::Mul => {
                let products = [a * c, a * d, b * c, b * d];
                Values::between(*products.iter().min().expect("four"), *products.iter().max().expect("four"))
            }
            BinaryOp::Div => {
                let most = a.abs().max(b.abs());
                if a >= 0 && c >= 0 { Values::between(0, most) } else { Values::between(-most, most) }
            }
            BinaryOp::Mod => {
                let most = (c.abs().max(d.abs()) - 1).max(0);
                if a >= 0 && c >= 0 { Values::between(0, most) } else { Values::between(-most, most) }
            }
            _ => Values::unbounded(),
        }
    }

    fn call(&mut self, builtin: Builtin, args: &[ExprId]) -> Values {
        let numbers: Option<Vec<(i128, i128)>> = match builtin {
            Builtin::Abs | Builtin::Min | Builtin::Max => args.iter().map(|arg| self.number(*arg)).collect(),
            _ => None,
        };
        match (builtin, numbers.as_deref(), args) {
            (Builtin::Count, ..) => Values::between(0, i128::try_from(args.len()).unwrap_or(i128::MAX)),
            (Builtin::Abs, Some([(low, high)]), _) => {
                let least = if *low <= 0 && *high >= 0 { 0 } else { low.abs().min(high.abs()) };
                Values::between(least, low.abs().max(high.abs()))
            }
            (Builtin::Min, Some([(a, b), (c, d)]), _) => Values::between(*a.min(c), *b.min(d)),
            (Builtin::Max, Some([(a, b), (c, d)]), _) => Values::between(*a.max(c), *b.max(d)),
            (Builtin::ToInt, _, [word]) => match self.model.context.exprs.ty(*word) {
                Ty::One(Scalar::Word { signed: false, width }) => Values::between(0, (1 << width) - 1),
                Ty::One(Scalar::Word { signed: true, width }) => {
                    Values::between(-(1 << (width - 1)), (1 << (width - 1)) - 1)
                }
                Ty::One(Scalar::Bool) => Values::between(0, 1),
                _ => Values::unbounded(),
            },
            _ => Values::unbounded(),
        }
    }
}
