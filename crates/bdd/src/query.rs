//! Queries on a function that build no nodes: constants, support, size, number of solutions, evaluation.

use rustc_hash::FxHashMap;

use crate::store::{Edge, Node, Store};
use crate::{Bdd, Manager, Var};

/// A number of solutions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// The exact number, if it is counted over at most 127 variables.
    pub exact: Option<u128>,
    /// A close floating-point approximation; infinite beyond its range.
    pub approximate: f64,
    /// The decimal logarithm of the number; minus infinity for zero.
    pub log10: f64,
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.exact {
            Some(exact) => write!(f, "{exact}"),
            None if self.approximate.is_finite() => write!(f, "about {:.3e}", self.approximate),
            None => {
                // Rounding to three places may carry into a second digit.
                let (digits, exponent) = (10_f64.powf(self.log10.fract()), self.log10.trunc());
                let (digits, exponent) = if digits >= 9.9995 { (1.0, exponent + 1.0) } else { (digits, exponent) };
                write!(f, "about {digits:.3}e{exponent}")
            }
        }
    }
}

/// A nonnegative number of any size: a mantissa from 0.5 to 1, or zero, and a power of two.
#[derive(Clone, Copy, Default)]
struct Scaled {
    mantissa: f64,
    exponent: i32,
}

impl Scaled {
    fn power_of_two(exponent: u32) -> Scaled {
        Scaled { mantissa: 0.5, exponent: exponent.cast_signed() + 1 }
    }

    fn mean(self, other: Scaled) -> Scaled {
        let (large, small) = if (self.mantissa > 0.0, self.exponent) >= (other.mantissa > 0.0, other.exponent) {
            (self, other)
        } else {
            (other, self)
        };
        let shift = if small.mantissa > 0.0 { small.exponent - large.exponent } else { 0 };
        let sum = large.mantissa + small.mantissa * 2_f64.powi(shift);
        // The sum is halved, by its mantissa if that is too large.
        if sum >= 1.0 {
            Scaled { mantissa: sum / 2.0, exponent: large.exponent }
        } else {
            Scaled { mantissa: sum, exponent: large.exponent - 1 }
        }
    }

    fn to_float(self) -> f64 {
        // In two steps: the power alone may be out of range although the number is not.
        let half = self.exponent / 2;
        self.mantissa * 2_f64.powi(half) * 2_f64.powi(self.exponent - half)
    }

    fn log10(self) -> f64 {
        self.mantissa.log10() + f64::from(self.exponent) * std::f64::consts::LOG10_2
    }
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

    /// The topmost variable, with the branches where it is true and where it is false; `None` for a constant.
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
        for_each_node(&self.shared.store(), [self.edge], &mut |_| n_nodes += 1);
        n_nodes
    }

    /// The variables that the function depends on, in increasing order.
    pub fn support(&self) -> Vec<Var> {
        let store = self.shared.store();
        let mut occurs = vec![false; store.n_vars() as usize];
        for_each_node(&store, [self.edge], &mut |node| occurs[node.var as usize] = true);
        (0..store.n_vars()).filter(|&var| occurs[var as usize]).collect()
    }

    /// The number of satisfying assignments to `n_vars` variables, which include the support.
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
        let all = Scaled::power_of_two(n_vars);
        let count = solutions(store, self.edge, &mut FxHashMap::default(), all, &Scaled::mean);
        Count { exact, approximate: count.to_float(), log10: count.log10() }
    }

    /// The value of the function for an assignment.
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
    /// The number of decision nodes of several functions, with shared ones counted once.
    pub fn shared_node_count(&self, functions: &[Bdd]) -> usize {
        let mut n_nodes = 0;
        for_each_node(&self.store(), functions.iter().map(|f| f.edge), &mut |_| n_nodes += 1);
        n_nodes
    }
}

fn for_each_node(store: &Store, roots: impl IntoIterator<Item = Edge>, visit: &mut impl FnMut(&Node)) {
    let mut visited = store.visits.borrow_mut();
    visited.begin(store.nodes.len());
    let mut open: Vec<Edge> = roots.into_iter().collect();
    while let Some(e) = open.pop() {
        if !e.is_constant() && visited.is_first(e.node()) {
            let node = store.node(e);
            visit(node);
            open.extend([node.hi, node.lo]);
        }
    }
}

/// `all` times the share of assignments that satisfy `e`. Complemented edges are counted separately instead of by
/// subtraction, which would lose floating-point precision.
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
