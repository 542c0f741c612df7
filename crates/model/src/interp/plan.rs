//! Search plan: the order in which variables get values, and when each constraint is checked.
//!
//! A variable that is assigned, or that a constraint equates with an expression, waits for the variables of that
//! expression and then takes its values; the others range over their domains, in declared order. A constraint is
//! checked, conjunct by conjunct, when the last of its variables has a value. A constraint that can be false earlier
//! (such as a disjunction) is also checked whenever another of its variables gets a value.

use super::eval::Depths;
use super::support::support;
use crate::expr::{ExprId, Node, SourcedExpr};
use crate::model::{AssignKind, TransitionSystem, VarId, VarKind};
use crate::op::{BinaryOp, UnaryOp};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Operators that all early checks of a constraint evaluate together; large constraints are checked early only
/// [`MIN_EARLY_CHECKS`] times.
const EARLY_CHECK_PARTS: usize = 20_000;
const MIN_EARLY_CHECKS: usize = 8;

/// The plan for finding initial states, or the steps from a state.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The variables in the order in which they get values.
    pub(super) slots: Vec<Slot>,
    /// Checks that need no variable.
    pub(super) first_checks: Vec<Check>,
    /// All constraints as a whole, for conjuncts that are undefined on their own.
    pub(super) constraints: Vec<(Frame, Origin)>,
    /// The places of variables among the slots.
    pub(super) depths: Depths,
}

/// A variable and the checks that follow it.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) place: PlanVar,
    /// The expressions that denote it in constraints, with their frames.
    pub(super) exprs: Vec<(ExprId, Frame)>,
    pub(super) source: Source,
    /// Checks that are possible once it has a value.
    pub(super) checks: Vec<Check>,
    /// Constraints that may be false already, although some of their variables have no values yet.
    pub(super) early_checks: Vec<(ExprId, Frame)>,
}

/// A variable of the source state (an input) or of the target state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PlanVar {
    Input(VarId),
    Target(VarId),
}

/// The source of the values of a variable.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// Its domain.
    Domain,
    /// Its value in the source state.
    Kept,
    /// An assignment: a value outside of the domain is an error.
    Assigned(ExprId, Frame, Origin),
    /// A constraint that equates it with an expression: values outside of the domain are skipped.
    Equal(ExprId, Frame, Origin),
}

/// The states that an expression is evaluated in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// The target state only.
    Target,
    /// The source state, with the target state as its successor.
    Step,
}

/// A condition that must hold.
#[derive(Clone, Debug)]
pub(super) struct Check {
    pub(super) kind: CheckKind,
    pub(super) frame: Frame,
    pub(super) origin: Origin,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum CheckKind {
    /// The expression is true.
    Holds(ExprId),
    /// The variable has one of the values of the expression.
    Member(PlanVar, ExprId),
}

/// A part of the model that restricts states or steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An assignment, by its index.
    Assign(usize),
    /// A constraint on initial states, by its index.
    Init(usize),
    /// A constraint on all states, by its index.
    Invar(usize),
    /// A constraint on steps, by its index.
    Trans(usize),
}

impl Origin {
    /// The constraint, or the value of the assignment.
    pub fn sourced(self, model: &TransitionSystem) -> &SourcedExpr {
        match self {
            Origin::Assign(index) => &model.assigns[index].value,
            Origin::Init(index) => &model.init[index],
            Origin::Invar(index) => &model.invar[index],
            Origin::Trans(index) => &model.trans[index],
        }
    }
}

/// The plan for finding the initial states.
pub(super) fn initial(model: &TransitionSystem) -> Plan {
    let mut draft = Draft::new(model);
    draft.assigns(AssignKind::Always, Frame::Target);
    draft.assigns(AssignKind::Init, Frame::Target);
    draft.constraints(model.init.len(), Frame::Target, Origin::Init);
    draft.constraints(model.invar.len(), Frame::Target, Origin::Invar);
    let places = model.vars().filter(|(_, var)| var.kind != VarKind::Input).map(|(id, _)| (PlanVar::Target(id), None));
    draft.order(&places.collect::<Vec<_>>())
}

