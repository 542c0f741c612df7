//! Explicit variable orders, and groups of variables that reordering moves together.
//!
//! A pair of a current and a next variable always moves together. A group has several pairs, such as the bits of one
//! number. Renaming between current and next variables works on pairs only.

use crate::limit::Limit;
use crate::sift::Sifter;
use crate::store::Store;
use crate::swap::Unit;
use crate::{Manager, Var};

impl Manager {
    /// The variables from top to bottom.
    pub fn order(&self) -> Vec<Var> {
        self.store().var_at.clone()
    }

    /// Moves the pairs into this order, each named by its current variable. With [`Limit::Nodes`] the order is an
    /// intermediate one, and groups that are no longer adjacent are dissolved.
    ///
    /// # Panics
    /// If `order` is not a permutation of the current variables, or separates a group.
    pub fn set_order(&self, order: &[Var]) -> Result<(), Limit> {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq((0..self.n_vars()).step_by(2)), "not a permutation of the current variables");
        let torn = torn_groups(&self.store(), order.iter().map(|&var| var as usize / 2));
        assert!(torn.is_empty(), "an order that tears a group apart");
        self.move_pairs(order)
    }

    /// Merges the pairs of these variables and their groups into one group. They become adjacent at the position of the
    /// first of them, in the given order; reordering moves them together from now on.
    ///
    /// # Panics
    /// If there is no such variable.
    pub fn group(&self, vars: &[Var]) -> Result<(), Limit> {
        let Some(&first) = vars.first() else { return Ok(()) };
        let (members, order) = {
            let store = self.store();
            let pairs: Vec<u32> = store.var_at.iter().step_by(2).map(|var| var / 2).collect();
            let mut members: Vec<u32> = Vec::new();
            for &var in vars {
                let group = store.group_of[var as usize / 2];
                let joined = pairs.iter().filter(|&&pair| store.group_of[pair as usize] == group);
                let new: Vec<u32> = joined.copied().filter(|pair| !members.contains(pair)).collect();
                members.extend(new);
            }
            let top = store.group_of[first as usize / 2];
            let at =
                pairs.iter().position(|&pair| store.group_of[pair as usize] == top).expect("every group has pairs");
            let others =
                |pairs: &[u32]| pairs.iter().copied().filter(|pair| !members.contains(pair)).collect::<Vec<_>>();
            let (above, below) = (others(&pairs[..at]), others(&pairs[at..]));
            let order: Vec<Var> = above.iter().chain(&members).chain(&below).map(|pair| 2 * pair).collect();
            (members, order)
        };
        self.move_pairs(&order)?;
        let name = *members.iter().min().expect("the first variable has a pair");
        let mut store = self.store_mut();
        for pair in members {
            store.group_of[pair as usize] = name;
        }
        Ok(())
    }

    fn move_pairs(&self, order: &[Var]) -> Result<(), Limit> {
        self.collect_garbage();
        let arrived = self.with_swapper(Unit::Pair, |swapper| Sifter::new(swapper).set_order(order));
        self.schedule();
        if arrived {
            return Ok(());
        }
        let mut store = self.store_mut();
        let torn = torn_groups(&store, store.var_at.iter().step_by(2).map(|&var| var as usize / 2));
        for pair in 0..store.group_of.len() {
            if torn.contains(&store.group_of[pair]) {
                store.group_of[pair] = pair as u32;
            }
        }
        Err(Limit::Nodes)
    }
}

/// The groups whose pairs are not next to each other in an order of all pairs.
fn torn_groups(store: &Store, order: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut groups: Vec<u32> = order.map(|pair| store.group_of[pair]).collect();
    groups.dedup();
    groups.sort_unstable();
    groups.chunk_by(PartialEq::eq).filter(|runs| runs.len() > 1).map(|runs| runs[0]).collect()
}
