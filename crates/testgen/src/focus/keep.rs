//! What is kept of a variable: `x in 0..3`, `mode in {on, off}`.

use crate::policy::KEPT_WORDS;
use specwright_model::decimal::multiple;
use specwright_model::formula::{Choice, ChoiceError, Dialect, MOST_LISTED, Members, choice};
use specwright_model::{Domain, Model, Value, VarId, Word};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::SourceFile;

/// The values that are kept of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keep {
    /// The variable.
    pub var: VarId,
    /// Its values: a range where they are numbers without a gap, else a list without repetition, smallest first.
    pub values: Domain,
}

/// Why a text does not say what to keep.
#[derive(Clone, Debug)]
pub enum KeepError {
    /// It is no expression over the names of the model.
    Invalid(Vec<Diagnostic>),
    /// It is an expression, but not of the form `VAR in VALUES`.
    Form,
    /// Nothing is kept.
    Empty(VarId),
    /// A range starts after its end.
    EmptyRange(i128, i128),
    /// The variable never has that value.
    NoSuchValue(VarId, Value),
    /// There are too many values; a range keeps them.
    TooMany(VarId),
    /// All numbers of 64 bits are kept of a variable without bounds: none is left to stand for the others.
    Everything(VarId),
}

impl From<ChoiceError> for KeepError {
    fn from(error: ChoiceError) -> KeepError {
        match error {
            ChoiceError::Invalid(diagnostics) => KeepError::Invalid(diagnostics),
            ChoiceError::Form => KeepError::Form,
            ChoiceError::EmptyRange(low, high) => KeepError::EmptyRange(low, high),
        }
    }
}

impl Keep {
    /// Reads `VAR in VALUES` or `VAR = VALUE`; of an array, every element keeps these values.
    pub fn read(model: &Model, source: &SourceFile, dialect: Dialect) -> Result<Vec<Keep>, KeepError> {
        if let Some((var, members)) = of_reals(model, &source.text) {
            return Ok(vec![Keep::some_of(model, var, &members)?]);
        }
        let Choice { vars, members } = choice(model, source, dialect)?;
        vars.into_iter().map(|var| Keep::some_of(model, var, &members)).collect()
    }

    /// These values of a variable.
    pub fn of(model: &Model, var: VarId, values: Vec<Value>) -> Result<Keep, KeepError> {
        let members: Vec<Members> = values.into_iter().map(Members::One).collect();
        Keep::some_of(model, var, &members)
    }

    /// What this or another keeps of the same variable.
    pub fn and(&self, model: &Model, other: &Keep) -> Result<Keep, KeepError> {
        let members = |values: &Domain| match values {
            Domain::Range(low, high) => vec![Members::Numbers(i128::from(*low), i128::from(*high))],
            values => values.values().map(Members::One).collect(),
        };
        let all: Vec<Members> = [self, other].into_iter().flat_map(|keep| members(&keep.values)).collect();
        Keep::some_of(model, self.var, &all)
    }

