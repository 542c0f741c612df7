//! The values of expressions in many states at once: an operator is applied once to each pair of values, not in each state.
//!
//! The values are those that the interpreter finds state by state. A state is in no vector where the expression has no value.

use super::atom::Term;
use super::columns::{Column, Columns};
use specwright_model::interp::apply;
use specwright_model::model::VarKind;
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, Node, TransitionSystem, Value};
use std::sync::Arc;

/// Combinations of values of the operands up to which an operator is applied to each of them.
const COMBINATIONS: usize = 1024;

/// Parts within parts up to which an expression is evaluated here.
const DEPTH: usize = 256;

/// Words of all columns of expressions above which they are forgotten: 64 megabytes.
const WORDS: usize = 1 << 23;

/// The state that an expression is evaluated in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Time {
    Now,
    Next,
}

impl Columns<'_> {
    /// The values of an expression; nothing if it has too many, or is a choice.
    pub(super) fn expr(&mut self, model: &TransitionSystem, expr: ExprId) -> Option<Arc<Column>> {
        if self.known.n_words > WORDS {
            self.known.exprs.clear();
            self.known.n_words = 0;
        }
        self.expr_at(model, expr, Time::Now, 0)
    }

    fn expr_at(&mut self, model: &TransitionSystem, expr: ExprId, time: Time, depth: usize) -> Option<Arc<Column>> {
        let term = match (&model[expr], time) {
            (Node::Const(value), _) => Some(Term::Const(*value)),
            (Node::Var(var), Time::Next) if model[*var].kind != VarKind::Frozen => Some(Term::Next(*var)),
            (Node::Var(var), _) => Some(Term::Now(*var)),
            _ => None,
        };
        if let Some(term) = term {
            return self.column(term);
        }
        if let Some(known) = self.known.exprs.get(&(expr, time)) {
            return known.clone();
        }
        let column = if depth < DEPTH { self.compute(model, expr, time, depth + 1) } else { None };
        let column = column.filter(|column| column.values.len() <= super::columns::COLUMN_VALUES).map(Arc::new);
        self.known.n_words += column.iter().map(|column| column.values.len() * self.layout.n_words()).sum::<usize>();
        self.known.exprs.insert((expr, time), column.clone());
        column
    }

    fn compute(&mut self, model: &TransitionSystem, expr: ExprId, time: Time, depth: usize) -> Option<Column> {
        match &model[expr] {
            Node::Define(define) => Some((*self.expr_at(model, model.body(*define), time, depth)?).clone()),
            // There is no state after the next one.
            Node::Next(_) if time == Time::Next => Some(Column::default()),
            Node::Next(a) => Some((*self.expr_at(model, *a, Time::Next, depth)?).clone()),
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), a, b) => {
                let (a, b) = (self.expr_at(model, *a, time, depth)?, self.expr_at(model, *b, time, depth)?);
                let is_word = |(value, _): &(Value, Vec<u64>)| matches!(value, Value::Word(_));
                if a.values.iter().chain(&b.values).any(is_word) {
                    return self.apply(&model[expr], &[a, b]);
                }
                Some(self.connective(*op, &a, &b))
            }
            Node::Binary(BinaryOp::In, a, b) => self.member(model, *a, *b, time, depth),
            Node::Ite(condition, a, b) => self.branches(model, [(*condition, *a)].iter(), Some(*b), time, depth),
            Node::Case(branches) => self.branches(model, branches.iter(), None, time, depth),
            Node::Index(array, index) => self.element(model, *array, *index, time, depth),
            // Choices, arrays and temporal operators.
            Node::Set(_)
            | Node::Range(..)
            | Node::Array(..)
            | Node::Bounded(..)
            | Node::BoundedUntil(..)
            | Node::Binary(BinaryOp::Union, ..) => None,
            Node::Unary(op, _) if op.logic().is_some() => None,
            Node::Binary(op, ..) if op.logic().is_some() => None,
            node => {
                let operands: Option<Vec<Arc<Column>>> =
                    node.children().into_iter().map(|child| self.expr_at(model, child, time, depth)).collect();
                self.apply(node, &operands?)
            }
        }
    }

    /// An operator that has a value where all of its operands have one.
    fn apply(&self, node: &Node, operands: &[Arc<Column>]) -> Option<Column> {
        let counts = operands.iter().map(|operand| operand.values.len());
        if counts.fold(1_usize, usize::saturating_mul) > COMBINATIONS {
            return None;
        }
        let mut all = vec![0; self.layout.n_words()];
        self.layout.all(&mut all);
        let mut combined: Vec<(Vec<Value>, Vec<u64>)> = vec![(Vec::new(), all)];
        for operand in operands {
            let mut more = Vec::with_capacity(combined.len() * operand.values.len());
            for (values, states) in &combined {
                for (value, own) in &operand.values {
                    let both = and(states, own);
                    if both.iter().any(|word| *word != 0) {
                        more.push((values.iter().copied().chain([*value]).collect(), both));
                    }
                }
            }
            combined = more;
        }
        let mut column = Column::default();
        for (values, states) in combined {
            if let Some(value) = apply(node, &values) {
                column.add(value, &states);
            }
        }
        Some(column)
    }

    /// `a & b`, `a | b` or `a -> b`: one operand may decide although the other has no value.
    fn connective(&self, op: BinaryOp, a: &Column, b: &Column) -> Column {
        let nowhere = vec![0; self.layout.n_words()];
        let of = |column: &Column, truth: bool| column.states(Value::Bool(truth)).unwrap_or(&nowhere).to_vec();
        let (left, right) = (op == BinaryOp::Or, op != BinaryOp::And);
        let mut decided = of(a, left);
        decided.iter_mut().zip(of(b, right)).for_each(|(word, other)| *word |= other);
        let other = and(&of(a, !left), &of(b, !right));
        Column { values: vec![(Value::Bool(right), decided), (Value::Bool(!right), other)] }
    }

    /// Whether one value is among others, all of which have values.
    fn member(&mut self, model: &TransitionSystem, a: ExprId, b: ExprId, time: Time, depth: usize) -> Option<Column> {
        let left = self.expr_at(model, a, time, depth)?;
        let mut defined = left.defined(self.layout.n_words());
        let mut found = vec![0; defined.len()];
        let mut items = vec![b];
        while let Some(item) = items.pop() {
            match &model[item] {
                Node::Set(more) => items.extend(more),
                Node::Binary(BinaryOp::Union, a, b) => items.extend([*a, *b]),
                Node::Define(define) => items.push(model.body(*define)),
                Node::Range(first, last) => {
                    let first = self.expr_at(model, *first, time, depth)?;
                    let last = self.expr_at(model, *last, time, depth)?;
                    let inside = self.within(&left, &first, &last)?;
                    or(&mut found, &inside);
                    defined = and(&defined, &and(&first.defined(defined.len()), &last.defined(defined.len())));
                }
                _ => {
                    let right = self.expr_at(model, item, time, depth)?;
                    for (value, states) in &left.values {
                        if let Some(same) = right.states(*value) {
                            or(&mut found, &and(states, same));
                        }
                    }
                    defined = and(&defined, &right.defined(defined.len()));
                }
            }
        }
        let yes = and(&found, &defined);
        let no = defined.iter().zip(&found).map(|(defined, found)| defined & !found).collect();
        Some(Column { values: vec![(Value::Bool(true), yes), (Value::Bool(false), no)] })
    }

    /// Where a number is in a range.
    fn within(&self, value: &Column, first: &Column, last: &Column) -> Option<Vec<u64>> {
        if value.values.len() * first.values.len() * last.values.len() > COMBINATIONS {
            return None;
        }
        let mut inside = vec![0; self.layout.n_words()];
        for (value, states) in &value.values {
            for (first, firsts) in &first.values {
                for (last, lasts) in &last.values {
                    match (value, first, last) {
                        (Value::Int(value), Value::Int(first), Value::Int(last)) => {
                            if (first..=last).contains(&value) {
                                or(&mut inside, &and(&and(states, firsts), lasts));
                            }
                        }
                        _ => return None,
                    }
                }
            }
        }
        Some(inside)
    }

    /// The value of the first branch whose guard holds; guards after it are not evaluated.
    fn branches<'b>(
        &mut self,
        model: &TransitionSystem,
        branches: impl Iterator<Item = &'b (ExprId, ExprId)>,
        otherwise: Option<ExprId>,
        time: Time,
        depth: usize,
    ) -> Option<Column> {
        let mut rest = vec![0; self.layout.n_words()];
        self.layout.all(&mut rest);
        let mut column = Column::default();
        for (guard, value) in branches {
            let guard = self.expr_at(model, *guard, time, depth)?;
            if let Some(holds) = guard.states(Value::Bool(true)) {
                let taken = and(&rest, holds);
                self.take(model, &mut column, &taken, *value, time, depth)?;
            }
            let Some(fails) = guard.states(Value::Bool(false)) else { return Some(column) };
            rest = and(&rest, fails);
        }
        if let Some(value) = otherwise {
            self.take(model, &mut column, &rest, value, time, depth)?;
        }
        Some(column)
    }

    /// Adds the values of an expression in some states.
    fn take(
        &mut self,
        model: &TransitionSystem,
        column: &mut Column,
        states: &[u64],
        value: ExprId,
        time: Time,
        depth: usize,
    ) -> Option<()> {
        if states.iter().any(|word| *word != 0) {
            for (value, own) in &self.expr_at(model, value, time, depth)?.values {
                column.add(*value, &and(states, own));
            }
        }
        Some(())
    }

    /// An element of an array that is written out.
    fn element(
        &mut self,
        model: &TransitionSystem,
        array: ExprId,
        index: ExprId,
        time: Time,
        depth: usize,
    ) -> Option<Column> {
        let index = self.expr_at(model, index, time, depth)?;
        let (mut array, mut at) = (array, time);
        for _ in 0..DEPTH {
            match &model[array] {
                Node::Define(define) => array = model.body(*define),
                Node::Next(a) if at == Time::Now => (array, at) = (*a, Time::Next),
                Node::Array(first, items) => {
                    let mut column = Column::default();
                    for (value, states) in &index.values {
                        let place = match value {
                            Value::Int(place) => i128::from(*place),
                            Value::Word(word) => word.to_int(),
                            _ => return None,
                        };
                        let item = usize::try_from(place - i128::from(*first)).ok().and_then(|place| items.get(place));
                        if let Some(item) = item {
                            self.take(model, &mut column, states, *item, at, depth)?;
                        }
                    }
                    return Some(column);
                }
                _ => return None,
            }
        }
        None
    }
}

