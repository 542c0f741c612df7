//! The variables of the context: their types, and the values that they can have.

use super::Lowering;
use crate::expr::{ExprId, Node};
use crate::interface::Role;
use crate::interp::{Graph, Limits};
use crate::model::VarId;
use crate::value::{Domain, Value};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::op::BinaryOp;
use specwright_syntax::statechart::ast::{ActionKind, Chart, Expr, ExprKind, Profile};
use specwright_syntax::statechart::codes;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Int,
    Text,
    /// Its values cannot be read, or they are of several types: it is not part of the model.
    Opaque,
}

/// A variable of the context.
#[derive(Clone)]
pub(super) struct Variable {
    pub(super) name: Arc<str>,
    pub(super) kind: Kind,
    pub(super) var: Option<VarId>,
}

/// Facts about numbers that the passes find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// The range of each variable; nothing while it is not known.
    pub(super) ranges: Vec<Option<(i64, i64)>>,
    /// The ranges that an exploration of all states has found.
    pub(super) exact: std::collections::BTreeMap<usize, (i64, i64)>,
    /// Whether such an exploration was tried.
    pub(super) is_explored: bool,
    /// The variables without bounds.
    pub(super) unbounded: BTreeSet<usize>,
    /// How often a range has grown.
    growth: Vec<usize>,
}

/// Number of values by which a range may grow one after the other before it is extended to the next constant.
const SLOW_GROWTH: usize = 6;

/// Maximal number of states that are explored to find the values of a variable.
const MAX_EXPLORED: usize = 3000;

/// Maximal number of values of a variable; with more it has no bounds.
const MAX_RANGE: i64 = 256;

/// All assignments of a chart.
pub(super) fn assignments(chart: &Chart) -> Vec<(&Arc<str>, Option<&Expr>)> {
    let mut found = Vec::new();
    for action in chart.actions() {
        if let ActionKind::Assign(list) = &action.kind {
            found.extend(list.iter().map(|(name, value)| (&name.text, value.as_ref())));
        }
    }
    found
}

/// The types of all variables.
pub(super) fn kinds(chart: &Chart) -> Vec<Kind> {
    let assigned = assignments(chart);
    let mut kinds: Vec<Option<Kind>> = vec![None; chart.data.len()];
    // A value may depend on other variables, so this is repeated until nothing changes.
    loop {
        let before = kinds.clone();
        for (at, datum) in chart.data.iter().enumerate() {
            let values = std::iter::once(datum.initial.as_ref())
                .chain(assigned.iter().filter(|(name, _)| **name == datum.name.text).map(|(_, value)| *value));
            for value in values {
                let kind = value.map_or(Some(Kind::Opaque), |value| kind_of(chart, &kinds, value));
                kinds[at] = match (kinds[at], kind) {
                    (None, kind) | (kind, None) => kind,
                    (Some(a), Some(b)) if a == b => Some(a),
                    _ => Some(Kind::Opaque),
                };
            }
        }
        if kinds == before {
            return kinds.into_iter().map(|kind| kind.unwrap_or(Kind::Opaque)).collect();
        }
    }
}

/// The type of an expression, as far as it is known.
fn kind_of(chart: &Chart, kinds: &[Option<Kind>], expr: &Expr) -> Option<Kind> {
    let part = |expr: &Expr| kind_of(chart, kinds, expr);
    let both = |a: Option<Kind>, b: Option<Kind>, wanted: Kind, result: Kind| match (a, b) {
        (Some(a), Some(b)) if a == wanted && b == wanted => Some(result),
        (None, _) | (_, None) => None,
        _ => Some(Kind::Opaque),
    };
    match &expr.kind {
        ExprKind::Bool(_) | ExprKind::In(_) | ExprKind::Unknown(_) | ExprKind::Not(_) => Some(Kind::Bool),
        ExprKind::Int(_) => Some(Kind::Int),
        ExprKind::Text(_) => Some(Kind::Text),
        ExprKind::Var(name) => {
            let at = chart.data.iter().position(|datum| datum.name.text == *name);
            at.map_or(Some(Kind::Opaque), |at| kinds[at])
        }
        ExprKind::Neg(inner) => both(part(inner), Some(Kind::Int), Kind::Int, Kind::Int),
        ExprKind::Binary(op, a, b) => match op {
            BinaryOp::And | BinaryOp::Or => both(part(a), part(b), Kind::Bool, Kind::Bool),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => Some(Kind::Bool),
            _ => both(part(a), part(b), Kind::Int, Kind::Int),
        },
        ExprKind::Conditional(_, a, b) => match (part(a), part(b)) {
            (Some(a), Some(b)) if a == b => Some(a),
            (None, kind) | (kind, None) => kind,
            _ => Some(Kind::Opaque),
        },
    }
}

