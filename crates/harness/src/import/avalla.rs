//! Import of Avalla scenarios: `set`, `check` and `step`.

use super::Reader;
use super::raw::{RawState, RawTest};

impl Reader<'_> {
    pub(super) fn avalla(&mut self) -> Vec<RawTest> {
        let text = self.file.text.clone();
        let mut test = RawTest { place: self.span(0, 1), is_scenario: true, ..RawTest::default() };
        test.states.push(RawState { place: self.span(0, 1), values: Vec::new() });
        test.notes.push(String::new());
        let (mut at, mut seen_scenario) = (0, false);
        while at < text.len() {
            let rest = &text[at..];
            let from = at + (rest.len() - rest.trim_start().len());
            let rest = &text[from..];
            if rest.is_empty() {
                break;
            }
            if let Some(comment) = rest.strip_prefix("//") {
                let line = comment.lines().next().unwrap_or_default();
                at = from + 2 + line.len();
                self.avalla_comment(line.trim(), &mut test, seen_scenario, from);
                continue;
            }
            if rest.starts_with("/*") {
                at = rest.find("*/").map_or(text.len(), |end| from + end + 2);
                continue;
            }
            let keyword: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
            let line = rest.lines().next().unwrap_or_default();
            let place = self.span(from, from + line.trim_end().len());
            match keyword.as_str() {
                "scenario" | "load" => {
                    at = from + line.len();
                    if keyword == "scenario" {
                        seen_scenario = true;
                        if test.name.is_empty() {
                            (test.name, test.place) = (line["scenario".len()..].trim().into(), place);
                        }
                    }
                }
                "step" if !line["step".len()..].trim_start().starts_with("until") => {
                    at = from + "step".len();
                    at += usize::from(text[at..].starts_with(';'));
                    test.states.push(RawState { place, values: Vec::new() });
                    test.notes.push(String::new());
                }
                "set" | "check" => {
                    let Some(end) = rest.find(';') else {
                        self.wrong(place, format!("`{keyword}` without `;`"));
                        break;
                    };
                    at = from + end + 1;
                    let inner = &rest[keyword.len()..end];
                    let place = self.span(from, from + end);
                    let sign = if keyword == "set" { ":=" } else { "=" };
                    let parts: Vec<&str> = if keyword == "set" { vec![inner] } else { inner.split(" and ").collect() };
                    for part in parts {
                        let Some((name, value)) = part.split_once(sign).filter(|(name, _)| is_location(name)) else {
                            self.wrong(place, format!("only `{keyword} location {sign} value;` is supported"));
                            continue;
                        };
                        let value = value.trim();
                        let Some(state) = test.states.last_mut() else { continue };
                        let name = name.trim();
                        match (keyword.as_str(), state.given_by_environment(name).map(str::to_owned)) {
                            ("set", _) => state.set_by_environment(name, value, place),
                            // A check of the value that was just set.
                            (_, Some(given)) if given == value => {}
                            (_, Some(given)) => {
                                let message = format!("`{name}` is checked to be {value}, but was set to {given}");
                                self.wrong(place, message);
                            }
                            (_, None) => state.set(name, value, place),
                        }
                    }
                }
                _ => {
                    self.wrong(place, "this is not supported in a scenario: only `set`, `check` and `step` are");
                    at = from + line.len();
                }
            }
        }
        vec![test]
    }

    /// A comment written by the export: about a test, or the note of a state.
    fn avalla_comment(&mut self, words: &str, test: &mut RawTest, seen_scenario: bool, from: usize) {
        if seen_scenario {
            if let (Some(note), Some(state)) = (test.notes.last_mut(), test.states.last())
                && note.is_empty()
                && state.values.is_empty()
            {
                words.clone_into(note);
            }
        } else if let Some(name) = words.strip_prefix("test ") {
            (test.name, test.place) = (name.into(), self.span(from, from + 2));
        } else if words == "expect reject" {
            test.rejected = true;
        } else if let Some(start) = words.strip_prefix("loop ") {
            test.loop_start = start.parse().ok();
        }
    }
}

/// Whether this is a location rather than an expression.
fn is_location(name: &str) -> bool {
    let name = name.trim();
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || matches!(c, '!' | '<' | '>' | '+' | '*'))
}
