//! `specwright simulate`: a walk through a model, at random or as the user chooses.

mod choose;

use crate::args::{Format, Simulate};
use crate::console::{Console, HEADING, interrupted};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use choose::{Choice, Chooser};
use specwright::model::interp::{Random, SearchError, Step};
use specwright::simulate::Walk;
use specwright::{Session, document};

/// Why a walk ended.
enum End {
    /// It is as long as it was to be, or the user has had enough.
    Done,
    /// No step leads on from the last state; or there is no first one.
    Stuck,
    /// The user pressed Ctrl-C.
    Interrupted,
    /// The model has no value somewhere, or the search took too long.
    Failed(SearchError),
}

pub fn run(console: &mut Console, args: &Simulate) -> anyhow::Result<ExitCode> {
    let session = args.model.open_evaluated(console)?;
    let mut walk = session.walk(args.interactive || args.format == Format::Json).with_defines(args.defines.into());
    let end = if args.interactive {
        walk_as_chosen(console, &mut walk, args)?
    } else {
        walk_at_random(console, &mut walk, args)?
    };
    let n_states = walk.n_states();
    if args.format == Format::Json {
        console.document(document::json(&walk.into_document())?)?;
    }
    Ok(explain_end(console, &session, n_states, &end))
}

fn walk_at_random(console: &mut Console, walk: &mut Walk<'_>, args: &Simulate) -> anyhow::Result<End> {
    let mut random = Random::new(args.seed);
    for n_steps in 0..=args.steps {
        match walk.random_step(&mut random) {
            Some(Ok(step)) => take(console, walk, step, args)?,
            Some(Err(error)) => return Ok(End::Failed(error)),
            None => return Ok(End::Stuck),
        }
        if interrupted() {
            return Ok(End::Interrupted);
        }
        if n_steps == args.steps || console.closed() {
            break;
        }
    }
    Ok(End::Done)
}

fn walk_as_chosen(console: &mut Console, walk: &mut Walk<'_>, args: &Simulate) -> anyhow::Result<End> {
    let mut chooser = Chooser::new(Random::new(args.seed));
    loop {
        match chooser.choose(console, walk)? {
            Choice::Take(step) => take(console, walk, step, args)?,
            Choice::Back if walk.back() => print_state(console, walk, args)?,
            Choice::Back => console.err("This is where the walk begins.\n"),
            Choice::Quit => return Ok(End::Done),
            Choice::Stuck => return Ok(End::Stuck),
            Choice::Failed(error) => return Ok(End::Failed(error)),
        }
        if interrupted() {
            return Ok(End::Interrupted);
        }
    }
}

/// Takes a step, and prints it.
fn take(console: &mut Console, walk: &mut Walk<'_>, step: Step, args: &Simulate) -> anyhow::Result<()> {
    walk.take(step);
    let inputs = walk.last_inputs();
    if args.format == Format::Text && !inputs.is_empty() {
        console.out(format_args!("{HEADING}-> Input: 1.{} <-{HEADING:#}\n", walk.n_states()))?;
        print_values(console, inputs)?;
    }
    print_state(console, walk, args)
}

/// The last state: all of it, or what differs from the one before.
fn print_state(console: &mut Console, walk: &Walk<'_>, args: &Simulate) -> anyhow::Result<()> {
    if args.format == Format::Text {
        console.out(format_args!("{HEADING}-> State: 1.{} <-{HEADING:#}\n", walk.n_states()))?;
        print_values(console, walk.last_values(args.full))?;
    }
    Ok(())
}

fn print_values(console: &mut Console, values: Vec<(&str, String)>) -> anyhow::Result<()> {
    for (name, value) in values {
        console.out(format_args!("  {name} = {value}\n"))?;
    }
    Ok(())
}

/// Says why the walk ended, where that needs saying.
fn explain_end(console: &mut Console, session: &Session, n_states: usize, end: &End) -> ExitCode {
    let steps = count(n_states.saturating_sub(1), "step");
    match end {
        End::Done => ExitCode::Good,
        End::Stuck if n_states == 0 => {
            console.error(format_args!("{} has no initial state", session.model.name));
            ExitCode::Invalid
        }
        End::Stuck => {
            console
                .warning(format_args!("deadlock: state {n_states} has no successor, and the walk ends after {steps}"));
            ExitCode::Good
        }
        End::Interrupted => {
            console.note(format_args!("interrupted after {steps}"));
            ExitCode::Unknown
        }
        End::Failed(SearchError::Limit) => {
            console
                .error(format_args!("the search for a next state was stopped after {steps}: too many values to try"));
            ExitCode::Unknown
        }
        End::Failed(error) => {
            let place = session.sources.locate(error.span(&session.model));
            let place =
                place.map(|(file, line, column)| format!("{}:{line}:{column}: ", file.name)).unwrap_or_default();
            let when = if n_states == 0 { "in an initial state".into() } else { format!("after {steps}") };
            console.error(format_args!("{place}{}, {when}", error.describe(&session.model)));
            ExitCode::Invalid
        }
    }
}
