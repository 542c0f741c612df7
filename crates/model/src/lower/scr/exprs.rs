//! Lowering of expressions: resolves names, translates events to conditions on two states, checks types.

use super::declarations::describe;
use super::{Built, Entity, Lowering};
use crate::expr::Node;
use crate::model::{Model, VarId};
use crate::op::{BinaryOp, UnaryOp};
use crate::ty::{Scalar, Ty};
use crate::typing::{Problem, TypeError};
use crate::value::{Symbol, Value};
use specwright_syntax::diagnostic::{Diagnostic, closest};
use specwright_syntax::scr::ast::{EventKind, Expr, ExprKind, Timing};
use specwright_syntax::scr::codes;
use specwright_syntax::span::Span;

/// The state in which an expression is evaluated: before or after the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Time {
    Now,
    Next,
}

/// The context of an expression, which determines what it may refer to.
#[derive(Clone, Debug)]
pub(super) struct ExprContext {
    /// Its name in messages.
    what: &'static str,
    /// Whether it may refer to the state after the step.
    pub(super) steps: bool,
    /// Whether it may refer to variables.
    vars: bool,
    /// The mode class and the modes of the row: in one of them, `Inmode` holds.
    pub(super) row: Option<(VarId, Vec<(Symbol, Span)>)>,
}

impl ExprContext {
    const BASE: ExprContext = ExprContext { what: "", steps: false, vars: true, row: None };

    pub(super) fn constant() -> ExprContext {
        ExprContext { what: "a constant", vars: false, ..ExprContext::BASE }
    }

    pub(super) fn value_of(_: VarId) -> ExprContext {
        ExprContext { what: "an initial value", vars: false, ..ExprContext::BASE }
    }

    pub(super) fn initially() -> ExprContext {
        ExprContext { what: "a condition on initial states", ..ExprContext::BASE }
    }

    pub(super) fn condition(row: Option<(VarId, Vec<(Symbol, Span)>)>) -> ExprContext {
        ExprContext { what: "a condition table", row, ..ExprContext::BASE }
    }

    pub(super) fn event(row: Option<(VarId, Vec<(Symbol, Span)>)>) -> ExprContext {
        ExprContext { what: "an event", steps: true, row, ..ExprContext::BASE }
    }

    /// A value of an event table, before the step or, with a prime, after it.
    pub(super) fn new_value() -> ExprContext {
        ExprContext { what: "a value of an event table", steps: true, ..ExprContext::BASE }
    }

    pub(super) fn heading() -> ExprContext {
        ExprContext { what: "the heading of a matrix", ..ExprContext::BASE }
    }

    pub(super) fn assumption() -> ExprContext {
        ExprContext { what: "an assumption", steps: true, ..ExprContext::BASE }
    }

    /// A property of a step.
    pub(super) fn step() -> ExprContext {
        ExprContext { what: "a property", steps: true, ..ExprContext::BASE }
    }

    pub(super) fn property() -> ExprContext {
        ExprContext { what: "a property", ..ExprContext::BASE }
    }
}

