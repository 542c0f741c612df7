//! Locations and their initial values.

use super::location_layout::{Layout, shape};
use super::signature::Dom;
use super::value::{Const, Sym};
use super::{Env, Location, Lowering, Stop};
use crate::expr::Node;
use crate::interface::Role;
use crate::model::{Assign, AssignKind, Compound, Shape, VarId, VarKind};
use crate::op::BinaryOp;
use specwright_syntax::asm::ast::{File, FunctionKind};
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;

/// Maximal number of locations of a function with infinite parameter domains.
const MAX_LOCATIONS: usize = 1000;

impl Lowering<'_> {
    /// Creates the variables, in declared order.
    pub(super) fn make_layouts(&mut self) {
        let has_outputs = self.sig.functions.iter().any(|function| function.kind == FunctionKind::Out);
        for index in 0..self.sig.functions.len() {
            let function = &self.sig.functions[index];
            let (kind, updated, input) = (function.kind, function.updated, function.is_input());
            let dynamic = !matches!(kind, FunctionKind::Static | FunctionKind::Derived) || function.is_parameter;
            // A function that is never updated keeps its initial value.
            if !dynamic
                || !function.mentioned
                || !(input || updated)
                || self.is_unread_result(index)
                || self.is_local_result(index)
            {
                continue;
            }
            if function.is_parameter && !self.can_be_chosen(index) {
                self.sig.functions[index].is_parameter = false;
                continue;
            }
            let role = match kind {
                _ if input => Role::Input,
                FunctionKind::Controlled | FunctionKind::Local if has_outputs => Role::Internal,
                _ => Role::Output,
            };
            let n_vars = self.model.vars.len();
            let _ = self.make_function(index, role);
            if self.sig.functions[index].is_parameter {
                self.model.vars[n_vars..].iter_mut().for_each(|var| var.kind = VarKind::Frozen);
                self.warn_of_parameter(index);
            }
        }
        self.make_reserve_layouts();
        self.constrain_time();
    }

    /// Whether tests can choose what a static function is: it has a finite number of locations, of values that are known.
    fn can_be_chosen(&mut self, index: usize) -> bool {
        let function = &self.sig.functions[index];
        let (params, codomain, span) = (function.params.clone(), function.codomain.clone(), function.span);
        let is_number = matches!(self.base(&codomain), Dom::Int { .. });
        let mut has_end = |dom: &Dom| matches!(self.elements(dom, span), Ok(Some(_)));
        params.iter().all(&mut has_end) && (is_number || has_end(&codomain))
    }

    /// Warns of a static function without a definition.
    fn warn_of_parameter(&mut self, index: usize) {
        let function = &self.sig.functions[index];
        let message = format!("`{}` has no definition", function.name);
        let note = "tests choose what it is, and it stays the same in each of them";
        self.report(Diagnostic::warning(codes::NO_DEFINITION, function.span, message).note(note));
    }

    /// The time of the `TimeLibrary` is not negative, and does not run backwards.
    fn constrain_time(&mut self) {
        for at in 0..self.layouts.len() {
            let Some((location, Layout::One { var, .. })) = self.layouts.get_index(at) else { continue };
            let (function, var) = (&self.sig.functions[location.0], *var);
            let is_library = |file: &&File| {
                file.name.as_ref().is_some_and(|name| &*name.text == "TimeLibrary")
                    && file.functions.iter().any(|decl| decl.name.span == function.span)
            };
            if !function.name.starts_with("mCurrTime") || !self.files.iter().any(|file| is_library(&file)) {
                continue;
            }
            let span = function.span;
            let (now, zero) = (self.var_expr(var), self.int(0));
            let later = self.node(Node::Next(now));
            let positive = self.compare(BinaryOp::Ge, now, zero);
            let forwards = self.compare(BinaryOp::Ge, later, now);
            self.model.invar.push(super::sourced(positive, span));
            self.model.trans.push(super::sourced(forwards, span));
        }
    }

    fn make_function(&mut self, index: usize, role: Role) -> Result<(), Stop> {
        let function = &self.sig.functions[index];
        let (name, span, codomain) = (function.name.clone(), function.span, function.codomain.clone());
        let mut lists = Vec::new();
        for param in function.params.clone() {
            let Some(list) = self.elements(&param, span)? else {
                // The parameter domain is infinite, but finitely many locations may be used.
                self.facts.args.entry(index).or_default();
                break;
            };
            lists.push(list);
        }
        let rows = match self.facts.args.get(&index) {
            Some(rows) if rows.len() > MAX_LOCATIONS => {
                return Err(self.endless(span, format!("the number of locations of `{name}` is unbounded")));
            }
            Some(rows) => rows.iter().cloned().collect(),
            None => self.product(&lists, span)?,
        };
        for args in rows {
            let mut full = location_name(&name, &args);
            // Modules may have functions of their own with the same name.
            let file = self.sig.functions[index].file;
            let is_other = |other: &usize| self.sig.functions[*other].file != file;
            if let (Some(_), Some(module)) =
                (self.named.get(&full).filter(|other| is_other(other)), &self.files[file].name)
            {
                full = format!("{}.{full}", module.text);
            }
            // Arguments that are sets may have names that look alike.
            if self.named.get(&full) == Some(&index) {
                let numbered = (2..).map(|number: usize| format!("{full}_{number}"));
                full = numbered.into_iter().find(|name| !self.named.contains_key(name)).unwrap_or(full);
            }
            if self.named.get(&full).is_none_or(|other| *other == index) {
                full = self.unused_name(full);
            }
            if self.named.insert(full.clone(), index).is_some_and(|other| other != index) {
                let message = format!("`{name}` is declared for domains that have an element in common");
                return Err(self.unsupported(span, &message));
            }
            let layout = self.make_layout(index, &full, &codomain, role, span)?;
            let list: Vec<String> = args.iter().map(Const::to_string).collect();
            let alias = if list.is_empty() { name.to_string() } else { format!("{name}({})", list.join(",")) };
            self.note_naturals(index, &alias, &args, &layout);
            if self.sig.functions[index].is_shared() {
                self.make_shared((index, args.clone()), &full, &alias, &codomain, span)?;
            }
            let shape = shape(&layout);
            note_denominators(&shape, &mut self.model.system.denominators);
            match shape {
                Shape::One(var) => self.model.source.aliases.push((var, alias)),
                shape if shape.first_var().is_some() => {
                    self.model.source.compounds.push(Compound { name: alias, shape });
                }
                _ => {}
            }
            self.layouts.insert((index, args), layout);
        }
        Ok(())
    }

    /// Records which variables and arguments are natural numbers.
    fn note_naturals(&mut self, index: usize, alias: &str, args: &[Const], layout: &Layout) {
        let function = &self.sig.functions[index];
        let is_natural = |dom: &Dom| self.base(dom) == Dom::Int { natural: true };
        let number = match layout {
            Layout::One { var, .. } if is_natural(&function.codomain) => Some(*var),
            _ => None,
        };
        if function.params.iter().any(is_natural) {
            let written = function.params.iter().zip(args).map(|(param, arg)| match arg {
                Const::Int(value) if is_natural(param) => format!("{value}n"),
                other => other.to_string(),
            });
            let written: Vec<String> = written.collect();
            let name = format!("{}({})", function.name, written.join(","));
            self.model.source.natural_names.push((alias.into(), name));
        }
        self.model.source.naturals.extend(number);
    }

    pub(super) fn endless(&mut self, span: Span, message: String) -> Stop {
        self.stop(
            Diagnostic::error(codes::UNBOUNDED, span, message)
                .help("declare a finite domain: `domain D subsetof Integer`, and `domain D = {0 : 100}`"),
        )
    }

    /// Defines the initial values.
    pub(super) fn lower_inits(&mut self) {
        for at in 0..self.layouts.len() {
            let Some((location, layout)) =
                self.layouts.get_index(at).map(|(location, layout)| (location.clone(), layout.clone()))
            else {
                continue;
            };
            let _ = self.lower_init(&location, &layout);
        }
    }

    fn lower_init(&mut self, location: &Location, layout: &Layout) -> Result<(), Stop> {
        let function = &self.sig.functions[location.0];
        let (kind, input) = (function.kind, function.is_input());
        // The environment may change a shared function before the first step.
        if input && (kind == FunctionKind::Shared || function.initial.is_none()) {
            return Ok(());
        }
        let span = function.initial.map_or(function.span, |definition| definition.def.name.span);
        let value = self.initial_value(location)?;
        if input {
            return self.lower_first_input(location, layout, &value, span);
        }
        let (fits, writes) = self.write_location(location.0, layout, &value, span)?;
        if self.truth_of(fits) == Some(false) && !self.facts.seen.contains_key(&location.0) {
            return self.widen_by_initial(location, &value, span);
        }
        for (var, expr) in writes {
            let value = super::sourced(expr, span);
            self.model.assigns.push(Assign { kind: AssignKind::Init, var, value, span });
        }
        Ok(())
    }

    /// The initial value of a monitored location, if the initial state defines one.
    fn lower_first_input(&mut self, location: &Location, layout: &Layout, value: &Sym, span: Span) -> Result<(), Stop> {
        let given = self.is_defined(value);
        if self.truth_of(given) == Some(false) {
            return Ok(());
        }
        let (fits, writes) = self.write_location(location.0, layout, value, span)?;
        if self.truth_of(fits) == Some(false) {
            return Err(self.initial_outside(location, span));
        }
        if self.set_first.iter().any(|name| **name == *self.sig.functions[location.0].name) {
            self.model.source.first_inputs.extend(writes);
            return Ok(());
        }
        let mut parts = vec![fits];
        for (var, expr) in writes {
            let var = self.var_expr(var);
            parts.push(self.compare(BinaryOp::Eq, var, expr));
        }
        let same = self.all(&parts);
        let first = self.implies(given, same);
        self.model.init.push(super::sourced(first, span));
        Ok(())
    }

    /// Notes numbers that the initial state gives to a function although they are not in its domain. ASMETA lets them be.
    fn widen_by_initial(&mut self, location: &Location, value: &Sym, span: Span) -> Result<(), Stop> {
        let codomain = self.sig.functions[location.0].codomain.clone();
        let mut open: Vec<(Dom, Const)> = value.known().map(|value| (codomain, value)).into_iter().collect();
        let mut outside = Vec::new();
        while let Some((dom, item)) = open.pop() {
            match (self.base(&dom), item) {
                (Dom::Prod(parts), Const::Tuple(items)) => open.extend(parts.into_iter().zip(items)),
                (Dom::Int { .. }, Const::Int(number)) => {
                    let elements = self.elements(&dom, span)?;
                    if elements.is_some_and(|elements| !elements.contains(&Const::Int(number))) {
                        outside.push(number);
                    }
                }
                _ => {}
            }
        }
        if outside.is_empty() {
            return Err(self.initial_outside(location, span));
        }
        self.facts.initial.entry(location.0).or_default().extend(outside);
        Ok(())
    }

    /// Warns of functions whose initial values are not in their domains.
    pub(super) fn warn_of_initial(&mut self) {
        for function in self.facts.initial.clone().into_keys() {
            let function = &self.sig.functions[function];
            let span = function.initial.map_or(function.span, |definition| definition.def.name.span);
            let (name, codomain) = (function.name.clone(), function.codomain.clone());
            let text = self.domain_text(&codomain);
            let message = format!("an initial value of `{name}` is not in `{text}`");
            let note = format!("it is added to the values of `{name}`");
            self.report(Diagnostic::warning(codes::OUTSIDE, span, message).note(note));
        }
    }

    fn initial_outside(&mut self, location: &Location, span: Span) -> Stop {
        let name = location_name(&self.sig.functions[location.0].name, &location.1);
        let text = self.domain_text(&self.sig.functions[location.0].codomain.clone());
        let message = format!("the initial value of `{name}` is not in `{text}`");
        self.stop(Diagnostic::error(codes::WRONG_KIND, span, message))
    }

    /// The initial value of a location.
    pub(super) fn initial_value(&mut self, location: &Location) -> Result<Sym, Stop> {
        // An element that is created later is `undef` initially.
        if location.1.iter().any(|arg| self.is_reserved(arg)) {
            let exists = self.sig.reserves.iter().any(|reserve| reserve.exists == location.0);
            return Ok(if exists { Sym::bool(false) } else { Sym::UNDEF });
        }
        let Some(definition) = self.sig.functions[location.0].initial else { return Ok(Sym::UNDEF) };
        let mut env = Env::new(self, definition.file);
        for (param, arg) in definition.def.params.iter().zip(&location.1) {
            env.bind(&param.var.text, super::Binding::Value(Sym::Known(arg.clone())));
        }
        self.eval(definition.def.body, &env)
    }
}

/// The name of a location: `f`, `f.a`, `f[2]`.
pub(super) fn location_name(function: &str, args: &[Const]) -> String {
    args.iter().fold(function.to_owned(), |name, arg| member_name(&name, arg))
}

pub(super) fn member_name(name: &str, item: &Const) -> String {
    match item {
        Const::Int(value) => format!("{name}[{value}]"),
        Const::Tuple(items) | Const::Set(items) | Const::Seq(items) => {
            items.iter().fold(name.to_owned(), |name, item| member_name(&name, item))
        }
        other => format!("{name}.{other}"),
    }
}

/// Records the denominators of the real numbers in a shape.
fn note_denominators(shape: &Shape, found: &mut Vec<(VarId, i64)>) {
    match shape {
        Shape::One(_) | Shape::Known(_) | Shape::Set(_) => {}
        Shape::Fraction(denominator, whole) => {
            found.extend(whole.vars().into_iter().map(|var| (var, *denominator)));
        }
        Shape::Tuple(parts) | Shape::Seq { items: parts, .. } => {
            for part in parts {
                note_denominators(part, found);
            }
        }
        Shape::Mixed { cases, .. } => {
            for (_, case) in cases {
                note_denominators(case, found);
            }
        }
    }
}
