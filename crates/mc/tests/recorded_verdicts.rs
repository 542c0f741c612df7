//! Real models from elsewhere with the verdicts that NuSMV gave: every one must be ours too.
//!
//! The models are not part of this project; without them the test says that it was skipped. A model that takes more than
//! its share of steps is listed, not failed: how fast the engine is, is a matter for benchmarks. Models without a recorded
//! verdict are only tried if `SPECWRIGHT_STEPS` says how many steps each may take; `SPECWRIGHT_MODELS` restricts the run
//! to paths that contain it.

use specwright_mc::{Answer, Budget, BuildError, Options, Reason, Symbolic};
use specwright_model::lower::smv::{Options as LowerOptions, lower};
use specwright_model::model::PropertyKind;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::span::SourceMap;
use specwright_syntax::testing::shared;
use std::collections::BTreeMap;
use std::path::Path;

/// Steps of decision diagrams that the questions about one model may take.
const STEPS: u64 = 100_000_000;

/// Kinds as the table names them.
fn kind_name(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Ctl => "CTL",
        PropertyKind::Ltl => "LTL",
        PropertyKind::Invar => "Invar",
        PropertyKind::ComputeMin | PropertyKind::ComputeMax => "Quantitative",
        PropertyKind::Psl(_) => "PSL",
    }
}

/// Our verdicts in the form of the table, or why there are none.
fn verdicts(path: &Path, dialect: Dialect) -> Result<BTreeMap<&'static str, String>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut sources = SourceMap::default();
    sources.add("model", text).map_err(|_| "too large".to_owned())?;
    let (file, mut diagnostics) = specwright_syntax::smv::parse(&sources.files()[0], dialect);
    let (model, more) = lower(&file, &LowerOptions { dialect, ..LowerOptions::default() });
    diagnostics.extend(more);
    let Some(model) = model.filter(|_| !diagnostics.iter().any(Diagnostic::is_error)) else {
        let first = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
        return Err(first.map_or("no model".into(), |diagnostic| diagnostic.message.clone()));
    };
    let steps = std::env::var("SPECWRIGHT_STEPS").ok().and_then(|text| text.parse().ok()).unwrap_or(STEPS);
    let options = Options { budget: Budget::default().limited(steps), ..Options::default() };
    let properties = model.properties.clone();
    let mut engine = Symbolic::new(model.system, &options).map_err(|error| match error {
        BuildError::Limit(limit) => format!("unknown: {limit}"),
        BuildError::Undefined(undefined) => format!("undefined: {:?}", undefined[0].reason),
        BuildError::Unbounded(_) => "unbounded".into(),
    })?;
    let mut found: BTreeMap<&'static str, String> = BTreeMap::new();
    for property in &properties {
        let rest = Budget::default().limited(steps.saturating_sub(engine.steps()));
        let letter = match engine.within(&rest, |engine| engine.check(property)) {
            _ if matches!(property.kind, PropertyKind::ComputeMin | PropertyKind::ComputeMax) => '?',
            Answer::Impossible(_) => 'T',
            Answer::Found(_) => 'F',
            Answer::Undecided(Reason::Undefined(undefined)) => {
                return Err(format!("undefined: {:?}", undefined.reason));
            }
            Answer::Undecided(reason) => return Err(format!("unknown: {reason}")),
        };
        found.entry(kind_name(property.kind)).or_default().push(letter);
    }
    Ok(found)
}

#[test]
fn verdicts_on_real_models_are_those_of_nusmv() {
    let Some(folder) = shared("models") else { return };
    let table = std::fs::read_to_string(folder.join("verdicts.tsv")).unwrap();
    let only = std::env::var("SPECWRIGHT_MODELS").unwrap_or_default();
    let (mut wrong, mut unknown, mut right) = (Vec::new(), Vec::new(), 0);
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, dialect, _, expected] = columns[..] else { panic!("a row has four columns: {line}") };
        if !name.contains(&only) || (expected == "-" && std::env::var_os("SPECWRIGHT_STEPS").is_none()) {
            continue;
        }
        let dialect = if dialect == "cmu" { Dialect::Cmu } else { Dialect::NuSmv };
        let ours = verdicts(&folder.join(name), dialect);
        let expected: BTreeMap<&str, String> = expected
            .split(' ')
            .filter_map(|group| group.split_once(':'))
            .map(|(kind, all)| (kind, all.to_owned()))
            .collect();
        match ours {
            Ok(ours) if expected.is_empty() || ours == expected => right += 1,
            Ok(ours) => wrong.push(format!("{name}: ours {ours:?}, recorded {expected:?}")),
            Err(reason) if reason.starts_with("unknown") => unknown.push(format!("{name}: {reason}")),
            Err(reason) => wrong.push(format!("{name}: {reason}")),
        }
    }
    println!("{right} models with the recorded verdicts, {} undecided", unknown.len());
    for line in &unknown {
        println!("undecided: {line}");
    }
    assert!(right > 0 || !only.is_empty(), "the table has no verdicts");
    assert!(wrong.is_empty(), "{} models differ:\n{}", wrong.len(), wrong.join("\n"));
}
