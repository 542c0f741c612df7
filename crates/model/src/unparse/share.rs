//! Sharing in printed models.
//!
//! Expressions of a model share their parts, and trees do not: a chain of a hundred nodes, each of which uses the
//! previous one twice, has 2^100 nodes as a tree. In a printed model, large shared expressions become defines. In a
//! single expression there is nowhere to put defines, so parts of it are elided. What is small enough as a tree is
//! printed as a tree.

use super::Unparser;
use crate::expr::{ExprId, Node};
use crate::model::{Model, TransitionSystem};
use crate::ty::Ty;
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_syntax::smv::ast;

/// Number of nodes of all trees of a model up to which nothing is shared: about a megabyte of text.
const UNSHARED_NODES: u64 = 200_000;

/// Number of nodes from which a shared expression becomes a define.
const MIN_SHARED_NODES: u64 = 32;

/// Maximal number of printed nodes of a model: about a hundred megabytes of text.
pub(super) const MAX_PRINTED_NODES: u64 = 20_000_000;

/// Number of nodes up to which a single expression is printed completely, and approximate number of printed nodes of a
/// larger one.
const MAX_SHOWN_NODES: u64 = 100_000;
const SHOWN: u64 = 1000;

/// The error for a model that is too large to be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    pub(super) n_nodes: u64,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let TooLarge { n_nodes } = self;
        write!(f, "too large to be printed: {n_nodes} operators and names, even with what occurs often written once")
    }
}

impl std::error::Error for TooLarge {}

/// The expressions of a model that are printed.
fn roots(model: &Model) -> Vec<ExprId> {
    let sourced = [&model.init, &model.trans, &model.invar, &model.justice].into_iter().flatten();
    let pairs = model.compassion.iter().flat_map(|(p, q)| [p, q]);
    let properties =
        model.properties.iter().flat_map(|property| std::iter::once(&property.formula).chain(&property.target));
    let defines = model.defines.iter().map(|define| &define.body);
    let assigns = model.assigns.iter().map(|assign| &assign.value);
    defines.chain(assigns).chain(sourced).chain(pairs).chain(properties).map(|sourced| sourced.expr).collect()
}

/// Visits the parts of an expression, with the number of times they are printed in it.
fn for_each_printed(model: &TransitionSystem, expr: ExprId, mut visit: impl FnMut(ExprId, u64)) {
    match &model[expr] {
        // An element of an array that is not declared is printed as a `case` with a comparison for each element.
        Node::Index(array, index) if matches!(model[*array], Node::Array(..)) => {
            let Node::Array(_, items) = &model[*array] else { return };
            visit(*array, 1);
            visit(*index, items.len() as u64);
        }
        node => node.for_each_child(|child| visit(child, 1)),
    }
}

/// The expressions that become defines, none if the model is small enough; and the number of printed nodes.
pub(super) fn shared_parts(model: &Model) -> (FxHashMap<ExprId, String>, u64) {
    let roots = roots(model);
    let parts = model.context.exprs.parts(roots.iter().copied());
    let mut n_uses: FxHashMap<ExprId, u64> = FxHashMap::default();
    let mut as_tree: FxHashMap<ExprId, u64> = FxHashMap::default();
    for part in &parts {
        model.budget.look();
        let mut size = 1u64;
        for_each_printed(model, *part, |child, times| {
            *n_uses.entry(child).or_default() += times;
            size = size.saturating_add(as_tree[&child].saturating_mul(times));
        });
        as_tree.insert(*part, size);
    }
    let total = |sizes: &FxHashMap<ExprId, u64>| roots.iter().fold(0u64, |sum, root| sum.saturating_add(sizes[root]));
    let n_nodes = total(&as_tree);
    if n_nodes <= UNSHARED_NODES {
        return (FxHashMap::default(), n_nodes);
    }
    for root in &roots {
        *n_uses.entry(*root).or_default() += 1;
    }
    let mut names = Names::new(model);
    let mut shared = FxHashMap::default();
    // The printed size of a use of an expression: its own, or that of its name.
    let mut in_place: FxHashMap<ExprId, u64> = FxHashMap::default();
    let mut n_defined = 0u64;
    for part in &parts {
        model.budget.look();
        let mut size = 1u64;
        for_each_printed(model, *part, |child, times| {
            size = size.saturating_add(in_place[&child].saturating_mul(times));
        });
        let is_value = matches!(model.context.exprs.ty(*part), Ty::One(_)) && !model.context.exprs.is_temporal(*part);
        if size >= MIN_SHARED_NODES && is_value && n_uses.get(part).is_some_and(|n| *n > 1) {
            shared.insert(*part, names.fresh());
            n_defined = n_defined.saturating_add(size);
            size = 1;
        }
        in_place.insert(*part, size);
    }
    (shared, total(&in_place).saturating_add(n_defined))
}

