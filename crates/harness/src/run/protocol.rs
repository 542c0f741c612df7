//! The protocol between Specwright and the adapter of an implementation: one line of JSON for each request and each
//! answer. It is documented in the book's page *The protocol*.

use serde::Serialize;
use specwright_model::decimal::multiple;
pub use specwright_model::interface::Timing;
use specwright_model::interface::{Observable, Role};
use specwright_model::model::VarKind;
use specwright_model::trace::{StateJson, ValueJson};
use specwright_model::{Domain, Model, State, Value, VarId, Word};
use specwright_testgen::suite::type_text;
use std::collections::BTreeMap;

/// The name and version of the protocol.
pub const PROTOCOL: &str = "specwright/run/1";

/// A request.
#[derive(Debug, Serialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum Request {
    /// The first request: the protocol and the variables.
    Hello {
        /// [`PROTOCOL`].
        protocol: &'static str,
        /// The name of the model.
        model: String,
        /// The variables that the tester sets.
        inputs: Vec<Declared>,
        /// The variables that the tester observes.
        outputs: Vec<Declared>,
        /// The variables that the tester observes if the adapter reports them.
        internal: Vec<Declared>,
    },
    /// Returns to the initial state, for a new test.
    Reset {
        /// The name of the test.
        test: String,
        /// The initial values of the inputs.
        inputs: StateJson,
    },
    /// One step.
    Step {
        /// The inputs of the step.
        inputs: StateJson,
    },
    /// The last request; it needs no answer.
    Bye,
}

/// A variable.
#[derive(Debug, Serialize)]
pub struct Declared {
    name: String,
    r#type: String,
    /// When an input is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<&'static str>,
    /// Whether it is an output that need not be reported.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    optional: bool,
}

impl Request {
    /// The first request for a model.
    pub fn hello(model: &Model) -> Request {
        let timings = model.timings();
        let of = |role: Role| {
            let vars = model.vars().filter(|(id, _)| model.role(*id) == role);
            let declared = vars.map(|(id, var)| Declared {
                name: var.name.clone(),
                r#type: type_text(model, id),
                timing: timings.get(&id).map(|timing| timing.name()),
                optional: model.interface.is_optional(Observable::Var(id)),
            });
            declared.collect()
        };
        Request::Hello {
            protocol: PROTOCOL,
            model: model.name.clone(),
            inputs: of(Role::Input),
            outputs: of(Role::Output),
            internal: of(Role::Internal),
        }
    }

    /// The request as a line, without a line break.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("names and values can be written")
    }
}

/// Values in the format of the protocol.
pub fn values_json(model: &Model, values: &State) -> StateJson {
    let given =
        model.vars().filter_map(|(id, var)| Some((var.name.clone(), ValueJson::of(model, id, values.get(id)?))));
    StateJson(given.collect())
}

/// The capabilities of an adapter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hello {
    /// Whether it supports reset, so that one process can run several tests.
    pub reset: bool,
    /// When it expects the inputs, if it says so.
    pub timing: Option<Timing>,
    /// When each input is sent: as the adapter says, or else as the suite or its model says.
    pub timings: BTreeMap<VarId, Timing>,
    /// The variables that it reports; all outputs if not specified.
    pub observes: Option<Vec<VarId>>,
}

impl Hello {
    /// Parses the answer to the first request; the error is a message.
    pub fn read(model: &Model, answer: &serde_json::Value) -> Result<Hello, String> {
        let mut hello = Hello { timings: model.timings(), ..Hello::default() };
        if let Some(protocol) = answer.get("protocol").filter(|protocol| *protocol != PROTOCOL) {
            return Err(format!("it speaks the protocol {protocol}, not \"{PROTOCOL}\""));
        }
        match answer.get("reset") {
            None => {}
            Some(serde_json::Value::Bool(reset)) => hello.reset = *reset,
            Some(other) => return Err(format!("`reset` is {other}, and should be true or false")),
        }
        if let Some(inputs) = answer.get("inputs") {
            let timing = inputs.as_str().and_then(Timing::named);
            let wrong = || format!("`inputs` is {inputs}, and should be \"entering\" or \"leaving\"");
            let timing = timing.ok_or_else(wrong)?;
            hello.timing = Some(timing);
            hello.timings.values_mut().for_each(|own| *own = timing);
        }
        if let Some(observes) = answer.get("observes") {
            let names = observes.as_array().ok_or_else(|| format!("`observes` is {observes}, and should be a list"))?;
            let var = |name: &serde_json::Value| {
                let var = name.as_str().and_then(|name| model.var_named(name));
                var.ok_or_else(|| {
                    format!("it observes {name}, and {}", unknown(model, name.as_str().unwrap_or_default()))
                })
            };
            hello.observes = Some(names.iter().map(var).collect::<Result<_, _>>()?);
        }
        Ok(hello)
    }

    /// When an input is sent.
    pub fn timing_of(&self, input: VarId) -> Timing {
        self.timings.get(&input).copied().unwrap_or_default()
    }

