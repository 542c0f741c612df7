//! Where the machine of a script is: calls of `createMachine`.

use crate::diagnostic::Diagnostic;
use crate::statechart::codes;
use crate::statechart::script::{DEFAULT, Script};
use crate::statechart::spread::resolve;
use crate::statechart::term::{Body, Term, TermKind};
use std::sync::Arc;

/// A machine of a script.
pub(super) struct Machine<'t> {
    pub(super) config: &'t Term,
    /// The arguments of `setup`, and the second argument of `createMachine`.
    pub(super) implementations: Vec<&'t Term>,
    /// The constants of the script that it may refer to; nothing if these are all.
    pub(super) visible: Option<Vec<(Arc<str>, Term)>>,
}

/// The machine of a script: the one that it exports, by default or by the first name, or the first one. A warning names
/// another one that tests could be about.
pub(super) fn find<'t>(script: &'t Script, diagnostics: &mut Vec<Diagnostic>) -> Option<Machine<'t>> {
    let mut all = Vec::new();
    for value in &script.values {
        let mut machines = Vec::new();
        search(&value.term, script, &mut machines, 0);
        let names = script.exports.iter().filter(|(_, local)| value.name.as_ref() == Some(local));
        let exported = names.map(|(name, _)| (**name != *DEFAULT, name)).min();
        let is_made = value.is_returned || matches!(value.term.kind, TermKind::Function(..));
        for (term, machine) in machines {
            let machine = Machine { visible: value.visible(&script.constants), ..machine };
            all.push(((exported.is_none(), is_made, exported), term, machine));
        }
    }
    // Machines come before functions that make one. The sort is stable.
    all.sort_by_key(|(order, ..)| *order);
    if let [((is_own, is_made, _), ..), ((other_is_own, other_is_made, exported), other, _), ..] = &all[..]
        && (is_own, is_made) == (other_is_own, other_is_made)
    {
        let message = match exported {
            Some(_) => "the file exports more than one machine: only the default one, or the first by name, is read",
            None => "the file has more than one machine: only the first one is read",
        };
        diagnostics.push(Diagnostic::warning(codes::NO_CHART, other.span, message));
    }
    all.into_iter().next().map(|(_, _, machine)| machine)
}

fn search<'t>(term: &'t Term, script: &'t Script, machines: &mut Vec<(&'t Term, Machine<'t>)>, depth: usize) {
    if depth > 8 {
        return;
    }
    match &term.kind {
        TermKind::Call(callee, arguments) => {
            if let Some(mut implementations) = maker(callee, script)
                && let Some(config) = arguments.first()
            {
                implementations.extend(arguments.get(1));
                machines.push((term, Machine { config, implementations, visible: None }));
                return;
            }
            // `createMachine(…).provide(…)`, `createActor(createMachine(…))`
            if let TermKind::Member(object, method) = &callee.kind {
                let before = machines.len();
                let object = if &**method == "provide" { resolve(&script.constants, object) } else { object };
                search(object, script, machines, depth + 1);
                if &**method == "provide" {
                    for (_, machine) in &mut machines[before..] {
                        machine.implementations.splice(0..0, arguments.first());
                    }
                }
            }
            for argument in arguments {
                search(argument, script, machines, depth + 1);
            }
        }
        // A machine may be made by a function.
        TermKind::Function(_, Body::Value(value)) => search(value, script, machines, depth + 1),
        TermKind::Object(entries) => {
            for entry in entries {
                search(&entry.value, script, machines, depth + 1);
            }
        }
        _ => {}
    }
}

/// The arguments of `setup`, if a function makes machines.
fn maker<'t>(callee: &'t Term, script: &'t Script) -> Option<Vec<&'t Term>> {
    match &callee.kind {
        TermKind::Name(name) if &**name == "createMachine" => Some(Vec::new()),
        TermKind::Member(object, name) if &**name == "createMachine" => {
            let mut object = &**object;
            for _ in 0..crate::statechart::spread::MAX_REFERENCES {
                let TermKind::Name(name) = &object.kind else { break };
                object = script.constants.iter().find(|(other, _)| other == name).map(|(_, term)| term)?;
            }
            let mut found = Vec::new();
            // `setup({…}).extend({…})`
            while let TermKind::Call(callee, arguments) = &object.kind {
                found.splice(0..0, arguments.first());
                match &callee.kind {
                    TermKind::Name(name) if &**name == "setup" => return Some(found),
                    TermKind::Member(inner, name) if matches!(&**name, "extend" | "setup") => object = inner,
                    _ => return None,
                }
            }
            // `xstate.createMachine`
            found.is_empty().then_some(found)
        }
        _ => None,
    }
}
