//! What an execution has to reach for a query: a state, or a step.

use super::Sat;
use super::machine::{Truth, truth};
use crate::answer::Reason;
use crate::bdd::Limit;
use crate::encode::{Algebra, Time};
use crate::ltl::{Linear, LinearId, Universal};
use crate::query::{Query, mentions_next};
use specwright_model::model::{Property, PropertyKind, VarKind};
use specwright_model::op::{BinaryOp, Logic, UnaryOp};
use specwright_model::{ExprId, Node};
use specwright_sat::Signal;

/// What an execution has to reach. It is as good to reach the state in which an execution ends as to end with the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Target {
    /// States.
    pub(crate) state: Signal,
    /// Steps, which are to be the last ones.
    pub(crate) step: Signal,
    /// Only initial states, or steps from these, count.
    pub(crate) at_start: bool,
    /// If nothing is reached: states that answer the query if no step leaves them, and perhaps some that do not.
    pub(crate) ends: Signal,
    /// If nothing is reached and no state of `ends` is: whether no execution answers the query.
    pub(crate) is_whole: bool,
}

impl Target {
    pub(crate) fn states(state: Signal) -> Target {
        Target { state, step: Signal::FALSE, at_start: false, ends: Signal::FALSE, is_whole: true }
    }
}

impl Sat {
    /// What an execution has to reach for a query.
    pub(crate) fn target(&mut self, query: Query) -> Result<Target, Reason> {
        match query {
            Query::Reach(expr) => Ok(self.plain_target(expr, true)?),
            Query::Falsify(formula) if self.is_plain(formula) => Ok(self.plain_target(formula, false)?),
            Query::Falsify(formula) => self.moment_target(formula),
            Query::Show(formula) if self.is_plain(formula) => {
                Ok(Target { at_start: true, ..self.plain_target(formula, true)? })
            }
            Query::Show(_) | Query::Kill(_) => Err(Reason::Unsupported),
        }
    }

    pub(super) fn is_plain(&self, formula: ExprId) -> bool {
        let is_temporal = |expr: ExprId| match &self.system[expr] {
            Node::Unary(op, _) => op.logic().is_some(),
            Node::Binary(op, ..) => op.logic().is_some(),
            Node::Bounded(..) | Node::BoundedUntil(..) => true,
            _ => false,
        };
        !self.system.context.exprs.parts([formula]).into_iter().any(is_temporal)
            && !self.system.mentions(formula, specwright_model::typing::is_temporal)
    }

    /// Where an expression has a truth value.
    pub(crate) fn plain_target(&mut self, expr: ExprId, wanted: bool) -> Result<Target, Limit> {
        let Truth { yes, no, .. } = self.truth(expr, Time::Now)?;
        let holds = if wanted { yes } else { no };
        if self.mentions_step(expr) {
            let ends = self.without_step(expr, wanted)?;
            return Ok(Target { step: holds, ends, ..Target::states(Signal::FALSE) });
        }
        Ok(Target::states(holds))
    }

    /// Where none of these expressions is false.
    pub(crate) fn none_false(&mut self, exprs: &[ExprId]) -> Result<Target, Limit> {
        let mut state = Signal::TRUE;
        for expr in exprs {
            let Truth { no, .. } = self.truth(*expr, Time::Now)?;
            state = self.machine.circuit.diff(&state, &no)?;
        }
        Ok(Target::states(state))
    }

    /// Where a formula is false that a single moment can show to be false: `AG p`, `G (p -> X q)`.
    fn moment_target(&mut self, formula: ExprId) -> Result<Target, Reason> {
        let [wanted, assumed] = [Universal::Drop, Universal::Assume].map(|universal| {
            let Sat { linear, system, .. } = self;
            linear.read(system, formula, false, universal)
        });
        let Linear::Until(stay, moment) = self.linear[wanted] else { return Err(Reason::Unsupported) };
        if self.linear[stay] != Linear::True || !self.has_values(wanted)? {
            return Err(Reason::Unsupported);
        }
        // What a step has to satisfy may be known at the end of an execution without a step.
        let is_endless = self.machine.is_total && self.machine.is_fair;
        if self.speaks_of_steps(wanted) && (!is_endless || self.system.mentions(formula, is_ctl)) {
            return Err(Reason::Unsupported);
        }
        let (Some(step), Some(state)) = (self.moment(moment, Time::Now, true)?, self.moment(moment, Time::Now, false)?)
        else {
            return Err(Reason::Unsupported);
        };
        let step = if step == state { Signal::FALSE } else { step };
        Ok(Target { step, is_whole: wanted == assumed, ..Target::states(state) })
    }

    /// Where a property is violated, if a moment can show that.
    pub(crate) fn violation(&mut self, property: &Property) -> Result<Target, Reason> {
        let formula = property.formula.expr;
        match property.kind {
            PropertyKind::Invar if self.is_defined(formula)? => {
                // An invariant says nothing of dead ends.
                Ok(Target { ends: Signal::FALSE, ..self.plain_target(formula, false)? })
            }
            PropertyKind::Ctl | PropertyKind::Ltl | PropertyKind::Psl(_) if !self.is_plain(formula) => {
                self.moment_target(formula)
            }
            _ => Err(Reason::Unsupported),
        }
    }

