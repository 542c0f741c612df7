//! Events that charts send, and the actors that they invoke.

use super::{PROCESSOR, Reader, quoted};
use crate::diagnostic::Diagnostic;
use crate::statechart::ast::{ActionKind, Expr, ExprKind, Invoke, Name, Send, StateId};
use crate::statechart::codes;
use crate::statechart::expressions::whole;
use roxmltree::Node;
use std::fmt::Write;
use std::sync::Arc;

impl<'d> Reader<'d> {
    pub(super) fn send(&mut self, element: Node<'d, 'd>) -> Option<ActionKind> {
        let event = self.either(element, "event", "eventexpr").ok()?;
        let delay = self.either(element, "delay", "delayexpr").ok()?;
        let kind = self.either(element, "type", "typeexpr").ok()?;
        let target = self.either(element, "target", "targetexpr").ok()?;
        let data = self.payload(element).ok()?;
        let Some(event) = event else {
            self.unsupported(self.tag(element), "`send` without an `event` is not supported");
            return None;
        };
        let id_location = element
            .attribute("idlocation")
            .map(|name| Name { text: name.into(), span: self.attribute_span(element, "idlocation") });
        if let Some(location) = id_location.as_ref().filter(|location| !self.is_variable(&location.text)) {
            let message = format!("unknown variable `{}`", location.text);
            self.error(codes::UNKNOWN_VARIABLE, location.span, message);
            return None;
        }
        let id: Option<Arc<str>> = element.attribute("id").map(Into::into);
        let text = |part: Option<&Expr>| match part.map(|part| &part.kind) {
            None => Some("".into()),
            Some(ExprKind::Text(text)) => Some(text.clone()),
            Some(_) => None,
        };
        if let Some(delay) = text(delay.as_ref()).filter(|delay| !delay.is_empty() && duration(delay).is_none()) {
            let message = format!("`{delay}` is not a delay: a delay is a number with `s` or `ms`, such as `1.5s`");
            self.error(codes::WRONG_KIND, self.tag(element), message);
            return None;
        }
        if text(kind.as_ref()).is_some_and(|kind| kind.contains("BasicHTTP")) {
            self.unsupported(self.attribute_span(element, "type"), "events over HTTP are not supported");
            return None;
        }
        // Where all parts are constant, the event is known.
        let is_plain = data.is_none()
            && id_location.is_none()
            && matches!(text(kind.as_ref()).as_deref(), Some("" | "scxml" | PROCESSOR));
        if let (true, Some(name), Some(delay), Some(target)) =
            (is_plain, text(Some(&event)), text(delay.as_ref()), text(target.as_ref()))
        {
            let name = Name { text: name, span: event.span };
            match (&*target, duration(&delay).unwrap_or(0)) {
                ("", 0) if id.is_none() => return Some(ActionKind::Send(name)),
                ("#_internal", 0) if id.is_none() => return Some(ActionKind::Raise(name)),
                ("", milliseconds @ 1..) => {
                    return Some(ActionKind::Delay { event: name, milliseconds: Some(milliseconds), id });
                }
                _ => {}
            }
        }
        Some(ActionKind::SendComputed(Box::new(Send { event, data, delay, target, kind, id, id_location })))
    }

    /// A part of an event: the text of an attribute, or the expression in another one.
    fn either(&mut self, element: Node<'d, 'd>, name: &str, expr: &str) -> Result<Option<Expr>, ()> {
        if let Some(text) = element.attribute(name) {
            return Ok(Some(Expr { kind: ExprKind::Text(quoted(text)), span: self.attribute_span(element, name) }));
        }
        match element.attribute(expr) {
            Some(text) => self.expression(text, self.attribute_span(element, expr)).map(Some).ok_or(()),
            None => Ok(None),
        }
    }

