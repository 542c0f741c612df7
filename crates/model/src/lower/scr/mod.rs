//! From SCR tables to a model.
//!
//! Monitored variables are inputs: nothing determines their next value but the assumptions. A mode class or a variable
//! with an event table has `next(x) := case event : value; … TRUE : x; esac`, one with a condition table has
//! `x := case condition : value; … esac`. New values may depend on new values of other variables, so the tables take
//! effect in the order of their dependencies, all within one step.

mod conditions;
mod cycles;
mod declarations;
mod events;
mod exprs;
mod modes;
mod properties;
mod tables;
#[cfg(test)]
mod tests;

use crate::expr::{ExprId, Node, Written};
use crate::model::{DefineId, Expectation, Model, Table, VarId, When};
use crate::op::{BinaryOp, UnaryOp};
use crate::value::{Symbol, Value};
use indexmap::IndexMap;
use specwright_syntax::budget::Budget;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::scr::ast;
use specwright_syntax::span::Span;

/// The model of a specification, unless something is wrong with it, and everything there is to say about it.
///
/// The model keeps the budget, which is looked at on the way.
pub fn lower(file: &ast::File, name: &str, budget: &Budget) -> (Option<Model>, Vec<Diagnostic>) {
    let mut lowering = Lowering::new(file, name, budget);
    lowering.declare();
    lowering.check_tables();
    lowering.initial_values();
    lowering.tables();
    lowering.check_cycles();
    lowering.assumptions();
    lowering.properties();
    let Lowering { model, diagnostics, .. } = lowering;
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    ((!failed).then_some(model), diagnostics)
}

/// Diagnostics are only compared with so many before them.
const RECENT: usize = 50;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entity {
    Var(VarId),
    Constant(DefineId),
    /// Something that is wrong and was reported.
    Broken,
}

struct Lowering<'a> {
    file: &'a ast::File,
    model: Model,
    diagnostics: Vec<Diagnostic>,
    /// What the names stand for, and where they were declared.
    names: IndexMap<&'a str, (Entity, Span), rustc_hash::FxBuildHasher>,
    /// The names of values. Several types may have the same one, and so may a variable.
    symbols: IndexMap<&'a str, Symbol, rustc_hash::FxBuildHasher>,
    /// Named types.
    types: IndexMap<&'a str, Option<crate::Domain>, rustc_hash::FxBuildHasher>,
    /// What each variable is, in the order of the variables.
    classes: Vec<&'a ast::VarDecl>,
    /// For each table, the variables whose new values it needs, and where.
    needs: Vec<(VarId, Vec<(VarId, Span)>)>,
}

/// An expression while it is made, with the places of its tree in preorder.
#[derive(Clone, Debug)]
struct Built {
    expr: ExprId,
    spans: Vec<Span>,
}

impl Built {
    fn span(&self) -> Span {
        self.spans.iter().copied().find(|span| span.is_some()).unwrap_or(Span::NONE)
    }

    fn written(self) -> Written {
        Written { expr: self.expr, spans: self.spans.into() }
    }
}

impl<'a> Lowering<'a> {
    fn new(file: &'a ast::File, name: &str, budget: &Budget) -> Lowering<'a> {
        let model = Model { name: name.into(), budget: budget.clone(), ..Model::default() };
        Lowering {
            file,
            model,
            diagnostics: Vec::new(),
            names: IndexMap::default(),
            symbols: IndexMap::default(),
            types: IndexMap::default(),
            classes: Vec::new(),
            needs: Vec::new(),
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        // What is read twice, before and after a step, is wrong once.
        let recent = self.diagnostics.len().saturating_sub(RECENT);
        if !self.diagnostics[recent..].contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn expect(&mut self, when: When, expr: ExprId, otherwise: Diagnostic) {
        self.model.expectations.push(Expectation { when, expr, otherwise });
    }

    fn add_table(&mut self, table: Table) {
        self.model.tables.push(table);
    }

    /// A node of which the types are known to fit.
    fn plain(&mut self, node: Node) -> ExprId {
        self.model.make(node).expect("the parts were checked")
    }

    /// A leaf.
    fn leaf(&mut self, node: Node, span: Span) -> Built {
        Built { expr: self.plain(node), spans: vec![span] }
    }

    fn join(&mut self, op: BinaryOp, a: Built, b: Built, span: Span) -> Built {
        let expr = self.plain(Node::Binary(op, a.expr, b.expr));
        let mut spans = vec![span];
        spans.extend(a.spans);
        spans.extend(b.spans);
        Built { expr, spans }
    }

    fn and(&mut self, a: Built, b: Built) -> Built {
        self.join(BinaryOp::And, a, b, Span::NONE)
    }

    fn any(&mut self, parts: Vec<Built>) -> Option<Built> {
        parts.into_iter().reduce(|a, b| self.join(BinaryOp::Or, a, b, Span::NONE))
    }

    fn not(&mut self, a: Built, span: Span) -> Built {
        let expr = self.plain(Node::Unary(UnaryOp::Not, a.expr));
        let mut spans = vec![span];
        spans.extend(a.spans);
        Built { expr, spans }
    }

    /// All of these, as one flat conjunction.
    fn guard(&mut self, here: Built, event: &Built, span: Span) -> Built {
        let mut parts = Vec::new();
        self.conjuncts(event.expr, &event.spans, &mut parts);
        let mut all = here;
        for part in parts {
            all = self.and(all, part);
        }
        all.spans[0] = span;
        all
    }

    /// The parts of a conjunction, each with its places.
    fn conjuncts(&self, expr: ExprId, spans: &[Span], parts: &mut Vec<Built>) {
        if let Node::Binary(BinaryOp::And, a, b) = self.model[expr] {
            let (left, right) = spans[1..].split_at(self.tree_size(a));
            self.conjuncts(a, left, parts);
            self.conjuncts(b, right, parts);
        } else {
            parts.push(Built { expr, spans: spans.to_vec() });
        }
    }

    /// The number of nodes of an expression as a tree, and so of its places.
    fn tree_size(&self, expr: ExprId) -> usize {
        1 + self.model[expr].children().into_iter().map(|child| self.tree_size(child)).sum::<usize>()
    }

    fn constant(&mut self, value: Value, span: Span) -> Built {
        self.leaf(Node::Const(value), span)
    }

    fn var(&mut self, var: VarId, time: exprs::Time, span: Span) -> Built {
        let now = self.leaf(Node::Var(var), span);
        match time {
            exprs::Time::Now => now,
            exprs::Time::Next => Built { expr: self.plain(Node::Next(now.expr)), spans: vec![span, span] },
        }
    }

    /// Whether a mode class is in one of these modes.
    fn in_modes(&mut self, class: VarId, modes: &[(Symbol, Span)], time: exprs::Time) -> Option<Built> {
        let parts = modes.iter().map(|(mode, span)| {
            let class = self.var(class, time, *span);
            let mode = self.constant(Value::Symbol(*mode), *span);
            self.join(BinaryOp::Eq, class, mode, *span)
        });
        let parts = parts.collect();
        self.any(parts)
    }

    /// Two expressions without places, for goals and expectations.
    fn both(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.plain(Node::Binary(BinaryOp::And, a, b))
    }

    /// The opposite, without a double negation.
    fn opposite(&mut self, a: ExprId) -> ExprId {
        match self.model[a] {
            Node::Unary(UnaryOp::Not, inner) => inner,
            _ => self.plain(Node::Unary(UnaryOp::Not, a)),
        }
    }
}
