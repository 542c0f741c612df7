//! Formulas of linear time, by a translation of liveness to safety.
//!
//! A path violates a formula if it is infinite and fair and satisfies the negation. If there is one, there is a lasso. The
//! system is extended so that a finite execution shows it (Biere, Artho and Schuppan, 2002):
//!
//! - Obligations: truth values that say what the rest of the path has to satisfy. A step carries them on, and what is to
//!   happen at last has to happen in the loop (a tableau of the negation, without the choices that do not matter).
//! - A copy of the state. The execution stores its state once, where the loop starts.
//! - For each fairness constraint whether it held since then.
//!
//! The execution is at its end when its state is the stored one and every constraint has held. So the search for short
//! executions finds the shortest lassos, and a proof that no execution gets there is a proof of the formula.

use super::Sat;
use super::target::is_ctl;
use crate::answer::{Answer, Reason, Witness};
use crate::bdd::Limit;
use crate::ltl::{Formulas, Linear, LinearId, Universal};
use crate::query::{Query, mentions_next};
use crate::search::Search;
use crate::symbolic::{BuildError, Options};
use rustc_hash::FxHashMap;
use specwright_model::interp::Path;
use specwright_model::model::{Assign, AssignKind, Property, PropertyKind, Var, VarKind};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::ty::Ty;
use specwright_model::{Domain, ExprId, Node, SourcedExpr, State, Trace, TransitionSystem, Value, VarId};
use specwright_syntax::budget::Budget;
use specwright_syntax::span::Span;

impl Sat {
    /// Looks for a fair lasso that violates a property of LTL, or for a proof that there is none.
    pub(super) fn check_liveness(&mut self, property: &Property, budget: &Budget) -> Answer<Witness> {
        let formula = property.formula.expr;
        if property.kind != PropertyKind::Ltl || !self.system.compassion.is_empty() {
            return Answer::Undecided(Reason::Unsupported);
        }
        match self.path_formula(formula, false) {
            Ok(Some(root)) => self.look_for_lasso(formula, root, false, budget).map(Witness::Trace),
            Ok(None) => Answer::Undecided(Reason::Unsupported),
            Err(limit) => Answer::Undecided(limit.into()),
        }
    }

    /// The formula of an infinite path that answers a query of LTL, if no finite execution does.
    pub(super) fn lasso_formula(&mut self, query: Query) -> Option<LinearId> {
        let (formula, wanted) = match query {
            Query::Falsify(formula) => (formula, false),
            Query::Show(formula) => (formula, true),
            Query::Reach(_) | Query::Kill(_) => return None,
        };
        if !self.system.compassion.is_empty() || self.is_plain(formula) || self.system.mentions(formula, is_ctl) {
            return None;
        }
        let root = self.path_formula(formula, wanted).ok().flatten()?;
        let is_infinite = !self.linear.can_be_finite(root) && self.linear[root] != Linear::False;
        (is_infinite && self.linear.past_depth(root) == 0).then_some(root)
    }

    /// A shortest fair lasso that answers a query, where [`Sat::lasso_formula`] says that nothing else does.
    pub(super) fn lasso(&mut self, query: Query, budget: &Budget) -> Answer<Trace> {
        match self.lasso_formula(query) {
            Some(root) => self.look_for_lasso(query.expr(), root, matches!(query, Query::Show(_)), budget),
            None => Answer::Undecided(Reason::Unsupported),
        }
    }

    /// What a path has to satisfy for a formula to be true or false on it, if paths tell.
    fn path_formula(&mut self, formula: ExprId, wanted: bool) -> Result<Option<LinearId>, Limit> {
        let Sat { linear, system, .. } = self;
        let [root, assumed] =
            [Universal::Drop, Universal::Assume].map(|universal| linear.read(system, formula, wanted, universal));
        Ok(if root == assumed && self.has_values(root)? { Some(root) } else { None })
    }

    fn look_for_lasso(&mut self, formula: ExprId, root: LinearId, wanted: bool, budget: &Budget) -> Answer<Trace> {
        let unsupported = Answer::Undecided(Reason::Unsupported);
        let Some(safety) = Safety::new(&self.system, &self.linear, root) else { return unsupported };
        let options = Options { budget: budget.clone(), ..Options::default() };
        let mut sat = match Sat::new(safety.system.clone(), &options) {
            Ok(sat) => sat,
            Err(BuildError::Limit(limit)) => return Answer::Undecided(limit.into()),
            Err(_) => return unsupported,
        };
        sat.set_preference(self.preference.clone());
        let answer = match sat.target(Query::Reach(safety.target)) {
            Ok(target) => sat.decide(target, budget),
            Err(reason) => return Answer::Undecided(reason),
        };
        self.spent += sat.steps();
        answer.map(|trace| {
            let lasso = safety.lasso(self.system.vars.len(), &trace);
            if let Err(error) = self.replayer.check(&self.system, &lasso) {
                let error = error.describe(&self.system);
                panic!("the engine found a trace that the interpreter rejects: {error}\n{lasso:?}");
            }
            assert!(
                Path::new(&self.system, &lasso).truth(formula) == Ok(Some(wanted)),
                "the engine found a trace on which the interpreter does not find the formula {wanted}\n{lasso:?}"
            );
            lasso
        })
    }
}

