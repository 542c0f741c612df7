//! The tree of a statechart, whatever notation it was read from.
//!
//! States are listed in document order: parents before children, the root first. Targets are resolved; names of events
//! are plain texts.

use crate::op::BinaryOp;
use crate::span::Span;
use std::ops::Index;
use std::sync::Arc;

/// Which semantics a chart has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// XState, version 5.
    #[default]
    XState,
    /// SCXML 1.0.
    Scxml,
}

/// A state of a chart, in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl StateId {
    /// The root.
    pub const ROOT: StateId = StateId(0);

    /// The index in document order.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The text.
    pub text: Arc<str>,
    /// Where it is written.
    pub span: Span,
}

/// A statechart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// Its semantics.
    pub profile: Profile,
    /// The states, in document order.
    pub states: Vec<State>,
    /// The transitions. Those of a state are listed in the order of their priority.
    pub transitions: Vec<Transition>,
    /// The variables of the context or data model.
    pub data: Vec<Datum>,
    /// The properties in comments: texts of SMV with their places.
    pub properties: Vec<Name>,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Its name among its siblings.
    pub key: Name,
    /// Its id, unique in the chart.
    pub id: Arc<str>,
    /// Its kind.
    pub kind: StateKind,
    /// Its parent; only the root has none.
    pub parent: Option<StateId>,
    /// Its children in document order, including history states.
    pub children: Vec<StateId>,
    /// Where it starts, if it is compound; where a history state leads by default.
    pub initial: Option<Initial>,
    /// The actions on entry.
    pub entry: Vec<Action>,
    /// The actions on exit.
    pub exit: Vec<Action>,
    /// The transitions that leave it, as indices into those of the chart.
    pub transitions: Vec<usize>,
    /// Its delayed events.
    pub delays: Vec<Delay>,
    /// The actors that it invokes.
    pub invokes: Vec<Invoke>,
    /// The data of the event that says that its parent is done, if it is final.
    pub done_data: Option<Expr>,
    /// Its whole text.
    pub span: Span,
}

/// The kinds of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StateKind {
    /// Without substates.
    Atomic,
    /// One substate is active.
    Compound,
    /// All substates are active.
    Parallel,
    /// Completes its parent.
    Final,
    /// Stands for the substates that were active last.
    History {
        /// Whether it remembers all descendants, not only the children.
        deep: bool,
    },
}

/// Where a compound state starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initial {
    /// The targets.
    pub targets: Vec<StateId>,
    /// The actions.
    pub actions: Vec<Action>,
    /// Its text.
    pub span: Span,
}

/// An event that occurs some time after a state was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delay {
    /// The name of the event.
    pub event: Arc<str>,
    /// The delay in milliseconds; nothing if it is not known.
    pub milliseconds: Option<u64>,
    /// Its text.
    pub span: Span,
}

/// An actor that is invoked while a state is active.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invoke {
    /// Its id.
    pub id: Arc<str>,
    /// The name of its logic, if it has one.
    pub source: Option<Arc<str>>,
    /// The events by which it reports: its end, an error, a new snapshot.
    pub events: Vec<Arc<str>>,
    /// Its text.
    pub span: Span,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The state that it leaves.
    pub source: StateId,
    /// Its place in the chart, such as `form.SUBMIT`: the name of its guard where the tester controls it.
    pub place: Arc<str>,
    /// Descriptors of its events; empty if it needs no event.
    pub events: Vec<Arc<str>>,
    /// Its guard.
    pub guard: Option<Expr>,
    /// Its targets; none if it changes no state.
    pub targets: Vec<StateId>,
    /// Its actions.
    pub actions: Vec<Action>,
    /// Whether the source is left and entered again where the profile lets a transition choose.
    pub reenter: bool,
    /// The text of its event, for messages.
    pub event_span: Span,
    /// Its text.
    pub span: Span,
}

/// A variable of the context or data model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datum {
    /// Its name.
    pub name: Name,
    /// Its initial value; nothing if it cannot be read.
    pub initial: Option<Expr>,
    /// The values that the author declares: numbers from the first to the last.
    pub range: Option<(i64, i64)>,
}

/// An action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What it does.
    pub kind: ActionKind,
    /// Its text.
    pub span: Span,
}

