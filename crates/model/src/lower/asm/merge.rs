//! Updates that are the same in many cases of a `forall` are one update.
//!
//! A `forall` over hundreds of elements often does the same for many of them: its body does not use the bound variable, or only
//! to find which of a few locations is meant. Without merging, nested rules of this kind have thousands of updates.

use super::rules::Update;
use super::terms::Case;
use super::value::{Const, Sym};
use super::{Location, Lowering};
use crate::expr::ExprId;
use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use specwright_syntax::asm::ast::{Binder, File, RuleId, RuleKind, Term, TermId, TermKind};
use specwright_syntax::span::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// An update, and the guards of all updates that it stands for.
type Guarded = (Update, Vec<ExprId>);

impl Lowering<'_> {
    /// The cases of a rule that iterates over elements. Those that differ only in variables that the body does not use are one.
    pub(super) fn cases_that_differ(
        &mut self,
        file: usize,
        rule: RuleId,
        (binders, body): (&[Binder], RuleId),
        cases: Vec<Case>,
    ) -> Vec<Case> {
        let unused = if let Some(known) = self.unused.get(&(file, rule)) {
            known.clone()
        } else {
            let is_plain = self.is_plain(file, body);
            let is_unused = |binder: &Binder| is_plain && !self.uses(file, body, &binder.var.text);
            let unused: Arc<[bool]> = binders.iter().map(is_unused).collect();
            self.unused.insert((file, rule), unused.clone());
            unused
        };
        if !unused.contains(&true) {
            return cases;
        }
        let used = |chosen: &[Sym]| -> Option<Vec<Const>> {
            chosen.iter().zip(unused.iter()).filter(|(_, unused)| !**unused).map(|(sym, _)| sym.known()).collect()
        };
        let mut merged: IndexMap<Vec<Const>, (Case, Vec<ExprId>)> = IndexMap::new();
        for case in &cases {
            let Some(key) = used(&case.1) else { return cases };
            merged.entry(key).or_insert_with(|| (case.clone(), Vec::new())).1.push(case.2);
        }
        let merged = merged.into_values();
        merged.map(|((env, chosen, _), guards)| (env, chosen, self.any(&guards))).collect()
    }

    /// Whether a rule does the same each time: it chooses nothing and creates nothing, nor do the rules that it calls.
    fn is_plain(&self, file: usize, rule: RuleId) -> bool {
        let chooses = |term: &Term| matches!(&term.kind, TermKind::Apply(name, _) if &*name.text == "chooseone");
        !self.reaches(file, rule, |kind| {
            matches!(kind, RuleKind::Choose(..) | RuleKind::Extend(..) | RuleKind::Term(..))
        }) && !self.files.iter().flat_map(|file| &file.terms).any(chooses)
    }

    /// Whether a rule, or one that it calls, has a part of some kind.
    pub(super) fn reaches(&self, file: usize, rule: RuleId, wanted: impl Fn(&RuleKind) -> bool) -> bool {
        let mut seen: BTreeSet<(usize, RuleId)> = BTreeSet::new();
        let mut open = vec![(file, rule)];
        while let Some((file, rule)) = open.pop() {
            if !seen.insert((file, rule)) {
                continue;
            }
            for part in rule_parts(&self.files[file], rule) {
                match &self.files[file][part].kind {
                    kind if wanted(kind) => return true,
                    RuleKind::Call(name, _) => {
                        let rules = self.sig.rules.get(&name.text).into_iter().flatten();
                        open.extend(rules.map(|(file, def)| (*file, def.body)));
                    }
                    _ => {}
                }
            }
        }
        false
    }

    /// Whether a rule reads a variable, also through the rules that it calls: arguments are evaluated where they are used.
    fn uses(&self, file: usize, rule: RuleId, var: &Arc<str>) -> bool {
        let mut seen: BTreeSet<(usize, RuleId, Arc<str>)> = BTreeSet::new();
        let mut open = vec![(file, rule, var.clone())];
        while let Some((file, rule, var)) = open.pop() {
            if !seen.insert((file, rule, var.clone())) {
                continue;
            }
            let tree = &self.files[file];
            for part in rule_parts(tree, rule) {
                for term in terms_of(&tree[part].kind) {
                    if mentions(tree, term, &var) {
                        return true;
                    }
                }
                let RuleKind::Call(name, args) = &tree[part].kind else { continue };
                let passed = args.iter().enumerate().filter(|(_, arg)| mentions(tree, **arg, &var));
                let passed: Vec<usize> = passed.map(|(at, _)| at).collect();
                let rules = self.sig.rules.get(&name.text).map_or(&[][..], Vec::as_slice);
                let mut fitting = rules.iter().filter(|(_, def)| def.params.len() == args.len());
                match (fitting.next(), fitting.next()) {
                    _ if passed.is_empty() => {}
                    (Some((file, def)), None) => {
                        open.extend(passed.iter().map(|at| (*file, def.body, def.params[*at].var.text.clone())));
                    }
                    // Which rule is meant depends on the arguments.
                    _ => return true,
                }
            }
        }
        false
    }

    /// The same updates, where those of one place that give a location the same value are one.
    pub(super) fn merged(&mut self, updates: Vec<Update>) -> Vec<Update> {
        let mut merged: IndexMap<(Location, Span), Vec<Guarded>> = IndexMap::new();
        let n_before = updates.len();
        for update in updates {
            let known = merged.entry((update.location.clone(), update.span)).or_default();
            // The last one is compared first: neighbouring elements often do the same.
            let same = known.iter_mut().rev().take(MOST_VALUES).find(|(other, _)| other.value == update.value);
            if let Some((_, guards)) = same {
                guards.push(update.guard);
            } else {
                let guard = update.guard;
                known.push((update, vec![guard]));
            }
        }
        let mut all = Vec::with_capacity(n_before);
        for (update, guards) in merged.into_values().flatten() {
            all.push(Update { guard: self.any(&guards), ..update });
        }
        all
    }
}

