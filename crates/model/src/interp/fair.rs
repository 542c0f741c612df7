//! Infinite paths of a finite graph that are fair: which nodes they start from, and one of them.
//!
//! Fairness is about edges, since a fairness constraint may look at inputs. Every edge carries a set of marks.
//! A path is fair if it meets every *justice* mark again and again, and if for every *compassion* pair it meets the
//! second mark again and again whenever it does so with the first.

/// A set of marks, one bit each.
pub(super) type Marks = u128;

/// Steps through a graph: each a node that is left, and the number of the edge.
pub(super) type Walk = Vec<(usize, usize)>;

/// A graph with marks on its edges.
#[derive(Clone, Debug, Default)]
pub(super) struct FairGraph {
    /// For each node its edges: where they lead, and their marks.
    pub(super) edges: Vec<Vec<(usize, Marks)>>,
    /// The marks to meet again and again.
    pub(super) justice: Marks,
    /// Pairs of marks (each a single bit): if the first again and again, then the second too.
    pub(super) compassion: Vec<(Marks, Marks)>,
}

impl FairGraph {
    /// The nodes from which a fair path starts.
    pub(super) fn fair_nodes(&self) -> Vec<bool> {
        let mut fair = vec![false; self.edges.len()];
        for component in self.fair_components() {
            for node in component.nodes {
                fair[node] = true;
            }
        }
        self.backwards(fair)
    }

    /// A fair path from one of the start nodes: the nodes and edge numbers before the loop, and those of the loop.
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
        // All that the loop must meet: justice, and the seconds of those pairs whose first is still there.
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

    /// A shortest walk over allowed edges to a goal, which is judged by the node and the marks of the edge to it.
    /// With `move_on`, at least one step is taken.
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

    /// The strongly connected parts in which a fair path can stay for ever.
    fn fair_components(&self) -> Vec<Component> {
        let mut fair = Vec::new();
        let mut open = vec![((0..self.edges.len()).collect::<Vec<usize>>(), 0)];
        while let Some((nodes, banned)) = open.pop() {
            for nodes in self.components(&nodes, banned) {
                let marks = self.marks_inside(&nodes, banned);
                let Some(marks) = marks.filter(|marks| marks & self.justice == self.justice) else { continue };
                let broken = self.compassion.iter().find(|(first, second)| marks & first != 0 && marks & second == 0);
                match broken {
                    // A fair path that stays here meets the first mark only finitely often.
                    Some((first, _)) => open.push((nodes, banned | first)),
                    None => fair.push(Component { nodes, banned, marks }),
                }
            }
        }
        fair
    }

    /// The marks of the edges inside a set of nodes; nothing if there is no edge.
    fn marks_inside(&self, nodes: &[usize], banned: Marks) -> Option<Marks> {
        let inside: rustc_hash::FxHashSet<usize> = nodes.iter().copied().collect();
        let edges = nodes.iter().flat_map(|node| &self.edges[*node]);
        let marks = edges.filter(|(to, marks)| marks & banned == 0 && inside.contains(to)).map(|(_, marks)| *marks);
        marks.reduce(|a, b| a | b)
    }

    /// The strongly connected components of a part of the graph, without banned edges (Tarjan's algorithm).
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

    /// The nodes from which a set can be reached, those of the set included.
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

/// A strongly connected part of the graph.
struct Component {
    nodes: Vec<usize>,
    /// Marks of edges that are not part of it.
    banned: Marks,
    /// The marks of the edges inside.
    marks: Marks,
}
