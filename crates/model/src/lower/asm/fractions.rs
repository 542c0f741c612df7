//! Rational numbers as a numerator and a positive denominator. They are computed exactly. Locations of `Real` hold them as
//! multiples of a fraction that the constants of the machine determine.

use super::value::{Const, Single, Sym, Values};
use super::{Lowering, Stop};
use crate::expr::ExprId;
use crate::op::BinaryOp as Op;
use specwright_syntax::asm::ast::{BinaryOp, TermKind};
use specwright_syntax::span::Span;

const ZERO: Sym = Sym::Known(Const::Int(0));
/// Largest denominator of the fractions that a location holds.
const MAX_DENOMINATOR: i64 = 100_000;

const ONE: Sym = Sym::Known(Const::Int(1));

/// Parses a number such as `2.50`; the result is an integer if it has no fraction.
pub(super) fn parse_number(text: &str) -> Option<Sym> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let rest = rest.trim_end_matches('0');
    if rest.len() > 9 || !rest.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let denominator = 10i64.pow(u32::try_from(rest.len()).ok()?);
    let numerator: i64 = format!("{whole}{rest}").parse().ok()?;
    Some(reduced(numerator, denominator))
}

/// A fraction in lowest terms with a positive denominator.
fn reduced(numerator: i64, denominator: i64) -> Sym {
    let (mut a, mut b) = (numerator.unsigned_abs(), denominator.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let common = i64::try_from(a).unwrap_or(1).max(1);
    let (numerator, denominator) = (numerator / common, denominator / common);
    if denominator == 1 {
        return Sym::Known(Const::Int(numerator));
    }
    let number = |value| Box::new(Sym::Known(Const::Int(value)));
    Sym::Ratio(number(numerator), number(denominator))
}

/// Numerator and denominator of a number.
pub(super) fn parts_of(sym: &Sym) -> (Sym, Sym) {
    match sym {
        Sym::Ratio(numerator, denominator) => ((**numerator).clone(), (**denominator).clone()),
        whole => (whole.clone(), ONE),
    }
}

/// A number over a positive constant.
pub(super) fn over(numerator: Sym, denominator: i64) -> Sym {
    match numerator {
        Sym::Known(Const::Int(numerator)) => reduced(numerator, denominator),
        Sym::One(_) if denominator > 1 => {
            Sym::Ratio(Box::new(numerator), Box::new(Sym::Known(Const::Int(denominator))))
        }
        other => other,
    }
}

/// The greatest common divisor of two positive numbers.
fn common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a.max(1) } else { common_divisor(b, a % b) }
}

