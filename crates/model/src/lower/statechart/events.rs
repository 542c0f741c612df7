//! The events of a chart: their names, which of them a tester can cause, and which descriptors they match.

use super::ecma::Js;
use super::layout::{Delay, External, plain};
use indexmap::IndexSet;
use rustc_hash::FxHashSet;
use specwright_syntax::statechart::PROCESSOR;
use specwright_syntax::statechart::ast::{ActionKind, Chart, Profile, StateId};
use std::sync::Arc;

/// An event as the chart sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Event {
    pub(super) name: Arc<str>,
    /// What `_event` is then; nothing if that is not known, because the tester sends it.
    pub(super) object: Option<Js>,
}

/// The session id that the reader gives to charts.
const LOCATION: &str = "#_scxml_session";

impl Event {
    /// An event without known data.
    pub(super) fn named(name: &Arc<str>) -> Event {
        Event { name: name.clone(), object: None }
    }

    /// An event of SCXML with its data.
    pub(super) fn with_data(name: &Arc<str>, origin: Origin, sendid: Option<&Arc<str>>, data: Js) -> Event {
        let text = |text: &str| Js::Text(text.into());
        let is_external = origin == Origin::External;
        let sender = |value: &str| if is_external { text(value) } else { Js::Undefined };
        let members = [
            ("name", Js::Text(name.clone())),
            ("type", text(origin.name())),
            ("sendid", sendid.map_or(Js::Undefined, |id| Js::Text(id.clone()))),
            ("origin", sender(LOCATION)),
            ("origintype", sender(PROCESSOR)),
            ("invokeid", Js::Undefined),
            ("data", data),
        ];
        let members = members.into_iter().map(|(key, value)| (key.into(), value)).collect();
        Event { name: name.clone(), object: Some(Js::Object(members)) }
    }
}

/// Where an event of SCXML comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The interpreter: an error, or the end of a state.
    Platform,
    /// `raise`
    Internal,
    /// `send`
    External,
}

impl Origin {
    fn name(self) -> &'static str {
        match self {
            Origin::Platform => "platform",
            Origin::Internal => "internal",
            Origin::External => "external",
        }
    }
}

