//! Lowering of events and event tables.

use super::exprs::{ExprContext, Time};
use super::tables::{Rule, join_words, on_one_line};
use super::{Built, Lowering};
use crate::model::{AssignKind, Table, VarId, When};
use crate::op::BinaryOp;
use crate::value::{Symbol, Value};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::scr::ast::{self, Content, Expr, ExprKind, TableKind};
use specwright_syntax::scr::codes;
use specwright_syntax::span::Span;

impl Lowering<'_> {
    /// An event; reports a condition in its place.
    pub(super) fn event_cell(&mut self, expr: &Expr, place: &ExprContext) -> Option<Built> {
        self.check_event(expr)?;
        self.condition(expr, place, Time::Now)
    }

    fn check_event(&mut self, expr: &Expr) -> Option<()> {
        match &*expr.kind {
            ExprKind::Event(..) | ExprKind::Bool(false) => Some(()),
            ExprKind::When(_, event, _) => self.check_event(event),
            ExprKind::Binary(BinaryOp::Or | BinaryOp::And, left, right) => {
                let (left, right) = (self.check_event(left), self.check_event(right));
                left.and(right)
            }
            ExprKind::Bool(true) => {
                let message = "`TRUE` is not an event: an event is a change, such as `@T(c)`";
                self.report(Diagnostic::error(codes::NOT_AN_EVENT, expr.span, message));
                None
            }
            _ => {
                let message = "this is a condition, but an event is needed";
                self.report(
                    Diagnostic::error(codes::NOT_AN_EVENT, expr.span, message)
                        .help("`@T(c)` is the event that `c` becomes true; conditions of an event follow after `WHEN`")
                        .help("`WHEN` takes `a AND b`; for `a OR b`, write `WHEN (a OR b)`"),
                );
                None
            }
        }
    }

    pub(super) fn event_table(&mut self, table: &ast::Table, var: VarId) {
        let Ok(class) = self.class_of(table) else { return };
        let values = self.values(table, var);
        let mut rules = Vec::new();
        let mut table_rows = vec![Self::cells(&table.head)];
        let (mut above, mut mentioned) = (None, Vec::new());
        for (number, row) in table.rows.iter().enumerate() {
            let Some(modes) = self.modes_of_row(table, row, class, &mut above) else { continue };
            mentioned.extend(modes.iter().map(|(mode, _)| *mode));
            let mut cells = Self::cells(&row.cells);
            for (column, cell) in row.cells.iter().enumerate().skip(1) {
                let Content::Expr(event) = &cell.content else { continue };
                let Some(guard) = self.event_in_modes(event, class, &modes) else { continue };
                if matches!(self.known_value(guard.expr), Some(Value::Bool(false))) {
                    continue;
                }
                let Some(value) = values[column].clone() else { continue };
                if let Some(changes) = self.becomes_value(var, value.expr) {
                    let fired = self.both(guard.expr, changes);
                    let shown = (self.model[var].name.clone(), self.shown(&value));
                    for (modes, case) in self.each_mode(&modes) {
                        for (event, by) in each_event(cell) {
                            let Some(guard) = self.event_in_modes(&event, class, &modes) else { continue };
                            let fired = self.both(guard.expr, changes);
                            let becomes = format!("row {}: `{}` becomes {}", number + 1, shown.0, shown.1);
                            let mark = ("true", join_words([&case, &by]));
                            let becomes = join_words([&becomes, &case, &by]);
                            self.mark(table, &mut cells[column], mark, &becomes, fired);
                        }
                        let here = class.and_then(|class| self.in_modes(class, &modes, Time::Now));
                        let quiet = self.opposite(guard.expr);
                        let quiet = here.map_or(quiet, |here| self.both(here.expr, quiet));
                        let rests = format!("row {}: the event of {} does not happen", number + 1, shown.1);
                        let rests = join_words([&rests, &case]);
                        self.mark(table, &mut cells[column], ("false", case), &rests, quiet);
                    }
                    let message = "this event never happens";
                    let diagnostic = Diagnostic::warning(codes::DEAD_ROW, cell.span, message);
                    self.expect(When::Sometimes, fired, diagnostic);
                }
                let modes: Vec<Symbol> = modes.iter().map(|(mode, _)| *mode).collect();
                let modes = if mentions_inmode(event) { Vec::new() } else { modes };
                let outside = self.expect_in_range(var, guard.expr, &value, cell.span);
                // Where the value is out of range only in states that cannot be reached, the variable keeps its value there.
                let guard = match outside.filter(|_| self.fills_gaps) {
                    Some(outside) => {
                        let inside = self.opposite(outside);
                        let guarded = self.both(guard.expr, inside);
                        Built::new(guarded, vec![guard.span(); self.tree_size(guarded)])
                    }
                    None => guard,
                };
                rules.push(Rule { guard, value, modes, span: cell.span });
            }
            table_rows.push(cells);
        }
        if let Some(class) = class {
            self.warn_of_unmentioned(table, class, &mentioned);
        }
        table_rows.push(Self::cells(&table.values));
        self.expect_disjoint(&rules, "these events");
        let default = self.var(var, Time::Now, Span::NONE);
        self.assign(AssignKind::Next, var, &rules, Some(default), table.span);
        let name = format!("{} {}", table.kind.name(), table.name.text);
        self.add_table(Table { name, rows: table_rows, span: table.span });
    }

    /// The values of the columns.
    pub(super) fn values(&mut self, table: &ast::Table, var: VarId) -> Vec<Option<Built>> {
        let place = match table.kind {
            TableKind::Event => ExprContext::new_value(),
            _ => ExprContext::condition(None),
        };
        let value = |cell: &ast::Cell| match &cell.content {
            Content::Expr(expr) => self.value(expr, var, &place, Time::Now),
            _ => None,
        };
        table.values.iter().map(value).collect()
    }

    /// An event of a row. It is restricted to the modes of the row, unless it is itself about entering or leaving them.
    fn event_in_modes(&mut self, event: &Expr, class: Option<VarId>, modes: &[(Symbol, Span)]) -> Option<Built> {
        let Some(class) = class else { return self.event_cell(event, &ExprContext::event(None)) };
        self.check_event(event)?;
        let (entering, others): (Vec<&Expr>, Vec<&Expr>) =
            alternatives(event).into_iter().partition(|part| mentions_inmode(part));
        let mut parts = Vec::new();
        for part in entering {
            for (mode, span) in modes {
                parts.push(self.event_cell(part, &ExprContext::event(Some((class, vec![(*mode, *span)]))))?);
            }
        }
        let mut in_mode = Vec::new();
        for part in others {
            in_mode.push(self.event_cell(part, &ExprContext::event(Some((class, modes.to_vec()))))?);
        }
        if let Some(events) = self.any(in_mode) {
            if matches!(self.known_value(events.expr), Some(Value::Bool(false))) {
                parts.push(events);
            } else {
                let here = self.in_modes(class, modes, Time::Now)?;
                parts.push(self.guard(here, &events, event.span));
            }
        }
        self.any(parts)
    }

    fn warn_of_unmentioned(&mut self, table: &ast::Table, class: VarId, mentioned: &[Symbol]) {
        let missing: Vec<Symbol> = self.modes(class).into_iter().filter(|mode| !mentioned.contains(mode)).collect();
        if missing.is_empty() {
            return;
        }
        let names: Vec<String> =
            missing.iter().map(|mode| format!("`{}`", self.model.context.symbols.name(*mode))).collect();
        let message = format!("no row for {}: `{}` never changes there", names.join(", "), table.name.text);
        self.report(
            Diagnostic::warning(codes::UNMENTIONED_MODE, table.name.span, message)
                .help("if this is intended, add a row of `-`"),
        );
    }
}

