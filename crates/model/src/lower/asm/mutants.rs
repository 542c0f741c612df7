//! Mutants of rules: one rule is changed, and the condition that distinguishes the mutant is attached as an element.
//!
//! A test kills a mutant by a step whose next state the mutant cannot reach. Both behave alike up to that step, so the
//! goal is a reachable state in which their updates differ. If the mutant has choices, all of them must differ.

use super::rules::Update;
use super::signature::Dom;
use super::value::{Const, Single, Sym, Values};
use super::{Env, Location, Lowering, Stop};
use crate::expr::ExprId;
use crate::model::{Edit, Element, Rewrite};
use indexmap::IndexMap;
use specwright_syntax::asm::ast::{BinaryOp, File, RuleId, RuleKind, TermId, TermKind};
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use std::rc::Rc;

/// Maximal number of visited terms and rules for all mutants; beyond it none are made, with a warning.
const MAX_WORK: u64 = 10_000_000;

/// Maximal number of combinations of choices for one mutant.
const MAX_CHOICE_PATHS: usize = 64;

/// A change of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The rule is replaced by `skip`.
    Remove,
    /// Its condition is negated.
    Negate,
    /// Its condition is replaced by `true`.
    Always,
    /// `par` and `seq` are exchanged.
    Order,
    /// A case of a `switch` is removed.
    DropCase(usize),
    /// An update assigns another value.
    Value,
}

/// A change of one rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mutation {
    pub(super) file: usize,
    pub(super) rule: RuleId,
    pub(super) change: Change,
}

/// The choices of an execution of a mutant: the indices of the cases taken, and the numbers of cases.
#[derive(Default)]
pub(super) struct ChoicePath {
    taken: Vec<(usize, usize)>,
    at: usize,
    valid: Vec<ExprId>,
}

impl ChoicePath {
    /// The case to take among `n`; `n` is at least one.
    pub(super) fn take(&mut self, n: usize) -> usize {
        if self.at == self.taken.len() {
            self.taken.push((0, n));
        }
        self.at += 1;
        self.taken[self.at - 1].0
    }

    pub(super) fn require(&mut self, condition: ExprId) {
        self.valid.push(condition);
    }

    /// Advances to the next combination of choices, if there is one.
    fn advance(&mut self) -> bool {
        self.at = 0;
        self.valid.clear();
        while let Some((taken, n)) = self.taken.pop() {
            if taken + 1 < n {
                self.taken.push((taken + 1, n));
                return true;
            }
        }
        false
    }
}

