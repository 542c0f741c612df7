//! Any input ends in diagnostics: no panic, no endless loop, no stack overflow.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::arbitrary::{self, Choices};
use specwright_syntax::smv::ast::{Dialect, File, MAX_HEIGHT};
use specwright_syntax::smv::print::{print_expr, print_file};
use specwright_syntax::smv::{parse, parse_expr, same_file};
use specwright_syntax::span::{SourceFile, SourceMap};

fn source(text: &str) -> SourceFile {
    let mut sources = SourceMap::default();
    sources.add("bad.smv", text).unwrap();
    sources.files()[0].clone()
}

/// Parses a text in both dialects and checks the invariants of every result.
fn read(text: &str) -> (File, Vec<Diagnostic>) {
    let source = source(text);
    parse(&source, Dialect::Cmu);
    parse_expr(&source, Dialect::NuSmv);
    let (file, diagnostics) = parse(&source, Dialect::NuSmv);
    assert!(diagnostics.len() <= 101, "errors are bounded");
    for diagnostic in &diagnostics {
        let span = diagnostic.primary.span;
        assert!(span.start <= span.end && span.end <= source.span().end, "{diagnostic:?} lies in the text");
        source.slice(span);
    }
    assert!(diagnostics.is_sorted_by_key(|diagnostic| diagnostic.primary.span.start));
    if diagnostics.iter().all(|diagnostic| !diagnostic.is_error()) {
        let printed = print_file(&file);
        let (again, diagnostics) = parse(&self::source(&printed), Dialect::NuSmv);
        assert!(!diagnostics.iter().any(Diagnostic::is_error), "{diagnostics:?} in {printed}");
        assert!(same_file(&file, &again), "{printed}");
    }
    (file, diagnostics)
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    diagnostics.iter().map(|diagnostic| diagnostic.code.0).collect()
}

/// A deterministic pseudo-random number generator.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.below(256) as u8).collect()
    }
}

const WORDS: [&str; 88] = [
    "MODULE",
    "main",
    "VAR",
    "IVAR",
    "FROZENVAR",
    "DEFINE",
    "CONSTANTS",
    "ASSIGN",
    "INIT",
    "TRANS",
    "INVAR",
    "FAIRNESS",
    "COMPASSION",
    "ISA",
    "SPEC",
    "LTLSPEC",
    "INVARSPEC",
    "COMPUTE",
    "PSLSPEC",
    "NAME",
    "PRED",
    "MIRROR",
    "INPUT",
    "OUTPUT",
    "IN",
    "MIN",
    "MAX",
    "a",
    "b",
    "c",
    "x",
    "1",
    "7",
    "0ud8_5",
    "0b_2",
    "1.5",
    "TRUE",
    "FALSE",
    "self",
    "boolean",
    "array",
    "of",
    "word",
    "signed",
    "process",
    "case",
    "esac",
    "next",
    "init",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ":",
    "::",
    ":=",
    ".",
    "..",
    "?",
    "!",
    "&",
    "|",
    "->",
    "<->",
    "=",
    "==",
    "+",
    "-",
    "mod",
    "union",
    "in",
    "EX",
    "AG",
    "A",
    "E",
    "U",
    "BU",
    "EBF",
    "F",
    "always",
    "until",
    "forall",
    "next_event",
    "@",
];

