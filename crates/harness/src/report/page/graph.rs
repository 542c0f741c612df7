//! Layout of the subsumption graph: layers from left to right, from the dominators to the goals that most others
//! subsume.
//!
//! The algorithm is that of Sugiyama, Tagawa and Toda ("Methods for visual understanding of hierarchical system
//! structures", 1981): a layer for each goal, a bend wherever an edge crosses a layer, an order in each layer with few
//! crossings, and coordinates close to the neighbours.

use super::data::NodeView;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Maximal number of goals of a graph that is drawn; larger ones are unreadable.
pub(super) const MAX_GOALS: usize = 300;
/// Distance of layers, in pixels.
const COLUMN: i64 = 190;
/// Distance of goals, and of bends, in pixels.
const ROW: i64 = 18;
const BEND: i64 = 5;
/// Width of a letter in pixels, and maximal number of letters of a name.
const LETTER: i64 = 7;
const LETTERS: usize = 16;
/// Number of iterations that improve the order.
const SWEEPS: usize = 12;

/// A layout with all coordinates.
#[derive(Serialize)]
pub(super) struct Graph {
    pub(super) width: i64,
    pub(super) height: i64,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
}

#[derive(Serialize)]
pub(super) struct Node {
    pub(super) goal: usize,
    pub(super) x: i64,
    pub(super) y: i64,
    /// Whether no other goal subsumes it.
    pub(super) dominator: bool,
    pub(super) label: String,
}

#[derive(Serialize)]
pub(super) struct Edge {
    /// The goals at both ends.
    from: usize,
    to: usize,
    path: String,
}

/// A cell of a layer: a goal, or the bend of an edge.
struct Cell {
    layer: usize,
    is_bend: bool,
    left: Vec<usize>,
    right: Vec<usize>,
    y: i64,
}

impl Graph {
    /// The layout of distinct goals; `None` if there are too many.
    pub(super) fn new(nodes: &[NodeView], name: impl Fn(&NodeView) -> String) -> Option<Graph> {
        if nodes.is_empty() || nodes.len() > MAX_GOALS {
            return None;
        }
        let place: BTreeMap<usize, usize> = nodes.iter().enumerate().map(|(at, node)| (node.goal, at)).collect();
        let below: Vec<Vec<usize>> = nodes
            .iter()
            .map(|node| node.subsumes.iter().filter_map(|goal| place.get(goal).copied()).collect())
            .collect();
        let layers = layers(&below);
        let mut cells: Vec<Cell> = layers.iter().map(|layer| Cell::new(*layer, false)).collect();
        let mut ways = Vec::new();
        for (from, others) in below.iter().enumerate() {
            // Edges that would close a circle are dropped.
            for to in others.iter().copied().filter(|to| layers[*to] > layers[from]) {
                let mut way = vec![from];
                for layer in layers[from] + 1..layers[to] {
                    way.push(cells.len());
                    cells.push(Cell::new(layer, true));
                }
                way.push(to);
                for ends in way.windows(2) {
                    cells[ends[0]].right.push(ends[1]);
                    cells[ends[1]].left.push(ends[0]);
                }
                ways.push(way);
            }
        }
        let mut order: Vec<Vec<usize>> = vec![Vec::new(); layers.iter().max().map_or(0, |last| last + 1)];
        for (at, cell) in cells.iter().enumerate() {
            order[cell.layer].push(at);
        }
        arrange(&mut cells, &mut order);
        let top = cells.iter().map(|cell| cell.y).min().unwrap_or(0) - ROW;
        for cell in &mut cells {
            cell.y -= top;
        }

        let labels: Vec<String> = nodes.iter().map(name).map(|name| label(&name)).collect();
        let x = |at: usize| COLUMN * i64::try_from(cells[at].layer).unwrap_or(0) + 10;
        // Edges start behind the name of a goal.
        let end = |at: usize| x(at) + if cells[at].is_bend { COLUMN / 2 } else { 16 + width(&labels[at]) };
        let path = |way: &Vec<usize>| {
            let mut path = format!("M{} {}", end(way[0]), cells[way[0]].y);
            for ends in way.windows(2) {
                let (from, to) = (end(ends[0]), x(ends[1]) - if cells[ends[1]].is_bend { 0 } else { 8 });
                let (above, below) = (cells[ends[0]].y, cells[ends[1]].y);
                let middle = i64::midpoint(from, to);
                let _ = write!(path, "C{middle} {above} {middle} {below} {to} {below}");
                if cells[ends[1]].is_bend {
                    let _ = write!(path, "H{}", end(ends[1]));
                }
            }
            path
        };
        let edges = ways.iter().map(|way| Edge {
            from: nodes[way[0]].goal,
            to: nodes[way[way.len() - 1]].goal,
            path: path(way),
        });
        let edges: Vec<Edge> = edges.collect();
        let node = |(at, label): (usize, &String)| Node {
            goal: nodes[at].goal,
            x: x(at),
            y: cells[at].y,
            dominator: layers[at] == 0,
            label: label.clone(),
        };
        Some(Graph {
            width: (0..nodes.len()).map(|at| end(at) + 10).max().unwrap_or(0),
            height: cells.iter().map(|cell| cell.y).max().unwrap_or(0) + ROW,
            nodes: labels.iter().enumerate().map(node).collect(),
            edges,
        })
    }
}

