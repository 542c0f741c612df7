//! Lowering of types to domains; an array becomes one variable for each element.

use super::instances::{Entry, EntryKind, InstId};
use super::{Constancy, Def, DefState, Lowering, NodeId, VarNode, var_kind};
use crate::interface::Role;
use crate::model::{Define, Var, VarId, VarKind};
use crate::op::BinaryOp;
use crate::value::{Domain, Value};
use crate::{Node, SourcedExpr};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::{self, Dialect, ExprKind, TypeExpr, TypeKind};
use specwright_syntax::smv::codes;
use specwright_syntax::span::Span;

/// The variable that selects the running process.
pub(crate) const SELECTOR: &str = "_process_selector_";

/// Maximal number of elements of all arrays together.
const MAX_ELEMENTS: usize = 10_000_000;

impl<'a> Lowering<'a> {
    /// Creates all variables, in declared order, and collects the symbolic constants.
    pub(super) fn declare_vars(&mut self) {
        self.declare_selector();
        let mut constants = std::mem::take(&mut self.constants).into_iter().peekable();
        for index in 0..self.decls.len() {
            while let Some((_, name)) = constants.next_if(|(n_decls, _)| *n_decls <= index) {
                self.declare_symbol(&name.text, name.span);
            }
            self.declare_var(index);
        }
        for (_, name) in constants {
            self.declare_symbol(&name.text, name.span);
        }
    }

    fn declare_symbol(&mut self, name: &str, span: Span) -> crate::value::Symbol {
        let symbol = self.model.context.symbols.intern(name);
        self.symbol_spans.entry(symbol).or_insert(span);
        symbol
    }

    fn declare_var(&mut self, index: usize) {
        let (inst, kind, decl) = (self.decls[index].inst, self.decls[index].kind, self.decls[index].source);
        let name = self.decls[index].name.clone();
        // Constants are global, so no later declaration can have their name.
        let local = decl.name.text.rsplit('.').next().unwrap_or_default();
        let clash = self.model.context.symbols.get(local).and_then(|symbol| self.symbol_spans.get(&symbol)).copied();
        if let Some(span) = clash {
            let message = format!("`{local}` is already a symbolic constant");
            self.report(
                Diagnostic::error(codes::DUPLICATE, decl.name.span, message).also(span, "a constant since here"),
            );
        }
        let node = self.declare_node(inst, kind, name, &decl.ty, decl.name.span);
        self.decls[index].node = Some(node);
    }

