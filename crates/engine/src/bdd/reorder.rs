//! Exchanging two neighbouring pairs of variables in place: the project's only `unsafe` code.
//!
//! The package offers the parts, an unchecked view of a level and of a node's children, and leaves it to the caller to keep
//! the diagram a diagram. What must hold for them:
//! - nobody else looks: [`sift`] and [`set_order`] hold `&mut` on the manager, and everything happens inside its `reorder`,
//!   which has emptied the operation cache, so that every edge is counted;
//! - a swap never runs out of nodes halfway: [`Swapper::exchange`] asks for room first;
//! - the level number inside a node is a *label* during the run, the level at which its variable was at the start. Labels
//!   spare us touching the nodes of levels that merely move. They are made true again before the run ends.

#![expect(unsafe_code, reason = "the package's level views are unsafe to rearrange")]

use oxidd_core::util::{Own, Ref};
use oxidd_core::{HasLevel, InnerNode, LevelNo, LevelView, Node};
use oxidd_rules_bdd::complement_edge::EdgeTag;

use super::Var;
use super::apply::{Store, cofactors, negated_own};
use super::budget::Budget;
use super::interaction::Interaction;
use super::sift::Sifter;

/// Looks for an order with fewer nodes. Dead nodes must have been collected.
pub(super) fn sift<M: Store>(manager: &mut M, capacity: usize, budget: &Budget) {
    with_swapper(manager, capacity, |sifter| sifter.run(budget));
}

/// Brings the pairs, named by their current variables, into an order; `false` if room ran out on the way.
pub(super) fn set_order<M: Store>(manager: &mut M, capacity: usize, order: &[Var]) -> bool {
    let targets: Vec<_> = order.iter().map(|&var| manager.var_to_level(var) as usize / 2).collect();
    with_swapper(manager, capacity, |sifter| {
        targets.iter().enumerate().all(|(place, &pair)| {
            let from = sifter.place_of(pair);
            sifter.go(from, place)
        })
    })
}

fn with_swapper<M: Store, T>(manager: &mut M, capacity: usize, run: impl FnOnce(&mut Sifter<'_, M>) -> T) -> T {
    manager.reorder(|manager| {
        let interaction = Interaction::of(manager);
        let sizes: Vec<_> = manager.levels().map(|level| level.len()).collect();
        let swapper = Swapper {
            store: manager,
            capacity,
            total: sizes.iter().sum(),
            labels: (0..manager.num_levels()).collect(),
            sizes,
        };
        let mut sifter = Sifter::new(swapper, interaction);
        let result = run(&mut sifter);
        sifter.finish();
        result
    })
}

/// The order under change. Made only by [`with_swapper`], inside the manager's `reorder`.
pub(super) struct Swapper<'a, M: Store> {
    store: &'a M,
    capacity: usize,
    /// The label of the nodes at each level.
    labels: Vec<LevelNo>,
    /// The nodes at each level.
    sizes: Vec<usize>,
    total: usize,
}

impl<M: Store> Swapper<'_, M> {
    pub(super) fn n_pairs(&self) -> usize {
        self.labels.len() / 2
    }

    /// The nodes of the whole diagram.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// The nodes of the pair at `place`.
    pub(super) fn size(&self, place: usize) -> usize {
        self.sizes[2 * place] + self.sizes[2 * place + 1]
    }

    /// The pair at `place`, by its place at the start.
    pub(super) fn pair_at(&self, place: usize) -> usize {
        self.labels[2 * place] as usize / 2
    }

    pub(super) fn place_of(&self, pair: usize) -> usize {
        (0..self.n_pairs()).find(|&place| self.pair_at(place) == pair).expect("every pair has a place")
    }

    /// Exchanges the pair at `place` with the one below; `false`, and nothing done, if there may be no room.
    pub(super) fn exchange(&mut self, place: usize, interact: bool) -> bool {
        // A swap makes at most two nodes for each of the upper level, and the upper pair takes part in two swaps:
        // 2 + 4 new nodes for each of its nodes at most.
        if interact && self.total + 6 * self.size(place) > self.capacity {
            return false;
        }
        let top = 2 * place;
        for level in [top + 1, top, top + 2, top + 1] {
            self.swap(level, interact);
        }
        true
    }

    /// Exchanges a level with the one below.
    fn swap(&mut self, level: usize, interact: bool) {
        let (upper_label, lower_label) = (self.labels[level], self.labels[level + 1]);
        self.labels.swap(level, level + 1);
        let mut upper = self.store.level(level as LevelNo);
        let mut lower = self.store.level(level as LevelNo + 1);
        // SAFETY: we are the only ones at work inside `reorder`; the nodes that this puts out of order are put right by
        // `rewrite`, or do not exist.
        unsafe { upper.swap(&mut lower) };
        if interact {
            rewrite(self.store, &mut upper, &mut lower, lower_label, upper_label);
        }
        self.total = self.total + upper.len() + lower.len() - self.sizes[level] - self.sizes[level + 1];
        self.sizes[level] = upper.len();
        self.sizes[level + 1] = lower.len();
    }

    /// Makes the level numbers in the nodes true again.
    pub(super) fn finish(&mut self) {
        for (number, view) in self.store.levels().enumerate() {
            let number = number as LevelNo;
            if self.labels[number as usize] == number {
                continue;
            }
            for e in view.iter() {
                if let Node::Inner(node) = self.store.get_node(e) {
                    // SAFETY: the node is found in the view of this very level.
                    unsafe { node.set_level(number) };
                }
            }
            self.labels[number as usize] = number;
        }
    }
}

