//! The combined machine of a model and its mutant, as SMV: the construction of the paper, corrected.
//!
//! The paper rewrites the `case` statement of the machine to offer the values of both machines, which loses steps of
//! the machine or adds others. Here the disjunction of the differing parts is used. A variable `original` is true as
//! long as all steps are steps of the machine.

use super::analyse::{Analysis, Found};
use crate::mutate::Mutant;
use specwright_mc::{Danger, Part, Reason, Symbolic};
use specwright_model::model::{Assign, AssignKind, Define, DefineId, Property, PropertyKind, Var, VarKind};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{Domain, ExprId, Model, Node, SourcedExpr, Ty, Value, VarId};
use specwright_syntax::escape::visible;
use specwright_syntax::span::Span;
use std::fmt::Write;

/// The combined machine of a mutant.
pub struct Combined {
    /// The machine, with a formula for each property and danger: it is false exactly if the mutant has dangerous traces
    /// of that kind. Sorted by property, and then as in [`Danger::ALL`].
    pub model: Model,
    /// The variable that is true as long as all steps are steps of the machine.
    original: VarId,
    /// The variable that is true once the execution has stopped.
    stopped: Option<VarId>,
}

/// The machine of a model and its mutant in one. Fairness is left out: danger is a property of finite traces.
///
/// Temporal logic is about infinite paths. If the two machines together have a deadlock, there is a second variable,
/// `stopped`: an execution may stop at any time. The formulas do not count that as a step.
pub fn combined(model: &Model, engine: &mut Symbolic, analysis: &Analysis, index: usize) -> Result<Combined, Reason> {
    let found = &analysis.found[index];
    let mut variant = engine.variant(&found.changes)?;
    let may_stop = engine.gets_stuck(&mut variant)?;
    Ok(combine(model, analysis, found, may_stop))
}

fn combine(model: &Model, analysis: &Analysis, found: &Found, may_stop: bool) -> Combined {
    let mut machine = model.clone();
    machine.context = model.context.fork();
    machine.justice.clear();
    machine.compassion.clear();
    machine.properties.clear();
    machine.source.instances.clear();
    let n_vars = machine.vars.len();
    let mut build = Build { machine };
    let original = build.variable("original");
    let stopped = may_stop.then(|| build.variable("stopped"));
    let (mine, theirs) = build.split(&found.changes);
    build.combine(original, mine, theirs);
    if let Some(stopped) = stopped {
        build.allow_to_stop(stopped, n_vars + 1);
    }
    for invariant in &analysis.invariants {
        for danger in Danger::ALL {
            let requirement = build.requirement(original, stopped, invariant.expr, danger);
            let formula = without_spans(build.not(requirement));
            let name = is_name(&invariant.name).then(|| format!("{}_{}", invariant.name, danger.name()));
            let property = Property { name, kind: PropertyKind::Ctl, formula, target: None, span: Span::NONE };
            build.machine.properties.push(property);
        }
    }
    Combined { model: build.machine, original, stopped }
}

impl Combined {
    /// The machine as SMV, with an introductory comment.
    pub fn text(&self, model: &Model, mutant: &Mutant) -> String {
        let name = |var: VarId| &self.model[var].name;
        let title = format!("{}, and its mutant {}: {}.", model.name, mutant.id, mutant.description(model));
        let mut text = format!("-- {}\n", visible(&title));
        let _ = writeln!(text, "-- `{}` is true as long as all steps are of the machine itself.", name(self.original));
        if let Some(stopped) = self.stopped.map(name) {
            let _ =
                writeln!(text, "-- The two get stuck somewhere, so at any time all may stop for ever: `{stopped}`.");
        }
        text += "-- A property is false exactly if the mutant has dangerous traces of that kind.\n\n";
        text + &specwright_model::unparse::print_model(&self.model)
    }
}

struct Build {
    machine: Model,
}

impl Build {
    fn make(&mut self, node: Node) -> ExprId {
        self.machine.make(node).expect("the machine is made of well-typed parts")
    }

    fn not(&mut self, expr: ExprId) -> ExprId {
        self.make(Node::Unary(UnaryOp::Not, expr))
    }