/// A system in which a finite execution shows a lasso.
struct Safety {
    system: TransitionSystem,
    /// Whether the loop has started.
    saved: VarId,
    /// The end of an execution that shows a lasso.
    target: ExprId,
}

impl Safety {
    /// Extends a system for the fair lassos that satisfy a formula; none if it speaks of the past.
    fn new(system: &TransitionSystem, formulas: &Formulas, root: LinearId) -> Option<Safety> {
        let mut system = system.clone();
        system.context = system.context.fork();
        let mut obligations =
            Obligations { system, formulas, vars: FxHashMap::default(), open: Vec::new(), justice: Vec::new() };
        let first = obligations.of(root);
        obligations.system.assigns.push(init(&obligations.system, first, Value::Bool(true)));
        obligations.expand()?;
        let Obligations { mut system, justice: promises, .. } = obligations;
        let mut justice: Vec<ExprId> = system.justice.drain(..).map(|written| written.expr).collect();
        justice.extend(promises);

        let stored: Vec<VarId> =
            system.vars().filter(|(_, var)| var.kind == VarKind::State).map(|(id, _)| id).collect();
        let save = add(&mut system, "save", Domain::Bool, VarKind::Input);
        let saved = add(&mut system, "saved", Domain::Bool, VarKind::State);
        let [save_now, is_saved] = [save, saved].map(|var| make(&system, Node::Var(var)));
        let in_loop = binary(&system, BinaryOp::Or, is_saved, save_now);
        assign(&mut system, saved, in_loop);
        let not_saved = not(&system, is_saved);
        let stores = binary(&system, BinaryOp::And, save_now, not_saved);
        let mut target = is_saved;
        for var in stored {
            let Var { name, domain, .. } = system[var].clone();
            let value = domain.value_at(0)?;
            let copy = add(&mut system, &format!("stored {name}"), domain, VarKind::State);
            let [now, stored] = [var, copy].map(|var| make(&system, Node::Var(var)));
            let next = make(&system, Node::Ite(stores, now, stored));
            system.assigns.push(init(&system, copy, value));
            system.assigns.push(next_value(copy, next));
            let op = if *system.context.exprs.ty(now) == Ty::BOOL { BinaryOp::Iff } else { BinaryOp::Eq };
            let is_back = binary(&system, op, now, stored);
            target = binary(&system, BinaryOp::And, target, is_back);
        }
        for (number, condition) in justice.into_iter().enumerate() {
            let seen = add(&mut system, &format!("seen {number}"), Domain::Bool, VarKind::State);
            let was_seen = make(&system, Node::Var(seen));
            let either = binary(&system, BinaryOp::Or, was_seen, condition);
            let is_seen = binary(&system, BinaryOp::And, in_loop, either);
            if mentions_next(&system, condition) {
                system.assigns.push(init(&system, seen, Value::Bool(false)));
                let after = make(&system, Node::Next(was_seen));
                let step = binary(&system, BinaryOp::Iff, after, is_seen);
                system.trans.push(unsourced(step));
            } else {
                assign(&mut system, seen, is_seen);
            }
            target = binary(&system, BinaryOp::And, target, was_seen);
        }
        Some(Safety { system, saved, target })
    }

    /// The lasso that an execution shows, with the first variables only.
    fn lasso(&self, n_vars: usize, trace: &Trace) -> Trace {
        let is_saved = |state: &State| state.get(self.saved) == Some(Value::Bool(true));
        let start = trace.states.iter().take_while(|state| !is_saved(state)).count() - 1;
        let state = |state: &State| {
            let mut own = State::empty(n_vars);
            (0..n_vars as u32).map(VarId).for_each(|var| own.set(var, state.get(var)));
            own
        };
        // The last state is the one in which the loop starts.
        let states = trace.states[..trace.states.len() - 1].iter().map(state).collect();
        Trace { states, loop_start: Some(start) }
    }
}

/// What the rest of a path has to satisfy, as variables.
struct Obligations<'f> {
    system: TransitionSystem,
    formulas: &'f Formulas,
    vars: FxHashMap<LinearId, VarId>,
    /// Variables without constraints so far.
    open: Vec<LinearId>,
    /// What is to happen at last: one condition for each until.
    justice: Vec<ExprId>,
}

