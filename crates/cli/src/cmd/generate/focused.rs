//! Tests from a model in a finite focus: goals of the whole model go in, tests of the whole model come out.

use super::subject::relevant;
use crate::args::Generate;
use crate::cmd::goals;
use crate::console::{self, Console};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use crate::focus::{self, InFocus};
use crate::load::Loaded;
use specwright_engine::{Engine, Options, Pursuit};
use specwright_model::{Model, VarId};
use specwright_testgen::criteria;
use specwright_testgen::focus::{Keep, Reach, Reduced, Relevant, Unsound, beyond, is_beyond, reduce, widen};
use specwright_testgen::generate::Run;
use specwright_testgen::goal::{Goal, Target};

/// By so many values on each side a focus is widened at most, to see what lies outside.
const WIDER: u128 = 64;

/// The effort to explore a wider focus, in steps of decision diagrams.
const EFFORT: u64 = 20_000_000;

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
    let InFocus { reduced, inside, anywhere } =
        focus::enter(console, &loaded.model, relevant.as_ref(), &keeps, &goals)?;
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
    pub(super) fn look_beyond(
        &self,
        console: &mut Console,
        engine: &mut Engine,
        part: &Model,
        run: &mut Run,
        options: &Options,
    ) -> bool {
        let mut progress = console.progress(self.goals.len());
        let done = beyond(engine, &self.anywhere, run, &mut |done| {
            progress.at(done, "goals outside of the focus");
            !console::interrupted()
        });
        progress.finish();
        let outside = run.outcomes.iter().filter(|outcome| is_beyond(outcome.as_ref())).count();
        let goals = count(outside, "goal");
        let wider = if done && outside > 0 { self.in_wider_focus(console, part, run, options) } else { None };
        let found = match wider {
            Some((n_found, kept)) => format!(": {n_found} of them with {kept}"),
            None => String::new(),
        };
        console.note(format_args!("in focus are {}; {goals} can only be reached outside, if at all{found}", self.kept));
        done
    }

    /// How many of the goals without a test have one in a focus of about three times as many values, and which that is.
    fn in_wider_focus(
        &self,
        console: &mut Console,
        part: &Model,
        run: &Run,
        options: &Options,
    ) -> Option<(usize, String)> {
        let wider = |keep: &Keep| widen(part, keep, keep.values.size().map_or(1, |size| size.clamp(1, WIDER) as i64));
        let keeps: Vec<Keep> = self.reduced.keeps.iter().map(wider).collect();
        if keeps == self.reduced.keeps {
            return None;
        }
        let mut reduced = reduce(part, &keeps).ok()?;
        let open = self.goals.iter().zip(&run.outcomes).filter(|(_, outcome)| is_beyond(outcome.as_ref()));
        let targets: Vec<Target> = open.map(|(goal, _)| reduced.target(goal.target, Reach::Inside)).collect();
        let mut engine = Engine::new(reduced.model, options).ok()?;
        engine.explore_a_little(EFFORT).ok()?;
        engine.n_states()?;
        let mut progress = console.progress(targets.len());
        let mut n_found = 0;
        for (index, target) in targets.into_iter().enumerate() {
            progress.at(index, "goals in a wider focus");
            let pursuit = target.pursue(&mut engine);
            n_found += usize::from(matches!(pursuit, Pursuit::Found(_)));
            if console::interrupted() {
                break;
            }
        }
        progress.finish();
        let kept: Vec<String> = keeps.iter().map(|keep| format!("`{}`", keep.text(part))).collect();
        Some((n_found, kept.join(", ")))
    }
}
