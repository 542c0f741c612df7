//! Conversion of model expressions to SMV syntax trees.

use crate::expr::{ExprId, Node};
use crate::model::{TransitionSystem, VarId};
use crate::op::{BinaryOp, BoundedOp, UnaryOp};
use crate::ty::{Scalar, Ty};
use crate::value::{Symbol, Value, Word};
use rustc_hash::FxHashMap;
use specwright_syntax::smv::ast::{self, ExprKind, WordLiteral};
use specwright_syntax::smv::print::{print_expr, print_expr_start};
use specwright_syntax::span::Span;
use std::cell::OnceCell;
use std::sync::Arc;

/// Converts expressions of one model to trees in one arena. Shared expressions are converted once.
pub struct Unparser<'a> {
    pub(super) model: &'a TransitionSystem,
    exprs: ast::Exprs,
    pub(super) done: FxHashMap<ExprId, ast::ExprId>,
    /// The number of nodes of expressions as trees.
    pub(super) sizes: FxHashMap<ExprId, u64>,
    /// Expressions that are printed as defines, with the names of these.
    shared: FxHashMap<ExprId, String>,
    /// The names of these defines and their trees, so far.
    pub(super) named: Vec<(String, ast::ExprId)>,
    /// The names of symbols that need renaming, computed on first use.
    symbols: OnceCell<FxHashMap<Symbol, String>>,
    /// The names of array expressions, computed on first use.
    arrays: FxHashMap<ExprId, Option<Arc<str>>>,
    /// Number of variables that are elements of arrays.
    pub(super) brackets: usize,
}

