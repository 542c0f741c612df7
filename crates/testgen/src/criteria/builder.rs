//! Builder of goals: makes expressions and collects goals without duplicates.

use super::{Note, Options};
use crate::goal::Goal;
use crate::mutate::Contents;
use crate::policy::MAX_ID_NODES;
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_mc::{Query, Symbolic};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{Domain, ExprId, Model, Node, Value, VarId};
use specwright_syntax::span::Span;

/// The goals collected so far.
pub(super) struct Builder<'a> {
    pub(super) model: Model,
    /// The engine of the model, unless the model is too large for one.
    pub(super) engine: Option<&'a mut Symbolic>,
    pub(super) options: &'a Options,
    /// The current criterion.
    pub(super) criterion: &'static str,
    pub(super) goals: Vec<Goal>,
    pub(super) notes: Vec<Note>,
    /// The condition that updates are inconsistent, over states and over steps with their choices, computed on first
    /// use.
    pub(super) clash: Option<[Option<ExprId>; 2]>,
    known: FxHashMap<(&'static str, Query), usize>,
    ids: FxHashSet<String>,
    contents: Contents,
}

/// A goal without the data of its criterion.
pub(super) struct Draft {
    /// Its identity within the criterion; by default a hash of its target: of the text, or of the content if the text is long.
    pub(super) key: Option<String>,
    pub(super) group: String,
    pub(super) description: String,
    pub(super) span: Span,
    pub(super) target: Query,
}

