//! The transition relation, as a conjunction of clusters, and the two ways to cross it.
//!
//! The relation is never built as one diagram unless it is small. Before a variable can be quantified away, every
//! cluster that mentions it must have been multiplied in; so clusters come in an order that lets variables go early
//! (after Ranjan, Aziz, Brayton, Plessier and Pixley, IWLS 1995).

mod components;
pub(crate) mod partition;

pub(crate) use components::components;

use crate::bdd::{Bdd, Limit, Manager, Var};
use crate::policy::CLUSTER_NODES;
use crate::symbolic::relation::components::Components;
use crate::symbolic::relation::partition::DisjunctivePartition;
use std::cell::OnceCell;
use std::rc::Rc;

/// Which diagram variables play which part in steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Alphabet {
    /// The current-state variables of states. Their next-state partners follow by number.
    pub(crate) state: Vec<Var>,
    /// The variables of inputs, which belong to steps.
    pub(crate) input: Vec<Var>,
}

impl Alphabet {
    fn next(&self) -> impl Iterator<Item = Var> + '_ {
        self.state.iter().map(|var| var + 1)
    }
}

/// A set of steps.
#[derive(Clone)]
pub(crate) struct Relation {
    manager: Manager,
    alphabet: Alphabet,
    /// What all steps satisfy, beside events that stand alone.
    parts: Vec<Bdd>,
    clusters: OnceCell<Clusters>,
    /// The parts that have nothing to do with each other on the way back.
    components: OnceCell<Rc<Components>>,
    /// Care set of source states.
    within: Option<Bdd>,
    /// The same steps as a choice, where that is known to be better.
    pub(crate) partition: Option<DisjunctivePartition>,
    /// The variables that steps change, if sets of states have others too, which stay as they are.
    changing: Option<Bdd>,
}

/// The steps as a conjunction.
#[derive(Clone)]
struct Clusters {
    list: Vec<Bdd>,
    /// The parts that each of them is the conjunction of, by their places.
    members: Vec<Vec<usize>>,
    /// The variables of each.
    supports: Vec<Vec<Var>>,
    forward: Plan,
    backward: Plan,
}

/// In which order the clusters are multiplied in, and what is quantified after each.
#[derive(Clone)]
struct Plan {
    /// What no cluster mentions.
    free: Bdd,
    /// A cluster and the variables that no later one mentions.
    steps: Vec<(usize, Bdd)>,
}

impl Relation {
    /// The steps that satisfy all parts.
    pub(crate) fn new(manager: &Manager, parts: &[Bdd], alphabet: &Alphabet) -> Result<Relation, Limit> {
        let clusters = Clusters::new(manager, parts, alphabet)?;
        Ok(Relation { clusters: clusters.into(), ..Relation::lazy(manager, parts.to_vec(), alphabet) })
    }

    /// The steps that satisfy all parts. Clusters of parts that this relation has in the same places are shared with it.
    pub(crate) fn like(&self, parts: &[Bdd]) -> Result<Relation, Limit> {
        if parts.len() != self.parts.len() {
            return Relation::new(&self.manager, parts, &self.alphabet);
        }
        let clusters = self.clusters()?.with(&self.manager, &self.parts, parts, &self.alphabet)?;
        Ok(Relation { clusters: clusters.into(), ..Relation::lazy(&self.manager, parts.to_vec(), &self.alphabet) })
    }

    /// The same, where partition will do and clusters may never be needed.
    pub(crate) fn partitioned(
        manager: &Manager,
        parts: Vec<Bdd>,
        alphabet: &Alphabet,
        partition: DisjunctivePartition,
    ) -> Relation {
        Relation { partition: Some(partition), ..Relation::lazy(manager, parts, alphabet) }
    }

    fn lazy(manager: &Manager, parts: Vec<Bdd>, alphabet: &Alphabet) -> Relation {
        let (clusters, components) = (OnceCell::new(), OnceCell::new());
        let (manager, alphabet) = (manager.clone(), alphabet.clone());
        Relation { manager, alphabet, parts, clusters, components, within: None, partition: None, changing: None }
    }

    /// The same steps, for sets of states with further variables, which no step changes.
    pub(crate) fn beside_others(self) -> Result<Relation, Limit> {
        let changing = Some(self.manager.cube(&self.alphabet.state)?);
        Ok(Relation { changing, ..self })
    }

    /// The same steps, as far as they start in some states; elsewhere there may be any.
    pub(crate) fn assume(&self, states: &Bdd) -> Result<Relation, Limit> {
        let clusters = OnceCell::new();
        if let Some(known) = self.clusters.get() {
            drop(clusters.set(known.assume(&self.manager, states)?));
        }
        Ok(Relation { clusters, within: Some(states.clone()), ..self.clone() })
    }

