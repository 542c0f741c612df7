//! A machine whose only execution is a given trace.

use super::rewrite::Rewriter;
use specwright_mc::Query;
use specwright_model::interp::eval_bool;
use specwright_model::model::{Assign, AssignKind, Define, DefineId, Property, PropertyKind, Var, VarKind};
use specwright_model::op::{BinaryOp, Logic, UnaryOp};
use specwright_model::typing::is_temporal;
use specwright_model::{Domain, ExprId, Model, Node, SourcedExpr, State, Trace, TransitionSystem, Value, VarId};
use specwright_syntax::span::Span;

/// The machine that executes the trace, with a property for each target: it is false exactly if the trace reaches the
/// target.
///
/// `State` is the position in the trace, and every other variable is a function of it. After the last state of a finite
/// trace the define `Check` is false. Names that exist in the model get a numeric suffix.
///
/// # Panics
/// If the trace has no state.
pub fn cfsm(model: &Model, trace: &Trace, targets: &[Query]) -> Model {
    assert!(!trace.states.is_empty(), "a trace has a state");
    let mut machine = bare(model);
    let n = number(trace.states.len());
    let end = if trace.loop_start.is_some() { n - 1 } else { n };
    let name = fresh(model, "State");
    let state = VarId(machine.vars.len() as u32);
    machine.vars.push(Var {
        name,
        // A variable needs at least two values.
        domain: Domain::Range(0, end.max(1)),
        kind: VarKind::State,
        span: Span::NONE,
    });
    let mut build = Build(&mut machine);
    let at = build.make(Node::Var(state));
    let check = build.at_most(at, n - 1);
    // Inputs and next values are defined at every position that has a step.
    let step = if trace.loop_start.is_some() { check } else { build.at_most(at, n - 2) };
    build.count(state, at, end, trace.loop_start.map_or(end, number));
    for (var, _) in model.vars() {
        build.drive(var, at, trace);
    }
    let check = build.define(fresh(model, "Check"), check);
    let step = build.define(fresh(model, "Step"), step);
    let last = trace.states.last().filter(|_| trace.loop_start.is_none());
    // Whether an expression reads values that the last state does not have: inputs without a step, or next values.
    let looks_ahead = |model: &TransitionSystem, expr: ExprId, last: &State| {
        eval_bool(model, expr, last, None).is_err_and(|error| error.is_open())
    };
    let caution =
        |model: &TransitionSystem, expr: ExprId| last.filter(|last| looks_ahead(model, expr, last)).map(|_| step);
    let mut rewriter = Rewriter::new(&machine, check, Box::new(caution));
    let zero = rewriter.make(Node::Const(Value::Int(0)));
    let start = rewriter.make(Node::Binary(BinaryOp::Eq, at, zero));
    let properties = targets.iter().map(|target| property(&mut rewriter, start, *target)).collect();
    drop(rewriter);
    machine.properties = properties;
    machine
}

/// The variables and defines of a model, without assignments and constraints.
fn bare(model: &Model) -> Model {
    let mut bare = model.clone();
    bare.context = model.context.fork();
    for var in bare.vars.iter_mut().filter(|var| var.kind == VarKind::Input) {
        var.kind = VarKind::State;
    }
    bare.assigns.clear();
    bare.init.clear();
    bare.trans.clear();
    bare.invar.clear();
    bare.justice.clear();
    bare.compassion.clear();
    bare.properties.clear();
    bare.source.instances.clear();
    bare
}

