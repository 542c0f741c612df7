//! The goals that settings ask for, checked against the model.

use crate::events::Events;
use crate::failure::Failure;
use crate::kill::Kill;
use crate::session::{ReadSettings, Session};
use crate::text;
use crate::words::{count, hint};
use specwright_model::formula::FormulaError;
use specwright_model::{Domain, Model, Trace, VarId};
use specwright_syntax::span::SourceMap;
pub use specwright_testgen::criteria::Properties;
use specwright_testgen::criteria::{self, CRITERIA, MACHINE_MUTATION, Mutation, Note, UserGoal};
use specwright_testgen::fsm::is_fsm;
pub use specwright_testgen::goal::Goal;
use specwright_testgen::mutate::{Guard, GuardMode, Ignore, NAMES, Selection, parse_ignores};
use specwright_testgen::pair::{Ground, Settled, settle};
use specwright_testgen::reflect::Relate;
use specwright_testgen::suite::{Suite, Validated, validate};
use std::collections::BTreeMap;
use std::path::Path;

/// This number of notes is shown where there are many.
const NOTES: usize = 3;

/// Which goals are wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalSettings {
    /// The criteria by their names. Without them nothing but the goals and traps given; if there are none, the default of
    /// the language.
    pub criterion: Vec<String>,
    /// Expressions or formulas that are to hold somewhere on a test.
    pub goal: Vec<String>,
    /// Formulas that a test is to falsify.
    pub trap: Vec<String>,
    /// The variables that criteria are about; all if none are given.
    pub variables: Vec<String>,
    /// How many inputs `pairs` combines.
    pub ways: usize,
    /// How many states an implementation may have beyond those of the minimal machine, for `w`, `wp` and `hsi`.
    pub extra_states: usize,
    /// How many steps the tests of each criterion for machines may have.
    pub max_steps: usize,
    /// Which properties are mutated.
    pub properties: Properties,
    /// How the properties that restate the machine relate two states.
    pub relate: Relate,
    /// The mutation operators, by their names; the default ones if none are given.
    pub operators: Vec<String>,
    /// Mutation operators not to apply.
    pub exclude: Vec<String>,
    /// The variable of soundness guards, which are not mutated.
    pub guard: Option<String>,
    /// Whether guards are mutated as the literature did.
    pub visible_guards: bool,
    /// Goals to leave out: each a line `NAME REASON`, or a file of such lines.
    pub ignore: Vec<String>,
}

impl Default for GoalSettings {
    fn default() -> GoalSettings {
        GoalSettings {
            criterion: Vec::new(),
            goal: Vec::new(),
            trap: Vec::new(),
            variables: Vec::new(),
            ways: 2,
            extra_states: 0,
            max_steps: 100_000,
            properties: Properties::default(),
            relate: Relate::default(),
            operators: Vec::new(),
            exclude: Vec::new(),
            guard: None,
            visible_guards: false,
            ignore: Vec::new(),
        }
    }
}

