//! Traces as JSON: `{"states": [{"x": 1, "on": true, "mode": "idle", "w": "0ud8_255"}], "loop": 0}`.
//!
//! Reading needs the model, which has the variables and symbols.

use crate::decimal::{decimal, multiple};
use crate::model::{DefineId, TransitionSystem, VarId};
use crate::state::{State, Trace};
use crate::value::{Domain, Value, Word};
use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Characters of a decimal number that a number in JSON holds exactly.
const EXACT_DIGITS: usize = 16;

/// The name of the format, in documents of its own.
pub const SCHEMA: &str = "specwright/trace/1";

/// The JSON form of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceJson {
    /// [`SCHEMA`] in a document of its own; absent in a trace inside another document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The states.
    pub states: Vec<StateJson>,
    /// Values of defines in each state, if they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defines: Vec<StateJson>,
    /// The index of the successor of the last state.
    #[serde(default, rename = "loop", skip_serializing_if = "Option::is_none")]
    pub loop_start: Option<usize>,
}

/// The JSON form of a state: names and values, in the order of the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateJson(pub Vec<(String, ValueJson)>);

/// The JSON form of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueJson {
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A real number, such as `2.5`. It is a number in JSON, or a string if it has more digits than such numbers hold.
    Decimal(String),
    /// A symbol or a word.
    Text(String),
}

/// Why a trace cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError {
    /// Index of the state.
    pub state: usize,
    /// The name of the variable.
    pub variable: String,
    /// The reason.
    pub problem: FormatProblem,
}

/// Why a value is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatProblem {
    /// The model has no such variable.
    UnknownVariable,
    /// A value of the wrong type.
    WrongValue(ValueJson),
    /// The variable occurs twice.
    Twice,
}

impl TraceJson {
    /// A trace for use inside another document.
    pub fn new(model: &TransitionSystem, trace: &Trace) -> TraceJson {
        let states = trace.states.iter().map(|state| {
            let values = model.vars().zip(state.values()).filter(|((var, _), _)| !model.is_shadow(*var));
            let given =
                values.filter_map(|((id, var), value)| Some((var.name.clone(), ValueJson::of(model, id, (*value)?))));
            StateJson(given.collect())
        });
        TraceJson { schema: None, states: states.collect(), defines: Vec::new(), loop_start: trace.loop_start }
    }

    /// The same with the values of some defines beside each state, where they have single ones.
    #[must_use]
    pub fn with_defines(self, model: &TransitionSystem, trace: &Trace, defines: &[DefineId]) -> TraceJson {
        if defines.is_empty() {
            return self;
        }
        let values = trace.states.iter().map(|state| {
            let value = |define: &DefineId| {
                let value = model.define_value(*define, state)?;
                Some((model[*define].name.clone(), ValueJson::new(model, value)))
            };
            StateJson(defines.iter().filter_map(value).collect())
        });
        TraceJson { defines: values.collect(), ..self }
    }

    /// A trace as a document of its own.
    pub fn document(model: &TransitionSystem, trace: &Trace) -> TraceJson {
        TraceJson { schema: Some(SCHEMA.into()), ..TraceJson::new(model, trace) }
    }

    /// Reads a trace of a model. [`crate::interp::check_trace`] checks whether it is an execution.
    pub fn read(&self, model: &TransitionSystem) -> Result<Trace, FormatError> {
        let mut states = Vec::with_capacity(self.states.len());
        for (index, state_json) in self.states.iter().enumerate() {
            let mut state = State::empty(model.vars.len());
            for (name, value) in &state_json.0 {
                let fail = |problem| FormatError { state: index, variable: name.clone(), problem };
                let var = model.var_named(name).ok_or_else(|| fail(FormatProblem::UnknownVariable))?;
                if state.get(var).is_some() {
                    return Err(fail(FormatProblem::Twice));
                }
                let read = value.read(model, var);
                state.set(var, read.ok_or_else(|| fail(FormatProblem::WrongValue(value.clone())))?);
            }
            states.push(state);
        }
        Ok(Trace { states, loop_start: self.loop_start })
    }
}

impl ValueJson {
    /// The JSON form of a value of a variable.
    pub fn of(model: &TransitionSystem, var: VarId, value: Value) -> ValueJson {
        match (value, model.denominator(var)) {
            (Value::Int(number), Some(denominator)) => ValueJson::Decimal(decimal(number, denominator)),
            _ => ValueJson::new(model, value),
        }
    }

    /// The JSON form of a value.
    pub fn new(model: &TransitionSystem, value: Value) -> ValueJson {
        match value {
            Value::Bool(truth) => ValueJson::Bool(truth),
            Value::Int(number) => ValueJson::Int(number),
            Value::Symbol(_) | Value::Word(_) => ValueJson::Text(model.show(value)),
        }
    }

