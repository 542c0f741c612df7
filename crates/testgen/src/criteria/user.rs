//! Goals of the user: goals to reach, and trap properties to falsify.

use super::builder::{Builder, Draft};
use specwright_mc::Query;
use specwright_model::lower::smv::parse_expr_in;
use specwright_model::op::{Logic, UnaryOp};
use specwright_model::typing::is_temporal;
use specwright_model::{ExprId, Model, Node, Ty};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::Dialect;
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

/// Why a goal of the user is invalid.
#[derive(Clone, Debug)]
pub enum UserGoalError {
    /// It is not a formula over the names of the model.
    Invalid(Vec<Diagnostic>),
    /// It is not boolean.
    NotBoolean,
}

impl UserGoal {
    /// A goal: an expression or a CTL formula that holds somewhere on the execution, or an LTL formula that holds from
    /// the start.
    pub fn goal(model: &mut Model, source: &SourceFile, dialect: Dialect) -> Result<UserGoal, UserGoalError> {
        let (formula, logic) = formula(model, source, dialect)?;
        let mut make = |node| model.make(node).expect("formulas are truth values");
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
    pub fn trap(model: &mut Model, source: &SourceFile, dialect: Dialect) -> Result<UserGoal, UserGoalError> {
        let (formula, _) = formula(model, source, dialect)?;
        Ok(UserGoal {
            text: source.text.trim().into(),
            span: source.span(),
            target: Query::Falsify(formula),
            trap: true,
        })
    }
}

/// A formula, and its logic if it is temporal.
pub fn formula(
    model: &mut Model,
    source: &SourceFile,
    dialect: Dialect,
) -> Result<(ExprId, Option<Logic>), UserGoalError> {
    let mut failure = None;
    for logic in [None, Some(Logic::Ctl), Some(Logic::Ltl)] {
        let (sourced, diagnostics) = parse_expr_in(model, source, dialect, logic);
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        match sourced.filter(|_| !failed) {
            Some(sourced) if *model.exprs.ty(sourced.expr) != Ty::BOOL => return Err(UserGoalError::NotBoolean),
            Some(sourced) if logic.is_none() && model.mentions(sourced.expr, is_temporal) => {}
            Some(sourced) => return Ok((sourced.expr, logic)),
            // The diagnostics of CTL are reported, since it has the most operators.
            None if logic == Some(Logic::Ctl) || failure.is_none() => failure = Some(diagnostics),
            None => {}
        }
    }
    Err(UserGoalError::Invalid(failure.unwrap_or_default()))
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
