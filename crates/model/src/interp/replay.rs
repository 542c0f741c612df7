//! Replay: whether a trace is an execution of a model, and if not, where and why.

use super::error::EvalError;
use super::eval::{Evaluator, eval_bool};
use super::plan::Origin;
use super::value_set::ValueSet;
use crate::model::{AssignKind, TransitionSystem, VarId, VarKind};
use crate::state::{State, Trace};
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_syntax::span::Span;

/// The first reason why a trace is not an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError {
    /// Index of the state that is invalid or cannot follow the previous one.
    pub state: usize,
    /// The reason.
    pub fault: TraceFault,
}

/// Why a state or a step is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceFault {
    /// The trace has no states.
    Empty,
    /// The loop start is not a state of the trace.
    NoLoopStart(usize),
    /// A variable has no value: the state is partial.
    Missing(VarId),
    /// A value outside of the domain of the variable.
    OutOfDomain(VarId, Value),
    /// A frozen variable changes.
    Frozen {
        /// The variable.
        var: VarId,
        /// The value that it had before.
        before: Value,
    },
    /// A value other than those of the assignment.
    Assigned {
        /// The variable.
        var: VarId,
        /// The value in the trace.
        value: Value,
        /// The values of the assignment.
        allowed: ValueSet,
        /// The assignment.
        origin: Origin,
    },
    /// A constraint is false.
    Violated(Origin),
    /// A constraint or assignment is undefined.
    Undefined(EvalError, Origin),
}

/// The fairness constraint that the loop of a trace violates.
pub fn unfair(model: &TransitionSystem, trace: &Trace) -> Option<Span> {
    let start = trace.loop_start?;
    let holds = |expr, state: &State| eval_bool(model, expr, state, None).unwrap_or(false);
    let recurs = |expr| trace.states[start..].iter().any(|state| holds(expr, state));
    let justice = model.justice.iter().find(|justice| !recurs(justice.expr));
    let compassion = || model.compassion.iter().find(|(p, q)| recurs(p.expr) && !recurs(q.expr)).map(|(_, q)| q);
    justice.or_else(compassion).map(crate::expr::SourcedExpr::span)
}

/// Checks that a trace is an execution: its first state is initial, every step is legal, the loop closes, all values
/// are in their domains. Inputs may be missing only in the last state of a finite trace.
pub fn check_trace(model: &TransitionSystem, trace: &Trace) -> Result<(), TraceError> {
    check_with(model, trace, &mut |evaluator, now, next| check_step_with(evaluator, model, now, next))
}

/// Replays traces of one model and caches legal steps, since many traces have common prefixes.
#[derive(Clone, Debug, Default)]
pub struct Replayer {
    known: FxHashMap<State, FxHashSet<State>>,
    n_known: usize,
}

/// Maximal number of cached steps, to bound memory.
const MAX_CACHED_STEPS: usize = 1 << 16;

impl Replayer {
    /// As [`check_trace`], with the cache.
    pub fn check(&mut self, model: &TransitionSystem, trace: &Trace) -> Result<(), TraceError> {
        check_with(model, trace, &mut |evaluator, now, next| {
            if self.known.get(now).is_some_and(|known| known.contains(next)) {
                return Ok(());
            }
            check_step_with(evaluator, model, now, next)?;
            if self.n_known < MAX_CACHED_STEPS {
                self.known.entry(now.clone()).or_default().insert(next.clone());
                self.n_known += 1;
            }
            Ok(())
        })
    }
}

