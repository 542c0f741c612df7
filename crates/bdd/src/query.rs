//! Questions about a function that build nothing: constants, support, size, number of solutions, value at a point.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::store::{Edge, Node, Store};
use crate::{Bdd, Manager, Var};

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
        self.edge == Edge::TRUE
    }

    /// Whether this is the constant false.
    pub fn is_false(&self) -> bool {
        self.edge == Edge::FALSE
    }

    /// The topmost variable, with the function where it is true and where it is false; none of a constant.
    pub fn branches(&self) -> Option<(Var, Bdd, Bdd)> {
        let (var, hi, lo) = {
            let store = self.shared.store();
            let (hi, lo) = store.branches(self.edge);
            (store.node(self.edge).var, hi, lo)
        };
        (!self.edge.is_constant()).then(|| (var, Bdd::new(&self.shared, hi), Bdd::new(&self.shared, lo)))
    }

    /// The number of decision nodes, without the terminal.
    pub fn node_count(&self) -> usize {
        let mut n_nodes = 0;
        for_each_node(&self.shared.store(), self.edge, &mut FxHashSet::default(), &mut |_| n_nodes += 1);
        n_nodes
    }

    /// The variables that the function depends on, in increasing order.
    pub fn support(&self) -> Vec<Var> {
        let store = self.shared.store();
        let mut occurs = vec![false; store.n_vars() as usize];
        for_each_node(&store, self.edge, &mut FxHashSet::default(), &mut |node| occurs[node.var as usize] = true);
        (0..store.n_vars()).filter(|&var| occurs[var as usize]).collect()
    }

    /// The number of assignments to `n_vars` variables, among them the support, that satisfy the function.
    pub fn sat_count(&self, n_vars: u32) -> Count {
        let store = self.shared.store();
        Store::with_stack(store.n_vars(), || self.count(&store, n_vars))
    }

    fn count(&self, store: &Store, n_vars: u32) -> Count {
        let exact = (n_vars < 128).then(|| {
            // Halving at each level stays exact: a path has at most `n_vars` of them.
            let mean = |a: u128, b: u128| (a >> 1) + (b >> 1) + (a & b & 1);
            solutions(store, self.edge, &mut FxHashMap::default(), 1 << n_vars, &mean)
        });
        // Scaled, so that neither the whole space nor one solution leaves the range of a float.
        let scale = n_vars.min(1000);
        let all = 2_f64.powi(scale.cast_signed());
        let share = solutions(store, self.edge, &mut FxHashMap::default(), all, &f64::midpoint);
        // Nothing stays nothing, even where the factor is infinite.
        let approximate = if share == 0.0 { 0.0 } else { share * 2_f64.powi((n_vars - scale).cast_signed()) };
        Count { exact, approximate }
    }

    /// The value for given values of the variables.
    pub fn eval(&self, value: &dyn Fn(Var) -> bool) -> bool {
        let store = self.shared.store();
        let mut e = self.edge;
        while !e.is_constant() {
            let (hi, lo) = store.branches(e);
            e = if value(store.node(e).var) { hi } else { lo };
        }
        e == Edge::TRUE
    }
}

impl Manager {
    /// The number of decision nodes of several functions, shared ones counted once.
    pub fn shared_node_count(&self, functions: &[Bdd]) -> usize {
        let store = self.store();
        let mut visited = FxHashSet::default();
        let mut n_nodes = 0;
        for f in functions {
            for_each_node(&store, f.edge, &mut visited, &mut |_| n_nodes += 1);
        }
        n_nodes
    }
}

fn for_each_node(store: &Store, root: Edge, visited: &mut FxHashSet<usize>, visit: &mut impl FnMut(&Node)) {
    let mut open = vec![root];
    while let Some(e) = open.pop() {
        if !e.is_constant() && visited.insert(e.node()) {
            let node = store.node(e);
            visit(node);
            open.extend([node.hi, node.lo]);
        }
    }
}

/// `all` times the share of the space in which `e` holds. Complemented edges are counted apart instead of subtracted,
/// because differences would cost the float its precision.
fn solutions<N: Copy + Default>(
    store: &Store,
    e: Edge,
    known: &mut FxHashMap<Edge, N>,
    all: N,
    mean: &impl Fn(N, N) -> N,
) -> N {
    if e.is_constant() {
        return if e == Edge::TRUE { all } else { N::default() };
    }
    if let Some(&n) = known.get(&e) {
        return n;
    }
    let (hi, lo) = store.branches(e);
    let n = mean(solutions(store, hi, known, all, mean), solutions(store, lo, known, all, mean));
    known.insert(e, n);
    n
}
