//! The words and signs of the languages, each explained in a line.

use crate::lexis::Language;

/// The words and signs of a language.
pub(crate) fn words(language: Language) -> impl Iterator<Item = (&'static str, &'static str)> {
    let table: &[(&str, &str)] = match language {
        Language::Smv => SMV,
        Language::Scr => SCR,
        Language::Asm => ASM,
        Language::Statechart => STATECHART,
        Language::Other => &[],
    };
    let common = if matches!(language, Language::Statechart | Language::Other) { &[] } else { COMMON };
    table.iter().chain(common).copied()
}

/// The explanation of a word or sign.
pub(crate) fn explain(language: Language, word: &str) -> Option<&'static str> {
    let fits = |known: &str| {
        if language == Language::Scr { known.eq_ignore_ascii_case(word) } else { known == word }
    };
    words(language).find(|(known, _)| fits(known)).map(|(_, explanation)| explanation)
}

/// Whether a word is reserved.
pub(crate) fn is_keyword(language: Language, word: &str) -> bool {
    match language {
        Language::Smv => specwright::syntax::smv::is_reserved(word),
        _ => word.starts_with(|c: char| c.is_alphabetic() || c == '@') && explain(language, word).is_some(),
    }
}

/// Whether a word starts a section of a module.
pub(crate) fn starts_section(word: &str) -> bool {
    matches!(
        word,
        "MODULE"
            | "VAR"
            | "IVAR"
            | "FROZENVAR"
            | "DEFINE"
            | "CONSTANTS"
            | "ASSIGN"
            | "INIT"
            | "TRANS"
            | "INVAR"
            | "FAIRNESS"
            | "JUSTICE"
            | "COMPASSION"
            | "ISA"
            | "SPEC"
            | "CTLSPEC"
            | "LTLSPEC"
            | "INVARSPEC"
            | "COMPUTE"
            | "PSLSPEC"
    )
}

/// The parameters of a function that a language has, and what it gives.
pub(crate) fn signature(language: Language, name: &str) -> Option<(&'static [&'static str], &'static str)> {
    let table: &[(&str, &[&str])] = match language {
        Language::Smv => &[
            ("next", &["expression"]),
            ("init", &["variable"]),
            ("count", &["condition", "…"]),
            ("abs", &["number"]),
            ("max", &["left", "right"]),
            ("min", &["left", "right"]),
            ("bool", &["value"]),
            ("toint", &["word"]),
            ("word1", &["condition"]),
            ("signed", &["word"]),
            ("unsigned", &["word"]),
            ("extend", &["word", "bits"]),
            ("resize", &["word", "width"]),
            ("sizeof", &["word"]),
            ("swconst", &["value", "width"]),
            ("uwconst", &["value", "width"]),
        ],
        Language::Scr => {
            &[("@T", &["condition"]), ("@F", &["condition"]), ("@C", &["variable"]), ("next", &["variable"])]
        }
        Language::Asm | Language::Statechart | Language::Other => &[],
    };
    let (name, params) = table.iter().find(|(known, _)| *known == name)?;
    Some((params, explain(language, name).unwrap_or_default()))
}

/// The signs that mean the same in all languages with formulas.
#[rustfmt::skip]
const COMMON: &[(&str, &str)] = &[
    ("=", "equal"),
    ("!=", "not equal"),
    ("<", "less than"),
    ("<=", "less than or equal"),
    (">", "greater than"),
    (">=", "greater than or equal"),
    ("+", "sum"),
    ("-", "difference"),
    ("*", "product"),
];

