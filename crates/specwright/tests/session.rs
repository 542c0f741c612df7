//! Sessions as programs use them.
#![expect(clippy::unwrap_used, reason = "a test that cannot do its work should say so and stop")]

use specwright::document::{SafetyDocument, json};
use specwright::events::Level;
use specwright::export::FORMATS;
use specwright::goals::Goal;
use specwright::model::interp::Random;
use specwright::tables::{Covered, marked};
use specwright::{
    Answer, BoundSuite, CheckSettings, CompareSettings, Failure, GenerateSettings, GoalSettings, GradeSettings, Limits,
    MinimizeSettings, MutateSettings, ReadSettings, ReflectSettings, Safety, SafetySettings, Session, Silent,
    SuiteSource,
};
use std::ops::ControlFlow;
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

#[test]
fn mutants_come_one_by_one_and_can_be_counted() {
    let (session, settings) = (lock(), MutateSettings { machine: true, ..MutateSettings::default() });
    let mut ids = Vec::new();
    let mutating = session.mutate(&settings, &mut Silent::default()).unwrap();
    let all = mutating
        .each(&mut |mutant| {
            assert!(mutant.diff().is_some() && mutant.place().starts_with("lock.smv:"));
            ids.push(mutant.id());
            Ok::<_, Failure>(ControlFlow::Continue(()))
        })
        .unwrap();
    assert_eq!(ids.len(), all.n_mutants);
    assert!(all.counts.iter().map(|operator| operator.n).sum::<usize>() >= all.n_mutants);
    let sampled = MutateSettings { sample: Some(3), ..settings };
    let mutating = session.mutate(&sampled, &mut Silent::default()).unwrap();
    let some = mutating.each(&mut |mutant| {
        assert!(ids.contains(&mutant.id()));
        Ok::<_, Failure>(ControlFlow::Continue(()))
    });
    assert_eq!(some.unwrap().n_mutants, 3);
}

#[test]
fn a_machine_is_safe_or_it_is_shown_why_not() {
    let (session, mut events) = (lock(), Silent::default());
    let settings = SafetySettings { property: vec!["door != locked".into()], ..SafetySettings::default() };
    let Safety::Violated(violations) = session.safety(None, &settings, &mut events).unwrap() else {
        panic!("the door can be locked")
    };
    assert_eq!(violations[0].1.states.len(), 3);
    let text = LOCK.replace("SPEC AG door != locked", "").replace("door = open : shut", "door = open : {open, shut}");
    let session = Session::parse("lock.smv", text, &ReadSettings::default(), &mut events).unwrap();
    let settings = SafetySettings { property: vec!["door in {open, shut, locked}".into()], ..settings };
    let Safety::Analysed(found) = session.safety(None, &settings, &mut events).unwrap() else {
        panic!("all doors are open, shut or locked")
    };
    let document = json(&SafetyDocument::new(&found, None)).unwrap();
    assert!(document.contains("\"dangerous\": 0") && document.ends_with("}\n"));
}

#[test]
fn the_machine_restated_holds_and_compares_with_itself() {
    let (session, mut events) = (lock(), Silent::default());
    let reflected = session.reflect(&ReflectSettings::default(), &mut events).unwrap();
    let text = reflected.machine(false).unwrap();
    let restated = Session::parse("restated.smv", text, &ReadSettings::default(), &mut events).unwrap();
    let checked = restated.check(&CheckSettings::default(), &mut events).unwrap();
    assert_eq!(checked.verdicts.len(), reflected.reflection.clauses.len());
    assert!(!checked.verdicts.is_empty() && checked.verdicts.iter().all(|verdict| verdict.word() == "holds"));
    let settings = CompareSettings { criteria: vec!["states".into(), "transitions".into()], ..Default::default() };
    let specwright::compare::Comparing::Done(compared) = session.compare(&settings, &mut events).unwrap() else {
        panic!("no shard was asked for")
    };
    assert_eq!(compared.best().map(|row| row.name.as_str()), Some("transitions"));
}

#[test]
fn a_walk_goes_on_and_back() {
    let session = lock();
    let (mut walk, mut random) = (session.walk(true), Random::new(7));
    for n in 1..=5 {
        let step = walk.random_step(&mut random).unwrap().unwrap();
        walk.take(step);
        assert_eq!(walk.n_states(), n);
    }
    assert!(walk.back());
    assert_eq!(walk.into_trace().states.len(), 4);
}

#[test]
fn a_suite_bound_to_its_model_is_exported_in_every_format() {
    let folder = std::env::temp_dir().join(format!("specwright-session-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut events = Silent::default();
    let suite = folder.join("suite.json");
    let settings = GenerateSettings { out: Some(suite.clone()), ..GenerateSettings::default() };
    let generated = lock().generate(&settings, &mut events).unwrap();
    let source = SuiteSource { suite, ..SuiteSource::default() };
    let bound = BoundSuite::open(&source, &mut events).unwrap();
    assert!(!bound.has_behaviour, "the model is no file");
    assert_eq!(bound.read.suite.tests, generated.suite().tests);
    for format in &FORMATS {
        let files = bound.export(format).unwrap();
        assert!(!files.is_empty(), "{format:?}");
        for file in files {
            assert!(format.extensions().iter().any(|extension| file.name.ends_with(extension)), "{}", file.name);
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
