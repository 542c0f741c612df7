//! Rules: what they update, and when.

use super::library::count;
use super::mutants::Change;
use super::signature::Dom;
use super::terms::{Case, within};
use super::value::{Const, Sym, Values};
use super::{Binding, Env, Location, Lowering, Stop};
use crate::expr::{ExprId, Node};
use crate::model::{Role, VarId, VarKind};
use crate::value::{Domain, Value};
use specwright_syntax::asm::ast::{Binder, FunctionKind, Ident, RuleDef, RuleId, RuleKind, TermId, TermKind};
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use std::rc::Rc;
use std::sync::Arc;

/// An update of a location, and when it happens.
#[derive(Clone, Debug)]
pub(super) struct Update {
    pub(super) location: Location,
    pub(super) guard: ExprId,
    pub(super) value: Sym,
    /// Where it is written, and in which rule.
    pub(super) span: Span,
    pub(super) rule: Arc<str>,
}

impl<'a> Lowering<'a> {
    /// The updates of a rule.
    pub(super) fn execute(&mut self, rule: RuleId, env: &Env) -> Result<Vec<Update>, Stop> {
        let files = self.files;
        let node = &files[env.file][rule];
        let span = node.span;
        self.tick(span)?;
        if self.truth_of(env.path) == Some(false) {
            return Ok(Vec::new());
        }
        self.coverage.fired(env.file, rule, env.path);
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
                // All parts are looked at, so that all mistakes are reported.
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
                self.coverage.guard(env.file, rule, env.path, value);
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
                    // Only the first case that fits is taken; most exclude each other anyway.
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
                for (inner, _, guard) in self.cases_changed(change, binders, *condition, env)? {
                    updates.extend(self.branch(rule, 0, guard, &inner, |lowering, env| lowering.execute(*body, env))?);
                }
                Ok(updates)
            }
            RuleKind::Choose(binders, condition, body, none) => {
                self.choice(rule, binders, *condition, *body, *none, env)
            }
            RuleKind::Call(name, args) => self.call_rule(name, args, env, env, span),
            RuleKind::Term(term, args) => self.term_rule(rule, *term, args, env, span),
            RuleKind::Extend(domain, ..) => {
                let message = format!("`extend {}` makes new elements, of which there is no end", domain.text);
                let help = "declare the elements that there may be as static functions of the domain";
                Err(self.stop(Diagnostic::error(codes::UNBOUNDED, span, message).help(help)))
            }
            RuleKind::While(..) => Err(self.unsupported(span, "`while` is not supported: it may never end")),
            RuleKind::Error => Err(Stop),
        }
    }

    /// A part of a rule that is executed under a condition.
    fn branch(
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
        body(self, &inner)
    }

    /// Whether two conditions cannot hold together, as far as a look at them tells.
    pub(super) fn exclusive(&mut self, a: ExprId, b: ExprId) -> bool {
        let (a, b) = (self.literals(a), self.literals(b));
        a.iter().any(|x| {
            b.iter().any(|y| match (x, y) {
                (Literal::Is(x, value), Literal::Is(y, other)) => x == y && value != other,
                (Literal::Holds(x, truth), Literal::Holds(y, other)) => x == y && truth != other,
                (Literal::Is(x, value), Literal::Not(y, other)) | (Literal::Not(y, other), Literal::Is(x, value)) => {
                    x == y && value == other
                }
                _ => false,
            })
        })
    }

    /// The parts that must all hold.
    fn literals(&self, expr: ExprId) -> Vec<Literal> {
        use crate::op::{BinaryOp, UnaryOp};
        let mut found = Vec::new();
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            let constant = |expr: ExprId| match self.model[expr] {
                Node::Const(value) => Some(value),
                _ => None,
            };
            match self.model[expr] {
                Node::Binary(BinaryOp::And, a, b) if found.len() < 64 => {
                    found.push(Literal::Holds(expr, true));
                    stack.extend([a, b]);
                }
                Node::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                    found.push(Literal::Holds(expr, true));
                    let (expr, value) = match (constant(a), constant(b)) {
                        (None, Some(value)) => (a, value),
                        (Some(value), None) => (b, value),
                        _ => continue,
                    };
                    found.push(if op == BinaryOp::Eq { Literal::Is(expr, value) } else { Literal::Not(expr, value) });
                }
                Node::Unary(UnaryOp::Not, inner) => found.push(Literal::Holds(inner, false)),
                _ => found.push(Literal::Holds(expr, true)),
            }
        }
        found
    }

    fn update(&mut self, rule: RuleId, location: TermId, value: TermId, env: &Env) -> Result<Vec<Update>, Stop> {
        let span = self.files[env.file][rule].span;
        let (index, args) = self.location(location, env)?;
        let mut value = self.eval(value, env)?;
        if self.change(env.file, rule) == Some(Change::Value) {
            value = self.other_value(index, &value, span)?;
        }
        let mut updates = Vec::new();
        for (args, guard) in self.possible_args(index, &args, span)? {
            let guard = self.and(env.path, guard);
            if self.truth_of(guard) != Some(false) {
                let old = self.read((index, args.clone()), env);
                let same = self.equal(&old, &value);
                let change = self.not(same);
                let change = self.and(guard, change);
                self.coverage.update(env.block, env.file, rule, &env.rule, change);
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
                let found = self.sig.function_names.get(&(name.text.clone(), args.len())).copied();
                let Some(index) = found else {
                    // Says what is wrong with the name.
                    self.eval(term, env)?;
                    let message = format!("`{}` cannot be updated", name.text);
                    return Err(self.stop(Diagnostic::error(codes::NOT_UPDATABLE, node.span, message)));
                };
                let function = &self.sig.functions[index];
                let what = match function.kind {
                    FunctionKind::Static => "static",
                    FunctionKind::Derived => "derived",
                    FunctionKind::Monitored => "monitored",
                    _ => return Ok((index, self.eval_all(args, env)?)),
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

    /// Rules one after the other: each sees what those before it have done.
    fn sequence(&mut self, rules: &[RuleId], env: &Env) -> Result<Vec<Update>, Stop> {
        let mut updates: Vec<Update> = Vec::new();
        let mut inner = env.clone();
        for (at, rule) in rules.iter().enumerate() {
            let new = self.execute(*rule, &inner)?;
            if at + 1 < rules.len() {
                self.note_hidden(&new)?;
                inner = self.after(&new, &inner)?;
            }
            // A later update replaces an earlier one of the same location.
            for update in &mut updates {
                let later: Vec<ExprId> =
                    new.iter().filter(|new| new.location == update.location).map(|new| new.guard).collect();
                let replaced = self.any(&later);
                let kept = self.not(replaced);
                update.guard = self.and(update.guard, kept);
            }
            updates.retain(|update| self.truth_of(update.guard) != Some(false));
            updates.extend(new);
        }
        Ok(updates)
    }

    /// A place after some updates.
    fn after(&mut self, updates: &[Update], env: &Env) -> Result<Env, Stop> {
        let mut overlay = (*env.overlay).clone();
        for update in updates {
            let old = match overlay.get(&update.location) {
                Some(changed) => changed.clone(),
                None => self.read(update.location.clone(), env),
            };
            let new = self.select(update.guard, &update.value, &old, update.span)?;
            overlay.insert(update.location.clone(), new);
        }
        Ok(Env { overlay: Rc::new(overlay), ..env.clone() })
    }

    /// `choose`: an input of the step says which of the elements that will do is taken.
    fn choice(
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
            return self.choice_in_world(rule, &cases, body, none, env);
        }
        let name: Vec<&str> = binders.iter().map(|binder| binder.var.text.trim_start_matches('$')).collect();
        let pickers = self.pickers(&name.join("_"), cases.iter().map(|(_, chosen, _)| chosen), span);
        let mut updates = Vec::new();
        let mut picked = Vec::new();
        for (at, (inner, _, guard)) in cases.iter().enumerate() {
            let taken = self.and(*guard, pickers[at]);
            picked.push(taken);
            updates.extend(self.branch(rule, 0, taken, inner, |lowering, env| lowering.execute(body, env))?);
        }
        let guards: Vec<ExprId> = cases.iter().map(|(_, _, guard)| *guard).collect();
        let some = self.any(&guards);
        // If anything will do, what is picked does; if not, nothing is picked on purpose.
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

    /// `choose` where it is said which case is taken.
    fn choice_in_world(
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

    /// A condition, as a mutant has it.
    fn changed(&mut self, change: Option<Change>, condition: ExprId) -> ExprId {
        match change {
            Some(Change::Negate) => self.not(condition),
            Some(Change::Always) => self.boolean(true),
            _ => condition,
        }
    }

    /// The cases of a rule that goes through elements, as a mutant has them.
    fn cases_changed(
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

    /// For each of some possibilities, when it is picked.
    fn pickers<'c>(&mut self, name: &str, chosen: impl Iterator<Item = &'c Vec<Sym>>, span: Span) -> Vec<ExprId> {
        let known: Vec<Option<Const>> = chosen
            .map(|row| match &row[..] {
                [Sym::Known(value)] => Some(value.clone()),
                _ => None,
            })
            .collect();
        if known.len() <= 1 {
            let yes = self.boolean(true);
            return vec![yes; known.len()];
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
        self.model.vars.push(crate::model::Var { name, domain, kind: VarKind::Input, role: Role::Internal, span });
        let var = VarId(self.model.vars.len() as u32 - 1);
        let var = self.var_expr(var);
        let mut pickers = Vec::new();
        for value in values {
            let value = self.node(Node::Const(value));
            pickers.push(self.compare(crate::op::BinaryOp::Eq, var, value));
        }
        pickers
    }

    /// A named rule with its parameters, which stand for what is written at the call.
    fn call_rule(
        &mut self,
        name: &Ident,
        args: &[TermId],
        args_env: &Env,
        env: &Env,
        span: Span,
    ) -> Result<Vec<Update>, Stop> {
        let Some((file, def)) = self.find_rule(name, args, args_env) else {
            self.unknown("rule", &name.text, name.span);
            return Err(Stop);
        };
        if def.params.len() != args.len() {
            let message = format!("`{}` takes {} arguments, not {}", name.text, def.params.len(), args.len());
            return Err(
                self.stop(Diagnostic::error(codes::BAD_ARGUMENTS, span, message).also(def.name.span, "declared here"))
            );
        }
        let mut inner = Env { file, vars: None, rule: def.name.text.clone(), ..env.clone() };
        for (param, arg) in def.params.iter().zip(args) {
            inner.bind(&param.var.text, Binding::Term(args_env.clone(), *arg));
        }
        self.nested(span, |lowering| lowering.execute(def.body, &inner))
    }

    /// The rule of that name whose parameters fit; those of the same file come first.
    fn find_rule(&mut self, name: &Ident, args: &[TermId], env: &Env) -> Option<(usize, &'a RuleDef)> {
        let mut found = self.sig.rules.get(&name.text)?.clone();
        found.sort_by_key(|(file, _)| (*file != env.file, *file));
        let first = found.first().copied();
        found.retain(|(_, def)| def.params.len() == args.len());
        if found.len() > 1 {
            let values = self.eval_all(args, env).ok()?;
            let fitting = found.iter().copied().find(|(file, def)| {
                def.params.iter().zip(&values).all(|(param, value)| self.may_be_in(*file, param.range, value))
            });
            return fitting.or(found.first().copied());
        }
        found.first().copied().or(first)
    }

    /// Whether a value may belong to the domain of a parameter.
    fn may_be_in(&mut self, file: usize, range: TermId, value: &Sym) -> bool {
        let name = match &self.files[file][range].kind {
            TermKind::Apply(name, _) => name.text.clone(),
            _ => return true,
        };
        let Some(single) = self.single(value) else { return true };
        match (&*name, &single.values) {
            ("Boolean", values) => *values == Values::Bool,
            ("Integer" | "Natural", values) => matches!(values, Values::Int(..)),
            (_, Values::Atoms(atoms)) => {
                let Some(index) = self.sig.domain_names.get(&name).copied() else { return false };
                let elements = self.elements(&Dom::Named(index), Span::NONE);
                let Ok(Some(elements)) = elements else { return true };
                atoms.iter().any(|atom| elements.contains(&Const::Atom(atom.clone())))
            }
            (_, Values::Int(..)) => match self.sig.domain_names.get(&name) {
                Some(index) => matches!(self.base(&Dom::Named(*index)), Dom::Int { .. }),
                None => false,
            },
            (_, Values::Bool) => false,
        }
    }

    /// A term that stands for a rule: `program(a)`, a parameter, or a function whose value is a rule.
    fn term_rule(
        &mut self,
        rule: RuleId,
        term: TermId,
        args: &[TermId],
        env: &Env,
        span: Span,
    ) -> Result<Vec<Update>, Stop> {
        if let TermKind::Apply(name, operands) = &self.files[env.file][term].kind
            && &*name.text == "program"
            && operands.len() == 1
        {
            let agent = self.eval(operands[0], env)?;
            return self.programs(rule, &agent, env, span);
        }
        match self.eval(term, env)? {
            Sym::Known(Const::Rule(name)) => {
                let name = Ident { text: name, span };
                self.call_rule(&name, args, env, env, span)
            }
            Sym::Known(Const::Undef) => Ok(Vec::new()),
            other => Err(self.wrong_kind(span, "a rule that is known in advance", &other)),
        }
    }

    /// The program of an agent; if the state says which, those of all that it may be.
    fn programs(&mut self, rule: RuleId, agent: &Sym, env: &Env, span: Span) -> Result<Vec<Update>, Stop> {
        let mut updates = Vec::new();
        let mut found = false;
        for (domain, file, body) in self.sig.programs.clone() {
            let Some(elements) = self.elements(&Dom::Named(domain), span)? else { continue };
            for element in elements.iter() {
                let same = self.equal(agent, &Sym::Known(element.clone()));
                if self.truth_of(same) == Some(false) {
                    continue;
                }
                found = true;
                updates.extend(self.branch(rule, 0, same, env, |lowering, env| {
                    let agent = Some(element.clone());
                    let inner = Env { file, vars: None, agent, ..env.clone() };
                    lowering.nested(span, |lowering| lowering.execute(body, &inner))
                })?);
            }
        }
        if !found && !matches!(agent, Sym::Known(Const::Undef)) {
            let message = "this agent has no program";
            let help = "the initial state gives agents their programs: `agent D: r_x[]`";
            return Err(self.stop(Diagnostic::error(codes::NO_DEFINITION, span, message).help(help)));
        }
        Ok(updates)
    }
}

/// A part of a condition.
enum Literal {
    Is(ExprId, Value),
    Not(ExprId, Value),
    Holds(ExprId, bool),
}

/// A range if the values are the numbers of one, else a list.
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
