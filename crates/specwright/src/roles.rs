//! The roles of variables and defines that the user wants.

use crate::session::ReadSettings;
use crate::words::hint;
use specwright_model::interface::{Observable, Role, outputs};
use specwright_model::model::{DefineId, VarKind};
use specwright_model::{Model, VarId};

/// Gives variables and defines the roles that the user wants. A name also stands for the parts of what it names.
pub(crate) fn assign(model: &mut Model, settings: &ReadSettings) -> Result<(), String> {
    let ReadSettings { input, output, internal, .. } = settings;
    let wanted = [(input, Role::Input), (output, Role::Output), (internal, Role::Internal)];
    let mut taken: Vec<(&str, Role)> = Vec::new();
    for (names, role) in wanted {
        for name in names {
            if let Some((_, other)) = taken.iter().find(|(taken, other)| taken == name && *other != role) {
                return Err(format!("`{name}` cannot be both {} and {}", flag(*other), flag(role)));
            }
            taken.push((name, role));
            for of in named(model, name, role)? {
                model.interface.set(of, role);
            }
        }
    }
    Ok(())
}

/// What a name stands for: a variable or define, or the parts of an array, an instance or a function.
fn named(model: &Model, name: &str, role: Role) -> Result<Vec<Observable>, String> {
    let is_part =
        |full: &str| full.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
    let vars: Vec<VarId> = model.vars().filter(|(_, var)| is_part(&var.name)).map(|(id, _)| id).collect();
    let defines: Vec<DefineId> =
        model.defines().filter(|(_, define)| is_part(&define.name)).map(|(id, _)| id).collect();
    let whole = model.define_named(name).filter(|_| model.var_named(name).is_none());
    let cannot = |why: String| Err(format!("{}: `{name}` cannot be an {}: {why}", flag(role), role.name()));
    match (role, whole) {
        (Role::Output, Some(define)) => {
            if let Err(why) = outputs::observable(model, define) {
                let help = why.help(model).map(|help| format!("; {help}")).unwrap_or_default();
                return cannot(format!("{}{help}", why.describe(model)));
            }
        }
        (Role::Input, Some(_)) => {
            return cannot("it is a define, which is computed from variables".into());
        }
        _ => {}
    }
    if let (Role::Output, Some(var)) = (role, model.var_named(name).filter(|var| model[*var].kind == VarKind::Input)) {
        return cannot(format!("it is an input of steps, declared with `IVAR`: a tester sets `{}`", model[var].name));
    }
    let is_fit = |define: &DefineId| match role {
        Role::Input => false,
        Role::Output => Some(*define) == whole || (vars.is_empty() && outputs::observable(model, *define).is_ok()),
        Role::Internal => true,
    };
    let defines = defines.iter().copied().filter(is_fit).map(Observable::Define);
    let found: Vec<Observable> = vars.iter().copied().map(Observable::Var).chain(defines).collect();
    if found.is_empty() {
        let vars = model.vars.iter().map(|var| var.name.as_str());
        let defines = model.defines.iter().map(|define| define.name.as_str()).filter(|_| role != Role::Input);
        let hint = hint(name, vars.chain(defines));
        return Err(format!("{}: unknown variable `{name}` in {}{hint}", flag(role), model.name));
    }
    Ok(found)
}

fn flag(role: Role) -> &'static str {
    match role {
        Role::Input => "--input",
        Role::Output => "--output",
        Role::Internal => "--internal",
    }
}
