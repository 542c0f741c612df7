//! Conformance of machine mutants: which tests tell a mutant from the model, as a tester sees both.
//!
//! A tester sets inputs and sees outputs. Internal variables are neither. A mutant is an implementation: it is judged by
//! the *state estimate*, the set of states of the model that agree with all inputs and outputs so far. A run of the
//! mutant leaves what the model permits when the estimate becomes empty. That is the verdict of `run` on a program.
//!
//! - A test is a sequence of inputs that the model permits. An input that no state of the estimate accepts is no test.
//! - Where the mutant refuses an input, its run leaves the model unless a state of the estimate refuses the input, too.
//! - Inputs that leave their state are not sent for the last state of a test. There, a test is judged by outputs alone, for any
//!   such inputs. Searches pass over this: who shows what they find makes it a step longer where it needs that.
//! - A test kills the mutant *certainly* if every run of the mutant leaves the model, and *possibly* if some run does.
//! - The mutant *conforms* if no run leaves the model, and is *equivalent* if the model has no other runs either.
//!
//! [`CompareMachines`] is the capability of an engine to decide this. The explicit engine is the oracle. It searches pairs
//! of sets of states: the estimate, and the states of the mutant after the same inputs and outputs. Where both machines are
//! deterministic, these are pairs of states.

mod candidate;
mod explicit;
mod functional;
mod machine;
mod meeting;
mod search;

use crate::answer::{Answer, Reason};
use specwright_model::interface::{Observable, Role, Timing};
use specwright_model::interp::eval_bool;
use specwright_model::model::{DefineId, VarKind};
use specwright_model::{ExprId, Model, SourcedExpr, State, Trace, TransitionSystem, Value, VarId};
use specwright_syntax::budget::Budget;
use specwright_syntax::span::Span;

pub use explicit::Tester;

/// A place of a machine in which a mutant has another expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// The body of a define, for outputs that are defined. Where other places use the define, they are listed too.
    Define(DefineId),
    /// The value of an assignment.
    Assign(usize),
    /// A constraint on initial states.
    Init(usize),
    /// A constraint on states.
    Invar(usize),
    /// A constraint on steps. The index after the last one stands for one that the mutant has in addition.
    Trans(usize),
    /// A fairness constraint: the ones of justice, then cause and effect of each of compassion. No finite test shows a change.
    Fairness(usize),
}

/// The changes that make a mutant of a model. A define that changes because it uses another one stands behind that one.
pub type Changes = [(Place, ExprId)];

/// What a tester sets and sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observer {
    /// The variables that the tester sets.
    pub inputs: Vec<VarId>,
    /// Those of them that are sent with the step that leaves their state: a test does not send them for its last state.
    pub leaving: Vec<VarId>,
    /// The variables of states that the tester sees.
    pub outputs: Vec<VarId>,
    /// The defines that the tester sees. Their values are those in states.
    pub defines: Vec<DefineId>,
}

impl Observer {
    /// The tester of a model, by its interface.
    pub fn of(model: &Model) -> Observer {
        let leaving = model.timings().into_iter().filter(|(_, timing)| *timing == Timing::Leaving);
        let leaving = leaving.map(|(var, _)| var).collect();
        let mut observer = Observer { inputs: Vec::new(), leaving, outputs: Vec::new(), defines: Vec::new() };
        for (role, vars) in [(Role::Input, &mut observer.inputs), (Role::Output, &mut observer.outputs)] {
            for of in model.interface.with_role(role) {
                match of {
                    // Outputs belong to states.
                    Observable::Var(var) if role == Role::Output && model[var].kind == VarKind::Input => {}
                    Observable::Var(var) => vars.push(var),
                    Observable::Define(define) if role == Role::Output => observer.defines.push(define),
                    Observable::Define(_) => {}
                }
            }
        }
        observer
    }
}

/// How sure a test kills a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// In some runs.
    Possible,
    /// In every run.
    Certain,
}

/// A test that kills a mutant: an execution of the model. Its inputs are the test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kill {
    /// How sure it kills. A possible kill means that no certain one was found within the limits.
    pub certainty: Certainty,
    /// The execution. The outputs of the mutant in a killed run differ from it in the last state at the latest.
    pub trace: Trace,
}

