//! Coercions of the dialect of the 1990s, in which 0 and 1 are the booleans.
//!
//! Where a boolean is needed, the numbers 0 and 1 are converted, also inside of sets and branches; where a number is
//! needed, a boolean becomes 0 or 1. Inserted coercions have no source span.

use super::Lowering;
use super::exprs::{Operand, node_of};
use crate::expr::{ExprId, Node, SourcedExpr};
use crate::op::{BinaryOp, Builtin, UnaryOp};
use crate::ty::{Scalar, Ty};
use crate::value::Value;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::{self, Dialect, ExprKind};
use specwright_syntax::smv::codes;
use specwright_syntax::span::Span;

/// The target of a coercion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Bool,
    Int,
}

impl Lowering<'_> {
    /// Coerces operands to their operator. Returns the expression if the operator itself is lowered differently.
    pub(super) fn adapt(&mut self, whole: ast::ExprId, kind: &ExprKind, operands: &mut [Operand]) -> Option<ExprId> {
        use BinaryOp as Op;
        match kind {
            ExprKind::Unary(UnaryOp::Neg, _) | ExprKind::Call(Builtin::Abs | Builtin::Min | Builtin::Max, _) => {
                self.all(operands, Goal::Int);
            }
            ExprKind::Unary(..) | ExprKind::Call(Builtin::Count | Builtin::Word1, _) => self.all(operands, Goal::Bool),
            ExprKind::Binary(op, ..) => match op {
                Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Lt | Op::Le | Op::Gt | Op::Ge => {
                    self.all(operands, Goal::Int);
                }
                Op::Eq | Op::Ne => return self.adapt_equality(whole, *op, operands),
                Op::In | Op::Union => self.agree(operands, &[0, 1]),
                Op::Shl | Op::Shr => self.turn(operands, 1, Goal::Int),
                Op::Concat => {}
                _ => self.all(operands, Goal::Bool),
            },
            ExprKind::Ite(..) => {
                self.turn(operands, 0, Goal::Bool);
                self.agree(operands, &[1, 2]);
            }
            ExprKind::Case(branches) => {
                for at in 0..branches.len() {
                    self.turn(operands, 2 * at, Goal::Bool);
                }
                let values: Vec<usize> = (0..branches.len()).map(|at| 2 * at + 1).collect();
                self.agree(operands, &values);
                return self.adapt_case(kind, operands);
            }
            ExprKind::Set(items) => self.agree(operands, &(0..items.len()).collect::<Vec<_>>()),
            _ => {}
        }
        None
    }

    /// Coerces an index to a number.
    pub(super) fn adapt_index(&mut self, operands: &mut [Operand]) {
        self.turn(operands, 1, Goal::Int);
    }

    /// Coerces a value to a type.
    pub(super) fn adapt_to(&mut self, wanted: &Ty, value: &mut Operand, spans: &mut Vec<Span>) {
        if self.dialect != Dialect::Cmu {
            return;
        }
        let goal = match wanted {
            Ty::One(Scalar::Bool) => Goal::Bool,
            Ty::One(Scalar::Int | Scalar::Mixed) => Goal::Int,
            _ => return,
        };
        std::mem::swap(&mut self.spans, spans);
        let mut operands = [*value];
        self.turn(&mut operands, 0, goal);
        *value = operands[0];
        std::mem::swap(&mut self.spans, spans);
    }

    /// A define `{0, 1}` is a choice of booleans.
    pub(super) fn adapt_define(&mut self, body: SourcedExpr) -> SourcedExpr {
        if self.dialect != Dialect::Cmu || *self.model.context.exprs.ty(body.expr) != Ty::Set(Scalar::Int) {
            return body;
        }
        if !self.is_truthy(body.expr) {
            return body;
        }
        let mut spans = body.spans.to_vec();
        let mut operand = Operand { ast: ast::ExprId(0), expr: body.expr, start: 0 };
        self.adapt_to(&Ty::BOOL, &mut operand, &mut spans);
        SourcedExpr { expr: operand.expr, spans: spans.into() }
    }

    fn all(&mut self, operands: &mut [Operand], goal: Goal) {
        for at in 0..operands.len() {
            self.turn(operands, at, goal);
        }
    }

    /// Coerces booleans and numbers among some operands to one kind.
    fn agree(&mut self, operands: &mut [Operand], which: &[usize]) {
        let scalar = |lowering: &Self, at: usize| lowering.model.context.exprs.ty(operands[at].expr).scalar();
        let has_bool = which.iter().any(|&at| scalar(self, at) == Some(Scalar::Bool));
        let has_int = which.iter().any(|&at| matches!(scalar(self, at), Some(Scalar::Int | Scalar::Mixed)));
        if !has_bool || !has_int {
            return;
        }
        let truthy =
            which.iter().all(|&at| scalar(self, at) == Some(Scalar::Bool) || self.is_truthy(operands[at].expr));
        for &at in which {
            self.turn(operands, at, if truthy { Goal::Bool } else { Goal::Int });
        }
    }

    fn adapt_equality(&mut self, whole: ast::ExprId, op: BinaryOp, operands: &mut [Operand]) -> Option<ExprId> {
        self.agree(operands, &[0, 1]);
        let (Ty::One(a), Ty::One(b)) = (
            self.model.context.exprs.ty(operands[0].expr).clone(),
            self.model.context.exprs.ty(operands[1].expr).clone(),
        ) else {
            return None;
        };
        let is_old = |scalar| !matches!(scalar, Scalar::Word { .. });
        let comparable = a == b || a == Scalar::Mixed || b == Scalar::Mixed;
        if comparable || !is_old(a) || !is_old(b) {
            return None;
        }
        let (outcome, value) = if op == BinaryOp::Eq { ("false", false) } else { ("true", true) };
        let message = format!("{a} and {b} values are never equal, so this is {outcome}");
        self.report(
            Diagnostic::warning(codes::COMPARED_KINDS, self.span(whole), message)
                .also(self.span(operands[0].ast), a.to_string())
                .also(self.span(operands[1].ast), b.to_string()),
        );
        self.spans.truncate(operands[0].start);
        Some(self.make_plain(Node::Const(Value::Bool(value))))
    }

    /// Where no branch applies, the value is 1, except for symbolic values, of which 1 is none.
    fn adapt_case(&mut self, kind: &ExprKind, operands: &[Operand]) -> Option<ExprId> {
        let Node::Case(branches) = node_of(kind, operands) else { return None };
        let yes = self.make_plain(Node::Const(Value::Bool(true)));
        let scalar = self.model.context.exprs.ty(branches.last()?.1).scalar()?;
        let one = match scalar {
            _ if branches.last()?.0 == yes => return None,
            Scalar::Bool => yes,
            Scalar::Int => self.make_plain(Node::Const(Value::Int(1))),
            _ => return None,
        };
        let with_default: Vec<_> = branches.iter().copied().chain([(yes, one)]).collect();
        // Incompatible branches are reported by the caller.
        let made = self.make(Node::Case(with_default.into())).ok()?;
        self.spans.extend([Span::NONE; 2]);
        Some(made)
    }

    /// Coerces an operand to a boolean or a number, if it is the other and convertible.
    fn turn(&mut self, operands: &mut [Operand], at: usize, goal: Goal) {
        let from = match goal {
            Goal::Bool => Scalar::Int,
            Goal::Int => Scalar::Bool,
        };
        let Operand { expr, start, .. } = operands[at];
        if self.model.context.exprs.ty(expr).scalar() != Some(from) {
            return;
        }
        let before = self.spans.len();
        let mut place = start;
        if let Some(turned) = self.turn_tree(expr, goal, &mut place) {
            operands[at].expr = turned;
            let more = self.spans.len() - before;
            for later in operands.iter_mut().skip(at + 1) {
                later.start += more;
            }
        }
    }

    /// Coerces an expression; its spans start at `place`, which is moved past them.
    fn turn_tree(&mut self, expr: ExprId, goal: Goal, place: &mut usize) -> Option<ExprId> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            let node = self.model[expr].clone();
            match (&node, goal) {
                (Node::Const(Value::Int(number @ (0 | 1))), Goal::Bool) => {
                    *place += 1;
                    Some(self.make_plain(Node::Const(Value::Bool(*number == 1))))
                }
                (Node::Const(Value::Bool(value)), Goal::Int) => {
                    *place += 1;
                    Some(self.make_plain(Node::Const(Value::Int(i64::from(*value)))))
                }
                (Node::Range(low, high), Goal::Bool) if self.is_truthy(expr) => {
                    *place += 1;
                    let low = self.turn_tree(*low, goal, place)?;
                    let high = self.turn_tree(*high, goal, place)?;
                    self.make(Node::Set([low, high].into())).ok()
                }
                (Node::Set(_) | Node::Binary(BinaryOp::Union, ..), _) => self.turn_parts(&node, goal, place, |_| true),
                (Node::Ite(..), _) => self.turn_parts(&node, goal, place, |at| at > 0),
                (Node::Case(_), _) => self.turn_parts(&node, goal, place, |at| at % 2 == 1),
                // Other numbers are not convertible to booleans.
                _ if goal == Goal::Bool && !self.is_truthy(expr) => None,
                _ => {
                    let builtin = if goal == Goal::Bool { Builtin::Bool } else { Builtin::ToInt };
                    let size = self.tree_size(expr);
                    let turned = self.make(Node::Call(builtin, [expr].into())).ok()?;
                    self.spans.insert(*place, Span::NONE);
                    *place += size + 1;
                    Some(turned)
                }
            }
        })
    }

    fn turn_parts(
        &mut self,
        node: &Node,
        goal: Goal,
        place: &mut usize,
        turned: impl Fn(usize) -> bool,
    ) -> Option<ExprId> {
        *place += 1;
        let mut parts = Vec::new();
        for (at, child) in node.children().into_iter().enumerate() {
            let from = if goal == Goal::Bool { Scalar::Int } else { Scalar::Bool };
            if turned(at) && self.model.context.exprs.ty(child).scalar() == Some(from) {
                parts.push(self.turn_tree(child, goal, place)?);
            } else {
                *place += self.tree_size(child);
                parts.push(child);
            }
        }
        let mut parts = parts.into_iter();
        let node = node.map_children(|child| parts.next().unwrap_or(child));
        self.make(node).ok()
    }

    /// Whether an expression can only be 0 or 1.
    fn is_truthy(&self, expr: ExprId) -> bool {
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            match &self.model[expr] {
                Node::Const(Value::Int(0 | 1) | Value::Bool(_)) => {}
                Node::Set(items) => stack.extend(items.iter()),
                Node::Binary(BinaryOp::Union, a, b) | Node::Range(a, b) | Node::Ite(_, a, b) => stack.extend([a, b]),
                Node::Case(branches) => stack.extend(branches.iter().map(|(_, value)| value)),
                Node::Define(define) => stack.push(self.model.body(*define)),
                Node::Binary(BinaryOp::Mod, _, divisor) if self.model[*divisor] == Node::Const(Value::Int(2)) => {}
                Node::Call(Builtin::ToInt, args) if *self.model.context.exprs.ty(args[0]) == Ty::BOOL => {}
                _ if self.model.context.exprs.ty(expr).scalar() == Some(Scalar::Bool) => {}
                _ => return false,
            }
        }
        true
    }

    /// The number of nodes of an expression as a tree.
    fn tree_size(&self, expr: ExprId) -> usize {
        let mut size = 0;
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            size += 1;
            self.model[expr].for_each_child(|child| stack.push(child));
        }
        size
    }
}
