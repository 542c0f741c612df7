//! The recursions behind the Boolean operations and quantification.
//!
//! The package has its own, but ours can be stopped in the middle, skip the second branch once the first has decided
//! a quantified variable, and bring `ite` to a normal form before asking the cache. They share the package's node store
//! and operation cache.

#![expect(clippy::many_single_char_names, reason = "f, g, h and their branches t, e are the words of the field")]

use oxidd_core::util::{EdgeDropGuard, Own, Ref};
use oxidd_core::{
    ApplyCache, DiagramRules, Edge, HasApplyCache, HasLevel, InnerNode, LevelNo, LevelView, Manager, Node,
};
use oxidd_rules_bdd::complement_edge::{BCDDOp, BCDDRules, BCDDTerminal, EdgeTag};

use super::budget::{Budget, Stop};

/// The package's manager, with what the recursions need of it.
pub(super) trait Store:
    Manager<EdgeTag = EdgeTag, Terminal = BCDDTerminal, InnerNode: HasLevel> + HasApplyCache<Self, BCDDOp> + Sized
{
}

impl<M> Store for M where
    M: Manager<EdgeTag = EdgeTag, Terminal = BCDDTerminal, InnerNode: HasLevel> + HasApplyCache<M, BCDDOp>
{
}

pub(super) type Owned<M> = Own<<M as Manager>::Edge>;
pub(super) type EdgeRef<'a, M> = Ref<'a, <M as Manager>::Edge>;
pub(super) type Outcome<M> = Result<Owned<M>, Stop>;

#[inline]
pub(super) fn negated<E: Edge<Tag = EdgeTag>>(e: Ref<'_, E>) -> Ref<'_, E> {
    e.with_tag(!e.tag())
}

#[inline]
pub(super) fn negated_own<E: Edge<Tag = EdgeTag>>(e: Own<E>) -> Own<E> {
    let tag = e.tag();
    e.with_tag(!tag)
}

/// The two cofactors of `e`, whose node is `node`, by its top variable: true first.
#[inline]
pub(super) fn cofactors<'a, E, N>(e: Ref<'_, E>, node: &'a N) -> (Ref<'a, E>, Ref<'a, E>)
where
    E: Edge<Tag = EdgeTag> + 'a,
    N: InnerNode<E>,
{
    (BCDDRules::cofactor(e.tag(), node, 0), BCDDRules::cofactor(e.tag(), node, 1))
}

/// One operation under way: the store it works in and the budget that may stop it.
pub(super) struct Apply<'a, M: Store> {
    pub(super) store: &'a M,
    pub(super) budget: &'a Budget,
}

impl<'a, M: Store> Apply<'a, M> {
    #[inline]
    pub(super) fn inner<'b>(&'b self, e: EdgeRef<'b, M>) -> Option<&'b M::InnerNode> {
        match self.store.get_node(e) {
            Node::Inner(node) => Some(node),
            Node::Terminal(_) => None,
        }
    }

    #[inline]
    pub(super) fn is_constant(&self, e: EdgeRef<'_, M>, value: bool) -> bool {
        (e.tag() == EdgeTag::None) == value && self.inner(e).is_none()
    }

