//! Exchanging current and next variables.
//!
//! A pair occupies neighbouring levels, current above next, so the exchange moves nodes within their pair and never
//! past another variable: one pass, linear in the size of the diagram.

use oxidd_core::function::Function;
use oxidd_core::{ApplyCache, HasLevel};
use oxidd_rules_bdd::complement_edge::{BCDDOp, EdgeTag};

use super::apply::{Apply, EdgeRef, Outcome, Owned, Store, cofactors};
use super::budget::Limit;
use super::manager::close;
use super::{Bdd, Manager};

/// Tells the exchange from the package's own substitutions in the operation cache.
const EXCHANGE: u32 = u32::MAX;

impl Manager {
    /// Reads a function of current variables on the next ones, and the other way round.
    pub fn swap_next(&self, f: &Bdd) -> Result<Bdd, Limit> {
        self.run(|apply| close(apply.store, apply.exchange(f.0.as_edge(apply.store))))
    }
}

impl<M: Store> Apply<'_, M> {
    fn exchange(&self, f: EdgeRef<'_, M>) -> Outcome<M> {
        let store = self.store;
        let tag = f.tag();
        let f = f.with_tag(EdgeTag::None);
        let signed = |r: Owned<M>| {
            let r_tag = r.tag();
            r.with_tag(r_tag ^ tag)
        };
        let Some(node) = self.inner(f) else {
            return Ok(signed(store.clone_edge(f)));
        };
        if let Some(([r], [])) = store.apply_cache().get_extended(store, BCDDOp::Substitute, (&[f], &[EXCHANGE])) {
            return Ok(signed(r));
        }
        self.budget.step()?;
        let level = node.level();
        let (ft, fe) = cofactors(f, node);
        let (current, next) = (level & !1, level | 1);
        let r = if level == current && (self.level(ft) == next || self.level(fe) == next) {
            // Both variables of the pair: their values change places.
            let (ftt, fte) = self.cofactors_at(ft, next);
            let (fet, fee) = self.cofactors_at(fe, next);
            let tt = self.guard(self.exchange(ftt)?);
            let et = self.guard(self.exchange(fet)?);
            let t = self.guard(self.node(next, tt, et)?);
            let te = self.guard(self.exchange(fte)?);
            let ee = self.guard(self.exchange(fee)?);
            let e = self.guard(self.node(next, te, ee)?);
            self.node(current, t, e)?
        } else {
            let t = self.guard(self.exchange(ft)?);
            let e = self.guard(self.exchange(fe)?);
            self.node(level ^ 1, t, e)?
        };
        store.apply_cache().add_extended(store, BCDDOp::Substitute, (&[f], &[EXCHANGE]), (&[r.borrowed()], &[]));
        Ok(signed(r))
    }
}