#[test]
fn random_bytes() {
    let mut random = Random(1);
    for _ in 0..2_000 {
        let n = random.below(200);
        let bytes = random.bytes(n);
        read(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn random_words() {
    let mut random = Random(2);
    for _ in 0..10_000 {
        let n = random.below(60);
        let gap = if random.below(4) == 0 { "" } else { " " };
        let words: Vec<&str> = (0..n).map(|_| WORDS[random.below(WORDS.len())]).collect();
        let start = ["", "MODULE main VAR ", "MODULE main ASSIGN x := ", "MODULE main PSLSPEC ", "MODULE m SPEC "];
        read(&format!("{}{}", start[random.below(start.len())], words.join(gap)));
    }
}

#[test]
fn random_changes_of_good_files() {
    let mut random = Random(3);
    for _ in 0..3_000 {
        let n = random.below(800);
        let bytes = random.bytes(n);
        let mut text = print_file(&arbitrary::file(&mut Choices::new(&bytes))).into_bytes();
        for _ in 0..=random.below(4) {
            let at = random.below(text.len());
            match random.below(4) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, b"();:=[]{}-.&|"[random.below(13)]),
                2 => text.truncate(at),
                _ => drop(text.splice(at..at, WORDS[random.below(WORDS.len())].bytes())),
            }
            if text.is_empty() {
                break;
            }
        }
        read(&String::from_utf8_lossy(&text));
    }
}

#[test]
fn deep_nesting_is_read() {
    let cases = [
        ("(", "a", ")", 10_000),
        ("!", "a", "", 10_000),
        ("- ", "a", "", 10_000),
        ("AG ", "a", "", 10_000),
        ("a & ", "a", "", 10_000),
        ("a -> ", "a", "", 10_000),
        ("", "a", " -> a", 10_000),
        ("a ? b : ", "a", "", 10_000),
        ("a ? ", "b", " : c", 10_000),
        ("next(", "a", ")", 10_000),
        ("{", "a", "}", 10_000),
        ("A [a U ", "a", "]", 10_000),
        ("E [", "a", " U b]", 10_000),
        ("x[", "a", "]", 10_000),
        ("case TRUE : ", "a", "; esac", 10_000),
        ("case ", "a", " : b; esac", 10_000),
        ("", "a", ".b", 10_000),
        ("", "a", "[0]", 10_000),
    ];
    for (before, inner, after, n) in cases {
        let text = format!("MODULE main INIT {}{inner}{}", before.repeat(n), after.repeat(n));
        let (_, diagnostics) = read(&text);
        assert_eq!(codes(&diagnostics), Vec::<&str>::new(), "{before}…{after}");
    }
}

#[test]
fn too_deep_nesting_is_one_error() {
    let n = 3 * MAX_HEIGHT as usize;
    for (before, after) in [
        ("(", ")"),
        ("!", ""),
        ("a & ", ""),
        ("a -> ", ""),
        ("a ? b : ", ""),
        ("next(", ")"),
        ("{", "}"),
        ("A [a U ", "]"),
        ("case TRUE : ", "; esac"),
        ("", ".b"),
    ] {
        let text = format!("MODULE main INIT {}a{};\nVAR x : ;", before.repeat(n), after.repeat(n));
        let (_, diagnostics) = read(&text);
        assert_eq!(codes(&diagnostics), ["SMV001", "SMV006"], "{before}…{after}");
    }
}

#[test]
fn large_invalid_files_are_rejected() {
    for text in ["(", ")", "((a)", ";", "@ ", "[", "OUTPUT ", "!", "case ", "a := ", "\""] {
        for head in ["MODULE main INIT ", "MODULE main VAR x : ", "MODULE main "] {
            let (_, diagnostics) = parse(&source(&format!("{head}{}", text.repeat(200_000))), Dialect::NuSmv);
            assert!(diagnostics.iter().any(Diagnostic::is_error), "{head}{text}…");
        }
    }
    let (_, diagnostics) = parse(&source(&format!("MODULE main INIT {}", "(".repeat(10_000_000))), Dialect::NuSmv);
    assert_eq!(codes(&diagnostics), ["SMV001"], "one clear error");
}

#[test]
fn psl_cannot_explode() {
    let weak = format!("MODULE main PSLSPEC a{};", " until b".repeat(1_000));
    assert_eq!(codes(&read(&weak).1), ["SMV021"]);
    for formula in ["next[1000000](a)", "next_event(b)[1:1000000](a)", "forall i in {0:99999999}: a = i"] {
        let (_, diagnostics) = read(&format!("MODULE main PSLSPEC {formula};"));
        assert!(matches!(codes(&diagnostics)[..], ["SMV021" | "SMV001"]), "{formula}: {diagnostics:?}");
    }
}

#[test]
fn large_files_are_read_and_printed() {
    let branch = "      (a & !b) | x = 17 : {red, green, 1..3} union next(y);\n";
    let module = format!("  next(x) := case\n{}    esac;\n", branch.repeat(50));
    let text = format!("MODULE main\nASSIGN\n{}", module.repeat(1_000));
    let (file, diagnostics) = parse(&source(&text), Dialect::NuSmv);
    assert!(diagnostics.is_empty());
    assert_eq!(print_file(&file).matches(" union next(y);").count(), 50_000);
}

#[test]
fn long_chains_print_in_linear_time() {
    let text = vec!["a"; 19_000].join(" -> ");
    let (exprs, root, diagnostics) = parse_expr(&source(&text), Dialect::NuSmv);
    assert!(diagnostics.is_empty());
    assert_eq!(print_expr(&exprs, root.unwrap()), text);
}

/// The last mistake that is reported may be any: what follows a report must not rely on where the parser stands.
#[test]
fn every_mistake_may_be_the_last_one_reported() {
    let mistakes = [
        "VARR y : boolean;",
        "INPUTT y : boolean;",
        "MODUL other\nVAR y : boolean;",
        "MODULE a(b,\nVAR y : boolean;",
        "VAR y : 3..;",
        "VAR y boolean;",
        "VAR next : boolean;",
        "ASSIGN next(x) = y;",
        "DEFINE d = case x : 1; esac;",
        "INIT x = “TRUE”;",
        "LTLSPEC G (x -> ;",
        "PSLSPEC {x;};",
        "TRANS next(x = y;;",
        "ISA ;",
        "\u{1}",
        "x",
    ];
    for mistake in mistakes {
        for n in 90..=102 {
            let before = "INIT = ;\n".repeat(n);
            read(&format!("MODULE main\n{before}{mistake}\nINIT TRUE;\n"));
            read(&format!("MODULE main\n{before}{mistake}"));
        }
    }
}
