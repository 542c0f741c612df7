//! Reading and writing locations through their layouts.

use super::build::UNDEF;
use super::either::Form;
use super::finish::vars_of;
use super::library::count;
use super::location_layout::{Layout, Undef, kind_name, kind_of};
use super::signature::Dom;
use super::structures::items_of;
use super::terms::known_if;
use super::value::{Const, Single, Sym, Values};
use super::{Lowering, Stop};
use crate::expr::{ExprId, Node};
use crate::model::VarId;
use crate::op::BinaryOp;
use crate::value::Value;
use indexmap::IndexMap;
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;

/// The condition that a value is in the domain, and the new values of variables.
type Writes = (ExprId, Vec<(VarId, ExprId)>);

/// Conditional assignments of variables.
struct Chains(IndexMap<VarId, Vec<(ExprId, ExprId)>>);

impl Chains {
    fn new(vars: impl Iterator<Item = VarId>) -> Chains {
        Chains(vars.map(|var| (var, Vec::new())).collect())
    }

    fn add(&mut self, guard: ExprId, vars: Vec<(VarId, ExprId)>) {
        for (var, value) in vars {
            self.0.entry(var).or_default().push((guard, value));
        }
    }
}

impl Lowering<'_> {
    /// The value of a location.
    pub(super) fn read_location(&mut self, layout: &Layout) -> Sym {
        match layout {
            Layout::Known(value) => Sym::Known(value.clone()),
            Layout::One { var, values, undef, .. } => {
                let value = self.var_expr(*var);
                let defined = match undef {
                    Undef::Never => self.boolean(true),
                    Undef::Symbol => {
                        let none = self.atom(UNDEF);
                        self.compare(BinaryOp::Ne, value, none)
                    }
                    Undef::Flag(flag) => self.var_expr(*flag),
                };
                Sym::One(Single { value, defined, values: values.clone() })
            }
            Layout::Tuple(layouts) => Sym::Tuple(layouts.iter().map(|layout| self.read_location(layout)).collect()),
            Layout::Set(vars) => {
                let members: Vec<(Sym, ExprId)> =
                    vars.iter().map(|(item, var)| (Sym::Known(item.clone()), self.var_expr(*var))).collect();
                Sym::Set(members)
            }
            Layout::Seq { length, lengths, items } => {
                let mut cases = Vec::new();
                for n in lengths {
                    let case = match usize::try_from(*n) {
                        Ok(n) => known_if(Sym::Seq(items[..n].iter().map(|item| self.read_location(item)).collect())),
                        Err(_) => Sym::UNDEF,
                    };
                    let Some(length) = length else { return case };
                    let (length, n) = (self.var_expr(*length), self.int(*n));
                    cases.push((case, self.compare(BinaryOp::Eq, length, n)));
                }
                Sym::Either(cases)
            }
            Layout::Part(_, layout) => self.read_location(layout),
            Layout::Fraction(denominator, layout) => {
                let whole = self.read_location(layout);
                super::fractions::over(whole, *denominator)
            }
            Layout::Mixed { kind, cases, may_undef } => {
                let mut all = Vec::new();
                for (form, layout) in cases {
                    let guard = self.is_of_kind(*kind, *form);
                    all.push((self.read_location(layout), guard));
                }
                if *may_undef {
                    let guard = self.is_of_kind(*kind, Form::Undef);
                    all.push((Sym::UNDEF, guard));
                }
                Sym::Either(all)
            }
        }
    }

    fn is_of_kind(&mut self, kind: VarId, form: Form) -> ExprId {
        let (kind, name) = (self.var_expr(kind), self.atom(&kind_name(form)));
        self.compare(BinaryOp::Eq, kind, name)
    }

    /// The new values of the variables of a location for a value, and the condition that it is in the domain.
    pub(super) fn write_location(
        &mut self,
        function: usize,
        layout: &Layout,
        value: &Sym,
        span: Span,
    ) -> Result<Writes, Stop> {
        match layout {
            Layout::Known(_) | Layout::One { .. } if self.may_hold_fraction(function, value) => {
                self.facts.has_fractions = true;
                Ok((self.boolean(false), Vec::new()))
            }
            Layout::Known(known) => {
                let is_any = self.holds_any(function);
                for (case, _) in self.cases_of(value) {
                    let form = Form::of(&case);
                    let is_structure = matches!(form, Form::Tuple(_) | Form::Set | Form::Seq(_));
                    if !(matches!(form, Form::Undef | Form::Bool | Form::Int | Form::Atom) || is_any && is_structure) {
                        return Err(self.not_single(&case, span));
                    }
                }
                self.note_values(function, value, span);
                Ok((self.equal(value, &Sym::Known(known.clone())), Vec::new()))
            }
            Layout::Tuple(layouts) => {
                let n = layouts.len();
                let items = match super::structures::tuple_of(value) {
                    Some(items) if items.len() == n => items,
                    _ if matches!(value, Sym::Known(Const::Undef)) => vec![Sym::UNDEF; n],
                    _ => return Err(self.wrong_kind(span, "a tuple of as many parts", value)),
                };
                let (mut fits, mut writes) = (Vec::new(), Vec::new());
                for (layout, item) in layouts.iter().zip(&items) {
                    let (fit, vars) = self.write_location(function, layout, item, span)?;
                    fits.push(fit);
                    writes.extend(vars);
                }
                Ok((self.all(&fits), writes))
            }
            Layout::Set(vars) => {
                let members = match value {
                    // `undef` is stored as the empty set.
                    Sym::Known(Const::Undef) => Vec::new(),
                    _ => match self.members_of(value) {
                        Some(members) => members,
                        None => return Err(self.wrong_kind(span, "a set", value)),
                    },
                };
                let mut writes = Vec::new();
                for (item, var) in vars {
                    let inside = self.is_member(&Sym::Known(item.clone()), &members);
                    writes.push((*var, inside));
                }
                let yes = self.boolean(true);
                let allowed: Vec<(Sym, ExprId)> =
                    vars.iter().map(|(item, _)| (Sym::Known(item.clone()), yes)).collect();
                let mut fits = Vec::new();
                for (member, guard) in &members {
                    let fit = self.is_member(member, &allowed);
                    fits.push(self.implies(*guard, fit));
                }
                Ok((self.all(&fits), writes))
            }
            Layout::Part(part, layout) => self.write_location(*part, layout, value, span),
            Layout::Fraction(denominator, layout) => {
                if let Some(finer) = self.finer_denominator(value, *denominator) {
                    // The next pass has a layout for it.
                    self.facts.denominators.insert(function, finer);
                    return Ok((self.boolean(false), Vec::new()));
                }
                let whole = self.lift(value, span, |lowering, case| lowering.multiple(case, *denominator, span))?;
                self.write_location(function, layout, &whole, span)
            }
            Layout::Seq { length, lengths, items } => {
                self.write_sequence(function, (*length, lengths, items), value, span)
            }
            Layout::Mixed { kind, cases, may_undef } => {
                self.write_mixed(function, (*kind, cases, *may_undef), value, span)
            }
            Layout::One { var, values, allowed, undef } => {
                self.note_values(function, value, span);
                let like = Single { value: ExprId(0), defined: ExprId(0), values: values.clone() };
                let single = match value {
                    Sym::Known(Const::Undef) => self.undefined_like(&like),
                    _ => match self.single(value) {
                        Some(single) => single,
                        None => return Err(self.not_single(value, span)),
                    },
                };
                if std::mem::discriminant(&single.values) != std::mem::discriminant(values) {
                    let wanted = match values {
                        Values::Bool => "a boolean",
                        Values::Int(..) => "a number",
                        Values::Atoms(_) => "an element of the domain",
                    };
                    return Err(self.wrong_kind(span, wanted, value));
                }
                let inside = self.fits(&single, values, allowed.as_deref());
                let outside = self.not(single.defined);
                let fits = self.or(outside, inside);
                let none = self.undefined_like(&like);
                let mut writes = Vec::new();
                match undef {
                    Undef::Never => writes.push((*var, single.value)),
                    Undef::Symbol => writes.push((*var, self.choose(single.defined, single.value, none.value))),
                    Undef::Flag(flag) => {
                        writes.push((*var, self.choose(single.defined, single.value, none.value)));
                        writes.push((*flag, single.defined));
                    }
                }
                Ok((fits, writes))
            }
        }
    }

    /// Whether a value with a fraction is given to a function of `Real`, which then needs another layout.
    fn may_hold_fraction(&mut self, function: usize, value: &Sym) -> bool {
        !self.facts.has_fractions
            && self.cases_of(value).iter().any(|(case, _)| Form::of(case) == Form::Ratio)
            && self.sig.functions.get(function).is_some_and(|function| self.base(&function.codomain) == Dom::Real)
    }

    /// Reports a value that the layout cannot represent.
    pub(super) fn not_single(&mut self, value: &Sym, span: Span) -> Stop {
        if matches!(value, Sym::Ratio(..)) {
            let message = "this number may have smaller fractions than a location can hold";
            let help = "locations hold multiples of one fraction; `rtoi`, `floor` and `round` make whole numbers";
            return self.stop(Diagnostic::error(codes::UNBOUNDED, span, message).help(help));
        }
        self.wrong_kind(span, "a single value", value)
    }

    fn write_sequence(
        &mut self,
        function: usize,
        (length, lengths, items): (Option<VarId>, &[i64], &[Layout]),
        value: &Sym,
        span: Span,
    ) -> Result<Writes, Stop> {
        let mut fits = Vec::new();
        let mut writes = Chains::new(items.iter().flat_map(vars_of).chain(length));
        for (case, guard) in self.cases_of(value) {
            let (n, parts) = match (&case, items_of(&case)) {
                (Sym::Known(Const::Undef), _) => (-1, Vec::new()),
                (Sym::Seq(_) | Sym::Known(Const::Seq(_)), Some(parts)) => (count(parts.len()), parts),
                _ => return Err(self.wrong_kind(span, "a sequence", &case)),
            };
            if n < 0 {
                self.facts.lengths.entry(function).or_default().absent = true;
            } else {
                self.note_length(function, parts.len());
            }
            let possible = self.boolean(lengths.contains(&n));
            fits.push(self.implies(guard, possible));
            for (layout, part) in items.iter().zip(&parts) {
                let (fit, vars) = self.write_location(function, layout, part, span)?;
                fits.push(self.implies(guard, fit));
                writes.add(guard, vars);
            }
            // Items that have no variables yet.
            for part in parts.iter().skip(items.len()) {
                self.note_values(function, part, span);
            }
            if let Some(length) = length {
                writes.add(guard, vec![(length, self.int(n))]);
            }
        }
        Ok((self.all(&fits), self.chained(writes)))
    }

    fn write_mixed(
        &mut self,
        function: usize,
        (kind, layouts, may_undef): (VarId, &[(Form, Layout)], bool),
        value: &Sym,
        span: Span,
    ) -> Result<Writes, Stop> {
        let mut fits = Vec::new();
        let mut writes = Chains::new(layouts.iter().flat_map(|(_, layout)| vars_of(layout)).chain([kind]));
        for (case, guard) in self.cases_of(value) {
            self.note_values(function, &case, span);
            let form = Form::of(&case);
            let there = self.is_defined(&case);
            let (there, absent) = (self.and(guard, there), self.not(there));
            let absent = self.and(guard, absent);
            if self.truth_of(absent) != Some(false) {
                let possible = self.boolean(may_undef);
                fits.push(self.implies(absent, possible));
                let none = self.atom(UNDEF);
                writes.add(absent, vec![(kind, none)]);
            }
            if self.truth_of(there) == Some(false) {
                continue;
            }
            match layouts.iter().find(|(known, _)| *known == kind_of(form)) {
                Some((_, layout)) => {
                    let (fit, vars) = self.write_location(function, layout, &case, span)?;
                    fits.push(self.implies(there, fit));
                    writes.add(there, vars);
                    let name = self.atom(&kind_name(form));
                    writes.add(there, vec![(kind, name)]);
                }
                None if !matches!(form, Form::Ratio | Form::Other) => fits.push(self.not(there)),
                None => return Err(self.not_single(&case, span)),
            }
        }
        Ok((self.all(&fits), self.chained(writes)))
    }

    /// The new values of variables that are assigned in some cases and have a fixed value in the others.
    fn chained(&mut self, writes: Chains) -> Vec<(VarId, ExprId)> {
        let mut all = Vec::new();
        for (var, cases) in writes.0 {
            let rest = self.model[var].domain.values().next().unwrap_or(Value::Int(0));
            let mut value = self.node(Node::Const(rest));
            for (guard, given) in cases.into_iter().rev() {
                value = self.choose(guard, given, value);
            }
            all.push((var, value));
        }
        all
    }

    /// The condition that a defined value is one of the values of a location.
    fn fits(&mut self, single: &Single, values: &Values, allowed: Option<&[Const]>) -> ExprId {
        match (&single.values, values) {
            (Values::Int(low, high), Values::Int(first, last)) if allowed.is_none() => {
                let mut parts = Vec::new();
                if low < first {
                    let first = self.int(*first);
                    parts.push(self.compare(BinaryOp::Ge, single.value, first));
                }
                if high > last {
                    let last = self.int(*last);
                    parts.push(self.compare(BinaryOp::Le, single.value, last));
                }
                self.all(&parts)
            }
            (Values::Atoms(names), _)
                if names
                    .iter()
                    .all(|name| allowed.is_some_and(|allowed| allowed.contains(&Const::Atom(name.clone())))) =>
            {
                self.boolean(true)
            }
            (Values::Bool, _) => self.boolean(true),
            _ => {
                let yes = self.boolean(true);
                let sym = Sym::One(Single { defined: yes, ..single.clone() });
                let cases: Vec<ExprId> = allowed
                    .unwrap_or_default()
                    .iter()
                    .map(|item| self.equal(&sym, &Sym::Known(item.clone())))
                    .collect();
                self.any(&cases)
            }
        }
    }
}