impl<'a> Unparser<'a> {
    /// An unparser for the expressions of a model.
    pub fn new(model: &'a TransitionSystem) -> Unparser<'a> {
        let brackets = model.vars.iter().filter(|var| var.name.ends_with(']')).count();
        let exprs = ast::Exprs::default();
        Unparser {
            model,
            exprs,
            done: FxHashMap::default(),
            sizes: FxHashMap::default(),
            shared: FxHashMap::default(),
            named: Vec::new(),
            arrays: FxHashMap::default(),
            symbols: OnceCell::new(),
            brackets,
        }
    }

    /// The same, with the names of values as they are, although SMV could not declare them.
    pub(super) fn with_dotted_values(model: &'a TransitionSystem) -> Unparser<'a> {
        Unparser { symbols: OnceCell::from(FxHashMap::default()), ..Unparser::new(model) }
    }

    /// The same, with names for shared expressions.
    pub(super) fn sharing(model: &'a TransitionSystem, shared: FxHashMap<ExprId, String>) -> Unparser<'a> {
        Unparser { shared, ..Unparser::new(model) }
    }

    /// The arena of trees.
    pub fn finish(self) -> ast::Exprs {
        self.exprs
    }

    /// Converts an expression.
    pub fn expr(&mut self, expr: ExprId) -> ast::ExprId {
        // Parts come before wholes; the loop avoids recursion.
        let mut open = vec![expr];
        while let Some(part) = open.last().copied() {
            let n_open = open.len();
            if !self.done.contains_key(&part) {
                self.model[part].for_each_child(|child| {
                    if !self.done.contains_key(&child) {
                        open.push(child);
                    }
                });
                if open.len() > n_open {
                    continue;
                }
                self.model.budget.look();
                let mut made = self.node(part);
                if let Some(name) = self.shared.remove(&part) {
                    self.named.push((name.clone(), made));
                    made = self.name(&name);
                }
                self.done.insert(part, made);
            }
            open.pop();
        }
        self.done[&expr]
    }

    /// The text of an expression on one line. Parts of a very long expression are elided.
    pub fn text(&mut self, expr: ExprId) -> String {
        let root = self.shown(expr);
        print_expr(&self.exprs, root)
    }

    /// The start of that text: all of it, or more than a number of columns.
    pub fn text_start(&mut self, expr: ExprId, columns: usize) -> String {
        let root = self.shown(expr);
        print_expr_start(&self.exprs, root, columns)
    }

    pub(super) fn node(&mut self, expr: ExprId) -> ast::ExprId {
        let model = self.model;
        let part = |unparser: &Self, part: &ExprId| unparser.done[part];
        let kind = match &model[expr] {
            Node::Const(value) => return self.value(*value),
            Node::Var(var) => return self.name(&model[*var].name),
            Node::Define(define) => return self.name(&model[*define].name),
            Node::Next(a) => ExprKind::Next(part(self, a)),
            Node::Unary(op, a) => ExprKind::Unary(*op, part(self, a)),
            Node::Binary(op, a, b) => ExprKind::Binary(*op, part(self, a), part(self, b)),
            Node::Bounded(op, low, Some(high), a) => {
                let a = part(self, a);
                let (low, high) = (self.natural(*low), self.natural(*high));
                ExprKind::Bounded(*op, low, high, a)
            }
            Node::Bounded(op, low, None, a) => return self.unbounded(*op, *low, part(self, a)),
            Node::BoundedUntil(op, low, high, a, b) => {
                let (a, b) = (part(self, a), part(self, b));
                let (low, high) = (self.natural(*low), self.natural(*high));
                ExprKind::BoundedUntil(*op, low, high, a, b)
            }
            Node::Ite(c, a, b) => ExprKind::Ite(part(self, c), part(self, a), part(self, b)),
            Node::Case(branches) => {
                ExprKind::Case(branches.iter().map(|(guard, value)| (part(self, guard), part(self, value))).collect())
            }
            Node::Set(items) => ExprKind::Set(items.iter().map(|item| part(self, item)).collect()),
            Node::Range(a, b) => ExprKind::Range(part(self, a), part(self, b)),
            Node::Array(_, items) => match self.array_name(expr) {
                Some(name) => return self.name(&name),
                None => ExprKind::Array(items.iter().map(|item| part(self, item)).collect()),
            },
            Node::Index(array, index) => match &model[*array] {
                Node::Array(first, items) if self.array_name(*array).is_none() => {
                    return self.multiplex(*first, items, *index);
                }
                _ => ExprKind::Index(part(self, array), part(self, index)),
            },
            Node::Slice(a, high, low) => {
                let a = part(self, a);
                let (high, low) = (self.int(i64::from(*high)), self.int(i64::from(*low)));
                ExprKind::Slice(a, high, low)
            }
            Node::Call(builtin, args) => ExprKind::Call(*builtin, args.iter().map(|arg| part(self, arg)).collect()),
        };
        self.add(kind)
    }

    /// The name of the array that consists of exactly these variables.
    fn array_name(&mut self, expr: ExprId) -> Option<Arc<str>> {
        if let Some(known) = self.arrays.get(&expr) {
            return known.clone();
        }
        let name = self.find_array_name(expr).filter(|(name, first, last)| self.is_whole(name, *first, *last));
        let name = name.map(|(name, ..)| Arc::from(name));
        self.arrays.insert(expr, name.clone());
        name
    }

    /// The common name of the elements, and the first and the last of them.
    fn find_array_name(&self, expr: ExprId) -> Option<(&'a str, VarId, VarId)> {
        match &self.model[expr] {
            Node::Var(var) => Some((self.model[*var].name.as_str(), *var, *var)),
            Node::Array(low, items) => {
                let mut found: Option<(&'a str, VarId, VarId)> = None;
                for (index, item) in (*low..).zip(items) {
                    let (name, first, last) = self.find_array_name(*item)?;
                    let (array, at) = name.strip_suffix(']')?.rsplit_once('[')?;
                    if at != index.to_string() {
                        return None;
                    }
                    found = match found {
                        None => Some((array, first, last)),
                        Some((known, start, end)) if known == array && first.0 == end.0 + 1 => {
                            Some((array, start, last))
                        }
                        Some(_) => return None,
                    };
                }
                found
            }
            _ => None,
        }
    }

    /// Whether the array has no elements before or after these.
    fn is_whole(&self, name: &str, first: VarId, last: VarId) -> bool {
        let belongs = |at: u32| {
            let var = self.model.vars.get(at as usize);
            var.is_some_and(|var| var.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('[')))
        };
        !first.0.checked_sub(1).is_some_and(belongs) && !belongs(last.0 + 1)
    }

    /// An element of an expression that is not a declared array, expanded as in NuSMV.
    fn multiplex(&mut self, first: i64, items: &[ExprId], index: ExprId) -> ast::ExprId {
        let at = self.done[&index];
        let numbers = first..;
        let branches = numbers.zip(items).map(|(number, item)| {
            let number = match self.model.context.exprs.ty(index) {
                Ty::One(Scalar::Word { signed, width }) => {
                    self.value(Value::Word(Word::new(*signed, *width, number.cast_unsigned())))
                }
                _ => self.int(number),
            };
            let guard = self.add(ExprKind::Binary(BinaryOp::Eq, at, number));
            (guard, self.done[item])
        });
        let branches = branches.collect();
        self.add(ExprKind::Case(branches))
    }

    /// A bounded LTL operator without an upper bound, as `X … X F` and the like.
    fn unbounded(&mut self, op: BoundedOp, low: u64, a: ast::ExprId) -> ast::ExprId {
        let (op, step) = match op {
            BoundedOp::F => (UnaryOp::F, UnaryOp::X),
            BoundedOp::G => (UnaryOp::G, UnaryOp::X),
            BoundedOp::O => (UnaryOp::O, UnaryOp::Y),
            BoundedOp::H => (UnaryOp::H, UnaryOp::Z),
            BoundedOp::EBF => (UnaryOp::EF, UnaryOp::EX),
            BoundedOp::ABF => (UnaryOp::AF, UnaryOp::AX),
            BoundedOp::EBG => (UnaryOp::EG, UnaryOp::EX),
            BoundedOp::ABG => (UnaryOp::AG, UnaryOp::AX),
        };
        let formula = self.add(ExprKind::Unary(op, a));
        (0..low).fold(formula, |formula, _| self.add(ExprKind::Unary(step, formula)))
    }

    pub(super) fn value(&mut self, value: Value) -> ast::ExprId {
        let kind = match value {
            Value::Bool(value) => ExprKind::Bool(value),
            Value::Int(number) => return self.int(number),
            Value::Symbol(symbol) => ExprKind::Name(self.symbol(symbol).into()),
            Value::Word(word) => {
                // Negative words have no decimal notation.
                let base = if word.to_int() < 0 { 'h' } else { 'd' };
                let Word { signed, width, bits } = word;
                ExprKind::Word(WordLiteral { signed, base, width: u32::from(width), bits })
            }
        };
        self.add(kind)
    }

    pub(super) fn int(&mut self, number: i64) -> ast::ExprId {
        let magnitude = self.natural(number.unsigned_abs());
        if number < 0 { self.add(ExprKind::Unary(UnaryOp::Neg, magnitude)) } else { magnitude }
    }

    fn natural(&mut self, number: u64) -> ast::ExprId {
        self.add(ExprKind::Int(i64::try_from(number).unwrap_or(i64::MAX)))
    }

    pub(super) fn name(&mut self, name: &str) -> ast::ExprId {
        self.add(ExprKind::Name(Arc::from(name)))
    }

    pub(super) fn symbol(&self, symbol: Symbol) -> &str {
        let name = self.model.context.symbols.name(symbol);
        if !is_dotted(name) {
            return name;
        }
        self.symbols.get_or_init(|| plain_symbols(self.model)).get(&symbol).map_or(name, String::as_str)
    }

    fn add(&mut self, kind: ExprKind) -> ast::ExprId {
        self.exprs.add(kind, Span::NONE)
    }
}

/// Whether a symbol is the name of a nested process.
fn is_dotted(name: &str) -> bool {
    // A quoted constant may have any characters.
    name.contains(['.', '[']) && !name.starts_with('"')
}

/// Names for nested processes without dots, which constants cannot have.
fn plain_symbols(model: &TransitionSystem) -> FxHashMap<Symbol, String> {
    let mut plain = FxHashMap::default();
    let mut taken: rustc_hash::FxHashSet<String> = rustc_hash::FxHashSet::default();
    for (symbol, name) in (0..).map(Symbol).zip(model.context.symbols.names()) {
        if !is_dotted(name) {
            continue;
        }
        if taken.is_empty() {
            taken.extend(model.context.symbols.names().map(String::from));
            taken.extend(model.vars.iter().map(|var| var.name.clone()));
            taken.extend(model.defines.iter().map(|define| define.name.clone()));
        }
        let mut new = name.replace(['.', '['], "_").replace(']', "");
        while !taken.insert(new.clone()) {
            new.push('_');
        }
        plain.insert(symbol, new);
    }
    plain
}