/// After the views of two levels have changed places, turns the nodes of `lower` that still point to `upper` into nodes of
/// `upper`. Functions keep their node, so that edges from above and outside stay right.
fn rewrite<'a, M: Store>(
    store: &'a M,
    upper: &mut M::LevelView<'a>,
    lower: &mut M::LevelView<'a>,
    upper_label: LevelNo,
    lower_label: LevelNo,
) {
    let has_upper = |e: Ref<'_, M::Edge>| matches!(store.get_node(e), Node::Inner(node) if node.level() == upper_label);
    let concerned = |e: Ref<'_, M::Edge>| store.get_node(e).unwrap_inner().children().any(has_upper);
    if !lower.iter().any(concerned) {
        return;
    }
    let old = lower.take().expect("inside `reorder`, levels can be taken");
    lower.reserve(old.len());
    let mut dependent = Vec::new();
    for e in old.iter() {
        if concerned(e) {
            dependent.push(e);
        } else {
            // SAFETY: an inner node with the label of this level.
            unsafe { lower.insert_unchecked(store.clone_edge(e)) };
        }
    }
    for e in dependent {
        let node = store.get_node(e).unwrap_inner();
        let quarters = |child: Ref<'a, M::Edge>| match store.get_node(child) {
            Node::Inner(node) if node.level() == upper_label => cofactors(child, node),
            _ => (child, child),
        };
        // SAFETY: borrowed for as long as the node keeps its children, that is until `set_child` below.
        let (t, e_child) = unsafe { (Ref::from_raw(node.child(0).raw()), Ref::from_raw(node.child(1).raw())) };
        let ((tt, te), (et, ee)) = (quarters(t), quarters(e_child));
        let new_t = lower_node(store, lower, lower_label, tt, et);
        let new_e = lower_node(store, lower, lower_label, te, ee);
        for (n, child) in [new_t, new_e].into_iter().enumerate() {
            // SAFETY: nobody else sees this node, and no borrow of its children is used again.
            let gone = unsafe { node.set_child(n, child) };
            if has_upper(gone.borrowed()) {
                // Removes the node if this was its last parent. What it points to lives on below the new nodes.
                upper.try_remove(gone);
            } else {
                store.drop_edge(gone);
            }
        }
        // SAFETY: the node moves to the upper level with its new children.
        unsafe {
            node.set_level(upper_label);
            upper.insert_unchecked(store.clone_edge(e));
        }
    }
}

/// The node `t` or `e` at the lower level of a swap.
fn lower_node<M: Store>(
    store: &M,
    lower: &mut M::LevelView<'_>,
    label: LevelNo,
    t: Ref<'_, M::Edge>,
    e: Ref<'_, M::Edge>,
) -> Own<M::Edge> {
    if t == e {
        return store.clone_edge(t);
    }
    let tag = t.tag();
    let (t, e) = (store.clone_edge(t), store.clone_edge(e));
    let (t, e) = if tag == EdgeTag::None { (t, e) } else { (negated_own(t), negated_own(e)) };
    let node = M::InnerNode::new(label, [t, e]);
    // SAFETY: the label is that of the level, and the children lie below it.
    let edge = unsafe { lower.get_or_insert_unchecked(node) };
    edge.expect("room for the new nodes was asked for").with_tag(tag)
}
