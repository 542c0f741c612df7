//! Lowering of assumptions and properties.

use super::exprs::{ExprContext, Time, vars_of};
use super::{Built, Entity, Lowering};
use crate::expr::{ExprId, Node};
use crate::interface::Role;
use crate::interp;
use crate::model::{Assign, AssignKind, Property, PropertyKind, Var, VarId, VarKind};
use crate::op::{BinaryOp, Builtin, UnaryOp};
use crate::ty::Ty;
use crate::value::Value;
use rustc_hash::FxHashMap;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::scr::ast::{Class, EventKind, Expr, ExprKind, Inputs, PropertyDecl, Timing};
use specwright_syntax::scr::codes;
use specwright_syntax::span::Span;

/// Maximal number of combinations of values before or after a step that a comparison of both is divided into; beyond it,
/// variables remember values.
const MAX_CASES: u128 = 256;

impl Lowering<'_> {
    pub(super) fn assumptions(&mut self) {
        if self.file.inputs.is_none_or(|(inputs, _)| inputs == Inputs::One) {
            self.one_input();
        }
        for expr in &self.file.assumptions {
            let Some(built) = self.condition(expr, &ExprContext::assumption(), Time::Now) else { continue };
            let mut spoken_of = vars_of(&self.model, &built, Time::Next);
            let step = !spoken_of.is_empty();
            spoken_of.extend(vars_of(&self.model, &built, Time::Now));
            if !spoken_of.iter().any(|(var, _)| self.is_about_monitored(*var)) {
                let message = "this assumption is not about monitored variables";
                let help = "state what the tables should guarantee under `properties`";
                self.report(Diagnostic::error(codes::BAD_ASSUMPTION, expr.span, message).help(help));
                continue;
            }
            let sourced = built.sourced();
            if step { self.model.trans.push(sourced) } else { self.model.invar.push(sourced) }
        }
        for expr in &self.file.initially {
            if let Some(built) = self.condition(expr, &ExprContext::initially(), Time::Now) {
                self.model.init.push(built.sourced());
            }
        }
    }

    /// Whether a variable is monitored, or a timer of a condition on monitored variables.
    fn is_about_monitored(&self, var: VarId) -> bool {
        match self.classes.get(var.0 as usize) {
            Some(decl) => decl.class == Class::Monitored,
            None => self.durations.condition_of(var).is_some_and(|condition| {
                interp::support(&self.model, condition).now.into_iter().any(|var| self.is_about_monitored(var))
            }),
        }
    }

    /// In every step exactly one monitored variable changes.
    fn one_input(&mut self) {
        let span = self.file.inputs.map_or(Span::NONE, |(_, span)| span);
        let monitored = self.declared().filter(|(_, decl)| decl.class == Class::Monitored).map(|(var, _)| var);
        let changes: Vec<Built> =
            monitored.collect::<Vec<VarId>>().into_iter().map(|var| self.changes(var, span)).collect();
        let whole = match changes.len() {
            0 => return,
            1 => changes.into_iter().next(),
            _ => {
                let mut spans = vec![span];
                spans.extend(changes.iter().flat_map(|part| part.spans.iter().copied()));
                let node = Node::Call(Builtin::Count, changes.iter().map(|part| part.expr).collect());
                let count = Built::new(self.plain(node), spans);
                let one = self.constant(Value::Int(1), span);
                Some(self.join(BinaryOp::Eq, count, one, span))
            }
        };
        self.model.trans.extend(whole.map(Built::sourced));
    }

    /// The condition that a monitored variable changes, or that a unit of time passes.
    fn changes(&mut self, var: VarId, span: Span) -> Built {
        if self.file.clock.as_ref().is_some_and(|clock| clock.text == self.model[var].name) {
            return self.var(var, Time::Next, span);
        }
        let (after, before) = (self.var(var, Time::Next, span), self.var(var, Time::Now, span));
        self.join(BinaryOp::Ne, after, before, span)
    }

    pub(super) fn properties(&mut self) {
        for decl in &self.file.properties {
            let earlier = self.model.properties.iter().find(|known| {
                known.name.is_some() && known.name.as_deref() == decl.name.as_ref().map(|name| name.text.as_str())
            });
            if let (Some(earlier), Some(name)) = (earlier, &decl.name) {
                let message = format!("two properties have the name `{}`", name.text);
                let diagnostic = Diagnostic::error(codes::DUPLICATE, name.span, message);
                let first = earlier.span;
                self.report(diagnostic.also(first, "the first one is here"));
            }
            self.property(decl);
        }
    }

    fn property(&mut self, decl: &PropertyDecl) {
        let (temporal, steps) = (logic(&decl.formula), has_steps(&decl.formula));
        if temporal == Some(PropertyKind::Ctl) && is_linear(&decl.formula) {
            let message = "this mixes operators of branching and of linear time";
            let help =
                "`AG`, `AF`, `EF`, `EG`, `AX`, `EX` are operators of branching time, `G`, `F`, `X`, `U` of linear time";
            self.report(Diagnostic::error(codes::BAD_PROPERTY, decl.formula.span, message).help(help));
            return;
        }
        let (kind, formula) = match (temporal, steps) {
            (None, false) => (PropertyKind::Invar, self.condition(&decl.formula, &ExprContext::property(), Time::Now)),
            (Some(PropertyKind::Ctl), true) => {
                let message = "events and new values cannot be part of a formula of branching time";
                let help = "without `A` and `E` it is a formula of linear time: `G (@T(c) => F d)`";
                let diagnostic = Diagnostic::error(codes::BAD_PROPERTY, decl.formula.span, message);
                self.report(diagnostic.help(help));
                return;
            }
            (Some(PropertyKind::Ctl), false) => {
                (PropertyKind::Ctl, self.condition(&decl.formula, &ExprContext::property(), Time::Now))
            }
            (temporal, _) => {
                let formula = self.linear(&decl.formula);
                let formula = match (formula, temporal) {
                    // A claim about every step.
                    (Some(formula), None) => Some(self.wrap(UnaryOp::G, formula, decl.formula.span)),
                    (formula, _) => formula,
                };
                (PropertyKind::Ltl, formula)
            }
        };
        let Some(formula) = formula else { return };
        let name = decl.name.as_ref().map(|name| name.text.clone());
        let span = decl.name.as_ref().map_or(Span::NONE, |name| name.span).to(decl.formula.span);
        self.model.properties.push(Property { name, kind, formula: formula.sourced(), target: None, span });
    }

    fn wrap(&mut self, op: UnaryOp, inner: Built, span: Span) -> Built {
        let mut spans = vec![span];
        spans.extend(inner.spans);
        Built::new(self.plain(Node::Unary(op, inner.expr)), spans)
    }

    /// A formula of linear time; references to the state after a step are below `X`.
    fn linear(&mut self, expr: &Expr) -> Option<Built> {
        let span = expr.span;
        if !has_steps(expr) && logic(expr).is_none() {
            return self.condition(expr, &ExprContext::property(), Time::Now);
        }
        match &*expr.kind {
            ExprKind::Unary(op, inner) if *op != UnaryOp::Neg => {
                let inner = self.linear(inner)?;
                Some(self.wrap(*op, inner, span))
            }
            ExprKind::Binary(op, left, right) if joins_formulas(*op) => {
                let (left, right) = (self.linear(left), self.linear(right));
                Some(self.join(*op, left?, right?, span))
            }
            ExprKind::Event(EventKind::Change, inner) => self.changed(inner, span),
            ExprKind::Event(kind, inner) => {
                let before = self.condition(inner, &ExprContext::property(), Time::Now)?;
                let after = self.wrap(UnaryOp::X, before.clone(), span);
                Some(self.becomes(before, after, *kind == EventKind::True, span))
            }
            ExprKind::When(timing, event, condition) => {
                let event = self.linear(event)?;
                let now = self.condition(condition, &ExprContext::property(), Time::Now)?;
                let next = self.wrap(UnaryOp::X, now.clone(), span);
                Some(match timing {
                    Timing::Before => self.join(BinaryOp::And, event, now, span),
                    Timing::After => self.join(BinaryOp::And, event, next, span),
                    Timing::Throughout => {
                        let event = self.join(BinaryOp::And, event, now, span);
                        self.join(BinaryOp::And, event, next, span)
                    }
                })
            }
            _ => {
                let Some(inner) = self.unprimed(expr) else {
                    let built = self.condition(expr, &ExprContext::step(), Time::Now)?;
                    return Some(self.by_cases(built.expr, span));
                };
                let inner = self.condition(&inner, &ExprContext::property(), Time::Now)?;
                Some(self.wrap(UnaryOp::X, inner, span))
            }
        }
    }

    /// `@C(x)`: the value of `x` is not the same before and after the step.
    fn changed(&mut self, inner: &Expr, span: Span) -> Option<Built> {
        let built = self.expr(inner, &ExprContext::property(), Time::Now)?;
        if *self.model.context.exprs.ty(built.expr) == Ty::BOOL {
            let after = self.wrap(UnaryOp::X, built.clone(), span);
            return Some(self.join(BinaryOp::Xor, built, after, span));
        }
        let changes = self.event(EventKind::Change, inner, &ExprContext::step(), span)?;
        Some(self.by_cases(changes.expr, span))
    }

    /// A condition on the states before and after a step as a formula: one case for each combination of values before the
    /// step, or after it if these are fewer.
    fn by_cases(&mut self, expr: ExprId, span: Span) -> Built {
        let support = interp::support(&self.model, expr);
        let n_cases = |vars: &[VarId]| {
            let mut sizes = vars.iter().map(|var| self.model[*var].domain.size());
            sizes.try_fold(1u128, |product, size| product.checked_mul(size?))
        };
        let sides = [(Time::Now, &support.now), (Time::Next, &support.next)];
        let sides = sides.map(|(time, vars)| (n_cases(&vars.iter().copied().collect::<Vec<_>>()), time, vars));
        let fewest = sides.into_iter().filter(|(n, ..)| n.is_some_and(|n| n <= MAX_CASES)).min_by_key(|(n, ..)| *n);
        let Some((_, time, vars)) = fewest else { return self.by_memory(expr, span) };
        let mut cases: Vec<Vec<(VarId, Value)>> = vec![Vec::new()];
        for var in vars {
            let values: Vec<Value> = self.model[*var].domain.values().collect();
            let with = |case: &Vec<(VarId, Value)>, value| [&case[..], &[(*var, value)]].concat();
            cases = cases
                .iter()
                .flat_map(|case| values.iter().map(|value| with(case, *value)).collect::<Vec<_>>())
                .collect();
        }
        let mut formulas = Vec::new();
        for case in cases {
            let rest = self.with_values(expr, &case, time);
            if matches!(self.known_value(rest), Some(Value::Bool(false))) {
                continue;
            }
            let equations = case.into_iter().map(|(var, value)| {
                let (var, value) = (self.plain(Node::Var(var)), self.plain(Node::Const(value)));
                self.plain(Node::Binary(BinaryOp::Eq, var, value))
            });
            let equations: Vec<ExprId> = equations.collect();
            let here = equations.into_iter().reduce(|a, b| self.both(a, b));
            let here = here.unwrap_or_else(|| self.plain(Node::Const(Value::Bool(true))));
            let (before, after) = if time == Time::Now { (here, rest) } else { (rest, here) };
            let after = self.plain(Node::Unary(UnaryOp::X, after));
            formulas.push(self.both(before, after));
        }
        let any = formulas.into_iter().reduce(|a, b| self.plain(Node::Binary(BinaryOp::Or, a, b)));
        let any = any.unwrap_or_else(|| self.plain(Node::Const(Value::Bool(false))));
        // All parts stand for the one comparison.
        let spans = vec![span; self.tree_size(any)];
        Built::new(any, spans)
    }

    /// A condition on the states before and after a step as a condition on the state after it, with variables that remember
    /// values from before the step.
    fn by_memory(&mut self, expr: ExprId, span: Span) -> Built {
        let mut made: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for part in self.model.context.exprs.parts([expr]) {
            let new = match self.model[part].clone() {
                Node::Next(inner) => self.model[inner].clone(),
                Node::Var(var) => Node::Var(self.memory_of(var)),
                node => node.map_children(|child| made[&child]),
            };
            let new = self.plain(new);
            made.insert(part, new);
        }
        let after = self.plain(Node::Unary(UnaryOp::X, made[&expr]));
        Built::new(after, vec![span; self.tree_size(after)])
    }

    /// The variable that has the previous value of another one; initially, its value.
    fn memory_of(&mut self, var: VarId) -> VarId {
        if let Some(memory) = self.memories.get(&var) {
            return *memory;
        }
        let Var { name, domain, span, .. } = self.model[var].clone();
        let mut name = format!("{name}_before");
        while self.names.contains_key(name.as_str()) {
            name.push('_');
        }
        let memory = VarId(self.model.vars.len() as u32);
        self.model.vars.push(Var { name, domain, kind: VarKind::State, span });
        self.model.set_role(memory, Role::Internal);
        let denominator = self.model.denominator(var).map(|denominator| (memory, denominator));
        self.model.system.denominators.extend(denominator);
        for kind in [AssignKind::Init, AssignKind::Next] {
            let value = self.leaf(Node::Var(var), Span::NONE).sourced();
            self.model.assigns.push(Assign { kind, var: memory, value, span });
        }
        self.memories.insert(var, memory);
        memory
    }

    /// A condition on two states with the values of one of them given: a condition on the other one.
    fn with_values(&mut self, expr: ExprId, values: &[(VarId, Value)], time: Time) -> ExprId {
        let value_of = |var: VarId| values.iter().find(|(known, _)| *known == var).map(|(_, value)| *value);
        let mut made: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        for part in self.model.context.exprs.parts([expr]) {
            let new = match self.model[part].clone() {
                Node::Next(inner) => match self.model[inner] {
                    Node::Var(var) if time == Time::Next => value_of(var).map(Node::Const),
                    _ => Some(self.model[inner].clone()),
                },
                // Below `next` it is left as it is.
                Node::Var(var) if time == Time::Now => value_of(var).map(Node::Const),
                node => Some(node.map_children(|child| made[&child])),
            };
            let new = new.map_or(part, |node| self.plain(node));
            made.insert(part, new);
        }
        made[&expr]
    }
}

