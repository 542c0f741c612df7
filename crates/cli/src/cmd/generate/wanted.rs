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
        style: match args.traces.style {
            StyleName::Minimal => Style::Minimal,
            StyleName::SmvExplain => Style::SmvExplain,
        },
        tests_per_goal: args.tests_per_goal.into(),
        max_length: args.max_length,
        ignore_last_inputs: args.traces.ignore_last_inputs,
        ties: args.traces.tie.iter().map(|tie| self::tie(model, tie)).collect::<anyhow::Result<_>>()?,
    })
}

/// All that decides what a run does, as `flag=value`: a run is only resumed with the same.
pub(super) fn settings(args: &Generate) -> Vec<String> {
    let mut settings = args.model.reading.settings();
    settings.extend(args.goals.settings());
    settings.extend([
        format!("strategy={:?}", args.strategy).to_lowercase(),
        format!("style={:?}", args.traces.style).to_lowercase(),
        format!("tests-per-goal={}", args.tests_per_goal),
        format!("max-length={}", args.max_length.map_or_else(|| "none".into(), |most| most.to_string())),
        format!("ignore-last-inputs={}", args.traces.ignore_last_inputs),
        format!("winnow={:?}, {:?}", args.winnow, args.duplicates).to_lowercase(),
    ]);
    if args.quantize {
        settings.push("quantize".into());
    }
    settings.extend(args.focus.keep.iter().map(|keep| format!("keep={keep}")));
    settings.extend(args.traces.tie.iter().map(|tie| format!("tie={tie}")));
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