impl Cell {
    fn new(layer: usize, is_bend: bool) -> Cell {
        Cell { layer, is_bend, left: Vec::new(), right: Vec::new(), y: 0 }
    }
}

fn label(name: &str) -> String {
    match name.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.into(),
    }
}

fn width(label: &str) -> i64 {
    LETTER * i64::try_from(label.chars().count()).unwrap_or(0)
}

/// For each goal the length of the longest path to it.
fn layers(below: &[Vec<usize>]) -> Vec<usize> {
    let mut waits = vec![0; below.len()];
    below.iter().flatten().for_each(|to| waits[*to] += 1);
    let mut layers = vec![0; below.len()];
    let mut ready: Vec<usize> = (0..below.len()).filter(|at| waits[*at] == 0).collect();
    while let Some(at) = ready.pop() {
        for to in below[at].iter().copied() {
            layers[to] = layers[to].max(layers[at] + 1);
            waits[to] -= 1;
            if waits[to] == 0 {
                ready.push(to);
            }
        }
    }
    layers
}

/// Orders the cells of all layers with few crossings, and then places them near their neighbours.
fn arrange(cells: &mut [Cell], order: &mut [Vec<usize>]) {
    // Isolated goals come last.
    for layer in order.iter_mut() {
        layer.sort_by_key(|at| cells[*at].left.len() + cells[*at].right.len() == 0);
    }
    for sweep in 0..SWEEPS {
        spread(cells, order);
        visit(order.len(), sweep, |layer| {
            let wanted = |at: &usize| mean(cells, neighbours(&cells[*at], sweep)).unwrap_or(cells[*at].y * 16);
            order[layer].sort_by_cached_key(wanted);
            spread(cells, &order[layer..=layer]);
        });
    }
    for sweep in 0..SWEEPS {
        visit(order.len(), sweep, |layer| settle(cells, &order[layer], sweep));
    }
}

/// Visits all layers, alternating from left to right and back.
fn visit(n: usize, sweep: usize, look: impl FnMut(usize)) {
    if sweep.is_multiple_of(2) { (0..n).for_each(look) } else { (0..n).rev().for_each(look) }
}

fn neighbours(cell: &Cell, sweep: usize) -> &[usize] {
    if sweep.is_multiple_of(2) { &cell.left } else { &cell.right }
}

/// The mean position of some cells, in sixteenths.
fn mean(cells: &[Cell], of: &[usize]) -> Option<i64> {
    let sum: i64 = of.iter().map(|at| cells[*at].y * 16).sum();
    sum.checked_div(i64::try_from(of.len()).ok()?)
}

/// The distance of a cell from the one before it.
fn gap(cells: &[Cell], before: usize, at: usize) -> i64 {
    let half = |at: usize| if cells[at].is_bend { BEND } else { ROW };
    i64::midpoint(half(before), half(at))
}

/// Places the cells of each layer one after the other, centred.
fn spread(cells: &mut [Cell], order: &[Vec<usize>]) {
    for layer in order {
        let gaps: Vec<i64> = layer.windows(2).map(|pair| gap(cells, pair[0], pair[1])).collect();
        let mut y = -gaps.iter().sum::<i64>() / 2;
        for (index, at) in layer.iter().enumerate() {
            y += if index > 0 { gaps[index - 1] } else { 0 };
            cells[*at].y = y;
        }
    }
}

