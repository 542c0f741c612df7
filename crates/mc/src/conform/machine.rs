//! Machines as a tester sees them: sets of states, and how they answer inputs.

use crate::answer::Reason;
use std::hash::Hash;

/// How a set of states answers an input.
#[derive(Clone, Debug)]
pub(super) struct Move<I, O, S> {
    /// The input.
    pub(super) input: I,
    /// Whether some state of the set refuses it.
    pub(super) refuses: bool,
    /// The states after each output, in the order of outputs; never empty sets.
    pub(super) outcomes: Vec<(O, S)>,
}

/// The move of a machine.
pub(super) type MoveOf<M> = Move<<M as Machine>::Input, <M as Machine>::Output, <M as Machine>::Set>;

/// A machine with sets of states.
pub(super) trait Machine {
    /// What a tester sets for a step, or for the start. Ordered by the declared order of variables and values.
    type Input: Clone + Ord;
    /// What a tester sees in a state.
    type Output: Clone + Ord;
    /// A nonempty set of states, or the point before the start.
    type Set: Clone + Eq + Hash;

    /// The point before the start, where the inputs of initial states are chosen.
    fn start(&self) -> Self::Set;

    /// The answers of a set to all inputs that some of its states accept, in the order of inputs.
    fn moves(&mut self, set: &Self::Set) -> Result<Vec<MoveOf<Self>>, Reason>;

    /// The answer of a set to one input.
    fn answer(&mut self, set: &Self::Set, input: &Self::Input) -> Result<MoveOf<Self>, Reason>;
}
