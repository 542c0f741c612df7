//! Mode matrices in CSV files: old mode, a column for each condition, new mode. The variables of the conditions are not
//! declared; their types are inferred from their uses.

use super::ast::{
    Cell, Class, Content, Expr, ExprKind, File, Name, Row, Table, TableKind, TypeExpr, TypeKind, VarDecl,
};
use super::codes;
use super::parse::expr::is_reserved;
use super::parse::finish_table;
use crate::csv;
use crate::diagnostic::Diagnostic;
use crate::op::BinaryOp;
use crate::span::{SourceFile, Span};

/// Parses a mode matrix in CSV.
pub fn parse_csv(source: &SourceFile) -> (File, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut records = records(source);
    let mut file = File::default();
    if records.len() < 2 || records[0].cells.len() < 3 {
        let message = "a matrix needs a heading with old mode, conditions and new mode, and rows";
        diagnostics.push(Diagnostic::error(codes::EMPTY_TABLE, Span::new(source.start, source.start), message));
        return (file, diagnostics);
    }
    let mut head = records.remove(0).cells;
    let n_columns = head.len();
    for cell in &mut head[1..n_columns - 1] {
        plain_names(cell);
        plain_words(cell);
    }
    fill_ends(&mut records);
    let name = Name { text: class_name(source, &head), span: head[n_columns - 1].span };
    let span = head.iter().fold(Span::NONE, |all, cell| all.to(cell.span));
    let kind = TableKind::Matrix;
    let mut table = Table { kind, name: name.clone(), by: None, head, rows: records, values: Vec::new(), span };
    finish_table(&mut table, &mut diagnostics);

    let mut uses = uses_in(&table.head);
    let mixed: Vec<String> = uses.vars.iter().filter(|var| var.is_mixed()).map(|var| var.name.text.clone()).collect();
    if !mixed.is_empty() {
        for cell in &mut table.head {
            if let Content::Expr(expr) = &mut cell.content {
                name_numbers(expr, &mixed);
            }
        }
        uses = uses_in(&table.head);
    }
    file.vars = uses.declarations();
    file.vars.extend(modes(&table, name));
    file.tables.push(table);
    (file, diagnostics)
}

/// The rows that say something.
fn records(source: &SourceFile) -> Vec<Row> {
    let rows = csv::read(source).rows.into_iter();
    let rows = rows.map(|row| row.iter().map(|found| cell(source, found.at, found.raw)).collect::<Vec<Cell>>());
    rows.filter(|cells| cells.iter().any(|cell| !cell.text.is_empty()))
        .map(|cells| Row { span: cells[0].span.to(cells[cells.len() - 1].span), cells })
        .collect()
}

fn cell(source: &SourceFile, at: usize, whole: &str) -> Cell {
    let trimmed = whole.trim();
    let lead = whole.len() - whole.trim_start().len();
    let inner = trimmed.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).filter(|_| trimmed.len() > 1);
    let lead_in = |inner: &str| 1 + inner.len() - inner.trim_start().len();
    let (text, quote) = inner.map_or((trimmed, 0), |inner| (inner.trim(), lead_in(inner)));
    let start = source.start + (at + if trimmed.is_empty() { 0 } else { lead + quote }) as u32;
    let span = Span::new(start, start + text.len() as u32);
    // Two quotes stand for one. The space keeps the positions of what follows.
    let text = if text == "\"\"" { "\"".into() } else { text.replace("\"\"", " \"") };
    Cell { text, span, content: Content::Label }
}

/// Turns the notations of the A-7E requirements into names: marked ones, and `Past(InWdMfsw)`, which is `Past_InWdMfsw`. What
/// follows keeps its place.
fn plain_names(cell: &mut Cell) {
    let mut chars: Vec<char> = super::marks::plain_names(&cell.text).chars().collect();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let mut at = 0;
    while at < chars.len() {
        if chars[at].is_ascii_alphabetic() {
            let end = at + chars[at..].iter().take_while(|c| is_name(**c)).count();
            let word: String = chars[at..end].iter().collect();
            let is_operator = ["AND", "OR", "NOT", "XOR", "IN", "T", "F", "C", "WHEN"]
                .iter()
                .any(|operator| operator.eq_ignore_ascii_case(&word));
            let close = chars[end..].iter().position(|c| *c == ')').map(|place| end + place);
            if let (Some('('), Some(close), false) = (chars.get(end), close, is_operator)
                && chars[end + 1..close].iter().all(|c| is_name(*c) || *c == ' ')
            {
                let inner: String = chars[end + 1..close].iter().collect();
                let inner = inner.trim().replace([' ', '-', '.'], "_");
                let joined: Vec<char> = format!("{word}_{inner}").chars().collect();
                let width = close + 1 - at;
                chars[at..=close].fill(' ');
                chars[at..at + joined.len().min(width)].copy_from_slice(&joined[..joined.len().min(width)]);
                at = close + 1;
            } else {
                at = end;
            }
        } else {
            at += 1;
        }
    }
    let text: String = chars.into_iter().collect();
    let lead = text.len() - text.trim_start().len();
    cell.span = Span::new(cell.span.start + lead as u32, cell.span.end);
    text.trim().clone_into(&mut cell.text);
}

