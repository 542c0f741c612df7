//! In which order the variables of a state get their values, and when each constraint can be checked.
//!
//! A variable that is assigned, or that a constraint says is equal to something, waits for what it depends on and
//! then takes those values; the others range over their domains, in declared order. A constraint is checked as soon
//! as the last of its variables has a value, conjunct by conjunct.

use super::support::support;
use crate::expr::{ExprId, Node, Written};
use crate::model::{AssignKind, Model, VarId, VarKind};
use crate::op::BinaryOp;
use std::collections::{BTreeMap, BTreeSet};

/// How to find initial states, or the steps from a state.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The variables in the order in which they get values.
    pub(super) slots: Vec<Slot>,
    /// What can be checked before any of them has one.
    pub(super) first_checks: Vec<Check>,
    /// All constraints as they were written, for those conjuncts that have no value.
    pub(super) constraints: Vec<(Frame, Origin)>,
}

/// A variable to give a value to.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) place: Place,
    pub(super) source: Source,
    /// What can be checked once it has a value.
    pub(super) checks: Vec<Check>,
}

/// A variable of the state that is left (an input) or of the state that is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Input(VarId),
    Target(VarId),
}

/// Where the values of a variable come from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// Its domain.
    Domain,
    /// What it is in the state that is left.
    Kept,
    /// An assignment: what it gives must be in the domain.
    Assigned(ExprId, Frame, Origin),
    /// A constraint that says what it is equal to: what is not in the domain is not taken.
    Equal(ExprId, Frame, Origin),
}

/// Which states an expression is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// The state that is searched for, alone.
    Target,
    /// The state that is left, and the one that is searched for as its successor.
    Step,
}

/// Something that must hold.
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
    Member(Place, ExprId),
}

/// The part of the model that demands something.
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
    /// The expression that is demanded, or the value of the assignment.
    pub fn written(self, model: &Model) -> &Written {
        match self {
            Origin::Assign(index) => &model.assigns[index].value,
            Origin::Init(index) => &model.init[index],
            Origin::Invar(index) => &model.invar[index],
            Origin::Trans(index) => &model.trans[index],
        }
    }
}

/// How to find the initial states.
pub(super) fn initial(model: &Model) -> Plan {
    let mut draft = Draft::new(model);
    draft.assigns(AssignKind::Always, Frame::Target);
    draft.assigns(AssignKind::Init, Frame::Target);
    draft.constraints(model.init.len(), Frame::Target, Origin::Init);
    draft.constraints(model.invar.len(), Frame::Target, Origin::Invar);
    let places = model.vars().filter(|(_, var)| var.kind != VarKind::Input).map(|(id, _)| (Place::Target(id), None));
    draft.order(places.collect())
}

/// How to find the steps from a state.
pub(super) fn steps(model: &Model) -> Plan {
    let mut draft = Draft::new(model);
    draft.assigns(AssignKind::Always, Frame::Target);
    draft.assigns(AssignKind::Next, Frame::Step);
    draft.constraints(model.trans.len(), Frame::Step, Origin::Trans);
    draft.constraints(model.invar.len(), Frame::Target, Origin::Invar);
    let inputs = model.vars().filter(|(_, var)| var.kind == VarKind::Input).map(|(id, _)| (Place::Input(id), None));
    let others = model.vars().filter(|(_, var)| var.kind != VarKind::Input);
    let targets = others.map(|(id, var)| {
        let kept = (var.kind == VarKind::Frozen).then_some(Source::Kept);
        (Place::Target(id), kept)
    });
    draft.order(inputs.chain(targets).collect())
}

struct Draft<'m> {
    model: &'m Model,
    checks: Vec<(Check, BTreeSet<Place>)>,
    /// For each variable, the ways to say what it is: the expression, and what has to be known before.
    sources: BTreeMap<Place, Vec<(Source, BTreeSet<Place>)>>,
    constraints: Vec<(Frame, Origin)>,
}

