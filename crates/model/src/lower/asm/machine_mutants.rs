//! Mutants of rules as machines: the assignments and constraints in which they differ from the model.

use super::mutants::Mutation;
use super::{Env, Lowering, MAX_EXPRESSIONS};
use crate::expr::{ExprId, SourcedExpr};
use crate::model::{Assign, AssignKind, ChangedPart, Var, VarId, VarKind};
use crate::value::Domain;
use specwright_syntax::asm::ast::RuleId;
use specwright_syntax::diagnostic::Diagnostic;

impl Lowering<'_> {
    /// Attaches to the mutants of rules the parts of the machine that they change.
    pub(super) fn attach_machines(&mut self, body: RuleId, env: &Env) {
        for (index, mutation) in std::mem::take(&mut self.mutations).into_iter().enumerate() {
            // The rest of the expressions is left to what is made from the model.
            if self.model.context.exprs.len() > MAX_EXPRESSIONS / 2 {
                return;
            }
            self.model.source.rewrites[index].changes = self.changed_parts(mutation, body, env);
        }
    }

    /// The parts of the machine that a mutant changes; nothing if the rules of the mutant have no meaning, or if it has
    /// choices that the machine does not have. Everything else stays as it is.
    fn changed_parts(&mut self, mutation: Mutation, body: RuleId, env: &Env) -> Option<Vec<(ChangedPart, ExprId)>> {
        let (n_assigns, n_trans) = (self.model.assigns.len(), self.model.trans.len());
        let (n_hazards, n_steps) = (self.model.source.hazards.len(), self.n_steps);
        let (facts, given) = (self.facts.clone(), self.given.clone());
        let coverage = std::mem::take(&mut self.coverage);
        let hidden = std::mem::take(&mut self.hidden);
        let new_elements = std::mem::take(&mut self.new_elements);
        let endless = std::mem::take(&mut self.endless);
        let choices = std::mem::take(&mut self.choices);
        let n_choices = std::mem::take(&mut self.n_choices);
        let reported = std::mem::take(&mut self.reported);
        let diagnostics = std::mem::take(&mut self.diagnostics);

        self.mutation = Some(mutation);
        self.taken.clear();
        let executed = self.step(body, env).map(|updates| {
            let finished = self.finish(&updates);
            self.add_hazards(finished);
        });
        self.mutation = None;

        let is_fine = executed.is_ok() && !self.diagnostics.iter().any(Diagnostic::is_error);
        let assigns = self.model.assigns.split_off(n_assigns);
        let trans = self.model.trans.split_off(n_trans);
        self.model.source.hazards.truncate(n_hazards);
        (self.facts, self.given, self.n_steps) = (facts, given, n_steps);
        (self.coverage, self.hidden, self.new_elements) = (coverage, hidden, new_elements);
        (self.endless, self.choices, self.n_choices) = (endless, choices, n_choices);
        (self.reported, self.diagnostics) = (reported, diagnostics);
        is_fine.then(|| self.differences(&assigns, &trans))
    }

    /// The assignments and constraints of a mutant that differ from those of the machine.
    fn differences(&mut self, assigns: &[Assign], trans: &[SourcedExpr]) -> Vec<(ChangedPart, ExprId)> {
        let mut changes = Vec::new();
        for (index, old) in self.model.assigns.iter().enumerate().filter(|(_, old)| old.kind == AssignKind::Next) {
            let new = assigns.iter().find(|new| new.var == old.var).map(|new| new.value.expr);
            changes.extend(new.filter(|new| *new != old.value.expr).map(|new| (ChangedPart::Assign(index), new)));
        }
        let has = |list: &[SourcedExpr], expr: ExprId| list.iter().any(|sourced| sourced.expr == expr);
        let dropped = self.model.trans.iter().enumerate().filter(|(_, old)| !has(trans, old.expr));
        let mut dropped: Vec<usize> = dropped.map(|(index, _)| index).collect();
        let added: Vec<ExprId> = trans.iter().map(|new| new.expr).filter(|new| !has(&self.model.trans, *new)).collect();
        if !added.is_empty() {
            let place = if dropped.is_empty() { self.model.trans.len() } else { dropped.remove(0) };
            changes.push((ChangedPart::Trans(place), self.all(&added)));
        }
        let yes = self.boolean(true);
        changes.extend(dropped.into_iter().map(|index| (ChangedPart::Trans(index), yes)));
        changes
    }

    /// A choice of the machine for a mutant, which takes each at most once: the one of this name if its values are the same,
    /// else the first with these values.
    pub(super) fn take_choice(&mut self, name: &str, domain: &Domain) -> Option<VarId> {
        let is_choice = |(_, var): &(VarId, &Var)| {
            var.kind == VarKind::Input && var.name.starts_with("choice.") && var.domain == *domain
        };
        let mut free = self.model.vars().filter(|(id, _)| !self.taken.contains(id)).filter(is_choice).peekable();
        let first = free.peek().map(|(id, _)| *id);
        let chosen = free.find(|(_, var)| var.name == name).map(|(id, _)| id).or(first)?;
        self.taken.push(chosen);
        Some(chosen)
    }
}