impl GoalSettings {
    /// The goals of these criteria.
    pub fn criteria<'a>(names: impl IntoIterator<Item = &'a str>) -> GoalSettings {
        GoalSettings { criterion: names.into_iter().map(str::to_owned).collect(), ..GoalSettings::default() }
    }

    /// Whether nothing says which goals are wanted.
    pub fn is_silent(&self) -> bool {
        self.criterion.is_empty() && self.goal.is_empty() && self.trap.is_empty()
    }

    /// Whether all operators are applied that are on by default.
    fn has_default_operators(&self) -> bool {
        self.operators.is_empty() && self.exclude.is_empty()
    }

    /// Whether something is said about mutants of properties, so that these are wanted.
    fn asks_for_mutants(&self) -> bool {
        !self.has_default_operators() || self.properties != Properties::All || self.guard.is_some()
    }

    /// How to read a model of which these goals are wanted.
    #[must_use]
    pub fn reading(&self, settings: ReadSettings) -> ReadSettings {
        let names = |wanted: &str| self.criterion.iter().any(|name| name.eq_ignore_ascii_case(wanted));
        let restates = self.properties != Properties::Own && (self.criterion.is_empty() || names("mutation"));
        ReadSettings {
            mutants: names("rule-mutation") || names(MACHINE_MUTATION) || self.is_silent(),
            machine_mutants: names(MACHINE_MUTATION) || self.is_silent(),
            shadows: restates && self.relate == Relate::Shadow,
            ..settings
        }
    }

    /// All that decides which goals there are, as `flag=value`: with the same, there are the same.
    pub fn recorded(&self) -> Vec<String> {
        let list = |name: &str, values: &[String]| format!("{name}={}", values.join(","));
        let each = |name: &'static str, values: &[String]| -> Vec<String> {
            values.iter().map(|value| format!("{name}={value}")).collect()
        };
        let mut settings = vec![
            list("criterion", &self.criterion),
            list("variables", &self.variables),
            format!("ways={}", self.ways),
            format!("properties={:?}", self.properties).to_lowercase(),
            list("operators", &self.operators),
            list("exclude", &self.exclude),
            format!("guard={}", self.guard.as_deref().unwrap_or_default()),
        ];
        if self.extra_states > 0 {
            settings.push(format!("extra-states={}", self.extra_states));
        }
        if self.relate == Relate::Shadow {
            settings.push("relate=shadow".into());
        }
        if self.visible_guards {
            settings.push("visible-guards".into());
        }
        settings.extend(each("goal", &self.goal));
        settings.extend(each("trap", &self.trap));
        settings.extend(each("ignore", &self.ignore));
        settings
    }
}

/// The goals of a model.
#[derive(Clone, Debug)]
pub struct Goals {
    /// The texts that the model and its goals came from.
    pub sources: SourceMap,
    /// The model, with the expressions of the goals.
    pub model: Model,
    /// The goals.
    pub goals: Vec<Goal>,
    /// Those that the user has judged irrelevant, each with the reason.
    pub ignored: Vec<(Goal, String)>,
}

impl Session {
    /// The goals that tests are to reach.
    pub fn goals(&self, settings: &GoalSettings, events: &mut dyn Events) -> Result<Goals, Failure> {
        let mut session = self.clone();
        let wanted = wanted(events, &mut session, settings, Kill::default())?;
        let collected = if wanted.gain_by_engine() {
            let mut engine = session.engine(events, &session.reading.limits.options())?;
            criteria::collect(&session.model, Some(&mut engine), &wanted)
        } else {
            criteria::collect(&session.model, None, &wanted)
        };
        let mut goals = require(events, &session.sources, &wanted, collected)?;
        let ignored = leave_out(events, &mut goals, settings)?;
        Ok(Goals { sources: session.sources, model: session.model, goals, ignored })
    }
}

/// The goals that are wanted. What the user spells out is added to the sources; if it makes no sense, that is reported.
pub(crate) fn wanted(
    events: &mut dyn Events,
    session: &mut Session,
    settings: &GoalSettings,
    kill: Kill,
) -> Result<criteria::Options, Failure> {
    let mut wanted = criteria(&session.model, settings)?;
    if kill == Kill::Weak && settings.is_silent() {
        // The literature has no mutants of the machine.
        wanted.criteria.retain(|name| name != MACHINE_MUTATION);
    }
    wanted.user_goals = wishes(events, session, settings)?;
    Ok(wanted)
}

/// Does without mutants of the machine where only a part of the model is looked at, or where goals must be formulas. If they
/// were asked for, that is an error; if they are wanted by default, it is said.
pub(crate) fn without_machine_mutation(
    events: &mut dyn Events,
    wanted: &mut criteria::Options,
    settings: &GoalSettings,
    by: &str,
) -> Result<(), Failure> {
    let is_meant = |name: &String| name.eq_ignore_ascii_case(MACHINE_MUTATION);
    let why = format!("`{MACHINE_MUTATION}` compares whole machines, which {by} cannot do");
    if settings.criterion.iter().any(is_meant) {
        return Err(Failure::Message(why));
    }
    if wanted.criteria.iter().any(is_meant) {
        events.note(format_args!("{why}: only the other goals count"));
        wanted.criteria.retain(|name| !is_meant(name));
    }
    Ok(())
}