/// The disjuncts of an event.
fn alternatives(event: &Expr) -> Vec<&Expr> {
    match &*event.kind {
        ExprKind::Binary(BinaryOp::Or, left, right) => {
            let mut parts = alternatives(left);
            parts.extend(alternatives(right));
            parts
        }
        _ => vec![event],
    }
}

/// The disjuncts of the event of a cell, each with the suffix `by EVENT` if there are several: a cell with several
/// events abbreviates one row for each.
pub(super) fn each_event(cell: &ast::Cell) -> Vec<(Expr, String)> {
    let Content::Expr(event) = &cell.content else { return Vec::new() };
    let mut events = Vec::new();
    split(event, &mut events);
    events.retain(|event| !matches!(*event.kind, ExprKind::Bool(false)));
    if events.len() <= 1 {
        return vec![(event.clone(), String::new())];
    }
    let text = |span: Span| {
        let [from, to] = [span.start, span.end].map(|at| at.saturating_sub(cell.span.start) as usize);
        cell.text.get(from..to).map(on_one_line)
    };
    let by = |(number, event): (usize, Expr)| {
        let by = text(event.span).map_or_else(|| format!("by its event {}", number + 1), |text| format!("by {text}"));
        (event, by)
    };
    events.into_iter().enumerate().map(by).collect()
}

/// Splits an event into its disjuncts; a condition after `WHEN` is distributed over them.
fn split(event: &Expr, events: &mut Vec<Expr>) {
    match &*event.kind {
        ExprKind::Binary(BinaryOp::Or, left, right) => {
            split(left, events);
            split(right, events);
        }
        // An event of entering a mode is not split.
        ExprKind::When(timing, inner, condition) if !mentions_inmode(inner) => {
            let mut inners = Vec::new();
            split(inner, &mut inners);
            if inners.len() == 1 {
                events.push(event.clone());
                return;
            }
            for inner in inners {
                let span = inner.span;
                let kind = Box::new(ExprKind::When(*timing, inner, condition.clone()));
                events.push(Expr { kind, span });
            }
        }
        _ => events.push(event.clone()),
    }
}

/// Whether an event is about entering or leaving the modes of its row.
fn mentions_inmode(expr: &Expr) -> bool {
    match &*expr.kind {
        ExprKind::Inmode => true,
        ExprKind::Event(_, inner) | ExprKind::Prime(inner) | ExprKind::Unary(_, inner) => mentions_inmode(inner),
        // A condition on the mode before the step does not count.
        ExprKind::When(_, event, _) => mentions_inmode(event),
        ExprKind::Binary(_, left, right) => mentions_inmode(left) || mentions_inmode(right),
        _ => false,
    }
}
