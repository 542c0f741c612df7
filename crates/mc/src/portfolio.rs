//! The portfolio: queries about the whole model, or about cones of influence where the whole takes too long.
//!
//! The whole is tried first, for a moment: most models take no longer, and then every question shares what the others have
//! computed. Where that is not enough, a question whose cone of influence is clearly smaller gets an engine for its cone, which
//! it shares with all questions whose cones are about the same. What such an engine finds is carried over to the whole.

mod cones;
mod lift;

use crate::answer::{Answer, Reason, Witness};
use crate::bdd::{self, Count, Limit};
use crate::engine::Engine;
use crate::explicit::Explicit;
use crate::policy::{
    DIAGRAMS_FIRST, FIRST_TRY, GLANCE, MANY_BITS, MANY_BITS_WORK, MAX_ENGINES, SAT_FIRST_BITS, TURN_WORK, TURNS, Turn,
};
use crate::query::{Query, mentions_next};
use crate::reduction::{ConeOfInfluence, Reduction};
use crate::sat::Sat;
use crate::search::Search;
use crate::symbolic::check::{Quantity, Sanity};
use crate::symbolic::{BuildError, Options, Symbolic};
use lift::{Lift, as_far_as_known};
use rustc_hash::FxHashMap;
use specwright_model::interp::Limits;
use specwright_model::model::{Property, PropertyKind, VarKind};
use specwright_model::{ExprId, Node, Trace, TransitionSystem};
use specwright_syntax::budget::Budget;

/// When a question is asked of the part of the model that matters to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cones {
    /// When the whole takes too long, and the part is clearly smaller.
    #[default]
    Auto,
    /// Never.
    Off,
    /// Whenever there is anything that does not matter.
    Always,
}

/// The place of the whole model among the parts.
const WHOLE: usize = 0;

/// A model, and the engines that answer questions about it.
pub struct Portfolio {
    system: TransitionSystem,
    options: Options,
    cones: Cones,
    /// What will be asked, each by the expressions that it is about.
    questions: Vec<Vec<ExprId>>,
    /// The whole model, and the parts that were planned.
    parts: Vec<Part>,
    /// The part for each question, once the whole was too much.
    plan: Option<FxHashMap<Vec<ExprId>, usize>>,
    /// Whether the whole was too much for a moment, and if so whether its reachable states were known by then.
    too_much: Option<bool>,
    /// How often an engine was asked.
    n_asked: u64,
    /// How many answers were those of parts.
    n_by_parts: usize,
    /// The steps of engines that are gone.
    steps: u64,
    /// The engine that answers.
    wanted: Engine,
    /// SAT-based search, once decision diagrams have taken long.
    sat: Helper,
    /// How many answers were those of SAT-based search.
    n_by_sat: usize,
    /// The steps of decision diagrams that a question may take before SAT-based search is asked, and their nodes.
    most: Option<Turn>,
}

/// SAT-based search beside decision diagrams.
enum Helper {
    /// It was not asked yet.
    Unasked,
    Ready(Box<Sat>),
    /// There cannot be any.
    Impossible,
}

/// A part of the model, with its engine while there is one.
#[derive(Default)]
struct Part {
    /// What it is; nothing for the whole model.
    reduction: Option<ConeOfInfluence>,
    engine: Option<Box<Symbolic>>,
    /// Why there cannot be an engine.
    failure: Option<Reason>,
    /// When it was asked last.
    last_asked: u64,
}

