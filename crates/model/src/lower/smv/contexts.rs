//! Contexts of expressions: where `next`, inputs and temporal operators are allowed.

use super::{Lowering, Traits};
use crate::expr::{ExprId, Node, SourcedExpr};
use crate::model::VarKind;
use crate::op::Logic;
use crate::ty::Ty;
use crate::typing::{Problem, TypeError, is_temporal, takes_formulas};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::codes;
use specwright_syntax::span::Span;

/// It has `next`.
pub(super) const NEXT: Traits = 1;
/// It has an input.
pub(super) const INPUT: Traits = 2;
/// It has an operator of CTL.
pub(super) const CTL: Traits = 4;
/// It has an operator of LTL.
pub(super) const LTL: Traits = 8;
/// It has an input below `next`.
pub(super) const NEXT_INPUT: Traits = 16;

/// A context of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExprContext {
    Define,
    Init,
    Trans,
    Invar,
    Fairness,
    InitAssign,
    NextAssign,
    Assign,
    Ctl,
    Ltl,
    InvarSpec,
}

impl ExprContext {
    /// The traits that are not allowed in this context.
    fn forbidden(self) -> Traits {
        match self {
            ExprContext::Define => CTL | LTL,
            ExprContext::Init | ExprContext::Invar | ExprContext::InitAssign | ExprContext::Assign => {
                NEXT | INPUT | CTL | LTL
            }
            ExprContext::Trans | ExprContext::NextAssign | ExprContext::InvarSpec => NEXT_INPUT | CTL | LTL,
            ExprContext::Fairness => NEXT | CTL | LTL,
            ExprContext::Ctl => NEXT | INPUT | LTL,
            ExprContext::Ltl => NEXT_INPUT | CTL,
        }
    }

    fn name(self) -> &'static str {
        match self {
            ExprContext::Define => "a define",
            ExprContext::Init => "`INIT`",
            ExprContext::Trans => "`TRANS`",
            ExprContext::Invar => "`INVAR`",
            ExprContext::Fairness => "a fairness constraint",
            ExprContext::InitAssign => "an `init` assignment",
            ExprContext::NextAssign => "a `next` assignment",
            ExprContext::Assign => "an assignment to the current value",
            ExprContext::Ctl => "a formula of CTL",
            ExprContext::Ltl => "a formula of LTL",
            ExprContext::InvarSpec => "`INVARSPEC`",
        }
    }
}

