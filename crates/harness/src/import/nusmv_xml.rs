//! Import of NuSMV's `counter-example` documents.

use super::Reader;
use super::nusmv_text::{described, finish};
use super::raw::{RawState, RawTest};
use roxmltree::{Document, Error, Node, ParsingOptions};
use specwright_syntax::span::Span;

impl Reader<'_> {
    pub(super) fn nusmv_xml(&mut self) -> Vec<RawTest> {
        let text = self.file.text.clone();
        let mut tests = Vec::new();
        for (start, document) in documents(&text) {
            // Definitions of entities could make a short document long, and NuSMV writes none.
            let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
            match Document::parse_with_options(document, options) {
                Ok(parsed) => tests.extend(self.counterexample(parsed.root_element(), start)),
                Err(error) => {
                    let at = start + offset(document, &error);
                    self.wrong(self.span(at, text.len().min(at + 1)), message(&error));
                }
            }
        }
        if tests.is_empty() && self.diagnostics.is_empty() {
            self.wrong(self.span(0, 1), "expected a `counter-example`");
        }
        tests
    }

    /// The test of a document that begins at a byte of the file.
    fn counterexample(&mut self, root: Node, start: usize) -> Option<RawTest> {
        let place = |node: Node| (start + node.range().start, start + node.range().end);
        let span = |reader: &Self, node| reader.span(place(node).0, place(node).1);
        let does_not_belong = |node: Node| format!("`{}` does not belong in a trace", node.tag_name().name());
        if !root.has_tag_name("counter-example") {
            self.wrong(span(self, root), does_not_belong(root));
            return None;
        }
        let description = root.attribute("desc").unwrap_or_default();
        let (rejected, name) = described(description);
        let mut raw = RawTest { name: name.into(), place: span(self, root), rejected, ..RawTest::default() };
        let (mut inputs, mut loops): (Vec<Option<RawState>>, Vec<usize>) = (Vec::new(), Vec::new());
        for node in root.descendants().skip(1).filter(Node::is_element) {
            let id = node.attribute("id").and_then(|id| id.parse::<usize>().ok()).filter(|id| *id > 0);
            match (node.tag_name().name(), id) {
                ("state", Some(id)) if id == raw.states.len() + 1 => raw.states.push(self.values(node, start)),
                // The inputs that lead to a state are those of the one before.
                ("input", Some(id)) if (2..=1_000_000).contains(&id) => {
                    if inputs.len() < id - 1 {
                        inputs.resize(id - 1, None);
                    }
                    inputs[id - 2] = Some(self.values(node, start));
                }
                (name @ ("state" | "input"), _) => {
                    self.wrong(span(self, node), format!("a `{name}` that is out of order"));
                }
                ("loops", _) => {
                    let starts = node.text().unwrap_or_default().split([',', ' ', '\n', '\t']);
                    loops.extend(starts.filter_map(|id| id.parse::<usize>().ok()?.checked_sub(1)));
                }
                ("combinatorial" | "value" | "node", _) => {}
                _ => self.wrong(span(self, node), does_not_belong(node)),
            }
        }
        inputs.resize(inputs.len().max(raw.states.len()), None);
        Some(finish(raw, inputs, &loops))
    }

    /// The values of a state, or of the inputs of a step.
    fn values(&self, node: Node, start: usize) -> RawState {
        let span = |node: Node| self.span(start + node.range().start, start + node.range().end);
        let mut state = RawState { place: span(node), ..RawState::default() };
        for value in node.children().filter(|child| child.has_tag_name("value")) {
            let Some(name) = value.attribute("variable") else { continue };
            let Some(text) = value.children().find(Node::is_text) else { continue };
            let word = text.text().unwrap_or_default().trim();
            if !word.is_empty() {
                state.set(name, word, trimmed(span(text), &value.document().input_text()[text.range()]));
            }
        }
        state
    }
}

/// The documents of a file with their places: NuSMV writes one after the other.
fn documents(text: &str) -> Vec<(usize, &str)> {
    const END: &str = "</counter-example>";
    let mut documents = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches('\u{feff}').trim_start();
        let start = text.len() - rest.len();
        let end = rest.find(END).map(|at| at + END.len());
        let Some(end) = end.filter(|end| rest[*end..].contains("<counter-example")) else {
            documents.push((start, rest));
            return documents;
        };
        documents.push((start, &rest[..end]));
        rest = &rest[end..];
    }
}

/// The place of a text without the white space around it.
fn trimmed(place: Span, text: &str) -> Span {
    let start = place.start + (text.len() - text.trim_start().len()) as u32;
    Span::new(start, start + text.trim().len() as u32)
}

/// The byte at which a document is wrong.
fn offset(document: &str, error: &Error) -> usize {
    if matches!(error, Error::UnclosedRootNode | Error::UnexpectedEndOfStream) {
        return document.char_indices().next_back().map_or(0, |(at, _)| at);
    }
    let place = error.pos();
    let lines_before = document.split_inclusive('\n').take(place.row.saturating_sub(1) as usize);
    let line: usize = lines_before.map(str::len).sum();
    let column = document[line..].char_indices().nth(place.col.saturating_sub(1) as usize);
    line + column.map_or(0, |(at, _)| at)
}

/// What is wrong, without the place, which is shown otherwise.
fn message(error: &Error) -> String {
    format!("not well-formed XML: {}", error.to_string().replace(&format!(" at {}", error.pos()), ""))
}
