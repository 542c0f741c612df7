//! The dialogue of `simulate --interactive`: the possible steps are listed, the user picks one by its number.
//!
//! Choices and prompts go to stderr, so that stdout holds the walk and nothing else.

use crate::console::{Console, HEADING, QUIET};
use specwright::model::interp::{Random, Search, SearchError, Step};
use specwright::simulate::{Walk, changes, inputs};
use std::io::{self, BufRead};

/// Choices that are shown at a time.
const PAGE: usize = 20;

const HELP: &str = "\
  3      take the step with that number
  Enter  take the only step, if there is only one; list the steps again otherwise
  m      show more steps
  r      take one of the steps at random
  b      go back one step
  ?      show this help
  q      quit
";

/// What the user wants.
pub(super) enum Choice {
    Take(Step),
    Back,
    Quit,
    /// There is nothing to choose from.
    Stuck,
    Failed(SearchError),
}

/// Asks the user.
pub(super) struct Chooser {
    random: Random,
    introduced: bool,
}

impl Chooser {
    pub(super) fn new(random: Random) -> Chooser {
        Chooser { random, introduced: false }
    }

    /// Lists the steps of a walk and asks which one to take. At the end of the input, that is to quit.
    pub(super) fn choose(&mut self, console: &mut Console, walk: &Walk<'_>) -> anyhow::Result<Choice> {
        let mut steps = walk.steps();
        let mut known: Vec<Step> = Vec::new();
        match more(&mut steps, &mut known) {
            Err(error) => return Ok(Choice::Failed(error)),
            Ok(_) if known.is_empty() => return Ok(Choice::Stuck),
            Ok(_) => {}
        }
        console.flush()?;
        if !self.introduced {
            self.introduced = true;
            console.note("type the number of a step, `?` for help, `q` to quit");
        }
        list(console, walk, &known, 0);
        loop {
            let end = if known.len().is_multiple_of(PAGE) { "…" } else { "" };
            console.err(format_args!("{HEADING}[1-{}{end}]>{HEADING:#} ", known.len()));
            let mut line = String::new();
            if io::stdin().lock().read_line(&mut line)? == 0 {
                console.err("\n");
                return Ok(Choice::Quit);
            }
            match line.trim() {
                "" if known.len() == 1 => return Ok(Choice::Take(known.remove(0))),
                "" => list(console, walk, &known, 0),
                "?" | "h" | "help" => console.err(HELP),
                "q" | "quit" | "exit" => return Ok(Choice::Quit),
                "b" => return Ok(Choice::Back),
                "m" => {
                    let shown = known.len();
                    match more(&mut steps, &mut known) {
                        Err(error) => return Ok(Choice::Failed(error)),
                        Ok(0) => console.err("There are no more.\n"),
                        Ok(_) => list(console, walk, &known, shown),
                    }
                }
                "r" => {
                    return Ok(match walk.random_step(&mut self.random) {
                        Some(Ok(step)) => Choice::Take(step),
                        Some(Err(error)) => Choice::Failed(error),
                        None => Choice::Stuck,
                    });
                }
                other => match other.parse::<usize>() {
                    Ok(number) if (1..=known.len()).contains(&number) => {
                        return Ok(Choice::Take(known.swap_remove(number - 1)));
                    }
                    _ => console
                        .err(format_args!("`{}` is not one of the choices; `?` shows help.\n", other.escape_debug())),
                },
            }
        }
    }
}

/// Finds another page of steps, and says how many there are on it.
fn more(search: &mut Search<'_>, known: &mut Vec<Step>) -> Result<usize, SearchError> {
    let before = known.len();
    for step in search.take(PAGE) {
        known.push(step?);
    }
    Ok(known.len() - before)
}

/// The steps from a given one on, each by what it changes.
fn list(console: &mut Console, walk: &Walk<'_>, steps: &[Step], from: usize) {
    for (index, step) in steps.iter().enumerate().skip(from) {
        let inputs = inputs(walk.model(), &step.now).into_iter();
        let changes = changes(walk.model(), walk.last(), &step.next).into_iter();
        let words: Vec<String> = inputs.chain(changes).map(|(name, value)| format!("{name} = {value}")).collect();
        let words = if words.is_empty() { format!("{QUIET}nothing changes{QUIET:#}") } else { words.join(", ") };
        console.err(format_args!("{:>3}  {words}\n", index + 1));
    }
}
