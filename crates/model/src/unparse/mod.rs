//! Unparsing: conversion of a flat model, or of an expression, to an SMV syntax tree for the printer.
//!
//! Names are kept: `left.queue[2]` can be declared in SMV without instance or array, so a flat model is one module with
//! the full names that traces and reports use. Arrays are declared as arrays where their elements are adjacent. Only
//! the names of processes, as values of the selector, lose their dots, which constants cannot have.

mod expr;
mod legal;
mod share;
#[cfg(test)]
mod tests;

pub use expr::Unparser;
pub use share::TooLarge;

use crate::model::{AssignKind, Model, PropertyKind, TransitionSystem, Var, VarKind};
use crate::op::Logic;
use crate::value::{Domain, Value};
use crate::{ExprId, SourcedExpr};
use specwright_syntax::smv::ast::{self, ConstraintKind, Ident, Item, ItemKind, TypeExpr, TypeKind};
use specwright_syntax::smv::print::print_file;
use specwright_syntax::span::Span;

/// A model as one module `main` without instances or processes and without sharing.
pub fn unparse(model: &Model) -> ast::File {
    unparse_with(model, Unparser::new(model))
}

fn unparse_with(model: &Model, mut unparser: Unparser<'_>) -> ast::File {
    let mut items = Vec::new();
    let mut add = |kind| items.push(Item { kind, span: Span::NONE });
    let constants = unparser.loose_constants();
    if !constants.is_empty() {
        add(ItemKind::Constants(constants));
    }
    for (kind, decls) in unparser.variables() {
        add(ItemKind::Vars(kind, decls));
    }
    let mut defines = unparser.defines();
    let assigns = unparser.assigns();
    if !assigns.is_empty() {
        add(ItemKind::Assigns(assigns));
    }
    let constraints = [
        (ConstraintKind::Init, &model.init),
        (ConstraintKind::Trans, &model.trans),
        (ConstraintKind::Invar, &model.invar),
        (ConstraintKind::Justice, &model.justice),
    ];
    for (kind, exprs) in constraints {
        for sourced in exprs {
            add(ItemKind::Constraint(kind, unparser.expr(sourced.expr)));
        }
    }
    for (p, q) in &model.compassion {
        add(ItemKind::Compassion(unparser.expr(p.expr), unparser.expr(q.expr)));
    }
    for property in &model.properties {
        let kind = match property.kind {
            PropertyKind::Ctl | PropertyKind::Psl(Logic::Ctl) => ast::PropertyKind::Ctl,
            PropertyKind::Ltl | PropertyKind::Psl(Logic::Ltl) => ast::PropertyKind::Ltl,
            PropertyKind::Invar => ast::PropertyKind::Invar,
            PropertyKind::ComputeMin => ast::PropertyKind::ComputeMin,
            PropertyKind::ComputeMax => ast::PropertyKind::ComputeMax,
        };
        add(ItemKind::Property(ast::PropertyDecl {
            kind,
            name: property.name.as_deref().map(ident),
            formula: unparser.expr(property.formula.expr),
            target: property.target.as_ref().map(|target| unparser.expr(target.expr)),
            context: None,
            span: Span::NONE,
        }));
    }
    defines.extend(unparser.named.drain(..).map(|(name, body)| ast::DefineDecl { name: ident(&name), body }));
    if !defines.is_empty() {
        let at =
            items.iter().take_while(|item| matches!(item.kind, ItemKind::Constants(_) | ItemKind::Vars(..))).count();
        items.insert(at, Item { kind: ItemKind::Defines(defines), span: Span::NONE });
    }
    let main = ast::Module { name: ident("main"), params: Vec::new(), items, span: Span::NONE };
    ast::File { exprs: unparser.finish(), modules: vec![main], comments: Vec::new() }
}

/// The SMV text of a model. Large shared expressions become defines if the text would be too long otherwise.
pub fn print_model(model: &Model) -> String {
    let legal = legal::legal(model);
    let (shared, _) = share::shared_parts(&legal);
    print_file(&unparse_with(&legal, Unparser::sharing(&legal, shared)))
}

/// The same, with an error for a model that is too large to print.
pub fn try_print_model(model: &Model) -> Result<String, TooLarge> {
    let (_, n_nodes) = share::shared_parts(model);
    if n_nodes > share::MAX_PRINTED_NODES { Err(TooLarge { n_nodes }) } else { Ok(print_model(model)) }
}

impl TransitionSystem {
    /// The text of an expression on one line. Parts of a very long expression are elided.
    pub fn show_expr(&self, expr: ExprId) -> String {
        Unparser::new(self).text(expr)
    }

    /// The text of a formula as a file of requirements has it: values have the names that the specification gives them. Names of
    /// nested processes have no dots there either.
    pub fn show_requirement(&self, expr: ExprId) -> String {
        let has_processes = self.vars.iter().any(|var| var.name == crate::lower::smv::SELECTOR);
        let mut unparser = if has_processes { Unparser::new(self) } else { Unparser::with_dotted_values(self) };
        unparser.text(expr)
    }

    /// The same for a sourced expression.
    pub fn show_sourced(&self, sourced: &SourcedExpr) -> String {
        self.show_expr(sourced.expr)
    }
}

/// An array declaration.
struct Array<'a> {
    name: &'a str,
    bounds: Vec<(i64, i64)>,
    n_vars: usize,
}

fn ident(name: &str) -> Ident {
    Ident { text: name.into(), span: Span::NONE }
}

