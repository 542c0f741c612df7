//! Execution of tests on mutants of a model whose assignments determine its steps, without any search.
//!
//! The model follows the test. The mutant follows it, too, until a changed part has another value; from there on its states
//! are computed one by one, until its outputs differ or its state is that of the test again. It has one run, so every kill
//! is certain. What has no single value is left to the general search.
//!
//! A state of a test is *infected* if a changed part may have another value in it, or in the step from it. Steps between states
//! that are not infected need no evaluation.

use super::{Changes, Observer, Place};
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_model::interp::{EvalError, Support, eval, eval_bool, eval_set, support};
use specwright_model::model::{Assign, AssignKind, VarKind};
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, Node, State, Trace, TransitionSystem, Value, VarId};
use std::collections::BTreeSet;

/// A model whose inputs determine its initial state and its steps, by assignments.
pub(super) struct Functional<'m> {
    model: &'m TransitionSystem,
    observer: &'m Observer,
    /// For each assignment, the variables that it reads at the time for which it assigns.
    reads: Vec<BTreeSet<VarId>>,
}

/// What is known of the steps of a mutant, by the state before the step (nothing for initial states) and the state of the test
/// after it, or its inputs.
#[derive(Default)]
pub(super) struct KnownSteps {
    /// Whether the mutant does the step of the test.
    follows: FxHashMap<(Option<State>, State), bool>,
    /// Its state after the step; nothing if it refuses the inputs.
    after: FxHashMap<(Option<State>, State), Option<State>>,
}

/// A value is missing, or there are several: the general search decides.
pub(super) struct Unclear;

impl From<EvalError> for Unclear {
    fn from(_: EvalError) -> Unclear {
        Unclear
    }
}

