//! Layout of locations: the variables that represent them.

use super::build::UNDEF;
use super::either::Form;
use super::locations::member_name;
use super::range_analysis::Part;
use super::signature::Dom;
use super::value::{Const, Values};
use super::{Lowering, Stop};
use crate::interface::Role;
use crate::model::{Hazard, Shape, Var, VarId, VarKind};
use crate::op::BinaryOp;
use crate::value::{Domain, Value};
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Maximal distance between the smallest and the largest number of a location that is an ordinary variable.
const MAX_DISTANCE: u64 = 1 << 16;

/// The variables that represent a location.
#[derive(Clone, Debug)]
pub(super) enum Layout {
    /// A constant.
    Known(Const),
    One {
        var: VarId,
        values: Values,
        /// All values, if they are not a range.
        allowed: Option<Rc<[Const]>>,
        undef: Undef,
    },
    Tuple(Vec<Layout>),
    /// A boolean variable for each possible member.
    Set(Vec<(Const, VarId)>),
    /// A sequence: its length and its items. Items beyond its length have a fixed value.
    Seq {
        /// `None` if there is only one length.
        length: Option<VarId>,
        /// The possible lengths; -1 stands for `undef`.
        lengths: Vec<i64>,
        items: Vec<Layout>,
    },
    /// A part of a value of `Any`, with the number of its facts.
    Part(usize, Box<Layout>),
    /// A number with a fraction: the integer is its multiple of the smallest fraction of the machine.
    Fraction(i64, Box<Layout>),
    /// Values of different kinds: a variable selects the kind. The variables of other kinds have a fixed value.
    Mixed {
        kind: VarId,
        cases: Vec<(Form, Layout)>,
        may_undef: bool,
    },
}

/// How a location represents `undef`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undef {
    Never,
    /// The symbol `undef` is a value of its variable.
    Symbol,
    /// A boolean variable is true if there is a value.
    Flag(VarId),
}

/// The name of a kind, as a value of the variable that selects it.
pub(super) fn kind_name(form: Form) -> String {
    match form {
        Form::Bool => "truth".into(),
        Form::Int => "number".into(),
        Form::Atom => "element".into(),
        Form::Tuple(n) => format!("tuple{n}"),
        Form::Set => "set".into(),
        Form::Seq(_) => "sequence".into(),
        _ => UNDEF.into(),
    }
}

/// The form by which a layout of values of different kinds finds the variables of a value.
pub(super) fn kind_of(form: Form) -> Form {
    match form {
        Form::Seq(_) => Form::Seq(0),
        other => other,
    }
}

