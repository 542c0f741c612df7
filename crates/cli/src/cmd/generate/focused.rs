//! Tests from a model in a finite focus: goals of the whole model go in, tests of the whole model come out.

use super::subject::relevant;
use crate::args::Generate;
use crate::cmd::goals;
use crate::console::{self, Console};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use crate::focus;
use crate::load::Loaded;
use specwright_engine::Engine;
use specwright_model::{Model, VarId};
use specwright_testgen::criteria;
use specwright_testgen::focus::{Keep, Reach, Reduced, Relevant, Unsound, beyond, is_beyond};
use specwright_testgen::generate::Run;
use specwright_testgen::goal::{Goal, Target};

/// A model in focus.
pub(super) struct Focused {
    reduced: Reduced,
    /// The goals of the whole model.
    pub(super) goals: Vec<Goal>,
    /// The same for the reduced one, where anything may happen outside of the focus.
    anywhere: Vec<Target>,
    /// What is kept, for people.
    kept: String,
}

/// Reduces a model, and makes its goals: first those of the whole model, then what they are in focus.
pub(super) fn prepare(
    console: &mut Console,
    loaded: &mut Loaded,
    mut wanted: criteria::Options,
    preferred: &[VarId],
    args: &Generate,
) -> Result<(Option<Relevant>, Focused, Engine, Vec<Goal>), ExitCode> {
    let keeps =
        focus::keeps(console, loaded, &args.focus, args.model.reading.dialect, &wanted, &args.limits.options())?;
    wanted.focus.clone_from(&keeps);
    let (goals, notes) = criteria::collect_without_engine(&mut loaded.model, &wanted);
    goals::tell(console, &loaded.sources, &notes);
    let relevant = relevant(console, &loaded.model, &goals, preferred);
    let mut reduced = match &relevant {
        Some(part) => {
            let keeps: Vec<Keep> = keeps.into_iter().filter(|keep| part.contains(keep.var)).collect();
            focus::reduced(console, &part.model, &keeps)?
        }
        None => focus::reduced(console, &loaded.model, &keeps)?,
    };
    let mut rewritten = |reach| goals.iter().map(|goal| reduced.target(goal.target, reach)).collect::<Vec<_>>();
    let (inside, anywhere) = (rewritten(Reach::Inside), rewritten(Reach::Anywhere));
    let inside = goals.iter().zip(inside).map(|(goal, target)| Goal { target, ..goal.clone() }).collect();
    let engine = focus::engine(console, loaded, &reduced, &args.limits.options())?;
    let kept: Vec<String> = reduced.keeps.iter().map(|keep| format!("`{}`", keep.text(&loaded.model))).collect();
    Ok((relevant, Focused { reduced, goals, anywhere, kept: kept.join(", ") }, engine, inside))
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

    /// A run on the whole model as one on the reduced model.
    pub(super) fn enter(&self, run: Run) -> Run {
        self.reduced.enter(run)
    }

    /// A run on the reduced model as one on the whole model, where every test is replayed.
    ///
    /// # Panics
    /// If a test is no execution of the whole model. The reduction makes sure of that; if it fails, nothing may be written.
    pub(super) fn leave(&self, whole: &Model, run: &Run) -> Run {
        self.reduced.leave(whole, &self.goals, run).unwrap_or_else(|unsound| {
            let Unsound { test, misfit } = *unsound;
            panic!("{test} is no test of the whole model: {}", misfit.describe(whole))
        })
    }

    /// Finds out which goals without a test could have one outside of the focus. Says whether it was not interrupted.
    pub(super) fn look_beyond(&self, console: &mut Console, engine: &mut Engine, run: &mut Run) -> bool {
        let mut progress = console.progress(self.goals.len());
        let done = beyond(engine, &self.anywhere, run, &mut |done| {
            progress.at(done, "goals outside of the focus");
            !console::interrupted()
        });
        progress.finish();
        let outside = run.outcomes.iter().filter(|outcome| is_beyond(outcome.as_ref())).count();
        let goals = count(outside, "goal");
        console.note(format_args!("in focus are {}; {goals} can only be reached outside, if at all", self.kept));
        done
    }
}
