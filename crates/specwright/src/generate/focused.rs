//! Tests from a model in a finite focus: goals of the whole model go in, tests of the whole model come out.

use super::settings::GenerateSettings;
use super::subject::relevant;
use crate::events::Events;
use crate::failure::Failure;
use crate::focus::{self, InFocus};
use crate::goals;
use crate::policy::{WIDER_STEPS, WIDER_VALUES};
use crate::session::Session;
use specwright_mc::reduction::ConeOfInfluence;
use specwright_mc::{Answer, Query, Reason, Search, Symbolic};
use specwright_model::{Model, VarId};
use specwright_testgen::criteria;
use specwright_testgen::focus::{Keep, Reach, Reduced, decide_outside, elsewhere, is_outside, reduce, widen};
use specwright_testgen::generate::Run;
use specwright_testgen::goal::Goal;
use std::sync::Arc;

/// A model in focus.
pub(super) struct Focused {
    pub(super) reduced: Arc<Reduced>,
    /// The goals of the whole model.
    pub(super) goals: Vec<Goal>,
    /// The same for the reduced one, where anything may happen outside of the focus.
    anywhere: Vec<Query>,
    /// What is kept, for people.
    kept: String,
}

/// Reduces a model, and makes its goals: those of the whole model, and what they are in focus.
pub(super) fn prepare(
    events: &mut dyn Events,
    session: &mut Session,
    mut wanted: criteria::Options,
    preferred: &[VarId],
    settings: &GenerateSettings,
) -> Result<(Option<ConeOfInfluence>, Focused, Vec<Goal>), Failure> {
    let keeps = focus::keeps(events, session, &settings.keep, &wanted, &settings.limits)?;
    wanted.focus.clone_from(&keeps);
    let collected = criteria::collect(&session.model, None, &wanted);
    let goals = goals::require(events, &session.sources, &wanted, collected)?;
    let relevant = relevant(events, &session.model, &goals, preferred, &keeps);
    let InFocus { reduced, inside, anywhere } =
        focus::enter(events, &session.model, relevant.as_ref(), &keeps, &goals)?;
    let kept: Vec<String> = reduced.keeps.iter().map(|keep| format!("`{}`", keep.text(&session.model))).collect();
    Ok((relevant, Focused { reduced: Arc::new(reduced), goals, anywhere, kept: kept.join(", ") }, inside))
}

impl Focused {
    /// Leaves out the goals that are not among these.
    pub(super) fn retain(&mut self, goals: &[Goal]) {
        let ids: std::collections::BTreeSet<&str> = goals.iter().map(|goal| goal.id.as_str()).collect();
        let stays = |goal: &Goal| ids.contains(goal.id.as_str());
        let targets = std::mem::take(&mut self.anywhere);
        self.anywhere =
            self.goals.iter().zip(targets).filter(|(goal, _)| stays(goal)).map(|(_, target)| target).collect();
        self.goals.retain(stays);
    }

    /// The reduced model.
    pub(super) fn model(&self) -> &Model {
        &self.reduced.model
    }

    /// Finds out which goals without a test could have one outside of the focus. Says whether it was not interrupted.
    pub(super) fn look_beyond(
        &self,
        events: &mut dyn Events,
        engine: &mut dyn Search,
        part: &Model,
        run: &mut Run,
        settings: &GenerateSettings,
    ) -> bool {
        let mut progress = events.progress(self.goals.len());
        let budget = settings.limits.budget();
        let done = decide_outside(engine, &self.anywhere, &budget, run, &mut |done| {
            progress.at(done, "goals outside of the focus");
            !settings.limits.is_cancelled()
        });
        progress.finish();
        let open = |run: &Run| -> Vec<usize> {
            let open = Some(Answer::Undecided(Reason::OutsideFocus { reached: false }));
            (0..self.goals.len()).filter(|goal| run.outcomes[*goal] == open).collect()
        };
        if done {
            let asked = open(run);
            let goals: Vec<Goal> = asked.iter().map(|goal| self.goals[*goal].clone()).collect();
            let mut progress = events.progress(goals.len());
            let known = elsewhere(part, &goals, &settings.limits.options(), &mut |done| {
                progress.at(done, "goals seen from afar");
                !settings.limits.is_cancelled()
            });
            progress.finish();
            for (goal, known) in asked.into_iter().zip(known) {
                run.outcomes[goal] = Some(match known {
                    Answer::Found(()) => Answer::Undecided(Reason::OutsideFocus { reached: true }),
                    other => other,
                });
            }
            for goal in self.in_wider_focus(events, part, &open(run), settings) {
                run.outcomes[goal] = Some(Answer::Undecided(Reason::OutsideFocus { reached: true }));
            }
        }
        let n_outside = run.outcomes.iter().filter(|outcome| is_outside(outcome.as_ref())).count();
        let n_open = open(run).len();
        match focus::outside(n_outside - n_open, n_open) {
            None if self.kept.is_empty() => events.note("these goals do not depend on the kept variables"),
            Some(outside) => events.note(format_args!("in focus are {}; {outside}", self.kept)),
            None => events.note(format_args!("in focus are {}; no further goal can be covered outside", self.kept)),
        }
        done && !settings.limits.is_cancelled()
    }

    /// Those of some goals that have a test in a focus of about three times as many values.
    fn in_wider_focus(
        &self,
        events: &dyn Events,
        part: &Model,
        open: &[usize],
        settings: &GenerateSettings,
    ) -> Vec<usize> {
        let wider =
            |keep: &Keep| widen(part, keep, keep.values.size().map_or(1, |size| size.clamp(1, WIDER_VALUES) as i64));
        let keeps: Vec<Keep> = self.reduced.keeps.iter().map(wider).collect();
        if keeps == self.reduced.keeps || open.is_empty() {
            return Vec::new();
        }
        let Ok(reduced) = reduce(part, &keeps) else { return Vec::new() };
        let targets: Vec<Query> =
            open.iter().map(|goal| reduced.target(self.goals[*goal].target, Reach::Inside)).collect();
        let Ok(mut engine) = Symbolic::new(reduced.model.system, &settings.limits.options()) else { return Vec::new() };
        if engine.explore_a_little(WIDER_STEPS).is_err() || engine.n_states().is_none() {
            return Vec::new();
        }
        let mut progress = events.progress(targets.len());
        let mut found = Vec::new();
        for (index, (goal, target)) in open.iter().zip(targets).enumerate() {
            progress.at(index, "goals in a wider focus");
            if matches!(engine.answer(target, &settings.limits.budget()), Answer::Found(_)) {
                found.push(*goal);
            }
            if settings.limits.is_cancelled() {
                break;
            }
        }
        progress.finish();
        found
    }
}
