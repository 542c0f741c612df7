//! Properties: what a specification claims of its system.

use crate::expr::SourcedExpr;
use crate::op::Logic;
use specwright_syntax::span::Span;

/// The kinds of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PropertyKind {
    /// A formula of CTL, to hold in all initial states.
    Ctl,
    /// A formula of LTL, to hold on all paths.
    Ltl,
    /// An expression without temporal operators, to hold in all reachable states.
    Invar,
    /// The length of the shortest path from one set of states to another.
    ComputeMin,
    /// The length of the longest path that stays outside the other set.
    ComputeMax,
    /// A formula that was written in PSL and means one of CTL or LTL.
    Psl(Logic),
}

impl PropertyKind {
    /// Whether it says something that can be false; `COMPUTE` asks for a number.
    pub fn is_claim(self) -> bool {
        !matches!(self, PropertyKind::ComputeMin | PropertyKind::ComputeMax)
    }
}

/// A property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its kind.
    pub kind: PropertyKind,
    /// The formula; for `COMPUTE`, the states to start from.
    pub formula: SourcedExpr,
    /// For `COMPUTE`, the states to reach.
    pub target: Option<SourcedExpr>,
    /// The span of its declaration.
    pub span: Span,
}
