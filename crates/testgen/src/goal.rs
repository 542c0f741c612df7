//! Goals of tests. Every criterion, from mutation to MC/DC, is a set of goals.

use crate::pair::Pair;
use specwright_mc::{Answer, Proof, Reason, Symbolic};
use specwright_model::{ExprId, Trace};
use specwright_syntax::span::Span;

/// A goal of a test.
#[derive(Clone, Debug)]
pub struct Goal {
    /// A stable id: the same goal of the same specification always has the same one.
    pub id: String,
    /// Its criterion, such as `mutation` or `mcdc`.
    pub criterion: &'static str,
    /// Its groups within the criterion, such as the operators that made a mutant; at least one.
    pub groups: Vec<String>,
    /// Its description, in one line.
    pub description: String,
    /// The source span that it is about.
    pub span: Span,
    /// The property that it was made from, as an index into the properties of the model.
    pub property: Option<usize>,
    /// Its target.
    pub target: Target,
    /// The pair that it is a half of, if it is covered only together with another goal.
    pub pair: Option<Pair>,
    /// The condition that a state requires its step but updates are inconsistent, so that the step does not exist. A
    /// goal that is infeasible only for this reason is reported.
    pub contradiction: Option<ExprId>,
}

impl Goal {
    /// Whether its target is one of several alternatives that were not all examined: then the lack of an execution does
    /// not prove infeasibility.
    pub fn is_guess(&self) -> bool {
        self.pair.as_ref().is_some_and(|pair| !pair.settled)
    }

    /// Whether a contradiction is all that stops a goal which no execution reaches.
    fn is_stopped(&self, engine: &mut Symbolic) -> Answer<Trace> {
        self.contradiction.map_or(Answer::INFEASIBLE, |when| engine.reach(when))
    }

    /// The answer to this goal: what the engine proves of the target, unless the target is a guess, or only a contradiction
    /// stops it.
    pub(crate) fn settle(&self, engine: &mut Symbolic, answer: Answer<Trace>) -> Answer<Trace> {
        match answer {
            Answer::Impossible(Proof::Infeasible) if self.is_guess() => Answer::Undecided(Reason::OtherPairs),
            Answer::Impossible(Proof::Infeasible) => match self.is_stopped(engine) {
                Answer::Found(way) => Answer::Impossible(Proof::Inconsistent(Some(Box::new(way)))),
                Answer::Impossible(_) => Answer::INFEASIBLE,
                undecided @ Answer::Undecided(_) => undecided,
            },
            answer => answer,
        }
    }
}

/// What an execution has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// Falsify a CTL or LTL formula, or an invariant.
    Falsify(ExprId),
    /// Reach a state in which an expression holds; or a step, if it reads inputs or next values.
    Reach(ExprId),
    /// Show that a formula of existential CTL or of LTL is true.
    Show(ExprId),
}

impl Target {
    /// Its expression.
    pub fn expr(self) -> ExprId {
        match self {
            Target::Falsify(expr) | Target::Reach(expr) | Target::Show(expr) => expr,
        }
    }

    /// The same target for another expression.
    #[must_use]
    pub fn with(self, expr: ExprId) -> Target {
        match self {
            Target::Falsify(_) => Target::Falsify(expr),
            Target::Reach(_) => Target::Reach(expr),
            Target::Show(_) => Target::Show(expr),
        }
    }

    /// Asks an engine for an execution.
    pub fn pursue(self, engine: &mut Symbolic) -> Answer<Trace> {
        match self {
            Target::Falsify(formula) => engine.falsify(formula),
            Target::Reach(expr) => engine.reach(expr),
            Target::Show(formula) => engine.show(formula),
        }
    }
}