/// The kinds of actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// Assigns values to variables at once; a value that cannot be read is missing.
    Assign(Vec<(Name, Option<Expr>)>),
    /// Puts an event into the internal queue.
    Raise(Name),
    /// Puts an event into the external queue.
    Send(Name),
    /// Puts an event into the external queue after a delay.
    Delay {
        /// The event.
        event: Name,
        /// The delay; nothing if it is not known.
        milliseconds: Option<u64>,
        /// The id by which it can be cancelled.
        id: Option<Arc<str>>,
    },
    /// Sends an event to the actor with this id.
    SendTo(Arc<str>),
    /// Sends an event whose parts are computed.
    SendComputed(Box<Send>),
    /// Cancels the delayed events with this id.
    Cancel(Arc<str>),
    /// Cancels the delayed events with an id that is computed.
    CancelComputed(Expr),
    /// Executes actions for each item of a list.
    ForEach {
        /// The list.
        list: Expr,
        /// The variable for the items.
        item: Name,
        /// The variable for their positions.
        index: Option<Name>,
        /// The actions.
        body: Vec<Action>,
    },
    /// Actions of their own: an error in them ends no others.
    Block(Vec<Action>),
    /// An action that fails with this error event.
    Fail(Arc<str>),
    /// Some actions, depending on conditions; the last condition may be missing.
    If(Vec<(Option<Expr>, Vec<Action>)>),
    /// An action of this name that changes nothing in the chart.
    Effect(Arc<str>),
}

/// An event to send, with expressions for its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Send {
    /// The name of the event.
    pub event: Expr,
    /// Its data.
    pub data: Option<Expr>,
    /// The delay, as a text such as `10ms`.
    pub delay: Option<Expr>,
    /// Where it goes; to the chart itself if there is none.
    pub target: Option<Expr>,
    /// The type of the processor.
    pub kind: Option<Expr>,
    /// The id by which it can be cancelled.
    pub id: Option<Arc<str>>,
    /// The variable that gets the id.
    pub id_location: Option<Name>,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its text.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A truth value.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A text, or `null` or `undefined`.
    Text(Arc<str>),
    /// A variable of the context.
    Var(Arc<str>),
    /// Whether a state is active.
    In(StateId),
    /// A truth value that the tester controls by this name.
    Unknown(Arc<str>),
    /// A guard with a name. The tester controls it if it reads what is not part of the model.
    Named(Arc<str>, Box<Expr>),
    /// Negation of a truth value.
    Not(Box<Expr>),
    /// Negation of a number.
    Neg(Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Equality with conversions: `==`.
    Loose(Box<Expr>, Box<Expr>),
    /// The current event, an object.
    Event,
    /// A name that stands for nothing: its evaluation is an error.
    Missing(Arc<str>),
    /// A list.
    Array(Vec<Expr>),
    /// An object.
    Object(Vec<(Arc<str>, Expr)>),
    /// The member of an object, and its key.
    Member(Box<Expr>, Box<Expr>),
    /// An object, a key, and the value that this member gets.
    With(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The name of a type.
    Typeof(Box<Expr>),
    /// Whether there is a member: the key and the object.
    Has(Box<Expr>, Box<Expr>),
    /// A function of the language, and its arguments; the first one of a method is its object.
    Call(Function, Vec<Expr>),
}

/// Functions of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// `Math.pow(a, b)`
    Pow,
    /// `Array.isArray(a)`
    IsArray,
    /// `list.includes(item)`, also of texts.
    Includes,
    /// `list.indexOf(item)`, also of texts.
    IndexOf,
    /// `list.concat(other)`
    Concat,
    /// `[...list, ...other]`
    Spread,
    /// `list.slice(from, to)`, also of texts.
    Slice,
}

impl Expr {
    /// Its parts.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Text(_)
            | ExprKind::Var(_)
            | ExprKind::In(_)
            | ExprKind::Unknown(_)
            | ExprKind::Event
            | ExprKind::Missing(_) => Vec::new(),
            ExprKind::Not(a) | ExprKind::Neg(a) | ExprKind::Typeof(a) | ExprKind::Named(_, a) => vec![a],
            ExprKind::Binary(_, a, b) | ExprKind::Loose(a, b) | ExprKind::Member(a, b) | ExprKind::Has(a, b) => {
                vec![a, b]
            }
            ExprKind::Conditional(a, b, c) | ExprKind::With(a, b, c) => vec![a, b, c],
            ExprKind::Array(items) | ExprKind::Call(_, items) => items.iter().collect(),
            ExprKind::Object(entries) => entries.iter().map(|(_, value)| value).collect(),
        }
    }
}

