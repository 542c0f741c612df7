//! Events that charts put into their queues, errors among them.

use super::Lowering;
use super::cases::{Cases, Thrown};
use super::config::{Config, Sent};
use super::ecma::Js;
use super::events::{Delivery, Event, Origin, delivery};
use super::exprs::Unreadable;
use super::layout::Delay;
use crate::expr::ExprId;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use specwright_syntax::statechart::ast::{Expr, Profile, Send};
use specwright_syntax::statechart::{codes, duration};
use std::sync::Arc;

/// The event of an error in executable content.
pub(super) const ERROR: &str = "error.execution";

impl Lowering<'_> {
    /// An event without data.
    pub(super) fn plain_event(&self, name: &Arc<str>, origin: Origin) -> Event {
        match self.chart.profile {
            Profile::XState => Event::named(name),
            Profile::Scxml => Event::with_data(name, origin, None, Js::Undefined),
        }
    }

    /// Puts an event into the internal queue.
    pub(super) fn raise(&mut self, event: Event, when: ExprId, config: &mut Config) {
        let when = self.pruned(when);
        if self.truth_of(when) != Some(false) {
            let event = self.events.insert_full(event).0;
            config.queue.push((when, event));
        }
    }

    /// Puts an event into the external queue.
    pub(super) fn send(&mut self, event: Event, when: ExprId, config: &mut Config) {
        let when = self.pruned(when);
        if self.truth_of(when) != Some(false) {
            let event = self.events.insert_full(event).0;
            config.sent.push(Sent { when, event, by: None });
        }
    }

    /// Raises an error.
    pub(super) fn fail(&mut self, error: &Arc<str>, sendid: Option<&Arc<str>>, when: ExprId, config: &mut Config) {
        self.raise(Event::with_data(error, Origin::Platform, sendid, Js::Undefined), when, config);
    }

    /// The cases of a part of an event; `undefined` if there is none.
    fn part(&mut self, part: Option<&Expr>, config: &Config) -> Result<Cases, Unreadable> {
        match part {
            Some(part) => self.cases(part, config),
            None => Ok(vec![(Ok(Js::Undefined), self.boolean(true))]),
        }
    }

    /// Sends an event whose parts are computed. The result is the condition under which that fails.
    pub(super) fn send_computed(&mut self, send: &Send, span: Span, when: ExprId, config: &mut Config) -> ExprId {
        if let Ok(failed) = self.send_cases(send, span, when, config) {
            failed
        } else {
            let message = "this event depends on what is not part of the model";
            self.diagnostics.push(Diagnostic::error(codes::UNREADABLE, span, message));
            self.boolean(false)
        }
    }

    fn send_cases(&mut self, send: &Send, span: Span, when: ExprId, config: &mut Config) -> Result<ExprId, Unreadable> {
        let id = match (&send.id, &send.id_location) {
            (Some(id), _) => Some(id.clone()),
            (None, Some(_)) => Some(format!("send.{}", span.start).into()),
            (None, None) => None,
        };
        let parts =
            [Some(&send.event), send.data.as_ref(), send.delay.as_ref(), send.target.as_ref(), send.kind.as_ref()];
        let mut all: Vec<(Vec<Result<Js, Thrown>>, ExprId)> = vec![(Vec::new(), when)];
        for part in parts {
            let cases = self.part(part, config)?;
            let mut longer = Vec::new();
            for (values, when) in all {
                for (case, by) in &cases {
                    let both = self.and(when, *by);
                    let both = self.pruned(both);
                    if self.truth_of(both) != Some(false) {
                        longer.push(([&values[..], std::slice::from_ref(case)].concat(), both));
                    }
                }
            }
            all = longer;
        }
        if let (Some(location), Some(id)) = (&send.id_location, &id) {
            let id = self.js_constant(&Js::Text(id.clone()));
            self.set(&location.text, id, when, config);
        }
        let mut failed = self.boolean(false);
        for (values, when) in all {
            let error = match &values[..] {
                [Ok(Js::Text(event)), Ok(data), Ok(delay), Ok(target), Ok(kind)] => {
                    let milliseconds = match delay {
                        Js::Undefined => Some(0),
                        Js::Text(text) => duration(text),
                        Js::Int(number) => u64::try_from(*number).ok(),
                        _ => None,
                    };
                    let origin = |origin| Event::with_data(event, origin, id.as_ref(), data.clone());
                    match (delivery(self.chart, target, kind), milliseconds) {
                        (Delivery::Unknown, _) => return Err(Unreadable),
                        (Delivery::Error(error), _) => error,
                        (_, None) | (Delivery::Internal, Some(1..)) => ERROR,
                        (Delivery::Away, _) => continue,
                        (Delivery::Own, Some(0)) => {
                            self.send(origin(Origin::External), when, config);
                            continue;
                        }
                        (Delivery::Internal, _) => {
                            self.raise(origin(Origin::Internal), when, config);
                            continue;
                        }
                        (Delivery::Own, Some(_)) => {
                            let object = origin(Origin::External).object;
                            let delay = Delay { milliseconds, id: id.clone(), is_sent: true, object };
                            self.send_later(event, &delay, when, config);
                            continue;
                        }
                    }
                }
                _ => ERROR,
            };
            self.fail(&error.into(), id.as_ref(), when, config);
            failed = self.or(failed, when);
        }
        Ok(failed)
    }

    /// Cancels the delayed events with an id that is computed. The result is the condition under which that fails.
    pub(super) fn cancel_computed(&mut self, id: &Expr, when: ExprId, config: &mut Config) -> ExprId {
        let mut failed = self.boolean(false);
        let Ok(cases) = self.cases(id, config) else {
            let message = "this id depends on what is not part of the model";
            self.diagnostics.push(Diagnostic::error(codes::UNREADABLE, id.span, message));
            return failed;
        };
        for (case, by) in cases {
            let when = self.and(when, by);
            match case {
                Ok(Js::Text(id)) => self.cancel(&id, when, config),
                Ok(_) => {}
                Err(Thrown) => {
                    self.fail(&ERROR.into(), None, when, config);
                    failed = self.or(failed, when);
                }
            }
        }
        failed
    }
}