/// Checks a trace; `step` checks its steps.
fn check_with<'t>(
    model: &'t TransitionSystem,
    trace: &'t Trace,
    step: &mut dyn FnMut(&mut Evaluator<'t>, &'t State, &'t State) -> Result<(), TraceFault>,
) -> Result<(), TraceError> {
    let fail = |state, fault| Err(TraceError { state, fault });
    let Some(first) = trace.states.first() else { return fail(0, TraceFault::Empty) };
    if let Some(start) = trace.loop_start.filter(|start| *start >= trace.states.len()) {
        return fail(trace.states.len() - 1, TraceFault::NoLoopStart(start));
    }
    for (index, state) in trace.states.iter().enumerate() {
        let leaves = trace.next(index).is_some();
        check_values(model, state, leaves).or_else(|fault| fail(index, fault))?;
    }
    let mut evaluator = Evaluator::new(model, first, None);
    check_initial_with(&mut evaluator, model, first).or_else(|fault| fail(0, fault))?;
    for (index, now) in trace.states.iter().enumerate() {
        if let Some(next) = trace.next(index) {
            // A broken loop is reported behind the last state, where it should close.
            step(&mut evaluator, now, &trace.states[next]).or_else(|fault| fail(index + 1, fault))?;
        }
    }
    Ok(())
}

/// Whether a complete state is initial.
pub fn check_initial(model: &TransitionSystem, state: &State) -> Result<(), TraceFault> {
    check_initial_with(&mut Evaluator::new(model, state, None), model, state)
}

/// The same, with an evaluator for this state.
fn check_initial_with(
    evaluator: &mut Evaluator<'_>,
    model: &TransitionSystem,
    state: &State,
) -> Result<(), TraceFault> {
    check_assigns(model, AssignKind::Init, evaluator, state)?;
    check_constraints(model, model.init.len(), Origin::Init, evaluator)?;
    check_state_with(evaluator, model, state)
}

/// Whether a complete state satisfies the invariants.
pub fn check_state(model: &TransitionSystem, state: &State) -> Result<(), TraceFault> {
    check_state_with(&mut Evaluator::new(model, state, None), model, state)
}

/// The same, with an evaluator for this state.
fn check_state_with(evaluator: &mut Evaluator<'_>, model: &TransitionSystem, state: &State) -> Result<(), TraceFault> {
    check_assigns(model, AssignKind::Always, evaluator, state)?;
    check_constraints(model, model.invar.len(), Origin::Invar, evaluator)
}

/// Whether a complete state can follow another, whose inputs are given.
pub fn check_step(model: &TransitionSystem, now: &State, next: &State) -> Result<(), TraceFault> {
    check_step_with(&mut Evaluator::new(model, now, None), model, now, next)
}

/// The same, with an evaluator for any states of the model.
fn check_step_with<'a>(
    evaluator: &mut Evaluator<'a>,
    model: &TransitionSystem,
    now: &'a State,
    next: &'a State,
) -> Result<(), TraceFault> {
    for (var, declared) in model.vars() {
        if declared.kind == VarKind::Frozen && now.get(var) != next.get(var) {
            let before = now.get(var).ok_or(TraceFault::Missing(var))?;
            return Err(TraceFault::Frozen { var, before });
        }
    }
    evaluator.move_to(now, Some(next));
    check_assigns(model, AssignKind::Next, evaluator, next)?;
    check_constraints(model, model.trans.len(), Origin::Trans, evaluator)?;
    evaluator.move_to(next, None);
    check_state_with(evaluator, model, next)
}

fn check_values(model: &TransitionSystem, state: &State, leaves: bool) -> Result<(), TraceFault> {
    for (var, declared) in model.vars() {
        match state.get(var) {
            Some(value) if !declared.domain.contains(value) => return Err(TraceFault::OutOfDomain(var, value)),
            None if leaves || declared.kind != VarKind::Input => return Err(TraceFault::Missing(var)),
            _ => {}
        }
    }
    Ok(())
}

fn check_assigns(
    model: &TransitionSystem,
    kind: AssignKind,
    evaluator: &mut Evaluator<'_>,
    target: &State,
) -> Result<(), TraceFault> {
    for (index, assign) in model.assigns.iter().enumerate().filter(|(_, assign)| assign.kind == kind) {
        let (var, origin) = (assign.var, Origin::Assign(index));
        let value = target.get(var).ok_or(TraceFault::Missing(var))?;
        let allowed = evaluator.set(assign.value.expr).map_err(|error| TraceFault::Undefined(error, origin))?;
        if !allowed.contains(value) {
            return Err(TraceFault::Assigned { var, value, allowed, origin });
        }
    }
    Ok(())
}

