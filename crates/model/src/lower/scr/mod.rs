//! SCR tables to [`Model`].
//!
//! Monitored variables are inputs: only the assumptions restrict their next values. A mode class or a variable with an
//! event table has `next(x) := case event : value; … TRUE : x; esac`, one with a condition table has `x := case
//! condition : value; … esac`. New values may depend on new values of other variables, so the tables take effect in the
//! order of their dependencies, all within one step.

mod conditions;
mod cycles;
mod declarations;
mod duration;
mod events;
mod exprs;
mod modes;
mod properties;
mod reals;
mod tables;
#[cfg(test)]
mod tests;

use crate::expr::{ExprId, Node, SourcedExpr};
use crate::model::{DefineId, Expectation, Model, Table, TransitionSystem, VarId, When};
use crate::op::{BinaryOp, UnaryOp};
use crate::value::{Symbol, Value};
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_syntax::budget::Budget;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::scr::ast;
use specwright_syntax::span::Span;

/// The meaning of rows with different results that are due at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlap {
    /// The row that is written first counts.
    #[default]
    First,
    /// Any of them may be taken.
    Choose,
}

/// Options of the translation.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The name of the model.
    pub name: String,
    /// The meaning of overlapping rows.
    pub overlap: Overlap,
    /// Whether condition tables have a value where none of their conditions holds: that of the last column. It is for
    /// tables whose gaps cannot be reached.
    pub fills_gaps: bool,
    /// The budget, which the model keeps.
    pub budget: Budget,
}

/// Lowers a specification. There is a model unless a diagnostic is an error.
pub fn lower(file: &ast::File, options: &Options) -> (Option<Model>, Vec<Diagnostic>) {
    let mut lowering = Lowering::new(file, options);
    lowering.declare();
    lowering.timers();
    lowering.check_tables();
    lowering.initial_values();
    lowering.tables();
    lowering.settle_timers();
    lowering.check_cycles();
    lowering.assumptions();
    lowering.properties();
    let Lowering { model, diagnostics, .. } = lowering;
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    ((!failed).then_some(model), diagnostics)
}

/// Number of preceding diagnostics that a new one is compared with to avoid duplicates.
const RECENT: usize = 50;

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entity {
    Var(VarId),
    Constant(DefineId),
    /// A declaration with an error that was reported.
    Broken,
}

struct Lowering<'a> {
    file: &'a ast::File,
    model: Model,
    diagnostics: Vec<Diagnostic>,
    /// The declared names with their source spans.
    names: IndexMap<&'a str, (Entity, Span), rustc_hash::FxBuildHasher>,
    /// The names of values. Several types may have the same one, and so may a variable.
    symbols: IndexMap<&'a str, Symbol, rustc_hash::FxBuildHasher>,
    /// Named types, each with whether its values are real numbers.
    types: IndexMap<&'a str, Option<(crate::Domain, bool)>, rustc_hash::FxBuildHasher>,
    /// The declaration of each variable, in the order of the variables.
    classes: Vec<&'a ast::VarDecl>,
    /// For each table, the variables whose new values it reads, with the source spans.
    needs: Vec<(VarId, Vec<(VarId, Span)>)>,
    overlap: Overlap,
    fills_gaps: bool,
    /// The real variables, the denominator of their values, and that of real constants.
    reals: FxHashSet<VarId>,
    denominator: i64,
    real_constants: FxHashMap<DefineId, i64>,
    /// The variables that have previous values of others, for properties.
    memories: FxHashMap<VarId, VarId>,
    /// The timers of `DUR`.
    durations: duration::Durations,
}

/// An expression under construction, with the spans of its tree in preorder.
#[derive(Clone, Debug)]
struct Built {
    expr: ExprId,
    spans: Vec<Span>,
    /// The denominator of a real number, of which the expression is the numerator.
    denominator: Option<i64>,
}

impl Built {
    /// What is no real number.
    fn new(expr: ExprId, spans: Vec<Span>) -> Built {
        Built { expr, spans, denominator: None }
    }