/// The texts that an expression can stand for.
fn texts_of(chart: &Chart, texts: &[BTreeSet<Arc<str>>], expr: &Expr) -> BTreeSet<Arc<str>> {
    match &expr.kind {
        ExprKind::Text(text) => [text.clone()].into(),
        ExprKind::Var(name) => {
            let at = chart.data.iter().position(|datum| datum.name.text == *name);
            at.map(|at| texts[at].clone()).unwrap_or_default()
        }
        ExprKind::Conditional(_, a, b) => &texts_of(chart, texts, a) | &texts_of(chart, texts, b),
        _ => BTreeSet::new(),
    }
}

/// All numbers in a chart, in ascending order.
pub(super) fn constants(chart: &Chart) -> Vec<i64> {
    fn collect(expr: &Expr, found: &mut BTreeSet<i64>) {
        match &expr.kind {
            ExprKind::Int(number) => {
                found.insert(*number);
            }
            ExprKind::Not(inner) | ExprKind::Neg(inner) => collect(inner, found),
            ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|part| collect(part, found)),
            ExprKind::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|part| collect(part, found)),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    chart.transitions.iter().filter_map(|transition| transition.guard.as_ref()).for_each(|g| collect(g, &mut found));
    assignments(chart).into_iter().filter_map(|(_, value)| value).for_each(|value| collect(value, &mut found));
    found.into_iter().collect()
}

