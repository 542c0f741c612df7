//! Fair infinite paths of a finite graph: the nodes that have one, and one such path.
//!
//! Fairness is a property of edges, since a fairness constraint may read inputs. Every edge has a set of marks. A path
//! is fair if it has every *justice* mark infinitely often and if, for every *compassion* pair, the second mark occurs
//! infinitely often whenever the first does.

/// A set of marks, one bit each.
pub(super) type Marks = u128;

/// A path through a graph: for each step its source node and the index of the edge.
pub(super) type Walk = Vec<(usize, usize)>;

/// A graph with marks on its edges.
#[derive(Clone, Debug, Default)]
pub(super) struct FairGraph {
    /// For each node its edges: target and marks.
    pub(super) edges: Vec<Vec<(usize, Marks)>>,
    /// The marks that must occur infinitely often.
    pub(super) justice: Marks,
    /// Pairs of marks (each a single bit): if the first occurs infinitely often, the second must, too.
    pub(super) compassion: Vec<(Marks, Marks)>,
}

impl FairGraph {
    /// The nodes with a fair path.
    pub(super) fn fair_nodes(&self) -> Vec<bool> {
        let mut fair = vec![false; self.edges.len()];
        for component in self.fair_components() {
            for node in component.nodes {
                fair[node] = true;
            }
        }
        self.backwards(fair)
    }

    /// A fair path from one of the start nodes, as stem and loop.
    pub(super) fn fair_path(&self, starts: &[usize]) -> Option<(Walk, Walk)> {
        let components = self.fair_components();
        let mut home = vec![usize::MAX; self.edges.len()];
        for (index, component) in components.iter().enumerate() {
            for node in &component.nodes {
                home[*node] = index;
            }
        }
        let all = |_: usize, _: Marks| true;
        let (stem, entry) = self.walk(starts, all, |node, _| home[node] != usize::MAX, false)?;
        let component = &components[home[entry]];
        let inside = |to: usize, marks: Marks| home[to] == home[entry] && marks & component.banned == 0;
        // The marks that the loop must have: justice, and the second mark of each pair whose first is still possible.
        let mut wanted = self.justice;
        for (first, second) in &self.compassion {
            if component.marks & first != 0 {
                wanted |= second;
            }
        }
        let mut cycle = Walk::new();
        let mut at = entry;
        while wanted != 0 {
            let (part, end) = self.walk(&[at], inside, |_, marks| marks & wanted != 0, true)?;
            for (node, edge) in &part {
                wanted &= !self.edges[*node][*edge].1;
            }
            cycle.extend(part);
            at = end;
        }
        if at != entry || cycle.is_empty() {
            let (part, _) = self.walk(&[at], inside, |node, _| node == entry, true)?;
            cycle.extend(part);
        }
        Some((stem, cycle))
    }

    /// A shortest path over allowed edges to a goal, which is judged by the node and the marks of the edge to it. With
    /// `move_on`, it has at least one step.
    fn walk(
        &self,
        starts: &[usize],
        allowed: impl Fn(usize, Marks) -> bool,
        goal: impl Fn(usize, Marks) -> bool,
        move_on: bool,
    ) -> Option<(Walk, usize)> {
        if let Some(start) = starts.iter().find(|start| !move_on && goal(**start, 0)) {
            return Some((Walk::new(), *start));
        }
        let mut parent: Vec<Option<(usize, usize)>> = vec![None; self.edges.len()];
        let mut seen = vec![false; self.edges.len()];
        for start in starts {
            seen[*start] = true;
        }
        let mut queue: std::collections::VecDeque<usize> = starts.iter().copied().collect();
        while let Some(node) = queue.pop_front() {
            for (edge, &(to, marks)) in self.edges[node].iter().enumerate() {
                if !allowed(to, marks) {
                    continue;
                }
                if goal(to, marks) {
                    let mut path = vec![(node, edge)];
                    let mut at = node;
                    while let Some((from, edge)) = parent[at] {
                        path.push((from, edge));
                        at = from;
                    }
                    path.reverse();
                    return Some((path, to));
                }
                if !seen[to] {
                    seen[to] = true;
                    parent[to] = Some((node, edge));
                    queue.push_back(to);
                }
            }
        }
        None
    }