fn and(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| a & b).collect()
}

fn or(to: &mut [u64], a: &[u64]) {
    to.iter_mut().zip(a).for_each(|(to, a)| *to |= a);
}

#[cfg(test)]
mod tests {
    use super::super::truth_vectors::{BatchLayout, get};
    use super::*;
    use specwright_model::Trace;
    use specwright_model::interp::{Evaluator, Explorer, Random};
    use specwright_model::testing::{model, random_model};
    use std::borrow::Cow;

    /// Some executions, and sequences of states with values left open.
    fn traces(model: &TransitionSystem, random: &mut Random) -> Vec<Trace> {
        let explorer = Explorer::new(model);
        let mut traces = Vec::new();
        for round in 0..6 {
            let shuffle = Random::new(random.next_u64());
            let Some(Ok(first)) = explorer.initial().shuffled(shuffle).limit(10_000).next() else { return traces };
            let mut states = vec![first.next];
            for _ in 0..random.index(20) {
                let (shuffle, last) = (Random::new(random.next_u64()), states.len() - 1);
                let Some(Ok(step)) = explorer.steps(&states[last]).shuffled(shuffle).limit(10_000).next() else {
                    break;
                };
                states[last] = step.now;
                states.push(step.next);
            }
            if round % 3 == 1 {
                for state in &mut states {
                    let var = specwright_model::VarId(random.index(model.vars.len()) as u32);
                    state.set(var, None);
                }
            }
            let loop_start = (round % 2 == 1).then(|| random.index(states.len()));
            traces.push(Trace { states, loop_start });
        }
        traces
    }

