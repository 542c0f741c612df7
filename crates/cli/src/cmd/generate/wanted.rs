//! What the flags ask for, checked against the model.

use crate::args::{Generate, StrategyName, StyleName};
use crate::cmd::goals::var;
use specwright_model::{Model, Value, VarId};
use specwright_testgen::generate::{Options, Strategy, Style};

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
        list("criterion", &args.goals.criterion),
        format!("strategy={:?}", args.strategy).to_lowercase(),
        format!("style={:?}", args.style).to_lowercase(),
        list("variables", &args.goals.variables),
        format!("ways={}", args.goals.ways),
        format!("properties={:?}", args.goals.properties).to_lowercase(),
        list("operators", &args.goals.operators),
        list("exclude", &args.goals.exclude),
        format!("tests-per-goal={}", args.tests_per_goal),
        format!("max-length={}", args.max_length.map_or_else(|| "none".into(), |most| most.to_string())),
        format!("ignore-last-inputs={}", args.ignore_last_inputs),
        format!("winnow={:?}, {:?}", args.winnow, args.duplicates).to_lowercase(),
        format!("guard={:?}, {}", args.goals.guards.guard, args.goals.guards.visible_guards),
    ];
    settings.extend(args.goals.goal.iter().map(|goal| format!("goal={goal}")));
    settings.extend(args.goals.trap.iter().map(|trap| format!("trap={trap}")));
    if args.quantize {
        settings.push("quantize".into());
    }
    settings.extend(args.focus.keep.iter().map(|keep| format!("keep={keep}")));
    settings.extend(args.tie.iter().map(|tie| format!("tie={tie}")));
    settings
}

/// `inst: pop2 > push1 > pop1`
pub(in crate::cmd) fn tie(model: &Model, text: &str) -> anyhow::Result<(VarId, Vec<Value>)> {
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
