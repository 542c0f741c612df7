//! Functions of the standard library on sets, sequences, bags, maps and tuples.

use super::library::{count, known_seq};
use super::structures::{items_of, tuple_of};
use super::value::{Const, Single, Sym, Values};
use super::{Lowering, Stop};
use crate::expr::{ExprId, Node};
use crate::op::{BinaryOp as Op, Builtin};
use specwright_syntax::asm::ast::BinaryOp;
use specwright_syntax::span::Span;

const PLACES: [&str; 9] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];

impl Lowering<'_> {
    /// Applies a function on collections; `None` if there is no such function.
    pub(super) fn on_collections(&mut self, name: &str, args: &[Sym], span: Span) -> Result<Option<Sym>, Stop> {
        if let (Some(place), [a]) = (PLACES.iter().position(|known| *known == name), args) {
            return self.item(a, |_| Some(place), span).map(Some);
        }
        Ok(Some(match (name, args) {
            ("size" | "length", [a]) => self.size(a, span)?,
            ("isEmpty" | "notEmpty", [set]) => {
                let members = self.members(set, span)?;
                let guards: Vec<ExprId> = members.into_iter().map(|(_, guard)| guard).collect();
                let any = self.any(&guards);
                let result = if name == "isEmpty" { self.not(any) } else { any };
                self.truth(result)
            }
            ("contains" | "notin", [set, item]) => {
                let members = self.members(set, span)?;
                let inside = self.is_member(item, &members);
                let result = if name == "contains" { inside } else { self.not(inside) };
                self.truth(result)
            }
            ("allin" | "notallin", [a, b]) => {
                let (a, b) = (self.members(a, span)?, self.members(b, span)?);
                let mut parts = Vec::new();
                for (item, guard) in a {
                    let inside = self.is_member(&item, &b);
                    parts.push(self.implies(guard, inside));
                }
                let all = self.all(&parts);
                let result = if name == "allin" { all } else { self.not(all) };
                self.truth(result)
            }
            ("sum", [a]) => self.sum(a, span)?,
            ("count", [a, item]) => {
                let members = self.members(a, span)?;
                self.times_in(item, &members)
            }
            ("at", [a, key]) => self.at(a, key, span)?,
            ("last", [a]) => self.item(a, |n| n.checked_sub(1), span)?,
            ("merge" | "assign", [map, ..]) => {
                let mut pairs = self.pairs(map, span)?;
                let new = match args {
                    [_, other] => self.pairs(other, span)?,
                    [_, key, value] => vec![(key.clone(), value.clone())],
                    _ => return Ok(None),
                };
                // The first pair with a key counts.
                pairs.splice(0..0, new);
                super::terms::known_if(Sym::Map(pairs))
            }
            _ => match self.on_sequences(name, args, span)? {
                Some(result) => result,
                None => return self.on_sets(name, args, span),
            },
        }))
    }

    fn on_sets(&mut self, name: &str, args: &[Sym], span: Span) -> Result<Option<Sym>, Stop> {
        let items = match (name, args) {
            ("union", [a, b]) => {
                let mut items = self.members(a, span)?;
                items.extend(self.members(b, span)?);
                items
            }
            ("symmetricDifference", [a, b]) => {
                let (mut items, more) = (self.without(a, b, span)?, self.without(b, a, span)?);
                items.extend(more);
                items
            }
            ("difference", [a, b]) => self.without(a, b, span)?,
            ("intersection", [a, b]) => {
                let (a, b) = (self.members(a, span)?, self.members(b, span)?);
                let mut items = Vec::new();
                for (item, guard) in a {
                    let inside = self.is_member(&item, &b);
                    items.push((item, self.and(guard, inside)));
                }
                items
            }
            ("including", [set, item]) => {
                let yes = self.boolean(true);
                let mut items = self.members(set, span)?;
                items.push((item.clone(), yes));
                items
            }
            ("excluding", [set, item]) => {
                let yes = self.boolean(true);
                let item = Sym::Set(vec![(item.clone(), yes)]);
                self.without(set, &item, span)?
            }
            ("asSet", [a]) => self.members(a, span)?,
            ("chooseone", [a]) => {
                let members = self.members(a, span)?;
                return self.choose_one(&members, span).map(Some);
            }
            _ => return Ok(None),
        };
        Ok(Some(self.set_of(items)))
    }

    fn on_sequences(&mut self, name: &str, args: &[Sym], span: Span) -> Result<Option<Sym>, Stop> {
        let is_seq = |sym: &Sym| matches!(sym, Sym::Seq(_) | Sym::Known(Const::Seq(_)));
        let changes = ["excluding", "asSequence", "asBag", "tail", "append", "replaceAt", "insertAt", "subSequence"];
        match (name, args) {
            ("prepend", [_, Sym::Known(Const::Undef)]) => return Ok(Some(Sym::UNDEF)),
            (_, [Sym::Known(Const::Undef), ..]) if changes.contains(&name) => return Ok(Some(Sym::UNDEF)),
            _ => {}
        }
        Ok(Some(match (name, args) {
            ("union", [a, b]) if is_seq(a) && is_seq(b) => {
                let mut items = self.items(a, span)?;
                items.extend(self.items(b, span)?);
                known_seq(items)
            }
            // Of a bag and a set.
            ("union", [a, b]) if is_seq(a) || is_seq(b) => {
                let mut items = Vec::new();
                for part in [a, b] {
                    let members = self.members(part, span)?;
                    items.extend(if is_seq(part) { members } else { self.once(&members) });
                }
                self.sequence_of(items, span)?
            }
            ("intersection", [a, b]) if is_seq(a) => {
                let items = self.items(a, span)?;
                let others = self.members(b, span)?;
                let mut kept = Vec::new();
                for (at, item) in items.iter().enumerate() {
                    let found = self.times_in(item, &others);
                    // In a set, it is found once for all.
                    let before: Vec<(Sym, ExprId)> = if is_seq(b) {
                        let yes = self.boolean(true);
                        items[..at].iter().map(|item| (item.clone(), yes)).collect()
                    } else {
                        Vec::new()
                    };
                    let before = self.times_in(item, &before);
                    let more = self.binary(BinaryOp::Lt, &before, &found, span)?;
                    kept.push((item.clone(), self.holds(&more, span)?));
                }
                self.sequence_of(kept, span)?
            }
            ("excluding", [a, item]) if is_seq(a) => {
                let mut items = Vec::new();
                for member in self.items(a, span)? {
                    let same = self.equal(&member, item);
                    items.push((member, self.not(same)));
                }
                self.sequence_of(items, span)?
            }
            ("asSequence" | "asBag", [a]) if is_seq(a) => a.clone(),
            ("asSequence" | "asBag", [a]) => {
                let members = self.members(a, span)?;
                let items = self.once(&members);
                self.sequence_of(items, span)?
            }
            ("tail", [a]) => {
                let items = self.items(a, span)?;
                known_seq(items.into_iter().skip(1).collect())
            }
            ("append", [a, item]) => {
                let mut items = self.items(a, span)?;
                items.push(item.clone());
                known_seq(items)
            }
            // A bag is a sequence whose order does not matter.
            ("including", [a, item]) if is_seq(a) => {
                let mut items = self.items(a, span)?;
                items.push(item.clone());
                known_seq(items)
            }
            ("prepend", [item, a]) => {
                let mut items = self.items(a, span)?;
                items.insert(0, item.clone());
                known_seq(items)
            }
            ("replaceAt" | "insertAt", [a, place, item]) => {
                let items = self.items(a, span)?;
                let insert = name == "insertAt";
                self.at_place(place, items.len() + usize::from(insert), span, |at| {
                    let mut items = items.clone();
                    items.splice(at..at + usize::from(!insert), [item.clone()]);
                    known_seq(items)
                })?
            }
            // From the first index up to, but not including, the last.
            ("subSequence", [a, first, last]) => {
                let items = self.items(a, span)?;
                let mut cases = Vec::new();
                for (from, start) in self.places(first, items.len() + 1, span)? {
                    for (to, end) in self.places(last, items.len() + 1, span)? {
                        let guard = self.and(start, end);
                        let part = from.zip(to).and_then(|(from, to)| items.get(from..to));
                        cases.push((part.map_or(Sym::UNDEF, |part| known_seq(part.to_vec())), guard));
                    }
                }
                self.one_of(cases, span)?
            }
            ("indexOf", [a, item]) => {
                let items = self.items(a, span)?;
                // As in `at`, components of tuples are counted from 1.
                let first = usize::from(tuple_of(a).is_some());
                let mut result = Sym::UNDEF;
                for (at, member) in items.iter().enumerate().rev() {
                    let same = self.equal(member, item);
                    result = self.select(same, &Sym::Known(Const::Int(count(first + at))), &result, span)?;
                }
                result
            }
            _ => return Ok(None),
        }))
    }

    /// The indices below `n` that a number may have, each with its condition; `None` stands for all other numbers.
    fn places(&mut self, place: &Sym, n: usize, span: Span) -> Result<Vec<(Option<usize>, ExprId)>, Stop> {
        if !matches!(place, Sym::Known(Const::Int(_) | Const::Undef) | Sym::One(Single { values: Values::Int(..), .. }))
        {
            return Err(self.wrong_kind(span, "a number", place));
        }
        let mut found = Vec::new();
        let mut guards = Vec::new();
        for at in 0..n {
            let same = self.equal(place, &Sym::Known(Const::Int(count(at))));
            guards.push(same);
            found.push((Some(at), same));
        }
        let any = self.any(&guards);
        found.push((None, self.not(any)));
        found.retain(|(_, guard)| self.truth_of(*guard) != Some(false));
        Ok(found)
    }

    /// A value for each index below `n`; undefined for other numbers.
    fn at_place(&mut self, place: &Sym, n: usize, span: Span, made: impl Fn(usize) -> Sym) -> Result<Sym, Stop> {
        let places = self.places(place, n, span)?;
        self.one_of(places.into_iter().map(|(at, guard)| (at.map_or(Sym::UNDEF, &made), guard)).collect(), span)
    }

    pub(super) fn members(&mut self, sym: &Sym, span: Span) -> Result<Vec<(Sym, ExprId)>, Stop> {
        if matches!(sym, Sym::Known(Const::Undef)) {
            return Ok(Vec::new());
        }
        match self.members_of(sym) {
            Some(members) => Ok(members),
            None => Err(self.wrong_kind(span, "a set or a sequence", sym)),
        }
    }

    /// The members of one set that are not members of another.
    fn without(&mut self, a: &Sym, b: &Sym, span: Span) -> Result<Vec<(Sym, ExprId)>, Stop> {
        let (a, b) = (self.members(a, span)?, self.members(b, span)?);
        let mut items = Vec::new();
        for (item, guard) in a {
            let inside = self.is_member(&item, &b);
            let outside = self.not(inside);
            items.push((item, self.and(guard, outside)));
        }
        Ok(items)
    }

    /// Members without duplicates.
    fn once(&mut self, members: &[(Sym, ExprId)]) -> Vec<(Sym, ExprId)> {
        let mut fresh: Vec<(Sym, ExprId)> = Vec::new();
        for (at, (item, guard)) in members.iter().enumerate() {
            let mut new = *guard;
            for (other, there) in &members[..at] {
                let same = self.equal(item, other);
                let again = self.and(*there, same);
                let first = self.not(again);
                new = self.and(new, first);
            }
            fresh.push((item.clone(), new));
        }
        fresh
    }

    fn items(&mut self, sym: &Sym, span: Span) -> Result<Vec<Sym>, Stop> {
        match items_of(sym) {
            Some(items) => Ok(items),
            None if matches!(sym, Sym::Known(Const::Undef)) => Ok(Vec::new()),
            None => Err(self.wrong_kind(span, "a sequence or a tuple", sym)),
        }
    }

    fn item(&mut self, sym: &Sym, place: impl Fn(usize) -> Option<usize>, span: Span) -> Result<Sym, Stop> {
        let items = self.items(sym, span)?;
        Ok(place(items.len()).and_then(|at| items.get(at).cloned()).unwrap_or(Sym::UNDEF))
    }

    fn pairs(&mut self, map: &Sym, span: Span) -> Result<Vec<(Sym, Sym)>, Stop> {
        match map {
            Sym::Map(pairs) => Ok(pairs.clone()),
            Sym::Known(Const::Map(pairs)) => {
                Ok(pairs.iter().map(|(key, value)| (Sym::Known(key.clone()), Sym::Known(value.clone()))).collect())
            }
            // `{}` may be a set or a map.
            Sym::Known(Const::Set(items)) if items.is_empty() => Ok(Vec::new()),
            Sym::Known(Const::Undef) => Ok(Vec::new()),
            other => Err(self.wrong_kind(span, "a map", other)),
        }
    }

    /// `at(map, key)`, `at(sequence, place)`
    fn at(&mut self, collection: &Sym, key: &Sym, span: Span) -> Result<Sym, Stop> {
        let pairs: Vec<(Sym, Sym)> = match items_of(collection) {
            None => self.pairs(collection, span)?,
            Some(items) => {
                // Components of tuples are counted from 1, items of sequences from 0.
                let first = i64::from(tuple_of(collection).is_some());
                (first..).map(|at| Sym::Known(Const::Int(at))).zip(items).collect()
            }
        };
        let mut result = Sym::UNDEF;
        for (known, value) in pairs.iter().rev() {
            let same = self.equal(key, known);
            result = self.select(same, value, &result, span)?;
        }
        Ok(result)
    }

    /// The sum of the members of a set or the items of a sequence.
    fn sum(&mut self, a: &Sym, span: Span) -> Result<Sym, Stop> {
        let mut members = self.members(a, span)?;
        if items_of(a).is_none() {
            members = self.once(&members);
        }
        let zero = Sym::Known(Const::Int(0));
        let mut total = zero.clone();
        for (item, guard) in members {
            let part = self.select(guard, &item, &zero, span)?;
            total = self.arithmetic(BinaryOp::Add, &total, &part, span)?;
        }
        Ok(total)
    }

    /// How often an item is among these members.
    fn times_in(&mut self, item: &Sym, members: &[(Sym, ExprId)]) -> Sym {
        let mut found = Vec::new();
        for (member, guard) in members {
            let same = self.equal(member, item);
            found.push(self.and(*guard, same));
        }
        self.how_many(found)
    }

    /// The number of members.
    fn size(&mut self, set: &Sym, span: Span) -> Result<Sym, Stop> {
        if let Some(items) = items_of(set) {
            return Ok(Sym::Known(Const::Int(count(items.len()))));
        }
        let members = self.members(set, span)?;
        let fresh = self.once(&members);
        Ok(self.how_many(fresh.into_iter().map(|(_, guard)| guard).collect()))
    }

    /// The number of conditions that hold.
    fn how_many(&mut self, mut counted: Vec<ExprId>) -> Sym {
        let sure = count(counted.iter().filter(|guard| self.truth_of(**guard) == Some(true)).count());
        counted.retain(|guard| self.truth_of(*guard).is_none());
        if counted.is_empty() {
            return Sym::Known(Const::Int(sure));
        }
        let n = count(counted.len());
        let mut value = self.node(Node::Call(Builtin::Count, counted.into()));
        if sure > 0 {
            let sure = self.int(sure);
            value = self.node(Node::Binary(Op::Add, value, sure));
        }
        let defined = self.boolean(true);
        Sym::One(Single { value, defined, values: Values::Int(sure, sure + n) })
    }
}