    /// The data of an event: names, parameters or content.
    pub(super) fn payload(&mut self, element: Node<'d, 'd>) -> Result<Option<Expr>, ()> {
        let span = self.tag(element);
        let mut entries = Vec::new();
        for name in element.attribute("namelist").unwrap_or_default().split_ascii_whitespace() {
            let value = self.expression(name, self.attribute_span(element, "namelist")).ok_or(())?;
            entries.push((name.into(), value));
        }
        for child in Reader::children(element) {
            match child.tag_name().name() {
                "param" => {
                    let attribute = if child.has_attribute("expr") { "expr" } else { "location" };
                    let (Some(name), Some(text)) = (child.attribute("name"), child.attribute(attribute)) else {
                        self.error(codes::WRONG_KIND, self.tag(child), "`param` needs a `name` and an `expr`");
                        return Err(());
                    };
                    let value = self.expression(text, self.attribute_span(child, attribute)).ok_or(())?;
                    entries.push((name.into(), value));
                }
                "content" => {
                    if let Some(text) = child.attribute("expr") {
                        return self.expression(text, self.attribute_span(child, "expr")).map(Some).ok_or(());
                    }
                    let content = self.inline(child);
                    if content.is_none() {
                        self.unsupported(self.tag(child), "XML as the data of an event is not supported");
                    }
                    return content.map(Some).ok_or(());
                }
                _ => {}
            }
        }
        Ok((!entries.is_empty()).then_some(Expr { kind: ExprKind::Object(entries), span }))
    }

    /// An actor. The tester stands for it: its end is an event of the tester.
    pub(super) fn invoke(&mut self, state: StateId, element: Node<'d, 'd>) {
        let span = self.tag(element);
        if element.has_attribute("idlocation") {
            self.unsupported(span, "`invoke` with `idlocation` is not supported");
            return;
        }
        if let Some(finalize) = Reader::children(element).find(|child| child.tag_name().name() == "finalize")
            && Reader::children(finalize).next().is_some()
        {
            self.unsupported(self.tag(finalize), "`finalize` is not supported");
            return;
        }
        let number = self.states[state.index()].invokes.len();
        let generated = || format!("{}.{number}", self.states[state.index()].id);
        let id: Arc<str> = element.attribute("id").map_or_else(generated, Into::into).into();
        let source = element.attribute("src").map(Into::into);
        let mut events: Vec<Arc<str>> = vec![format!("done.invoke.{id}").into()];
        events.extend(failures(element).into_iter().map(Into::into));
        let message = "what is invoked is not part of the model: the tester sends its events";
        let mut note = format!("its end is `done.{id}`");
        for failure in &events[1..] {
            let _ = write!(note, ", its failure `{failure}.{id}`");
        }
        self.diagnostics.push(Diagnostic::warning(codes::MOCKED, span, message).note(note));
        self.states[state.index()].invokes.push(Invoke { id, source, events, span });
    }
}

/// The errors by which an invocation can fail, as far as transitions take them that can be active with it.
fn failures<'d>(invoke: Node<'d, 'd>) -> Vec<&'d str> {
    let Some(state) = invoke.parent() else { return Vec::new() };
    let has_regions = state.ancestors().any(|node| node.tag_name().name() == "parallel");
    let listens = |transition: &Node<'_, '_>| {
        let source = transition.parent();
        has_regions
            || state.ancestors().any(|node| Some(node) == source)
            || source.is_some_and(|source| source.ancestors().any(|node| node == state))
    };
    let document = invoke.document().descendants().filter(|node| node.tag_name().name() == "transition");
    let taken: Vec<&str> = document
        .filter(listens)
        .flat_map(|transition| transition.attribute("event").unwrap_or_default().split_ascii_whitespace())
        .map(|descriptor| descriptor.trim_end_matches(".*").trim_end_matches('.'))
        .collect();
    let is_failure = |descriptor: &&str| {
        let is_under =
            |error| descriptor.strip_prefix(error).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        ["error.communication", "error.execution"].into_iter().any(is_under)
    };
    let mut found: Vec<&str> = taken.iter().copied().filter(is_failure).collect();
    found.sort_unstable();
    found.dedup();
    if found.is_empty() && taken.contains(&"error") {
        found.push("error.communication");
    }
    found
}

/// A duration, such as `10ms` or `.5s`, in milliseconds.
pub fn duration(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, factor) = match text.strip_suffix("ms") {
        Some(number) => (number, 1.0),
        None => text.strip_suffix('s').map_or((text, 1.0), |number| (number, 1000.0)),
    };
    let number: f64 = number.trim().parse().ok()?;
    whole((number * factor).round()).and_then(|number| u64::try_from(number).ok())
}
