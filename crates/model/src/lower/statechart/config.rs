//! Configurations of a chart during a step, as expressions over the state before it and its inputs.

use crate::expr::ExprId;
use specwright_syntax::statechart::ast::StateId;

/// A configuration.
#[derive(Clone)]
pub(super) struct Config {
    /// Whether each state is active.
    pub(super) active: Vec<ExprId>,
    /// The same as conditions in actions see it, if they see something else.
    pub(super) seen: Option<Vec<ExprId>>,
    /// The values of the variables that are part of the model.
    pub(super) data: Vec<Option<ExprId>>,
    /// The values of the histories.
    pub(super) memories: Vec<ExprId>,
    /// The event that was taken last.
    pub(super) event: Current,
    /// The internal events that may wait, each with the condition under which it does.
    pub(super) queue: Vec<(ExprId, usize)>,
    /// The same for external events that the machine sends to itself.
    pub(super) sent: Vec<Sent>,
    /// Whether each actor is running.
    pub(super) actors: Vec<ExprId>,
    /// Whether an event was sent to an actor that is not there.
    pub(super) sent_nowhere: ExprId,
    /// Whether an actor has reported an error that nothing handles.
    pub(super) unhandled: ExprId,
    /// How long delays still take.
    pub(super) timers: Vec<ExprId>,
    /// For each pair of delays with the same duration, whether the second one was started first.
    pub(super) ties: Vec<ExprId>,
    /// Whether a delayed event was sent again while it waits.
    pub(super) sent_again: ExprId,
    /// The delays that end in this step beside the one that the tester waits for, each with its condition.
    pub(super) due: Vec<(ExprId, usize)>,
    /// For each pair of regions whose order matters, whether the one that is written first was entered last.
    pub(super) order: Vec<ExprId>,
    /// Whether the machine has come to its end.
    pub(super) done: ExprId,
}

/// An external event that the machine sends to itself, at the end of the macrostep.
#[derive(Clone)]
pub(super) struct Sent {
    /// The condition under which it waits.
    pub(super) when: ExprId,
    pub(super) event: usize,
    /// The state whose actor sends it, and the condition under which that has not happened yet.
    pub(super) by: Option<(StateId, ExprId)>,
}

/// The current event: the events that it may be, each with its condition.
pub(super) type Current = Vec<(usize, ExprId)>;

/// Transitions, each with the condition under which it is taken.
pub(super) type Taken = Vec<(usize, ExprId)>;
