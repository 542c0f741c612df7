//! Quantizing: of an input that is only compared with constants, a few values are as good as all of them.
//!
//! The constants and their neighbours cut the values into regions, within which nothing can tell one value from another
//! but that the input has changed. So the two ends of every region stand for all of it, and no test is lost.
//!
//! Where it is limited by how much the input may change in a step, the values around the constants are kept as they are,
//! and two *stand-ins* are any value of a gap between them; a step from or to a stand-in is one that some value of the
//! gap could take. So whatever the whole model does, the quantized one does as well, and what it cannot do is impossible.
//! What it does is stretched: an execution waits in a gap until the input has come through ([`stretch`](super::stretch)).

use super::keep::Keep;
use super::uses::{Uses, constant, uses};
use specwright_model::model::{AssignKind, Var};
use specwright_model::{Domain, ExprId, Model, SourcedExpr, State, Value, VarId};
use std::collections::BTreeSet;

/// An input with fewer values than this stays as it is.
const FEW: u128 = 64;

/// A gap with fewer values than this is none.
const NARROW: i128 = 5;

/// Stands for no end, above and (negative) below. Differences of 64-bit numbers are far from it, and two of it add up
/// without overflow.
pub(super) const ENDLESS: i128 = 1 << 100;

/// A model in which few values of some inputs stand for all.
#[derive(Clone, Debug)]
pub struct Quantized {
    /// These inputs.
    pub inputs: Vec<Quantity>,
    /// What the other model, whole or quantized, says of steps.
    trans: Vec<SourcedExpr>,
    /// The domains of the inputs in the other model.
    domains: Vec<Domain>,
}

/// An input of which few values stand for all.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// The input.
    pub var: VarId,
    /// The values that stand for all.
    pub values: Domain,
    /// Between them, those that they stand for.
    pub(super) gaps: Vec<Gap>,
    /// What its change is compared with, from the largest fall to the largest rise; nothing if it may change by anything.
    pub(super) changes: Vec<i64>,
    /// The largest change that there could be; [`ENDLESS`] for a variable without bounds.
    pub(super) span: i128,
}

/// Values that nothing tells from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    /// The least of them; `-ENDLESS` if there is none.
    pub(super) first: i128,
    /// The greatest of them; `ENDLESS` if there is none.
    pub(super) last: i128,
    /// Two of them: the ends that there are, or the value next to the only one.
    pub(super) stand_ins: [i64; 2],
}

impl Gap {
    /// The values from the first to the last; nothing if there are none, or if 64 bits are too few for the stand-ins.
    fn new(first: i128, last: i128) -> Option<Gap> {
        let low = if first == -ENDLESS { last - 1 } else { first };
        let high = if last == ENDLESS { first + 1 } else { last };
        let stand_ins = [i64::try_from(low).ok()?, i64::try_from(high).ok()?];
        (first <= last).then_some(Gap { first, last, stand_ins })
    }

    /// Whether a value is one of them.
    pub(super) fn contains(&self, value: i64) -> bool {
        (self.first..=self.last).contains(&i128::from(value))
    }

    fn is_endless(&self) -> bool {
        self.first == -ENDLESS || self.last == ENDLESS
    }
}

impl Quantity {
    /// Whether it is limited by how much the input may change in a step.
    pub fn is_limited(&self) -> bool {
        !self.changes.is_empty()
    }

    /// The gap that a value is in, if it is limited how the input changes.
    pub(super) fn gap(&self, value: i64) -> Option<Gap> {
        let gap = |gap: &&Gap| self.is_limited() && gap.contains(value);
        self.gaps.iter().find(gap).copied()
    }
}

impl Quantized {
    /// The inputs that can be quantized, if there are any but these.
    pub fn new(model: &Model, others: &[VarId]) -> Option<Quantized> {
        let candidates = candidates(model).filter(|(var, _)| !others.contains(var));
        let inputs: Vec<Quantity> = candidates.filter_map(|(var, _)| quantity(model, var, &[])).collect();
        Quantized::with(model, inputs)
    }

    /// A model in which few values of these inputs stand for all.
    pub(super) fn with(model: &Model, inputs: Vec<Quantity>) -> Option<Quantized> {
        let domains = inputs.iter().map(|input| input.values.clone()).collect();
        (!inputs.is_empty()).then(|| Quantized { inputs, trans: model.trans.clone(), domains })
    }

    /// Gives the inputs of the whole model the values that stand for all.
    pub fn enter(&mut self, model: &mut Model) {
        self.trans = self.limited_steps(model);
        self.exchange(model);
    }

    /// Exchanges what is different in the quantized and the whole model.
    pub fn exchange(&mut self, model: &mut Model) {
        self.exchange_domains(model);
        self.exchange_steps(model);
    }

    /// Exchanges the domains of the inputs.
    pub fn exchange_domains(&mut self, model: &mut Model) {
        for (input, domain) in self.inputs.iter().zip(&mut self.domains) {
            std::mem::swap(&mut model.vars[input.var.0 as usize].domain, domain);
        }
    }