/// Refuses criteria for machines where only a part of the model is looked at.
pub(crate) fn refuse_fsm(wanted: &criteria::Options, by: &str) -> Result<(), Failure> {
    match wanted.criteria.iter().find(|name| is_fsm(name)) {
        Some(name) => {
            Err(Failure::Message(format!("`{name}` is about the whole machine, not about a part of it as {by} are")))
        }
        None => Ok(()),
    }
}

/// The goals to be left out, each with its reason: a line, or a file of lines.
pub(crate) fn ignores(given: &[String]) -> Result<Vec<Ignore>, Failure> {
    let read = |given: &String| {
        let is_line = given.trim().contains(char::is_whitespace) && !Path::new(given).exists();
        let text = if is_line { given.clone() } else { text::read(Path::new(given), given)? };
        let name = if is_line { "--ignore" } else { given };
        parse_ignores(&text).map_err(Failure::because(format_args!("cannot use the ignore list {name}")))
    };
    given.iter().map(read).collect::<Result<Vec<_>, _>>().map(|lists| lists.concat())
}

/// Which of the goals are to be left out, and why. If all goals are there and one to be left out is not, that is said.
pub(crate) fn ignored(
    events: &mut dyn Events,
    ignores: &[Ignore],
    goals: &[Goal],
    settings: &GoalSettings,
) -> BTreeMap<usize, String> {
    // Mutants are known by what they are, whichever operators were applied.
    let key = |id: &str| id.split_once('-').filter(|_| !id.contains(':')).map_or(id, |(_, key)| key).to_owned();
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, goal) in goals.iter().enumerate() {
        places.entry(key(&goal.id)).or_default().push(index);
    }
    let is_partial = !settings.has_default_operators();
    let kind = |id: &str| id.split_once(':').map_or_else(String::new, |(kind, _)| kind.into());
    let mut ignored = BTreeMap::new();
    for ignore in ignores {
        match places.get(&key(&ignore.id)) {
            Some(goals) => ignored.extend(goals.iter().map(|goal| (*goal, ignore.reason.clone()))),
            None if is_partial || goals.iter().all(|goal| kind(&goal.id) != kind(&ignore.id)) => {}
            None => events.note(format_args!("there is no goal {} to ignore", ignore.id)),
        }
    }
    ignored
}

/// Takes out the goals that are to be ignored, with their reasons; how many these are is said.
pub(crate) fn leave_out(
    events: &mut dyn Events,
    goals: &mut Vec<Goal>,
    settings: &GoalSettings,
) -> Result<Vec<(Goal, String)>, Failure> {
    let mut reasons = ignored(events, &ignores(&settings.ignore)?, goals, settings);
    let (mut left, mut out) = (Vec::new(), Vec::new());
    for (index, goal) in goals.drain(..).enumerate() {
        match reasons.remove(&index) {
            Some(reason) => out.push((goal, reason)),
            None => left.push(goal),
        }
    }
    *goals = left;
    if !out.is_empty() {
        events.note(format_args!("{} ignored, with reasons", count(out.len(), "goal")));
    }
    Ok(out)
}

/// Says what was left out; of many notes only some, unless the user wants all.
fn tell(events: &mut dyn Events, sources: &SourceMap, notes: &[Note]) {
    let shown = if events.verbose() || notes.len() <= NOTES + 2 { notes.len() } else { NOTES };
    for note in &notes[..shown] {
        let place = sources.locate(note.span).map(|(_, line, _)| format!("line {line}: ")).unwrap_or_default();
        events.note(format_args!("{place}{}", note.message));
    }
    if shown < notes.len() {
        events.note(format_args!("{} more notes like these; `--verbose` shows all", notes.len() - shown));
    }
}

