//! Locations: the variables that hold them, and what may be in them.

use super::build::UNDEF;
use super::signature::Dom;
use super::value::{Const, Sym, Values};
use super::{Env, Location, Lowering, Stop};
use crate::model::{Assign, AssignKind, Compound, Role, Shape, Var, VarId, VarKind};
use crate::op::BinaryOp;
use crate::value::{Domain, Value};
use specwright_syntax::asm::ast::FunctionKind;
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// More locations than this are not made of a function whose parameters have no end.
const MOST_LOCATIONS: usize = 1000;

/// So far apart may numbers be that a function was seen to hold.
const WIDEST: u64 = 1 << 16;

/// How a location is held.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    /// It can only have this value.
    Known(Const),
    One {
        var: VarId,
        values: Values,
        /// All values, for those that are not a range.
        allowed: Option<Rc<[Const]>>,
        undef: Undef,
    },
    Tuple(Vec<Slot>),
    /// A variable for each possible member.
    Set(Vec<(Const, VarId)>),
}

/// How it is told that a location is without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undef {
    Never,
    /// Its variable is the symbol `undef`.
    Symbol,
    /// Another variable says whether there is a value.
    Flag(VarId),
}

impl Lowering<'_> {
    /// Makes the variables, in declared order.
    pub(super) fn make_slots(&mut self) {
        let has_outputs = self.sig.functions.iter().any(|function| function.kind == FunctionKind::Out);
        for index in 0..self.sig.functions.len() {
            let function = &self.sig.functions[index];
            let (kind, updated) = (function.kind, function.updated);
            let input = kind == FunctionKind::Monitored || (kind == FunctionKind::Shared && !updated);
            let dynamic = !matches!(kind, FunctionKind::Static | FunctionKind::Derived);
            // What is never updated is what it is in the beginning.
            if !dynamic || !function.mentioned || !(input || updated) {
                continue;
            }
            let role = match kind {
                _ if input => Role::Input,
                FunctionKind::Controlled | FunctionKind::Local if has_outputs => Role::Internal,
                _ => Role::Output,
            };
            let _ = self.make_function(index, role);
        }
    }

    fn make_function(&mut self, index: usize, role: Role) -> Result<(), Stop> {
        let function = &self.sig.functions[index];
        let (name, span, codomain) = (function.name.clone(), function.span, function.codomain.clone());
        let mut lists = Vec::new();
        for param in function.params.clone() {
            let Some(list) = self.elements(&param, span)? else {
                // There is no end of locations, but perhaps only so many are ever looked at.
                self.facts.args.entry(index).or_default();
                break;
            };
            lists.push(list);
        }
        let rows = match self.facts.args.get(&index) {
            Some(rows) if rows.len() > MOST_LOCATIONS => {
                return Err(self.endless(span, format!("there is no end of locations of `{name}`")));
            }
            Some(rows) => rows.iter().cloned().collect(),
            None => self.product(&lists, span)?,
        };
        for args in rows {
            let full = location_name(&name, &args);
            let slot = self.make_slot(index, &full, &codomain, role, span)?;
            let list: Vec<String> = args.iter().map(Const::to_string).collect();
            let alias = if list.is_empty() { name.to_string() } else { format!("{name}({})", list.join(",")) };
            match shape(&slot) {
                Shape::One(var) => self.model.aliases.push((var, alias)),
                shape if shape.first_var().is_some() => self.model.compounds.push(Compound { name: alias, shape }),
                _ => {}
            }
            self.slots.insert((index, args), slot);
        }
        Ok(())
    }

    fn endless(&mut self, span: Span, message: String) -> Stop {
        self.stop(
            Diagnostic::error(codes::UNBOUNDED, span, message)
                .help("declare a domain with an end: `domain D subsetof Integer`, and `domain D = {0 : 100}`"),
        )
    }

    fn make_slot(&mut self, function: usize, name: &str, dom: &Dom, role: Role, span: Span) -> Result<Slot, Stop> {
        let may_undef = role != Role::Input && self.facts.undef.contains(&function);
        match self.base(dom) {
            Dom::Prod(parts) => {
                let mut slots = Vec::new();
                for (at, part) in parts.iter().enumerate() {
                    slots.push(self.make_slot(function, &format!("{name}.{}", at + 1), part, role, span)?);
                }
                return Ok(Slot::Tuple(slots));
            }
            Dom::Set(inner) => {
                let Some(items) = self.elements(&inner, span)? else {
                    let text = self.domain_text(dom);
                    return Err(self.endless(span, format!("`{name}` is a set of `{text}`, of which there is no end")));
                };
                let mut vars = Vec::new();
                for item in items.iter() {
                    let var = self.add_var(&member_name(name, item), Domain::Bool, role, span);
                    vars.push((item.clone(), var));
                }
                return Ok(Slot::Set(vars));
            }
            _ => {}
        }
        let items = match self.elements(dom, span)? {
            Some(items) => items,
            None if role == Role::Input && matches!(self.base(dom), Dom::Int { .. }) => {
                return Ok(self.make_endless(name, dom, (i64::MIN, i64::MAX), may_undef, role, span));
            }
            None if role == Role::Input => {
                let text = self.domain_text(dom);
                let message = format!("`{name}` may be any `{text}`, of which there is no end");
                return Err(self.endless(span, message));
            }
            None if matches!(self.base(dom), Dom::Int { .. }) && self.endless_numbers(function).is_some() => {
                let ends = self.endless_numbers(function).unwrap_or_default();
                return Ok(self.make_endless(name, dom, ends, may_undef, role, span));
            }
            None => match self.base(dom) {
                Dom::Int { .. } | Dom::Text | Dom::Any => {
                    let seen = self.facts.seen.entry(function).or_default();
                    let mut items: Vec<Const> = seen.atoms.iter().cloned().map(Const::Atom).collect();
                    if let Some((first, last)) = seen.ints {
                        items.extend((first..=last).map(Const::Int));
                    }
                    if seen.bools {
                        items.extend([Const::Bool(false), Const::Bool(true)]);
                    }
                    items.into()
                }
                base => {
                    let text = self.domain_text(&base);
                    let message = format!("`{name}` holds `{text}`, of which there is no end");
                    return Err(self.endless(span, message));
                }
            },
        };
        self.make_single(name, &items, may_undef, role, span)
    }

    /// The ends of the numbers that a function holds, if there are none, or if so many lie between that nobody lists them.
    fn endless_numbers(&mut self, function: usize) -> Option<(i64, i64)> {
        if self.facts.endless.contains(&function) {
            return Some((i64::MIN, i64::MAX));
        }
        let ints = self.facts.seen.entry(function).or_default().ints;
        ints.filter(|(first, last)| first.abs_diff(*last) > WIDEST || self.open.contains(&function))
    }

    /// The variable, and perhaps the flag, of a location that holds any number.
    fn make_endless(
        &mut self,
        name: &str,
        dom: &Dom,
        (low, high): (i64, i64),
        may_undef: bool,
        role: Role,
        span: Span,
    ) -> Slot {
        let natural = self.base(dom) == Dom::Int { natural: true };
        let var = self.add_var(name, Domain::Integer, role, span);
        let undef = if may_undef {
            Undef::Flag(self.add_var(&format!("{name}.defined"), Domain::Bool, role, span))
        } else {
            Undef::Never
        };
        if natural && role == Role::Input {
            let (value, zero) = (self.var_expr(var), self.int(0));
            let positive = self.compare(BinaryOp::Ge, value, zero);
            self.model.invar.push(super::written(positive, span));
        }
        let values = Values::Int(if natural { low.max(0) } else { low }, high);
        Slot::One { var, values, allowed: None, undef }
    }

    /// The variable, and perhaps the flag, of a location that holds one of some values.
    fn make_single(
        &mut self,
        name: &str,
        items: &Rc<[Const]>,
        may_undef: bool,
        role: Role,
        span: Span,
    ) -> Result<Slot, Stop> {
        let first = match items.first() {
            None => return Ok(Slot::Known(Const::Undef)),
            Some(only) if items.len() == 1 && !may_undef => return Ok(Slot::Known(only.clone())),
            Some(first) => first,
        };
        let same_kind = |item: &Const| std::mem::discriminant(item) == std::mem::discriminant(first);
        if !items.iter().all(same_kind) || !matches!(first, Const::Bool(_) | Const::Int(_) | Const::Atom(_)) {
            return Err(self
                .unsupported(span, &format!("`{name}` holds values of different kinds, or sets or tuples as values")));
        }
        let (domain, values, allowed, symbol) = match first {
            Const::Bool(_) => (Domain::Bool, Values::Bool, None, false),
            Const::Int(_) => {
                let ints: BTreeSet<i64> = items
                    .iter()
                    .filter_map(|item| if let Const::Int(value) = item { Some(*value) } else { None })
                    .collect();
                let (low, high) = (*ints.first().unwrap_or(&0), *ints.last().unwrap_or(&0));
                if high.abs_diff(low) + 1 == ints.len() as u64 {
                    (Domain::Range(low, high), Values::Int(low, high), None, false)
                } else {
                    let values: Vec<Value> = ints.into_iter().map(Value::Int).collect();
                    (Domain::Enum(values.into()), Values::Int(low, high), Some(items.clone()), false)
                }
            }
            _ => {
                let mut names: Vec<Arc<str>> = items
                    .iter()
                    .filter_map(|item| if let Const::Atom(name) = item { Some(name.clone()) } else { None })
                    .collect();
                let values = Values::Atoms(names.clone().into());
                if may_undef {
                    names.push(UNDEF.into());
                }
                let symbols: Vec<Value> =
                    names.iter().map(|name| Value::Symbol(self.model.symbols.intern(name))).collect();
                (Domain::Enum(symbols.into()), values, Some(items.clone()), may_undef)
            }
        };
        let var = self.add_var(name, domain, role, span);
        let undef = match (may_undef, symbol) {
            (false, _) => Undef::Never,
            (true, true) => Undef::Symbol,
            (true, false) => Undef::Flag(self.add_var(&format!("{name}.defined"), Domain::Bool, role, span)),
        };
        Ok(Slot::One { var, values, allowed, undef })
    }

    pub(super) fn add_var(&mut self, name: &str, domain: Domain, role: Role, span: Span) -> VarId {
        self.model.vars.push(Var { name: name.into(), domain, kind: VarKind::State, role, span });
        VarId(self.model.vars.len() as u32 - 1)
    }

    /// The initial values.
    pub(super) fn lower_inits(&mut self) {
        for at in 0..self.slots.len() {
            let Some((location, slot)) =
                self.slots.get_index(at).map(|(location, slot)| (location.clone(), slot.clone()))
            else {
                continue;
            };
            let _ = self.lower_init(&location, &slot);
        }
    }

    fn lower_init(&mut self, location: &Location, slot: &Slot) -> Result<(), Stop> {
        let function = &self.sig.functions[location.0];
        if function.kind == FunctionKind::Monitored || (function.kind == FunctionKind::Shared && !function.updated) {
            return Ok(());
        }
        let span = function.initial.map_or(function.span, |definition| definition.def.name.span);
        let value = self.initial_value(location)?;
        let (fits, written) = self.write_slot(location.0, slot, &value, span)?;
        if self.truth_of(fits) == Some(false) && !self.facts.seen.contains_key(&location.0) {
            let name = location_name(&self.sig.functions[location.0].name, &location.1);
            let text = self.domain_text(&self.sig.functions[location.0].codomain.clone());
            let message = format!("the initial value of `{name}` is not in `{text}`");
            return Err(self.stop(Diagnostic::error(codes::WRONG_KIND, span, message)));
        }
        for (var, expr) in written {
            let value = super::written(expr, span);
            self.model.assigns.push(Assign { kind: AssignKind::Init, var, value, span });
        }
        Ok(())
    }

    /// What a location holds in the beginning.
    pub(super) fn initial_value(&mut self, location: &Location) -> Result<Sym, Stop> {
        let Some(definition) = self.sig.functions[location.0].initial else { return Ok(Sym::UNDEF) };
        let mut env = Env::new(self, definition.file);
        for (param, arg) in definition.def.params.iter().zip(&location.1) {
            env.bind(&param.var.text, super::Binding::Value(Sym::Known(arg.clone())));
        }
        self.eval(definition.def.body, &env)
    }
}

/// How variables hold what is in a slot.
fn shape(slot: &Slot) -> Shape {
    match slot {
        Slot::Known(value) => Shape::Known(value.to_string()),
        Slot::One { var, .. } => Shape::One(*var),
        Slot::Tuple(slots) => Shape::Tuple(slots.iter().map(shape).collect()),
        Slot::Set(vars) => Shape::Set(vars.iter().map(|(item, var)| (item.to_string(), *var)).collect()),
    }
}

/// The name of a location: `f` , `f.a`, `f[2]`.
pub(super) fn location_name(function: &str, args: &[Const]) -> String {
    args.iter().fold(function.to_owned(), |name, arg| member_name(&name, arg))
}

fn member_name(name: &str, item: &Const) -> String {
    match item {
        Const::Int(value) => format!("{name}[{value}]"),
        Const::Tuple(items) | Const::Set(items) | Const::Seq(items) => {
            items.iter().fold(name.to_owned(), |name, item| member_name(&name, item))
        }
        other => format!("{name}.{other}"),
    }
}
