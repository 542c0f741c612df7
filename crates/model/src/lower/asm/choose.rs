//! `choose`: an input of the step selects one of the eligible elements.

use super::library::count;
use super::mutants::Change;
use super::rules::Update;
use super::terms::Case;
use super::value::{Const, Sym};
use super::{Env, Lowering, Stop};
use crate::expr::{ExprId, Node};
use crate::model::{VarId, VarKind};
use crate::value::{Domain, Value};
use specwright_syntax::asm::ast::{Binder, RuleId, TermId};
use specwright_syntax::span::Span;

impl Lowering<'_> {
    /// `choose`: an input of the step selects one of the eligible elements.
    pub(super) fn choice(
        &mut self,
        rule: RuleId,
        binders: &[Binder],
        condition: Option<TermId>,
        body: RuleId,
        none: Option<RuleId>,
        env: &Env,
    ) -> Result<Vec<Update>, Stop> {
        let span = self.files[env.file][rule].span;
        let change = self.change(env.file, rule);
        let cases = self.cases_changed(change, binders, condition, env)?;
        if self.world.is_some() {
            return self.choice_on_path(rule, &cases, body, none, env);
        }
        let name: Vec<&str> = binders.iter().map(|binder| binder.var.text.trim_start_matches('$')).collect();
        let pickers = self.pickers(&name.join("_"), cases.iter().map(|(_, chosen, _)| chosen), span)?;
        let mut updates = Vec::new();
        let mut picked = Vec::new();
        for (at, (inner, _, guard)) in cases.iter().enumerate() {
            let taken = self.and(*guard, pickers[at]);
            picked.push(taken);
            updates.extend(self.branch(rule, 0, taken, inner, |lowering, env| lowering.execute(body, env))?);
        }
        let guards: Vec<ExprId> = cases.iter().map(|(_, _, guard)| *guard).collect();
        let some = self.any(&guards);
        // If some element is eligible, the selected one is; otherwise the selection is unused.
        let called = self.and(env.path, some);
        let fits = self.any(&picked);
        let constraint = self.implies(called, fits);
        self.choices.push(constraint);
        if let Some(first) = pickers.first() {
            let idle = self.or(called, *first);
            self.choices.push(idle);
        }
        if let Some(none) = none {
            let nothing = self.not(some);
            updates.extend(self.branch(rule, 1, nothing, env, |lowering, env| lowering.execute(none, env))?);
        }
        Ok(updates)
    }

    /// `choose` with the selected case given.
    fn choice_on_path(
        &mut self,
        rule: RuleId,
        cases: &[Case],
        body: RuleId,
        none: Option<RuleId>,
        env: &Env,
    ) -> Result<Vec<Update>, Stop> {
        let guards: Vec<ExprId> = cases.iter().map(|(_, _, guard)| *guard).collect();
        let some = self.any(&guards);
        let mut updates = Vec::new();
        if !cases.is_empty() {
            let taken = self.world.as_mut().map_or(0, |world| world.take(cases.len()));
            let (inner, _, guard) = &cases[taken];
            let called = self.and(env.path, some);
            let fits = self.implies(called, *guard);
            if let Some(world) = &mut self.world {
                world.require(fits);
            }
            updates.extend(self.branch(rule, 0, *guard, inner, |lowering, env| lowering.execute(body, env))?);
        }
        if let Some(none) = none {
            let nothing = self.not(some);
            updates.extend(self.branch(rule, 1, nothing, env, |lowering, env| lowering.execute(none, env))?);
        }
        Ok(updates)
    }

    /// A condition with the change of a mutant applied.
    pub(super) fn changed(&mut self, change: Option<Change>, condition: ExprId) -> ExprId {
        match change {
            Some(Change::Negate) => self.not(condition),
            Some(Change::Always) => self.boolean(true),
            _ => condition,
        }
    }

    /// The cases of a rule that iterates over elements, with the change of a mutant applied.
    pub(super) fn cases_changed(
        &mut self,
        change: Option<Change>,
        binders: &[Binder],
        condition: Option<TermId>,
        env: &Env,
    ) -> Result<Vec<Case>, Stop> {
        let Some(change) = change else { return self.cases(binders, condition, env) };
        let mut cases = self.cases(binders, None, env)?;
        for (inner, _, guard) in &mut cases {
            if let Some(condition) = condition {
                let holds = self.condition(condition, inner)?;
                let holds = self.changed(Some(change), holds);
                *guard = self.and(*guard, holds);
            }
        }
        cases.retain(|(_, _, guard)| self.truth_of(*guard) != Some(false));
        Ok(cases)
    }

    /// For each case, the condition under which it is selected.
    fn pickers<'c>(
        &mut self,
        name: &str,
        chosen: impl Iterator<Item = &'c Vec<Sym>>,
        span: Span,
    ) -> Result<Vec<ExprId>, Stop> {
        let known: Vec<Option<Const>> = chosen
            .map(|row| match &row[..] {
                [Sym::Known(value)] => Some(value.clone()),
                _ => None,
            })
            .collect();
        if known.len() <= 1 {
            let yes = self.boolean(true);
            return Ok(vec![yes; known.len()]);
        }
        let number = self.n_choices.entry(name.into()).or_insert(0);
        *number += 1;
        let name = if *number == 1 { format!("choice.{name}") } else { format!("choice.{name}_{number}") };
        let mut values: Vec<Value> = Vec::new();
        for value in &known {
            if let Some(value @ (Const::Atom(_) | Const::Int(_))) = value {
                values.extend(self.value(value));
            }
        }
        let symbols = values.iter().all(|value| matches!(value, Value::Symbol(_)));
        let distinct: rustc_hash::FxHashSet<Value> = values.iter().copied().collect();
        let named = values.len() == known.len()
            && distinct.len() == known.len()
            && (symbols || values.iter().all(|value| matches!(value, Value::Int(_))));
        let values = if named { values } else { (1..=count(known.len())).map(Value::Int).collect() };
        let domain = range_or_enum(&values);
        let var = if self.mutation.is_some() {
            self.take_choice(&name, &domain).ok_or(Stop)?
        } else {
            self.model.vars.push(crate::model::Var { name, domain, kind: VarKind::Input, span });
            VarId(self.model.vars.len() as u32 - 1)
        };
        let var = self.var_expr(var);
        let mut pickers = Vec::new();
        for value in values {
            let value = self.node(Node::Const(value));
            pickers.push(self.compare(crate::op::BinaryOp::Eq, var, value));
        }
        Ok(pickers)
    }
}

/// A range if the values are consecutive numbers, else an enumeration.
fn range_or_enum(values: &[Value]) -> Domain {
    let numbers: Option<Vec<i64>> =
        values.iter().map(|value| if let Value::Int(number) = value { Some(*number) } else { None }).collect();
    match numbers {
        Some(numbers) if numbers.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1])) => {
            Domain::Range(numbers[0], numbers[numbers.len() - 1])
        }
        _ => Domain::Enum(values.into()),
    }
}
