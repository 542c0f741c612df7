//! Lowering of types, constants, variables and initial values.

use super::exprs::{ExprContext, Time};
use super::reals::bare;
use super::{Entity, Lowering};
use crate::expr::{Node, SourcedExpr};
use crate::interface::Role;
use crate::model::{Assign, AssignKind, Define, DefineId, Var, VarId, VarKind, When};
use crate::op::BinaryOp;
use crate::ty::{Scalar, Ty};
use crate::value::{Domain, Value};
use specwright_syntax::diagnostic::{Diagnostic, closest};
use specwright_syntax::scr::ast::{Class, Name, TableKind, TypeExpr, TypeKind, VarDecl};
use specwright_syntax::scr::codes;
use specwright_syntax::span::Span;
use std::sync::Arc;

impl<'a> Lowering<'a> {
    pub(super) fn declare(&mut self) {
        // Constants come first: bounds of types may use them.
        for decl in &self.file.constants {
            let entity = self.constant_decl(&decl.name, &decl.value);
            self.declare_name(&decl.name, entity, "constant");
        }
        for decl in &self.file.types {
            let domain = self.domain(&decl.ty);
            if self.types.contains_key(decl.name.text.as_str()) {
                let message = format!("two types have the name `{}`", decl.name.text);
                self.report(Diagnostic::error(codes::DUPLICATE, decl.name.span, message));
            }
            self.types.insert(&decl.name.text, domain);
        }
        for decl in &self.file.vars {
            let domain = self.domain(&decl.ty);
            let span = decl.name.span;
            let entity = match domain {
                Some((domain, is_real)) => {
                    let role = match decl.class {
                        Class::Monitored => Role::Input,
                        // Testers observe modes; terms are auxiliary.
                        Class::Controlled | Class::Mode => Role::Output,
                        Class::Term => Role::Internal,
                    };
                    let name = decl.name.text.clone();
                    let var = VarId(self.model.vars.len() as u32);
                    self.model.vars.push(Var { name, domain, kind: VarKind::State, span });
                    self.model.set_role(var, role);
                    if is_real {
                        self.reals.insert(var);
                        self.model.system.denominators.push((var, self.denominator));
                    }
                    self.classes.push(decl);
                    Entity::Var(var)
                }
                None => Entity::Broken,
            };
            self.declare_name(&decl.name, entity, decl.class.name());
            if decl.class == Class::Mode && !matches!(decl.ty.kind, TypeKind::Enum(_) | TypeKind::Named(_)) {
                let message = format!("the modes of `{}` must be listed", decl.name.text);
                self.report(
                    Diagnostic::error(codes::BAD_TYPE, decl.ty.span, message).help("such as `{Off, Standby, On}`"),
                );
            }
        }
    }

    fn declare_name(&mut self, name: &'a Name, entity: Entity, what: &str) {
        if let Some((_, first)) = self.names.get(name.text.as_str()).copied() {
            let message = format!("the {what} `{}` has a name that is taken", name.text);
            self.report(Diagnostic::error(codes::DUPLICATE, name.span, message).also(first, "first used here"));
            return;
        }
        self.names.insert(&name.text, (entity, name.span));
    }

    fn constant_decl(&mut self, name: &Name, value: &'a specwright_syntax::scr::ast::Expr) -> Entity {
        let Some(built) = self.expr(value, &ExprContext::constant(), Time::Now) else { return Entity::Broken };
        let define = DefineId(self.model.defines.len() as u32);
        self.real_constants.extend(built.denominator.map(|denominator| (define, denominator)));
        let body = built.sourced();
        self.model.defines.push(Define { name: name.text.clone(), body, span: name.span });
        Entity::Constant(define)
    }

