//! Symbolic evaluation of terms.

use super::apply::within;
use super::signature::Dom;
use super::value::{Const, Sym};
use super::{Binding, Env, Lowering, MAX_CALL_DEPTH, Stop};
use crate::expr::ExprId;
use specwright_syntax::asm::ast::{BinaryOp, Binder, Ident, TermId, TermKind};
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use std::sync::Arc;

/// An assignment of elements to bound variables, with the condition that the elements are members.
pub(super) type Case = (Env, Vec<Sym>, ExprId);

impl Lowering<'_> {
    pub(super) fn eval(&mut self, term: TermId, env: &Env) -> Result<Sym, Stop> {
        let node = &self.files[env.file][term];
        let span = node.span;
        self.tick(span)?;
        match &node.kind {
            TermKind::Bool(value) => Ok(Sym::bool(*value)),
            TermKind::Int(value) => Ok(Sym::Known(Const::Int(*value))),
            TermKind::String(text) => Ok(Sym::Known(Const::Atom(format!("\"{text}\"").into()))),
            TermKind::Real(text) => match super::fractions::parse_number(text) {
                Some(number) => Ok(number),
                None => Err(self.unsupported(span, "numbers with this many digits after the point are not supported")),
            },
            TermKind::Undef => Ok(Sym::UNDEF),
            TermKind::Rule(name) => {
                if !self.sig.rules.contains_key(&name.text) {
                    self.unknown("rule", &name.text, name.span);
                    return Err(Stop);
                }
                Ok(Sym::Known(Const::Atom(format!("<<{}>>", name.text).into())))
            }
            TermKind::Var(name) => self.variable(name, span, env),
            TermKind::Apply(name, args) => self.apply(name, args, span, env),
            TermKind::Not(a) => {
                let value = self.eval(*a, env)?;
                self.negate(&value, span)
            }
            TermKind::Neg(a) => {
                let value = self.eval(*a, env)?;
                self.arithmetic(BinaryOp::Sub, &Sym::Known(Const::Int(0)), &value, span)
            }
            TermKind::Binary(op, a, b) => {
                let (a, b) = (self.eval(*a, env)?, self.eval(*b, env)?);
                let result = self.binary(*op, &a, &b, span)?;
                Ok(self.bounded(result, env))
            }
            TermKind::Tuple(items) => Ok(known_if(Sym::Tuple(self.eval_all(items, env)?))),
            TermKind::Seq(items) | TermKind::Bag(items) => Ok(known_if(Sym::Seq(self.eval_all(items, env)?))),
            TermKind::Set(items) => {
                let yes = self.boolean(true);
                let items = self.eval_all(items, env)?;
                Ok(self.set_of(items.into_iter().map(|item| (item, yes)).collect()))
            }
            TermKind::Map(pairs) => {
                let mut items = Vec::new();
                for (key, value) in pairs {
                    items.push((self.eval(*key, env)?, self.eval(*value, env)?));
                }
                Ok(known_if(Sym::Map(items)))
            }
            TermKind::Range(first, last, step) => self.range(*first, *last, *step, span, env),
            TermKind::Comprehension { binders, condition, element, sequence } => {
                let mut items = Vec::new();
                for (inner, _, guard) in self.cases(binders, *condition, env)? {
                    items.push((self.eval(*element, &inner)?, guard));
                }
                if *sequence {
                    return self.sequence_of(items, span);
                }
                Ok(self.set_of(items))
            }
            TermKind::If(condition, then, otherwise) => {
                let value = self.eval(*condition, env)?;
                let condition = self.holds(&value, self.files[env.file][*condition].span)?;
                match self.truth_of(condition) {
                    Some(true) => return self.eval(*then, env),
                    Some(false) => return otherwise.map_or(Ok(Sym::UNDEF), |otherwise| self.eval(otherwise, env)),
                    None => {}
                }
                let inner = self.assume(condition, env);
                let then = self.conditionally(|lowering| lowering.eval(*then, &inner))?;
                let no = self.not(condition);
                let inner = self.assume(no, env);
                let otherwise = match otherwise {
                    Some(otherwise) => self.conditionally(|lowering| lowering.eval(*otherwise, &inner))?,
                    None => Sym::UNDEF,
                };
                self.select(condition, &then, &otherwise, span)
            }
            TermKind::Switch(scrutinee, cases, otherwise) => {
                let scrutinee = self.eval(*scrutinee, env)?;
                let mut chosen = Vec::new();
                let mut last = None;
                for (value, result) in cases {
                    let value = self.eval(*value, env)?;
                    let same = self.equal(&scrutinee, &value);
                    match self.truth_of(same) {
                        Some(false) => {}
                        Some(true) => {
                            last = Some(self.eval(*result, env)?);
                            break;
                        }
                        None => {
                            let value = self.conditionally(|lowering| lowering.eval(*result, env))?;
                            chosen.push((same, value));
                        }
                    }
                }
                let mut result = match (last, otherwise) {
                    (Some(last), _) => last,
                    (None, Some(otherwise)) if chosen.is_empty() => self.eval(*otherwise, env)?,
                    (None, Some(otherwise)) => self.conditionally(|lowering| lowering.eval(*otherwise, env))?,
                    (None, None) => Sym::UNDEF,
                };
                for (same, value) in chosen.into_iter().rev() {
                    result = self.select(same, &value, &result, span)?;
                }
                Ok(result)
            }
            TermKind::Let(bindings, body) => {
                let inner = self.let_env(bindings, env)?;
                self.eval(*body, &inner)
            }
            TermKind::Exists { binders, condition, unique } => {
                let cases = self.cases(binders, *condition, env)?;
                let guards: Vec<ExprId> = cases.into_iter().map(|(_, _, guard)| guard).collect();
                let any = self.any(&guards);
                if !*unique {
                    return Ok(self.truth(any));
                }
                let mut parts = vec![any];
                for (at, a) in guards.iter().enumerate() {
                    for b in &guards[at + 1..] {
                        let both = self.and(*a, *b);
                        parts.push(self.not(both));
                    }
                }
                let one = self.all(&parts);
                Ok(self.truth(one))
            }
            TermKind::Forall(binders, condition) => {
                let mut parts = Vec::new();
                for (inner, _, there) in self.cases(binders, None, env)? {
                    let holds = match condition {
                        Some(condition) => {
                            let value = self.eval(*condition, &inner)?;
                            self.holds(&value, self.files[env.file][*condition].span)?
                        }
                        None => self.boolean(true),
                    };
                    parts.push(self.implies(there, holds));
                }
                let all = self.all(&parts);
                Ok(self.truth(all))
            }
            TermKind::Domain(domain) => {
                let dom = self.domain(domain)?;
                self.domain_as_set(&dom, span, env)
            }
            TermKind::Error => Err(Stop),
        }
    }

    pub(super) fn eval_all(&mut self, terms: &[TermId], env: &Env) -> Result<Vec<Sym>, Stop> {
        terms.iter().map(|term| self.eval(*term, env)).collect()
    }

    /// Evaluates a condition.
    pub(super) fn condition(&mut self, term: TermId, env: &Env) -> Result<ExprId, Stop> {
        let value = self.eval(term, env)?;
        self.holds(&value, self.files[env.file][term].span)
    }

    fn variable(&mut self, name: &Arc<str>, span: Span, env: &Env) -> Result<Sym, Stop> {
        match env.lookup(name) {
            Some(Binding::Value(value)) => Ok(value.clone()),
            Some(Binding::Term(there, term)) => {
                let there = within(there, env);
                self.nested(span, |lowering| lowering.eval(*term, &there))
            }
            None => self.unbound(name, span, env),
        }
    }

    /// A variable outside of the scope that binds it is `undef`; one that nothing binds is an error.
    fn unbound(&mut self, name: &Arc<str>, span: Span, env: &Env) -> Result<Sym, Stop> {
        if !self.files[env.file].binds(name) {
            self.unknown("variable", name, span);
            return Err(Stop);
        }
        let message = format!("`{name}` is not bound here, so it is `undef`");
        let help = "a variable is known only inside of the term or rule that binds it";
        self.report(Diagnostic::warning(codes::UNBOUND, span, message).help(help));
        Ok(Sym::UNDEF)
    }

    /// Evaluates with a bound on the nesting depth, which ends circular definitions.
    pub(super) fn nested<T>(&mut self, span: Span, body: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        if self.n_calls >= MAX_CALL_DEPTH {
            let message = format!("this recursion is more than {MAX_CALL_DEPTH} calls deep");
            return Err(self.stop(Diagnostic::error(codes::CIRCULAR, span, message)));
        }
        self.n_calls += 1;
        let result = body(self);
        self.n_calls -= 1;
        result
    }

    /// Evaluates the definition of a function. Where it depends on the state how deep a function refers to itself, its value
    /// is `undef` beyond the bound.
    pub(super) fn nested_value(
        &mut self,
        function: usize,
        span: Span,
        body: impl FnOnce(&mut Self) -> Result<Sym, Stop>,
    ) -> Result<Sym, Stop> {
        if self.n_calls < MAX_CALL_DEPTH || self.n_conditions == 0 {
            self.active_functions.push(function);
            let result = self.nested(span, body);
            self.active_functions.pop();
            return result;
        }
        let name = self.sig.functions[function].name.clone();
        let message = format!("it is not known whether `{name}` terminates");
        let note = format!("its value is `undef` where the recursion is more than {MAX_CALL_DEPTH} calls deep");
        self.report(Diagnostic::warning(codes::CUT, span, message).note(note));
        Ok(Sym::UNDEF)
    }

    /// Does something that happens only under a condition on the state.
    pub(super) fn conditionally<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        self.n_conditions += 1;
        let result = body(self);
        self.n_conditions -= 1;
        result
    }

    pub(super) fn let_env(&mut self, bindings: &[(Ident, TermId)], env: &Env) -> Result<Env, Stop> {
        let mut inner = env.clone();
        for (var, term) in bindings {
            let value = self.eval(*term, &inner)?;
            inner.bind(&var.text, Binding::Value(value));
        }
        Ok(inner)
    }

    /// All assignments of elements to bound variables, with the condition that they are members and satisfy a
    /// predicate.
    pub(super) fn cases(
        &mut self,
        binders: &[Binder],
        condition: Option<TermId>,
        env: &Env,
    ) -> Result<Vec<Case>, Stop> {
        let yes = self.boolean(true);
        let mut cases: Vec<Case> = vec![(env.clone(), Vec::new(), yes)];
        for binder in binders {
            let span = self.files[env.file][binder.range].span;
            let mut more = Vec::new();
            for (inner, chosen, guard) in &cases {
                // Later ranges may depend on earlier variables.
                let range = self.eval(binder.range, inner)?;
                let Some(members) = self.members_of(&range) else {
                    return Err(self.wrong_kind(span, "a domain or a set", &range));
                };
                for (member, there) in members {
                    self.tick(span)?;
                    let mut inner = inner.clone();
                    inner.bind(&binder.var.text, Binding::Value(member.clone()));
                    let mut chosen = chosen.clone();
                    chosen.push(member);
                    more.push((inner, chosen, self.and(*guard, there)));
                }
            }
            cases = more;
        }
        if let Some(condition) = condition {
            for (inner, _, guard) in &mut cases {
                let holds = self.condition(condition, inner)?;
                *guard = self.and(*guard, holds);
            }
        }
        cases.retain(|(_, _, guard)| self.truth_of(*guard) != Some(false));
        Ok(cases)
    }

    fn range(&mut self, first: TermId, last: TermId, step: Option<TermId>, span: Span, env: &Env) -> Result<Sym, Stop> {
        let step = match step {
            None => 1,
            Some(term) => match self.eval(term, env)? {
                Sym::Known(Const::Int(step)) => step,
                other => {
                    return Err(self.wrong_kind(self.files[env.file][term].span, "a number that is known", &other));
                }
            },
        };
        let (first, last) = (self.eval(first, env)?, self.eval(last, env)?);
        self.numbers_between(&first, &last, step, span)
    }

    pub(super) fn domain_as_set(&mut self, dom: &Dom, span: Span, env: &Env) -> Result<Sym, Stop> {
        if let Some(items) = self.elements(dom, span)? {
            // In declared order: tests prefer the first element.
            return Ok(Sym::Set(items.iter().map(|item| (Sym::Known(item.clone()), self.exists(item, env))).collect()));
        }
        let text = self.domain_text(dom);
        let message = format!("the elements of `{text}` are unbounded");
        let help = "declare a finite domain: `domain D subsetof Integer`, and `domain D = {0 : 100}`";
        Err(self.stop(Diagnostic::error(codes::UNBOUNDED, span, message).help(help)))
    }
}

/// A composite value; a constant if all its parts are.
pub(super) fn known_if(sym: Sym) -> Sym {
    sym.known().map_or(sym, Sym::Known)
}