    /// The value for a variable, if its type is right.
    pub fn read(&self, model: &TransitionSystem, var: VarId) -> Option<Value> {
        if let Some(denominator) = model.denominator(var) {
            return match self {
                ValueJson::Int(number) => number.checked_mul(denominator).map(Value::Int),
                ValueJson::Decimal(text) | ValueJson::Text(text) => multiple(text, denominator).map(Value::Int),
                ValueJson::Bool(_) => None,
            };
        }
        match (self, &model[var].domain) {
            (ValueJson::Bool(truth), Domain::Bool) => Some(Value::Bool(*truth)),
            (ValueJson::Int(number), Domain::Range(..) | Domain::Integer | Domain::Enum(_)) => {
                Some(Value::Int(*number))
            }
            (ValueJson::Text(text), Domain::Enum(_)) => model.context.symbols.get(text).map(Value::Symbol),
            (ValueJson::Text(text), Domain::Word { .. }) => parse_word(text).map(Value::Word),
            _ => None,
        }
    }
}

impl std::fmt::Display for ValueJson {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ValueJson::Bool(truth) => write!(f, "{truth}"),
            ValueJson::Int(number) => write!(f, "{number}"),
            ValueJson::Decimal(text) => f.write_str(text),
            ValueJson::Text(text) => write!(f, "\"{text}\""),
        }
    }
}

impl FormatError {
    /// The message for users, with states counted from 1.
    pub fn describe(&self) -> String {
        let (state, name) = (self.state + 1, &self.variable);
        match &self.problem {
            FormatProblem::UnknownVariable => format!("state {state}: the model has no variable `{name}`"),
            FormatProblem::WrongValue(value) => format!("state {state}: `{name}` cannot be {value}"),
            FormatProblem::Twice => format!("state {state}: `{name}` has two values"),
        }
    }
}

/// Parses a word in SMV notation, such as `0ud8_255`, `-0sd8_1`, `0h4_f`.
pub fn parse_word(text: &str) -> Option<Word> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let rest = text.strip_prefix('0')?;
    let (signed, rest) = match rest.strip_prefix('s') {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix('u').unwrap_or(rest)),
    };
    let radix = match rest.chars().next()? {
        'b' | 'B' => 2,
        'o' | 'O' => 8,
        'd' | 'D' => 10,
        'h' | 'H' => 16,
        _ => return None,
    };
    let (width, digits) = rest[1..].split_once('_')?;
    let width: u8 = width.parse().ok().filter(|width| (1..=Word::MAX_WIDTH).contains(&u32::from(*width)))?;
    let bits = u64::from_str_radix(digits, radix).ok().filter(|bits| *bits <= Word::mask(width))?;
    Some(Word::new(signed, width, if negative { bits.wrapping_neg() } else { bits }))
}

impl Serialize for StateJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for StateJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StateJson, D::Error> {
        struct States;
        impl<'de> Visitor<'de> for States {
            type Value = StateJson;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a state: an object of variables and their values")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<StateJson, A::Error> {
                let mut values = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    values.push(entry);
                }
                Ok(StateJson(values))
            }
        }
        deserializer.deserialize_map(States)
    }
}

impl Serialize for ValueJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ValueJson::Bool(truth) => serializer.serialize_bool(*truth),
            ValueJson::Int(number) => serializer.serialize_i64(*number),
            ValueJson::Decimal(text) => match text.parse::<f64>() {
                Ok(number) if text.len() <= EXACT_DIGITS => serializer.serialize_f64(number),
                _ => serializer.serialize_str(text),
            },
            ValueJson::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for ValueJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ValueJson, D::Error> {
        struct Values;
        impl Visitor<'_> for Values {
            type Value = ValueJson;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a value: true, false, a number or a string")
            }

            fn visit_bool<E>(self, truth: bool) -> Result<ValueJson, E> {
                Ok(ValueJson::Bool(truth))
            }

            fn visit_i64<E>(self, number: i64) -> Result<ValueJson, E> {
                Ok(ValueJson::Int(number))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<ValueJson, E> {
                i64::try_from(number).map(ValueJson::Int).map_err(|_| E::custom("the integer is too large"))
            }

            fn visit_f64<E>(self, number: f64) -> Result<ValueJson, E> {
                Ok(ValueJson::Decimal(number.to_string()))
            }

            fn visit_str<E>(self, text: &str) -> Result<ValueJson, E> {
                Ok(ValueJson::Text(text.into()))
            }
        }
        deserializer.deserialize_any(Values)
    }
}
