//! Import of the Informal Trace Format of Apalache and Quint, and of our own traces in JSON.

use super::Reader;
use super::raw::{RawState, RawTest};
use specwright_testgen::suite::tree::{Node, Tree, parse};

/// Whether a text is JSON with states, and not one of our suites.
pub(super) fn is_itf(text: &str) -> bool {
    text.starts_with('{') && text.contains("\"states\"") && !text.contains("\"tests\"")
}

impl Reader<'_> {
    pub(super) fn itf(&mut self) -> Vec<RawTest> {
        let tree = match parse(&self.file.text, self.file.start) {
            Ok(tree) => tree,
            Err(error) => {
                self.wrong(error.span, format!("the document is not JSON: {}", error.message));
                return Vec::new();
            }
        };
        let meta = |name: &str| tree.get("#meta").and_then(|meta| meta.get(name));
        let words = |name: &str| {
            let list = meta(name).and_then(Tree::list).unwrap_or_default();
            list.iter().filter_map(Tree::text).map(str::to_owned).collect::<Vec<_>>()
        };
        let text = |name: &str| meta(name).and_then(Tree::text).map(str::to_owned);
        let place = meta("test").map_or(self.span(0, 1), |name| name.span);
        let mut test = RawTest {
            name: text("test").unwrap_or_default(),
            place,
            rejected: text("expect").as_deref() == Some("reject"),
            goals: words("goals"),
            notes: words("notes"),
            departure: meta("departure").and_then(Tree::count),
            model_hash: text("model_hash"),
            model: text("test").and_then(|_| text("source")),
            ..RawTest::default()
        };
        let Some(states) = tree.get("states").and_then(Tree::list) else {
            self.wrong(tree.span, "expected a trace with `states`");
            return Vec::new();
        };
        for tree in states {
            let mut state = RawState { place: tree.span, ..RawState::default() };
            match &tree.node {
                Node::Object(members) => {
                    for (name, _, value) in members.iter().filter(|(name, ..)| name != "#meta") {
                        // Values of ignored variables may have any type.
                        if self.mapping.variable(name).is_some() {
                            self.itf_value(&mut state, name, value);
                        }
                    }
                }
                _ => self.wrong(tree.span, format!("expected a state, found {}", tree.kind())),
            }
            test.states.push(state);
        }
        if let Some(back) = tree.get("loop").filter(|back| back.node != Node::Null) {
            match back.count() {
                Some(start) => test.loop_start = Some(start),
                None => self.wrong(back.span, "expected the number of a state"),
            }
        }
        vec![test]
    }

    /// A value, or the values of the fields of a record.
    fn itf_value(&mut self, state: &mut RawState, name: &str, value: &Tree) {
        match &value.node {
            Node::Null => {}
            Node::Bool(truth) => state.set(name, &truth.to_string().to_uppercase(), value.span),
            Node::Int(number) => state.set(name, &number.to_string(), value.span),
            Node::Text(text) => state.set(name, text, value.span),
            Node::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.itf_value(state, &format!("{name}[{index}]"), item);
                }
            }
            Node::Object(members) => match &members[..] {
                [(tag, _, number)] if tag == "#bigint" && number.text().is_some() => {
                    state.set(name, number.text().unwrap_or_default(), value.span);
                }
                [(tag, span, _), ..] if tag.starts_with('#') => {
                    self.wrong(*span, format!("`{name}`: values with `{tag}` are not supported"));
                }
                members => {
                    for (part, _, value) in members {
                        self.itf_value(state, &format!("{name}.{part}"), value);
                    }
                }
            },
            Node::Number(_) => self.wrong(value.span, format!("`{name}` cannot be {}", value.kind())),
        }
    }
}
