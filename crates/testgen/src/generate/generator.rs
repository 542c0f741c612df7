//! The strategies.

use super::cover::Cover;
use super::notes::notes;
use super::prefix::is_prefix;
use super::run::{Outcome, Run};
use super::{Options, Strategy};
use crate::goal::{Goal, Target};
use crate::grade::Bits;
use crate::suite::Test;
use rustc_hash::FxHashMap;
use specwright_engine::bdd::Limit;
use specwright_engine::{Aim, Engine, Pursuit, Reason};
use specwright_model::{Trace, Value, VarId};
use std::ops::ControlFlow;

/// So many other orders of values are tried for further tests of a goal.
const VARIANTS: usize = 8;

/// Variables with more values than this keep their order there.
const VARIED_VALUES: u128 = 64;

type Observer<'a> = &'a mut dyn FnMut(&mut Engine, &Run) -> ControlFlow<()>;

pub(super) struct Generator<'a> {
    engine: &'a mut Engine,
    goals: &'a [Goal],
    options: &'a Options,
    run: &'a mut Run,
    observe: Observer<'a>,
    cover: Cover,
    /// What is known about where goals come true; the inner option says whether a state or step can tell.
    aims: FxHashMap<usize, Option<Aim>>,
    index: FxHashMap<&'a str, usize>,
}

