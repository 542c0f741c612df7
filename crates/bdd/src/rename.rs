//! Renaming between current and next variables.
//!
//! A pair occupies adjacent levels, current above next, so renaming moves nodes within their pair and never past
//! another variable: one pass, linear in the size of the diagram.

use crate::cache::Op;
use crate::limit::{Limit, Stop};
use crate::store::{Edge, Store};
use crate::{Bdd, Manager};

impl Manager {
    /// Exchanges current and next variables.
    pub fn swap_next(&self, f: &Bdd) -> Result<Bdd, Limit> {
        let f = self.edge(f);
        self.run(|store| store.exchange(f))
    }

    /// Renames next variables to current ones; `f` has at most one variable of each pair.
    pub fn next_as_current(&self, f: &Bdd) -> Result<Bdd, Limit> {
        let f = self.edge(f);
        self.run(|store| store.lower_to_current(f))
    }

    /// What `next_as_current(and_exists(states, relation, cube))` is, in one pass: the successors of states, where the cube has
    /// the current variables that the relation changes, and inputs; `states` has no next variables.
    pub fn successors(&self, states: &Bdd, relation: &Bdd, cube: &Bdd) -> Result<Bdd, Limit> {
        let (states, relation, cube) = (self.edge(states), self.edge(relation), self.edge(cube));
        self.run(|store| store.successors(states, relation, cube))
    }

    /// Renames some current variables, given as a cube, to next ones; `f` has no next variables.
    pub fn current_as_next(&self, f: &Bdd, vars: &Bdd) -> Result<Bdd, Limit> {
        let (f, vars) = (self.edge(f), self.edge(vars));
        self.run(|store| store.raise_to_next(f, vars))
    }
}

impl Store {
    fn exchange(&mut self, f: Edge) -> Result<Edge, Stop> {
        if f.is_constant() {
            return Ok(f);
        }
        let (sign, f) = (f, f.regular());
        if let Some(known) = self.cache.get(Op::Rename, f, Edge::TRUE, Edge::TRUE) {
            return Ok(known.signed_as(sign));
        }
        self.budget.step()?;
        let var = self.node(f).var;
        let (ft, fe) = self.branches(f);
        let (current, next) = (var & !1, var | 1);
        let result = if var == current && (self.node(ft).var == next || self.node(fe).var == next) {
            // Both variables of the pair: their branches are exchanged.
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
        self.cache.insert(Op::Rename, f, Edge::TRUE, Edge::TRUE, result);
        Ok(result.signed_as(sign))
    }

    fn lower_to_current(&mut self, f: Edge) -> Result<Edge, Stop> {
        if f.is_constant() {
            return Ok(f);
        }
        let (sign, f) = (f, f.regular());
        if let Some(known) = self.cache.get(Op::Rename, f, Edge::FALSE, Edge::TRUE) {
            return Ok(known.signed_as(sign));
        }
        self.budget.step()?;
        let var = self.node(f).var;
        let (ft, fe) = self.branches(f);
        let (hi, lo) = (self.lower_to_current(ft)?, self.lower_to_current(fe)?);
        let result = self.make(var & !1, hi, lo)?;
        self.cache.insert(Op::Rename, f, Edge::FALSE, Edge::TRUE, result);
        Ok(result.signed_as(sign))
    }

    fn successors(&mut self, states: Edge, relation: Edge, vars: Edge) -> Result<Edge, Stop> {
        if states == Edge::FALSE || relation == Edge::FALSE {
            return Ok(Edge::FALSE);
        }
        if relation == Edge::TRUE {
            return self.exists(states, vars);
        }
        if states == Edge::TRUE {
            let after = self.exists(relation, vars)?;
            return self.lower_to_current(after);
        }
        let level = self.level(states).min(self.level(relation));
        let vars = self.vars_from(vars, level);
        let kind = if vars == Edge::TRUE { Edge::FALSE } else { vars };
        if let Some(known) = self.cache.get(Op::Exists, states, relation, kind) {
            return Ok(known);
        }
        self.budget.step()?;
        let (st, se) = self.branches_at(states, level);
        let (rt, re) = self.branches_at(relation, level);
        let result = if self.level(vars) == level {
            let below = self.node(vars).hi;
            let hi = self.successors(st, rt, below)?;
            if hi == Edge::TRUE {
                hi
            } else {
                let lo = self.successors(se, re, below)?;
                self.or(hi, lo)?
            }
        } else {
            let (hi, lo) = (self.successors(st, rt, vars)?, self.successors(se, re, vars)?);
            // A next variable is directly below its partner, which is quantified or not mentioned.
            self.make(self.var_at[level as usize] & !1, hi, lo)?
        };
        self.cache.insert(Op::Exists, states, relation, kind, result);
        Ok(result)
    }

    fn raise_to_next(&mut self, f: Edge, vars: Edge) -> Result<Edge, Stop> {
        if f.is_constant() {
            return Ok(f);
        }
        let level = self.level(f);
        let vars = self.vars_from(vars, level);
        if vars == Edge::TRUE {
            return Ok(f);
        }
        let (sign, f) = (f, f.regular());
        if let Some(known) = self.cache.get(Op::Rename, f, vars, Edge::FALSE) {
            return Ok(known.signed_as(sign));
        }
        self.budget.step()?;
        let var = self.node(f).var;
        let (ft, fe) = self.branches(f);
        let (hi, lo) = (self.raise_to_next(ft, vars)?, self.raise_to_next(fe, vars)?);
        let result = self.make(if self.level(vars) == level { var | 1 } else { var }, hi, lo)?;
        self.cache.insert(Op::Rename, f, vars, Edge::FALSE, result);
        Ok(result.signed_as(sign))
    }
}
