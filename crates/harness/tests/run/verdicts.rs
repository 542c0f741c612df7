//! Verdicts by the specification.

use crate::{GOOD, Hooks, outcome, run, shell};
use specwright_harness::run::{Judging, Options, Verdict};

fn by_specification() -> Options {
    Options::default()
}

fn by_record() -> Options {
    Options { judging: Judging::Recorded, ..Options::default() }
}

/// A test that expects the server to start by itself, which the specification allows.
const EAGER: &str = "
test eager
  request = FALSE, state = ready
  state = busy
  state = ready
";

#[test]
fn another_choice_is_no_failure() {
    // It never starts by itself, but there is a recovery path to a busy server, from which the test goes on.
    let met = outcome(EAGER, &shell(GOOD), &by_specification());
    assert_eq!(met.verdict, Verdict::Pass, "{}", met.message);
    assert!(met.message.contains("was led back"), "{}", met.message);
    assert!(met.history.len() > 3);
    // By the recorded test, this is a failure.
    let met = outcome(EAGER, &shell(GOOD), &by_record());
    assert_eq!((met.verdict, met.step), (Verdict::Fail, Some(1)));
    assert_eq!(met.message, "`state` should be busy, but is ready");
    // An eager server behaves as recorded.
    let eager = shell(Hooks { otherwise: "if [ $state = ready ]; then state=busy; else state=ready; fi", ..GOOD });
    let met = outcome(EAGER, &eager, &by_specification());
    assert_eq!((met.verdict, &*met.message), (Verdict::Pass, ""));
}

#[test]
fn a_recovery_path_hides_no_fault_that_the_inputs_of_the_test_show() {
    // It does not start by itself, which is permitted, and breaks if there is a request at the second step. On the way back,
    // the second step is another attempt of the first.
    let test = "
test eager
  request = FALSE, state = ready
  request = TRUE, state = busy
  request = FALSE, state = ready
";
    let on_step = "if [ $step = 2 ] && [ $request = true ]; then state=broken; fi";
    let otherwise = "if [ $state != broken ]; then state=ready; fi";
    let impatient = shell(Hooks { on_step, otherwise, ..GOOD });
    let met = outcome(test, &impatient, &by_specification());
    assert_eq!((met.verdict, met.step, met.n_runs), (Verdict::Fail, Some(2), 2), "{}", met.message);
    // One that never breaks passes, by the first run.
    let met = outcome(test, &shell(GOOD), &by_specification());
    assert_eq!((met.verdict, met.n_runs), (Verdict::Pass, 2), "{}", met.message);
    assert!(met.message.contains("was led back"), "{}", met.message);
}

#[test]
fn a_choice_that_is_never_made_is_inconclusive() {
    // It never stays busy, although it may.
    let stays = "\ntest stays\n  request = TRUE, state = ready\n  state = busy\n  .\n";
    let met = outcome(stays, &shell(GOOD), &by_specification());
    assert_eq!((met.verdict, met.step), (Verdict::Inconclusive, Some(2)), "{}", met.message);
    let without_steering = Options { recovery_steps: 0, ..by_specification() };
    let met = outcome(stays, &shell(GOOD), &without_steering);
    assert_eq!((met.verdict, met.history.len()), (Verdict::Inconclusive, 3));
}

#[test]
fn forbidden_behaviour_is_a_failure() {
    // It forgets a request at the third step, whatever it did before.
    let forgetful = shell(Hooks { on_step: "if [ $step = 3 ]; then request=false; fi", ..GOOD });
    let test = "\ntest asks\n  request = FALSE, state = ready\n  .\n  request = TRUE\n  state = busy\n";
    for options in [by_specification(), by_record()] {
        let met = outcome(test, &forgetful, &options);
        assert_eq!((met.verdict, met.step), (Verdict::Fail, Some(3)));
        assert_eq!(met.message, "`state` should be busy, but is ready");
        assert_eq!(met.history.len(), 4);
    }
}

#[test]
fn inputs_are_sent_when_the_adapter_wants_them() {
    // The inputs of a state come with the step that enters it, so the server has to store the last one.
    let hello = r#"{"reset":true,"inputs":"entering"}"#;
    let on_reset = "last=$request";
    let on_step = "new=$request; request=$last; last=$new";
    let test = "\ntest asks\n  request = TRUE, state = ready\n  state = busy, request = FALSE\n  state = ready\n";
    let met = outcome(test, &shell(Hooks { hello, on_reset, on_step, ..GOOD }), &by_record());
    assert_eq!(met.verdict, Verdict::Pass, "{}", met.message);
    let met = outcome(test, &shell(Hooks { hello, ..GOOD }), &by_record());
    assert_eq!(met.verdict, Verdict::Fail, "one that acts on them at once is too early");
}

#[test]
fn negative_tests() {
    let reject = "\ntest never expect reject\n  request = TRUE, state = ready\n  .\n";
    for options in [by_specification(), by_record()] {
        assert_eq!(outcome(reject, &shell(GOOD), &options).verdict, Verdict::Pass);
        let lazy = shell(Hooks { on_step: "request=false", ..GOOD });
        let met = outcome(reject, &lazy, &options);
        assert_eq!((met.verdict, met.step), (Verdict::Fail, Some(1)));
        assert!(met.message.contains("must reject"), "{}", met.message);
    }
}

#[test]
fn missing_values_are_completed() {
    let open = "\ntest open\n  state = ready\n  state = busy\n";
    let met = outcome(open, &shell(GOOD), &by_specification());
    assert_eq!(met.verdict, Verdict::Pass, "{}", met.message);
}

