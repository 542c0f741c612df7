//! Lowering of condition tables.

use super::exprs::{ExprContext, Time};
use super::properties::has_steps;
use super::tables::{Rule, join_words};
use super::{Built, Lowering};
use crate::expr::ExprId;
use crate::model::{AssignKind, Table, VarId, When};
use crate::value::{Symbol, Value};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::scr::ast::{self, Content};
use specwright_syntax::scr::codes;
use specwright_syntax::span::Span;

impl Lowering<'_> {
    pub(super) fn condition_table(&mut self, table: &ast::Table, var: VarId) {
        let Ok(class) = self.class_of(table) else { return };
        let values = self.values(table, var);
        let mut rules = Vec::new();
        let mut table_rows = vec![Self::cells(&table.head)];
        let (mut above, mut mentioned) = (None, Vec::new());
        for (number, row) in table.rows.iter().enumerate() {
            let Some(modes) = self.modes_of_row(table, row, class, &mut above) else { continue };
            mentioned.extend(modes.iter().map(|(mode, _)| *mode));
            let mut cells = Self::cells(&row.cells);
            let mut conditions: Vec<Built> = Vec::new();
            let mut complete = false;
            let mut broken = false;
            for (column, cell) in row.cells.iter().enumerate().skip(1) {
                let Some((condition, guard)) = self.condition_in_modes(cell, class, &modes) else {
                    broken = true;
                    continue;
                };
                let constant = self.known_value(condition.expr);
                if constant == Some(Value::Bool(false)) {
                    continue;
                }
                complete |= constant == Some(Value::Bool(true));
                let Some(value) = values[column].clone() else { continue };
                if constant.is_none() {
                    let shown = self.shown(&value);
                    for (modes, case) in self.each_mode(&modes) {
                        let Some((condition, guard)) = self.condition_in_modes(cell, class, &modes) else { continue };
                        let missed = self.missed(class, &modes, condition.expr);
                        let about = join_words([&format!("row {}: the condition of {shown}", number + 1), &case]);
                        let elements = [
                            ("true", format!("{about} holds"), guard.expr),
                            ("false", format!("{about} does not hold"), missed),
                        ];
                        for (word, description, expr) in elements {
                            self.mark(table, &mut cells[column], (word, case.clone()), &description, expr);
                        }
                    }
                    let message = "this condition never holds";
                    let diagnostic = Diagnostic::warning(codes::DEAD_ROW, cell.span, message);
                    self.expect(When::Sometimes, guard.expr, diagnostic);
                }
                conditions.push(condition);
                let modes = modes.iter().map(|(mode, _)| *mode).collect();
                let _ = self.expect_in_range(var, guard.expr, &value, cell.span);
                rules.push(Rule { guard, value, modes, span: cell.span });
            }
            if !complete && !broken {
                self.expect_complete(table, row, class, &modes, conditions);
            }
            table_rows.push(cells);
        }
        table_rows.push(Self::cells(&table.values));
        if let Some(class) = class {
            self.report_missing(table, class, &mentioned);
        }
        self.expect_disjoint(&rules, "these conditions");
        // In states that assumptions exclude or that cannot be reached, no condition need hold; but every state needs a
        // value.
        let constrained = self.fills_gaps || self.file.assumptions.iter().any(|assumption| !has_steps(assumption));
        let default = rules.last().filter(|_| constrained).map(|rule| {
            let mut value = rule.value.clone();
            value.spans.fill(Span::NONE);
            value
        });
        self.assign(AssignKind::Always, var, &rules, default, table.span);
        let name = format!("{} {}", table.kind.name(), table.name.text);
        self.add_table(Table { name, rows: table_rows, span: table.span });
    }

    /// The condition of a cell, alone and together with the modes of its row.
    fn condition_in_modes(
        &mut self,
        cell: &ast::Cell,
        class: Option<VarId>,
        modes: &[(Symbol, Span)],
    ) -> Option<(Built, Built)> {
        let Content::Expr(expr) = &cell.content else { return None };
        let Some(class) = class else {
            let condition = self.condition(expr, &ExprContext::condition(None), Time::Now)?;
            return Some((condition.clone(), condition));
        };
        let place = ExprContext::condition(Some((class, modes.to_vec())));
        let condition = self.condition(expr, &place, Time::Now)?;
        let here = self.in_modes(class, modes, Time::Now)?;
        if matches!(self.known_value(condition.expr), Some(Value::Bool(true))) {
            return Some((condition, here));
        }
        let guard = self.guard(here, &condition, cell.span);
        Some((condition, guard))
    }

    /// The condition that the system is in the modes of a row and the condition of the cell is false.
    fn missed(&mut self, class: Option<VarId>, modes: &[(Symbol, Span)], condition: ExprId) -> ExprId {
        let opposite = self.opposite(condition);
        let here = class.and_then(|class| self.in_modes(class, modes, Time::Now));
        here.map_or(opposite, |here| self.both(here.expr, opposite))
    }

    /// Expects that in the modes of a row one of its conditions always holds.
    fn expect_complete(
        &mut self,
        table: &ast::Table,
        row: &ast::Row,
        class: Option<VarId>,
        modes: &[(Symbol, Span)],
        conditions: Vec<Built>,
    ) {
        let covered = match self.any(conditions) {
            Some(any) => any.expr,
            None => self.constant(Value::Bool(false), Span::NONE).expr,
        };
        let here = class.and_then(|class| self.in_modes(class, modes, Time::Now));
        let gap = self.opposite(covered);
        let gap = here.map_or(gap, |here| self.both(here.expr, gap));
        let message = format!("no condition of this row holds in some states, so `{}` has no value", table.name.text);
        let diagnostic = Diagnostic::error(codes::INCOMPLETE, row.span, message);
        self.expect(When::Never, gap, diagnostic);
    }

    fn report_missing(&mut self, table: &ast::Table, class: VarId, mentioned: &[Symbol]) {
        let missing: Vec<Symbol> = self.modes(class).into_iter().filter(|mode| !mentioned.contains(mode)).collect();
        if missing.is_empty() {
            return;
        }
        let names: Vec<String> =
            missing.iter().map(|mode| format!("`{}`", self.model.context.symbols.name(*mode))).collect();
        let message = format!("no row for {}: `{}` has no value there", names.join(", "), table.name.text);
        self.report(Diagnostic::error(codes::MISSING_MODE, table.name.span, message));
    }
}
