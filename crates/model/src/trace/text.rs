//! Traces in the format of NuSMV: after the first state only the changes, inputs before the state that they lead to,
//! and the first state of the loop again at the end.

use super::defines::{are_of_steps, define_text};
use crate::interp::Evaluator;
use crate::model::{DefineId, TransitionSystem, VarId, VarKind};
use crate::state::{State, Trace};
use crate::value::Value;
use specwright_syntax::escape;
use std::borrow::Cow;
use std::fmt::Write;

/// Options of the format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextOptions {
    /// The number of the trace, the `2` of `State: 2.1`.
    pub number: usize,
    /// Its description, such as `CTL Counterexample`.
    pub description: String,
    /// Its type, such as `Counterexample` or `Simulation`.
    pub kind: String,
    /// Whether all values of every state are shown, not only changes.
    pub all: bool,
    /// The defines that are shown, too.
    pub defines: Vec<DefineId>,
}

impl Default for TextOptions {
    fn default() -> TextOptions {
        let kind = "Counterexample".to_string();
        TextOptions { number: 1, description: kind.clone(), kind, all: false, defines: Vec::new() }
    }
}

/// Formats a trace.
pub fn to_text(model: &TransitionSystem, trace: &Trace, options: &TextOptions) -> String {
    let mut text = format!("Trace Description: {}\nTrace Type: {}\n", escape::line(&options.description), options.kind);
    let columns = columns(model, &options.defines);
    let has_inputs = columns.iter().any(|column| column.input);
    // The first state of the loop is shown again at the end.
    let repeated = trace.loop_start.and_then(|start| trace.states.get(start));
    let mut shown = vec![Shown::Nothing; columns.len()];
    for (index, state) in trace.states.iter().chain(repeated).enumerate() {
        let before = index.checked_sub(1).and_then(|before| trace.states.get(before));
        if let Some(before) = before.filter(|_| has_inputs) {
            block(&mut text, "Input", (options.number, index + 1));
            values(&mut text, model, &columns, true, before, &mut shown, options.all);
        }
        if trace.loop_start == Some(index) {
            text.push_str("-- Loop starts here\n");
        }
        block(&mut text, "State", (options.number, index + 1));
        values(&mut text, model, &columns, false, state, &mut shown, options.all);
    }
    // Inputs in the last state of a finite trace, although no step takes them.
    let last = trace.states.last().filter(|_| trace.loop_start.is_none());
    if let Some(last) = last.filter(|last| columns.iter().any(|column| column.is_given(last))) {
        block(&mut text, "Input", (options.number, trace.states.len() + 1));
        values(&mut text, model, &columns, true, last, &mut shown, options.all);
    }
    text
}

/// A variable or define of a trace.
struct Column<'m> {
    /// Its name as it is printed.
    name: Cow<'m, str>,
    source: Source,
    /// Whether it belongs to steps and not to states.
    input: bool,
}

enum Source {
    Var(VarId),
    Define(DefineId),
}

fn columns<'m>(model: &'m TransitionSystem, defines: &[DefineId]) -> Vec<Column<'m>> {
    let vars = model.vars().map(|(id, var)| Column {
        name: escaped(&var.name),
        source: Source::Var(id),
        input: var.kind == VarKind::Input,
    });
    let mut columns: Vec<Column<'_>> = vars.collect();
    for (define, input) in defines.iter().zip(are_of_steps(model, defines)) {
        let name = escaped(&model[*define].name);
        columns.push(Column { name, source: Source::Define(*define), input });
    }
    columns
}

impl Column<'_> {
    fn is_given(&self, state: &State) -> bool {
        self.input && matches!(self.source, Source::Var(var) if state.get(var).is_some())
    }

    fn show(&self, model: &TransitionSystem, state: &State, evaluator: &mut Evaluator<'_>) -> Shown {
        match self.source {
            Source::Var(var) => state.get(var).map_or(Shown::Nothing, |value| Shown::Value(var, value)),
            Source::Define(define) => define_text(model, define, evaluator).map_or(Shown::Nothing, Shown::Text),
        }
    }
}

/// What a column shows. Values become text only when they are printed, since most stay as they are from state to state.
#[derive(Clone, PartialEq, Eq)]
enum Shown {
    Nothing,
    Value(VarId, Value),
    Text(String),
}

fn block(text: &mut String, what: &str, (trace, state): (usize, usize)) {
    let _ = writeln!(text, "-> {what}: {trace}.{state} <-");
}

/// A name with everything escaped that could be confused with the syntax of traces.
fn escaped(name: &str) -> Cow<'_, str> {
    let is_odd = !name.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"'));
    escape::name(name, |c| c == '=' || (is_odd && !c.is_alphanumeric()))
}