/// The plan for finding the steps from a state.
pub(super) fn steps(model: &TransitionSystem) -> Plan {
    let mut draft = Draft::new(model);
    draft.assigns(AssignKind::Always, Frame::Target);
    draft.assigns(AssignKind::Next, Frame::Step);
    draft.constraints(model.trans.len(), Frame::Step, Origin::Trans);
    draft.constraints(model.invar.len(), Frame::Target, Origin::Invar);
    let inputs = model.vars().filter(|(_, var)| var.kind == VarKind::Input).map(|(id, _)| (PlanVar::Input(id), None));
    let others = model.vars().filter(|(_, var)| var.kind != VarKind::Input);
    let targets = others.map(|(id, var)| {
        let kept = (var.kind == VarKind::Frozen).then_some(Source::Kept);
        (PlanVar::Target(id), kept)
    });
    draft.order(&inputs.chain(targets).collect::<Vec<_>>())
}

struct Draft<'m> {
    model: &'m TransitionSystem,
    checks: Vec<(Check, BTreeSet<PlanVar>)>,
    /// For each variable, its possible sources, each with the variables that must be known before.
    sources: BTreeMap<PlanVar, Vec<(Source, BTreeSet<PlanVar>)>>,
    constraints: Vec<(Frame, Origin)>,
}

