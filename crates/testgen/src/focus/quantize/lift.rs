//! Concretization: from executions of a quantized model to executions of the whole one, which wait where an input
//! passes through a gap.

use super::{Gap, Quantity, Quantized};
use crate::policy::{LIFT_STATES, LIFT_WORK};
use specwright_mc::reduction::{Extent, Lifted, NotLifted, Reduction};
use specwright_mc::{Proof, Query};
use specwright_model::interp::{Explorer, Step};
use specwright_model::model::VarKind;
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::typing::is_temporal;
use specwright_model::{ExprId, Node, State, Trace, TransitionSystem, Value, VarId};

impl Reduction for Quantized {
    fn system(&self) -> &TransitionSystem {
        &self.system
    }

    fn promises_executions(&self) -> bool {
        !self.is_limited()
    }

    fn preserves(&self, whole: &TransitionSystem, query: Query, proof: &Proof) -> bool {
        let may_be = !self.is_limited() || !matches!(proof, Proof::Nonfalsifiable);
        may_be && self.rules_out(whole, query)
    }

    fn lift(&self, whole: &TransitionSystem, trace: &Trace) -> Result<Lifted, NotLifted> {
        if !self.is_limited() {
            let origins = (0..trace.states.len()).map(Some).collect();
            return Ok(Lifted { trace: trace.clone(), origins, extent: Extent::Same });
        }
        self.concretize(whole, trace).ok_or(NotLifted::Spurious)
    }

    fn project(&self, trace: &Trace) -> Trace {
        let mut projected = trace.clone();
        for input in self.inputs.iter().filter(|input| input.is_limited()) {
            input.project(&mut projected.states);
        }
        projected
    }
}

impl Quantized {
    /// Whether infeasibility in the quantized model implies infeasibility in the whole model.
    fn rules_out(&self, model: &TransitionSystem, target: Query) -> bool {
        let (expr, universal) = match target {
            Query::Falsify(expr) => (expr, true),
            Query::Reach(expr) | Query::Show(expr) | Query::Kill(expr) => (expr, false),
        };
        self.understands(model, &[expr]) && (!self.is_limited() || is_about_all(model, expr, universal))
    }

    /// An execution of the whole model that follows one of the quantized model and waits where an input passes through
    /// a gap; `None` if it cannot wait.
    fn concretize(&self, whole: &TransitionSystem, trace: &Trace) -> Option<Lifted> {
        let explorer = &Explorer::new(whole);
        let inputs: Vec<&Quantity> = self.inputs.iter().filter(|input| input.is_limited()).collect();
        let ivars: Vec<VarId> =
            whole.vars().filter(|(_, var)| var.kind == VarKind::Input).map(|(var, _)| var).collect();
        let mut walk =
            Walk { explorer, inputs, ivars, trace, states: Vec::new(), origins: Vec::new(), paces: Vec::new() };
        walk.paces = vec![None; walk.inputs.len()];
        let mut now = walk.first()?;
        let mut looped = None;
        let mut at = 0;
        loop {
            if trace.loop_start == Some(at) && looped.is_none() {
                looped = Some((walk.states.len(), now.clone()));
            }
            let Some(next) = trace.next(at) else {
                walk.push(now, at);
                break;
            };
            let closing = (next <= at).then(|| looped.clone()).flatten();
            now = walk.step(now, at, next, closing.as_ref().map(|(_, state)| state))?;
            if closing.is_some() {
                break;
            }
            at = next;
        }
        let mut before = None;
        let first = |origin: &usize| (before.replace(*origin) != Some(*origin)).then_some(*origin);
        let origins = walk.origins.iter().map(first).collect();
        let trace = Trace { states: walk.states, loop_start: looped.map(|(start, _)| start) };
        Some(Lifted { trace, origins, extent: Extent::Detour })
    }
}

impl Quantity {
    /// Changes beyond this are equivalent.
    fn reach(&self) -> u64 {
        self.changes.iter().map(|by| by.unsigned_abs()).max().unwrap_or(u64::MAX).saturating_add(1)
    }

    /// Replaces the values of gaps by representatives.
    fn project(&self, states: &mut [State]) {
        let mut before: Option<(i64, i64)> = None;
        for state in states {
            let Some(Value::Int(number)) = state.get(self.var) else { continue };
            let stands = match (self.gap(number), before) {
                (None, _) => number,
                (Some(_), Some((same, stood))) if same == number => stood,
                (Some(gap), Some((_, stood))) if stood == gap.representatives[0] => gap.representatives[1],
                (Some(gap), _) => gap.representatives[0],
            };
            state.set(self.var, Value::Int(stands));
            before = Some((number, stands));
        }
    }
}

