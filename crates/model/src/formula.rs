//! Formulas and choices of values that are written beside a specification: requirements, goals, trap properties, what a focus
//! keeps.
//!
//! They are expressions of SMV over the names of the model, whatever language it came from.

use crate::expr::{ExprId, Node};
use crate::interp::{self, eval_set};
use crate::lower::smv::{lower_expr_in, parse_expr_in};
use crate::model::{Model, VarId};
use crate::op::{BinaryOp, Logic, UnaryOp};
use crate::state::State;
use crate::ty::Ty;
use crate::typing::is_temporal;
use crate::value::{Domain, Value, Word};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::{self, ExprKind, File};
use specwright_syntax::smv::parse_expr;
use specwright_syntax::span::SourceFile;

pub use crate::lower::smv::add_properties;
pub use specwright_syntax::smv::ast::Dialect;

/// Values that may be listed one by one at most; ranges of numbers may be of any size.
pub const MOST_LISTED: u128 = 1 << 12;

/// Why a text is no formula.
#[derive(Clone, Debug)]
pub enum FormulaError {
    /// It is no formula over the names of the model.
    Invalid(Vec<Diagnostic>),
    /// It is no truth value.
    NotBoolean,
}

/// Reads a formula, and says its logic if it is temporal.
pub fn formula(model: &Model, source: &SourceFile, dialect: Dialect) -> Result<(ExprId, Option<Logic>), FormulaError> {
    let mut failure = None;
    for logic in [None, Some(Logic::Ctl), Some(Logic::Ltl)] {
        let (written, diagnostics) = parse_expr_in(model, source, dialect, logic);
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        match written.filter(|_| !failed) {
            Some(written) if *model.context.exprs.ty(written.expr) != Ty::BOOL => return Err(FormulaError::NotBoolean),
            Some(written) if logic.is_none() && model.mentions(written.expr, is_temporal) => {}
            Some(written) => return Ok((written.expr, logic)),
            // What is wrong with it as CTL says most: it has the most operators.
            None if logic == Some(Logic::Ctl) || failure.is_none() => failure = Some(diagnostics),
            None => {}
        }
    }
    Err(FormulaError::Invalid(failure.unwrap_or_default()))
}

/// Some values of some variables.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The variables; the elements of an array where it is named as a whole.
    pub vars: Vec<VarId>,
    /// The values of each.
    pub members: Vec<Members>,
}

/// Why a text chooses no values.
#[derive(Clone, Debug)]
pub enum ChoiceError {
    /// It is no expression over the names of the model.
    Invalid(Vec<Diagnostic>),
    /// It is an expression, but not of the form `VAR in VALUES`.
    Form,
    /// A range starts after its end.
    EmptyRange(i128, i128),
}

/// Reads `VAR in VALUES` or `VAR = VALUE`, or a variable that is true or false on its own; of an array, every element has
/// these values.
pub fn choice(model: &Model, source: &SourceFile, dialect: Dialect) -> Result<Choice, ChoiceError> {
    let (exprs, root, diagnostics) = parse_expr(source, dialect);
    let root = root.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
    let Some(root) = root else { return Err(ChoiceError::Invalid(diagnostics)) };
    let mut reader = Reader { model, file: File { exprs, ..File::default() }, dialect };
    let (place, values) = match reader.file.exprs[root].kind {
        ExprKind::Binary(BinaryOp::In | BinaryOp::Eq, place, values) => (place, Err(values)),
        ExprKind::Unary(UnaryOp::Not, place) => (place, Ok(false)),
        _ => (root, Ok(true)),
    };
    let vars = reader.vars(place)?;
    if values.is_ok() && vars.iter().any(|var| reader.model[*var].domain != Domain::Bool) {
        return Err(ChoiceError::Form);
    }
    let members = match values {
        Ok(truth) => vec![Members::One(Value::Bool(truth))],
        Err(values) => reader.members(values)?,
    };
    Ok(Choice { vars, members })
}

/// Some of the values in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Members {
    /// One of them.
    One(Value),
    /// The numbers from the first to the last.
    Numbers(i128, i128),
    /// The words from the first to the last.
    Words(Word, Word),
}

/// What a text says, part by part.
struct Reader<'m> {
    model: &'m Model,
    file: File,
    dialect: Dialect,
}

impl Reader<'_> {
    fn lower(&mut self, expr: ast::ExprId) -> Result<ExprId, ChoiceError> {
        let (written, diagnostics) = lower_expr_in(self.model, &self.file, expr, self.dialect, None);
        let written = written.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
        Ok(written.ok_or(ChoiceError::Invalid(diagnostics))?.expr)
    }

    /// The variable of a name, or those of an array.
    fn vars(&mut self, place: ast::ExprId) -> Result<Vec<VarId>, ChoiceError> {
        let (mut vars, mut waiting) = (Vec::new(), vec![self.lower(place)?]);
        while let Some(expr) = waiting.pop() {
            match &self.model[expr] {
                Node::Var(var) => vars.push(*var),
                Node::Array(_, items) => waiting.extend(items.iter().copied()),
                Node::Index(array, index) => waiting.push(self.element(*array, *index).ok_or(ChoiceError::Form)?),
                _ => return Err(ChoiceError::Form),
            }
        }
        vars.sort_unstable();
        Ok(vars)
    }

    fn element(&self, array: ExprId, index: ExprId) -> Option<ExprId> {
        let nowhere = State::empty(self.model.vars.len());
        let array = match &self.model[array] {
            Node::Index(array, index) => self.element(*array, *index)?,
            _ => array,
        };
        let Node::Array(first, items) = &self.model[array] else { return None };
        let Ok(Value::Int(index)) = interp::eval(self.model, index, &nowhere, None) else {
            return None;
        };
        items.get(usize::try_from(index.checked_sub(*first)?).ok()?).copied()
    }

    /// The values in a list.
    fn members(&mut self, values: ast::ExprId) -> Result<Vec<Members>, ChoiceError> {
        let mut members = Vec::new();
        let mut waiting = vec![values];
        while let Some(expr) = waiting.pop() {
            match self.file.exprs[expr].kind.clone() {
                ExprKind::Set(items) => waiting.extend(items),
                ExprKind::Binary(BinaryOp::Union, a, b) => waiting.extend([a, b]),
                ExprKind::Range(low, high) => {
                    let ends = (self.constants(low)?, self.constants(high)?);
                    let member = match (&ends.0[..], &ends.1[..]) {
                        ([Value::Int(low)], [Value::Int(high)]) => Members::Numbers((*low).into(), (*high).into()),
                        ([Value::Word(low)], [Value::Word(high)]) => Members::Words(*low, *high),
                        _ => return Err(ChoiceError::Form),
                    };
                    match member {
                        Members::Numbers(low, high) if low > high => return Err(ChoiceError::EmptyRange(low, high)),
                        Members::Words(low, high) if low.to_int() > high.to_int() => {
                            return Err(ChoiceError::EmptyRange(low.to_int(), high.to_int()));
                        }
                        member => members.push(member),
                    }
                }
                _ => members.extend(self.constants(expr)?.into_iter().map(Members::One)),
            }
        }
        Ok(members)
    }

    /// What an expression without variables stands for.
    fn constants(&mut self, expr: ast::ExprId) -> Result<Vec<Value>, ChoiceError> {
        let expr = self.lower(expr)?;
        let nowhere = State::empty(self.model.vars.len());
        match eval_set(self.model, expr, &nowhere, None) {
            Ok(set) if set.len() <= MOST_LISTED => Ok(set.iter().collect()),
            _ => Err(ChoiceError::Form),
        }
    }
}
