//! Exchanging current and next variables.
//!
//! A pair occupies neighbouring levels, current above next, so the exchange moves nodes within their pair and never
//! past another variable: one pass, linear in the size of the diagram.

use super::budget::{Limit, Stop};
use super::cache::Op;
use super::store::{Edge, Store};
use super::{Bdd, Manager};

impl Manager {
    /// Reads a function of current variables on the next ones, and the other way round.
    pub fn swap_next(&self, f: &Bdd) -> Result<Bdd, Limit> {
        self.run(|store| store.exchange(f.edge))
    }
}

impl Store {
    fn exchange(&mut self, f: Edge) -> Result<Edge, Stop> {
        if f.is_constant() {
            return Ok(f);
        }
        let (sign, f) = (f, f.regular());
        if let Some(known) = self.cache.get(Op::Exchange, f, Edge::TRUE, Edge::TRUE) {
            return Ok(known.signed_as(sign));
        }
        self.budget.step()?;
        let var = self.node(f).var;
        let (ft, fe) = self.branches(f);
        let (current, next) = (var & !1, var | 1);
        let result = if var == current && (self.node(ft).var == next || self.node(fe).var == next) {
            // Both variables of the pair: their values change places.
            let next_level = self.level_of[next as usize];
            let (ftt, fte) = self.branches_at(ft, next_level);
            let (fet, fee) = self.branches_at(fe, next_level);
            let (tt, et) = (self.exchange(ftt)?, self.exchange(fet)?);
            let (te, ee) = (self.exchange(fte)?, self.exchange(fee)?);
            let hi = self.make(next, tt, et)?;
            let lo = self.make(next, te, ee)?;
            self.make(current, hi, lo)?
        } else {
            let (hi, lo) = (self.exchange(ft)?, self.exchange(fe)?);
            self.make(var ^ 1, hi, lo)?
        };
        self.cache.insert(Op::Exchange, f, Edge::TRUE, Edge::TRUE, result);
        Ok(result.signed_as(sign))
    }
}