/// An execution of the whole model under construction.
struct Walk<'a> {
    explorer: &'a Explorer<'a>,
    inputs: Vec<&'a Quantity>,
    ivars: Vec<VarId>,
    /// The execution of the quantized model.
    trace: &'a Trace,
    states: Vec<State>,
    /// For each state, its state of the quantized execution.
    origins: Vec<usize>,
    /// For each input, its last change while waiting.
    paces: Vec<Option<i64>>,
}

impl Walk<'_> {
    fn push(&mut self, state: State, origin: usize) {
        self.states.push(state);
        self.origins.push(origin);
    }

    fn first(&self) -> Option<State> {
        let mut wanted = vec![self.trace.states[0].clone()];
        for (place, input) in self.inputs.iter().enumerate() {
            let Some(gap) = self.gap(place, 0) else { continue };
            let [low, high] = gap.representatives;
            let towards = self.destination(place, 0, None).unwrap_or(low);
            let ends = if towards > high { [high, low] } else { [low, high] };
            wanted = ends
                .into_iter()
                .flat_map(|end| wanted.iter().map(move |state| (state.clone(), end)))
                .map(|(mut state, end)| {
                    state.set(input.var, Value::Int(end));
                    state
                })
                .collect();
        }
        wanted.iter().find_map(|wanted| Some(self.explorer.initial().like(wanted).limit(LIFT_WORK).next()?.ok()?.next))
    }

    /// Advances from one state of the quantized execution to the next, with waiting states in between.
    fn step(&mut self, mut now: State, at: usize, to: usize, closing: Option<&State>) -> Option<State> {
        let mut waited = false;
        loop {
            if self.states.len() > LIFT_STATES {
                return None;
            }
            if !waited || self.is_near(&now, to, closing) {
                for wanted in self.wanted(&now, at, to, closing) {
                    let mut leaving = now.clone();
                    for var in &self.ivars {
                        leaving.set(*var, self.trace.states[at].get(*var));
                    }
                    let found = self.explorer.steps(&leaving).like(&wanted).limit(LIFT_WORK).next();
                    if let Some(Ok(step)) = found {
                        self.push(step.now, at);
                        return Some(step.next);
                    }
                }
            }
            now = self.wait(&now, at, to, closing)?;
            waited = true;
        }
    }

    /// Candidates for the next state, the best first.
    fn wanted(&self, now: &State, at: usize, to: usize, closing: Option<&State>) -> Vec<State> {
        if let Some(closing) = closing {
            return vec![closing.clone()];
        }
        let mut wanted = vec![self.trace.states[to].clone()];
        for (place, input) in self.inputs.iter().enumerate() {
            let Some(gap) = self.gap(place, to) else { continue };
            let Some(Value::Int(number)) = now.get(input.var) else { continue };
            let stays = self.trace.states[at].get(input.var) == self.trace.states[to].get(input.var);
            let numbers =
                if stays { vec![number] } else { self.moves(place, number, gap, self.destination(place, to, closing)) };
            wanted = numbers
                .iter()
                .flat_map(|number| {
                    wanted.iter().map(move |state| {
                        let mut state = state.clone();
                        state.set(input.var, Value::Int(*number));
                        state
                    })
                })
                .collect();
        }
        wanted
    }

    /// Waits for an input to get closer to its next value.
    fn wait(&mut self, now: &State, at: usize, to: usize, closing: Option<&State>) -> Option<State> {
        for place in 0..self.inputs.len() {
            let var = self.inputs[place].var;
            let (Some(gap), Some(Value::Int(number))) = (self.gap(place, at), now.get(var)) else { continue };
            let Some(goal) = self.destination(place, to, closing) else { continue };
            let pace = self.paces[place].and_then(|by| number.checked_add(by));
            let moves = pace.into_iter().chain(self.moves(place, number, gap, Some(goal)));
            // Waiting is useful only if the input gets closer.
            let closer = moves.filter(|to| to.abs_diff(goal) < number.abs_diff(goal) && gap.contains(*to));
            for number_after in closer.collect::<Vec<_>>() {
                let mut wanted = now.clone();
                wanted.set(var, Value::Int(number_after));
                let mut leaving = now.clone();
                self.ivars.iter().for_each(|var| leaving.set(*var, None));
                let found = self.explorer.steps(&leaving).like(&wanted).limit(LIFT_WORK).next();
                if let Some(Ok(step)) = found {
                    let by = number_after.checked_sub(number)?;
                    self.paces[place] = Some(by);
                    self.push(step.now.clone(), at);
                    return Some(self.go_on(place, &step, by, (gap, goal), at));
                }
            }
        }
        None
    }

    /// Keeps waiting: values of a gap are indistinguishable, so the input can repeat its change.
    fn go_on(&mut self, place: usize, step: &Step, by: i64, (gap, goal): (Gap, i64), origin: usize) -> State {
        let (input, mut now) = (self.inputs[place], step.next.clone());
        while let Some(Value::Int(number)) = now.get(input.var)
            && number.abs_diff(goal) > input.reach()
            && let Some(after) = number.checked_add(by).filter(|after| gap.contains(*after))
            && after.abs_diff(goal) < number.abs_diff(goal)
            && self.states.len() <= LIFT_STATES
        {
            let mut leaving = step.now.clone();
            leaving.set(input.var, Value::Int(number));
            self.push(leaving, origin);
            now.set(input.var, Value::Int(after));
        }
        now
    }

    /// Whether all inputs could be close enough for the next step.
    fn is_near(&self, now: &State, to: usize, closing: Option<&State>) -> bool {
        (0..self.inputs.len()).all(|place| {
            let input = self.inputs[place];
            let (Some(goal), Some(Value::Int(number))) = (self.fixed(place, to, closing), now.get(input.var)) else {
                return true;
            };
            number.abs_diff(goal) <= input.reach()
        })
    }

    /// The gap of an input in a state of the quantized execution.
    fn gap(&self, place: usize, at: usize) -> Option<Gap> {
        let input = self.inputs[place];
        match self.trace.states[at].get(input.var) {
            Some(Value::Int(number)) => input.gap(number),
            _ => None,
        }
    }

    /// The value that an input must have in a state.
    fn fixed(&self, place: usize, at: usize, closing: Option<&State>) -> Option<i64> {
        let state = closing.unwrap_or(&self.trace.states[at]);
        match state.get(self.inputs[place].var) {
            Some(Value::Int(number)) if closing.is_some() || self.gap(place, at).is_none() => Some(number),
            _ => None,
        }
    }

    /// The next value that an input must have, from a state on.
    fn destination(&self, place: usize, at: usize, closing: Option<&State>) -> Option<i64> {
        if closing.is_some() {
            return self.fixed(place, at, closing);
        }
        (at..self.trace.states.len()).find_map(|at| self.fixed(place, at, None))
    }

    /// The values in a gap that an input can change to, those closest to its destination first.
    fn moves(&self, place: usize, number: i64, gap: Gap, goal: Option<i64>) -> Vec<i64> {
        let kinds = self.inputs[place].kinds();
        let changed = |by: i128| i64::try_from(i128::from(number) + by).ok();
        let changes = kinds.into_iter().flat_map(|(least, most)| [least, most]).filter_map(changed);
        let inside = changes.chain(gap.representatives).filter(|to| gap.contains(*to) && *to != number);
        let mut numbers: Vec<i64> = inside.collect();
        // Without a destination it stays close, so that the way back is short.
        numbers.sort_by_key(|to| (to.abs_diff(goal.unwrap_or(number)), to.abs_diff(number), *to));
        numbers.dedup();
        numbers
    }
}

