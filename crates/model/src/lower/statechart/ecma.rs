//! Values of ECMAScript and its operators, as far as charts use them: numbers are whole, and objects have no identity.

use crate::op::BinaryOp;
use specwright_syntax::statechart::ast::Function;
use std::sync::Arc;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Js {
    Undefined,
    Null,
    Bool(bool),
    Int(i64),
    Text(Arc<str>),
    Array(Vec<Js>),
    /// The members in the order in which they were added.
    Object(Vec<(Arc<str>, Js)>),
}

/// Why an operation has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It throws an error.
    Throws,
    /// It has a value that is not told apart here, such as a fraction.
    Unreadable,
}

type Result = std::result::Result<Js, Failure>;

/// Largest length of a text or a list.
const MAX_LENGTH: usize = 1000;

impl Js {
    /// A number of things.
    pub(super) fn count(n: usize) -> Js {
        Js::Int(i64::try_from(n).unwrap_or(i64::MAX))
    }

    /// The value that a symbol of the tree stands for: a text, `null` or `undefined`.
    pub(super) fn of_symbol(symbol: &str) -> Js {
        match symbol {
            "null" => Js::Null,
            "undefined" => Js::Undefined,
            "'null'" | "'undefined'" => Js::Text(symbol.trim_matches('\'').into()),
            text => Js::Text(text.into()),
        }
    }

    pub(super) fn truth(&self) -> bool {
        match self {
            Js::Undefined | Js::Null => false,
            Js::Bool(value) => *value,
            Js::Int(number) => *number != 0,
            Js::Text(text) => !text.is_empty(),
            Js::Array(_) | Js::Object(_) => true,
        }
    }

    /// The name of its type.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Js::Undefined => "undefined",
            Js::Bool(_) => "boolean",
            Js::Int(_) => "number",
            Js::Text(_) => "string",
            Js::Null | Js::Array(_) | Js::Object(_) => "object",
        }
    }

    /// The text that it is converted to.
    fn text(&self) -> std::result::Result<Arc<str>, Failure> {
        Ok(match self {
            Js::Undefined => "undefined".into(),
            Js::Null => "null".into(),
            Js::Bool(value) => value.to_string().into(),
            Js::Int(number) => number.to_string().into(),
            Js::Text(text) => text.clone(),
            Js::Array(_) | Js::Object(_) => return Err(Failure::Unreadable),
        })
    }

    /// The number that it is converted to.
    fn number(&self) -> std::result::Result<i64, Failure> {
        match self {
            Js::Null => Ok(0),
            Js::Bool(value) => Ok(i64::from(*value)),
            Js::Int(number) => Ok(*number),
            Js::Text(text) if text.trim().is_empty() => Ok(0),
            Js::Text(text) => text.trim().parse().map_err(|_| Failure::Unreadable),
            Js::Undefined | Js::Array(_) | Js::Object(_) => Err(Failure::Unreadable),
        }
    }

    fn is_nullish(&self) -> bool {
        matches!(self, Js::Undefined | Js::Null)
    }

    /// A member. `undefined` and `null` have none, not even undefined ones.
    pub(super) fn member(&self, key: &Js) -> Result {
        let name = key.text()?;
        match self {
            Js::Undefined | Js::Null => Err(Failure::Throws),
            Js::Array(items) if &*name == "length" => Ok(Js::count(items.len())),
            Js::Array(items) => match name.parse::<usize>() {
                Ok(at) => Ok(items.get(at).cloned().unwrap_or(Js::Undefined)),
                Err(_) => Err(Failure::Unreadable),
            },
            Js::Text(text) if &*name == "length" => Ok(Js::count(text.encode_utf16().count())),
            Js::Text(_) | Js::Bool(_) | Js::Int(_) => Err(Failure::Unreadable),
            Js::Object(members) => {
                Ok(members.iter().find(|(other, _)| *other == name).map_or(Js::Undefined, |(_, value)| value.clone()))
            }
        }
    }

    /// Whether there is a member.
    pub(super) fn has(&self, key: &Js) -> Result {
        let name = key.text()?;
        match self {
            Js::Object(members) => Ok(Js::Bool(members.iter().any(|(other, _)| *other == name))),
            Js::Array(items) => Ok(Js::Bool(name.parse::<usize>().is_ok_and(|at| at < items.len()))),
            _ => Err(Failure::Throws),
        }
    }

    /// The same with the value of a member replaced or added.
    pub(super) fn with(&self, key: &Js, value: Js) -> Result {
        let name = key.text()?;
        match self {
            Js::Undefined | Js::Null => Err(Failure::Throws),
            Js::Object(members) => {
                let mut members = members.clone();
                match members.iter_mut().find(|(other, _)| *other == name) {
                    Some((_, old)) => *old = value,
                    None => members.push((name, value)),
                }
                Ok(Js::Object(members))
            }
            Js::Array(items) => match name.parse::<usize>() {
                Ok(at) if at < MAX_LENGTH => {
                    let mut items = items.clone();
                    items.resize(items.len().max(at + 1), Js::Undefined);
                    items[at] = value;
                    Ok(Js::Array(items))
                }
                _ => Err(Failure::Unreadable),
            },
            // Members of other values are lost.
            Js::Bool(_) | Js::Int(_) | Js::Text(_) => Ok(self.clone()),
        }
    }

    /// `===`
    fn equals(&self, other: &Js) -> Result {
        match (self, other) {
            (Js::Array(_), Js::Array(_)) | (Js::Object(_), Js::Object(_)) if self == other => Err(Failure::Unreadable),
            _ => Ok(Js::Bool(self == other)),
        }
    }

    /// `==`
    pub(super) fn loosely_equals(&self, other: &Js) -> Result {
        match (self, other) {
            (a, b) if a.is_nullish() || b.is_nullish() => Ok(Js::Bool(a.is_nullish() && b.is_nullish())),
            (a, b) if a.type_name() == b.type_name() => a.equals(b),
            (Js::Array(_) | Js::Object(_), _) | (_, Js::Array(_) | Js::Object(_)) => Err(Failure::Unreadable),
            // A text that is no number equals none.
            (a, b) => Ok(Js::Bool(a.number().ok().zip(b.number().ok()).is_some_and(|(a, b)| a == b))),
        }
    }
}