impl Lowering<'_> {
    /// Lowers an expression for one of the two states.
    pub(super) fn expr(&mut self, expr: &Expr, place: &ExprContext, time: Time) -> Option<Built> {
        let span = expr.span;
        match &*expr.kind {
            ExprKind::Bool(truth) => Some(self.constant(Value::Bool(*truth), span)),
            ExprKind::Int(number) => Some(self.constant(Value::Int(*number), span)),
            ExprKind::Real(numerator, denominator) => Some(self.real(*numerator, *denominator, span)),
            ExprKind::Name(name) => self.name(name, span, place, time),
            ExprKind::Inmode => {
                let Some((class, modes)) = &place.row else {
                    let message = "`Inmode` needs a row with modes";
                    let help = "name the mode class in the first line of the table: `event table x by Class`";
                    self.report(Diagnostic::error(codes::MISPLACED_INMODE, span, message).help(help));
                    return None;
                };
                self.in_modes(*class, modes, time)
            }
            ExprKind::Prime(inner) => {
                self.check_steps(place, time, span)?;
                self.expr(inner, place, Time::Next)
            }
            ExprKind::Event(kind, inner) => {
                self.check_steps(place, time, span)?;
                self.event(*kind, inner, place, span)
            }
            ExprKind::When(timing, event, condition) => {
                self.check_steps(place, time, span)?;
                let event = self.condition(event, place, Time::Now)?;
                self.when(event, *timing, condition, place, span)
            }
            ExprKind::Unary(op, inner) => {
                let inner = self.expr(inner, place, time)?;
                if *op == UnaryOp::Neg && inner.denominator.is_some() {
                    return self.negated(inner, span);
                }
                self.unary(*op, inner, span)
            }
            ExprKind::Duration(_) => self.misplaced_duration(span),
            ExprKind::Binary(op, left, right)
                if op.is_relational()
                    && [left, right].iter().any(|side| matches!(&*side.kind, ExprKind::Duration(_))) =>
            {
                let [left, right] = self.duration((left, right), place, time)?;
                self.binary(*op, left?, right?, span)
            }
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) => {
                let (of_left, of_right) = (self.var_in(left), self.var_in(right));
                let left = self.expr_like(left, of_right, place, time);
                let right = self.expr_like(right, of_left, place, time);
                self.binary(*op, left?, right?, span)
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.expr(left, place, time), self.expr(right, place, time));
                self.binary(*op, left?, right?, span)
            }
            ExprKind::In(left, members) => {
                let var = self.var_in(left);
                let left = self.expr(left, place, time)?;
                let mut parts = Vec::new();
                for member in members {
                    let member = self.expr_like(member, var, place, time)?;
                    parts.push(self.binary(BinaryOp::Eq, left.clone(), member, span)?);
                }
                self.any(parts)
            }
        }
    }

    /// Lowers an expression compared with a variable: a name that is one of the variable's values is that value,
    /// whatever else has this name.
    pub(super) fn expr_like(
        &mut self,
        expr: &Expr,
        var: Option<VarId>,
        place: &ExprContext,
        time: Time,
    ) -> Option<Built> {
        if let (ExprKind::Name(name), Some(var)) = (&*expr.kind, var)
            && let Some(symbol) = self.symbols.get(name.as_str()).copied()
            && self.model[var].domain.contains(Value::Symbol(symbol))
        {
            return Some(self.constant(Value::Symbol(symbol), expr.span));
        }
        self.expr(expr, place, time)
    }

    /// The variable that an expression denotes, primed or not.
    fn var_in(&self, expr: &Expr) -> Option<VarId> {
        match &*expr.kind {
            ExprKind::Prime(inner) => self.var_in(inner),
            ExprKind::Name(name) => match self.names.get(name.as_str()) {
                Some((Entity::Var(var), _)) => Some(*var),
                _ => None,
            },
            _ => None,
        }
    }

    /// Lowers an expression that must be boolean.
    pub(super) fn condition(&mut self, expr: &Expr, place: &ExprContext, time: Time) -> Option<Built> {
        let built = self.expr(expr, place, time)?;
        let ty = self.model.context.exprs.ty(built.expr).clone();
        if ty == Ty::BOOL {
            return Some(built);
        }
        let message = format!("this must be true or false, but it is {}", describe(&ty));
        self.report(Diagnostic::error(codes::TYPE_MISMATCH, expr.span, message));
        None
    }

    fn check_steps(&mut self, place: &ExprContext, time: Time, span: Span) -> Option<()> {
        let message = if time == Time::Next {
            "this is already about the state after the step".to_owned()
        } else if place.steps {
            return Some(());
        } else {
            format!("{} cannot have events or next values", place.what)
        };
        let diagnostic = Diagnostic::error(codes::MISPLACED_EVENT, span, message);
        self.report(match place.what {
            "a condition table" => diagnostic.help("a value that depends on events belongs in an event table"),
            _ => diagnostic,
        });
        None
    }

    fn name(&mut self, name: &str, span: Span, place: &ExprContext, time: Time) -> Option<Built> {
        match self.names.get(name).map(|(entity, _)| *entity) {
            Some(Entity::Var(var)) if place.vars => Some(self.var(var, time, span)),
            Some(Entity::Var(_)) => self.not_constant(name, span, place),
            // Constants take precedence over variables.
            None if self.file.vars.iter().any(|var| var.name.text == name) => self.not_constant(name, span, place),
            Some(Entity::Constant(define)) => {
                let denominator = self.real_constants.get(&define).copied();
                Some(Built { denominator, ..self.leaf(Node::Define(define), span) })
            }
            Some(Entity::Broken) => None,
            None if self.symbols.contains_key(name) => {
                let symbol = self.symbols[name];
                Some(self.constant(Value::Symbol(symbol), span))
            }
            None => {
                let message = format!("unknown name `{name}`");
                let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, span, message);
                let known = closest(name, self.names.keys().chain(self.symbols.keys()).copied());
                let diagnostic = match known {
                    Some(known) => diagnostic.suggest("a similar name is", span, known),
                    None => diagnostic,
                };
                self.report(diagnostic);
                None
            }
        }
    }

    fn not_constant(&mut self, name: &str, span: Span, place: &ExprContext) -> Option<Built> {
        let message = format!("{} cannot depend on the variable `{name}`", place.what);
        self.report(Diagnostic::error(codes::NOT_CONSTANT, span, message));
        None
    }

    /// `@T(c)`, `@F(c)`, `@C(x)` as conditions on two states.
    pub(super) fn event(&mut self, kind: EventKind, inner: &Expr, place: &ExprContext, span: Span) -> Option<Built> {
        if kind == EventKind::Change {
            let before = self.expr(inner, place, Time::Now)?;
            let after = self.expr(inner, place, Time::Next)?;
            return Some(self.join(BinaryOp::Ne, before, after, span));
        }
        let before = self.condition(inner, place, Time::Now)?;
        let after = self.condition(inner, place, Time::Next)?;
        Some(self.becomes(before, after, kind == EventKind::True, span))
    }

    /// A condition becomes true, or false.
    pub(super) fn becomes(&mut self, before: Built, after: Built, truth: bool, span: Span) -> Built {
        let (before, after) =
            if truth { (self.not(before, Span::NONE), after) } else { (before, self.not(after, Span::NONE)) };
        self.join(BinaryOp::And, before, after, span)
    }

    /// An event with a condition.
    pub(super) fn when(
        &mut self,
        event: Built,
        timing: Timing,
        condition: &Expr,
        place: &ExprContext,
        span: Span,
    ) -> Option<Built> {
        let times: &[Time] = match timing {
            Timing::Before => &[Time::Now],
            Timing::After => &[Time::Next],
            Timing::Throughout => &[Time::Now, Time::Next],
        };
        let mut all = event;
        for time in times {
            let condition = self.condition(condition, place, *time)?;
            all = self.join(BinaryOp::And, all, condition, span);
        }
        Some(all)
    }

    pub(super) fn unary(&mut self, op: UnaryOp, inner: Built, span: Span) -> Option<Built> {
        match self.model.make(Node::Unary(op, inner.expr)) {
            Ok(expr) => {
                let mut spans = vec![span];
                spans.extend(inner.spans);
                Some(Built::new(expr, spans))
            }
            Err(error) => {
                self.type_error(&error, &[inner], op.symbol(), span);
                None
            }
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: Built, right: Built, span: Span) -> Option<Built> {
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            self.check_comparison(&left, &right)?;
            self.check_comparison(&right, &left)?;
        }
        let is_number = |built: &Built| *self.model.context.exprs.ty(built.expr) == Ty::INT;
        let is_real =
            (left.denominator.is_some() || right.denominator.is_some()) && is_number(&left) && is_number(&right);
        if is_real && matches!(op, BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod) {
            return self.product(op, left, right, span);
        }
        let (left, right) = if is_real { self.alike(left, right, span)? } else { (left, right) };
        let denominator = left.denominator.filter(|_| is_real && matches!(op, BinaryOp::Add | BinaryOp::Sub));
        match self.model.make(Node::Binary(op, left.expr, right.expr)) {
            Ok(_) => Some(Built { denominator, ..self.join(op, left, right, span) }),
            Err(error) => {
                self.type_error(&error, &[left, right], op.symbol(), span);
                None
            }
        }
    }

    /// Warns if a variable is compared with a constant outside of its domain.
    fn check_comparison(&mut self, left: &Built, right: &Built) -> Option<()> {
        let var = match &self.model[left.expr] {
            Node::Var(var) => *var,
            Node::Next(inner) => match &self.model[*inner] {
                Node::Var(var) => *var,
                _ => return Some(()),
            },
            _ => return Some(()),
        };
        let Node::Const(value @ Value::Symbol(_)) = self.model[right.expr] else { return Some(()) };
        let declared = &self.model[var];
        let (name, span, domain) = (declared.name.clone(), declared.span, declared.domain.clone());
        if domain.contains(value) || domain.ty() != Ty::One(Scalar::Symbol) {
            return Some(());
        }
        self.cannot_be((&name, span, &domain), value, 1, right.span());
        None
    }

    fn type_error(&mut self, error: &TypeError, operands: &[Built], operator: &str, span: Span) {
        let blamed = operands.get(error.operand).map_or(span, Built::span);
        let diagnostic = match &error.problem {
            Problem::Expected(expected) => {
                let message = format!("`{operator}` takes {expected}, but this is {}", describe(&error.found));
                Diagnostic::error(codes::TYPE_MISMATCH, blamed, message)
            }
            Problem::Mismatch { other, ty } => {
                let message = format!("`{operator}` cannot compare {} with {}", describe(ty), describe(&error.found));
                let other = operands.get(*other).map_or(span, Built::span);
                Diagnostic::error(codes::TYPE_MISMATCH, blamed, message)
                    .label(describe(&error.found))
                    .also(other, describe(ty))
            }
            _ => Diagnostic::error(codes::TYPE_MISMATCH, blamed, error.to_string()),
        };
        self.report(diagnostic);
    }
}

/// The variables whose next values, or present values, an expression reads.
pub(super) fn vars_of(model: &Model, built: &Built, time: Time) -> Vec<(VarId, Span)> {
    fn walk(
        model: &Model,
        built: &Built,
        expr: crate::ExprId,
        at: &mut usize,
        next: bool,
        out: &mut Vec<(VarId, Span, bool)>,
    ) {
        let span = built.spans.get(*at).copied().unwrap_or(Span::NONE);
        *at += 1;
        match &model[expr] {
            Node::Var(var) => out.push((*var, span, next)),
            Node::Next(inner) => walk(model, built, *inner, at, true, out),
            node => node.children().into_iter().for_each(|child| walk(model, built, child, at, next, out)),
        }
    }
    let mut found = Vec::new();
    walk(model, built, built.expr, &mut 0, false, &mut found);
    let wanted = found.into_iter().filter(|(.., next)| *next == (time == Time::Next));
    wanted.map(|(var, span, _)| (var, span)).collect()
}
