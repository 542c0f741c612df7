//! Expansion of PSL operators into those of LTL.

use super::expr::Operand;
use super::{Abandoned, Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::op::{BinaryOp, UnaryOp};
use crate::smv::ast::{ExprId, ExprKind, Exprs};
use crate::smv::codes;
use crate::span::Span;
use std::sync::Arc;

/// Maximal size of an expanded formula, in nodes. Weak operators duplicate an operand, so expansion can be exponential.
pub(super) const MAX_SIZE: u64 = 100_000;

/// The size of the current formula after expansion.
#[derive(Default)]
pub(super) struct Expansion {
    active: bool,
    base: usize,
    sizes: Vec<u64>,
}

impl Expansion {
    pub(super) fn start(&mut self, exprs: &Exprs) {
        self.active = true;
        self.base = exprs.len();
        self.sizes.clear();
    }

    pub(super) fn stop(&mut self) {
        self.active = false;
    }

    /// Accounts for a new expression.
    pub(super) fn note(&mut self, exprs: &Exprs, id: ExprId) {
        if !self.active {
            return;
        }
        let mut size = 1u64;
        exprs[id].kind.for_each_child(|child| {
            size = size.saturating_add(self.sizes[child.0 as usize - self.base]);
        });
        self.sizes.push(size);
    }

    pub(super) fn is_too_large(&self) -> bool {
        self.active && self.sizes.last().is_some_and(|size| *size > MAX_SIZE)
    }
}

/// `next[n]`, `next_a[i:j]`, `next_event(b)[n]` and similar operators.
#[derive(Clone, Copy)]
pub(super) struct Event {
    /// Whether all states of the range count, or one is enough.
    pub(super) all: bool,
    pub(super) strong: bool,
    pub(super) low: i64,
    pub(super) high: i64,
}

/// `forall i in {…} :`
pub(super) struct Replicator {
    pub(super) op: BinaryOp,
    pub(super) name: Arc<str>,
    pub(super) values: Vec<ExprKind>,
    /// The first expression of the body.
    pub(super) first: usize,
}

impl Parser<'_> {
    /// Expands `next_event(b)[low:high](p)`, or `next_a[low:high](p)` if there is no condition.
    pub(super) fn event(
        &mut self,
        event: Event,
        condition: Option<ExprId>,
        body: Operand,
        span: Span,
    ) -> Parsed<Operand> {
        let op = if event.all { BinaryOp::And } else { BinaryOp::Or };
        let first = i64::from(condition.is_some());
        let mut whole: Option<Operand> = None;
        let mut nth = Operand { id: body.id, span };
        for n in first..=event.high {
            if n > first {
                nth = self.make(ExprKind::Unary(UnaryOp::X, nth.id), span)?;
            }
            if let Some(condition) = condition {
                let both = self.make(ExprKind::Binary(BinaryOp::And, condition, nth.id), span)?;
                let not_yet = self.make(ExprKind::Unary(UnaryOp::Not, condition), span)?;
                nth = self.until_formula(not_yet.id, both.id, span, event.strong)?;
            }
            if n >= event.low {
                whole = Some(match whole {
                    Some(whole) => self.make(ExprKind::Binary(op, whole.id, nth.id), span)?,
                    None => nth,
                });
            }
        }
        Ok(whole.unwrap_or(nth))
    }

    /// `p U q`, or `(p U q) | G p` if it is weak.
    fn until_formula(&mut self, left: ExprId, right: ExprId, span: Span, strong: bool) -> Parsed<Operand> {
        let until = self.make(ExprKind::Binary(BinaryOp::U, left, right), span)?;
        if strong {
            return Ok(until);
        }
        let always = self.make(ExprKind::Unary(UnaryOp::G, left), span)?;
        self.make(ExprKind::Binary(BinaryOp::Or, until.id, always.id), span)
    }

    /// `p until q`; the inclusive form requires `p` also where `q` first holds.
    pub(super) fn psl_until(
        &mut self,
        left: Operand,
        right: Operand,
        span: Span,
        strong: bool,
        inclusive: bool,
    ) -> Parsed<Operand> {
        let mut right = right.id;
        if inclusive {
            right = self.make(ExprKind::Binary(BinaryOp::And, left.id, right), span)?.id;
        }
        self.until_formula(left.id, right, span, strong)
    }

    /// `p before q`; the inclusive form allows both to hold at once.
    pub(super) fn psl_before(
        &mut self,
        left: Operand,
        right: Operand,
        span: Span,
        strong: bool,
        inclusive: bool,
    ) -> Parsed<Operand> {
        let not_right = self.make(ExprKind::Unary(UnaryOp::Not, right.id), span)?;
        let mut left = left.id;
        if !inclusive {
            left = self.make(ExprKind::Binary(BinaryOp::And, left, not_right.id), span)?.id;
        }
        self.until_formula(not_right.id, left, span, strong)
    }

    /// Expands `forall`: one copy of the body for each value.
    pub(super) fn replicate(&mut self, replicator: &Replicator, body: Operand, span: Span) -> Parsed<Operand> {
        let nodes: Vec<ExprId> = (replicator.first..=body.id.0 as usize).map(|id| ExprId(id as u32)).collect();
        if (nodes.len() as u64).saturating_mul(replicator.values.len() as u64) > MAX_SIZE {
            return Err(self.psl_too_large(span));
        }
        let mut whole: Option<Operand> = None;
        for value in &replicator.values {
            let mut copies: Vec<ExprId> = Vec::with_capacity(nodes.len());
            for id in &nodes {
                let node = self.exprs[*id].clone();
                let kind = match &node.kind {
                    ExprKind::Name(name) if *name == replicator.name => value.clone(),
                    kind => kind.map_children(|child| copies[child.0 as usize - replicator.first]),
                };
                let copy = if kind == node.kind { *id } else { self.make(kind, node.span)?.id };
                copies.push(copy);
            }
            let Some(id) = copies.last().copied() else { break };
            whole = Some(match whole {
                Some(whole) => self.make(ExprKind::Binary(replicator.op, whole.id, id), span)?,
                None => Operand { id, span },
            });
        }
        whole.ok_or(Abandoned)
    }

    pub(super) fn psl_too_large(&mut self, span: Span) -> Abandoned {
        self.report(
            Diagnostic::error(codes::PSL_TOO_LARGE, span, "this property becomes too large when it is unrolled")
                .note(format!("it may have up to {MAX_SIZE} operators and operands")),
        );
        Abandoned
    }
}
