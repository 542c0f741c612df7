//! Lowering of constraints on states, steps and paths, and of properties.

use super::Lowering;
use super::contexts::{CTL, ExprContext, LTL};
use super::instances::InstId;
use super::names::Meaning;
use crate::expr::SourcedExpr;
use crate::model::{Property, PropertyKind};
use crate::op::Logic;
use crate::ty::Ty;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::{self, ConstraintKind, ItemKind};
use specwright_syntax::smv::codes;

impl Lowering<'_> {
    pub(super) fn lower_constraints_and_properties(&mut self) {
        for at in 0..self.items.len() {
            let (inst, item) = self.items[at];
            match &item.kind {
                ItemKind::Constraint(kind, expr) => self.lower_constraint(inst, *kind, *expr),
                ItemKind::Compassion(p, q) => {
                    let p = self.formula(inst, *p, ExprContext::Fairness, "a fairness constraint");
                    let q = self.formula(inst, *q, ExprContext::Fairness, "a fairness constraint");
                    self.model.compassion.extend(p.zip(q));
                }
                ItemKind::Property(property) => self.lower_property(inst, property),
                ItemKind::Pred(_, expr) => {
                    self.formula(inst, *expr, ExprContext::InvarSpec, "a predicate");
                }
                ItemKind::Mirror(expr) => {
                    self.sourced(inst, *expr);
                }
                ItemKind::Vars(..)
                | ItemKind::Defines(_)
                | ItemKind::Constants(_)
                | ItemKind::Assigns(_)
                | ItemKind::Isa(_) => {}
            }
        }
    }

    fn lower_constraint(&mut self, inst: InstId, kind: ConstraintKind, expr: ast::ExprId) {
        let (context, what) = match kind {
            ConstraintKind::Init => (ExprContext::Init, "`INIT`"),
            ConstraintKind::Trans => (ExprContext::Trans, "`TRANS`"),
            ConstraintKind::Invar => (ExprContext::Invar, "`INVAR`"),
            ConstraintKind::Justice => (ExprContext::Fairness, "a fairness constraint"),
        };
        let Some(sourced) = self.formula(inst, expr, context, what) else { return };
        match kind {
            ConstraintKind::Init => self.model.init.push(sourced),
            ConstraintKind::Trans => self.model.trans.push(sourced),
            ConstraintKind::Invar => self.model.invar.push(sourced),
            ConstraintKind::Justice => self.model.justice.push(sourced),
        }
    }

    fn lower_property(&mut self, inst: InstId, decl: &ast::PropertyDecl) {
        let name = decl.name.as_ref().map(|name| {
            let first = *self.insts[inst].property_names.entry(name.text.clone()).or_insert(name.span);
            if first != name.span {
                let message = format!("two properties have the name `{}`", name.text);
                self.report(
                    Diagnostic::error(codes::DUPLICATE, name.span, message)
                        .label("named again")
                        .also(first, "first named here"),
                );
            }
            self.insts[inst].full_name(&name.text)
        });
        // The names in `SPEC p IN a.b` are resolved in that instance.
        let inst = match decl.context {
            None => inst,
            Some(context) => match self.resolve(inst, context) {
                Meaning::Instance(inner) => inner,
                Meaning::Unknown(unknown) => return self.report_unknown(&unknown),
                Meaning::Broken => return,
                _ => {
                    let message = "only a module instance can be named after `IN`";
                    self.report(Diagnostic::error(codes::NOT_A_VALUE, self.span(context), message));
                    return;
                }
            },
        };
        self.push_property(inst, decl, name);
    }

    /// Lowers a property, and adds it to the model.
    pub(super) fn push_property(&mut self, inst: InstId, decl: &ast::PropertyDecl, name: Option<String>) {
        let (kind, context) = match decl.kind {
            ast::PropertyKind::Ctl => (PropertyKind::Ctl, ExprContext::Ctl),
            ast::PropertyKind::Ltl => (PropertyKind::Ltl, ExprContext::Ltl),
            ast::PropertyKind::Invar => (PropertyKind::Invar, ExprContext::InvarSpec),
            ast::PropertyKind::ComputeMin => (PropertyKind::ComputeMin, ExprContext::Ctl),
            ast::PropertyKind::ComputeMax => (PropertyKind::ComputeMax, ExprContext::Ctl),
            ast::PropertyKind::Psl => {
                let logic = self.logic_of(inst, decl.formula);
                (PropertyKind::Psl(logic), if logic == Logic::Ctl { ExprContext::Ctl } else { ExprContext::Ltl })
            }
        };
        let formula = self.formula(inst, decl.formula, context, "a property");
        let target = decl.target.map(|target| self.formula(inst, target, context, "a property"));
        let (Some(formula), Some(target)) = (formula, target.map_or(Some(None), |target| target.map(Some))) else {
            return;
        };
        self.model.properties.push(Property { name, kind, formula, target, span: decl.span });
    }

    /// Lowers a formula for a context.
    pub(super) fn formula(
        &mut self,
        inst: InstId,
        expr: ast::ExprId,
        context: ExprContext,
        what: &str,
    ) -> Option<SourcedExpr> {
        let (mut operand, mut spans) = self.operand(inst, expr)?;
        self.adapt_to(&Ty::BOOL, &mut operand, &mut spans);
        let sourced = SourcedExpr { expr: operand.expr, spans: spans.into() };
        let is_boolean = self.check_boolean(&sourced, what);
        (self.check_context(&sourced, context) && is_boolean).then_some(sourced)
    }

    /// The logic of a PSL formula, which may have operators of one logic only.
    fn logic_of(&mut self, inst: InstId, formula: ast::ExprId) -> Logic {
        let reported = self.diagnostics.len();
        let seen = self.reported.clone();
        let traits = self.operand(inst, formula).map_or(0, |(operand, _)| self.traits[operand.expr.0 as usize]);
        // The formula is lowered again afterwards and reports its errors then.
        self.diagnostics.truncate(reported);
        self.reported = seen;
        if traits & CTL != 0 && traits & LTL == 0 { Logic::Ctl } else { Logic::Ltl }
    }
}
