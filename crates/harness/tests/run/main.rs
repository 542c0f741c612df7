//! Running suites on small implementations in shell, which work on every machine.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot do its work should say so and stop")]

mod hostile;
mod service;
mod verdicts;

use specwright_harness::run::{Options, Outcome, Report, Runner, Target, TransportError};
use specwright_model::Model;
use specwright_model::testing::model;
use specwright_syntax::span::SourceMap;
use specwright_testgen::suite::{Suite, read_text};

/// A server that may work or rest nondeterministically, but takes a request immediately when it is ready.
const SERVER: &str = "MODULE main
VAR request : boolean; state : {ready, busy};
ASSIGN init(state) := ready;
  next(state) := case state = ready & request : busy; TRUE : {ready, busy}; esac;";

/// An implementation of it, with hooks: `$on_reset` and `$on_step` are run before the answer, `$then` is the effect of
/// a step.
const SHELL: &str = r#"
state=ready; step=0; request=false
while read -r line; do
  case "$line" in *'"request":true'*) request=true;; *'"request":false'*) request=false;; esac
  case "$line" in
    *'"op":"hello"'*) echo "$hello";;
    *'"op":"reset"'*) state=ready; step=0; eval "$on_reset"; echo '{"outputs":{"state":"'$state'"}}';;
    *'"op":"step"'*)
      step=$((step + 1)); eval "$on_step"
      if [ $state = ready ] && [ $request = true ]; then state=busy; else eval "$otherwise"; fi
      echo '{"outputs":{"state":"'$state'"}}';;
    *'"op":"bye"'*) exit 0;;
  esac
done
"#;

/// The hooks.
#[derive(Clone, Copy)]
struct Hooks<'a> {
    hello: &'a str,
    on_reset: &'a str,
    on_step: &'a str,
    otherwise: &'a str,
}

const GOOD: Hooks<'_> =
    Hooks { hello: r#"{"reset":true,"inputs":"leaving"}"#, on_reset: ":", on_step: ":", otherwise: "state=ready" };

fn shell(hooks: Hooks<'_>) -> Target {
    let variables = [
        ("hello", hooks.hello),
        ("on_reset", hooks.on_reset),
        ("on_step", hooks.on_step),
        ("otherwise", hooks.otherwise),
    ];
    let variables = variables.map(|(name, value)| format!("{name}='{}'\n", value.replace('\'', r"'\''"))).concat();
    script(&(variables + SHELL))
}

fn script(text: &str) -> Target {
    Target::Program(vec!["sh".into(), "-c".into(), text.into()])
}

fn suite(model: &Model, text: &str) -> Suite {
    let mut sources = SourceMap::default();
    let index = sources.add("test.suite", text).unwrap();
    let (read, found) = read_text(model, &sources.files()[index]);
    assert!(found.is_empty(), "{found:?}");
    read.suite
}

fn run(suite_text: &str, target: &Target, options: &Options) -> Result<Report, (TransportError, String)> {
    let model = model(SERVER);
    let suite = suite(&model, suite_text);
    Runner { model: &model, suite: &suite, target, options }.run(&|_| ())
}

/// The outcome of the only test.
fn outcome(suite_text: &str, target: &Target, options: &Options) -> Outcome {
    let report = run(suite_text, target, options).unwrap();
    assert_eq!((report.outcomes.len(), report.not_run.len()), (1, 0));
    report.outcomes.into_iter().next().unwrap().1
}