/// An engine that compares mutants with its model.
pub trait CompareMachines {
    /// The test that kills a mutant: a certain one if there is one, as short as any, and the first in the declared order of
    /// inputs. Without one, [`Proof::Conforming`](crate::Proof) or [`Proof::Equivalent`](crate::Proof).
    fn compare(&mut self, observer: &Observer, mutant: &Changes, budget: &Budget) -> Answer<Kill>;

    /// A shortest execution to a state or step in which a condition holds, within the work that one comparison is worth.
    fn reach(&mut self, _condition: ExprId, _budget: &Budget) -> Answer<Trace> {
        Answer::Undecided(Reason::Unsupported)
    }

    /// A test that begins like this one up to a place, and shows that an implementation is in a candidate instead of the
    /// state there: by as few further steps as possible. If `choose`, the inputs of that state are chosen anew. Without such
    /// a test, both states have the same outputs ever after.
    fn tell_apart(
        &mut self,
        _observer: &Observer,
        _test: &Trace,
        _at: usize,
        _candidate: &State,
        _choose: bool,
        _budget: &Budget,
    ) -> Answer<Trace> {
        Answer::Undecided(Reason::Unsupported)
    }

    /// A test that shows a violation of a claim: at its first violation that outputs can tell from some candidate, or that
    /// has no candidate. Without one, outputs show the violation in no execution.
    fn show_violation(&mut self, _observer: &Observer, _claim: &Claim, _budget: &Budget) -> Answer<Trace> {
        Answer::Undecided(Reason::Unsupported)
    }
}

/// A claim about states: that they satisfy a condition, always or after certain states.
///
/// The *candidates* of a state that violates it are the states that differ from it in some internal variables only, and that
/// satisfy the claim: an implementation may be in one of them instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The condition on the state before, for claims about the states after a step.
    pub before: Option<ExprId>,
    /// Whether it is about the states after a step.
    pub is_step: bool,
    /// The condition that is to hold.
    pub expr: ExprId,
    /// The internal variables in which candidates may differ.
    pub internal: Vec<VarId>,
}

impl Claim {
    /// The values of the internal variables with which a state would satisfy the claim; nothing if more than `most` would have
    /// to be tried.
    pub fn candidates(&self, model: &TransitionSystem, state: &State, most: u128) -> Option<Vec<Vec<(VarId, Value)>>> {
        let mut sizes = self.internal.iter().map(|var| model[*var].domain.size());
        let n = sizes.try_fold(1u128, |n, size| n.checked_mul(size?))?;
        if n > most {
            return None;
        }
        let mut candidates: Vec<Vec<(VarId, Value)>> = vec![Vec::new()];
        for var in &self.internal {
            let more = |values: &Vec<(VarId, Value)>| -> Vec<Vec<(VarId, Value)>> {
                let domain = model[*var].domain.values();
                domain.map(|value| values.iter().copied().chain([(*var, value)]).collect()).collect()
            };
            candidates = candidates.iter().flat_map(more).collect();
        }
        candidates.retain(|values| eval_bool(model, self.expr, &with_values(state, values), None) == Ok(true));
        Some(candidates)
    }
}

/// A state with other values of some variables.
pub fn with_values(state: &State, values: &[(VarId, Value)]) -> State {
    let mut state = state.clone();
    for (var, value) in values {
        state.set(*var, *value);
    }
    state
}

/// The mutant as a model of its own.
pub fn apply(model: &TransitionSystem, changes: &Changes) -> TransitionSystem {
    let mut mutant = model.clone();
    for (place, expr) in changes {
        if *place == Place::Trans(mutant.trans.len()) {
            mutant.trans.push(SourcedExpr { expr: *expr, spans: [Span::NONE].into() });
            continue;
        }
        let sourced = match *place {
            Place::Define(define) => &mut mutant.defines[define.0 as usize].body,
            Place::Assign(index) => &mut mutant.assigns[index].value,
            Place::Init(index) => &mut mutant.init[index],
            Place::Invar(index) => &mut mutant.invar[index],
            Place::Trans(index) => &mut mutant.trans[index],
            Place::Fairness(index) => {
                let compassion = mutant.compassion.iter_mut().flat_map(|(cause, effect)| [cause, effect]);
                let Some(written) = mutant.justice.iter_mut().chain(compassion).nth(index) else { continue };
                written
            }
        };
        sourced.expr = *expr;
    }
    mutant
}
