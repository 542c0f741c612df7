//! Words: constants, widths and bits, all evaluated before the model exists.

use super::Lowering;
use super::instances::InstId;
use crate::expr::ExprId;
use crate::op::Builtin;
use crate::ty::{Scalar, Ty};
use crate::typing::{Expected, Problem, TypeError};
use crate::value::{Value, Word};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::{self, WordLiteral};
use specwright_syntax::smv::codes;

impl Lowering<'_> {
    pub(super) fn word_literal(&mut self, expr: ast::ExprId, literal: WordLiteral) -> Option<ExprId> {
        let width = self.word_width(expr, i64::from(literal.width))?;
        Some(self.constant_leaf(expr, Value::Word(Word::new(literal.signed, width, literal.bits))))
    }

    pub(super) fn word_width(&mut self, expr: ast::ExprId, width: i64) -> Option<u8> {
        if let (Ok(bits), true) = (u8::try_from(width), (1..=i64::from(Word::MAX_WIDTH)).contains(&width)) {
            return Some(bits);
        }
        let message = match width {
            ..=0 => format!("a word cannot have {width} bits"),
            _ => format!("words of more than {} bits are not supported", Word::MAX_WIDTH),
        };
        self.report(Diagnostic::error(codes::BAD_WIDTH, self.span(expr), message));
        None
    }

    /// `uwconst(value, width)`, `swconst(value, width)`
    pub(super) fn word_constant(
        &mut self,
        inst: InstId,
        expr: ast::ExprId,
        builtin: Builtin,
        args: &[ast::ExprId],
    ) -> Option<ExprId> {
        let [value, width] = args[..] else {
            return self.wrong_arguments(expr, builtin, args.len(), 2);
        };
        let number = self.constant_or_report(inst, value, "the value of a word constant");
        let bits = self.constant_or_report(inst, width, "the width of a word");
        let (number, bits) = (number?, self.word_width(width, bits?)?);
        let signed = builtin == Builtin::SwConst;
        let low = -(1i128 << (bits - 1));
        let high = if signed { (1i128 << (bits - 1)) - 1 } else { (1i128 << bits) - 1 };
        if !(low..=high).contains(&i128::from(number)) {
            let message = format!("{number} does not fit into {bits} bits");
            self.report(Diagnostic::error(codes::OUT_OF_RANGE, self.span(value), message));
            return None;
        }
        Some(self.constant_leaf(expr, Value::Word(Word::new(signed, bits, number.cast_unsigned()))))
    }

    pub(super) fn size_of(&mut self, inst: InstId, expr: ast::ExprId, args: &[ast::ExprId]) -> Option<ExprId> {
        let [word] = args[..] else {
            return self.wrong_arguments(expr, Builtin::SizeOf, args.len(), 1);
        };
        let (operand, _) = self.operand(inst, word)?;
        let found = self.model.context.exprs.ty(operand.expr).clone();
        if let Ty::One(Scalar::Word { width, .. }) = found {
            return Some(self.constant_leaf(expr, Value::Int(i64::from(width))));
        }
        let error = TypeError { operand: 0, found, problem: Problem::Expected(Expected::Word) };
        self.report_type_error(expr, &[operand], &error);
        None
    }

    /// The index of a bit of a word.
    pub(super) fn bit(&mut self, inst: InstId, expr: ast::ExprId) -> Option<u8> {
        let bit = self.constant_or_report(inst, expr, "the number of a bit")?;
        if let (Ok(number), true) = (u8::try_from(bit), bit < i64::from(Word::MAX_WIDTH)) {
            return Some(number);
        }
        let message = format!("no word has bit {bit}");
        self.report(Diagnostic::error(codes::OUT_OF_RANGE, self.span(expr), message));
        None
    }
}
