//! Function application: definitions and values at locations.

use super::library::is_shared;
use super::signature::Dom;
use super::value::{Const, Single, Sym, Values};
use super::{Binding, Bound, Env, Location, Lowering, Stop};
use crate::expr::{ExprId, Node};
use crate::model::{Define, DefineId};
use specwright_syntax::asm::ast::{FunctionKind, Ident, TermId};
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Number of small numbers that are followed where the argument of this location can be any number.
const SMALL_INDICES: i64 = 4;

/// Number of combinations of values of arguments up to which a recursion follows each by itself.
const MAX_ARG_CASES: usize = 64;

/// Values of arguments, and the condition that they are these.
pub(super) type ArgsCase = (Vec<Const>, ExprId);

impl Lowering<'_> {
    pub(super) fn apply(&mut self, name: &Ident, args: &[TermId], span: Span, env: &Env) -> Result<Sym, Stop> {
        if self.sig.function_names.contains_key(&(name.text.clone(), args.len())) {
            let values = self.eval_all(args, env)?;
            if let Some(index) = self.function_for(&name.text, &values, env.file) {
                if !is_shared(&name.text) || self.takes(index, &values) {
                    return self.call(index, values, span, env);
                }
                return self.library(name, args, span, env);
            }
        }
        if args.is_empty() {
            if self.sig.enum_constants.contains_key(&name.text) {
                return Ok(Sym::Known(Const::Atom(name.text.clone())));
            }
            if let Some(index) = self.sig.domain_names.get(&name.text) {
                return self.domain_as_set(&Dom::Named(*index), span, env);
            }
            match (&*name.text, &env.agent) {
                ("self", Some(agent)) => {
                    self.saw_self = true;
                    return Ok(Sym::Known(agent.clone()));
                }
                ("self", None) => {
                    return Err(self.stop(Diagnostic::error(
                        codes::UNKNOWN_NAME,
                        span,
                        "`self` is only known in the program of an agent",
                    )));
                }
                ("Boolean", _) => return self.domain_as_set(&Dom::Bool, span, env),
                ("Integer" | "Natural", _) => return self.domain_as_set(&Dom::Int { natural: false }, span, env),
                ("String", _) => return self.domain_as_set(&Dom::Text, span, env),
                _ => {}
            }
        }
        let other = self.sig.functions.iter().find(|function| function.name == name.text);
        if let Some(other) = other.filter(|_| !is_shared(&name.text)) {
            let message = format!("`{}` takes {} arguments, not {}", name.text, other.params.len(), args.len());
            let declared = other.span;
            return Err(
                self.stop(Diagnostic::error(codes::BAD_ARGUMENTS, span, message).also(declared, "declared here"))
            );
        }
        self.library(name, args, span, env)
    }

    /// The function of a name for these arguments: the first one whose domains match. Those of the same file come first.
    pub(super) fn function_for(&mut self, name: &Arc<str>, args: &[Sym], file: usize) -> Option<usize> {
        let mut known = self.sig.function_names.get(&(name.clone(), args.len()))?.clone();
        if known.len() > 1 {
            known.sort_by_key(|index| self.sig.functions[*index].file != file);
            for index in &known {
                if self.takes(*index, args) {
                    return Some(*index);
                }
            }
        }
        known.first().copied()
    }

    /// Whether arguments may belong to the domains of a function's parameters.
    fn takes(&mut self, index: usize, args: &[Sym]) -> bool {
        let params = self.sig.functions[index].params.clone();
        params.iter().zip(args).all(|(param, arg)| self.may_be_in(param, arg))
    }

    /// Applies a declared function.
    pub(super) fn call(&mut self, index: usize, args: Vec<Sym>, span: Span, env: &Env) -> Result<Sym, Stop> {
        let function = &self.sig.functions[index];
        if self.is_element(function) {
            return Ok(Sym::Known(Const::Atom(function.name.clone())));
        }
        let known: Option<Vec<Const>> = args.iter().map(Sym::known).collect();
        let defined = matches!(function.kind, FunctionKind::Static | FunctionKind::Derived) && !function.is_parameter;
        let constant = !defined && !function.updated && !function.is_input();
        if defined {
            // Cached results that depend on the state are invalid once a sequence has changed the state.
            return match known.filter(|_| env.overlay.is_empty()) {
                Some(args) => self.apply_known((index, args), span, env),
                None => match self.recursive_cases(index, &args, span)? {
                    Some(cases) => self.apply_cases(index, cases, span, env),
                    None => {
                        self.nested_value(index, span, |lowering| lowering.apply_definition(index, args, span, env))
                    }
                },
            };
        }
        if constant {
            // Outside of its locations it is undefined.
            let mut result = Sym::UNDEF;
            for (args, guard) in self.possible_args(index, &args, span, env)?.into_iter().rev() {
                let value = self.apply_known((index, args), span, env)?;
                result = self.select(guard, &value, &result, span)?;
            }
            return Ok(result);
        }
        match known {
            Some(args) => Ok(self.read((index, args), env)),
            None => self.read_somewhere(index, &args, span, env),
        }
    }

    /// The arguments, if a function refers to itself and they have few values. Each value is followed by itself, so that the
    /// recursion ends where it ends for each of them.
    fn recursive_cases(&mut self, index: usize, args: &[Sym], span: Span) -> Result<Option<Vec<ArgsCase>>, Stop> {
        if !self.active_functions.contains(&index) {
            return Ok(None);
        }
        let params = self.sig.functions[index].params.clone();
        let domains: Vec<Option<Dom>> = params.into_iter().map(Some).collect();
        self.arg_cases(&domains, args, span)
    }

    /// The possible values of arguments that have few of them, without `undef` and those outside of the domains.
    pub(super) fn arg_cases(
        &mut self,
        domains: &[Option<Dom>],
        args: &[Sym],
        span: Span,
    ) -> Result<Option<Vec<ArgsCase>>, Stop> {
        if args.iter().all(|arg| arg.known().is_some()) {
            return Ok(None);
        }
        let mut lists: Vec<Rc<[(Const, ExprId)]>> = Vec::new();
        let mut n_cases = 1;
        for (domain, arg) in domains.iter().zip(args) {
            let allowed = match domain {
                Some(domain) => self.elements(domain, span)?,
                None => None,
            };
            let values = match arg.known() {
                Some(value) => vec![(value, self.boolean(true))],
                None => match self.spread(arg) {
                    Some(values) => values,
                    None => return Ok(None),
                },
            };
            let fits = |value: &Const| {
                *value != Const::Undef && allowed.as_ref().is_none_or(|allowed| allowed.contains(value))
            };
            let values: Rc<[(Const, ExprId)]> = values.into_iter().filter(|(value, _)| fits(value)).collect();
            n_cases *= values.len();
            if n_cases > MAX_ARG_CASES {
                return Ok(None);
            }
            lists.push(values);
        }
        let mut cases = Vec::new();
        for row in self.product(&lists, span)? {
            let guards: Vec<ExprId> = row.iter().map(|(_, guard)| *guard).collect();
            let guard = self.all(&guards);
            if self.truth_of(guard) != Some(false) {
                cases.push((row.into_iter().map(|(item, _)| item).collect(), guard));
            }
        }
        Ok(Some(cases))
    }

    /// The value of a defined function for arguments with these values.
    fn apply_cases(&mut self, index: usize, cases: Vec<ArgsCase>, span: Span, env: &Env) -> Result<Sym, Stop> {
        let mut result = Sym::UNDEF;
        for (row, guard) in cases.into_iter().rev() {
            let value = self.conditionally(|lowering| {
                if env.overlay.is_empty() {
                    return lowering.apply_known((index, row), span, env);
                }
                let args = row.into_iter().map(Sym::Known).collect();
                lowering.nested_value(index, span, |lowering| lowering.apply_definition(index, args, span, env))
            })?;
            result = self.select(guard, &value, &result, span)?;
        }
        Ok(result)
    }

    /// Applies a defined function to constants. The result is cached, and becomes a define of the model if it depends
    /// on the state.
    fn apply_known(&mut self, location: Location, span: Span, env: &Env) -> Result<Sym, Stop> {
        if let Some(known) = self.applied.get(&(location.clone(), None)) {
            return known.clone();
        }
        // A result that depends on `self` is cached for each agent.
        let agent = env.agent.clone();
        if let Some(known) = self.applied.get(&(location.clone(), agent.clone())) {
            self.saw_self = true;
            return known.clone();
        }
        let args = location.1.iter().cloned().map(Sym::Known).collect();
        let env = Env { agent: agent.clone(), ..Env::new(self, 0) };
        let before = std::mem::take(&mut self.saw_self);
        let result =
            self.nested_value(location.0, span, |lowering| lowering.apply_definition(location.0, args, span, &env));
        let own = std::mem::replace(&mut self.saw_self, before);
        let result = result.map(|sym| match sym {
            Sym::One(single) if self.sig.functions[location.0].kind == FunctionKind::Derived && !own => {
                Sym::One(self.name_derived(&location, single))
            }
            other => other,
        });
        self.saw_self |= own;
        self.applied.insert((location, agent.filter(|_| own)), result.clone());
        result
    }

    /// A define for the value of a derived function.
    fn name_derived(&mut self, location: &Location, single: Single) -> Single {
        let function = &self.sig.functions[location.0];
        let name = super::locations::location_name(&function.name, &location.1);
        let span = function.definition.map_or(function.span, |definition| definition.def.name.span);
        let leaf = |node: &Node| matches!(node, Node::Const(_) | Node::Var(_) | Node::Define(_));
        if leaf(&self.model[single.value])
            || self.model.var_named(&name).is_some()
            || (self.model.context.exprs.has_temporal()
                && self.model.mentions(single.value, crate::typing::is_temporal))
        {
            return single;
        }
        let body = super::sourced(single.value, span);
        self.model.defines.push(Define { name, body, span });
        let define = DefineId(self.model.defines.len() as u32 - 1);
        Single { value: self.node(Node::Define(define)), ..single }
    }

    fn apply_definition(&mut self, index: usize, args: Vec<Sym>, span: Span, env: &Env) -> Result<Sym, Stop> {
        let function = &self.sig.functions[index];
        let constant = !matches!(function.kind, FunctionKind::Static | FunctionKind::Derived);
        // The initial state does not define elements that are created later.
        let reserved = args.iter().any(|arg| matches!(arg, Sym::Known(arg) if self.is_reserved(arg)));
        let initial = function.initial.filter(|_| !reserved);
        let definition = if constant { initial } else { function.definition };
        let Some(definition) = definition else {
            if constant {
                return Ok(Sym::UNDEF);
            }
            let message = format!("`{}` has no definition", function.name);
            let declared = function.span;
            let diagnostic = Diagnostic::error(codes::NO_DEFINITION, declared, message).also(span, "used here");
            return Err(self.stop(diagnostic));
        };
        let mut inner = Env { file: definition.file, vars: None, ..env.clone() };
        for (param, arg) in definition.def.params.iter().zip(args) {
            inner.bind(&param.var.text, Binding::Value(arg));
        }
        self.eval(definition.def.body, &inner)
    }

    /// The value at a location.
    pub(super) fn read(&mut self, location: Location, env: &Env) -> Sym {
        if let Some(changed) = env.overlay.get(&location) {
            return self.bounded(changed.clone(), env);
        }
        let Some(layout) = self.layouts.get(&location).cloned() else {
            // Recorded for the next pass.
            if let Some(rows) = self.facts.args.get_mut(&location.0) {
                rows.insert(location.1);
            }
            return Sym::UNDEF;
        };
        let value = self.read_location(&layout);
        let value = self.with_environment(&location, value);
        self.bounded(value, env)
    }

    /// The value at a location that depends on the state.
    fn read_somewhere(&mut self, index: usize, args: &[Sym], span: Span, env: &Env) -> Result<Sym, Stop> {
        let mut result = Sym::UNDEF;
        for (args, guard) in self.possible_args(index, args, span, env)?.into_iter().rev() {
            let value = self.read((index, args), env);
            result = self.select(guard, &value, &result, span)?;
        }
        // A condition may have been about the whole.
        Ok(self.bounded(result, env))
    }

    /// The possible arguments among those for which a function has locations.
    pub(super) fn possible_args(
        &mut self,
        index: usize,
        args: &[Sym],
        span: Span,
        env: &Env,
    ) -> Result<Vec<(Vec<Const>, ExprId)>, Stop> {
        let params = self.sig.functions[index].params.clone();
        let mut lists: Vec<Rc<[(Const, ExprId)]>> = Vec::new();
        for (at, (param, arg)) in params.iter().zip(args).enumerate() {
            let mut is_cut = false;
            let items: Rc<[Const]> = match (self.elements(param, span)?, arg.known()) {
                (Some(items), _) => items,
                (None, Some(known)) => [known].into(),
                (None, None) if let Some(values) = self.spread(arg) => {
                    values.into_iter().map(|(value, _)| value).filter(|value| *value != Const::Undef).collect()
                }
                (None, None) if let Some(values) = self.indices(index, at, arg) => {
                    is_cut = true;
                    values
                }
                (None, None) => {
                    let name = &self.sig.functions[index].name;
                    let text = self.domain_text(param);
                    let message = format!("which `{name}` this is depends on the state, and `{text}` is unbounded");
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
            if is_cut {
                self.cut_indices(arg, &possible, span, env);
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

impl Lowering<'_> {
    /// The indices that are followed where the argument of this location can be any number: those that the machine mentions, and
    /// a few small ones.
    fn indices(&self, index: usize, at: usize, arg: &Sym) -> Option<Rc<[Const]>> {
        let Sym::One(Single { values: Values::Int(low, _), .. }) = arg else { return None };
        let first = (*low).max(0);
        let mut all: BTreeSet<Const> = (first..first.saturating_add(SMALL_INDICES)).map(Const::Int).collect();
        let rows = self.facts.args.get(&index).into_iter().flatten();
        all.extend(rows.filter_map(|row| row.get(at)).filter(|item| matches!(item, Const::Int(_))).cloned());
        Some(all.into_iter().collect())
    }

    /// Leaves out the steps in which an argument is a number that is not followed.
    fn cut_indices(&mut self, arg: &Sym, possible: &[(Const, ExprId)], span: Span, env: &Env) {
        let guards: Vec<ExprId> = possible.iter().map(|(_, guard)| *guard).collect();
        let (inside, there) = (self.any(&guards), self.is_defined(arg));
        let outside = self.not(inside);
        let outside = self.and(there, outside);
        let outside = self.and(env.path, outside);
        let entry = self.endless.entry(span).or_insert_with(|| (env.rule.clone(), Vec::new(), Bound::Indices));
        entry.1.push(outside);
    }
}

/// An environment with the state of another one: an argument is evaluated in the state in which the parameter is used.
pub(super) fn within(there: &Env, here: &Env) -> Env {
    Env {
        overlay: here.overlay.clone(),
        bounds: here.bounds.clone(),
        path: here.path,
        block: here.block,
        ..there.clone()
    }
}
