//! What is known of each property that mutants are judged by.

use super::{Audited, Verdict};
use crate::check::vacuity;
use crate::events::Events;
use crate::limits::Limits;
use crate::policy::{IMPLICATION_STEPS, RELEVANCE_STEPS};
use crate::words::unparsed;
use specwright_mc::{Answer, Core, Options, Sat, Symbolic};
use specwright_model::interp::support_of;
use specwright_model::model::VarKind;
use specwright_model::unparse::Unparser;
use specwright_model::{ExprId, Model, VarId};
use specwright_syntax::budget::Budget;
use specwright_testgen::audit::{Implied, SafetyClause, implied, irrelevant, safety_clause};

/// A property that mutants are judged by.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Its number, from 0 on.
    pub index: usize,
    /// Its name, or its text if it has none.
    pub title: String,
    /// The number of mutants that it kills.
    pub kills: usize,
    /// The number of mutants that only it kills.
    pub unique_kills: usize,
    /// Whether it holds only because its conditions never come true.
    pub is_vacuous: bool,
    /// Its parts that do not matter: it holds on the machine whatever stands there.
    pub irrelevant: Vec<ExprId>,
    /// Whether the other properties imply it.
    pub implied: Implied,
    /// The parts of the machine that its proof needs, where SAT-based search proved it.
    pub core: Option<Core>,
}

/// The properties, with what the machine itself shows of them.
pub(super) fn guards(events: &dyn Events, model: &Model, engine: &mut Symbolic, held: &[usize]) -> Vec<Guard> {
    let mut unparser = Unparser::new(model);
    let mut progress = events.progress(held.len());
    let mut guards = Vec::new();
    for index in held {
        progress.at(guards.len(), "properties");
        let is_vacuous = is_vacuous(model, *index, &mut |conditions| engine.reaches_all(conditions));
        guards.push(Guard { is_vacuous, ..plain(model, &mut unparser, *index) });
    }
    let limit = engine.limit_steps(RELEVANCE_STEPS.max(engine.steps()));
    for guard in &mut guards {
        guard.irrelevant = irrelevant(model, engine, &model.properties[guard.index]);
    }
    drop(limit);
    progress.finish();
    guards
}

/// The same by SAT-based search, which does not look for parts that do not matter.
pub(super) fn guards_by_sat(model: &Model, sat: &mut Sat, held: &[usize], budget: &Budget) -> Vec<Guard> {
    let mut unparser = Unparser::new(model);
    let mut guard = |index: &usize| Guard {
        is_vacuous: is_vacuous(model, *index, &mut |conditions| sat.reaches_all(conditions, budget)),
        ..plain(model, &mut unparser, *index)
    };
    held.iter().map(&mut guard).collect()
}

/// A property of which nothing is known.
fn plain(model: &Model, unparser: &mut Unparser<'_>, index: usize) -> Guard {
    let property = &model.properties[index];
    Guard {
        index,
        title: property.name.clone().unwrap_or_else(|| unparsed(unparser, property)),
        kills: 0,
        unique_kills: 0,
        is_vacuous: false,
        irrelevant: Vec::new(),
        implied: Implied::Undecided,
        core: None,
    }
}

fn is_vacuous(model: &Model, index: usize, reaches_all: &mut dyn FnMut(&[ExprId]) -> Answer<()>) -> bool {
    vacuity::vacuous(model, &model.properties[index], &Answer::INFEASIBLE, reaches_all).is_some()
}

/// Counts the mutants that each property kills.
pub(super) fn count_kills(guards: &mut [Guard], mutants: &[Audited]) {
    for audited in mutants {
        let Verdict::Killed(by) = &audited.verdict else { continue };
        for guard in guards.iter_mut().filter(|guard| by.contains(&guard.index)) {
            guard.kills += 1;
            guard.unique_kills += usize::from(by.len() == 1);
        }
    }
}

/// Finds out which properties the others imply. A mutant that only one property kills is a machine on which all others hold.
pub(super) fn find_implied(model: &Model, guards: &mut [Guard], mutants: &[Audited], limits: &Limits) {
    let all: Vec<usize> = guards.iter().map(|guard| guard.index).collect();
    let options = limits.options();
    let steps = IMPLICATION_STEPS / all.len().max(1) as u64;
    let options = Options { budget: options.budget.limited(steps), ..options };
    let is_alone = |audited: &Audited, index: usize| {
        audited.mutant.keeps_meanings() && matches!(&audited.verdict, Verdict::Killed(by) if *by == [index])
    };
    for guard in guards {
        if mutants.iter().any(|audited| is_alone(audited, guard.index)) {
            guard.implied = Implied::No;
            continue;
        }
        if limits.is_cancelled() {
            return;
        }
        let others: Vec<usize> = all.iter().copied().filter(|other| *other != guard.index).collect();
        guard.implied = implied(model, guard.index, &others, &options);
    }
}

/// Finds the parts of the machine that proofs need, by SAT-based search.
pub(super) fn find_cores(model: &Model, guards: &mut [Guard], limits: &Limits) {
    let Ok(mut sat) = Sat::new(model.system.clone(), &limits.options()) else { return };
    for guard in guards {
        if limits.is_cancelled() {
            return;
        }
        let (claim, at_start) = match safety_clause(model, &model.properties[guard.index]) {
            Some(SafetyClause::Initial(claim)) => (claim, true),
            Some(SafetyClause::Always(claim)) => (claim, false),
            None => continue,
        };
        guard.core = sat.core(claim, at_start, &limits.budget()).ok();
    }
}

/// The variables of states that none of the properties reads.
pub(super) fn unread(model: &Model, held: &[usize]) -> Vec<VarId> {
    let support = support_of(model, held.iter().map(|index| model.properties[*index].formula.expr));
    let is_read = |var: &VarId| support.now.contains(var) || support.next.contains(var);
    let vars = model.vars().filter(|(var, declared)| declared.kind != VarKind::Input && !is_read(var));
    vars.map(|(var, _)| var).collect()
}
