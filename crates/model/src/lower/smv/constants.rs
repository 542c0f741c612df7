//! Constant expressions: bounds, widths and indices, which are evaluated before variables exist.

use super::instances::InstId;
use super::names::{Meaning, is_path};
use super::{Constancy, Lowering};
use crate::op::{BinaryOp, Builtin, UnaryOp};
use crate::value::Word;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::{self, ExprKind};
use specwright_syntax::smv::codes;

/// The value of a constant expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Constant {
    Bool(bool),
    Int(i64),
    Word(i64),
}

impl Lowering<'_> {
    /// The value of an expression that is a constant number.
    pub(super) fn constant(&mut self, inst: InstId, expr: ast::ExprId) -> Option<i64> {
        match self.evaluate(inst, expr)? {
            Constant::Int(number) => Some(number),
            Constant::Bool(_) | Constant::Word(_) => None,
        }
    }

    /// The same; reports an expression that is not constant.
    pub(super) fn constant_or_report(&mut self, inst: InstId, expr: ast::ExprId, what: &str) -> Option<i64> {
        let value = self.constant(inst, expr);
        if value.is_none() && !self.report_unknown_names(inst, expr) {
            let message = format!("{what} must be a constant number");
            self.report(Diagnostic::error(codes::NOT_CONSTANT, self.span(expr), message));
        }
        value
    }

    /// Reports the first unknown name in an expression, if there is one.
    fn report_unknown_names(&mut self, inst: InstId, expr: ast::ExprId) -> bool {
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            let kind = &self.file.exprs[expr].kind;
            if matches!(kind, ExprKind::Error) {
                return true;
            }
            if is_path(kind) {
                match self.resolve(inst, expr) {
                    Meaning::Unknown(unknown) => {
                        self.report_unknown(&unknown);
                        return true;
                    }
                    Meaning::Broken => return true,
                    _ => {}
                }
            } else {
                kind.for_each_child(|child| stack.push(child));
            }
        }
        false
    }

    fn evaluate(&mut self, inst: InstId, expr: ast::ExprId) -> Option<Constant> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.evaluate_node(inst, expr))
    }

    fn evaluate_node(&mut self, inst: InstId, expr: ast::ExprId) -> Option<Constant> {
        let file = self.file;
        let int = |lowering: &mut Self, expr| lowering.constant(inst, expr);
        match &file.exprs[expr].kind {
            ExprKind::Bool(value) => Some(Constant::Bool(*value)),
            ExprKind::Int(number) => Some(Constant::Int(*number)),
            ExprKind::Word(word) => {
                let width = u8::try_from(word.width).ok().filter(|width| (1..=64).contains(width))?;
                let number = Word::new(word.signed, width, word.bits).to_int();
                i64::try_from(number).ok().map(Constant::Word)
            }
            kind if is_path(kind) => match self.resolve(inst, expr) {
                Meaning::Def(def) => self.evaluate_def(def).map(Constant::Int),
                _ => None,
            },
            ExprKind::Unary(UnaryOp::Neg, a) => Some(Constant::Int(int(self, *a)?.checked_neg()?)),
            ExprKind::Unary(UnaryOp::Not, a) => match self.evaluate(inst, *a)? {
                Constant::Bool(value) => Some(Constant::Bool(!value)),
                Constant::Int(_) | Constant::Word(_) => None,
            },
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.evaluate(inst, *a)?, self.evaluate(inst, *b)?);
                binary(*op, a, b)
            }
            ExprKind::Ite(condition, a, b) => match self.evaluate(inst, *condition)? {
                Constant::Bool(true) => self.evaluate(inst, *a),
                Constant::Bool(false) => self.evaluate(inst, *b),
                Constant::Int(_) | Constant::Word(_) => None,
            },
            ExprKind::Case(branches) => {
                for (guard, value) in branches {
                    match self.evaluate(inst, *guard)? {
                        Constant::Bool(true) => return self.evaluate(inst, *value),
                        Constant::Bool(false) => {}
                        Constant::Int(_) | Constant::Word(_) => return None,
                    }
                }
                None
            }
            ExprKind::Set(items) if items.len() == 1 => self.evaluate(inst, items[0]),
            ExprKind::Call(builtin, args) => {
                let args = args.iter().map(|arg| self.evaluate(inst, *arg)).collect::<Option<Vec<_>>>();
                match (builtin, args?.as_slice()) {
                    (Builtin::Abs, [Constant::Int(a)]) => a.checked_abs().map(Constant::Int),
                    (Builtin::Min, [Constant::Int(a), Constant::Int(b)]) => Some(Constant::Int(*a.min(b))),
                    (Builtin::Max, [Constant::Int(a), Constant::Int(b)]) => Some(Constant::Int(*a.max(b))),
                    (Builtin::ToInt, [Constant::Int(a) | Constant::Word(a)]) => Some(Constant::Int(*a)),
                    (Builtin::ToInt, [Constant::Bool(a)]) => Some(Constant::Int(i64::from(*a))),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn evaluate_def(&mut self, def: super::DefId) -> Option<i64> {
        match self.defs[def].constant {
            Constancy::Number(number) => return Some(number),
            Constancy::Varies => return None,
            Constancy::Unknown => {}
        }
        // During its evaluation a define is not constant, which ends circles.
        self.defs[def].constant = Constancy::Varies;
        let (inst, body) = (self.defs[def].inst, self.defs[def].body);
        let value = self.constant(inst, body);
        if let Some(number) = value {
            self.defs[def].constant = Constancy::Number(number);
        }
        value
    }
}

fn binary(op: BinaryOp, a: Constant, b: Constant) -> Option<Constant> {
    use BinaryOp as Op;
    match (a, b) {
        (Constant::Int(a), Constant::Int(b)) => match op {
            Op::Add => a.checked_add(b).map(Constant::Int),
            Op::Sub => a.checked_sub(b).map(Constant::Int),
            Op::Mul => a.checked_mul(b).map(Constant::Int),
            Op::Div => a.checked_div(b).map(Constant::Int),
            Op::Mod => a.checked_rem(b).map(Constant::Int),
            Op::Eq => Some(Constant::Bool(a == b)),
            Op::Ne => Some(Constant::Bool(a != b)),
            Op::Lt => Some(Constant::Bool(a < b)),
            Op::Le => Some(Constant::Bool(a <= b)),
            Op::Gt => Some(Constant::Bool(a > b)),
            Op::Ge => Some(Constant::Bool(a >= b)),
            _ => None,
        },
        (Constant::Bool(a), Constant::Bool(b)) => match op {
            Op::And => Some(Constant::Bool(a && b)),
            Op::Or => Some(Constant::Bool(a || b)),
            Op::Implies => Some(Constant::Bool(!a || b)),
            Op::Xor | Op::Ne => Some(Constant::Bool(a != b)),
            Op::Iff | Op::Xnor | Op::Eq => Some(Constant::Bool(a == b)),
            _ => None,
        },
        _ => None,
    }
}