/// An empty old or new mode is that of the row above: a transition may take several lines.
fn fill_ends(rows: &mut [Row]) {
    for at in 1..rows.len() {
        let (above, below) = rows.split_at_mut(at);
        let (Some(above), Some(row)) = (above.last(), below.first_mut()) else { continue };
        if let (Some(above), Some(cell)) = (above.cells.first(), row.cells.first_mut())
            && cell.text.is_empty()
        {
            (cell.text, cell.span) = (above.text.clone(), above.span);
        }
        if let (true, Some(above), Some(cell)) =
            (above.cells.len() == row.cells.len(), above.cells.last(), row.cells.last_mut())
            && cell.text.is_empty()
        {
            (cell.text, cell.span) = (above.text.clone(), above.span);
        }
    }
}

/// The name that stands for a number of a variable that is also compared with names.
fn number_name(number: i64) -> String {
    if number < 0 { format!("value_minus_{}", number.unsigned_abs()) } else { format!("value_{number}") }
}

/// Gives names to the numbers that these variables are compared with.
fn name_numbers(expr: &mut Expr, vars: &[String]) {
    let is_var = |expr: &Expr| matches!(&*expr.kind, ExprKind::Name(name) if vars.contains(name));
    let name = |expr: &mut Expr| {
        if let ExprKind::Int(number) = *expr.kind {
            *expr.kind = ExprKind::Name(number_name(number));
        }
    };
    match &mut *expr.kind {
        ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, left, right) if is_var(left) => name(right),
        ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, left, right) if is_var(right) => name(left),
        ExprKind::In(left, members) if is_var(left) => members.iter_mut().for_each(name),
        ExprKind::Binary(_, left, right) | ExprKind::When(_, left, right) => {
            name_numbers(left, vars);
            name_numbers(right, vars);
        }
        ExprKind::Unary(_, inner) | ExprKind::Event(_, inner) | ExprKind::Prime(inner) => name_numbers(inner, vars),
        _ => {}
    }
}

/// The uses of names in the headings.
fn uses_in(head: &[Cell]) -> Uses {
    let mut uses = Uses::default();
    for cell in head {
        if let Content::Expr(expr) = &cell.content {
            uses.visit(expr);
        }
    }
    uses
}

/// Turns a heading of several words without operators into one name: `Ground Test Finished`.
fn plain_words(cell: &mut Cell) {
    let mut words = cell.text.split_whitespace();
    let is_plain = |word: &str| {
        word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
            && !["AND", "OR", "NOT", "XOR", "IN", "and", "or", "not", "xor", "in"].contains(&word)
    };
    let starts = cell.text.starts_with(|c: char| c.is_ascii_alphabetic());
    if starts && words.clone().count() >= 1 && words.all(is_plain) {
        cell.text = cell
            .text
            .split(|c: char| c.is_whitespace() || c == '-')
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join("_");
    }
}

/// The name of the mode class, which is that of the file.
fn class_name(source: &SourceFile, head: &[Cell]) -> String {
    let stem = source.name.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = stem.split('.').next().unwrap_or_default();
    let mut name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || is_reserved(&name) {
        name.insert_str(0, "Mode_");
    }
    while head.iter().any(|cell| cell.text.contains(&name)) {
        name.push_str("_mode");
    }
    name
}

/// The mode class: its modes in order of occurrence, the first one initial.
fn modes(table: &Table, name: Name) -> Option<VarDecl> {
    let mut modes: Vec<Name> = Vec::new();
    let ends = |row: &Row| [row.cells.first().cloned(), row.cells.last().cloned()];
    // Old modes come first: their order is usually the intended one.
    for column in 0..2 {
        for row in &table.rows {
            if let Some(Content::Modes(names)) = ends(row)[column].as_ref().map(|cell| &cell.content) {
                for mode in names {
                    if !modes.iter().any(|known| known.text == mode.text) {
                        modes.push(mode.clone());
                    }
                }
            }
        }
    }
    let first = modes.first()?;
    let initially = Some(Expr { kind: Box::new(ExprKind::Name(first.text.clone())), span: first.span });
    let ty = TypeExpr { kind: TypeKind::Enum(modes), span: name.span };
    Some(VarDecl { class: Class::Mode, name, ty, initially })
}