    /// Whether an answer must have a value for a variable.
    pub fn requires(&self, model: &Model, var: VarId) -> bool {
        match &self.observes {
            Some(observed) => observed.contains(&var),
            None => is_output(model, var) && !model.interface.is_optional(Observable::Var(var)),
        }
    }

    /// What to say if the adapter takes inputs at another time than the suite expects.
    pub fn mismatch(&self, model: &Model) -> Option<String> {
        let said = self.timing?;
        let others = model.timings().into_iter().filter(|(_, timing)| *timing != said);
        let names: Vec<String> = others.map(|(var, _)| format!("`{}`", model[var].name)).collect();
        let meant = match said {
            _ if names.is_empty() => return None,
            Timing::Entering => {
                "leaving: the next outputs depend on them, and those of the same state do not. Each step is sent the \
                 inputs of the state that it leads to, and an implementation that acts on them at once is one step early"
            }
            Timing::Leaving => {
                "entering: outputs of a state depend on inputs of the same state. Each step is sent the inputs of the \
                 state that it leaves, and an implementation that waits for new ones is one step late"
            }
        };
        let (verb, names) = (if names.len() == 1 { "is" } else { "are" }, names.join(", "));
        Some(format!(
            "the adapter takes inputs on {} a state, but the suite says that {names} {verb} taken on {meant}; without \
             `\"inputs\"` in its answer to `hello` the adapter gets them as the suite says",
            said.name()
        ))
    }
}

/// Whether a tester observes a variable.
pub(super) fn is_output(model: &Model, var: VarId) -> bool {
    model.role(var) == Role::Output && model[var].kind != VarKind::Input
}

/// Why a name is that of no variable.
fn unknown(model: &Model, name: &str) -> String {
    match model.define_named(name) {
        Some(_) => format!("that define is not an output: generate the suite with `--output {name}`"),
        None => "there is no such variable".into(),
    }
}

/// The values that an implementation reports after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// The values.
    pub values: State,
    /// Variables with invalid values.
    pub strange: Vec<(VarId, String)>,
}

impl Observed {
    /// Parses the answer to a step; the error is a message.
    pub fn read(model: &Model, hello: &Hello, answer: &serde_json::Value) -> Result<Observed, String> {
        let Some(outputs) = answer.get("outputs").and_then(|outputs| outputs.as_object()) else {
            return Err("an answer without `outputs`".into());
        };
        let mut observed = Observed { values: State::empty(model.vars.len()), strange: Vec::new() };
        for (name, value) in outputs {
            let Some(var) = model.var_named(name) else {
                return Err(format!("it answers with `{name}`, and {}", unknown(model, name)));
            };
            // The tester sets the inputs, so reported values are ignored.
            if value.is_null() || model.role(var) == Role::Input || model[var].kind == VarKind::Input {
                continue;
            }
            match read_value(model, var, value) {
                Some(value) => observed.values.set(var, value),
                None => observed.strange.push((var, value.to_string())),
            }
        }
        let missing = model.vars().find(|(var, _)| {
            let known = observed.values.get(*var).is_some() || observed.strange.iter().any(|(other, _)| other == var);
            hello.requires(model, *var) && !known
        });
        match missing {
            Some((_, var)) => Err(format!("the answer has no value for `{}`", var.name)),
            None => Ok(observed),
        }
    }
}

/// Relative difference up to which a number of an implementation stands for a multiple: implementations calculate with
/// floating-point numbers, in which 0.1 + 0.2 is not exactly 0.3.
const ROUNDING: f64 = 1e-9;

/// The multiple of one over a denominator that a number stands for.
#[expect(clippy::cast_precision_loss, reason = "numbers that floating point does not hold exactly are refused")]
fn nearest(number: &serde_json::Number, denominator: i64) -> Option<i64> {
    if !number.is_f64() {
        return multiple(&number.to_string(), denominator);
    }
    let scaled = number.as_f64()? * denominator as f64;
    let whole = scaled.round();
    let is_exact = whole.abs() < (1i64 << f64::MANTISSA_DIGITS) as f64;
    let is_near = (scaled - whole).abs() <= ROUNDING * scaled.abs().max(1.0);
    (is_exact && is_near).then_some(whole as i64)
}

