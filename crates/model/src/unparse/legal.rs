//! Names that are legal in SMV. Other languages have other reserved words, names that start with a digit, and values
//! that are named like variables; such names are replaced by similar legal ones.

use crate::context::Context;
use crate::model::Model;
use crate::value::SymbolTable;
use rustc_hash::FxHashSet;
use specwright_syntax::smv::is_reserved;
use std::borrow::Cow;
use std::sync::Arc;

/// The model with legal names.
pub(super) fn legal(model: &Model) -> Cow<'_, Model> {
    let others = || model.vars.iter().map(|var| &var.name).chain(model.defines.iter().map(|define| &define.name));
    let taken: FxHashSet<&str> = others().map(String::as_str).collect();
    let clashes = model.context.symbols.names().any(|name| !is_legal(name) || taken.contains(name));
    let values: FxHashSet<&str> = model.context.symbols.names().collect();
    let is_good = |name: &str| is_legal(name) && !ends_in_value(name, &values);
    let of_properties = || model.properties.iter().filter_map(|property| property.name.as_deref());
    if !clashes && others().all(|name| is_good(name)) && of_properties().all(is_legal) {
        return Cow::Borrowed(model);
    }
    let mut legal = model.clone();
    // Legal names are kept; variables are renamed before values.
    let mut taken: FxHashSet<String> = others().filter(|name| is_good(name)).cloned().collect();
    let better = |name: &str, taken: &mut FxHashSet<String>| {
        let mut new: String = name.chars().map(|c| if is_part(c) { c } else { '_' }).collect();
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
    let symbols = SymbolTable::default();
    let mut of_symbols = taken.clone();
    of_symbols.extend(model.context.symbols.names().filter(|name| is_legal(name)).map(String::from));
    for name in model.context.symbols.names() {
        // Names with dots belong to processes, and are handled by the unparser.
        let keeps = (is_legal(name) && !taken.contains(name)) || name.contains(['.', '[']);
        let new = if keeps { name.to_owned() } else { better(name, &mut of_symbols) };
        symbols.intern(&new);
    }
    legal.system.context = Arc::new(Context { symbols, exprs: model.context.exprs.clone() });
    let mut taken: FxHashSet<String> = of_properties().map(String::from).collect();
    for name in legal.properties.iter_mut().filter_map(|property| property.name.as_mut()) {
        if !is_legal(name) {
            *name = better(name, &mut taken);
        }
    }
    Cow::Owned(legal)
}

/// Words that nuXmv reserves in addition to NuSMV, and names of types that our parser accepts as names.
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

/// Whether NuSMV or nuXmv reserve a word.
fn is_taken_by_tools(word: &str) -> bool {
    is_reserved(word) || OF_TOOLS.contains(&word)
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#' | '-' | '\\')
}

/// Whether SMV parses a name as one: words separated by dots, each quoted or not, with or without indices.
fn is_legal(name: &str) -> bool {
    let (mut rest, mut after_word) = (name, false);
    loop {
        let is_quoted = rest.starts_with('"');
        let length = if is_quoted {
            rest[1..].find('"').map_or(0, |end| end + 2)
        } else {
            rest.find(['.', '[', '"']).unwrap_or(rest.len())
        };
        let (word, after) = rest.split_at(length);
        let is_plain = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && word.chars().all(is_part);
        let is_word = if is_quoted { length > 0 } else { is_plain && !is_taken_by_tools(word) };
        // A number may follow a word; after another number it would be read as its fraction.
        let is_number = after_word && !word.is_empty() && word.bytes().all(|c| c.is_ascii_digit());
        if !is_word && !is_number {
            return false;
        }
        after_word = is_word;
        rest = after;
        while let Some((index, after)) = rest.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
            if index.parse::<i64>().is_err() {
                return false;
            }
            rest = after;
        }
        match rest.strip_prefix('.') {
            Some(next) => rest = next,
            None => return rest.is_empty(),
        }
    }
}

/// Whether a name ends in a value: NuSMV does not find `owner.fork_1` if `fork_1` is a value.
fn ends_in_value(name: &str, values: &FxHashSet<&str>) -> bool {
    name.rsplit_once('.').is_some_and(|(_, last)| values.contains(last.split('[').next().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::is_legal;

    #[test]
    fn quoted_text_is_a_legal_name() {
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
