//! Expressions that stand for one of several values, and what it means to choose from them.

use super::Time;
use super::algebra::{Algebra, Function};
use super::eval::Encoder;
use super::value::{Fault, FaultKind, SymbolicValue};
use crate::bdd::{Bdd, Limit};
use specwright_model::op::BinaryOp;
use specwright_model::{Domain, ExprId, Node, Value};

/// Values that may be chosen, and when.
#[derive(Clone, Debug)]
pub(crate) struct Offer<F = Bdd> {
    /// The states in which the offer stands.
    pub(crate) when: F,
    /// What is offered.
    pub(crate) item: Item<F>,
}

/// What may be chosen.
#[derive(Clone, Debug)]
pub(crate) enum Item<F> {
    /// One value.
    One(SymbolicValue<F>),
    /// Any number from the first to the last.
    Range(i64, i64),
}

impl<A: Algebra> Encoder<'_, A> {
    /// The values that an expression offers. Faults are added to the list.
    pub(crate) fn offers(
        &mut self,
        expr: ExprId,
        time: Time,
        faults: &mut Vec<Fault<A::Function>>,
    ) -> Result<Vec<Offer<A::Function>>, Limit> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.offers_inner(expr, time, faults))
    }

    fn offers_inner(
        &mut self,
        expr: ExprId,
        time: Time,
        faults: &mut Vec<Fault<A::Function>>,
    ) -> Result<Vec<Offer<A::Function>>, Limit> {
        let truth = self.manager.constant(true);
        let system = self.system;
        if !system.context.exprs.ty(expr).is_set() {
            let coded = self.eval(expr, time)?;
            faults.extend(coded.faults.iter().cloned());
            return Ok(vec![Offer { when: truth, item: Item::One(coded.value.clone()) }]);
        }
        match &system[expr] {
            Node::Define(define) => self.offers(system.body(*define), time, faults),
            Node::Next(inner) => self.offers(*inner, Time::Next, faults),
            Node::Set(items) => {
                let mut all = Vec::new();
                for item in items {
                    all.extend(self.offers(*item, time, faults)?);
                }
                Ok(all)
            }
            Node::Binary(BinaryOp::Union, a, b) => {
                let mut all = self.offers(*a, time, faults)?;
                all.extend(self.offers(*b, time, faults)?);
                Ok(all)
            }
            Node::Range(first, last) => {
                let (first, last) = (self.constant(*first)?, self.constant(*last)?);
                Ok(vec![Offer { when: truth, item: Item::Range(first, last) }])
            }
            Node::Ite(condition, then, otherwise) => {
                let branches = [(*condition, *then)];
                let mut all = Vec::new();
                let rest = self.branch_offers(&branches, truth, time, faults, &mut all)?;
                self.guarded_offers(*otherwise, &rest, time, faults, &mut all)?;
                Ok(all)
            }
            Node::Case(branches) => {
                let mut all = Vec::new();
                let rest = self.branch_offers(branches, truth, time, faults, &mut all)?;
                if !rest.is_false() {
                    faults.push(Fault { expr, kind: FaultKind::NoBranch, when: rest });
                }
                Ok(all)
            }
            node => unreachable!("the typing rules make no set of {node:?}"),
        }
    }

    /// The value of a number that is the same everywhere, as the bounds of ranges are.
    fn constant(&mut self, expr: ExprId) -> Result<i64, Limit> {
        let coded = self.eval(expr, Time::Now)?;
        let values = coded.value.as_bits().values(&self.manager)?;
        Ok(values.first().expect("a number has a value somewhere").0)
    }

    /// Adds the offers of guarded branches; returns where no guard holds.
    fn branch_offers(
        &mut self,
        branches: &[(ExprId, ExprId)],
        mut rest: A::Function,
        time: Time,
        faults: &mut Vec<Fault<A::Function>>,
        all: &mut Vec<Offer<A::Function>>,
    ) -> Result<A::Function, Limit> {
        for (guard, value) in branches {
            let guard = self.eval(*guard, time)?;
            faults.extend(self.restrict(&guard.faults, &rest)?);
            let when = self.manager.and(&rest, guard.value.as_bool())?;
            self.guarded_offers(*value, &when, time, faults, all)?;
            rest = self.manager.diff(&rest, guard.value.as_bool())?;
        }
        Ok(rest)
    }

    /// Adds the offers of an expression that counts only under a condition.
    fn guarded_offers(
        &mut self,
        expr: ExprId,
        when: &A::Function,
        time: Time,
        faults: &mut Vec<Fault<A::Function>>,
        all: &mut Vec<Offer<A::Function>>,
    ) -> Result<(), Limit> {
        let mut inner = Vec::new();
        for offer in self.offers(expr, time, &mut inner)? {
            let when = self.manager.and(when, &offer.when)?;
            if !when.is_false() {
                all.push(Offer { when, item: offer.item });
            }
        }
        faults.extend(self.restrict(&inner, when)?);
        Ok(())
    }

    /// Where a value is among those offered.
    pub(crate) fn is_offered(
        &mut self,
        value: &SymbolicValue<A::Function>,
        offers: &[Offer<A::Function>],
    ) -> Result<A::Function, Limit> {
        let mut any = self.manager.constant(false);
        for offer in offers {
            let equal = match &offer.item {
                Item::One(item) => value.equals(item, &self.manager)?,
                Item::Range(first, last) => match value {
                    SymbolicValue::Int(bits) => bits.between(*first, *last, &self.manager)?,
                    mixed => {
                        let mut inside = self.manager.constant(false);
                        for (value, when) in mixed.choices(&self.manager)? {
                            if matches!(value, Value::Int(number) if (*first..=*last).contains(&number)) {
                                inside = self.manager.or(&inside, &when)?;
                            }
                        }
                        inside
                    }
                },
            };
            any = self.manager.or(&any, &self.manager.and(&offer.when, &equal)?)?;
        }
        Ok(any)
    }

    /// `left in right`: every value offered on the left is offered on the right.
    pub(crate) fn subset(
        &mut self,
        left: ExprId,
        right: ExprId,
        time: Time,
        faults: &mut Vec<Fault<A::Function>>,
    ) -> Result<A::Function, Limit> {
        let left = self.offers(left, time, faults)?;
        let right = self.offers(right, time, faults)?;
        let mut all = self.manager.constant(true);
        for offer in left {
            let values = match offer.item {
                Item::One(value) => vec![value],
                Item::Range(first, last) => (first..=last)
                    .map(|number| SymbolicValue::Int(super::bits::Bits::number(number, &self.manager)))
                    .collect(),
            };
            for value in values {
                let offered = self.is_offered(&value, &right)?;
                all = self.manager.and(&all, &self.manager.implies(&offer.when, &offered)?)?;
            }
        }
        Ok(all)
    }

    /// Where some value that is offered lies outside a domain.
    pub(crate) fn offers_outside(&self, offers: &[Offer<A::Function>], domain: &Domain) -> Result<A::Function, Limit> {
        let mut any = self.manager.constant(false);
        for offer in offers {
            let outside = match &offer.item {
                Item::One(value) => value.outside(domain, &self.manager)?,
                Item::Range(first, last) => {
                    let inside = match domain {
                        Domain::Range(low, high) => low <= first && last <= high,
                        domain => (*first..=*last).all(|number| domain.contains(Value::Int(number))),
                    };
                    self.manager.constant(!inside)
                }
            };
            any = self.manager.or(&any, &self.manager.and(&offer.when, &outside)?)?;
        }
        Ok(any)
    }
}
