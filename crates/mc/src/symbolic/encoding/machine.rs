//! The machine of a model: initial states, invariants and steps, as diagrams.

use crate::bdd::{Bdd, Limit, Manager, Var};
use crate::conform::Place as Changed;
use crate::encode::{Encoder, Fault, FaultKind, Offer, Time};
use crate::symbolic::ctl::fair::Fairness;
use crate::symbolic::encoding::layout::Layout;
use crate::symbolic::relation::partition::{self, DisjunctivePartition};
use crate::symbolic::relation::{Alphabet, Relation};
use rustc_hash::FxHashSet;
use specwright_model::model::{Assign, AssignKind, VarKind};
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, Node, SourcedExpr, TransitionSystem, Ty, VarId};

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

/// A part of the model that has no value for some values of the variables.
#[derive(Clone, Debug)]
pub(crate) struct SiteFault {
    /// What was being evaluated.
    pub(crate) site: SourcedExpr,
    /// The variable that it is assigned to, if it is an assignment.
    pub(crate) var: Option<VarId>,
    /// What is wrong.
    pub(crate) fault: Fault,
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

/// A machine that mutants share, with its parts and the valid codes of all variables.
pub(crate) struct Shared {
    machine: Machine,
    parts: Parts,
    pub(crate) valid: Bdd,
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

/// Builds the machine of a model for mutants, which share what they do not change.
pub(crate) fn build_shared(encoder: &mut Encoder<'_>) -> Result<Shared, Limit> {
    let mut builder = Builder::new(encoder);
    let (parts, _) = builder.parts(false)?;
    let valid = builder.valid.clone();
    let machine = builder.assemble(&parts, Relation::with_parts)?;
    Ok(Shared { machine, parts, valid })
}

/// Builds the machine of a mutant, which differs from a model in some places. The encoder is one for the mutant.
pub(crate) fn build_like(
    encoder: &mut Encoder<'_>,
    model: &Shared,
    changed: &[Changed],
) -> Result<(Machine, Vec<SiteFault>), Limit> {
    let mut builder = Builder { valid: model.valid.clone(), ..Builder::new(encoder) };
    let manager = builder.encoder.manager.clone();
    let mut parts = model.parts.clone();
    for place in changed {
        builder.replace(&mut parts, *place)?;
    }
    let sets = |said: &[Said]| said.iter().map(|said| said.set.clone()).collect::<Vec<Bdd>>();
    let keeps = |kept: &[Said], parts: &[Said]| sets(kept) == sets(parts);
    let keeps_invar = keeps(&model.parts.invar, &parts.invar);
    let invar = if keeps_invar { model.machine.invar.clone() } else { conjunction(&manager, sets(&parts.invar))? };
    let init = if keeps_invar && keeps(&model.parts.init, &parts.init) {
        model.machine.init.clone()
    } else {
        conjunction(&manager, [sets(&parts.init), vec![invar.clone()]].concat())?
    };
    let is_fair = |place: &Changed| matches!(place, Changed::Fairness(_));
    let fairness = if changed.iter().any(is_fair) {
        builder.fairness(builder.encoder.system)?
    } else {
        model.machine.fairness.clone()
    };
    let relation = model.machine.relation.like(&sets(&parts.steps))?;
    let alphabet = model.machine.alphabet.clone();
    Ok((Machine { init, invar, relation, alphabet, fairness }, builder.faults))
}

/// What a part would demand if this were written there: of states, and of steps; and what is wrong with it.
pub(crate) fn part(
    encoder: &mut Encoder<'_>,
    part: Part,
    expr: ExprId,
) -> Result<(Option<Bdd>, Bdd, Vec<SiteFault>), Limit> {
    let mut builder = Builder::new(encoder);
    builder.find_valid()?;
    let (states, steps) = builder.part(part, expr)?;
    Ok((states, steps, builder.faults))
}

/// What this would say if it were written at a place: the states or steps that it allows; and what is wrong with it, as far as
/// valid codes go.
pub(crate) fn at(
    encoder: &mut Encoder<'_>,
    place: Changed,
    expr: ExprId,
    valid: &Bdd,
) -> Result<(Bdd, Vec<SiteFault>), Limit> {
    let mut builder = Builder { valid: valid.clone(), ..Builder::new(encoder) };
    let system = builder.encoder.system;
    let fairness = || system.justice.iter().chain(system.compassion.iter().flat_map(|(cause, effect)| [cause, effect]));
    let spans = match place {
        Changed::Init(index) => &system.init[index].spans,
        Changed::Fairness(index) => &fairness().nth(index).expect("a place of the system").spans,
        Changed::Assign(index) if system.assigns[index].kind == AssignKind::Init => &system.assigns[index].value.spans,
        Changed::Define(_) => unreachable!("places that use a define are changed themselves"),
        Changed::Assign(index) => return builder.steps_at(Part::Assign(index), expr),
        Changed::Invar(index) => return builder.steps_at(Part::Invar(index), expr),
        Changed::Trans(index) => return builder.steps_at(Part::Trans(index), expr),
    };
    let written = SourcedExpr { expr, spans: spans.clone() };
    let allowed = match place {
        Changed::Assign(index) => builder.assigned(system.assigns[index].var, &written, Time::Now, Time::Now)?,
        _ => builder.condition(&written)?,
    };
    Ok((allowed, builder.faults))
}

/// The valid codes of all variables, now and next.
pub(crate) fn valid(encoder: &mut Encoder<'_>) -> Result<Bdd, Limit> {
    let mut builder = Builder::new(encoder);
    builder.find_valid()?;
    Ok(builder.valid)
}

/// What is written in a place where the machine, or what is fair, is described; in the order in which faults are reported.
#[derive(Clone, Copy)]
pub(crate) enum Place<'m> {
    /// An assignment.
    Assign(&'m Assign),
    /// A truth value of states.
    Condition(&'m SourcedExpr),
    /// A constraint on steps.
    Trans(&'m SourcedExpr),
}

/// All places of a model.
pub(crate) fn places(system: &TransitionSystem) -> Vec<Place<'_>> {
    let fairness = system.justice.iter().chain(system.compassion.iter().flat_map(|(cause, effect)| [cause, effect]));
    let assigns = system.assigns.iter().map(Place::Assign);
    let states = system.invar.iter().chain(&system.init).map(Place::Condition);
    let steps = system.trans.iter().map(Place::Trans);
    assigns.chain(states).chain(steps).chain(fairness.map(Place::Condition)).collect()
}

/// What is wrong in one place.
pub(crate) fn faults_of(encoder: &mut Encoder<'_>, place: Place<'_>) -> Result<Vec<SiteFault>, Limit> {
    let mut builder = Builder::new(encoder);
    builder.find_valid()?;
    match place {
        Place::Assign(assign) => drop(builder.offers(assign.var, &assign.value, Time::Now)?),
        Place::Condition(written) => drop(builder.condition(written)?),
        Place::Trans(written) => drop(builder.conjuncts(written)?),
    }
    Ok(builder.faults)
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

    /// Replaces what a place says by what the system says there. A place has as many parts as before, so that the clusters of
    /// relations stay alike, unless it had none.
    fn replace(&mut self, parts: &mut Parts, place: Changed) -> Result<(), Limit> {
        let manager = self.encoder.manager.clone();
        let mut new = Parts::default();
        self.say(&mut new, place)?;
        for (old, new) in [(&mut parts.init, new.init), (&mut parts.invar, new.invar), (&mut parts.steps, new.steps)] {
            let mut new = new.into_iter();
            let mut last = None;
            for (index, said) in old.iter_mut().enumerate().filter(|(_, said)| said.place == Some(place)) {
                said.set = new.next().map_or_else(|| manager.constant(true), |said| said.set);
                last = Some(index);
            }
            for said in new {
                match last {
                    Some(last) => old[last].set = manager.and(&old[last].set, &said.set)?,
                    None => old.push(said),
                }
            }
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

    /// The steps that a part would allow if this were written there, and what is wrong with it.
    fn steps_at(mut self, part: Part, expr: ExprId) -> Result<(Bdd, Vec<SiteFault>), Limit> {
        let (_, steps) = self.part(part, expr)?;
        Ok((steps, self.faults))
    }

    /// What a part would demand if this were written there.
    fn part(&mut self, part: Part, expr: ExprId) -> Result<(Option<Bdd>, Bdd), Limit> {
        let system = self.encoder.system;
        let spans = |written: &SourcedExpr| SourcedExpr { expr, spans: written.spans.clone() };
        let states = match part {
            Part::Assign(index) => {
                let assign = &system.assigns[index];
                let value = spans(&assign.value);
                if assign.kind == AssignKind::Next {
                    return Ok((None, self.assigned(assign.var, &value, Time::Next, Time::Now)?));
                }
                self.assigned(assign.var, &value, Time::Now, Time::Now)?
            }
            Part::Trans(index) => {
                // One that the model does not have has no place in its text.
                let written = match system.trans.get(index) {
                    Some(written) => spans(written),
                    None => SourcedExpr { expr, spans: [specwright_syntax::span::Span::NONE].into() },
                };
                return Ok((None, self.condition(&written)?));
            }
            Part::Invar(index) => self.condition(&spans(&system.invar[index]))?,
        };
        // Both ends of a step are states.
        let manager = &self.encoder.manager;
        let steps = manager.and(&states, &manager.swap_next(&states)?)?;
        Ok((Some(states), steps))
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

    /// Where a variable has one of the values that an assignment offers.
    fn assigned(&mut self, var: VarId, value: &SourcedExpr, time: Time, value_time: Time) -> Result<Bdd, Limit> {
        let offers = self.offers(var, value, value_time)?;
        let target = self.encoder.var(var, time)?;
        self.encoder.is_offered(&target, &offers)
    }

    /// The values that an assignment offers to a variable.
    fn offers(&mut self, var: VarId, value: &SourcedExpr, value_time: Time) -> Result<Vec<Offer>, Limit> {
        let mut faults = Vec::new();
        let offers = self.encoder.offers(value.expr, value_time, &mut faults)?;
        let outside = self.encoder.offers_outside(&offers, self.encoder.layout.domain(var))?;
        faults.push(Fault { expr: value.expr, kind: FaultKind::OutOfRange, when: outside });
        self.note(value, Some(var), faults)?;
        Ok(offers)
    }

    /// The parts of a constraint on steps of which all have to hold.
    fn conjuncts(&mut self, written: &SourcedExpr) -> Result<Vec<Bdd>, Limit> {
        let system = self.encoder.system;
        let mut conjuncts = Vec::new();
        for conjunct in operands(system, written.expr, BinaryOp::And) {
            let (condition, faults) = self.encoder.condition(conjunct, Time::Now)?;
            if !faults.is_empty() {
                let bodies = system.defines.iter().map(|define| &define.body);
                let site =
                    std::iter::once(written).chain(bodies).find_map(|all| all.part(&system.context.exprs, conjunct));
                self.note(site.as_ref().unwrap_or(written), None, faults)?;
            }
            conjuncts.push(condition);
        }
        Ok(conjuncts)
    }

    fn condition(&mut self, written: &SourcedExpr) -> Result<Bdd, Limit> {
        let (condition, faults) = self.encoder.condition(written.expr, Time::Now)?;
        self.note(written, None, faults)?;
        Ok(condition)
    }

    /// Keeps the faults that valid codes can run into.
    fn note(&mut self, site: &SourcedExpr, var: Option<VarId>, faults: Vec<Fault>) -> Result<(), Limit> {
        for fault in faults {
            let when = self.encoder.manager.and(&fault.when, &self.valid)?;
            if !when.is_false() {
                self.faults.push(SiteFault { site: site.clone(), var, fault: Fault { when, ..fault } });
            }
        }
        Ok(())
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
