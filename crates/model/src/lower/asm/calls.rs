//! Calls of rules by name, as programs of agents, or through terms that denote rules.

use super::apply::ArgsCase;
use super::rules::Update;
use super::signature::Dom;
use super::value::{Const, Single, Sym, Values};
use super::{Binding, Bound, Env, Lowering, MAX_CALL_DEPTH, Stop};
use specwright_syntax::asm::ast::{Ident, RuleDef, RuleId, TermId, TermKind};
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;

impl<'a> Lowering<'a> {
    /// Calls a named rule; its parameters stand for the arguments of the call.
    pub(super) fn call_rule(
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
        if self.n_calls >= MAX_CALL_DEPTH && self.n_conditions > 0 {
            let entry = self.endless.entry(span).or_insert_with(|| (inner.rule.clone(), Vec::new(), Bound::Calls));
            entry.1.push(env.path);
            return Ok(Vec::new());
        }
        let called = (file, def.name.text.clone());
        if self.active_rules.contains(&called)
            && let Some(cases) = self.recursive_call_cases(file, def, args, args_env, span)?
        {
            let mut updates = Vec::new();
            for (row, guard) in cases {
                let mut inner = Env { path: self.and(env.path, guard), ..inner.clone() };
                for (param, value) in def.params.iter().zip(row) {
                    inner.bind(&param.var.text, Binding::Value(Sym::Known(value)));
                }
                let body = |lowering: &mut Self| lowering.nested(span, |lowering| lowering.execute(def.body, &inner));
                updates.extend(self.conditionally(body)?);
            }
            return Ok(updates);
        }
        self.active_rules.push(called);
        let result = self.nested(span, |lowering| lowering.execute(def.body, &inner));
        self.active_rules.pop();
        result
    }

    /// The arguments of a rule that calls itself, if they have few values.
    fn recursive_call_cases(
        &mut self,
        file: usize,
        def: &RuleDef,
        args: &[TermId],
        env: &Env,
        span: Span,
    ) -> Result<Option<Vec<ArgsCase>>, Stop> {
        let values = self.eval_all(args, env)?;
        let domains: Vec<_> = def.params.iter().map(|param| self.range_domain(file, param.range)).collect();
        self.arg_cases(&domains, &values, span)
    }

    /// The rule of this name whose parameters match; rules of the same file come first.
    fn find_rule(&mut self, name: &Ident, args: &[TermId], env: &Env) -> Option<(usize, &'a RuleDef)> {
        let mut found = self.sig.rules.get(&name.text)?.clone();
        found.sort_by_key(|(file, _)| (*file != env.file, *file));
        let first = found.first().copied();
        found.retain(|(_, def)| def.params.len() == args.len());
        if found.len() > 1 {
            let values = self.eval_all(args, env).ok()?;
            for (file, def) in found.iter().copied() {
                let mut fits = true;
                for (param, value) in def.params.iter().zip(&values) {
                    let domain = self.range_domain(file, param.range);
                    fits &= domain.is_none_or(|domain| self.may_be_in(&domain, value));
                }
                if fits {
                    return Some((file, def));
                }
            }
            return found.first().copied();
        }
        found.first().copied().or(first)
    }

    /// A term that denotes a rule: `program(a)`, a parameter, or a function whose value is a rule.
    pub(super) fn term_rule(
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
            if let Some(arg) = args.first() {
                let span = self.files[env.file][*arg].span;
                let message = "the program of an agent takes no arguments";
                return Err(self.stop(Diagnostic::error(codes::BAD_ARGUMENTS, span, message)));
            }
            let agent = self.eval(operands[0], env)?;
            return self.programs(rule, &agent, env, span);
        }
        let value = self.eval(term, env)?;
        let names = match self.single(&value) {
            Some(Single { values: Values::Atoms(names), .. }) => names,
            _ if matches!(value, Sym::Known(Const::Undef)) => return Ok(Vec::new()),
            _ => return Err(self.wrong_kind(span, "a rule", &value)),
        };
        let mut updates = Vec::new();
        for name in names.iter() {
            let Some(text) = rule_name(name) else { return Err(self.wrong_kind(span, "a rule", &value)) };
            let same = self.equal(&value, &Sym::Known(Const::Atom(name.clone())));
            let name = Ident { text: text.into(), span };
            // A rule that is constant needs no branch.
            if self.truth_of(same) == Some(true) {
                return self.call_rule(&name, args, env, env, span);
            }
            updates.extend(
                self.branch(rule, 0, same, env, |lowering, inner| lowering.call_rule(&name, args, env, inner, span))?,
            );
        }
        Ok(updates)
    }

    /// The program of an agent; if the agent depends on the state, the programs of all possible agents.
    fn programs(&mut self, rule: RuleId, agent: &Sym, env: &Env, span: Span) -> Result<Vec<Update>, Stop> {
        let mut updates = Vec::new();
        let mut found = false;
        for (domain, file, body) in self.sig.programs.clone() {
            let Some(elements) = self.elements(&Dom::Named(domain), span)? else {
                let name = self.sig.domains[domain].name.clone();
                return Err(self.endless(span, format!("the number of agents in `{name}` is unbounded")));
            };
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

/// The name of the rule that an atom stands for, if it stands for one.
fn rule_name(atom: &str) -> Option<&str> {
    atom.strip_prefix("<<")?.strip_suffix(">>")
}

/// Whether a value may be a rule.
pub(super) fn may_be_rule(value: &Sym) -> bool {
    match value {
        Sym::Known(Const::Atom(name)) => rule_name(name).is_some(),
        Sym::One(Single { values: Values::Atoms(names), .. }) => names.iter().any(|name| rule_name(name).is_some()),
        _ => false,
    }
}
