//! Classification of mutants of a machine: which are dangerous, and how.

use super::changes::changes;
use super::invariant::Invariant;
use crate::mutate::Mutant;
use specwright_mc::{Danger, Dangers, Effect, Part, Reason, Symbolic, Variant};
use specwright_model::interface::Role;
use specwright_model::interp::{Support, support};
use specwright_model::model::Assign;
use specwright_model::{ExprId, Model, TransitionSystem};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// The result of an analysis.
pub struct Analysis {
    /// The safety properties.
    pub invariants: Vec<Invariant>,
    /// The analysed mutants.
    pub found: Vec<Found>,
    /// Number of mutants that change no step: only initial states, or defines that no step depends on.
    pub n_without_steps: usize,
    /// Number of mutants of the environment.
    pub n_environment: usize,
}

/// The effect of a mutant on the steps of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Class {
    /// It has the steps of the machine in every reachable state.
    Equivalent,
    /// It only removes steps.
    Restricting,
    /// It has steps that the machine does not have.
    Departing,
    /// It is undefined somewhere.
    Undefined,
    /// Undecided, with the reason.
    Unknown(String),
}

/// An analysed mutant.
pub struct Found {
    /// The mutant.
    pub mutant: Mutant,
    /// Its class.
    pub class: Class,
    /// The changed parts of the machine, with their new expressions.
    pub(super) changes: Vec<(Part, ExprId)>,
    pub(super) variant: Option<Variant>,
    /// For each property, if it departs, its dangerous traces, if it has any, or why they are undecided.
    pub(super) dangers: Vec<Result<Option<Dangers>, String>>,
}

impl Found {
    /// Whether it has dangerous traces of a kind for a property, by its index; `None` if undecided.
    pub fn has(&self, property: usize, danger: Danger) -> Option<bool> {
        match (&self.class, self.dangers.get(property)) {
            (Class::Unknown(_), _) | (Class::Departing, None | Some(Err(_))) => None,
            (_, Some(Ok(dangers))) => Some(dangers.as_ref().is_some_and(|dangers| dangers.has(danger))),
            (_, _) => Some(false),
        }
    }

    /// Whether it is dangerous: a dangerous mutant always has `EF` dangerous traces.
    pub fn is_dangerous(&self) -> bool {
        (0..self.dangers.len()).any(|property| self.has(property, Danger::Ef) == Some(true))
    }

    /// The reason why something about it is undecided.
    pub fn unknown(&self) -> Option<&str> {
        match &self.class {
            Class::Unknown(reason) => Some(reason),
            _ => self.dangers.iter().find_map(|dangers| dangers.as_ref().err().map(String::as_str)),
        }
    }
}

/// What is known of a mutant before the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It changes no step.
    WithoutSteps,
    /// It is a mutant of the environment.
    Environment,
    /// It has the steps of the machine in every reachable state.
    Equivalent,
    /// It only removes steps.
    Restricting,
    /// It departs from the machine, and has no dangerous traces.
    Harmless,
}

impl Known {
    /// All of them, with their names.
    pub const NAMED: [(&str, Known); 5] = [
        ("without-steps", Known::WithoutSteps),
        ("environment", Known::Environment),
        ("equivalent", Known::Equivalent),
        ("restricting", Known::Restricting),
        ("harmless", Known::Harmless),
    ];

    /// What an analysis of a single mutant tells about it; nothing if the mutant is dangerous, undefined or undecided, because
    /// then it has to be analysed together with the others.
    pub fn of(analysis: &Analysis) -> Option<Known> {
        let Some(found) = analysis.found.first() else {
            return Some(if analysis.n_environment > 0 { Known::Environment } else { Known::WithoutSteps });
        };
        match found.class {
            Class::Equivalent => Some(Known::Equivalent),
            Class::Restricting => Some(Known::Restricting),
            Class::Departing if found.dangers.iter().all(|dangers| matches!(dangers, Ok(None))) => {
                Some(Known::Harmless)
            }
            _ => None,
        }
    }
}