impl Lowering<'_> {
    /// The expression without primes, if all its variables are primed.
    fn unprimed(&self, expr: &Expr) -> Option<Expr> {
        let kind = match &*expr.kind {
            ExprKind::Prime(inner) => return Some(inner.clone()),
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, self.unprimed(a)?),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, self.unprimed(a)?, self.unprimed(b)?),
            ExprKind::In(a, members) => ExprKind::In(self.unprimed(a)?, members.clone()),
            ExprKind::Name(name) if matches!(self.names.get(name.as_str()), Some((Entity::Var(_), _))) => return None,
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Real(..) | ExprKind::Name(_) => (*expr.kind).clone(),
            ExprKind::Inmode | ExprKind::Event(..) | ExprKind::When(..) | ExprKind::Duration(_) => return None,
        };
        Some(Expr { kind: Box::new(kind), span: expr.span })
    }
}

fn joins_formulas(op: BinaryOp) -> bool {
    use BinaryOp::{And, Iff, Implies, Or, U, Xor};
    matches!(op, And | Or | Xor | Implies | Iff | U)
}

/// The logic of a formula, if it is temporal. A CTL operator makes it a CTL formula.
fn logic(expr: &Expr) -> Option<PropertyKind> {
    use crate::op::Logic;
    let own = match &*expr.kind {
        ExprKind::Unary(op, _) => op.logic(),
        ExprKind::Binary(op, ..) => op.logic(),
        _ => None,
    };
    let own = own.map(|logic| if logic == Logic::Ctl { PropertyKind::Ctl } else { PropertyKind::Ltl });
    let parts = parts(expr).into_iter().filter_map(logic).chain(own);
    parts.max_by_key(|kind| *kind == PropertyKind::Ctl)
}

/// Whether it has LTL operators.
fn is_linear(expr: &Expr) -> bool {
    use crate::op::Logic;
    let own = match &*expr.kind {
        ExprKind::Unary(op, _) => op.logic(),
        ExprKind::Binary(op, ..) => op.logic(),
        _ => None,
    };
    own == Some(Logic::Ltl) || parts(expr).into_iter().any(is_linear)
}

/// Whether it refers to steps.
pub(super) fn has_steps(expr: &Expr) -> bool {
    matches!(&*expr.kind, ExprKind::Prime(_) | ExprKind::Event(..) | ExprKind::When(..))
        || parts(expr).into_iter().any(has_steps)
}

pub(super) fn parts(expr: &Expr) -> Vec<&Expr> {
    match &*expr.kind {
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Real(..) | ExprKind::Name(_) | ExprKind::Inmode => Vec::new(),
        ExprKind::Prime(a) | ExprKind::Event(_, a) | ExprKind::Unary(_, a) | ExprKind::Duration(a) => vec![a],
        ExprKind::When(_, a, b) | ExprKind::Binary(_, a, b) => vec![a, b],
        ExprKind::In(a, members) => std::iter::once(a).chain(members).collect(),
    }
}
