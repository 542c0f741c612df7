//! Proposal of an initial focus: around the initial values, up to the constants that a variable is compared with.

use super::keep::Keep;
use super::quantize::compared_constants;
use crate::policy::{FOCUS_DISTANCE, MANY_VALUES};
use specwright_model::interp::eval_set;
use specwright_model::model::AssignKind;
use specwright_model::{Domain, Model, State, Value, VarId};

/// The proposed focus for each variable with very many values, except for those that the user chose.
pub fn propose(model: &Model, chosen: &[Keep]) -> Vec<Keep> {
    let is_large = |domain: &Domain| {
        let number = matches!(domain, Domain::Integer | Domain::Range(..));
        number && domain.size().is_none_or(|size| size > MANY_VALUES)
    };
    let vars = model.vars().filter(|(var, _)| !chosen.iter().any(|keep| keep.var == *var));
    vars.filter(|(_, var)| is_large(&var.domain)).map(|(var, _)| start(model, var)).collect()
}

fn start(model: &Model, var: VarId) -> Keep {
    let nowhere = State::empty(model.vars.len());
    let init = model.assign(AssignKind::Init, var).or_else(|| model.assign(AssignKind::Always, var));
    let set = init.and_then(|assign| eval_set(model, assign.value.expr, &nowhere, None).ok());
    let mut numbers: Vec<i64> =
        set.into_iter().flat_map(|set| set.iter().take(16).collect::<Vec<_>>()).filter_map(int).collect();
    if numbers.is_empty() {
        numbers.push(match model[var].domain {
            Domain::Range(low, _) => low,
            _ => 0,
        });
    }
    let first = numbers[0];
    let constants = compared_constants(model, var);
    numbers.extend(constants.into_iter().filter(|number| number.abs_diff(first) <= FOCUS_DISTANCE));
    let (low, high) = numbers.iter().fold((first, first), |(low, high), number| (low.min(*number), high.max(*number)));
    clipped(model, var, low, high)
}

/// A focus extended by `by` values on both sides.
pub fn widen(model: &Model, keep: &Keep, by: i64) -> Keep {
    match keep.values {
        Domain::Range(low, high) => clipped(model, keep.var, low.saturating_sub(by), high.saturating_add(by)),
        _ => keep.clone(),
    }
}

fn clipped(model: &Model, var: VarId, low: i64, high: i64) -> Keep {
    let values = match model[var].domain {
        Domain::Range(first, last) => Domain::Range(low.max(first), high.min(last)),
        _ => Domain::Range(low, high),
    };
    Keep { var, values }
}

fn int(value: Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(number),
        _ => None,
    }
}
