//! The machine of a model: initial states, invariants and steps, as diagrams.

mod places;
mod shared;

use crate::bdd::{Bdd, Limit, Manager, Var};
use crate::conform::Place as Changed;
use crate::encode::{Encoder, Time};
use crate::symbolic::ctl::fair::Fairness;
use crate::symbolic::encoding::layout::Layout;
use crate::symbolic::relation::partition::{self, DisjunctivePartition};
use crate::symbolic::relation::{Alphabet, Relation};
pub(crate) use places::{Place, SiteFault, at, faults_of, part, places, valid};
use rustc_hash::FxHashSet;
pub(crate) use shared::{Shared, build_like, build_shared};
use specwright_model::model::{AssignKind, VarKind};
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, Node, TransitionSystem, Ty, VarId};

/// Initial states and steps.
pub(crate) struct Machine {
    /// The initial states.
    pub(crate) init: Bdd,
    /// What every state satisfies, valid codes included.
    pub(crate) invar: Bdd,
    /// The steps; their targets satisfy the invariants.
    pub(crate) relation: Relation,
    /// Which diagram variables play which part.
    pub(crate) alphabet: Alphabet,
    /// The constraints on fair paths.
    pub(crate) fairness: Fairness,
}

/// A set of states or steps, and the place of the model that says it; none for what the domains of variables say.
#[derive(Clone)]
struct Said {
    place: Option<Changed>,
    set: Bdd,
}

/// What a machine is the conjunction of: now over states, next over the targets of steps.
#[derive(Clone, Default)]
struct Parts {
    init: Vec<Said>,
    invar: Vec<Said>,
    steps: Vec<Said>,
}

/// A part of the machine of a model that says what steps there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// An assignment in every state or after every step, by its place in the model.
    Assign(usize),
    /// A constraint on states.
    Invar(usize),
    /// A constraint on steps.
    Trans(usize),
}

/// Builds the machine and collects what is wrong with it. With faults, the machine means nothing.
pub(crate) fn build(encoder: &mut Encoder<'_>) -> Result<(Machine, Vec<SiteFault>), Limit> {
    build_without(encoder, &[])
}

/// Builds the machine without some of its parts.
pub(crate) fn build_without(encoder: &mut Encoder<'_>, left_out: &[Part]) -> Result<(Machine, Vec<SiteFault>), Limit> {
    let mut builder = Builder { left_out, ..Builder::new(encoder) };
    let machine = builder.machine()?;
    Ok((machine, builder.faults))
}

struct Builder<'a, 'e> {
    encoder: &'a mut Encoder<'e>,
    /// What does not belong to this machine.
    left_out: &'a [Part],
    /// The valid codes of all variables, now and next: no fault lies elsewhere.
    valid: Bdd,
    faults: Vec<SiteFault>,
}

impl<'a, 'e> Builder<'a, 'e> {
    fn new(encoder: &'a mut Encoder<'e>) -> Builder<'a, 'e> {
        Builder { faults: Vec::new(), valid: encoder.manager.constant(true), left_out: &[], encoder }
    }

    /// Builds the machine, with a relation that is made of its parts.
    fn machine(&mut self) -> Result<Machine, Limit> {
        let (parts, partition) = self.parts(self.left_out.is_empty())?;
        self.assemble(&parts, |manager, steps, alphabet| match partition {
            Some(partition) => Ok(Relation::partitioned(manager, steps.to_vec(), alphabet, partition)),
            None => Relation::new(manager, steps, alphabet),
        })
    }

    /// The machine with these parts.
    fn assemble(
        &mut self,
        parts: &Parts,
        relation: impl FnOnce(&Manager, &[Bdd], &Alphabet) -> Result<Relation, Limit>,
    ) -> Result<Machine, Limit> {
        let system = self.encoder.system;
        let manager = self.encoder.manager.clone();
        let mut alphabet = Alphabet::default();
        for (id, var) in system.vars() {
            let bits = self.encoder.layout.bits(id);
            match var.kind {
                VarKind::Input => alphabet.input.extend(bits),
                VarKind::State | VarKind::Frozen => alphabet.state.extend(bits),
            }
        }
        let sets = |said: &[Said]| said.iter().map(|said| said.set.clone()).collect::<Vec<Bdd>>();
        let invar = conjunction(&manager, sets(&parts.invar))?;
        let init = conjunction(&manager, [sets(&parts.init), vec![invar.clone()]].concat())?;
        let fairness = self.fairness(system)?;
        let relation = relation(&manager, &sets(&parts.steps), &alphabet)?;
        Ok(Machine { init, invar, relation, alphabet, fairness })
    }

