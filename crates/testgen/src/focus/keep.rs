//! The focus of a variable: `x in 0..3`, `mode in {on, off}`.

use specwright_model::interp::eval_set;
use specwright_model::lower::smv::lower_expr_in;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{Domain, Model, Node, State, Value, VarId, Word};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::{self, Dialect, ExprKind, File};
use specwright_syntax::smv::parse_expr;
use specwright_syntax::span::SourceFile;

/// Maximal number of values that are kept as a list; ranges of numbers may have any size.
const MAX_LISTED: u128 = 1 << 12;

/// Maximal number of words that are kept: words have no ranges.
const MAX_WORDS: u128 = 1 << 16;

/// The values of a variable that are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keep {
    /// The variable.
    pub var: VarId,
    /// Its values: a range if they are consecutive numbers, else a sorted list without duplicates.
    pub values: Domain,
}

/// Why a text does not denote a focus.
#[derive(Clone, Debug)]
pub enum KeepError {
    /// It is not an expression over the names of the model.
    Invalid(Vec<Diagnostic>),
    /// It is an expression, but not of the form `VAR in VALUES`.
    Form,
    /// Nothing is kept.
    Empty(VarId),
    /// A range whose first number is above the last.
    EmptyRange(i128, i128),
    /// A value outside of the domain of the variable.
    NoSuchValue(VarId, Value),
    /// Too many values for a list.
    TooMany(VarId),
    /// All 64-bit numbers of an unbounded variable are kept: none is left to stand for the others.
    Everything(VarId),
}

impl Keep {
    /// Parses `VAR in VALUES` or `VAR = VALUE`; for an array, all elements keep these values.
    pub fn read(model: &mut Model, source: &SourceFile, dialect: Dialect) -> Result<Vec<Keep>, KeepError> {
        let (exprs, root, diagnostics) = parse_expr(source, dialect);
        let root = root.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
        let Some(root) = root else { return Err(KeepError::Invalid(diagnostics)) };
        let mut reader = Reader { model, file: File { exprs, ..File::default() }, dialect };
        let (place, values) = match reader.file.exprs[root].kind {
            ExprKind::Binary(BinaryOp::In | BinaryOp::Eq, place, values) => (place, Err(values)),
            // A boolean on its own.
            ExprKind::Unary(UnaryOp::Not, place) => (place, Ok(false)),
            _ => (root, Ok(true)),
        };
        let vars = reader.vars(place)?;
        if values.is_ok() && vars.iter().any(|var| reader.model[*var].domain != Domain::Bool) {
            return Err(KeepError::Form);
        }
        let members = match values {
            Ok(truth) => vec![Members::One(Value::Bool(truth))],
            Err(values) => reader.members(values)?,
        };
        vars.into_iter().map(|var| Keep::some_of(reader.model, var, &members)).collect()
    }

    /// These values of a variable.
    pub fn of(model: &Model, var: VarId, values: Vec<Value>) -> Result<Keep, KeepError> {
        let members: Vec<Members> = values.into_iter().map(Members::One).collect();
        Keep::some_of(model, var, &members)
    }

    /// The union with another focus of the same variable.
    pub fn and(&self, model: &Model, other: &Keep) -> Result<Keep, KeepError> {
        let members = |values: &Domain| match values {
            Domain::Range(low, high) => vec![Members::Numbers(i128::from(*low), i128::from(*high))],
            values => values.values().map(Members::One).collect(),
        };
        let all: Vec<Members> = [self, other].into_iter().flat_map(|keep| members(&keep.values)).collect();
        Keep::some_of(model, self.var, &all)
    }