impl Lowering<'_> {
    /// The change of a rule, if it is the mutated one.
    pub(super) fn change(&self, file: usize, rule: RuleId) -> Option<Change> {
        self.mutation.filter(|mutation| (mutation.file, mutation.rule) == (file, rule)).map(|mutation| mutation.change)
    }

    /// Attaches the elements that distinguish mutants; none if that is too much work.
    pub(super) fn attach_mutants(&mut self, body: RuleId, env: &Env, updates: &[Update], work: u64) {
        let mut mutations = Vec::new();
        for (at, file) in self.files.iter().enumerate() {
            for def in &file.rules {
                list(file, at, def.body, &def.name.text, &mut mutations);
            }
        }
        let machine = self.files[0].name.as_ref().map_or(Span::NONE, |name| name.span);
        if work.saturating_mul(mutations.len() as u64) > MAX_WORK {
            let message = "the machine is too large for mutants of its rules: none are made";
            self.report(Diagnostic::warning(codes::TOO_LARGE, machine, message));
            return;
        }
        let mut n_open = 0;
        let mut counts: IndexMap<String, usize> = IndexMap::new();
        for (mutation, operator, rule_name) in mutations {
            let limit = self.diagnostics.len();
            self.mutation = Some(mutation);
            let told = self.distinguishing_condition(body, env, updates);
            self.mutation = None;
            // Diagnostics of a mutant are not errors of the machine.
            self.diagnostics.truncate(limit);
            n_open += usize::from(matches!(told, Ok(None)));
            let Ok(Some(predicate)) = told else { continue };
            let base = format!("{operator} {rule_name}");
            let number = counts.entry(base.clone()).or_default();
            *number += 1;
            let name = format!("{base}.{number}");
            let span = self.files[mutation.file][mutation.rule].span;
            let edits = self.edits(mutation);
            self.model.source.rewrites.push(Rewrite { name: name.clone(), span, edits, changes: None });
            self.mutations.push(mutation);
            self.model.source.elements.push(Element { kind: "mutant", name, span, instances: vec![predicate] });
        }
        if n_open > 0 {
            let message =
                format!("mutants of rules that may choose in more than {MAX_CHOICE_PATHS} ways are left out: {n_open}");
            self.report(Diagnostic::warning(codes::TOO_LARGE, machine, message));
        }
    }

    /// A mutation as edits of the source.
    fn edits(&mut self, Mutation { file, rule, change }: Mutation) -> Vec<Edit> {
        let tree = &self.files[file];
        let node = &tree[rule];
        let condition = match &node.kind {
            RuleKind::If(condition, ..) => Some(*condition),
            RuleKind::Choose(_, condition, ..) | RuleKind::Forall(_, condition, _) => *condition,
            _ => None,
        };
        let edit = |start: u32, end: u32, text: &str| {
            let span = Span { start, end };
            Edit { span, text: text.into(), word: None }
        };
        let around = |span: Span, before: &str, after: &str| {
            vec![edit(span.start, span.start, before), edit(span.end, span.end, after)]
        };
        match (change, condition, &node.kind) {
            (Change::Negate, Some(condition), _) => around(tree[condition].span, "not (", ")"),
            (Change::Always, Some(condition), _) => {
                let span = tree[condition].span;
                vec![edit(span.start, span.end, "true")]
            }
            (Change::Order, ..) => {
                let word = if matches!(node.kind, RuleKind::Par(_)) { "seq" } else { "par" };
                let Span { start, end } = node.span;
                vec![edit(start, start + 3, word), edit(end - 6, end, &format!("end{word}"))]
            }
            (Change::DropCase(at), _, RuleKind::Switch(_, cases, _)) => {
                let (value, body) = cases[at];
                let span = tree[value].span.to(tree[body].span);
                vec![Edit { span, text: String::new(), word: Some("case") }]
            }
            (Change::Value, _, RuleKind::Update(location, value)) => {
                let (span, location) = (tree[*value].span, *location);
                match self.base_of_location(file, location) {
                    Some(Dom::Bool) => around(span, "not (", ")"),
                    Some(dom @ Dom::Named(_)) => {
                        let items = self.elements(&dom, span).ok().flatten().unwrap_or_else(|| Rc::from([]));
                        let after = items.iter().cycle().skip(1);
                        let cases = items.iter().zip(after).map(|(item, next)| format!("case {item}: {next} "));
                        around(span, "switch ", &format!(" {}endswitch", cases.collect::<String>()))
                    }
                    _ => around(span, "(", ") + 1"),
                }
            }
            _ => vec![edit(node.span.start, node.span.end, "skip")],
        }
    }

    /// The domain of the function of a location.
    fn base_of_location(&self, file: usize, location: TermId) -> Option<Dom> {
        let TermKind::Apply(name, args) = &self.files[file][location].kind else { return None };
        let index = self.sig.function_names.get(&(name.text.clone(), args.len()))?.first()?;
        Some(self.base(&self.sig.functions[*index].codomain))
    }

    /// The condition under which a mutant cannot do the step of the machine; `None` if it has too many choices.
    fn distinguishing_condition(
        &mut self,
        body: RuleId,
        env: &Env,
        updates: &[Update],
    ) -> Result<Option<ExprId>, Stop> {
        let mut world = ChoicePath::default();
        let mut differs = Vec::new();
        for n in 0.. {
            if n == MAX_CHOICE_PATHS {
                return Ok(None);
            }
            let coverage = std::mem::take(&mut self.coverage);
            let hidden = std::mem::take(&mut self.hidden);
            let new_elements = std::mem::take(&mut self.new_elements);
            let endless = std::mem::take(&mut self.endless);
            self.world = Some(std::mem::take(&mut world));
            let result = self.step(body, env);
            world = self.world.take().unwrap_or_default();
            self.coverage = coverage;
            let over = self.new_elements.over.values().map(|(_, when)| when);
            let over: Vec<ExprId> =
                over.chain(self.endless.values().map(|(_, when, _)| when)).flatten().copied().collect();
            self.endless = endless;
            self.new_elements = new_elements;
            let inconsistent_pairs = std::mem::replace(&mut self.hidden, hidden);
            let mutant = result?;
            let valid = self.all(&world.valid.clone());
            let same = self.same_step(updates, &mutant, env)?;
            let hidden: Vec<ExprId> = inconsistent_pairs.iter().map(super::finish::InconsistentPair::when).collect();
            let (hidden, over) = (self.any(&hidden), self.any(&over));
            let (clean, enough) = (self.not(hidden), self.not(over));
            let reproduced = self.all(&[valid, same, clean, enough]);
            differs.push(self.not(reproduced));
            if !world.advance() {
                break;
            }
        }
        Ok(Some(self.all(&differs)))
    }

    /// The condition under which two lists of updates lead to the same next state and the second is consistent.
    fn same_step(&mut self, updates: &[Update], mutant: &[Update], env: &Env) -> Result<ExprId, Stop> {
        let mut by_location: IndexMap<Location, [Vec<&Update>; 2]> = IndexMap::new();
        for (side, list) in [updates, mutant].into_iter().enumerate() {
            for update in list {
                by_location.entry(update.location.clone()).or_default()[side].push(update);
            }
        }
        let mut parts = Vec::new();
        for (location, [original, changed]) in by_location {
            let old = self.read(location, env);
            let mut results = Vec::new();
            for list in [&original, &changed] {
                let mut value = old.clone();
                for update in list {
                    value = self.select(update.guard, &update.value, &value, update.span)?;
                }
                results.push(value);
            }
            parts.push(self.equal(&results[0], &results[1]));
            let changed: Vec<Update> = changed.into_iter().cloned().collect();
            for clash in self.inconsistent_pairs(&changed)? {
                let when = clash.when();
                parts.push(self.not(when));
            }
        }
        Ok(self.all(&parts))
    }

    /// Another value of the same kind.
    pub(super) fn other_value(&mut self, function: usize, value: &Sym, span: Span) -> Result<Sym, Stop> {
        match value {
            Sym::Known(Const::Bool(_)) | Sym::One(Single { values: Values::Bool, .. }) => self.negate(value, span),
            Sym::Known(Const::Int(_)) | Sym::One(Single { values: Values::Int(..), .. }) => {
                self.arithmetic(BinaryOp::Add, value, &Sym::Known(Const::Int(1)), span)
            }
            Sym::Known(Const::Atom(_)) | Sym::One(Single { values: Values::Atoms(_), .. }) => {
                let codomain = self.sig.functions[function].codomain.clone();
                let items = self.elements(&codomain, span)?.unwrap_or_else(|| Rc::from([]));
                // Each element is replaced by the next one.
                let mut result = value.clone();
                for (at, item) in items.iter().enumerate() {
                    let after = items[(at + 1) % items.len()].clone();
                    let same = self.equal(value, &Sym::Known(item.clone()));
                    result = self.select(same, &Sym::Known(after), &result, span)?;
                }
                Ok(result)
            }
            _ => Err(Stop),
        }
    }
}

