//! Mutants of the rules of an Abstract State Machine, as changes of its text.

use super::{MutateSettings, OperatorCount};
use crate::failure::Failure;
use specwright_model::Model;
use specwright_model::interp::Random;
use specwright_model::model::Rewrite;
use specwright_syntax::span::{SourceFile, SourceMap};
use specwright_testgen::mutate::{RULE_OPERATORS, rule_operator};

/// The operators that are wanted.
pub(crate) fn operators(settings: &MutateSettings) -> Result<Vec<&'static str>, Failure> {
    if settings.in_diff.is_some() || !settings.variable.is_empty() {
        let why = "--in-diff and --variable are for expressions: use them with --machine or --properties";
        return Err(Failure::message(why));
    }
    let known = |name: &String| {
        let names = || RULE_OPERATORS.each_ref().map(|operator| operator.name).join(", ");
        let operator = rule_operator(name).map(|operator| operator.name);
        operator.ok_or_else(|| Failure::Message(format!("unknown operator `{name}` on rules; there are {}", names())))
    };
    let chosen: Vec<&str> = settings.operators.iter().map(known).collect::<Result<_, _>>()?;
    let excluded: Vec<&str> = settings.exclude.iter().map(known).collect::<Result<_, _>>()?;
    let all = RULE_OPERATORS.iter().map(|operator| operator.name);
    Ok(all.filter(|name| (chosen.is_empty() || chosen.contains(name)) && !excluded.contains(name)).collect())
}

/// The mutants of these operators, or a sample of them.
pub(super) fn chosen<'m>(model: &'m Model, operators: &[&str], settings: &MutateSettings) -> Vec<&'m Rewrite> {
    let mut mutants: Vec<&Rewrite> =
        model.source.rewrites.iter().filter(|mutant| operators.contains(&operator(mutant))).collect();
    if let Some(n) = settings.sample {
        let mut random = Random::new(settings.seed);
        while mutants.len() > n {
            mutants.remove(random.index(mutants.len()));
        }
    }
    mutants
}

/// How often each operator applies.
pub(super) fn counts(operators: &[&'static str], mutants: &[&Rewrite]) -> Vec<OperatorCount> {
    // Rules and statecharts have operators of their own.
    let is_of_charts = |name: &str| rule_operator(name).is_some_and(|operator| operator.of_charts);
    let of_charts = mutants.first().is_some_and(|mutant| is_of_charts(operator(mutant)));
    let count = |name: &&'static str| {
        let n = mutants.iter().filter(|mutant| operator(mutant) == *name).count();
        OperatorCount { name, summary: summary(name), n }
    };
    operators.iter().filter(|name| is_of_charts(name) == of_charts).map(count).collect()
}

/// The name of the operator that made a mutant.
pub(crate) fn operator(mutant: &Rewrite) -> &str {
    mutant.name.split(' ').next().unwrap_or_default()
}

/// What an operator does.
pub(crate) fn summary(operator: &str) -> &'static str {
    rule_operator(operator).map_or("", |operator| operator.summary)
}

/// The file in which a rule is, and its text with the change.
pub(super) fn changed<'a>(sources: &'a SourceMap, mutant: &Rewrite) -> Option<(&'a SourceFile, String)> {
    let file = sources.file_at(mutant.span.start).filter(|_| mutant.span.is_some())?;
    // Mutants of statecharts are changes of the tree, not of the text.
    if mutant.edits.is_empty() {
        return None;
    }
    let mut text = file.text.to_string();
    for edit in mutant.edits.iter().rev() {
        let (mut start, end) = ((edit.span.start - file.start) as usize, (edit.span.end - file.start) as usize);
        if let Some(word) = edit.word {
            start = text[..start].rfind(word)?;
        }
        text.replace_range(start..end, &edit.text);
    }
    Some((file, text))
}
