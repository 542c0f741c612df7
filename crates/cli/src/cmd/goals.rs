//! The goals that the flags ask for, checked against the model.

use crate::args::{
    DialectName, GoalArgs, GuardArgs, IgnoreArgs, OperatorArgs, PropertiesName, RelateHow, SamenessName,
};
use crate::console::Console;
use crate::diagnostics::{self, count};
use crate::exit_code::ExitCode;
use crate::load::Loaded;
use crate::text;
use specwright_mc::Ends;
use specwright_model::formula::FormulaError;
use specwright_model::{Domain, Model, Trace, VarId};
use specwright_syntax::diagnostic::closest;
use specwright_syntax::span::SourceMap;
use specwright_testgen::criteria::{self, CRITERIA, Mutation, Note, Properties, UserGoal};
use specwright_testgen::goal::Goal;
use specwright_testgen::mutate::{Guard, GuardMode, Ignore, NAMES, Selection, parse_ignores};
use specwright_testgen::pair::{Ground, Settled, settle};
use specwright_testgen::reflect::Relate;
use specwright_testgen::suite::{Suite, Validated, validate};
use specwright_testgen::winnow::Sameness;
use std::collections::BTreeMap;
use std::path::Path;

/// So many notes are shown where there are many.
const NOTES: usize = 3;

/// The goals that are wanted. What the user spells out is added to the sources; if it makes no sense, that is reported.
pub fn wanted(
    console: &mut Console,
    loaded: &mut Loaded,
    args: &GoalArgs,
    dialect: DialectName,
) -> anyhow::Result<Result<criteria::Options, ExitCode>> {
    let mut wanted = criteria(&loaded.model, args)?;
    Ok(wishes(console, loaded, args, dialect).map(|wishes| {
        wanted.user_goals = wishes;
        wanted
    }))
}

impl From<PropertiesName> for Properties {
    fn from(name: PropertiesName) -> Properties {
        match name {
            PropertiesName::All => Properties::All,
            PropertiesName::Own => Properties::Own,
            PropertiesName::Reflected => Properties::Reflected,
        }
    }
}

impl From<RelateHow> for Relate {
    fn from(how: RelateHow) -> Relate {
        match how {
            RelateHow::Enumerate => Relate::Enumerate,
            RelateHow::Shadow => Relate::Shadow,
        }
    }
}

impl SamenessName {
    /// What is the same, and where paths may end on which that is judged.
    pub fn meaning(self) -> (Sameness, Ends) {
        match self {
            SamenessName::Paths => (Sameness::Paths, Ends::Nowhere),
            SamenessName::Tests => (Sameness::Paths, Ends::Anywhere),
            SamenessName::Branching => (Sameness::Branching, Ends::Nowhere),
        }
    }
}

/// The goals to be left out, each with its reason: a line, or a file of lines.
pub fn ignores(args: &IgnoreArgs) -> anyhow::Result<Vec<Ignore>> {
    let read = |given: &String| {
        let is_line = given.trim().contains(char::is_whitespace) && !Path::new(given).exists();
        let text =
            if is_line { given.clone() } else { text::read(Path::new(given), given).map_err(anyhow::Error::msg)? };
        let name = if is_line { "--ignore" } else { given };
        parse_ignores(&text).map_err(|error| anyhow::anyhow!("cannot use the ignore list {name}: {error}"))
    };
    args.ignore.iter().map(read).collect::<anyhow::Result<Vec<_>>>().map(|lists| lists.concat())
}

/// Which of the goals are to be left out, and why. If all goals are there and one to be left out is not, that is said.
pub fn ignored(console: &mut Console, ignores: &[Ignore], goals: &[Goal], args: &GoalArgs) -> BTreeMap<usize, String> {
    // Mutants are known by what they are, whichever operators were applied.
    let key = |id: &str| id.split_once('-').filter(|_| !id.contains(':')).map_or(id, |(_, key)| key).to_owned();
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, goal) in goals.iter().enumerate() {
        places.entry(key(&goal.id)).or_default().push(index);
    }
    let is_partial = !args.operators.is_default();
    let kind = |id: &str| id.split_once(':').map_or_else(String::new, |(kind, _)| kind.into());
    let mut ignored = BTreeMap::new();
    for ignore in ignores {
        match places.get(&key(&ignore.id)) {
            Some(goals) => ignored.extend(goals.iter().map(|goal| (*goal, ignore.reason.clone()))),
            None if is_partial || goals.iter().all(|goal| kind(&goal.id) != kind(&ignore.id)) => {}
            None => console.note(format_args!("there is no goal {} to ignore", ignore.id)),
        }
    }
    ignored
}