#[test]
fn loops_are_repeated() {
    let round = "\ntest round\n  loop\n  request = TRUE, state = ready\n  state = busy, request = FALSE\n";
    let met = outcome(round, &shell(GOOD), &Options { turns: 3, ..by_record() });
    assert_eq!((met.verdict, met.history.len()), (Verdict::Pass, 7));
    let tired = shell(Hooks { on_step: "if [ $step = 5 ]; then request=false; fi", ..GOOD });
    assert_eq!(outcome(round, &tired, &Options { turns: 2, ..by_record() }).verdict, Verdict::Pass);
    assert_eq!(outcome(round, &tired, &Options { turns: 3, ..by_record() }).step, Some(5));
}

#[test]
fn failing_tests_get_shorter() {
    let long = "\ntest long
  request = FALSE, state = ready
  .
  .
  request = TRUE
  state = busy, request = FALSE
  state = ready
  request = TRUE
  state = busy
  .
";
    // No request is taken after the server has worked once.
    let hooks = Hooks {
        on_reset: "worked=no",
        on_step: "if [ $state = busy ]; then worked=yes; fi; if [ $worked = yes ]; then request=false; fi",
        ..GOOD
    };
    for options in [by_specification(), by_record()] {
        let met = outcome(long, &shell(hooks), &Options { shrink: true, ..options.clone() });
        assert_eq!((met.verdict, met.step), (Verdict::Fail, Some(7)));
        let shrunk = met.shrunk.unwrap();
        let by_specification = options.judging == Judging::Specification;
        assert_eq!(shrunk.trace.states.len(), if by_specification { 4 } else { 6 });
        assert!(shrunk.is_shorter() && shrunk.is_complete);
    }
}

#[test]
fn a_failing_test_of_75_states_shrinks_to_7_at_once() {
    // Requests are forgotten after the third one, but only if the server rested before the first.
    let hooks = Hooks {
        on_reset: "jobs=0; rested=no",
        on_step: "if [ $state = ready ]; then
                    if [ $request = false ] && [ $jobs = 0 ]; then rested=yes; fi
                    if [ $request = true ]; then jobs=$((jobs + 1)); fi
                  fi
                  if [ $rested = yes ] && [ $jobs -ge 3 ]; then request=false; fi",
        ..GOOD
    };
    let mut long = String::from("\ntest long\n  request = FALSE, state = ready\n");
    for n in 0..37 {
        // The server takes every second request, and rests in between.
        long +=
            if n % 9 == 8 { "  request = TRUE\n  state = busy, request = FALSE\n" } else { "  state = ready\n  .\n" };
    }
    let met = outcome(&long, &shell(hooks), &Options { shrink: true, ..by_specification() });
    let shrunk = met.shrunk.unwrap();
    assert_eq!((met.verdict, shrunk.n_before, shrunk.trace.states.len()), (Verdict::Fail, 75, 7));
    assert!(shrunk.is_complete, "{} runs", shrunk.n_runs);
}

#[test]
fn the_first_failure_may_end_the_run() {
    let lazy = shell(Hooks { on_step: r#"case "$test" in 3|5) request=false;; esac"#, on_reset: NUMBER, ..GOOD });
    let test = |n: usize| format!("test {n}\n  request = TRUE, state = ready\n  state = busy\n");
    let all: String = (1..=6).map(test).collect();
    for jobs in [1, 4] {
        let options = Options { fail_fast: true, jobs, ..by_record() };
        let report = run(&all, &lazy, &options).unwrap();
        assert_eq!((report.outcomes.len(), report.not_run.len()), (3, 3));
        assert_eq!(report.first_failure().unwrap().0, 2);
        let report = run(&all, &lazy, &Options { jobs, ..by_record() }).unwrap();
        assert_eq!((report.count(Verdict::Pass), report.count(Verdict::Fail)), (4, 2));
    }
}

/// Extracts the name of the test.
const NUMBER: &str = r#"test=${line#*'"test":"'}; test=${test%%'"'*}"#;

#[test]
fn a_program_without_reset_is_restarted() {
    let hello = r#"{"inputs":"leaving"}"#;
    let on_reset = "if [ -n \"$used\" ]; then exit 9; fi; used=yes";
    let test = |n: usize| format!("test {n}\n  request = TRUE, state = ready\n  state = busy\n");
    let all: String = (1..=4).map(test).collect();
    let report = run(&all, &shell(Hooks { hello, on_reset, ..GOOD }), &by_record()).unwrap();
    assert_eq!(report.count(Verdict::Pass), 4);
}

#[test]
fn after_a_failure_the_program_is_started_again() {
    // In each process, the second test and all later ones fail.
    let tired = Hooks { on_reset: "n=$((n + 1))", on_step: "if [ $n -gt 1 ]; then request=false; fi", ..GOOD };
    let three =
        ["one", "two", "three"].map(|name| format!("test {name}\n  request = TRUE, state = ready\n  state = busy\n"));
    let report = run(&three.concat(), &shell(tired), &Options { jobs: 1, ..by_specification() });
    let verdicts: Vec<Verdict> =
        report.unwrap_or_else(|(error, _)| panic!("{error:?}")).outcomes.iter().map(|(_, met)| met.verdict).collect();
    assert_eq!(verdicts, [Verdict::Pass, Verdict::Fail, Verdict::Pass]);
}
