//! Trees to text that NuSMV accepts and that parses back to the same tree.
//!
//! Parentheses are printed where they are needed and nowhere else. Every part of a tree is visited once, whatever
//! its depth, so long files print in linear time.

mod expr;
mod file;

use super::ast::{ExprId, Exprs, File, Item, TypeExpr};
use super::grammar::{Grammar, LOWEST};
use expr::Writer;

/// How text is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// By how many blanks each level of nesting is indented.
    pub indent: usize,
    /// What stands at the start of every line.
    pub margin: String,
    /// Conjunctions and the like are broken into several lines beyond this width.
    pub width: usize,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout { indent: 2, margin: String::new(), width: 100 }
    }
}

/// A whole file.
pub fn print_file(file: &File) -> String {
    print_file_with(file, &Layout::default())
}

/// A whole file, laid out as said.
pub fn print_file_with(file: &File, layout: &Layout) -> String {
    let mut writer = Writer::new(&file.exprs, layout);
    file::file(&mut writer, file);
    writer.finish()
}

/// One section of a module. It ends with a line break.
pub fn print_item(exprs: &Exprs, item: &Item, layout: &Layout) -> String {
    let mut writer = Writer::new(exprs, layout);
    file::item(&mut writer, &item.kind);
    writer.finish()
}

/// An expression or formula on one line.
pub fn print_expr(exprs: &Exprs, expr: ExprId) -> String {
    let layout = Layout::default();
    let mut writer = Writer::new(exprs, &layout);
    writer.one_line = true;
    writer.expr(expr, LOWEST);
    writer.finish()
}

/// An expression or formula with one branch of a `case` on each line, and long conjunctions broken up.
pub fn print_expr_with(exprs: &Exprs, expr: ExprId, layout: &Layout) -> String {
    let mut writer = Writer::new(exprs, layout);
    writer.root(expr);
    writer.finish()
}

/// An expression with parentheses around every operand that is made of parts, whether they are needed or not.
pub fn print_expr_explicit(exprs: &Exprs, expr: ExprId) -> String {
    let layout = Layout::default();
    let mut writer = Writer::new(exprs, &layout);
    writer.one_line = true;
    writer.explicit = true;
    writer.expr(expr, LOWEST);
    writer.finish()
}

/// A formula of `PSLSPEC` on one line.
pub fn print_psl(exprs: &Exprs, expr: ExprId) -> String {
    let layout = Layout::default();
    let mut writer = Writer::new(exprs, &layout);
    writer.one_line = true;
    writer.grammar = Grammar::Psl;
    writer.expr(expr, LOWEST);
    writer.finish()
}

/// A type.
pub fn print_type(exprs: &Exprs, ty: &TypeExpr) -> String {
    let layout = Layout::default();
    let mut writer = Writer::new(exprs, &layout);
    writer.one_line = true;
    file::ty(&mut writer, ty);
    writer.finish()
}
