//! What is kept of a variable: `x in 0..3`, `mode in {on, off}`.

use specwright_model::lower::smv::parse_expr_in;
use specwright_model::op::BinaryOp;
use specwright_model::{Domain, ExprId, Model, Node, Value, VarId};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::span::SourceFile;

/// So many values may be listed one by one; ranges may be of any size.
const MOST: usize = 1 << 12;

/// The values that are kept of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keep {
    /// The variable.
    pub var: VarId,
    /// Its values: a range where they are numbers without a gap, else a list without repetition, smallest first.
    pub values: Domain,
}

/// Why a text does not say what to keep.
#[derive(Clone, Debug)]
pub enum KeepError {
    /// It is no expression over the names of the model.
    Invalid(Vec<Diagnostic>),
    /// It is an expression, but not of the form `VAR in VALUES`.
    Form,
    /// Nothing is kept.
    Empty(VarId),
    /// The variable never has that value.
    NoSuchValue(VarId, Value),
    /// Words are kept as a whole or not at all.
    Word(VarId),
    /// So many values can only be kept as a range.
    TooMany(VarId),
}

impl Keep {
    /// Reads `VAR in VALUES` or `VAR = VALUE`.
    pub fn read(model: &mut Model, source: &SourceFile, dialect: Dialect) -> Result<Keep, KeepError> {
        let (written, diagnostics) = parse_expr_in(model, source, dialect, None);
        let written = written.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
        let expr = written.ok_or(KeepError::Invalid(diagnostics))?.expr;
        let (var, values) = match model[expr] {
            Node::Binary(BinaryOp::In | BinaryOp::Eq, var, values) => match model[var] {
                Node::Var(var) => (var, values),
                _ => return Err(KeepError::Form),
            },
            // A truth value on its own.
            Node::Var(var) => return Keep::of(model, var, vec![Value::Bool(true)]),
            Node::Unary(specwright_model::op::UnaryOp::Not, inner) => match model[inner] {
                Node::Var(var) => return Keep::of(model, var, vec![Value::Bool(false)]),
                _ => return Err(KeepError::Form),
            },
            _ => return Err(KeepError::Form),
        };
        let mut listed = Vec::new();
        let mut range: Option<(i64, i64)> = None;
        let mut waiting = vec![values];
        while let Some(expr) = waiting.pop() {
            match &model[expr] {
                Node::Set(items) => waiting.extend(items.iter().copied()),
                Node::Binary(BinaryOp::Union, a, b) => waiting.extend([*a, *b]),
                Node::Range(low, high) => {
                    let (Some(low), Some(high)) = (number(model, *low), number(model, *high)) else {
                        return Err(KeepError::Form);
                    };
                    let size = high.abs_diff(low);
                    if range.is_none() && size > MOST as u64 {
                        range = Some((low, high));
                    } else if size > MOST as u64 || listed.len() > MOST {
                        return Err(KeepError::TooMany(var));
                    } else {
                        listed.extend((low..=high).map(Value::Int));
                    }
                }
                _ => listed.push(constant(model, expr).ok_or(KeepError::Form)?),
            }
        }
        match range {
            Some((low, high)) if listed.is_empty() => Keep::all_of(model, var, Domain::Range(low, high)),
            Some(_) => Err(KeepError::TooMany(var)),
            None => Keep::of(model, var, listed),
        }
    }

    /// These values of a variable.
    pub fn of(model: &Model, var: VarId, mut values: Vec<Value>) -> Result<Keep, KeepError> {
        values.sort_unstable();
        values.dedup();
        let (Some(first), Some(last)) = (values.first().copied(), values.last().copied()) else {
            return Err(KeepError::Empty(var));
        };
        let values = match (first, last) {
            (Value::Int(low), Value::Int(high)) if high.abs_diff(low) == values.len() as u64 - 1 => {
                Domain::Range(low, high)
            }
            _ => Domain::Enum(values.into()),
        };
        Keep::all_of(model, var, values)
    }

    fn all_of(model: &Model, var: VarId, values: Domain) -> Result<Keep, KeepError> {
        let domain = &model[var].domain;
        if matches!(domain, Domain::Word { .. }) {
            return Err(KeepError::Word(var));
        }
        let strange = match &values {
            Domain::Range(low, high) => [*low, *high].map(Value::Int).into_iter().find(|end| !domain.contains(*end)),
            values => values.values().find(|value| !domain.contains(*value)),
        };
        match strange {
            Some(value) => Err(KeepError::NoSuchValue(var, value)),
            None => Ok(Keep { var, values }),
        }
    }

    /// Whether nothing is left out.
    pub fn is_everything(&self, model: &Model) -> bool {
        model[self.var].domain.size().is_some_and(|size| Some(size) == self.values.size())
    }

    /// As people write it, such as `x in 0..3`.
    pub fn text(&self, model: &Model) -> String {
        let name = &model[self.var].name;
        match &self.values {
            Domain::Range(low, high) if low == high => format!("{name} = {low}"),
            Domain::Range(low, high) => format!("{name} in {low}..{high}"),
            values => {
                let values: Vec<String> = values.values().map(|value| model.show(value)).collect();
                format!("{name} in {{{}}}", values.join(", "))
            }
        }
    }
}

fn constant(model: &Model, expr: ExprId) -> Option<Value> {
    match &model[expr] {
        Node::Const(value) => Some(*value),
        _ => number(model, expr).map(Value::Int),
    }
}

/// The number that a constant expression stands for.
fn number(model: &Model, expr: ExprId) -> Option<i64> {
    let empty = specwright_model::State::empty(model.vars.len());
    match specwright_model::interp::eval(model, expr, &empty, None) {
        Ok(Value::Int(number)) => Some(number),
        _ => None,
    }
}