    /// The strongly connected subgraphs in which a fair path can stay.
    fn fair_components(&self) -> Vec<Component> {
        let mut fair = Vec::new();
        let mut open = vec![((0..self.edges.len()).collect::<Vec<usize>>(), 0)];
        while let Some((nodes, banned)) = open.pop() {
            for nodes in self.components(&nodes, banned) {
                let marks = self.marks_inside(&nodes, banned);
                let Some(marks) = marks.filter(|marks| marks & self.justice == self.justice) else { continue };
                let broken = self.compassion.iter().find(|(first, second)| marks & first != 0 && marks & second == 0);
                match broken {
                    // A fair path within these nodes has the first mark only finitely often.
                    Some((first, _)) => open.push((nodes, banned | first)),
                    None => fair.push(Component { nodes, banned, marks }),
                }
            }
        }
        fair
    }

    /// The marks of the edges within a set of nodes; `None` if there are no edges.
    fn marks_inside(&self, nodes: &[usize], banned: Marks) -> Option<Marks> {
        let inside: rustc_hash::FxHashSet<usize> = nodes.iter().copied().collect();
        let edges = nodes.iter().flat_map(|node| &self.edges[*node]);
        let marks = edges.filter(|(to, marks)| marks & banned == 0 && inside.contains(to)).map(|(_, marks)| *marks);
        marks.reduce(|a, b| a | b)
    }

    /// The strongly connected components of a subgraph without banned edges (Tarjan).
    fn components(&self, part: &[usize], banned: Marks) -> Vec<Vec<usize>> {
        const UNSEEN: usize = usize::MAX;
        let mut inside = vec![false; self.edges.len()];
        for node in part {
            inside[*node] = true;
        }
        let mut index = vec![UNSEEN; self.edges.len()];
        let mut low = vec![UNSEEN; self.edges.len()];
        let mut on_stack = vec![false; self.edges.len()];
        let (mut stack, mut components, mut count) = (Vec::new(), Vec::new(), 0);
        for &root in part {
            if index[root] != UNSEEN {
                continue;
            }
            let mut calls = vec![(root, 0)];
            while let Some((node, edge)) = calls.pop() {
                if edge == 0 {
                    (index[node], low[node]) = (count, count);
                    count += 1;
                    stack.push(node);
                    on_stack[node] = true;
                }
                if let Some(&(to, marks)) = self.edges[node].get(edge) {
                    calls.push((node, edge + 1));
                    let usable = inside[to] && marks & banned == 0;
                    if usable && index[to] == UNSEEN {
                        calls.push((to, 0));
                    } else if usable && on_stack[to] {
                        low[node] = low[node].min(index[to]);
                    }
                    continue;
                }
                if low[node] == index[node] {
                    let start = stack.iter().rposition(|other| *other == node).unwrap_or(0);
                    let component: Vec<usize> = stack.drain(start..).collect();
                    for node in &component {
                        on_stack[*node] = false;
                    }
                    components.push(component);
                }
                if let Some((parent, _)) = calls.last() {
                    low[*parent] = low[*parent].min(low[node]);
                }
            }
        }
        components
    }

    /// The nodes from which a set is reachable, including the set.
    fn backwards(&self, mut set: Vec<bool>) -> Vec<bool> {
        let mut before = vec![Vec::new(); self.edges.len()];
        for (from, edges) in self.edges.iter().enumerate() {
            for (to, _) in edges {
                before[*to].push(from);
            }
        }
        let mut stack: Vec<usize> = (0..set.len()).filter(|node| set[*node]).collect();
        while let Some(node) = stack.pop() {
            for &from in &before[node] {
                if !set[from] {
                    set[from] = true;
                    stack.push(from);
                }
            }
        }
        set
    }
}

/// A strongly connected subgraph.
struct Component {
    nodes: Vec<usize>,
    /// Edges with these marks are excluded.
    banned: Marks,
    /// The marks of its edges.
    marks: Marks,
}
