//! What the user asks for: goals to reach, and trap properties to falsify.

use super::cx::{Cx, Draft};
use crate::goal::Target;
use specwright_model::formula::{Dialect, FormulaError, formula};
use specwright_model::op::{Logic, UnaryOp};
use specwright_model::{Model, Node};
use specwright_syntax::span::{SourceFile, Span};

/// Something that the user asks for.
#[derive(Clone, Debug)]
pub struct Wish {
    /// What it says.
    pub text: String,
    /// Its place among the sources.
    pub span: Span,
    /// What has to happen.
    pub target: Target,
    trap: bool,
}

impl Wish {
    /// A goal: an expression, a formula of CTL, to hold somewhere on the way; or one of LTL, to hold from the start on.
    pub fn goal(model: &mut Model, source: &SourceFile, dialect: Dialect) -> Result<Wish, FormulaError> {
        let (formula, logic) = formula(model, source, dialect)?;
        let mut make = |node| model.make(node).expect("formulas are truth values");
        let target = match logic {
            None => Target::Reach(formula),
            // That it never holds is what a test refutes, so that universal parts are never taken for shown.
            Some(Logic::Ctl) => {
                let not = make(Node::Unary(UnaryOp::Not, formula));
                Target::Falsify(make(Node::Unary(UnaryOp::AG, not)))
            }
            Some(Logic::Ltl) => Target::Falsify(make(Node::Unary(UnaryOp::Not, formula))),
        };
        Ok(Wish { text: source.text.trim().into(), span: source.span(), target, trap: false })
    }

    /// A trap property: a formula that is false, so that its counterexample is the test that is wanted.
    pub fn trap(model: &mut Model, source: &SourceFile, dialect: Dialect) -> Result<Wish, FormulaError> {
        let (formula, _) = formula(model, source, dialect)?;
        Ok(Wish { text: source.text.trim().into(), span: source.span(), target: Target::Falsify(formula), trap: true })
    }
}

pub(super) fn goals(cx: &mut Cx<'_>) {
    for wish in &cx.options.wishes {
        let (group, verb) = if wish.trap { ("trap", "falsify") } else { ("goal", "reach") };
        cx.add(Draft {
            key: None,
            group: group.into(),
            description: format!("{verb} `{}`", wish.text),
            span: wish.span,
            target: wish.target,
        });
    }
}
