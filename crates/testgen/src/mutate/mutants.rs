//! The mutants of a model, as an iterator.
//!
//! Sites are in source order, and within a site nodes in preorder. The proposals of all operators for a node are merged
//! before they are returned, so that the same change is one mutant with several origins.

use super::cx::{Cx, Proposal};
use super::identity::{Contents, Hash};
use super::ignore::Ignore;
use super::mutant::{Mutant, MutantId};
use super::scope::{Dependents, Scope};
use super::selection::{Part, Selection};
use super::site::{self, SiteId};
use super::totality::{Changed, Totality};
use super::tree::{At, Role, Tree};
use super::vocabulary::Vocabulary;
use super::{OPERATORS, Operator};
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_model::interp::is_exhaustive;
use specwright_model::{ExprId, Model, Node, VarId};
use specwright_syntax::span::Span;
use std::collections::VecDeque;

/// What to mutate, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The operators to apply.
    pub selection: Selection,
    /// The sites to mutate.
    pub targets: Targets,
    /// If not empty, only expressions about these variables are mutated.
    pub variables: Vec<VarId>,
    /// If given, only expressions that overlap one of these spans are mutated.
    pub places: Option<Vec<Span>>,
    /// Mutants to leave out.
    pub ignores: Vec<Ignore>,
    /// The variable of soundness guards, if the properties have them.
    pub guard: Option<Guard>,
}

/// The sites to mutate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Targets {
    /// All properties.
    #[default]
    Properties,
    /// These properties, by their index in the model.
    PropertiesAt(Vec<usize>),
    /// The machine: assignments, defines and constraints, those on fair paths included.
    Machine,
    /// The machine without its fairness constraints: no finite execution shows a change of these.
    FiniteMachine,
}

/// Soundness guards `Sound -> f`, which finite focus puts around formulas so that unsound states do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The variable.
    pub var: VarId,
    /// How to treat them.
    pub mode: GuardMode,
}

/// How to treat soundness guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardMode {
    /// Operators look through them.
    Ignored,
    /// As in the experiments of Black, Okun and Yesha: as ordinary conditions, except where that would give meaningless
    /// counterexamples. Only for reproducing their numbers.
    Visible,
}

/// The mutants of a model.
pub struct Mutants<'m> {
    model: &'m Model,
    options: Options,
    operators: Vec<Operator>,
    words: Vocabulary,
    dependents: Dependents,
    totality: Totality,
    contents: Contents,
    sites: std::vec::IntoIter<SiteId>,
    current: Option<Current>,
    ready: VecDeque<Mutant>,
    n_seen: FxHashMap<u32, u32>,
    ignored: FxHashSet<String>,
    n_undefined: usize,
    n_unchecked: usize,
}

/// The current site.
struct Current {
    tree: Tree,
    scope: Scope,
    /// Whether mutants may be undefined somewhere.
    is_partial: bool,
    /// The next node.
    at: At,
    /// A hash of its name or content.
    hash: u64,
    /// Proposals for later nodes.
    waiting: FxHashMap<At, Vec<Proposal>>,
    /// For each node, whether a chosen variable occurs in it; empty if all variables are chosen.
    chosen: Vec<bool>,
}

