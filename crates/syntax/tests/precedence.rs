//! Precedence and associativity of every pair of operators.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::smv::parse_expr;
use specwright_syntax::smv::print::{print_expr, print_expr_explicit};
use specwright_syntax::span::SourceMap;

/// The infix operators of NuSMV, from loose to tight; one line for each level.
const NUSMV: [&[&str]; 12] = [
    &["->"],
    &["<->"],
    &["|", "xor", "xnor"],
    &["&"],
    &["U", "V", "S", "T"],
    &["=", "!=", "<", ">", "<=", ">="],
    &["in"],
    &["union"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "mod"],
    &["::"],
];

/// The infix operators of CMU SMV: `mod` is looser than sums, and `in` is tighter than `union`.
const CMU: [&[&str]; 10] = [
    &["->"],
    &["<->"],
    &["|", "xor", "xnor"],
    &["&"],
    &["=", "!=", "<", ">", "<=", ">="],
    &["union"],
    &["in", "notin"],
    &["mod"],
    &["+", "-"],
    &["*", "/"],
];

const TEMPORAL: [&str; 17] = [
    "EX", "AX", "EF", "AF", "EG", "AG", "X", "F", "G", "Y", "Z", "H", "O", "EBF 0..3", "ABG 1..2", "F [0, 3]",
    "H [1, 2]",
];

/// An expression printed with all parentheses and with the necessary ones.
fn read(text: &str, dialect: Dialect) -> (String, String) {
    let mut sources = SourceMap::default();
    sources.add("expression", text).unwrap();
    let (exprs, root, diagnostics) = parse_expr(&sources.files()[0], dialect);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    (print_expr_explicit(&exprs, root.unwrap()), print_expr(&exprs, root.unwrap()))
}

fn check(text: &str, expected: &str) {
    let (explicit, shortest) = read(text, Dialect::NuSmv);
    assert_eq!(explicit, expected, "the tree of {text}");
    assert_eq!(shortest, text, "no parentheses are needed");
    let (again, shortest) = read(expected, Dialect::NuSmv);
    assert_eq!((again.as_str(), shortest.as_str()), (expected, text), "{expected} is the same");
}

fn levels<'a>(table: &[&[&'a str]]) -> Vec<(usize, &'a str)> {
    let ranked = table.iter().enumerate();
    ranked.flat_map(|(level, ops)| ops.iter().map(move |op| (level, *op))).collect()
}

#[test]
fn all_pairs_of_binary_operators() {
    for (first, a) in levels(&NUSMV) {
        for (second, b) in levels(&NUSMV) {
            let left = first > second || (first == second && a != "->");
            let expected = if left { format!("(x {a} y) {b} z") } else { format!("x {a} (y {b} z)") };
            check(&format!("x {a} y {b} z"), &expected);
        }
    }
}

#[test]
fn all_pairs_of_binary_operators_of_the_1990s() {
    for (first, a) in levels(&CMU) {
        for (second, b) in levels(&CMU) {
            let left = first > second || (first == second && a != "->");
            let expected = if left { format!("(x {a} y) {b} z") } else { format!("x {a} (y {b} z)") };
            // A `notin` is the negation of an `in`.
            let expected = read(&expected, Dialect::Cmu).0;
            assert_eq!(read(&format!("x {a} y {b} z"), Dialect::Cmu).0, expected);
        }
    }
}

#[test]
fn signs_before_binary_operators() {
    for (_, op) in levels(&NUSMV) {
        check(&format!("!x {op} y"), &format!("(!x) {op} y"));
        check(&format!("-x {op} y"), &format!("(-x) {op} y"));
        check(&format!("x {op} !y"), &format!("x {op} (!y)"));
        check(&format!("x {op} -y"), &format!("x {op} (-y)"));
    }
}

