//! Printer of files, modules, sections and types.

use super::expr::Writer;
use crate::smv::ast::{
    AssignDecl, AssignKind, ConstraintKind, File, ItemKind, Module, PropertyDecl, PropertyKind, TypeExpr, TypeKind,
    VarKind,
};
use crate::smv::grammar::{Grammar, LOWEST};

/// Maximal width of aligned names, in characters.
const MAX_ALIGNED: usize = 24;

pub(super) fn file(writer: &mut Writer<'_>, file: &File) {
    for (n, found) in file.modules.iter().enumerate() {
        if n > 0 {
            writer.line();
        }
        module(writer, found);
    }
}

fn module(writer: &mut Writer<'_>, module: &Module) {
    writer.text("MODULE ");
    writer.text(&module.name.text);
    if !module.params.is_empty() {
        let params: Vec<&str> = module.params.iter().map(|param| &*param.text).collect();
        writer.text("(");
        writer.text(&params.join(", "));
        writer.text(")");
    }
    writer.line();
    let mut before: Option<&ItemKind> = None;
    for found in &module.items {
        if before.is_some_and(|before| !belong_together(before, &found.kind)) {
            writer.line();
        }
        item(writer, &found.kind);
        before = Some(&found.kind);
    }
}

/// Whether no empty line separates two sections.
fn belong_together(a: &ItemKind, b: &ItemKind) -> bool {
    use ItemKind::{Compassion, Constraint, Isa, Mirror, Pred, Property};
    match (a, b) {
        (Constraint(a, _), Constraint(b, _)) => a == b,
        (Constraint(ConstraintKind::Justice, _) | Compassion(..), Compassion(..))
        | (Property(_), Property(_))
        | (Isa(_), Isa(_))
        | (Pred(..) | Mirror(_), Pred(..) | Mirror(_)) => true,
        _ => false,
    }
}

/// Prints a section and a line break.
pub(super) fn item(writer: &mut Writer<'_>, item: &ItemKind) {
    match item {
        ItemKind::Vars(kind, vars) => {
            writer.text(match kind {
                VarKind::State => "VAR",
                VarKind::Input => "IVAR",
                VarKind::Frozen => "FROZENVAR",
                VarKind::Monitored => "INPUT",
                VarKind::Controlled => "OUTPUT",
            });
            let width = common_width(vars.iter().map(|var| &*var.name.text));
            declarations(writer, vars, |writer, var| {
                padded(writer, &var.name.text, width);
                writer.text(" : ");
                ty(writer, &var.ty);
            });
        }
        ItemKind::Defines(defines) => {
            writer.text("DEFINE");
            let width = common_width(defines.iter().map(|define| &*define.name.text));
            declarations(writer, defines, |writer, define| {
                padded(writer, &define.name.text, width);
                writer.text(" := ");
                writer.root(define.body);
            });
        }
        ItemKind::Assigns(assigns) => {
            writer.text("ASSIGN");
            declarations(writer, assigns, assign);
        }
        ItemKind::Constants(names) => {
            let names: Vec<&str> = names.iter().map(|name| &*name.text).collect();
            writer.text("CONSTANTS ");
            writer.text(&names.join(", "));
            writer.text(";");
        }
        ItemKind::Constraint(kind, expr) => {
            writer.text(match kind {
                ConstraintKind::Init => "INIT ",
                ConstraintKind::Trans => "TRANS ",
                ConstraintKind::Invar => "INVAR ",
                ConstraintKind::Justice => "JUSTICE ",
            });
            writer.root(*expr);
            writer.text(";");
        }
        ItemKind::Compassion(often, then_often) => {
            writer.text("COMPASSION (");
            writer.expr(*often, LOWEST);
            writer.text(", ");
            writer.expr(*then_often, LOWEST);
            writer.text(");");
        }
        ItemKind::Isa(module) => {
            writer.text("ISA ");
            writer.text(&module.text);
        }
        ItemKind::Property(decl) => property(writer, decl),
        ItemKind::Pred(name, expr) => {
            writer.text("PRED ");
            if let Some(name) = name {
                writer.text("<");
                writer.text(&name.text);
                writer.text("> := ");
            }
            writer.root(*expr);
            writer.text(";");
        }
        ItemKind::Mirror(variable) => {
            writer.text("MIRROR ");
            writer.expr(*variable, LOWEST);
            writer.text(";");
        }
    }
    writer.line();
}