/// What is said of goals that only a contradiction stops.
pub fn stopped(n: usize) -> String {
    let verb = if n == 1 { "calls" } else { "call" };
    format!("{} {verb} for a step whose updates contradict each other, so no test can take it:", count(n, "goal"))
}

/// The goals that are wanted, but for those that the user spells out.
fn criteria(model: &Model, settings: &GoalSettings) -> Result<criteria::Options, Failure> {
    let mut wanted = criteria::Options::default();
    if !settings.is_silent() {
        wanted.criteria = named_criteria("--criterion", &settings.criterion)?;
    } else if !settings.asks_for_mutants() {
        wanted.criteria = criteria::default_for(model);
    }
    for name in &settings.variables {
        wanted.variables.push(var(model, "--variables", name)?);
    }
    wanted.ways = settings.ways;
    wanted.extra_states = settings.extra_states;
    wanted.max_steps = settings.max_steps;
    wanted.mutation = Mutation {
        selection: selection(&settings.operators, &settings.exclude)?,
        properties: settings.properties,
        guard: guard(model, settings.guard.as_deref(), settings.visible_guards)?,
        relate: settings.relate,
    };
    Ok(wanted)
}

/// The names of criteria as they are listed.
pub(crate) fn named_criteria(flag: &str, names: &[String]) -> Result<Vec<String>, Failure> {
    let known = |name: &String| {
        if let Some(criterion) = criteria::named(name) {
            return Ok(criterion.name.to_owned());
        }
        let hint = hint(name, CRITERIA.iter().map(|criterion| criterion.name));
        Err(Failure::Message(format!("{flag}: unknown criterion `{name}`{hint}")))
    };
    names.iter().map(known).collect()
}

/// Says what was left out, and refuses to go on without a goal: a suite that covers all of nothing says nothing.
pub(crate) fn require(
    events: &mut dyn Events,
    sources: &SourceMap,
    wanted: &criteria::Options,
    (goals, notes): (Vec<Goal>, Vec<Note>),
) -> Result<Vec<Goal>, Failure> {
    tell(events, sources, &notes);
    if !goals.is_empty() {
        return Ok(goals);
    }
    let criteria = &wanted.criteria;
    let names: Vec<String> = criteria.iter().map(|name| format!("`{name}`")).collect();
    let have = if names.len() == 1 { "has" } else { "have" };
    events.error(format_args!("there is nothing to cover: {} {have} no goals for this model", names.join(", ")));
    if notes.iter().any(|note| note.message.contains("a shadow variable can")) {
        events.note("`--relate shadow` restates the machine with variables that store previous values");
    } else if criteria.iter().any(|name| name != "states" && name != "transitions") {
        events.note("`--criterion states,transitions` has goals for every model that has a variable with few values");
    } else {
        events.note("`--variables` and `--keep` restrict variables with many values");
    }
    Err(Failure::Invalid)
}

/// Settles the pairs among goals: by the tests of a suite, if there is one, and by what the engine knows.
pub(crate) fn settle_pairs(events: &mut dyn Events, ground: Ground<'_>, goals: &mut [Goal], tests: &[Trace]) {
    let Settled { n_later, n_impossible } = settle(ground, goals, tests);
    let goals = |n: usize| if n == 1 { "1 goal is".into() } else { format!("{n} goals are") };
    if n_later > 0 {
        let goals = goals(n_later);
        events.note(format_args!(
            "MC/DC: {goals} about conditions that cannot change alone, and may be shown by masking"
        ));
    }
    if n_impossible > 0 {
        let goals = goals(n_impossible);
        events.note(format_args!("MC/DC: {goals} without a pair: no two executions show that the condition decides"));
    }
}

