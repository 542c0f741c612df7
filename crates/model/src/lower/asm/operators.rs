//! Truth values and numbers: what operators make of them, and within which bounds.

use super::value::{Const, Single, Sym, Values};
use super::{Lowering, Stop};
use crate::expr::Node;
use crate::op::{BinaryOp as Op, UnaryOp};
use specwright_syntax::asm::ast::BinaryOp;
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;

impl Lowering<'_> {
    pub(super) fn negate(&mut self, value: &Sym, span: Span) -> Result<Sym, Stop> {
        match value {
            Sym::Known(Const::Bool(value)) => Ok(Sym::bool(!value)),
            Sym::Known(Const::Undef) => Ok(Sym::UNDEF),
            Sym::One(Single { value, defined, values: Values::Bool }) => {
                let (value, defined) = (self.not(*value), *defined);
                Ok(Sym::One(Single { value, defined, values: Values::Bool }))
            }
            other => Err(self.wrong_kind(span, "a truth value", other)),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: &Sym, b: &Sym, span: Span) -> Result<Sym, Stop> {
        match op {
            BinaryOp::Eq => {
                let same = self.equal(a, b);
                Ok(self.truth(same))
            }
            BinaryOp::Ne => {
                let same = self.equal(a, b);
                let differ = self.not(same);
                Ok(self.truth(differ))
            }
            BinaryOp::In | BinaryOp::NotIn => {
                let Some(members) = self.members_of(b) else { return Err(self.wrong_kind(span, "a set", b)) };
                let inside = self.is_member(a, &members);
                let result = if op == BinaryOp::In { inside } else { self.not(inside) };
                Ok(self.truth(result))
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Implies | BinaryOp::Iff => {
                // A part without a value does not hold.
                let (a, b) = (self.holds(a, span)?, self.holds(b, span)?);
                let result = match op {
                    BinaryOp::And => self.and(a, b),
                    BinaryOp::Or => self.or(a, b),
                    BinaryOp::Implies => self.implies(a, b),
                    BinaryOp::Iff => self.iff(a, b),
                    _ => {
                        let same = self.iff(a, b);
                        self.not(same)
                    }
                };
                Ok(self.truth(result))
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => self.order(op, a, b, span),
            _ => self.arithmetic(op, a, b, span),
        }
    }

    /// A comparison of numbers.
    fn order(&mut self, op: BinaryOp, a: &Sym, b: &Sym, span: Span) -> Result<Sym, Stop> {
        let Some((a, b)) = self.numbers(a, b, span)? else { return Ok(Sym::UNDEF) };
        let (Values::Int(a_low, a_high), Values::Int(b_low, b_high)) = (&a.values, &b.values) else {
            return Err(Stop);
        };
        // Told by the bounds, if they are apart.
        let (op, sure, never) = match op {
            BinaryOp::Lt => (Op::Lt, a_high < b_low, a_low >= b_high),
            BinaryOp::Le => (Op::Le, a_high <= b_low, a_low > b_high),
            BinaryOp::Gt => (Op::Gt, a_low > b_high, a_high <= b_low),
            _ => (Op::Ge, a_low >= b_high, a_high < b_low),
        };
        let value = if sure || never { self.boolean(sure) } else { self.compare(op, a.value, b.value) };
        let defined = self.and(a.defined, b.defined);
        if self.truth_of(defined) == Some(true) {
            return Ok(self.truth(value));
        }
        Ok(Sym::One(Single { value, defined, values: Values::Bool }))
    }

    /// Two numbers; nothing if one of them is never there.
    fn numbers(&mut self, a: &Sym, b: &Sym, span: Span) -> Result<Option<(Single, Single)>, Stop> {
        let mut found = Vec::new();
        for sym in [a, b] {
            if matches!(sym, Sym::Known(Const::Undef)) {
                return Ok(None);
            }
            match self.single(sym) {
                Some(single) if matches!(single.values, Values::Int(..)) => found.push(single),
                _ => return Err(self.wrong_kind(span, "a number", sym)),
            }
        }
        Ok(Some((found[0].clone(), found[1].clone())))
    }

    pub(super) fn arithmetic(&mut self, op: BinaryOp, a: &Sym, b: &Sym, span: Span) -> Result<Sym, Stop> {
        if let (Sym::Known(Const::Atom(x)), Sym::Known(Const::Atom(y)), BinaryOp::Add) = (a, b, op) {
            let text = format!("\"{}{}\"", x.trim_matches('"'), y.trim_matches('"'));
            return Ok(Sym::Known(Const::Atom(text.into())));
        }
        let Some((a, b)) = self.numbers(a, b, span)? else { return Ok(Sym::UNDEF) };
        let (Values::Int(a_low, a_high), Values::Int(b_low, b_high)) = (a.values.clone(), b.values.clone()) else {
            return Err(Stop);
        };
        let known = a_low == a_high && b_low == b_high;
        let symbol = match op {
            BinaryOp::Add => Op::Add,
            BinaryOp::Sub => Op::Sub,
            BinaryOp::Mul => Op::Mul,
            BinaryOp::IntDiv => Op::Div,
            BinaryOp::Mod => Op::Mod,
            BinaryOp::Div if known && b_low != 0 && a_low % b_low == 0 => Op::Div,
            BinaryOp::Div => {
                let message = "`/` gives a real number, which is not supported";
                let diagnostic = Diagnostic::error(codes::UNBOUNDED, span, message);
                return Err(self.stop(diagnostic.help("`idiv(a, b)` divides whole numbers")));
            }
            _ => return Err(self.unsupported(span, "powers are not supported")),
        };
        let defined = self.and(a.defined, b.defined);
        // Nothing can be divided by 0.
        let (divisor, defined) = if matches!(symbol, Op::Div | Op::Mod) && b_low <= 0 && b_high >= 0 {
            if b_low == b_high {
                return Ok(Sym::UNDEF);
            }
            let (zero, one) = (self.int(0), self.int(1));
            let some = self.compare(Op::Ne, b.value, zero);
            (self.choose(some, b.value, one), self.and(defined, some))
        } else {
            (b.value, defined)
        };
        let Some((low, high)) = bounds(symbol, (a_low, a_high), (b_low, b_high)) else {
            return Err(self.too_large(span, "this number may become too large"));
        };
        if low == high && known && self.truth_of(defined) == Some(true) {
            return Ok(Sym::Known(Const::Int(low)));
        }
        let value = match (symbol, a_low == a_high, b_low == b_high) {
            (Op::Add | Op::Sub, _, true) if b_low == 0 => a.value,
            (Op::Add, true, _) if a_low == 0 => b.value,
            (Op::Sub, true, _) if a_low == 0 => self.node(Node::Unary(UnaryOp::Neg, b.value)),
            _ => self.node(Node::Binary(symbol, a.value, divisor)),
        };
        Ok(Sym::One(Single { value, defined, values: Values::Int(low, high) }))
    }
}

/// The least and greatest result of an operation, unless it is out of all bounds.
fn bounds(op: Op, (a, b): (i64, i64), (c, d): (i64, i64)) -> Option<(i64, i64)> {
    const FAR: i64 = 1 << 40;
    let corners: Vec<i64> = match op {
        Op::Add => vec![a.checked_add(c)?, b.checked_add(d)?],
        Op::Sub => vec![a.checked_sub(d)?, b.checked_sub(c)?],
        Op::Mul => vec![a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?],
        Op::Div => {
            if c == d && c != 0 {
                vec![a.checked_div(c)?, b.checked_div(c)?]
            } else {
                let most = a.checked_abs()?.max(b.checked_abs()?);
                vec![-most, most]
            }
        }
        _ => {
            if a == b && c == d && c != 0 {
                vec![a.checked_rem(c)?]
            } else {
                // The remainder has the sign of what is divided, and is less than what it is divided by.
                let most = c.checked_abs()?.max(d.checked_abs()?).checked_sub(1)?.max(0);
                vec![if a < 0 { (-most).max(a) } else { 0 }, if b > 0 { most.min(b) } else { 0 }]
            }
        }
    };
    let (low, high) = (*corners.iter().min()?, *corners.iter().max()?);
    ((-FAR..=FAR).contains(&low) && (-FAR..=FAR).contains(&high)).then_some((low, high))
}
