//! Terms: what they stand for in a state that is not known yet.

use super::assume::bounded;
use super::signature::Dom;
use super::value::{Const, Single, Sym};
use super::{Binding, Env, Location, Lowering, MOST_CALLS, Stop};
use crate::expr::{ExprId, Node};
use crate::model::{Define, DefineId};
use specwright_syntax::asm::ast::{BinaryOp, Binder, FunctionKind, Ident, TermId, TermKind};
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use std::rc::Rc;
use std::sync::Arc;

/// A way to give variables elements, and when the elements are there.
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
            TermKind::Real(_) => {
                let message = "real numbers are not supported";
                Err(self.stop(Diagnostic::error(codes::UNBOUNDED, span, message).help("use whole numbers")))
            }
            TermKind::Undef => Ok(Sym::UNDEF),
            TermKind::Rule(name) => Ok(Sym::Known(Const::Rule(name.text.clone()))),
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
                Ok(bounded(result, env))
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
                    let known = items.iter().all(|(_, guard)| self.truth_of(*guard).is_some());
                    if !known {
                        return Err(
                            self.unsupported(span, "a sequence whose length depends on the state is not supported")
                        );
                    }
                    items.retain(|(_, guard)| self.truth_of(*guard) == Some(true));
                    return Ok(known_if(Sym::Seq(items.into_iter().map(|(item, _)| item).collect())));
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
                let then = self.eval(*then, &inner)?;
                let no = self.not(condition);
                let inner = self.assume(no, env);
                let otherwise = otherwise.map_or(Ok(Sym::UNDEF), |otherwise| self.eval(otherwise, &inner))?;
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
                        None => chosen.push((same, self.eval(*result, env)?)),
                    }
                }
                let mut result = match (last, otherwise) {
                    (Some(last), _) => last,
                    (None, Some(otherwise)) => self.eval(*otherwise, env)?,
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
                self.domain_as_set(&dom, span)
            }
            TermKind::Error => Err(Stop),
        }
    }

    pub(super) fn eval_all(&mut self, terms: &[TermId], env: &Env) -> Result<Vec<Sym>, Stop> {
        terms.iter().map(|term| self.eval(*term, env)).collect()
    }

    /// A condition.
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
            None => {
                self.unknown("variable", name, span);
                Err(Stop)
            }
        }
    }

    /// Something that may go round in a circle.
    pub(super) fn nested<T>(&mut self, span: Span, body: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        if self.n_calls >= MOST_CALLS {
            let message = format!("this refers to itself, or to others more than {MOST_CALLS} deep");
            return Err(self.stop(Diagnostic::error(codes::CIRCULAR, span, message)));
        }
        self.n_calls += 1;
        let result = body(self);
        self.n_calls -= 1;
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

    /// All ways to give variables elements of their domains, and when a condition holds for them.
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
                // Later domains may depend on earlier variables.
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
        let mut ends = Vec::new();
        for term in [Some(first), Some(last), step].into_iter().flatten() {
            match self.eval(term, env)? {
                Sym::Known(Const::Int(value)) => ends.push(value),
                other => {
                    return Err(self.wrong_kind(self.files[env.file][term].span, "a number that is known", &other));
                }
            }
        }
        let step = ends.get(2).copied().unwrap_or(1);
        if step <= 0 || ends[1].saturating_sub(ends[0]) / step > 1 << 16 {
            return Err(self.too_large(span, "a set of more than 65536 numbers cannot be listed"));
        }
        let (mut items, mut at) = (Vec::new(), ends[0]);
        while at <= ends[1] {
            items.push(Const::Int(at));
            at += step;
        }
        Ok(Sym::Known(Const::set(items)))
    }

    fn domain_as_set(&mut self, dom: &Dom, span: Span) -> Result<Sym, Stop> {
        if let Some(items) = self.elements(dom, span)? {
            let yes = self.boolean(true);
            // In declared order: tests prefer what comes first.
            return Ok(Sym::Set(items.iter().map(|item| (Sym::Known(item.clone()), yes)).collect()));
        }
        let text = self.domain_text(dom);
        let message = format!("there is no end to the elements of `{text}`");
        let help = "declare a domain with an end: `domain D subsetof Integer`, and `domain D = {0 : 100}`";
        Err(self.stop(Diagnostic::error(codes::UNBOUNDED, span, message).help(help)))
    }

    fn apply(&mut self, name: &Ident, args: &[TermId], span: Span, env: &Env) -> Result<Sym, Stop> {
        if let Some(index) = self.sig.function_names.get(&(name.text.clone(), args.len())).copied() {
            let args = self.eval_all(args, env)?;
            return self.call(index, args, span, env);
        }
        if args.is_empty() {
            if self.sig.enum_constants.contains_key(&name.text) {
                return Ok(Sym::Known(Const::Atom(name.text.clone())));
            }
            if let Some(index) = self.sig.domain_names.get(&name.text) {
                return self.domain_as_set(&Dom::Named(*index), span);
            }
            match (&*name.text, &env.agent) {
                ("self", Some(agent)) => return Ok(Sym::Known(agent.clone())),
                ("self", None) => {
                    return Err(self.stop(Diagnostic::error(
                        codes::UNKNOWN_NAME,
                        span,
                        "`self` is only known in the program of an agent",
                    )));
                }
                ("Boolean", _) => return self.domain_as_set(&Dom::Bool, span),
                ("Integer" | "Natural", _) => return self.domain_as_set(&Dom::Int { natural: false }, span),
                ("String", _) => return self.domain_as_set(&Dom::Text, span),
                _ => {}
            }
        }
        if let Some(other) = self.sig.functions.iter().find(|function| function.name == name.text) {
            let message = format!("`{}` takes {} arguments, not {}", name.text, other.params.len(), args.len());
            let declared = other.span;
            return Err(
                self.stop(Diagnostic::error(codes::BAD_ARGUMENTS, span, message).also(declared, "declared here"))
            );
        }
        self.library(name, args, span, env)
    }

    /// A declared function, applied.
    pub(super) fn call(&mut self, index: usize, args: Vec<Sym>, span: Span, env: &Env) -> Result<Sym, Stop> {
        let function = &self.sig.functions[index];
        if self.is_element(function) {
            return Ok(Sym::Known(Const::Atom(function.name.clone())));
        }
        let known: Option<Vec<Const>> = args.iter().map(Sym::known).collect();
        let defined = matches!(function.kind, FunctionKind::Static | FunctionKind::Derived);
        let constant =
            !defined && !function.updated && !matches!(function.kind, FunctionKind::Monitored | FunctionKind::Shared);
        if defined {
            // What depends on the state is looked up anew once a sequence has changed it.
            return match known.filter(|_| env.overlay.is_empty()) {
                Some(args) => self.apply_known((index, args), span),
                None => self.nested(span, |lowering| lowering.apply_definition(index, args, span, env)),
            };
        }
        if constant {
            // It has values at its locations only.
            let mut result = Sym::UNDEF;
            for (args, guard) in self.possible_args(index, &args, span)?.into_iter().rev() {
                let value = self.apply_known((index, args), span)?;
                result = self.select(guard, &value, &result, span)?;
            }
            return Ok(result);
        }
        match known {
            Some(args) => Ok(self.read((index, args), env)),
            None => self.read_somewhere(index, &args, span, env),
        }
    }

    /// A defined function, applied to known values: looked at once, and named in the model if it depends on the state.
    fn apply_known(&mut self, location: Location, span: Span) -> Result<Sym, Stop> {
        if let Some(known) = self.applied.get(&location) {
            return known.clone();
        }
        let args = location.1.iter().cloned().map(Sym::Known).collect();
        let env = Env::new(self, 0);
        let result = self.nested(span, |lowering| lowering.apply_definition(location.0, args, span, &env));
        let result = result.map(|sym| match sym {
            Sym::One(single) if self.sig.functions[location.0].kind == FunctionKind::Derived => {
                Sym::One(self.name_derived(&location, single))
            }
            other => other,
        });
        self.applied.insert(location, result.clone());
        result
    }

    /// A define for what a derived function stands for.
    fn name_derived(&mut self, location: &Location, single: Single) -> Single {
        let function = &self.sig.functions[location.0];
        let name = super::locations::location_name(&function.name, &location.1);
        let span = function.definition.map_or(function.span, |definition| definition.def.name.span);
        let leaf = |node: &Node| matches!(node, Node::Const(_) | Node::Var(_) | Node::Define(_));
        if leaf(&self.model[single.value])
            || self.model.var_named(&name).is_some()
            || self.model.mentions(single.value, crate::typing::is_temporal)
        {
            return single;
        }
        let body = super::written(single.value, span);
        self.model.defines.push(Define { name, body, span });
        let define = DefineId(self.model.defines.len() as u32 - 1);
        Single { value: self.node(Node::Define(define)), ..single }
    }

    fn apply_definition(&mut self, index: usize, args: Vec<Sym>, span: Span, env: &Env) -> Result<Sym, Stop> {
        let function = &self.sig.functions[index];
        let constant = !matches!(function.kind, FunctionKind::Static | FunctionKind::Derived);
        let definition = if constant { function.initial } else { function.definition };
        let Some(definition) = definition else {
            if constant {
                return Ok(Sym::UNDEF);
            }
            let message = format!("`{}` has no definition", function.name);
            let declared = function.span;
            let diagnostic = Diagnostic::error(codes::NO_DEFINITION, declared, message).also(span, "used here");
            return Err(self.stop(diagnostic));
        };
        let mut inner = Env { file: definition.file, vars: None, agent: None, ..env.clone() };
        for (param, arg) in definition.def.params.iter().zip(args) {
            inner.bind(&param.var.text, Binding::Value(arg));
        }
        self.eval(definition.def.body, &inner)
    }

    /// What is at a location.
    pub(super) fn read(&mut self, location: Location, env: &Env) -> Sym {
        if let Some(changed) = env.overlay.get(&location) {
            return changed.clone();
        }
        let Some(slot) = self.slots.get(&location).cloned() else {
            // For the next pass.
            if let Some(rows) = self.facts.args.get_mut(&location.0) {
                rows.insert(location.1);
            }
            return Sym::UNDEF;
        };
        bounded(self.read_slot(&slot), env)
    }

    /// What is at the location that the state says.
    fn read_somewhere(&mut self, index: usize, args: &[Sym], span: Span, env: &Env) -> Result<Sym, Stop> {
        let mut result = Sym::UNDEF;
        for (args, guard) in self.possible_args(index, args, span)?.into_iter().rev() {
            let value = self.read((index, args), env);
            result = self.select(guard, &value, &result, span)?;
        }
        Ok(result)
    }

    /// The arguments that some terms may stand for, among those for which a function has locations.
    pub(super) fn possible_args(
        &mut self,
        index: usize,
        args: &[Sym],
        span: Span,
    ) -> Result<Vec<(Vec<Const>, ExprId)>, Stop> {
        let params = self.sig.functions[index].params.clone();
        let mut lists: Vec<Rc<[(Const, ExprId)]>> = Vec::new();
        for (param, arg) in params.iter().zip(args) {
            let items: Rc<[Const]> = match (self.elements(param, span)?, arg.known()) {
                (Some(items), _) => items,
                (None, Some(known)) => [known].into(),
                (None, None) => {
                    let name = &self.sig.functions[index].name;
                    let text = self.domain_text(param);
                    let message =
                        format!("which `{name}` this is depends on the state, and there is no end of `{text}`");
                    return Err(self.stop(Diagnostic::error(codes::UNBOUNDED, span, message)));
                }
            };
            let mut possible = Vec::new();
            for item in items.iter() {
                let same = self.equal(arg, &Sym::Known(item.clone()));
                if self.truth_of(same) != Some(false) {
                    possible.push((item.clone(), same));
                }
            }
            lists.push(possible.into());
        }
        let mut all = Vec::new();
        for row in self.product(&lists, span)? {
            let guards: Vec<ExprId> = row.iter().map(|(_, guard)| *guard).collect();
            let guard = self.all(&guards);
            if self.truth_of(guard) != Some(false) {
                all.push((row.into_iter().map(|(item, _)| item).collect(), guard));
            }
        }
        Ok(all)
    }
}

/// A place with the state of another: what a parameter stands for is looked up in the state in which it is used.
pub(super) fn within(there: &Env, here: &Env) -> Env {
    Env {
        overlay: here.overlay.clone(),
        bounds: here.bounds.clone(),
        path: here.path,
        block: here.block,
        ..there.clone()
    }
}

/// A structure, known if all its parts are.
fn known_if(sym: Sym) -> Sym {
    sym.known().map_or(sym, Sym::Known)
}
