//! Parser of expressions: operator precedence with an explicit stack, so that deep nesting cannot exhaust the stack of
//! the thread.
//!
//! The parser is in one of two positions: before an operand (`operand.rs`), or after an operand, before an operator or
//! a closing sign (`operator.rs`). Unfinished constructs wait on a stack of [`Frame`]s: operators for their right
//! operand, brackets for their closing sign.

use super::expand::{Event, Replicator};
use super::{Abandoned, Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::op::{BinaryOp, BoundedOp, BoundedUntilOp, Builtin, UnaryOp};
use crate::smv::ast::{ExprId, ExprKind, MAX_HEIGHT};
use crate::smv::codes;
use crate::smv::grammar::{Grammar, Level};
use crate::span::Span;

/// A parsed expression; its span *includes* the parentheses around it.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub(super) id: ExprId,
    pub(super) span: Span,
}

/// An infix operator; some stand for a whole formula.
#[derive(Clone, Copy)]
pub(super) enum Infix {
    Binary(BinaryOp),
    /// `notin` of CMU SMV.
    NotIn,
    /// PSL: `until!` is strong, `until_` includes the last state.
    Until {
        strong: bool,
        inclusive: bool,
    },
    /// PSL: `before!`, `before_`
    Before {
        strong: bool,
        inclusive: bool,
    },
}

/// The quantifier before `[p U q]`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Path {
    All,
    Some,
    /// `[p U q]` of PSL.
    Bare,
}

/// An unfinished construct that waits for an operand.
pub(super) enum Frame {
    // Operators.
    Prefix {
        op: UnaryOp,
        level: Level,
    },
    Bounded {
        op: BoundedOp,
        low: ExprId,
        high: ExprId,
    },
    Infix {
        op: Infix,
        level: Level,
        left: Operand,
    },
    Range {
        left: Operand,
    },
    Else {
        condition: Operand,
        then: ExprId,
    },
    Replicate(Box<Replicator>),
    // Brackets.
    Paren,
    Then {
        condition: Operand,
    },
    Case(Box<CaseFrame>),
    Set(Vec<ExprId>),
    Array(Vec<ExprId>),
    Call(Builtin, Vec<ExprId>),
    /// `select(w, high, low)` of PSL.
    Select(Vec<ExprId>),
    Next,
    Index {
        base: Operand,
    },
    Slice {
        base: Operand,
        high: ExprId,
    },
    UntilLeft(Path),
    UntilRight {
        path: Path,
        left: ExprId,
        bounds: Option<(ExprId, ExprId)>,
        weak: bool,
    },
    EventCondition(Event),
    EventBody(Event, Option<ExprId>),
}

/// An unfinished `case`.
#[derive(Default)]
pub(super) struct CaseFrame {
    pub(super) branches: Vec<(ExprId, ExprId)>,
    /// The guard of the current branch, once it is parsed.
    pub(super) guard: Option<ExprId>,
    /// Index of the first token of the current branch.
    pub(super) branch_start: usize,
    /// Whether a branch was abandoned after an error.
    pub(super) failed: bool,
}

/// A frame and the span of its opening.
pub(super) struct Open {
    pub(super) frame: Frame,
    pub(super) span: Span,
}

/// The unfinished constructs, outermost first.
#[derive(Default)]
pub(super) struct Stack {
    pub(super) open: Vec<Open>,
    /// Indices of the frames that are brackets.
    pub(super) brackets: Vec<usize>,
    /// Whether an unclosed bracket was reported already.
    pub(super) reported_unclosed: bool,
}

/// The constructs that were unfinished when an expression was abandoned.
#[derive(Clone, Copy, Default)]
pub(super) struct Unfinished {
    pub(super) cases: usize,
    pub(super) braces: usize,
}

/// The next step of the parser.
pub(super) enum Step {
    Operand,
    Operator(Operand),
    Done(Operand),
}

