//! Execution of scenarios as their reader goes on: `step until`, conditions on states, and inputs that are never set.

use super::raw::RawState;
use specwright_model::expr::Node;
use specwright_model::interface::Role;
use specwright_model::interp::{Explorer, Search, eval_bool};
use specwright_model::model::{SourceInfo, Var, VarKind};
use specwright_model::{Domain, ExprId, Model, State, Value, VarId};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use specwright_testgen::suite::codes;
use std::collections::BTreeMap;

/// Number of steps after which `step until` ends in vain.
const MAX_UNTIL: usize = 10_000;

/// Values tried and operators evaluated to find a step.
const STEP_WORK: u64 = 20_000_000;

/// Number of further steps that are looked at to see whether choices matter.
const MAX_COMPARED: usize = 16;

/// The conditions of scenarios, as expressions of a model with the same variables.
pub(super) struct Conditions {
    model: Model,
    exprs: BTreeMap<String, Result<ExprId, String>>,
}

impl Conditions {
    /// Reads conditions in the language of the specification; nothing if it has none of its own.
    pub(super) fn read(source: &SourceInfo, texts: impl Iterator<Item = String>) -> Option<Conditions> {
        let mut texts: Vec<String> = texts.collect();
        texts.sort_unstable();
        texts.dedup();
        if texts.is_empty() {
            return None;
        }
        let (model, exprs) = source.conditions.as_ref()?.read(&texts);
        Some(Conditions { model, exprs: texts.into_iter().zip(exprs).collect() })
    }

    /// Whether a condition holds in a state, or why that is not known.
    fn holds(&self, text: &str, state: &State) -> Result<bool, String> {
        match self.exprs.get(text) {
            Some(Ok(expr)) => Ok(eval_bool(&self.model, *expr, state, None).unwrap_or(false)),
            Some(Err(wrong)) => Err(wrong.clone()),
            None => Err("the specification has no conditions of its own".into()),
        }
    }
}

/// What is said of the conditions of a state where the model is not an Abstract State Machine.
pub(super) fn not_executed(state: &RawState) -> Vec<Diagnostic> {
    let until = state.until.iter().map(|(_, place)| {
        Diagnostic::error(codes::UNEXPECTED, *place, "only scenarios of a machine can step until a condition holds")
    });
    let conditions = state.conditions.iter().map(|(_, place)| {
        Diagnostic::warning(
            codes::UNEXPECTED,
            *place,
            "this condition is not compared: the model is not an Abstract State Machine",
        )
    });
    until.chain(conditions).collect()
}

/// An execution of the model that agrees with a scenario so far: the only one, or the first of several.
pub(super) struct Execution<'m> {
    model: &'m Model,
    explorer: Explorer<'m>,
    /// The last state, and the one before.
    now: Option<State>,
    before: Option<State>,
    /// Whether choices leave several executions.
    is_open: bool,
}

impl<'m> Execution<'m> {
    pub(super) fn new(model: &'m Model) -> Execution<'m> {
        Execution { model, explorer: Explorer::new(model), now: None, before: None, is_open: false }
    }

    /// Starts in an initial state with these values. Inputs that have none get those of the first one; their names are returned.
    pub(super) fn start(&mut self, state: &mut State) -> Vec<String> {
        for (var, expr) in &self.model.source.first_inputs {
            if let (None, Node::Const(value)) = (state.get(*var), &self.model[*expr]) {
                state.set(*var, *value);
            }
        }
        let model = self.model;
        let is_unset = |(id, var): &(VarId, &Var), state: &State| {
            model.role(*id) == Role::Input && var.kind == VarKind::State && state.get(*id).is_none()
        };
        let unset: Vec<(VarId, &Var)> = model.vars().filter(|input| is_unset(input, state)).collect();
        let mut tried = state.clone();
        for (id, _) in unset.iter().filter(|(_, var)| var.domain == Domain::Integer) {
            // There is no first integer.
            tried.set(*id, Value::Int(0));
        }
        self.now = self.first(None, &tried);
        let Some(now) = &self.now else { return Vec::new() };
        for (id, _) in &unset {
            state.set(*id, now.get(*id));
        }
        unset.iter().map(|(_, var)| format!("`{}`", var.name)).collect()
    }

    /// Takes a step to a state with these values.
    pub(super) fn step(&mut self, state: &State) {
        let Some(from) = self.now.take() else { return };
        self.now = self.first(Some(&from), state);
        self.before = Some(from);
    }

    /// Gives other values to the last state.
    pub(super) fn change(&mut self, state: &State) {
        if self.now.is_some() {
            self.now = self.first(self.before.clone().as_ref(), state);
        }
    }

    /// Steps until a condition holds, with the inputs of `last`, which becomes the last of these states: all of them. Nothing if
    /// there is no execution up to here; then the validation of the test says why.
    pub(super) fn until(
        &mut self,
        (text, place): (&str, Span),
        conditions: Option<&Conditions>,
        last: &mut State,
        keep: impl Fn(&State, &mut State),
    ) -> Result<Option<Vec<State>>, Box<Diagnostic>> {
        let wrong = |message: String| Box::new(Diagnostic::error(codes::UNEXPECTED, place, message));
        let mut between = Vec::new();
        loop {
            let Some(now) = &self.now else {
                return Ok(None);
            };
            match conditions.map(|conditions| conditions.holds(text, now)) {
                Some(Ok(true)) => return Ok(Some(between)),
                Some(Ok(false)) => {}
                Some(Err(why)) => return Err(wrong(format!("this condition cannot be evaluated: {why}"))),
                None => return Err(wrong("only scenarios of a machine have conditions".into())),
            }
            if between.len() == MAX_UNTIL {
                return Err(wrong(format!("the condition does not hold after {MAX_UNTIL} steps")));
            }
            let mut state = State::empty(self.model.vars.len());
            keep(last, &mut state);
            self.step(&state);
            between.push(state.clone());
            *last = state;
        }
    }

    /// What is wrong with a condition in the last state.
    pub(super) fn check(&self, text: &str, place: Span, conditions: Option<&Conditions>) -> Option<Diagnostic> {
        let not_compared = |why: &str| {
            let message = format!("this condition is not compared with the machine: {why}");
            Some(Diagnostic::warning(codes::UNEXPECTED, place, message))
        };
        let conditions = conditions?;
        // Where there is no execution, the validation of the test says why.
        let now = self.now.as_ref()?;
        match conditions.holds(text, now) {
            Ok(true) => None,
            Ok(false) if self.is_open => not_compared("it depends on choices that the scenario does not pick"),
            Ok(false) => {
                Some(Diagnostic::error(codes::NOT_AN_EXECUTION, place, "this does not hold in the machine here"))
            }
            Err(why) => not_compared(&why),
        }
    }

    fn first(&mut self, from: Option<&State>, wanted: &State) -> Option<State> {
        let search: Search<'_> = match from {
            None => self.explorer.initial(),
            Some(from) => self.explorer.steps(from),
        };
        let mut found = search.like(wanted).limit(STEP_WORK).map_while(Result::ok).map(|step| step.next);
        let mut first = found.next()?;
        // What inputs may be is not a choice of the machine.
        let is_open = from.is_some() && found.take(MAX_COMPARED).any(|other| other != first);
        self.is_open |= is_open;
        // The next step makes the choices that the scenario picks.
        for (id, _) in self.model.vars().filter(|(_, var)| var.kind == VarKind::Input) {
            first.set(id, wanted.get(id));
        }
        Some(first)
    }
}
