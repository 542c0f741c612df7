//! Quantization: a few values of an input that is only compared with constants represent all others.
//!
//! The constants and their neighbours divide the values into regions. Within a region, values are indistinguishable
//! except for the fact that the input changes. So the two ends of every region represent it, and no test is lost.
//!
//! If the change of the input in a step is limited, the values around the constants are kept, and two *representatives*
//! stand for the values of each gap between them; a step from or to a representative exists if some value of the gap
//! could take it. So the quantized model is an over-approximation: what it cannot do is impossible. Its executions are
//! concretized: an execution waits in a gap until the input has passed through it ([`lift`]).

mod lift;
mod steps;
mod uses;

use crate::focus::keep::Keep;
use crate::policy::{MANY_VALUES, MIN_GAP, THRESHOLD_INITIAL_VALUES};
use specwright_model::model::{AssignKind, Var};
use specwright_model::{Domain, ExprId, Model, State, TransitionSystem, Value, VarId};
use std::collections::BTreeSet;
use uses::{Uses, constant, uses};

/// Stands for an infinite bound, above and (negated) below. It is beyond all differences of 64-bit numbers, and adding
/// two of it does not overflow.
pub(super) const INFINITE: i128 = 1 << 100;

/// A model in which few values of some inputs represent all.
#[derive(Clone, Debug)]
pub struct Quantized {
    /// The quantized inputs.
    pub inputs: Vec<Quantity>,
    /// The whole system.
    pub whole: TransitionSystem,
    /// The same with few values of the inputs, and the steps between these.
    pub(super) system: TransitionSystem,
}

/// A quantized input.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// The input.
    pub var: VarId,
    /// The representatives and the kept values.
    pub values: Domain,
    /// The runs of values that are represented by others.
    pub(super) gaps: Vec<Gap>,
    /// The constants that its change is compared with, sorted; empty if its change is not limited.
    pub(super) changes: Vec<i64>,
    /// The largest possible change; [`INFINITE`] for an unbounded variable.
    pub(super) span: i128,
}

/// A run of indistinguishable values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    /// The least of them; `-INFINITE` if there is none.
    pub(super) first: i128,
    /// The greatest of them; `INFINITE` if there is none.
    pub(super) last: i128,
    /// Two representatives: the finite ends, or the only one and its neighbour.
    pub(super) representatives: [i64; 2],
}

impl Gap {
    /// The values from the first to the last; `None` if there are none, or if the representatives exceed 64 bits.
    fn new(first: i128, last: i128) -> Option<Gap> {
        let low = if first == -INFINITE { last - 1 } else { first };
        let high = if last == INFINITE { first + 1 } else { last };
        let representatives = [i64::try_from(low).ok()?, i64::try_from(high).ok()?];
        (first <= last).then_some(Gap { first, last, representatives })
    }

    /// Whether a value is in the gap.
    pub(super) fn contains(&self, value: i64) -> bool {
        (self.first..=self.last).contains(&i128::from(value))
    }

    fn is_infinite(&self) -> bool {
        self.first == -INFINITE || self.last == INFINITE
    }
}

impl Quantity {
    /// Whether the change of the input in a step is limited.
    pub fn is_limited(&self) -> bool {
        !self.changes.is_empty()
    }

    /// The gap that a value is in, if the change of the input is limited.
    pub(super) fn gap(&self, value: i64) -> Option<Gap> {
        let gap = |gap: &&Gap| self.is_limited() && gap.contains(value);
        self.gaps.iter().find(gap).copied()
    }
}

impl Quantized {
    /// Quantizes all inputs except for these; `None` if there are none to quantize.
    pub fn new(model: &Model, others: &[VarId]) -> Option<Quantized> {
        let candidates = candidates(model).filter(|(var, _)| !others.contains(var));
        let inputs: Vec<Quantity> = candidates.filter_map(|(var, _)| quantity(model, var, &[])).collect();
        Quantized::with(model, inputs)
    }

    /// A system with these quantized inputs.
    pub(super) fn with(whole: &TransitionSystem, inputs: Vec<Quantity>) -> Option<Quantized> {
        if inputs.is_empty() {
            return None;
        }
        let mut quantized = Quantized { inputs, whole: whole.clone(), system: whole.clone() };
        quantized.system.trans = quantized.limited_steps(whole);
        for input in &quantized.inputs {
            quantized.system.vars[input.var.0 as usize].domain = input.values.clone();
        }
        Some(quantized)
    }

    /// Whether the change of some input in a step is limited.
    pub fn is_limited(&self) -> bool {
        self.inputs.iter().any(Quantity::is_limited)
    }

    /// Whether expressions cannot distinguish a value from its representative.
    pub fn understands(&self, model: &TransitionSystem, exprs: &[ExprId]) -> bool {
        self.inputs.iter().all(|input| {
            let Uses { thresholds, changes, obstacle } = uses(model, input.var, exprs.iter().copied());
            let seen = |at: i64| input.gaps.iter().any(|gap| gap.contains(at));
            obstacle.is_none() && changes.is_empty() && !thresholds.into_iter().any(seen)
        })
    }
}

/// The inputs with many values that cannot be quantized, each with an expression that prevents it.
pub fn unquantizable(model: &Model) -> Vec<(VarId, ExprId)> {
    candidates(model).filter_map(|(var, _)| limits(model, var).err().flatten().map(|expr| (var, expr))).collect()
}