    /// Ties an edge to this operation, so that an early return counts it down.
    #[inline]
    pub(super) fn guard(&self, e: Owned<M>) -> EdgeDropGuard<'a, M> {
        EdgeDropGuard::new(self.store, e)
    }

    #[inline]
    pub(super) fn constant(&self, value: bool) -> Outcome<M> {
        let truth = self.store.get_terminal(BCDDTerminal)?;
        Ok(if value { truth } else { negated_own(truth) })
    }

    /// The node `level ? t : e`; both branches must lie below `level`.
    #[inline]
    pub(super) fn node(&self, level: LevelNo, t: EdgeDropGuard<'_, M>, e: EdgeDropGuard<'_, M>) -> Outcome<M> {
        if t.borrowed() == e.borrowed() {
            return Ok(t.into_edge());
        }
        // The stored form has a regular true branch.
        let tag = t.tag();
        let (t, e) = (t.into_edge(), e.into_edge());
        let (t, e) = if tag == EdgeTag::None { (t, e) } else { (negated_own(t), negated_own(e)) };
        let node = M::InnerNode::new(level, [t, e]);
        Ok(self.store.level(level).get_or_insert(node)?.with_tag(tag))
    }

    /// The cofactors of `e` by the variable at `level`, which is not below the top of `e`.
    #[inline]
    pub(super) fn cofactors_at<'b>(&'b self, e: EdgeRef<'b, M>, level: LevelNo) -> (EdgeRef<'b, M>, EdgeRef<'b, M>) {
        match self.inner(e) {
            Some(node) if node.level() == level => cofactors(e, node),
            _ => (e, e),
        }
    }

    pub(super) fn and(&self, f: EdgeRef<'_, M>, g: EdgeRef<'_, M>) -> Outcome<M> {
        let store = self.store;
        if f == g {
            return Ok(store.clone_edge(f));
        }
        if f == negated(g) {
            return self.constant(false);
        }
        let (Some(f_node), Some(g_node)) = (self.inner(f), self.inner(g)) else {
            let (constant, other) = if self.inner(f).is_none() { (f, g) } else { (g, f) };
            let result = if constant.tag() == EdgeTag::None { other } else { constant };
            return Ok(store.clone_edge(result));
        };
        let (f, f_node, g, g_node) = if f < g { (f, f_node, g, g_node) } else { (g, g_node, f, f_node) };
        if let Some(h) = store.apply_cache().get(store, BCDDOp::And, &[f, g]) {
            return Ok(h);
        }
        self.budget.step()?;
        let (f_level, g_level) = (f_node.level(), g_node.level());
        let level = f_level.min(g_level);
        let (ft, fe) = if f_level == level { cofactors(f, f_node) } else { (f, f) };
        let (gt, ge) = if g_level == level { cofactors(g, g_node) } else { (g, g) };
        let t = self.guard(self.and(ft, gt)?);
        let e = self.guard(self.and(fe, ge)?);
        let h = self.node(level, t, e)?;
        store.apply_cache().add(store, BCDDOp::And, &[f, g], h.borrowed());
        Ok(h)
    }

    pub(super) fn or(&self, f: EdgeRef<'_, M>, g: EdgeRef<'_, M>) -> Outcome<M> {
        Ok(negated_own(self.and(negated(f), negated(g))?))
    }

    pub(super) fn xor(&self, f: EdgeRef<'_, M>, g: EdgeRef<'_, M>) -> Outcome<M> {
        let store = self.store;
        // Complements move to the result, so that four pairs of operands share one cache entry.
        let tag = f.tag() ^ g.tag();
        let (f, g) = (f.with_tag(EdgeTag::None), g.with_tag(EdgeTag::None));
        let signed = |h: Owned<M>| {
            let h_tag = h.tag();
            h.with_tag(h_tag ^ tag)
        };
        if f == g {
            return Ok(signed(self.constant(false)?));
        }
        let (Some(f_node), Some(g_node)) = (self.inner(f), self.inner(g)) else {
            let other = if self.inner(f).is_none() { g } else { f };
            return Ok(signed(negated_own(store.clone_edge(other))));
        };
        let (f, f_node, g, g_node) = if f < g { (f, f_node, g, g_node) } else { (g, g_node, f, f_node) };
        if let Some(h) = store.apply_cache().get(store, BCDDOp::Xor, &[f, g]) {
            return Ok(signed(h));
        }
        self.budget.step()?;
        let (f_level, g_level) = (f_node.level(), g_node.level());
        let level = f_level.min(g_level);
        let (ft, fe) = if f_level == level { cofactors(f, f_node) } else { (f, f) };
        let (gt, ge) = if g_level == level { cofactors(g, g_node) } else { (g, g) };
        let t = self.guard(self.xor(ft, gt)?);
        let e = self.guard(self.xor(fe, ge)?);
        let h = self.node(level, t, e)?;
        store.apply_cache().add(store, BCDDOp::Xor, &[f, g], h.borrowed());
        Ok(signed(h))
    }

    pub(super) fn ite(&self, f: EdgeRef<'_, M>, g: EdgeRef<'_, M>, h: EdgeRef<'_, M>) -> Outcome<M> {
        let store = self.store;
        // Normal form: a regular condition and a regular true branch.
        let (f, g, h) = if f.tag() == EdgeTag::None { (f, g, h) } else { (negated(f), h, g) };
        if self.inner(f).is_none() || g == h {
            return Ok(store.clone_edge(g));
        }
        if g == negated(h) {
            return Ok(negated_own(self.xor(f, g)?));
        }
        if g == f || self.is_constant(g, true) {
            return self.or(f, h);
        }
        if g == negated(f) || self.is_constant(g, false) {
            return self.and(negated(f), h);
        }
        if h == f || self.is_constant(h, false) {
            return self.and(f, g);
        }
        if h == negated(f) || self.is_constant(h, true) {
            return Ok(negated_own(self.and(f, negated(g))?));
        }
        let tag = g.tag();
        let (g, h) = if tag == EdgeTag::None { (g, h) } else { (negated(g), negated(h)) };
        let signed = |r: Owned<M>| {
            let r_tag = r.tag();
            r.with_tag(r_tag ^ tag)
        };
        if let Some(r) = store.apply_cache().get(store, BCDDOp::Ite, &[f, g, h]) {
            return Ok(signed(r));
        }
        self.budget.step()?;
        let level = self.level(f).min(self.level(g)).min(self.level(h));
        let (ft, fe) = self.cofactors_at(f, level);
        let (gt, ge) = self.cofactors_at(g, level);
        let (ht, he) = self.cofactors_at(h, level);
        let t = self.guard(self.ite(ft, gt, ht)?);
        let e = self.guard(self.ite(fe, ge, he)?);
        let r = self.node(level, t, e)?;
        store.apply_cache().add(store, BCDDOp::Ite, &[f, g, h], r.borrowed());
        Ok(signed(r))
    }

    /// The level of the top variable, or one below all of them for a constant.
    #[inline]
    pub(super) fn level(&self, e: EdgeRef<'_, M>) -> LevelNo {
        self.inner(e).map_or(LevelNo::MAX, HasLevel::level)
    }

    /// What is left of the cube `vars` from `level` on.
    #[inline]
    fn vars_from<'b>(&'b self, mut vars: EdgeRef<'b, M>, level: LevelNo) -> EdgeRef<'b, M> {
        while let Some(node) = self.inner(vars) {
            if node.level() >= level {
                break;
            }
            vars = node.child(0);
        }
        vars
    }

    pub(super) fn exists(&self, f: EdgeRef<'_, M>, vars: EdgeRef<'_, M>) -> Outcome<M> {
        let store = self.store;
        let Some(f_node) = self.inner(f) else {
            return Ok(store.clone_edge(f));
        };
        let level = f_node.level();
        let vars = self.vars_from(vars, level);
        let Some(vars_node) = self.inner(vars) else {
            return Ok(store.clone_edge(f));
        };
        if let Some(r) = store.apply_cache().get(store, BCDDOp::Exists, &[f, vars]) {
            return Ok(r);
        }
        self.budget.step()?;
        let (ft, fe) = cofactors(f, f_node);
        let r = if vars_node.level() == level {
            let below = vars_node.child(0);
            let t = self.guard(self.exists(ft, below)?);
            if self.is_constant(t.borrowed(), true) {
                t.into_edge()
            } else {
                let e = self.guard(self.exists(fe, below)?);
                self.or(t.borrowed(), e.borrowed())?
            }
        } else {
            let t = self.guard(self.exists(ft, vars)?);
            let e = self.guard(self.exists(fe, vars)?);
            self.node(level, t, e)?
        };
        store.apply_cache().add(store, BCDDOp::Exists, &[f, vars], r.borrowed());
        Ok(r)
    }

    pub(super) fn and_exists(&self, f: EdgeRef<'_, M>, g: EdgeRef<'_, M>, vars: EdgeRef<'_, M>) -> Outcome<M> {
        let store = self.store;
        if f == negated(g) || self.is_constant(f, false) || self.is_constant(g, false) {
            return self.constant(false);
        }
        if f == g || self.inner(g).is_none() {
            return self.exists(f, vars);
        }
        let Some(f_node) = self.inner(f) else {
            return self.exists(g, vars);
        };
        let g_level = self.level(g);
        let f_level = f_node.level();
        let level = f_level.min(g_level);
        let vars = self.vars_from(vars, level);
        let Some(vars_node) = self.inner(vars) else {
            return self.and(f, g);
        };
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        if let Some(r) = store.apply_cache().get(store, BCDDOp::ExistAnd, &[f, g, vars]) {
            return Ok(r);
        }
        self.budget.step()?;
        let (ft, fe) = self.cofactors_at(f, level);
        let (gt, ge) = self.cofactors_at(g, level);
        let r = if vars_node.level() == level {
            let below = vars_node.child(0);
            let t = self.guard(self.and_exists(ft, gt, below)?);
            // With `t` true, or `t` above one of the other operands, the second product cannot add anything.
            if self.is_constant(t.borrowed(), true) || t.borrowed() == fe || t.borrowed() == ge {
                t.into_edge()
            } else {
                let e = self.guard(self.and_exists(fe, ge, below)?);
                self.or(t.borrowed(), e.borrowed())?
            }
        } else {
            let t = self.guard(self.and_exists(ft, gt, vars)?);
            let e = self.guard(self.and_exists(fe, ge, vars)?);
            self.node(level, t, e)?
        };
        store.apply_cache().add(store, BCDDOp::ExistAnd, &[f, g, vars], r.borrowed());
        Ok(r)
    }
}