#[test]
fn temporal_operators_before_binary_operators() {
    let until = NUSMV.iter().position(|ops| ops.contains(&"U")).unwrap();
    for temporal in TEMPORAL {
        for (level, op) in levels(&NUSMV) {
            if level <= until {
                check(&format!("{temporal} x {op} y"), &format!("({temporal} x) {op} y"));
                check(&format!("x {op} {temporal} y"), &format!("x {op} ({temporal} y)"));
                check(&format!("!{temporal} x {op} y"), &format!("(!({temporal} x)) {op} y"));
            } else {
                check(&format!("{temporal} x {op} y"), &format!("{temporal} (x {op} y)"));
                check(&format!("!{temporal} x {op} y"), &format!("!({temporal} (x {op} y))"));
            }
        }
        for inner in TEMPORAL {
            let ctl = |op: &str| op.starts_with(['A', 'E']);
            if ctl(temporal) && !ctl(inner) {
                let (explicit, shortest) = read(&format!("{temporal} {inner} x"), Dialect::NuSmv);
                assert_eq!(explicit, shortest, "NuSMV has no operators of LTL right after one of CTL");
                continue;
            }
            check(&format!("{temporal} {inner} x"), &format!("{temporal} ({inner} x)"));
            check(&format!("{temporal} !{inner} x"), &format!("{temporal} (!({inner} x))"));
        }
    }
}

#[test]
fn conditions() {
    for (level, op) in levels(&NUSMV) {
        if level < 2 {
            check(&format!("x {op} a ? b : c"), &format!("x {op} (a ? b : c)"));
            check(&format!("a ? b : c {op} x"), &format!("(a ? b : c) {op} x"));
        } else {
            check(&format!("a {op} b ? c : d"), &format!("(a {op} b) ? c : d"));
            check(&format!("a ? c : d {op} b"), &format!("a ? c : (d {op} b)"));
        }
        check(&format!("a ? x {op} y : b"), &format!("a ? (x {op} y) : b"));
    }
    check("a ? b : c ? d : e", "a ? b : (c ? d : e)");
    check("a ? b ? c : d : e", "a ? (b ? c : d) : e");
    check("(a ? b : c) ? d : e", "(a ? b : c) ? d : e");
}

#[test]
fn postfix_and_prefix() {
    check("!a[0]", "!a[0]");
    check("-a[3:0]", "-a[3:0]");
    check("!a.b.c[i].d", "!a.b.c[i].d");
    check("(!a)[0]", "(!a)[0]");
    check("!!-a", "!(!(-a))");
    check("-(-a)", "-(-a)");
    check("a - -b", "a - (-b)");
    assert_eq!(read("- 3 + +4", Dialect::NuSmv).1, "-3 + 4");
}

#[test]
fn sets_and_ranges() {
    check("x in 1..3", "x in (1..3)");
    check("1..3 union {a, b} in c", "((1..3) union ({a, b})) in c");
    check("-1..3", "(-1)..3");
    check("a + 1..b << 2", "(a + 1)..(b << 2)");
    check("{a & b, 1..3}", "{a & b, 1..3}");
    check("({1, 2}) + 1", "({1, 2}) + 1");
}

#[test]
fn untils_of_ctl() {
    check("A [a -> b U c | d]", "A [a -> b U c | d]");
    check("!E [a U b] & c", "(!(E [a U b])) & c");
    check("A [a BU 1..3 b]", "A [a BU 1..3 b]");
    check("E [(a U b) U c]", "E [(a U b) U c]");
    check("A [a & (b V c) U (d ? e : f)]", "A [a & (b V c) U (d ? e : f)]");
    check("EX A [a U EX b & c]", "EX (A [a U (EX b) & c])");
}

#[test]
fn the_1990s() {
    let check = |text, expected| assert_eq!(read(text, Dialect::Cmu).1, expected, "{text}");
    check("!x = a", "!(x = a)");
    check("!x & y", "!x & y");
    check("!x = a & y", "!(x = a) & y");
    check("!AG x = a", "!AG x = a");
    check("AG !x = a -> y", "AG !(x = a) -> y");
    check("!x U y", "!x U y");
    check("n + 1 mod 2", "(n + 1) mod 2");
    check("n * 2 mod 3 = 1", "n * 2 mod 3 = 1");
    check("a - b mod c - d", "(a - b) mod (c - d)");
    check("x notin {1, 2}", "!(x in {1, 2})");
    check("x notin {1} & y", "!(x in {1}) & y");
    check("x = AG y", "x = (AG y)");
    check("case esac", "TRUE");
    check("a in b union c", "(a in b) union c");
}
