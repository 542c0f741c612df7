//! From sets of pairs to a test: the first inputs that lead to a kill, and the execution of the model under them.

use super::all;
use super::pairs::{Label, Pairs};
use crate::bdd::{Bdd, Limit, Var};
use crate::encode::Time;
use crate::symbolic::ctl::Stop;
use crate::symbolic::encoding::machine::priorities;
use specwright_model::model::VarKind;
use specwright_model::{State, Trace};

/// The first value of some bits in a set that is not empty.
pub(super) fn pick(set: &Bdd, bits: &[Var]) -> Label {
    let wishes: Vec<(Var, bool)> = bits.iter().map(|bit| (*bit, false)).collect();
    let values = set.pick(&wishes).expect("choices are made from sets with members");
    bits.iter().copied().zip(values).collect()
}

impl Pairs<'_> {
    /// The set of some values of bits.
    pub(super) fn point(&self, label: &Label) -> Result<Bdd, Limit> {
        self.manager().minterm(label)
    }

    /// The first state of the model in a set.
    pub(super) fn first_state(&self, set: &Bdd) -> State {
        self.decode(set, Time::Now)
    }

    /// The first state of the model in a set of states, or of steps.
    fn decode(&self, set: &Bdd, time: Time) -> State {
        let engine = self.engine;
        let wishes = priorities(&engine.layout, engine.state_vars(), time);
        let values = set.pick(&wishes).expect("choices are made from sets with members");
        let value = |bit: Var| wishes.iter().position(|(other, _)| *other == bit).is_some_and(|at| values[at]);
        let mut state = State::empty(engine.system.vars.len());
        for var in engine.state_vars() {
            state.set(var, engine.layout.decode(var, time, &value));
        }
        state
    }

    /// The test through rings of pairs. The last ring has pairs that a step can kill. Inputs are the first that lead there,
    /// unless they are given.
    pub(super) fn walk(&self, rings: &[Bdd], given: Option<&[Label]>) -> Result<(Trace, Vec<Label>), Stop> {
        let manager = self.manager();
        // The pairs of each ring from which the last one is reached.
        let mut useful = vec![rings[rings.len() - 1].clone()];
        for (index, ring) in rings.iter().enumerate().rev().skip(1) {
            let target = useful.last().expect("it starts with the last ring");
            let before = match given {
                Some(labels) => self.relation.preimage_by(&self.point(&labels[index + 1])?, target)?,
                None => self.relation.preimage(target)?,
            };
            useful.push(manager.and(ring, &before)?);
        }
        useful.reverse();
        let label = |set: &Bdd, index: usize, start: bool| match given {
            Some(labels) => labels[index].clone(),
            None => pick(set, &self.label_bits(start)),
        };
        let mut labels = vec![label(&useful[0], 0, true)];
        let mut here = manager.and(&useful[0], &self.point(&labels[0])?)?;
        here = self.with_first_outputs(&here, 0)?;
        let mut states = vec![self.first_state(&here)];
        here = manager.and(&here, &self.state(&states[0])?)?;
        let bits = |shift: u32| -> Vec<Var> { self.state_bits().iter().map(|bit| bit + shift).collect() };
        let choices: Vec<Var> = self.step_bits();
        let gone = manager.cube(&[bits(0), choices].concat())?;
        for (index, target) in useful.iter().enumerate().skip(1) {
            let steps = self.steps(&here, &manager.swap_next(target)?)?;
            let chosen = label(&steps, index, false);
            let steps = manager.and(&steps, &self.point(&chosen)?)?;
            let steps = self.with_first_outputs(&steps, 1)?;
            here = manager.next_as_current(&manager.exists(&steps, &gone)?)?;
            let next = self.first_state(&here);
            here = manager.and(&here, &self.state(&next)?)?;
            self.choose_step(states.last_mut().expect("there is a first state"), &next, &chosen)?;
            states.push(next);
            labels.push(chosen);
        }
        let last = label(&self.kill_labels(&here)?, rings.len(), false);
        // Any step of the model with these inputs will do.
        let from = states.last_mut().expect("there is a first state");
        let steps = self.engine.machine.relation.within(&manager.and(&self.state(from)?, &self.point(&last)?)?)?;
        let next = self.decode(&steps, Time::Next);
        self.choose_step(from, &next, &last)?;
        states.push(next);
        labels.push(last);
        let trace = Trace { states, loop_start: None };
        self.engine.replay(&trace);
        Ok((trace, labels))
    }

    /// The steps of both machines from some pairs that satisfy a condition, not quantified.
    fn steps(&self, pairs: &Bdd, condition: &Bdd) -> Result<Bdd, Limit> {
        let start = self.manager().and(pairs, condition)?;
        let own = self.engine.machine.relation.within(&start)?;
        let both = self.mutant.relation.within(&own)?;
        let agree: Vec<Bdd> = self.agree_next()?;
        all(self.manager(), &both, &agree)
    }

    /// Those with the first outputs.
    fn with_first_outputs(&self, set: &Bdd, shift: u32) -> Result<Bdd, Limit> {
        let outputs = self.twin.observer.outputs.iter();
        let bits: Vec<Var> = outputs.flat_map(|var| self.engine.layout.bits(*var)).map(|bit| bit + shift).collect();
        self.manager().and(set, &self.point(&pick(set, &bits))?)
    }

    /// The current bits of the states of both machines.
    fn state_bits(&self) -> Vec<Var> {
        let vars = self.engine.state_vars();
        let mut bits: Vec<Var> = vars.iter().flat_map(|var| self.engine.layout.bits(*var).to_vec()).collect();
        bits.extend(vars.iter().flat_map(|var| self.twin.layout.bits(*var).to_vec()));
        bits
    }

    /// The bits that belong to steps of both machines.
    fn step_bits(&self) -> Vec<Var> {
        let vars = self.engine.input_vars();
        let mut bits: Vec<Var> = vars.iter().flat_map(|var| self.engine.layout.bits(*var).to_vec()).collect();
        bits.extend(vars.iter().flat_map(|var| self.twin.layout.bits(*var).to_vec()));
        bits
    }

    /// The set of one state of the model.
    fn state(&self, state: &State) -> Result<Bdd, Limit> {
        self.engine.point(state)
    }

    /// Gives a state the inputs of the step to the next one.
    pub(super) fn choose_step(&self, now: &mut State, next: &State, label: &Label) -> Result<(), Limit> {
        let inputs = self.twin.observer.inputs.iter();
        for var in inputs.filter(|var| self.engine.system[**var].kind == VarKind::Input) {
            let value = |bit: Var| label.iter().any(|(other, value)| *other == bit && *value);
            now.set(*var, self.engine.layout.decode(*var, Time::Now, &value));
        }
        let steps = self.engine.machine.relation.within(&self.engine.step(now, next)?)?;
        self.engine.choose_inputs(now, &steps);
        Ok(())
    }
}
