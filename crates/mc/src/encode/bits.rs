//! Arithmetic on vectors of functions, the least significant bit first.
//!
//! Numbers are in two's complement with the sign as the last bit, and as narrow as they can be; words have the width of
//! their type. Every operation is exact: sums and products of numbers are as wide as they need to be, until they are
//! cut to the 64 bits that a number of the language has ([`Bits::cut`]).

use super::algebra::{Algebra, Function};
use crate::bdd::Limit;

/// The numbers that are listed one by one, where numbers and symbols are mixed.
const MAX_VALUES: usize = 1 << 16;

/// A vector of functions, the least significant bit first; never empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bits<F>(pub(crate) Vec<F>);

impl<F: Function> Bits<F> {
    /// A constant number.
    pub(crate) fn number(number: i64, manager: &impl Algebra<Function = F>) -> Bits<F> {
        let mut width = 1;
        while number >> (width - 1) != 0 && number >> (width - 1) != -1 {
            width += 1;
        }
        Bits((0..width).map(|place| manager.constant(number >> place & 1 == 1)).collect())
    }

    /// A constant word.
    pub(crate) fn word(bits: u64, width: usize, manager: &impl Algebra<Function = F>) -> Bits<F> {
        Bits((0..width).map(|place| manager.constant(place < 64 && bits >> place & 1 == 1)).collect())
    }

    /// A natural number from its bits: a sign that is always false is added.
    pub(crate) fn natural(mut bits: Vec<F>, manager: &impl Algebra<Function = F>) -> Bits<F> {
        bits.push(manager.constant(false));
        Bits(bits).narrow()
    }

