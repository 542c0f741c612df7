//! Parser of tables: a heading and rows of cells.

use super::super::ast::{Cell, Content, ExprKind, File, Name, Row, Sign, Table, TableKind};
use super::super::codes;
use super::super::lines::{Line, LineKind, cells, is_boxed};
use super::expr::ExprParser;
use super::{Parser, Piece, continuation};
use crate::diagnostic::Diagnostic;
use crate::span::Span;

impl<'a> Parser<'a> {
    /// `event table Overridden by Pressure`, followed by its rows.
    pub(super) fn table(&mut self, kind: TableKind, line: &Line<'a>, keyword: usize, rest: Piece<'a>) {
        let start = self.source.start + line.at as u32;
        let read = |mut line: ExprParser<'_, '_>| {
            let name = line.name("the variable that the table defines")?;
            let by = if line.eat_word("by") { Some(line.name("a mode class")?) } else { None };
            line.eat(":");
            line.end()?;
            Some((name, by))
        };
        let signature = if rest.text.is_empty() {
            let end = start + keyword as u32;
            let message = format!("a {} of what?", kind.name());
            self.report(
                Diagnostic::error(codes::UNEXPECTED, Span::new(start, end), message)
                    .help(format!("the name of a variable follows: `{} Alarm`", kind.name())),
            );
            None
        } else {
            ExprParser::new(rest.text, rest.start, false, &mut self.diagnostics).and_then(read)
        };
        let rows = self.rows();
        let Some((name, by)) = signature else { return };
        let span = Span::new(start, start + line.text.len() as u32);
        if let Some(table) = self.content(Table { kind, name, by, head: Vec::new(), rows, values: Vec::new(), span }) {
            self.file.tables.push(table);
        }
    }

    /// The rows up to the next section, cells as text. A row may have several lines.
    fn rows(&mut self) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        let mut boxed = None;
        let mut may_continue = false;
        while let Some(line) = self.lines.get(self.at).copied() {
            match line.kind {
                LineKind::Start(..) => break,
                LineKind::Blank => {}
                LineKind::Rule => may_continue = false,
                LineKind::Part => {
                    let start = self.source.start + line.at as u32;
                    let boxed = *boxed.get_or_insert_with(|| is_boxed(line.text));
                    let cells = cells(line.text, boxed).into_iter().map(|(at, text)| {
                        let at = start + at as u32;
                        let span = Span::new(at, at + text.len() as u32);
                        Cell { text: text.to_owned(), span, content: Content::Label }
                    });
                    let row = Row { cells: cells.collect(), span: Span::new(start, start + line.text.len() as u32) };
                    let row = match rows.last_mut().filter(|_| may_continue) {
                        Some(above) => continuation::join(above, row),
                        None => Some(row),
                    };
                    rows.extend(row);
                    may_continue = true;
                }
            }
            self.at += 1;
        }
        rows
    }

    fn content(&mut self, mut table: Table) -> Option<Table> {
        let has_head = table.rows.first().is_some_and(|row| is_head(&table, row));
        if has_head {
            table.head = table.rows.remove(0).cells;
        }
        if table.rows.is_empty() {
            let message = format!("this {} has no rows", table.kind.name());
            self.report(
                Diagnostic::error(codes::EMPTY_TABLE, table.span, message)
                    .help("rows follow in the next lines, their cells separated by `|`"),
            );
            return None;
        }
        if matches!(table.kind, TableKind::Event | TableKind::Condition) {
            self.split_values(&mut table)?;
        }
        finish(&mut table, &mut self.diagnostics);
        Some(table)
    }

    /// Takes the values off the rows of an event or condition table: they are its last row.
    fn split_values(&mut self, table: &mut Table) -> Option<()> {
        let last = table.rows.last().map(|row| &row.cells[0])?;
        let name = last.text.trim_end_matches([' ', '=', '\'', ':']);
        if name != table.name.text {
            let message = format!("the last row must give the values of `{}`", table.name.text);
            self.report(
                Diagnostic::error(codes::NO_VALUES, last.span, message)
                    .label("expected its name here")
                    .also(table.name.span, "the table defines this variable")
                    .help(format!("the last row is `{} = | value | value | …`", table.name.text)),
            );
            return None;
        }
        table.values = table.rows.pop()?.cells;
        if table.rows.is_empty() {
            let message = format!("this {} has values but no {}s", table.kind.name(), word(table.kind));
            self.report(Diagnostic::error(codes::EMPTY_TABLE, table.span, message));
            return None;
        }
        Some(())
    }
}