fn values(
    text: &mut String,
    model: &TransitionSystem,
    columns: &[Column<'_>],
    input: bool,
    state: &State,
    shown: &mut [Shown],
    all: bool,
) {
    let mut evaluator = Evaluator::new(model, state, None);
    for (column, shown) in columns.iter().zip(shown).filter(|(column, _)| column.input == input) {
        let value = column.show(model, state, &mut evaluator);
        if value == Shown::Nothing || (!all && value == *shown) {
            continue;
        }
        let _ = match &value {
            Shown::Nothing => Ok(()),
            Shown::Value(var, value) => {
                writeln!(text, "  {} = {}", column.name, escape::line(&model.show_of(*var, *value)))
            }
            Shown::Text(value) => writeln!(text, "  {} = {}", column.name, escape::line(value)),
        };
        *shown = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VarId;
    use crate::trace::{Defines, TraceJson, to_table, to_table_with};
    use crate::value::{Value, Word};

    fn example() -> (crate::Model, Trace) {
        let text = "MODULE main
            VAR x : 0..3; mode : {idle, busy}; w : signed word[4];
            IVAR go : boolean;
            DEFINE d := x + 1; rest := !go;";
        let model = crate::testing::model(text);
        let mode = ["idle", "busy"].map(|name| Value::Symbol(model.context.symbols.get(name).unwrap()));
        let state = |x, mode, bits, go| {
            let mut state = State::empty(4);
            let word = Value::Word(Word::new(true, 4, bits));
            for (var, value) in (0..).map(VarId).zip([Value::Int(x), mode, word, Value::Bool(go)]) {
                state.set(var, value);
            }
            state
        };
        let states = vec![state(0, mode[0], 1, true), state(1, mode[1], 1, true), state(2, mode[1], 15, false)];
        (model, Trace { states, loop_start: Some(1) })
    }

    #[test]
    fn text_shows_what_changes_and_the_loop_twice() {
        let (model, trace) = example();
        let expected = "Trace Description: CTL Counterexample\nTrace Type: Counterexample
-> State: 2.1 <-\n  x = 0\n  mode = idle\n  w = 0sd4_1\n  d = 1
-> Input: 2.2 <-\n  go = TRUE\n  rest = FALSE
-- Loop starts here\n-> State: 2.2 <-\n  x = 1\n  mode = busy\n  d = 2
-> Input: 2.3 <-\n-> State: 2.3 <-\n  x = 2\n  w = -0sd4_1\n  d = 3
-> Input: 2.4 <-\n  go = FALSE\n  rest = TRUE\n-> State: 2.4 <-\n  x = 1\n  w = 0sd4_1\n  d = 2\n";
        let description = "CTL Counterexample".into();
        let options = TextOptions {
            number: 2,
            description,
            defines: model.shown_defines(Defines::All),
            ..TextOptions::default()
        };
        assert_eq!(to_text(&model, &trace, &options), expected);
    }

    #[test]
    fn tables_line_up() {
        let (model, mut trace) = example();
        let expected = "      x  mode  w        go\n   1  0  idle  0sd4_1   TRUE\n-> 2  1  busy  0sd4_1   TRUE\n<- 3  2  busy  -0sd4_1  FALSE\n";
        assert_eq!(to_table(&model, &trace), expected);
        trace.loop_start = None;
        trace.states.truncate(1);
        let defines = model.shown_defines(Defines::Main);
        assert_eq!(
            to_table_with(&model, &trace, &defines),
            "   x  mode  w       go    d  rest\n1  0  idle  0sd4_1  TRUE  1  FALSE\n"
        );
        assert_eq!(to_table(&model, &trace), "   x  mode  w       go\n1  0  idle  0sd4_1  TRUE\n");
    }

    #[test]
    fn json_round_trips() {
        let (model, trace) = example();
        let document = serde_json::to_string(&TraceJson::document(&model, &trace)).unwrap();
        let first = r#"{"schema":"specwright/trace/1","states":[{"x":0,"mode":"idle","w":"0sd4_1","go":true},"#;
        assert!(document.starts_with(first) && document.ends_with(r#"],"loop":1}"#), "{document}");
        let read: TraceJson = serde_json::from_str(&document).unwrap();
        assert_eq!(read.read(&model).unwrap(), trace);
        let check = |text: &str, expected: &str| {
            let read: TraceJson = serde_json::from_str(text).unwrap();
            assert_eq!(read.read(&model).unwrap_err().describe(), expected);
        };
        check(r#"{"states": [{"x": 0}, {"y": 1}]}"#, "state 2: the model has no variable `y`");
        check(r#"{"states": [{"mode": "off"}]}"#, "state 1: `mode` cannot be \"off\"");
        check(r#"{"states": [{"w": 1}]}"#, "state 1: `w` cannot be 1");
        check(r#"{"states": [{"x": true}]}"#, "state 1: `x` cannot be true");
        check(r#"{"states": [{"x": 0, "x": 0}]}"#, "state 1: `x` has two values");
        assert!(serde_json::from_str::<TraceJson>(r#"{"states": [{"x": null}]}"#).is_err());
    }
}