/// An operator on two values, other than those that may not evaluate the second one.
pub(super) fn binary(op: BinaryOp, a: &Js, b: &Js) -> Result {
    match op {
        BinaryOp::Eq => a.equals(b),
        BinaryOp::Ne => Ok(Js::Bool(!a.equals(b)?.truth())),
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
            let order = match (a, b) {
                (Js::Text(a), Js::Text(b)) => a.encode_utf16().cmp(b.encode_utf16()),
                // What is no number is in no order.
                (Js::Undefined, _) | (_, Js::Undefined) => return Ok(Js::Bool(false)),
                (a, b) => a.number()?.cmp(&b.number()?),
            };
            Ok(Js::Bool(match op {
                BinaryOp::Lt => order.is_lt(),
                BinaryOp::Le => order.is_le(),
                BinaryOp::Gt => order.is_gt(),
                _ => order.is_ge(),
            }))
        }
        BinaryOp::Add if matches!(a, Js::Text(_)) || matches!(b, Js::Text(_)) => {
            let text = format!("{}{}", a.text()?, b.text()?);
            if text.len() > MAX_LENGTH { Err(Failure::Unreadable) } else { Ok(Js::Text(text.into())) }
        }
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Mod => {
            let (a, b) = (a.number()?, b.number()?);
            let result = match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                _ => a.checked_rem(b),
            };
            result.map(Js::Int).ok_or(Failure::Unreadable)
        }
        _ => Err(Failure::Unreadable),
    }
}

/// The negation of a number.
pub(super) fn negate(a: &Js) -> Result {
    a.number()?.checked_neg().map(Js::Int).ok_or(Failure::Unreadable)
}

/// A function of the language.
pub(super) fn call(function: Function, arguments: &[Js]) -> Result {
    match (function, arguments) {
        (Function::Pow, [a, b]) => {
            let power = u32::try_from(b.number()?).ok().and_then(|b| a.number().ok()?.checked_pow(b));
            power.map(Js::Int).ok_or(Failure::Unreadable)
        }
        (Function::IsArray, [a]) => Ok(Js::Bool(matches!(a, Js::Array(_)))),
        (Function::Includes | Function::IndexOf, [Js::Array(items), item]) => {
            let mut found = None;
            for (at, other) in items.iter().enumerate() {
                if found.is_none() && other.equals(item)?.truth() {
                    found = Some(at);
                }
            }
            let is_wanted = function == Function::Includes;
            Ok(if is_wanted { Js::Bool(found.is_some()) } else { found.map_or(Js::Int(-1), Js::count) })
        }
        (Function::Includes, [Js::Text(text), Js::Text(part)]) => Ok(Js::Bool(text.contains(&**part))),
        (Function::IndexOf, [Js::Text(text), Js::Text(part)]) => {
            let units = |end: usize| Js::count(text[..end].encode_utf16().count());
            Ok(text.find(&**part).map_or(Js::Int(-1), units))
        }
        (Function::Concat, [Js::Array(items), Js::Array(more)]) => list(items.iter().chain(more)),
        (Function::Concat, [Js::Array(items), item]) => list(items.iter().chain([item])),
        (Function::Spread, lists) => {
            let mut all = Vec::new();
            for given in lists {
                match given {
                    Js::Array(items) => all.extend(items),
                    // The characters of a text.
                    Js::Text(_) => return Err(Failure::Unreadable),
                    _ => return Err(Failure::Throws),
                }
            }
            list(all.into_iter())
        }
        (Function::Slice, [Js::Array(items), rest @ ..]) => {
            let (from, to) = slice(items.len(), rest)?;
            list(items[from..to].iter())
        }
        (Function::Slice, [Js::Text(text), rest @ ..]) if text.is_ascii() => {
            let (from, to) = slice(text.len(), rest)?;
            Ok(Js::Text(text[from..to].into()))
        }
        (Function::Slice, [Js::Text(_), ..]) => Err(Failure::Unreadable),
        (Function::Concat, [Js::Text(_), _]) => binary(BinaryOp::Add, &arguments[0], &arguments[1]),
        _ => Err(Failure::Throws),
    }
}