impl Portfolio {
    /// A checker for properties and other expressions that will be asked about. Others may be asked about too, and are
    /// matters of the whole model.
    pub fn new<'p>(
        system: TransitionSystem,
        properties: impl IntoIterator<Item = &'p Property>,
        exprs: impl IntoIterator<Item = ExprId>,
        options: &Options,
        cones: Cones,
        wanted: Engine,
    ) -> Result<Portfolio, BuildError> {
        let mut questions: Vec<Vec<ExprId>> = properties.into_iter().map(subject).collect();
        questions.extend(exprs.into_iter().map(|expr| vec![expr]));
        let mut checker = Portfolio {
            system,
            options: options.clone(),
            cones,
            questions,
            parts: vec![Part::default()],
            plan: None,
            too_much: None,
            n_asked: 0,
            n_by_parts: 0,
            steps: 0,
            wanted,
            sat: Helper::Unasked,
            n_by_sat: 0,
            most: None,
        };
        checker.begin()?;
        Ok(checker)
    }

    /// Makes a first engine, which shows what is wrong with the model: every part has all that may have no value.
    fn begin(&mut self) -> Result<(), BuildError> {
        if let Some((var, _)) = self.system.vars().find(|(_, var)| var.domain.size().is_none()) {
            return Err(BuildError::Unbounded(var));
        }
        if let Engine::Sat | Engine::Explicit = self.wanted {
            self.sat = Helper::Ready(Box::new(Sat::new(self.system.clone(), &self.options)?));
            return Ok(());
        }
        if self.cones == Cones::Auto && !self.may_have_parts() {
            self.cones = Cones::Off;
        }
        if self.asks_sat_first() {
            match self.build(WHOLE, Some(GLANCE)) {
                Err(BuildError::Limit(Limit::Steps | Limit::Nodes)) if self.sat().is_some() => return Ok(()),
                Err(BuildError::Limit(Limit::Steps | Limit::Nodes)) => {}
                result => return result,
            }
        }
        if self.cones == Cones::Off {
            return match self.build(WHOLE, (self.wanted == Engine::Auto).then_some(Turn::of_steps(DIAGRAMS_FIRST))) {
                Err(BuildError::Limit(Limit::Steps)) if self.wanted == Engine::Auto && self.sat().is_some() => Ok(()),
                Err(BuildError::Limit(Limit::Steps)) if self.wanted == Engine::Auto => self.build(WHOLE, None),
                result => result,
            };
        }
        let mut limit = Limit::Steps;
        if self.cones == Cones::Auto {
            match self.build(WHOLE, Some(Turn::of_steps(FIRST_TRY))) {
                Err(BuildError::Limit(reached)) => (limit, self.too_much) = (reached, Some(false)),
                result => return result,
            }
        }
        self.make_plan();
        let smallest = self.parts.len() - 1;
        if smallest == WHOLE && limit != Limit::Steps {
            return Err(limit.into());
        }
        match self.build(smallest, None) {
            Err(BuildError::Limit(limit)) if smallest != WHOLE => {
                self.parts[smallest].failure = Some(Reason::Limit(limit));
                Ok(())
            }
            result => result,
        }
    }

    /// Decides a property. The observer hears of every ring of reachable states, as with [`Symbolic::explore`].
    ///
    /// A trace is an execution of the whole model. If a loop takes too long to come round in all of it, the variables that
    /// cannot matter have no values in the trace.
    pub fn check(&mut self, property: &Property, observe: &mut dyn FnMut(usize)) -> Answer<Witness> {
        if self.wanted == Engine::Explicit {
            return self.check_explicitly(property);
        }
        let traces = self.options.traces;
        let mut by_sat = |sat: &mut Sat, budget: &Budget| {
            let answer = sat.check(property, budget);
            if traces { answer } else { answer.map(|_| Witness::NotRequested) }
        };
        self.decide(&subject(property), &mut by_sat, &mut |engine| {
            // Invariants look no further than they must; everything else needs all reachable states.
            if property.kind != PropertyKind::Invar {
                let _ = engine.explore(observe); // at a limit, the verdict will say so
            }
            engine.check(property)
        })
    }

    /// Decides an invariant of states by listing these.
    fn check_explicitly(&self, property: &Property) -> Answer<Witness> {
        let formula = property.formula.expr;
        let is_input = |node: &Node| matches!(node, Node::Var(var) if self.system[*var].kind == VarKind::Input);
        let is_step = mentions_next(&self.system, formula) || self.system.mentions(formula, is_input);
        if property.kind != PropertyKind::Invar || is_step {
            return Answer::Undecided(Reason::Unsupported);
        }
        let mut explicit = Explicit::new(self.system.clone(), Limits::default());
        let answer = explicit.answer(Query::Falsify(formula), &self.options.budget.for_query());
        answer.map(|trace| if self.options.traces { Witness::Trace(trace) } else { Witness::NotRequested })
    }

    /// The number that a property asks for with COMPUTE.
    pub fn compute(&mut self, property: &Property, observe: &mut dyn FnMut(usize)) -> Answer<Quantity> {
        if let Engine::Sat | Engine::Explicit = self.wanted {
            return Answer::Undecided(Reason::Unsupported);
        }
        self.ask(&subject(property), &mut |engine| {
            let _ = engine.explore(observe); // at a limit, the answer will say so
            engine.compute(property)
        })
    }

    /// Whether a reachable state satisfies all of these parts of a property.
    pub fn reaches_all(&mut self, property: &Property, conditions: &[ExprId]) -> Answer<()> {
        let mut by_sat = |sat: &mut Sat, budget: &Budget| sat.reaches_all(conditions, budget);
        self.decide(&subject(property), &mut by_sat, &mut |engine| engine.reaches_all(conditions))
    }

    /// An execution to a state in which an expression holds.
    pub fn reach(&mut self, expr: ExprId) -> Answer<Trace> {
        let mut by_sat = |sat: &mut Sat, budget: &Budget| sat.answer(Query::Reach(expr), budget);
        self.decide(&[expr], &mut by_sat, &mut |engine| engine.reach(expr))
    }

    /// What makes universal properties vacuously true, as far as it shows within `effort` steps, or as many as all queries
    /// so far have taken. Every part of the model can tell.
    pub fn sanity(&mut self, effort: Option<u64>) -> Sanity {
        if let Helper::Ready(sat) = &mut self.sat
            && let Some(sanity) = sat.sanity()
        {
            return sanity;
        }
        if self.is_left_to_sat() {
            return Sanity { is_partial: true, ..Sanity::default() };
        }
        let effort = effort.map(|effort| effort.max(self.steps()));
        let has_engine = |part: &usize| self.parts[*part].engine.is_some();
        let part = if self.is_too_much() { (1..self.parts.len()).rev().find(has_engine) } else { None };
        let part = part.unwrap_or(WHOLE);
        let Ok(engine) = self.engine(part) else { return Sanity { is_partial: true, ..Sanity::default() } };
        let budget = effort.map_or_else(Budget::default, |effort| Budget::default().limited(effort));
        let mut sanity = engine.within(&budget, Symbolic::sanity);
        if let Some(reduction) = &self.parts[part].reduction {
            sanity.deadlock = sanity.deadlock.map(|way| as_far_as_known(&self.system, reduction, &way));
        }
        sanity
    }

    /// Explores the whole model for about `steps` further steps, unless parts stand in for it.
    pub fn explore_a_little(&mut self, steps: u64) -> Result<(), Limit> {
        if self.options.budget.is_cancelled() {
            return Err(Limit::Interrupted);
        }
        // Where SAT-based search was asked, the reachable states are too many.
        if self.is_too_much() || matches!(self.sat, Helper::Ready(_)) {
            return Ok(());
        }
        match self.engine(WHOLE) {
            Ok(engine) => engine.explore_a_little(steps),
            Err(_) => Ok(()),
        }
    }

    /// The number of reachable states of the whole model, if it is known.
    pub fn n_states(&self) -> Option<Count> {
        self.parts[WHOLE].engine.as_ref()?.n_states()
    }

    /// The number of steps to the last of the reachable states of the whole model, if it is known.
    pub fn diameter(&self) -> Option<usize> {
        self.parts[WHOLE].engine.as_ref()?.diameter()
    }

    /// The decision-diagram variables of the whole model from top to bottom, as [`Symbolic::order`] has them.
    pub fn order(&mut self) -> Result<Vec<String>, Reason> {
        Ok(self.engine(WHOLE)?.order())
    }

    /// How many answers were those of parts of the model.
    pub fn n_by_parts(&self) -> usize {
        self.n_by_parts
    }

    /// How many answers were those of SAT-based search.
    pub fn n_by_sat(&self) -> usize {
        self.n_by_sat
    }

    /// Whether there is no engine with decision diagrams: none is wanted, or it takes too long to make.
    fn is_left_to_sat(&self) -> bool {
        matches!(self.sat, Helper::Ready(_)) && self.parts.iter().all(|part| part.engine.is_none())
    }

    /// SAT-based search, if there can be any.
    fn sat(&mut self) -> Option<&mut Sat> {
        let Portfolio { system, options, sat, .. } = self;
        if let Helper::Unasked = sat {
            let made = Sat::new(system.clone(), options);
            *sat = made.map_or(Helper::Impossible, |made| Helper::Ready(Box::new(made)));
        }
        match sat {
            Helper::Ready(sat) => Some(sat),
            Helper::Unasked | Helper::Impossible => None,
        }
    }

    /// Decides a question: by decision diagrams, by SAT-based search where these take too long, and by diagrams again if
    /// that cannot decide it.
    fn decide<T: Lift>(
        &mut self,
        subject: &[ExprId],
        by_sat: &mut dyn FnMut(&mut Sat, &Budget) -> Answer<T>,
        by_diagrams: &mut dyn FnMut(&mut Symbolic) -> Answer<T>,
    ) -> Answer<T> {
        let is_known = self.parts[WHOLE].engine.as_ref().is_some_and(|engine| engine.reach.known().is_some());
        if self.wanted == Engine::Bdd || self.wanted == Engine::Auto && is_known {
            return self.ask(subject, by_diagrams);
        }
        let budget = self.options.budget.for_query();
        let n_turns = match self.wanted {
            Engine::Auto if self.n_bits() > MANY_BITS => 1,
            Engine::Auto => TURNS.len(),
            _ => 0,
        };
        // What SAT-based search says, if that is the answer.
        let mut by_sat = |portfolio: &mut Portfolio, budget: &Budget| {
            let answer = by_sat(portfolio.sat()?, budget);
            portfolio.n_by_sat += usize::from(!answer.is_undecided());
            let is_last = !answer.is_undecided() || answer.is_interrupted() || portfolio.wanted != Engine::Auto;
            is_last.then_some(answer)
        };
        if self.asks_sat_first() {
            // Parts come later.
            if self.parts[WHOLE].engine.is_some()
                && let Some(answer) = self.in_turn(&GLANCE, &mut |portfolio| portfolio.ask_part(WHOLE, by_diagrams))
            {
                return answer;
            }
            let work = if self.n_bits() > MANY_BITS { MANY_BITS_WORK } else { TURN_WORK };
            if let Some(answer) = by_sat(self, &budget.limited(work)) {
                return answer;
            }
        }
        for (place, turn) in TURNS[..n_turns].iter().enumerate() {
            if !self.is_left_to_sat()
                && let Some(answer) = self.in_turn(turn, &mut |portfolio| portfolio.ask(subject, by_diagrams))
            {
                return answer;
            }
            // The last of these turns goes on without its limit.
            if place + 1 < n_turns
                && let Some(answer) = by_sat(self, &budget.limited(TURN_WORK))
            {
                return answer;
            }
        }
        if let Some(answer) = by_sat(self, &budget) {
            return answer;
        }
        self.ask(subject, by_diagrams)
    }

    /// Asks decision diagrams within the limits of a turn; no answer if these were reached.
    fn in_turn<T>(&mut self, turn: &Turn, ask: &mut dyn FnMut(&mut Portfolio) -> Answer<T>) -> Option<Answer<T>> {
        self.most = Some(Turn { steps: turn.steps.saturating_sub(self.steps()).max(1), ..*turn });
        let answer = ask(self);
        self.most = None;
        let is_over = matches!(answer.reason(), Some(Reason::Limit(Limit::Steps | Limit::Nodes)));
        (!is_over).then_some(answer)
    }

    /// Whether SAT-based search is asked before decision diagrams get more than a glance, by the number of bits of the model.
    /// Where steps are a choice between events, diagrams are faster.
    fn asks_sat_first(&self) -> bool {
        let has_events = self.parts[WHOLE].engine.as_ref().is_some_and(|engine| engine.has_events());
        self.wanted == Engine::Auto && self.n_bits() > SAT_FIRST_BITS && !has_events
    }

    fn n_bits(&self) -> u64 {
        self.system.vars.iter().map(|var| u64::from(var.domain.bits().unwrap_or(0))).sum()
    }

    /// The steps of decision diagrams so far.
    fn steps(&self) -> u64 {
        self.steps + self.parts.iter().filter_map(|part| part.engine.as_ref()).map(|engine| engine.steps()).sum::<u64>()
    }

    /// Whether parts have to stand in for the whole model.
    fn is_too_much(&self) -> bool {
        let is_known = self.parts[WHOLE].engine.as_ref().is_some_and(|engine| engine.reach.known().is_some());
        self.parts.len() > 1 && !is_known && (self.too_much.is_some() || self.cones == Cones::Always)
    }

    /// Asks the engine that a question is for.
    fn ask<T: Lift>(&mut self, subject: &[ExprId], question: &mut dyn FnMut(&mut Symbolic) -> Answer<T>) -> Answer<T> {
        if let Some(answer) = self.ask_for_a_moment(subject, question) {
            return answer;
        }
        let part = self.part_of(subject);
        let answer = self.ask_part(part, question);
        match self.carry_over(part, answer) {
            Some(answer) => answer,
            None => self.ask_part(WHOLE, question),
        }
    }

    /// What the whole model answers at once; nothing if that is too much, or not worth trying.
    fn ask_for_a_moment<T>(
        &mut self,
        subject: &[ExprId],
        question: &mut dyn FnMut(&mut Symbolic) -> Answer<T>,
    ) -> Option<Answer<T>> {
        let engine = self.parts[WHOLE].engine.as_ref().filter(|_| self.cones == Cones::Auto)?;
        // If the reachable states have become known after all, the rest may be easy.
        let is_known = engine.reach.known().is_some();
        let is_planned = self.plan.is_some();
        if self.too_much.is_some_and(|was_known| was_known || !is_known) || is_planned && self.part_of(subject) == WHOLE
        {
            return None;
        }
        let budget = self.options.budget.for_query().limited(FIRST_TRY);
        let engine = self.engine(WHOLE).ok()?;
        let answer = engine.within(&budget, |engine| question(engine));
        let is_known = engine.reach.known().is_some();
        match answer.reason() {
            Some(Reason::Limit(limit)) if *limit != Limit::Interrupted => {
                self.too_much = Some(is_known);
                // The steps were our limit, everything else was the user's.
                (*limit != Limit::Steps && self.part_of(subject) == WHOLE).then_some(answer)
            }
            _ => Some(answer),
        }
    }

    fn ask_part<T>(&mut self, part: usize, question: &mut dyn FnMut(&mut Symbolic) -> Answer<T>) -> Answer<T> {
        self.n_by_parts += usize::from(part != WHOLE);
        let budget = self.options.budget.for_query();
        let budget = self.most.map_or_else(|| budget.clone(), |most| budget.limited(most.steps));
        match self.engine(part) {
            Ok(engine) => engine.within(&budget, |engine| question(engine)),
            Err(reason) => Answer::Undecided(reason),
        }
    }

    /// The answer of a part as one about the whole model.
    fn carry_over<T: Lift>(&self, part: usize, answer: Answer<T>) -> Option<Answer<T>> {
        match (&self.parts[part].reduction, answer) {
            (Some(reduction), Answer::Found(witness)) => witness.lift(&self.system, reduction).map(Answer::Found),
            (_, answer) => Some(answer),
        }
    }

    /// The engine of a part.
    fn engine(&mut self, part: usize) -> Result<&mut Symbolic, Reason> {
        if let Some(reason) = &self.parts[part].failure {
            return Err(reason.clone());
        }
        if self.parts[part].engine.is_none()
            && let Err(error) = self.build(part, self.most.map(|most| Turn::of_steps(most.steps)))
        {
            let reason = match error {
                BuildError::Limit(limit) => Reason::Limit(limit),
                BuildError::Undefined(mut all) => Reason::Undefined(Box::new(all.swap_remove(0))),
                BuildError::Unbounded(_) => unreachable!("a model without bounds is refused at first"),
            };
            // What is too much before SAT-based search is asked may be possible after it.
            if self.most.is_none() || reason != Reason::Limit(Limit::Steps) {
                self.parts[part].failure = Some(reason.clone());
            }
            return Err(reason);
        }
        let room = self.make_room(part);
        let engine = self.parts[part].engine.as_mut().expect("just built");
        // Few steps make few nodes, unless the diagrams explode: then reordering takes much longer than the steps.
        engine.manager.set_capacity(self.most.map_or(room, |most| room.min(most.nodes)));
        Ok(engine)
    }

    /// Makes the engine of a part within the limits of a turn.
    fn build(&mut self, part: usize, most: Option<Turn>) -> Result<(), BuildError> {
        let room = self.make_room(part);
        let max_nodes = Some(most.map_or(room, |most| room.min(most.nodes)));
        let system = self.parts[part].reduction.as_ref().map_or(&self.system, Reduction::system);
        let budget = most.map_or_else(|| self.options.budget.clone(), |most| self.options.budget.limited(most.steps));
        let mut engine = Symbolic::new(system.clone(), &Options { max_nodes, budget, ..self.options.clone() })?;
        engine.set_max_nodes(Some(room));
        self.parts[part].engine = Some(Box::new(engine));
        Ok(())
    }

    /// The nodes that the engine of a part may have, after those that were not asked for long have made room.
    fn make_room(&mut self, part: usize) -> usize {
        self.n_asked += 1;
        self.parts[part].last_asked = self.n_asked;
        let all = bdd::capacity(self.options.max_memory, self.options.max_nodes);
        if self.parts.len() == 1 {
            return all;
        }
        // Whatever the whole takes, a quarter is left for parts.
        let most = if part == WHOLE { all - all / 4 } else { all };
        loop {
            let has_engine = |other: &usize| *other != part && self.parts[*other].engine.is_some();
            let others: Vec<usize> = (0..self.parts.len()).filter(has_engine).collect();
            let n_nodes = |other: &usize| {
                self.parts[*other].engine.as_ref().map_or(0, |engine| engine.manager.statistics().nodes)
            };
            let taken: usize = others.iter().map(n_nodes).sum();
            let least = if part == WHOLE { most } else { all / 4 };
            if all.saturating_sub(taken) >= least && others.len() <= MAX_ENGINES {
                return most.min(all - taken);
            }
            let idle = others.into_iter().min_by_key(|other| (*other == WHOLE, self.parts[*other].last_asked));
            let Some(idle) = idle else { return most };
            self.steps += self.parts[idle].engine.take().map_or(0, |engine| engine.steps());
        }
    }

    /// The part that a question is for.
    fn part_of(&mut self, subject: &[ExprId]) -> usize {
        if self.cones == Cones::Off {
            return WHOLE;
        }
        if self.plan.is_none() {
            self.make_plan();
        }
        self.plan.as_ref().and_then(|plan| plan.get(subject)).copied().unwrap_or(WHOLE)
    }
}

/// What a property is about.
fn subject(property: &Property) -> Vec<ExprId> {
    [Some(&property.formula), property.target.as_ref()].into_iter().flatten().map(|written| written.expr).collect()
}
