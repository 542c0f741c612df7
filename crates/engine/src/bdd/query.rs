//! Questions about a function that build nothing: constants, support, size, number of solutions, value at a point.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use oxidd::util::FxHasher;
use oxidd_core::function::Function;
use oxidd_core::{Manager as _, Node, NodeID};
use oxidd_rules_bdd::complement_edge::EdgeTag;

use super::apply::{EdgeRef, Store, cofactors};
use super::manager::var_of;
use super::{Bdd, Manager, Var};

/// A hash map keyed by edges, for one pass over a diagram.
pub(super) type EdgeMap<E, T> = HashMap<E, T, BuildHasherDefault<FxHasher>>;

/// The package's own set is a bit for each node of the store, too many for small functions in large stores.
type Visited = HashSet<NodeID, BuildHasherDefault<FxHasher>>;

/// A number of solutions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// The number itself, if it is counted over at most 127 variables.
    pub exact: Option<u128>,
    /// The nearest float, or one very close; infinite beyond its range.
    pub approximate: f64,
}

impl Bdd {
    /// Whether this is the constant true.
    pub fn is_true(&self) -> bool {
        self.is_constant(EdgeTag::None)
    }

    /// Whether this is the constant false.
    pub fn is_false(&self) -> bool {
        self.is_constant(EdgeTag::Complemented)
    }

    fn is_constant(&self, tag: EdgeTag) -> bool {
        self.0.with_manager_shared(|store, e| e.tag() == tag && store.get_node(e).is_any_terminal())
    }

    /// The number of decision nodes, without the terminal.
    pub fn node_count(&self) -> usize {
        node_count(std::slice::from_ref(self))
    }

    /// The variables that the function depends on, in increasing order.
    pub fn support(&self) -> Vec<Var> {
        self.0.with_manager_shared(|store, root| {
            let mut occurs = vec![false; store.num_vars() as usize];
            for_each_node(store, root, &mut Visited::default(), &mut |node| {
                occurs[var_of(store, node) as usize] = true;
            });
            (0..store.num_vars()).filter(|&var| occurs[var as usize]).collect()
        })
    }

    /// The number of assignments to `n_vars` variables, among them the support, that satisfy the function.
    pub fn sat_count(&self, n_vars: u32) -> Count {
        self.0.with_manager_shared(|store, root| {
            let exact = (n_vars < 128).then(|| {
                // Halving at each level stays exact: a path has at most `n_vars` of them.
                solutions(store, root, &mut EdgeMap::default(), 1_u128 << n_vars, &|a, b| {
                    (a >> 1) + (b >> 1) + (a & b & 1)
                })
            });
            // Scaled, so that neither the whole space nor one solution leaves the range of a float.
            let scale = n_vars.min(1000);
            let share =
                solutions(store, root, &mut EdgeMap::default(), 2_f64.powi(scale.cast_signed()), &|a, b| a.midpoint(b));
            // Nothing stays nothing, even where the factor is infinite.
            let approximate = if share == 0.0 { 0.0 } else { share * 2_f64.powi((n_vars - scale).cast_signed()) };
            Count { exact, approximate }
        })
    }

    /// The value for given values of the variables.
    pub fn eval(&self, value: &dyn Fn(Var) -> bool) -> bool {
        self.0.with_manager_shared(|store, root| {
            let mut e = root;
            while let Node::Inner(node) = store.get_node(e) {
                let (t, f) = cofactors(e, node);
                e = if value(var_of(store, node)) { t } else { f };
            }
            e.tag() == EdgeTag::None
        })
    }
}

impl Manager {
    /// The number of decision nodes of several functions, shared ones counted once.
    pub fn shared_node_count(&self, functions: &[Bdd]) -> usize {
        node_count(functions)
    }
}

fn node_count(functions: &[Bdd]) -> usize {
    let Some(first) = functions.first() else {
        return 0;
    };
    first.0.with_manager_shared(|store, _| {
        let mut visited = Visited::default();
        let mut n_nodes = 0;
        for f in functions {
            for_each_node(store, f.0.as_edge(store), &mut visited, &mut |_| {
                n_nodes += 1;
            });
        }
        n_nodes
    })
}

fn for_each_node<M: Store>(store: &M, e: EdgeRef<'_, M>, visited: &mut Visited, visit: &mut impl FnMut(&M::InnerNode)) {
    if let Node::Inner(node) = store.get_node(e)
        && visited.insert(e.node_id())
    {
        visit(node);
        let (t, e) = cofactors(e, node);
        for_each_node(store, t, visited, visit);
        for_each_node(store, e, visited, visit);
    }
}

/// `all` times the share of the space in which `e` holds. Complemented edges are counted apart instead of subtracted,
/// because differences would cost the float its precision.
fn solutions<M: Store, N: Copy + Default>(
    store: &M,
    e: EdgeRef<'_, M>,
    known: &mut EdgeMap<M::Edge, N>,
    all: N,
    mean: &impl Fn(N, N) -> N,
) -> N {
    let Node::Inner(node) = store.get_node(e) else {
        return if e.tag() == EdgeTag::None { all } else { N::default() };
    };
    if let Some(&n) = known.get(&e.raw()) {
        return n;
    }
    let (t, f) = cofactors(e, node);
    let n = mean(solutions(store, t, known, all, mean), solutions(store, f, known, all, mean));
    known.insert(e.raw(), n);
    n
}