#[rustfmt::skip]
const STATECHART: &[(&str, &str)] = &[
    ("after", "XState: transitions that are taken some time after the state was entered"),
    ("always", "XState: transitions that need no event"),
    ("assign", "an action that gives variables of the context new values"),
    ("context", "XState: the variables of the machine and their initial values"),
    ("datamodel", "SCXML: the variables of the machine"),
    ("entry", "XState: actions when the state is entered"),
    ("exit", "XState: actions when the state is left"),
    ("final", "a state that completes its parent"),
    ("guard", "XState: the condition of a transition"),
    ("history", "a state that stands for the substates that were active last"),
    ("initial", "the substate in which a compound state starts"),
    ("invoke", "an actor that runs while the state is active"),
    ("on", "XState: transitions by their events"),
    ("onDone", "XState: transitions that are taken when the state or its actor is done"),
    ("onError", "XState: transitions that are taken when an actor fails"),
    ("onentry", "SCXML: actions when the state is entered"),
    ("onexit", "SCXML: actions when the state is left"),
    ("parallel", "a state all of whose substates are active"),
    ("raise", "an action that puts an event into the internal queue"),
    ("reenter", "XState: the source is left and entered again"),
    ("send", "an action that sends an event"),
    ("state", "a state"),
    ("states", "XState: the substates by their keys"),
    ("target", "the state to which a transition leads"),
    ("transition", "SCXML: a transition"),
];

#[rustfmt::skip]
const SMV: &[(&str, &str)] = &[
    ("MODULE", "a module: declarations that can be instantiated; the model is the module `main`"),
    ("VAR", "state variables and instances of modules"),
    ("IVAR", "input variables, chosen anew in every step"),
    ("FROZENVAR", "variables that keep their initial value"),
    ("DEFINE", "names for expressions"),
    ("CONSTANTS", "symbolic constants"),
    ("ASSIGN", "assignments of initial, next and current values"),
    ("INIT", "a constraint on initial states"),
    ("TRANS", "a constraint on steps"),
    ("INVAR", "a constraint on all states"),
    ("FAIRNESS", "a condition that holds infinitely often on every path that counts"),
    ("JUSTICE", "a condition that holds infinitely often on every path that counts"),
    ("COMPASSION", "two conditions: if the first holds infinitely often, so does the second"),
    ("ISA", "includes the declarations of another module"),
    ("SPEC", "a property in CTL"),
    ("CTLSPEC", "a property in CTL"),
    ("LTLSPEC", "a property in LTL"),
    ("INVARSPEC", "a condition that is to hold in all reachable states"),
    ("PSLSPEC", "a property in PSL"),
    ("COMPUTE", "the length of the shortest or longest path between two sets of states"),
    ("MIN", "the length of the shortest path"),
    ("MAX", "the length of the longest path"),
    ("NAME", "the name of a property"),
    ("IN", "the instance in which the names of a property are looked up"),
    ("TRUE", "true"),
    ("FALSE", "false"),
    ("boolean", "the type of truth values"),
    ("integer", "the type of all integers, without bounds"),
    ("word", "the type of bit vectors"),
    ("unsigned", "an unsigned bit vector, or a conversion to one"),
    ("signed", "a bit vector in two's complement, or a conversion to one"),
    ("array", "an array type"),
    ("of", "the type of the elements of an array"),
    ("process", "an instance that runs interleaved with the others"),
    ("self", "the instance of the module itself"),
    ("case", "the value of the first branch whose condition holds"),
    ("esac", "the end of a case expression"),
    ("next", "the value after the step"),
    ("init", "the initial value"),
    ("union", "the union of sets of values: a choice"),
    ("in", "whether a value is one of a set"),
    ("mod", "the remainder of a division"),
    ("xor", "exclusive or"),
    ("xnor", "the negation of exclusive or"),
    ("abs", "the absolute value"),
    ("max", "the larger of two numbers"),
    ("min", "the smaller of two numbers"),
    ("count", "the number of conditions that hold"),
    ("bool", "a number or word of one bit as a truth value"),
    ("toint", "the number that a word or truth value stands for"),
    ("word1", "a truth value as a word of one bit"),
    ("extend", "a word with more bits in front"),
    ("resize", "a word with another number of bits"),
    ("sizeof", "the number of bits of a word"),
    ("swconst", "a signed word constant"),
    ("uwconst", "an unsigned word constant"),
    ("AG", "CTL: on all paths always"),
    ("AF", "CTL: on all paths eventually"),
    ("AX", "CTL: in all next states"),
    ("EG", "CTL: on some path always"),
    ("EF", "CTL: on some path eventually"),
    ("EX", "CTL: in some next state"),
    ("A", "CTL: on all paths, with an until in brackets"),
    ("E", "CTL: on some path, with an until in brackets"),
    ("ABF", "CTL: on all paths within bounds"),
    ("ABG", "CTL: on all paths throughout bounds"),
    ("EBF", "CTL: on some path within bounds"),
    ("EBG", "CTL: on some path throughout bounds"),
    ("BU", "CTL: bounded until"),
    ("G", "LTL: always"),
    ("F", "LTL: eventually"),
    ("X", "LTL: in the next state"),
    ("U", "until: the right side holds eventually, and the left side up to then"),
    ("V", "LTL: releases; the right side holds up to and including where the left side does"),
    ("Y", "LTL: in the previous state, and there is one"),
    ("Z", "LTL: in the previous state, if there is one"),
    ("H", "LTL: always in the past"),
    ("O", "LTL: once in the past"),
    ("S", "LTL: since"),
    ("T", "LTL: triggered"),
    ("!", "not"),
    ("&", "and"),
    ("|", "or"),
    ("->", "implies"),
    ("<->", "if and only if"),
    ("/", "quotient, rounded towards zero"),
    ("<<", "shift to the left"),
    (">>", "shift to the right"),
    ("::", "concatenation of words"),
    ("?", "`c ? a : b` is `a` where `c` holds, and `b` elsewhere"),
    (":=", "defines a value"),
    ("..", "the integers from the left to the right"),
];

