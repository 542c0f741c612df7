//! `DUR(c)`: for how long a condition has held, as a timer that counts units of time.
//!
//! The clock is a monitored boolean that is true after the steps in which a unit of time has passed. A timer is compared
//! with constants only, so it stops one beyond the greatest of them.

use super::exprs::{ExprContext, Time};
use super::{Built, Entity, Lowering};
use crate::expr::{ExprId, Node};
use crate::interface::Role;
use crate::model::{Assign, AssignKind, Var, VarId, VarKind};
use crate::op::BinaryOp;
use crate::value::{Domain, Value};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::scr::ast::{Content, Expr, ExprKind};
use specwright_syntax::scr::codes;
use specwright_syntax::span::Span;

/// Maximal number of units that a timer counts.
const MAX_UNITS: i64 = 1_000_000;

/// The timers, by their conditions.
#[derive(Default)]
pub(super) struct Durations {
    timers: IndexMap<ExprId, VarId>,
    clock: Option<VarId>,
}

impl Durations {
    /// The condition that a timer measures.
    pub(super) fn condition_of(&self, timer: VarId) -> Option<ExprId> {
        self.timers.iter().find(|(_, known)| **known == timer).map(|(condition, _)| *condition)
    }
}

impl Lowering<'_> {
    /// Creates the timers of all comparisons with `DUR`.
    pub(super) fn timers(&mut self) {
        let mut found = Vec::new();
        let file = self.file;
        let cells = file.tables.iter().flat_map(|table| {
            let rows = table.rows.iter().flat_map(|row| &row.cells);
            table.head.iter().chain(rows).chain(&table.values)
        });
        let in_cells = cells.filter_map(|cell| match &cell.content {
            Content::Expr(expr) => Some(expr),
            _ => None,
        });
        let properties = file.properties.iter().map(|property| &property.formula);
        for expr in in_cells.chain(&file.assumptions).chain(&file.initially).chain(properties) {
            comparisons(expr, &mut found);
        }
        let mut units: IndexMap<ExprId, (Built, i64)> = IndexMap::new();
        for (condition, bound) in found {
            if file.clock.is_none() {
                let message = "`DUR` needs a unit of time";
                let help = "declare one, such as `clock Second`: a step in which it passes makes `Second` true";
                self.report(Diagnostic::error(codes::BAD_DURATION, condition.span, message).help(help));
                return;
            }
            let Some(built) = self.condition(condition, &ExprContext::property(), Time::Now) else { continue };
            let Some(bound) = self.units(bound) else { continue };
            let most = &mut units.entry(built.expr).or_insert((built, 0)).1;
            *most = bound.max(*most);
        }
        for (condition, (built, most)) in units {
            let timer = self.add_timer(&built, most + 1);
            self.durations.timers.insert(condition, timer);
        }
    }

    /// The constant that a duration is compared with.
    fn units(&mut self, bound: &Expr) -> Option<i64> {
        let built = self.expr(bound, &ExprContext::constant(), Time::Now)?;
        match self.known_value(built.expr).filter(|_| built.denominator.is_none()) {
            Some(Value::Int(units)) if (0..=MAX_UNITS).contains(&units) => Some(units),
            _ => {
                let message = format!("a duration is compared with a number of units from 0 to {MAX_UNITS}");
                self.report(Diagnostic::error(codes::BAD_DURATION, bound.span, message));
                None
            }
        }
    }

    /// A timer that counts the units during which a condition holds, up to a bound.
    fn add_timer(&mut self, condition: &Built, most: i64) -> VarId {
        let mut number = self.durations.timers.len() + 1;
        while self.names.contains_key(format!("DUR_{number}").as_str()) {
            number += 1;
        }
        let timer = VarId(self.model.vars.len() as u32);
        let (name, domain, span) = (format!("DUR_{number}"), Domain::Range(0, most), condition.span());
        self.model.vars.push(Var { name, domain, kind: VarKind::State, span });
        self.model.set_role(timer, Role::Internal);
        let zero = self.constant(Value::Int(0), Span::NONE);
        self.model.assigns.push(Assign { kind: AssignKind::Init, var: timer, value: zero.clone().sourced(), span });
        let clock = self.file.clock.as_ref().and_then(|clock| match self.names.get(clock.text.as_str()) {
            Some((Entity::Var(clock), _)) => Some(*clock),
            _ => None,
        });
        // A clock with an error was reported.
        let Some(clock) = clock else { return timer };
        let later = self.after_step(condition.expr);
        let holds = self.both(condition.expr, later);
        let value = self.count_units(timer, clock, holds);
        let needs = super::exprs::vars_of(&self.model, &value, Time::Next);
        self.needs.push((timer, needs.into_iter().map(|(var, _)| (var, span)).collect()));
        self.model.assigns.push(Assign { kind: AssignKind::Next, var: timer, value: value.sourced(), span });
        self.durations.clock = Some(clock);
        timer
    }

    /// The new value of a timer that counts a unit if a condition holds in the step in which it passes.
    fn count_units(&mut self, timer: VarId, clock: VarId, holds: ExprId) -> Built {
        let Domain::Range(_, most) = self.model[timer].domain else { unreachable!("timers have ranges") };
        let now = self.plain(Node::Var(timer));
        let tick = self.var(clock, Time::Next, Span::NONE).expr;
        let [zero, one, most] = [0, 1, most].map(|number| self.plain(Node::Const(Value::Int(number))));
        let runs = self.plain(Node::Binary(BinaryOp::Lt, now, most));
        let counts = self.both(tick, runs);
        let counts = self.both(holds, counts);
        let more = self.plain(Node::Binary(BinaryOp::Add, now, one));
        let truth = self.plain(Node::Const(Value::Bool(true)));
        let value = self.plain(Node::Case([(counts, more), (holds, now), (truth, zero)].into()));
        Built::new(value, vec![Span::NONE])
    }

    /// Timers whose conditions depend on themselves, such as the time in a mode that ends by its duration: they measure for
    /// how long the condition has held before the step.
    pub(super) fn settle_timers(&mut self) {
        let Some(clock) = self.durations.clock else { return };
        let timers: Vec<(ExprId, VarId)> = self.durations.timers.iter().map(|(expr, timer)| (*expr, *timer)).collect();
        for (condition, timer) in timers {
            if !self.needs_itself(timer) {
                continue;
            }
            let value = self.count_units(timer, clock, condition).sourced();
            let own = self.model.assigns.iter_mut().find(|own| own.var == timer && own.kind == AssignKind::Next);
            if let Some(own) = own {
                own.value = value;
            }
            for (_, needed) in self.needs.iter_mut().filter(|(var, _)| *var == timer) {
                needed.retain(|(var, _)| *var == clock);
            }
        }
    }

    /// Whether the new value of a variable depends on itself.
    fn needs_itself(&self, start: VarId) -> bool {
        let mut open = vec![start];
        let mut seen = FxHashSet::default();
        while let Some(var) = open.pop() {
            for (_, needed) in self.needs.iter().filter(|(other, _)| *other == var) {
                for (needed, _) in needed {
                    if *needed == start {
                        return true;
                    }
                    if seen.insert(*needed) {
                        open.push(*needed);
                    }
                }
            }
        }
        false
    }

    /// An expression about the state after the step instead of the one before it.
    fn after_step(&mut self, expr: ExprId) -> ExprId {
        let mut made = rustc_hash::FxHashMap::default();
        for part in self.model.context.exprs.parts([expr]) {
            let new = match self.model[part].clone() {
                Node::Var(_) => self.plain(Node::Next(part)),
                node => self.plain(node.map_children(|child| made[&child])),
            };
            made.insert(part, new);
        }
        made[&expr]
    }

    /// A comparison of a duration with a constant, if this is one.
    pub(super) fn duration(
        &mut self,
        (left, right): (&Expr, &Expr),
        place: &ExprContext,
        time: Time,
    ) -> Option<[Option<Built>; 2]> {
        let is_left = matches!(&*left.kind, ExprKind::Duration(_));
        let (duration, bound) = if is_left { (left, right) } else { (right, left) };
        let ExprKind::Duration(condition) = &*duration.kind else { return None };
        let timer = self.timer(condition, duration.span, time);
        let bound = self.expr(bound, place, time);
        Some(if is_left { [timer, bound] } else { [bound, timer] })
    }

    fn timer(&mut self, condition: &Expr, span: Span, time: Time) -> Option<Built> {
        let condition = self.condition(condition, &ExprContext::property(), Time::Now)?;
        // Without a timer, the reason was reported.
        let timer = self.durations.timers.get(&condition.expr).copied()?;
        Some(self.var(timer, time, span))
    }

    /// Reports a duration that is not compared with a constant.
    pub(super) fn misplaced_duration(&mut self, span: Span) -> Option<Built> {
        let message = "a duration can only be compared with a constant";
        self.report(Diagnostic::error(codes::BAD_DURATION, span, message).help("such as `DUR(c) > 5`"));
        None
    }
}

/// The conditions of the durations in an expression that are compared with something, and what that is.
fn comparisons<'e>(expr: &'e Expr, found: &mut Vec<(&'e Expr, &'e Expr)>) {
    if let ExprKind::Binary(op, left, right) = &*expr.kind
        && op.is_relational()
    {
        for (duration, bound) in [(left, right), (right, left)] {
            if let ExprKind::Duration(condition) = &*duration.kind {
                found.push((condition, bound));
            }
        }
    }
    for part in super::properties::parts(expr) {
        comparisons(part, found);
    }
}
