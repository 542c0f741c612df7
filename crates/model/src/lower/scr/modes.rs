//! Lowering of mode transition tables and matrices.

use super::events::each_event;
use super::exprs::{ExprContext, Time};
use super::tables::{Rule, join_words};
use super::{Built, Lowering};
use crate::expr::{ExprId, Node};
use crate::model::{AssignKind, Table, VarId, When};
use crate::op::BinaryOp;
use crate::value::{Symbol, Value};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::scr::ast::{self, Content, Sign, TypeKind};
use specwright_syntax::scr::codes;
use specwright_syntax::span::Span;

impl Lowering<'_> {
    pub(super) fn mode_table(&mut self, table: &ast::Table, class: VarId) {
        let mut above = None;
        let mut rows = Vec::new();
        for row in &table.rows {
            if row.cells.len() != 3 {
                continue;
            }
            let modes = self.row_modes(&row.cells[0], class, &mut above);
            let event = match &row.cells[1].content {
                Content::Expr(event) => self.event_cell(event, &ExprContext::event(None)),
                _ => None,
            };
            let target = self.target(&row.cells[2], class);
            if let (Some(modes), Some(event), Some(target)) = (modes, event, target) {
                let events = each_event(&row.cells[1]).into_iter();
                let events =
                    events.filter_map(|(event, by)| Some((self.event_cell(&event, &ExprContext::event(None))?, by)));
                let events = events.collect();
                rows.push(Transition { row, at: 1, modes, event, events, target });
            }
        }
        self.transitions(table, class, rows);
    }

    pub(super) fn matrix(&mut self, table: &ast::Table, class: VarId) {
        let last = table.head.len() - 1;
        let mut conditions = vec![None];
        for cell in &table.head[1..last] {
            let Content::Expr(expr) = &cell.content else {
                conditions.push(None);
                continue;
            };
            let before = self.condition(expr, &ExprContext::heading(), Time::Now);
            // Its errors have been reported.
            let after = before.as_ref().and_then(|_| self.condition(expr, &ExprContext::heading(), Time::Next));
            conditions.push(before.zip(after));
        }
        let mut above = None;
        let mut rows = Vec::new();
        for row in &table.rows {
            if row.cells.len() != table.head.len() {
                continue;
            }
            let modes = self.row_modes(&row.cells[0], class, &mut above);
            let target = self.target(&row.cells[last], class);
            let event = self.matrix_event(row, &conditions);
            if let (Some(modes), Some(event), Some(target)) = (modes, event, target) {
                let events = vec![(event.clone(), String::new())];
                rows.push(Transition { row, at: last, modes, event, events, target });
            }
        }
        self.transitions(table, class, rows);
    }

    /// The event of a row: the conjunction of its entries.
    fn matrix_event(&mut self, row: &ast::Row, conditions: &[Option<(Built, Built)>]) -> Option<Built> {
        let mut all: Option<Built> = None;
        let mut events = 0;
        let mut broken = false;
        for (cell, condition) in row.cells.iter().zip(conditions).skip(1) {
            let Content::Sign(sign) = cell.content else {
                broken = true;
                continue;
            };
            if sign == Sign::DontCare {
                continue;
            }
            let Some((before, after)) = condition else {
                broken = true;
                continue;
            };
            // Errors and mutants in a row are shown at its cells.
            let [mut before, mut after] = [before.clone(), after.clone()];
            before.spans.fill(cell.span);
            after.spans.fill(cell.span);
            let part = match sign {
                Sign::BecomesTrue | Sign::BecomesFalse => {
                    events += 1;
                    self.becomes(before, after, sign == Sign::BecomesTrue, cell.span)
                }
                Sign::True => self.join(BinaryOp::And, before, after, cell.span),
                _ => {
                    let (before, after) = (self.not(before, cell.span), self.not(after, cell.span));
                    self.join(BinaryOp::And, before, after, cell.span)
                }
            };
            all = Some(match all {
                Some(all) => self.and(all, part),
                None => part,
            });
        }
        if events == 0 && !broken {
            let message = "nothing happens in this row: no cell is `@T` or `@F`";
            self.report(Diagnostic::error(codes::NOT_AN_EVENT, row.span, message));
            return None;
        }
        all.filter(|_| !broken)
    }

    fn target(&mut self, cell: &ast::Cell, class: VarId) -> Option<(Symbol, Span)> {
        match &cell.content {
            Content::Modes(names) => {
                let name = names.first()?;
                Some((self.mode(name, class)?, name.span))
            }
            _ => None,
        }
    }

    fn transitions(&mut self, table: &ast::Table, class: VarId, rows: Vec<Transition<'_>>) {
        let mut rules = Vec::new();
        let mut table_rows = vec![Self::cells(&table.head)];
        for (number, transition) in rows.into_iter().enumerate() {
            let Transition { row, at, modes, event, events, target: (target, target_span) } = transition;
            let Some(here) = self.in_modes(class, &modes, Time::Now) else { continue };
            let span = if table.head.len() > 3 || at > 1 { row.span } else { row.cells[at].span };
            let guard = self.guard(here, &event, span);
            let value = self.constant(Value::Symbol(target), target_span);
            let mut cells = Self::cells(&row.cells);
            let goes = self.becomes_value(class, value.expr);
            let (name, to) = (self.model[class].name.clone(), self.model.context.symbols.name(target).to_owned());
            if let Some(goes) = goes {
                let fired = self.both(guard.expr, goes);
                for (mode, case) in self.each_mode(&modes) {
                    let Some(here) = self.in_modes(class, &mode, Time::Now) else { continue };
                    let from = self.model.context.symbols.name(mode[0].0).to_owned();
                    for (event, by) in &events {
                        let guard = self.guard(here.clone(), event, span);
                        let fired = self.both(guard.expr, goes);
                        let fires = format!("row {}: `{name}` goes from {from} to {to}", number + 1);
                        let mark = ("fires", join_words([&case, by]));
                        self.mark(table, &mut cells[at], mark, &join_words([&fires, by]), fired);
                    }
                    let stay = self.stays(class, here.expr, event.expr);
                    let stays = format!("row {}: `{name}` stays in {from} without its event", number + 1);
                    self.mark(table, &mut cells[at], ("stays", case), &stays, stay);
                }
                let message = "this row never fires";
                let diagnostic = Diagnostic::warning(codes::DEAD_ROW, span, message);
                self.expect(When::Sometimes, fired, diagnostic);
            }
            table_rows.push(cells);
            let modes = modes.iter().map(|(mode, _)| *mode).collect();
            rules.push(Rule { guard, value, modes, span });
        }
        self.expect_disjoint(&rules, "these rows");
        self.expect_reachable(class);
        let default = self.var(class, Time::Now, Span::NONE);
        self.assign(AssignKind::Next, class, &rules, Some(default), table.span);
        let name = format!("{} {}", table.kind.name(), table.name.text);
        self.add_table(Table { name, rows: table_rows, span: table.span });
    }

    /// The event does not happen, and the mode stays.
    fn stays(&mut self, class: VarId, here: ExprId, event: ExprId) -> ExprId {
        let quiet = self.opposite(event);
        let now = self.plain(Node::Var(class));
        let next = self.plain(Node::Next(now));
        let same = self.plain(Node::Binary(BinaryOp::Eq, next, now));
        let quiet = self.both(here, quiet);
        self.both(quiet, same)
    }

    fn expect_reachable(&mut self, class: VarId) {
        let decl = self.classes[class.0 as usize];
        for mode in self.modes(class) {
            let name = self.model.context.symbols.name(mode).to_owned();
            let place = match &decl.ty.kind {
                TypeKind::Enum(names) => names.iter().find(|known| known.text == name).map(|known| known.span),
                _ => None,
            };
            let span = place.unwrap_or(decl.name.span);
            let Some(here) = self.in_modes(class, &[(mode, span)], Time::Now) else { continue };
            let message = format!("the mode `{name}` is never entered");
            self.expect(When::Sometimes, here.expr, Diagnostic::warning(codes::UNREACHABLE_MODE, span, message));
        }
    }
}

/// A row of a mode table.
struct Transition<'a> {
    row: &'a ast::Row,
    /// The cell that represents the transition.
    at: usize,
    modes: Vec<(Symbol, Span)>,
    event: Built,
    /// The disjuncts of its event, each with the suffix `by EVENT` if there are several.
    events: Vec<(Built, String)>,
    target: (Symbol, Span),
}
