//! Names that SMV takes. Other languages have other reserved words, names that start with a digit, and values that are
//! called like variables; where a model has such names, SMV gets similar ones.

use crate::model::Model;
use crate::value::SymbolTable;
use rustc_hash::FxHashSet;
use specwright_syntax::smv::is_reserved;
use std::borrow::Cow;

/// The model with names that can be written in SMV.
pub(super) fn legal(model: &Model) -> Cow<'_, Model> {
    let others = || model.vars.iter().map(|var| &var.name).chain(model.defines.iter().map(|define| &define.name));
    let taken: FxHashSet<&str> = others().map(String::as_str).collect();
    let clashes = model.symbols.names().any(|name| !is_legal(name) || taken.contains(name));
    if !clashes && others().all(|name| is_legal(name)) {
        return Cow::Borrowed(model);
    }
    let mut legal = model.clone();
    // Good names keep their owners; variables choose before values.
    let mut taken: FxHashSet<String> = others().filter(|name| is_legal(name)).cloned().collect();
    let better = |name: &str, taken: &mut FxHashSet<String>| {
        let mut new: String = name.chars().map(|c| if is_part(c) { c } else { '_' }).collect();
        if !new.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            new.insert(0, '_');
        }
        while is_reserved(&new) || !taken.insert(new.clone()) {
            new.push('_');
        }
        new
    };
    for var in &mut legal.vars {
        if !is_legal(&var.name) {
            var.name = better(&var.name, &mut taken);
        }
    }
    for define in &mut legal.defines {
        if !is_legal(&define.name) {
            define.name = better(&define.name, &mut taken);
        }
    }
    let mut symbols = SymbolTable::default();
    let mut of_symbols = taken.clone();
    of_symbols.extend(model.symbols.names().filter(|name| is_legal(name)).map(String::from));
    for name in model.symbols.names() {
        // Names with dots belong to processes, and are taken care of where they are printed.
        let keeps = (is_legal(name) && !taken.contains(name)) || name.contains(['.', '[']);
        let new = if keeps { name.to_owned() } else { better(name, &mut of_symbols) };
        symbols.intern(&new);
    }
    legal.symbols = symbols;
    Cow::Owned(legal)
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#' | '-' | '\\' | '.' | '[' | ']')
}

fn is_legal(name: &str) -> bool {
    // Between quotes, everything goes.
    let quoted: Vec<&str> = name.split('"').collect();
    let plain: String = quoted.iter().step_by(2).copied().collect::<Vec<_>>().join("q");
    quoted.len() % 2 == 1
        && plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && plain.chars().all(is_part)
        && !is_reserved(&plain)
}

#[cfg(test)]
mod tests {
    use super::is_legal;

    #[test]
    fn quotes_make_everything_a_name() {
        for name in ["x", "a.b[3]", "\"a b\"", "m.\"1st\".x", "\"MODULE\""] {
            assert!(is_legal(name), "{name}");
        }
        for name in ["", "1st", "a b", "MODULE", "\"a b"] {
            assert!(!is_legal(name), "{name}");
        }
    }
}
