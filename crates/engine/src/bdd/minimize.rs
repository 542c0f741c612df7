//! Simplifying a function where only part of its domain matters.

use oxidd_core::function::Function;
use oxidd_core::{ApplyCache, HasLevel};
use oxidd_rules_bdd::complement_edge::{BCDDOp, EdgeTag};

use super::apply::{Apply, EdgeRef, Outcome, Owned, Store, cofactors, negated};
use super::budget::Limit;
use super::manager::close;
use super::{Bdd, Manager};

impl Manager {
    /// A function that agrees with `f` wherever `care` holds, is chosen freely elsewhere, and has at most as many nodes
    /// as `f`. With an empty care set, `f` itself.
    pub fn minimize(&self, f: &Bdd, care: &Bdd) -> Result<Bdd, Limit> {
        if care.is_false() {
            return Ok(f.clone());
        }
        let minimized = self
            .run(|apply| close(apply.store, apply.restrict(f.0.as_edge(apply.store), care.0.as_edge(apply.store))))?;
        Ok(if minimized.node_count() <= f.node_count() { minimized } else { f.clone() })
    }

    /// `f` with some variables fixed to a value.
    pub fn cofactor(&self, f: &Bdd, literals: &[(super::Var, bool)]) -> Result<Bdd, Limit> {
        let mut cube = self.constant(true);
        for &(var, value) in literals {
            let var = self.var(var)?;
            cube = self.and(&cube, &if value { var } else { self.not(&var) })?;
        }
        if cube.is_false() {
            return Ok(cube);
        }
        // On a cube, restriction is substitution.
        self.run(|apply| close(apply.store, apply.restrict(f.0.as_edge(apply.store), cube.0.as_edge(apply.store))))
    }
}

impl<M: Store> Apply<'_, M> {
    /// Coudert and Madre's restriction: a sibling substitution that skips the variables `f` does not have.
    /// The care set is not empty.
    fn restrict(&self, f: EdgeRef<'_, M>, care: EdgeRef<'_, M>) -> Outcome<M> {
        let store = self.store;
        if f == care {
            return self.constant(true);
        }
        if f == negated(care) {
            return self.constant(false);
        }
        let tag = f.tag();
        let f = f.with_tag(EdgeTag::None);
        let signed = |r: Owned<M>| {
            let r_tag = r.tag();
            r.with_tag(r_tag ^ tag)
        };
        let (Some(f_node), Some(care_node)) = (self.inner(f), self.inner(care)) else {
            return Ok(signed(store.clone_edge(f)));
        };
        if let Some(r) = store.apply_cache().get(store, BCDDOp::Restrict, &[f, care]) {
            return Ok(signed(r));
        }
        self.budget.step()?;
        let (level, care_level) = (f_node.level(), care_node.level());
        let r = if care_level < level {
            let (ct, ce) = cofactors(care, care_node);
            let some = self.guard(self.or(ct, ce)?);
            self.restrict(f, some.borrowed())?
        } else {
            let (ft, fe) = cofactors(f, f_node);
            let (ct, ce) = self.cofactors_at(care, level);
            if self.is_constant(ct, false) {
                self.restrict(fe, ce)?
            } else if self.is_constant(ce, false) {
                self.restrict(ft, ct)?
            } else {
                let t = self.guard(self.restrict(ft, ct)?);
                let e = self.guard(self.restrict(fe, ce)?);
                self.node(level, t, e)?
            }
        };
        store.apply_cache().add(store, BCDDOp::Restrict, &[f, care], r.borrowed());
        Ok(signed(r))
    }
}
