//! What is written in single places of a model, as diagrams, and where it has no value.

use super::{Builder, Part, operands};
use crate::bdd::{Bdd, Limit};
use crate::conform::Place as Changed;
use crate::encode::{Encoder, Fault, FaultKind, Offer, Time};
use specwright_model::model::{Assign, AssignKind};
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, SourcedExpr, TransitionSystem, VarId};

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

impl Builder<'_, '_> {
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

    /// Where a variable has one of the values that an assignment offers.
    pub(super) fn assigned(
        &mut self,
        var: VarId,
        value: &SourcedExpr,
        time: Time,
        value_time: Time,
    ) -> Result<Bdd, Limit> {
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
    pub(super) fn conjuncts(&mut self, written: &SourcedExpr) -> Result<Vec<Bdd>, Limit> {
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

    pub(super) fn condition(&mut self, written: &SourcedExpr) -> Result<Bdd, Limit> {
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
