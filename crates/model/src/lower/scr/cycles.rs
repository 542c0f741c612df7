//! Circular dependencies between tables: tables take effect in order within a step.

use super::Lowering;
use crate::model::VarId;
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::scr::codes;
use specwright_syntax::span::Span;

impl Lowering<'_> {
    pub(super) fn check_cycles(&mut self) {
        let n_vars = self.model.vars.len();
        let mut needs: Vec<Vec<(VarId, Span)>> = vec![Vec::new(); n_vars];
        for (var, needed) in &self.needs {
            needs[var.0 as usize].clone_from(needed);
        }
        // 0: unvisited, 1: in progress, 2: done.
        let mut seen = vec![0u8; n_vars];
        for start in 0..n_vars {
            if seen[start] != 0 {
                continue;
            }
            seen[start] = 1;
            let mut path = vec![(start, 0)];
            while let Some((var, at)) = path.last_mut() {
                let Some((next, _)) = needs[*var].get(*at) else {
                    seen[*var] = 2;
                    path.pop();
                    continue;
                };
                *at += 1;
                let next = next.0 as usize;
                match seen[next] {
                    0 => {
                        seen[next] = 1;
                        path.push((next, 0));
                    }
                    1 => {
                        let from = path.iter().position(|(var, _)| *var == next).unwrap_or(0);
                        let steps = path[from..].iter().map(|(var, at)| (VarId(*var as u32), needs[*var][*at - 1]));
                        let steps = steps.collect::<Vec<_>>();
                        self.report_cycle(&steps);
                        return;
                    }
                    _ => {}
                }
            }
        }
    }

    fn report_cycle(&mut self, steps: &[(VarId, (VarId, Span))]) {
        let name = |lowering: &Self, var: VarId| format!("`{}`", lowering.model[var].name);
        let (first, (_, span)) = steps[0];
        let message = if steps.len() == 1 {
            format!("the new value of {} depends on itself", name(self, first))
        } else {
            let all: Vec<String> = steps.iter().map(|(var, _)| name(self, *var)).collect();
            format!("the new values of {} depend on each other", all.join(" and "))
        };
        let say = |lowering: &Self, var, needed| {
            format!("{} needs the new value of {}", name(lowering, var), name(lowering, needed))
        };
        let label = say(self, first, steps[0].1.0);
        let mut diagnostic = Diagnostic::error(codes::CIRCULAR, span, message).label(label);
        for (var, (needed, span)) in &steps[1..] {
            let text = say(self, *var, *needed);
            diagnostic = diagnostic.also(*span, text);
        }
        self.report(diagnostic.help("`WHEN` reads values before the step, so it causes no cycle"));
    }
}
