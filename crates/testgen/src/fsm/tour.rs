//! Tours: few and short tests that take every arc of a graph, by the directed Chinese postman problem.
//!
//! Edmonds and Johnson 1973. A test ends anywhere, and the next one begins at the start, so arcs back to the start close
//! every test to a circuit. A minimum-cost flow says how often each arc is taken: as few tests as possible, and with these
//! as few steps as possible. An Eulerian circuit makes tests of it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An arc of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The source.
    pub from: usize,
    /// The target.
    pub to: usize,
    /// Its length in steps.
    pub steps: usize,
    /// Whether it must be taken.
    pub is_required: bool,
}

/// The tests that take all required arcs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tours {
    /// The arcs of each test, by their indices.
    pub paths: Vec<Vec<usize>>,
    /// Whether no fewer tests, and no fewer steps of as many tests, take all required arcs.
    pub is_shortest: bool,
}

/// The tests that take all required arcs of a graph whose nodes are all reachable from the start. Only arcs from the start
/// need not be required; if they are, no other arc has their target. No arc leads to the start. `work` is the number of arcs that the search for the shortest tests
/// may look at; beyond, tests are not the shortest.
pub fn tours(n_nodes: usize, start: usize, arcs: &[Arc], work: u64) -> Tours {
    // Parts of the graph that no required arc connects are entered from the start, each at least once.
    let (parts, n_parts) = parts(n_nodes, start, arcs);
    let mut network = Network::new(n_nodes + n_parts + 1);
    // Fewer tests are better than fewer steps.
    let n_required = arcs.iter().filter(|arc| arc.is_required).count();
    let longest = arcs.iter().map(|arc| arc.steps).max().unwrap_or(1).max(1);
    let reset = cost((n_required + 1).saturating_mul(n_nodes + n_parts + 2).saturating_mul(longest));
    let end = n_nodes + n_parts;
    let mut balance = vec![0i64; end + 1];
    for arc in arcs {
        let from = if arc.is_required { arc.from } else { n_nodes + parts[arc.to] };
        let at = network.add(from, arc.to, cost(arc.steps));
        if arc.is_required {
            network.require(at, &mut balance);
        }
    }
    for node in 0..n_nodes {
        network.add(node, end, 0);
    }
    let is_entered = |part: usize| arcs.iter().any(|arc| !arc.is_required && parts[arc.to] == part);
    for part in (0..n_parts).filter(|part| is_entered(*part)) {
        let at = network.add(start, n_nodes + part, 0);
        if arcs.iter().any(|arc| arc.is_required && arc.from != start && parts[arc.from] == part) {
            network.require(at, &mut balance);
        }
    }
    let back = network.add(end, start, reset);
    network.require(back, &mut balance);
    let is_shortest = network.route(&mut balance, work);
    if !is_shortest {
        network.route_directly(&balance, end, back);
    }
    let circuit = network.circuit(end);
    let paths = circuit.split(|arc| *arc >= arcs.len()).map(<[usize]>::to_vec);
    Tours { paths: paths.filter(|path| !path.is_empty()).collect(), is_shortest }
}

/// A number of steps as a cost. Costs are far from the limit of their type, for graphs are listed.
fn cost(steps: usize) -> i64 {
    i64::try_from(steps).unwrap_or(i64::MAX).min(1 << 40)
}

/// For each node, the number of its part: nodes are in one part if required arcs that do not begin at the start connect
/// them.
fn parts(n_nodes: usize, start: usize, arcs: &[Arc]) -> (Vec<usize>, usize) {
    let mut beside: Vec<Vec<usize>> = vec![Vec::new(); n_nodes];
    for arc in arcs.iter().filter(|arc| arc.is_required && arc.from != start) {
        beside[arc.from].push(arc.to);
        beside[arc.to].push(arc.from);
    }
    let (mut parts, mut n_parts) = (vec![usize::MAX; n_nodes], 0);
    for first in 0..n_nodes {
        if parts[first] != usize::MAX {
            continue;
        }
        let mut open = vec![first];
        while let Some(node) = open.pop() {
            if parts[node] == usize::MAX {
                parts[node] = n_parts;
                open.extend(&beside[node]);
            }
        }
        n_parts += 1;
    }
    (parts, n_parts)
}

/// A network of arcs without capacities.
struct Network {
    /// Arcs and, at odd places, their reverses.
    ends: Vec<(usize, usize)>,
    costs: Vec<i64>,
    /// How often each arc is taken beyond its requirement.
    flow: Vec<i64>,
    required: Vec<i64>,
    out: Vec<Vec<usize>>,
    potentials: Vec<i64>,
}

impl Network {
    fn new(n_nodes: usize) -> Network {
        Network {
            ends: Vec::new(),
            costs: Vec::new(),
            flow: Vec::new(),
            required: Vec::new(),
            out: vec![Vec::new(); n_nodes],
            potentials: vec![0; n_nodes],
        }
    }

    fn add(&mut self, from: usize, to: usize, cost: i64) -> usize {
        let arc = self.costs.len();
        self.out[from].push(2 * arc);
        self.out[to].push(2 * arc + 1);
        self.ends.extend([(from, to), (to, from)]);
        self.costs.push(cost);
        self.flow.push(0);
        self.required.push(0);
        arc
    }