    fn span(&self) -> Span {
        self.spans.iter().copied().find(|span| span.is_some()).unwrap_or(Span::NONE)
    }

    fn sourced(self) -> SourcedExpr {
        SourcedExpr { expr: self.expr, spans: self.spans.into() }
    }
}

impl<'a> Lowering<'a> {
    fn new(file: &'a ast::File, options: &Options) -> Lowering<'a> {
        let model = Model {
            name: options.name.clone(),
            system: TransitionSystem { budget: options.budget.clone(), ..TransitionSystem::default() },
            ..Model::default()
        };
        Lowering {
            file,
            model,
            diagnostics: Vec::new(),
            names: IndexMap::default(),
            symbols: IndexMap::default(),
            types: IndexMap::default(),
            classes: Vec::new(),
            needs: Vec::new(),
            overlap: options.overlap,
            fills_gaps: options.fills_gaps,
            reals: FxHashSet::default(),
            denominator: reals::denominator(file),
            real_constants: FxHashMap::default(),
            memories: FxHashMap::default(),
            durations: duration::Durations::default(),
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        // An expression that is lowered for both states of a step reports its errors once.
        let recent = self.diagnostics.len().saturating_sub(RECENT);
        if !self.diagnostics[recent..].contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn expect(&mut self, when: When, expr: ExprId, otherwise: Diagnostic) {
        self.model.source.expectations.push(Expectation { when, expr, otherwise });
    }

    fn add_table(&mut self, table: Table) {
        self.model.source.tables.push(table);
    }

    /// A node that is known to be well-typed.
    fn plain(&mut self, node: Node) -> ExprId {
        self.model.make(node).expect("the parts were checked")
    }

    /// A leaf.
    fn leaf(&mut self, node: Node, span: Span) -> Built {
        Built::new(self.plain(node), vec![span])
    }

    fn join(&mut self, op: BinaryOp, a: Built, b: Built, span: Span) -> Built {
        let expr = self.plain(Node::Binary(op, a.expr, b.expr));
        let mut spans = vec![span];
        spans.extend(a.spans);
        spans.extend(b.spans);
        Built::new(expr, spans)
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
        Built::new(expr, spans)
    }

    /// The conjunction of both, flattened.
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

    /// The conjuncts of an expression, each with its spans.
    fn conjuncts(&self, expr: ExprId, spans: &[Span], parts: &mut Vec<Built>) {
        if let Node::Binary(BinaryOp::And, a, b) = self.model[expr] {
            let (left, right) = spans[1..].split_at(self.tree_size(a));
            self.conjuncts(a, left, parts);
            self.conjuncts(b, right, parts);
        } else {
            parts.push(Built::new(expr, spans.to_vec()));
        }
    }

    /// The number of nodes of an expression as a tree, which is the number of its spans.
    fn tree_size(&self, expr: ExprId) -> usize {
        1 + self.model[expr].children().into_iter().map(|child| self.tree_size(child)).sum::<usize>()
    }

    fn constant(&mut self, value: Value, span: Span) -> Built {
        self.leaf(Node::Const(value), span)
    }

    fn var(&mut self, var: VarId, time: exprs::Time, span: Span) -> Built {
        let now = self.leaf(Node::Var(var), span);
        let there = match time {
            exprs::Time::Now => now,
            exprs::Time::Next => Built::new(self.plain(Node::Next(now.expr)), vec![span, span]),
        };
        Built { denominator: self.denominator_of(var), ..there }
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

    /// The conjunction of two expressions without spans, for goals and expectations.
    fn both(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.plain(Node::Binary(BinaryOp::And, a, b))
    }

    /// The negation, without double negations.
    fn opposite(&mut self, a: ExprId) -> ExprId {
        match self.model[a] {
            Node::Unary(UnaryOp::Not, inner) => inner,
            _ => self.plain(Node::Unary(UnaryOp::Not, a)),
        }
    }
}