impl<'m> Functional<'m> {
    /// Nothing if a variable that the tester does not set is not determined by assignments.
    pub(super) fn new(model: &'m TransitionSystem, observer: &'m Observer) -> Option<Functional<'m>> {
        let has =
            |var: VarId, kind: AssignKind| model.assigns.iter().any(|assign| assign.var == var && assign.kind == kind);
        let is_determined = |(var, kind): (VarId, VarKind)| {
            let [always, initial, next] =
                [AssignKind::Always, AssignKind::Init, AssignKind::Next].map(|kind| has(var, kind));
            match kind {
                // What is assigned to an input says which values the tester may set.
                _ if observer.inputs.contains(&var) => true,
                VarKind::Input => false,
                VarKind::State => always || initial && next,
                VarKind::Frozen => always || initial,
            }
        };
        let is_functional = model.vars().all(|(id, var)| is_determined((id, var.kind)))
            && !model
                .assigns
                .iter()
                .any(|assign| !observer.inputs.contains(&assign.var) && chooses(model, assign.value.expr));
        is_functional.then(|| {
            let reads = model.assigns.iter().map(|assign| read_at_once(model, assign.kind, assign.value.expr));
            Functional { model, observer, reads: reads.collect() }
        })
    }

    /// Whether a mutant is as determined as the model: it has no choice, and changed assignments do not close a circle of values
    /// that are assigned at the same time. A circle would have several solutions.
    pub(super) fn determines(&self, changes: &Changes) -> bool {
        let assign = |(place, new): &(Place, ExprId)| match *place {
            Place::Assign(index) => Some((index, &self.model.assigns[index], *new)),
            _ => None,
        };
        let changed = || changes.iter().filter_map(assign).filter(|(_, assign, _)| !self.is_input(assign.var));
        changed().all(|(index, assign, new)| {
            let is_known = |var: &VarId| {
                self.reads[index].contains(var)
                    || self.is_input(*var)
                    || !self.depends_on(*var, |var| changed().any(|(_, assign, _)| assign.var == var))
            };
            !chooses(self.model, new) && read_at_once(self.model, assign.kind, new).iter().all(is_known)
        })
    }

    fn is_input(&self, var: VarId) -> bool {
        self.observer.inputs.contains(&var)
    }

    /// Whether the value of a variable depends on the value that one of some variables has at the same time.
    fn depends_on(&self, var: VarId, wanted: impl Fn(VarId) -> bool) -> bool {
        let (mut open, mut seen) = (vec![var], FxHashSet::default());
        while let Some(var) = open.pop() {
            if wanted(var) {
                return true;
            }
            if seen.insert(var) {
                let own = self.model.assigns.iter().zip(&self.reads).filter(|(assign, _)| assign.var == var);
                open.extend(own.flat_map(|(_, reads)| reads));
            }
        }
        false
    }

    /// Whether a test kills a mutant that can leave it in infected states only, in ascending order. Of a loop, one round is
    /// executed. Tests have many steps in common: what is `known` of the mutant by earlier tests is used.
    pub(super) fn kills(
        &self,
        (test, infected): (&Trace, &[usize]),
        mutant: &TransitionSystem,
        changes: &Changes,
        known: &mut KnownSteps,
    ) -> Result<bool, Unclear> {
        let Some(first) = test.states.first() else { return Ok(false) };
        let is_infected = |state: usize| infected.binary_search(&state).is_ok();
        let n_steps = test.states.len() - usize::from(test.loop_start.is_none());
        let is_judged_by_outputs = |step: usize| step == n_steps && !self.observer.leaving.is_empty();
        let is_open = !self.observer.leaving.is_empty() && self.depends_on_unsent(changes);
        // The state of the mutant, where it is not that of the test.
        let mut other: Option<State> = None;
        if n_steps == 0 && is_open {
            return Err(Unclear);
        }
        if is_infected(0) && !self.follows(mutant, changes, None, first, known)? {
            match self.after(mutant, None, first, known)? {
                Some(state) => other = Some(state).filter(|state| !self.same(state, first)),
                None if is_judged_by_outputs(0) => return Err(Unclear),
                None => return Ok(true),
            }
        }
        if self.differs(mutant, changes, other.as_ref(), first)? {
            return Ok(true);
        }
        let back = test.loop_start.map(|start| (test.states.len() - 1, start));
        for (step, (from, to)) in (1..).zip((1..test.states.len()).map(|to| (to - 1, to)).chain(back)) {
            if other.is_none() && !is_infected(from) && !is_infected(to) {
                continue;
            }
            if step == n_steps && is_open {
                return Err(Unclear);
            }
            let (now, next) = (&test.states[from], &test.states[to]);
            if other.is_none() && self.follows(mutant, changes, Some(now), next, known)? {
                if self.differs(mutant, changes, None, next)? {
                    return Ok(true);
                }
                continue;
            }
            let mut from = other.take().unwrap_or_else(|| now.clone());
            for var in self.observer.inputs.iter().filter(|var| self.model[**var].kind == VarKind::Input) {
                from.set(*var, now.get(*var));
            }
            match self.after(mutant, Some(&from), next, known)? {
                Some(state) => other = Some(state).filter(|state| !self.same(state, next)),
                None if is_judged_by_outputs(step) => return Err(Unclear),
                None => return Ok(true),
            }
            if self.differs(mutant, changes, other.as_ref(), next)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the outputs of a state of the model, or what a mutant changes, depend on inputs that leave the state.
    fn depends_on_unsent(&self, changes: &Changes) -> bool {
        let bodies = self.observer.defines.iter().map(|define| self.model.body(*define));
        let outputs = self.observer.outputs.iter().copied();
        let mut vars: BTreeSet<VarId> = bodies.flat_map(|body| support(self.model, body).now).chain(outputs).collect();
        for (place, expr) in changes {
            let kind = match *place {
                Place::Assign(index) => self.model.assigns[index].kind,
                Place::Trans(_) => AssignKind::Next,
                _ => AssignKind::Always,
            };
            vars.append(&mut read_at_once(self.model, kind, *expr));
        }
        vars.into_iter().any(|var| self.depends_on(var, |var| self.observer.leaving.contains(&var)))
    }

    /// Whether all changed parts have the values that the test has: then the mutant does the step of the test, too.
    fn follows(
        &self,
        mutant: &TransitionSystem,
        changes: &Changes,
        now: Option<&State>,
        next: &State,
        known: &mut KnownSteps,
    ) -> Result<bool, Unclear> {
        let key = (now.cloned(), next.clone());
        if let Some(follows) = known.follows.get(&key) {
            return Ok(*follows);
        }
        let follows = self.does_follow(mutant, changes, now, next)?;
        known.follows.insert(key, follows);
        Ok(follows)
    }

    fn does_follow(
        &self,
        mutant: &TransitionSystem,
        changes: &Changes,
        now: Option<&State>,
        next: &State,
    ) -> Result<bool, Unclear> {
        for (place, expr) in changes {
            let holds = match (*place, now) {
                (Place::Assign(index), _) => {
                    let assign = &self.model.assigns[index];
                    let values = match (assign.kind, now) {
                        (AssignKind::Always, _) | (AssignKind::Init, None) => eval_set(mutant, *expr, next, None)?,
                        (AssignKind::Next, Some(now)) => eval_set(mutant, *expr, now, Some(next))?,
                        _ => continue,
                    };
                    next.get(assign.var).is_some_and(|value| values.contains(value))
                }
                (Place::Init(_), None) | (Place::Invar(_), _) => eval_bool(mutant, *expr, next, None)?,
                (Place::Trans(_), Some(now)) => eval_bool(mutant, *expr, now, Some(next))?,
                _ => true,
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The state of a mutant after a step, or its initial state, with the inputs of the test; nothing if it refuses them.
    fn after(
        &self,
        mutant: &TransitionSystem,
        now: Option<&State>,
        test: &State,
        known: &mut KnownSteps,
    ) -> Result<Option<State>, Unclear> {
        let mut next = State::empty(mutant.vars.len());
        for (id, var) in mutant.vars() {
            if var.kind != VarKind::Input && self.observer.inputs.contains(&id) {
                next.set(id, test.get(id));
            } else if let (VarKind::Frozen, Some(now)) = (var.kind, now) {
                next.set(id, now.get(id));
            }
        }
        let key = (now.cloned(), next);
        if let Some(after) = known.after.get(&key) {
            return Ok(after.clone());
        }
        let after = self.step(mutant, now, key.1.clone())?;
        known.after.insert(key, after.clone());
        Ok(after)
    }

    /// The same with the values of the next state that are known.
    fn step(&self, mutant: &TransitionSystem, now: Option<&State>, mut next: State) -> Result<Option<State>, Unclear> {
        let wanted = |kind: AssignKind| kind == AssignKind::Always || (kind == AssignKind::Init) == now.is_none();
        let (limits, mut open): (Vec<&Assign>, Vec<&Assign>) = mutant
            .assigns
            .iter()
            .filter(|assign| wanted(assign.kind))
            .partition(|assign| self.observer.inputs.contains(&assign.var));
        // Assignments may read values that others assign.
        while !open.is_empty() {
            let n_open = open.len();
            let mut left = Vec::new();
            for assign in open {
                if next.get(assign.var).is_some() {
                    continue;
                }
                let value = match (assign.kind, now) {
                    (AssignKind::Next, Some(now)) => eval(mutant, assign.value.expr, now, Some(&next)),
                    _ => eval(mutant, assign.value.expr, &next, None),
                };
                match value {
                    Ok(value) if mutant[assign.var].domain.index_of(value).is_some() => next.set(assign.var, value),
                    Err(error) if error.is_open() => left.push(assign),
                    _ => return Err(Unclear),
                }
            }
            if left.len() == n_open {
                return Err(Unclear);
            }
            open = left;
        }
        let mut holds = true;
        for assign in limits {
            let values = match (assign.kind, now) {
                (AssignKind::Next, Some(now)) => eval_set(mutant, assign.value.expr, now, Some(&next))?,
                _ => eval_set(mutant, assign.value.expr, &next, None)?,
            };
            holds &= next.get(assign.var).is_some_and(|value| values.contains(value));
        }
        for sourced in &mutant.invar {
            holds &= eval_bool(mutant, sourced.expr, &next, None)?;
        }
        match now {
            None => {
                for sourced in &mutant.init {
                    holds &= eval_bool(mutant, sourced.expr, &next, None)?;
                }
            }
            Some(now) => {
                for sourced in &mutant.trans {
                    holds &= eval_bool(mutant, sourced.expr, now, Some(&next))?;
                }
            }
        }
        Ok(holds.then_some(next))
    }

    /// Whether outputs differ from those of the test. Without another state, only changed defines can.
    fn differs(
        &self,
        mutant: &TransitionSystem,
        changes: &Changes,
        other: Option<&State>,
        test: &State,
    ) -> Result<bool, Unclear> {
        if let Some(other) = other
            && self.observer.outputs.iter().any(|var| other.get(*var) != test.get(*var))
        {
            return Ok(true);
        }
        for define in &self.observer.defines {
            if other.is_none() && !changes.iter().any(|(place, _)| *place == Place::Define(*define)) {
                continue;
            }
            let value = |system: &TransitionSystem, state: &State| -> Result<Value, Unclear> {
                Ok(eval(system, system.body(*define), state, None)?)
            };
            if value(mutant, other.unwrap_or(test))? != value(self.model, test)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether two states are the same but for inputs of steps.
    fn same(&self, one: &State, other: &State) -> bool {
        let vars = self.model.vars().filter(|(_, var)| var.kind != VarKind::Input);
        vars.map(|(id, _)| id).all(|id| one.get(id) == other.get(id))
    }
}

/// The variables whose values an assigned expression reads at the time for which it is assigned.
fn read_at_once(model: &TransitionSystem, kind: AssignKind, expr: ExprId) -> BTreeSet<VarId> {
    let Support { now, next, .. } = support(model, expr);
    if kind == AssignKind::Next { next } else { now }
}

/// Whether an expression may have several values: it has a nondeterministic choice.
fn chooses(model: &TransitionSystem, expr: ExprId) -> bool {
    let mut open = vec![expr];
    let mut seen = FxHashSet::default();
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match &model[expr] {
            Node::Set(_) | Node::Range(..) | Node::Binary(BinaryOp::Union, ..) => return true,
            // What a value is compared with is no choice.
            Node::Binary(BinaryOp::In, value, _) => open.push(*value),
            Node::Define(define) => open.push(model.body(*define)),
            node => open.extend(node.children()),
        }
    }
    false
}