/// The executions of a suite, if any goal is the half of a pair: its tests but for those that are no executions.
pub(crate) fn executions(model: &Model, suite: &Suite, goals: &[Goal]) -> Vec<Trace> {
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
pub(crate) fn guard(model: &Model, name: Option<&str>, visible: bool) -> Result<Option<Guard>, Failure> {
    let Some(name) = name else { return Ok(None) };
    let var = var(model, "--guard", name)?;
    if model[var].domain != Domain::Bool {
        return Err(Failure::Message(format!("--guard: `{name}` is not boolean")));
    }
    Ok(Some(Guard { var, mode: if visible { GuardMode::Visible } else { GuardMode::Ignored } }))
}

/// The operators that are to be applied.
pub(crate) fn selection(chosen: &[String], excluded: &[String]) -> Result<Selection, Failure> {
    let is_silent = chosen.is_empty();
    let (chosen, excluded) = (operators("--operators", chosen)?, operators("--exclude", excluded)?);
    Ok(if is_silent { Selection::default() } else { chosen }.without(excluded))
}

/// Operators by their names.
pub(crate) fn operators(flag: &str, names: &[String]) -> Result<Selection, Failure> {
    names.iter().try_fold(Selection::NONE, |all, name| {
        Selection::named(name).map(|named| all.and(named)).map_err(|error| {
            let known = || NAMES.iter().map(|(known, ..)| *known);
            let hint = match &*hint(name, known()) {
                "" => format!("; there are {}", known().collect::<Vec<_>>().join(", ")),
                hint => hint.to_owned(),
            };
            Failure::Message(format!("{flag}: {error}{hint}"))
        })
    })
}

/// What the user asks for on the command line, each as a source of its own, so that mistakes are shown in place.
fn wishes(events: &mut dyn Events, session: &mut Session, settings: &GoalSettings) -> Result<Vec<UserGoal>, Failure> {
    let goals = settings.goal.iter().map(|text| ("--goal", text));
    let given = goals.chain(settings.trap.iter().map(|text| ("--trap", text)));
    let mut wishes = Vec::new();
    for (flag, text) in given {
        let Ok(index) = session.sources.add(flag, text.as_str()) else { return Err(Failure::Invalid) };
        let file = session.sources.files()[index].clone();
        let read = if flag == "--goal" { UserGoal::goal } else { UserGoal::trap };
        match read(&session.model, &file, session.reading.dialect) {
            Ok(wish) => wishes.push(wish),
            Err(FormulaError::Invalid(diagnostics)) => {
                events.report(&session.sources, &diagnostics);
                return Err(Failure::Invalid);
            }
            Err(FormulaError::NotBoolean) => {
                events.error(format_args!("{flag}: `{text}` is not boolean"));
                return Err(Failure::Invalid);
            }
        }
    }
    Ok(wishes)
}

/// A property by its name, or by its number in the file.
pub(crate) fn find_property(model: &Model, name: &str) -> Option<usize> {
    let named = model.properties.iter().position(|property| property.name.as_deref() == Some(name));
    let numbered = || name.parse::<usize>().ok()?.checked_sub(1).filter(|index| *index < model.properties.len());
    named.or_else(numbered)
}

/// The same for `--property`, where there must be one.
pub(crate) fn property(model: &Model, name: &str) -> Result<usize, Failure> {
    find_property(model, name).ok_or_else(|| {
        let hint = hint(name, model.properties.iter().filter_map(|property| property.name.as_deref()));
        Failure::message(format_args!("--property: unknown property `{name}` in {}{hint}", model.name))
    })
}

/// A variable by its name.
pub(crate) fn var(model: &Model, flag: &str, name: &str) -> Result<VarId, Failure> {
    model.var_named(name).ok_or_else(|| {
        let hint = hint(name, model.vars.iter().map(|var| var.name.as_str()));
        Failure::Message(format!("{flag}: unknown variable `{name}` in {}{hint}", model.name))
    })
}
