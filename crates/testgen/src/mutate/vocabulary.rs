//! The vocabulary of a model for its mutants: variables by domain, symbolic constants, symbolic integers.

use rustc_hash::FxHashMap;
use specwright_model::model::DefineId;
use specwright_model::op::BinaryOp;
use specwright_model::{Domain, ExprId, Model, Node, Symbol, Ty, Value, VarId};
use std::sync::Arc;

/// The vocabulary of a model.
pub(super) struct Vocabulary {
    by_domain: FxHashMap<Domain, Vec<VarId>>,
    /// The defines of constant numbers, in order.
    pub(super) symbolic_integers: Vec<DefineId>,
    /// For each symbol its enumeration, if it belongs to only one.
    homes: FxHashMap<Symbol, Option<Arc<[Value]>>>,
    /// All simple expressions over the vocabulary, for simple expression replacement only.
    pub(super) simple: Vec<Simple>,
}

/// A simple expression over the vocabulary.
pub(super) struct Simple {
    pub(super) expr: ExprId,
    pub(super) vars: [Option<VarId>; 2],
}

impl Vocabulary {
    /// The vocabulary of a model. The variable of guards is excluded if operators look through guards.
    pub(super) fn new(model: &Model, hidden: Option<VarId>) -> Vocabulary {
        let mut by_domain: FxHashMap<Domain, Vec<VarId>> = FxHashMap::default();
        let mut homes: FxHashMap<Symbol, Option<Arc<[Value]>>> = FxHashMap::default();
        for (id, var) in model.vars() {
            // A variable without a span was added by lowering, such as the one that selects processes.
            if var.span.is_some() && Some(id) != hidden {
                by_domain.entry(canonical(&var.domain)).or_default().push(id);
            }
            if let Domain::Enum(values) = &var.domain {
                for value in values.iter() {
                    if let Value::Symbol(symbol) = value {
                        let home = homes.entry(*symbol).or_insert_with(|| Some(values.clone()));
                        let is_same = |home: &Arc<[Value]>| sorted(home) == sorted(values);
                        if !home.as_ref().is_some_and(is_same) {
                            *home = None;
                        }
                    }
                }
            }
        }
        let defines = (0..model.defines.len() as u32).map(DefineId);
        let symbolic_integers = defines.filter(|define| is_symbolic_integer(model, *define)).collect();
        Vocabulary { by_domain, symbolic_integers, homes, simple: Vec::new() }
    }

    /// The variables with the same domain, including this one.
    pub(super) fn like(&self, model: &Model, var: VarId) -> &[VarId] {
        self.by_domain.get(&canonical(&model[var].domain)).map_or(&[], Vec::as_slice)
    }

    /// The values of the enumeration of a symbol, if it belongs to only one.
    pub(super) fn home(&self, symbol: Symbol) -> Option<&Arc<[Value]>> {
        self.homes.get(&symbol)?.as_ref()
    }

    /// Lists all simple expressions: boolean variables, variables compared with the constants of their domain and with
    /// each other, numbers with symbolic integers and with the numbers that occur in relations.
    pub(super) fn list_simple_expressions(&mut self, model: &Model) {
        const RELATIONS: [BinaryOp; 6] =
            [BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge];
        let numbers = compared_numbers(model);
        let vars: Vec<VarId> = model.vars().map(|(id, _)| id).collect();
        for var in vars {
            let alike: Vec<VarId> = self.like(model, var).to_vec();
            if !alike.contains(&var) {
                continue;
            }
            let Ok(left) = model.make(Node::Var(var)) else { continue };
            let ops = match model.context.exprs.ty(left).scalar() {
                Some(specwright_model::Scalar::Bool) => {
                    self.simple.push(Simple { expr: left, vars: [Some(var), None] });
                    continue;
                }
                Some(specwright_model::Scalar::Int | specwright_model::Scalar::Word { .. }) => &RELATIONS[..],
                _ => &RELATIONS[..1],
            };
            let mut rights: Vec<(Node, Option<VarId>)> = Vec::new();
            if let Domain::Enum(values) = &model[var].domain {
                rights.extend(values.iter().map(|value| (Node::Const(*value), None)));
            } else {
                rights.extend(self.symbolic_integers.iter().map(|define| (Node::Define(*define), None)));
                rights.extend(numbers.iter().map(|number| (Node::Const(*number), None)));
            }
            rights.extend(alike.iter().filter(|other| **other > var).map(|other| (Node::Var(*other), Some(*other))));
            for (right, other) in rights {
                let Ok(right) = model.make(right) else { continue };
                for op in ops {
                    if let Ok(expr) = model.make(Node::Binary(*op, left, right)) {
                        self.simple.push(Simple { expr, vars: [Some(var), other] });
                    }
                }
            }
        }
    }
}

/// The alternative values where an expression is compared, in declared order: those of its enumerations, and booleans.
/// Numbers are excluded: they are never replaced by one another.
pub(super) fn constants_of(model: &Model, expr: ExprId) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        if !seen.insert(expr) {
            continue;
        }
        let mut add = |value| {
            if !values.contains(&value) {
                values.push(value);
            }
        };
        match &model[expr] {
            Node::Var(var) => match &model[*var].domain {
                Domain::Enum(domain) => domain.iter().copied().for_each(add),
                Domain::Bool => [false, true].map(Value::Bool).into_iter().for_each(add),
                Domain::Range(..) | Domain::Word { .. } | Domain::Integer => {}
            },
            Node::Const(value @ (Value::Symbol(_) | Value::Bool(_))) => add(*value),
            Node::Define(define) => stack.push(model.body(*define)),
            Node::Next(inner) | Node::Index(inner, _) => stack.push(*inner),
            Node::Ite(_, a, b) | Node::Binary(BinaryOp::Union, a, b) => stack.extend([b, a]),
            Node::Case(branches) => stack.extend(branches.iter().rev().map(|(_, value)| value)),
            Node::Set(items) | Node::Array(_, items) => stack.extend(items.iter().rev()),
            _ if *model.context.exprs.ty(expr) == Ty::BOOL => [false, true].map(Value::Bool).into_iter().for_each(add),
            _ => {}
        }
    }
    values
}

/// Whether a define is a constant number.
pub(super) fn is_symbolic_integer(model: &Model, define: DefineId) -> bool {
    let body = model.body(define);
    *model.context.exprs.ty(body) == Ty::INT
        && model.context.exprs.parts([body]).into_iter().all(|part| match &model[part] {
            Node::Const(_) | Node::Unary(..) | Node::Binary(..) => true,
            Node::Define(inner) => is_symbolic_integer(model, *inner),
            _ => false,
        })
}

/// The numbers in comparisons of the model, ascending.
fn compared_numbers(model: &Model) -> Vec<Value> {
    let mut numbers: Vec<Value> = Vec::new();
    for index in 0..model.context.exprs.len() as u32 {
        if let Node::Binary(op, a, b) = &model[ExprId(index)]
            && op.is_relational()
        {
            for side in [a, b] {
                if let Node::Const(number @ (Value::Int(_) | Value::Word(_))) = model[*side] {
                    numbers.push(number);
                }
            }
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// A canonical form of a domain: equal sets of values are equal.
fn canonical(domain: &Domain) -> Domain {
    match domain {
        Domain::Enum(values) => Domain::Enum(sorted(values).into()),
        domain => domain.clone(),
    }
}

fn sorted(values: &[Value]) -> Vec<Value> {
    let mut values = values.to_vec();
    values.sort_unstable();
    values
}