impl Frame {
    /// The level of the right operand of an unfinished operator; `None` for brackets.
    pub(super) fn level(&self, grammar: Grammar) -> Option<Level> {
        match self {
            Frame::Prefix { level, .. } | Frame::Infix { level, .. } => Some(*level),
            Frame::Bounded { .. } => Some(grammar.unary(UnaryOp::EX)),
            Frame::Range { .. } => Some(grammar.range()),
            Frame::Else { .. } | Frame::Replicate(_) => Some(grammar.conditional()),
            _ => None,
        }
    }
}

impl Stack {
    pub(super) fn top(&self) -> Option<&Frame> {
        self.open.last().map(|open| &open.frame)
    }

    /// The innermost bracket.
    pub(super) fn bracket(&self) -> Option<&Open> {
        self.brackets.last().map(|at| &self.open[*at])
    }

    pub(super) fn pop(&mut self) -> Option<Open> {
        if self.brackets.last() == Some(&(self.open.len().wrapping_sub(1))) {
            self.brackets.pop();
        }
        self.open.pop()
    }

    /// Drops everything inside the innermost `case` and returns it.
    fn unwind_to_case(&mut self) -> Option<&mut CaseFrame> {
        while !matches!(self.top(), None | Some(Frame::Case(_))) {
            self.pop();
        }
        match self.open.last_mut() {
            Some(Open { frame: Frame::Case(case), .. }) => Some(case),
            _ => None,
        }
    }

    /// The constructs that would have to be closed if the expression were abandoned.
    fn unfinished(&self) -> Unfinished {
        let mut unfinished = Unfinished::default();
        for at in &self.brackets {
            match self.open[*at].frame {
                Frame::Set(_) => unfinished.braces += 1,
                Frame::Case(_) => unfinished.cases += 1,
                _ => {}
            }
        }
        unfinished
    }
}

