//! `extend`: creation of elements at run time.
//!
//! A domain that is extended has a reserve of a few elements, each with a variable that is true once the element
//! exists. Elements are taken in order. All extensions of one step take different elements, so each excludes the
//! elements that were taken before it.

use super::location_layout::{Layout, Undef};
use super::rules::Update;
use super::signature::{Dom, Function, NamedKind};
use super::value::{Const, Single, Sym, Values};
use super::{Binding, Env, Lowering, Stop};
use crate::expr::ExprId;
use crate::interface::Role;
use crate::value::Domain;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use specwright_syntax::asm::ast::{FunctionKind, Ident, RuleId, RuleKind};
use specwright_syntax::asm::codes;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::span::Span;
use std::sync::Arc;

/// The elements that one step may make of a domain beyond the bound for it.
const MOST_AT_ONCE: usize = 16;

/// The elements by which a domain may be extended.
pub(super) struct Reserve {
    pub(super) domain: usize,
    /// The function that is true for existing elements.
    pub(super) exists: usize,
    items: Vec<Const>,
    /// The source span of the first extension.
    span: Span,
}

/// The elements that were taken from reserves so far in this step.
#[derive(Default)]
pub(super) struct NewElements {
    /// For each reserve, the conditions under which its elements are taken.
    taken: Vec<Vec<ExprId>>,
    /// For each expression that stands for a new element, the possible elements with their conditions.
    chosen: IndexMap<ExprId, Vec<(Const, ExprId)>>,
    /// How many elements of a reserve are taken on one path of the step.
    n_taken: FxHashMap<(usize, ExprId), usize>,
    /// Extensions that may exhaust a reserve: span and reserve, rule, and conditions.
    pub(super) over: IndexMap<(Span, usize), (Arc<str>, Vec<ExprId>)>,
}