    pub(crate) fn width(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn sign(&self) -> &F {
        self.0.last().expect("a vector has at least one bit")
    }

    /// Without bits that only repeat the sign.
    fn narrow(mut self) -> Bits<F> {
        while self.0.len() > 1 && self.0[self.0.len() - 1] == self.0[self.0.len() - 2] {
            self.0.pop();
        }
        self
    }

    /// A number cut to 64 bits, with where it does not fit into them.
    pub(crate) fn cut(mut self, manager: &impl Algebra<Function = F>) -> Result<(Bits<F>, F), Limit> {
        const WIDEST: usize = 64;
        let mut lost = manager.constant(false);
        let sign = self.0[self.width().min(WIDEST) - 1].clone();
        for bit in self.0.iter().skip(WIDEST) {
            lost = manager.or(&lost, &manager.xor(bit, &sign)?)?;
        }
        self.0.truncate(WIDEST);
        Ok((self.narrow(), lost))
    }

    /// With the sign repeated up to a width.
    pub(crate) fn widen(&self, width: usize) -> Bits<F> {
        let mut bits = self.0.clone();
        while bits.len() < width {
            bits.push(self.sign().clone());
        }
        Bits(bits)
    }

    /// With zeros up to a width.
    pub(crate) fn pad(&self, width: usize, manager: &impl Algebra<Function = F>) -> Bits<F> {
        let mut bits = self.0.clone();
        bits.resize(bits.len().max(width), manager.constant(false));
        Bits(bits)
    }

    /// Bit by bit.
    pub(crate) fn zip(&self, other: &Bits<F>, f: impl Fn(&F, &F) -> Result<F, Limit>) -> Result<Bits<F>, Limit> {
        Ok(Bits(self.0.iter().zip(&other.0).map(|(a, b)| f(a, b)).collect::<Result<_, _>>()?))
    }

    /// Each bit inverted.
    pub(crate) fn invert(&self, manager: &impl Algebra<Function = F>) -> Bits<F> {
        Bits(self.0.iter().map(|bit| manager.not(bit)).collect())
    }

    /// The sum and the carry out, of equally wide vectors.
    fn add_carry(
        &self,
        other: &Bits<F>,
        carry: F,
        manager: &impl Algebra<Function = F>,
    ) -> Result<(Bits<F>, F), Limit> {
        let mut carry = carry;
        let mut sum = Vec::with_capacity(self.width());
        for (a, b) in self.0.iter().zip(&other.0) {
            let half = manager.xor(a, b)?;
            sum.push(manager.xor(&half, &carry)?);
            carry = manager.ite(&half, &carry, a)?;
        }
        Ok((Bits(sum), carry))
    }

    /// The sum of words, which wraps around.
    pub(crate) fn add(&self, other: &Bits<F>, manager: &impl Algebra<Function = F>) -> Result<Bits<F>, Limit> {
        Ok(self.add_carry(other, manager.constant(false), manager)?.0)
    }

    /// The difference of words, which wraps around.
    pub(crate) fn sub(&self, other: &Bits<F>, manager: &impl Algebra<Function = F>) -> Result<Bits<F>, Limit> {
        Ok(self.add_carry(&other.invert(manager), manager.constant(true), manager)?.0)
    }

    /// The word that adds up to zero with this one.
    pub(crate) fn neg(&self, manager: &impl Algebra<Function = F>) -> Result<Bits<F>, Limit> {
        Bits::word(0, self.width(), manager).sub(self, manager)
    }

    /// The sum of numbers.
    pub(crate) fn add_signed(&self, other: &Bits<F>, manager: &impl Algebra<Function = F>) -> Result<Bits<F>, Limit> {
        let width = self.width().max(other.width()) + 1;
        Ok(self.widen(width).add(&other.widen(width), manager)?.narrow())
    }

    /// The difference of numbers.
    pub(crate) fn sub_signed(&self, other: &Bits<F>, manager: &impl Algebra<Function = F>) -> Result<Bits<F>, Limit> {
        let width = self.width().max(other.width()) + 1;
        Ok(self.widen(width).sub(&other.widen(width), manager)?.narrow())
    }

    /// The number with the other sign.
    pub(crate) fn neg_signed(&self, manager: &impl Algebra<Function = F>) -> Result<Bits<F>, Limit> {
        Ok(self.widen(self.width() + 1).neg(manager)?.narrow())
    }

    /// The product of words, which wraps around.
    pub(crate) fn mul(&self, other: &Bits<F>, manager: &impl Algebra<Function = F>) -> Result<Bits<F>, Limit> {
        let width = self.width();
        let zero = manager.constant(false);
        let mut product = Bits::word(0, width, manager);
        for (place, bit) in other.0.iter().enumerate() {
            if bit.is_false() {
                continue;
            }
            let mut summand = vec![zero.clone(); place];
            for a in &self.0[..width - place] {
                summand.push(manager.and(a, bit)?);
            }
            product = product.add(&Bits(summand), manager)?;
        }
        Ok(product)
    }

    /// The product of numbers.
    pub(crate) fn mul_signed(&self, other: &Bits<F>, manager: &impl Algebra<Function = F>) -> Result<Bits<F>, Limit> {
        let width = self.width() + other.width();
        Ok(self.widen(width).mul(&other.widen(width), manager)?.narrow())
    }

    /// Quotient and remainder of natural numbers, by long division. Dividing by zero gives something arbitrary.
    pub(crate) fn divide(
        &self,
        divisor: &Bits<F>,
        manager: &impl Algebra<Function = F>,
    ) -> Result<(Bits<F>, Bits<F>), Limit> {
        // One more bit than the divisor has, so that shifting in the next digit never loses one.
        let width = divisor.width() + 1;
        let divisor = divisor.pad(width, manager);
        let mut remainder = Bits::word(0, width, manager);
        let mut quotient = vec![manager.constant(false); self.width()];
        for place in (0..self.width()).rev() {
            remainder.0.pop();
            remainder.0.insert(0, self.0[place].clone());
            let smaller = remainder.less(&divisor, manager)?;
            let reduced = remainder.sub(&divisor, manager)?;
            remainder = Bits::merge(&smaller, &remainder, &reduced, manager)?;
            quotient[place] = manager.not(&smaller);
        }
        remainder.0.pop();
        Ok((Bits(quotient), remainder))
    }

    /// Quotient and remainder rounded towards zero, in two's complement, as wide as the dividend.
    fn divide_truncated(
        &self,
        divisor: &Bits<F>,
        manager: &impl Algebra<Function = F>,
    ) -> Result<(Bits<F>, Bits<F>), Limit> {
        let (quotient, remainder) = self.magnitude(manager)?.divide(&divisor.magnitude(manager)?, manager)?;
        let signs_differ = manager.xor(self.sign(), divisor.sign())?;
        let quotient = Bits::merge(&signs_differ, &quotient.neg(manager)?, &quotient, manager)?;
        let remainder = Bits::merge(self.sign(), &remainder.neg(manager)?, &remainder, manager)?;
        Ok((quotient, remainder))
    }

    /// Quotient and remainder of signed words of the same width.
    pub(crate) fn divide_signed_words(
        &self,
        divisor: &Bits<F>,
        manager: &impl Algebra<Function = F>,
    ) -> Result<(Bits<F>, Bits<F>), Limit> {
        self.divide_truncated(divisor, manager)
    }

    /// Quotient and remainder of numbers.
    pub(crate) fn divide_signed(
        &self,
        divisor: &Bits<F>,
        manager: &impl Algebra<Function = F>,
    ) -> Result<(Bits<F>, Bits<F>), Limit> {
        // A bit more on both sides, so that the magnitude of the smallest number has room.
        let width = self.width().max(divisor.width()) + 1;
        let (quotient, remainder) = self.widen(width).divide_truncated(&divisor.widen(width), manager)?;
        Ok((quotient.narrow(), remainder.narrow()))
    }

    /// The absolute value, read without sign.
    fn magnitude(&self, manager: &impl Algebra<Function = F>) -> Result<Bits<F>, Limit> {
        Bits::merge(self.sign(), &self.neg(manager)?, self, manager)
    }

    /// The absolute value of a number.
    pub(crate) fn abs_signed(&self, manager: &impl Algebra<Function = F>) -> Result<Bits<F>, Limit> {
        Ok(self.widen(self.width() + 1).magnitude(manager)?.narrow())
    }

    /// Where two words are equal.
    pub(crate) fn equals(&self, other: &Bits<F>, manager: &impl Algebra<Function = F>) -> Result<F, Limit> {
        let mut all = manager.constant(true);
        for (a, b) in self.0.iter().zip(&other.0) {
            all = manager.and(&all, &manager.iff(a, b)?)?;
            if all.is_false() {
                break;
            }
        }
        Ok(all)
    }

    /// Where two numbers are equal.
    pub(crate) fn equals_signed(&self, other: &Bits<F>, manager: &impl Algebra<Function = F>) -> Result<F, Limit> {
        let width = self.width().max(other.width());
        self.widen(width).equals(&other.widen(width), manager)
    }

    /// Where this unsigned word is less than another.
    pub(crate) fn less(&self, other: &Bits<F>, manager: &impl Algebra<Function = F>) -> Result<F, Limit> {
        let mut less = manager.constant(false);
        for (a, b) in self.0.iter().zip(&other.0) {
            less = manager.ite(&manager.xor(a, b)?, b, &less)?;
        }
        Ok(less)
    }

    /// Where this number, or signed word, is less than another.
    pub(crate) fn less_signed(&self, other: &Bits<F>, manager: &impl Algebra<Function = F>) -> Result<F, Limit> {
        let width = self.width().max(other.width());
        let flip = |bits: &Bits<F>| {
            let mut bits = bits.widen(width);
            bits.0[width - 1] = manager.not(&bits.0[width - 1]);
            bits
        };
        // With the signs inverted, the order is that of naturals.
        flip(self).less(&flip(other), manager)
    }

    /// Where a number lies between two others, both included.
    pub(crate) fn between(&self, first: i64, last: i64, manager: &impl Algebra<Function = F>) -> Result<F, Limit> {
        let below = self.less_signed(&Bits::number(first, manager), manager)?;
        let above = Bits::number(last, manager).less_signed(self, manager)?;
        Ok(manager.not(&manager.or(&below, &above)?))
    }

    /// One word where a condition holds, another elsewhere.
    pub(crate) fn merge(
        condition: &F,
        then: &Bits<F>,
        otherwise: &Bits<F>,
        manager: &impl Algebra<Function = F>,
    ) -> Result<Bits<F>, Limit> {
        then.zip(otherwise, |a, b| manager.ite(condition, a, b))
    }

    /// One number where a condition holds, another elsewhere.
    pub(crate) fn merge_signed(
        condition: &F,
        then: &Bits<F>,
        otherwise: &Bits<F>,
        manager: &impl Algebra<Function = F>,
    ) -> Result<Bits<F>, Limit> {
        let width = then.width().max(otherwise.width());
        Ok(Bits::merge(condition, &then.widen(width), &otherwise.widen(width), manager)?.narrow())
    }

    /// Shifted left by as many places as the natural number `amount` says; zeros come in.
    pub(crate) fn shift_left(&self, amount: &Bits<F>, manager: &impl Algebra<Function = F>) -> Result<Bits<F>, Limit> {
        self.shift(amount, manager, |bits, by| {
            let zeros = vec![manager.constant(false); by.min(bits.len())];
            zeros.into_iter().chain(bits.iter().take(bits.len() - by.min(bits.len())).cloned()).collect()
        })
    }

    /// Shifted right; `fill` comes in.
    pub(crate) fn shift_right(
        &self,
        amount: &Bits<F>,
        fill: &F,
        manager: &impl Algebra<Function = F>,
    ) -> Result<Bits<F>, Limit> {
        self.shift(amount, manager, |bits, by| {
            let kept = bits.iter().skip(by.min(bits.len())).cloned();
            kept.chain(std::iter::repeat_n(fill.clone(), by.min(bits.len()))).collect()
        })
    }

    fn shift(
        &self,
        amount: &Bits<F>,
        manager: &impl Algebra<Function = F>,
        by: impl Fn(&[F], usize) -> Vec<F>,
    ) -> Result<Bits<F>, Limit> {
        let mut shifted = self.clone();
        for (place, bit) in amount.0.iter().enumerate() {
            let distance = 1usize.checked_shl(place as u32).unwrap_or(usize::MAX);
            let moved = Bits(by(&shifted.0, distance));
            shifted = Bits::merge(bit, &moved, &shifted, manager)?;
        }
        Ok(shifted)
    }

    /// The numbers that occur, ascending, each with its states.
    pub(crate) fn values(&self, manager: &impl Algebra<Function = F>) -> Result<Vec<(i64, F)>, Limit> {
        let mut found = Vec::new();
        let flipped = manager.not(self.sign());
        // From the sign down, an inverted sign first: ascending order.
        let mut open = vec![(self.width(), 0i64, manager.constant(true))];
        debug_assert!(self.width() <= 64, "numbers are cut to 64 bits");
        while let Some((place, number, when)) = open.pop() {
            if when.is_false() {
                continue;
            }
            if place == 0 {
                // Without decision diagrams, numbers that never occur look like others.
                if found.len() >= MAX_VALUES {
                    return Err(Limit::Nodes);
                }
                found.push((number, when));
                continue;
            }
            let is_sign = place == self.width();
            let upper = if is_sign { &flipped } else { &self.0[place - 1] };
            let (zero, one) =
                if is_sign { (-1i64 << (place - 1), 0) } else { (number, number + (1i64 << (place - 1))) };
            open.push((place - 1, one, manager.and(&when, upper)?));
            open.push((place - 1, zero, manager.diff(&when, upper)?));
        }
        Ok(found)
    }
}