/// Analyses mutants of the engine's machine, which must satisfy all the properties. What is `known` of a mutant, by its number,
/// is taken as it is. The observer is called for each mutant and may stop the analysis.
///
/// A model also describes its environment. A mutant with inputs that the machine does not allow is a mutant of the
/// environment: an implementation cannot refuse inputs. It is left out, unless it is requested, or the model has only
/// inputs.
pub fn analyse(
    model: &Model,
    engine: &mut Symbolic,
    invariants: Vec<Invariant>,
    mutants: Vec<Mutant>,
    with_environment: bool,
    known: &BTreeMap<usize, Known>,
    observe: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Analysis {
    let with_environment = with_environment || model.vars().all(|(var, _)| model.role(var) == Role::Input);
    let mut analysis = Analysis { invariants, found: Vec::new(), n_without_steps: 0, n_environment: 0 };
    for (done, mutant) in mutants.into_iter().enumerate() {
        if observe(done).is_break() {
            break;
        }
        let changes = changes(model, &mutant);
        let known = known.get(&done);
        if changes.is_empty() || known == Some(&Known::WithoutSteps) {
            analysis.n_without_steps += 1;
        } else if known == Some(&Known::Environment) {
            analysis.n_environment += 1;
        } else if let Some(known) = known {
            let class = match known {
                Known::Restricting => Class::Restricting,
                Known::Harmless => Class::Departing,
                _ => Class::Equivalent,
            };
            let departs = class == Class::Departing;
            let dangers = analysis.invariants.iter().filter(|_| departs).map(|_| Ok(None)).collect();
            analysis.found.push(Found { mutant, class, changes, variant: None, dangers });
        } else if let Some(found) = look_at(model, engine, &analysis.invariants, mutant, changes, with_environment) {
            analysis.found.push(found);
        } else {
            analysis.n_environment += 1;
        }
    }
    analysis
}

/// Analyses a mutant; `None` for a mutant of the environment, unless these are requested.
fn look_at(
    model: &Model,
    engine: &mut Symbolic,
    invariants: &[Invariant],
    mutant: Mutant,
    changes: Vec<(Part, ExprId)>,
    with_environment: bool,
) -> Option<Found> {
    let mut found = Found { mutant, class: Class::Departing, changes, variant: None, dangers: Vec::new() };
    let mut variant = match engine.variant(&found.changes) {
        Ok(variant) => variant,
        Err(reason) => {
            found.class = match reason {
                Reason::Undefined(_) => Class::Undefined,
                reason => Class::Unknown(reason.to_string()),
            };
            return Some(found);
        }
    };
    found.class = match variant.effect() {
        Effect::Nothing => Class::Equivalent,
        Effect::Restricts => Class::Restricting,
        Effect::Departs => Class::Departing,
    };
    if found.class == Class::Departing && !with_environment && may_free_inputs(model, &found.changes) {
        match engine.frees_inputs(&variant, &model.inputs()) {
            Ok(false) => {}
            Ok(true) => return None,
            Err(reason) => found.class = Class::Unknown(describe(&reason)),
        }
    }
    if found.class == Class::Departing {
        let dangers = |invariant: &Invariant| {
            let dangers = engine.dangers(&mut variant, invariant.expr).map_err(|why| describe(&why))?;
            Ok(Danger::ALL.into_iter().any(|danger| dangers.has(danger)).then_some(dangers))
        };
        found.dangers = invariants.iter().map(dangers).collect();
        found.variant = Some(variant);
    }
    Some(found)
}

/// Whether changes can affect which inputs are allowed. They cannot if they only define next values of variables that
/// are no inputs, and no constraint reads these.
fn may_free_inputs(model: &Model, changes: &[(Part, ExprId)]) -> bool {
    let on_inputs = || model.assigns.iter().filter(|assign| model.role(assign.var) == Role::Input);
    let sourced = || model.trans.iter().chain(&model.invar).chain(on_inputs().map(|assign| &assign.value));
    let constraints = || sourced().map(|sourced| support(model, sourced.expr));
    changes.iter().any(|(part, _)| match part {
        Part::Invar(_) | Part::Trans(_) => true,
        Part::Assign(index) => {
            let Assign { var, .. } = model.assigns[*index];
            let is_seen = |support: Support| support.next.contains(&var) || support.now.contains(&var);
            model.role(var) == Role::Input || constraints().any(is_seen)
        }
    })
}

fn describe(reason: &Reason) -> String {
    match reason {
        Reason::Undefined(_) => "the property has no value somewhere beyond the reachable states".into(),
        reason => reason.to_string(),
    }
}

/// The system with some of its parts changed.
pub(super) fn changed(system: &TransitionSystem, changes: &[(Part, ExprId)]) -> TransitionSystem {
    let mut changed = system.clone();
    for (part, expr) in changes {
        let sourced = match part {
            Part::Assign(index) => &mut changed.assigns[*index].value,
            Part::Invar(index) => &mut changed.invar[*index],
            Part::Trans(index) => &mut changed.trans[*index],
        };
        sourced.expr = *expr;
    }
    changed
}