impl Obligations<'_> {
    /// The variable that says that a formula is to hold here.
    fn of(&mut self, formula: LinearId) -> VarId {
        if let Some(var) = self.vars.get(&formula) {
            return *var;
        }
        let var = add(&mut self.system, &format!("obligation {}", formula.0), Domain::Bool, VarKind::State);
        self.vars.insert(formula, var);
        self.open.push(formula);
        var
    }

    /// Adds what each obligation asks of the step that leaves the state.
    fn expand(&mut self) -> Option<()> {
        while let Some(formula) = self.open.pop() {
            let var = make(&self.system, Node::Var(self.vars[&formula]));
            let later = make(&self.system, Node::Next(var));
            let demand = match self.formulas[formula] {
                Linear::Until(a, b) | Linear::WeakUntil(a, b) => {
                    let (stay, end) = (self.condition(a)?, self.condition(b)?);
                    if let Linear::Until(..) = self.formulas[formula] {
                        let none = not(&self.system, var);
                        self.justice.push(binary(&self.system, BinaryOp::Or, none, end));
                    }
                    let goes_on = binary(&self.system, BinaryOp::And, stay, later);
                    binary(&self.system, BinaryOp::Or, end, goes_on)
                }
                Linear::Release(a, b) | Linear::WeakRelease(a, b) => {
                    let (end, stay) = (self.condition(a)?, self.condition(b)?);
                    let goes_on = binary(&self.system, BinaryOp::Or, end, later);
                    binary(&self.system, BinaryOp::And, stay, goes_on)
                }
                _ => self.condition(formula)?,
            };
            let step = binary(&self.system, BinaryOp::Implies, var, demand);
            self.system.trans.push(unsourced(step));
        }
        Some(())
    }

    /// A condition on the step that leaves a state from which a formula follows.
    fn condition(&mut self, formula: LinearId) -> Option<ExprId> {
        stacker::maybe_grow(64 << 10, 1 << 20, || {
            Some(match self.formulas[formula] {
                Linear::True => make(&self.system, Node::Const(Value::Bool(true))),
                Linear::False => make(&self.system, Node::Const(Value::Bool(false))),
                // Everything has a value.
                Linear::Atom(expr, true) | Linear::NotAtom(expr, false) => expr,
                Linear::Atom(expr, false) | Linear::NotAtom(expr, true) => not(&self.system, expr),
                Linear::And(a, b) | Linear::Or(a, b) => {
                    let is_and = matches!(self.formulas[formula], Linear::And(..));
                    let (a, b) = (self.condition(a)?, self.condition(b)?);
                    binary(&self.system, if is_and { BinaryOp::And } else { BinaryOp::Or }, a, b)
                }
                Linear::Next(a) | Linear::WeakNext(a) => {
                    let var = self.of(a);
                    let var = make(&self.system, Node::Var(var));
                    make(&self.system, Node::Next(var))
                }
                Linear::Until(..) | Linear::Release(..) | Linear::WeakUntil(..) | Linear::WeakRelease(..) => {
                    let var = self.of(formula);
                    make(&self.system, Node::Var(var))
                }
                Linear::Before(..) | Linear::Since(..) | Linear::Trigger(..) => return None,
            })
        })
    }
}

fn make(system: &TransitionSystem, node: Node) -> ExprId {
    system.make(node).expect("the types fit")
}

fn binary(system: &TransitionSystem, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
    make(system, Node::Binary(op, a, b))
}

fn not(system: &TransitionSystem, a: ExprId) -> ExprId {
    make(system, Node::Unary(UnaryOp::Not, a))
}

/// An expression without a place in a source text.
fn unsourced(expr: ExprId) -> SourcedExpr {
    SourcedExpr { expr, spans: [Span::NONE].into() }
}

fn add(system: &mut TransitionSystem, name: &str, domain: Domain, kind: VarKind) -> VarId {
    let var = VarId(system.vars.len() as u32);
    system.vars.push(Var { name: name.into(), domain, kind, span: Span::NONE });
    var
}

fn init(system: &TransitionSystem, var: VarId, value: Value) -> Assign {
    let value = unsourced(make(system, Node::Const(value)));
    Assign { kind: AssignKind::Init, var, value, span: Span::NONE }
}

fn next_value(var: VarId, value: ExprId) -> Assign {
    Assign { kind: AssignKind::Next, var, value: unsourced(value), span: Span::NONE }
}

/// Makes a truth value false at first, and gives it its next value.
fn assign(system: &mut TransitionSystem, var: VarId, next: ExprId) {
    system.assigns.push(init(system, var, Value::Bool(false)));
    system.assigns.push(next_value(var, next));
}
