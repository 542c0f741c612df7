//! Import of NuSMV's `counter-example` documents.

use super::Reader;
use super::nusmv_text::finish;
use super::raw::{RawState, RawTest};
use super::xml::{Event, events};

impl Reader<'_> {
    pub(super) fn nusmv_xml(&mut self) -> Vec<RawTest> {
        let events = match events(&self.file.text) {
            Ok(events) => events,
            Err((message, at)) => {
                self.wrong(self.span(at, (at + 1).min(self.file.text.len()).max(at)), message);
                return Vec::new();
            }
        };
        let (mut tests, mut draft): (Vec<RawTest>, Option<Draft>) = (Vec::new(), None);
        let mut section = Section::None;
        let mut variable: Option<String> = None;
        for (event, at) in &events {
            let place = self.span(at.start, at.end);
            match event {
                Event::Start(name, attributes) => {
                    let attribute = |wanted: &str| {
                        attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
                    };
                    match name.as_str() {
                        "counter-example" => {
                            let description = attribute("desc").unwrap_or_default();
                            let (rejected, name) = match description.strip_prefix("rejected test ") {
                                Some(name) => (true, name),
                                None => (false, description.strip_prefix("test ").unwrap_or_default()),
                            };
                            let raw = RawTest { name: name.into(), place, rejected, ..RawTest::default() };
                            draft = Some(Draft { raw, inputs: Vec::new(), loops: Vec::new() });
                        }
                        "state" | "input" => {
                            let id = attribute("id").and_then(|id| id.parse::<usize>().ok()).filter(|id| *id > 0);
                            match (id, &mut draft) {
                                (Some(id), Some(draft)) if name == "state" && id == draft.raw.states.len() + 1 => {
                                    draft.raw.states.push(RawState { place, values: Vec::new() });
                                    section = Section::State;
                                }
                                // The inputs that lead to a state belong to the state before.
                                (Some(id), Some(draft)) if name == "input" && (2..=1_000_000).contains(&id) => {
                                    if draft.inputs.len() < id - 1 {
                                        draft.inputs.resize(id - 1, None);
                                    }
                                    draft.inputs[id - 2] = Some(RawState { place, values: Vec::new() });
                                    section = Section::Input(id - 2);
                                }
                                _ => self.wrong(place, format!("a `{name}` that is out of order")),
                            }
                        }
                        "combinatorial" => section = Section::None,
                        "loops" => section = Section::Loops,
                        "value" => variable = attribute("variable").map(str::to_owned),
                        "node" => {}
                        other => self.wrong(place, format!("`{other}` does not belong into a trace")),
                    }
                }
                Event::Text(text) => {
                    let Some(draft) = &mut draft else { continue };
                    match (&section, &variable) {
                        (Section::State, Some(name)) => {
                            if let Some(state) = draft.raw.states.last_mut() {
                                state.set(name, text.trim(), place);
                            }
                        }
                        (Section::Input(index), Some(name)) => {
                            if let Some(Some(inputs)) = draft.inputs.get_mut(*index) {
                                inputs.set(name, text.trim(), place);
                            }
                        }
                        (Section::Loops, _) => {
                            let starts = text.split([',', ' ', '\n', '\t']).filter_map(|id| id.parse::<usize>().ok());
                            draft.loops.extend(starts.filter_map(|id| id.checked_sub(1)));
                        }
                        _ => {}
                    }
                }
                Event::End(name) => match name.as_str() {
                    "value" => variable = None,
                    "state" | "input" | "combinatorial" | "loops" => section = Section::None,
                    "counter-example" => {
                        if let Some(Draft { raw, mut inputs, loops }) = draft.take() {
                            inputs.resize(inputs.len().max(raw.states.len()), None);
                            tests.push(finish(raw, inputs, &loops));
                        }
                    }
                    _ => {}
                },
            }
        }
        if tests.is_empty() && self.diagnostics.is_empty() {
            self.wrong(self.span(0, 1), "expected a `counter-example`");
        }
        tests
    }
}

struct Draft {
    raw: RawTest,
    inputs: Vec<Option<RawState>>,
    loops: Vec<usize>,
}

enum Section {
    None,
    State,
    Input(usize),
    Loops,
}
