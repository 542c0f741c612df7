//! The protocol between Specwright and the adapter of an implementation: one line of JSON for each request and each
//! answer. It is documented in the book's page *The protocol*.

use serde::Serialize;
use specwright_model::interface::Role;
use specwright_model::model::VarKind;
use specwright_model::trace::{StateJson, ValueJson};
use specwright_model::{Domain, Model, State, Value, VarId, Word};
use specwright_testgen::suite::type_text;

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
}

impl Request {
    /// The first request for a model.
    pub fn hello(model: &Model) -> Request {
        let of = |role: Role| {
            let vars = model.vars().filter(|(id, _)| model.role(*id) == role);
            vars.map(|(_, var)| Declared { name: var.name.clone(), r#type: type_text(model, &var.domain) }).collect()
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
    let given = model.vars().filter_map(|(id, var)| Some((var.name.clone(), ValueJson::new(model, values.get(id)?))));
    StateJson(given.collect())
}

/// When the inputs of a state are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timing {
    /// With the step that enters the state: the implementation sees the new inputs, and answers with the new outputs.
    #[default]
    Entering,
    /// With the step that leaves it: the implementation reacts to the inputs of the present state.
    Leaving,
}

/// The capabilities of an adapter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hello {
    /// Whether it supports reset, so that one process can run several tests.
    pub reset: bool,
    /// When it expects the inputs.
    pub timing: Timing,
    /// The variables that it reports; all outputs if not specified.
    pub observes: Option<Vec<VarId>>,
}

impl Hello {
    /// Parses the answer to the first request; the error is a message.
    pub fn read(model: &Model, answer: &serde_json::Value) -> Result<Hello, String> {
        let mut hello = Hello::default();
        if let Some(protocol) = answer.get("protocol").filter(|protocol| *protocol != PROTOCOL) {
            return Err(format!("it speaks the protocol {protocol}, not \"{PROTOCOL}\""));
        }
        match answer.get("reset") {
            None => {}
            Some(serde_json::Value::Bool(reset)) => hello.reset = *reset,
            Some(other) => return Err(format!("`reset` is {other}, and should be true or false")),
        }
        match answer.get("inputs").map(|inputs| (inputs, inputs.as_str())) {
            None | Some((_, Some("entering"))) => {}
            Some((_, Some("leaving"))) => hello.timing = Timing::Leaving,
            Some((other, _)) => return Err(format!("`inputs` is {other}, and should be \"entering\" or \"leaving\"")),
        }
        if let Some(observes) = answer.get("observes") {
            let names = observes.as_array().ok_or_else(|| format!("`observes` is {observes}, and should be a list"))?;
            let var = |name: &serde_json::Value| {
                let var = name.as_str().and_then(|name| model.var_named(name));
                var.ok_or_else(|| format!("it observes {name}, and there is no such variable"))
            };
            hello.observes = Some(names.iter().map(var).collect::<Result<_, _>>()?);
        }
        Ok(hello)
    }

    /// Whether an answer must have a value for a variable.
    pub fn requires(&self, model: &Model, var: VarId) -> bool {
        match &self.observes {
            Some(observed) => observed.contains(&var),
            None => model.role(var) == Role::Output && model[var].kind != VarKind::Input,
        }
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
                return Err(format!("it answers with `{name}`, and there is no such variable"));
            };
            // The tester sets the inputs, so reported values are ignored.
            if value.is_null() || model.role(var) == Role::Input || model[var].kind == VarKind::Input {
                continue;
            }
            match read_value(model, &model[var].domain, value) {
                Some(value) => observed.values.set(var, value),
                None => observed.strange.push((var, value.to_string())),
            }
        }
        let missing = model.vars().find(|(var, _)| {
            let known = observed.values.get(*var).is_some() || observed.strange.iter().any(|(other, _)| other == var);
            hello.requires(model, *var) && !known
        });
        match missing {
            Some((_, var)) => Err(format!("it says nothing about `{}`", var.name)),
            None => Ok(observed),
        }
    }
}

/// A value of an implementation. Numbers are accepted for words, 0 and 1 for booleans.
fn read_value(model: &Model, domain: &Domain, value: &serde_json::Value) -> Option<Value> {
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
        assert_eq!(wrong(json!({"outputs": {"b": true}})), "it says nothing about `w`");
        assert_eq!(wrong(json!({"outputs": {"x": true}})), "it answers with `x`, and there is no such variable");
        assert_eq!(wrong(json!({"b": true})), "an answer without `outputs`");
    }
}