impl Lowering<'_> {
    /// Creates the reserves of all domains that rules extend.
    pub(super) fn make_reserves(&mut self) {
        for file in self.files {
            for rule in &file.rule_nodes {
                let RuleKind::Extend(name, ..) = &rule.kind else { continue };
                let Some(domain) = self.sig.domain_names.get(&name.text).copied() else { continue };
                if self.sig.reserves.iter().any(|reserve| reserve.domain == domain) {
                    continue;
                }
                let n = self.bounds.extend.max(self.facts.made_at_once.get(&domain).copied().unwrap_or(0));
                let items = (1..=n).map(|at| Const::Atom(format!("{}#{at}", name.text).into())).collect();
                let exists = self.sig.functions.len();
                self.sig.functions.push(Function {
                    name: "exists".into(),
                    span: rule.span,
                    file: 0,
                    kind: FunctionKind::Controlled,
                    params: vec![Dom::Named(domain)],
                    codomain: Dom::Bool,
                    definition: None,
                    initial: None,
                    updated: true,
                    // It has locations for the elements of the reserve only.
                    mentioned: false,
                    is_parameter: false,
                });
                self.sig.reserves.push(Reserve { domain, exists, items, span: rule.span });
            }
        }
    }

    /// Creates the variables that are true for existing elements.
    pub(super) fn make_reserve_layouts(&mut self) {
        for at in 0..self.sig.reserves.len() {
            let Reserve { exists, span, ref items, .. } = self.sig.reserves[at];
            for item in items.clone() {
                let var = self.add_var(&format!("{item}.exists"), Domain::Bool, Role::Internal, span);
                let layout = Layout::One { var, values: Values::Bool, allowed: None, undef: Undef::Never };
                self.layouts.insert((exists, vec![item]), layout);
            }
        }
        if !self.sig.reserves.is_empty() {
            self.constrain_inputs();
        }
    }

    /// Restricts inputs to existing elements.
    fn constrain_inputs(&mut self) {
        let env = Env::new(self, 0);
        let monitored = self.layouts.iter().filter(|(location, _)| self.sig.functions[location.0].is_input());
        let shared = self.shared.iter().map(|(location, (_, layout))| (location, layout));
        let inputs: Vec<(usize, Layout)> =
            monitored.chain(shared).map(|(location, layout)| (location.0, layout.clone())).collect();
        for (function, layout) in inputs {
            let span = self.sig.functions[function].span;
            let mut stack = vec![layout];
            while let Some(layout) = stack.pop() {
                let sym = self.read_location(&layout);
                let items: Vec<(Const, ExprId)> = match (&layout, &sym) {
                    (Layout::Tuple(parts), _) => {
                        stack.extend(parts.iter().cloned());
                        continue;
                    }
                    (_, Sym::One(Single { values: Values::Atoms(names), .. })) => {
                        let items: Vec<Const> = names.iter().cloned().map(Const::Atom).collect();
                        items.into_iter().map(|item| (item.clone(), self.equal(&sym, &Sym::Known(item)))).collect()
                    }
                    (_, Sym::Set(members)) => {
                        members.iter().filter_map(|(member, guard)| Some((member.known()?, *guard))).collect()
                    }
                    _ => continue,
                };
                if !matches!(sym, Sym::Set(_)) && items.iter().all(|(item, _)| self.is_reserved(item)) {
                    let message =
                        "only elements that `extend` adds later are possible here, and initially there are none";
                    self.unsupported(span, message);
                    return;
                }
                for (item, when) in items {
                    if self.is_reserved(&item) {
                        let there = self.exists(&item, &env);
                        let known = self.implies(when, there);
                        self.model.invar.push(super::sourced(known, span));
                    }
                }
            }
        }
    }

    /// The elements of reserves that may belong to a domain.
    pub(super) fn reserved_elements(&self, domain: usize) -> Vec<Const> {
        let inside = self.sig.reserves.iter().filter(|reserve| self.is_within(&Dom::Named(reserve.domain), domain));
        inside.flat_map(|reserve| reserve.items.iter().cloned()).collect()
    }

    /// Whether a value contains an element that does not exist initially.
    pub(super) fn is_reserved(&self, value: &Const) -> bool {
        match value {
            Const::Atom(_) => self.sig.reserves.iter().any(|reserve| reserve.items.contains(value)),
            Const::Tuple(items) | Const::Set(items) | Const::Seq(items) => {
                items.iter().any(|item| self.is_reserved(item))
            }
            _ => false,
        }
    }

    /// The condition that all elements in a value exist.
    pub(super) fn exists(&mut self, value: &Const, env: &Env) -> ExprId {
        match value {
            Const::Atom(_) => {
                let reserve = self.sig.reserves.iter().find(|reserve| reserve.items.contains(value));
                let Some(exists) = reserve.map(|reserve| reserve.exists) else { return self.boolean(true) };
                let there = self.read((exists, vec![value.clone()]), env);
                self.holds(&there, Span::NONE).unwrap_or_else(|Stop| self.boolean(false))
            }
            Const::Tuple(items) | Const::Set(items) | Const::Seq(items) => {
                let parts: Vec<ExprId> = items.iter().map(|item| self.exists(item, env)).collect();
                self.all(&parts)
            }
            _ => self.boolean(true),
        }
    }

    /// `extend D with $x do R`
    pub(super) fn extension(
        &mut self,
        domain: &Ident,
        vars: &[Ident],
        body: RuleId,
        env: &Env,
        span: Span,
    ) -> Result<Vec<Update>, Stop> {
        let Some(index) = self.sig.domain_names.get(&domain.text).copied() else {
            self.unknown("domain", &domain.text, domain.span);
            return Err(Stop);
        };
        let is_abstract = |dom: Dom| match dom {
            Dom::Named(base) => matches!(self.sig.domains[base].kind, NamedKind::Abstract),
            _ => false,
        };
        let reserve = self.sig.reserves.iter().position(|reserve| reserve.domain == index);
        let Some(reserve) = reserve.filter(|_| is_abstract(self.base(&Dom::Named(index)))) else {
            let message = format!("`{}` is not abstract, so nothing can be added to it", domain.text);
            return Err(self.stop(Diagnostic::error(codes::UNSUPPORTED, domain.span, message)));
        };
        let mut inner = env.clone();
        let mut updates = Vec::new();
        for var in vars {
            let chosen = self.take(reserve, env, span);
            let exists = self.sig.reserves[reserve].exists;
            let mut value = self.atom(super::build::UNDEF);
            for (item, when) in chosen.iter().rev() {
                let Const::Atom(name) = item else { continue };
                let atom = self.atom(name);
                value = self.choose(*when, atom, value);
                let (location, guard) = ((exists, vec![item.clone()]), self.and(env.path, *when));
                if self.truth_of(guard) != Some(false) {
                    let (value, rule) = (Sym::bool(true), env.rule.clone());
                    updates.push(Update { location, guard, value, span, rule });
                }
            }
            let atoms = self.sig.reserves[reserve].items.iter().filter_map(|item| match item {
                Const::Atom(name) => Some(name.clone()),
                _ => None,
            });
            let values = Values::Atoms(atoms.collect());
            let defined = self.boolean(true);
            self.new_elements.chosen.insert(value, chosen);
            inner.bind(&var.text, Binding::Value(Sym::One(Single { value, defined, values })));
        }
        updates.extend(self.execute(body, &inner)?);
        Ok(updates)
    }

    /// Takes the first free element of a reserve: the candidates with their conditions.
    fn take(&mut self, reserve: usize, env: &Env, span: Span) -> Vec<(Const, ExprId)> {
        let no = self.boolean(false);
        if self.new_elements.taken.is_empty() {
            self.new_elements.taken = self.sig.reserves.iter().map(|reserve| vec![no; reserve.items.len()]).collect();
        }
        if self.mutation.is_none() {
            self.note_taken(reserve, env.path);
        }
        let (exists, items) = (self.sig.reserves[reserve].exists, self.sig.reserves[reserve].items.clone());
        let mut chosen = Vec::new();
        let mut left = self.boolean(true);
        for (at, item) in items.into_iter().enumerate() {
            // The existing elements at the start of the step; those taken since are recorded separately.
            let there = match self.layouts.get(&(exists, vec![item.clone()])).cloned() {
                Some(layout) => self.read_location(&layout),
                None => Sym::bool(false),
            };
            let there = self.holds(&there, span).unwrap_or(no);
            let used = self.or(there, self.new_elements.taken[reserve][at]);
            let free = self.not(used);
            let this = self.and(left, free);
            left = self.and(left, used);
            let taken = self.and(env.path, this);
            self.new_elements.taken[reserve][at] = self.or(self.new_elements.taken[reserve][at], taken);
            chosen.push((item, this));
        }
        let over = self.and(env.path, left);
        let entry = self.new_elements.over.entry((span, reserve)).or_insert_with(|| (env.rule.clone(), Vec::new()));
        entry.1.push(over);
        chosen
    }

    /// Notes that an element is taken. A reserve has as many elements as one step makes, or the machine could not take that step.
    fn note_taken(&mut self, reserve: usize, path: ExprId) {
        let n = self.new_elements.n_taken.entry((reserve, path)).or_default();
        *n += 1;
        if *n > self.bounds.extend && *n <= MOST_AT_ONCE {
            let most = self.facts.made_at_once.entry(self.sig.reserves[reserve].domain).or_default();
            *most = (*most).max(*n);
        }
    }

    /// The condition that a new element is this one.
    pub(super) fn is_new_element(&mut self, value: ExprId, item: &Const) -> Option<ExprId> {
        let chosen = self.new_elements.chosen.get(&value)?;
        Some(match chosen.iter().find(|(known, _)| known == item) {
            Some((_, when)) => *when,
            None => self.boolean(false),
        })
    }

    /// Warns that the number of extensions is bounded.
    pub(super) fn warn_of_reserves(&mut self) {
        for at in 0..self.sig.reserves.len() {
            let Reserve { domain, span, ref items, .. } = self.sig.reserves[at];
            let message = format!(
                "the number of elements that `extend` adds to `{}` is unbounded",
                self.sig.domains[domain].name
            );
            let note = format!("steps that would make more than {} new ones are left out", items.len());
            let help = "`--max-extend` changes this bound";
            self.report(Diagnostic::warning(codes::CUT, span, message).note(note).help(help));
        }
    }

    /// The message for a step that exhausts a reserve.
    pub(super) fn over_text(&self, reserve: usize) -> String {
        let Reserve { domain, items, .. } = &self.sig.reserves[reserve];
        format!("there are more than {} new elements of `{}`", items.len(), self.sig.domains[*domain].name)
    }
}