    /// The clusters, for building a larger relation on them.
    pub(crate) fn list(&self) -> Result<&[Bdd], Limit> {
        Ok(&self.clusters()?.list)
    }

    fn clusters(&self) -> Result<&Clusters, Limit> {
        if self.clusters.get().is_none() {
            let mut parts = self.parts.clone();
            if let Some(partition) = self.partition.as_ref().filter(|partition| partition.stand_alone) {
                parts.push(partition.whole(&self.alphabet.state)?);
            }
            let mut clusters = Clusters::new(&self.manager, &parts, &self.alphabet)?;
            if let Some(states) = &self.within {
                clusters = clusters.assume(&self.manager, states)?;
            }
            drop(self.clusters.set(clusters));
        }
        Ok(self.clusters.get().expect("they were made just now"))
    }

    /// The states after one step from `states`.
    pub(crate) fn image(&self, states: &Bdd) -> Result<Bdd, Limit> {
        if let Some(partition) = self.partition_from(states)? {
            return partition.image(states);
        }
        let clusters = self.clusters()?;
        let after = clusters.forward.run(&self.manager, &clusters.list, states)?;
        self.manager.next_as_current(&after)
    }

    /// The states from which one step leads into `states`.
    pub(crate) fn preimage(&self, states: &Bdd) -> Result<Bdd, Limit> {
        self.backward(&self.afterwards(states)?)
    }

    /// Those of them that are in `within`. Only where that is small do partition pay: what all of them together could start
    /// from, reachable or not, is large.
    pub(crate) fn preimage_within(&self, states: &Bdd, within: &Bdd) -> Result<Bdd, Limit> {
        match self.partition_from(within)? {
            Some(partition) => partition.preimage(states, within),
            None => self.manager.and(&self.preimage(states)?, within),
        }
    }

    /// The same for very few states, such as one.
    pub(crate) fn preimage_of_few(&self, states: &Bdd, within: &Bdd) -> Result<Bdd, Limit> {
        match self.partition_from(within)? {
            Some(partition) => partition.preimage_of_few(states, within),
            None => self.manager.and(&self.preimage(states)?, within),
        }
    }

    /// The steps from some states as a choice, where that is known to be better.
    pub(crate) fn partition_from(&self, states: &Bdd) -> Result<Option<&DisjunctivePartition>, Limit> {
        match &self.partition {
            Some(partition) if partition.is_exact(states)? => Ok(Some(partition)),
            _ => Ok(None),
        }
    }

    /// The states from which a step of `steps`, a set of states with inputs and next states, leads into `states`.
    pub(crate) fn preimage_by(&self, steps: &Bdd, states: &Bdd) -> Result<Bdd, Limit> {
        let start = self.manager.and(&self.afterwards(states)?, steps)?;
        self.backward(&start)
    }

    /// Those of them that are in `within`, where events are the steps; elsewhere other states may be among them.
    pub(crate) fn preimage_by_within(&self, steps: &Bdd, states: &Bdd, within: &Bdd) -> Result<Bdd, Limit> {
        match self.partition_from(within)? {
            Some(partition) => partition.preimage_by(steps, states, within),
            None => self.preimage_by(steps, states),
        }
    }

    /// The states after a step of `steps`, a set of states with inputs and next states.
    pub(crate) fn image_by(&self, steps: &Bdd) -> Result<Bdd, Limit> {
        if let Some(partition) = self.partition_from(steps)? {
            return partition.image_by(steps);
        }
        let clusters = self.clusters()?;
        let after = clusters.forward.run(&self.manager, &clusters.list, steps)?;
        self.manager.next_as_current(&after)
    }

    /// Reads states as those after a step.
    fn afterwards(&self, states: &Bdd) -> Result<Bdd, Limit> {
        match &self.changing {
            Some(changing) => self.manager.current_as_next(states, changing),
            None => self.manager.swap_next(states),
        }
    }

    fn backward(&self, start: &Bdd) -> Result<Bdd, Limit> {
        if self.partition.is_none() && self.parts.len() > 1 {
            if self.components.get().is_none() {
                drop(self.components.set(Rc::new(Components::new(&self.manager, &self.parts, &self.alphabet))));
            }
            let components = self.components.get().expect("they were found just now");
            if let Some(before) = components.before(&self.manager, start)? {
                return Ok(before);
            }
        }
        let clusters = self.clusters()?;
        clusters.backward.run(&self.manager, &clusters.list, start)
    }