#[rustfmt::skip]
const SCR: &[(&str, &str)] = &[
    ("types", "names for types"),
    ("constants", "names for numbers"),
    ("monitored", "variables that the environment sets"),
    ("controlled", "variables that the system sets and the environment sees"),
    ("terms", "auxiliary variables"),
    ("modes", "mode classes: variables whose values are modes"),
    ("inputs", "how many monitored variables change in a step: `one` or `any`"),
    ("assumptions", "what the environment is taken to satisfy"),
    ("properties", "what is to hold in all reachable states"),
    ("mode", "a mode table, a mode matrix or a mode class"),
    ("event", "an event table: the value of a variable after an event"),
    ("condition", "a condition table: the value of a variable under a condition"),
    ("table", "a table: a row for each set of modes"),
    ("matrix", "a mode transition table with a column for each condition"),
    ("by", "the mode class whose modes stand in the first column"),
    ("initially", "the initial value of a variable, or a constraint on initial states"),
    ("boolean", "the type of truth values"),
    ("TRUE", "true"),
    ("FALSE", "false"),
    ("WHEN", "the condition holds before the step"),
    ("WHERE", "the condition holds after the step"),
    ("WHILE", "the condition holds before and after the step"),
    ("Inmode", "the system is, or comes to be, in the mode of the row"),
    ("AND", "both hold"),
    ("OR", "at least one holds"),
    ("NOT", "does not hold"),
    ("IN", "whether a value is one of a set"),
    ("@T", "the event that a condition becomes true"),
    ("@F", "the event that a condition becomes false"),
    ("@C", "the event that a variable changes"),
    ("'", "the value after the step"),
    ("=>", "implies"),
    ("->", "implies"),
    ("<=>", "if and only if"),
    ("<->", "if and only if"),
    ("&", "both hold"),
    ("!", "does not hold"),
    ("..", "the integers from the left to the right"),
];

