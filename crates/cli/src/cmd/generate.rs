//! `specwright generate`: a suite of tests that is adequate for a criterion.

mod folder;
mod summary;
mod wanted;

use crate::args::{Format, Generate};
use crate::cmd::goals;
use crate::console::{self, Console};
use crate::diagnostics;
use crate::exit_code::ExitCode;
use crate::findings;
use crate::load::{self, Loaded};
use folder::Folder;
use specwright_engine::{BuildError, Engine, Options};
use specwright_testgen::criteria;
use specwright_testgen::generate::{Run, generate};
use std::ops::ControlFlow;
use std::time::Duration;

pub fn run(console: &mut Console, args: &Generate) -> anyhow::Result<ExitCode> {
    let mut loaded = match load::load_unevaluated(console, &args.model) {
        Ok(loaded) => loaded,
        Err(code) => return Ok(code),
    };
    let tests_wanted = wanted::tests(&loaded.model, args)?;
    let goals_wanted = match goals::wanted(console, &mut loaded, &args.goals, args.model.dialect)? {
        Ok(wanted) => wanted,
        Err(code) => return Ok(code),
    };
    console::catch_interrupts();
    let mut engine = match engine(console, &loaded, args) {
        Ok(engine) => engine,
        Err(code) => return Ok(code),
    };
    let mut progress = console.progress(1);
    let explored = engine.explore(&mut |ring| progress.at(0, &format!("reachable states, {ring} steps deep")));
    progress.finish();
    if let Err(limit) = explored {
        console.error(format_args!("{}: {limit} before all reachable states were known", loaded.model.name));
        return Ok(ExitCode::Unknown);
    }
    let (goals, notes) = criteria::collect(&mut engine, &goals_wanted);
    goals::tell(console, &loaded.sources, &notes);

    let settings = wanted::settings(args);
    let mut folder = Folder::new(args.out.as_deref(), &loaded, settings)?;
    let mut run = if args.resume { folder.resume(engine.model(), &goals)? } else { Run::new(goals.len()) };
    let mut progress = console.progress(goals.len());
    let mut failure = None;
    let result = generate(&mut engine, &goals, &tests_wanted, &mut run, &mut |engine, run| {
        let counts = run.counts();
        let what = format!("{} covered, {} tests", counts.covered, run.tests.len());
        progress.at(run.n_decided(), &what);
        if let Err(error) = folder.save_now_and_then(engine.model(), &goals, run) {
            failure = Some(error);
            return ControlFlow::Break(());
        }
        if console::interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    progress.finish();
    if let Some(error) = failure {
        return Err(error);
    }
    folder.save(engine.model(), &goals, &run, result.is_continue())?;
    let summary = summary::Summary::new(&loaded.model, &goals, &run, args, result.is_continue());
    match args.format {
        Format::Text => console.out(summary.text(console.verbose()))?,
        Format::Json => console.out(format_args!("{}\n", serde_json::to_string_pretty(&summary)?))?,
    }
    console.flush()?;
    if result.is_break() {
        let how = if folder.can_resume() { ": `--resume` goes on from here" } else { "" };
        console.warning(format_args!("interrupted{how}"));
        return Ok(ExitCode::Unknown);
    }
    Ok(if run.counts().unknown > 0 { ExitCode::Unknown } else { ExitCode::Good })
}

fn engine(console: &mut Console, loaded: &Loaded, args: &Generate) -> Result<Engine, ExitCode> {
    let options = Options {
        max_memory: (args.max_memory as usize) << 20,
        timeout: args.timeout.map(Duration::from_secs_f64),
        interrupt: Some(console::interrupt_flag()),
        ..Options::default()
    };
    Engine::new(loaded.model.clone(), &options).map_err(|error| match error {
        BuildError::Limit(limit) => {
            console.error(format_args!("{}: {limit} before the model was built", loaded.model.name));
            ExitCode::Unknown
        }
        error => {
            diagnostics::report(console, &loaded.sources, &findings::build_error(&loaded.model, &error));
            ExitCode::Invalid
        }
    })
}
