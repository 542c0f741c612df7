//! Reader of suites in text.

use super::line::{Line, Token, split};
use crate::suite::codes;
use crate::suite::names::{Names, Raw};
use crate::suite::read::{Places, Read};
use crate::suite::test::{Expect, Suite, Test};
use specwright_model::interface::Observable;
use specwright_model::model::VarKind;
use specwright_model::{Model, State, Trace, VarId};
use specwright_syntax::diagnostic::{Diagnostic, closest};
use specwright_syntax::escape::unescape;
use specwright_syntax::span::{SourceFile, Span};

/// Reads a suite, as far as possible, with diagnostics.
pub fn read_text(model: &Model, file: &SourceFile) -> (Read, Vec<Diagnostic>) {
    let suite = Suite { model: model.name.clone(), model_hash: None, tests: Vec::new(), goals: None };
    let mut reader = Reader {
        model,
        names: Names::new(model),
        suite,
        places: Vec::new(),
        current: None,
        seen_model: false,
        diagnostics: Vec::new(),
    };
    let mut start = file.start;
    for text in file.text.split_inclusive('\n') {
        let line = split(text.trim_end_matches(['\n', '\r']), start);
        start += text.len() as u32;
        if let Some(span) = line.unclosed {
            reader.error(Diagnostic::error(codes::UNEXPECTED, span, "a quote that does not end"));
        } else if !line.tokens.is_empty() {
            reader.line(&line);
        }
    }
    reader.finish_test();
    (Read { suite: reader.suite, places: reader.places }, reader.diagnostics)
}

struct Reader<'m> {
    model: &'m Model,
    names: Names<'m>,
    suite: Suite,
    places: Vec<Places>,
    current: Option<Draft>,
    seen_model: bool,
    diagnostics: Vec<Diagnostic>,
}

/// A test under construction.
struct Draft {
    test: Test,
    places: Places,
    /// A `loop` line whose state has not been read.
    loop_marker: Option<Span>,
    /// The inputs in the last line.
    named_inputs: Vec<VarId>,
    /// Whether a line of it had an error.
    damaged: bool,
}

