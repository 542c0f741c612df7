//! What tests are wanted.

use crate::failure::Failure;
use crate::goals::{GoalSettings, var};
use crate::kill::Kill;
use crate::limits::Limits;
use crate::session::ReadSettings;
use crate::shard::Sharding;
use crate::winnow::{Duplicates, Winnow};
use specwright_mc::Engine;
use specwright_model::{Model, Value, VarId};
use specwright_testgen::generate::Options;
pub use specwright_testgen::generate::{Strategy, Style};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Which tests are wanted, and what is written.
#[derive(Clone, Debug)]
pub struct GenerateSettings {
    /// What they are to reach.
    pub goals: GoalSettings,
    /// The finite focus, such as `x in 0..3`, or `auto`; the whole model if nothing is kept.
    pub keep: Vec<String>,
    /// Whether of inputs that are only compared with constants just the values around these are tried.
    pub quantize: bool,
    /// Which goals are left out before tests are made.
    pub winnow: Vec<Winnow>,
    /// When two goals say the same.
    pub duplicates: Duplicates,
    /// How to go from goals to tests.
    pub strategy: Strategy,
    /// Where to write: a folder for the whole run, or a file that ends in `.json` for the suite alone.
    pub out: Option<PathBuf>,
    /// Whether to go on with the run in the folder.
    pub resume: bool,
    /// How counterexamples look.
    pub style: Style,
    /// Whether a test is superfluous that only differs from the beginning of another in its last inputs.
    pub ignore_last_inputs: bool,
    /// When a mutant counts as killed.
    pub kill: Kill,
    /// Which values to prefer among tests of equal length, such as `inst: pop2 > push1`.
    pub tie: Vec<String>,
    /// How many different tests each goal gets, if they exist.
    pub tests_per_goal: usize,
    /// How many steps a test may be extended to.
    pub max_length: Option<usize>,
    /// The engine that answers.
    pub engine: Engine,
    /// Whether only a shard is decided, or shards are merged.
    pub sharding: Sharding,
    /// How far work may go.
    pub limits: Limits,
}

impl Default for GenerateSettings {
    fn default() -> GenerateSettings {
        GenerateSettings {
            goals: GoalSettings::default(),
            keep: Vec::new(),
            quantize: false,
            winnow: vec![Winnow::None],
            duplicates: Duplicates::default(),
            strategy: Strategy::default(),
            out: None,
            resume: false,
            style: Style::default(),
            ignore_last_inputs: false,
            kill: Kill::default(),
            tie: Vec::new(),
            tests_per_goal: 1,
            max_length: None,
            engine: Engine::Auto,
            sharding: Sharding::default(),
            limits: Limits::default(),
        }
    }
}

impl GenerateSettings {
    /// The tests that are wanted of a model.
    pub(super) fn tests(&self, model: &Model) -> Result<Options, Failure> {
        Ok(Options {
            strategy: self.strategy,
            style: self.style,
            tests_per_goal: self.tests_per_goal,
            max_length: self.max_length,
            ignored_at_end: if self.ignore_last_inputs { model.inputs() } else { Vec::new() },
            budget: self.limits.budget(),
            kills: BTreeMap::new(),
            ties: self.tie.iter().map(|text| tie(model, text)).collect::<Result<_, _>>()?,
        })
    }

    /// All that decides what a run does, as `flag=value`: a run is only resumed with the same.
    pub(super) fn recorded(&self, reading: &ReadSettings) -> Vec<String> {
        let mut settings = reading.recorded();
        settings.extend(self.goals.recorded());
        settings.extend((self.kill == Kill::Weak).then(|| "kill=weak".to_owned()));
        settings.extend([
            format!("strategy={:?}", self.strategy).to_lowercase(),
            format!("style={:?}", self.style).to_lowercase(),
            format!("tests-per-goal={}", self.tests_per_goal),
            format!("max-length={}", self.max_length.map_or_else(|| "none".into(), |most| most.to_string())),
            format!("ignore-last-inputs={}", self.ignore_last_inputs),
            format!("winnow={:?}, {:?}", self.winnow, self.duplicates).to_lowercase(),
        ]);
        if self.quantize {
            settings.push("quantize".into());
        }
        if self.engine != Engine::Auto {
            settings.push(format!("engine={:?}", self.engine).to_lowercase());
        }
        settings.extend(self.keep.iter().map(|keep| format!("keep={keep}")));
        settings.extend(self.tie.iter().map(|tie| format!("tie={tie}")));
        settings
    }

    /// Whether work goes on.
    pub(super) fn go_on(&self) -> ControlFlow<()> {
        if self.limits.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A preferred order of the values of a variable, from `inst: pop2 > push1 > pop1`.
pub(crate) fn tie(model: &Model, text: &str) -> Result<(VarId, Vec<Value>), Failure> {
    let Some((name, values)) = text.split_once(':') else {
        return Err(Failure::Message(format!("--tie: `{text}` is not of the form `VAR: VALUE > VALUE > …`")));
    };
    let var = var(model, "--tie", name.trim())?;
    let read = |word: &str| {
        let word = word.trim();
        let found =
            model[var].domain.values().take(1 << 16).find(|value| model.show(*value).eq_ignore_ascii_case(word));
        found.ok_or_else(|| Failure::Message(format!("--tie: `{}` cannot be `{word}`", model[var].name)))
    };
    Ok((var, values.split('>').map(read).collect::<Result<_, Failure>>()?))
}
