//! Lowering of assignments: single assignment, processes, types, and the roles of variables that follow.

use super::contexts::ExprContext;
use super::instances::InstId;
use super::names::Meaning;
use super::{Lowering, VarNode};
use crate::expr::{ExprId, Node, SourcedExpr};
use crate::interface::Role;
use crate::model::{Assign, AssignKind, VarId, VarKind};
use crate::op::BinaryOp;
use crate::ty::Ty;
use crate::value::{Domain, Value};
use rustc_hash::FxHashMap;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::{self, ItemKind};
use specwright_syntax::smv::codes;
use specwright_syntax::span::Span;

/// An assignment of one process.
#[derive(Clone)]
pub(super) struct Assigned {
    inst: InstId,
    pub(super) process: InstId,
    pub(super) kind: AssignKind,
    pub(super) var: VarId,
    pub(super) value: SourcedExpr,
    pub(super) span: Span,
}

impl Lowering<'_> {
    pub(super) fn lower_assigns(&mut self) {
        let mut assigned: Vec<Assigned> = Vec::new();
        for at in 0..self.items.len() {
            let (inst, item) = self.items[at];
            if let ItemKind::Assigns(decls) = &item.kind {
                for decl in decls {
                    assigned.extend(self.lower_assign(inst, decl));
                }
            }
        }
        let assigned = self.single_assignments(assigned);
        self.check_circles(&assigned);
        self.assign_roles(&assigned);
        self.join_processes(assigned);
    }

    fn lower_assign(&mut self, inst: InstId, decl: &ast::AssignDecl) -> Option<Assigned> {
        let kind = match decl.kind {
            ast::AssignKind::Current => AssignKind::Always,
            ast::AssignKind::Init => AssignKind::Init,
            ast::AssignKind::Next => AssignKind::Next,
        };
        let var = self.assigned_var(inst, decl);
        let lowered = self.operand(inst, decl.value);
        let (var, (mut value, mut spans)) = (var?, lowered?);
        self.check_kind(decl, kind, var)?;
        let wanted = self.model.var_ty(var);
        self.adapt_to(&wanted, &mut value, &mut spans);
        let found = self.model.context.exprs.ty(value.expr).clone();
        if !wanted.accepts(&found) {
            self.report_bad_assignment(decl, var, &wanted, &found, value.expr);
            return None;
        }
        let place = match kind {
            AssignKind::Always => ExprContext::Assign,
            AssignKind::Init => ExprContext::InitAssign,
            AssignKind::Next => ExprContext::NextAssign,
        };
        let value = SourcedExpr { expr: value.expr, spans: spans.into() };
        self.check_context(&value, place).then_some(())?;
        Some(Assigned { inst, process: self.insts[inst].process, kind, var, value, span: decl.span })
    }

    /// The variable on the left-hand side.
    fn assigned_var(&mut self, inst: InstId, decl: &ast::AssignDecl) -> Option<VarId> {
        let span = self.span(decl.target);
        let (what, place) = match self.resolve(inst, decl.target) {
            Meaning::Vars(node) => match self.nodes[node] {
                VarNode::One(var) => return Some(var),
                VarNode::Broken => return None,
                VarNode::Array(..) => ("a whole array".to_string(), Span::NONE),
                VarNode::Constant(def) => ("a constant".into(), self.defs[def].span),
            },
            Meaning::Def(def) => {
                let def = &self.defs[def];
                let what = match def.body.0 {
                    u32::MAX => format!("`{}`, which can only have one value and so is a constant", def.name),
                    _ => format!("`{}`, which stands for an expression", def.name),
                };
                (what, def.span)
            }
            Meaning::Define(_) => ("`running`".into(), Span::NONE),
            Meaning::Symbol(symbol) => {
                let name = format!("the constant `{}`", self.model.context.symbols.name(symbol));
                (name, self.symbol_spans.get(&symbol).copied().unwrap_or(Span::NONE))
            }
            Meaning::Instance(_) => ("a module instance".into(), Span::NONE),
            Meaning::Expr => ("an expression; an index must be a constant here".into(), Span::NONE),
            Meaning::Unknown(unknown) => {
                self.report_unknown(&unknown);
                return None;
            }
            Meaning::Broken | Meaning::Untyped => return None,
        };
        let message = format!("only variables can be assigned, not {what}");
        self.report(Diagnostic::error(codes::NOT_ASSIGNABLE, span, message).also(place, "declared here"));
        None
    }

    fn check_kind(&mut self, decl: &ast::AssignDecl, kind: AssignKind, var: VarId) -> Option<()> {
        let variable = &self.model[var];
        let message = match variable.kind {
            VarKind::Input => format!("the input variable `{}` cannot be assigned", variable.name),
            VarKind::Frozen if kind != AssignKind::Init => {
                format!("the frozen variable `{}` can only be assigned with `init`", variable.name)
            }
            _ => return Some(()),
        };
        let place = variable.span;
        let span = self.span(decl.target);
        self.report(Diagnostic::error(codes::NOT_ASSIGNABLE, span, message).also(place, "declared here"));
        None
    }

    fn report_bad_assignment(&mut self, decl: &ast::AssignDecl, var: VarId, wanted: &Ty, found: &Ty, value: ExprId) {
        let (name, place) = (self.model[var].name.clone(), self.model[var].span);
        let message = format!(
            "`{name}` is {}, but this is {}",
            super::mismatch::article(wanted),
            super::mismatch::article(found)
        );
        let span = self.span(decl.value);
        let mut diagnostic =
            Diagnostic::error(codes::BAD_ASSIGNMENT, span, message).also(place, format!("declared here as {wanted}"));
        if *wanted == Ty::BOOL {
            diagnostic = self.suggest_truth_value(diagnostic, value, span);
        }
        self.report(diagnostic);
    }

    /// Reports variables with several assignments of one kind; only `next` assignments of different processes may
    /// coexist.
    fn single_assignments(&mut self, assigned: Vec<Assigned>) -> Vec<Assigned> {
        let mut first: FxHashMap<(VarId, AssignKind, InstId), usize> = FxHashMap::default();
        let mut nexts: FxHashMap<VarId, usize> = FxHashMap::default();
        let mut kept: Vec<Assigned> = Vec::with_capacity(assigned.len());
        for assign in assigned {
            let Assigned { var, kind, .. } = assign;
            let process = if kind == AssignKind::Next { assign.process } else { 0 };
            let name = &self.model[var].name;
            let same = first.get(&(var, kind, process)).copied();
            let other = match kind {
                AssignKind::Always => first.get(&(var, AssignKind::Init, 0)).or_else(|| nexts.get(&var)),
                AssignKind::Init | AssignKind::Next => first.get(&(var, AssignKind::Always, 0)),
            };
            let (earlier, message) = match (same, other) {
                (Some(earlier), _) => (&kept[earlier], format!("{} is assigned twice", left(kind, name))),
                (None, Some(&earlier)) => {
                    let message = format!("`{name}` is assigned in every state and with `init` or `next` as well");
                    (&kept[earlier], message)
                }
                (None, None) => {
                    first.insert((var, kind, process), kept.len());
                    if kind == AssignKind::Next {
                        nexts.entry(var).or_insert(kept.len());
                    }
                    kept.push(assign);
                    continue;
                }
            };
            let mut diagnostic = Diagnostic::error(codes::ASSIGNED_TWICE, assign.span, message).label("assigned again");
            if earlier.span == assign.span {
                let (one, another) = (&self.insts[earlier.inst].path, &self.insts[assign.inst].path);
                diagnostic = diagnostic.note(format!("once by `{one}` and once by `{another}`"));
            } else {
                diagnostic = diagnostic.also(earlier.span, "first assigned here");
            }
            self.report(diagnostic);
        }
        kept
    }

    /// Variables without assignments are inputs, assigned ones are outputs.
    fn assign_roles(&mut self, assigned: &[Assigned]) {
        let mut is_assigned = vec![false; self.model.vars.len()];
        for assign in assigned.iter().filter(|assign| assign.kind != AssignKind::Init) {
            is_assigned[assign.var.0 as usize] = true;
        }
        for (var, is_assigned) in (0..).map(VarId).zip(is_assigned) {
            let role = match (self.model[var].kind, is_assigned) {
                (VarKind::Input, _) | (VarKind::State, false) => Role::Input,
                (VarKind::Frozen, _) => Role::Internal,
                (VarKind::State, true) => Role::Output,
            };
            let role = self.declared_roles.get(&var).copied().unwrap_or(role);
            self.model.set_role(var, role);
        }
    }

    /// A process assigns only when it runs; when no process that assigns a variable runs, the variable keeps its value.
    fn join_processes(&mut self, assigned: Vec<Assigned>) {
        let Some(selector) = self.selector else {
            for Assigned { kind, var, value, span, .. } in assigned {
                self.model.assigns.push(Assign { kind, var, value, span });
            }
            return;
        };
        let mut contexts: FxHashMap<VarId, usize> = FxHashMap::default();
        let mut branches: Vec<(usize, Vec<Assigned>)> = Vec::new();
        for assign in assigned {
            if assign.kind == AssignKind::Next {
                if let Some(&at) = contexts.get(&assign.var) {
                    branches[at].1.push(assign);
                    continue;
                }
                contexts.insert(assign.var, branches.len());
                branches.push((self.model.assigns.len(), vec![assign.clone()]));
            }
            let Assigned { kind, var, value, span, .. } = assign;
            self.model.assigns.push(Assign { kind, var, value, span });
        }
        for (at, branches) in branches {
            let value = self.choose_by_process(selector, &branches);
            self.model.assigns[at].value = value;
        }
    }

    /// `case _process_selector_ = p : e; … TRUE : x; esac`
    fn choose_by_process(&mut self, selector: VarId, branches: &[Assigned]) -> SourcedExpr {
        let Domain::Enum(names) = self.model[selector].domain.clone() else {
            unreachable!("the selector is an enumeration")
        };
        let selector = self.make_plain(Node::Var(selector));
        let mut parts = Vec::with_capacity(branches.len() + 1);
        let mut spans = vec![Span::NONE];
        for branch in branches {
            let at = self.processes.iter().position(|&process| process == branch.process).unwrap_or(0);
            let process = self.make_plain(Node::Const(names[at]));
            let runs = self.make_plain(Node::Binary(BinaryOp::Eq, selector, process));
            spans.extend([Span::NONE; 3]);
            spans.extend(branch.value.spans.iter());
            parts.push((runs, branch.value.expr));
        }
        let otherwise = self.make_plain(Node::Const(Value::Bool(true)));
        let keep = self.make_plain(Node::Var(branches[0].var));
        parts.push((otherwise, keep));
        spans.extend([Span::NONE; 2]);
        SourcedExpr { expr: self.make_plain(Node::Case(parts.into())), spans: spans.into() }
    }
}

/// The left-hand side of an assignment in source notation.
pub(super) fn left(kind: AssignKind, name: &str) -> String {
    match kind {
        AssignKind::Always => format!("`{name}`"),
        AssignKind::Init => format!("`init({name})`"),
        AssignKind::Next => format!("`next({name})`"),
    }
}
