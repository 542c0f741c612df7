//! Hostile implementations: the run goes on, each test gets its verdict, and no process is left behind.

use crate::{GOOD, Hooks, run, script, shell};
use specwright_harness::run::{Limits, Options, Report, Verdict};
use std::time::{Duration, Instant};

const SUITE: &str = "
test good-1
  request = TRUE, state = ready
  state = busy
test bad
  request = FALSE, state = ready
  .
  .
  request = TRUE
  state = busy
test good-2
  request = TRUE, state = ready
  state = busy
";

/// Generous timeouts where an answer comes: the machine may be busy.
fn patient() -> Limits {
    Limits { start: Duration::from_mins(10), step: Duration::from_mins(10), ..Limits::default() }
}

fn options(jobs: usize, limits: Limits) -> Options {
    Options { jobs, limits, ..Options::default() }
}

/// Runs three tests, of which the second one meets a fault at its third step, in one process and in three in parallel.
/// Returns the result of the second test.
fn meets(bad: &str, limits: &Limits) -> (Verdict, String) {
    let on_reset = r#"case "$line" in *'"test":"bad"'*) bad=yes;; *) bad=no;; esac"#;
    let on_step = format!("if [ $bad = yes ] && [ $step = 3 ]; then {bad}; fi");
    let target = shell(Hooks { on_reset, on_step: &on_step, ..GOOD });
    let one = run(SUITE, &target, &options(1, limits.clone())).unwrap();
    let many = run(SUITE, &target, &options(3, limits.clone())).unwrap();
    let said = |report: &Report| -> Vec<(Verdict, Option<usize>)> {
        report.outcomes.iter().map(|(_, outcome)| (outcome.verdict, outcome.step)).collect()
    };
    assert_eq!(said(&one), said(&many));
    assert_eq!((one.outcomes[0].1.verdict, one.outcomes[2].1.verdict), (Verdict::Pass, Verdict::Pass));
    let bad = &one.outcomes[1].1;
    assert_eq!(bad.history.len(), bad.step.unwrap() + usize::from(bad.verdict == Verdict::Fail));
    (bad.verdict, bad.message.clone())
}

fn errs(bad: &str, message: &str) {
    assert_eq!(meets(bad, &patient()), (Verdict::Error, message.to_owned()));
}

/// The timeout is long enough for the answers of the other two tests.
fn times_out(bad: &str) {
    let limits = Limits { step: Duration::from_secs(3), ..patient() };
    assert_eq!(meets(bad, &limits), (Verdict::Error, "no answer within 3 s".to_owned()));
}

#[test]
fn a_crash_is_an_error() {
    errs("exit 3", "it ended without an answer: exit code 3");
    errs("kill -SEGV $$", "it ended without an answer: killed by signal 11");
}

#[test]
fn a_missing_answer_is_an_error() {
    times_out("sleep 1000");
    errs("exec >&-; sleep 1000", "it ended without an answer: it closed its standard output");
}

#[test]
fn an_invalid_answer_is_an_error() {
    errs("echo hello there", "protocol error: `hello there` is not an answer");
    errs("echo [1]", "protocol error: `[1]` is not an answer");
    errs(r#"echo '{"outputs": {}}'"#, "protocol error: the answer has no value for `state`");
    errs(r#"echo '{"outputs": {"mode": 1}}'"#, "protocol error: it answers with `mode`, and there is no such variable");
    errs(r#"echo '{"error": "out of paper"}'"#, "the adapter reports an error: out of paper");
    let (verdict, message) = meets("head -c 5000 /dev/urandom; echo", &patient());
    assert!(verdict == Verdict::Error && message.starts_with("protocol error: `"), "{message}");
    let (verdict, message) = meets(r"printf '\377\376{\n'", &patient());
    assert!(verdict == Verdict::Error && message.starts_with("protocol error: `"), "{message}");
}

#[test]
fn an_endless_answer_is_an_error() {
    errs("yes", "protocol error: `y` is not an answer");
    times_out("yes ''");
    errs("head -c 1000000000 /dev/zero", "protocol error: more than 1024 KiB without an end of line");
    times_out("yes >&2 & sleep 1000");
}

#[test]
fn an_impossible_value_is_a_failure() {
    assert_eq!(meets(r#"echo '{"outputs":{"state":"lazy"}}'; continue"#, &patient()).0, Verdict::Fail);
}

#[test]
fn no_process_is_left_behind() {
    // A number that no other process has in its arguments.
    let marker = format!("{}", 900_000_000 + u64::from(std::process::id()));
    let bad = format!("sleep {marker} & sleep {marker} & wait");
    times_out(&bad);
    // Also if the implementation ends normally, but leaves a child that keeps its output open.
    let target = shell(Hooks { on_reset: &format!("sleep {marker} &"), ..GOOD });
    let report = run(SUITE, &target, &options(2, patient())).unwrap();
    assert_eq!(report.count(Verdict::Pass), 3);
    // The kernel may take a moment to remove killed processes.
    for look in 0.. {
        let Some(process) = sleeper(&marker) else { break };
        assert!(look < 10_000, "{process} still runs");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A process that sleeps for this time.
fn sleeper(seconds: &str) -> Option<String> {
    let processes = std::fs::read_dir("/proc").ok()?;
    processes.filter_map(Result::ok).map(|process| process.path()).find_map(|path| {
        let command = std::fs::read(path.join("cmdline")).ok()?;
        let command = String::from_utf8_lossy(&command).into_owned();
        (command.starts_with("sleep\0") && command.contains(seconds)).then(|| path.display().to_string())
    })
}

#[test]
fn a_program_that_cannot_be_started_is_reported() {
    let start = |target| run(SUITE, &target, &options(1, patient())).unwrap_err();
    let missing = specwright_harness::run::Target::Program(vec!["/nowhere/at/all".into()]);
    assert!(start(missing).0.to_string().starts_with("it cannot be started: /nowhere/at/all"));
    assert_eq!(start(script("exit 1")).0.to_string(), "it ended without an answer: exit code 1");
    let (error, stderr_tail) = start(script("echo oh no >&2; sleep 0.2; echo no"));
    assert_eq!((&*error.to_string(), &*stderr_tail), ("protocol error: `no` is not an answer", "oh no"));
    let other = script(r#"echo '{"protocol": "specwright/run/9"}'; sleep 9"#);
    let told = start(other).0.to_string();
    assert!(told.contains("it speaks the protocol"), "{told}");
}

#[test]
fn the_deadline_for_all_tests_is_kept() {
    // Only the deadline ends the first test, and the others are not started.
    let target = shell(Hooks { on_step: "sleep 1000", ..GOOD });
    let deadline = Some(Instant::now() + Duration::from_secs(2));
    let report = run(SUITE, &target, &options(1, Limits { deadline, ..patient() })).unwrap();
    assert!(report.outcomes.iter().all(|(_, outcome)| outcome.verdict == Verdict::Inconclusive));
    assert!(!report.not_run.is_empty());
}