    fn some_of(model: &Model, var: VarId, members: &[Members]) -> Result<Keep, KeepError> {
        let domain = &model[var].domain;
        let (mut ranges, mut others) = (Vec::new(), Vec::new());
        for member in members {
            match (member, domain) {
                (Members::Numbers(low, high), _) => ranges.push((*low, *high)),
                (Members::One(Value::Int(number)), _) => ranges.push((i128::from(*number), i128::from(*number))),
                (Members::One(value @ Value::Word(word)), Domain::Word { .. }) => {
                    if !domain.contains(*value) {
                        return Err(KeepError::NoSuchValue(var, *value));
                    }
                    ranges.push((word.to_int(), word.to_int()));
                }
                (Members::Words(low, high), Domain::Word { .. }) => {
                    let strange = [*low, *high].map(Value::Word).into_iter().find(|end| !domain.contains(*end));
                    if let Some(value) = strange {
                        return Err(KeepError::NoSuchValue(var, value));
                    }
                    ranges.push((low.to_int(), high.to_int()));
                }
                (Members::Words(low, _), _) => return Err(KeepError::NoSuchValue(var, Value::Word(*low))),
                (Members::One(value), _) => others.push(*value),
            }
        }
        let ranges = merged(ranges);
        let number = |number: i128| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
        let value = |of: i128| match domain {
            Domain::Word { signed, width } => {
                let word = Word::new(*signed, *width, of.rem_euclid(1 << 64) as u64);
                Value::Word(word)
            }
            _ => number(of),
        };
        for end in ranges.iter().flat_map(|(low, high)| [*low, *high]) {
            let fits = match value(end) {
                Value::Word(word) => word.to_int() == end,
                value => domain.contains(value),
            };
            if !fits {
                return Err(KeepError::NoSuchValue(var, number(end)));
            }
        }
        if let Some(value) = others.iter().find(|value| !domain.contains(**value)) {
            return Err(KeepError::NoSuchValue(var, *value));
        }
        let is_word = matches!(domain, Domain::Word { .. });
        if let [(low, high)] = ranges[..]
            && others.is_empty()
            && !is_word
            && let (Value::Int(low), Value::Int(high)) = (value(low), value(high))
        {
            if (low, high) == (i64::MIN, i64::MAX) && *domain == Domain::Integer {
                return Err(KeepError::Everything(var));
            }
            // Of an enumeration, every number in between must be there.
            let size = low.abs_diff(high);
            if !matches!(domain, Domain::Enum(_))
                || u128::from(size) < MOST_LISTED && (low..=high).all(|n| domain.contains(Value::Int(n)))
            {
                return Ok(Keep { var, values: Domain::Range(low, high) });
            }
        }
        let size = ranges.iter().map(|(low, high)| high.abs_diff(*low) + 1).sum::<u128>() + others.len() as u128;
        if size > if is_word { KEPT_WORDS } else { MOST_LISTED } {
            return Err(KeepError::TooMany(var));
        }
        let listed = ranges.into_iter().flat_map(|(low, high)| low..=high).map(value);
        others.sort_unstable();
        others.dedup();
        let values: Vec<Value> = listed.chain(others).collect();
        if values.is_empty() {
            return Err(KeepError::Empty(var));
        }
        match values.iter().find(|value| !domain.contains(**value)) {
            Some(value) => Err(KeepError::NoSuchValue(var, *value)),
            None => Ok(Keep { var, values: Domain::Enum(values.into()) }),
        }
    }

    /// Whether nothing is left out.
    pub fn is_everything(&self, model: &Model) -> bool {
        model[self.var].domain.size().is_some_and(|size| Some(size) == self.values.size())
    }

    /// As people write it, such as `x in 0..3`.
    pub fn text(&self, model: &Model) -> String {
        let name = &model[self.var].name;
        let show = |value: &Value| model.show_of(self.var, *value);
        let number = |number: &i64| show(&Value::Int(*number));
        match &self.values {
            Domain::Range(low, high) if low == high => format!("{name} = {}", number(low)),
            Domain::Range(low, high) => format!("{name} in {}..{}", number(low), number(high)),
            values => {
                let values: Vec<Value> = values.values().collect();
                match &values[..] {
                    [one] => format!("{name} = {}", show(one)),
                    [first @ Value::Word(low), .., last @ Value::Word(high)]
                        if (high.to_int() - low.to_int()).unsigned_abs() == values.len() as u128 - 1 =>
                    {
                        format!("{name} in {}..{}", show(first), show(last))
                    }
                    values => format!("{name} in {{{}}}", values.iter().map(show).collect::<Vec<_>>().join(", ")),
                }
            }
        }
    }
}

/// The variable and its values in a text such as `temp in 0.5..2.0`, if it is a real variable.
fn of_reals(model: &Model, text: &str) -> Option<(VarId, Vec<Members>)> {
    let (name, values) = text.split_once(" in ").or_else(|| text.split_once('='))?;
    let var = model.var_named(name.trim())?;
    let denominator = model.denominator(var)?;
    let number = |text: &str| multiple(text.trim(), denominator).map(i128::from);
    let values = values.trim();
    let members = if let Some(list) = values.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        list.split(',').map(|value| number(value).map(|value| Members::Numbers(value, value))).collect::<Option<_>>()?
    } else if let Some((low, high)) = values.split_once("..") {
        vec![Members::Numbers(number(low)?, number(high)?)]
    } else {
        let value = number(values)?;
        vec![Members::Numbers(value, value)]
    };
    let is_ordered = |members: &Members| !matches!(members, Members::Numbers(low, high) if low > high);
    members.iter().all(is_ordered).then_some((var, members))
}

/// Numbers without gaps between those of one range, smallest first.
pub(super) fn merged(mut ranges: Vec<(i128, i128)>) -> Vec<(i128, i128)> {
    ranges.sort_unstable();
    let mut merged: Vec<(i128, i128)> = Vec::new();
    for (low, high) in ranges {
        match merged.last_mut() {
            Some((_, last)) if low <= *last + 1 => *last = high.max(*last),
            _ => merged.push((low, high)),
        }
    }
    merged
}
