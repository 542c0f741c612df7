//! The symbols of a statechart: states, events and data. The tree has targets that are resolved; where they are written is
//! found in the text of their transitions.

use super::{Index, Kind, Outline, SymbolId, one_line};
use specwright::syntax::span::{SourceFile, Span};
use specwright::syntax::statechart::ast::{
    Action, ActionKind, Chart, Expr, ExprKind, Name, Profile, State, StateId, StateKind, Transition,
};
use std::collections::BTreeMap;

/// The symbols of a chart.
pub(crate) fn index(chart: &Chart, source: &SourceFile) -> Index {
    let mut indexer = Indexer {
        chart,
        source,
        index: Index::default(),
        states: Vec::new(),
        data: BTreeMap::new(),
        events: BTreeMap::new(),
    };
    indexer.declare();
    for (_, state) in chart.states() {
        indexer.state(state);
    }
    for transition in &chart.transitions {
        indexer.transition(transition);
    }
    indexer.properties();
    indexer.index.outline = indexer.outline(StateId::ROOT).into_iter().collect();
    let mut index = indexer.index;
    index.finish();
    index
}

struct Indexer<'a> {
    chart: &'a Chart,
    source: &'a SourceFile,
    index: Index,
    /// The symbols of states, in document order.
    states: Vec<SymbolId>,
    data: BTreeMap<&'a str, SymbolId>,
    events: BTreeMap<String, SymbolId>,
}