impl<'m> Mutants<'m> {
    /// The mutants of a model.
    pub fn new(model: &'m Model, options: Options) -> Mutants<'m> {
        let hidden = options.guard.filter(|guard| guard.mode == GuardMode::Ignored).map(|guard| guard.var);
        let mut words = Vocabulary::new(model, hidden);
        if options.selection.has(Part::Sro) {
            words.list_simple_expressions(model);
        }
        let sites = match &options.targets {
            Targets::Properties => site::properties(model),
            Targets::PropertiesAt(indices) => site::properties(model)
                .into_iter()
                .filter(|site| indices.iter().any(|index| *site == SiteId::Property(*index)))
                .collect(),
            Targets::Machine => site::machine(model, true),
            Targets::FiniteMachine => site::machine(model, false),
        };
        Mutants {
            operators: options.selection.operators().collect(),
            dependents: Dependents::new(model),
            totality: Totality::new(model, &options.targets),
            model,
            options,
            words,
            contents: Contents::default(),
            sites: sites.into_iter(),
            current: None,
            ready: VecDeque::new(),
            n_seen: FxHashMap::default(),
            ignored: FxHashSet::default(),
            n_undefined: 0,
            n_unchecked: 0,
        }
    }

    /// The model with the expressions of all mutants so far.
    pub fn model(&self) -> &Model {
        self.model
    }

    /// The entries of the ignore list without a mutant so far.
    pub fn unmet_ignores(&self) -> impl Iterator<Item = &Ignore> {
        self.options.ignores.iter().filter(|ignore| !self.ignored.contains(ignore.key()))
    }

    /// Number of changes so far that were left out because an expression would be undefined.
    pub fn n_undefined(&self) -> usize {
        self.n_undefined
    }

    /// Number of mutants so far whose definedness has too many cases to check.
    pub fn n_unchecked(&self) -> usize {
        self.n_unchecked
    }

    fn enter(&mut self, site: SiteId) -> Current {
        let sourced = site.sourced(self.model);
        let tree = Tree::new(self.model, sourced, self.options.guard.as_ref());
        let scope = Scope::new(self.model, site, &self.dependents);
        let is_partial = self.totality.concerns(site);
        let hash = Hash::new(site.kind(self.model));
        let hash = match site.name(self.model) {
            Some(name) => hash.text(&name),
            None => hash.number(self.contents.of(self.model, sourced.expr)),
        };
        let chosen = self.chosen(&tree, &scope);
        Current { tree, scope, is_partial, at: 0, hash: hash.finish(), waiting: FxHashMap::default(), chosen }
    }

    /// For each node, whether a chosen variable occurs in it; what is compared with the variable belongs to it, too.
    fn chosen(&self, tree: &Tree, scope: &Scope) -> Vec<bool> {
        let variables = &self.options.variables;
        let is_assigned = scope.assigned(self.model).is_some_and(|(var, _)| variables.contains(&var));
        if variables.is_empty() || is_assigned {
            return Vec::new();
        }
        let mut chosen = vec![false; tree.len()];
        for at in (0..tree.len()).rev() {
            if matches!(&self.model[tree.expr(at)], Node::Var(var) if variables.contains(var)) {
                chosen[at] = true;
            }
            if let (true, Some((parent, _))) = (chosen[at], tree.parent(at)) {
                chosen[parent] = true;
            }
        }
        for at in 1..tree.len() {
            if let (Role::Inner, Some((parent, _))) = (tree.role(at), tree.parent(at)) {
                chosen[at] |= chosen[parent];
            }
        }
        chosen
    }

    /// Processes the next node of the current site; false if there is none.
    fn advance(&mut self) -> bool {
        self.model.budget.look();
        let Some(mut current) = self.current.take() else { return false };
        if current.at == current.tree.len() {
            return false;
        }
        let at = current.at;
        current.at += 1;
        let mut proposals = Vec::new();
        let mut cx = Cx {
            model: self.model,
            tree: &current.tree,
            scope: &current.scope,
            words: &self.words,
            selection: self.options.selection,
            operator: Operator::Oro,
            proposals: &mut proposals,
        };
        if current.tree.span(at).is_some() {
            for &operator in &self.operators {
                cx.operator = operator;
                (OPERATORS[operator as usize].mutate)(&mut cx, at);
            }
        }
        let mut here = current.waiting.remove(&at).unwrap_or_default();
        for mut proposal in std::mem::take(cx.proposals) {
            settle(cx.model, cx.tree, &mut proposal);
            debug_assert!(proposal.at >= at, "operators change the place that they are given, or its parts");
            if !cx.tree.span(proposal.at).is_some() || !cx.fits(proposal.at, proposal.replacement) {
                continue;
            }
            if proposal.at == at {
                here.push(proposal);
            } else {
                current.waiting.entry(proposal.at).or_default().push(proposal);
            }
        }
        if !here.is_empty() && self.is_wanted(&current, at) {
            self.hand_out(&current, at, here);
        }
        self.current = Some(current);
        true
    }

    fn is_wanted(&self, current: &Current, at: At) -> bool {
        let span = current.tree.span(at);
        let overlaps = |place: &Span| place.start < span.end && span.start < place.end;
        self.options.places.as_ref().is_none_or(|places| places.iter().any(overlaps))
            && current.chosen.get(at).copied().unwrap_or(true)
    }

    /// Makes mutants of all proposals for one node; equal proposals become one mutant.
    fn hand_out(&mut self, current: &Current, at: At, proposals: Vec<Proposal>) {
        let path = current.tree.path(at);
        let original = current.tree.expr(at);
        let place =
            path.iter().fold(Hash::new("mutant").number(current.hash), |hash, step| hash.number((*step).into()));
        let place = place.number(self.contents.of(self.model, original));
        let mut first_of: FxHashMap<ExprId, usize> = FxHashMap::default();
        let mut mutants: Vec<Mutant> = Vec::new();
        for Proposal { replacement, origin, .. } in proposals {
            if let Some(&index) = first_of.get(&replacement) {
                mutants[index].origins.push(origin);
                continue;
            }
            first_of.insert(replacement, mutants.len());
            let hash = place.number(self.contents.of(self.model, replacement)).finish() as u32;
            let n_seen = self.n_seen.entry(hash).or_default();
            let id = MutantId { operator: origin.operator, hash, copy: *n_seen };
            *n_seen += 1;
            let span = current.tree.span(at);
            let (site, path) = (current.scope.site, path.clone());
            mutants.push(Mutant { id, site, path, original, replacement, span, origins: vec![origin] });
        }
        for mut mutant in mutants {
            mutant.origins.sort_by_key(|origin| origin.operator);
            mutant.id.operator = mutant.origins[0].operator;
            if current.is_partial || is_partial(self.model, mutant.replacement) {
                let (site, whole) = (mutant.site, mutant.mutated(self.model));
                let Mutant { original, replacement, .. } = mutant;
                match self.totality.holds(self.model, &Changed { site, original, replacement, whole }) {
                    Some(true) => {}
                    Some(false) => {
                        self.n_undefined += 1;
                        continue;
                    }
                    None => self.n_unchecked += 1,
                }
            }
            let key = mutant.id.key();
            if self.options.ignores.iter().any(|ignore| ignore.key() == key) {
                self.ignored.insert(key);
            } else {
                self.ready.push_back(mutant);
            }
        }
    }
}

impl Iterator for Mutants<'_> {
    type Item = Mutant;