impl Expr {
    /// Its number of nodes, unless there are more than these.
    pub fn size(&self, most: usize) -> Option<usize> {
        let mut waiting = vec![self];
        let mut n = 0;
        while let Some(expr) = waiting.pop() {
            n += 1;
            if n > most {
                return None;
            }
            waiting.extend(expr.parts());
        }
        Some(n)
    }
}

impl ActionKind {
    /// The lists of actions inside of it.
    pub fn inner(&self) -> Vec<&[Action]> {
        match self {
            ActionKind::If(branches) => branches.iter().map(|(_, actions)| &actions[..]).collect(),
            ActionKind::ForEach { body, .. } | ActionKind::Block(body) => vec![body],
            _ => Vec::new(),
        }
    }

    /// The expressions that it evaluates itself.
    pub fn expressions(&self) -> Vec<&Expr> {
        match self {
            ActionKind::Assign(list) => list.iter().filter_map(|(_, value)| value.as_ref()).collect(),
            ActionKind::If(branches) => branches.iter().filter_map(|(condition, _)| condition.as_ref()).collect(),
            ActionKind::ForEach { list, .. } => vec![list],
            ActionKind::CancelComputed(id) => vec![id],
            ActionKind::SendComputed(send) => {
                let parts = [&send.data, &send.delay, &send.target, &send.kind];
                std::iter::once(&send.event).chain(parts.into_iter().flatten()).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Index<StateId> for Chart {
    type Output = State;

    fn index(&self, state: StateId) -> &State {
        &self.states[state.index()]
    }
}

impl Chart {
    /// All states with their ids.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = (StateId, &State)> + ExactSizeIterator {
        self.states.iter().enumerate().map(|(at, state)| (StateId(at as u32), state))
    }

    /// The proper ancestors of a state, the innermost first.
    pub fn ancestors(&self, state: StateId) -> impl Iterator<Item = StateId> {
        std::iter::successors(self[state].parent, |state| self[*state].parent)
    }

    /// Whether a state is a proper descendant of another one.
    pub fn is_descendant(&self, state: StateId, of: StateId) -> bool {
        // Parents come before their children.
        self.ancestors(state).take_while(|ancestor| *ancestor >= of).any(|ancestor| ancestor == of)
    }

    /// The keys from the root to a state, without the root.
    pub fn path(&self, state: StateId) -> Vec<Arc<str>> {
        let mut path: Vec<Arc<str>> = std::iter::once(state)
            .chain(self.ancestors(state))
            .filter(|state| *state != StateId::ROOT)
            .map(|state| self[state].key.text.clone())
            .collect();
        path.reverse();
        path
    }

    /// All actions, those inside of conditions included.
    pub fn actions(&self) -> Vec<&Action> {
        let mut waiting: Vec<&Action> = Vec::new();
        for state in &self.states {
            let initial = state.initial.iter().flat_map(|initial| &initial.actions);
            waiting.extend(state.entry.iter().chain(&state.exit).chain(initial));
        }
        waiting.extend(self.transitions.iter().flat_map(|transition| &transition.actions));
        waiting.reverse();
        let mut found = Vec::new();
        while let Some(action) = waiting.pop() {
            waiting.extend(action.kind.inner().into_iter().rev().flat_map(|actions| actions.iter().rev()));
            found.push(action);
        }
        found
    }

    /// The children that can be active: all but history states.
    pub fn substates(&self, state: StateId) -> impl Iterator<Item = StateId> {
        self[state].children.iter().copied().filter(|child| !self[*child].is_history())
    }
}

impl State {
    /// Whether it stands for the states that were active last.
    pub fn is_history(&self) -> bool {
        matches!(self.kind, StateKind::History { .. })
    }

    /// Whether it has no substates that can be active.
    pub fn is_atomic(&self) -> bool {
        matches!(self.kind, StateKind::Atomic | StateKind::Final)
    }
}
