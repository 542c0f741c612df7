//! Goals of the user: goals to reach, and trap properties to falsify.

use super::builder::{Builder, Draft};
use specwright_mc::Query;
use specwright_model::formula::{Dialect, FormulaError, formula};
use specwright_model::op::{Logic, UnaryOp};
use specwright_model::{Model, Node};
use specwright_syntax::span::{SourceFile, Span};

/// A goal of the user.
#[derive(Clone, Debug)]
pub struct UserGoal {
    /// Its text.
    pub text: String,
    /// Its source span.
    pub span: Span,
    /// Its target.
    pub target: Query,
    trap: bool,
}

impl UserGoal {
    /// A goal: an expression or a CTL formula that holds somewhere on the execution, or an LTL formula that holds from
    /// the start.
    pub fn goal(model: &Model, source: &SourceFile, dialect: Dialect) -> Result<UserGoal, FormulaError> {
        let (formula, logic) = formula(model, source, dialect)?;
        let make = |node| model.make(node).expect("formulas are truth values");
        let target = match logic {
            None => Query::Reach(formula),
            // The test refutes that the formula never holds, so that universal parts are never considered shown.
            Some(Logic::Ctl) => {
                let not = make(Node::Unary(UnaryOp::Not, formula));
                Query::Falsify(make(Node::Unary(UnaryOp::AG, not)))
            }
            Some(Logic::Ltl) => Query::Falsify(make(Node::Unary(UnaryOp::Not, formula))),
        };
        Ok(UserGoal { text: source.text.trim().into(), span: source.span(), target, trap: false })
    }

    /// A trap property: a formula whose counterexample is the test.
    pub fn trap(model: &Model, source: &SourceFile, dialect: Dialect) -> Result<UserGoal, FormulaError> {
        let (formula, _) = formula(model, source, dialect)?;
        Ok(UserGoal {
            text: source.text.trim().into(),
            span: source.span(),
            target: Query::Falsify(formula),
            trap: true,
        })
    }
}

pub(super) fn goals(builder: &mut Builder<'_>) {
    for wish in &builder.options.user_goals {
        let (group, verb) = if wish.trap { ("trap", "falsify") } else { ("goal", "reach") };
        builder.add(Draft {
            key: None,
            group: group.into(),
            description: format!("{verb} `{}`", wish.text),
            span: wish.span,
            target: wish.target,
        });
    }
}