/// Fresh names for a model.
struct Names<'m> {
    taken: FxHashSet<&'m str>,
    last: usize,
}

impl<'m> Names<'m> {
    fn new(model: &'m TransitionSystem) -> Names<'m> {
        let vars = model.vars.iter().map(|var| var.name.as_str());
        let defines = model.defines.iter().map(|define| define.name.as_str());
        Names { taken: vars.chain(defines).chain(model.context.symbols.names()).collect(), last: 0 }
    }

    fn fresh(&mut self) -> String {
        loop {
            self.last += 1;
            let name = format!("shared_{}", self.last);
            if !self.taken.contains(name.as_str()) {
                return name;
            }
        }
    }
}

impl Unparser<'_> {
    /// An expression on its own: if it is too long, its largest subexpressions are elided.
    pub(super) fn shown(&mut self, expr: ExprId) -> ast::ExprId {
        let whole = self.expr(expr);
        if self.tree_size(expr) <= MAX_SHOWN_NODES {
            return whole;
        }
        let model = self.model;
        let parts = model.context.exprs.parts([expr]);
        let mut sizes: FxHashMap<ExprId, u64> = parts.iter().map(|part| (*part, self.sizes[part])).collect();
        let ellipsis = self.name("…");
        let made = std::mem::take(&mut self.done);
        for part in parts {
            let mut children: Vec<(u64, ExprId)> = Vec::new();
            for_each_printed(model, part, |child, n| children.push((sizes[&child].saturating_mul(n), child)));
            let mut size = children.iter().fold(1u64, |sum, (size, _)| sum.saturating_add(*size));
            children.sort_unstable();
            children.dedup();
            let mut left_out = Vec::new();
            while size > SHOWN
                && let Some((largest, child)) = children.pop().filter(|(size, _)| *size > 1)
            {
                size = size.saturating_sub(largest - 1);
                left_out.push((child, self.done.insert(child, ellipsis)));
            }
            let shown = self.node(part);
            self.done.extend(left_out.into_iter().filter_map(|(child, was)| Some((child, was?))));
            self.done.insert(part, shown);
            sizes.insert(part, size.min(SHOWN));
        }
        std::mem::replace(&mut self.done, made)[&expr]
    }

    /// The number of nodes of an expression as a tree.
    fn tree_size(&mut self, expr: ExprId) -> u64 {
        let (model, sizes) = (self.model, &mut self.sizes);
        // Parts come before wholes; the loop avoids recursion.
        let mut open = vec![expr];
        while let Some(part) = open.last().copied() {
            let n_open = open.len();
            if !sizes.contains_key(&part) {
                let mut size = 1u64;
                for_each_printed(model, part, |child, times| match sizes.get(&child) {
                    Some(known) => size = size.saturating_add(known.saturating_mul(times)),
                    None => open.push(child),
                });
                if open.len() > n_open {
                    continue;
                }
                sizes.insert(part, size);
            }
            open.pop();
        }
        sizes[&expr]
    }
}