/// Takes out the goals that are to be ignored, with their reasons; how many these are is said.
pub fn leave_out(console: &mut Console, goals: &mut Vec<Goal>, args: &GoalArgs) -> anyhow::Result<Vec<(Goal, String)>> {
    let mut reasons = ignored(console, &ignores(&args.ignores)?, goals, args);
    let (mut left, mut out) = (Vec::new(), Vec::new());
    for (index, goal) in goals.drain(..).enumerate() {
        match reasons.remove(&index) {
            Some(reason) => out.push((goal, reason)),
            None => left.push(goal),
        }
    }
    *goals = left;
    if !out.is_empty() {
        console.note(format_args!("{} ignored, each for the reason that is given", count(out.len(), "goal")));
    }
    Ok(out)
}

/// Says what was left out; of many notes only some, unless the user wants all.
fn tell(console: &mut Console, sources: &SourceMap, notes: &[Note]) {
    let shown = if console.verbose() || notes.len() <= NOTES + 2 { notes.len() } else { NOTES };
    for note in &notes[..shown] {
        let place = sources.locate(note.span).map(|(_, line, _)| format!("line {line}: ")).unwrap_or_default();
        console.note(format_args!("{place}{}", note.message));
    }
    if shown < notes.len() {
        console.note(format_args!("{} more notes like these; `--verbose` shows all", notes.len() - shown));
    }
}

/// What is said of goals that only a contradiction stops.
pub fn stopped(n: usize) -> String {
    let verb = if n == 1 { "calls" } else { "call" };
    format!("{} {verb} for a step whose updates contradict each other, so no test can take it:", count(n, "goal"))
}

/// The goals that are wanted, but for those that the user spells out.
fn criteria(model: &Model, args: &GoalArgs) -> anyhow::Result<criteria::Options> {
    let mut wanted = criteria::Options::default();
    if !args.is_silent() {
        wanted.criteria = named_criteria("--criterion", &args.criterion)?;
    } else if !args.asks_for_mutants() {
        wanted.criteria = criteria::default_for(model);
    }
    for name in &args.variables {
        wanted.variables.push(var(model, "--variables", name)?);
    }
    wanted.ways = args.ways.into();
    wanted.mutation = Mutation {
        selection: selection(&args.operators)?,
        properties: args.properties.into(),
        guard: guard(model, &args.guards)?,
        relate: args.relate.into(),
    };
    Ok(wanted)
}

/// The names of criteria as they are listed.
pub fn named_criteria(flag: &str, names: &[String]) -> anyhow::Result<Vec<String>> {
    let known = |name: &String| {
        if let Some(criterion) = criteria::named(name) {
            return Ok(criterion.name.to_owned());
        }
        let hint = hint(name, CRITERIA.iter().map(|criterion| criterion.name));
        anyhow::bail!("{flag}: no criterion is called `{name}`{hint}")
    };
    names.iter().map(known).collect()
}

/// Says what was left out, and refuses to go on without a goal: a suite that covers all of nothing says nothing.
pub fn require(
    console: &mut Console,
    sources: &SourceMap,
    wanted: &criteria::Options,
    (goals, notes): (Vec<Goal>, Vec<Note>),
) -> Result<Vec<Goal>, ExitCode> {
    tell(console, sources, &notes);
    if !goals.is_empty() {
        return Ok(goals);
    }
    let criteria = &wanted.criteria;
    let names: Vec<String> = criteria.iter().map(|name| format!("`{name}`")).collect();
    let asks = if names.len() == 1 { "asks" } else { "ask" };
    console.error(format_args!("there is nothing to cover: {} {asks} for nothing here", names.join(", ")));
    if notes.iter().any(|note| note.message.contains("a shadow variable can")) {
        console.note("`--relate shadow` restates the machine with variables that remember the previous values");
    } else if criteria.iter().any(|name| name != "states" && name != "transitions") {
        console.note("`--criterion states,transitions` asks for something of every model with variables of few values");
    } else {
        console.note("`--variables` and `--keep` choose what is looked at of variables with many values");
    }
    Err(ExitCode::Invalid)
}

/// Settles the pairs among goals: by the tests of a suite, if there is one, and by what the engine knows.
pub fn settle_pairs(console: &mut Console, ground: Ground<'_>, goals: &mut [Goal], tests: &[Trace]) {
    let Settled { n_later, n_impossible } = settle(ground, goals, tests);
    let goals = |n: usize| if n == 1 { "1 goal is".into() } else { format!("{n} goals are") };
    if n_later > 0 {
        let goals = goals(n_later);
        console.note(format_args!(
            "MC/DC: {goals} about conditions that cannot change alone, and may be shown by masking"
        ));
    }
    if n_impossible > 0 {
        let goals = goals(n_impossible);
        console.note(format_args!("MC/DC: {goals} without a pair: no two executions show that the condition decides"));
    }
}