    fn unary(&mut self, op: UnaryOp, expr: ExprId) -> ExprId {
        self.make(Node::Unary(op, expr))
    }

    fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.make(Node::Binary(BinaryOp::And, a, b))
    }

    fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.make(Node::Binary(BinaryOp::Or, a, b))
    }

    fn next(&mut self, expr: ExprId) -> ExprId {
        self.make(Node::Next(expr))
    }

    fn all(&mut self, parts: &[ExprId]) -> ExprId {
        let yes = self.make(Node::Const(Value::Bool(true)));
        parts.iter().copied().reduce(|all, part| self.and(all, part)).unwrap_or(yes)
    }

    /// A variable with a fresh name.
    fn variable(&mut self, name: &str) -> VarId {
        let model = &self.machine;
        let name = crate::cfsm::fresh(model, name);
        let var = VarId(model.vars.len() as u32);
        let (domain, kind) = (Domain::Bool, VarKind::State);
        self.machine.vars.push(Var { name, domain, kind, span: Span::NONE });
        var
    }

    /// A define for an expression, unless it has sets: NuSMV cannot print traces with these.
    fn define(&mut self, name: &str, body: ExprId) -> ExprId {
        let is_set = |node: &Node| {
            matches!(node, Node::Set(_) | Node::Range(..) | Node::Binary(BinaryOp::In | BinaryOp::Union, ..))
        };
        if self.machine.mentions(body, is_set) {
            return body;
        }
        let name = crate::cfsm::fresh(&self.machine, name);
        let id = DefineId(self.machine.defines.len() as u32);
        self.machine.defines.push(Define { name, body: without_spans(body), span: Span::NONE });
        self.make(Node::Define(id))
    }

    /// Removes the parts in which the machines differ: the steps that they allow, in the machine and in the mutant.
    /// Initial states are those of the machine.
    fn split(&mut self, changes: &[(Part, ExprId)]) -> (ExprId, ExprId) {
        let (mut mine, mut theirs) = (Vec::new(), Vec::new());
        for (part, new) in changes {
            let (old, is_state) = self.take(*part);
            for (expr, side) in [(old, &mut mine), (*new, &mut theirs)] {
                let condition = self.condition(*part, expr);
                side.push(condition);
                if is_state {
                    side.push(self.next(condition));
                }
            }
            if is_state {
                let condition = mine[mine.len() - 2];
                self.machine.init.push(without_spans(condition));
            }
        }
        let gone = |part: Part| changes.iter().any(|(changed, _)| *changed == part);
        let mut index = 0..;
        self.machine.assigns.retain(|_| !gone(Part::Assign(index.next().unwrap_or_default())));
        let mut index = 0..;
        self.machine.invar.retain(|_| !gone(Part::Invar(index.next().unwrap_or_default())));
        let mut index = 0..;
        self.machine.trans.retain(|_| !gone(Part::Trans(index.next().unwrap_or_default())));
        let (mine, theirs) = (self.all(&mine), self.all(&theirs));
        (self.define("machine_step", mine), self.define("mutant_step", theirs))
    }

    /// The expression of a part, and whether it is about states.
    fn take(&self, part: Part) -> (ExprId, bool) {
        match part {
            Part::Assign(index) => {
                let assign = &self.machine.assigns[index];
                (assign.value.expr, assign.kind == AssignKind::Always)
            }
            Part::Invar(index) => (self.machine.invar[index].expr, true),
            Part::Trans(index) => (self.machine.trans[index].expr, false),
        }
    }

    /// The constraint of a part with this expression.
    fn condition(&mut self, part: Part, expr: ExprId) -> ExprId {
        let Part::Assign(index) = part else { return expr };
        let Assign { var, kind, .. } = self.machine.assigns[index];
        let mut target = self.make(Node::Var(var));
        if kind == AssignKind::Next {
            target = self.next(target);
        }
        let is_set = matches!(self.machine.context.exprs.ty(expr), Ty::Set(_));
        let op = if is_set { BinaryOp::In } else { BinaryOp::Eq };
        self.make(Node::Binary(op, target, expr))
    }

    /// Every step is a step of one of the machines, and `original` records which.
    fn combine(&mut self, original: VarId, mine: ExprId, theirs: ExprId) {
        let either = self.or(mine, theirs);
        let flag = self.make(Node::Var(original));
        let (next_flag, still) = (self.next(flag), self.and(flag, mine));
        let remembers = self.make(Node::Binary(BinaryOp::Iff, next_flag, still));
        self.machine.trans.extend([without_spans(either), without_spans(remembers)]);
        self.begin(original, true);
    }

    fn begin(&mut self, var: VarId, value: bool) {
        let value = without_spans(self.make(Node::Const(Value::Bool(value))));
        self.machine.assigns.push(Assign { kind: AssignKind::Init, var, value, span: Span::NONE });
    }

    /// The execution may stop at any time; then the first `n_vars` variables keep their values. Constraints on steps
    /// apply as long as it goes on.
    fn allow_to_stop(&mut self, stopped: VarId, n_vars: usize) {
        let mut demands = Vec::new();
        for index in 0..self.machine.assigns.len() {
            let Assign { kind, value, .. } = self.machine.assigns[index].clone();
            if kind == AssignKind::Next {
                demands.push(self.condition(Part::Assign(index), value.expr));
            }
        }
        self.machine.assigns.retain(|assign| assign.kind != AssignKind::Next);
        demands.extend(std::mem::take(&mut self.machine.trans).iter().map(|sourced| sourced.expr));
        let over = self.make(Node::Var(stopped));
        let (next_over, going) = (self.next(over), self.not(over));
        demands.push(going);
        let mut rest = Vec::new();
        for index in 0..n_vars as u32 {
            if self.machine[VarId(index)].kind == VarKind::State {
                let var = self.make(Node::Var(VarId(index)));
                let next = self.next(var);
                rest.push(self.make(Node::Binary(BinaryOp::Eq, next, var)));
            }
        }
        let (go_on, rest) = (self.all(&demands), self.all(&rest));
        let step = self.make(Node::Ite(next_over, rest, go_on));
        self.machine.trans.push(without_spans(step));
        self.begin(stopped, false);
    }

    /// The formula that there is a dangerous trace. The formula for `EF` in the paper does not require the violation to
    /// follow the departure.
    fn requirement(&mut self, original: VarId, stopped: Option<VarId>, safe: ExprId, danger: Danger) -> ExprId {
        let original = self.make(Node::Var(original));
        let (departed, bad) = (self.not(original), self.not(safe));
        // What must hold after some departure, or after all of them.
        let then = match danger {
            Danger::Ex | Danger::Ax => bad,
            Danger::Ef => self.unary(UnaryOp::EF, bad),
            Danger::Af => self.inevitable(stopped, safe),
        };
        let harm = if matches!(danger, Danger::Ex | Danger::Ef) {
            let harm = self.and(departed, then);
            self.unary(UnaryOp::EX, harm)
        } else {
            let can_depart = self.unary(UnaryOp::EX, departed);
            let harm = self.make(Node::Binary(BinaryOp::Implies, departed, then));
            let always = self.unary(UnaryOp::AX, harm);
            self.and(can_depart, always)
        };
        let dangerous = self.and(original, harm);
        self.unary(UnaryOp::EF, dangerous)
    }

    /// The formula that a violation is inevitable. Stopping where other steps are possible does not count, and a
    /// deadlock avoids the violation.
    fn inevitable(&mut self, stopped: Option<VarId>, safe: ExprId) -> ExprId {
        let Some(stopped) = stopped else {
            let bad = self.not(safe);
            return self.unary(UnaryOp::AF, bad);
        };
        let over = self.make(Node::Var(stopped));
        let going = self.not(over);
        let well = self.and(safe, going);
        let can_go_on = self.unary(UnaryOp::EX, going);
        let stuck = self.not(can_go_on);
        let end = self.and(well, stuck);
        let (gets_stuck, lasts) = (self.make(Node::Binary(BinaryOp::EU, well, end)), self.unary(UnaryOp::EG, well));
        let escapes = self.or(gets_stuck, lasts);
        self.not(escapes)
    }
}

/// Whether a text is a valid SMV name.
fn is_name(text: &str) -> bool {
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_';
    text.starts_with(is_start) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn without_spans(expr: ExprId) -> SourcedExpr {
    SourcedExpr { expr, spans: [].into() }
}