impl Lowering<'_> {
    /// Makes the variables of the context.
    pub(super) fn make_data(&mut self) {
        let chart = self.chart;
        let kinds = kinds(chart);
        let assigned = assignments(chart);
        let mut texts: Vec<BTreeSet<Arc<str>>> = vec![BTreeSet::new(); chart.data.len()];
        loop {
            let before = texts.clone();
            for (at, datum) in chart.data.iter().enumerate() {
                let values = datum.initial.iter().chain(
                    assigned.iter().filter(|(name, _)| **name == datum.name.text).filter_map(|(_, value)| *value),
                );
                for value in values {
                    let more = texts_of(chart, &texts, value);
                    texts[at].extend(more);
                }
            }
            if texts == before {
                break;
            }
        }
        let prefix = match chart.profile {
            Profile::XState => "context",
            Profile::Scxml => "data",
        };
        self.facts.ranges.resize(chart.data.len(), None);
        self.facts.growth.resize(chart.data.len(), 0);
        for (at, datum) in chart.data.iter().enumerate() {
            let kind = kinds[at];
            let domain = match kind {
                Kind::Opaque => None,
                Kind::Bool => Some(Domain::Bool),
                Kind::Text => {
                    let names: Vec<String> = texts[at].iter().map(std::string::ToString::to_string).collect();
                    Some(self.symbols(&names).0)
                }
                Kind::Int => {
                    let first = match datum.initial.as_ref().map(|initial| &initial.kind) {
                        Some(ExprKind::Int(number)) => (*number, *number),
                        _ => (0, 0),
                    };
                    let exact = self.facts.exact.get(&at).copied();
                    let found = *self.facts.ranges[at].get_or_insert(first);
                    let range = datum.range.or(exact).unwrap_or(found);
                    if self.facts.unbounded.contains(&at) {
                        Some(Domain::Integer)
                    } else {
                        Some(Domain::Range(range.0, range.1))
                    }
                }
            };
            let name = format!("{prefix}.{}", datum.name.text);
            let var = domain.map(|domain| self.add_var(&name, domain, Role::Output, datum.name.span));
            self.data.push(Variable { name: datum.name.text.clone(), kind, var });
        }
    }

    /// Extends the ranges of numbers by the values that a step gives them. Whether all of them were large enough.
    pub(super) fn ranges_hold(&mut self, next: &[Option<ExprId>]) -> bool {
        let constants = constants(self.chart);
        let mut hold = true;
        for (at, next) in next.iter().enumerate() {
            let (Kind::Int, Some(next)) = (self.data[at].kind, *next) else { continue };
            if self.facts.unbounded.contains(&at) || self.fixed_range(at).is_some() {
                continue;
            }
            let Some((low, high)) = self.facts.ranges[at] else { continue };
            let values = self.prune.values(&self.model, next);
            let numbers = values.into_iter().flatten().map(|value| match value {
                Value::Int(number) => number,
                _ => 0,
            });
            let range = self.prune.values(&self.model, next).map(|_| ());
            let (mut new_low, mut new_high) =
                numbers.fold((low, high), |(a, b), number| (a.min(number), b.max(number)));
            let is_known = range.is_some() || matches!(self.model[next], Node::Const(_));
            if (new_low, new_high) == (low, high) && is_known {
                continue;
            }
            hold = false;
            self.facts.growth[at] += 1;
            if self.facts.growth[at] > SLOW_GROWTH {
                let beyond = |number: i64| constants.iter().copied().find(|constant| *constant >= number);
                let before = |number: i64| constants.iter().rev().copied().find(|constant| *constant <= number);
                match (new_high > high, new_low < low) {
                    (true, _) if beyond(new_high).is_none() && self.facts.growth[at] > 2 * SLOW_GROWTH => {
                        self.facts.unbounded.insert(at);
                    }
                    (_, true) if before(new_low).is_none() && self.facts.growth[at] > 2 * SLOW_GROWTH => {
                        self.facts.unbounded.insert(at);
                    }
                    _ => {
                        if new_high > high {
                            new_high = beyond(new_high).unwrap_or(new_high);
                        }
                        if new_low < low {
                            new_low = before(new_low).unwrap_or(new_low);
                        }
                    }
                }
            }
            if !is_known || new_high - new_low > MAX_RANGE {
                self.facts.unbounded.insert(at);
            }
            self.facts.ranges[at] = Some((new_low, new_high));
        }
        hold
    }

    /// The range of a variable that is not found by the passes: it is declared, or an exploration has found it.
    fn fixed_range(&self, at: usize) -> Option<(i64, i64)> {
        self.chart.data[at].range.or_else(|| self.facts.exact.get(&at).copied())
    }

    /// Keeps numbers in ranges that are not found by the passes. Steps that would leave a declared range do not exist; an
    /// explored one is never left from a reachable state.
    pub(super) fn keep_ranges(&mut self, config: &mut super::config::Config) {
        for at in 0..self.data.len() {
            let (Some((low, high)), Some(value)) = (self.fixed_range(at), config.data[at]) else { continue };
            let Some(old) = self.now.data[at].filter(|_| self.data[at].kind == Kind::Int) else { continue };
            let (low, high) = (self.int(low), self.int(high));
            let (above, below) = (self.binary(BinaryOp::Ge, value, low), self.binary(BinaryOp::Le, value, high));
            let is_inside = self.and(above, below);
            if value != old {
                config.data[at] = Some(self.choose(is_inside, value, old));
                if self.chart.data[at].range.is_some() {
                    self.constraints.push(is_inside);
                }
            }
        }
    }

    /// The ranges of variables without bounds in all reachable states, if these are few.
    pub(super) fn explored_ranges(&self) -> Option<Vec<(usize, (i64, i64))>> {
        let mut system = self.model.system.clone();
        for var in self.model.inputs() {
            system.vars[var.0 as usize].kind = crate::model::VarKind::Input;
        }
        let invar = std::mem::take(&mut system.invar);
        system.trans.extend(invar);
        let graph = Graph::explore(&system, Limits { states: MAX_EXPLORED, work: 200_000 }).ok()?;
        let mut ranges = Vec::new();
        for at in &self.facts.unbounded {
            let var = self.data[*at].var?;
            let numbers = graph.states.iter().filter_map(|state| match state.get(var) {
                Some(Value::Int(number)) => Some(number),
                _ => None,
            });
            let (low, high) = numbers.fold((i64::MAX, i64::MIN), |(low, high), n| (low.min(n), high.max(n)));
            if low > high {
                return None;
            }
            ranges.push((*at, (low, high)));
        }
        Some(ranges)
    }

    /// Says which variables have no bounds.
    pub(super) fn report_unbounded(&mut self) {
        for at in self.facts.unbounded.clone() {
            let name = &self.chart.data[at].name;
            let message = format!("the values of `{}` have no bounds", name.text);
            let help = "a guard can bound them, or `--keep` chooses the values that tests are about";
            self.diagnostics.push(Diagnostic::warning(codes::UNBOUNDED, name.span, message).help(help));
        }
    }
}