    /// The steps that are also in `steps`, not quantified. Only for small sets, such as those between two states.
    pub(crate) fn within(&self, steps: &Bdd) -> Result<Bdd, Limit> {
        if let Some(partition) = self.partition_from(steps)? {
            return partition.within(steps, &self.alphabet.state);
        }
        self.list()?.iter().try_fold(steps.clone(), |all, cluster| self.manager.and(&all, cluster))
    }

    /// The same for steps all of which lead from one state to one other. `differing` are the current-state variables that have
    /// another value there.
    pub(crate) fn between(&self, steps: &Bdd, differing: &[Var]) -> Result<Bdd, Limit> {
        match self.partition_from(steps)? {
            Some(partition) => partition.between(steps, differing),
            None => self.within(steps),
        }
    }

    /// The steps from these states; nothing if they take more nodes than this on the way.
    pub(crate) fn within_limit(&self, states: &Bdd, max_nodes: usize) -> Result<Option<Bdd>, Limit> {
        let mut steps = states.clone();
        for cluster in self.list()? {
            if steps.node_count() > max_nodes {
                return Ok(None);
            }
            steps = self.manager.and(&steps, cluster)?;
        }
        Ok(Some(steps).filter(|steps| steps.node_count() <= max_nodes))
    }
}

impl Clusters {
    fn new(manager: &Manager, parts: &[Bdd], alphabet: &Alphabet) -> Result<Clusters, Limit> {
        let forward_vars: Vec<Var> = alphabet.state.iter().chain(&alphabet.input).copied().collect();
        let (list, members) = cluster(manager, parts, &forward_vars)?;
        let supports = list.iter().map(Bdd::support).collect();
        Clusters::planned(manager, list, members, supports, alphabet)
    }

    fn planned(
        manager: &Manager,
        list: Vec<Bdd>,
        members: Vec<Vec<usize>>,
        supports: Vec<Vec<Var>>,
        alphabet: &Alphabet,
    ) -> Result<Clusters, Limit> {
        let forward_vars: Vec<Var> = alphabet.state.iter().chain(&alphabet.input).copied().collect();
        let backward_vars: Vec<Var> = alphabet.next().chain(alphabet.input.iter().copied()).collect();
        let forward = Plan::of(manager, &supports, &forward_vars)?;
        let backward = Plan::of(manager, &supports, &backward_vars)?;
        Ok(Clusters { list, members, supports, forward, backward })
    }

    /// The clusters of other parts: those with a part that differs are made anew.
    fn with(&self, manager: &Manager, old: &[Bdd], new: &[Bdd], alphabet: &Alphabet) -> Result<Clusters, Limit> {
        let Clusters { mut list, mut members, mut supports, .. } = self.clone();
        let mut is_stale = vec![false; list.len()];
        for place in (0..new.len()).filter(|place| old[*place] != new[*place]) {
            if let Some(cluster) = members.iter().position(|cluster| cluster.contains(&place)) {
                is_stale[cluster] = true;
            } else {
                // What is always true is in no cluster.
                list.push(new[place].clone());
                members.push(vec![place]);
                supports.push(new[place].support());
                is_stale.push(false);
            }
        }
        for cluster in (0..list.len()).filter(|cluster| is_stale[*cluster]) {
            // What did not change comes first: many mutants have its product in common.
            let is_new = |place: &&usize| old[**place] != new[**place];
            let (changed, kept): (Vec<&usize>, Vec<&usize>) = members[cluster].iter().partition(is_new);
            let parts = kept.into_iter().chain(changed).map(|place| &new[*place]);
            list[cluster] = parts.into_iter().try_fold(manager.constant(true), |all, part| manager.and(&all, part))?;
            supports[cluster] = list[cluster].support();
        }
        if supports == self.supports {
            return Ok(Clusters { list, members, supports, ..self.clone() });
        }
        Clusters::planned(manager, list, members, supports, alphabet)
    }

    /// The same as far as steps start in some states.
    fn assume(&self, manager: &Manager, states: &Bdd) -> Result<Clusters, Limit> {
        let list = self.list.iter().map(|cluster| manager.restrict(cluster, states));
        Ok(Clusters { list: list.collect::<Result<_, Limit>>()?, ..self.clone() })
    }
}

impl Plan {
    fn new(manager: &Manager, clusters: &[Bdd], quantified: &[Var]) -> Result<Plan, Limit> {
        Plan::of(manager, &clusters.iter().map(Bdd::support).collect::<Vec<_>>(), quantified)
    }

