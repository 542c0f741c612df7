//! Real numbers as people write them. A real variable holds an integer: a multiple of one over a denominator.

use crate::system::{TransitionSystem, VarId};
use crate::value::Value;

/// Maximal number of digits after the point; a number that needs more is written as a quotient.
const MAX_DIGITS: usize = 18;

/// A quotient as people write it: `2.5`, `2.0`, or `7/3`.
pub fn decimal(numerator: i64, denominator: i64) -> String {
    let denominator = denominator.unsigned_abs().max(1);
    let common = common_divisor(numerator.unsigned_abs(), denominator);
    let (numerator, denominator) = (i128::from(numerator) / i128::from(common), denominator / common);
    let mut power = 1u128;
    for digits in 0..=MAX_DIGITS {
        if power.is_multiple_of(denominator.into()) {
            let sign = if numerator < 0 { "-" } else { "" };
            let scaled = numerator.unsigned_abs() * (power / u128::from(denominator));
            let (whole, rest, digits) = (scaled / power, scaled % power, digits.max(1));
            return format!("{sign}{whole}.{rest:0digits$}");
        }
        power *= 10;
    }
    format!("{numerator}/{denominator}")
}

/// The multiple of one over a denominator that a text such as `2`, `2.5` or `7/3` is; none if there is no such multiple.
pub fn multiple(text: &str, denominator: i64) -> Option<i64> {
    let (numerator, divisor) = if let Some((numerator, divisor)) = text.split_once('/') {
        (numerator.trim().parse::<i128>().ok()?, divisor.trim().parse().ok().filter(|divisor| *divisor > 0)?)
    } else {
        let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
        let rest = rest.trim_end_matches('0');
        if !rest.bytes().all(|byte| byte.is_ascii_digit()) || whole.starts_with('+') {
            return None;
        }
        let scale = 10i128.checked_pow(u32::try_from(rest.len()).ok()?)?;
        (format!("{whole}{rest}").parse().ok()?, scale)
    };
    let number = numerator.checked_mul(denominator.into())?;
    if number % divisor == 0 { i64::try_from(number / divisor).ok() } else { None }
}

fn common_divisor(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

impl TransitionSystem {
    /// The denominator of the multiples that a real variable holds; none for other variables.
    pub fn denominator(&self, var: VarId) -> Option<i64> {
        self.denominators.iter().find(|(real, _)| *real == var).map(|(_, denominator)| *denominator)
    }

    /// What the values of an unbounded variable are.
    pub fn number_kind(&self, var: VarId) -> &'static str {
        if self.denominator(var).is_some() { "real number" } else { "integer" }
    }

    /// The text of a value of a variable: of a real one as a decimal number.
    pub fn show_of(&self, var: VarId, value: Value) -> String {
        match (value, self.denominator(var)) {
            (Value::Int(number), Some(denominator)) => decimal(number, denominator),
            _ => self.show(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_are_written_as_decimal_numbers_and_read_back() {
        let cases = [(5, 2, "2.5"), (-1, 8, "-0.125"), (4, 2, "2.0"), (0, 8, "0.0"), (7, 3, "7/3"), (-6, 9, "-2/3")];
        for (numerator, denominator, text) in cases {
            assert_eq!(decimal(numerator, denominator), text);
            assert_eq!(multiple(text, denominator), Some(numerator), "{text}");
        }
        assert_eq!(decimal(i64::MIN, 2), "-4611686018427387904.0");
        assert_eq!(multiple("2", 4), Some(8));
        assert_eq!(multiple("0.3", 4), None, "no multiple of a quarter");
        for text in ["", "x", "1.x", "+1", "1/0", "1.-2", "1e3"] {
            assert_eq!(multiple(text, 4), None, "{text}");
        }
    }
}
