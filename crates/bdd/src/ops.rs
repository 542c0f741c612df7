//! Boolean operations and quantification, as methods of the manager.

use crate::limit::Limit;
use crate::store::Edge;
use crate::{Bdd, Manager, Var};

impl Manager {
    /// The constant `value`.
    pub fn constant(&self, value: bool) -> Bdd {
        self.handle(if value { Edge::TRUE } else { Edge::FALSE })
    }

    /// The variable `var` as a function.
    ///
    /// # Panics
    /// If there is no such variable.
    pub fn var(&self, var: Var) -> Result<Bdd, Limit> {
        self.run(|store| store.make(var, Edge::TRUE, Edge::FALSE))
    }

    /// The conjunction of variables, as an argument of quantification. In any order, repetitions allowed.
    pub fn cube(&self, vars: &[Var]) -> Result<Bdd, Limit> {
        self.run(|store| {
            let mut levels: Vec<_> = vars.iter().map(|&var| store.level_of[var as usize]).collect();
            levels.sort_unstable();
            levels.dedup();
            let mut levels = levels.iter().rev();
            levels.try_fold(Edge::TRUE, |cube, &level| store.make(store.var_at[level as usize], cube, Edge::FALSE))
        })
    }

    /// The minterm in which each of these variables has its value; variables must be distinct.
    pub fn minterm(&self, values: &[(Var, bool)]) -> Result<Bdd, Limit> {
        self.run(|store| {
            let mut values: Vec<_> =
                values.iter().map(|&(var, value)| (store.level_of[var as usize], var, value)).collect();
            values.sort_unstable();
            let mut values = values.iter().rev();
            values.try_fold(Edge::TRUE, |point, &(_, var, value)| {
                let (hi, lo) = if value { (point, Edge::FALSE) } else { (Edge::FALSE, point) };
                store.make(var, hi, lo)
            })
        })
    }

    /// Not `f`, in constant time.
    pub fn not(&self, f: &Bdd) -> Bdd {
        self.handle(!f.edge)
    }

    /// `f` and `g`.
    pub fn and(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Limit> {
        let (f, g) = (self.edge(f), self.edge(g));
        self.run(|store| store.and(f, g))
    }

    /// `f` or `g`.
    pub fn or(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Limit> {
        let (f, g) = (self.edge(f), self.edge(g));
        self.run(|store| store.or(f, g))
    }

    /// `f` but not `g`: the difference of two sets.
    pub fn diff(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Limit> {
        let (f, g) = (self.edge(f), self.edge(g));
        self.run(|store| store.and(f, !g))
    }

    /// Either `f` or `g`.
    pub fn xor(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Limit> {
        let (f, g) = (self.edge(f), self.edge(g));
        self.run(|store| store.xor(f, g))
    }

    /// `f` exactly if `g`.
    pub fn iff(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Limit> {
        let (f, g) = (self.edge(f), self.edge(g));
        self.run(|store| store.xor(f, !g))
    }

    /// If `f` then `g`.
    pub fn implies(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Limit> {
        let (f, g) = (self.edge(f), self.edge(g));
        self.run(|store| store.or(!f, g))
    }

    /// If `f` then `g` else `h`.
    pub fn ite(&self, f: &Bdd, g: &Bdd, h: &Bdd) -> Result<Bdd, Limit> {
        let (f, g, h) = (self.edge(f), self.edge(g), self.edge(h));
        self.run(|store| store.ite(f, g, h))
    }

    /// `f` for some value of the variables of `cube`.
    pub fn exists(&self, f: &Bdd, cube: &Bdd) -> Result<Bdd, Limit> {
        let (f, cube) = (self.edge(f), self.edge(cube));
        self.run(|store| store.exists(f, cube))
    }

    /// `f` for all values of the variables of `cube`.
    pub fn forall(&self, f: &Bdd, cube: &Bdd) -> Result<Bdd, Limit> {
        let (f, cube) = (self.edge(f), self.edge(cube));
        self.run(|store| Ok(!store.exists(!f, cube)?))
    }

    /// `f` and `g` for some value of the variables of `cube`, without building `f and g` first.
    pub fn and_exists(&self, f: &Bdd, g: &Bdd, cube: &Bdd) -> Result<Bdd, Limit> {
        let (f, g, cube) = (self.edge(f), self.edge(g), self.edge(cube));
        self.run(|store| store.and_exists(f, g, cube))
    }

    /// Whether `f` implies `g`.
    pub fn is_subset(&self, f: &Bdd, g: &Bdd) -> Result<bool, Limit> {
        Ok(self.diff(f, g)?.is_false())
    }
}
