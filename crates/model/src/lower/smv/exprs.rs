//! Lowering of expressions to typed expressions of the model.

use super::instances::InstId;
use super::names::{Meaning, is_path};
use super::{DefState, Lowering, NodeId, VarNode};
use crate::expr::{ExprId, Node, SourcedExpr};
use crate::op::Builtin;
use crate::ty::Ty;
use crate::typing::TypeError;
use crate::value::Value;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::{self, Dialect, ExprKind};
use specwright_syntax::smv::codes;
use specwright_syntax::span::Span;

/// A part of an expression that has been lowered.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub(super) ast: ast::ExprId,
    pub(super) expr: ExprId,
    /// Index of its first span among those of the whole.
    pub(super) start: usize,
}

impl Lowering<'_> {
    /// Lowers an expression with its spans; `None` after an error, which is reported.
    pub(super) fn sourced(&mut self, inst: InstId, expr: ast::ExprId) -> Option<SourcedExpr> {
        self.operand(inst, expr).map(|(operand, spans)| SourcedExpr { expr: operand.expr, spans: spans.into() })
    }

    /// Lowers an expression on its own.
    pub(super) fn operand(&mut self, inst: InstId, expr: ast::ExprId) -> Option<(Operand, Vec<Span>)> {
        let outer = std::mem::take(&mut self.spans);
        let lowered = self.expr(inst, expr);
        let spans = std::mem::replace(&mut self.spans, outer);
        lowered.map(|lowered| (Operand { ast: expr, expr: lowered, start: 0 }, spans))
    }

    fn expr(&mut self, inst: InstId, expr: ast::ExprId) -> Option<ExprId> {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.expr_node(inst, expr))
    }

    fn expr_node(&mut self, inst: InstId, expr: ast::ExprId) -> Option<ExprId> {
        let file = self.file;
        let kind = &file.exprs[expr].kind;
        if is_path(kind) {
            return self.name(inst, expr);
        }
        match kind {
            ExprKind::Error => None,
            ExprKind::Bool(value) => Some(self.constant_leaf(expr, Value::Bool(*value))),
            ExprKind::Int(number) => Some(self.constant_leaf(expr, Value::Int(*number))),
            ExprKind::Word(literal) => self.word_literal(expr, *literal),
            // As in NuSMV, braces around a single value are parentheses.
            ExprKind::Set(items) if items.len() == 1 => self.expr(inst, items[0]),
            ExprKind::Call(builtin @ (Builtin::UwConst | Builtin::SwConst), args) => {
                self.word_constant(inst, expr, *builtin, args)
            }
            ExprKind::Call(Builtin::SizeOf, args) => self.size_of(inst, expr, args),
            ExprKind::Range(low, high) if !self.check_range(expr, *low, *high) => None,
            ExprKind::Slice(word, high, low) => {
                let bits = self.bit(inst, *high).zip(self.bit(inst, *low));
                let operands = self.operands(inst, expr, &[*word])?;
                let (high, low) = bits?;
                self.compose(expr, &operands, Node::Slice(operands[0].expr, high, low))
            }
            ExprKind::Bounded(op, low, high, body) => {
                let bounds = self.bounds(inst, *low, *high);
                let operands = self.operands(inst, expr, &[*body])?;
                let (low, high) = bounds?;
                self.compose(expr, &operands, Node::Bounded(*op, low, Some(high), operands[0].expr))
            }
            ExprKind::BoundedUntil(op, low, high, a, b) => {
                let bounds = self.bounds(inst, *low, *high);
                let operands = self.operands(inst, expr, &[*a, *b])?;
                let (low, high) = bounds?;
                self.compose(expr, &operands, Node::BoundedUntil(*op, low, high, operands[0].expr, operands[1].expr))
            }
            ExprKind::Call(builtin @ (Builtin::Extend | Builtin::Resize), args) => {
                if let [word, bits] = args[..] {
                    let bits_value = self.constant_or_report(inst, bits, "the number of bits");
                    let mut operands = self.operands(inst, expr, &[word])?;
                    let start = self.spans.len();
                    let constant = self.constant_leaf(bits, Value::Int(bits_value?));
                    operands.push(Operand { ast: bits, expr: constant, start });
                    let parts = [operands[0].expr, constant].into();
                    self.compose(expr, &operands, Node::Call(*builtin, parts))
                } else {
                    self.wrong_arguments(expr, *builtin, args.len(), 2)
                }
            }
            kind => {
                let mut parts = Vec::new();
                kind.for_each_child(|child| parts.push(child));
                let mut operands = self.operands(inst, expr, &parts)?;
                if self.dialect == Dialect::Cmu
                    && let Some(done) = self.adapt(expr, kind, &mut operands)
                {
                    return Some(done);
                }
                let node = node_of(kind, &operands);
                if let Node::Call(builtin, args) = &node {
                    let wanted = match builtin {
                        Builtin::Count => args.len().max(1),
                        Builtin::Min | Builtin::Max => 2,
                        _ => 1,
                    };
                    if args.len() != wanted {
                        return self.wrong_arguments(expr, *builtin, args.len(), wanted);
                    }
                }
                let made = self.compose(expr, &operands, node)?;
                self.warn_about_equality(expr, made, &operands);
                Some(made)
            }
        }
    }

    /// Lowers all parts of an expression, even if one has errors. Its own span comes first.
    fn operands(&mut self, inst: InstId, whole: ast::ExprId, parts: &[ast::ExprId]) -> Option<Vec<Operand>> {
        let span = self.span(whole);
        self.spans.push(span);
        let mut operands = Vec::with_capacity(parts.len());
        for &part in parts {
            let start = self.spans.len();
            if let Some(expr) = self.expr(inst, part) {
                operands.push(Operand { ast: part, expr, start });
            }
        }
        (operands.len() == parts.len()).then_some(operands)
    }

    pub(super) fn constant_leaf(&mut self, expr: ast::ExprId, value: Value) -> ExprId {
        let span = self.span(expr);
        self.spans.push(span);
        self.make_plain(Node::Const(value))
    }

    /// Builds an expression from lowered parts; reports a type error.
    pub(super) fn compose(&mut self, whole: ast::ExprId, operands: &[Operand], node: Node) -> Option<ExprId> {
        match self.make(node) {
            Ok(expr) => Some(expr),
            Err(error) => {
                self.report_type_error(whole, operands, &error);
                None
            }
        }
    }

    /// Builds an expression that is known to be well-typed.
    pub(super) fn make_plain(&mut self, node: Node) -> ExprId {
        self.make(node).unwrap_or_else(|error| panic!("this is a bug in specwright: {error}"))
    }

    pub(super) fn make(&mut self, node: Node) -> Result<ExprId, TypeError> {
        self.model.budget.look();
        let mut new = None;
        let expr = self.model.context.exprs.intern(node, |node| {
            let ty = self.model.type_of(node)?;
            new = Some(self.traits_of(node)?);
            Ok(ty)
        })?;
        self.traits.extend(new);
        Ok(expr)
    }

    fn name(&mut self, inst: InstId, expr: ast::ExprId) -> Option<ExprId> {
        let span = self.span(expr);
        match self.resolve(inst, expr) {
            Meaning::Vars(node) => Some(self.var_tree(node, span)),
            Meaning::Def(def) => {
                self.ensure_def(def);
                match self.defs[def].state {
                    DefState::Done(define) => {
                        self.spans.push(span);
                        Some(self.make_plain(Node::Define(define)))
                    }
                    _ => None,
                }
            }
            Meaning::Define(define) => {
                self.spans.push(span);
                Some(self.make_plain(Node::Define(define)))
            }
            Meaning::Symbol(symbol) => {
                self.spans.push(span);
                Some(self.make_plain(Node::Const(Value::Symbol(symbol))))
            }
            Meaning::Instance(inner) => {
                let symbol = match &self.file.exprs[expr].kind {
                    ExprKind::Name(name) => self.model.context.symbols.get(name),
                    _ => self.model.context.symbols.get(&self.insts[inner].path),
                };
                if let Some(symbol) = symbol {
                    self.spans.push(span);
                    return Some(self.make_plain(Node::Const(Value::Symbol(symbol))));
                }
                let what = match self.insts[inner].path.as_str() {
                    "" => "main".into(),
                    path => format!("`{path}`"),
                };
                let message = format!("{what} is a module instance, not a value");
                self.report(Diagnostic::error(codes::NOT_A_VALUE, span, message));
                None
            }
            Meaning::Expr => self.element(inst, expr),
            Meaning::Unknown(unknown) => {
                self.report_unknown(&unknown);
                None
            }
            Meaning::Broken | Meaning::Untyped => None,
        }
    }

    /// A variable, or an array of variables; the elements have no source spans.
    fn var_tree(&mut self, node: NodeId, span: Span) -> ExprId {
        self.spans.push(span);
        match self.nodes[node].clone() {
            VarNode::One(var) => self.make_plain(Node::Var(var)),
            VarNode::Array(first, items) => {
                let items = items.into_iter().map(|item| self.var_tree(item, Span::NONE)).collect();
                self.make_plain(Node::Array(first, items))
            }
            VarNode::Constant(def) => match self.defs[def].state {
                DefState::Done(define) => self.make_plain(Node::Define(define)),
                _ => unreachable!("variables of one value are defined at once"),
            },
            // The type has an error, so there will be no model; any value will do.
            VarNode::Broken => self.make_plain(Node::Const(Value::Bool(false))),
        }
    }

    /// `a[i]` where the result is not just a variable.
    fn element(&mut self, inst: InstId, expr: ast::ExprId) -> Option<ExprId> {
        let ExprKind::Index(array, index) = self.file.exprs[expr].kind else { return None };
        let mut operands = self.operands(inst, expr, &[array, index])?;
        if self.dialect == Dialect::Cmu {
            self.adapt_index(&mut operands);
        }
        // NuSMV checks constant indices, even in unreachable code.
        if let (Ty::Array(first, last, _), Some(at)) =
            (self.model.context.exprs.ty(operands[0].expr).clone(), self.constant(inst, index))
            && !(first..=last).contains(&at)
        {
            let message = format!("index {at} is outside of {first}..{last}");
            self.report(Diagnostic::error(codes::OUT_OF_RANGE, self.span(index), message));
            return None;
        }
        self.compose(expr, &operands, Node::Index(operands[0].expr, operands[1].expr))
    }

    /// Whether `1..3` is a set of values: its bounds must be literals, the smaller one first.
    fn check_range(&mut self, expr: ast::ExprId, low: ast::ExprId, high: ast::ExprId) -> bool {
        let bounds = [low, high].map(|bound| self.literal(bound).ok_or(bound));
        match bounds {
            [Ok(low), Ok(high)] if low <= high => true,
            [Ok(low), Ok(high)] => {
                let message = format!("the range {low}..{high} is empty");
                let diagnostic = Diagnostic::error(codes::EMPTY_RANGE, self.span(expr), message);
                let fix = format!("{high}..{low}");
                self.report(diagnostic.suggest("the smaller bound comes first", self.span(expr), fix));
                false
            }
            [Err(bound), _] | [_, Err(bound)] => {
                let message = "the bounds of a range of values must be written as numbers";
                self.report(
                    Diagnostic::error(codes::NOT_CONSTANT, self.span(bound), message)
                        .note("only the bounds of a type may be constant expressions"),
                );
                false
            }
        }
    }

    /// The bounds of a temporal operator.
    fn bounds(&mut self, inst: InstId, low: ast::ExprId, high: ast::ExprId) -> Option<(u64, u64)> {
        let from = self.constant_or_report(inst, low, "the bound of a temporal operator");
        let to = self.constant_or_report(inst, high, "the bound of a temporal operator");
        let (from, to) = (from?, to?);
        if let (Ok(from), Ok(to)) = (u64::try_from(from), u64::try_from(to))
            && from <= to
        {
            return Some((from, to));
        }
        let span = self.span(low).to(self.span(high));
        let message = format!("{from}..{to} is not an interval");
        self.report(
            Diagnostic::error(codes::OUT_OF_RANGE, span, message)
                .note("the bounds are numbers of steps, the smaller one first"),
        );
        None
    }

    pub(super) fn wrong_arguments(
        &mut self,
        expr: ast::ExprId,
        builtin: Builtin,
        given: usize,
        wanted: usize,
    ) -> Option<ExprId> {
        let wanted = super::instances::count(wanted, "argument");
        let message = format!("`{}` takes {wanted}, not {given}", builtin.name());
        self.report(Diagnostic::error(codes::WRONG_ARITY, self.span(expr), message));
        None
    }
}

/// The node for an expression whose parts are lowered.
pub(super) fn node_of(kind: &ExprKind, operands: &[Operand]) -> Node {
    let part = |at: usize| operands[at].expr;
    let all = || operands.iter().map(|operand| operand.expr).collect();
    match kind {
        ExprKind::Next(_) => Node::Next(part(0)),
        ExprKind::Unary(op, _) => Node::Unary(*op, part(0)),
        ExprKind::Binary(op, ..) => Node::Binary(*op, part(0), part(1)),
        ExprKind::Ite(..) => Node::Ite(part(0), part(1), part(2)),
        ExprKind::Case(_) => Node::Case(operands.chunks(2).map(|branch| (branch[0].expr, branch[1].expr)).collect()),
        ExprKind::Set(_) => Node::Set(all()),
        ExprKind::Range(..) => Node::Range(part(0), part(1)),
        ExprKind::Array(_) => Node::Array(0, all()),
        ExprKind::Call(builtin, _) => Node::Call(*builtin, all()),
        kind => unreachable!("{kind:?} is lowered on its own"),
    }
}