impl Lowering<'_> {
    /// The traits of a node; an error if a part is not allowed there.
    pub(super) fn traits_of(&self, node: &Node) -> Result<Traits, TypeError> {
        let mut traits = match node {
            Node::Var(var) if self.model[*var].kind == VarKind::Input => INPUT,
            Node::Define(define) => self.traits[self.model.body(*define).0 as usize],
            _ => own_traits(node),
        };
        let formulas = takes_formulas(node);
        let (mut error, mut operand) = (None, 0);
        node.for_each_child(|child| {
            let inner = self.traits[child.0 as usize];
            traits |= inner;
            let problem = if matches!(node, Node::Next(_)) && inner & NEXT != 0 {
                Some(Problem::NestedNext)
            } else if !formulas && inner & (CTL | LTL) != 0 {
                Some(Problem::Temporal)
            } else {
                None
            };
            if let (Some(problem), true) = (problem, error.is_none()) {
                error = Some(TypeError { operand, found: self.model.context.exprs.ty(child).clone(), problem });
            }
            operand += 1;
        });
        if matches!(node, Node::Next(_)) && traits & INPUT != 0 {
            traits |= NEXT_INPUT;
        }
        error.map_or(Ok(traits), Err)
    }

    /// Whether an expression is allowed in a context; reports it if not.
    pub(super) fn check_context(&mut self, sourced: &SourcedExpr, context: ExprContext) -> bool {
        let wrong = self.traits[sourced.expr.0 as usize] & context.forbidden();
        if wrong == 0 {
            return true;
        }
        for bit in [NEXT, INPUT, CTL, LTL, NEXT_INPUT] {
            if wrong & bit != 0 {
                self.report_misplaced(sourced, context, bit);
            }
        }
        false
    }

    fn report_misplaced(&mut self, sourced: &SourcedExpr, context: ExprContext, bit: Traits) {
        let (span, node) = self.find_trait(sourced, bit);
        let where_ = context.name();
        let through = match &node {
            Node::Define(define) => Some((self.model[*define].name.clone(), self.model[*define].span)),
            _ => None,
        };
        let mut diagnostic = match bit {
            NEXT => Diagnostic::error(codes::MISPLACED_NEXT, span, format!("`next` cannot be used in {where_}")),
            INPUT => {
                Diagnostic::error(codes::MISPLACED_INPUT, span, format!("an input variable cannot be used in {where_}"))
                    .note("an input belongs to a step, not to a state")
            }
            NEXT_INPUT => Diagnostic::error(
                codes::MISPLACED_INPUT,
                span,
                format!("`next` of an input variable cannot be used in {where_}"),
            )
            .note("an input belongs to a step, and the next step is not known yet"),
            bit => {
                let logic = if bit == CTL { "CTL" } else { "LTL" };
                let message = format!("an operator of {logic} cannot be used in {where_}");
                let diagnostic = Diagnostic::error(codes::MISPLACED_TEMPORAL, span, message);
                match (context, bit) {
                    (ExprContext::Ctl, LTL) => diagnostic.help("properties of LTL are declared with `LTLSPEC`"),
                    (ExprContext::Ltl, CTL) => diagnostic.help("properties of CTL are declared with `CTLSPEC`"),
                    _ => diagnostic,
                }
            }
        };
        if let Some((name, span)) = through {
            diagnostic = if span.is_some() {
                diagnostic.also(span, format!("it occurs in `{name}`"))
            } else {
                diagnostic.note(format!("`{name}` says whether the process takes the step"))
            };
        }
        self.report(diagnostic);
    }

    /// The first occurrence of a trait in an expression, direct or through a define.
    fn find_trait(&self, sourced: &SourcedExpr, bit: Traits) -> (Span, Node) {
        let mut spans = sourced.spans.iter();
        let mut stack = vec![sourced.expr];
        let mut found = (sourced.span(), self.model[sourced.expr].clone());
        while let Some(expr) = stack.pop() {
            let span = spans.next().copied().unwrap_or(Span::NONE);
            let node = &self.model[expr];
            let here = self.traits[expr.0 as usize] & bit != 0;
            if here && span.is_some() {
                found = (span, node.clone());
            }
            let mut children = node.children();
            let deeper = children.iter().any(|child| self.traits[child.0 as usize] & bit != 0);
            if here && (!deeper || own_traits(node) & bit != 0) {
                break;
            }
            children.reverse();
            stack.extend(children);
        }
        found
    }

    /// Whether an expression is boolean; reports it if not.
    pub(super) fn check_boolean(&mut self, sourced: &SourcedExpr, what: &str) -> bool {
        let ty = self.model.context.exprs.ty(sourced.expr).clone();
        if ty == Ty::BOOL {
            return true;
        }
        let message = format!("{what} must be boolean, but this is {}", super::mismatch::article(&ty));
        let diagnostic = Diagnostic::error(codes::NOT_BOOLEAN, sourced.span(), message);
        let diagnostic = self.suggest_truth_value(diagnostic, sourced.expr, sourced.span());
        self.report(diagnostic);
        false
    }

    /// Suggests TRUE or FALSE for 1 or 0.
    pub(super) fn suggest_truth_value(&self, diagnostic: Diagnostic, expr: ExprId, span: Span) -> Diagnostic {
        use crate::value::Value;
        let meant = match self.model[expr] {
            Node::Const(Value::Int(0)) => "FALSE",
            Node::Const(Value::Int(1)) => "TRUE",
            _ => return diagnostic,
        };
        diagnostic.suggest("the booleans are TRUE and FALSE", span, meant)
    }
}

/// The traits of a node without its parts.
fn own_traits(node: &Node) -> Traits {
    let logic = match node {
        Node::Next(_) => return NEXT,
        Node::Unary(op, _) => op.logic(),
        Node::Binary(op, ..) => op.logic(),
        Node::Bounded(op, ..) => Some(op.logic()),
        Node::BoundedUntil(..) => Some(Logic::Ctl),
        _ => None,
    };
    debug_assert_eq!(logic.is_some(), is_temporal(node), "one notion of temporal");
    match logic {
        Some(Logic::Ctl) => CTL,
        Some(Logic::Ltl) => LTL,
        None => 0,
    }
}
