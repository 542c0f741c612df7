//! The data that templates see, as documented in the book's page on `export`.

use super::language::{Language, is_mixed};
use super::naming::{pascal, screaming, short, snake, unique, unique_among};
use super::{ExportError, module, stem};
use crate::run::protocol::{Hello, Timing};
use crate::run::script::{first_inputs, step_inputs, unrolled};
use serde::Serialize;
use specwright_model::interface::{Observable, Role};
use specwright_model::model::{Var, VarKind};
use specwright_model::trace::ValueJson;
use specwright_model::{Domain, Model, State, Value, VarId};
use specwright_testgen::suite::{Expect, Suite, Test, type_text};
use std::collections::BTreeSet;

/// The root object.
#[derive(Debug, Serialize)]
pub(super) struct Context {
    model: String,
    model_hash: Option<String>,
    /// The name of the model without folder and extension.
    name: String,
    /// The same as the name of a module.
    module: Code,
    timing: &'static str,
    variables: Vec<VariableContext>,
    inputs: Vec<VariableContext>,
    /// The inputs that a reset comes with.
    reset_inputs: Vec<VariableContext>,
    outputs: Vec<VariableContext>,
    /// The names of the outputs that need not be reported.
    optional: Vec<String>,
    /// Inputs and outputs.
    visible: Vec<VariableContext>,
    /// Whether a reset comes with inputs: the `same` as a step, its `own`, or `none`.
    reset: &'static str,
    tests: Vec<TestContext>,
}

#[derive(Clone, Debug, Serialize)]
struct VariableContext {
    name: String,
    r#type: String,
    role: &'static str,
    kind: &'static str,
    /// When an input is sent: `entering` or `leaving`.
    timing: Option<&'static str>,
    /// `boolean`, `enum`, `range`, `word` or `integer`.
    domain: &'static str,
    /// The values of an enumeration.
    values: Vec<ConstantContext>,
    /// The name as that of a field.
    field: Code,
    /// The type in the language of the template.
    type_name: Code,
    /// Whether the template has to define that type.
    is_enum: bool,
    /// Whether it is an output that need not be reported.
    optional: bool,
    /// The type of a field for it, which has room for no value if it need not be reported.
    field_type: Code,
}

#[derive(Clone, Debug, Serialize)]
struct ConstantContext {
    name: String,
    constant: Code,
}

#[derive(Debug, Serialize)]
struct TestContext {
    name: String,
    /// What it shows; its name if that is not said.
    shows: String,
    function: Code,
    expect: &'static str,
    goals: Vec<String>,
    r#loop: Option<usize>,
    /// All values of each state, as in the suite.
    states: Vec<Vec<ItemContext>>,
    /// The inputs and expected outputs of all steps, the reset first.
    steps: Vec<StepContext>,
}

#[derive(Debug, Serialize)]
struct StepContext {
    number: usize,
    inputs: Vec<ItemContext>,
    outputs: Vec<ItemContext>,
    note: String,
    /// Whether a correct implementation does something else here.
    forbidden: bool,
}

#[derive(Debug, Serialize)]
struct ItemContext {
    name: String,
    field: Code,
    value: ValueJson,
    /// The value as a literal of the language.
    literal: Code,
    /// Whether it is the value of an output that need not be reported.
    optional: bool,
}

/// A piece of code in the language of a template, which is written verbatim, as opposed to text.
#[derive(Clone, Debug)]
enum Code {
    Code(String),
    Text(String),
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Code::Code(code) => super::render::code_value(code).serialize(serializer),
            Code::Text(text) => text.serialize(serializer),
        }
    }
}

