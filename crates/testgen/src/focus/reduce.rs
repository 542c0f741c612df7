//! Construction of the reduced model.

use super::keep::Keep;
use super::other_value::Draft;
use crate::cfsm::fresh;
use rustc_hash::FxHashMap;
use specwright_model::model::{Assign, AssignKind, Define, DefineId, Var, VarKind};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::{Domain, ExprId, Model, Node, SourcedExpr, Value, VarId, Word};
use specwright_syntax::span::Span;
use std::collections::BTreeSet;

/// A model reduced to a finite focus.
pub struct Reduced {
    /// The reduced model. Its properties are those of the whole model, rewritten.
    pub model: Model,
    /// The variable that is true as long as no variable has left the focus.
    pub sound: VarId,
    /// The focus, without variables all of whose values are kept.
    pub keeps: Vec<Keep>,
    /// The properties that have no meaning in a focus and were dropped: lengths of paths.
    pub left_out: Vec<Option<String>>,
    /// For each variable in focus, its kept values and the value "other".
    pub(super) focus: FxHashMap<VarId, (Keep, ExprId)>,
}

/// An assignment that cannot be reduced: a choice whose members cannot be separated by the focus.
#[derive(Clone, Debug)]
pub struct Unreducible {
    /// The assigned variable.
    pub var: VarId,
    /// The value.
    pub expr: ExprId,
}

/// Reduces a model to a finite focus.
pub fn reduce(model: &Model, keeps: &[Keep]) -> Result<Reduced, Unreducible> {
    let keeps: Vec<Keep> = keeps.iter().filter(|keep| !keep.is_everything(model)).cloned().collect();
    let mut draft = Draft { model: model.clone(), focus: FxHashMap::default() };
    // The focus changes types and symbols.
    draft.model.system.context = model.context.fork();
    draft.model.source.hazards.clear();
    draft.model.source.expectations.clear();
    draft.model.source.tables.clear();
    draft.model.source.elements.clear();
    draft.model.properties.clear();
    for keep in &keeps {
        draft.put_in_focus(keep);
    }
    for index in 0..draft.model.assigns.len() {
        let assign = draft.model.assigns[index].clone();
        draft.model.assigns[index].value = without_spans(draft.assigned(&assign)?);
    }
    let constrain = |draft: &mut Draft, list: &[SourcedExpr]| {
        list.iter()
            .map(|constraint| draft.constraint(constraint.expr).map(without_spans))
            .collect::<Result<Vec<_>, _>>()
    };
    draft.model.init = constrain(&mut draft, &model.init)?;
    draft.model.trans = constrain(&mut draft, &model.trans)?;
    draft.model.invar = constrain(&mut draft, &model.invar)?;
    draft.confine_words(&keeps);
    let sound = draft.add_soundness(&keeps);
    draft.exempt_from_fairness(model, sound);
    let mut reduced = Reduced { model: draft.model, sound, keeps, left_out: Vec::new(), focus: draft.focus };
    reduced.rewrite_properties(model);
    Ok(reduced)
}

impl Draft {
    /// Restricts a variable to the kept values and "other".
    fn put_in_focus(&mut self, keep: &Keep) {
        let name = self.model[keep.var].name.clone();
        let numbers = match &keep.values {
            Domain::Range(low, high) => Some((*low, *high)),
            values => {
                let mut ends = None;
                for value in values.values() {
                    let Value::Int(number) = value else {
                        ends = None;
                        break;
                    };
                    ends = Some((ends.map_or(number, |(low, _)| low), number));
                }
                ends
            }
        };
        let (domain, other) = match (&self.model[keep.var].domain, numbers) {
            (Domain::Bool, _) => {
                let kept = keep.values.contains(Value::Bool(true));
                (Domain::Bool, self.make(Node::Const(Value::Bool(!kept))))
            }
            (Domain::Enum(values), _) if values.iter().any(|value| matches!(value, Value::Symbol(_))) => {
                let other = fresh(&self.model, "other");
                let other = Value::Symbol(self.model.context.symbols.intern(&other));
                (with(&keep.values, other), self.make(Node::Const(other)))
            }
            (Domain::Word { .. }, _) => {
                // A word variable keeps its domain; a constraint restricts its values.
                let domain = self.model[keep.var].domain.clone();
                let kept: BTreeSet<Value> = keep.values.values().collect();
                let after = keep.values.values().last().and_then(|last| match last {
                    Value::Word(word) => {
                        Some(Value::Word(Word::new(word.signed, word.width, word.bits.wrapping_add(1))))
                    }
                    _ => None,
                });
                let other = after.into_iter().chain(domain.values()).find(|value| !kept.contains(value));
                let body = self.make(Node::Const(other.expect("not all words are kept")));
                (domain, self.define(&format!("{}_other", plain(&name)), body))
            }
            (_, numbers) => {
                let (low, high) = numbers.expect("a variable without symbols has numbers");
                // There is always another number, above or below.
                let other = high.checked_add(1).unwrap_or_else(|| low.wrapping_sub(1));
                let domain = match &keep.values {
                    Domain::Range(low, high) if other > *high => Domain::Range(*low, other),
                    Domain::Range(_, high) => Domain::Range(other, *high),
                    values => with(values, Value::Int(other)),
                };
                let body = self.make(Node::Const(Value::Int(other)));
                (domain, self.define(&format!("{}_other", plain(&name)), body))
            }
        };
        self.model.vars[keep.var.0 as usize].domain = domain;
        self.focus.insert(keep.var, (keep.clone(), other));
    }