impl<'a> Indexer<'a> {
    fn slice(&self, span: Span) -> &'a str {
        if span.is_some() { self.source.slice(span) } else { "" }
    }

    /// Where a name stands in a span: as a whole word, the last one if it is there more than once.
    fn word(&self, span: Span, name: &str) -> Option<Span> {
        let text = self.slice(span);
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let whole = |at: &usize| {
            !text[..*at].chars().next_back().is_some_and(is_part)
                && !text[at + name.len()..].chars().next().is_some_and(is_part)
        };
        let at = text.match_indices(name).map(|(at, _)| at).filter(whole).last().filter(|_| !name.is_empty())?;
        let start = span.start + at as u32;
        Some(Span::new(start, start + name.len() as u32))
    }

    fn declare(&mut self) {
        for (_, state) in self.chart.states() {
            let name = &state.key;
            let span = self.word(name.span, &name.text).unwrap_or(Span::new(state.span.start, state.span.start));
            let kind = if state.parent.is_none() { Kind::Module } else { Kind::Constant };
            let symbol = self.index.declare(kind, word(state.kind), &name.text, span, state.span);
            self.index.globals.push(symbol);
            self.index.folds.push(state.span);
            self.states.push(symbol);
        }
        for (at, state) in self.chart.states.iter().enumerate() {
            let parent = state.parent.map(|parent| self.states[parent.index()]);
            self.index.symbol(self.states[at]).parent = parent;
        }
        for datum in &self.chart.data {
            let Some(span) = self.word(datum.name.span, &datum.name.text) else { continue };
            let whole = datum.initial.as_ref().map_or(span, |value| span.to(value.span));
            let symbol = self.index.declare(Kind::Variable, "variable of the context", &datum.name.text, span, whole);
            self.index.globals.push(symbol);
            self.data.insert(&datum.name.text, symbol);
        }
    }

    fn state(&mut self, state: &State) {
        if let Some(initial) = &state.initial {
            for target in &initial.targets {
                self.targets(initial.span, *target, self.chart.profile == Profile::XState);
            }
            self.actions(&initial.actions);
        }
        self.actions(&state.entry);
        self.actions(&state.exit);
    }

    fn transition(&mut self, transition: &Transition) {
        for event in &transition.events {
            self.event(event, transition.event_span);
        }
        if let Some(guard) = &transition.guard {
            self.expr(guard);
        }
        for target in &transition.targets {
            self.targets(transition.span, *target, false);
        }
        self.actions(&transition.actions);
    }

    /// Events have no declarations: the first mention stands for one.
    fn event(&mut self, name: &str, span: Span) {
        let Some(span) = self.word(span, name) else { return };
        if let Some(symbol) = self.events.get(name) {
            self.index.mention(span, *symbol, false);
            return;
        }
        let symbol = self.index.declare(Kind::Function, "event", name, span, span);
        self.index.globals.push(symbol);
        self.events.insert(name.to_owned(), symbol);
    }

    /// The mentions of a target in the text of a transition or of an initial state: as a path of keys or an id, in a text that
    /// says where to go. With `alone`, any text does.
    fn targets(&mut self, span: Span, target: StateId, alone: bool) {
        let text = self.slice(span);
        for (start, literal) in literals(text) {
            let before = text[..start - 1].trim_end();
            let is_whole = before.is_empty();
            let names_target = {
                let before = before.trim_end_matches([':', '=', '[', ' ', '\n', '\t']).trim_end_matches(['"', '\'']);
                before.ends_with("target") || before.ends_with("initial")
            };
            if !(is_whole || names_target || alone || in_list(before)) {
                continue;
            }
            self.paths(span.start + start as u32, literal, target);
        }
        // The span of a text may be what is inside of its quotes.
        if !text.contains(['"', '\'', '`', '<', '{']) {
            self.paths(span.start, text, target);
        }
    }

    /// The mentions of a state in a text. SCXML lists several targets in one.
    fn paths(&mut self, start: u32, text: &str, target: StateId) {
        let mut at = start;
        for part in text.split_inclusive(' ') {
            self.path(at, part.trim_end(), target);
            at += part.len() as u32;
        }
    }

    /// The mentions of a state and its ancestors in a path such as `#machine.a.b`.
    fn path(&mut self, start: u32, path: &str, target: StateId) {
        let is_id = path.strip_prefix('#').unwrap_or(path) == &*self.chart[target].id;
        let mut state = Some(target);
        let mut end = path.len();
        while let Some(id) = state {
            let from = path[..end].rfind(['.', '#']).map_or(0, |dot| dot + 1);
            let segment = &path[from..end];
            let (state_start, state_end) = (start + from as u32, start + end as u32);
            if segment.is_empty() || *segment != *self.chart[id].key.text {
                // An id is another name of the state.
                if is_id && id == target {
                    let begin = start + u32::from(path.starts_with('#'));
                    let span = Span::new(begin, start + path.len() as u32);
                    self.index.mention(span, self.states[id.index()], false);
                }
                return;
            }
            self.index.mention(Span::new(state_start, state_end), self.states[id.index()], false);
            if from == 0 || path.as_bytes().get(from - 1) != Some(&b'.') {
                return;
            }
            end = from - 1;
            state = self.chart[id].parent;
        }
    }

    fn actions(&mut self, actions: &[Action]) {
        for action in actions {
            match &action.kind {
                ActionKind::Assign(assigned) => {
                    for (name, _) in assigned {
                        self.assigned(name);
                    }
                }
                ActionKind::ForEach { item, index, .. } => {
                    for name in std::iter::once(item).chain(index) {
                        self.assigned(name);
                    }
                }
                ActionKind::Raise(event) | ActionKind::Send(event) | ActionKind::Delay { event, .. } => {
                    self.event(&event.text, event.span);
                }
                _ => {}
            }
            for expr in action.kind.expressions() {
                self.expr(expr);
            }
            for actions in action.kind.inner() {
                self.actions(actions);
            }
        }
    }

    /// A variable that gets a value.
    fn assigned(&mut self, name: &Name) {
        if let (Some(span), Some(symbol)) = (self.word(name.span, &name.text), self.data.get(&*name.text).copied()) {
            self.index.mention(span, symbol, true);
        }
    }

    fn expr(&mut self, root: &Expr) {
        let mut waiting = vec![root];
        while let Some(expr) = waiting.pop() {
            self.source.budget.look();
            match &expr.kind {
                ExprKind::Var(name) => {
                    if let (Some(span), Some(symbol)) = (self.word(expr.span, name), self.data.get(&**name).copied()) {
                        self.index.mention(span, symbol, false);
                    }
                }
                ExprKind::In(state) => self.targets(expr.span, *state, true),
                _ => waiting.extend(expr.parts()),
            }
        }
    }

    /// Names of states and data in the properties of comments.
    fn properties(&mut self) {
        let mut names: BTreeMap<&str, Option<SymbolId>> = BTreeMap::new();
        for (at, state) in self.chart.states.iter().enumerate().skip(1) {
            // A key that several states have stands for none of them.
            let symbol = self.states[at];
            names.entry(&state.key.text).and_modify(|other| *other = None).or_insert(Some(symbol));
        }
        names.extend(self.data.iter().map(|(name, symbol)| (*name, Some(*symbol))));
        for property in &self.chart.properties {
            let text = self.slice(property.span);
            let mut at = 0;
            for word in text.split_inclusive(|c: char| !(c.is_alphanumeric() || c == '_')) {
                let name = word.trim_end_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
                if let Some(Some(symbol)) = names.get(name) {
                    let start = property.span.start + at;
                    self.index.mention(Span::new(start, start + name.len() as u32), *symbol, false);
                }
                at += word.len() as u32;
            }
            let name = one_line(text);
            let part = Outline {
                name,
                detail: String::new(),
                kind: Kind::Property,
                whole: property.span,
                selection: property.span,
                children: Vec::new(),
            };
            self.index.outline.push(part);
        }
    }

    fn outline(&mut self, root: StateId) -> Vec<Outline> {
        // Children come after their parents, so the last ones are complete first.
        let mut parts: Vec<Option<Outline>> = Vec::new();
        for (at, state) in self.chart.states.iter().enumerate() {
            let symbol = &self.index[self.states[at]];
            parts.push(Some(Outline {
                name: state.key.text.to_string(),
                detail: word(state.kind).to_owned(),
                kind: symbol.kind,
                whole: state.span,
                selection: symbol.definitions[0],
                children: Vec::new(),
            }));
        }
        for at in (1..parts.len()).rev() {
            let part = parts[at].take();
            let parent = self.chart.states[at].parent.unwrap_or(root).index();
            if let (Some(part), Some(parent)) = (part, &mut parts[parent]) {
                parent.children.insert(0, part);
            }
        }
        let mut all: Vec<Outline> = parts.into_iter().flatten().collect();
        all.append(&mut self.index.outline);
        all
    }
}

