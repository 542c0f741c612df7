//! Simplification of a function by a care set.

use crate::cache::Op;
use crate::limit::{Limit, Stop};
use crate::store::{Edge, Store};
use crate::{Bdd, Manager, Var};

impl Manager {
    /// A function that agrees with `f` wherever `care` holds, is arbitrary elsewhere, and has at most as many nodes as
    /// `f`. With an empty care set, `f` itself.
    pub fn restrict(&self, f: &Bdd, care: &Bdd) -> Result<Bdd, Limit> {
        if care.is_false() {
            return Ok(f.clone());
        }
        let (edge, care) = (self.edge(f), self.edge(care));
        let restricted = self.run(|store| store.restrict(edge, care))?;
        Ok(if restricted.node_count() <= f.node_count() { restricted } else { f.clone() })
    }

    /// `f` with some variables fixed to a value.
    ///
    /// # Panics
    /// If a variable is fixed to both values.
    pub fn cofactor(&self, f: &Bdd, literals: &[(Var, bool)]) -> Result<Bdd, Limit> {
        let mut cube = self.constant(true);
        for &(var, value) in literals {
            let var = self.var(var)?;
            cube = self.and(&cube, &if value { var } else { self.not(&var) })?;
        }
        assert!(!cube.is_false(), "a variable is fixed to both values");
        // On a cube, restriction is substitution.
        let (f, cube) = (self.edge(f), self.edge(&cube));
        self.run(|store| store.restrict(f, cube))
    }
}

impl Store {
    /// Restriction by Coudert and Madre: sibling substitution that skips the variables that `f` does not have. The care
    /// set is not empty.
    fn restrict(&mut self, f: Edge, care: Edge) -> Result<Edge, Stop> {
        if f == care {
            return Ok(Edge::TRUE);
        }
        if f == !care {
            return Ok(Edge::FALSE);
        }
        if f.is_constant() || care == Edge::TRUE {
            return Ok(f);
        }
        let (sign, f) = (f, f.regular());
        if let Some(known) = self.cache.get(Op::Restrict, f, care, Edge::TRUE) {
            return Ok(known.signed_as(sign));
        }
        self.budget.step()?;
        let level = self.level(f);
        let result = if self.level(care) < level {
            let (ct, ce) = self.branches(care);
            let some = self.or(ct, ce)?;
            self.restrict(f, some)?
        } else {
            let (ft, fe) = self.branches(f);
            let (ct, ce) = self.branches_at(care, level);
            if ct == Edge::FALSE {
                self.restrict(fe, ce)?
            } else if ce == Edge::FALSE {
                self.restrict(ft, ct)?
            } else {
                let hi = self.restrict(ft, ct)?;
                let lo = self.restrict(fe, ce)?;
                self.make(self.var_at[level as usize], hi, lo)?
            }
        };
        self.cache.insert(Op::Restrict, f, care, Edge::TRUE, result);
        Ok(result.signed_as(sign))
    }
}
