//! A model with any names prints as valid SMV of the same meaning.

use crate::Model;
use crate::context::Context;
use crate::interp::Random;
use crate::testing::model;
use crate::unparse::print_model;
use crate::value::SymbolTable;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Reserved words of NuSMV and nuXmv, pieces of syntax, and names from other languages.
const PIECES: [&str; 48] = [
    "MODULE", "INVAR", "SPEC", "VAR", "TRUE", "A", "E", "U", "X", "next", "init", "case", "esac", "mod", "self",
    "word1", "boolean", "integer", "real", "clock", "floor", "PRED", "time", "a", "b_1", "Z", "9", "0b1", "é", "日本",
    " ", "\n", "--", "/--", "*/", ";", ":=", "(", "[1]", "[x", "]", ".", "..", "\"", "\"q\"", "\\", "#", "$",
];

fn names(random: &mut Random, n: usize) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut names = Vec::new();
    while names.len() < n {
        let name: String = (0..=random.index(3)).map(|_| PIECES[random.index(PIECES.len())]).collect();
        if seen.insert(name.clone()) {
            names.push(name);
        }
    }
    names
}

/// Renames everything in a model.
fn renamed(mut model: Model, random: &mut Random) -> Model {
    let mut chosen = names(random, 64).into_iter();
    model.vars.iter_mut().for_each(|var| var.name = chosen.next().expect("there are enough"));
    model.defines.iter_mut().for_each(|define| define.name = chosen.next().expect("there are enough"));
    let symbols = SymbolTable::default();
    for name in model.context.symbols.names() {
        // Values with dots and brackets are names of processes.
        let new = chosen.find(|name| !name.contains(['.', '['])).unwrap_or_else(|| name.to_owned());
        symbols.intern(&new);
    }
    model.system.context = Arc::new(Context { symbols, exprs: model.context.exprs.clone() });
    let mut chosen = names(random, 64).into_iter();
    model.properties.iter_mut().for_each(|property| property.name = chosen.next());
    model
}

#[test]
fn every_name_can_be_written_in_smv() {
    let text = "MODULE main
        VAR go : boolean; state : {one, two, three}; level : 0..3;
        IVAR pick : {four, one};
        DEFINE both := go & level > 1;
        ASSIGN next(state) := case both : two; pick = four : three; TRUE : one; esac;
        INVAR level < 3;
        SPEC AG (state = one -> EX both); LTLSPEC G (go -> F state = two); INVARSPEC level < 3;";
    for seed in 0..2000 {
        let renamed = renamed(model(text), &mut Random::new(seed));
        let printed = print_model(&renamed);
        // Parsing panics if the text is invalid.
        let again = model(&printed);
        assert_eq!(again.vars.len(), renamed.vars.len(), "seed {seed}\n{printed}");
        assert_eq!(again.properties.len(), renamed.properties.len(), "seed {seed}\n{printed}");
        let domains = |model: &Model| model.vars.iter().map(|var| format!("{:?}", var.kind)).collect::<Vec<_>>();
        assert_eq!(domains(&again), domains(&renamed), "seed {seed}\n{printed}");
        assert_eq!(print_model(&again), printed, "seed {seed}: printing is not stable");
    }
}
