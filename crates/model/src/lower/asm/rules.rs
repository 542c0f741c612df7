//! Symbolic execution of rules: guarded updates.

use super::apply::within;
use super::mutants::Change;
use super::value::Sym;
use super::{Binding, Bound, Env, Location, Lowering, Pass, Stop};
use crate::expr::ExprId;
use indexmap::IndexMap;
use specwright_syntax::asm::ast::{FunctionKind, RuleId, RuleKind, TermId, TermKind};
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use std::rc::Rc;
use std::sync::Arc;

/// A guarded update of a location.
#[derive(Clone, Debug)]
pub(super) struct Update {
    pub(super) location: Location,
    pub(super) guard: ExprId,
    pub(super) value: Sym,
    /// Its source span and the name of its rule.
    pub(super) span: Span,
    pub(super) rule: Arc<str>,
}

impl Lowering<'_> {
    /// The updates of a rule.
    pub(super) fn execute(&mut self, rule: RuleId, env: &Env) -> Result<Vec<Update>, Stop> {
        let files = self.files;
        let node = &files[env.file][rule];
        let span = node.span;
        self.tick(span)?;
        if self.truth_of(env.path) == Some(false) {
            return Ok(Vec::new());
        }
        if self.pass == Pass::Model {
            self.coverage.fired(env.file, rule, env.path);
        }
        let change = self.change(env.file, rule);
        if change == Some(Change::Remove) {
            return Ok(Vec::new());
        }
        match &node.kind {
            RuleKind::Skip => Ok(Vec::new()),
            RuleKind::Update(location, value) => self.update(rule, *location, *value, env),
            RuleKind::Seq(rules) if change != Some(Change::Order) => self.sequence(rules, env),
            RuleKind::Par(rules) if change == Some(Change::Order) => self.sequence(rules, env),
            RuleKind::Par(rules) | RuleKind::Seq(rules) => {
                // All parts are executed, so that all errors are reported.
                let results: Vec<_> = rules.iter().map(|rule| self.execute(*rule, env)).collect();
                let mut updates = Vec::new();
                for result in results {
                    updates.extend(result?);
                }
                Ok(updates)
            }
            RuleKind::If(condition, then, otherwise) => {
                let value = self.condition(*condition, env)?;
                let value = self.changed(change, value);
                let mut updates = self.branch(rule, 0, value, env, |lowering, env| lowering.execute(*then, env))?;
                if let Some(otherwise) = otherwise {
                    let no = self.not(value);
                    let more = self.branch(rule, 1, no, env, |lowering, env| lowering.execute(*otherwise, env))?;
                    updates.extend(more);
                }
                if self.pass == Pass::Model {
                    self.coverage.guard(env.file, rule, env.path, value);
                }
                Ok(updates)
            }
            RuleKind::Switch(scrutinee, cases, otherwise) => {
                let scrutinee = self.eval(*scrutinee, env)?;
                let mut updates = Vec::new();
                let mut missed = Vec::new();
                for (at, (value, body)) in cases.iter().enumerate() {
                    if change == Some(Change::DropCase(at)) {
                        continue;
                    }
                    let value = self.eval(*value, env)?;
                    let same = self.equal(&scrutinee, &value);
                    // Only the first matching case is executed; most cases are disjoint anyway.
                    let mut condition = same;
                    for earlier in &missed {
                        if !self.exclusive(*earlier, same) {
                            let no = self.not(*earlier);
                            condition = self.and(condition, no);
                        }
                    }
                    missed.push(same);
                    updates
                        .extend(self.branch(rule, at, condition, env, |lowering, env| lowering.execute(*body, env))?);
                }
                if let Some(otherwise) = otherwise {
                    let any = self.any(&missed);
                    let none = self.not(any);
                    let at = cases.len();
                    updates
                        .extend(self.branch(rule, at, none, env, |lowering, env| lowering.execute(*otherwise, env))?);
                }
                Ok(updates)
            }
            RuleKind::Let(bindings, body) => {
                let inner = self.let_env(bindings, env)?;
                self.execute(*body, &inner)
            }
            RuleKind::Forall(binders, condition, body) => {
                let mut updates = Vec::new();
                let cases = self.cases_changed(change, binders, *condition, env)?;
                for (inner, _, guard) in self.cases_that_differ(env.file, rule, (binders, *body), cases) {
                    updates.extend(self.branch(rule, 0, guard, &inner, |lowering, env| lowering.execute(*body, env))?);
                }
                Ok(self.merged(updates))
            }
            RuleKind::Choose(binders, condition, body, none) => {
                self.choice(rule, binders, *condition, *body, *none, env)
            }
            RuleKind::Call(name, args) => self.call_rule(name, args, env, env, span),
            RuleKind::Return(location, value, call) => self.returned(rule, (*location, *value), *call, env),
            RuleKind::Term(term, args) => self.term_rule(rule, *term, args, env, span),
            RuleKind::Extend(domain, vars, body) => self.extension(domain, vars, *body, env, span),
            RuleKind::While(condition, body) => self.repeat(rule, *condition, *body, self.bounds.rounds, env),
            RuleKind::Error => Err(Stop),
        }
    }

    /// Executes a part of a rule under a condition.
    pub(super) fn branch(
        &mut self,
        rule: RuleId,
        branch: usize,
        condition: ExprId,
        env: &Env,
        body: impl FnOnce(&mut Self, &Env) -> Result<Vec<Update>, Stop>,
    ) -> Result<Vec<Update>, Stop> {
        let path = self.and(env.path, condition);
        if self.truth_of(path) == Some(false) || self.exclusive(env.path, condition) {
            return Ok(Vec::new());
        }
        let mut inner = self.assume(condition, env);
        inner.path = path;
        inner.block = self.coverage.enter(env.block, env.file, rule, branch, path);
        if self.truth_of(path) == Some(true) {
            return body(self, &inner);
        }
        self.conditionally(|lowering| body(lowering, &inner))
    }

    fn update(&mut self, rule: RuleId, location: TermId, value: TermId, env: &Env) -> Result<Vec<Update>, Stop> {
        let location = self.location(location, env)?;
        if self.is_unread_result(location.0) {
            return Ok(Vec::new());
        }
        self.update_location(rule, location, value, env)
    }

    fn update_location(
        &mut self,
        rule: RuleId,
        (index, args): (usize, Vec<Sym>),
        value: TermId,
        env: &Env,
    ) -> Result<Vec<Update>, Stop> {
        let span = self.files[env.file][rule].span;
        let mut value = self.eval(value, env)?;
        if self.change(env.file, rule) == Some(Change::Value) {
            value = self.other_value(index, &value, span)?;
        }
        let mut updates = Vec::new();
        for (args, guard) in self.possible_args(index, &args, span, env)? {
            let guard = self.and(env.path, guard);
            if self.truth_of(guard) != Some(false) {
                let old = self.read((index, args.clone()), env);
                if self.pass == Pass::Model {
                    let same = self.equal(&old, &value);
                    let change = self.not(same);
                    let change = self.and(guard, change);
                    self.coverage.update(env.block, env.file, rule, &env.rule, change);
                }
                let (value, rule) = (value.clone(), env.rule.clone());
                updates.push(Update { location: (index, args), guard, value, span, rule });
            }
        }
        Ok(updates)
    }

    /// The function and the arguments of a location.
    fn location(&mut self, term: TermId, env: &Env) -> Result<(usize, Vec<Sym>), Stop> {
        let files = self.files;
        let node = &files[env.file][term];
        match &node.kind {
            TermKind::Apply(name, args) => {
                if !self.sig.function_names.contains_key(&(name.text.clone(), args.len())) {
                    // Reports the error in the name.
                    self.eval(term, env)?;
                    let message = format!("`{}` cannot be updated", name.text);
                    return Err(self.stop(Diagnostic::error(codes::NOT_UPDATABLE, node.span, message)));
                }
                let args = self.eval_all(args, env)?;
                let Some(index) = self.function_for(&name.text, &args, env.file) else { return Err(Stop) };
                let function = &self.sig.functions[index];
                let what = match function.kind {
                    FunctionKind::Static => "static",
                    FunctionKind::Derived => "derived",
                    FunctionKind::Monitored => "monitored",
                    _ => return Ok((index, args)),
                };
                let message = format!("`{}` is {what}: no rule may update it", name.text);
                let declared = function.span;
                Err(self
                    .stop(Diagnostic::error(codes::NOT_UPDATABLE, node.span, message).also(declared, "declared here")))
            }
            TermKind::Var(name) => match env.lookup(name).cloned() {
                Some(Binding::Term(there, term)) => {
                    let there = within(&there, env);
                    self.nested(node.span, |lowering| lowering.location(term, &there))
                }
                Some(Binding::Value(_)) => {
                    let message = format!("`{name}` is a value: only locations can be updated");
                    Err(self.stop(Diagnostic::error(codes::NOT_UPDATABLE, node.span, message)))
                }
                None => {
                    self.unknown("variable", name, node.span);
                    Err(Stop)
                }
            },
            _ => {
                let message = "only locations can be updated";
                Err(self.stop(Diagnostic::error(codes::NOT_UPDATABLE, node.span, message)))
            }
        }
    }

    /// `f(x) <- r_x(t)`: the location gets the value that the rule gives to `result`, which belongs to the call.
    fn returned(
        &mut self,
        rule: RuleId,
        (location, value): (TermId, TermId),
        call: RuleId,
        env: &Env,
    ) -> Result<Vec<Update>, Stop> {
        let called = self.execute(call, env)?;
        self.note_hidden(&called)?;
        let inner = self.after(&called, env)?;
        let (target, args) = self.location(location, env)?;
        let returned = self.update_location(rule, (target, args), value, &inner)?;
        let updates = self.one_after_the_other(called, returned);
        Ok(self.without_result(updates))
    }

    /// Updates but those of `result`, if only calls return it.
    pub(super) fn without_result(&self, mut updates: Vec<Update>) -> Vec<Update> {
        updates.retain(|update| !self.is_local_result(update.location.0));
        updates
    }

    /// Sequential composition: each rule reads the updates of the previous ones.
    fn sequence(&mut self, rules: &[RuleId], env: &Env) -> Result<Vec<Update>, Stop> {
        let mut updates: Vec<Update> = Vec::new();
        let mut inner = env.clone();
        for (at, rule) in rules.iter().enumerate() {
            let new = self.execute(*rule, &inner)?;
            if at + 1 < rules.len() {
                self.note_hidden(&new)?;
                inner = self.after(&new, &inner)?;
            }
            updates = self.one_after_the_other(updates, new);
        }
        Ok(updates)
    }

    /// `while`: executes the rule and repeats, as long as the condition holds and there are updates.
    fn repeat(
        &mut self,
        rule: RuleId,
        condition: TermId,
        body: RuleId,
        left: usize,
        env: &Env,
    ) -> Result<Vec<Update>, Stop> {
        let holds = self.condition(condition, env)?;
        self.branch(rule, 0, holds, env, |lowering, env| {
            if left == 0 {
                let span = lowering.files[env.file][rule].span;
                let made = || (env.rule.clone(), Vec::new(), Bound::Rounds);
                let entry = lowering.endless.entry(span).or_insert_with(made);
                entry.1.push(env.path);
                return Ok(Vec::new());
            }
            let first = lowering.execute(body, env)?;
            lowering.note_hidden(&first)?;
            let fired: Vec<ExprId> = first.iter().map(|update| update.guard).collect();
            // The guards of updates imply the path condition, so this condition does, too.
            let fired = lowering.any(&fired);
            let inner = Env { path: fired, ..lowering.assume(fired, env) };
            let inner = lowering.after(&first, &inner)?;
            if lowering.truth_of(inner.path) == Some(false) {
                return Ok(first);
            }
            let rest = lowering.repeat(rule, condition, body, left - 1, &inner)?;
            Ok(lowering.one_after_the_other(first, rest))
        })
    }

    /// Merges the updates of two rules: a later update of a location replaces an earlier one.
    pub(super) fn one_after_the_other(&mut self, mut updates: Vec<Update>, new: Vec<Update>) -> Vec<Update> {
        let mut later: IndexMap<&Location, Vec<ExprId>> = IndexMap::new();
        for update in &new {
            later.entry(&update.location).or_default().push(update.guard);
        }
        let mut kept: IndexMap<&Location, ExprId> = IndexMap::new();
        for (location, guards) in later {
            let replaced = self.any(&guards);
            kept.insert(location, self.not(replaced));
        }
        for update in &mut updates {
            if let Some(kept) = kept.get(&update.location) {
                update.guard = self.and(update.guard, *kept);
            }
        }
        updates.retain(|update| self.truth_of(update.guard) != Some(false));
        updates.extend(new);
        updates
    }

    /// The environment after some updates.
    pub(super) fn after(&mut self, updates: &[Update], env: &Env) -> Result<Env, Stop> {
        let mut overlay = (*env.overlay).clone();
        for update in updates {
            let old = match overlay.get(&update.location) {
                Some(changed) => changed.clone(),
                None => self.read(update.location.clone(), env),
            };
            // An update under the path condition itself is unconditional here.
            let new = if update.guard == env.path {
                update.value.clone()
            } else {
                self.select(update.guard, &update.value, &old, update.span)?
            };
            overlay.insert(update.location.clone(), new);
        }
        Ok(Env { overlay: Rc::new(overlay), ..env.clone() })
    }
}
