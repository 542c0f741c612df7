//! Explicit model checking of properties.

use super::ctl::Ctl;
use super::error::EvalError;
use super::eval::eval_bool;
use super::graph::Graph;
use super::ltl::ltl_holds;
use super::search::SearchError;
use super::support::support;
use crate::expr::ExprId;
use crate::model::{Property, PropertyKind, TransitionSystem, VarKind};
use crate::op::Logic;
use crate::state::State;

/// The answer to a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It fails.
    Fails,
    /// The value of a `COMPUTE`.
    Length(Length),
}

/// The value of a `COMPUTE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// A finite number of steps.
    Steps(u64),
    /// Unbounded.
    Infinite,
    /// There is no path to measure.
    Undefined,
}

/// Why a property is undecided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// The formula is undefined, or a fairness constraint is undefined in a reachable state.
    Eval(EvalError),
    /// The model cannot be explored.
    Search(SearchError),
    /// A temporal operator in an expression where it is not allowed.
    Misplaced(ExprId),
    /// A limit of this algorithm was reached.
    Limit,
}

impl From<EvalError> for CheckError {
    fn from(error: EvalError) -> CheckError {
        CheckError::Eval(error)
    }
}

impl From<SearchError> for CheckError {
    fn from(error: SearchError) -> CheckError {
        CheckError::Search(error)
    }
}

impl CheckError {
    /// The message for users.
    pub fn describe(&self, model: &TransitionSystem) -> String {
        match self {
            CheckError::Eval(error) => error.describe(model),
            CheckError::Search(error) => error.describe(model),
            CheckError::Misplaced(_) => "a temporal operator has no meaning here".into(),
            CheckError::Limit => "the formula is too large to be checked state by state".into(),
        }
    }
}

/// Checks a property on the graph of its model.
pub fn check_property(graph: &Graph<'_>, property: &Property) -> Result<Verdict, CheckError> {
    let verdict = |holds| if holds { Verdict::Holds } else { Verdict::Fails };
    let formula = property.formula.expr;
    match (property.kind, &property.target) {
        (PropertyKind::Ctl | PropertyKind::Psl(Logic::Ctl), _) => Ok(verdict(Ctl::new(graph)?.holds(formula)?)),
        (PropertyKind::Ltl | PropertyKind::Psl(Logic::Ltl), _) => Ok(verdict(ltl_holds(graph, formula)?)),
        (PropertyKind::Invar, _) => Ok(verdict(failing_invariant(graph, formula)?.is_none())),
        (PropertyKind::ComputeMin, Some(target)) => Ok(Verdict::Length(shortest(graph, formula, target.expr)?)),
        (PropertyKind::ComputeMax, Some(target)) => Ok(Verdict::Length(longest(graph, formula, target.expr)?)),
        _ => Err(CheckError::Misplaced(formula)),
    }
}

/// The first reachable state that violates an invariant; if the invariant has `next` or inputs, the state and the edge.
///
/// Without them it is checked in all reachable states, including deadlocks and unfair states; with them on all
/// reachable steps.
pub fn failing_invariant(graph: &Graph<'_>, formula: ExprId) -> Result<Option<(usize, Option<usize>)>, CheckError> {
    let model = graph.system;
    let support = support(model, formula);
    let on_steps = !support.next.is_empty() || support.now.iter().any(|var| model[*var].kind == VarKind::Input);
    // Undefined is not false, but without a violation an invariant that is undefined somewhere is undecided.
    let mut undefined = None;
    let mut is_false = |now: &State, next: Option<&State>| match eval_bool(model, formula, now, next) {
        Err(error) if error.is_undefined() => {
            undefined.get_or_insert(error);
            Ok(false)
        }
        truth => truth.map(|truth| !truth),
    };
    for (from, state) in graph.states.iter().enumerate() {
        if !on_steps && is_false(state, None)? {
            return Ok(Some((from, None)));
        }
        for (index, edge) in graph.edges[from].iter().enumerate().filter(|_| on_steps) {
            if is_false(&graph.now(from, *edge), Some(&graph.states[edge.to]))? {
                return Ok(Some((from, Some(index))));
            }
        }
    }
    undefined.map_or(Ok(None), |error| Err(error.into()))
}

/// `COMPUTE MIN`: the length of a shortest path from a fair state in one set to a fair state in the other.
fn shortest(graph: &Graph<'_>, start: ExprId, target: ExprId) -> Result<Length, CheckError> {
    let mut ctl = Ctl::new(graph)?;
    let (start, target) = (ctl.states(start)?, ctl.states(target)?);
    let fair = ctl.fair_states();
    let mut reached: Vec<bool> = (0..graph.len()).map(|state| start[state] && fair[state]).collect();
    for steps in 0.. {
        if (0..graph.len()).any(|state| reached[state] && target[state]) {
            return Ok(Length::Steps(steps));
        }
        let mut more = reached.clone();
        for from in (0..graph.len()).filter(|from| reached[*from]) {
            graph.edges[from].iter().filter(|edge| fair[edge.to]).for_each(|edge| more[edge.to] = true);
        }
        if more == reached {
            break;
        }
        reached = more;
    }
    Ok(Length::Infinite)
}

/// `COMPUTE MAX`: the length of a longest path of fair states from one set that stays outside of the other. Justice is
/// not required along the path. Zero if there is no fair state, as in NuSMV.
fn longest(graph: &Graph<'_>, start: ExprId, target: ExprId) -> Result<Length, CheckError> {
    let mut ctl = Ctl::new(graph)?;
    let (start, target) = (ctl.states(start)?, ctl.states(target)?);
    let fair = ctl.fair_states();
    let none_fair = !fair.contains(&true);
    let is_empty = |set: &[bool]| !(0..graph.len()).any(|state| set[state] && (fair[state] || none_fair));
    if is_empty(&start) || is_empty(&target) {
        return Ok(Length::Undefined);
    }
    let outside: Vec<bool> = (0..graph.len()).map(|state| fair[state] && !target[state]).collect();
    let mut staying = outside.clone();
    for steps in 0.. {
        if !(0..graph.len()).any(|state| staying[state] && start[state]) {
            return Ok(Length::Steps(steps));
        }
        let goes_on = |from: usize| graph.edges[from].iter().any(|edge| staying[edge.to]);
        let longer: Vec<bool> = (0..graph.len()).map(|from| outside[from] && goes_on(from)).collect();
        if longer == staying {
            break;
        }
        staying = longer;
    }
    Ok(Length::Infinite)
}