/// Whether the truth of a formula (or its falsehood) is preserved in all models with fewer executions.
fn is_about_all(model: &TransitionSystem, expr: ExprId, universal: bool) -> bool {
    use BinaryOp::{AU, And, EU, Implies, Or};
    use UnaryOp::{AF, AG, AX, EF, EG, EX, Not};
    stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || match &model[expr] {
        _ if !model.mentions(expr, is_temporal) => true,
        Node::Unary(Not, a) => is_about_all(model, *a, !universal),
        Node::Unary(AX | AF | AG, a) => universal && is_about_all(model, *a, universal),
        Node::Unary(EX | EF | EG, a) => !universal && is_about_all(model, *a, universal),
        Node::Binary(And | Or, a, b) => is_about_all(model, *a, universal) && is_about_all(model, *b, universal),
        Node::Binary(Implies, a, b) => is_about_all(model, *a, !universal) && is_about_all(model, *b, universal),
        Node::Binary(AU, a, b) => universal && is_about_all(model, *a, true) && is_about_all(model, *b, true),
        Node::Binary(EU, a, b) => !universal && is_about_all(model, *a, false) && is_about_all(model, *b, false),
        Node::Define(define) => is_about_all(model, model.body(*define), universal),
        // LTL formulas are about all executions.
        node => is_temporal(node) && is_linear(node),
    })
}

/// Whether a temporal operator is one of LTL.
fn is_linear(node: &Node) -> bool {
    use specwright_model::op::Logic;
    match node {
        Node::Unary(op, _) => op.logic() == Some(Logic::Ltl),
        Node::Binary(op, ..) => op.logic() == Some(Logic::Ltl),
        Node::Bounded(op, ..) => op.logic() == Logic::Ltl,
        _ => false,
    }
}
