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
    let values: FxHashSet<&str> = model.symbols.names().collect();
    let is_good = |name: &str| is_legal(name) && !ends_in_value(name, &values);
    let of_properties = || model.properties.iter().filter_map(|property| property.name.as_deref());
    if !clashes && others().all(|name| is_good(name)) && of_properties().all(is_legal) {
        return Cow::Borrowed(model);
    }
    let mut legal = model.clone();
    // Good names keep their owners; variables choose before values.
    let mut taken: FxHashSet<String> = others().filter(|name| is_good(name)).cloned().collect();
    let better = |name: &str, taken: &mut FxHashSet<String>| {
        let is_plain = |c: char| is_part(c) && !matches!(c, '.' | '[' | ']');
        let mut new: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        if !new.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            new.insert(0, '_');
        }
        while is_taken_by_tools(&new) || !taken.insert(new.clone()) {
            new.push('_');
        }
        new
    };
    for var in &mut legal.vars {
        if !is_good(&var.name) {
            var.name = better(&var.name, &mut taken);
        }
    }
    for define in &mut legal.defines {
        if !is_good(&define.name) {
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
    let mut taken: FxHashSet<String> = of_properties().map(String::from).collect();
    for name in legal.properties.iter_mut().filter_map(|property| property.name.as_mut()) {
        if !is_legal(name) {
            *name = better(name, &mut taken);
        }
    }
    Cow::Owned(legal)
}

/// Words that nuXmv reserves in addition to those of NuSMV, and types that this reader also takes as names.
const OF_TOOLS: [&str; 11] = [
    "CONSTARRAY",
    "MIRROR",
    "PRED",
    "PREDICATES",
    "PSLWFF",
    "clock",
    "floor",
    "integer",
    "noncontinuous",
    "real",
    "urgent",
];

/// Whether NuSMV or nuXmv need a word for themselves.
fn is_taken_by_tools(word: &str) -> bool {
    is_reserved(word) || OF_TOOLS.contains(&word)
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#' | '-' | '\\' | '.' | '[' | ']')
}

fn is_legal(name: &str) -> bool {
    // Between quotes, everything goes.
    let quoted: Vec<&str> = name.split('"').collect();
    let plain: String = quoted.iter().step_by(2).copied().collect::<Vec<_>>().join("q");
    let is_word = |part: &str| {
        let word = part.split('[').next().unwrap_or_default();
        word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !is_taken_by_tools(word)
    };
    // After a word there may be a number; after another one it would be its fraction.
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit());
    let mut after_word = false;
    let is_name = plain.split('.').all(|part| {
        let may_be_number = std::mem::replace(&mut after_word, is_word(part));
        after_word || (may_be_number && is_number(part))
    });
    quoted.len() % 2 == 1 && plain.chars().all(is_part) && is_name
}

/// Whether a name ends in a value: NuSMV does not find `owner.fork_1` where `fork_1` is one.
fn ends_in_value(name: &str, values: &FxHashSet<&str>) -> bool {
    name.rsplit_once('.').is_some_and(|(_, last)| values.contains(last.split('[').next().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::is_legal;

    #[test]
    fn quotes_make_everything_a_name() {
        for name in ["x", "a.b[3]", "\"a b\"", "m.\"1st\".x", "\"MODULE\"", "a.1", "a.1.b.0"] {
            assert!(is_legal(name), "{name}");
        }
        for name in [
            "", "1st", "a b", "MODULE", "\"a b", "next.a", "a.next", "next[2]", "a.1.1", "a.1x", "a.", "INVAR", "clock",
        ] {
            assert!(!is_legal(name), "{name}");
        }
    }
}
