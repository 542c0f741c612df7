//! Graphviz output of diagrams.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use crate::store::Edge;
use crate::{Bdd, Manager, Var};

impl Manager {
    /// The functions as one graph in the DOT language, each under its name; shared nodes are drawn once.
    ///
    /// Solid edges lead to the branch where a variable is true, dashed ones to that where it is false; a dot at the end
    /// of an edge negates its target. The text depends on the functions and the order of the variables alone.
    pub fn to_dot(&self, functions: &[(&str, &Bdd)], name: &dyn Fn(Var) -> String) -> String {
        let roots: Vec<Edge> = functions.iter().map(|(_, f)| self.edge(f)).collect();
        let store = self.store();
        // Numbered in the order of traversal: the numbers of the store depend on earlier operations.
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        let mut levels: Vec<Vec<usize>> = vec![Vec::new(); store.n_vars() as usize];
        let mut open: Vec<Edge> = roots.iter().rev().copied().collect();
        while let Some(e) = open.pop() {
            let number = numbers.len();
            if !e.is_constant() && !numbers.contains_key(&e.node()) {
                numbers.insert(e.node(), number);
                levels[store.level(e) as usize].push(e.node());
                let node = store.node(e);
                open.extend([node.lo, node.hi]);
            }
        }
        let target = |e: Edge| if e.is_constant() { "one".to_owned() } else { format!("n{}", numbers[&e.node()]) };
        let arrow = |e: Edge| if e.is_complemented() { ", arrowhead=dot" } else { "" };
        let mut dot = String::from("digraph {\n  one [shape=box, label=\"1\"];\n");
        for (index, ((label, _), &root)) in functions.iter().zip(&roots).enumerate() {
            let _ = writeln!(dot, "  f{index} [shape=plaintext, label={}];", quoted(label));
            let _ = writeln!(dot, "  f{index} -> {} [style=solid{}];", target(root), arrow(root));
        }
        for (nodes, &var) in levels.into_iter().zip(&store.var_at).filter(|(nodes, _)| !nodes.is_empty()) {
            let names: Vec<String> = nodes.iter().map(|&node| target(Edge::to(node as u32))).collect();
            let _ = writeln!(dot, "  {{ rank=same; node [label={}]; {}; }}", quoted(&name(var)), names.join("; "));
            for (node, from) in nodes.into_iter().zip(names) {
                let node = &store.nodes[node];
                let _ = writeln!(dot, "  {from} -> {} [style=solid{}];", target(node.hi), arrow(node.hi));
                let _ = writeln!(dot, "  {from} -> {} [style=dashed{}];", target(node.lo), arrow(node.lo));
            }
        }
        dot.push_str("}\n");
        dot
    }
}

/// A quoted string of the DOT language.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " "))
}