    fn some_of(model: &Model, var: VarId, members: &[Members]) -> Result<Keep, KeepError> {
        let domain = &model[var].domain;
        let (mut ranges, mut others) = (Vec::new(), Vec::new());
        for member in members {
            match (member, domain) {
                (Members::Numbers(low, high), _) => ranges.push((*low, *high)),
                (Members::One(Value::Int(number)), _) => ranges.push((i128::from(*number), i128::from(*number))),
                (Members::One(value @ Value::Word(word)), Domain::Word { .. }) => {
                    if !domain.contains(*value) {
                        return Err(KeepError::NoSuchValue(var, *value));
                    }
                    ranges.push((word.to_int(), word.to_int()));
                }
                (Members::Words(low, high), Domain::Word { .. }) => {
                    let strange = [*low, *high].map(Value::Word).into_iter().find(|end| !domain.contains(*end));
                    if let Some(value) = strange {
                        return Err(KeepError::NoSuchValue(var, value));
                    }
                    ranges.push((low.to_int(), high.to_int()));
                }
                (Members::Words(low, _), _) => return Err(KeepError::NoSuchValue(var, Value::Word(*low))),
                (Members::One(value), _) => others.push(*value),
            }
        }
        let ranges = merged(ranges);
        let number = |number: i128| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
        let value = |of: i128| match domain {
            Domain::Word { signed, width } => {
                let word = Word::new(*signed, *width, of.rem_euclid(1 << 64) as u64);
                Value::Word(word)
            }
            _ => number(of),
        };
        for end in ranges.iter().flat_map(|(low, high)| [*low, *high]) {
            let fits = match value(end) {
                Value::Word(word) => word.to_int() == end,
                value => domain.contains(value),
            };
            if !fits {
                return Err(KeepError::NoSuchValue(var, number(end)));
            }
        }
        if let Some(value) = others.iter().find(|value| !domain.contains(**value)) {
            return Err(KeepError::NoSuchValue(var, *value));
        }
        let is_word = matches!(domain, Domain::Word { .. });
        if let [(low, high)] = ranges[..]
            && others.is_empty()
            && !is_word
            && let (Value::Int(low), Value::Int(high)) = (value(low), value(high))
        {
            if (low, high) == (i64::MIN, i64::MAX) && *domain == Domain::Integer {
                return Err(KeepError::Everything(var));
            }
            // A range of an enumeration must have all numbers in between.
            let size = low.abs_diff(high);
            if !matches!(domain, Domain::Enum(_))
                || u128::from(size) < MAX_LISTED && (low..=high).all(|n| domain.contains(Value::Int(n)))
            {
                return Ok(Keep { var, values: Domain::Range(low, high) });
            }
        }
        let size = ranges.iter().map(|(low, high)| high.abs_diff(*low) + 1).sum::<u128>() + others.len() as u128;
        if size > if is_word { MAX_WORDS } else { MAX_LISTED } {
            return Err(KeepError::TooMany(var));
        }
        let listed = ranges.into_iter().flat_map(|(low, high)| low..=high).map(value);
        others.sort_unstable();
        others.dedup();
        let values: Vec<Value> = listed.chain(others).collect();
        if values.is_empty() {
            return Err(KeepError::Empty(var));
        }
        match values.iter().find(|value| !domain.contains(**value)) {
            Some(value) => Err(KeepError::NoSuchValue(var, *value)),
            None => Ok(Keep { var, values: Domain::Enum(values.into()) }),
        }
    }

    /// Whether all values are kept.
    pub fn is_everything(&self, model: &Model) -> bool {
        model[self.var].domain.size().is_some_and(|size| Some(size) == self.values.size())
    }

    /// Its notation, such as `x in 0..3`.
    pub fn text(&self, model: &Model) -> String {
        let name = &model[self.var].name;
        let show = |value: &Value| model.show(*value);
        match &self.values {
            Domain::Range(low, high) if low == high => format!("{name} = {low}"),
            Domain::Range(low, high) => format!("{name} in {low}..{high}"),
            values => {
                let values: Vec<Value> = values.values().collect();
                match &values[..] {
                    [one] => format!("{name} = {}", show(one)),
                    [first @ Value::Word(low), .., last @ Value::Word(high)]
                        if (high.to_int() - low.to_int()).unsigned_abs() == values.len() as u128 - 1 =>
                    {
                        format!("{name} in {}..{}", show(first), show(last))
                    }
                    values => format!("{name} in {{{}}}", values.iter().map(show).collect::<Vec<_>>().join(", ")),
                }
            }
        }
    }
}