fn word(kind: TableKind) -> &'static str {
    if kind == TableKind::Condition { "condition" } else { "event" }
}

/// Whether a first row consists of headings.
fn is_head(table: &Table, row: &Row) -> bool {
    let text = |cell: usize| row.cells.get(cell).map_or(String::new(), |cell| cell.text.to_lowercase());
    let names_things = |text: String| ["event", "condition"].iter().any(|word| text.starts_with(word));
    match table.kind {
        TableKind::Matrix => true,
        TableKind::Mode => names_things(text(1)),
        TableKind::Event | TableKind::Condition => {
            let first = text(0);
            let is_class = table.by.as_ref().is_some_and(|by| by.text.to_lowercase() == first);
            (["mode", "modes"].contains(&first.as_str()) || is_class || first.is_empty()) && names_things(text(1))
        }
    }
}

/// Parses the contents of the cells of a table.
pub(in super::super) fn finish(table: &mut Table, diagnostics: &mut Vec<Diagnostic>) {
    let kind = table.kind;
    let n_columns = match kind {
        TableKind::Mode => 3,
        TableKind::Matrix => table.head.len(),
        TableKind::Event | TableKind::Condition => table.values.len(),
    };
    if kind == TableKind::Matrix {
        if n_columns < 3 {
            let message = "a mode matrix needs a column for old modes, at least one condition, and new modes";
            diagnostics.push(Diagnostic::error(codes::EMPTY_TABLE, table.head[0].span, message));
            return;
        }
        for cell in &mut table.head[1..n_columns - 1] {
            read_expr(cell, diagnostics);
        }
    }
    let mut result = String::new();
    for row in &mut table.rows {
        if row.cells.len() != n_columns {
            let (found, columns) = (count(row.cells.len(), "cell"), count(n_columns, "column"));
            let message = format!("this row has {found}, but the table has {columns}");
            let wide = match kind {
                TableKind::Mode => Diagnostic::error(codes::WRONG_CELLS, row.span, message)
                    .help("a row of a mode table is `old modes | event | new mode`"),
                TableKind::Matrix => Diagnostic::error(codes::WRONG_CELLS, row.span, message)
                    .also(span_of(&table.head), format!("{columns} here")),
                _ => Diagnostic::error(codes::WRONG_CELLS, row.span, message)
                    .also(span_of(&table.values), format!("{columns} here")),
            };
            diagnostics.push(wide);
            row.cells.iter_mut().for_each(|cell| cell.content = Content::Broken);
            continue;
        }
        let is_labelled = table.by.is_none() && matches!(kind, TableKind::Event | TableKind::Condition);
        for (column, cell) in row.cells.iter_mut().enumerate() {
            match (column, kind) {
                (0, _) if is_labelled => {}
                (0, _) => read_modes(cell, diagnostics),
                (_, TableKind::Matrix) if column + 1 < n_columns => read_sign(cell, diagnostics),
                (2.., TableKind::Mode) | (_, TableKind::Matrix) => read_result(cell, &mut result, diagnostics),
                _ => read_expr(cell, diagnostics),
            }
        }
    }
    for cell in table.values.iter_mut().skip(1) {
        read_expr(cell, diagnostics);
    }
}