/// Moves the cells of a layer towards their preferred positions, as far as the order and the gaps allow (isotonic
/// regression by pooling adjacent violators).
fn settle(cells: &mut [Cell], layer: &[usize], sweep: usize) {
    let mut offsets = Vec::with_capacity(layer.len());
    let mut offset = 0;
    // The sum of preferred positions and the number of cells of each block.
    let mut blocks: Vec<(i64, i64)> = Vec::new();
    for (index, at) in layer.iter().enumerate() {
        offset += if index > 0 { gap(cells, layer[index - 1], *at) } else { 0 };
        offsets.push(offset);
        let wanted = mean(cells, neighbours(&cells[*at], sweep)).unwrap_or(cells[*at].y * 16);
        blocks.push((wanted - offset * 16, 1));
        while let [.., (above, n), (below, m)] = blocks[..]
            && above * m >= below * n
        {
            blocks.truncate(blocks.len() - 2);
            blocks.push((above + below, n + m));
        }
    }
    let starts = blocks.iter().flat_map(|(sum, n)| std::iter::repeat_n(sum / n / 16, usize::try_from(*n).unwrap_or(0)));
    for ((at, offset), start) in layer.iter().zip(offsets).zip(starts) {
        cells[*at].y = start + offset;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn node(goal: usize, subsumes: &[usize]) -> NodeView {
        NodeView { goal, same: 0, subsumes: subsumes.to_vec() }
    }

    #[test]
    fn dominators_are_on_the_left_and_edges_lead_to_the_right() {
        let nodes = [node(7, &[8, 9]), node(8, &[10]), node(9, &[10]), node(10, &[]), node(11, &[])];
        let graph = Graph::new(&nodes, |node| format!("ORO-{}", node.goal)).unwrap();
        let layers: Vec<i64> = graph.nodes.iter().map(|node| node.x / COLUMN).collect();
        assert_eq!(layers, [0, 1, 1, 2, 0]);
        let dominators: Vec<usize> = graph.nodes.iter().filter(|node| node.dominator).map(|node| node.goal).collect();
        assert_eq!(dominators, [7, 11]);
        let edges: Vec<(usize, usize)> = graph.edges.iter().map(|edge| (edge.from, edge.to)).collect();
        assert_eq!(edges, [(7, 8), (7, 9), (8, 10), (9, 10)]);
    }

    #[test]
    fn too_many_goals_are_not_drawn_and_long_names_are_truncated() {
        let many: Vec<NodeView> = (0..=MAX_GOALS).map(|goal| node(goal, &[])).collect();
        assert!(Graph::new(&many, |_| String::new()).is_none());
        assert!(Graph::new(&[], |_| String::new()).is_none());
        let graph = Graph::new(&many[..1], |_| "é".repeat(10_000)).unwrap();
        assert!(graph.width < 200 && graph.nodes[0].label.chars().count() == LETTERS + 1);
    }

    #[test]
    fn a_circular_graph_can_be_drawn() {
        let graph = Graph::new(&[node(0, &[1]), node(1, &[0]), node(2, &[0])], |_| "x".into()).unwrap();
        assert_eq!(graph.nodes.len(), 3);
    }

    proptest! {
        #[test]
        fn cells_do_not_overlap(edges in prop::collection::vec((0_usize..60, 0_usize..60), 0..150)) {
            let below = |at: usize| edges.iter().filter(|(a, b)| *a == at && a < b).map(|(_, b)| *b).collect::<Vec<_>>();
            let nodes: Vec<NodeView> = (0..60).map(|at| node(at, &below(at))).collect();
            let graph = Graph::new(&nodes, |node| node.goal.to_string()).unwrap();
            for (index, one) in graph.nodes.iter().enumerate() {
                prop_assert!((0..graph.width).contains(&one.x) && (0..graph.height).contains(&one.y));
                for other in &graph.nodes[..index] {
                    prop_assert!(one.x != other.x || (one.y - other.y).abs() >= ROW - 1, "{} and {}", one.goal, other.goal);
                }
            }
        }
    }
}
