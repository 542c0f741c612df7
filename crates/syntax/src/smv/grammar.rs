//! Precedence of operators. The parser and the printer share these tables, so they cannot disagree.
//!
//! Higher levels bind tighter. The tables follow the grammars of NuSMV 2.6, of its PSL parser, and of the SMV of the
//! 1990s.

use super::ast::ExprKind;
use crate::op::{BinaryOp, UnaryOp};

/// The grammars of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Grammar {
    /// NuSMV 2.6.
    NuSmv,
    /// CMU SMV.
    Cmu,
    /// The formulas of `PSLSPEC`.
    Psl,
}

/// A precedence level.
pub(crate) type Level = u8;

/// The level of a whole expression; any operator is allowed.
pub(crate) const LOWEST: Level = 0;
/// The level of names, numbers, calls and parenthesized expressions.
pub(crate) const PRIMARY: Level = 30;

impl Grammar {
    /// The level of an infix operator.
    pub(crate) fn binary(self, op: BinaryOp) -> Level {
        match self {
            Grammar::NuSmv => smv_binary(op),
            Grammar::Cmu => match op {
                // Set membership and union are swapped, and `mod` is looser than sums.
                BinaryOp::Union => smv_binary(BinaryOp::In),
                BinaryOp::In => smv_binary(BinaryOp::Union),
                BinaryOp::Mod => smv_binary(BinaryOp::Shl),
                _ => smv_binary(op),
            },
            Grammar::Psl => psl_binary(op),
        }
    }

    /// Whether `a op b op c` is `a op (b op c)`.
    pub(crate) fn is_right_associative(self, op: BinaryOp) -> bool {
        self != Grammar::Psl && op == BinaryOp::Implies
    }

    /// The level of a prefix operator; its operand has at least this level.
    pub(crate) fn unary(self, op: UnaryOp) -> Level {
        match (self, op) {
            (Grammar::NuSmv | Grammar::Cmu, UnaryOp::Neg) | (Grammar::NuSmv, UnaryOp::Not) => SMV_PREFIX,
            (Grammar::NuSmv | Grammar::Cmu, _) => SMV_TEMPORAL,
            (Grammar::Psl, UnaryOp::Not | UnaryOp::Neg) => PSL_PREFIX,
            (Grammar::Psl, UnaryOp::G) => PSL_ALWAYS,
            (Grammar::Psl, _) => PSL_TEMPORAL,
        }
    }

    /// The level of `c ? a : b`.
    pub(crate) fn conditional(self) -> Level {
        if self == Grammar::Psl { PSL_CONDITIONAL } else { SMV_CONDITIONAL }
    }

    /// The level of `a..b`.
    pub(crate) fn range(self) -> Level {
        if self == Grammar::Psl { PSL_SHIFT } else { SMV_RANGE }
    }

    /// The level of an expression as it would be printed.
    pub(crate) fn of(self, kind: &ExprKind) -> Level {
        match kind {
            ExprKind::Unary(op, _) => self.unary(*op),
            ExprKind::Binary(BinaryOp::EU | BinaryOp::AU, ..) | ExprKind::BoundedUntil(..) | ExprKind::Bounded(..) => {
                self.unary(UnaryOp::EX)
            }
            // PSL writes `[p U q]`; neither it nor these others may be operands of `!`.
            ExprKind::Binary(BinaryOp::U, ..) | ExprKind::Case(_) | ExprKind::Call(..) if self == Grammar::Psl => {
                PSL_PREFIX - 1
            }
            ExprKind::Binary(op, ..) => self.binary(*op),
            ExprKind::Ite(..) => self.conditional(),
            ExprKind::Range(..) => self.range(),
            ExprKind::Set(_) if self != Grammar::Psl => self.range(),
            _ => PRIMARY,
        }
    }
}

pub(crate) const SMV_CONDITIONAL: Level = 3;
pub(crate) const SMV_TEMPORAL: Level = 7;
pub(crate) const SMV_RANGE: Level = 11;
pub(crate) const SMV_PREFIX: Level = 16;

fn smv_binary(op: BinaryOp) -> Level {
    use BinaryOp as B;
    match op {
        B::Implies => 1,
        B::Iff => 2,
        B::Or | B::Xor | B::Xnor => 4,
        B::And => 5,
        B::U | B::V | B::S | B::T => 6,
        B::EU | B::AU => SMV_TEMPORAL,
        B::Eq | B::Ne | B::Lt | B::Le | B::Gt | B::Ge => 8,
        B::In => 9,
        B::Union => 10,
        B::Shl | B::Shr => 12,
        B::Add | B::Sub => 13,
        B::Mul | B::Div | B::Mod => 14,
        B::Concat => 15,
    }
}

pub(crate) const PSL_ALWAYS: Level = 1;
pub(crate) const PSL_NEXT: Level = 3;
pub(crate) const PSL_BEFORE: Level = 4;
pub(crate) const PSL_UNTIL: Level = 5;
const PSL_TEMPORAL: Level = 8;
pub(crate) const PSL_CONDITIONAL: Level = 10;
pub(crate) const PSL_OR_OR: Level = 11;
pub(crate) const PSL_AND_AND: Level = 12;
const PSL_SHIFT: Level = 19;
const PSL_PREFIX: Level = 24;

fn psl_binary(op: BinaryOp) -> Level {
    use BinaryOp as B;
    match op {
        B::Implies | B::Iff => 2,
        // Only `[p U q]` exists; the others never occur without brackets.
        B::U | B::V | B::S | B::T | B::EU | B::AU => PSL_UNTIL,
        B::In | B::Union => 9,
        B::Or => 13,
        B::Xor | B::Xnor => 15,
        B::And => 16,
        B::Eq | B::Ne => 17,
        B::Lt | B::Le | B::Gt | B::Ge => 18,
        B::Shl | B::Shr => PSL_SHIFT,
        B::Add | B::Sub => 21,
        B::Mul | B::Div | B::Mod | B::Concat => 22,
    }
}