impl<'m> Draft<'m> {
    fn new(model: &'m TransitionSystem) -> Draft<'m> {
        Draft { model, checks: Vec::new(), sources: BTreeMap::new(), constraints: Vec::new() }
    }

    /// Adds the assignments of one kind.
    fn assigns(&mut self, kind: AssignKind, frame: Frame) {
        for (index, assign) in self.model.assigns.iter().enumerate() {
            if assign.kind == kind {
                let (place, expr, origin) = (PlanVar::Target(assign.var), assign.value.expr, Origin::Assign(index));
                let mut places = self.places(expr, frame);
                self.sources.entry(place).or_default().push((Source::Assigned(expr, frame, origin), places.clone()));
                places.insert(place);
                self.checks.push((Check { kind: CheckKind::Member(place, expr), frame, origin }, places));
            }
        }
    }

    /// Adds the constraints of one kind.
    fn constraints(&mut self, n: usize, frame: Frame, origin: fn(usize) -> Origin) {
        for origin in (0..n).map(origin) {
            self.constraints.push((frame, origin));
            for expr in conjuncts(self.model, origin.sourced(self.model).expr) {
                for (place, value) in self.equations(expr, frame) {
                    let needs = self.places(value, frame);
                    if !needs.contains(&place) {
                        self.sources.entry(place).or_default().push((Source::Equal(value, frame, origin), needs));
                    }
                }
                let places = self.places(expr, frame);
                self.checks.push((Check { kind: CheckKind::Holds(expr), frame, origin }, places));
            }
        }
    }

    /// The equations `variable = expression` that a conjunct states, in both directions.
    fn equations(&self, expr: ExprId, frame: Frame) -> Vec<(PlanVar, ExprId)> {
        let sides = match self.model[expr] {
            Node::Binary(BinaryOp::Eq | BinaryOp::Iff, a, b) => vec![(a, b), (b, a)],
            Node::Binary(BinaryOp::In, a, b) => vec![(a, b)],
            _ => Vec::new(),
        };
        sides.into_iter().filter_map(|(a, b)| Some((self.place(a, frame)?, b))).collect()
    }

    /// The variable that an expression denotes, if it is to be assigned.
    fn place(&self, expr: ExprId, frame: Frame) -> Option<PlanVar> {
        match (&self.model[stands_for(self.model, expr)], frame) {
            (Node::Var(var), Frame::Target) => Some(PlanVar::Target(*var)),
            (Node::Var(var), Frame::Step) if self.model[*var].kind == VarKind::Input => Some(PlanVar::Input(*var)),
            (Node::Next(a), Frame::Step) => match self.model[stands_for(self.model, *a)] {
                Node::Var(var) => Some(PlanVar::Target(var)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The variables that must be assigned before an expression can be evaluated.
    fn places(&self, expr: ExprId, frame: Frame) -> BTreeSet<PlanVar> {
        let support = support(self.model, expr);
        match frame {
            Frame::Target => support.now.into_iter().map(PlanVar::Target).collect(),
            Frame::Step => {
                let inputs = support.now.into_iter().filter(|var| self.model[*var].kind == VarKind::Input);
                let targets = support.next.into_iter().map(PlanVar::Target);
                inputs.map(PlanVar::Input).chain(targets).collect()
            }
        }
    }

    /// Orders the variables: determined ones first, the rest as declared.
    fn order(mut self, entries: &[(PlanVar, Option<Source>)]) -> Plan {
        let mut slots: Vec<Slot> = Vec::new();
        let mut slot_of: BTreeMap<PlanVar, usize> = BTreeMap::new();
        let mut open = Open::new(&self.sources, entries);
        while let Some(first) = open.all.first().copied() {
            self.model.budget.look();
            let (at, source) = match open.ready.first().copied() {
                Some(at) => (at, self.source(&entries[at], &open.filled)),
                None => (self.free(entries, &open).unwrap_or(first), Source::Domain),
            };
            let place = entries[at].0;
            open.fill(at, place);
            slot_of.insert(place, slots.len());
            let exprs = self.exprs_of(place);
            slots.push(Slot { place, exprs, source, checks: Vec::new(), early_checks: Vec::new() });
        }
        let mut first_checks = Vec::new();
        for (check, places) in self.checks.drain(..) {
            self.model.budget.look();
            let filled: Vec<usize> = places.iter().filter_map(|place| slot_of.get(place).copied()).collect();
            let last = filled.iter().copied().max();
            if let (CheckKind::Holds(expr), Some(last)) = (check.kind, last)
                && can_be_decided_early(self.model, expr)
            {
                let mut before: Vec<usize> = filled.into_iter().filter(|slot| *slot < last).collect();
                before.sort_unstable();
                // A large constraint takes long to check, so it is checked now and then.
                let n_parts = self.model.context.exprs.parts([expr]).len();
                let most = (EARLY_CHECK_PARTS / n_parts.max(1)).max(MIN_EARLY_CHECKS);
                let every = before.len().div_ceil(most).max(1);
                before.iter().step_by(every).for_each(|slot| slots[*slot].early_checks.push((expr, check.frame)));
            }
            match last {
                // The equation that gave the values need not be checked again.
                Some(last) if gives(&slots[last], &check) => {}
                Some(last) => slots[last].checks.push(check),
                None => first_checks.push(check),
            }
        }
        let n_vars = self.model.vars.len();
        let mut depths = Depths { now: vec![0; n_vars], next: vec![0; n_vars] };
        for (at, slot) in slots.iter().enumerate() {
            match slot.place {
                PlanVar::Input(var) => depths.now[var.0 as usize] = at + 1,
                PlanVar::Target(var) => depths.next[var.0 as usize] = at + 1,
            }
        }
        Plan { slots, first_checks, constraints: self.constraints, depths }
    }

    /// The source of a variable that is determined.
    fn source(&self, (place, fixed): &(PlanVar, Option<Source>), filled: &BTreeSet<PlanVar>) -> Source {
        let sources = self.sources.get(place).map_or(&[][..], Vec::as_slice);
        let found = || sources.iter().find(|(_, needs)| needs.is_subset(filled)).map(|(source, _)| source.clone());
        fixed.clone().or_else(found).unwrap_or(Source::Domain)
    }

    /// The next variable to enumerate: one without any source, or else the one that determines most others.
    fn free(&self, entries: &[(PlanVar, Option<Source>)], open: &Open) -> Option<usize> {
        /// Number of variables beyond which this lookahead costs more than it saves.
        const MAX_LOOKAHEAD: usize = 64;
        let undetermined = open.undetermined.first().copied();
        if undetermined.is_some() || open.all.len() > MAX_LOOKAHEAD {
            return undetermined;
        }
        let places = || open.all.iter().map(|at| entries[*at].0);
        let determines = |at: usize| {
            let mut filled = open.filled.clone();
            filled.insert(entries[at].0);
            loop {
                let ready = |place: &PlanVar| self.sources[place].iter().any(|(_, needs)| needs.is_subset(&filled));
                let more = places().find(|place| !filled.contains(place) && ready(place));
                match more {
                    Some(place) => filled.insert(place),
                    None => return filled.len(),
                };
            }
        };
        // A constraint that it completes may narrow its values.
        let completes = |at: usize| {
            let place = &entries[at].0;
            let known = |other: &PlanVar| other == place || open.filled.contains(other);
            let checks = self.checks.iter().filter(|(_, places)| places.contains(place));
            checks.filter(|(_, places)| places.iter().all(known)).count()
        };
        let size = |at: usize| {
            let (PlanVar::Input(var) | PlanVar::Target(var)) = entries[at].0;
            self.model[var].domain.size().unwrap_or(u128::MAX)
        };
        let merit = |at: &usize| (Reverse(determines(*at)), Reverse(completes(*at)), size(*at));
        open.all.iter().copied().min_by_key(merit)
    }

    /// The expressions that denote a variable in constraints.
    fn exprs_of(&self, place: PlanVar) -> Vec<(ExprId, Frame)> {
        let exprs = &self.model.context.exprs;
        let (PlanVar::Input(var) | PlanVar::Target(var)) = place;
        let Some(now) = exprs.get(&Node::Var(var)) else { return Vec::new() };
        match place {
            PlanVar::Input(_) => vec![(now, Frame::Step)],
            PlanVar::Target(_) => {
                let next = exprs.get(&Node::Next(now)).map(|next| (next, Frame::Step));
                std::iter::once((now, Frame::Target)).chain(next).collect()
            }
        }
    }
}

/// The variables without values, by their indices in declared order.
struct Open {
    all: BTreeSet<usize>,
    /// Variables with a source whose dependencies are all known.
    ready: BTreeSet<usize>,
    /// Variables without a source.
    undetermined: BTreeSet<usize>,
    filled: BTreeSet<PlanVar>,
    /// For each source, its variable and the number of dependencies that are unknown.
    missing: Vec<(usize, usize)>,
    /// For each variable, the sources that depend on it.
    needed: BTreeMap<PlanVar, Vec<usize>>,
}

impl Open {
    fn new(
        sources: &BTreeMap<PlanVar, Vec<(Source, BTreeSet<PlanVar>)>>,
        entries: &[(PlanVar, Option<Source>)],
    ) -> Open {
        let mut open = Open {
            all: (0..entries.len()).collect(),
            ready: BTreeSet::new(),
            undetermined: BTreeSet::new(),
            filled: BTreeSet::new(),
            missing: Vec::new(),
            needed: BTreeMap::new(),
        };
        for (at, (place, fixed)) in entries.iter().enumerate() {
            let of_place = sources.get(place).map_or(&[][..], Vec::as_slice);
            if fixed.is_some() || of_place.iter().any(|(_, needs)| needs.is_empty()) {
                open.ready.insert(at);
            }
            if !sources.contains_key(place) {
                open.undetermined.insert(at);
            }
            for (_, needs) in of_place {
                for need in needs {
                    open.needed.entry(*need).or_default().push(open.missing.len());
                }
                open.missing.push((at, needs.len()));
            }
        }
        open
    }

    fn fill(&mut self, at: usize, place: PlanVar) {
        for set in [&mut self.all, &mut self.ready, &mut self.undetermined] {
            set.remove(&at);
        }
        self.filled.insert(place);
        for way in self.needed.remove(&place).unwrap_or_default() {
            let (at, missing) = &mut self.missing[way];
            *missing -= 1;
            if *missing == 0 && self.all.contains(at) {
                self.ready.insert(*at);
            }
        }
    }
}

fn gives(slot: &Slot, check: &Check) -> bool {
    matches!((&slot.source, check.origin), (Source::Assigned(_, _, used), origin) if *used == origin)
}

/// The expression with outer defines resolved.
pub(super) fn stands_for(model: &TransitionSystem, mut expr: ExprId) -> ExprId {
    while let Node::Define(define) = model[expr] {
        expr = model.body(define);
    }
    expr
}

/// Whether an expression may be false although some of its variables have no values.
fn can_be_decided_early(model: &TransitionSystem, mut expr: ExprId) -> bool {
    loop {
        match model[expr] {
            Node::Define(define) => expr = model.body(define),
            Node::Unary(UnaryOp::Not, a) => expr = a,
            Node::Binary(op, ..) => return matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Implies),
            Node::Ite(..) | Node::Case(_) => return true,
            _ => return false,
        }
    }
}

/// The conjuncts of an expression, with defines resolved.
fn conjuncts(model: &TransitionSystem, expr: ExprId) -> Vec<ExprId> {
    let mut parts = Vec::new();
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        match model[expr] {
            Node::Binary(BinaryOp::And, a, b) if model.context.exprs.ty(expr) == &crate::ty::Ty::BOOL => {
                stack.extend([b, a]);
            }
            Node::Define(define) if matches!(model[model.body(define)], Node::Binary(BinaryOp::And, ..)) => {
                stack.push(model.body(define));
            }
            _ => parts.push(expr),
        }
    }
    parts
}
