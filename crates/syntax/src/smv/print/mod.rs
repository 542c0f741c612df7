//! Printer of SMV: the text is accepted by NuSMV and parses back to the same tree.
//!
//! Only necessary parentheses are printed. Every node is visited once, so printing takes linear time.

mod expr;
mod file;

use super::ast::{ExprId, Exprs, File, Item, TypeExpr};
use super::grammar::{Grammar, LOWEST};
use expr::Writer;

/// Layout options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of blanks for each level of nesting.
    pub indent: usize,
    /// A prefix of every line.
    pub margin: String,
    /// Width in characters beyond which chains of operators are broken into lines.
    pub width: usize,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout { indent: 2, margin: String::new(), width: 100 }
    }
}

/// Prints a file.
pub fn print_file(file: &File) -> String {
    print_file_with(file, &Layout::default())
}

/// Prints a file in a given layout.
pub fn print_file_with(file: &File, layout: &Layout) -> String {
    let mut writer = Writer::new(&file.exprs, layout);
    file::file(&mut writer, file);
    writer.finish()
}

/// Prints one section of a module, with a line break at its end.
pub fn print_item(exprs: &Exprs, item: &Item, layout: &Layout) -> String {
    let mut writer = Writer::new(exprs, layout);
    file::item(&mut writer, &item.kind);
    writer.finish()
}

/// Prints an expression or formula on one line.
pub fn print_expr(exprs: &Exprs, expr: ExprId) -> String {
    let layout = Layout::default();
    let mut writer = Writer::new(exprs, &layout);
    writer.one_line = true;
    writer.expr(expr, LOWEST);
    writer.finish()
}

/// The start of an expression or formula on one line: all of it, or more than a number of columns.
pub fn print_expr_start(exprs: &Exprs, expr: ExprId, columns: usize) -> String {
    let layout = Layout::default();
    let mut writer = Writer::new(exprs, &layout);
    writer.one_line = true;
    writer.columns = Some(columns);
    writer.expr(expr, LOWEST);
    writer.finish()
}

/// Prints an expression or formula with one line for each branch of a `case`, and long conjunctions broken up.
pub fn print_expr_with(exprs: &Exprs, expr: ExprId, layout: &Layout) -> String {
    let mut writer = Writer::new(exprs, layout);
    writer.root(expr);
    writer.finish()
}

/// Prints an expression with parentheses around every composite operand.
pub fn print_expr_explicit(exprs: &Exprs, expr: ExprId) -> String {
    let layout = Layout::default();
    let mut writer = Writer::new(exprs, &layout);
    writer.one_line = true;
    writer.explicit = true;
    writer.expr(expr, LOWEST);
    writer.finish()
}

/// Prints a formula of `PSLSPEC` on one line.
pub fn print_psl(exprs: &Exprs, expr: ExprId) -> String {
    let layout = Layout::default();
    let mut writer = Writer::new(exprs, &layout);
    writer.one_line = true;
    writer.grammar = Grammar::Psl;
    writer.expr(expr, LOWEST);
    writer.finish()
}

/// Prints a type.
pub fn print_type(exprs: &Exprs, ty: &TypeExpr) -> String {
    let layout = Layout::default();
    let mut writer = Writer::new(exprs, &layout);
    writer.one_line = true;
    file::ty(&mut writer, ty);
    writer.finish()
}
