//! Lowering of expressions over the flat names of a finished model, such as properties of the command line.

use super::contexts::ExprContext;
use super::names::Meaning;
use super::{Lowering, NodeId, VarNode};
use crate::expr::SourcedExpr;
use crate::model::{DefineId, Model, Property, VarId};
use crate::op::Logic;
use rustc_hash::FxHashMap;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::{self, Dialect, ExprKind, File};
use specwright_syntax::smv::{codes, parse_expr, parse_sections};
use specwright_syntax::span::SourceFile;

/// The names of a model.
pub(super) struct Flat {
    vars: FxHashMap<String, NodeId>,
    defines: FxHashMap<String, DefineId>,
}

impl Flat {
    pub(super) fn names(&self) -> Vec<String> {
        self.vars.keys().chain(self.defines.keys()).cloned().collect()
    }
}

/// Parses and lowers an expression or formula over the names of a model, such as `p.x[2] = on & EX q`.
///
/// New expressions are added to its context. With a logic, the result must be a formula of that
/// logic; without one it may be any expression.
pub fn parse_expr_in(
    model: &Model,
    source: &SourceFile,
    dialect: Dialect,
    logic: Option<Logic>,
) -> (Option<SourcedExpr>, Vec<Diagnostic>) {
    let (exprs, expr, mut diagnostics) = parse_expr(source, dialect);
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    let Some(expr) = expr.filter(|_| !failed) else { return (None, diagnostics) };
    let file = File { exprs, ..File::default() };
    let (sourced, more) = lower_expr_in(model, &file, expr, dialect, logic);
    diagnostics.extend(more);
    (sourced, diagnostics)
}

/// Lowers an expression of a file over the names of a model: full names such as `p.x`, and `a` for an array with
/// elements `a[0]`, `a[1]` and so on. New expressions are added to its context.
///
/// With a logic, the result must be a formula of that logic; without one it may be any expression.
pub fn lower_expr_in(
    model: &Model,
    file: &File,
    expr: ast::ExprId,
    dialect: Dialect,
    logic: Option<Logic>,
) -> (Option<SourcedExpr>, Vec<Diagnostic>) {
    let mut lowering = Lowering::new(file, dialect);
    lowering.model = model.clone();
    lowering.read_names();
    lowering.read_traits();
    let sourced = match logic {
        Some(Logic::Ctl) => lowering.formula(0, expr, ExprContext::Ctl, "a formula"),
        Some(Logic::Ltl) => lowering.formula(0, expr, ExprContext::Ltl, "a formula"),
        None => lowering.sourced(0, expr),
    };
    lowering.report_never_equal();
    (sourced, lowering.diagnostics)
}

/// Adds the properties of a file to a model. Their names are the full names of the model, whatever language it came from.
/// Other sections than properties are mistakes.
pub fn add_properties(model: &mut Model, source: &SourceFile, dialect: Dialect) -> Vec<Diagnostic> {
    let (file, mut diagnostics) = parse_sections(source, dialect);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return diagnostics;
    }
    let mut lowering = Lowering::new(&file, dialect);
    lowering.model = model.clone();
    lowering.read_names();
    lowering.read_traits();
    for item in file.modules.iter().flat_map(|module| &module.items) {
        let ast::ItemKind::Property(decl) = &item.kind else {
            let message = "a file of properties has nothing but properties";
            let note = "such as `CTLSPEC NAME safe := AG (up -> !car);`, `LTLSPEC` or `INVARSPEC`";
            lowering.diagnostics.push(Diagnostic::error(codes::UNEXPECTED, item.span, message).note(note));
            continue;
        };
        if let Some(context) = decl.context {
            let message = "names in a file of properties are full names";
            let span = file.exprs[context].span;
            lowering.diagnostics.push(Diagnostic::error(codes::UNSUPPORTED, span, message));
            continue;
        }
        lowering.add_property(decl);
    }
    lowering.report_never_equal();
    diagnostics.extend(lowering.diagnostics);
    if !diagnostics.iter().any(Diagnostic::is_error) {
        model.properties = lowering.model.properties;
    }
    diagnostics
}