/// The positions of the part that `slice` takes. Negative ones count from the end.
fn slice(length: usize, given: &[Js]) -> std::result::Result<(usize, usize), Failure> {
    let at = |given: Option<&Js>, otherwise: usize| match given {
        None | Some(Js::Undefined) => Ok(otherwise),
        Some(value) => {
            let number = value.number()?;
            let from_end = length.saturating_sub(usize::try_from(number.unsigned_abs()).unwrap_or(usize::MAX));
            Ok(if number < 0 { from_end } else { usize::try_from(number).unwrap_or(usize::MAX).min(length) })
        }
    };
    let (from, to) = (at(given.first(), 0)?, at(given.get(1), length)?);
    Ok((from, to.max(from)))
}

fn list<'a>(items: impl Iterator<Item = &'a Js>) -> Result {
    let items: Vec<Js> = items.cloned().collect();
    if items.len() > MAX_LENGTH { Err(Failure::Unreadable) } else { Ok(Js::Array(items)) }
}

impl std::fmt::Display for Js {
    /// The name of the value in the model. Different values have different names.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Js::Undefined => f.write_str("undefined"),
            Js::Null => f.write_str("null"),
            Js::Bool(value) => write!(f, "{value}"),
            Js::Int(number) => write!(f, "{number}"),
            Js::Text(text) => {
                let is_other = matches!(&**text, "undefined" | "null" | "true" | "false");
                let is_other = is_other || text.starts_with(['{', '[', '\'']) || text.parse::<i64>().is_ok();
                if is_other { write!(f, "'{text}'") } else { f.write_str(text) }
            }
            Js::Array(items) => {
                f.write_str("[")?;
                for (at, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if at > 0 { "," } else { "" })?;
                }
                f.write_str("]")
            }
            Js::Object(members) => {
                f.write_str("{")?;
                for (at, (key, value)) in members.iter().enumerate() {
                    write!(f, "{}{key}:{value}", if at > 0 { "," } else { "" })?;
                }
                f.write_str("}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Js {
        Js::Text(text.into())
    }

    #[test]
    fn equality_converts_only_where_it_is_loose() {
        let equal = |a: &Js, b: &Js| binary(BinaryOp::Eq, a, b);
        assert_eq!(Js::Null.loosely_equals(&Js::Undefined), Ok(Js::Bool(true)));
        assert_eq!(equal(&Js::Null, &Js::Undefined), Ok(Js::Bool(false)));
        assert_eq!(text("1").loosely_equals(&Js::Int(1)), Ok(Js::Bool(true)));
        assert_eq!(text("x").loosely_equals(&Js::Int(0)), Ok(Js::Bool(false)));
        assert_eq!(Js::Bool(false).loosely_equals(&Js::Int(0)), Ok(Js::Bool(true)));
        assert_eq!(Js::Null.loosely_equals(&Js::Int(0)), Ok(Js::Bool(false)));
        // Whether two equal objects are the same one is not known.
        assert_eq!(equal(&Js::Array(vec![]), &Js::Array(vec![])), Err(Failure::Unreadable));
        assert_eq!(equal(&Js::Array(vec![]), &Js::Array(vec![Js::Null])), Ok(Js::Bool(false)));
    }

    #[test]
    fn members_of_nothing_throw() {
        assert_eq!(Js::Undefined.member(&text("a")), Err(Failure::Throws));
        let object = Js::Object(vec![("a".into(), Js::Int(1))]);
        assert_eq!(object.member(&text("a")), Ok(Js::Int(1)));
        assert_eq!(object.member(&text("b")), Ok(Js::Undefined));
        assert_eq!(object.with(&text("b"), Js::Null).map(|new| new.to_string()), Ok("{a:1,b:null}".into()));
        assert_eq!(Js::Array(vec![Js::Null]).member(&text("length")), Ok(Js::Int(1)));
    }

    #[test]
    fn addition_joins_texts_and_adds_numbers() {
        assert_eq!(binary(BinaryOp::Add, &text("a"), &Js::Int(1)), Ok(text("a1")));
        assert_eq!(binary(BinaryOp::Add, &Js::Bool(true), &Js::Int(1)), Ok(Js::Int(2)));
        assert_eq!(binary(BinaryOp::Add, &Js::Undefined, &Js::Int(1)), Err(Failure::Unreadable));
    }

    #[test]
    fn different_values_have_different_names() {
        let values = [text("1"), Js::Int(1), text("true"), Js::Bool(true), text("[1]"), Js::Array(vec![Js::Int(1)])];
        let names: std::collections::BTreeSet<String> = values.iter().map(Js::to_string).collect();
        assert_eq!(names.len(), values.len());
    }
}
