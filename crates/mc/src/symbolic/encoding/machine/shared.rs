//! The machine of a model and those of its mutants, which share what they do not change.

use super::{Builder, Machine, Parts, Said, SiteFault, conjunction};
use crate::bdd::{Bdd, Limit};
use crate::conform::Place;
use crate::encode::Encoder;
use crate::symbolic::relation::Relation;

/// A machine that mutants share, with its parts and the valid codes of all variables.
pub(crate) struct Shared {
    machine: Machine,
    parts: Parts,
    pub(crate) valid: Bdd,
}

/// Builds the machine of a model for mutants, which share what they do not change.
pub(crate) fn build_shared(encoder: &mut Encoder<'_>) -> Result<Shared, Limit> {
    let mut builder = Builder::new(encoder);
    let (parts, _) = builder.parts(false)?;
    let valid = builder.valid.clone();
    let machine = builder.assemble(&parts, Relation::new)?;
    Ok(Shared { machine, parts, valid })
}

/// Builds the machine of a mutant, which differs from a model in some places. The encoder is one for the mutant.
pub(crate) fn build_like(
    encoder: &mut Encoder<'_>,
    model: &Shared,
    changed: &[Place],
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
    let is_fair = |place: &Place| matches!(place, Place::Fairness(_));
    let fairness = if changed.iter().any(is_fair) {
        builder.fairness(builder.encoder.system)?
    } else {
        model.machine.fairness.clone()
    };
    let relation = model.machine.relation.like(&sets(&parts.steps))?;
    let alphabet = model.machine.alphabet.clone();
    Ok((Machine { init, invar, relation, alphabet, fairness }, builder.faults))
}

impl Builder<'_, '_> {
    /// Replaces what a place says by what the system says there. A place has as many parts as before, so that the clusters of
    /// relations stay alike, unless it had none.
    fn replace(&mut self, parts: &mut Parts, place: Place) -> Result<(), Limit> {
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
}