impl<'m> Draft<'m> {
    fn new(model: &'m Model) -> Draft<'m> {
        Draft { model, checks: Vec::new(), sources: BTreeMap::new(), constraints: Vec::new() }
    }

    /// Takes up the assignments of one kind.
    fn assigns(&mut self, kind: AssignKind, frame: Frame) {
        for (index, assign) in self.model.assigns.iter().enumerate() {
            if assign.kind == kind {
                let (place, expr, origin) = (Place::Target(assign.var), assign.value.expr, Origin::Assign(index));
                let mut places = self.places(expr, frame);
                self.sources.entry(place).or_default().push((Source::Assigned(expr, frame, origin), places.clone()));
                places.insert(place);
                self.checks.push((Check { kind: CheckKind::Member(place, expr), frame, origin }, places));
            }
        }
    }

    /// Takes up the constraints of one kind.
    fn constraints(&mut self, n: usize, frame: Frame, origin: fn(usize) -> Origin) {
        for origin in (0..n).map(origin) {
            self.constraints.push((frame, origin));
            for expr in conjuncts(self.model, origin.written(self.model).expr) {
                if let Some((place, value)) = self.equation(expr, frame) {
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

    /// Reads a conjunct as `variable = expression`, if it is one.
    fn equation(&self, expr: ExprId, frame: Frame) -> Option<(Place, ExprId)> {
        match self.model[expr] {
            Node::Binary(BinaryOp::Eq | BinaryOp::Iff, a, b) => {
                let left = self.place(a, frame).map(|place| (place, b));
                left.or_else(|| self.place(b, frame).map(|place| (place, a)))
            }
            Node::Binary(BinaryOp::In, a, b) => self.place(a, frame).map(|place| (place, b)),
            _ => None,
        }
    }

    /// The place that an expression names, if it is to be filled.
    fn place(&self, expr: ExprId, frame: Frame) -> Option<Place> {
        match (&self.model[expr], frame) {
            (Node::Var(var), Frame::Target) => Some(Place::Target(*var)),
            (Node::Var(var), Frame::Step) if self.model[*var].kind == VarKind::Input => Some(Place::Input(*var)),
            (Node::Next(a), Frame::Step) => match self.model[*a] {
                Node::Var(var) => Some(Place::Target(var)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The places that must be filled before an expression has a value.
    fn places(&self, expr: ExprId, frame: Frame) -> BTreeSet<Place> {
        let support = support(self.model, expr);
        match frame {
            Frame::Target => support.now.into_iter().map(Place::Target).collect(),
            Frame::Step => {
                let inputs = support.now.into_iter().filter(|var| self.model[*var].kind == VarKind::Input);
                let targets = support.next.into_iter().map(Place::Target);
                inputs.map(Place::Input).chain(targets).collect()
            }
        }
    }

    /// Puts the places in order: what is determined first, the rest as declared.
    fn order(mut self, mut open: Vec<(Place, Option<Source>)>) -> Plan {
        let mut slots: Vec<Slot> = Vec::new();
        let mut filled = BTreeSet::new();
        while !open.is_empty() {
            let ready = |(place, fixed): &(Place, Option<Source>)| {
                let sources = self.sources.get(place).map_or(&[][..], Vec::as_slice);
                let found = sources.iter().find(|(_, needs)| needs.is_subset(&filled));
                fixed.clone().or_else(|| found.map(|(source, _)| source.clone()))
            };
            let determined = open.iter().enumerate().find_map(|(at, entry)| ready(entry).map(|source| (at, source)));
            let (at, source) = determined.unwrap_or_else(|| {
                let free = open.iter().position(|(place, _)| !self.sources.contains_key(place));
                (free.unwrap_or(0), Source::Domain)
            });
            let (place, _) = open.remove(at);
            filled.insert(place);
            slots.push(Slot { place, source, checks: Vec::new() });
        }
        let mut first_checks = Vec::new();
        for (check, places) in self.checks.drain(..) {
            let last = slots.iter().rposition(|slot| places.contains(&slot.place));
            match last {
                // What the values were taken from need not be checked again.
                Some(last) if gives(&slots[last], &check) => {}
                Some(last) => slots[last].checks.push(check),
                None => first_checks.push(check),
            }
        }
        Plan { slots, first_checks, constraints: self.constraints }
    }
}

fn gives(slot: &Slot, check: &Check) -> bool {
    matches!((&slot.source, check.origin), (Source::Assigned(_, _, used), origin) if *used == origin)
}

/// The parts of a conjunction, those that defines stand for included.
fn conjuncts(model: &Model, expr: ExprId) -> Vec<ExprId> {
    let mut parts = Vec::new();
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        match model[expr] {
            Node::Binary(BinaryOp::And, a, b) if model.exprs.ty(expr) == &crate::ty::Ty::BOOL => stack.extend([b, a]),
            Node::Define(define) if matches!(model[model.body(define)], Node::Binary(BinaryOp::And, ..)) => {
                stack.push(model.body(define));
            }
            _ => parts.push(expr),
        }
    }
    parts
}