    /// Creates a variable of a type, or an array of variables.
    fn declare_node(&mut self, inst: InstId, kind: ast::VarKind, name: String, ty: &'a TypeExpr, span: Span) -> NodeId {
        let node = match &ty.kind {
            TypeKind::Array(first, last, element) => {
                let first = self.constant_or_report(inst, *first, "an array bound");
                let last = self.constant_or_report(inst, *last, "an array bound");
                match (first, last) {
                    (Some(first), Some(last)) => self.declare_array(inst, kind, &name, first, last, element, span),
                    _ => VarNode::Broken,
                }
            }
            TypeKind::Instance { .. } => {
                let message = "there are no arrays of module instances";
                self.report(
                    Diagnostic::error(codes::BAD_TYPE, ty.span, message)
                        .help("declare the instances one by one; `m[0] : M();` is a valid declaration"),
                );
                VarNode::Broken
            }
            _ => match self.domain(inst, ty) {
                None => VarNode::Broken,
                Some(domain) => self.declare_one(kind, name, domain, span),
            },
        };
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    #[expect(clippy::too_many_arguments, reason = "they are the parts of one declaration")]
    fn declare_array(
        &mut self,
        inst: InstId,
        kind: ast::VarKind,
        name: &str,
        first: i64,
        last: i64,
        element: &'a TypeExpr,
        span: Span,
    ) -> VarNode {
        let n_items = i128::from(last) - i128::from(first) + 1;
        if n_items + self.nodes.len() as i128 > MAX_ELEMENTS as i128 {
            let message = format!("arrays of more than {MAX_ELEMENTS} elements are not supported");
            self.report(Diagnostic::error(codes::BAD_TYPE, span, message));
            return VarNode::Broken;
        }
        let items =
            (first..=last).map(|index| self.declare_node(inst, kind, format!("{name}[{index}]"), element, span));
        VarNode::Array(first, items.collect())
    }

    fn declare_one(&mut self, kind: ast::VarKind, name: String, domain: Domain, span: Span) -> VarNode {
        self.model.budget.look();
        if domain.size() == Some(1) {
            let value = domain.value_at(0).expect("a domain of size 1 has a value");
            let message = format!("`{name}` can only be `{}`, so it is a constant", self.model.show(value));
            self.report(Diagnostic::warning(codes::SINGLE_VALUE, span, message));
            let expr = self.make_plain(Node::Const(value));
            let define = self.push_define(Define { name: name.clone(), body: without_span(expr), span });
            let constant = if let Value::Int(number) = value { Constancy::Number(number) } else { Constancy::Varies };
            // The body is lowered already.
            let state = DefState::Done(define);
            self.defs.push(Def { name, body: ast::ExprId(u32::MAX), inst: 0, span, state, constant });
            return VarNode::Constant(self.defs.len() - 1);
        }
        let var = VarId(self.model.vars.len() as u32);
        match kind {
            ast::VarKind::Monitored => self.declared_roles.insert(var, Role::Input),
            ast::VarKind::Controlled => self.declared_roles.insert(var, Role::Output),
            _ => None,
        };
        self.model.vars.push(Var { name, domain, kind: var_kind(kind), span });
        VarNode::One(var)
    }

    fn domain(&mut self, inst: InstId, ty: &TypeExpr) -> Option<Domain> {
        match &ty.kind {
            TypeKind::Boolean => Some(Domain::Bool),
            TypeKind::Integer => Some(Domain::Integer),
            TypeKind::Enum(items) => self.enumeration(items),
            TypeKind::Range(first, last) => {
                let low = self.constant_or_report(inst, *first, "the bound of a range");
                let high = self.constant_or_report(inst, *last, "the bound of a range");
                let (low, high) = (low?, high?);
                if low > high {
                    let message = format!("the range {low}..{high} is empty");
                    let mut diagnostic = Diagnostic::error(codes::EMPTY_RANGE, ty.span, message);
                    if self.literal(*first).is_some() && self.literal(*last).is_some() {
                        diagnostic =
                            diagnostic.suggest("the smaller bound comes first", ty.span, format!("{high}..{low}"));
                    }
                    self.report(diagnostic);
                    return None;
                }
                if self.dialect == Dialect::Cmu && (low, high) == (0, 1) {
                    return Some(Domain::Bool);
                }
                Some(Domain::Range(low, high))
            }
            TypeKind::Word { signed, width } => {
                let bits = self.constant_or_report(inst, *width, "the width of a word")?;
                let width = self.word_width(*width, bits)?;
                Some(Domain::Word { signed: *signed, width })
            }
            TypeKind::Error | TypeKind::Array(..) | TypeKind::Instance { .. } => None,
        }
    }

    fn enumeration(&mut self, items: &[ast::ExprId]) -> Option<Domain> {
        let mut values: Vec<Value> = Vec::with_capacity(items.len());
        let mut spans: Vec<Span> = Vec::with_capacity(items.len());
        let mut seen = rustc_hash::FxHashMap::default();
        let file = self.file;
        for &item in items {
            let span = self.span(item);
            let value = match &file.exprs[item].kind {
                ExprKind::Name(name) => Value::Symbol(self.declare_symbol(name, span)),
                ExprKind::Error => return None,
                kind => {
                    let Some(number) = self.literal(item) else {
                        let message = "a value of an enumeration must be a name or a number";
                        let mut diagnostic = Diagnostic::error(codes::BAD_ENUM_VALUE, span, message);
                        if matches!(kind, ExprKind::Bool(_)) {
                            diagnostic = diagnostic.help("the type of TRUE and FALSE is `boolean`");
                        }
                        self.report(diagnostic);
                        return None;
                    };
                    Value::Int(number)
                }
            };
            if let Some(first) = seen.insert(value, span) {
                let message = format!("`{}` is listed twice", self.model.show(value));
                self.report(Diagnostic::error(codes::DUPLICATE, span, message).also(first, "first listed here"));
                return None;
            }
            values.push(value);
            spans.push(span);
        }
        if self.dialect == Dialect::Cmu {
            let mut sorted = values.clone();
            sorted.sort_unstable();
            if sorted == [Value::Int(0), Value::Int(1)] {
                return Some(Domain::Bool);
            }
        }
        Some(Domain::Enum(values.into()))
    }

    /// Where there are processes, an input selects the one that takes the next step.
    fn declare_selector(&mut self) {
        if self.processes.is_empty() {
            return;
        }
        if let Some(entry) = self.insts[0].names.get(SELECTOR) {
            let message = format!("`{SELECTOR}` chooses which process runs; it cannot be declared");
            self.report(Diagnostic::error(codes::DUPLICATE, entry.span, message));
        }
        let names: Vec<String> = self
            .processes
            .iter()
            .map(|&inst| if inst == 0 { "main".into() } else { self.insts[inst].path.clone() })
            .collect();
        let symbols: Vec<_> = names.iter().map(|name| Value::Symbol(self.model.context.symbols.intern(name))).collect();
        let var = VarId(0);
        self.selector = Some(var);
        self.model.vars.push(Var {
            name: SELECTOR.into(),
            domain: Domain::Enum(symbols.clone().into()),
            kind: VarKind::Input,
            span: Span::NONE,
        });
        let selector = self.make_plain(Node::Var(var));
        for (at, symbol) in symbols.into_iter().enumerate() {
            let inst = self.processes[at];
            let process = self.make_plain(Node::Const(symbol));
            let chosen = self.make_plain(Node::Binary(BinaryOp::Eq, selector, process));
            let name = self.insts[inst].full_name("running");
            let body = SourcedExpr { expr: chosen, spans: [Span::NONE; 3].into() };
            let define = self.push_define(Define { name, body, span: Span::NONE });
            self.running.insert(inst, define);
        }
        self.nodes.push(VarNode::One(var));
        let entry = Entry { kind: EntryKind::Node(self.nodes.len() - 1), span: Span::NONE };
        self.insts[0].names.insert(SELECTOR.into(), entry);
    }

    pub(super) fn push_define(&mut self, define: Define) -> crate::model::DefineId {
        let id = crate::model::DefineId(self.model.defines.len() as u32);
        self.model.defines.push(define);
        id
    }
}

/// A leaf without a source span.
pub(super) fn without_span(expr: crate::ExprId) -> SourcedExpr {
    SourcedExpr { expr, spans: [Span::NONE].into() }
}