impl Lowering<'_> {
    /// Adds a property over the names of a flat model.
    fn add_property(&mut self, decl: &ast::PropertyDecl) {
        let name = decl.name.as_ref().map(|name| name.text.to_string());
        let same = |property: &&Property| name.is_some() && property.name == name;
        if let (Some(first), Some(again)) = (self.model.properties.iter().find(same), &decl.name) {
            let message = format!("two properties have the name `{}`", again.text);
            let twice = Diagnostic::error(codes::DUPLICATE, again.span, message).label("named again");
            self.diagnostics.push(twice.also(first.span, "first named here"));
            return;
        }
        self.push_property(0, decl, name);
    }

    fn read_names(&mut self) {
        let mut vars: FxHashMap<String, NodeId> = FxHashMap::default();
        for index in 0..self.model.vars.len() {
            let name = self.model.vars[index].name.clone();
            self.nodes.push(VarNode::One(VarId(index as u32)));
            let mut node = self.nodes.len() - 1;
            vars.insert(name.clone(), node);
            let mut rest = name.as_str();
            // The first element creates the array; the others are added at their index.
            while let Some((array, at)) = split_element(rest) {
                if let Some(&known) = vars.get(array) {
                    if let VarNode::Array(first, items) = &mut self.nodes[known]
                        && first.checked_add_unsigned(items.len() as u64) == Some(at)
                    {
                        items.push(node);
                    }
                    break;
                }
                self.nodes.push(VarNode::Array(at, vec![node]));
                node = self.nodes.len() - 1;
                vars.insert(array.to_string(), node);
                rest = array;
            }
        }
        let defines = (0..).map(DefineId).zip(&self.model.defines);
        let defines = defines.map(|(id, define)| (define.name.clone(), id)).collect();
        self.flat = Some(Flat { vars, defines });
    }

    fn read_traits(&mut self) {
        for index in 0..self.model.context.exprs.len() {
            let node = self.model[crate::ExprId(index as u32)].clone();
            // Bodies come before their uses, except in a model that was changed.
            let traits = match &node {
                crate::Node::Define(define) if self.model.body(*define).0 as usize >= index => 0,
                node => self.traits_of(node).unwrap_or(0),
            };
            self.traits.push(traits);
        }
    }

    /// The meaning of a name in a flat model.
    pub(super) fn resolve_flat(&mut self, expr: ast::ExprId) -> Meaning {
        let span = self.span(expr);
        let Some(name) = self.flat_name(expr) else {
            // An element at some index; its array may still be a name.
            return match self.file.exprs[expr].kind {
                ExprKind::Index(..) => Meaning::Expr,
                _ => Self::unknown("self".into(), span),
            };
        };
        let Some(flat) = &self.flat else { return Meaning::Broken };
        if let Some(node) = flat.vars.get(&name) {
            return Meaning::Vars(*node);
        }
        if let Some(define) = flat.defines.get(&name) {
            return Meaning::Define(*define);
        }
        if let Some(symbol) = self.model.context.symbols.get(&name) {
            return Meaning::Symbol(symbol);
        }
        match self.file.exprs[expr].kind {
            ExprKind::Index(array, _) => match self.resolve_flat(array) {
                Meaning::Unknown(unknown) => Meaning::Unknown(unknown),
                _ => Meaning::Expr,
            },
            _ => Self::unknown(name, span),
        }
    }

    fn flat_name(&self, expr: ast::ExprId) -> Option<String> {
        let mut parts = Vec::new();
        let mut expr = expr;
        loop {
            match &self.file.exprs[expr].kind {
                ExprKind::Name(name) => {
                    parts.push(name.to_string());
                    break;
                }
                ExprKind::Field(base, field) => {
                    parts.push(format!(".{}", field.text));
                    expr = *base;
                }
                ExprKind::Index(base, index) => {
                    parts.push(format!("[{}]", self.literal(*index)?));
                    expr = *base;
                }
                _ => return None,
            }
        }
        parts.reverse();
        Some(parts.concat())
    }
}

/// The array and the index of an element's name.
fn split_element(name: &str) -> Option<(&str, i64)> {
    let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((array, index.parse().ok()?))
}