/// The uses of names in conditions.
#[derive(Default)]
struct Uses {
    vars: Vec<Use>,
}

struct Use {
    name: Name,
    /// The names that it is compared with.
    values: Vec<Name>,
    /// The numbers that it is compared with.
    numbers: Vec<i64>,
    /// Whether one of them has a fraction; then the whole numbers next to it are listed.
    is_real: bool,
}

impl Use {
    /// Whether it is compared with names and with numbers.
    fn is_mixed(&self) -> bool {
        !self.values.is_empty() && !self.numbers.is_empty()
    }
}

impl Uses {
    fn var(&mut self, name: &str, span: Span) -> &mut Use {
        let at = self.vars.iter().position(|var| var.name.text == name).unwrap_or_else(|| {
            let name = Name { text: name.to_owned(), span };
            self.vars.push(Use { name, values: Vec::new(), numbers: Vec::new(), is_real: false });
            self.vars.len() - 1
        });
        &mut self.vars[at]
    }

    fn visit(&mut self, expr: &Expr) {
        match &*expr.kind {
            ExprKind::Name(name) => {
                self.var(name, expr.span);
            }
            ExprKind::Binary(op, left, right) if op.is_relational() => match (&*left.kind, &*right.kind) {
                (ExprKind::Name(var), ExprKind::Name(value)) if matches!(op, BinaryOp::Eq | BinaryOp::Ne) => {
                    self.value(var, left.span, value, right.span);
                }
                (ExprKind::Name(var), ExprKind::Int(_) | ExprKind::Real(..)) => self.number(var, left.span, right),
                (ExprKind::Int(_) | ExprKind::Real(..), ExprKind::Name(var)) => self.number(var, right.span, left),
                _ => {
                    self.visit(left);
                    self.visit(right);
                }
            },
            ExprKind::In(left, members) => {
                if let ExprKind::Name(var) = &*left.kind {
                    for member in members {
                        match &*member.kind {
                            ExprKind::Name(value) => self.value(var, left.span, value, member.span),
                            _ => self.number(var, left.span, member),
                        }
                    }
                }
            }
            ExprKind::Binary(_, left, right) | ExprKind::When(_, left, right) => {
                self.visit(left);
                self.visit(right);
            }
            ExprKind::Unary(_, inner)
            | ExprKind::Event(_, inner)
            | ExprKind::Prime(inner)
            | ExprKind::Duration(inner) => self.visit(inner),
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Real(..) | ExprKind::Inmode => {}
        }
    }

    fn number(&mut self, var: &str, span: Span, number: &Expr) {
        let used = self.var(var, span);
        match *number.kind {
            ExprKind::Int(number) => used.numbers.push(number),
            ExprKind::Real(numerator, denominator) => {
                let below = numerator.div_euclid(denominator);
                used.numbers.extend([below, below + i64::from(numerator % denominator != 0)]);
                used.is_real = true;
            }
            _ => {}
        }
    }

    fn value(&mut self, var: &str, var_span: Span, value: &str, span: Span) {
        let values = &mut self.var(var, var_span).values;
        if !values.iter().any(|known| known.text == value) {
            values.push(Name { text: value.to_owned(), span });
        }
    }

    /// A name used as a condition is boolean. A name compared with names is an enumeration of these and one other
    /// value. A name compared with numbers is a range from one below the smallest to one above the largest.
    fn declarations(self) -> Vec<VarDecl> {
        let declare = |var: Use| {
            let span = var.name.span;
            let is_real = var.is_real;
            let kind = |number: i64| if is_real { ExprKind::Real(number, 1) } else { ExprKind::Int(number) };
            let int = |number: i64| Expr { kind: Box::new(kind(number)), span };
            let kind = match (var.numbers.iter().min(), var.numbers.iter().max()) {
                (Some(low), Some(high)) => TypeKind::Range(int(low.saturating_sub(1)), int(high.saturating_add(1))),
                _ if var.values.is_empty() => TypeKind::Boolean,
                _ => {
                    let mut values = var.values;
                    if !values.iter().any(|value| value.text.eq_ignore_ascii_case("other")) {
                        values.push(Name { text: "other".into(), span });
                    }
                    TypeKind::Enum(values)
                }
            };
            let ty = TypeExpr { kind, span };
            VarDecl { class: Class::Monitored, name: var.name, ty, initially: None }
        };
        self.vars.into_iter().map(declare).collect()
    }
}
