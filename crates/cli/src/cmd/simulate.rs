//! `specwright simulate`: a walk through a model, at random or as the user chooses.

mod choose;

use crate::args::{Format, Simulate};
use crate::console::{Console, HEADING, interrupted};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use choose::{Choice, Chooser};
use specwright::Session;
use specwright_model::interp::{Explorer, Random, Search, SearchError, Step};
use specwright_model::model::VarKind;
use specwright_model::trace::TraceJson;
use specwright_model::{Model, State, Trace};

/// Values and constraints that are tried in the search for one state.
const WORK_PER_STEP: u64 = 20_000_000;

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
    crate::console::catch_interrupts();
    let model = &session.model;
    let explorer = Explorer::new(model);
    let mut walk = Walk::new(model, args);
    let end = if args.interactive {
        walk_as_chosen(console, &explorer, &mut walk, args)?
    } else {
        walk_at_random(console, &explorer, &mut walk, args)?
    };
    if args.format == Format::Json {
        let trace = Trace { states: std::mem::take(&mut walk.states), loop_start: None };
        console.document(serde_json::to_string_pretty(&TraceJson::document(model, &trace))?)?;
        console.document("\n")?;
    }
    Ok(explain_end(console, &session, walk.n_states, &end))
}

fn walk_at_random(
    console: &mut Console,
    explorer: &Explorer<'_>,
    walk: &mut Walk<'_>,
    args: &Simulate,
) -> anyhow::Result<End> {
    let mut random = Random::new(args.seed);
    let mut first = |search: Search<'_>| search.shuffled(Random::new(random.next_u64())).limit(WORK_PER_STEP).next();
    let mut next = first(explorer.initial());
    for n_steps in 0..=args.steps {
        match next {
            Some(Ok(step)) => walk.take(console, step)?,
            Some(Err(error)) => return Ok(End::Failed(error)),
            None => return Ok(End::Stuck),
        }
        if interrupted() {
            return Ok(End::Interrupted);
        }
        if n_steps == args.steps || console.closed() {
            break;
        }
        next = first(explorer.steps(walk.last()));
    }
    Ok(End::Done)
}

fn walk_as_chosen(
    console: &mut Console,
    explorer: &Explorer<'_>,
    walk: &mut Walk<'_>,
    args: &Simulate,
) -> anyhow::Result<End> {
    let mut chooser = Chooser::new(Random::new(args.seed));
    loop {
        let now = walk.states.last().cloned();
        let search = || now.as_ref().map_or_else(|| explorer.initial(), |now| explorer.steps(now)).limit(WORK_PER_STEP);
        match chooser.choose(console, walk.model, now.as_ref(), &search)? {
            Choice::Take(step) => walk.take(console, step)?,
            Choice::Back => walk.back(console)?,
            Choice::Quit => return Ok(End::Done),
            Choice::Stuck => return Ok(End::Stuck),
            Choice::Failed(error) => return Ok(End::Failed(error)),
        }
        if interrupted() {
            return Ok(End::Interrupted);
        }
    }
}

/// The states so far, printed as they come.
struct Walk<'m> {
    model: &'m Model,
    /// All states, or only the last one if the others are not needed.
    states: Vec<State>,
    n_states: usize,
    keeps_all: bool,
    prints: bool,
    full: bool,
}

impl<'m> Walk<'m> {
    fn new(model: &'m Model, args: &Simulate) -> Walk<'m> {
        let prints = args.format == Format::Text;
        Walk { model, states: Vec::new(), n_states: 0, keeps_all: args.interactive || !prints, prints, full: args.full }
    }

    fn last(&self) -> &State {
        self.states.last().expect("a walk starts with an initial state")
    }

    /// Takes a step: fills in the inputs of the state that is left, and goes on to the one that follows.
    fn take(&mut self, console: &mut Console, step: Step) -> anyhow::Result<()> {
        if let Some(last) = self.states.last_mut() {
            last.clone_from(&step.now);
            self.print_inputs(console)?;
        }
        if !self.keeps_all && self.states.len() > 1 {
            self.states.remove(0);
        }
        self.states.push(step.next);
        self.n_states += 1;
        self.print_state(console)
    }

    /// Takes the last step back.
    fn back(&mut self, console: &mut Console) -> anyhow::Result<()> {
        if self.states.len() < 2 {
            console.err("This is where the walk begins.\n");
            return Ok(());
        }
        self.states.pop();
        self.n_states -= 1;
        // The inputs of the state belong to the step that was taken back.
        let last = self.states.last_mut().expect("there were two");
        for (var, _) in self.model.vars().filter(|(_, var)| var.kind == VarKind::Input) {
            last.set(var, None);
        }
        self.print_state(console)
    }

    /// The last state: all of it, or what differs from the one before.
    fn print_state(&self, console: &mut Console) -> anyhow::Result<()> {
        if !self.prints {
            return Ok(());
        }
        console.out(format_args!("{HEADING}-> State: 1.{} <-{HEADING:#}\n", self.n_states))?;
        let before = if self.full { None } else { self.states.iter().rev().nth(1) };
        for (name, value) in differences(self.model, before, self.last()) {
            console.out(format_args!("  {name} = {value}\n"))?;
        }
        Ok(())
    }

    /// The inputs with which the last state is left.
    fn print_inputs(&self, console: &mut Console) -> anyhow::Result<()> {
        let inputs = inputs(self.model, self.last());
        if self.prints && !inputs.is_empty() {
            console.out(format_args!("{HEADING}-> Input: 1.{} <-{HEADING:#}\n", self.n_states + 1))?;
            for (name, value) in inputs {
                console.out(format_args!("  {name} = {value}\n"))?;
            }
        }
        Ok(())
    }
}

/// What a state says that the one before did not, in declared order; inputs are not part of it.
fn differences<'m>(model: &'m Model, before: Option<&State>, state: &State) -> Vec<(&'m str, String)> {
    let of_state = model.vars().filter(|(_, var)| var.kind != VarKind::Input);
    let changed = of_state.filter(|(id, _)| before.is_none_or(|before| before.get(*id) != state.get(*id)));
    changed.filter_map(|(id, var)| Some((var.name.as_str(), model.show(state.get(id)?)))).collect()
}

/// The inputs with which a state is left.
fn inputs<'m>(model: &'m Model, state: &State) -> Vec<(&'m str, String)> {
    let inputs = model.vars().filter(|(_, var)| var.kind == VarKind::Input);
    inputs.filter_map(|(id, var)| Some((var.name.as_str(), model.show(state.get(id)?)))).collect()
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
            console.warning(format_args!("no step leads on from state {n_states}: the walk ends after {steps}"));
            ExitCode::Good
        }
        End::Interrupted => {
            console.note(format_args!("interrupted after {steps}"));
            ExitCode::Unknown
        }
        End::Failed(SearchError::Limit) => {
            console
                .error(format_args!("the search for a next state was given up after {steps}: too many values to try"));
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