/// Where an event goes that is sent to a target, by a processor.
pub(super) enum Delivery {
    /// To the chart itself.
    Own,
    /// To the internal queue of the chart.
    Internal,
    /// To another recipient.
    Away,
    /// Nowhere, which is this error.
    Error(&'static str),
    /// It depends on what the model does not have.
    Unknown,
}

/// Where an event goes.
pub(super) fn delivery(chart: &Chart, target: &Js, kind: &Js) -> Delivery {
    match kind {
        Js::Undefined => {}
        Js::Text(kind) if matches!(&**kind, "" | "scxml" | PROCESSOR) => {}
        Js::Text(kind) if kind.contains("BasicHTTP") => return Delivery::Unknown,
        _ => return Delivery::Error("error.execution"),
    }
    match target {
        Js::Undefined => Delivery::Own,
        Js::Text(target) => match &**target {
            "" | LOCATION => Delivery::Own,
            "#_internal" => Delivery::Internal,
            "#_parent" => Delivery::Away,
            target => match target.strip_prefix("#_") {
                Some(id) if chart.states.iter().flat_map(|state| &state.invokes).any(|invoke| *invoke.id == *id) => {
                    Delivery::Away
                }
                Some(_) => Delivery::Error("error.communication"),
                None if target.contains("://") => Delivery::Away,
                None => Delivery::Error("error.execution"),
            },
        },
        _ => Delivery::Error("error.execution"),
    }
}

/// The event of a state that is done.
pub(super) fn done(profile: Profile, id: &str) -> Arc<str> {
    match profile {
        Profile::XState => format!("xstate.done.state.{id}").into(),
        Profile::Scxml => format!("done.state.{id}").into(),
    }
}

/// The events that a tester can cause, in document order.
pub(super) fn externals(chart: &Chart, computed: &IndexSet<(Arc<str>, Delay)>) -> Vec<External> {
    let mut found: Vec<External> = Vec::new();
    let mut known: FxHashSet<Arc<str>> = FxHashSet::default();
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let mut add = |event: &str, owner: Option<StateId>, shown: &str| {
        if known.insert(event.into()) {
            found.push(External {
                event: event.into(),
                owner,
                delay: None,
                actor: None,
                shown: free(shown, &mut taken),
            });
        }
    };
    let descriptors = || chart.transitions.iter().flat_map(|transition| &transition.events);
    let is_internal = |event: &str| match chart.profile {
        Profile::XState => event.starts_with("xstate."),
        Profile::Scxml => {
            ["done.state.", "done.invoke."].iter().any(|start| event.starts_with(start))
                || ["error.execution", "error.communication"].iter().any(|error| has_prefix(event, error))
        }
    };
    for descriptor in descriptors() {
        let event = descriptor.trim_end_matches('.');
        if !event.ends_with('*') && !is_internal(event) {
            add(event, None, event);
        }
    }
    // An event that only a wildcard matches.
    for descriptor in descriptors() {
        if let Some(start) = descriptor.strip_suffix('*')
            && !is_internal(start)
        {
            let event = fresh(chart, start);
            add(&event, None, &event);
        }
    }
    let has_free = !found.is_empty();
    let mut add = |event: &str, owner: Option<StateId>, by: By, shown: &str| {
        let (delay, actor) = match by {
            By::Delay(delay) => (Some(delay), None),
            By::Actor(actor) => (None, Some(actor)),
            By::Tester => (None, None),
        };
        found.push(External { event: event.into(), owner, delay, actor, shown: free(shown, &mut taken) });
    };
    for (state, node) in chart.states() {
        let path = chart.path(state).join(".");
        for delay in &node.delays {
            let time = delay.event.strip_prefix("xstate.after.").unwrap_or(&delay.event);
            let time = time.strip_suffix(&*node.id).unwrap_or(time).trim_end_matches('.');
            let shown = if path.is_empty() { format!("after.{time}") } else { format!("after.{time}.{path}") };
            let timer = Delay { milliseconds: delay.milliseconds, id: None, is_sent: false, object: None };
            add(&delay.event, Some(state), By::Delay(timer), &shown);
        }
        for invoke in &node.invokes {
            for event in &invoke.events {
                // Errors of SCXML do not say which actor they are about.
                let shown = match chart.profile {
                    Profile::Scxml if event.starts_with("error.") => format!("{event}.{}", invoke.id),
                    Profile::Scxml => event.replacen(".invoke.", ".", 1),
                    Profile::XState => event.strip_prefix("xstate.").unwrap_or(event).replacen(".actor.", ".", 1),
                };
                add(event, Some(state), By::Actor(invoke.id.clone()), &shown);
            }
        }
    }
    let mut sent: IndexSet<(&str, Delay)> = IndexSet::new();
    for action in chart.actions() {
        if let ActionKind::Delay { event, milliseconds, id } = &action.kind {
            sent.insert((&event.text, delay_of(chart.profile, &event.text, *milliseconds, id.as_ref())));
        }
    }
    sent.extend(computed.iter().map(|(event, delay)| (&**event, delay.clone())));
    for (event, delay) in sent {
        let time = delay.milliseconds.map_or_else(|| "any".to_owned(), |time| time.to_string());
        let shown = format!("delayed.{time}.{event}");
        add(event, Some(StateId::ROOT), By::Delay(delay), &shown);
    }
    // Where all events are those of delays and actors, nothing may happen, too.
    if !has_free {
        add("", None, By::Tester, "none");
    }
    found
}

/// What causes an event.
enum By {
    Tester,
    Delay(Delay),
    Actor(Arc<str>),
}

/// A name for an event that no other one has.
fn free(shown: &str, taken: &mut FxHashSet<String>) -> String {
    let mut shown = plain(shown);
    while !taken.insert(shown.clone()) {
        shown.push('_');
    }
    shown
}

/// The delay of an event that an action sends without data.
pub(super) fn delay_of(profile: Profile, event: &Arc<str>, milliseconds: Option<u64>, id: Option<&Arc<str>>) -> Delay {
    let object = match profile {
        Profile::XState => None,
        Profile::Scxml => Event::with_data(event, Origin::External, id, Js::Undefined).object,
    };
    Delay { milliseconds, id: id.cloned(), is_sent: true, object }
}

/// An event with this start that no other descriptor names.
fn fresh(chart: &Chart, start: &str) -> String {
    let mut event = format!("{start}other");
    while chart.transitions.iter().flat_map(|transition| &transition.events).any(|other| **other == *event) {
        event.push('_');
    }
    event
}

/// Whether an event matches a descriptor.
pub(super) fn matches(profile: Profile, descriptor: &str, event: &str) -> bool {
    if event.is_empty() {
        return false;
    }
    match profile {
        Profile::XState => {
            descriptor == event
                || descriptor == "*"
                || descriptor.strip_suffix(".*").is_some_and(|start| has_prefix(event, start))
        }
        Profile::Scxml => {
            let start = descriptor.strip_suffix(".*").unwrap_or(descriptor).trim_end_matches('.');
            start == "*" || has_prefix(event, start)
        }
    }
}

/// Whether the first words of an event are these.
fn has_prefix(event: &str, start: &str) -> bool {
    event.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_match_as_their_notation_says() {
        assert!(!matches(Profile::XState, "foo", "foo.bar"));
        assert!(matches(Profile::XState, "foo.*", "foo.bar"));
        assert!(matches(Profile::XState, "foo.*", "foo"));
        assert!(!matches(Profile::XState, "foo.*", "foot"));
        assert!(matches(Profile::Scxml, "foo", "foo.bar"));
        assert!(matches(Profile::Scxml, "foo.*", "foo.bar"));
        assert!(!matches(Profile::Scxml, "foo", "foobar"));
        assert!(matches(Profile::Scxml, "*", "anything"));
    }
}
