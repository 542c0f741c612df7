//! Types of variables in suites, in SMV notation.

use specwright_model::{Domain, Model, Value};

/// The text of a domain, such as `boolean`, `0..7`, `{off, on}`, `unsigned word[8]`.
pub fn show(model: &Model, domain: &Domain) -> String {
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
