//! The decisions of a machine: guards of `case`, conditions of `? :`, and other boolean formulas.

use super::builder::Builder;
use specwright_mc::Query;
use specwright_model::model::AssignKind;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Model, Node, SourcedExpr, Ty, Value};
use specwright_syntax::span::Span;

/// When a decision is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timing {
    /// In every state.
    State,
    /// In initial states only.
    Initial,
    /// In every step.
    Step,
}

/// A boolean expression that decides something.
pub(super) struct Decision {
    pub(super) expr: ExprId,
    /// The conditions under which it is evaluated: no earlier guard holds, and the enclosing branches are taken.
    pub(super) context: Vec<ExprId>,
    pub(super) timing: Timing,
    /// The name of the variable or constraint that it belongs to.
    pub(super) owner: String,
    pub(super) span: Span,
}

impl Decision {
    /// Its distinct conditions: the maximal parts without connectives, in source order.
    pub(super) fn conditions(&self, model: &Model) -> Vec<ExprId> {
        let mut conditions = Vec::new();
        list_conditions(model, self.expr, &mut conditions);
        conditions
    }
}

impl Builder<'_> {
    /// All decisions of the machine, in source order.
    pub(super) fn decisions(&mut self) -> Vec<Decision> {
        let model = self.model();
        let mut sites: Vec<(SourcedExpr, Timing, String)> = Vec::new();
        for assign in &model.assigns {
            let name = &model[assign.var].name;
            let (timing, owner) = match assign.kind {
                AssignKind::Always => (Timing::State, name.clone()),
                AssignKind::Init => (Timing::Initial, format!("init({name})")),
                AssignKind::Next => (Timing::Step, format!("next({name})")),
            };
            sites.push((assign.value.clone(), timing, owner));
        }
        sites.extend(model.defines.iter().map(|define| (define.body.clone(), Timing::State, define.name.clone())));
        let constraints = [(&model.init, Timing::Initial, "INIT"), (&model.invar, Timing::State, "INVAR")];
        for (sourced, timing, owner) in constraints.into_iter().chain([(&model.trans, Timing::Step, "TRANS")]) {
            sites.extend(sourced.iter().map(|sourced| (sourced.clone(), timing, owner.to_owned())));
        }
        let mut walker = Walker { builder: self, decisions: Vec::new() };
        for (sourced, timing, owner) in sites {
            let mut at = 0;
            let site = Site { sourced: &sourced, timing, owner: &owner };
            walker.walk(&site, sourced.expr, &mut at, &[], true);
        }
        walker.decisions
    }

    /// The target of making a decision while a predicate holds.
    pub(super) fn when_decided(&mut self, decision: &Decision, predicate: ExprId) -> Query {
        let mut parts = decision.context.clone();
        parts.push(predicate);
        if decision.timing == Timing::Step
            && let Some(step) = self.any_step()
        {
            parts.push(step);
        }
        let all = self.all(parts);
        if decision.timing == Timing::Initial { Query::Show(all) } else { Query::Reach(all) }
    }

    /// An expression that is true in every step and undefined in a deadlock state.
    pub(super) fn any_step(&mut self) -> Option<ExprId> {
        use specwright_model::model::VarKind;
        let (var, _) = self.model().vars().find(|(_, var)| var.kind == VarKind::State)?;
        let now = self.var(var);
        let next = self.make(Node::Next(now));
        Some(self.binary(BinaryOp::Eq, next, next))
    }

    /// An expression with all occurrences of a condition replaced by a truth value.
    pub(super) fn fix(&mut self, expr: ExprId, condition: ExprId, truth: bool) -> ExprId {
        if expr == condition {
            return self.make(Node::Const(Value::Bool(truth)));
        }
        if !is_connective(self.model(), expr) {
            return expr;
        }
        let node = self.model()[expr].clone();
        let node = node.map_children(|child| self.fix(child, condition, truth));
        self.make(node)
    }
}

struct Site<'a> {
    sourced: &'a SourcedExpr,
    timing: Timing,
    owner: &'a str,
}

struct Walker<'c, 'a> {
    builder: &'c mut Builder<'a>,
    decisions: Vec<Decision>,
}

impl Walker<'_, '_> {
    /// Collects the decisions in an expression, whose tree starts at the index `at` in preorder.
    fn walk(&mut self, site: &Site<'_>, expr: ExprId, at: &mut usize, context: &[ExprId], outermost: bool) {
        let span = site.sourced.spans.get(*at).copied().unwrap_or(Span::NONE);
        let node = self.builder.model()[expr].clone();
        let leaf = matches!(node, Node::Const(_) | Node::Var(_) | Node::Define(_) | Node::Case(_) | Node::Ite(..));
        let boolean = *self.builder.model().context.exprs.ty(expr) == Ty::BOOL;
        let outermost = if outermost && boolean && !leaf {
            self.decide(site, expr, span, context);
            false
        } else {
            outermost
        };
        *at += 1;
        match node {
            Node::Case(branches) => {
                let mut context = context.to_vec();
                for (guard, value) in branches {
                    let span = site.sourced.spans.get(*at).copied().unwrap_or(Span::NONE);
                    self.decide(site, guard, span, &context);
                    self.walk(site, guard, at, &context, false);
                    let mut inner = context.clone();
                    inner.push(guard);
                    self.walk(site, value, at, &inner, outermost);
                    let missed = self.builder.not(guard);
                    context.push(missed);
                }
            }
            Node::Ite(condition, then, otherwise) => {
                let span = site.sourced.spans.get(*at).copied().unwrap_or(Span::NONE);
                self.decide(site, condition, span, context);
                self.walk(site, condition, at, context, false);
                let missed = self.builder.not(condition);
                for (condition, value) in [(condition, then), (missed, otherwise)] {
                    let mut inner = context.to_vec();
                    inner.push(condition);
                    self.walk(site, value, at, &inner, outermost);
                }
            }
            node => {
                for child in node.children() {
                    self.walk(site, child, at, context, false);
                }
            }
        }
    }

    fn decide(&mut self, site: &Site<'_>, expr: ExprId, span: Span, context: &[ExprId]) {
        if !matches!(self.builder.model()[expr], Node::Const(_)) {
            let (timing, owner) = (site.timing, site.owner.to_owned());
            self.decisions.push(Decision { expr, context: context.to_vec(), timing, owner, span });
        }
    }
}

/// Whether the outermost operator of an expression is a boolean connective.
pub(super) fn is_connective(model: &Model, expr: ExprId) -> bool {
    use BinaryOp::{And, Eq, Iff, Implies, Ne, Or, Xnor, Xor};
    let is_bool = |expr: &ExprId| *model.context.exprs.ty(*expr) == Ty::BOOL;
    match &model[expr] {
        Node::Unary(UnaryOp::Not, a) => is_bool(a),
        Node::Binary(And | Or | Xor | Xnor | Implies | Iff | Eq | Ne, a, b) => is_bool(a) && is_bool(b),
        _ => false,
    }
}

pub(super) fn list_conditions(model: &Model, expr: ExprId, conditions: &mut Vec<ExprId>) {
    if is_connective(model, expr) {
        for child in model[expr].children() {
            list_conditions(model, child, conditions);
        }
    } else if !matches!(model[expr], Node::Const(_)) && !conditions.contains(&expr) {
        conditions.push(expr);
    }
}
