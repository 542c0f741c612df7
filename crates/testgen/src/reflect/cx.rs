//! The state of reflection: the model, cached analyses of expressions, and notes.

use super::literal::When;
use super::tree::{Tree, TreeKey};
use super::{Note, Options};
use crate::policy::{SCANNED_VALUES, WRITTEN_OUT_NODES};
use rustc_hash::FxHashMap;
use specwright_model::interp::{Support, eval_bool, support};
use specwright_model::model::{Assign, AssignKind, Var, VarKind};
use specwright_model::{ExprId, Model, Node, SourcedExpr, State, VarId};
use specwright_syntax::span::Span;
use std::sync::Arc;

/// The analysis of a condition.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    /// A constant.
    Constant(bool),
    /// A condition on one variable: for each of its values whether it holds.
    Over(VarId, Arc<[bool]>),
    /// Any other condition.
    Opaque,
}

pub(crate) struct Cx<'m> {
    pub(crate) model: &'m mut Model,
    pub(crate) options: Options,
    pub(crate) notes: Vec<Note>,
    lens: FxHashMap<ExprId, usize>,
    /// The number of nodes with definitions written out: all of them, or those that look at the next state.
    written_out: FxHashMap<(ExprId, bool), usize>,
    supports: FxHashMap<ExprId, Arc<Support>>,
    known: FxHashMap<ExprId, Known>,
    shadows: FxHashMap<VarId, VarId>,
    /// Parts of conditions as literals, with the parts, which keep their keys alive: see `expound`.
    pub(super) literals: FxHashMap<(TreeKey, bool, bool), (Tree, Tree, When)>,
}

impl<'m> Cx<'m> {
    pub(crate) fn new(model: &'m mut Model, options: Options) -> Cx<'m> {
        let shadows = model.shadows.iter().copied().collect();
        Cx {
            model,
            options,
            notes: Vec::new(),
            lens: FxHashMap::default(),
            written_out: FxHashMap::default(),
            supports: FxHashMap::default(),
            known: FxHashMap::default(),
            shadows,
            literals: FxHashMap::default(),
        }
    }

    /// Adds a note that something is not restated, unless it exists.
    pub(crate) fn note(&mut self, span: Span, message: String) {
        let note = Note { span, message };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// The number of nodes of an expression as a tree.
    pub(crate) fn len(&mut self, expr: ExprId) -> usize {
        if let Some(len) = self.lens.get(&expr) {
            return *len;
        }
        for part in self.model.context.exprs.parts([expr]) {
            let mut len = 1usize;
            self.model[part].for_each_child(|child| len = len.saturating_add(self.lens[&child]));
            self.lens.insert(part, len);
        }
        self.lens[&expr]
    }

    /// Whether an expression is too long once definitions are written out in it: all of them, or those that look at the next
    /// state.
    pub(crate) fn is_too_long(&mut self, expr: ExprId, all: bool) -> bool {
        self.written_out(expr, all) > WRITTEN_OUT_NODES
    }

    fn written_out(&mut self, expr: ExprId, all: bool) -> usize {
        let mut open = vec![expr];
        while let Some(part) = open.last().copied() {
            if self.written_out.contains_key(&(part, all)) {
                open.pop();
                continue;
            }
            let is_written_out = all || !self.support(part).next.is_empty();
            let children = match self.model[part] {
                Node::Define(define) if is_written_out => vec![self.model[define].body.expr],
                ref node => node.children(),
            };
            let n_open = open.len();
            open.extend(children.iter().filter(|child| !self.written_out.contains_key(&(**child, all))));
            if open.len() == n_open {
                let len = children.iter().map(|child| self.written_out[&(*child, all)]);
                let len = len.fold(1, usize::saturating_add);
                self.written_out.insert((part, all), len);
                open.pop();
            }
        }
        self.written_out[&(expr, all)]
    }

    /// The support of an expression. Frozen variables do not count: they are the same before and after every step.
    pub(crate) fn support(&mut self, expr: ExprId) -> Arc<Support> {
        if let Some(known) = self.supports.get(&expr) {
            return known.clone();
        }
        let mut found = support(self.model, expr);
        found.now.retain(|var| self.model[*var].kind != VarKind::Frozen);
        let found = Arc::new(found);
        self.supports.insert(expr, found.clone());
        found
    }

    /// An input that an expression reads, which CTL formulas cannot.
    pub(crate) fn input(&mut self, expr: ExprId) -> Option<VarId> {
        let support = self.support(expr);
        support.now.iter().copied().find(|var| self.model[*var].kind == VarKind::Input)
    }

    /// The analysis of a condition about one state.
    pub(crate) fn known(&mut self, expr: ExprId) -> Known {
        if let Some(known) = self.known.get(&expr) {
            return known.clone();
        }
        let known = self.scan(expr);
        self.known.insert(expr, known.clone());
        known
    }

    fn scan(&self, expr: ExprId) -> Known {
        let looked_at = support(self.model, expr);
        if !looked_at.next.is_empty() || looked_at.temporal || looked_at.now.len() > 1 {
            return Known::Opaque;
        }
        let mut state = State::empty(self.model.vars.len());
        let Some(&var) = looked_at.now.first() else {
            return eval_bool(self.model, expr, &state, None).map_or(Known::Opaque, Known::Constant);
        };
        let domain = self.model[var].domain.clone();
        if domain.size().is_none_or(|size| size > SCANNED_VALUES) {
            return Known::Opaque;
        }
        let truths: Result<Vec<bool>, _> = domain
            .values()
            .map(|value| {
                state.set(var, value);
                eval_bool(self.model, expr, &state, None)
            })
            .collect();
        truths.map_or(Known::Opaque, |truths| Known::Over(var, truths.into()))
    }

    /// The shadow variable with the previous value of this one, which is added to the model if it is new.
    pub(crate) fn shadow(&mut self, var: VarId) -> VarId {
        if let Some(shadow) = self.shadows.get(&var) {
            return *shadow;
        }
        if self.shadows.is_empty() {
            // Systems without the new variables keep the old context.
            self.model.context = self.model.context.fork();
        }
        let original = self.model[var].clone();
        let mut name = format!("prev_{}", original.name.replace(['.', '['], "_").replace(']', ""));
        while self.model.var_named(&name).is_some()
            || self.model.define_named(&name).is_some()
            || self.model.context.symbols.get(&name).is_some()
        {
            name.push('_');
        }
        let shadow = VarId(self.model.vars.len() as u32);
        let Var { domain, span, .. } = original;
        let first = domain.value_at(0);
        self.model.vars.push(Var { name, domain, kind: VarKind::State, span });
        // The initial value is never read. It is fixed, since a free one would multiply the initial states.
        let now = Node::Var(var);
        let start = if original.kind == VarKind::Input { first.map_or(now.clone(), Node::Const) } else { now.clone() };
        for (kind, node) in [(AssignKind::Init, start), (AssignKind::Next, now)] {
            let expr = self.model.make(node).expect("variables and constants have types");
            let value = SourcedExpr { expr, spans: Arc::new([Span::NONE]) };
            self.model.assigns.push(Assign { kind, var: shadow, value, span: Span::NONE });
        }
        self.model.shadows.push((var, shadow));
        self.shadows.insert(var, shadow);
        shadow
    }

    /// The shadow variables, in the order of the model.
    pub(crate) fn shadow_vars(&self) -> Vec<VarId> {
        let mut shadows: Vec<VarId> = self.shadows.values().copied().collect();
        shadows.sort_unstable();
        shadows
    }
}