/// The changes of a rule and its parts, with their operators.
fn list(file: &File, at: usize, rule: RuleId, name: &str, found: &mut Vec<(Mutation, &'static str, String)>) {
    let mut stack = vec![rule];
    while let Some(rule) = stack.pop() {
        let mut add = |operator, change| found.push((Mutation { file: at, rule, change }, operator, name.to_owned()));
        let mut parts: Vec<RuleId> = Vec::new();
        match &file[rule].kind {
            RuleKind::Skip | RuleKind::Error => continue,
            RuleKind::Update(..) => add("VALUE", Change::Value),
            RuleKind::Par(rules) => {
                add("P2S", Change::Order);
                parts.extend(rules);
            }
            RuleKind::Seq(rules) => {
                add("S2P", Change::Order);
                parts.extend(rules);
            }
            RuleKind::If(_, then, otherwise) => {
                add("CN", Change::Negate);
                add("CR", Change::Always);
                parts.push(*then);
                parts.extend(otherwise);
            }
            RuleKind::Switch(_, cases, otherwise) => {
                (0..cases.len()).for_each(|case| add("CASE", Change::DropCase(case)));
                parts.extend(cases.iter().map(|(_, rule)| *rule));
                parts.extend(otherwise);
            }
            RuleKind::Choose(_, condition, body, none) => {
                if condition.is_some() {
                    add("CHOOSE", Change::Negate);
                    add("CHOOSE", Change::Always);
                }
                parts.push(*body);
                parts.extend(none);
            }
            RuleKind::Forall(_, condition, body) => {
                if condition.is_some() {
                    add("CN", Change::Negate);
                    add("CR", Change::Always);
                }
                parts.push(*body);
            }
            RuleKind::Let(_, body)
            | RuleKind::Extend(_, _, body)
            | RuleKind::While(_, body)
            | RuleKind::Return(_, _, body) => parts.push(*body),
            RuleKind::Call(..) | RuleKind::Term(..) => {}
        }
        add("RR", Change::Remove);
        stack.extend(parts.into_iter().rev());
    }
}