/// A value of an implementation. Numbers are accepted for words, 0 and 1 for booleans.
fn read_value(model: &Model, var: VarId, value: &serde_json::Value) -> Option<Value> {
    let domain = &model[var].domain;
    if let Some(denominator) = model.denominator(var) {
        let number = match value {
            serde_json::Value::Number(number) => nearest(number, denominator)?,
            serde_json::Value::String(text) => multiple(text, denominator)?,
            _ => return None,
        };
        return Some(Value::Int(number)).filter(|value| domain.contains(*value));
    }
    let value = match (domain, value) {
        (Domain::Bool, serde_json::Value::Bool(truth)) => Value::Bool(*truth),
        (Domain::Bool, serde_json::Value::Number(number)) => match number.as_u64()? {
            0 => Value::Bool(false),
            1 => Value::Bool(true),
            _ => return None,
        },
        (Domain::Word { signed, width }, serde_json::Value::Number(number)) => {
            let bits = number.as_u64().or_else(|| number.as_i64().map(i64::cast_unsigned))?;
            let word = Word::new(*signed, *width, bits);
            let same = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
            if same != Some(word.to_int()) {
                return None;
            }
            Value::Word(word)
        }
        (Domain::Word { .. }, serde_json::Value::String(text)) => {
            Value::Word(specwright_model::trace::parse_word(text)?)
        }
        (Domain::Enum(_), serde_json::Value::String(text)) => Value::Symbol(model.context.symbols.get(text)?),
        (Domain::Enum(_) | Domain::Range(..) | Domain::Integer, serde_json::Value::Number(number)) => {
            Value::Int(number.as_i64()?)
        }
        _ => return None,
    };
    domain.contains(value).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use specwright_model::testing::model;

    #[test]
    fn real_numbers_may_have_rounding_errors_of_floating_point() {
        let number = |value: serde_json::Value| match value {
            serde_json::Value::Number(number) => number,
            other => panic!("{other} is no number"),
        };
        for (value, denominator, wanted) in [
            (json!(0.1 + 0.2), 10, Some(3)),
            (json!(2.5), 10, Some(25)),
            (json!(-7.0 / 3.0), 3, Some(-7)),
            (json!(4), 8, Some(32)),
            (json!(0.300_1), 10, None),
            (json!(0.25), 10, None),
            (json!(1e300), 10, None),
        ] {
            assert_eq!(nearest(&number(value.clone()), denominator), wanted, "{value}");
        }
    }

    #[test]
    fn values_are_accepted_in_the_notations_of_implementations() {
        let model = model("MODULE main VAR b : boolean; w : signed word[4]; e : {on, off, 7}; r : 0..3; i : boolean;");
        let mut model = model;
        for var in 0..4 {
            model.set_role(VarId(var), Role::Output);
        }
        let read = |answer: serde_json::Value| Observed::read(&model, &Hello::default(), &answer);
        let one = read(json!({"outputs": {"b": 1, "w": -1, "e": "on", "r": 3, "i": false}})).unwrap();
        let two = read(json!({"outputs": {"b": true, "w": "-0sd4_1", "e": "on", "r": 3}})).unwrap();
        assert_eq!(one, two);
        let strange = read(json!({"outputs": {"b": 2, "w": 8, "e": "in", "r": 4}})).unwrap();
        assert_eq!(strange.strange.len(), 4);
        let wrong = |answer| read(answer).unwrap_err();
        assert_eq!(wrong(json!({"outputs": {"b": true}})), "the answer has no value for `w`");
        assert_eq!(wrong(json!({"outputs": {"x": true}})), "it answers with `x`, and there is no such variable");
        assert_eq!(wrong(json!({"b": true})), "an answer without `outputs`");
    }

    #[test]
    fn optional_outputs_may_be_missing() {
        let mut model = model("MODULE main VAR x : 0..3; ASSIGN next(x) := 0; DEFINE low := x < 2; seven := 7;");
        model.infer_outputs();
        let view = model.tester_view();
        let read = |answer: serde_json::Value| Observed::read(&view, &Hello::default(), &answer);
        assert!(read(json!({"outputs": {"x": 1}})).is_ok());
        assert!(read(json!({"outputs": {"x": 1, "low": true}})).is_ok());
        assert_eq!(read(json!({"outputs": {"low": true}})).unwrap_err(), "the answer has no value for `x`");
        let why = read(json!({"outputs": {"x": 1, "seven": 7}})).unwrap_err();
        assert!(why.contains("`--output seven`"), "{why}");
        let hello = Request::hello(&view).line();
        assert!(hello.contains("{\"name\":\"low\",\"type\":\"boolean\",\"optional\":true}"), "{hello}");
        model.interface.set(Observable::Define(model.define_named("low").unwrap()), Role::Output);
        let view = model.tester_view();
        let missing = Observed::read(&view, &Hello::default(), &json!({"outputs": {"x": 1}}));
        assert_eq!(missing.unwrap_err(), "the answer has no value for `low`");
    }

    #[test]
    fn the_adapter_decides_when_inputs_come_and_a_mismatch_is_explained() {
        let model = model("MODULE main VAR i : boolean; x : boolean; ASSIGN next(x) := i;");
        let i = model.var_named("i").unwrap();
        let read = |answer: serde_json::Value| Hello::read(&model, &answer).unwrap();
        let silent = read(json!({}));
        assert_eq!((silent.timing_of(i), silent.mismatch(&model)), (Timing::Leaving, None));
        assert_eq!(read(json!({"inputs": "leaving"})).mismatch(&model), None);
        let early = read(json!({"inputs": "entering"}));
        assert_eq!(early.timing_of(i), Timing::Entering);
        assert!(early.mismatch(&model).is_some_and(|why| why.contains("`i`") && why.contains("one step early")));
        assert!(Hello::read(&model, &json!({"inputs": "now"})).is_err());
    }
}
