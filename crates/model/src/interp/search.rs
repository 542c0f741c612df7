//! Initial states and steps of a model, found by backtracking search.
//!
//! States are produced one at a time, so a walk through a large model costs no more than its length. They are sorted by
//! the search order of the variables, which is the declared order as far as assignments allow; [`initial_states`] and
//! [`steps_from`] collect them and sort by the declared order exactly.

use super::error::EvalError;
use super::eval::{Evaluator, Memo};
use super::narrow::{candidates, smaller};
use super::plan::{self, CheckKind, Frame, Origin, Plan, PlanVar, Source};
use super::random::Random;
use super::value_set::ValueSet;
use crate::expr::ExprId;
use crate::model::{TransitionSystem, VarId, VarKind};
use crate::state::State;
use crate::value::{Domain, Value};
use specwright_syntax::span::Span;

/// Why a search ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchError {
    /// An assignment or constraint is undefined.
    Eval {
        /// The evaluation error.
        error: EvalError,
        /// The part of the model.
        origin: Origin,
    },
    /// An assignment gives a value outside of the domain of its variable.
    OutOfDomain {
        /// The variable.
        var: VarId,
        /// The value.
        value: Value,
        /// The assignment.
        origin: Origin,
    },
    /// An unbounded variable that nothing determines.
    Unbounded(VarId),
    /// A limit was reached.
    Limit,
}

impl SearchError {
    /// The message for users.
    pub fn describe(&self, model: &TransitionSystem) -> String {
        match self {
            SearchError::Eval { error, .. } => error.describe(model),
            SearchError::OutOfDomain { var, value, .. } => {
                format!("cannot assign {} to `{}`", model.show(*value), model[*var].name)
            }
            SearchError::Unbounded(var) => format!(
                "`{}` can be any {}, and no assignment says which: keep a finite part of it with `focus`",
                model[*var].name,
                model.number_kind(*var)
            ),
            SearchError::Limit => "the search was stopped at its limit".into(),
        }
    }

    /// The source span, if there is one.
    pub fn span(&self, model: &TransitionSystem) -> Span {
        match self {
            SearchError::Eval { origin, .. } | SearchError::OutOfDomain { origin, .. } => origin.sourced(model).span(),
            SearchError::Unbounded(var) => model[*var].span,
            SearchError::Limit => Span::NONE,
        }
    }
}

/// A step: a source state with its inputs, and a target state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The source state.
    pub now: State,
    /// The target state, without inputs.
    pub next: State,
}

/// Finds the states and steps of a model.
#[derive(Clone, Debug)]
pub struct Explorer<'m> {
    model: &'m TransitionSystem,
    initial: Plan,
    steps: Plan,
}

impl<'m> Explorer<'m> {
    /// An explorer of a model.
    pub fn new(model: &'m TransitionSystem) -> Explorer<'m> {
        Explorer { model, initial: plan::initial(model), steps: plan::steps(model) }
    }

    /// The initial states.
    pub fn initial(&self) -> Search<'_> {
        Search::new(self.model, &self.initial, State::empty(self.model.vars.len()))
    }

    /// The steps from a state. Inputs with a value keep it.
    pub fn steps(&self, from: &State) -> Search<'_> {
        Search::new(self.model, &self.steps, from.clone())
    }
}

/// All initial states, in declared order.
pub fn initial_states(model: &TransitionSystem, limit: u64) -> Result<Vec<State>, SearchError> {
    let steps: Result<Vec<Step>, SearchError> = Explorer::new(model).initial().limit(limit).collect();
    let mut states: Vec<State> = steps?.into_iter().map(|step| step.next).collect();
    states.sort_by_cached_key(|state| state.rank(model));
    Ok(states)
}

/// All steps from a state, in declared order of the inputs and then of the next state.
pub fn steps_from(explorer: &Explorer<'_>, from: &State, limit: u64) -> Result<Vec<Step>, SearchError> {
    let mut steps: Vec<Step> = explorer.steps(from).limit(limit).collect::<Result<_, _>>()?;
    steps.sort_by_cached_key(|step| (step.now.rank(explorer.model), step.next.rank(explorer.model)));
    Ok(steps)
}