/// Sorted ranges with adjacent and overlapping ones merged.
pub(super) fn merged(mut ranges: Vec<(i128, i128)>) -> Vec<(i128, i128)> {
    ranges.sort_unstable();
    let mut merged: Vec<(i128, i128)> = Vec::new();
    for (low, high) in ranges {
        match merged.last_mut() {
            Some((_, last)) if low <= *last + 1 => *last = high.max(*last),
            _ => merged.push((low, high)),
        }
    }
    merged
}

/// A part of a list of values.
enum Members {
    One(Value),
    Numbers(i128, i128),
    Words(Word, Word),
}

/// Evaluates the parts of a text.
struct Reader<'m> {
    model: &'m mut Model,
    file: File,
    dialect: Dialect,
}

impl Reader<'_> {
    fn lower(&mut self, expr: ast::ExprId) -> Result<specwright_model::ExprId, KeepError> {
        let (sourced, diagnostics) = lower_expr_in(self.model, &self.file, expr, self.dialect, None);
        let sourced = sourced.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
        Ok(sourced.ok_or(KeepError::Invalid(diagnostics))?.expr)
    }

    /// The variable of a name, or those of an array.
    fn vars(&mut self, place: ast::ExprId) -> Result<Vec<VarId>, KeepError> {
        let (mut vars, mut waiting) = (Vec::new(), vec![self.lower(place)?]);
        while let Some(expr) = waiting.pop() {
            match &self.model[expr] {
                Node::Var(var) => vars.push(*var),
                Node::Array(_, items) => waiting.extend(items.iter().copied()),
                Node::Index(array, index) => waiting.push(self.element(*array, *index).ok_or(KeepError::Form)?),
                _ => return Err(KeepError::Form),
            }
        }
        vars.sort_unstable();
        Ok(vars)
    }

    fn element(
        &self,
        array: specwright_model::ExprId,
        index: specwright_model::ExprId,
    ) -> Option<specwright_model::ExprId> {
        let nowhere = State::empty(self.model.vars.len());
        let array = match &self.model[array] {
            Node::Index(array, index) => self.element(*array, *index)?,
            _ => array,
        };
        let Node::Array(first, items) = &self.model[array] else { return None };
        let Ok(Value::Int(index)) = specwright_model::interp::eval(self.model, index, &nowhere, None) else {
            return None;
        };
        items.get(usize::try_from(index.checked_sub(*first)?).ok()?).copied()
    }

    /// The values in a list.
    fn members(&mut self, values: ast::ExprId) -> Result<Vec<Members>, KeepError> {
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
                        _ => return Err(KeepError::Form),
                    };
                    match member {
                        Members::Numbers(low, high) if low > high => return Err(KeepError::EmptyRange(low, high)),
                        Members::Words(low, high) if low.to_int() > high.to_int() => {
                            return Err(KeepError::EmptyRange(low.to_int(), high.to_int()));
                        }
                        member => members.push(member),
                    }
                }
                _ => members.extend(self.constants(expr)?.into_iter().map(Members::One)),
            }
        }
        Ok(members)
    }

    /// The values of a constant expression.
    fn constants(&mut self, expr: ast::ExprId) -> Result<Vec<Value>, KeepError> {
        let expr = self.lower(expr)?;
        let nowhere = State::empty(self.model.vars.len());
        match eval_set(self.model, expr, &nowhere, None) {
            Ok(set) if set.len() <= MAX_LISTED => Ok(set.iter().collect()),
            _ => Err(KeepError::Form),
        }
    }
}
