//! Circular dependencies between assignments.
//!
//! As in NuSMV, only one process acts at a time, so `next` assignments of different processes do not depend on each
//! other.

use super::Lowering;
use super::assigns::{Assigned, left};
use super::defines::{MAX_SHOWN, show_circle};
use super::instances::InstId;
use crate::expr::{ExprId, Node};
use crate::model::AssignKind;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::codes;

/// A vertex of the dependency graph: an expression in the current or next state, or an assignment.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Vertex {
    Expr(ExprId, bool),
    Assign(usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Open,
    Closed,
}

impl Lowering<'_> {
    pub(super) fn check_circles(&mut self, assigned: &[Assigned]) {
        let mut processes: Vec<InstId> = assigned.iter().map(|assign| assign.process).collect();
        processes.sort_unstable();
        processes.dedup();
        let mut reported = FxHashSet::default();
        for process in processes {
            // The assignment of the current or first value (false) or the next value (true) of each variable.
            let mut provider: FxHashMap<(crate::model::VarId, bool), usize> = FxHashMap::default();
            for (at, assign) in assigned.iter().enumerate() {
                match assign.kind {
                    AssignKind::Next if assign.process == process => provider.insert((assign.var, true), at),
                    AssignKind::Next => None,
                    AssignKind::Always | AssignKind::Init => provider.insert((assign.var, false), at),
                };
            }
            let mut marks: FxHashMap<Vertex, Mark> = FxHashMap::default();
            for (at, assign) in assigned.iter().enumerate() {
                if assign.kind == AssignKind::Next && assign.process != process {
                    continue;
                }
                if let Some(circle) = self.find_circle(Vertex::Assign(at), assigned, &provider, &mut marks) {
                    let smallest = circle.iter().min().copied();
                    if reported.insert(smallest) {
                        self.report_circular_assigns(assigned, &circle);
                    }
                }
            }
        }
    }

    /// Visits everything that a vertex depends on; returns the assignments on a circle, if there is one.
    fn find_circle(
        &self,
        start: Vertex,
        assigned: &[Assigned],
        provider: &FxHashMap<(crate::model::VarId, bool), usize>,
        marks: &mut FxHashMap<Vertex, Mark>,
    ) -> Option<Vec<usize>> {
        if marks.contains_key(&start) {
            return None;
        }
        let mut circle = None;
        let mut stack = vec![(start, self.needs(start, assigned, provider), 0)];
        marks.insert(start, Mark::Open);
        while let Some((vertex, needs, seen)) = stack.last_mut() {
            let Some(&next) = needs.get(*seen) else {
                marks.insert(*vertex, Mark::Closed);
                stack.pop();
                continue;
            };
            *seen += 1;
            match marks.get(&next) {
                Some(Mark::Closed) => {}
                Some(Mark::Open) => {
                    let from = stack.iter().position(|(vertex, ..)| *vertex == next).unwrap_or(0);
                    let found = stack[from..].iter().filter_map(|(vertex, ..)| match vertex {
                        Vertex::Assign(at) => Some(*at),
                        Vertex::Expr(..) => None,
                    });
                    circle = circle.or(Some(found.collect()));
                }
                None => {
                    marks.insert(next, Mark::Open);
                    stack.push((next, self.needs(next, assigned, provider), 0));
                }
            }
        }
        circle
    }

    fn needs(
        &self,
        vertex: Vertex,
        assigned: &[Assigned],
        provider: &FxHashMap<(crate::model::VarId, bool), usize>,
    ) -> Vec<Vertex> {
        let (expr, in_next) = match vertex {
            Vertex::Assign(at) => return vec![Vertex::Expr(assigned[at].value.expr, false)],
            Vertex::Expr(expr, in_next) => (expr, in_next),
        };
        // For a constant index only that element counts; otherwise all of them.
        if let Node::Index(array, index) = self.model[expr]
            && let Some((element, next)) = self.element_named(array, index)
        {
            return vec![Vertex::Expr(element, in_next || next)];
        }
        match &self.model[expr] {
            Node::Var(var) => provider.get(&(*var, in_next)).map(|&at| Vertex::Assign(at)).into_iter().collect(),
            Node::Define(define) => vec![Vertex::Expr(self.model.body(*define), in_next)],
            Node::Next(inner) => vec![Vertex::Expr(*inner, true)],
            node => node.children().into_iter().map(|child| Vertex::Expr(child, in_next)).collect(),
        }
    }

    /// The element of an array at a constant index, and whether its next value is meant.
    fn element_named(&self, array: ExprId, index: ExprId) -> Option<(ExprId, bool)> {
        let index = self.constant_index(index)?;
        let (mut array, mut next) = (array, false);
        loop {
            match &self.model[array] {
                Node::Define(define) => array = self.model.body(*define),
                Node::Next(inner) => (array, next) = (*inner, true),
                Node::Array(first, items) => {
                    let at = usize::try_from(index.checked_sub(*first)?).ok()?;
                    return items.get(at).map(|item| (*item, next));
                }
                _ => return None,
            }
        }
    }

    /// The value of an index that is a number or a define of one.
    fn constant_index(&self, mut index: ExprId) -> Option<i64> {
        loop {
            match &self.model[index] {
                Node::Const(Value::Int(number)) => return Some(*number),
                Node::Define(define) => index = self.model.body(*define),
                _ => return None,
            }
        }
    }

    fn report_circular_assigns(&mut self, assigned: &[Assigned], circle: &[usize]) {
        let name = |at: usize| left(assigned[at].kind, &self.model[assigned[at].var].name);
        let message = match circle {
            [one] => format!("{} depends on itself", name(*one)),
            [first, ..] => format!("{} depends on itself", name(*first)),
            [] => return,
        };
        let mut diagnostic = Diagnostic::error(codes::CIRCULAR, assigned[circle[0]].span, message);
        for (at, &assign) in circle.iter().enumerate().skip(1).take(MAX_SHOWN) {
            let next = circle.get(at + 1).copied().unwrap_or(circle[0]);
            diagnostic = diagnostic.also(assigned[assign].span, format!("which depends on {}", name(next)));
        }
        if circle.len() > 1 {
            let names: Vec<_> = circle.iter().chain([&circle[0]]).map(|&at| name(at)).collect();
            diagnostic = diagnostic.note(show_circle(&names, " depends on "));
        }
        self.report(diagnostic);
    }
}