    fn next(&mut self) -> Option<Mutant> {
        loop {
            if let Some(mutant) = self.ready.pop_front() {
                return Some(mutant);
            }
            if !self.advance() {
                let site = self.sites.next()?;
                self.current = Some(self.enter(site));
            }
        }
    }
}

/// Whether a replacement may be undefined where the original is defined.
fn is_partial(model: &Model, replacement: ExprId) -> bool {
    matches!(&model[replacement], Node::Case(branches) if !is_exhaustive(model, branches))
}

/// Moves a proposal down to the smallest changed part, so that equal changes are proposals for one node.
fn settle(model: &Model, tree: &Tree, proposal: &mut Proposal) {
    while let Some((ordinal, replacement)) =
        only_difference(&model[tree.expr(proposal.at)], &model[proposal.replacement])
    {
        let inner = tree.child(proposal.at, ordinal);
        if !tree.span(inner).is_some() {
            return;
        }
        (proposal.at, proposal.replacement) = (inner, replacement);
    }
}

/// The only part in which two nodes differ, if there is just one.
fn only_difference(a: &Node, b: &Node) -> Option<(usize, ExprId)> {
    // Operators mostly change the node itself, or replace a leaf.
    if std::mem::discriminant(a) != std::mem::discriminant(b) {
        return None;
    }
    let (old, new) = (a.children(), b.children());
    let mut differing = old.iter().zip(&new).enumerate().filter(|(_, (old, new))| old != new);
    let (ordinal, (_, &replacement)) = differing.next()?;
    let is_only = differing.next().is_none() && old.len() == new.len();
    (is_only && super::cx::with_child(a, ordinal, replacement) == *b).then_some((ordinal, replacement))
}
