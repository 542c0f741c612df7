//! Cases of an expression: combinations of values of its variables that cover all its behaviour.
//!
//! For a number that is only compared with constants, one value on each side of each constant is enough.

use super::eval::eval;
use crate::expr::{ExprId, Node};
use crate::model::{TransitionSystem, VarId};
use crate::state::State;
use crate::ty::Ty;
use crate::value::{Domain, Value};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// A variable in the current or in the next state.
type TimedVar = (VarId, bool);

/// The cases of an expression.
#[derive(Clone, Debug)]
pub struct Cases {
    uses: BTreeMap<TimedVar, Use>,
    /// Their number, saturated at `u128::MAX`.
    n_cases: u128,
}

/// How an expression uses a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Use {
    /// It is only compared with these constants.
    Compared(Vec<i64>),
    /// Every value can make a difference.
    Any,
}

impl Cases {
    /// The cases of an expression.
    pub fn new(model: &TransitionSystem, expr: ExprId) -> Cases {
        let mut uses = BTreeMap::new();
        collect_uses(model, expr, false, &mut uses);
        Cases::of_uses(model, uses)
    }

    /// The cases of an expression in which another one is substituted somewhere, perhaps below `next`.
    #[must_use]
    pub fn with(&self, model: &TransitionSystem, expr: ExprId) -> Cases {
        let mut uses = self.uses.clone();
        // Without `next` in the expression, a substituted part without `next` needs no next state.
        let has_next = uses.keys().any(|(_, next)| *next);
        collect_uses(model, expr, false, &mut uses);
        if has_next && !model.mentions(expr, |node| matches!(node, Node::Next(_))) {
            collect_uses(model, expr, true, &mut uses);
        }
        Cases::of_uses(model, uses)
    }

    fn of_uses(model: &TransitionSystem, uses: BTreeMap<TimedVar, Use>) -> Cases {
        let sizes = uses.iter().map(|((var, _), used)| match (used, &model[*var].domain) {
            (Use::Compared(constants), domain) => representatives(domain, constants).len() as u128,
            (Use::Any, domain) => domain.size().unwrap_or(u128::MAX),
        });
        let n_cases = sizes.fold(1u128, u128::saturating_mul);
        Cases { uses, n_cases }
    }

    /// The number of cases.
    pub fn count(&self) -> u128 {
        self.n_cases
    }

    /// The values to try for each variable.
    fn places(&self, model: &TransitionSystem) -> impl Iterator<Item = (TimedVar, Vec<Value>)> {
        self.uses.iter().map(|(place, used)| match used {
            Use::Compared(constants) => (*place, representatives(&model[place.0].domain, constants)),
            Use::Any => (*place, model[place.0].domain.values().collect()),
        })
    }

    /// Whether a predicate holds in some case; a case is a state and the next state.
    pub fn any(&self, model: &TransitionSystem, mut holds: impl FnMut(&State, &State) -> bool) -> bool {
        let places: Vec<(TimedVar, Vec<Value>)> = self.places(model).collect();
        let empty = || State::empty(model.vars.len());
        let mut states = [empty(), empty()];
        let mut odometer = vec![0; places.len()];
        loop {
            for (((var, next), values), index) in places.iter().zip(&odometer) {
                states[usize::from(*next)].set(*var, values.get(*index).copied());
            }
            if holds(&states[0], &states[1]) {
                return true;
            }
            let mut wheels = odometer.iter_mut().zip(&places);
            let has_turned = wheels.any(|(index, (_, values))| {
                *index = (*index + 1) % values.len().max(1);
                *index > 0
            });
            if !has_turned {
                return false;
            }
        }
    }
}

/// Collects how an expression uses its variables.
fn collect_uses(model: &TransitionSystem, expr: ExprId, next: bool, uses: &mut BTreeMap<TimedVar, Use>) {
    let mut seen = FxHashSet::default();
    let mut stack = vec![(expr, next)];
    while let Some((expr, next)) = stack.pop() {
        if !seen.insert((expr, next)) {
            continue;
        }
        if let Some((place, constant)) = comparison(model, expr, next) {
            if let Use::Compared(constants) = uses.entry(place).or_insert_with(|| Use::Compared(Vec::new())) {
                constants.push(constant);
            }
            continue;
        }
        match &model[expr] {
            Node::Var(var) => {
                uses.insert((*var, next), Use::Any);
            }
            Node::Define(define) => stack.push((model.body(*define), next)),
            Node::Next(inner) => stack.push((*inner, true)),
            node => node.for_each_child(|child| stack.push((child, next))),
        }
    }
}

/// The variable and the constant of a comparison of these two.
fn comparison(model: &TransitionSystem, expr: ExprId, next: bool) -> Option<(TimedVar, i64)> {
    let &Node::Binary(op, left, right) = &model[expr] else { return None };
    let place = |side| match model[side] {
        Node::Var(var) => Some((var, next)),
        Node::Next(inner) => match model[inner] {
            Node::Var(var) => Some((var, true)),
            _ => None,
        },
        _ => None,
    };
    let is_number = |place: &TimedVar| matches!(model[place.0].domain, Domain::Range(..) | Domain::Integer);
    let sides = [(left, right), (right, left)].into_iter();
    let mut found = sides.filter_map(|(var, constant)| place(var).filter(is_number).zip(number(model, constant)));
    if op.is_relational() { found.next() } else { None }
}

/// The value of a constant integer expression.
fn number(model: &TransitionSystem, expr: ExprId) -> Option<i64> {
    match model[expr] {
        Node::Const(Value::Int(number)) => Some(number),
        // A define that has a value without any variable is constant.
        Node::Define(_) if *model.context.exprs.ty(expr) == Ty::INT => {
            match eval(model, expr, &State::empty(model.vars.len()), None) {
                Ok(Value::Int(number)) => Some(number),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A value of the domain on each side of each constant.
fn representatives(domain: &Domain, constants: &[i64]) -> Vec<Value> {
    let clamp = |number: i64| match domain {
        Domain::Range(low, high) => number.clamp(*low, *high),
        _ => number,
    };
    let sides =
        constants.iter().flat_map(|constant| [constant.saturating_sub(1), *constant, constant.saturating_add(1)]);
    let mut numbers: Vec<i64> = sides.map(clamp).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.into_iter().map(Value::Int).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_values_stand_for_all_where_only_constants_are_compared() {
        let text = "\
MODULE main
VAR n : 0..1000; m : 0..1000; b : boolean;
DEFINE Low := 7;
INVARSPEC n < Low & b & next(n) = 1000
INVARSPEC n < m
";
        let model = crate::testing::model(text);
        let cases = |index: usize| Cases::new(&model, model.properties[index].formula.expr);
        let found: Vec<_> = cases(0).places(&model).collect();
        let numbers = |numbers: &[i64]| numbers.iter().copied().map(Value::Int).collect::<Vec<_>>();
        let (n, b) = (model.var_named("n").unwrap(), model.var_named("b").unwrap());
        let expected = [
            ((n, false), numbers(&[6, 7, 8])),
            ((n, true), numbers(&[999, 1000])),
            ((b, false), [false, true].map(Value::Bool).to_vec()),
        ];
        assert_eq!(found, expected);
        assert_eq!((cases(0).count(), cases(1).count()), (12, 1001 * 1001));
        let mut n_seen = 0;
        assert!(!cases(0).any(&model, |_, _| {
            n_seen += 1;
            false
        }));
        assert_eq!(n_seen, 12);
    }
}
