//! Which queries are answered on which part of the model.

use super::{Cones, Part, Portfolio, WHOLE};
use crate::policy::INDEPENDENCE;
use crate::reduction::ConeOfInfluence;
use crate::symbolic::{Options, Symbolic};
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_model::cone::{Cone, Influence};
use specwright_model::interp::support_of;
use specwright_model::{ExprId, TransitionSystem};

impl Portfolio {
    /// Whether any question could be asked of a part, if nothing that does not matter to it could stop what does.
    pub(super) fn may_have_parts(&self) -> bool {
        let n_bits = Cone::everything(&self.system).n_bits(&self.system);
        let mut influence = Influence::new(&self.system).assume_defined().with_deadlock_check(|_| true);
        self.questions
            .iter()
            .any(|exprs| !is_about(cone(&self.system, &mut influence, exprs).n_bits(&self.system), n_bits))
    }

    /// Finds the cones of all questions, and puts together those that are about the same.
    pub(super) fn make_plan(&mut self) {
        let mut left = INDEPENDENCE;
        let budget = self.options.budget.clone().with_time_per_query(None);
        let options = Options { budget, order: None, ..self.options.clone() };
        let mut influence =
            Influence::new(&self.system).with_deadlock_check(|alone| goes_on(alone, &options, &mut left));
        if self.parts[WHOLE].engine.is_some() {
            // Otherwise there would be none.
            influence = influence.assume_defined();
        }
        let cones: Vec<Cone> = self.questions.iter().map(|exprs| cone(&self.system, &mut influence, exprs)).collect();
        drop(influence);
        let groups = group(&self.system, &cones, self.cones == Cones::Always);
        let place = |cone: &Cone| groups.iter().rposition(|group| cone.union(group) == *group).unwrap_or(WHOLE);
        let mut places: FxHashMap<&Cone, usize> = FxHashMap::default();
        let places = cones.iter().map(|cone| *places.entry(cone).or_insert_with(|| place(cone)));
        self.plan = Some(self.questions.iter().cloned().zip(places).collect());
        let part = |cone| Part { reduction: Some(ConeOfInfluence::new(&self.system, cone)), ..Part::default() };
        self.parts.extend(groups.into_iter().skip(1).map(part));
    }
}

/// What matters to a question. One that speaks of no variable asks whether everything goes on.
fn cone(system: &TransitionSystem, influence: &mut Influence<'_>, exprs: &[ExprId]) -> Cone {
    let support = support_of(system, exprs.iter().copied());
    if support.now.is_empty() && support.next.is_empty() {
        return Cone::everything(system);
    }
    influence.cone(exprs.iter().copied(), [])
}

/// Whether queries about a part with `bits` bits are better answered on a part with `all` bits.
fn is_about(n_bits: u64, n_joined: u64) -> bool {
    2 * n_joined <= 3 * n_bits
}

/// The parts of a model that are worth an engine of their own, the larger ones first: the whole of it, and those that have
/// less than two thirds of the bits of any other that contains them. Parts that have much in common become one.
fn group(system: &TransitionSystem, cones: &[Cone], is_strict: bool) -> Vec<Cone> {
    let everything = Cone::everything(system);
    let mut distinct: Vec<(u64, &Cone)> = cones.iter().map(|cone| (cone.n_bits(system), cone)).collect();
    distinct.sort_by(|(a, _), (b, _)| b.cmp(a));
    let mut seen = FxHashSet::default();
    distinct.retain(|(_, cone)| seen.insert(*cone));
    let mut groups = vec![(everything.n_bits(system), everything)];
    for (n_bits, cone) in distinct {
        let joined = groups.iter().enumerate().map(|(index, (_, group))| {
            let joined = group.union(cone);
            (joined.n_bits(system), index, joined)
        });
        match joined.min_by_key(|(n_bits, index, _)| (*n_bits, *index)) {
            Some((n_joined, index, joined)) if n_joined == n_bits || !is_strict && is_about(n_bits, n_joined) => {
                groups[index] = (n_joined, joined);
            }
            _ => groups.push((n_bits, cone.clone())),
        }
    }
    groups[1..].sort_by(|(a, _), (b, _)| b.cmp(a));
    groups.into_iter().map(|(_, cone)| cone).collect()
}

/// Whether a machine can start, and never gets stuck; false if that takes more steps than are left.
fn goes_on(alone: TransitionSystem, options: &Options, left: &mut u64) -> bool {
    let budget = options.budget.limited(*left);
    let options = Options { budget, traces: false, ..options.clone() };
    let Ok(mut engine) = Symbolic::new(alone, &options) else { return false };
    let rest = options.budget.limited(left.saturating_sub(engine.steps()));
    let sanity = engine.within(&rest, Symbolic::sanity);
    *left = left.saturating_sub(engine.steps());
    !sanity.no_initial_state && sanity.deadlock.is_none() && !sanity.is_partial
}
