//! Import of value change dumps: a state at every time stamp, or at the rising edges of a clock.

use super::Reader;
use super::raw::{RawState, RawTest};
use specwright_syntax::span::Span;
use std::collections::BTreeMap;

impl Reader<'_> {
    pub(super) fn vcd(&mut self) -> Vec<RawTest> {
        let text = self.file.text.clone();
        let mut words = Words { text: &text, at: 0 };
        let mut test = RawTest { place: self.span(0, 1), ..RawTest::default() };
        let mut scopes: Vec<String> = Vec::new();
        // For each code, its names and, if it is a signed number, its width.
        let mut vars: BTreeMap<String, Vec<(String, Option<usize>)>> = BTreeMap::new();
        let (mut now, mut clock, mut rose, mut begun) = (RawState::default(), String::new(), false, false);
        while let Some((word, from)) = words.next() {
            let place = self.span(from, from + word.len());
            match word {
                "$comment" | "$date" | "$version" | "$timescale" | "$scope" | "$var" | "$upscope"
                | "$enddefinitions" => {
                    let Some(inner) = words.until_end() else {
                        self.wrong(place, format!("`{word}` without `$end`"));
                        return Vec::new();
                    };
                    match word {
                        "$comment" => comment(inner, place, &mut test),
                        "$scope" => scopes.push(inner.split_whitespace().nth(1).unwrap_or_default().into()),
                        "$upscope" => drop(scopes.pop()),
                        "$var" => {
                            let parts: Vec<&str> = inner.split_whitespace().collect();
                            let [kind, width, code, name, ..] = parts[..] else {
                                self.wrong(place, "expected `$var KIND WIDTH CODE NAME $end`");
                                continue;
                            };
                            let signed = (kind == "integer").then(|| width.parse().unwrap_or(64));
                            let full = self.full_name(&scopes, name);
                            vars.entry(code.into()).or_default().push((full, signed));
                        }
                        _ => {}
                    }
                }
                "$dumpvars" | "$dumpall" | "$dumpon" | "$dumpoff" | "$end" => {}
                _ if word.starts_with('#') => {
                    let sampled = if self.mapping.clock.is_some() { std::mem::take(&mut rose) } else { begun };
                    if sampled {
                        test.states.push(RawState { place: now.place, ..now.clone() });
                    }
                    (begun, now.place) = (true, place);
                }
                _ => {
                    let Some((value, code, is_string)) = change(word, &mut words) else {
                        self.wrong(place, "expected the change of a value");
                        return Vec::new();
                    };
                    for (name, signed) in vars.get(code).into_iter().flatten() {
                        if Some(name) == self.mapping.clock.as_ref() {
                            rose |= value == "1" && clock == "0";
                            value.clone_into(&mut clock);
                        } else {
                            record(&mut now, name, value, is_string, *signed, place);
                        }
                    }
                }
            }
        }
        if self.mapping.clock.is_some() && rose {
            test.states.push(now);
        }
        vec![test]
    }

    /// A name with its scopes, except for the outermost one; or as the mapping has it.
    fn full_name(&self, scopes: &[String], name: &str) -> String {
        let inner = scopes.iter().skip(1).map(String::as_str).chain([name]).collect::<Vec<_>>().join(".");
        let outer = scopes.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join(".");
        let known = |name: &String| self.mapping.variable(name) != Some(name.as_str());
        if known(&outer) { outer } else { inner }
    }
}

/// A comment written by the export.
fn comment(words: &str, place: Span, test: &mut RawTest) {
    let words = words.trim();
    if let Some(name) = words.strip_prefix("test ") {
        (test.name, test.place) = (name.into(), place);
    } else if words == "expect reject" {
        test.rejected = true;
    } else if let Some(start) = words.strip_prefix("loop ") {
        test.loop_start = start.parse().ok();
    }
}

struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<(&'a str, usize)> {
        let rest = &self.text[self.at..];
        let start = self.at + (rest.len() - rest.trim_start().len());
        let rest = &self.text[start..];
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at = start + length;
        (length > 0).then(|| (&self.text[start..self.at], start))
    }

    fn until_end(&mut self) -> Option<&'a str> {
        let from = self.at;
        let length = self.text[from..].find("$end").filter(|_| from < self.text.len())?;
        self.at = from + length + "$end".len();
        Some(&self.text[from..from + length])
    }
}

/// A value, the code of its signal, and whether it is a string.
fn change<'a>(word: &'a str, words: &mut Words<'a>) -> Option<(&'a str, &'a str, bool)> {
    let (first, rest) = word.split_at(word.chars().next()?.len_utf8());
    match first {
        "0" | "1" | "x" | "X" | "z" | "Z" if !rest.is_empty() => Some((first, rest, false)),
        "b" | "B" => Some((rest, words.next()?.0, false)),
        "s" | "S" => Some((rest, words.next()?.0, true)),
        _ => None,
    }
}

/// Records a value. An unknown one is skipped; a signed number is converted according to its width.
fn record(state: &mut RawState, name: &str, value: &str, is_string: bool, signed: Option<usize>, place: Span) {
    if is_string {
        state.set(name, value, place);
    } else if !value.chars().all(|c| matches!(c, '0' | '1')) {
        state.set(name, "?", place);
    } else if let (Some(width), Ok(bits)) = (signed, u64::from_str_radix(value, 2)) {
        let negative = value.len() == width && width <= 64 && value.starts_with('1');
        let number = i128::from(bits) - if negative { 1i128 << width } else { 0 };
        state.set(name, &number.to_string(), place);
    } else {
        state.set_bits(name, value, place);
    }
}
