//! The drawing of a chart.

use super::Lowering;
use crate::diagram::{Diagram, DiagramState, DiagramStateKind, DiagramTransition};
use crate::expr::ExprId;
use specwright_syntax::statechart::ast::{Action, ActionKind, StateId, StateKind, Transition};
use std::fmt::Write;

impl Lowering<'_> {
    /// The states and transitions as they are drawn.
    pub(super) fn diagram(&self) -> Diagram {
        let chart = self.chart;
        let states = chart.states().map(|(id, state)| DiagramState {
            name: state.key.text.to_string(),
            parent: state.parent.map(StateId::index),
            kind: match state.kind {
                StateKind::Atomic | StateKind::Compound => DiagramStateKind::Plain,
                StateKind::Parallel => DiagramStateKind::Parallel,
                StateKind::Final => DiagramStateKind::Final,
                StateKind::History { deep } => DiagramStateKind::History { deep },
            },
            initial: state.initial.as_ref().and_then(|initial| initial.targets.first()).map(|target| target.index()),
            active: (!state.is_history()).then(|| self.now.active[id.index()]),
        });
        let elements = self.model.source.elements.iter().filter(|element| element.kind == "node");
        let taken: Vec<Vec<ExprId>> = elements.map(|element| element.instances.clone()).collect();
        let transitions = chart.transitions.iter().enumerate().map(|(index, transition)| DiagramTransition {
            source: transition.source.index(),
            targets: transition.targets.iter().map(|target| target.index()).collect(),
            label: label(transition),
            element: self.transition_name(index),
            taken: taken.get(index).cloned().unwrap_or_default(),
        });
        Diagram { states: states.collect(), transitions: transitions.collect() }
    }
}

/// The event of a transition, whether it has a guard, and what it does.
fn label(transition: &Transition) -> String {
    let mut label = if transition.events.is_empty() { "always".to_owned() } else { transition.events.join(" ") };
    if transition.guard.is_some() {
        label.push_str(" [guard]");
    }
    let does: Vec<String> = transition.actions.iter().map(action).collect();
    if !does.is_empty() {
        let _ = write!(label, " / {}", does.join(", "));
    }
    label
}

fn action(action: &Action) -> String {
    match &action.kind {
        ActionKind::Assign(list) => {
            let names: Vec<&str> = list.iter().map(|(name, _)| &*name.text).collect();
            format!("assign {}", names.join(", "))
        }
        ActionKind::Raise(event) => format!("raise {}", event.text),
        ActionKind::Send(event) => format!("send {}", event.text),
        ActionKind::Delay { event, milliseconds, .. } => match milliseconds {
            Some(time) => format!("send {} after {time} ms", event.text),
            None => format!("send {} later", event.text),
        },
        ActionKind::SendTo(actor) => format!("send to {actor}"),
        ActionKind::SendComputed(_) => "send".into(),
        ActionKind::Cancel(id) => format!("cancel {id}"),
        ActionKind::CancelComputed(_) => "cancel".into(),
        ActionKind::If(_) => "if".into(),
        ActionKind::ForEach { .. } => "foreach".into(),
        ActionKind::Block(actions) => actions.iter().map(self::action).collect::<Vec<_>>().join(", "),
        ActionKind::Fail(error) => format!("raise {error}"),
        ActionKind::Effect(name) => name.to_string(),
    }
}
