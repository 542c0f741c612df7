//! Import of Avalla scenarios: `set`, `check`, `pick`, `exec`, `invariant`, blocks, `step` and `step until`.

use super::Reader;
use super::raw::{EXECUTE, RawState, RawTest};
use specwright_syntax::span::{SourceFile, Span};
use std::path::Path;

/// What is known of a scenario so far.
#[derive(Default)]
struct Scenario {
    test: RawTest,
    /// Whether its name was read.
    is_named: bool,
    invariants: Vec<(String, Span)>,
    /// Number of blocks of other files around the current place.
    depth: usize,
}

/// Maximal number of blocks of other files inside of each other.
const MAX_DEPTH: usize = 20;

impl Reader<'_> {
    pub(super) fn avalla(&mut self) -> Vec<RawTest> {
        let place = self.span(0, 1);
        let test = RawTest { place, is_scenario: true, ..RawTest::default() };
        let mut scenario = Scenario { test, ..Scenario::default() };
        scenario.test.states.push(RawState { place, ..RawState::default() });
        scenario.test.notes.push(String::new());
        self.avalla_commands(0, false, &mut scenario);
        let Scenario { mut test, invariants, .. } = scenario;
        for (condition, place) in invariants {
            for state in &mut test.states {
                if !self.avalla_invariant(&condition, state, place) {
                    state.conditions.push((condition.clone(), place));
                }
            }
        }
        vec![test]
    }

    /// Reads commands from a place of the file on: to its end, or to that of the block that starts there.
    fn avalla_commands(&mut self, start: usize, is_block: bool, scenario: &mut Scenario) {
        let text = self.file.text.clone();
        let mut at = start;
        let mut blocks = Blocks::default();
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
                self.avalla_comment(line.trim(), scenario, from);
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
                        scenario.is_named = true;
                        let test = &mut scenario.test;
                        if test.name.is_empty() {
                            (test.name, test.place) = (line["scenario".len()..].trim().into(), place);
                        }
                    }
                }
                "step" if !line["step".len()..].trim_start().starts_with("until") => {
                    at = from + "step".len();
                    at += usize::from(text[at..].starts_with(';'));
                    scenario.test.states.push(RawState { place, ..RawState::default() });
                    scenario.test.notes.push(String::new());
                }
                "step" => {
                    let Some(end) = rest.find(';') else {
                        self.wrong(place, "`step until` without `;`");
                        break;
                    };
                    at = from + end + 1;
                    let condition = rest["step".len()..end].trim_start().trim_start_matches("until").trim();
                    let place = self.span(from, from + end);
                    let until = Some((without_natural_marks(condition), place));
                    scenario.test.states.push(RawState { place, until, ..RawState::default() });
                    scenario.test.notes.push(String::new());
                }
                "exec" => {
                    let Some(end) = rest.find(';') else {
                        self.wrong(place, "`exec` without `;`");
                        break;
                    };
                    at = from + end + 1;
                    let rule = without_comments(&rest[keyword.len()..end]);
                    let Some(state) = scenario.test.states.last_mut() else { continue };
                    let rule = match state.get(EXECUTE) {
                        Some(first) => format!("seq {first} {rule} endseq"),
                        None => rule,
                    };
                    let place = self.span(from, from + end);
                    state.set(EXECUTE, &rule, place);
                }
                "begin" if !line["begin".len()..].trim_start().starts_with(":=") => at = blocks.begin(&text, from),
                "end" if !line["end".len()..].trim_start().starts_with(":=") => {
                    if is_block && blocks.is_outermost() {
                        return;
                    }
                    at = blocks.end(&text, from);
                }
                "execblock" if line.contains(';') => {
                    let end = from + line.find(';').unwrap_or(0) + 1;
                    let name = line["execblock".len()..].split(';').next().unwrap_or_default().trim();
                    if let Some((file, block)) = name.split_once(':') {
                        at = end;
                        self.avalla_block_of(file.trim(), block.trim(), place, scenario);
                        continue;
                    }
                    at = blocks.execute(name, end).unwrap_or_else(|message| {
                        self.wrong(place, message);
                        end
                    });
                }
                "set" | "check" | "pick" | "invariant" => {
                    let Some(end) = rest.find(';') else {
                        self.wrong(place, format!("`{keyword}` without `;`"));
                        break;
                    };
                    at = from + end + 1;
                    let inner = without_natural_marks(&rest[keyword.len()..end]);
                    let place = self.span(from, from + end);
                    let Some(state) = scenario.test.states.last_mut() else { continue };
                    match keyword.as_str() {
                        "check" => self.avalla_check(&inner, state, place),
                        "invariant" => {
                            // `name : condition`, or `name over f, g : condition`
                            let condition = inner.split_once(':').map_or(inner.as_str(), |(_, condition)| condition);
                            scenario.invariants.push((condition.to_owned(), place));
                        }
                        _ => match inner.split_once(":=").filter(|(name, _)| keyword == "pick" || is_location(name)) {
                            Some((name, value)) if keyword == "pick" => {
                                let name = format!("pick {}", name.split_whitespace().collect::<Vec<_>>().join(" "));
                                state.set(&name, value.trim(), place);
                            }
                            Some((name, value)) => state.set_by_environment(&spaceless(name), value.trim(), place),
                            None => self.wrong(place, format!("only `{keyword} location := value;` is supported")),
                        },
                    }
                }
                _ => {
                    self.wrong(
                        place,
                        "this is not a command of a scenario: the commands are `set`, `check`, `pick`, `exec`, `invariant`, `execblock`, `step` and `step until`",
                    );
                    at = from + line.len();
                }
            }
        }
    }

    /// Executes a block of another scenario.
    fn avalla_block_of(&mut self, scenario_name: &str, block: &str, place: Span, scenario: &mut Scenario) {
        let (file, others) = (self.file, self.others);
        let is_meant = |other: &&SourceFile| {
            let stem = Path::new(&other.name).file_stem().and_then(|stem| stem.to_str());
            stem.is_some_and(|stem| scenario_name.rsplit('/').next() == Some(stem))
        };
        let Some(other) = others.iter().find(is_meant) else {
            self.wrong(place, format!("there is no scenario `{scenario_name}` beside this one"));
            return;
        };
        let Some(start) = find_block(&other.text, block) else {
            self.wrong(place, format!("there is no block `{block}` in {}", other.name));
            return;
        };
        if scenario.depth == MAX_DEPTH {
            self.wrong(place, format!("blocks of other scenarios are nested more than {MAX_DEPTH} levels deep"));
            return;
        }
        scenario.depth += 1;
        self.file = other;
        self.avalla_commands(start, true, scenario);
        self.file = file;
        scenario.depth -= 1;
    }

    /// An invariant in one state: what it says of locations that are not checked there. False if it cannot be compared.
    fn avalla_invariant(&mut self, text: &str, state: &mut RawState, place: Span) -> bool {
        let parts: Option<Vec<(String, String)>> = conjuncts(text).into_iter().map(equation).collect();
        let Some(parts) = parts else { return false };
        for (name, value) in parts {
            match state.get(&name).map(str::to_owned) {
                None => state.set(&name, &value, place),
                Some(known) if known == value => {}
                Some(known) => {
                    self.wrong(place, format!("`{name}` is always {value}, but is {known} in a state of the scenario"));
                }
            }
        }
        true
    }

    /// A check: equations between locations and values, and locations that hold or do not.
    fn avalla_check(&mut self, text: &str, state: &mut RawState, place: Span) {
        for part in plain_equations(text).unwrap_or_else(|| conjuncts(text).into_iter().map(equation).collect()) {
            let Some((name, value)) = part else {
                state.conditions.push((text.trim().to_owned(), place));
                break;
            };
            match state.given_by_environment(&name).map(str::to_owned) {
                // A check of the value that was just set.
                Some(given) if given == value => {}
                Some(given) => {
                    let message = format!("`{name}` is checked to be {value}, but was set to {given}");
                    self.wrong(place, message);
                }
                None => state.set(&name, &value, place),
            }
        }
    }

    /// A comment written by the export: about a test, or the note of a state.
    fn avalla_comment(&mut self, words: &str, scenario: &mut Scenario, from: usize) {
        let test = &mut scenario.test;
        if scenario.is_named {
            let place = self.span(from, from + 2 + words.len());
            if let (Some((name, value)), Some(state)) = (choice_of(words), test.states.last_mut()) {
                state.set(&name, value, place);
                return;
            }
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

/// What a comment such as `choice 1 of 3 for $x in r_rule: value` says of one of several choices of a variable.
fn choice_of(words: &str) -> Option<(String, &str)> {
    let (number, rest) = words.strip_prefix("choice ")?.split_once(" of ")?;
    let (place, value) = rest.split_once(" for ")?.1.split_once(": ")?;
    let number: usize = number.parse().ok()?;
    Some((format!("pick {place}#{number}"), value))
}

/// A text in one line, without comments.
fn without_comments(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some(start) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        plain.push_str(&rest[..start]);
        let (end, length) = if rest[start..].starts_with("//") { ("\n", 1) } else { ("*/", 2) };
        rest = rest[start..].find(end).map_or("", |end| &rest[start + end + length..]);
        plain.push(' ');
    }
    plain.push_str(rest);
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Maximal number of blocks that a scenario executes.
const MAX_CALLS: usize = 10_000;

/// The blocks of a scenario.
#[derive(Default)]
struct Blocks<'t> {
    /// The blocks that are complete: name, and place after the name.
    known: Vec<(&'t str, usize)>,
    /// The blocks around the current place.
    open: Vec<(&'t str, usize)>,
    /// The blocks that are being executed: how many blocks are open around each, and where to go on after it.
    calls: Vec<(usize, usize)>,
    n_calls: usize,
}

impl<'t> Blocks<'t> {
    /// `begin NAME`: where to go on.
    fn begin(&mut self, text: &'t str, from: usize) -> usize {
        let rest = &text[from + "begin".len()..];
        let start = text.len() - rest.trim_start().len();
        let length = text[start..].find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len() - start);
        let name = &text[start..start + length];
        let is_word =
            ["set", "check", "pick", "step", "exec", "execblock", "begin", "end", "invariant"].contains(&name);
        let (name, at) = if is_word { ("", from + "begin".len()) } else { (name, start + length) };
        let at = at + usize::from(text[at..].starts_with(';'));
        self.open.push((name, at));
        at
    }

    /// `end`: where to go on.
    fn end(&mut self, text: &str, from: usize) -> usize {
        let closed = self.open.pop();
        if let Some((depth, back)) = self.calls.last().copied()
            && self.open.len() <= depth
        {
            self.calls.pop();
            return back;
        }
        self.known.extend(closed.filter(|(name, _)| !name.is_empty()));
        let at = from + "end".len();
        at + usize::from(text[at..].starts_with(';'))
    }

    /// Whether no block of this text is open.
    fn is_outermost(&self) -> bool {
        self.open.is_empty()
    }

    /// `execblock NAME;`: where to go on, before what follows at `back`.
    fn execute(&mut self, name: &'t str, back: usize) -> Result<usize, String> {
        let Some((_, start)) = self.known.iter().find(|(known, _)| *known == name).copied() else {
            return Err(format!("no block `{name}` comes before this in the scenario"));
        };
        self.n_calls += 1;
        if self.n_calls > MAX_CALLS {
            return Err(format!("more than {MAX_CALLS} blocks are executed"));
        }
        self.calls.push((self.open.len(), back));
        self.open.push((name, start));
        Ok(start)
    }
}

/// The place after the name of a block.
fn find_block(text: &str, name: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text[at..].find("begin") {
        let begin = at + found;
        at = begin + "begin".len();
        let line = text[..begin].rfind('\n').map_or(0, |end| end + 1);
        let is_word = !text[..begin].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let rest = text[at..].trim_start();
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        if is_word && !text[line..begin].contains("//") && rest[..length] == *name {
            return Some(text.len() - rest.len() + length);
        }
    }
    None
}

/// Whether this is a location rather than an expression. Names of other languages have no spaces.
fn is_location(name: &str) -> bool {
    let name = name.trim();
    let is_spaced = name.contains(char::is_whitespace);
    !name.is_empty()
        && !name.contains(['!', '<', '>', '+', '*'])
        && (!is_spaced || (is_named(name) && !has_word(name, &["and", "or", "not", "implies"])))
}

/// Whether a text begins as a name does.
fn is_named(text: &str) -> bool {
    text.trim().starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn has_word(text: &str, words: &[&str]) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).any(|word| words.contains(&word))
}

/// The name of a location without spaces, except for those in quotes.
fn spaceless(name: &str) -> String {
    let name = name.trim();
    if !name.contains(char::is_whitespace) {
        return name.to_owned();
    }
    let mut in_quotes = false;
    name.chars()
        .filter(|c| {
            in_quotes ^= *c == '"';
            in_quotes || !c.is_whitespace()
        })
        .collect()
}

/// Equations with names without spaces, as the export writes them for names of any kind; none if there is something else.
fn plain_equations(text: &str) -> Option<Vec<Option<(String, String)>>> {
    let is_plain = |name: &str| {
        let name = name.trim();
        is_location(name) && !name.contains(char::is_whitespace) && !name.starts_with('(') && !name.starts_with("not(")
    };
    let is_value = |value: &str| value.trim().starts_with('"') || !has_word(value, &["or", "xor", "implies"]);
    let fits = |(name, value): &(&str, &str)| is_plain(name) && is_value(value);
    let parts = text.split(" and ").map(|part| part.split_once('=').filter(fits));
    let parts = parts.map(|part| part.map(|(name, value)| Some((name.trim().into(), value.trim().into()))));
    parts.collect()
}

/// The parts of a text between words at the outermost level of brackets and quotes.
fn conjuncts(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut in_quotes, mut start) = (Vec::new(), 0i32, false, 0);
    for (at, c) in text.char_indices() {
        in_quotes ^= c == '"';
        match c {
            _ if in_quotes => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            c if depth == 0 && c.is_whitespace() && text[at..].trim_start().starts_with("and") => {
                let word = at + (text[at..].len() - text[at..].trim_start().len());
                let ends = |c: char| c.is_whitespace() || c == '(';
                if word >= start && text[word + 3..].starts_with(ends) {
                    parts.push(&text[start..at]);
                    start = word + 3;
                }
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.into_iter().map(str::trim).collect()
}

/// The inside of brackets around the whole text.
fn unbracketed(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        let mut depth = 0i32;
        let is_whole = inner.chars().all(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth >= 0
        });
        if !is_whole || inner.contains(',') {
            break;
        }
        text = inner.trim();
    }
    text
}

/// The location and the value of an equation; of a condition that is a location alone, or its negation.
fn equation(text: &str) -> Option<(String, String)> {
    let text = unbracketed(text);
    if let Some(inner) =
        text.strip_prefix("isEmpty(").and_then(|text| text.strip_suffix(')')).filter(|name| is_location(name))
    {
        return Some((spaceless(inner), "[]".into()));
    }
    if let Some(inner) = text.strip_prefix("not").filter(|rest| rest.starts_with([' ', '('])) {
        let (name, value) = equation(inner)?;
        return (value == "true").then(|| (name, "false".into()));
    }
    for (name, value) in [("isUndef(", "undef")] {
        if let Some(inner) =
            text.strip_prefix(name).and_then(|text| text.strip_suffix(')')).filter(|name| is_location(name))
        {
            return Some((spaceless(inner), value.into()));
        }
    }
    if let Some(inner) = text.strip_prefix("eq(").and_then(|text| text.strip_suffix(')')) {
        let (name, value) = inner.split_once(',').filter(|(name, _)| is_location(name) && !name.contains('('))?;
        return Some((spaceless(name), value.trim().into()));
    }
    match text.split_once('=') {
        Some((name, _)) if name.ends_with(['!', '<', '>']) => None,
        Some((name, value)) => {
            let (name, value) = (unbracketed(name), unbracketed(value));
            let is_value =
                |text: &str| !text.contains(['<', '>', '*', '=']) && !has_word(text, &["and", "or", "not", "implies"]);
            let is_constant = |text: &str| {
                text.starts_with(|c: char| c.is_ascii_digit() || "-{[".contains(c))
                    || matches!(text, "true" | "false" | "undef")
            };
            if is_constant(name) && is_location(value) {
                return Some((spaceless(value), name.into()));
            }
            (is_location(name) && (!value.contains(char::is_whitespace) || is_value(value) || value.starts_with('"')))
                .then(|| (spaceless(name), value.into()))
        }
        None => (is_location(text) && is_named(text)).then(|| (spaceless(text), "true".into())),
    }
}

/// The text with natural numbers as integers: `1` for `1n`.
fn without_natural_marks(text: &str) -> String {
    let (mut plain, mut in_quotes, mut number) = (String::new(), false, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        in_quotes ^= c == '"';
        let ends = !chars.peek().is_some_and(|next| next.is_alphanumeric() || *next == '_');
        if c == 'n' && number && ends && !in_quotes {
            number = false;
            continue;
        }
        let inside_name = plain.ends_with(|last: char| last.is_alphabetic() || last == '_' || last == '$');
        number = c.is_ascii_digit() && (number || !inside_name && !plain.ends_with(|last: char| last.is_ascii_digit()));
        plain.push(c);
    }
    plain
}