impl Lowering<'_> {
    pub(super) fn make_layout(
        &mut self,
        function: usize,
        name: &str,
        dom: &Dom,
        role: Role,
        span: Span,
    ) -> Result<Layout, Stop> {
        let may_undef = role != Role::Input && self.facts.undef.contains(&function);
        match self.base(dom) {
            Dom::Prod(parts) => {
                let mut layouts = Vec::new();
                for (at, part) in parts.iter().enumerate() {
                    layouts.push(self.make_layout(function, &format!("{name}.{}", at + 1), part, role, span)?);
                }
                return Ok(Layout::Tuple(layouts));
            }
            Dom::Set(inner) => {
                let Some(items) = self.elements(&inner, span)? else {
                    let text = self.domain_text(dom);
                    return Err(self.endless(span, format!("`{name}` is a set of `{text}`, which is unbounded")));
                };
                let mut vars = Vec::new();
                for item in items.iter() {
                    // Sets inside of sets may have names that look alike.
                    let name = self.unused_name(member_name(name, item));
                    let var = self.add_var(&name, Domain::Bool, role, span);
                    vars.push((item.clone(), var));
                }
                return Ok(Layout::Set(vars));
            }
            Dom::Seq(inner) if role != Role::Input => return self.make_sequence(function, name, &inner, role, span),
            Dom::Seq(inner) => return self.make_input_sequence(function, name, &inner, span),
            Dom::Any if role != Role::Input => return self.make_any(function, name, dom, role, span),
            _ => {}
        }
        if self.base(dom) == Dom::Real && self.elements(dom, span)?.is_none() {
            self.facts.has_fractions |= role == Role::Input || !matches!(dom, Dom::Real);
            if self.facts.has_fractions {
                return self.make_fraction(function, name, dom, role, span);
            }
        }
        let items = match self.elements(dom, span)? {
            Some(items) => self.with_initial(function, items),
            None if role == Role::Input && matches!(self.base(dom), Dom::Int { .. }) => {
                return Ok(self.make_unbounded(name, dom, (i64::MIN, i64::MAX), may_undef, role, span));
            }
            None if role == Role::Input && self.base(dom) == Dom::Text && self.all_texts().is_some() => {
                self.all_texts().unwrap_or_default().into()
            }
            None if role == Role::Input => {
                let text = self.domain_text(dom);
                let message = format!("`{name}` may be any `{text}`, which is unbounded");
                return Err(self.endless(span, message));
            }
            None if matches!(self.base(dom), Dom::Int { .. } | Dom::Real)
                && self.unbounded_numbers(function).is_some() =>
            {
                let ends = self.unbounded_numbers(function).unwrap_or_default();
                return Ok(self.make_unbounded(name, dom, ends, may_undef, role, span));
            }
            None => match self.base(dom) {
                // The parts of a tuple share their facts.
                Dom::Int { .. } | Dom::Real => {
                    let is_number = |item: &&Const| matches!(item, Const::Int(_));
                    self.seen_values(function).iter().filter(is_number).cloned().collect()
                }
                Dom::Text | Dom::Rule => {
                    let is_atom = |item: &&Const| matches!(item, Const::Atom(_));
                    self.seen_values(function).iter().filter(is_atom).cloned().collect()
                }
                base => {
                    let text = self.domain_text(&base);
                    let message = format!("`{name}` holds `{text}`, which is unbounded");
                    return Err(self.endless(span, message));
                }
            },
        };
        self.make_single(name, &items, may_undef, role, span)
    }

    /// The layout of a location of numbers with a fraction: multiples of the smallest fraction, with the ends of the domain if
    /// it has some.
    fn make_fraction(
        &mut self,
        function: usize,
        name: &str,
        dom: &Dom,
        role: Role,
        span: Span,
    ) -> Result<Layout, Stop> {
        let mentioned = self.smallest_fraction();
        let denominator = self.facts.denominators.get(&function).copied().unwrap_or(mentioned);
        let ends = match dom {
            Dom::Named(index) => self.real_ends(*index),
            _ => None,
        };
        let Some((file, first, last)) = ends else {
            let whole = self.make_layout(function, name, &Dom::Int { natural: false }, role, span)?;
            return Ok(Layout::Fraction(denominator, Box::new(whole)));
        };
        let env = super::Env::new(self, file);
        let mut numbers = Vec::new();
        for end in [first, last] {
            let value = self.eval(end, &env)?;
            let end_span = self.files[file][end].span;
            match self.multiple(&value, denominator, end_span)? {
                super::value::Sym::Known(Const::Int(number)) => numbers.push(number),
                other => return Err(self.wrong_kind(end_span, "a number that is known", &other)),
            }
        }
        let (low, high) = (numbers[0], numbers[1].max(numbers[0]));
        let may_undef = role != Role::Input && self.facts.undef.contains(&function);
        let var = self.add_var(name, Domain::Range(low, high), role, span);
        let undef = self.make_flag(name, may_undef, role, span);
        let whole = Layout::One { var, values: Values::Int(low, high), allowed: None, undef };
        Ok(Layout::Fraction(denominator, Box::new(whole)))
    }

    /// The values of a domain, and numbers that a function has initially beside them.
    fn with_initial(&self, function: usize, items: Rc<[Const]>) -> Rc<[Const]> {
        match self.facts.initial.get(&function) {
            Some(numbers) if matches!(items.first(), Some(Const::Int(_))) => {
                let all: BTreeSet<Const> =
                    items.iter().cloned().chain(numbers.iter().copied().map(Const::Int)).collect();
                all.into_iter().collect()
            }
            _ => items,
        }
    }

    /// The values of a function according to range analysis.
    fn seen_values(&mut self, function: usize) -> Rc<[Const]> {
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

    /// The layout of a location of sequences.
    fn make_sequence(
        &mut self,
        function: usize,
        name: &str,
        dom: &Dom,
        role: Role,
        span: Span,
    ) -> Result<Layout, Stop> {
        let seen = self.facts.lengths.entry(function).or_default().clone();
        let mut lengths = Vec::new();
        if seen.absent || seen.ends.is_none() {
            lengths.push(-1);
        }
        let mut items = Vec::new();
        if let Some((shortest, longest)) = seen.ends {
            lengths.extend((shortest..=longest).map(super::library::count));
            for at in 0..longest {
                items.push(self.make_layout(function, &format!("{name}[{at}]"), dom, role, span)?);
            }
        }
        let length = match (lengths.first(), lengths.last()) {
            (Some(first), Some(last)) if lengths.len() > 1 => {
                Some(self.add_var(&format!("{name}.length"), Domain::Range(*first, *last), role, span))
            }
            _ => None,
        };
        Ok(Layout::Seq { length, lengths, items })
    }

    /// The layout of a monitored location of sequences, which are followed up to a length.
    fn make_input_sequence(&mut self, function: usize, name: &str, dom: &Dom, span: Span) -> Result<Layout, Stop> {
        let most = self.bounds.sequence;
        self.facts.lengths.entry(function).or_default().ends = Some((0, most));
        let layout = self.make_sequence(function, name, dom, Role::Input, span)?;
        if let Layout::Seq { length: Some(length), .. } = &layout {
            let (length, longest) = (self.var_expr(*length), self.int(super::library::count(most)));
            let predicate = self.compare(BinaryOp::Eq, length, longest);
            let message = format!("the sequences in `{name}` are unbounded");
            let note = format!("those of more than {most} values are left out");
            let help = "`--max-sequence` changes this bound";
            self.report(Diagnostic::warning(codes::CUT, span, message).note(note).help(help));
            self.model.source.hazards.push(Hazard {
                code: codes::CUT,
                is_contradiction: false,
                is_bound: true,
                description: format!("`{name}` may get more than {most} values"),
                predicate,
                step: predicate,
                sites: vec![(span, "by the environment".into(), predicate)],
            });
        }
        Ok(layout)
    }

    /// The layout of a location with values of any kind, according to range analysis.
    fn make_any(&mut self, function: usize, name: &str, dom: &Dom, role: Role, span: Span) -> Result<Layout, Stop> {
        let may_undef = self.facts.undef.contains(&function);
        let endless = self.unbounded_numbers(function);
        let seen = self.facts.seen.entry(function).or_default().clone();
        let found = [(Form::Atom, !seen.atoms.is_empty()), (Form::Int, seen.ints.is_some()), (Form::Bool, seen.bools)];
        let mut forms: Vec<Form> = found.into_iter().filter(|(_, found)| *found).map(|(form, _)| form).collect();
        forms.extend(seen.tuples.iter().map(|n| Form::Tuple(*n)));
        forms.extend(
            [(Form::Set, seen.sets), (Form::Seq(0), seen.sequences)]
                .into_iter()
                .filter(|(_, found)| *found)
                .map(|(form, _)| form),
        );
        let all = if endless.is_some() { [].into() } else { self.seen_values(function) };
        let of_form = |form: Form| -> Rc<[Const]> {
            let atoms = seen.atoms.iter().cloned().map(Const::Atom);
            if endless.is_some() && form == Form::Atom {
                return atoms.collect();
            }
            all.iter().filter(|item| Form::of(&super::value::Sym::Known((*item).clone())) == form).cloned().collect()
        };
        let make = |lowering: &mut Self, name: &str, form: Form, may_undef: bool| match (form, endless) {
            (Form::Tuple(_) | Form::Set | Form::Seq(_), _) => lowering.make_structure(function, name, form, role, span),
            (Form::Int, Some(ends)) => Ok(lowering.make_unbounded(name, dom, ends, may_undef, role, span)),
            (Form::Bool, Some(_)) => {
                let items = [Const::Bool(false), Const::Bool(true)].into();
                lowering.make_single(name, &items, may_undef, role, span)
            }
            _ => lowering.make_single(name, &of_form(form), may_undef, role, span),
        };
        match &forms[..] {
            [] => return Ok(Layout::Known(Const::Undef)),
            // Structures keep a variable for the kind, so that other kinds may be noted beside them.
            [form @ (Form::Bool | Form::Int | Form::Atom)] => return make(self, name, *form, may_undef),
            _ => {}
        }
        let none = may_undef.then_some(Form::Undef);
        let kinds: Vec<Value> = forms
            .iter()
            .copied()
            .chain(none)
            .map(|form| Value::Symbol(self.model.context.symbols.intern(&kind_name(form))))
            .collect();
        let kind = self.add_var(&format!("{name}.kind"), Domain::Enum(kinds.into()), role, span);
        let mut cases = Vec::new();
        for form in forms {
            let layout = make(self, &format!("{name}.{}", kind_name(form)), form, false)?;
            cases.push((form, layout));
        }
        Ok(Layout::Mixed { kind, cases, may_undef })
    }

    /// The layout of the tuples, sets or sequences of a location with values of any kind.
    fn make_structure(
        &mut self,
        function: usize,
        name: &str,
        form: Form,
        role: Role,
        span: Span,
    ) -> Result<Layout, Stop> {
        match form {
            Form::Tuple(n) => {
                let mut parts = Vec::new();
                for at in 0..n {
                    let key = self.facts.part(function, Part::Component(n, at));
                    let part = self.make_any(key, &format!("{name}.{}", at + 1), &Dom::Any, role, span)?;
                    parts.push(Layout::Part(key, Box::new(part)));
                }
                Ok(Layout::Tuple(parts))
            }
            Form::Set => {
                let key = self.facts.part(function, Part::Member);
                let seen = self.facts.seen.entry(key).or_default();
                let is_plain = seen.tuples.is_empty() && !seen.sets && !seen.sequences;
                if !is_plain || self.unbounded_numbers(key).is_some() {
                    let message = format!("`{name}` holds sets of unbounded numbers, or of tuples, sets or sequences");
                    return Err(self.unsupported(span, &message));
                }
                let items = self.seen_values(key);
                let var = |lowering: &mut Self, item: &Const| {
                    lowering.add_var(&member_name(name, item), Domain::Bool, role, span)
                };
                let vars = items.iter().map(|item| (item.clone(), var(self, item))).collect();
                Ok(Layout::Part(key, Box::new(Layout::Set(vars))))
            }
            _ => {
                let key = self.facts.part(function, Part::Item);
                Ok(Layout::Part(key, Box::new(self.make_sequence(key, name, &Dom::Any, role, span)?)))
            }
        }
    }

    /// The bounds of the numbers of a function that are unbounded or too far apart to be enumerated.
    fn unbounded_numbers(&mut self, function: usize) -> Option<(i64, i64)> {
        if self.facts.endless.contains(&function) {
            return Some((i64::MIN, i64::MAX));
        }
        let ints = self.facts.seen.entry(function).or_default().ints;
        ints.filter(|(first, last)| first.abs_diff(*last) > MAX_DISTANCE || self.open.contains(&function))
    }

    /// The layout of a location of unbounded numbers: a variable and perhaps a flag.
    fn make_unbounded(
        &mut self,
        name: &str,
        dom: &Dom,
        (low, high): (i64, i64),
        may_undef: bool,
        role: Role,
        span: Span,
    ) -> Layout {
        let natural = self.base(dom) == Dom::Int { natural: true };
        let var = self.add_var(name, Domain::Integer, role, span);
        let undef = self.make_flag(name, may_undef, role, span);
        if natural && role == Role::Input {
            let (value, zero) = (self.var_expr(var), self.int(0));
            let positive = self.compare(BinaryOp::Ge, value, zero);
            self.model.invar.push(super::sourced(positive, span));
        }
        let values = Values::Int(if natural { low.max(0) } else { low }, high);
        Layout::One { var, values, allowed: None, undef }
    }

    /// The layout of a location with one of some values: a variable and perhaps a flag.
    fn make_single(
        &mut self,
        name: &str,
        items: &Rc<[Const]>,
        may_undef: bool,
        role: Role,
        span: Span,
    ) -> Result<Layout, Stop> {
        let first = match items.first() {
            None => return Ok(Layout::Known(Const::Undef)),
            Some(only) if items.len() == 1 && !may_undef => return Ok(Layout::Known(only.clone())),
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
                    names.iter().map(|name| Value::Symbol(self.model.context.symbols.intern(name))).collect();
                (Domain::Enum(symbols.into()), values, Some(items.clone()), may_undef)
            }
        };
        let var = self.add_var(name, domain, role, span);
        let undef = if symbol { Undef::Symbol } else { self.make_flag(name, may_undef, role, span) };
        Ok(Layout::One { var, values, allowed, undef })
    }

    /// The variable that says whether there is a value, if there may be none.
    fn make_flag(&mut self, name: &str, may_undef: bool, role: Role, span: Span) -> Undef {
        if may_undef {
            Undef::Flag(self.add_var(&format!("{name}.defined"), Domain::Bool, role, span))
        } else {
            Undef::Never
        }
    }

    pub(super) fn add_var(&mut self, name: &str, domain: Domain, role: Role, span: Span) -> VarId {
        let var = VarId(self.model.vars.len() as u32);
        self.model.vars.push(Var { name: name.into(), domain, kind: VarKind::State, span });
        self.model.set_role(var, role);
        self.var_names.insert(name.into());
        var
    }

    /// A name that no variable has: this one, or one with a number.
    pub(super) fn unused_name(&self, name: String) -> String {
        if !self.var_names.contains(&name) {
            return name;
        }
        let numbered = (2..).map(|number: usize| format!("{name}_{number}"));
        numbered.into_iter().find(|name| !self.var_names.contains(name)).unwrap_or(name)
    }
}

/// The shape of a layout in the model.
pub(super) fn shape(layout: &Layout) -> Shape {
    match layout {
        Layout::Known(value) => Shape::Known(value.to_string()),
        Layout::One { var, .. } => Shape::One(*var),
        Layout::Tuple(layouts) => Shape::Tuple(layouts.iter().map(shape).collect()),
        Layout::Set(vars) => Shape::Set(vars.iter().map(|(item, var)| (item.to_string(), *var)).collect()),
        Layout::Seq { lengths, .. } if lengths[..] == [-1] => Shape::Known(UNDEF.into()),
        Layout::Seq { length, items, .. } => Shape::Seq { length: *length, items: items.iter().map(shape).collect() },
        Layout::Part(_, layout) => shape(layout),
        Layout::Fraction(denominator, layout) => Shape::Fraction(*denominator, Box::new(shape(layout))),
        Layout::Mixed { kind, cases, .. } => {
            let cases = cases.iter().map(|(form, layout)| (kind_name(*form), shape(layout))).collect();
            Shape::Mixed { kind: *kind, cases }
        }
    }
}