/// Cells of published tables: `X` is an event or a condition that is never true, `Always` a condition that is always true, unless
/// a variable or a constant has this name.
pub(super) fn read_published(file: &mut File) {
    let variables = file.vars.iter().map(|var| &var.name);
    let names: Vec<String> =
        variables.chain(file.constants.iter().map(|constant| &constant.name)).map(|name| name.text.clone()).collect();
    let is_row_of = |table: &&mut Table| matches!(table.kind, TableKind::Event | TableKind::Condition);
    let rows = file.tables.iter_mut().filter(is_row_of).flat_map(|table| &mut table.rows);
    for cell in rows.flat_map(|row| row.cells.iter_mut().skip(1)) {
        let Content::Expr(expr) = &mut cell.content else { continue };
        let ExprKind::Name(name) = &*expr.kind else { continue };
        let truth = match name.as_str() {
            "X" | "x" => false,
            _ if name.eq_ignore_ascii_case("always") => true,
            _ => continue,
        };
        if !names.contains(name) {
            *expr.kind = ExprKind::Bool(truth);
        }
    }
}

fn span_of(cells: &[Cell]) -> Span {
    cells.iter().fold(Span::NONE, |all, cell| all.to(cell.span))
}

/// Modes, separated by commas.
fn read_modes(cell: &mut Cell, diagnostics: &mut Vec<Diagnostic>) {
    cell.content = match cell.text.as_str() {
        "" | "\"" => Content::Modes(Vec::new()),
        "-" | "*" => Content::AnyMode,
        text => {
            let read = |mut line: ExprParser<'_, '_>| {
                let mut modes = vec![line.name("a mode")?];
                while line.eat(",") {
                    modes.push(line.name("a mode")?);
                }
                line.end()?;
                Some(modes)
            };
            let line = ExprParser::new(text, cell.span.start, false, diagnostics);
            line.and_then(read).map_or(Content::Broken, Content::Modes)
        }
    }
}

/// The new mode; an empty cell or a dash repeats the one above.
fn read_result(cell: &mut Cell, above: &mut String, diagnostics: &mut Vec<Diagnostic>) {
    if ["", "-", "\""].contains(&cell.text.as_str()) && !above.is_empty() {
        let name = Name { text: above.clone(), span: cell.span };
        cell.content = Content::Modes(vec![name]);
        return;
    }
    read_expr(cell, diagnostics);
    if let Content::Expr(expr) = &cell.content {
        if let ExprKind::Name(name) = &*expr.kind {
            above.clone_from(name);
            cell.content = Content::Modes(vec![Name { text: name.clone(), span: expr.span }]);
        } else {
            let message = "the new mode must be the name of a mode";
            diagnostics.push(Diagnostic::error(codes::UNEXPECTED, expr.span, message));
            cell.content = Content::Broken;
        }
    }
}

fn read_expr(cell: &mut Cell, diagnostics: &mut Vec<Diagnostic>) {
    let text = cell.text.as_str();
    // A dash in an event or condition table stands for FALSE.
    let text = if text == "-" { "FALSE" } else { text };
    if text.is_empty() {
        let help = "write `FALSE` or `-` for an event that never happens";
        diagnostics.push(Diagnostic::error(codes::EMPTY_CELL, cell.span, "this cell is empty").help(help));
        cell.content = Content::Broken;
        return;
    }
    let line = ExprParser::new(text, cell.span.start, false, diagnostics);
    cell.content = line.and_then(ExprParser::whole).map_or(Content::Broken, Content::Expr);
    if cell.text == "-"
        && let Content::Expr(expr) = &mut cell.content
    {
        expr.span = cell.span;
    }
}

fn read_sign(cell: &mut Cell, diagnostics: &mut Vec<Diagnostic>) {
    let sign = match cell.text.as_str() {
        "@T" | "T" | "@t" => Sign::BecomesTrue,
        "@F" | "F" | "@f" => Sign::BecomesFalse,
        "t" => Sign::True,
        "f" => Sign::False,
        "-" | "" | "X" | "x" => Sign::DontCare,
        text => {
            let message = format!("`{text}` is not an entry of a matrix");
            diagnostics.push(
                Diagnostic::error(codes::BAD_SIGN, cell.span, message)
                    .help("`@T` becomes true, `@F` becomes false, `t` is true, `f` is false, `-` does not matter"),
            );
            cell.content = Content::Broken;
            return;
        }
    };
    cell.content = Content::Sign(sign);
}

fn count(n: usize, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}
