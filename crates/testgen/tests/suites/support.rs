//! Random executions of random models, for differential tests.

use specwright_model::interp::{Explorer, Random};
use specwright_model::testing::{Options, model, random_smv_with};
use specwright_model::{Model, State, Trace};

/// A random model with many properties.
pub(crate) fn random_model(seed: u64, n_formulas: usize) -> Model {
    let options = Options { ctl: n_formulas, ltl: n_formulas, invar: n_formulas, compute: 0, ..Options::default() };
    model(&random_smv_with(seed, &options))
}

/// The same without fairness constraints.
pub(crate) fn free_model(seed: u64, n_formulas: usize) -> Model {
    let (ctl, ltl, invar) = (n_formulas, n_formulas, n_formulas);
    let options = Options { ctl, ltl, invar, compute: 0, justice: 0, compassion: 0, ..Options::default() };
    model(&random_smv_with(seed, &options))
}

/// A random walk of at most `most` states; sometimes closed to a loop at a repeated state.
pub(crate) fn random_trace(model: &Model, random: &mut Random, most: usize) -> Option<Trace> {
    const WORK: u64 = 20_000;
    let explorer = Explorer::new(model);
    let choose = |random: &mut Random| Random::new(random.next_u64());
    let first = explorer.initial().shuffled(choose(random)).limit(WORK).next()?.ok()?;
    let length = 1 + random.index(most);
    let mut states: Vec<State> = vec![first.next];
    let close = random.percent(50);
    while states.len() < length {
        let last = states.last().expect("there is a first one");
        let Some(Ok(step)) = explorer.steps(last).shuffled(choose(random)).limit(WORK).next() else { break };
        *states.last_mut().expect("there is a first one") = step.now;
        let bare = |state: &State| {
            let mut bare = state.clone();
            for (var, declared) in model.vars() {
                if declared.kind == specwright_model::model::VarKind::Input {
                    bare.set(var, None);
                }
            }
            bare
        };
        if let Some(start) = states.iter().position(|state| bare(state) == step.next).filter(|_| close) {
            return Some(Trace { states, loop_start: Some(start) });
        }
        states.push(step.next);
    }
    Some(Trace { states, loop_start: None })
}