/// What a state is.
fn word(kind: StateKind) -> &'static str {
    match kind {
        StateKind::Atomic => "state",
        StateKind::Compound => "compound state",
        StateKind::Parallel => "parallel state",
        StateKind::Final => "final state",
        StateKind::History { deep: false } => "history state",
        StateKind::History { deep: true } => "deep history state",
    }
}

/// The quoted texts of a text: where each starts behind its quote, and what it is.
fn literals(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find(['"', '\'', '`']) {
        let start = at + open + 1;
        let quote = text.as_bytes()[start - 1] as char;
        let Some(length) = text[start..].find(quote) else { break };
        found.push((start, &text[start..start + length]));
        at = start + length + 1;
    }
    found
}

/// Whether the text before a literal is a list of targets: `target: ['a', `.
fn in_list(before: &str) -> bool {
    before.rfind('[').is_some_and(|open| {
        let inside = &before[open..];
        let head = before[..open].trim_end().trim_end_matches(':').trim_end().trim_end_matches(['"', '\'']);
        !inside.contains([']', '{', '}']) && head.ends_with("target")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use specwright::frontend::statechart::parse;
    use specwright::syntax::span::SourceMap;

    /// The places of a name that stand for one state, and the place of its definition.
    fn places(file: &str, text: &str, name: &str) -> (Vec<usize>, usize) {
        let mut sources = SourceMap::default();
        let number = sources.add(file, text).unwrap();
        let source = &sources.files()[number];
        let (chart, found) = parse(source);
        let index = index(&chart.unwrap_or_else(|| panic!("{found:?}")), source);
        let symbols: Vec<SymbolId> =
            (0..index.symbols.len() as u32).map(SymbolId).filter(|id| index[*id].name == name).collect();
        assert_eq!(symbols.len(), 1, "{name} in {file}");
        let uses: Vec<usize> = index.uses_of(&symbols).map(|found| found.span.start as usize).collect();
        for start in &uses {
            assert!(text[*start..].starts_with(name), "{file}: {:?}", &text[*start..]);
        }
        let definition = index[symbols[0]].definitions[0].start as usize;
        (uses, definition)
    }

    const LIGHT: &str = r##"{"id": "m", "initial": "red", "states": {
      "red": {"on": {"GO": {"target": "green"}}},
      "green": {"on": {"STOP": "red", "HALT": {"target": "#m.red", "guard": "red"}}}}}"##;

    #[test]
    fn targets_and_initial_states_are_mentions() {
        let script = format!("import {{ createMachine }} from 'xstate';\nexport const m = createMachine({LIGHT});");
        for (file, text) in [("a.json", LIGHT), ("a.ts", script.as_str())] {
            let (uses, definition) = places(file, text, "red");
            // The guard of the same name is none.
            let all: Vec<usize> = text.match_indices("red").map(|(at, _)| at).collect();
            assert_eq!(uses, all[..all.len() - 1], "{file}");
            assert_eq!(definition, text.find("red\": {").unwrap(), "{file}");
            assert_eq!(places(file, text, "GO").0, [text.find("GO").unwrap()]);
        }
        let text = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="on" datamodel="ecmascript">
          <state id="on"><transition event="t u" target="off"/></state>
          <state id="off"><transition event="t" target="on"/></state></scxml>"#;
        let all = |wanted: &[&str]| -> Vec<usize> {
            let mut places: Vec<usize> =
                wanted.iter().map(|part| text.find(part).unwrap() + part.find('"').unwrap() + 1).collect();
            places.sort_unstable();
            places
        };
        assert_eq!(places("a.scxml", text, "on").0, all(&["initial=\"on\"", "id=\"on\"", "target=\"on\""]));
        assert_eq!(places("a.scxml", text, "off").0, all(&["id=\"off\"", "target=\"off\""]));
        assert_eq!(places("a.scxml", text, "t").0.len(), 2);
    }
}