    /// The plan for clusters with these variables.
    fn of(manager: &Manager, supports: &[Vec<Var>], quantified: &[Var]) -> Result<Plan, Limit> {
        let order = early_quantification(supports, quantified, manager.n_vars());
        let mut last_use = vec![None; manager.n_vars() as usize];
        for (place, cluster) in order.iter().enumerate() {
            for var in &supports[*cluster] {
                last_use[*var as usize] = Some(place);
            }
        }
        let cube_at = |place: Option<usize>| {
            let vars: Vec<Var> = quantified.iter().copied().filter(|var| last_use[*var as usize] == place).collect();
            manager.cube(&vars)
        };
        let steps = order.iter().enumerate().map(|(place, cluster)| Ok((*cluster, cube_at(Some(place))?)));
        Ok(Plan { free: cube_at(None)?, steps: steps.collect::<Result<_, Limit>>()? })
    }

    fn run(&self, manager: &Manager, clusters: &[Bdd], start: &Bdd) -> Result<Bdd, Limit> {
        let mut product = manager.exists(start, &self.free)?;
        for (cluster, cube) in &self.steps {
            if product.is_false() {
                break;
            }
            product = manager.and_exists(&product, &clusters[*cluster], cube)?;
        }
        Ok(product)
    }
}

/// Joins parts, in an order that is good for quantifying, as long as they stay small. Returns the clusters, and the places of
/// the parts of each.
fn cluster(manager: &Manager, parts: &[Bdd], quantified: &[Var]) -> Result<(Vec<Bdd>, Vec<Vec<usize>>), Limit> {
    let places: Vec<usize> = (0..parts.len()).filter(|place| !parts[*place].is_true()).collect();
    let supports: Vec<Vec<Var>> = places.iter().map(|place| parts[*place].support()).collect();
    let (mut clusters, mut members): (Vec<Bdd>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
    for which in early_quantification(&supports, quantified, manager.n_vars()) {
        let place = places[which];
        let part = &parts[place];
        if let (Some(last), Some(joined_parts)) = (clusters.last_mut(), members.last_mut()) {
            let small = last.node_count() <= CLUSTER_NODES && part.node_count() <= CLUSTER_NODES;
            if small {
                let joined = manager.and(last, part)?;
                if joined.node_count() <= CLUSTER_NODES {
                    *last = joined;
                    joined_parts.push(place);
                    continue;
                }
            }
        }
        clusters.push(part.clone());
        members.push(vec![place]);
    }
    Ok((clusters, members))
}

/// An order of the parts in which variables to be quantified have their last use early.
///
/// At each place comes the part that frees the largest share of its variables, and, among equals, touches more of
/// what is still open and brings in fewer new ones.
fn early_quantification(supports: &[Vec<Var>], quantified: &[Var], n_vars: u32) -> Vec<usize> {
    let mut is_quantified = vec![false; n_vars as usize];
    for var in quantified {
        is_quantified[*var as usize] = true;
    }
    let mut uses = vec![0u32; n_vars as usize];
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); n_vars as usize];
    for (part, support) in supports.iter().enumerate() {
        for var in support {
            uses[*var as usize] += 1;
            users[*var as usize].push(part);
        }
    }
    let mut touched = vec![false; n_vars as usize];
    let score = |part: usize, uses: &[u32], touched: &[bool]| -> (i64, i64) {
        let (mut freed, mut total, mut open, mut fresh) = (0i64, 0i64, 0i64, 0i64);
        for var in &supports[part] {
            let index = *var as usize;
            if is_quantified[index] {
                total += 1;
                freed += i64::from(uses[index] == 1);
                open += i64::from(touched[index]);
            } else {
                fresh += 1;
            }
        }
        let share = if total == 0 { 1_000_000 } else { 1_000_000 * freed / total };
        let closeness = if total == 0 { 0 } else { 1_000_000 * open / total };
        (2 * share + closeness - 1_000 * fresh, open)
    };
    let mut scores: Vec<(i64, i64)> = (0..supports.len()).map(|part| score(part, &uses, &touched)).collect();
    let mut left: Vec<bool> = vec![true; supports.len()];
    let mut order = Vec::with_capacity(supports.len());
    for _ in 0..supports.len() {
        // The first of equals, so that the order is that of the source where nothing speaks against it.
        let best =
            (0..supports.len()).filter(|part| left[*part]).max_by_key(|part| (scores[*part], std::cmp::Reverse(*part)));
        let Some(best) = best else { break };
        left[best] = false;
        order.push(best);
        let mut stale = std::collections::BTreeSet::new();
        for var in &supports[best] {
            uses[*var as usize] -= 1;
            touched[*var as usize] = true;
            stale.extend(users[*var as usize].iter().copied().filter(|part| left[*part]));
        }
        for part in stale {
            scores[part] = score(part, &uses, &touched);
        }
    }
    order
}