    /// The values of a type, and whether they are real numbers.
    fn domain(&mut self, ty: &'a TypeExpr) -> Option<(Domain, bool)> {
        match &ty.kind {
            TypeKind::Boolean => Some((Domain::Bool, false)),
            TypeKind::Named(name) => {
                if let Some(known) = self.types.get(name.as_str()) {
                    return known.clone();
                }
                match name.to_lowercase().as_str() {
                    "integer" | "int" => return Some((Domain::Integer, false)),
                    "real" => return Some((Domain::Integer, true)),
                    _ => {}
                }
                let message = format!("unknown type `{name}`");
                let mut diagnostic = Diagnostic::error(codes::BAD_TYPE, ty.span, message);
                diagnostic = match (name.to_lowercase().as_str(), closest(name, self.types.keys().copied())) {
                    ("natural" | "float" | "double" | "number", _) => diagnostic
                        .help("types of numbers are `integer`, `real`, and ranges such as `0..255` and `0.0..1.5`"),
                    (_, Some(known)) => diagnostic.suggest("a similar type is", ty.span, known),
                    _ => diagnostic
                        .help("types are `boolean`, `integer`, `real`, `{A, B}`, `0..9`, or declared under `types`"),
                };
                self.report(diagnostic);
                None
            }
            TypeKind::Enum(names) => Some((self.enumeration(names)?, false)),
            TypeKind::Range(low, high) => {
                let bounds = [low, high].map(|bound| {
                    let built = self.expr(bound, &ExprContext::constant(), Time::Now)?;
                    let (known, denominator) = (self.known_value(built.expr), built.denominator);
                    let Some(Value::Int(number)) = known else {
                        let message = "the bounds of a range must be constant numbers";
                        self.report(Diagnostic::error(codes::BAD_TYPE, bound.span, message));
                        return None;
                    };
                    Some((number, denominator))
                });
                let [Some(low), Some(high)] = bounds else { return None };
                let is_real = low.1.is_some() || high.1.is_some();
                let own = if is_real { self.denominator } else { 1 };
                let numerator = |(number, denominator): (i64, Option<i64>)| {
                    let denominator = denominator.unwrap_or(1);
                    if own % denominator == 0 { number.checked_mul(own / denominator) } else { None }
                };
                let [Some(low), Some(high)] = [low, high].map(numerator) else {
                    let message = "this range is too fine or too large";
                    self.report(Diagnostic::error(codes::BAD_TYPE, ty.span, message));
                    return None;
                };
                if low > high {
                    let [low, high] = [low, high].map(|bound| bare(bound, own));
                    let message = format!("the range {low}..{high} is empty");
                    let diagnostic = Diagnostic::error(codes::BAD_TYPE, ty.span, message);
                    self.report(diagnostic.suggest("the smaller one comes first", ty.span, format!("{high}..{low}")));
                    return None;
                }
                Some((Domain::Range(low, high), is_real))
            }
        }
    }

    fn enumeration(&mut self, names: &'a [Name]) -> Option<Domain> {
        let mut values: Vec<Value> = Vec::new();
        let mut good = true;
        for name in names {
            let symbol = self.model.context.symbols.intern(&name.text);
            if values.contains(&Value::Symbol(symbol)) {
                let message = format!("`{}` is listed twice", name.text);
                self.report(Diagnostic::error(codes::DUPLICATE, name.span, message));
                good = false;
            }
            self.symbols.insert(&name.text, symbol);
            values.push(Value::Symbol(symbol));
        }
        good.then(|| Domain::Enum(Arc::from(values)))
    }

