//! Executions with a purpose: what test generation asks of the engine.

use crate::check::{Evidence, Reason, Verdict};
use crate::ctl::Stop;
use crate::encode::Time;
use crate::engine::Engine;
use crate::linear::Universal;
use specwright_model::op::Logic;
use specwright_model::{ExprId, Trace};

/// What became of a wish for an execution.
#[derive(Clone, Debug)]
pub enum Pursuit {
    /// Here is one, as short as any.
    Found(Trace),
    /// There is none.
    Infeasible,
    /// What was to be shown is so, but no single execution shows it.
    Nonfalsifiable,
    /// Nobody knows.
    Unknown(Reason),
}

impl Engine {
    /// An execution that shows that a formula is false. Plain expressions are read as invariants.
    pub fn falsify(&mut self, formula: ExprId) -> Pursuit {
        self.restart_clock();
        let verdict = match self.logic(formula) {
            None => self.check_invariant(formula),
            Some(Logic::Ctl) => self.check_ctl(formula),
            Some(Logic::Ltl) => self.check_ltl(formula),
        };
        match verdict {
            Ok(Verdict::Fails(Evidence::Trace(trace))) => Pursuit::Found(trace),
            Ok(Verdict::Fails(_)) => Pursuit::Nonfalsifiable,
            Ok(_) => Pursuit::Infeasible,
            Err(stop) => Pursuit::Unknown(stop.into()),
        }
    }

    /// An execution to a state in which an expression holds, or through such a step if it speaks of inputs or next values.
    pub fn reach(&mut self, expr: ExprId) -> Pursuit {
        self.restart_clock();
        let found = self.reach_inner(expr);
        Pursuit::of(found)
    }

    fn reach_inner(&mut self, expr: ExprId) -> Result<Option<Trace>, Stop> {
        self.explore(&mut |_| ())?;
        let holds = self.plain(expr, Time::Now)?;
        Ok(self.shortest_to_plain(expr, &holds)?)
    }

    /// An execution on which a formula is true.
    pub fn show(&mut self, formula: ExprId) -> Pursuit {
        self.restart_clock();
        let logic = self.logic(formula).unwrap_or(Logic::Ctl);
        let Engine { linear, model, .. } = self;
        let wanted = linear.read(model, formula, true, Universal::Drop);
        let found = self.path(wanted, logic);
        Pursuit::of(found)
    }

    /// The logic of a formula; none for a plain expression.
    pub(crate) fn logic(&self, formula: ExprId) -> Option<Logic> {
        use specwright_model::Node;
        self.model.exprs.parts([formula]).into_iter().find_map(|part| match &self.model[part] {
            Node::Unary(op, _) => op.logic(),
            Node::Binary(op, ..) => op.logic(),
            Node::Bounded(op, ..) => Some(op.logic()),
            Node::BoundedUntil(..) => Some(Logic::Ctl),
            _ => None,
        })
    }
}

impl Pursuit {
    fn of(found: Result<Option<Trace>, Stop>) -> Pursuit {
        match found {
            Ok(Some(trace)) => Pursuit::Found(trace),
            Ok(None) => Pursuit::Infeasible,
            Err(stop) => Pursuit::Unknown(stop.into()),
        }
    }
}