    /// Requires an arc; nodes that it enters have one unit too many.
    fn require(&mut self, arc: usize, balance: &mut [i64]) {
        let (from, to) = self.ends[2 * arc];
        self.required[arc] += 1;
        balance[from] -= 1;
        balance[to] += 1;
    }

    /// Routes units from where there are too many to where there are too few, by successive shortest paths. Returns
    /// whether that was possible within the given work.
    fn route(&mut self, balance: &mut [i64], mut work: u64) -> bool {
        let n = self.out.len();
        while balance.iter().any(|units| *units > 0) {
            let mut distance = vec![i64::MAX; n];
            let mut before: Vec<Option<usize>> = vec![None; n];
            let mut open = BinaryHeap::new();
            for source in (0..n).filter(|node| balance[*node] > 0) {
                distance[source] = 0;
                open.push(Reverse((0, source)));
            }
            let mut target = None;
            while let Some(Reverse((so_far, node))) = open.pop() {
                if so_far > distance[node] {
                    continue;
                }
                if balance[node] < 0 {
                    target = Some((node, so_far));
                    break;
                }
                if work < self.out[node].len() as u64 {
                    return false;
                }
                work -= self.out[node].len() as u64;
                for &half in &self.out[node] {
                    let (arc, is_reverse) = (half / 2, half % 2 == 1);
                    if is_reverse && self.flow[arc] == 0 {
                        continue;
                    }
                    let to = self.ends[half].1;
                    let cost = if is_reverse { -self.costs[arc] } else { self.costs[arc] };
                    let longer = so_far + cost + self.potentials[node] - self.potentials[to];
                    if longer < distance[to] {
                        distance[to] = longer;
                        before[to] = Some(half);
                        open.push(Reverse((longer, to)));
                    }
                }
            }
            let Some((target, length)) = target else { return false };
            for (potential, distance) in self.potentials.iter_mut().zip(&distance) {
                *potential += (*distance).min(length);
            }
            self.augment(balance, target, &before);
        }
        true
    }

    /// Sends as many units as possible along a path.
    fn augment(&mut self, balance: &mut [i64], target: usize, before: &[Option<usize>]) {
        let mut halves = Vec::new();
        let mut at = target;
        while let Some(half) = before[at] {
            halves.push(half);
            at = self.ends[half].0;
        }
        let reverse = halves.iter().filter(|half| *half % 2 == 1).map(|half| self.flow[half / 2]);
        let units = reverse.chain([balance[at], -balance[target]]).min().unwrap_or(0);
        for half in halves {
            self.flow[half / 2] += if half % 2 == 1 { -units } else { units };
        }
        balance[at] -= units;
        balance[target] += units;
    }

    /// Routes what is left through the end and the start: every unit is a test of its own.
    fn route_directly(&mut self, balance: &[i64], end: usize, back: usize) {
        let (_, start) = self.ends[2 * back];
        // Shortest ways from the start, by forward arcs.
        let mut before: Vec<Option<usize>> = vec![None; self.out.len()];
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            for &half in self.out[node].iter().filter(|half| *half % 2 == 0) {
                let to = self.ends[half].1;
                if to != start && before[to].is_none() {
                    before[to] = Some(half);
                    queue.push_back(to);
                }
            }
        }
        for (node, &units) in balance.iter().enumerate() {
            if units > 0 && node != end {
                // Parts are entered before a test ends.
                let mut at = node;
                while at != end {
                    let forward = || self.out[at].iter().filter(|half| *half % 2 == 0);
                    let ending = forward().find(|half| self.ends[**half].1 == end);
                    let half = *ending.or_else(|| forward().next()).expect("a test can end anywhere");
                    self.flow[half / 2] += units;
                    at = self.ends[half].1;
                }
            }
            if units < 0 && node != end {
                let mut at = node;
                while let Some(half) = before[at] {
                    self.flow[half / 2] -= units;
                    at = self.ends[half].0;
                }
            }
        }
        // What comes to the end goes back to the start.
        let into: i64 =
            (0..self.costs.len()).filter(|arc| self.ends[2 * arc].1 == end).map(|arc| self.times(arc)).sum();
        self.flow[back] = into - self.required[back];
    }

    fn times(&self, arc: usize) -> i64 {
        self.flow[arc] + self.required[arc]
    }

    /// An Eulerian circuit from a node, by Hierholzer's algorithm.
    fn circuit(&self, from: usize) -> Vec<usize> {
        let mut left: Vec<i64> = (0..self.costs.len()).map(|arc| self.times(arc)).collect();
        let mut next = vec![0; self.out.len()];
        let mut stack: Vec<(usize, Option<usize>)> = vec![(from, None)];
        let mut circuit = Vec::new();
        while let Some((node, by)) = stack.last().copied() {
            let arcs = &self.out[node];
            while next[node] < arcs.len() && (arcs[next[node]] % 2 == 1 || left[arcs[next[node]] / 2] == 0) {
                next[node] += 1;
            }
            if let Some(half) = arcs.get(next[node]) {
                left[half / 2] -= 1;
                stack.push((self.ends[*half].1, Some(half / 2)));
            } else {
                stack.pop();
                circuit.extend(by);
            }
        }
        circuit.reverse();
        circuit
    }
}
