//! Values whose kind or length depends on the state, as a list of cases with conditions.
//!
//! A sequence of two possible lengths is two sequences, and operations apply to both. Cases of equal kind and length
//! are merged.

use super::library::count;
use super::structures::items_of;
use super::terms::known_if;
use super::value::{Const, Single, Sym, Values};
use super::{Lowering, Stop};
use crate::expr::{ExprId, Node};
use crate::op::BinaryOp;
use crate::value::Value;
use specwright_syntax::span::Span;

/// The form of a value; cases of equal form can be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Undef,
    Bool,
    Int,
    Atom,
    Ratio,
    Tuple(usize),
    Set,
    Seq(usize),
    /// A map, which is merged only with an equal one.
    Other,
}

impl Form {
    pub(super) fn of(sym: &Sym) -> Form {
        let known = match sym {
            Sym::One(Single { values, .. }) => {
                return match values {
                    Values::Bool => Form::Bool,
                    Values::Int(..) => Form::Int,
                    Values::Atoms(_) => Form::Atom,
                };
            }
            // A number without a type in the model.
            Sym::Ratio(..) => return Form::Ratio,
            Sym::Set(_) => return Form::Set,
            Sym::Tuple(items) => return Form::Tuple(items.len()),
            Sym::Seq(items) => return Form::Seq(items.len()),
            Sym::Map(_) | Sym::Either(_) => return Form::Other,
            Sym::Known(known) => known,
        };
        match known {
            Const::Undef => Form::Undef,
            Const::Bool(_) => Form::Bool,
            Const::Int(_) => Form::Int,
            Const::Atom(_) => Form::Atom,
            Const::Tuple(items) => Form::Tuple(items.len()),
            Const::Set(_) => Form::Set,
            Const::Seq(items) => Form::Seq(items.len()),
            Const::Map(_) => Form::Other,
        }
    }
}

impl Lowering<'_> {
    /// The cases of a value with their conditions.
    pub(super) fn cases_of(&mut self, sym: &Sym) -> Vec<(Sym, ExprId)> {
        match sym {
            Sym::Either(cases) => cases.clone(),
            other => vec![(other.clone(), self.boolean(true))],
        }
    }

    /// A conditional of two values that may have different forms.
    pub(super) fn select_case(&mut self, c: ExprId, a: &Sym, b: &Sym, span: Span) -> Result<Sym, Stop> {
        let no = self.not(c);
        let mut cases = Vec::new();
        for (sym, when) in [(a, c), (b, no)] {
            for (case, guard) in self.cases_of(sym) {
                let guard = self.and(when, guard);
                cases.push((case, guard));
            }
        }
        self.one_of(cases, span)
    }

    /// Applies a function to every case of a value.
    pub(super) fn lift(
        &mut self,
        sym: &Sym,
        span: Span,
        mut made: impl FnMut(&mut Self, &Sym) -> Result<Sym, Stop>,
    ) -> Result<Sym, Stop> {
        let mut cases = Vec::new();
        for (case, guard) in self.cases_of(sym) {
            self.tick(span)?;
            let result = made(self, &case)?;
            for (inner, when) in self.cases_of(&result) {
                let guard = self.and(guard, when);
                cases.push((inner, guard));
            }
        }
        self.one_of(cases, span)
    }

    /// The value with these cases, of which exactly one holds.
    pub(super) fn one_of(&mut self, cases: Vec<(Sym, ExprId)>, span: Span) -> Result<Sym, Stop> {
        let mut merged: Vec<(Sym, ExprId)> = Vec::new();
        for (case, guard) in cases {
            if self.truth_of(guard) == Some(false) {
                continue;
            }
            let form = Form::of(&case);
            let known = case.known();
            let place = merged.iter().position(|(other, _)| {
                (form != Form::Other && Form::of(other) == form) || (known.is_some() && other.known() == known)
            });
            match place {
                Some(at) => {
                    let (other, when) = merged[at].clone();
                    let sym = self.select(guard, &case, &other, span)?;
                    merged[at] = (sym, self.or(when, guard));
                }
                None => merged.push((case, guard)),
            }
        }
        if let [(sym, _)] = &merged[..] {
            return Ok(sym.clone());
        }
        // `undef` needs no case of its own, except beside sequences and values of several kinds.
        if let [a, b] = &merged[..] {
            let single = |form: Form| !matches!(form, Form::Seq(_) | Form::Other);
            match (Form::of(&a.0), Form::of(&b.0)) {
                (Form::Undef, form) if single(form) => return self.select(b.1, &b.0.clone(), &Sym::UNDEF, span),
                (form, Form::Undef) if single(form) => return self.select(a.1, &a.0.clone(), &Sym::UNDEF, span),
                _ => {}
            }
        }
        Ok(if merged.is_empty() { Sym::UNDEF } else { Sym::Either(merged) })
    }

    /// Equality of two values of which one has several cases.
    pub(super) fn equal_cases(&mut self, a: &Sym, b: &Sym) -> ExprId {
        let (a, b) = (self.cases_of(a), self.cases_of(b));
        let mut parts = Vec::new();
        for (one, when) in &a {
            for (other, there) in &b {
                let same = self.equal(one, other);
                if self.truth_of(same) != Some(false) {
                    let both = self.and(*when, *there);
                    parts.push(self.and(both, same));
                }
            }
        }
        self.any(&parts)
    }

    /// The sequence of the items whose conditions hold.
    pub(super) fn sequence_of(&mut self, items: Vec<(Sym, ExprId)>, span: Span) -> Result<Sym, Stop> {
        let mut result = Sym::Known(Const::Seq(Vec::new()));
        for (item, guard) in items {
            let longer = self.lift(&result, span, |_, case| {
                let mut items = items_of(case).unwrap_or_default();
                items.push(item.clone());
                Ok(known_if(Sym::Seq(items)))
            })?;
            result = self.select(guard, &longer, &result, span)?;
        }
        Ok(result)
    }

    /// The length of a sequence, if it is a variable that selects the case.
    pub(super) fn length_variable(&mut self, cases: &[(Sym, ExprId)]) -> Option<Single> {
        let mut var = None;
        let mut defined = self.boolean(true);
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        for (case, guard) in cases {
            let Node::Binary(BinaryOp::Eq, length, value) = self.model[*guard] else { return None };
            let Node::Const(Value::Int(value)) = self.model[value] else { return None };
            if *var.get_or_insert(length) != length {
                return None;
            }
            match Form::of(case) {
                Form::Undef => defined = self.not(*guard),
                Form::Seq(n) if count(n) == value => (low, high) = (low.min(value), high.max(value)),
                _ => return None,
            }
        }
        Some(Single { value: var?, defined, values: Values::Int(low.min(high), high) })
    }
}