#[rustfmt::skip]
const ASM: &[(&str, &str)] = &[
    ("asm", "a machine"),
    ("module", "a module, which has no main rule"),
    ("import", "makes the declarations of another file known"),
    ("export", "the names that other files may use"),
    ("signature", "the declarations of domains and functions"),
    ("definitions", "the definitions of domains, functions, rules and properties"),
    ("domain", "a set of values"),
    ("enum", "a domain that lists its elements"),
    ("abstract", "a domain of elements without structure"),
    ("dynamic", "what may change"),
    ("subsetof", "a domain that is a part of another one"),
    ("static", "a function that never changes"),
    ("derived", "a function that others define"),
    ("controlled", "a function that the machine updates"),
    ("monitored", "a function that the environment changes"),
    ("shared", "a function that both the machine and the environment change"),
    ("out", "a function that the machine updates and the environment reads"),
    ("local", "a function of a rule"),
    ("function", "the value of a function"),
    ("rule", "a named rule"),
    ("macro", "a rule that is expanded where it is called"),
    ("main", "the rule that a step of the machine executes"),
    ("init", "an initial state"),
    ("default", "the initial state that a run starts from"),
    ("agent", "the program of the agents of a domain"),
    ("invariant", "a condition that is to hold in all reachable states"),
    ("over", "the functions that an invariant reads"),
    ("CTLSPEC", "a property in CTL"),
    ("LTLSPEC", "a property in LTL"),
    ("INVAR", "a constraint on the environment"),
    ("JUSTICE", "a condition that holds infinitely often on every path that counts"),
    ("skip", "changes nothing"),
    ("par", "rules that are executed at the same time"),
    ("endpar", "the end of a parallel rule"),
    ("seq", "rules that are executed one after the other, in one step"),
    ("endseq", "the end of a sequential rule"),
    ("if", "a conditional rule or term"),
    ("then", "what is done, or the value, if the condition holds"),
    ("else", "what is done, or the value, if the condition does not hold"),
    ("endif", "the end of a conditional"),
    ("switch", "a choice of the case that a term is equal to"),
    ("case", "a case of a switch"),
    ("otherwise", "what counts if no case does"),
    ("endswitch", "the end of a switch"),
    ("let", "names for values"),
    ("endlet", "the end of a let"),
    ("forall", "for all elements of a set"),
    ("choose", "for one element of a set, chosen in each step"),
    ("exist", "whether there is an element with a property"),
    ("unique", "whether there is exactly one"),
    ("with", "the condition that elements satisfy"),
    ("do", "the rule that is executed"),
    ("ifnone", "the rule that is executed if there is no such element"),
    ("extend", "adds new elements to a domain"),
    ("while", "repeats a rule in one step"),
    ("in", "whether a value is one of a set; also what a variable ranges over"),
    ("notin", "whether a value is not one of a set"),
    ("and", "both hold"),
    ("or", "at least one holds"),
    ("xor", "exactly one holds"),
    ("not", "does not hold"),
    ("implies", "the right side holds if the left side does"),
    ("iff", "both hold, or neither"),
    ("mod", "the remainder of a division"),
    ("div", "the quotient of whole numbers"),
    ("true", "true"),
    ("false", "false"),
    ("undef", "no value"),
    ("Boolean", "the domain of truth values"),
    ("Integer", "the domain of whole numbers"),
    ("Natural", "the domain of whole numbers from 0 on"),
    ("Real", "the domain of numbers with fractions"),
    ("String", "the domain of texts"),
    ("Prod", "a domain of tuples"),
    ("Seq", "a domain of sequences"),
    ("Powerset", "a domain of sets"),
    ("Bag", "a domain of multisets"),
    ("Map", "a domain of maps"),
    ("Agent", "the domain of agents"),
    ("ag", "CTL: on all paths always"),
    ("af", "CTL: on all paths eventually"),
    ("ax", "CTL: in all next states"),
    ("eg", "CTL: on some path always"),
    ("ef", "CTL: on some path eventually"),
    ("ex", "CTL: in some next state"),
    ("g", "LTL: always"),
    ("f", "LTL: eventually"),
    ("x", "LTL: in the next state"),
    (":=", "an update: the value after the step"),
    ("/", "quotient"),
    ("^", "power"),
];