impl Parser<'_> {
    /// Parses an expression or formula of any kind.
    pub(super) fn expr(&mut self) -> Parsed<ExprId> {
        self.expr_from(Stack::default(), Step::Operand)
    }

    /// Parses the body of a DEFINE: an expression or an array.
    pub(super) fn define_body(&mut self) -> Parsed<ExprId> {
        if self.kind() != crate::smv::token::TokenKind::LBracket {
            return self.expr();
        }
        let mut stack = Stack::default();
        let opener = self.bump().span;
        self.open(&mut stack, Frame::Array(Vec::new()), opener)?;
        self.expr_from(stack, Step::Operand)
    }

    fn expr_from(&mut self, mut stack: Stack, mut step: Step) -> Parsed<ExprId> {
        loop {
            let next = match step {
                Step::Operand => self.operand(&mut stack),
                Step::Operator(operand) => self.operator(&mut stack, operand),
                Step::Done(operand) => return Ok(operand.id),
            };
            if let Ok(next) = next {
                step = next;
                continue;
            }
            let unfinished = stack.unfinished();
            let too_deep = stack.open.len() > MAX_HEIGHT as usize;
            if too_deep || !self.resume_case(&mut stack) {
                self.unfinished = unfinished;
                return Err(Abandoned);
            }
            step = Step::Operand;
        }
    }

    /// Resumes at the next branch of the innermost `case`, if there is one.
    fn resume_case(&mut self, stack: &mut Stack) -> bool {
        let Some(case) = stack.unwind_to_case() else { return false };
        case.failed = true;
        case.guard = None;
        if !self.skip_branch() {
            return false;
        }
        case.branch_start = self.at;
        true
    }

    /// Pushes a frame.
    pub(super) fn open(&mut self, stack: &mut Stack, frame: Frame, span: Span) -> Parsed<Step> {
        if frame.level(self.grammar).is_none() {
            stack.brackets.push(stack.open.len());
        }
        stack.open.push(Open { frame, span });
        if stack.open.len() > MAX_HEIGHT as usize {
            return Err(self.too_deep(span));
        }
        Ok(Step::Operand)
    }

    /// Adds an expression with this span.
    pub(super) fn make(&mut self, kind: ExprKind, span: Span) -> Parsed<Operand> {
        let id = self.exprs.add(kind, span);
        self.psl.note(&self.exprs, id);
        if self.exprs.height(id) > MAX_HEIGHT {
            return Err(self.too_deep(span));
        }
        if self.psl.is_too_large() {
            return Err(self.psl_too_large(span));
        }
        Ok(Operand { id, span })
    }

    fn too_deep(&mut self, span: Span) -> Abandoned {
        let start = Span::new(span.start, span.start + 1);
        self.report(
            Diagnostic::error(codes::TOO_DEEP, start, "this expression is nested too deeply")
                .note(format!("expressions may be nested {MAX_HEIGHT} levels deep"))
                .help("give names to parts of it in a DEFINE section"),
        );
        Abandoned
    }

    /// Completes the unfinished operators that bind tighter than `level`; those of equal level if `also_equal`.
    pub(super) fn reduce(
        &mut self,
        stack: &mut Stack,
        mut right: Operand,
        level: Level,
        also_equal: bool,
    ) -> Parsed<Operand> {
        while let Some(waiting) = stack.top().and_then(|frame| frame.level(self.grammar)) {
            if waiting < level || (waiting == level && !also_equal) {
                break;
            }
            let Some(Open { frame, span }) = stack.pop() else { break };
            right = self.apply(frame, span, right)?;
        }
        Ok(right)
    }

    /// Completes one operator.
    fn apply(&mut self, frame: Frame, start: Span, right: Operand) -> Parsed<Operand> {
        let span = start.to(right.span);
        match frame {
            Frame::Prefix { op, .. } => self.make(ExprKind::Unary(op, right.id), span),
            Frame::Bounded { op, low, high } => self.make(ExprKind::Bounded(op, low, high, right.id), span),
            Frame::Infix { op, left, .. } => self.apply_infix(op, left, right),
            Frame::Range { left } => self.make(ExprKind::Range(left.id, right.id), left.span.to(right.span)),
            Frame::Else { condition, then } => {
                self.make(ExprKind::Ite(condition.id, then, right.id), condition.span.to(right.span))
            }
            Frame::Replicate(replicator) => self.replicate(&replicator, right, span),
            _ => Ok(right),
        }
    }

    fn apply_infix(&mut self, op: Infix, left: Operand, right: Operand) -> Parsed<Operand> {
        let span = left.span.to(right.span);
        match op {
            Infix::Binary(op) => self.make(ExprKind::Binary(op, left.id, right.id), span),
            Infix::NotIn => {
                let inside = self.make(ExprKind::Binary(BinaryOp::In, left.id, right.id), span)?;
                self.make(ExprKind::Unary(UnaryOp::Not, inside.id), span)
            }
            Infix::Until { strong, inclusive } => self.psl_until(left, right, span, strong, inclusive),
            Infix::Before { strong, inclusive } => self.psl_before(left, right, span, strong, inclusive),
        }
    }

    /// Completes `A [p U q]` and similar formulas.
    pub(super) fn make_until(
        &mut self,
        path: Path,
        left: ExprId,
        bounds: Option<(ExprId, ExprId)>,
        weak: bool,
        right: Operand,
        span: Span,
    ) -> Parsed<Operand> {
        let kind = match (path, bounds) {
            (Path::All, Some((low, high))) => ExprKind::BoundedUntil(BoundedUntilOp::ABU, low, high, left, right.id),
            (Path::Some, Some((low, high))) => ExprKind::BoundedUntil(BoundedUntilOp::EBU, low, high, left, right.id),
            (Path::All, None) => ExprKind::Binary(BinaryOp::AU, left, right.id),
            (Path::Some, None) => ExprKind::Binary(BinaryOp::EU, left, right.id),
            (Path::Bare, _) => {
                let left = Operand { id: left, span: self.exprs[left].span };
                return self.psl_until(left, right, span, !weak, false);
            }
        };
        self.make(kind, span)
    }
}
