//! Executions of the specification on given inputs.

use crate::policy::RECOVERY_WORK;
use crate::run::outcome::ExchangeRecord;
use crate::run::script::with;
use specwright_model::interface::Role;
use specwright_model::interp::{Explorer, Search};
use specwright_model::model::VarKind;
use specwright_model::{Model, State};

/// Recomputes executions.
pub(super) struct Rebuild<'m> {
    pub(super) model: &'m Model,
    explorer: Explorer<'m>,
}

impl<'m> Rebuild<'m> {
    pub(super) fn new(model: &'m Model) -> Rebuild<'m> {
        Rebuild { model, explorer: Explorer::new(model) }
    }

    /// The executions on the inputs of the kept states: with their values, and with their changes, which differ where a
    /// state between them changed an input.
    pub(super) fn candidates(&self, states: &[State], kept: &[usize]) -> Vec<Vec<State>> {
        let n_same = kept.iter().enumerate().take_while(|(at, index)| at == *index).count();
        let values: Vec<State> = kept.iter().map(|index| states[*index].clone()).collect();
        let changes = self.changes(states, kept);
        let mut found: Vec<Vec<State>> = Vec::new();
        for wanted in [values, changes] {
            let rebuilt = self.follow(&states[..n_same], &wanted);
            found.extend(rebuilt.filter(|states| !found.contains(states)));
        }
        found
    }

    /// The kept states, with inputs that change only where they do in a kept state.
    fn changes(&self, states: &[State], kept: &[usize]) -> Vec<State> {
        let inputs: Vec<_> = self
            .model
            .vars()
            .filter(|(var, declared)| declared.kind == VarKind::State && self.model.role(*var) == Role::Input)
            .map(|(var, _)| var)
            .collect();
        let mut now = states[0].clone();
        let change = |index: &usize| {
            let mut state = states[*index].clone();
            for var in &inputs {
                if *index > 0 && states[*index].get(*var) != states[*index - 1].get(*var) {
                    now.set(*var, states[*index].get(*var));
                }
                state.set(*var, now.get(*var));
            }
            state
        };
        kept.iter().map(change).collect()
    }

    /// The execution without the inputs of one state, and with other inputs in the place of those of another one.
    pub(super) fn replaced(&self, states: &[State], removed: usize, replaced: usize, by: &State) -> Option<Vec<State>> {
        let mut wanted = states.to_vec();
        wanted.remove(removed);
        wanted[replaced] = with(&wanted[replaced], by);
        self.follow(&states[..removed.min(replaced)], &wanted)
    }

    /// The different inputs of some states, in the order of their first use.
    pub(super) fn distinct_inputs(&self, states: &[State]) -> Vec<State> {
        let mut found: Vec<State> = Vec::new();
        for state in states {
            let mut inputs = state.clone();
            for (var, declared) in self.model.vars() {
                if self.model.role(var) != Role::Input || declared.kind == VarKind::Frozen {
                    inputs.set(var, None);
                }
            }
            if !found.contains(&inputs) {
                found.push(inputs);
            }
        }
        found
    }

    /// The execution on the same inputs with the choices that were observed.
    pub(super) fn observed(&self, states: &[State], history: &[ExchangeRecord]) -> Option<Vec<State>> {
        let wanted: Vec<State> = (0..)
            .zip(states)
            .map(|(index, state)| match history.get(index) {
                Some(record) if index + 1 < states.len() => with(state, &record.outputs),
                _ => state.clone(),
            })
            .collect();
        self.follow(&[], &wanted)
    }

    /// An execution on the inputs of some states, which agrees with their other values as far as possible. Its first
    /// states may be known.
    fn follow(&self, known: &[State], wanted: &[State]) -> Option<Vec<State>> {
        let mut states = known.to_vec();
        for wanted_state in &wanted[known.len()..] {
            let from = states.last().map(|state| {
                // Inputs of the step are those of the state that was wanted.
                let mut from = state.clone();
                for (var, _) in self.model.vars().filter(|(_, var)| var.kind == VarKind::Input) {
                    from.set(var, wanted[states.len() - 1].get(var));
                }
                from
            });
            let search = || -> Search<'_> {
                match &from {
                    Some(from) => self.explorer.steps(from),
                    None => self.explorer.initial(),
                }
            };
            let like = |keeps: &dyn Fn(Role) -> bool| {
                let mut like = wanted_state.clone();
                for (var, _) in self.model.vars().filter(|(var, _)| !keeps(self.model.role(*var))) {
                    like.set(var, None);
                }
                search().like(&like).limit(RECOVERY_WORK).next().and_then(Result::ok)
            };
            let step = like(&|_| true)
                .or_else(|| like(&|role| role != Role::Internal))
                .or_else(|| like(&|role| role == Role::Input))?;
            if let Some(before) = states.last_mut() {
                *before = step.now;
            }
            states.push(step.next);
        }
        Some(states)
    }
}