/// A search in progress, an iterator over steps; for initial states, `now` has no values.
#[derive(Debug)]
pub struct Search<'e> {
    model: &'e TransitionSystem,
    plan: &'e Plan,
    /// Required values of inputs and of the target state.
    wanted: State,
    /// The first values of variables that nothing determines, the only ones of unbounded variables.
    otherwise: Option<State>,
    now: State,
    next: State,
    /// The values of expressions in the present and the next state.
    memo: Memo,
    stack: Vec<Frontier>,
    random: Option<Random>,
    work_left: u64,
    started: bool,
    done: bool,
}

/// The values of one variable that have not been tried yet.
#[derive(Debug)]
struct Frontier {
    choices: Choices,
    len: u128,
    tried: u128,
    /// Values are tried at `start`, `start + stride`, … modulo their number: each once, as the stride is coprime to the
    /// number.
    start: u128,
    stride: u128,
    /// Whether a check of this variable is undefined, so that the whole constraint must decide.
    doubtful: bool,
}

#[derive(Debug)]
enum Choices {
    Domain(VarId),
    Set(ValueSet),
}

impl<'e> Search<'e> {
    fn new(model: &'e TransitionSystem, plan: &'e Plan, mut now: State) -> Search<'e> {
        let next = State::empty(model.vars.len());
        let mut wanted = next.clone();
        for (var, _) in model.vars().filter(|(_, var)| var.kind == VarKind::Input) {
            wanted.set(var, now.get(var));
            now.set(var, None);
        }
        Search {
            model,
            plan,
            wanted,
            otherwise: None,
            now,
            next,
            memo: Memo::new(plan.slots.len()),
            stack: Vec::new(),
            random: None,
            work_left: u64::MAX,
            started: false,
            done: false,
        }
    }

    /// Restricts the search to states that agree with the values of `wanted`. Its inputs are ignored.
    #[must_use]
    pub fn like(mut self, wanted: &State) -> Self {
        for (var, _) in self.model.vars().filter(|(_, var)| var.kind != VarKind::Input) {
            self.wanted.set(var, wanted.get(var));
        }
        self
    }

    /// Values for variables that nothing determines. It is the first value to be tried; of an unbounded variable it is the
    /// only one. Without a value, an unbounded variable ends the search with [`SearchError::Unbounded`].
    #[must_use]
    pub fn otherwise(mut self, values: &State) -> Self {
        self.otherwise = Some(values.clone());
        self
    }

    /// Tries values in a random order instead of the declared one.
    #[must_use]
    pub fn shuffled(mut self, random: Random) -> Self {
        self.random = Some(random);
        self
    }

    /// Ends with [`SearchError::Limit`] once this number of values have been tried and operators evaluated.
    #[must_use]
    pub fn limit(mut self, work: u64) -> Self {
        self.work_left = work;
        self
    }

    /// The rest of the limit.
    pub fn work_left(&self) -> u64 {
        self.work_left
    }

    /// Advances to the next complete assignment that satisfies all checks; false if there is none.
    fn advance(&mut self) -> Result<bool, SearchError> {
        if !self.started {
            self.started = true;
            let plan = self.plan;
            let Some(doubtful) = self.fits(&plan.first_checks)? else { return Ok(false) };
            if self.plan.slots.is_empty() {
                return if doubtful { self.confirm() } else { Ok(true) };
            }
            // A doubt from the first checks is attached to the first variable, which is backtracked last.
            let mut frontier = self.open(0)?;
            frontier.doubtful = doubtful;
            self.stack.push(frontier);
        }
        loop {
            let Some(depth) = self.stack.len().checked_sub(1) else { return Ok(false) };
            let slot = &self.plan.slots[depth];
            let Some(value) = self.stack[depth].take(self.model) else {
                self.stack.pop();
                self.set(depth, None);
                continue;
            };
            self.work(1)?;
            if !self.admissible(slot.place, &slot.source, value)? {
                continue;
            }
            self.set(depth, Some(value));
            if self.is_hopeless(&slot.early_checks)? {
                continue;
            }
            let Some(doubtful) = self.fits(&slot.checks)? else { continue };
            let before = depth == 0 && self.stack[0].doubtful;
            self.stack[depth].doubtful = doubtful || before;
            if depth + 1 < self.plan.slots.len() {
                let frontier = self.open(depth + 1)?;
                self.stack.push(frontier);
            } else if !self.stack.iter().any(|frontier| frontier.doubtful) || self.confirm()? {
                return Ok(true);
            }
        }
    }

    /// The values to try for a variable.
    fn open(&mut self, depth: usize) -> Result<Frontier, SearchError> {
        let slot = &self.plan.slots[depth];
        let (PlanVar::Input(var) | PlanVar::Target(var)) = slot.place;
        let choices = match &slot.source {
            Source::Domain => Choices::Domain(var),
            Source::Kept => Choices::Set(self.now.get(var).map(ValueSet::one).unwrap_or_default()),
            Source::Assigned(expr, frame, origin) | Source::Equal(expr, frame, origin) => {
                let set = self.evaluate(*frame, |evaluator| evaluator.set(*expr))?;
                match (set, &slot.source) {
                    (Ok(set), _) => Choices::Set(set),
                    // Another part of the constraint may be false, so that this one does not matter.
                    (Err(_), Source::Equal(..)) => Choices::Domain(var),
                    (Err(error), _) => return Err(SearchError::Eval { error, origin: *origin }),
                }
            }
        };
        let choices = match choices {
            Choices::Domain(var) => self.narrowed(depth)?.map_or(Choices::Domain(var), Choices::Set),
            set @ Choices::Set(_) => set,
        };
        let choices = match (self.wanted.get(var), choices) {
            (None, choices) => choices,
            (Some(value), Choices::Domain(var)) if !self.model[var].domain.contains(value) => {
                Choices::Set(ValueSet::default())
            }
            (Some(value), Choices::Set(set)) if !set.contains(value) => Choices::Set(ValueSet::default()),
            (Some(value), _) => Choices::Set(ValueSet::one(value)),
        };
        let chosen = |var: VarId| self.otherwise.as_ref().and_then(|values| values.get(var));
        let choices = match choices {
            Choices::Domain(var) if self.model[var].domain == Domain::Integer => {
                chosen(var).map_or(Choices::Domain(var), |value| Choices::Set(ValueSet::one(value)))
            }
            choices => choices,
        };
        let len = match &choices {
            Choices::Domain(var) => self.model[*var].domain.size().ok_or(SearchError::Unbounded(*var))?,
            Choices::Set(set) => set.len(),
        };
        let (mut start, stride) = match &mut self.random {
            Some(random) if len > 1 => (random.below(len), coprime(random, len)),
            _ => (0, 1),
        };
        if let Some(value) = chosen(var).filter(|_| len > 1) {
            let at = match &choices {
                Choices::Domain(var) => self.model[*var].domain.index_of(value).map(u128::from),
                Choices::Set(set) => set.index_of(value),
            };
            start = at.unwrap_or(start);
        }
        Ok(Frontier { choices, len, tried: 0, start, stride, doubtful: false })
    }

    /// The values of a large domain that satisfy the constraints, as far as narrowing can tell.
    fn narrowed(&mut self, depth: usize) -> Result<Option<ValueSet>, SearchError> {
        /// Number of values below which trying them is as fast as narrowing. Tests narrow more, so that small models
        /// test narrowing.
        const MIN_NARROWED: u128 = if cfg!(test) { 1 } else { 8 };
        let slot = &self.plan.slots[depth];
        let (PlanVar::Input(var) | PlanVar::Target(var)) = slot.place;
        let domain = &self.model[var].domain;
        if domain.size().is_some_and(|size| size <= MIN_NARROWED) {
            return Ok(None);
        }
        let mut left = None;
        let last = slot.checks.iter().filter_map(|check| match check.kind {
            CheckKind::Holds(expr) => Some((expr, check.frame)),
            CheckKind::Member(..) => None,
        });
        for (expr, frame) in last.chain(slot.early_checks.iter().copied()) {
            for (variable, _) in slot.exprs.iter().filter(|(_, own)| *own == frame) {
                let model = self.model;
                let found = self.evaluate(frame, |evaluator| candidates(model, evaluator, *variable, expr))?;
                left = smaller(left, found);
            }
        }
        Ok(left)
    }

    fn admissible(&self, place: PlanVar, source: &Source, value: Value) -> Result<bool, SearchError> {
        let (PlanVar::Input(var) | PlanVar::Target(var)) = place;
        match source {
            _ if self.model[var].domain.contains(value) => Ok(true),
            Source::Assigned(_, _, origin) => Err(SearchError::OutOfDomain { var, value, origin: *origin }),
            _ => Ok(false),
        }
    }

    /// Whether one of these is false for all values of the unassigned variables.
    fn is_hopeless(&mut self, checks: &[(ExprId, Frame)]) -> Result<bool, SearchError> {
        for (expr, frame) in checks {
            let truth = self.evaluate(*frame, |evaluator| evaluator.truth(*expr))?;
            if truth == Ok(false) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// `None` if a check is false; otherwise whether one of them is undefined.
    fn fits(&mut self, checks: &[plan::Check]) -> Result<Option<bool>, SearchError> {
        let mut doubtful = false;
        for check in checks {
            let verdict = match check.kind {
                CheckKind::Holds(expr) => self.evaluate(check.frame, |evaluator| evaluator.truth(expr))?,
                CheckKind::Member(PlanVar::Input(var) | PlanVar::Target(var), expr) => {
                    let set = self.evaluate(check.frame, |evaluator| evaluator.set(expr))?;
                    let set = set.map_err(|error| SearchError::Eval { error, origin: check.origin })?;
                    Ok(self.next.get(var).is_some_and(|value| set.contains(value)))
                }
            };
            match verdict {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(_) => doubtful = true,
            }
        }
        Ok(Some(doubtful))
    }

    /// Whether all constraints hold as a whole, for conjuncts that are undefined on their own.
    fn confirm(&mut self) -> Result<bool, SearchError> {
        for (frame, origin) in &self.plan.constraints {
            let expr = origin.sourced(self.model).expr;
            let truth = self.evaluate(*frame, |evaluator| evaluator.truth(expr))?;
            if !truth.map_err(|error| SearchError::Eval { error, origin: *origin })? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Evaluates something in the states so far. In steps, what variables and constraints share is computed once.
    fn evaluate<T>(&mut self, frame: Frame, wanted: impl FnOnce(&mut Evaluator<'_>) -> T) -> Result<T, SearchError> {
        let (result, work) = match frame {
            Frame::Target => {
                let mut evaluator = Evaluator::new(self.model, &self.next, None);
                (wanted(&mut evaluator), evaluator.work)
            }
            Frame::Step => {
                let memo = std::mem::replace(&mut self.memo, Memo::new(0));
                let mut evaluator = Evaluator::with_memo(self.model, (&self.now, &self.next), &self.plan.depths, memo);
                let (result, work) = (wanted(&mut evaluator), evaluator.work);
                self.memo = evaluator.into_memo();
                (result, work)
            }
        };
        self.work(work)?;
        Ok(result)
    }

    /// Gives a value to the variable of a slot, or takes it back.
    fn set(&mut self, depth: usize, value: Option<Value>) {
        match self.plan.slots[depth].place {
            PlanVar::Input(var) => self.now.set(var, value),
            PlanVar::Target(var) => self.next.set(var, value),
        }
        match value {
            Some(_) => self.memo.set(depth),
            None => self.memo.unset(depth),
        }
    }

    fn work(&mut self, done: u64) -> Result<(), SearchError> {
        self.work_left = self.work_left.checked_sub(done).ok_or(SearchError::Limit)?;
        Ok(())
    }
}

impl Iterator for Search<'_> {
    type Item = Result<Step, SearchError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let found = self.advance();
        self.done = found != Ok(true) || self.plan.slots.is_empty();
        match found {
            Ok(true) => Some(Ok(Step { now: self.now.clone(), next: self.next.clone() })),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

impl Frontier {
    fn take(&mut self, model: &TransitionSystem) -> Option<Value> {
        if self.tried == self.len {
            return None;
        }
        // Both factors are below 2^65, so the product does not overflow.
        let at = (self.start + self.tried * self.stride) % self.len;
        self.tried += 1;
        match &self.choices {
            Choices::Domain(var) => model[*var].domain.value_at(at as u64),
            Choices::Set(set) => set.get(at),
        }
    }
}

/// A random number between one and the length that is coprime to it.
fn coprime(random: &mut Random, len: u128) -> u128 {
    // More than half of the numbers are coprime on average, so this ends soon; short strides keep the product small.
    loop {
        let stride = 1 + random.below(len.min(1 << 60));
        let (mut a, mut b) = (stride, len);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        if a == 1 {
            return stride;
        }
    }
}