impl<'a> Unparser<'a> {
    /// The symbolic constants that are values of no variable.
    fn loose_constants(&self) -> Vec<Ident> {
        let mut declared = rustc_hash::FxHashSet::default();
        for var in &self.model.vars {
            if let Domain::Enum(values) = &var.domain {
                declared.extend(values.iter().copied());
            }
        }
        let symbols = (0..).map(crate::Symbol).zip(self.model.context.symbols.names());
        let loose = symbols.filter(|(symbol, _)| !declared.contains(&Value::Symbol(*symbol)));
        loose.map(|(symbol, _)| ident(self.symbol(symbol))).collect()
    }

    /// The declarations of variables: a section for each run of the same kind.
    fn variables(&mut self) -> Vec<(ast::VarKind, Vec<ast::VarDecl>)> {
        let mut sections: Vec<(ast::VarKind, Vec<ast::VarDecl>)> = Vec::new();
        let vars = &self.model.vars;
        let mut at = 0;
        while at < vars.len() {
            let var = &vars[at];
            let kind = match var.kind {
                VarKind::State => ast::VarKind::State,
                VarKind::Frozen => ast::VarKind::Frozen,
                VarKind::Input => ast::VarKind::Input,
            };
            let Array { name, bounds, n_vars } =
                self.array_from(at).unwrap_or(Array { name: &var.name, bounds: Vec::new(), n_vars: 1 });
            let mut ty = self.domain(&var.domain);
            for (first, last) in bounds.into_iter().rev() {
                let (first, last) = (self.int(first), self.int(last));
                ty = TypeExpr { kind: TypeKind::Array(first, last, Box::new(ty)), span: Span::NONE };
            }
            let decl = ast::VarDecl { name: ident(name), ty };
            match sections.last_mut() {
                Some((last, decls)) if *last == kind => decls.push(decl),
                _ => sections.push((kind, vec![decl])),
            }
            at += n_vars;
        }
        sections
    }

    /// The array that starts with this variable: name, bounds, number of elements.
    fn array_from(&self, at: usize) -> Option<Array<'a>> {
        let vars = &self.model.vars;
        let (base, first) = split_indices(&vars[at].name)?;
        let belongs = |var: &Var| {
            let (name, indices) = split_indices(&var.name)?;
            let same = (&var.domain, var.kind) == (&vars[at].domain, vars[at].kind);
            (name == base && indices.len() == first.len() && same).then_some(indices)
        };
        let run: Vec<Vec<i64>> = vars[at..].iter().map_while(belongs).collect();
        let last = run.last()?;
        let bounds: Vec<(i64, i64)> = first.iter().copied().zip(last.iter().copied()).collect();
        // All elements must be present, in order.
        let mut expected = first.clone();
        for indices in &run {
            if *indices != expected {
                return None;
            }
            for (index, (low, high)) in expected.iter_mut().zip(&bounds).rev() {
                if *index < *high {
                    *index += 1;
                    break;
                }
                *index = *low;
            }
        }
        let sizes = bounds.iter().map(|(low, high)| i128::from(*high) - i128::from(*low) + 1);
        let complete = sizes.product::<i128>() == run.len() as i128;
        let is_free = !self.is_taken(base, at..at + run.len());
        (complete && is_free).then_some(Array { name: base, bounds, n_vars: run.len() })
    }

    /// Whether the name of an array is used otherwise.
    fn is_taken(&self, base: &str, elements: std::ops::Range<usize>) -> bool {
        let is_part = |name: &str| name == base || split_indices(name).is_some_and(|(array, _)| array == base);
        let others = self.model.vars.iter().enumerate().filter(|(at, _)| !elements.contains(at));
        self.brackets > 0
            && (others.map(|(_, var)| var.name.as_str()).any(is_part)
                || self.model.defines.iter().any(|define| is_part(&define.name)))
    }

    fn domain(&mut self, domain: &Domain) -> TypeExpr {
        let kind = match domain {
            Domain::Bool => TypeKind::Boolean,
            Domain::Integer => TypeKind::Integer,
            Domain::Range(low, high) => TypeKind::Range(self.int(*low), self.int(*high)),
            Domain::Enum(values) => TypeKind::Enum(values.iter().map(|value| self.value(*value)).collect()),
            Domain::Word { signed, width } => TypeKind::Word { signed: *signed, width: self.int(i64::from(*width)) },
        };
        TypeExpr { kind, span: Span::NONE }
    }

    fn defines(&mut self) -> Vec<ast::DefineDecl> {
        let model = self.model;
        let defines = model.defines.iter();
        defines.map(|define| ast::DefineDecl { name: ident(&define.name), body: self.expr(define.body.expr) }).collect()
    }

    fn assigns(&mut self) -> Vec<ast::AssignDecl> {
        let model = self.model;
        let assigns = model.assigns.iter().map(|assign| ast::AssignDecl {
            kind: match assign.kind {
                AssignKind::Always => ast::AssignKind::Current,
                AssignKind::Init => ast::AssignKind::Init,
                AssignKind::Next => ast::AssignKind::Next,
            },
            target: self.name(&model[assign.var].name),
            value: self.expr(assign.value.expr),
            span: Span::NONE,
        });
        assigns.collect()
    }
}

/// The name of an array and the indices of an element, from the element's name.
fn split_indices(name: &str) -> Option<(&str, Vec<i64>)> {
    let mut base = name;
    let mut indices = Vec::new();
    while let Some((array, index)) = base.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
        indices.push(index.parse().ok()?);
        base = array;
    }
    indices.reverse();
    (!indices.is_empty()).then_some((base, indices))
}
