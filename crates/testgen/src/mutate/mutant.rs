//! A mutant: one change at one place of a model.

use super::chains::Chains;
use super::cx::with_child;
use super::site::SiteId;
use super::{Operator, text};
use crate::goal::Goal;
use specwright_mc::Query;
use specwright_model::model::PropertyKind;
use specwright_model::op::UnaryOp;
use specwright_model::typing::is_temporal;
use specwright_model::{ExprId, Model, Node, SourcedExpr};
use specwright_syntax::span::Span;
use std::sync::Arc;

/// A mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Its id, which survives edits elsewhere in the file.
    pub id: MutantId,
    /// The site of the change.
    pub site: SiteId,
    /// The path from the root of the site to the replaced expression: indices of parts.
    pub path: Arc<[u32]>,
    /// The replaced expression.
    pub original: ExprId,
    /// The replacement.
    pub replacement: ExprId,
    /// The source span of the replaced expression.
    pub span: Span,
    /// The operators that make this mutant, and how; never empty. One operator may make it in several ways.
    pub origins: Vec<Origin>,
}

/// The id of a mutant, such as `ORO-3fa91c07`.
///
/// The letters name an operator that makes it; the rest identifies it, whichever operators are selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MutantId {
    /// The first of the operators that make it.
    pub operator: Operator,
    /// A hash of its content.
    pub hash: u32,
    /// Number of preceding mutants with the same hash.
    pub copy: u32,
}

impl MutantId {
    /// The id without the operator.
    pub fn key(self) -> String {
        match self.copy {
            0 => format!("{:08x}", self.hash),
            copy => format!("{:08x}-{}", self.hash, copy + 1),
        }
    }
}

impl std::fmt::Display for MutantId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.operator.name(), self.key())
    }
}

/// How an operator makes a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The operator.
    pub operator: Operator,
    /// The change.
    pub change: Change,
    /// The source span of the change.
    pub span: Span,
}

/// A change, for descriptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// An expression is replaced by another one.
    Replace,
    /// An expression is negated.
    Negate,
    /// An operator is replaced by another one.
    Operator(&'static str, &'static str),
    /// A prefix operator is dropped.
    DropOperator(&'static str),
    /// A condition is dropped.
    Drop(ExprId),
    /// The branch with this guard is dropped.
    DropBranch(ExprId),
    /// The branches with these guards are swapped.
    SwapBranches(ExprId, ExprId),
    /// The results of the branches with these guards are swapped.
    SwapResults(ExprId, ExprId),
    /// A temporal operator gets these bounds.
    Bounds(u64, Option<u64>),
}

impl Mutant {
    /// The first of the operators that make it.
    pub fn operator(&self) -> Operator {
        self.id.operator
    }

    /// The operators that make it, each once.
    pub fn operators(&self) -> Vec<Operator> {
        let mut operators: Vec<Operator> = self.origins.iter().map(|origin| origin.operator).collect();
        operators.sort_unstable();
        operators.dedup();
        operators
    }

    /// The whole site with the change applied. The cost is linear in the length of the path.
    pub fn mutated(&self, model: &Model) -> ExprId {
        let mut expr = self.replacement;
        for (outer, ordinal) in self.way(model).into_iter().zip(&*self.path).rev() {
            let node = with_child(&model[outer], *ordinal as usize, expr);
            expr = model.make(node).expect("mutants are well-typed");
        }
        expr
    }

    /// The nodes around the replaced expression, from the root of the site.
    pub(super) fn way(&self, model: &Model) -> Vec<ExprId> {
        let mut way = vec![self.site.sourced(model).expr];
        for &ordinal in &*self.path {
            let inner = way.last().and_then(|expr| child(model, *expr, ordinal as usize));
            way.push(inner.expect("a mutant belongs to the model that it was made of"));
        }
        way.pop();
        way
    }

    /// The model with the change applied.
    pub fn apply(&self, model: &Model) -> Model {
        let mut changed = model.clone();
        let expr = self.mutated(&changed);
        let sourced = self.site.sourced(model);
        let start = self.place(model);
        let (old, new) = (tree_size(model, self.original), tree_size(&changed, self.replacement));
        // The replacement has the span of the original.
        let spans = sourced.spans.iter().take(start).copied();
        let spans = spans.chain(std::iter::repeat_n(self.span, new));
        let spans = spans.chain(sourced.spans.iter().skip(start + old).copied()).collect();
        *self.site.sourced_mut(&mut changed) = SourcedExpr { expr, spans };
        changed
    }

    /// The goal of falsifying the mutated property. Mutants of the machine have no goals.
    pub(crate) fn goal(&self, model: &Model, chains: &mut Chains) -> Option<Goal> {
        let SiteId::Property(property) = self.site else { return None };
        let mutated = chains.mutated(model, self);
        // Without temporal operators a formula is about initial states, unless it is an invariant.
        let initial = model.properties[property].kind != PropertyKind::Invar && !model.mentions(mutated, is_temporal);
        let target = if initial {
            Query::Show(model.make(Node::Unary(UnaryOp::Not, mutated)).expect("properties are truth values"))
        } else {
            Query::Falsify(mutated)
        };
        Some(Goal {
            id: self.id.to_string(),
            contradiction: None,
            bounds: Arc::default(),
            mutant: None,
            criterion: "mutation",
            groups: self.operators().into_iter().map(|operator| operator.name().into()).collect(),
            description: self.description(model),
            span: self.span,
            property: Some(property),
            target,
            pair: None,
        })
    }

    /// Its description, in one line.
    pub fn description(&self, model: &Model) -> String {
        let show = |expr| text::short(model, expr);
        match self.origins[0].change {
            Change::Replace => format!("replace `{}` with `{}`", show(self.original), show(self.replacement)),
            Change::Negate => format!("negate `{}`", show(self.original)),
            Change::Operator(from, to) => format!("replace `{from}` with `{to}` in `{}`", show(self.original)),
            Change::DropOperator(op) => format!("drop `{op}` from `{}`", show(self.original)),
            Change::Drop(condition) => format!("drop `{}`", show(condition)),
            Change::DropBranch(guard) => format!("drop the branch `{}`", show(guard)),
            Change::SwapBranches(first, second) => {
                format!("swap the branches `{}` and `{}`", show(first), show(second))
            }
            Change::SwapResults(first, second) => {
                format!("swap the results of `{}` and `{}`", show(first), show(second))
            }
            Change::Bounds(low, Some(high)) => format!("replace the bounds with {low}..{high}"),
            Change::Bounds(low, None) => format!("replace the bounds with {low} and more"),
        }
    }

    /// The index of the replaced node, in preorder.
    fn place(&self, model: &Model) -> usize {
        let (mut place, mut expr) = (0, self.site.sourced(model).expr);
        for &ordinal in &*self.path {
            place += 1;
            let children = model[expr].children();
            place += children[..ordinal as usize].iter().map(|child| tree_size(model, *child)).sum::<usize>();
            expr = children[ordinal as usize];
        }
        place
    }
}

/// A part of an expression.
fn child(model: &Model, expr: ExprId, ordinal: usize) -> Option<ExprId> {
    let (mut found, mut n_seen) = (None, 0);
    model[expr].for_each_child(|child| {
        if n_seen == ordinal {
            found = Some(child);
        }
        n_seen += 1;
    });
    found
}

/// The number of nodes of an expression as a tree.
fn tree_size(model: &Model, expr: ExprId) -> usize {
    let mut size = 0;
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        size += 1;
        model[expr].for_each_child(|child| stack.push(child));
    }
    size
}
