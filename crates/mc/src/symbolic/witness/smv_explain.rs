//! Counterexamples as SMV explains them, to reproduce published suites.
//!
//! SMV finds a nearest state in which `f` of a false `AG f` does not hold, and goes on from there to explain `f`: of the
//! operands of a connective the left one, and the right one only if the left one leads nowhere, whether or not it is
//! responsible. So these counterexamples may go on after the violation, where minimal ones stop.

use crate::answer::Answer;
use crate::search::SmvExplain;
use crate::symbolic::Symbolic;
use crate::symbolic::ctl::Stop;
use crate::symbolic::witness::{Walk, choose};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{ExprId, Node, Trace};
use specwright_syntax::budget::Budget;

impl SmvExplain for Symbolic {
    fn explain_failure(&mut self, formula: ExprId, budget: &Budget) -> Answer<Trace> {
        self.within(&budget.for_query(), |engine| {
            let _clock = engine.start_clock();
            engine.explained(formula).into()
        })
    }
}

impl Symbolic {
    fn explained(&mut self, formula: ExprId) -> Result<Option<Trace>, Stop> {
        let Node::Unary(UnaryOp::AG, inner) = self.system[formula] else { return Ok(None) };
        if self.mentions_input(inner) {
            return Ok(None);
        }
        self.prepare()?;
        let is_false = self.deciding(inner, false)?;
        let bad = self.manager.and(&self.fair(), &is_false)?;
        let Some(ways) = self.shortest_ways(&bad)? else { return Ok(None) };
        let mut walk = self.walk_to_nearest(&ways)?;
        self.explain(inner, &mut walk)?;
        Ok(Some(self.trace(&walk)?))
    }

    /// Goes on with a walk to where a formula is decided. Says whether it went anywhere.
    fn explain(&mut self, formula: ExprId, walk: &mut Walk) -> Result<bool, Stop> {
        use BinaryOp::{And, Iff, Implies, Or, Xnor, Xor};
        match self.system[formula] {
            Node::Unary(UnaryOp::Not, f) => self.explain(f, walk),
            Node::Unary(UnaryOp::AX, f) => self.explain_next(f, false, walk),
            Node::Unary(UnaryOp::EX, f) => self.explain_next(f, true, walk),
            Node::Binary(And | Or | Implies | Iff | Xor | Xnor, f, g) => {
                Ok(self.explain(f, walk)? || self.explain(g, walk)?)
            }
            _ => Ok(false),
        }
    }

    /// Takes a step to where a formula has this truth value, if there is one, and explains it there.
    fn explain_next(&mut self, formula: ExprId, truth: bool, walk: &mut Walk) -> Result<bool, Stop> {
        let wanted = self.deciding(formula, truth)?;
        let Some(here) = walk.points.last() else { return Ok(false) };
        let after = self.machine.relation.image(&here.set(&self.manager)?)?;
        let after = self.manager.and(&after, &self.fair())?;
        let after = self.manager.and(&after, &wanted)?;
        if after.is_false() {
            return Ok(false);
        }
        walk.points.push(choose(&after, &self.state_wishes()));
        self.explain(formula, walk)?;
        Ok(true)
    }
}
