//! Import of NuSMV's text format: after the first state only changes, inputs before the state that they lead to, and
//! the first state of a loop again at the end.

use super::Reader;
use super::raw::{RawState, RawTest};
use specwright_syntax::escape::split_outside_quotes;

/// The kind of the values that follow.
#[derive(PartialEq, Eq)]
enum Block {
    Nothing,
    State,
    Input,
}

/// Whether a text has a trace as NuSMV prints it, and is no JSON.
pub(super) fn is_nusmv(text: &str) -> bool {
    !text.starts_with('{') && text.lines().any(|line| line.trim_start().starts_with("-> State:"))
}

impl Reader<'_> {
    pub(super) fn nusmv_text(&mut self) -> Vec<RawTest> {
        let mut tests: Vec<Draft> = Vec::new();
        let (mut block, mut number, mut described, mut loop_next) = (Block::Nothing, String::new(), None, false);
        let text = self.file.text.clone();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let (start, words) = (at, line.trim());
            at += line.len();
            let from = start + (line.len() - line.trim_start().len());
            let place = self.span(from, from + words.len());
            if let Some(description) = words.strip_prefix("Trace Description:") {
                described = Some((description.trim().to_owned(), place));
                (block, loop_next) = (Block::Nothing, false);
            } else if words.starts_with("-- Loop starts here") {
                loop_next = true;
            } else if let Some((is_state, id)) = heading(words) {
                let (trace, _) = id.split_once('.').unwrap_or((id, ""));
                if is_state && (tests.is_empty() || trace != number || described.is_some()) {
                    let (name, place) = described.take().unwrap_or((String::new(), place));
                    tests.push(Draft::new(&name, place));
                    trace.clone_into(&mut number);
                }
                let Some(test) = tests.last_mut() else {
                    self.wrong(place, "inputs come after the initial state");
                    continue;
                };
                if is_state {
                    let mut state = test.raw.states.last().cloned().unwrap_or_default();
                    state.place = place;
                    if std::mem::take(&mut loop_next) {
                        test.loops.push(test.raw.states.len());
                    }
                    test.raw.states.push(state);
                    test.inputs.push(None);
                    block = Block::State;
                } else {
                    let carried = test.inputs.iter().rev().flatten().next().cloned().unwrap_or_default();
                    if let Some(inputs) = test.inputs.last_mut() {
                        *inputs = Some(carried);
                    }
                    block = Block::Input;
                }
            } else if words.is_empty() || block == Block::Nothing || is_noise(words) {
                // Other output of the tool is ignored.
            } else if let Some((name, value)) = split_outside_quotes(words, " = ") {
                let Some(test) = tests.last_mut() else { continue };
                let state = match block {
                    Block::Input => test.inputs.last_mut().and_then(Option::as_mut),
                    _ => test.raw.states.last_mut(),
                };
                if let Some(state) = state {
                    state.set(name.trim(), value.trim(), place);
                }
            } else {
                self.wrong(place, "expected `variable = value`");
            }
        }
        tests.into_iter().map(Draft::finish).collect()
    }
}

/// A trace under construction; inputs are kept apart as long as more states may follow.
struct Draft {
    raw: RawTest,
    /// For each state, the inputs of the step from it.
    inputs: Vec<Option<RawState>>,
    /// The possible loop starts.
    loops: Vec<usize>,
}

impl Draft {
    fn new(description: &str, place: specwright_syntax::span::Span) -> Draft {
        let (rejected, name) = described(description);
        let raw = RawTest { name: name.into(), place, rejected, ..RawTest::default() };
        Draft { raw, inputs: Vec::new(), loops: Vec::new() }
    }

    fn finish(self) -> RawTest {
        finish(self.raw, self.inputs, &self.loops)
    }
}

/// Whether the description of a trace says that the test is to be rejected, and the name that it gives. The words of NuSMV
/// itself are no names. The space before a name is escaped if the name is made of spaces.
pub(super) fn described(description: &str) -> (bool, &str) {
    let after = |words: &str| {
        let rest = description.strip_prefix(words)?;
        rest.strip_prefix(' ').or_else(|| rest.strip_prefix(r"\u{20}"))
    };
    match after("rejected test") {
        Some(name) => (true, name),
        None => (false, after("test").unwrap_or_default()),
    }
}

/// Closes the loop, and moves the inputs to their states.
pub(super) fn finish(mut raw: RawTest, mut inputs: Vec<Option<RawState>>, loops: &[usize]) -> RawTest {
    let n = raw.states.len();
    let closes = |start: &&usize| **start + 1 < n && raw.states[**start].has_same_values(&raw.states[n - 1]);
    if let Some(start) = loops.iter().find(closes) {
        raw.loop_start = Some(*start);
        raw.states.pop();
        inputs.truncate(n - 1);
    }
    for (state, inputs) in raw.states.iter_mut().zip(inputs) {
        for value in inputs.into_iter().flat_map(|inputs| inputs.values) {
            state.set(&value.name, &value.text, value.place);
        }
    }
    raw
}

/// The number of a state, or of the inputs that lead to it, such as the `1.2` of `-> State: 1.2 <-`.
fn heading(line: &str) -> Option<(bool, &str)> {
    let inner = line.strip_prefix("->")?.strip_suffix("<-")?.trim();
    let state = inner.strip_prefix("State:").map(|id| (true, id.trim()));
    state.or_else(|| inner.strip_prefix("Input:").map(|id| (false, id.trim())))
}

fn is_noise(line: &str) -> bool {
    ["--", "***", "Trace Type:", "WARNING", "NuSMV >", "nuXmv >", "#"].iter().any(|start| line.starts_with(start))
}