    /// The parts of the machine, and, if it is asked for, its disjunctive partition. Where that says everything, `TRANS`
    /// constraints are left out.
    fn parts(&mut self, find_partition: bool) -> Result<(Parts, Option<DisjunctivePartition>), Limit> {
        let system = self.encoder.system;
        let manager = self.encoder.manager.clone();
        let layout: &Layout = self.encoder.layout;
        let mut parts = Parts::default();
        let of_domain = |set: Bdd| Said { place: None, set };
        for (id, var) in system.vars() {
            let now = layout.valid(&manager, id, Time::Now)?;
            self.valid = manager.and(&self.valid, &now)?;
            if var.kind == VarKind::Input {
                parts.steps.push(of_domain(now));
                continue;
            }
            let next = layout.valid(&manager, id, Time::Next)?;
            self.valid = manager.and(&self.valid, &next)?;
            parts.invar.push(of_domain(now));
            parts.steps.push(of_domain(next));
            if var.kind == VarKind::Frozen {
                let (before, after) = (self.encoder.var(id, Time::Now)?, self.encoder.var(id, Time::Next)?);
                parts.steps.push(of_domain(before.equals(&after, &manager)?));
            }
        }
        for index in 0..system.assigns.len() {
            if !self.left_out.contains(&Part::Assign(index)) {
                self.say(&mut parts, Changed::Assign(index))?;
            }
        }
        for index in 0..system.invar.len() {
            if !self.left_out.contains(&Part::Invar(index)) {
                self.say(&mut parts, Changed::Invar(index))?;
            }
        }
        for index in 0..system.init.len() {
            self.say(&mut parts, Changed::Init(index))?;
        }
        let partition = if find_partition {
            let sets = |said: &[Said]| said.iter().map(|said| said.set.clone()).collect::<Vec<Bdd>>();
            partition::find(self.encoder, &sets(&parts.invar), &sets(&parts.init))?
        } else {
            None
        };
        // Where the events are the whole relation, their union is built only on demand.
        let is_said = partition.as_ref().is_some_and(|partition| partition.stand_alone);
        for index in 0..system.trans.len() {
            if !is_said && !self.left_out.contains(&Part::Trans(index)) {
                self.say(&mut parts, Changed::Trans(index))?;
            }
        }
        Ok((parts, partition))
    }

    /// Adds what a place of the system says.
    fn say(&mut self, parts: &mut Parts, place: Changed) -> Result<(), Limit> {
        let system = self.encoder.system;
        let manager = self.encoder.manager.clone();
        let said = |set: Bdd| Said { place: Some(place), set };
        match place {
            Changed::Assign(index) => {
                let assign = &system.assigns[index];
                let time = if assign.kind == AssignKind::Next { Time::Next } else { Time::Now };
                let chosen = self.assigned(assign.var, &assign.value, time, Time::Now)?;
                match assign.kind {
                    AssignKind::Init => parts.init.push(said(chosen)),
                    AssignKind::Next => parts.steps.push(said(chosen)),
                    AssignKind::Always => {
                        parts.steps.push(said(manager.swap_next(&chosen)?));
                        parts.invar.push(said(chosen));
                    }
                }
            }
            Changed::Invar(index) => {
                let condition = self.condition(&system.invar[index])?;
                parts.steps.push(said(manager.swap_next(&condition)?));
                parts.invar.push(said(condition));
            }
            Changed::Init(index) => parts.init.push(said(self.condition(&system.init[index])?)),
            Changed::Trans(index) => {
                parts.steps.extend(self.conjuncts(&system.trans[index])?.into_iter().map(said));
            }
            Changed::Define(_) | Changed::Fairness(_) => {}
        }
        Ok(())
    }

    /// The valid codes of all variables.
    fn find_valid(&mut self) -> Result<(), Limit> {
        let manager = self.encoder.manager.clone();
        for (id, var) in self.encoder.system.vars() {
            let times: &[Time] = if var.kind == VarKind::Input { &[Time::Now] } else { &[Time::Now, Time::Next] };
            for time in times {
                let valid = self.encoder.layout.valid(&manager, id, *time)?;
                self.valid = manager.and(&self.valid, &valid)?;
            }
        }
        Ok(())
    }

    fn fairness(&mut self, system: &TransitionSystem) -> Result<Fairness, Limit> {
        let mut fairness = Fairness::default();
        for written in &system.justice {
            fairness.justice.push(self.condition(written)?);
        }
        for (cause, effect) in &system.compassion {
            fairness.compassion.push((self.condition(cause)?, self.condition(effect)?));
        }
        Ok(fairness)
    }
}

/// The operands of a conjunction of conjunctions, or of disjunctions, through defines.
pub(crate) fn operands(system: &TransitionSystem, expr: ExprId, joint: BinaryOp) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut open = vec![expr];
    // A part that occurs twice adds nothing, and shared defines would take exponential time.
    let mut seen = FxHashSet::default();
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match system[expr] {
            Node::Binary(op, a, b) if op == joint && *system.context.exprs.ty(expr) == Ty::BOOL => open.extend([b, a]),
            Node::Define(define) if *system.context.exprs.ty(expr) == Ty::BOOL => open.push(system.body(define)),
            _ => found.push(expr),
        }
    }
    found
}

/// All of them, the small ones first.
pub(crate) fn conjunction(manager: &Manager, mut parts: Vec<Bdd>) -> Result<Bdd, Limit> {
    parts.sort_by_key(Bdd::node_count);
    parts.iter().try_fold(manager.constant(true), |all, part| manager.and(&all, part))
}

/// The bits of variables, each with the value that comes first in declared order: what choosing a state goes by.
pub(crate) fn priorities(layout: &Layout, vars: impl IntoIterator<Item = VarId>, time: Time) -> Vec<(Var, bool)> {
    let shift = u32::from(time == Time::Next);
    vars.into_iter().flat_map(|var| layout.bits(var).iter().map(move |bit| (bit + shift, false))).collect()
}