fn declarations<T>(writer: &mut Writer<'_>, declarations: &[T], print: impl Fn(&mut Writer<'_>, &T)) {
    writer.depth += 1;
    for declaration in declarations {
        writer.line();
        print(writer, declaration);
        writer.text(";");
    }
    writer.depth -= 1;
}

fn assign(writer: &mut Writer<'_>, assign: &AssignDecl) {
    let (open, close) = match assign.kind {
        AssignKind::Current => ("", ""),
        AssignKind::Init => ("init(", ")"),
        AssignKind::Next => ("next(", ")"),
    };
    writer.text(open);
    writer.expr(assign.target, LOWEST);
    writer.text(close);
    writer.text(" := ");
    writer.root(assign.value);
}

fn property(writer: &mut Writer<'_>, decl: &PropertyDecl) {
    writer.text(match decl.kind {
        PropertyKind::Ctl => "SPEC ",
        PropertyKind::Ltl => "LTLSPEC ",
        PropertyKind::Invar => "INVARSPEC ",
        PropertyKind::ComputeMin | PropertyKind::ComputeMax => "COMPUTE ",
        PropertyKind::Psl => "PSLSPEC ",
    });
    if let Some(name) = &decl.name {
        writer.text("NAME ");
        writer.text(&name.text);
        writer.text(" := ");
    }
    match (decl.kind, decl.target) {
        (PropertyKind::ComputeMin | PropertyKind::ComputeMax, Some(target)) => {
            writer.text(if decl.kind == PropertyKind::ComputeMin { "MIN [" } else { "MAX [" });
            writer.expr(decl.formula, LOWEST);
            writer.text(", ");
            writer.expr(target, LOWEST);
            writer.text("]");
        }
        (PropertyKind::Psl, _) => {
            writer.grammar = Grammar::Psl;
            writer.expr(decl.formula, LOWEST);
            writer.grammar = Grammar::NuSmv;
        }
        _ => writer.root(decl.formula),
    }
    if let Some(context) = decl.context {
        writer.text(" IN ");
        writer.expr(context, LOWEST);
    }
    writer.text(";");
}

/// Prints a type. Arrays of arrays are printed from the outermost to the innermost.
pub(super) fn ty(writer: &mut Writer<'_>, mut ty: &TypeExpr) {
    while let TypeKind::Array(low, high, element) = &ty.kind {
        writer.text("array ");
        range(writer, *low, *high);
        writer.text(" of ");
        ty = element;
    }
    match &ty.kind {
        TypeKind::Boolean => writer.text("boolean"),
        TypeKind::Integer => writer.text("integer"),
        TypeKind::Enum(values) => {
            for (n, value) in values.iter().enumerate() {
                writer.text(if n == 0 { "{" } else { ", " });
                writer.expr(*value, LOWEST);
            }
            writer.text("}");
        }
        TypeKind::Range(low, high) => range(writer, *low, *high),
        TypeKind::Word { signed, width } => {
            writer.text(if *signed { "signed word[" } else { "unsigned word[" });
            writer.expr(*width, LOWEST);
            writer.text("]");
        }
        TypeKind::Instance { process, module, args } => {
            writer.text(if *process { "process " } else { "" });
            writer.text(&module.text);
            for (n, arg) in args.iter().enumerate() {
                writer.text(if n == 0 { "(" } else { ", " });
                writer.expr(*arg, LOWEST);
            }
            writer.text(if args.is_empty() { "" } else { ")" });
        }
        TypeKind::Array(..) | TypeKind::Error => writer.text("<error>"),
    }
}

fn range(writer: &mut Writer<'_>, low: crate::smv::ast::ExprId, high: crate::smv::ast::ExprId) {
    let level = writer.grammar.range() + 1;
    writer.expr(low, level);
    writer.text("..");
    writer.expr(high, level);
}

/// The width to which names are padded.
fn common_width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.map(str::len).filter(|width| *width <= MAX_ALIGNED).max().unwrap_or(0)
}

fn padded(writer: &mut Writer<'_>, name: &str, width: usize) {
    writer.text(name);
    for _ in name.len()..width {
        writer.text(" ");
    }
}