impl<'a> Generator<'a> {
    pub(super) fn new(
        engine: &'a mut Engine,
        goals: &'a [Goal],
        options: &'a Options,
        run: &'a mut Run,
        observe: Observer<'a>,
    ) -> Generator<'a> {
        let cover = Cover::new(engine.model(), goals);
        let index = goals.iter().enumerate().map(|(index, goal)| (goal.id.as_str(), index)).collect();
        Generator { engine, goals, options, run, observe, cover, aims: FxHashMap::default(), index }
    }

    /// Decides everything.
    pub(super) fn all(&mut self) -> ControlFlow<()> {
        // The current test may be one that cannot be extended any more; that is found out once.
        let mut stuck = false;
        while let Some(goal) = self.run.outcomes.iter().position(Option::is_none) {
            if self.options.strategy == Strategy::Extend && !stuck {
                stuck = !self.extend()?;
                if !stuck {
                    (self.observe)(self.engine, self.run)?;
                }
                continue;
            }
            let outcome = match self.pursue(goal) {
                Pursuit::Found(trace) => {
                    self.take(goal, trace);
                    stuck = false;
                    Outcome::Covered
                }
                Pursuit::Infeasible => Outcome::Infeasible,
                Pursuit::Nonfalsifiable => Outcome::Nonfalsifiable,
                Pursuit::Unknown(reason) => unknown(&reason)?,
            };
            self.run.outcomes[goal] = Some(outcome);
            (self.observe)(self.engine, self.run)?;
        }
        self.vary()
    }

    fn pursue(&mut self, goal: usize) -> Pursuit {
        match self.goals[goal].target {
            Target::Falsify(formula) => self.engine.falsify(formula),
            Target::Reach(expr) => self.engine.reach(expr),
            Target::Show(formula) => self.engine.show(formula),
        }
    }

    /// Adds a test for a goal, unless it is superfluous. Says whether it was added.
    fn take(&mut self, goal: usize, trace: Trace) -> bool {
        let mut covered = self.cover.of(self.engine, &trace);
        covered.insert(goal);
        if self.options.strategy != Strategy::Each {
            self.mark(&covered);
            if self.run.tests.iter().any(|test| test.trace == trace) {
                return false;
            }
        } else if self.join(&trace, &mut covered) {
            return false;
        }
        let name = self.run.free_name();
        let goals = self.ids(&covered);
        self.run.tests.push(Test { goals, ..Test::new(name, trace) });
        true
    }

    /// Looks for a test that starts with this one, or that this one starts with and replaces.
    fn join(&mut self, trace: &Trace, covered: &mut Bits) -> bool {
        let (model, ignore) = (self.engine.model(), self.options.ignore_last_inputs);
        let goals_of = |test: &Test| {
            let mut goals = Bits::new(self.goals.len());
            test.goals.iter().filter_map(|id| self.index.get(id.as_str())).for_each(|goal| goals.insert(*goal));
            goals
        };
        // Where inputs are ignored, what depends on them must be covered all the same.
        let suffices = |short: &Bits, long: &Bits| !ignore || short.is_subset(long);
        for test in &mut self.run.tests {
            let mut goals = goals_of(test);
            if is_prefix(model, trace, &test.trace, ignore) && suffices(covered, &goals) {
                goals.union_with(covered);
                test.goals = goals.iter().map(|goal| self.goals[goal].id.clone()).collect();
                return true;
            }
        }
        let mut place = None;
        let mut at = 0;
        while at < self.run.tests.len() {
            let test = &self.run.tests[at];
            let goals = goals_of(test);
            if !is_prefix(model, &test.trace, trace, ignore) || !suffices(&goals, covered) {
                at += 1;
                continue;
            }
            covered.union_with(&goals);
            if place.is_some() {
                self.run.tests.remove(at);
            } else {
                place = Some(at);
                at += 1;
            }
        }
        if let Some(place) = place {
            let goals = covered.iter().map(|goal| self.goals[goal].id.clone()).collect();
            let test = &mut self.run.tests[place];
            (test.trace, test.goals) = (trace.clone(), goals);
        }
        place.is_some()
    }

    /// Makes the current test longer. Says whether that was possible.
    fn extend(&mut self) -> ControlFlow<(), bool> {
        let Some(test) = self.run.tests.last().filter(|test| test.trace.loop_start.is_none()) else {
            return ControlFlow::Continue(false);
        };
        let trace = test.trace.clone();
        let most = self.options.max_length.unwrap_or(usize::MAX).saturating_sub(trace.n_steps());
        let open: Vec<usize> = (0..self.goals.len()).filter(|goal| self.run.outcomes[*goal].is_none()).collect();
        for goal in &open {
            if !self.aims.contains_key(goal) {
                let aim = match self.goals[*goal].target {
                    Target::Falsify(formula) => self.engine.aim_to_falsify(formula),
                    Target::Reach(expr) => self.engine.aim_to_reach(expr).map(Some),
                    Target::Show(_) => Ok(None),
                };
                if let Err(Reason::Limit(Limit::Interrupted)) = aim {
                    return ControlFlow::Break(());
                }
                // What is wrong will be said when the goal is pursued.
                self.aims.insert(*goal, aim.unwrap_or(None));
            }
        }
        let (near, aims): (Vec<usize>, Vec<&Aim>) =
            open.iter().filter_map(|goal| Some((*goal, self.aims[goal].as_ref()?))).unzip();
        let (which, longer) = match self.engine.lengthen(&trace, &aims, most) {
            Ok(Some((which, longer))) => (near[which], longer),
            Err(Reason::Limit(Limit::Interrupted)) => return ControlFlow::Break(()),
            Ok(None) | Err(_) => return ControlFlow::Continue(false),
        };
        let mut covered = self.cover.of(self.engine, &longer);
        covered.insert(which);
        self.mark(&covered);
        let goals = self.ids(&covered);
        let test = self.run.tests.last_mut().expect("it was looked at above");
        // What the beginning shows, the whole shows.
        let kept: Vec<String> = test.goals.iter().filter(|id| !goals.contains(id)).cloned().collect();
        test.goals = goals.into_iter().chain(kept).collect();
        test.trace = longer;
        ControlFlow::Continue(true)
    }

    /// Looks for further tests of goals that have too few, by preferring other values.
    fn vary(&mut self) -> ControlFlow<()> {
        for goal in 0..self.goals.len() {
            let has = |run: &Run| run.tests.iter().filter(|test| test.goals.contains(&self.goals[goal].id)).count();
            let covered = self.run.outcomes[goal] == Some(Outcome::Covered);
            for variant in 1..=VARIANTS {
                if !covered || has(self.run) >= self.options.tests_per_goal {
                    break;
                }
                self.engine.set_ties(self.varied(variant));
                match self.pursue(goal) {
                    Pursuit::Found(trace) => {
                        if self.take(goal, trace) {
                            (self.observe)(self.engine, self.run)?;
                        }
                    }
                    Pursuit::Unknown(Reason::Limit(Limit::Interrupted)) => return ControlFlow::Break(()),
                    _ => {}
                }
            }
        }
        self.engine.set_ties(self.options.ties.clone());
        ControlFlow::Continue(())
    }

    /// The values of all variables in another order: each time another one comes first.
    fn varied(&self, variant: usize) -> Vec<(VarId, Vec<Value>)> {
        let few = |var: &specwright_model::model::Var| var.domain.size().is_some_and(|size| size <= VARIED_VALUES);
        let vars = self.engine.model().vars().filter(|(_, var)| few(var));
        vars.map(|(id, var)| {
            let mut values: Vec<Value> = var.domain.values().collect();
            let n = values.len().max(1);
            values.rotate_left(variant % n);
            if variant > n {
                values.reverse();
            }
            (id, values)
        })
        .collect()
    }

    /// Says why each state of each test is there.
    pub(super) fn annotate(&mut self) {
        let mut earlier = Bits::new(self.goals.len());
        for test in &mut self.run.tests {
            let mut fresh = Bits::new(self.goals.len());
            test.goals.iter().filter_map(|id| self.index.get(id.as_str())).for_each(|goal| fresh.insert(*goal));
            let all = fresh.clone();
            fresh.subtract(&earlier);
            test.notes = notes(self.engine.model(), self.goals, &mut self.cover, &test.trace, &fresh);
            earlier.union_with(&all);
        }
    }

    fn mark(&mut self, covered: &Bits) {
        for goal in covered.iter() {
            let outcome = &mut self.run.outcomes[goal];
            // What a limit kept the engine from finding may turn up in a test for something else.
            if matches!(outcome, None | Some(Outcome::Unknown(_))) {
                *outcome = Some(Outcome::Covered);
            }
        }
    }

    fn ids(&self, covered: &Bits) -> Vec<String> {
        covered.iter().map(|goal| self.goals[goal].id.clone()).collect()
    }
}

/// The outcome of a goal that nobody knows about; an interrupt is none.
fn unknown(reason: &Reason) -> ControlFlow<(), Outcome> {
    match reason {
        Reason::Limit(Limit::Interrupted) => ControlFlow::Break(()),
        Reason::Limit(limit) => ControlFlow::Continue(Outcome::Unknown(limit.to_string())),
        Reason::Undefined(_) => {
            ControlFlow::Continue(Outcome::Unknown("a part of it has no value in some reachable state".into()))
        }
    }
}