/// A name that does not occur in the model.
pub(crate) fn fresh(model: &Model, name: &str) -> String {
    let is_free = |name: &String| {
        model.var_named(name).is_none()
            && model.define_named(name).is_none()
            && model.context.symbols.get(name).is_none()
    };
    let numbered = (2..).map(|number| format!("{name}{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(is_free).expect("there is always another number")
}

fn property(rewriter: &mut Rewriter<'_>, start: ExprId, target: Query) -> Property {
    let (formula, wanted) = match target {
        Query::Falsify(formula) => (formula, false),
        Query::Reach(formula) | Query::Show(formula) | Query::Kill(formula) => (formula, true),
    };
    let temporal = rewriter.model().mentions(formula, is_temporal);
    let anywhere = matches!(target, Query::Reach(_)) || (!temporal && !wanted);
    // Showing a formula is refuting its negation.
    let rewritten = rewriter.rewrite(formula, !wanted);
    let mut expr = if wanted { rewriter.make(Node::Unary(UnaryOp::Not, rewritten)) } else { rewritten };
    let logic = logic(rewriter.model(), formula);
    if anywhere {
        expr = rewriter.guard(expr, true);
        if temporal {
            let always = if logic == Logic::Ctl { UnaryOp::AG } else { UnaryOp::G };
            expr = rewriter.make(Node::Unary(always, expr));
        }
    } else if !temporal {
        // Only invariants may have next values.
        expr = rewriter.make(Node::Binary(BinaryOp::Implies, start, expr));
    }
    let kind = match logic {
        _ if !temporal => PropertyKind::Invar,
        Logic::Ctl => PropertyKind::Ctl,
        Logic::Ltl => PropertyKind::Ltl,
    };
    Property { name: None, kind, formula: without_spans(expr), target: None, span: Span::NONE }
}

/// The logic of a formula; plain expressions belong to both.
fn logic(model: &TransitionSystem, formula: ExprId) -> Logic {
    let is_ltl = |node: &Node| match node {
        Node::Unary(op, _) => op.logic() == Some(Logic::Ltl),
        Node::Binary(op, ..) => op.logic() == Some(Logic::Ltl),
        Node::Bounded(op, ..) => op.logic() == Logic::Ltl,
        _ => false,
    };
    if model.mentions(formula, is_ltl) { Logic::Ltl } else { Logic::Ctl }
}

fn number(index: usize) -> i64 {
    i64::try_from(index).expect("memory ends before such traces do")
}

fn without_spans(expr: ExprId) -> SourcedExpr {
    SourcedExpr { expr, spans: [].into() }
}

/// The machine under construction.
struct Build<'a>(&'a mut Model);

impl Build<'_> {
    fn make(&mut self, node: Node) -> ExprId {
        self.0.make(node).expect("the machine is made of well-typed parts")
    }

    fn value(&mut self, value: Value) -> ExprId {
        self.make(Node::Const(value))
    }

    fn at_most(&mut self, at: ExprId, limit: i64) -> ExprId {
        let limit = self.value(Value::Int(limit));
        self.make(Node::Binary(BinaryOp::Le, at, limit))
    }

    fn assign(&mut self, kind: AssignKind, var: VarId, value: ExprId) {
        self.0.assigns.push(Assign { kind, var, value: without_spans(value), span: Span::NONE });
    }

    fn define(&mut self, name: String, body: ExprId) -> ExprId {
        let id = DefineId(self.0.defines.len() as u32);
        self.0.defines.push(Define { name, body: without_spans(body), span: Span::NONE });
        self.make(Node::Define(id))
    }

    /// Defines the position: incremented by each step, and `then` after the end.
    fn count(&mut self, state: VarId, at: ExprId, end: i64, then: i64) {
        let (zero, one) = (self.value(Value::Int(0)), self.value(Value::Int(1)));
        self.assign(AssignKind::Init, state, zero);
        let before_end = self.at_most(at, end - 1);
        let more = self.make(Node::Binary(BinaryOp::Add, at, one));
        let then = self.value(Value::Int(then));
        let otherwise = self.value(Value::Bool(true));
        let next = self.make(Node::Case([(before_end, more), (otherwise, then)].into()));
        self.assign(AssignKind::Next, state, next);
    }

    /// Defines a variable by its values in the trace. Missing values are nondeterministic; after the trace it keeps its
    /// value.
    fn drive(&mut self, var: VarId, at: ExprId, trace: &Trace) {
        let me = self.make(Node::Var(var));
        if let Some(first) = trace.states[0].get(var) {
            let first = self.value(first);
            self.assign(AssignKind::Init, var, first);
        }
        if self.0[var].kind == VarKind::Frozen {
            return;
        }
        let mut branches: Vec<(ExprId, ExprId)> = Vec::new();
        for now in 0..trace.states.len() {
            let Some(next) = trace.next(now) else { break };
            let (before, after) = (trace.states[now].get(var), trace.states[next].get(var));
            if let Some(after) = after.filter(|_| after != before) {
                let index = self.value(Value::Int(number(now)));
                let here = self.make(Node::Binary(BinaryOp::Eq, at, index));
                let value = self.value(after);
                branches.push((here, value));
            }
        }
        let otherwise = self.value(Value::Bool(true));
        branches.push((otherwise, me));
        let next = self.make(Node::Case(branches.into()));
        self.assign(AssignKind::Next, var, next);
    }
}
