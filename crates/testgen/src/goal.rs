//! Goals: what a test is to expose. Every criterion, from mutants to MC/DC, comes down to these.

use crate::pair::Pair;
use specwright_mc::{Answer, Proof, Reason, Symbolic};
use specwright_model::{ExprId, Trace};
use specwright_syntax::span::Span;

/// One thing that a test can expose.
#[derive(Clone, Debug)]
pub struct Goal {
    /// A stable name: the same goal of the same specification has the same one tomorrow.
    pub id: String,
    /// The criterion that asks for it, such as `mutation` or `mcdc`.
    pub criterion: &'static str,
    /// What it is counted under within its criterion, such as the operators that made a mutant; at least one.
    pub groups: Vec<String>,
    /// What it is, in one line for people.
    pub description: String,
    /// The place in the specification that it is about.
    pub span: Span,
    /// The property that it was made from, counted from 0 in the model.
    pub property: Option<usize>,
    /// What has to happen.
    pub target: Target,
    /// The pair that it is a half of, if it counts only along with another goal.
    pub pair: Option<Pair>,
    /// When that is called for, but updates contradict each other, so that the step does not exist: a truth value of a
    /// state. A goal that only this stops is a finding.
    pub contradiction: Option<ExprId>,
}

impl Goal {
    /// Whether its target is one of several that would do and was chosen without looking at the others: then it proves
    /// nothing that no execution does it.
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
    /// Show that a formula of CTL or LTL, or an invariant, is false.
    Falsify(ExprId),
    /// Reach a state in which an expression holds, or take such a step, if it speaks of inputs or next values.
    Reach(ExprId),
    /// Show that a formula is true: a way of existential CTL, or of LTL.
    Show(ExprId),
}

impl Target {
    /// What it is about.
    pub fn expr(self) -> ExprId {
        match self {
            Target::Falsify(expr) | Target::Reach(expr) | Target::Show(expr) => expr,
        }
    }

    /// The same about another expression.
    #[must_use]
    pub fn with(self, expr: ExprId) -> Target {
        match self {
            Target::Falsify(_) => Target::Falsify(expr),
            Target::Reach(_) => Target::Reach(expr),
            Target::Show(_) => Target::Show(expr),
        }
    }

    /// Asks an engine for an execution that does it.
    pub fn pursue(self, engine: &mut Symbolic) -> Answer<Trace> {
        match self {
            Target::Falsify(formula) => engine.falsify(formula),
            Target::Reach(expr) => engine.reach(expr),
            Target::Show(formula) => engine.show(formula),
        }
    }
}