    /// All variables with their declarations.
    pub(super) fn declared(&self) -> impl Iterator<Item = (VarId, &'a VarDecl)> + use<'a> {
        let classes = self.classes.clone();
        (0..).map(VarId).zip(classes)
    }

    /// Initial values: required for variables with memory, optional for monitored variables, implied by condition
    /// tables.
    pub(super) fn initial_values(&mut self) {
        for (var, decl) in self.declared() {
            let table = self.file.tables.iter().find(|table| table.name.text == decl.name.text);
            let by_condition = table.is_some_and(|table| table.kind == TableKind::Condition);
            let Some(value) = &decl.initially else {
                if decl.class != Class::Monitored && !by_condition && table.is_some() {
                    let message = format!("`{}` has no initial value", decl.name.text);
                    let help = format!("write `{} : … initially …`", decl.name.text);
                    self.report(Diagnostic::error(codes::NO_INITIAL_VALUE, decl.name.span, message).help(help));
                }
                continue;
            };
            let place = ExprContext::value_of(var);
            let Some(built) = self.value(value, var, &place, Time::Now) else { continue };
            if by_condition {
                let left = self.plain(Node::Var(var));
                let equal = self.plain(Node::Binary(BinaryOp::Eq, left, built.expr));
                let message = format!("`{}` does not start with the value that its table gives", decl.name.text);
                let diagnostic = Diagnostic::error(codes::BAD_INITIAL_VALUE, value.span, message);
                let diagnostic = match table {
                    Some(table) => diagnostic.also(table.name.span, "this table determines it in every state"),
                    None => diagnostic,
                };
                self.expect(When::Initially, equal, diagnostic);
            } else {
                let sourced: SourcedExpr = built.sourced();
                let span = decl.name.span.to(value.span);
                self.model.assigns.push(Assign { kind: AssignKind::Init, var, value: sourced, span });
            }
        }
    }

    /// A value of the type of a variable; a constant must be in its domain.
    pub(super) fn value(
        &mut self,
        value: &specwright_syntax::scr::ast::Expr,
        var: VarId,
        place: &ExprContext,
        time: Time,
    ) -> Option<super::Built> {
        let built = self.expr_like(value, Some(var), place, time)?;
        let declared = &self.model[var];
        let (name, span, domain) = (declared.name.clone(), declared.span, declared.domain.clone());
        let found = self.model.context.exprs.ty(built.expr).clone();
        if !domain.ty().accepts(&found) {
            let message = format!("`{name}` cannot have this value: it is {}", describe(&found));
            self.report(
                Diagnostic::error(codes::TYPE_MISMATCH, value.span, message)
                    .also(span, format!("`{name}` is {}", describe(&domain.ty()))),
            );
            return None;
        }
        let built = self.as_values_of(var, built, value.span)?;
        if let Some(constant) = self.known_value(built.expr)
            && !domain.contains(constant)
        {
            self.cannot_be((&name, span, &domain), constant, built.denominator.unwrap_or(1), value.span);
            return None;
        }
        Some(built)
    }

    /// Reports a value outside of the domain of a variable.
    pub(super) fn cannot_be(
        &mut self,
        (name, declared, domain): (&str, Span, &Domain),
        value: Value,
        denominator: i64,
        span: Span,
    ) {
        let shown = match value {
            Value::Int(number) => bare(number, denominator),
            value => self.model.show(value),
        };
        let mut diagnostic = Diagnostic::error(codes::BAD_VALUE, span, format!("`{name}` cannot be `{shown}`"));
        if let Domain::Enum(values) = domain {
            let names: Vec<String> = values.iter().map(|value| self.model.show(*value)).collect();
            let near = closest(&shown, names.iter().map(String::as_str)).map(str::to_owned);
            diagnostic = match near {
                Some(near) => diagnostic.suggest("a value with a similar name is", span, near),
                None => diagnostic.note(format!("its values are {}", names.join(", "))),
            };
        } else if let Domain::Range(low, high) = domain {
            let [low, high] = [*low, *high].map(|bound| bare(bound, denominator));
            diagnostic = diagnostic.note(format!("its values are {low} to {high}"));
        }
        self.report(diagnostic.also(declared, "declared here"));
    }
}

/// The name of a type in messages.
pub(super) fn describe(ty: &Ty) -> &'static str {
    match ty {
        Ty::One(Scalar::Bool) => "a boolean",
        Ty::One(Scalar::Int) => "a number",
        Ty::One(Scalar::Symbol) => "a name of a value",
        _ => "something else",
    }
}
