//! `choose`: an input of the step selects one of the eligible elements.

use super::library::count;
use super::mutants::Change;
use super::rules::Update;
use super::terms::Case;
use super::value::{Const, Single, Sym, Values};
use super::{Binding, Env, Lowering, Stop};
use crate::expr::{ExprId, Node};
use crate::model::{RuleChoice, VarId, VarKind};
use crate::op::BinaryOp;
use crate::value::{Domain, Value};
use specwright_syntax::asm::ast::{Binder, RuleId, RuleKind, TermId};
use specwright_syntax::span::Span;

/// Numbers to choose among from which the body of a choice is executed for all of them at once.
const MANY_NUMBERS: usize = 16;

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
        let n_vars = self.model.vars.len();
        let pickers = self.pickers(&name.join("_"), cases.iter().map(|(_, chosen, _)| chosen), span)?;
        let guards: Vec<ExprId> = cases.iter().map(|(_, _, guard)| *guard).collect();
        let some = self.any(&guards);
        let all = self.all(&guards);
        // If some element is eligible, the selected one is; otherwise the selection is unused.
        let called = self.and(env.path, some);
        if self.model.vars.len() > n_vars {
            self.note_choice(binders, &cases, &env.rule, called);
        }
        let mut updates = Vec::new();
        let mut picked = Vec::new();
        // Loops need numbers that are known, to come to an end.
        let loops = |kind: &RuleKind| matches!(kind, RuleKind::While(..) | RuleKind::Term(..));
        let one_body = self.chosen_number(binders, &cases, &pickers).filter(|_| !self.reaches(env.file, body, loops));
        for (at, (inner, _, guard)) in cases.iter().enumerate() {
            let taken = self.and(*guard, pickers[at]);
            picked.push(taken);
            if one_body.is_none() {
                updates.extend(self.branch(rule, 0, taken, inner, |lowering, env| lowering.execute(body, env))?);
            }
        }
        let fits = match &one_body {
            Some(_) if self.truth_of(all) == Some(true) => all,
            _ => self.any(&picked),
        };
        if let Some(number) = one_body {
            let mut inner = env.clone();
            inner.bind(&binders[0].var.text, Binding::Value(number));
            updates.extend(self.branch(rule, 0, fits, &inner, |lowering, env| lowering.execute(body, env))?);
        }
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

    /// The number that a choice selects, if it selects among many. The rule is executed once then, with a number that depends on
    /// the choice, and not once for each number.
    fn chosen_number(&self, binders: &[Binder], cases: &[Case], pickers: &[ExprId]) -> Option<Sym> {
        if binders.len() != 1 || cases.len() < MANY_NUMBERS {
            return None;
        }
        let mut numbers = Vec::with_capacity(cases.len());
        let mut var = None;
        for ((_, chosen, _), picker) in cases.iter().zip(pickers) {
            let [Sym::Known(Const::Int(number))] = chosen[..] else { return None };
            let Node::Binary(BinaryOp::Eq, choice, value) = self.model[*picker] else { return None };
            if self.model[value] != Node::Const(Value::Int(number)) || *var.get_or_insert(choice) != choice {
                return None;
            }
            numbers.push(number);
        }
        let (low, high) = (*numbers.iter().min()?, *numbers.iter().max()?);
        let defined = self.model.context.exprs.get(&Node::Const(Value::Bool(true)))?;
        Some(Sym::One(Single { value: var?, defined, values: Values::Int(low, high) }))
    }

    /// Records which values the variables of the newest choice get.
    fn note_choice(&mut self, binders: &[Binder], cases: &[Case], rule: &str, is_made: ExprId) {
        let var = VarId(self.model.vars.len() as u32 - 1);
        let codes: Vec<Value> = self.model[var].domain.values().collect();
        let text = |chosen: &[Sym]| {
            let known = |sym: &Sym| sym.known().filter(|value| !self.is_reserved(value));
            chosen.iter().map(|sym| known(sym).map(|value| value.to_string())).collect::<Option<Vec<String>>>()
        };
        let rows = cases.iter().map(|(_, chosen, _)| text(chosen).unwrap_or_default());
        // Numbers are in the order of the cases, or are the values themselves.
        let values: Vec<(Value, Vec<String>)> = codes.iter().copied().zip(rows).collect();
        let shown = |(code, row): &(Value, Vec<String>)| match &row[..] {
            [only] => match code {
                Value::Symbol(symbol) => self.model.context.symbols.name(*symbol) == *only,
                _ => true,
            },
            _ => true,
        };
        if !values.iter().all(shown) {
            return;
        }
        let names = binders.iter().map(|binder| binder.var.text.to_string()).collect();
        self.model.source.choices.push(RuleChoice { var, names, rule: rule.into(), values, is_made });
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

    /// `chooseone(set)`: an input of the step selects one of the members; `undef` if there is none.
    pub(super) fn choose_one(&mut self, members: &[(Sym, ExprId)], span: Span) -> Result<Sym, Stop> {
        let guards: Vec<ExprId> = members.iter().map(|(_, guard)| *guard).collect();
        let some = self.any(&guards);
        if let Some(world) = &mut self.world
            && members.len() > 1
        {
            let (member, guard) = &members[world.take(members.len())];
            let fits = self.implies(some, *guard);
            if let Some(world) = &mut self.world {
                world.require(fits);
            }
            return self.select(*guard, member, &Sym::UNDEF, span);
        }
        let rows: Vec<Vec<Sym>> = members.iter().map(|(member, _)| vec![member.clone()]).collect();
        let pickers = self.pickers("one", rows.iter(), span)?;
        let (mut result, mut picked) = (Sym::UNDEF, Vec::new());
        for ((member, guard), picker) in members.iter().zip(&pickers) {
            let taken = self.and(*guard, *picker);
            picked.push(taken);
            result = self.select(taken, member, &result, span)?;
        }
        let fits = self.any(&picked);
        let constraint = self.implies(some, fits);
        self.choices.push(constraint);
        if let Some(first) = pickers.first() {
            let idle = self.or(some, *first);
            self.choices.push(idle);
        }
        Ok(result)
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
            pickers.push(self.compare(BinaryOp::Eq, var, value));
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