    /// The number of expressions whose columns agree with the interpreter in every state, and of those without columns.
    fn compared(model: &TransitionSystem, random: &mut Random, what: &str) -> (usize, usize) {
        let traces: Vec<Cow<'_, Trace>> = traces(model, random).into_iter().map(Cow::Owned).collect();
        let mut layout = BatchLayout::default();
        let places: Vec<_> = traces.iter().map(|trace| layout.add(trace.states.len(), trace.loop_start)).collect();
        let mut columns = Columns::new(&layout, &places, &traces);
        let (mut n_compared, mut n_left) = (0, 0);
        for expr in (0..model.context.exprs.len() as u32).map(ExprId) {
            let Some(column) = columns.expr(model, expr) else {
                n_left += 1;
                continue;
            };
            n_compared += 1;
            for (trace, place) in traces.iter().zip(&places) {
                for (at, now) in trace.states.iter().enumerate() {
                    let next = trace.next(at).map(|next| &trace.states[next]);
                    let expected = Evaluator::new(model, now, next).value(expr).ok();
                    let found: Vec<Value> = column
                        .values
                        .iter()
                        .filter(|(_, states)| get(states, place.bit(at)))
                        .map(|(value, _)| *value)
                        .collect();
                    assert_eq!(found, Vec::from_iter(expected), "{what}, {expr:?} {:?} in state {at}", model[expr]);
                }
            }
        }
        (n_compared, n_left)
    }

