//! Sessions as programs use them.
#![expect(clippy::unwrap_used, reason = "a test that cannot do its work should say so and stop")]

use specwright::events::Level;
use specwright::mc::Answer;
use specwright::tables::{Covered, marked};
use specwright::testgen::goal::Goal;
use specwright::{
    CheckSettings, Failure, GenerateSettings, GoalSettings, GradeSettings, Limits, MinimizeSettings, ReadSettings,
    Session, Silent,
};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const LOCK: &str = "MODULE main
    IVAR key : boolean;
    VAR door : {open, shut, locked};
    ASSIGN
      init(door) := open;
      next(door) := case key & door = shut : locked; key & door = locked : shut; door = open : shut; TRUE : door; esac;
    SPEC AG (door = locked -> AX door != open)
    SPEC AG door != locked
    SPEC AG (FALSE -> door = open)";

fn lock() -> Session {
    Session::parse("lock.smv", LOCK, &ReadSettings::default(), &mut Silent::default()).unwrap()
}

#[test]
fn a_session_and_its_results_can_go_to_another_thread() {
    fn is_send<T: Send + 'static>(_: &T) {}
    let session = lock();
    let generated = session.generate(&GenerateSettings::default(), &mut Silent::default()).unwrap();
    let graded = session.grade(generated.suite(), &GradeSettings::default(), &mut Silent::default()).unwrap();
    let minimized = session.minimize(&graded.read, &MinimizeSettings::default(), &mut Silent::default()).unwrap();
    is_send(&session);
    is_send(&generated);
    is_send(&graded);
    is_send(&minimized);
    let check =
        move || session.check(&CheckSettings::default(), &mut Silent::default()).map(|checked| checked.verdicts);
    let verdicts = std::thread::spawn(check).join().unwrap().unwrap();
    assert_eq!(verdicts.iter().map(specwright::check::Verdict::word).collect::<Vec<_>>(), ["holds", "fails", "holds"]);
}

#[test]
fn a_check_warns_of_what_says_nothing() {
    let checked = lock().check(&CheckSettings::default(), &mut Silent::default()).unwrap();
    let codes: Vec<&str> = checked.warnings.iter().map(|warning| warning.code.0).collect();
    assert_eq!(codes, [specwright::syntax::smv::codes::VACUOUS.0]);
    assert_eq!(checked.n_states.map(|count| count.to_string()).as_deref(), Some("3"));
}

#[test]
fn what_is_generated_is_graded_full_and_can_be_minimized() {
    let (session, mut events) = (lock(), Silent::default());
    let goals = GoalSettings::criteria(["states", "transitions"]);
    let settings = GenerateSettings { goals: goals.clone(), ..GenerateSettings::default() };
    let generated = session.generate(&settings, &mut events).unwrap();
    assert!(generated.is_finished && generated.is_decided());
    let ids = |goals: &[Goal]| goals.iter().map(|goal| goal.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&generated.goals), ids(&session.goals(&goals, &mut events).unwrap().goals));
    assert_eq!(generated.run.counts().covered, generated.goals.len() - generated.run.counts().infeasible);
    let settings = GradeSettings { goals: goals.clone(), ..GradeSettings::default() };
    let graded = session.grade(generated.suite(), &settings, &mut events).unwrap();
    assert_eq!(graded.score().reached, graded.score().total);
    assert!(graded.survivors().next().is_none());
    let settings = MinimizeSettings { goals, ..MinimizeSettings::default() };
    let minimized = session.minimize(&graded.read, &settings, &mut events).unwrap();
    assert!(minimized.after.tests <= minimized.before.tests && minimized.minimum.is_optimal());
    assert_eq!(minimized.n_reached, graded.score().reached);
}

#[test]
fn a_session_is_as_it_was_after_each_use() {
    let session = lock();
    let settings = GenerateSettings {
        goals: GoalSettings { goal: vec!["door = locked".into()], ..GoalSettings::default() },
        ..GenerateSettings::default()
    };
    let first = session.generate(&settings, &mut Silent::default()).unwrap();
    let second = session.generate(&settings, &mut Silent::default()).unwrap();
    assert_eq!(first.run, second.run);
    assert_eq!(session.sources.files().len(), 1, "goals are sources of the results alone");
}

#[test]
fn what_is_cancelled_says_so_and_decides_nothing() {
    let limits = Limits { cancel: Arc::new(AtomicBool::new(false)), ..Limits::default() };
    let session = lock();
    limits.cancel.store(true, Ordering::Relaxed);
    let settings = CheckSettings { limits: limits.clone(), ..CheckSettings::default() };
    match session.check(&settings, &mut Silent::default()) {
        Ok(checked) => assert!(checked.verdicts.iter().all(|verdict| verdict.violation == Answer::INTERRUPTED)),
        Err(failure) => assert_eq!(failure, Failure::Undecided),
    }
    let settings = GenerateSettings { limits, ..GenerateSettings::default() };
    match session.generate(&settings, &mut Silent::default()) {
        Ok(generated) => assert!(!generated.is_decided()),
        Err(failure) => assert_eq!(failure, Failure::Undecided),
    }
}

#[test]
fn why_there_is_no_result_is_told_once() {
    let (settings, mut events) = (ReadSettings::default(), Silent::default());
    let failure = Session::open(Path::new("no such file.smv"), &settings, &mut events).err();
    assert_eq!(failure, Some(Failure::Invalid));
    assert!(matches!(&events.messages[..], [(Level::Error, text)] if text.contains("there is no such file")));

    let mut events = Silent::default();
    let failure = Session::parse("wrong.smv", "MODULE main VAR x : boolean; INIT y", &settings, &mut events).err();
    assert_eq!((failure, events.diagnostics.len()), (Some(Failure::Invalid), 1));

    let unknown = CheckSettings { property: vec!["nonsense".into()], ..CheckSettings::default() };
    let failure = lock().check(&unknown, &mut Silent::default()).err();
    assert!(matches!(failure, Some(Failure::Message(text)) if text.contains("no property `nonsense`")));
}

#[test]
fn goals_in_focus_are_still_those_of_the_tables() {
    const HEATER: &str = "monitored
  cold, broken : boolean
modes
  M : {Off, On, Halt} initially Off
inputs any
mode matrix M
  from | cold | broken | to
  Off  | @T   | f      | On
  On   | @F   | f      | Off
  On   | -    | @T     | Halt
";
    let session = Session::parse("heater.scr", HEATER, &ReadSettings::default(), &mut Silent::default()).unwrap();
    let marks = |keep: &[&str]| {
        let keep = keep.iter().map(|text| (*text).to_owned()).collect();
        let settings =
            GenerateSettings { goals: GoalSettings::criteria(["table"]), keep, ..GenerateSettings::default() };
        let generated = session.generate(&settings, &mut Silent::default()).unwrap();
        let tables = marked(&generated.model, &generated.goals, |_| Covered::Missed).unwrap();
        tables.iter().flat_map(|table| table.rows.iter().flatten()).map(|cell| cell.marks.len()).sum::<usize>()
    };
    assert!(marks(&[]) > 0);
    assert_eq!(marks(&["M in {Off, On}"]), marks(&[]));
}