impl Reader<'_> {
    fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn unexpected(&mut self, span: Span, message: impl Into<String>) {
        self.error(Diagnostic::error(codes::UNEXPECTED, span, message));
    }

    fn line(&mut self, line: &Line<'_>) {
        let [first, rest @ ..] = &line.tokens[..] else { return };
        // A variable may be named like a keyword: a word before `=` is a variable.
        let is_state = rest.first().is_some_and(|second| second.is("=")) || (first.is(".") && rest.is_empty());
        match &*first.text {
            _ if is_state => self.state(line),
            _ if first.quoted => self.unexpected(first.span, "expected a test or a state"),
            "model" => self.model(first, rest),
            "test" => self.test(first, rest, line.comment),
            "covers" => self.covers(first, rest),
            "loop" => self.loop_marker(first, rest),
            "departure" => self.departure(first, rest),
            word => {
                let known = ["model", "test", "covers", "loop", "departure"];
                let wrong = Diagnostic::error(codes::UNEXPECTED, first.span, format!("unexpected `{word}`"));
                let wrong = match closest(word, known) {
                    Some(near) => wrong.suggest("a keyword with a similar name exists", first.span, near),
                    None => wrong.help("a state is written as `variable = value, …`, or `.` if nothing changes"),
                };
                self.error(wrong);
                if let Some(draft) = &mut self.current {
                    draft.damaged = true;
                }
            }
        }
    }

    fn model(&mut self, keyword: &Token<'_>, rest: &[Token<'_>]) {
        if std::mem::replace(&mut self.seen_model, true) || self.current.is_some() || !self.suite.tests.is_empty() {
            return self.unexpected(keyword.span, "`model` stands once, before all tests");
        }
        match rest {
            [name] => self.suite.model = name.text.to_string(),
            [name, hash] => {
                self.suite.model = name.text.to_string();
                self.suite.model_hash = Some(hash.text.to_string());
            }
            _ => self.unexpected(keyword.span, "expected `model NAME HASH`, the hash if it is known"),
        }
    }

    fn test(&mut self, keyword: &Token<'_>, rest: &[Token<'_>], shows: &str) {
        self.finish_test();
        let (name, expect) = match rest {
            [name] => (name, Expect::Accept),
            [name, word, how] if word.is("expect") && how.is("accept") => (name, Expect::Accept),
            [name, word, how] if word.is("expect") && how.is("reject") => (name, Expect::Reject),
            [] => return self.unexpected(keyword.span, "a test needs a name"),
            [_, word, rest @ ..] => {
                let span = rest.last().map_or(word.span, |last| word.span.to(last.span));
                return self.unexpected(span, "expected `expect accept`, `expect reject`, or nothing more");
            }
        };
        let trace = Trace { states: Vec::new(), loop_start: None };
        let test = Test { expect, shows: unescape(shows).into_owned(), ..Test::new(&*name.text, trace) };
        let first = self.suite.tests.iter().position(|other| other.name == test.name);
        if let Some(first) = first {
            let twice = format!("two tests have the name `{}`", test.name);
            let wrong =
                Diagnostic::error(codes::TWICE, name.span, twice).also(self.places[first].test, "the first one");
            self.error(wrong);
        }
        let places = Places { test: name.span, states: Vec::new() };
        self.current = Some(Draft { test, places, loop_marker: None, named_inputs: Vec::new(), damaged: false });
    }

    fn covers(&mut self, keyword: &Token<'_>, rest: &[Token<'_>]) {
        let Some(draft) = &mut self.current else { return self.outside(keyword.span) };
        for (index, token) in rest.iter().enumerate() {
            match (index % 2 == 1, token.is(",")) {
                (false, false) => draft.test.goals.push(token.text.to_string()),
                (true, true) if index + 1 < rest.len() => {}
                _ => return self.unexpected(token.span, "expected goals with commas between them"),
            }
        }
    }

    fn loop_marker(&mut self, keyword: &Token<'_>, rest: &[Token<'_>]) {
        if let Some(more) = rest.first() {
            return self.unexpected(more.span, "`loop` stands alone, before the state that follows the last one");
        }
        let Some(draft) = &mut self.current else { return self.outside(keyword.span) };
        if draft.loop_marker.is_some() || draft.test.trace.loop_start.is_some() {
            return self.error(Diagnostic::error(codes::BAD_LOOP, keyword.span, "a test has one loop"));
        }
        draft.loop_marker = Some(keyword.span);
    }

    fn departure(&mut self, keyword: &Token<'_>, rest: &[Token<'_>]) {
        if let Some(more) = rest.first() {
            return self.unexpected(more.span, "`departure` stands alone, before the state that is wrong");
        }
        let Some(draft) = &mut self.current else { return self.outside(keyword.span) };
        let n_states = draft.test.trace.states.len();
        if n_states == 0 || draft.test.departure.is_some() || draft.test.expect == Expect::Accept {
            let message = "a departure stands once, after the first state of a test to be rejected";
            return self.unexpected(keyword.span, message);
        }
        draft.test.departure = Some(n_states);
    }

    fn state(&mut self, line: &Line<'_>) {
        let Some(draft) = &mut self.current else { return self.outside(line.span) };
        let before = draft.test.trace.states.last();
        let mut state = before.cloned().unwrap_or_else(|| State::empty(self.model.vars.len()));
        let mut defined = draft.test.defined.last().cloned().unwrap_or_default();
        let mut named: Vec<(Observable, Span)> = Vec::new();
        let given = if line.tokens[0].is(".") && line.tokens.len() == 1 { &[][..] } else { &line.tokens[..] };
        for part in given.split(|token| token.is(",")) {
            let [name, equals, value] = part else {
                let span = part.first().zip(part.last()).map_or(line.span, |(first, last)| first.span.to(last.span));
                if !given.is_empty() {
                    self.diagnostics.push(Diagnostic::error(codes::UNEXPECTED, span, "expected `variable = value`"));
                }
                continue;
            };
            if !equals.is("=") {
                self.diagnostics.push(Diagnostic::error(codes::UNEXPECTED, equals.span, "expected `=`"));
                continue;
            }
            let of = match self.names.observable(&name.text, name.span) {
                Ok(of) => of,
                Err(wrong) => {
                    self.diagnostics.push(*wrong);
                    continue;
                }
            };
            if let Some((_, first)) = named.iter().find(|(other, _)| *other == of) {
                let twice = format!("`{}` has two values", name.text);
                let wrong = Diagnostic::error(codes::TWICE, name.span, twice).also(*first, "the first one");
                self.diagnostics.push(wrong);
                continue;
            }
            named.push((of, name.span));
            let value = if value.is("?") {
                None
            } else {
                match self.names.value(of, Raw::Text(&value.text), true, value.span) {
                    Ok(value) => Some(value),
                    Err(wrong) => {
                        self.diagnostics.push(*wrong);
                        continue;
                    }
                }
            };
            match of {
                Observable::Var(var) => state.set(var, value),
                Observable::Define(define) => {
                    defined.retain(|(other, _)| *other != define);
                    defined.extend(value.map(|value| (define, value)));
                }
            }
        }
        if draft.loop_marker.take().is_some() {
            draft.test.trace.loop_start = Some(draft.test.trace.states.len());
        }
        if !line.comment.is_empty() {
            draft.test.notes.resize(draft.test.trace.states.len(), String::new());
            draft.test.notes.push(unescape(line.comment).into_owned());
        }
        let input = |of: Observable| match of {
            Observable::Var(var) if self.model[var].kind == VarKind::Input => Some(var),
            _ => None,
        };
        draft.named_inputs = named.into_iter().filter_map(|(of, _)| input(of)).collect();
        if !defined.is_empty() || !draft.test.defined.is_empty() {
            draft.test.defined.resize(draft.test.trace.states.len(), Vec::new());
            draft.test.defined.push(defined);
        }
        draft.test.trace.states.push(state);
        draft.places.states.push(line.span);
    }

    fn outside(&mut self, span: Span) {
        let wrong = Diagnostic::error(codes::UNEXPECTED, span, "this belongs to a test, and no test has begun");
        self.error(wrong.help("a test begins with `test NAME`"));
    }

    fn finish_test(&mut self) {
        let Some(mut draft) = self.current.take() else { return };
        if let Some(span) = draft.loop_marker {
            self.error(Diagnostic::error(codes::BAD_LOOP, span, "the loop has no state to start with"));
        }
        let trace = &mut draft.test.trace;
        if trace.states.is_empty() && draft.damaged {
            return;
        }
        if trace.states.is_empty() {
            let message = format!("test `{}` has no states", draft.test.name);
            return self.error(Diagnostic::error(codes::MISSING, draft.places.test, message));
        }
        if draft.test.departure.is_some_and(|state| state >= trace.states.len()) {
            draft.test.departure = None;
            let message = "the departure has no state to go to";
            self.diagnostics.push(Diagnostic::error(codes::UNEXPECTED, draft.places.test, message));
        }
        if let Some(last) = trace.states.last_mut().filter(|_| trace.loop_start.is_none()) {
            for (var, _) in self.model.vars().filter(|(_, var)| var.kind == VarKind::Input) {
                if !draft.named_inputs.contains(&var) {
                    last.set(var, None);
                }
            }
        }
        self.suite.tests.push(draft.test);
        self.places.push(draft.places);
    }
}