fn check_constraints(
    model: &TransitionSystem,
    n: usize,
    origin: fn(usize) -> Origin,
    evaluator: &mut Evaluator<'_>,
) -> Result<(), TraceFault> {
    for origin in (0..n).map(origin) {
        match evaluator.truth(origin.sourced(model).expr) {
            Ok(true) => {}
            Ok(false) => return Err(TraceFault::Violated(origin)),
            Err(error) => return Err(TraceFault::Undefined(error, origin)),
        }
    }
    Ok(())
}

impl TraceError {
    /// Whether the trace only lacks values.
    pub fn is_partial(&self) -> bool {
        matches!(self.fault, TraceFault::Missing(_))
    }

    /// The message for users, with states counted from 1.
    pub fn describe(&self, model: &TransitionSystem) -> String {
        let place = match &self.fault {
            TraceFault::Empty => return "the trace has no states".into(),
            TraceFault::NoLoopStart(start) => {
                return format!("the loop starts at state {}, which is not there", start + 1);
            }
            TraceFault::Missing(_) | TraceFault::OutOfDomain(..) => format!("state {}", self.state + 1),
            _ if self.state == 0 => "state 1".into(),
            _ => format!("the step from state {} to state {}", self.state, self.state + 1),
        };
        format!("{place}: {}", self.fault.describe(model))
    }

    /// The source span of the violated part, if there is one.
    pub fn span(&self, model: &TransitionSystem) -> Span {
        match &self.fault {
            TraceFault::Assigned { origin, .. } | TraceFault::Violated(origin) | TraceFault::Undefined(_, origin) => {
                origin.sourced(model).span()
            }
            TraceFault::Missing(var) | TraceFault::OutOfDomain(var, _) | TraceFault::Frozen { var, .. } => {
                model[*var].span
            }
            TraceFault::Empty | TraceFault::NoLoopStart(_) => Span::NONE,
        }
    }
}

impl TraceFault {
    /// The message for users.
    pub fn describe(&self, model: &TransitionSystem) -> String {
        match self {
            TraceFault::Empty => "there is no state".into(),
            TraceFault::NoLoopStart(_) => "the loop has no start".into(),
            TraceFault::Missing(var) => format!("`{}` has no value", model[*var].name),
            TraceFault::OutOfDomain(var, value) => {
                format!("`{}` cannot be {}", model[*var].name, model.show(*value))
            }
            TraceFault::Frozen { var, before } => {
                format!("`{}` is frozen and must stay {}", model[*var].name, model.show(*before))
            }
            TraceFault::Assigned { var, value, allowed, origin } => {
                let kind = match origin {
                    Origin::Assign(index) => model.assigns[*index].kind,
                    _ => AssignKind::Always,
                };
                let when = match kind {
                    AssignKind::Always => "its assignment",
                    AssignKind::Init => "its initial assignment",
                    AssignKind::Next => "its next assignment",
                };
                let name = &model[*var].name;
                format!("`{name}` is {}, but {when} gives {}", model.show(*value), show_set(model, allowed))
            }
            TraceFault::Violated(origin) => match origin {
                Origin::Assign(_) => "an assignment is violated".into(),
                Origin::Init(_) => "a constraint on initial states is false".into(),
                Origin::Invar(_) => "an invariant constraint of the model is false".into(),
                Origin::Trans(_) => "a constraint on steps is false".into(),
            },
            TraceFault::Undefined(error, _) => error.describe(model),
        }
    }
}

fn show_set(model: &TransitionSystem, set: &ValueSet) -> String {
    const SHOWN: usize = 5;
    let mut words: Vec<String> = set.iter().take(SHOWN).map(|value| model.show(value)).collect();
    if set.len() > SHOWN as u128 {
        return format!("one of {}, …", words.join(", "));
    }
    match words.pop() {
        None => "nothing".into(),
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} or {last}", words.join(", ")),
    }
}