/// The executions of a suite, if any goal is the half of a pair: its tests but for those that are no executions.
pub fn executions(model: &Model, suite: &Suite, goals: &[Goal]) -> Vec<Trace> {
    if goals.iter().all(|goal| goal.pair.is_none()) {
        return Vec::new();
    }
    let execution = |test| match validate(model, test) {
        Ok(Validated::Execution(trace)) => Some(trace),
        _ => None,
    };
    suite.tests.iter().filter_map(execution).collect()
}

/// The soundness guards, if there are any.
pub fn guard(model: &Model, args: &GuardArgs) -> anyhow::Result<Option<Guard>> {
    let Some(name) = &args.guard else { return Ok(None) };
    let var = var(model, "--guard", name)?;
    if model[var].domain != Domain::Bool {
        anyhow::bail!("--guard: `{name}` is neither true nor false");
    }
    Ok(Some(Guard { var, mode: if args.visible_guards { GuardMode::Visible } else { GuardMode::Ignored } }))
}

/// The operators that are to be applied.
pub fn selection(args: &OperatorArgs) -> anyhow::Result<Selection> {
    let (chosen, excluded) = (operators("--operators", &args.operators)?, operators("--exclude", &args.exclude)?);
    Ok(if args.operators.is_empty() { Selection::default() } else { chosen }.without(excluded))
}

pub fn operators(flag: &str, names: &[String]) -> anyhow::Result<Selection> {
    names.iter().try_fold(Selection::NONE, |all, name| {
        Selection::named(name).map(|named| all.and(named)).map_err(|error| {
            let known = || NAMES.iter().map(|(known, ..)| *known);
            let hint = match &*hint(name, known()) {
                "" => format!("; there are {}", known().collect::<Vec<_>>().join(", ")),
                hint => hint.to_owned(),
            };
            anyhow::anyhow!("{flag}: {error}{hint}")
        })
    })
}

/// What the user asks for on the command line, each as a source of its own, so that mistakes are shown in place.
fn wishes(
    console: &mut Console,
    loaded: &mut Loaded,
    args: &GoalArgs,
    dialect: DialectName,
) -> Result<Vec<UserGoal>, ExitCode> {
    let given = args.goal.iter().map(|text| ("--goal", text)).chain(args.trap.iter().map(|text| ("--trap", text)));
    let mut wishes = Vec::new();
    for (flag, text) in given {
        let Ok(index) = loaded.sources.add(flag, text.as_str()) else { return Err(ExitCode::Invalid) };
        let file = loaded.sources.files()[index].clone();
        let read = if flag == "--goal" { UserGoal::goal } else { UserGoal::trap };
        match read(&mut loaded.model, &file, dialect.into()) {
            Ok(wish) => wishes.push(wish),
            Err(FormulaError::Invalid(diagnostics)) => {
                diagnostics::report(console, &loaded.sources, &diagnostics);
                return Err(ExitCode::Invalid);
            }
            Err(FormulaError::NotBoolean) => {
                console.error(format_args!("{flag}: `{text}` is neither true nor false"));
                return Err(ExitCode::Invalid);
            }
        }
    }
    Ok(wishes)
}

/// A property by its name, or by its number in the file.
pub fn find_property(model: &Model, name: &str) -> Option<usize> {
    let named = model.properties.iter().position(|property| property.name.as_deref() == Some(name));
    let numbered = || name.parse::<usize>().ok()?.checked_sub(1).filter(|index| *index < model.properties.len());
    named.or_else(numbered)
}

/// The same for `--property`, where there must be one.
pub fn property(model: &Model, name: &str) -> anyhow::Result<usize> {
    find_property(model, name).ok_or_else(|| {
        let hint = hint(name, model.properties.iter().filter_map(|property| property.name.as_deref()));
        anyhow::anyhow!("--property: there is no property `{name}` in {}{hint}", model.name)
    })
}

pub fn var(model: &Model, flag: &str, name: &str) -> anyhow::Result<VarId> {
    model.var_named(name).ok_or_else(|| {
        let hint = hint(name, model.vars.iter().map(|var| var.name.as_str()));
        anyhow::anyhow!("{flag}: there is no variable `{name}` in {}{hint}", model.name)
    })
}

pub fn hint<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    closest(name, known).map(|known| format!("; did you mean `{known}`?")).unwrap_or_default()
}