    #[test]
    fn expressions_have_the_values_of_the_interpreter() {
        let (mut n_compared, mut n_left) = (0, 0);
        for seed in 0..400 {
            let model = random_model(seed);
            let (compared, left) = compared(&model, &mut Random::new(seed), &format!("seed {seed}"));
            n_compared += compared;
            n_left += left;
        }
        assert!(n_compared > 20_000 && n_left < n_compared, "{n_compared} compared, {n_left} not");
    }

    #[test]
    fn operators_without_a_value_somewhere_have_none_there() {
        let model = model(
            "MODULE main VAR x : 0..3; y : 0..3; b : boolean; a : array 0..2 of 0..3; u : unsigned word[2];
             DEFINE table := [1, y, x]; wide := {x, y + 1};
             INVARSPEC x / y = 1 & b; INVARSPEC b -> x mod y = 0; INVARSPEC a[x] = 2; INVARSPEC table[y] > x;
             INVARSPEC case x = 1 : y / x = 1; y > 1 : x / y = 0; esac; INVARSPEC x in {y, 2, x / y}; INVARSPEC x + y in 1..3;
             INVARSPEC x in wide; INVARSPEC (b ? x : x / y) = 1; INVARSPEC count(b, x = y, u[0:0] = 0b1_1) > 1;
             INVARSPEC next(x) = x + y; INVARSPEC next(a[x]) = 1; INVARSPEC toint(u) + x = 4; INVARSPEC (x = 1) = (b xor y = 2);",
        );
        let (n_compared, n_left) = compared(&model, &mut Random::new(1), "operators");
        assert!(n_compared > 50 && n_left < 12, "{n_compared} compared, {n_left} not");
    }
}
