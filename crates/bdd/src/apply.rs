//! Recursive algorithms of the Boolean operations and quantification.

use crate::cache::Op;
use crate::limit::Stop;
use crate::store::{Edge, Store};

impl Store {
    pub(crate) fn and(&mut self, f: Edge, g: Edge) -> Result<Edge, Stop> {
        // Constants come first in the order of edges.
        let (f, g) = if f <= g { (f, g) } else { (g, f) };
        if f == Edge::TRUE || f == g {
            return Ok(g);
        }
        if f == Edge::FALSE || f == !g {
            return Ok(Edge::FALSE);
        }
        if let Some(known) = self.cache.get(Op::And, f, g, Edge::TRUE) {
            return Ok(known);
        }
        self.budget.step()?;
        let (f_level, g_level) = (self.level(f), self.level(g));
        let level = f_level.min(g_level);
        let (ft, fe) = if f_level == level { self.branches(f) } else { (f, f) };
        let (gt, ge) = if g_level == level { self.branches(g) } else { (g, g) };
        let hi = self.and(ft, gt)?;
        let lo = self.and(fe, ge)?;
        let result = self.make(self.var_at[level as usize], hi, lo)?;
        self.cache.insert(Op::And, f, g, Edge::TRUE, result);
        Ok(result)
    }

    pub(crate) fn or(&mut self, f: Edge, g: Edge) -> Result<Edge, Stop> {
        Ok(!self.and(!f, !g)?)
    }

    pub(crate) fn xor(&mut self, f: Edge, g: Edge) -> Result<Edge, Stop> {
        // Complements move to the result, so that four pairs of operands share one cache entry.
        let sign = f.signed_as(g);
        let (f, g) = (f.regular(), g.regular());
        let (f, g) = if f <= g { (f, g) } else { (g, f) };
        if f == g {
            return Ok(Edge::FALSE.signed_as(sign));
        }
        if f == Edge::TRUE {
            return Ok(!g.signed_as(sign));
        }
        if let Some(known) = self.cache.get(Op::Xor, f, g, Edge::TRUE) {
            return Ok(known.signed_as(sign));
        }
        self.budget.step()?;
        let (f_level, g_level) = (self.level(f), self.level(g));
        let level = f_level.min(g_level);
        let (ft, fe) = if f_level == level { self.branches(f) } else { (f, f) };
        let (gt, ge) = if g_level == level { self.branches(g) } else { (g, g) };
        let hi = self.xor(ft, gt)?;
        let lo = self.xor(fe, ge)?;
        let result = self.make(self.var_at[level as usize], hi, lo)?;
        self.cache.insert(Op::Xor, f, g, Edge::TRUE, result);
        Ok(result.signed_as(sign))
    }

    pub(crate) fn ite(&mut self, f: Edge, g: Edge, h: Edge) -> Result<Edge, Stop> {
        // Normal form: a regular condition and a regular true branch.
        let (f, g, h) = if f.is_complemented() { (!f, h, g) } else { (f, g, h) };
        if f == Edge::TRUE || g == h {
            return Ok(g);
        }
        if g == !h {
            return Ok(!self.xor(f, g)?);
        }
        if g == f || g == Edge::TRUE {
            return self.or(f, h);
        }
        if g == !f || g == Edge::FALSE {
            return self.and(!f, h);
        }
        if h == f || h == Edge::FALSE {
            return self.and(f, g);
        }
        if h == !f || h == Edge::TRUE {
            return self.or(!f, g);
        }
        let sign = g;
        let (g, h) = (g.regular(), h.signed_as(sign));
        if let Some(known) = self.cache.get(Op::Ite, f, g, h) {
            return Ok(known.signed_as(sign));
        }
        self.budget.step()?;
        let level = self.level(f).min(self.level(g)).min(self.level(h));
        let (ft, fe) = self.branches_at(f, level);
        let (gt, ge) = self.branches_at(g, level);
        let (ht, he) = self.branches_at(h, level);
        let hi = self.ite(ft, gt, ht)?;
        let lo = self.ite(fe, ge, he)?;
        let result = self.make(self.var_at[level as usize], hi, lo)?;
        self.cache.insert(Op::Ite, f, g, h, result);
        Ok(result.signed_as(sign))
    }

    /// The part of the cube `vars` from `level` on.
    #[inline]
    pub(crate) fn vars_from(&self, mut vars: Edge, level: u32) -> Edge {
        while self.level(vars) < level {
            vars = self.node(vars).hi;
        }
        vars
    }

    pub(crate) fn exists(&mut self, f: Edge, vars: Edge) -> Result<Edge, Stop> {
        if f.is_constant() {
            return Ok(f);
        }
        let level = self.level(f);
        let vars = self.vars_from(vars, level);
        if vars == Edge::TRUE {
            return Ok(f);
        }
        if let Some(known) = self.cache.get(Op::Exists, f, vars, Edge::TRUE) {
            return Ok(known);
        }
        self.budget.step()?;
        let (ft, fe) = self.branches(f);
        let result = if self.level(vars) == level {
            let below = self.node(vars).hi;
            let hi = self.exists(ft, below)?;
            // If `hi` equals the other branch, that branch has none of the variables, and adds nothing.
            if hi == Edge::TRUE || hi == fe {
                hi
            } else {
                let lo = self.exists(fe, below)?;
                self.or(hi, lo)?
            }
        } else {
            let hi = self.exists(ft, vars)?;
            let lo = self.exists(fe, vars)?;
            self.make(self.var_at[level as usize], hi, lo)?
        };
        self.cache.insert(Op::Exists, f, vars, Edge::TRUE, result);
        Ok(result)
    }

    pub(crate) fn and_exists(&mut self, f: Edge, g: Edge, vars: Edge) -> Result<Edge, Stop> {
        let (f, g) = if f <= g { (f, g) } else { (g, f) };
        if f == Edge::FALSE || f == !g {
            return Ok(Edge::FALSE);
        }
        if f == Edge::TRUE || f == g {
            return self.exists(g, vars);
        }
        let (f_level, g_level) = (self.level(f), self.level(g));
        let level = f_level.min(g_level);
        let vars = self.vars_from(vars, level);
        if vars == Edge::TRUE {
            return self.and(f, g);
        }
        if let Some(known) = self.cache.get(Op::AndExists, f, g, vars) {
            return Ok(known);
        }
        self.budget.step()?;
        let (ft, fe) = if f_level == level { self.branches(f) } else { (f, f) };
        let (gt, ge) = if g_level == level { self.branches(g) } else { (g, g) };
        let result = if self.level(vars) == level {
            let below = self.node(vars).hi;
            let hi = self.and_exists(ft, gt, below)?;
            // As above: either branch that equals `hi` contains the second product.
            if hi == Edge::TRUE || hi == fe || hi == ge {
                hi
            } else {
                let lo = self.and_exists(fe, ge, below)?;
                self.or(hi, lo)?
            }
        } else {
            let hi = self.and_exists(ft, gt, vars)?;
            let lo = self.and_exists(fe, ge, vars)?;
            self.make(self.var_at[level as usize], hi, lo)?
        };
        self.cache.insert(Op::AndExists, f, g, vars, result);
        Ok(result)
    }
}
