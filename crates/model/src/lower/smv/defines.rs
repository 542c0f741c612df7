//! Lowering of defines in the order of their dependencies.
//!
//! Generated models have chains of a hundred thousand defines, so the order is found with an explicit stack; each body
//! is lowered after its dependencies.

use super::contexts::ExprContext;
use super::instances::InstId;
use super::names::{Meaning, is_path};
use super::{DefId, DefState, Lowering};
use crate::model::Define;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast;
use specwright_syntax::smv::codes;

/// Number of names of a circle that are shown in a message.
pub(super) const MAX_SHOWN: usize = 20;

/// The names along a circle, for a message.
pub(super) fn show_circle(names: &[String], verb: &str) -> String {
    if names.len() <= MAX_SHOWN {
        return names.join(verb);
    }
    let (start, end) = (&names[..MAX_SHOWN / 2], &names[names.len() - MAX_SHOWN / 2..]);
    let left_out = names.len() - MAX_SHOWN;
    format!("{}{verb}… ({left_out} more){verb}{}", start.join(verb), end.join(verb))
}

/// A define that waits for its dependencies, and the number of those visited so far.
struct Frame {
    def: DefId,
    needs: Vec<DefId>,
    seen: usize,
}

impl Lowering<'_> {
    /// Lowers all defines, used or not.
    pub(super) fn lower_defines(&mut self) {
        let mut def = 0;
        while def < self.defs.len() {
            self.ensure_def(def);
            def += 1;
        }
    }

    /// Lowers a define and its dependencies, unless that is done.
    pub(super) fn ensure_def(&mut self, def: DefId) {
        if self.defs[def].state != DefState::New {
            return;
        }
        let mut stack = vec![self.enter(def)];
        while let Some(frame) = stack.last_mut() {
            if let Some(&needed) = frame.needs.get(frame.seen) {
                frame.seen += 1;
                match self.defs[needed].state {
                    DefState::New => {
                        let frame = self.enter(needed);
                        stack.push(frame);
                    }
                    DefState::Waiting => self.report_circle(&stack, needed),
                    DefState::Done(_) | DefState::Failed => {}
                }
            } else {
                let def = frame.def;
                stack.pop();
                self.leave(def);
            }
        }
    }

    fn enter(&mut self, def: DefId) -> Frame {
        self.defs[def].state = DefState::Waiting;
        let needs = self.references(self.defs[def].inst, self.defs[def].body);
        Frame { def, needs, seen: 0 }
    }

    fn leave(&mut self, def: DefId) {
        // A define on a circle cannot be lowered; it was reported.
        if self.defs[def].state == DefState::Failed {
            return;
        }
        let (inst, body, span) = (self.defs[def].inst, self.defs[def].body, self.defs[def].span);
        let sourced = self.sourced(inst, body).filter(|sourced| self.check_context(sourced, ExprContext::Define));
        self.defs[def].state = match sourced {
            None => DefState::Failed,
            Some(body) => {
                let body = self.adapt_define(body);
                let name = self.defs[def].name.clone();
                DefState::Done(self.push_define(Define { name, body, span }))
            }
        };
    }

    /// The defines in an expression.
    fn references(&mut self, inst: InstId, expr: ast::ExprId) -> Vec<DefId> {
        let mut found = Vec::new();
        let mut stack = vec![expr];
        let file = self.file;
        while let Some(expr) = stack.pop() {
            let kind = &file.exprs[expr].kind;
            if is_path(kind) {
                match self.resolve(inst, expr) {
                    Meaning::Def(def) => found.push(def),
                    Meaning::Expr => kind.for_each_child(|child| stack.push(child)),
                    _ => {}
                }
            } else {
                kind.for_each_child(|child| stack.push(child));
            }
        }
        found.reverse();
        found
    }

    fn report_circle(&mut self, stack: &[Frame], again: DefId) {
        let start = stack.iter().position(|frame| frame.def == again).unwrap_or(0);
        let circle: Vec<DefId> = stack[start..].iter().map(|frame| frame.def).collect();
        let names: Vec<String> =
            circle.iter().chain([&again]).map(|&def| format!("`{}`", self.defs[def].name)).collect();
        let message = format!("{} is defined in terms of itself", names[0]);
        let mut diagnostic = Diagnostic::error(codes::CIRCULAR, self.defs[again].span, message);
        for (at, &def) in circle.iter().enumerate().take(MAX_SHOWN) {
            if def != again {
                diagnostic = diagnostic.also(self.defs[def].span, format!("which needs {}", names[at + 1]));
            }
        }
        if circle.len() > 1 {
            diagnostic = diagnostic.note(show_circle(&names, " needs "));
        }
        self.report(diagnostic);
        for def in circle {
            self.defs[def].state = DefState::Failed;
        }
    }
}