impl Lowering<'_> {
    /// The denominator of the fractions that locations hold: half of the smallest fraction that the machine mentions, so that
    /// there is a number between any two that it mentions.
    pub(super) fn smallest_fraction(&self) -> i64 {
        let mut all = 1i64;
        for term in self.files.iter().flat_map(|file| &file.terms) {
            if let TermKind::Real(text) = &term.kind
                && let Some(Sym::Ratio(_, denominator)) = parse_number(text)
                && let Sym::Known(Const::Int(denominator)) = *denominator
            {
                all = (all / common_divisor(all, denominator)).checked_mul(denominator).unwrap_or(all);
            }
        }
        all.saturating_mul(2)
    }

    /// A number as a multiple of a fraction, which has to be an integer.
    pub(super) fn multiple(&mut self, number: &Sym, denominator: i64, span: Span) -> Result<Sym, Stop> {
        let (numerator, own) = match number {
            Sym::Known(Const::Undef) => return Ok(Sym::UNDEF),
            Sym::Ratio(numerator, own) => match **own {
                Sym::Known(Const::Int(own)) if denominator % own == 0 => ((**numerator).clone(), own),
                _ => return Err(self.not_single(number, span)),
            },
            whole => (whole.clone(), 1),
        };
        self.times(&numerator, denominator / own, span)
    }

    /// The denominator that a location needs to hold this value, if it is not the one that it has.
    pub(super) fn finer_denominator(&mut self, value: &Sym, denominator: i64) -> Option<i64> {
        if self.mutation.is_some() {
            return None;
        }
        let mut finer = denominator;
        for (case, _) in self.cases_of(value) {
            if let Sym::Ratio(_, own) = &case
                && let Sym::Known(Const::Int(own)) = **own
            {
                finer = (finer / common_divisor(finer, own)).checked_mul(own)?;
            }
        }
        (finer != denominator && finer <= MAX_DENOMINATOR).then_some(finer)
    }

    fn times(&mut self, number: &Sym, factor: i64, span: Span) -> Result<Sym, Stop> {
        if factor == 1 {
            return Ok(number.clone());
        }
        self.arithmetic(BinaryOp::Mul, number, &Sym::Known(Const::Int(factor)), span)
    }

    /// Two fractions over the same denominator, if theirs are known.
    fn alike(&mut self, a: &Sym, b: &Sym, span: Span) -> Result<Option<(Sym, Sym, i64)>, Stop> {
        let ((a, c), (b, d)) = (parts_of(a), parts_of(b));
        let (Sym::Known(Const::Int(c)), Sym::Known(Const::Int(d))) = (c, d) else { return Ok(None) };
        let common = common_divisor(c, d);
        let Some(whole) = (c / common).checked_mul(d) else { return Ok(None) };
        Ok(Some((self.times(&a, d / common, span)?, self.times(&b, c / common, span)?, whole)))
    }

    /// Applies an operator to numbers of which one is a fraction, or whose result is one.
    pub(super) fn fraction(&mut self, op: BinaryOp, a: &Sym, b: &Sym, span: Span) -> Result<Sym, Stop> {
        if matches!(op, BinaryOp::Add | BinaryOp::Sub)
            && let Some((a, b, denominator)) = self.alike(a, b, span)?
        {
            let numerator = self.arithmetic(op, &a, &b, span)?;
            return self.ratio(numerator, Sym::Known(Const::Int(denominator)), span);
        }
        let ((a, c), (b, d)) = (parts_of(a), parts_of(b));
        let (numerator, denominator) = match op {
            BinaryOp::Add | BinaryOp::Sub => {
                let left = self.arithmetic(BinaryOp::Mul, &a, &d, span)?;
                let right = self.arithmetic(BinaryOp::Mul, &b, &c, span)?;
                (self.arithmetic(op, &left, &right, span)?, self.arithmetic(BinaryOp::Mul, &c, &d, span)?)
            }
            BinaryOp::Mul => (self.arithmetic(op, &a, &b, span)?, self.arithmetic(op, &c, &d, span)?),
            BinaryOp::Div => {
                let numerator = self.arithmetic(BinaryOp::Mul, &a, &d, span)?;
                (numerator, self.arithmetic(BinaryOp::Mul, &b, &c, span)?)
            }
            _ => return Err(self.unsupported(span, "this operation is not supported for numbers with a fraction")),
        };
        self.ratio(numerator, denominator, span)
    }

    /// The quotient of two numbers.
    fn ratio(&mut self, numerator: Sym, denominator: Sym, span: Span) -> Result<Sym, Stop> {
        match (&numerator, &denominator) {
            (Sym::Known(Const::Undef), _) | (_, Sym::Known(Const::Undef | Const::Int(0))) => return Ok(Sym::UNDEF),
            (Sym::Known(Const::Int(a)), Sym::Known(Const::Int(b))) => {
                return Ok(if *b < 0 { reduced(a.saturating_neg(), b.saturating_neg()) } else { reduced(*a, *b) });
            }
            (_, Sym::Known(Const::Int(1))) => return Ok(numerator),
            _ => {}
        }
        let Some(Single { value, defined, values: Values::Int(low, _) }) = self.single(&denominator) else {
            return Err(self.wrong_kind(span, "a number", &denominator));
        };
        if low > 0 && self.truth_of(defined) == Some(true) {
            return Ok(Sym::Ratio(Box::new(numerator), Box::new(denominator)));
        }
        // Division by 0 is undefined, and the numerator carries the sign.
        let zero = self.int(0);
        let (negative, some) = (self.compare(Op::Lt, value, zero), self.compare(Op::Ne, value, zero));
        let there = self.and(defined, some);
        let (minus_n, minus_d) = (
            self.arithmetic(BinaryOp::Sub, &ZERO, &numerator, span)?,
            self.arithmetic(BinaryOp::Sub, &ZERO, &denominator, span)?,
        );
        let (numerator, denominator) = if low < 0 {
            (self.select(negative, &minus_n, &numerator, span)?, self.select(negative, &minus_d, &denominator, span)?)
        } else {
            (numerator, denominator)
        };
        let numerator = self.select(there, &numerator, &Sym::UNDEF, span)?;
        let denominator = self.select(there, &denominator, &ONE, span)?;
        let denominator = match denominator {
            Sym::One(Single { value, values: Values::Int(_, high), .. }) => {
                let defined = self.boolean(true);
                Sym::One(Single { value, defined, values: Values::Int(1, high) })
            }
            known => known,
        };
        Ok(Sym::Ratio(Box::new(numerator), Box::new(denominator)))
    }

    /// Two integers that compare as the two fractions do.
    pub(super) fn over_one_denominator(&mut self, a: &Sym, b: &Sym, span: Span) -> Result<(Sym, Sym), Stop> {
        if let Some((a, b, _)) = self.alike(a, b, span)? {
            return Ok((a, b));
        }
        let ((a, c), (b, d)) = (parts_of(a), parts_of(b));
        Ok((self.arithmetic(BinaryOp::Mul, &a, &d, span)?, self.arithmetic(BinaryOp::Mul, &b, &c, span)?))
    }

    /// A conditional of two numbers of which one is a fraction.
    pub(super) fn select_fraction(&mut self, c: ExprId, a: &Sym, b: &Sym, span: Span) -> Result<Sym, Stop> {
        let undef = |sym: &Sym| matches!(sym, Sym::Known(Const::Undef));
        if !undef(a)
            && !undef(b)
            && let Some((a, b, denominator)) = self.alike(a, b, span)?
        {
            let numerator = self.select(c, &a, &b, span)?;
            return Ok(Sym::Ratio(Box::new(numerator), Box::new(Sym::Known(Const::Int(denominator)))));
        }
        // Where there is no number, any denominator will do.
        let (one, other) = match (parts_of(a), parts_of(b)) {
            (one, other) if undef(a) => ((one.0, other.1.clone()), other),
            (one, other) if undef(b) => (one.clone(), (other.0, one.1)),
            both => both,
        };
        let numerator = self.select(c, &one.0, &other.0, span)?;
        let denominator = self.select(c, &one.1, &other.1, span)?;
        Ok(Sym::Ratio(Box::new(numerator), Box::new(denominator)))
    }

    /// Rounds a fraction: towards zero, down, or to the nearest integer.
    pub(super) fn whole(&mut self, name: &str, a: &Sym, span: Span) -> Result<Sym, Stop> {
        let (n, d) = parts_of(a);
        match name {
            "floor" => {
                // Below 0, rounding towards zero rounds up.
                let above = self.arithmetic(BinaryOp::Sub, &d, &ONE, span)?;
                let shifted = self.arithmetic(BinaryOp::Sub, &n, &above, span)?;
                let below = self.arithmetic(BinaryOp::IntDiv, &shifted, &d, span)?;
                let plain = self.arithmetic(BinaryOp::IntDiv, &n, &d, span)?;
                let negative = self.binary(BinaryOp::Lt, &n, &ZERO, span)?;
                let negative = self.holds(&negative, span)?;
                self.select(negative, &below, &plain, span)
            }
            "round" => {
                let two = Sym::Known(Const::Int(2));
                let n = self.arithmetic(BinaryOp::Mul, &n, &two, span)?;
                let n = self.arithmetic(BinaryOp::Add, &n, &d, span)?;
                let d = self.arithmetic(BinaryOp::Mul, &d, &two, span)?;
                let half_up = Sym::Ratio(Box::new(n), Box::new(d));
                self.whole("floor", &half_up, span)
            }
            _ => self.arithmetic(BinaryOp::IntDiv, &n, &d, span),
        }
    }
}