/// Builds the context for a language.
pub(super) struct Builder<'a> {
    model: &'a Model,
    language: Language,
    hello: Hello,
    fields: Vec<String>,
    /// For each variable with an enumeration of symbols, the name of its type and those of its constants.
    enums: Vec<Option<(String, Vec<String>)>>,
    /// Names that functions cannot have.
    taken: BTreeSet<String>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(model: &'a Model, language: Language) -> Builder<'a> {
        let names = || model.vars.iter().map(|var| var.name.as_str());
        let fields = unique(names(), language.field(), language.reserved());
        let type_name = if language == Language::C { snake } else { pascal };
        let mut taken: BTreeSet<String> = language.reserved().iter().map(|&word| word.to_owned()).collect();
        let types = unique_among(names().map(|name| short(type_name(name))), &mut taken, language.reserved());
        let of = |(var, name): (&Var, _)| constants(model, language, &var.domain, name, &mut taken);
        let enums = model.vars.iter().zip(types).map(of).collect();
        Builder { model, language, hello: Hello { timings: model.timings(), ..Hello::default() }, fields, enums, taken }
    }

    pub(super) fn context(&self, suite: &Suite) -> Result<Context, ExportError> {
        let model = self.model;
        let of = |wanted: &dyn Fn(Role, VarKind) -> bool| -> Vec<VariableContext> {
            let vars = model.vars().filter(|(id, var)| wanted(model.role(*id), var.kind));
            vars.map(|(id, _)| self.variable(id)).collect()
        };
        let functions = suite.tests.iter().map(|test| short(self.language.function()(&test.name)));
        let functions = unique_among(functions, &mut self.taken.clone(), self.language.reserved());
        let tests = suite.tests.iter().zip(functions).map(|(test, function)| self.test(test, function));
        Ok(Context {
            model: suite.model.clone(),
            model_hash: suite.model_hash.clone(),
            name: stem(&suite.model),
            module: self.code(module(&suite.model, self.language)),
            timing: self.timing(),
            variables: of(&|_, _| true),
            inputs: of(&|role, kind| role == Role::Input && kind != VarKind::Frozen),
            reset_inputs: self.inputs(true).into_iter().map(|var| self.variable(var)).collect(),
            outputs: of(&|role, kind| role == Role::Output && kind != VarKind::Input),
            optional: model
                .vars()
                .filter(|(id, _)| model.interface.is_optional(Observable::Var(*id)))
                .map(|(_, var)| var.name.clone())
                .collect(),
            visible: of(&|role, kind| role == Role::Input || (role == Role::Output && kind != VarKind::Input)),
            reset: match self.inputs(true) {
                first if first.is_empty() => "none",
                first if first == self.inputs(false) => "same",
                _ => "own",
            },
            tests: tests.collect::<Result<_, _>>()?,
        })
    }

    fn variable(&self, id: VarId) -> VariableContext {
        let (model, var) = (self.model, &self.model[id]);
        let own = self.enums[id.0 as usize].as_ref();
        let shown = match &var.domain {
            Domain::Enum(values) => values.iter().map(|value| model.show_of(id, *value)).collect(),
            _ => Vec::new(),
        };
        let constants = own.map_or_else(|| shown.clone(), |(_, constants)| constants.clone());
        let type_name = if model.denominator(id).is_some() {
            self.language.real().into()
        } else {
            self.language.type_name(var, own.map(|(name, _)| name.as_str()))
        };
        let optional = model.interface.is_optional(Observable::Var(id));
        VariableContext {
            name: var.name.clone(),
            r#type: type_text(model, id),
            role: model.role(id).name(),
            kind: match var.kind {
                VarKind::State => "state",
                VarKind::Frozen => "frozen",
                VarKind::Input => "input",
            },
            timing: self.hello.timings.get(&id).map(|timing| timing.name()),
            domain: match var.domain {
                _ if model.denominator(id).is_some() => "real",
                Domain::Bool => "boolean",
                Domain::Enum(_) => "enum",
                Domain::Range(..) => "range",
                Domain::Word { .. } => "word",
                Domain::Integer => "integer",
            },
            values: shown
                .into_iter()
                .zip(constants)
                .map(|(name, constant)| ConstantContext { name, constant: self.code(constant) })
                .collect(),
            field: self.code(self.fields[id.0 as usize].clone()),
            field_type: self.code(if optional { self.language.optional_type(&type_name) } else { type_name.clone() }),
            type_name: self.code(type_name),
            is_enum: own.is_some(),
            optional,
        }
    }

    fn test(&self, test: &Test, function: String) -> Result<TestContext, ExportError> {
        let states = unrolled(&test.trace, 1);
        let mut steps = Vec::new();
        for (number, state) in states.iter().enumerate() {
            let (inputs, wanted) = match number.checked_sub(1) {
                None => (first_inputs(self.model, &self.hello, state), self.inputs(true)),
                Some(before) => (step_inputs(self.model, &self.hello, &states[before], state), self.inputs(false)),
            };
            let open = wanted.into_iter().find(|var| inputs.get(*var).is_none());
            if let Some(var) = open.filter(|_| self.language.is_static()) {
                let (test, variable) = (test.name.clone(), self.model[var].name.clone());
                return Err(ExportError::Open { test, state: number, variable });
            }
            steps.push(StepContext {
                number,
                inputs: self.items(&inputs, |_, _| true),
                outputs: self.items(state, |role, kind| role == Role::Output && kind != VarKind::Input),
                note: self.note(test.note(number)),
                forbidden: test.expect == Expect::Reject && number + 1 == states.len(),
            });
        }
        Ok(TestContext {
            name: test.name.clone(),
            shows: if test.shows.is_empty() { test.name.clone() } else { test.shows.clone() },
            function: self.code(function),
            expect: if test.expect == Expect::Reject { "reject" } else { "accept" },
            goals: test.goals.clone(),
            r#loop: test.trace.loop_start,
            states: test.trace.states.iter().map(|state| self.items(state, |_, _| true)).collect(),
            steps,
        })
    }

    fn code(&self, text: String) -> Code {
        if self.language == Language::Plain { Code::Text(text) } else { Code::Code(text) }
    }

    /// A note on one line, shortened in code.
    fn note(&self, note: &str) -> String {
        const SHORT: usize = 72;
        let note = note.replace(['\n', '\r'], " ");
        if self.language == Language::Plain || note.chars().count() <= SHORT {
            return note;
        }
        note.chars().take(SHORT - 1).chain(['…']).collect()
    }

    /// When inputs are sent: `entering`, `leaving`, or `mixed`.
    fn timing(&self) -> &'static str {
        let mut timings = self.hello.timings.values();
        match timings.next() {
            Some(first) if timings.all(|other| other == first) => first.name(),
            Some(_) => "mixed",
            None => Timing::default().name(),
        }
    }

    /// The inputs of a reset or a step.
    fn inputs(&self, reset: bool) -> Vec<VarId> {
        let sent = |var: VarId| match self.model[var].kind {
            VarKind::Frozen => reset,
            VarKind::State => !reset || self.hello.timing_of(var) == Timing::Entering,
            VarKind::Input => !reset,
        };
        let inputs = self.model.vars().filter(|(id, _)| self.model.role(*id) == Role::Input && sent(*id));
        inputs.map(|(id, _)| id).collect()
    }

    fn literal(&self, var: VarId, value: Value, constant: Option<String>) -> String {
        match (value, self.model.denominator(var)) {
            // Most languages divide integers otherwise.
            (Value::Int(_), Some(_)) => match self.model.show_of(var, value).split_once('/') {
                Some((numerator, denominator)) => format!("{numerator}.0 / {denominator}.0"),
                None => self.model.show_of(var, value),
            },
            _ => self.language.literal(self.model, value, &self.model[var].domain, constant),
        }
    }

    fn items(&self, state: &State, wanted: impl Fn(Role, VarKind) -> bool) -> Vec<ItemContext> {
        let given = self.model.vars().filter(|(id, var)| wanted(self.model.role(*id), var.kind));
        let given = given.filter_map(|(id, var)| {
            let value = state.get(id)?;
            let constant = self.enums[id.0 as usize].as_ref().and_then(|(name, constants)| {
                let Domain::Enum(values) = &var.domain else { return None };
                let index = values.iter().position(|other| *other == value)?;
                Some(match self.language {
                    Language::Rust => format!("{name}::{}", constants[index]),
                    // They belong to the interface that declares them.
                    Language::Java => format!("Subject.{name}.{}", constants[index]),
                    _ => constants[index].clone(),
                })
            });
            Some(ItemContext {
                name: var.name.clone(),
                field: self.code(self.fields[id.0 as usize].clone()),
                value: ValueJson::of(self.model, id, value),
                literal: self.code(self.literal(id, value, constant)),
                optional: self.model.interface.is_optional(Observable::Var(id)),
            })
        });
        given.collect()
    }
}

/// The type and the constants of an enumeration of symbols, in languages that have such types.
///
/// In C and Go constants share a namespace with all other names, which are reserved.
fn constants(
    model: &Model,
    language: Language,
    domain: &Domain,
    name: String,
    taken: &mut BTreeSet<String>,
) -> Option<(String, Vec<String>)> {
    let Domain::Enum(values) = domain else { return None };
    let symbols = values.iter().all(|value| matches!(value, Value::Symbol(_)));
    if !language.is_static() || !symbols || is_mixed(values) {
        return None;
    }
    let shown: Vec<String> = values.iter().map(|value| model.show(*value)).collect();
    let own = unique(shown.iter().map(String::as_str), language.constant(), language.reserved());
    let constants = match language {
        Language::C => {
            let prefix = screaming(&name);
            unique_among(own.iter().map(|constant| format!("{prefix}_{constant}")), taken, &[])
        }
        Language::Go => unique_among(own.iter().map(|constant| format!("{name}{constant}")), taken, &[]),
        _ => own,
    };
    Some((name, constants))
}
