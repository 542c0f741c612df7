//! What the flags ask for, checked against the model.

use crate::args::{Generate, PropertiesName, StrategyName, StyleName};
use specwright_model::{Model, Value, VarId};
use specwright_syntax::diagnostic::closest;
use specwright_testgen::criteria::{self, CRITERIA, Mutation, Properties};
use specwright_testgen::generate::{Options, Strategy, Style};
use specwright_testgen::mutate::{NAMES, Selection};

/// The goals that are wanted, but for those that the user spells out.
pub(super) fn goals(model: &Model, args: &Generate) -> anyhow::Result<criteria::Options> {
    let mut wanted = criteria::Options::default();
    if !args.criterion.is_empty() || !args.goal.is_empty() || !args.trap.is_empty() {
        wanted.criteria.clone_from(&args.criterion);
    }
    for name in &wanted.criteria {
        if criteria::named(name).is_none() {
            let hint = hint(name, CRITERIA.iter().map(|criterion| criterion.name));
            anyhow::bail!("--criterion: no criterion is called `{name}`{hint}");
        }
    }
    for name in &args.variables {
        wanted.variables.push(var(model, "--variables", name)?);
    }
    wanted.ways = args.ways.into();
    let mut selection = Selection::NONE;
    for name in &args.operators {
        let named = Selection::named(name).map_err(|error| {
            anyhow::anyhow!("--operators: {error}{}", hint(name, NAMES.iter().map(|(known, ..)| *known)))
        })?;
        selection = selection.and(named);
    }
    wanted.mutation = Mutation {
        selection: if args.operators.is_empty() { Selection::default() } else { selection },
        properties: match args.properties {
            PropertiesName::All => Properties::All,
            PropertiesName::Own => Properties::Own,
            PropertiesName::Reflected => Properties::Reflected,
        },
    };
    Ok(wanted)
}

/// The tests that are wanted.
pub(super) fn tests(model: &Model, args: &Generate) -> anyhow::Result<Options> {
    let strategy = match args.strategy {
        StrategyName::Each => Strategy::Each,
        StrategyName::Monitor => Strategy::Monitor,
        StrategyName::Extend => Strategy::Extend,
    };
    Ok(Options {
        strategy,
        style: match args.style {
            StyleName::Minimal => Style::Minimal,
            StyleName::SmvExplain => Style::SmvExplain,
        },
        tests_per_goal: args.tests_per_goal.into(),
        max_length: args.max_length,
        ignore_last_inputs: args.ignore_last_inputs,
        ties: args.tie.iter().map(|tie| self::tie(model, tie)).collect::<anyhow::Result<_>>()?,
    })
}

/// All that decides what a run does, as text: a run is only resumed with the same.
pub(super) fn settings(args: &Generate) -> Vec<String> {
    let list = |name: &str, values: &[String]| format!("{name}={}", values.join(","));
    let mut settings = vec![
        list("criterion", &args.criterion),
        format!("strategy={:?}", args.strategy).to_lowercase(),
        format!("style={:?}", args.style).to_lowercase(),
        list("variables", &args.variables),
        format!("ways={}", args.ways),
        format!("properties={:?}", args.properties).to_lowercase(),
        list("operators", &args.operators),
        format!("tests-per-goal={}", args.tests_per_goal),
        format!("max-length={}", args.max_length.map_or_else(|| "none".into(), |most| most.to_string())),
        format!("ignore-last-inputs={}", args.ignore_last_inputs),
    ];
    settings.extend(args.goal.iter().map(|goal| format!("goal={goal}")));
    settings.extend(args.trap.iter().map(|trap| format!("trap={trap}")));
    settings.extend(args.tie.iter().map(|tie| format!("tie={tie}")));
    settings
}

/// `inst: pop2 > push1 > pop1`
fn tie(model: &Model, text: &str) -> anyhow::Result<(VarId, Vec<Value>)> {
    let Some((name, values)) = text.split_once(':') else {
        anyhow::bail!("--tie: `{text}` is not of the form `VAR: VALUE > VALUE > …`");
    };
    let var = var(model, "--tie", name.trim())?;
    let read = |word: &str| {
        let word = word.trim();
        let found =
            model[var].domain.values().take(1 << 16).find(|value| model.show(*value).eq_ignore_ascii_case(word));
        found.ok_or_else(|| anyhow::anyhow!("--tie: `{}` cannot be `{word}`", model[var].name))
    };
    Ok((var, values.split('>').map(read).collect::<anyhow::Result<_>>()?))
}

fn var(model: &Model, flag: &str, name: &str) -> anyhow::Result<VarId> {
    model.var_named(name).ok_or_else(|| {
        let hint = hint(name, model.vars.iter().map(|var| var.name.as_str()));
        anyhow::anyhow!("{flag}: there is no variable `{name}` in {}{hint}", model.name)
    })
}

fn hint<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    closest(name, known).map(|known| format!("; did you mean `{known}`?")).unwrap_or_default()
}
