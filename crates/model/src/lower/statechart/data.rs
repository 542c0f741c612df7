//! The variables of the context: their types, and the values that they can have.

use super::Lowering;
use super::ecma::Js;
use super::intervals::intervals;
use super::layout::Delay;
use crate::expr::{ExprId, Node};
use crate::interface::Role;
use crate::interp::{Graph, Limits, support_of};
use crate::model::{Assign, AssignKind, VarId, VarKind};
use crate::value::{Domain, Value};
use indexmap::IndexSet;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::op::{BinaryOp, UnaryOp};
use specwright_syntax::statechart::ast::{ActionKind, Chart, Datum, Expr, ExprKind, Profile};
use specwright_syntax::statechart::codes;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Int,
    Text,
    /// Values of several types, lists and objects.
    Any,
    /// Its values cannot be read, or they are too many: it is not part of the model.
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
    /// The ranges that an exploration of all states, or the assignments alone, have found.
    pub(super) exact: std::collections::BTreeMap<usize, (i64, i64)>,
    /// The intervals by assignments alone, once they are needed.
    pub(super) intervals: Option<rustc_hash::FxHashMap<Arc<str>, (i64, i64)>>,
    /// Whether such an exploration was tried.
    pub(super) is_explored: bool,
    /// The variables without bounds.
    pub(super) unbounded: BTreeSet<usize>,
    /// How often a range has grown.
    pub(super) growth: Vec<usize>,
    /// The values of variables of several types.
    pub(super) values: Vec<BTreeSet<Js>>,
    /// The variables that have too many values.
    pub(super) opaque: BTreeSet<usize>,
    /// The values of each region in reachable states; nothing if all states are looked at.
    pub(super) reachable: Option<Vec<BTreeSet<Value>>>,
    /// Whether to look at all states, because the reachable ones were not found.
    pub(super) is_all: bool,
    /// The guards, by name or place, that read what is not part of the model. They are inputs wherever they stand.
    pub(super) unread: BTreeSet<Arc<str>>,
    /// The delayed events that actions send whose parts are computed.
    pub(super) sent: IndexSet<(Arc<str>, Delay)>,
}

/// Maximal number of values of a variable of several types.
const MAX_ANY: usize = 32;

/// Number of values by which a range may grow one after the other before it is extended to the next constant.
const SLOW_GROWTH: usize = 6;

/// Maximal number of states that are explored to find the values of a variable.
const MAX_EXPLORED: usize = 5000;

/// Maximal number of variables whose values are found in that way.
const MAX_EXPLORATIONS: usize = 8;

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

/// The variables that get values of any type: items of lists and ids of events.
fn assigned_any(chart: &Chart) -> Vec<&Arc<str>> {
    let mut found = Vec::new();
    for action in chart.actions() {
        match &action.kind {
            ActionKind::ForEach { item, index, .. } => {
                found.extend(std::iter::once(item).chain(index).map(|name| &name.text));
            }
            ActionKind::SendComputed(send) => found.extend(send.id_location.iter().map(|name| &name.text)),
            _ => {}
        }
    }
    found
}

/// The types of all variables.
pub(super) fn kinds(chart: &Chart) -> Vec<Kind> {
    let assigned = assignments(chart);
    let any = assigned_any(chart);
    let of_any = |datum: &Datum| any.contains(&&datum.name.text).then_some(Kind::Any);
    let mut kinds: Vec<Option<Kind>> = chart.data.iter().map(of_any).collect();
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
                    (Some(a), Some(b)) => Some(join(a, b)),
                };
            }
        }
        if kinds == before {
            return kinds.into_iter().map(|kind| kind.unwrap_or(Kind::Opaque)).collect();
        }
    }
}

/// The type of values of two types.
fn join(a: Kind, b: Kind) -> Kind {
    match (a, b) {
        (Kind::Opaque, _) | (_, Kind::Opaque) => Kind::Opaque,
        _ if a == b => a,
        _ => Kind::Any,
    }
}

