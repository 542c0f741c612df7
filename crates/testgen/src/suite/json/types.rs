//! Types of variables in suites, in SMV notation.

use specwright_model::decimal::{decimal, multiple};
use specwright_model::{Domain, Model, Value, VarId};

/// Separates the type of a real variable from the number of which its values are multiples.
const BY: &str = " by ";

/// The text of the type of a variable; of a real one with the number of which its values are multiples, such as
/// `0.0..2.5 by 0.125`.
pub fn show_of(model: &Model, var: VarId) -> String {
    let domain = &model[var].domain;
    let Some(denominator) = model.denominator(var) else { return show(model, domain) };
    let number = |value: i64| decimal(value, denominator);
    let values = match domain {
        Domain::Range(first, last) => format!("{}..{}", number(*first), number(*last)),
        Domain::Enum(values) => {
            format!("{{{}}}", values.iter().map(|value| model.show_of(var, *value)).collect::<Vec<_>>().join(", "))
        }
        _ => "real".into(),
    };
    format!("{values}{BY}{}", number(1))
}

/// Parses the type of a variable, and the denominator of its multiples if it is real.
pub(super) fn read_of(model: &mut Model, text: &str) -> Option<(Domain, Option<i64>)> {
    let Some((values, step)) = text.split_once(BY) else { return Some((read(model, text)?, None)) };
    let denominator = denominator(step)?;
    let number = |text: &str| multiple(text.trim(), denominator);
    let domain = if let Some(inner) = values.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        let values: Option<Vec<Value>> = inner.split(',').map(|word| number(word).map(Value::Int)).collect();
        Domain::Enum(values?.into())
    } else if values == "real" {
        Domain::Integer
    } else {
        let (first, last) = values.split_once("..")?;
        let (first, last) = (number(first)?, number(last)?);
        (first <= last).then_some(Domain::Range(first, last))?
    };
    Some((domain, Some(denominator)))
}

/// The number of which a text is the inverse.
fn denominator(step: &str) -> Option<i64> {
    if let Some(quotient) = step.strip_prefix("1/") {
        return quotient.parse().ok().filter(|denominator| *denominator > 0);
    }
    let digits = step.split_once('.').map_or(0, |(_, digits)| digits.len());
    let scale = 10i64.checked_pow(u32::try_from(digits).ok()?)?;
    let numerator = multiple(step, scale).filter(|numerator| *numerator > 0)?;
    (scale % numerator == 0).then_some(scale / numerator)
}

/// The text of a domain, such as `boolean`, `0..7`, `{off, on}`, `unsigned word[8]`.
pub(super) fn show(model: &Model, domain: &Domain) -> String {
    match domain {
        Domain::Bool => "boolean".into(),
        Domain::Enum(values) => {
            format!("{{{}}}", values.iter().map(|value| model.show(*value)).collect::<Vec<_>>().join(", "))
        }
        Domain::Range(first, last) => format!("{first}..{last}"),
        Domain::Word { signed, width } => {
            format!("{} word[{width}]", if *signed { "signed" } else { "unsigned" })
        }
        Domain::Integer => "integer".into(),
    }
}

/// Parses a domain; its symbols are added to the model.
pub(super) fn read(model: &mut Model, text: &str) -> Option<Domain> {
    let width = |rest: &str| rest.strip_suffix(']')?.parse::<u8>().ok().filter(|width| (1..=64).contains(width));
    if let Some(inner) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        let value = |word: &str| match word.parse() {
            Ok(number) => Value::Int(number),
            Err(_) => Value::Symbol(model.context.symbols.intern(word)),
        };
        return Some(Domain::Enum(inner.split(',').map(|word| value(word.trim())).collect()));
    }
    if let Some(rest) = text.strip_prefix("unsigned word[") {
        return Some(Domain::Word { signed: false, width: width(rest)? });
    }
    if let Some(rest) = text.strip_prefix("signed word[") {
        return Some(Domain::Word { signed: true, width: width(rest)? });
    }
    match text {
        "boolean" => Some(Domain::Bool),
        "integer" => Some(Domain::Integer),
        _ => {
            let (first, last) = text.split_once("..")?;
            let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            (first <= last).then_some(Domain::Range(first, last))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use specwright_model::testing::model;

    #[test]
    fn types_of_real_variables_say_the_step_and_are_read_back() {
        let cases = [("0..20", 8), ("integer", 8), ("0..6", 3), ("{0, 4, 10}", 8)];
        let shown = ["0.0..2.5 by 0.125", "real by 0.125", "0.0..2.0 by 1/3", "{0.0, 0.5, 1.25} by 0.125"];
        for ((declared, denominator), wanted) in cases.into_iter().zip(shown) {
            let mut model = model(&format!("MODULE main VAR x : {declared};"));
            model.system.denominators.push((VarId(0), denominator));
            assert_eq!(show_of(&model, VarId(0)), wanted);
            let domain = model[VarId(0)].domain.clone();
            assert_eq!(read_of(&mut model, wanted), Some((domain, Some(denominator))));
        }
        for text in ["real by 0", "real by 0.3", "real by x", "2.5..0.0 by 0.5", "0.1..2.0 by 0.5", "{x} by 0.5"] {
            assert_eq!(read_of(&mut Model::default(), text), None, "{text}");
        }
    }
}