    /// Exchanges what is said of steps.
    pub fn exchange_steps(&mut self, model: &mut Model) {
        std::mem::swap(&mut model.trans, &mut self.trans);
    }

    /// Whether it is limited by how much some input may change in a step.
    pub fn is_limited(&self) -> bool {
        self.inputs.iter().any(Quantity::is_limited)
    }

    /// Whether expressions see no difference between a value and what stands for it.
    pub fn understands(&self, model: &Model, exprs: &[ExprId]) -> bool {
        self.inputs.iter().all(|input| {
            let Uses { thresholds, changes, obstacle } = uses(model, input.var, exprs.iter().copied());
            let seen = |at: i64| input.gaps.iter().any(|gap| gap.contains(at));
            obstacle.is_none() && changes.is_empty() && !thresholds.into_iter().any(seen)
        })
    }
}

/// For each input with many values that cannot be quantized what is done with it that keeps it from that.
pub fn unquantizable(model: &Model) -> Vec<(VarId, ExprId)> {
    candidates(model).filter_map(|(var, _)| limits(model, var).err().flatten().map(|expr| (var, expr))).collect()
}

/// The variables with many values that nothing but the environment drives.
fn candidates(model: &Model) -> impl Iterator<Item = (VarId, &Var)> {
    model.vars().filter(|(var, declared)| {
        let driven = [AssignKind::Next, AssignKind::Always].iter().any(|kind| model.assign(*kind, *var).is_some());
        let many = matches!(declared.domain, Domain::Range(..)) && declared.domain.size().is_some_and(|n| n >= FEW);
        many && !driven
    })
}

/// Everything that a model says, but of steps, as expressions.
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

/// The values to keep as they are, if nothing but comparisons is done with an input; else what is.
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
        const MOST: u128 = 16;
        let set = specwright_model::interp::eval_set(model, init.value.expr, &nowhere, None).map_err(|_| None)?;
        if set.len() > MOST {
            return Err(None);
        }
        points.extend(set.iter().filter_map(|value| match value {
            Value::Int(number) => Some(number),
            _ => None,
        }));
    }
    Ok((points, steps.changes))
}

/// The values of a variable that stand for all, where these expressions look at it as well. Nothing if there are none, or
/// if 64 bits are too few for them.
pub(super) fn quantity(model: &Model, var: VarId, exprs: &[ExprId]) -> Option<Quantity> {
    let (first, last) = match model[var].domain {
        Domain::Range(first, last) => (i128::from(first), i128::from(last)),
        Domain::Integer => (-ENDLESS, ENDLESS),
        _ => return None,
    };
    let (mut points, changes) = limits(model, var).ok()?;
    points.extend(uses(model, var, exprs.iter().copied()).thresholds);
    let is_endless = first == -ENDLESS;
    if points.is_empty() && is_endless {
        points.insert(0);
    }
    // Mutants may be off by one, so neighbours are regions of their own.
    let around = points.iter().flat_map(|point| (-2..=2).map(|by| i128::from(*point) + by));
    let ends = around.chain([first, last]).filter(|end| (first..=last).contains(end));
    let mut values: BTreeSet<i128> = ends.filter(|end| end.abs() != ENDLESS).collect();
    let mut gaps: Vec<Gap> =
        values.iter().zip(values.iter().skip(1)).filter_map(|(low, high)| Gap::new(low + 1, high - 1)).collect();
    if is_endless {
        gaps.push(Gap::new(-ENDLESS, values.first()? - 1)?);
        gaps.push(Gap::new(values.last()? + 1, ENDLESS)?);
    }
    if !changes.is_empty() {
        let narrow = |gap: &Gap| gap.last - gap.first < NARROW;
        values.extend(gaps.iter().filter(|gap| narrow(gap)).flat_map(|gap| gap.first..=gap.last));
        gaps.retain(|gap| !narrow(gap));
    }
    if gaps.is_empty() {
        return None;
    }
    let stand_in = gaps.iter().filter(|gap| !changes.is_empty() || gap.is_endless()).flat_map(|gap| gap.stand_ins);
    values.extend(stand_in.map(i128::from));
    let values: Option<Vec<Value>> =
        values.into_iter().map(|value| Some(Value::Int(i64::try_from(value).ok()?))).collect();
    let values = Keep::of(model, var, values?).ok()?.values;
    Some(Quantity { var, values, gaps, changes: changes.into_iter().collect(), span: last - first })
}

/// The constants that a variable is compared with, and those that have names, which mutants may compare it with.
pub(super) fn compared_constants(model: &Model, var: VarId) -> Vec<i64> {
    let steps = model.trans.iter().map(|sourced| sourced.expr);
    let mut numbers = uses(model, var, roots(model).into_iter().chain(steps)).thresholds;
    if !numbers.is_empty() {
        numbers.extend(named_constants(model));
    }
    numbers.into_iter().collect()
}

fn named_constants(model: &Model) -> impl Iterator<Item = i64> {
    model.defines.iter().filter_map(|define| constant(model, define.body.expr))
}