/// The type of an expression, as far as it is known.
fn kind_of(chart: &Chart, kinds: &[Option<Kind>], expr: &Expr) -> Option<Kind> {
    let part = |expr: &Expr| kind_of(chart, kinds, expr);
    let both = |a: Option<Kind>, b: Option<Kind>, wanted: Kind, result: Kind| match (a, b) {
        (Some(a), Some(b)) if a == wanted && b == wanted => Some(result),
        (Some(Kind::Opaque), _) | (_, Some(Kind::Opaque)) => Some(Kind::Opaque),
        (None, _) | (_, None) => None,
        _ => Some(Kind::Any),
    };
    // What reads a variable that is not part of the model is none either.
    let of_parts = |kind: Kind| {
        let parts: Vec<Option<Kind>> = expr.parts().into_iter().map(part).collect();
        if parts.contains(&Some(Kind::Opaque)) { Some(Kind::Opaque) } else { Some(kind) }
    };
    match &expr.kind {
        ExprKind::Bool(_) | ExprKind::In(_) | ExprKind::Unknown(_) | ExprKind::Named(..) => Some(Kind::Bool),
        ExprKind::Not(_) | ExprKind::Loose(..) | ExprKind::Has(..) => of_parts(Kind::Bool),
        ExprKind::Typeof(_) => of_parts(Kind::Text),
        ExprKind::Event
        | ExprKind::Missing(_)
        | ExprKind::Array(_)
        | ExprKind::Object(_)
        | ExprKind::Member(..)
        | ExprKind::With(..)
        | ExprKind::Call(..) => of_parts(Kind::Any),
        ExprKind::Int(_) => Some(Kind::Int),
        ExprKind::Text(_) => Some(Kind::Text),
        ExprKind::Var(name) => {
            let at = chart.data.iter().position(|datum| datum.name.text == *name);
            at.map_or(Some(Kind::Opaque), |at| kinds[at])
        }
        ExprKind::Neg(inner) => both(part(inner), Some(Kind::Int), Kind::Int, Kind::Int),
        ExprKind::Binary(op, a, b) => match op {
            BinaryOp::And | BinaryOp::Or => both(part(a), part(b), Kind::Bool, Kind::Bool),
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                of_parts(Kind::Bool)
            }
            // The rest of a division by zero is no number.
            BinaryOp::Mod if !matches!(b.kind, ExprKind::Int(number) if number != 0) => of_parts(Kind::Any),
            _ => both(part(a), part(b), Kind::Int, Kind::Int),
        },
        ExprKind::Conditional(_, a, b) => match (part(a), part(b)) {
            (Some(a), Some(b)) => Some(join(a, b)),
            (None, kind) | (kind, None) => kind,
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
        if let ExprKind::Int(number) = &expr.kind {
            found.insert(*number);
        }
        for part in expr.parts() {
            collect(part, found);
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
        let mut kinds = kinds(chart);
        for at in &self.facts.opaque {
            kinds[*at] = Kind::Opaque;
        }
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
        self.facts.values.resize(chart.data.len(), BTreeSet::new());
        for (at, datum) in chart.data.iter().enumerate() {
            let kind = kinds[at];
            let domain = match kind {
                Kind::Opaque => None,
                Kind::Bool => Some(Domain::Bool),
                Kind::Any => Some(self.domain_of_any(at)),
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

    /// The domain of a variable of several types: the values that the passes before have found.
    fn domain_of_any(&mut self, at: usize) -> Domain {
        let mut found: Vec<Js> = self.facts.values[at].iter().cloned().collect();
        if found.is_empty() {
            found.push(Js::Undefined);
        }
        let mut values = Vec::new();
        for js in found {
            let constant = self.js_constant(&js);
            if let Node::Const(value) = self.model[constant] {
                values.push(value);
            }
        }
        Domain::Enum(values.into())
    }

    /// Adds the values that a step gives to variables of several types. Whether there were no new ones.
    fn values_hold(&mut self, next: &[Option<ExprId>]) -> bool {
        let mut hold = true;
        for (at, next) in next.iter().enumerate() {
            let (Kind::Any, Some(next)) = (self.data[at].kind, *next) else { continue };
            self.path = None;
            let cases = self.cases_of(next, Kind::Any).unwrap_or_default();
            let values: Vec<Js> = cases.into_iter().filter_map(|(case, _)| case.ok()).collect();
            let found = &mut self.facts.values[at];
            let n = found.len();
            found.extend(values.iter().cloned());
            // Tests of XState see truth values and texts as they are, so names must tell them apart.
            let is_strange =
                |js: &Js| matches!(js, Js::Bool(_)) || matches!(js, Js::Text(text) if js.to_string() != **text);
            let is_strange = self.chart.profile == Profile::XState && found.iter().any(is_strange);
            self.facts.growth[at] += usize::from(found.len() > n);
            if values.is_empty() || found.len() > MAX_ANY || self.facts.growth[at] > 2 * SLOW_GROWTH || is_strange {
                self.facts.opaque.insert(at);
                hold = false;
            }
            hold &= found.len() == n;
        }
        hold
    }

    /// Extends the ranges of numbers by the values that a step gives them. Whether all of them were large enough.
    pub(super) fn ranges_hold(&mut self, next: &[Option<ExprId>]) -> bool {
        let constants = constants(self.chart);
        let mut hold = self.values_hold(next);
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
            if self.facts.growth[at] > SLOW_GROWTH || !is_known {
                let intervals = self.facts.intervals.get_or_insert_with(|| intervals(self.chart));
                if let Some(&(low, high)) = intervals.get(&self.data[at].name)
                    && high - low <= MAX_RANGE
                {
                    self.facts.exact.insert(at, (low, high));
                    continue;
                }
            }
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

    /// Keeps values in their domains: all, or only those in ranges that are not found by the passes. Steps that would leave
    /// a declared range do not exist; other domains are never left from a reachable state, but they may be left from
    /// others, such as those in which a region is active without its parent.
    pub(super) fn keep_ranges(&mut self, all: bool, config: &mut super::config::Config) {
        for at in 0..self.data.len() {
            if !all && self.fixed_range(at).is_none() {
                continue;
            }
            let (Some(value), Some(old), Some(var)) = (config.data[at], self.now.data[at], self.data[at].var) else {
                continue;
            };
            let domain = self.model[var].domain.clone();
            let is_left = match self.prune.all_values(&self.model, value) {
                Some(values) => values.iter().any(|value| !domain.contains(*value)),
                None => self.fixed_range(at).is_some(),
            };
            if value == old || !is_left {
                continue;
            }
            let is_inside = match domain {
                Domain::Range(low, high) => {
                    let (low, high) = (self.int(low), self.int(high));
                    let above = self.binary(BinaryOp::Ge, value, low);
                    let below = self.binary(BinaryOp::Le, value, high);
                    self.and(above, below)
                }
                Domain::Enum(values) => {
                    let constants: Vec<ExprId> = values.iter().map(|value| self.node(Node::Const(*value))).collect();
                    let same: Vec<ExprId> =
                        constants.into_iter().map(|constant| self.binary(BinaryOp::Eq, value, constant)).collect();
                    self.any(&same)
                }
                _ => continue,
            };
            config.data[at] = Some(self.choose(is_inside, value, old));
            if self.chart.data[at].range.is_some() {
                self.constraints.push(is_inside);
            }
        }
    }

    /// The ranges of variables without bounds in all reachable states, if these are few.
    pub(super) fn explored_ranges(&self) -> Vec<(usize, (i64, i64))> {
        let few = self.facts.unbounded.iter().take(MAX_EXPLORATIONS);
        few.filter_map(|at| Some((*at, self.explored_range(*at)?))).collect()
    }

    /// The range of a variable in all reachable states. What cannot matter to it stands still.
    fn explored_range(&self, at: usize) -> Option<(i64, i64)> {
        let var = self.data[at].var?;
        let mut system = self.model.system.clone();
        let invar = std::mem::take(&mut system.invar);
        system.trans.extend(invar);
        // Whatever these depend on.
        let mut matters: BTreeSet<VarId> = [var].into();
        matters
            .extend(support_of(&system, system.trans.iter().chain(&system.init).map(|constraint| constraint.expr)).now);
        loop {
            let read = system.assigns.iter().filter(|assign| matters.contains(&assign.var));
            let read = support_of(&system, read.map(|assign| assign.value.expr).collect::<Vec<_>>()).now;
            let n = matters.len();
            matters.extend(read);
            if matters.len() == n {
                break;
            }
        }
        for other in self.model.inputs() {
            let declared = &mut system.vars[other.0 as usize];
            let is_start = declared.kind == VarKind::Frozen;
            if !is_start {
                declared.kind = VarKind::Input;
            }
            if declared.domain == Domain::Bool && !matters.contains(&other) {
                let other = system.make(Node::Var(other)).ok()?;
                let fixed = system.make(Node::Unary(UnaryOp::Not, other)).ok()?;
                let constraints = if is_start { &mut system.init } else { &mut system.trans };
                constraints.push(super::sourced(fixed, self.chart.data[at].name.span));
            }
        }
        for assign in 0..system.assigns.len() {
            let Assign { kind, var: other, .. } = system.assigns[assign];
            if kind == AssignKind::Next && !matters.contains(&other) {
                system.assigns[assign].value.expr = system.make(Node::Var(other)).ok()?;
            }
        }
        let graph = Graph::explore(&system, Limits { states: MAX_EXPLORED, work: 200_000 }).ok()?;
        let numbers = graph.states.iter().filter_map(|state| match state.get(var) {
            Some(Value::Int(number)) => Some(number),
            _ => None,
        });
        let (low, high) = numbers.fold((i64::MAX, i64::MIN), |(low, high), n| (low.min(n), high.max(n)));
        (low <= high).then_some((low, high))
    }

    /// Says which variables have no bounds, or too many values.
    pub(super) fn report_unbounded(&mut self) {
        for at in self.facts.opaque.clone() {
            let name = &self.chart.data[at].name;
            let message =
                format!("`{}` has too many values, or one that cannot be read: it is not part of the model", name.text);
            let note = "guards that read it become inputs that the tester controls";
            self.diagnostics.push(Diagnostic::warning(codes::UNREADABLE, name.span, message).note(note));
        }
        for at in self.facts.unbounded.clone() {
            let name = &self.chart.data[at].name;
            let message = format!("the values of `{}` are unbounded", name.text);
            let help = "bound them by a guard, or choose the values to keep with `--keep`";
            self.diagnostics.push(Diagnostic::warning(codes::UNBOUNDED, name.span, message).help(help));
        }
    }
}
