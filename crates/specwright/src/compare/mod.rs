//! Mutation operators, criteria or sets of properties, side by side.

mod ways;

pub use ways::Kind;

use crate::events::Events;
use crate::failure::Failure;
use crate::generate::tie;
use crate::goals;
use crate::limits::Limits;
use crate::session::{ReadSettings, Session};
use crate::shard::{self, Decided, Sharding, Stored};
use crate::winnow::Duplicates;
use specwright_mc::Search;
use specwright_model::Model;
use specwright_model::hash::model_hash;
use specwright_testgen::compare::{self, Options};
pub use specwright_testgen::compare::{Comparison, Row};
use specwright_testgen::criteria::Properties;
use specwright_testgen::generate::{Options as Tests, Style, each};
use specwright_testgen::minimize;
use specwright_testgen::pair::Ground;
use specwright_testgen::reflect::Relate;
use std::ops::ControlFlow;

/// What is compared.
#[derive(Clone, Debug, Default)]
pub struct CompareSettings {
    /// The mutation operators by their names. Without them, criteria and sets, those that are on by default.
    pub operators: Vec<String>,
    /// The criteria by their names.
    pub criteria: Vec<String>,
    /// Sets of properties, such as `NAME=PROPERTY,…`, where `*` stands for any letters and `?` for any letter.
    pub set: Vec<String>,
    /// Which properties are mutated.
    pub properties: Properties,
    /// How the properties that restate the machine relate two states.
    pub relate: Relate,
    /// The variable of soundness guards, which are not mutated.
    pub guard: Option<String>,
    /// Whether guards are mutated as the literature did.
    pub visible_guards: bool,
    /// When two goals say the same.
    pub duplicates: Duplicates,
    /// How counterexamples look.
    pub style: Style,
    /// Whether a test is superfluous that only differs from the beginning of another in its last inputs.
    pub ignore_last_inputs: bool,
    /// Which values to prefer among tests of equal length, such as `inst: pop2 > push1`.
    pub tie: Vec<String>,
    /// Whether only a shard is decided, or shards are merged.
    pub sharding: Sharding,
    /// How far work may go.
    pub limits: Limits,
}

impl CompareSettings {
    /// How to read a model on which that is compared.
    #[must_use]
    pub fn reading(&self, settings: ReadSettings) -> ReadSettings {
        let restates = self.set.is_empty() && self.properties != Properties::Own;
        let names_rules = self.criteria.iter().any(|name| name.eq_ignore_ascii_case("rule-mutation"));
        let is_silent = self.criteria.is_empty() && self.operators.is_empty() && self.set.is_empty();
        let shadows = restates && self.relate == Relate::Shadow;
        ReadSettings { shadows, mutants: names_rules || is_silent, ..settings }
    }
}

/// What was compared.
#[derive(Debug)]
pub struct Compared {
    /// The name of the model.
    pub model: String,
    /// What the rows are.
    pub kind: Kind,
    /// The rows and what they have in common.
    pub found: Comparison,
}

/// The result of a comparison.
#[derive(Debug)]
pub enum Comparing {
    /// What a shard has decided, if only that was asked.
    Decided(Decided),
    /// What was compared.
    Done(Box<Compared>),
}

impl Compared {
    /// The row that reaches most, with the fewest goals among equals.
    pub fn best(&self) -> Option<&compare::Row> {
        let rows = self.found.rows.iter().filter(|row| row.n_goals > 0 && row.coverage.total > 0);
        rows.max_by_key(|row| (row.coverage.reached, std::cmp::Reverse(row.n_goals)))
    }

    /// The row that reaches most for each of its goals.
    pub fn best_per_goal(&self) -> Option<&compare::Row> {
        let rows = self.found.rows.iter().filter(|row| row.n_goals > 0 && row.coverage.total > 0);
        rows.max_by(|a, b| (a.coverage.reached * b.n_goals).cmp(&(b.coverage.reached * a.n_goals)))
    }
}

impl Session {
    /// Compares ways of asking for tests.
    pub fn compare(&self, settings: &CompareSettings, events: &mut dyn Events) -> Result<Comparing, Failure> {
        let session = self.clone().with_jobs(&settings.limits);
        let wanted = ways::wanted(&session.model, settings)?;
        let ties = settings.tie.iter().map(|text| tie(&session.model, text)).collect::<Result<Vec<_>, Failure>>()?;
        let mut engine = session.engine(events, &settings.limits.options())?;
        let (goals, ways, notes) = wanted.collect(&session.model, &mut engine);
        let mut goals = goals::require(events, &session.sources, &wanted.options, (goals, notes))?;
        goals::settle_pairs(events, Ground::Engine(&mut engine), &mut goals, &[]);
        let (sameness, ends) = settings.duplicates.meaning();
        let options = Options {
            generate: Tests {
                style: settings.style,
                ties,
                budget: settings.limits.budget(),
                ignored_at_end: if settings.ignore_last_inputs { session.model.inputs() } else { Vec::new() },
                ..Tests::default()
            },
            sameness,
            ends,
            minimize: minimize::Options { greedy: false, budget: settings.limits.budget_until_deadline() },
        };
        let mut settings_now = session.reading.recorded();
        settings_now.extend([
            format!("ways={}", ways.iter().map(|way| way.name.as_str()).collect::<Vec<_>>().join(",")),
            format!("style={:?}, {:?}", settings.style, settings.duplicates).to_lowercase(),
        ]);
        settings_now.extend(settings.tie.iter().map(|tie| format!("tie={tie}")));
        let searched = Model { system: engine.system().clone(), ..session.model.clone() };
        let sharded = shard::query::Questions {
            model: &searched,
            goals: &goals,
            hash: model_hash(&session.model),
            settings: settings_now,
        };
        let goes_on = || !settings.limits.is_cancelled();
        engine.set_preference(options.generate.ties.clone());
        let budget = &options.generate.budget;
        if let Some(decided) = sharded.decide(&settings.sharding, events, &mut engine, &|_| true, budget, &goes_on)? {
            return Ok(Comparing::Decided(decided));
        }
        let known = sharded.merged(&settings.sharding)?;
        let mut progress = events.progress(goals.len());
        let statuses = {
            let mut search = Stored::new(&mut engine, known.queries, options.generate.ties.clone());
            each(&mut search, &goals, &options.generate, &mut |done| {
                progress.at(done, "counterexamples");
                if goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
        };
        let found = compare::compare(&mut engine, &goals, &statuses, &ways, &options, &mut |what, done| {
            progress.at(done, what);
            goes_on()
        });
        progress.finish();
        Ok(Comparing::Done(Box::new(Compared { model: session.model.name.clone(), kind: wanted.kind, found })))
    }
}