    /// Restricts word variables to the kept values and "other".
    fn confine_words(&mut self, keeps: &[Keep]) {
        for keep in
            keeps.iter().filter(|keep| matches!(self.model[keep.var].domain, Domain::Word { .. })).collect::<Vec<_>>()
        {
            let value = self.make(Node::Var(keep.var));
            let (inside, outside) = (self.is_kept(&keep.values, value), self.is_other(keep.var, false, true));
            let either = without_spans(self.make(Node::Binary(BinaryOp::Or, inside, outside)));
            // Inputs are restricted in steps, not in states.
            let is_input = self.model[keep.var].kind == VarKind::Input;
            if is_input { &mut self.model.trans } else { &mut self.model.invar }.push(either);
        }
    }

    fn define(&mut self, name: &str, body: ExprId) -> ExprId {
        let id = DefineId(u32::try_from(self.model.defines.len()).expect("memory ends before"));
        let name = fresh(&self.model, name);
        self.model.defines.push(Define { name, body: without_spans(body), span: Span::NONE });
        self.make(Node::Define(id))
    }

    /// The value of an assignment in the reduced model.
    fn assigned(&mut self, assign: &Assign) -> Result<ExprId, Unreducible> {
        let value = assign.value.expr;
        let distrusted = self.distrusted(value);
        let focused = self.focus.get(&assign.var).map(|(_, other)| *other);
        let kept = match focused {
            Some(_) => self.kept(assign.var, value)?,
            None => value,
        };
        let Some(distrusted) = distrusted else { return Ok(kept) };
        let fallback = match (focused, assign.kind) {
            (Some(other), _) => other,
            (None, AssignKind::Next) => self.make(Node::Var(assign.var)),
            (None, _) => {
                let first = self.model[assign.var].domain.value_at(0).unwrap_or(Value::Int(0));
                self.make(Node::Const(first))
            }
        };
        let mut branches = vec![(distrusted, fallback)];
        if let Node::Case(more) = &self.model[kept] {
            branches.extend(more.iter().copied());
        } else {
            let otherwise = self.truth(true);
            branches.push((otherwise, kept));
        }
        Ok(self.make(Node::Case(branches.into())))
    }

    /// Adds the variable that is true as long as no variable has left the focus.
    fn add_soundness(&mut self, keeps: &[Keep]) -> VarId {
        let sound = VarId(u32::try_from(self.model.vars.len()).expect("memory ends before"));
        let name = fresh(&self.model, "Sound");
        self.model.vars.push(Var { name, domain: Domain::Bool, kind: VarKind::State, span: Span::NONE });
        let (mut first, mut then) = (Vec::new(), vec![self.make(Node::Var(sound))]);
        for keep in keeps {
            match self.model[keep.var].kind {
                // An input decides the soundness of the state after its step.
                VarKind::Input => then.push(self.is_other(keep.var, false, false)),
                VarKind::Frozen => first.push(self.is_other(keep.var, false, false)),
                VarKind::State => {
                    first.push(self.is_other(keep.var, false, false));
                    then.push(self.is_other(keep.var, true, false));
                }
            }
        }
        let always = self.truth(true);
        let init = self.all(first).unwrap_or(always);
        let next = self.all(then).unwrap_or(always);
        for (kind, value) in [(AssignKind::Init, init), (AssignKind::Next, next)] {
            self.model.assigns.push(Assign { kind, var: sound, value: without_spans(value), span: Span::NONE });
        }
        sound
    }

    /// Unsound paths are fair, so that a test is not lost because of what may follow it.
    fn exempt_from_fairness(&mut self, whole: &Model, sound: VarId) {
        let sound = self.make(Node::Var(sound));
        let unsound = self.make(Node::Unary(UnaryOp::Not, sound));
        let or = |draft: &mut Draft, expr: ExprId| {
            let exempt = draft.make(Node::Binary(BinaryOp::Or, unsound, expr));
            without_spans(exempt)
        };
        self.model.justice = whole.justice.iter().map(|justice| or(self, justice.expr)).collect();
        let mut pairs = Vec::new();
        for (p, q) in &whole.compassion {
            let p = self.make(Node::Binary(BinaryOp::And, sound, p.expr));
            pairs.push((without_spans(p), or(self, q.expr)));
        }
        self.model.compassion = pairs;
    }
}

/// The values of a domain and one more.
fn with(values: &Domain, other: Value) -> Domain {
    Domain::Enum(values.values().chain([other]).collect())
}

/// The last component of a name, without characters that only full names have.
fn plain(name: &str) -> String {
    name.trim_end_matches(']').chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect()
}

pub(super) fn without_spans(expr: ExprId) -> SourcedExpr {
    SourcedExpr { expr, spans: [].into() }
}
