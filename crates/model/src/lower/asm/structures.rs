//! Composite values: equality, conditionals and members.

use super::build::UNDEF;
use super::value::{Const, Single, Sym, Values};
use super::{Lowering, Stop};
use crate::expr::ExprId;
use crate::op::BinaryOp;
use specwright_syntax::span::Span;

impl Lowering<'_> {
    /// Equality of two values; `undef` equals `undef`.
    pub(super) fn equal(&mut self, a: &Sym, b: &Sym) -> ExprId {
        match (a, b) {
            (Sym::Known(a), Sym::Known(b)) => {
                let same = a == b;
                self.boolean(same)
            }
            (Sym::Either(_), _) | (_, Sym::Either(_)) => self.equal_cases(a, b),
            (Sym::Ratio(..), other) | (other, Sym::Ratio(..)) if is_number(other) => {
                let Ok((a, b)) = self.over_one_denominator(a, b, Span::NONE) else { return self.boolean(false) };
                self.equal(&a, &b)
            }
            (Sym::Known(Const::Undef), other) | (other, Sym::Known(Const::Undef)) => {
                let defined = self.is_defined(other);
                self.not(defined)
            }
            (Sym::One(Single { value, .. }), Sym::Known(item)) | (Sym::Known(item), Sym::One(Single { value, .. }))
                if self.is_new_element(*value, item).is_some() =>
            {
                self.is_new_element(*value, item).unwrap_or(*value)
            }
            _ => {
                if let (Some(a), Some(b)) = (self.single(a), self.single(b)) {
                    return self.equal_singles(&a, &b);
                }
                self.equal_structures(a, b)
            }
        }
    }

    fn equal_structures(&mut self, a: &Sym, b: &Sym) -> ExprId {
        if let (Some(a), Some(b)) = (items_of(a), items_of(b)) {
            if a.len() != b.len() {
                return self.boolean(false);
            }
            let parts: Vec<ExprId> = a.iter().zip(&b).map(|(a, b)| self.equal(a, b)).collect();
            return self.all(&parts);
        }
        if let (true, Some(a), Some(b)) = (are_sets(a, b), self.members_of(a), self.members_of(b)) {
            let mut parts = Vec::new();
            for (one, other) in [(&a, &b), (&b, &a)] {
                for (item, guard) in one {
                    let inside = self.is_member(item, other);
                    parts.push(self.implies(*guard, inside));
                }
            }
            return self.all(&parts);
        }
        self.boolean(false)
    }

    fn equal_singles(&mut self, a: &Single, b: &Single) -> ExprId {
        let same = match (&a.values, &b.values) {
            (Values::Bool, Values::Bool) => self.iff(a.value, b.value),
            (Values::Int(first, last), Values::Int(low, high)) if first <= high && low <= last => {
                if first == last && (first, last) == (low, high) {
                    self.boolean(true)
                } else {
                    self.compare(BinaryOp::Eq, a.value, b.value)
                }
            }
            (Values::Atoms(xs), Values::Atoms(ys)) if xs.iter().any(|x| ys.contains(x)) => {
                self.compare(BinaryOp::Eq, a.value, b.value)
            }
            _ => self.boolean(false),
        };
        let both = self.and(a.defined, b.defined);
        let (no_a, no_b) = (self.not(a.defined), self.not(b.defined));
        let neither = self.and(no_a, no_b);
        // An atom that equals another one is not `undef`, so it is enough that one of them is always defined.
        let yes = Some(true);
        let told = self.truth_of(a.defined) == yes || self.truth_of(b.defined) == yes;
        let same = if matches!(a.values, Values::Atoms(_)) && told { same } else { self.and(both, same) };
        self.or(same, neither)
    }

    /// A conditional of two values.
    pub(super) fn select(&mut self, c: ExprId, a: &Sym, b: &Sym, span: Span) -> Result<Sym, Stop> {
        match self.truth_of(c) {
            Some(true) => return Ok(a.clone()),
            Some(false) => return Ok(b.clone()),
            None => {}
        }
        if let (Sym::Known(one), Sym::Known(other)) = (a, b)
            && one == other
        {
            return Ok(a.clone());
        }
        let undef = |sym: &Sym| matches!(sym, Sym::Known(Const::Undef));
        if matches!((a, b), (Sym::Ratio(..), _) | (_, Sym::Ratio(..)))
            && (is_number(a) || undef(a))
            && (is_number(b) || undef(b))
        {
            return self.select_fraction(c, a, b, span);
        }
        if let (Some(items), Some(others)) = (items_of(a), items_of(b))
            && items.len() == others.len()
            && tuple_of(a).is_some() == tuple_of(b).is_some()
        {
            let mut parts = Vec::new();
            for (a, b) in items.iter().zip(&others) {
                parts.push(self.select(c, a, b, span)?);
            }
            return Ok(if matches!(a, Sym::Seq(_) | Sym::Known(Const::Seq(_))) {
                Sym::Seq(parts)
            } else {
                Sym::Tuple(parts)
            });
        }
        if let Some(items) = tuple_of(a).filter(|_| undef(b)) {
            let mut parts = Vec::new();
            for item in &items {
                parts.push(self.select(c, item, &Sym::UNDEF, span)?);
            }
            return Ok(Sym::Tuple(parts));
        }
        if undef(a) && tuple_of(b).is_some() {
            let no = self.not(c);
            return self.select(no, b, a, span);
        }
        if let (true, Some(items), Some(others)) = (are_sets(a, b), self.members_of(a), self.members_of(b)) {
            let no = self.not(c);
            let mut all = Vec::new();
            for (items, when) in [(items, c), (others, no)] {
                for (item, guard) in items {
                    let guard = self.and(guard, when);
                    all.push((item, guard));
                }
            }
            return Ok(self.set_of(all));
        }
        // `undef` and the empty set are represented alike.
        if let (Some(items), true) = (self.members_of(a).filter(|_| is_set(a)), undef(b)) {
            let items = items.into_iter().map(|(item, guard)| (item, self.and(guard, c))).collect();
            return Ok(self.set_of(items));
        }
        if undef(a) && is_set(b) {
            let no = self.not(c);
            return self.select(no, b, a, span);
        }
        let one = if undef(a) { self.single(b).map(|b| self.undefined_like(&b)) } else { self.single(a) };
        let other = if undef(b) { self.single(a).map(|a| self.undefined_like(&a)) } else { self.single(b) };
        let (Some(one), Some(other)) = (one, other) else { return self.select_case(c, a, b, span) };
        let values = match (&one.values, &other.values) {
            (Values::Bool, Values::Bool) => Values::Bool,
            (Values::Int(a, b), Values::Int(low, high)) => Values::Int(*a.min(low), *b.max(high)),
            (Values::Atoms(names), Values::Atoms(others)) => {
                let mut all = names.to_vec();
                all.extend(others.iter().filter(|other| !names.contains(other)).cloned());
                Values::Atoms(all.into())
            }
            _ => return self.select_case(c, a, b, span),
        };
        let value = self.choose(c, one.value, other.value);
        let defined = self.choose(c, one.defined, other.defined);
        Ok(Sym::One(Single { value, defined, values }))
    }

    /// An undefined value of the same kind as another.
    pub(super) fn undefined_like(&mut self, other: &Single) -> Single {
        let defined = self.boolean(false);
        match &other.values {
            Values::Bool => Single { value: defined, defined, values: Values::Bool },
            Values::Int(first, _) => {
                let any = if *first == i64::MIN { 0 } else { *first };
                Single { value: self.int(any), defined, values: Values::Int(any, any) }
            }
            Values::Atoms(_) => Single { value: self.atom(UNDEF), defined, values: Values::Atoms([].into()) },
        }
    }

    /// The possible members of a set or items of a sequence, with their conditions.
    pub(super) fn members_of(&mut self, sym: &Sym) -> Option<Vec<(Sym, ExprId)>> {
        let yes = self.boolean(true);
        match sym {
            Sym::Set(items) => Some(items.clone()),
            Sym::Known(Const::Set(items) | Const::Seq(items)) => {
                Some(items.iter().map(|item| (Sym::Known(item.clone()), yes)).collect())
            }
            Sym::Seq(items) => Some(items.iter().map(|item| (item.clone(), yes)).collect()),
            Sym::Either(cases) => {
                let mut members = Vec::new();
                for (case, guard) in cases {
                    if matches!(case, Sym::Known(Const::Undef)) {
                        continue;
                    }
                    for (member, there) in self.members_of(case)? {
                        members.push((member, self.and(*guard, there)));
                    }
                }
                Some(members)
            }
            _ => None,
        }
    }

    /// A set with these possible members; a constant if all conditions are.
    pub(super) fn set_of(&mut self, items: Vec<(Sym, ExprId)>) -> Sym {
        let mut known = Vec::new();
        let mut merged: Vec<(Sym, ExprId)> = Vec::new();
        for (item, guard) in items {
            if self.truth_of(guard) == Some(false) {
                continue;
            }
            let value = item.known();
            let place = value.as_ref().and_then(|value| {
                merged.iter().position(|(other, _)| matches!(other, Sym::Known(other) if other == value))
            });
            match (place, value) {
                (Some(at), _) => merged[at].1 = self.or(merged[at].1, guard),
                (None, Some(value)) => merged.push((Sym::Known(value), guard)),
                (None, None) => merged.push((item, guard)),
            }
        }
        for (item, guard) in &merged {
            match item {
                Sym::Known(value) if self.truth_of(*guard) == Some(true) => known.push(value.clone()),
                _ => return Sym::Set(merged),
            }
        }
        Sym::Known(Const::set(known))
    }

    /// Whether a value is among these members.
    pub(super) fn is_member(&mut self, item: &Sym, members: &[(Sym, ExprId)]) -> ExprId {
        let mut cases = Vec::new();
        for (member, guard) in members {
            let same = self.equal(item, member);
            cases.push(self.and(*guard, same));
        }
        self.any(&cases)
    }
}

/// The items of a tuple or sequence.
pub(super) fn items_of(sym: &Sym) -> Option<Vec<Sym>> {
    match sym {
        Sym::Tuple(items) | Sym::Seq(items) => Some(items.clone()),
        Sym::Known(Const::Tuple(items) | Const::Seq(items)) => {
            Some(items.iter().map(|item| Sym::Known(item.clone())).collect())
        }
        _ => None,
    }
}

fn is_number(sym: &Sym) -> bool {
    matches!(sym, Sym::Ratio(..) | Sym::Known(Const::Int(_)) | Sym::One(Single { values: Values::Int(..), .. }))
}

fn is_set(sym: &Sym) -> bool {
    matches!(sym, Sym::Set(_) | Sym::Known(Const::Set(_)))
}

fn are_sets(a: &Sym, b: &Sym) -> bool {
    is_set(a) && is_set(b)
}

/// The components of a tuple.
pub(super) fn tuple_of(sym: &Sym) -> Option<Vec<Sym>> {
    match sym {
        Sym::Tuple(_) | Sym::Known(Const::Tuple(_)) => items_of(sym),
        _ => None,
    }
}