    /// The steps that satisfy a formula which looks at most one position ahead and not at inputs; or, without the look
    /// ahead, states that satisfy it whatever comes next.
    fn moment(&mut self, formula: LinearId, time: Time, ahead: bool) -> Result<Option<Signal>, Limit> {
        Ok(match self.linear[formula] {
            Linear::True => Some(Signal::TRUE),
            Linear::False => Some(Signal::FALSE),
            Linear::Atom(expr, value) if !self.mentions_input(expr) && self.is_plain(expr) => {
                match (mentions_next(&self.system, expr), time) {
                    (true, Time::Next) => None,
                    (true, Time::Now) if !ahead => Some(Signal::FALSE),
                    _ => {
                        let Truth { yes, no, .. } = self.truth(expr, time)?;
                        Some(if value { yes } else { no })
                    }
                }
            }
            Linear::And(a, b) | Linear::Or(a, b) => {
                let is_and = matches!(self.linear[formula], Linear::And(..));
                let (Some(a), Some(b)) = (self.moment(a, time, ahead)?, self.moment(b, time, ahead)?) else {
                    return Ok(None);
                };
                let circuit = &self.machine.circuit;
                Some(if is_and { circuit.and(&a, &b)? } else { circuit.or(&a, &b)? })
            }
            Linear::Next(_) if time == Time::Now && !ahead => Some(Signal::FALSE),
            Linear::Next(inner) if time == Time::Now => self.moment(inner, Time::Next, ahead)?,
            _ => None,
        })
    }

    /// Whether all atoms of a formula have a value in all states and steps.
    pub(super) fn has_values(&mut self, formula: LinearId) -> Result<bool, Limit> {
        for part in self.linear.parts(formula) {
            if let Linear::Atom(expr, _) | Linear::NotAtom(expr, _) = self.linear[part]
                && !(self.is_plain(expr) && self.is_defined(expr)?)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn speaks_of_steps(&self, formula: LinearId) -> bool {
        self.linear.parts(formula).into_iter().any(|part| match self.linear[part] {
            Linear::Atom(expr, _) | Linear::NotAtom(expr, _) => self.mentions_step(expr),
            _ => false,
        })
    }

    fn truth(&mut self, expr: ExprId, time: Time) -> Result<Truth, Limit> {
        truth(&self.system, &self.machine, &mut self.memo, expr, time)
    }

    /// Whether an expression has a value for all valid codes.
    pub(crate) fn is_defined(&mut self, expr: ExprId) -> Result<bool, Limit> {
        let undefined = self.truth(expr, Time::Now)?.undefined;
        Ok(undefined == Signal::FALSE || self.never_holds(undefined))
    }

    fn mentions_input(&self, expr: ExprId) -> bool {
        self.system.mentions(expr, |node| matches!(node, Node::Var(var) if self.system[*var].kind == VarKind::Input))
    }

    fn mentions_step(&self, expr: ExprId) -> bool {
        self.mentions_input(expr) || mentions_next(&self.system, expr)
    }

    /// States in which an expression that speaks of a step has a truth value though there is no step; and perhaps others.
    fn without_step(&mut self, expr: ExprId, wanted: bool) -> Result<Signal, Limit> {
        if let Some(known) = self.ends.get(&(expr, wanted)) {
            return Ok(*known);
        }
        let ends = stacker::maybe_grow(64 << 10, 1 << 20, || self.without_step_inner(expr, wanted))?;
        self.ends.insert((expr, wanted), ends);
        Ok(ends)
    }

    fn without_step_inner(&mut self, expr: ExprId, wanted: bool) -> Result<Signal, Limit> {
        if !self.mentions_step(expr) {
            let Truth { yes, no, .. } = self.truth(expr, Time::Now)?;
            return Ok(if wanted { yes } else { no });
        }
        let circuit = self.machine.circuit.clone();
        match self.system[expr].clone() {
            Node::Define(define) => self.without_step(self.system.body(define), wanted),
            Node::Unary(UnaryOp::Not, a) => self.without_step(a, !wanted),
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), a, b) => {
                let left = self.without_step(a, wanted != (op == BinaryOp::Implies))?;
                let right = self.without_step(b, wanted)?;
                if (op == BinaryOp::And) == wanted { circuit.and(&left, &right) } else { circuit.or(&left, &right) }
            }
            // Every part of these needs a value.
            _ if !self.system.mentions(expr, can_ignore_parts) => Ok(Signal::FALSE),
            _ => Ok(Signal::TRUE),
        }
    }
}

pub(super) fn is_ctl(node: &Node) -> bool {
    match node {
        Node::Unary(op, _) => op.logic() == Some(Logic::Ctl),
        Node::Binary(op, ..) => op.logic() == Some(Logic::Ctl),
        Node::Bounded(op, ..) => op.logic() == Logic::Ctl,
        Node::BoundedUntil(..) => true,
        _ => false,
    }
}

/// Whether a node may have a value although a part of it has none.
fn can_ignore_parts(node: &Node) -> bool {
    let is_strict = match node {
        Node::Binary(op, ..) => !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::In),
        Node::Const(_) | Node::Var(_) | Node::Define(_) | Node::Next(_) | Node::Unary(..) | Node::Slice(..) => true,
        _ => false,
    };
    !is_strict
}