impl<'a> Builder<'a> {
    pub(super) fn new(model: Model, engine: Option<&'a mut Symbolic>, options: &'a Options) -> Builder<'a> {
        Builder {
            model,
            engine,
            options,
            criterion: "",
            goals: Vec::new(),
            notes: Vec::new(),
            clash: None,
            known: FxHashMap::default(),
            ids: FxHashSet::default(),
            contents: Contents::default(),
        }
    }

    pub(super) fn model(&self) -> &Model {
        &self.model
    }

    /// Adds a goal. If the criterion has the same target already, this group is added to that goal.
    ///
    /// Returns the index of the goal if it is new.
    pub(super) fn add(&mut self, draft: Draft) -> Option<usize> {
        self.model.budget.look();
        let Draft { key, group, description, span, target } = draft;
        if let Some(index) = self.known.get(&(self.criterion, target)) {
            let groups = &mut self.goals[*index].groups;
            if !groups.contains(&group) {
                groups.push(group);
            }
            return None;
        }
        let key = key.unwrap_or_else(|| {
            let (word, expr) = match target {
                Query::Falsify(expr) => ("falsify", expr),
                Query::Reach(expr) => ("reach", expr),
                Query::Show(expr) => ("show", expr),
                Query::Kill(expr) => ("kill", expr),
            };
            // The texts of thousands of goals about the same large decision would take longer than their tests.
            let Builder { contents, model, .. } = self;
            let is_long = contents.size(model, expr) > MAX_ID_NODES;
            let text = if is_long { format!("{:016x}", contents.of(model, expr)) } else { model.show_expr(expr) };
            format!("{:08x}", fnv1a(&format!("{word} {text}")))
        });
        self.known.insert((self.criterion, target), self.goals.len());
        let id = format!("{}:{key}", self.criterion);
        self.push(Goal {
            id,
            criterion: self.criterion,
            groups: vec![group],
            description,
            span,
            property: None,
            target,
            pair: None,
            contradiction: None,
            bounds: std::sync::Arc::default(),
            mutant: None,
        });
        Some(self.goals.len() - 1)
    }

    /// Adds a goal; its id gets a suffix if it is in use.
    pub(super) fn push(&mut self, mut goal: Goal) {
        self.model.budget.look();
        let base = goal.id.clone();
        let mut copy = 2;
        while !self.ids.insert(goal.id.clone()) {
            goal.id = format!("{base}-{copy}");
            copy += 1;
        }
        self.goals.push(goal);
    }

    pub(super) fn note(&mut self, span: Span, message: String) {
        let note = Note { span, message };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// The variables that the user chose, or all of them, without those of more than `most` values.
    pub(super) fn variables(&mut self, wanted: impl Fn(&Model, VarId) -> bool, most: usize) -> Vec<VarId> {
        let chosen = |var: &VarId| self.options.variables.is_empty() || self.options.variables.contains(var);
        let candidates =
            self.model().vars().map(|(var, _)| var).filter(|var| chosen(var) && wanted(self.model(), *var));
        let candidates: Vec<VarId> = candidates.filter(|var| !self.model().is_shadow(*var)).collect();
        candidates.into_iter().filter(|var| self.can_be_listed(*var, most)).collect()
    }

    fn can_be_listed(&mut self, var: VarId, most: usize) -> bool {
        let declared = &self.model()[var];
        let size = self.domain(var).size();
        if size.is_some_and(|size| size <= most as u128) {
            return true;
        }
        let (span, name) = (declared.span, declared.name.clone());
        let criterion = self.criterion;
        let size = size.map_or_else(|| "infinitely many".to_owned(), |size| size.to_string());
        self.note(span, format!("`{name}` has {size} values, too many for `{criterion}`: it is left out"));
        false
    }

    /// Makes a boolean expression; the criteria only make well-typed ones.
    pub(super) fn make(&mut self, node: Node) -> ExprId {
        self.model.make(node).expect("what criteria ask for is well-typed")
    }

    pub(super) fn not(&mut self, expr: ExprId) -> ExprId {
        match self.model()[expr] {
            Node::Unary(UnaryOp::Not, inner) => inner,
            Node::Const(Value::Bool(truth)) => self.make(Node::Const(Value::Bool(!truth))),
            _ => self.make(Node::Unary(UnaryOp::Not, expr)),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.make(Node::Binary(op, a, b))
    }

    /// The conjunction.
    pub(super) fn all(&mut self, parts: impl IntoIterator<Item = ExprId>) -> ExprId {
        let mut all = None;
        for part in parts {
            if matches!(self.model()[part], Node::Const(Value::Bool(true))) {
                continue;
            }
            all = Some(all.map_or(part, |all| self.binary(BinaryOp::And, all, part)));
        }
        all.unwrap_or_else(|| self.make(Node::Const(Value::Bool(true))))
    }

    /// The disjunction.
    pub(super) fn any(&mut self, parts: impl IntoIterator<Item = ExprId>) -> ExprId {
        let any = parts.into_iter().reduce(|any, part| self.binary(BinaryOp::Or, any, part));
        any.unwrap_or_else(|| self.make(Node::Const(Value::Bool(false))))
    }

    /// `var = value`; for booleans, `var` or `!var`.
    pub(super) fn has_value(&mut self, expr: ExprId, value: Value) -> ExprId {
        match value {
            Value::Bool(true) => expr,
            Value::Bool(false) => self.not(expr),
            _ => {
                let value = self.make(Node::Const(value));
                self.binary(BinaryOp::Eq, expr, value)
            }
        }
    }

    pub(super) fn var(&mut self, var: VarId) -> ExprId {
        self.make(Node::Var(var))
    }

    /// The values of a variable.
    pub(super) fn values(&self, var: VarId) -> Vec<Value> {
        self.domain(var).values().collect()
    }

    /// The relevant values of a variable: those in focus, if there is one.
    pub(super) fn domain(&self, var: VarId) -> &Domain {
        let kept = self.options.focus.iter().find(|keep| keep.var == var);
        kept.map_or(&self.model()[var].domain, |keep| &keep.values)
    }

    pub(super) fn name(&self, var: VarId) -> String {
        self.model()[var].name.clone()
    }

    /// The text of an expression, shortened if it is long.
    pub(super) fn text(&self, expr: ExprId) -> String {
        /// Maximal length of an expression in a description, in characters.
        const MAX_WIDTH: usize = 60;
        let text = self.model().show_expr(expr);
        match text.char_indices().nth(MAX_WIDTH) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }
}

/// The hash FNV-1a with 32 bits.
fn fnv1a(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