/// The variables with many values that only the environment changes.
fn candidates(model: &Model) -> impl Iterator<Item = (VarId, &Var)> {
    model.vars().filter(|(var, declared)| {
        let driven = [AssignKind::Next, AssignKind::Always].iter().any(|kind| model.assign(*kind, *var).is_some());
        let many =
            matches!(declared.domain, Domain::Range(..)) && declared.domain.size().is_some_and(|n| n >= MANY_VALUES);
        many && !driven
    })
}

/// All expressions of a model, except for constraints on steps.
fn roots(model: &Model) -> Vec<ExprId> {
    let sourced = model.assigns.iter().map(|assign| &assign.value);
    let sourced = sourced.chain(&model.init).chain(&model.invar).chain(&model.justice);
    let sourced = sourced.chain(model.compassion.iter().flat_map(|(p, q)| [p, q]));
    let sourced = sourced.chain(
        model
            .properties
            .iter()
            .flat_map(|property| [Some(&property.formula), property.target.as_ref()].into_iter().flatten()),
    );
    sourced.map(|sourced| sourced.expr).collect()
}

/// The constants that an input and its change are compared with; an error with the expression if it is used otherwise.
fn limits(model: &Model, var: VarId) -> Result<(BTreeSet<i64>, BTreeSet<i64>), Option<ExprId>> {
    let elsewhere = uses(model, var, roots(model));
    let steps = uses(model, var, model.trans.iter().map(|sourced| sourced.expr));
    if let Some(obstacle) = elsewhere.obstacle.or(steps.obstacle) {
        return Err(Some(obstacle));
    }
    if !elsewhere.changes.is_empty() {
        return Err(roots(model).into_iter().find(|root| !uses(model, var, [*root]).changes.is_empty()));
    }
    let mut points: BTreeSet<i64> = elsewhere.thresholds.union(&steps.thresholds).copied().collect();
    if !points.is_empty() {
        points.extend(named_constants(model));
    }
    let nowhere = State::empty(model.vars.len());
    if let Some(init) = model.assign(AssignKind::Init, var) {
        let set = specwright_model::interp::eval_set(model, init.value.expr, &nowhere, None).map_err(|_| None)?;
        if set.len() > THRESHOLD_INITIAL_VALUES {
            return Err(None);
        }
        points.extend(set.iter().filter_map(|value| match value {
            Value::Int(number) => Some(number),
            _ => None,
        }));
    }
    Ok((points, steps.changes))
}

/// The representatives of a variable that also these expressions may read. `None` if there are none, or if they exceed
/// 64 bits.
pub(super) fn quantity(model: &Model, var: VarId, exprs: &[ExprId]) -> Option<Quantity> {
    let (first, last) = match model[var].domain {
        Domain::Range(first, last) => (i128::from(first), i128::from(last)),
        Domain::Integer => (-INFINITE, INFINITE),
        _ => return None,
    };
    let (mut points, changes) = limits(model, var).ok()?;
    points.extend(uses(model, var, exprs.iter().copied()).thresholds);
    let is_infinite = first == -INFINITE;
    if points.is_empty() && is_infinite {
        points.insert(0);
    }
    // Mutants may be off by one, so neighbours are regions of their own.
    let around = points.iter().flat_map(|point| (-2..=2).map(|by| i128::from(*point) + by));
    let ends = around.chain([first, last]).filter(|end| (first..=last).contains(end));
    let mut values: BTreeSet<i128> = ends.filter(|end| end.abs() != INFINITE).collect();
    let mut gaps: Vec<Gap> =
        values.iter().zip(values.iter().skip(1)).filter_map(|(low, high)| Gap::new(low + 1, high - 1)).collect();
    if is_infinite {
        gaps.push(Gap::new(-INFINITE, values.first()? - 1)?);
        gaps.push(Gap::new(values.last()? + 1, INFINITE)?);
    }
    if !changes.is_empty() {
        let narrow = |gap: &Gap| gap.last - gap.first < MIN_GAP;
        values.extend(gaps.iter().filter(|gap| narrow(gap)).flat_map(|gap| gap.first..=gap.last));
        gaps.retain(|gap| !narrow(gap));
    }
    if gaps.is_empty() {
        return None;
    }
    let stand_in =
        gaps.iter().filter(|gap| !changes.is_empty() || gap.is_infinite()).flat_map(|gap| gap.representatives);
    values.extend(stand_in.map(i128::from));
    let values: Option<Vec<Value>> =
        values.into_iter().map(|value| Some(Value::Int(i64::try_from(value).ok()?))).collect();
    let values = Keep::of(model, var, values?).ok()?.values;
    Some(Quantity { var, values, gaps, changes: changes.into_iter().collect(), span: last - first })
}

/// The constants that a variable is compared with, and named constants, which mutants may compare it with.
pub(super) fn compared_constants(model: &Model, var: VarId) -> Vec<i64> {
    let steps = model.trans.iter().map(|sourced| sourced.expr);
    let mut numbers = uses(model, var, roots(model).into_iter().chain(steps)).thresholds;
    if !numbers.is_empty() {
        numbers.extend(named_constants(model));
    }
    numbers.into_iter().collect()
}

fn named_constants(model: &TransitionSystem) -> impl Iterator<Item = i64> {
    model.defines.iter().filter_map(|define| constant(model, define.body.expr))
}