/// Number of different values of a location with which an update is compared.
const MOST_VALUES: usize = 16;

/// A rule and the rules inside of it.
fn rule_parts(file: &File, rule: RuleId) -> Vec<RuleId> {
    let mut parts = vec![rule];
    let mut at = 0;
    while let Some(rule) = parts.get(at).copied() {
        at += 1;
        match &file[rule].kind {
            RuleKind::Par(rules) | RuleKind::Seq(rules) => parts.extend(rules),
            RuleKind::If(_, then, otherwise) => parts.extend([Some(*then), *otherwise].into_iter().flatten()),
            RuleKind::Switch(_, cases, otherwise) => {
                parts.extend(cases.iter().map(|(_, rule)| *rule).chain(*otherwise));
            }
            RuleKind::Choose(_, _, body, none) => parts.extend([Some(*body), *none].into_iter().flatten()),
            RuleKind::Let(_, body)
            | RuleKind::Forall(_, _, body)
            | RuleKind::Extend(_, _, body)
            | RuleKind::While(_, body)
            | RuleKind::Return(_, _, body) => parts.push(*body),
            RuleKind::Skip | RuleKind::Update(..) | RuleKind::Call(..) | RuleKind::Term(..) | RuleKind::Error => {}
        }
    }
    parts
}

/// The terms that a rule itself evaluates; not the arguments of a call.
fn terms_of(rule: &RuleKind) -> Vec<TermId> {
    match rule {
        RuleKind::Update(location, value) | RuleKind::Return(location, value, _) => vec![*location, *value],
        RuleKind::If(condition, ..) | RuleKind::While(condition, _) => vec![*condition],
        RuleKind::Switch(scrutinee, cases, _) => {
            std::iter::once(*scrutinee).chain(cases.iter().map(|(value, _)| *value)).collect()
        }
        RuleKind::Let(bindings, _) => bindings.iter().map(|(_, term)| *term).collect(),
        RuleKind::Forall(binders, condition, _) | RuleKind::Choose(binders, condition, ..) => {
            binders.iter().map(|binder| binder.range).chain(*condition).collect()
        }
        RuleKind::Term(term, args) => std::iter::once(*term).chain(args.iter().copied()).collect(),
        _ => Vec::new(),
    }
}

/// Whether a variable occurs in a term.
fn mentions(file: &File, term: TermId, var: &str) -> bool {
    let mut open = vec![term];
    let mut seen = FxHashSet::default();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match &file[term].kind {
            TermKind::Var(name) if **name == *var => return true,
            kind => open.extend(kind.parts()),
        }
    }
    false
}
