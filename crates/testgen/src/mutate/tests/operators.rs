//! Tests of each operator on small formulas.

use super::*;
use std::fmt::Write;

const DECLARATIONS: &str = "\
MODULE main
IVAR i : boolean;
VAR a : boolean; b : boolean; x : {on, off, idle}; y : {idle, off, on}; z : {on, 1, 2}; n : 0..7; m : 0..7; k : 1..9;
    w : unsigned word[4]; v : array 0..2 of boolean;
DEFINE Low := 2; High := Low + 3; busy := x = on;
";

/// The printed mutants of a piece of a model by one operator.
fn mutate(name: &str, piece: &str) -> Vec<String> {
    let (model, _) = load(&format!("{DECLARATIONS}{piece}\n"));
    let targets = if model.properties.is_empty() { Targets::Machine } else { Targets::Properties };
    let mut mutants = Mutants::new(&model, Options { targets, ..operators(&[name]) });
    let mut texts = Vec::new();
    while let Some(mutant) = mutants.next() {
        if mutant.site.name(mutants.model()).is_none_or(|name| !["Low", "High", "busy"].contains(&&*name)) {
            texts.push(mutant.text(mutants.model()));
        }
    }
    texts
}

fn check(name: &str, piece: &str, expected: &[&str]) {
    assert_eq!(mutate(name, piece), expected, "{name} of {piece}");
}

#[test]
fn oro_replaces_constants_by_those_of_the_domain() {
    check("ORO", "INVARSPEC x = on", &["y = on", "x = off", "x = idle"]);
    check("ORO", "INVARSPEC on = x", &["off = x", "idle = x", "on = y"]);
    check(
        "CRO",
        "INVARSPEC x in {on, off}",
        &["x in {off, off}", "x in {idle, off}", "x in {on, on}", "x in {on, idle}"],
    );
    check("CRO", "INVARSPEC z = on", &["z = 1", "z = 2"]);
    check("CRO", "INVARSPEC z = 1", &["z = on"]);
    check("CRO", "ASSIGN next(x) := {on, off};", &["{off, off}", "{idle, off}", "{on, on}", "{on, idle}"]);
    check("CRO", "ASSIGN init(a) := TRUE;", &["FALSE"]);
    // `on` belongs to two enumerations, so its alternatives are ambiguous.
    check("CRO", "DEFINE d := a ? on : off;", &["a ? on : on", "a ? on : idle"]);
    check(
        "CRO",
        "INVARSPEC case a : on; TRUE : idle; esac = x",
        &[
            "case a : off; TRUE : idle; esac = x",
            "case a : idle; TRUE : idle; esac = x",
            "case a : on; TRUE : on; esac = x",
            "case a : on; TRUE : off; esac = x",
        ],
    );
}

#[test]
fn oro_never_replaces_numbers_by_numbers_nor_makes_reflexive_comparisons() {
    check("ORO", "INVARSPEC n = 3", &["m = 3"]);
    check("ORO", "INVARSPEC x = y", &[]);
    check("ORO", "INVARSPEC n + 1 = m + 1", &[]);
    check("ORO", "TRANS next(n) = n", &["next(m) = n", "next(n) = m"]);
    check("ORO", "INVARSPEC k = 3", &[]);
    check("ORO", "INVARSPEC n > Low", &["m > Low", "n > High"]);
}

#[test]
fn oro_replaces_boolean_variables_under_negations_and_in_next() {
    check("ORO", "SPEC AG !a", &["AG !b", "AG !v[0]", "AG !v[1]", "AG !v[2]"]);
    check("VRO", "LTLSPEC G a", &["G i", "G b", "G v[0]", "G v[1]", "G v[2]"]);
    check(
        "VRO",
        "TRANS next(b) = i",
        &[
            "next(a) = i",
            "next(v[0]) = i",
            "next(v[1]) = i",
            "next(v[2]) = i",
            "next(b) = a",
            "next(b) = b",
            "next(b) = v[0]",
            "next(b) = v[1]",
            "next(b) = v[2]",
        ],
    );
}

#[test]
fn oro_makes_no_circular_assignments() {
    check("VRO", "ASSIGN x := y;", &[]);
    check("VRO", "ASSIGN next(n) := next(m);", &[]);
    check("VRO", "ASSIGN next(n) := m;", &["n"]);
    check("VRO", "ASSIGN init(x) := y; init(y) := on;", &[]);
    check("VRO", "DEFINE d := y; ASSIGN x := d;", &[]);
}

#[test]
fn sno_and_eno_negate() {
    check("SNO", "SPEC AG (!a -> AF x = on)", &["AG (a -> AF x = on)", "AG (!a -> AF !(x = on))"]);
    check("ENO", "SPEC AG (!(a & b))", &["AG (a & b)", "AG !(!a & b)", "AG !(a & !b)"]);
    check("ENO", "SPEC AG (a -> AX b)", &["AG !(a -> AX b)", "AG (!a -> AX b)", "AG (a -> AX !b)"]);
    check("SNO", "TRANS next(a) -> !next(b)", &["!next(a) -> !next(b)", "next(a) -> next(b)"]);
    check("SNO", "INVARSPEC busy & n = m", &["!busy & n = m", "busy & !(n = m)"]);
    // The sides of an equation belong to it, but their parts are mutated.
    check("SNO", "INVARSPEC a = b", &["!(a = b)"]);
    check("SNO", "INVARSPEC a = (b & x = on)", &["!(a = (b & x = on))", "a = (!b & x = on)", "a = (b & !(x = on))"]);
    check(
        "SNO",
        "ASSIGN next(a) := case b : TRUE; TRUE : !a; esac;",
        &["case !b : TRUE; TRUE : !a; esac", "case b : TRUE; TRUE : a; esac"],
    );
    check("SNO", "INVARSPEC v[n mod 3]", &["!v[n mod 3]"]);
}

#[test]
fn lro_replaces_logical_operators() {
    check("LRO", "SPEC AG (a -> AF b)", &["AG (a & AF b)", "AG (a | AF b)"]);
    check("LRO", "INVARSPEC a & b -> busy", &["a & b & busy", "a & b | busy", "a | b -> busy", "(a -> b) -> busy"]);
    check("LRO", "INVARSPEC a <-> b", &[]);
    check("LRO-iff", "INVARSPEC a <-> b", &["a & b", "a | b", "a -> b"]);
    check("LRO-iff", "INVARSPEC a & b", &["a | b", "a -> b", "a <-> b"]);
    check("LRO", "INVARSPEC (w & w) = w", &[]);
}

#[test]
fn rro_replaces_relations_between_numbers() {
    check("RRO", "INVARSPEC n < 5", &["n <= 5", "n = 5", "n != 5", "n > 5"]);
    check("RRO-5", "INVARSPEC n < 5", &["n <= 5", "n = 5", "n != 5", "n >= 5", "n > 5"]);
    check("RRO", "INVARSPEC n = Low", &["n < Low", "n <= Low", "n >= Low", "n > Low"]);
    check("RRO", "INVARSPEC x = on & z = 1", &[]);
    check("RRO", "INVARSPEC w > 0ud4_3", &["w < 0ud4_3", "w = 0ud4_3", "w != 0ud4_3", "w >= 0ud4_3"]);
}

/// Each relation becomes every other one except its opposite; with `RRO-5` also its opposite.
#[test]
fn rro_leaves_out_only_the_opposite_of_each_relation() {
    let relations = ["<", "<=", "=", "!=", ">=", ">"];
    for (relation, opposite) in relations.into_iter().zip([">=", ">", "!=", "=", "<", "<="]) {
        let others = |left_out: &[&str]| -> Vec<String> {
            let others = relations.into_iter().filter(|other| !left_out.contains(other));
            others.map(|other| format!("n {other} 5")).collect()
        };
        let piece = format!("INVARSPEC n {relation} 5");
        assert_eq!(mutate("RRO", &piece), others(&[relation, opposite]), "{relation}");
        assert_eq!(mutate("RRO-5", &piece), others(&[relation]), "{relation}");
    }
}

/// Each operator becomes every other one of its family, for every size of the family.
#[test]
fn lro_replaces_each_operator_by_each_other_of_its_family() {
    let families: [(&str, &[&str]); 2] = [("LRO", &["&", "|", "->"]), ("LRO-iff", &["&", "|", "->", "<->"])];
    for (name, family) in families {
        for operator in ["&", "|", "->", "<->", "xor", "xnor"] {
            let reaches = family.contains(&operator) || name == "LRO-iff";
            let others = family.iter().filter(|other| reaches && **other != operator);
            let expected: Vec<String> = others.map(|other| format!("a {other} b")).collect();
            assert_eq!(mutate(name, &format!("INVARSPEC a {operator} b")), expected, "{name} of {operator}");
        }
    }
}

#[test]
fn mco_drops_simple_conditions() {
    check("MCO", "SPEC AG (a -> AF x = on)", &["AG AF x = on"]);
    check("MCO", "INVARSPEC a & b & busy", &["a & b", "b & busy", "a & busy"]);
    check("MCO", "INVARSPEC a & (b -> x = on)", &["b -> x = on", "a & x = on", "a & b"]);
    check("MCO", "SPEC AX a", &[]);
    check("MCO", "INVARSPEC a <-> b", &[]);
}

#[test]
fn sto_makes_constants_of_conditions() {
    check("STO", "INVARSPEC !a | x = on", &["FALSE | x = on", "TRUE | x = on", "!a | FALSE", "!a | TRUE"]);
    check("STO", "INVARSPEC TRUE", &[]);
}

#[test]
fn aso_shifts_implications() {
    check("ASO", "SPEC AG (a & b -> busy)", &["AG (a & (b -> busy))"]);
    check("ASO", "INVARSPEC a -> b & busy & x = on", &["(a -> b) & busy & x = on"]);
    check("ASO", "INVARSPEC a -> b & busy | x = on", &["(a -> b & busy) | x = on"]);
    check("ASO", "INVARSPEC a | b | busy -> b & a", &["a | b | (busy -> b & a)", "(a | b | busy -> b) & a"]);
    check("ASO", "INVARSPEC a -> b -> busy", &[]);
}

#[test]
fn sro_makes_all_simple_expressions() {
    let texts = mutate("SRO", "INVARSPEC !(n < 5)");
    // 6 booleans; x, y: 3 constants each and each other; z: 3; n, m, k: 2 symbolic integers and one number, n with m.
    assert_eq!(texts.len(), 6 + 7 + 3 + 6 * (3 * 3 + 1) - 1);
    assert!(texts.contains(&"k >= High".into()) && !texts.contains(&"n < 5".into()));
    assert!(!mutate("SRO", "SPEC AG a").contains(&"AG i".into()));
}

#[test]
fn temporal_operators_are_replaced_within_their_family() {
    check("TRO", "SPEC AG a", &["AX a", "AF a", "EX a", "EF a", "EG a"]);
    check("TRO", "SPEC A [a U b]", &["E [a U b]"]);
    check(
        "TRO",
        "LTLSPEC G (a U O b)",
        &["X (a U O b)", "F (a U O b)", "G (a V O b)", "G (a U Y b)", "G (a U Z b)", "G (a U H b)"],
    );
    check("TRO", "SPEC EBF 1..3 a", &["ABF 1..3 a", "ABG 1..3 a", "EBG 1..3 a"]);
    check("TRO", "SPEC A [a BU 1..3 b]", &["E [a BU 1..3 b]"]);
}

#[test]
fn numbers_are_off_by_one() {
    check("OBO", "INVARSPEC n < 5", &["n < 4", "n < 6"]);
    check("OBO", "INVARSPEC n < 7", &["n < 6"]);
    check("OBO", "SPEC EBF 0..1 a", &["EBF 1..1 a", "EBF 0..0 a", "EBF 0..2 a"]);
    check("OBO", "ASSIGN next(n) := 0..6;", &["1..6", "0..5", "0..7"]);
    check("OBO", "INVARSPEC w = 0ud4_15", &["w = 0ud4_14"]);
    check("OBO", "INVARSPEC w = 0ud4_0", &["w = 0ud4_1"]);
    check("OBO", "INVARSPEC signed(w) = 0sd4_7", &["signed(w) = 0sd4_6"]);
    check("OBO", "INVARSPEC signed(w) = 0sd4_8", &["signed(w) = 0sh4_9"]);
}

#[test]
fn next_and_current_values_are_confused() {
    check("NCO", "TRANS next(n) = m", &["n = m", "next(n) = next(m)"]);
    check("NCO", "TRANS i -> a", &["i -> next(a)"]);
    check("NCO", "ASSIGN next(a) := b & i;", &["next(b) & i"]);
    check("NCO", "ASSIGN next(a) := a;", &[]);
    check("NCO", "SPEC AG (a -> AX b)", &["AG (a -> b)"]);
    check("NCO", "INVARSPEC a", &[]);
}

#[test]
fn branches_are_dropped_and_swapped() {
    check(
        "CBO",
        "ASSIGN next(x) := case a : on; b : off; TRUE : idle; esac;",
        &[
            "case b : off; TRUE : idle; esac",
            "case b : off; a : on; TRUE : idle; esac",
            "case a : off; b : on; TRUE : idle; esac",
            "case a : on; TRUE : idle; esac",
            "case a : on; TRUE : idle; b : off; esac",
            "case a : on; b : idle; TRUE : off; esac",
        ],
    );
    check("CBO", "ASSIGN next(x) := a ? on : off;", &["on", "off"]);
    // What catches the rest stays, even where nothing is left for it.
    check(
        "CBO",
        "ASSIGN next(x) := case a : on; TRUE : off; TRUE : idle; esac;",
        &[
            "case TRUE : off; TRUE : idle; esac",
            "case TRUE : off; a : on; TRUE : idle; esac",
            "case a : off; TRUE : on; TRUE : idle; esac",
            "case a : on; TRUE : idle; esac",
            "case a : on; TRUE : idle; TRUE : off; esac",
        ],
    );
    // A case that would be left without a value somewhere is none.
    check(
        "CBO",
        "ASSIGN next(x) := case a : on; !a : off; esac;",
        &["case !a : off; a : on; esac", "case a : off; !a : on; esac"],
    );
}

#[test]
fn arithmetic_operators_are_replaced() {
    check("ARO", "INVARSPEC n + m < 9", &["n - m < 9", "n * m < 9"]);
    check("ARO", "INVARSPEC n mod 2 = 1", &["n / 2 = 1", "n * 2 = 1"]);
    check("ARO", "INVARSPEC -n < m", &["n < m"]);
    check("ARO", "INVARSPEC (w & w) = w", &["(w | w) = w", "(w xor w) = w", "(w xnor w) = w"]);
}

#[test]
fn initial_values_are_wrong() {
    check("IVO", "ASSIGN init(x) := on;", &["off", "idle"]);
    check("IVO", "ASSIGN init(k) := 3; next(k) := 4;", &["1", "2", "4", "5", "6", "7", "8", "9"]);
    check("IVO", "INIT x = on", &["x = off", "x = idle"]);
    check(
        "IVO",
        "ASSIGN init(w) := 0ud4_0;",
        &(1..16).map(|bits| format!("0ud4_{bits}")).collect::<Vec<_>>().iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn gates_are_stuck() {
    check("GSO", "DEFINE d := a & !b;", &["FALSE", "TRUE"]);
    check("GSO", "INVARSPEC a & (b | busy)", &["FALSE", "TRUE", "a & FALSE", "a & TRUE"]);
    check("GSO", "INVARSPEC !a", &[]);
}

#[test]
fn mutants_with_undefined_values_are_left_out() {
    let piece = "ASSIGN next(n) := case n < 7 : n + 1; TRUE : 0; esac;";
    check("RRO", piece, &["case n != 7 : n + 1; TRUE : 0; esac", "case n > 7 : n + 1; TRUE : 0; esac"]);
    check("STO", piece, &["case FALSE : n + 1; TRUE : 0; esac"]);
    check("ARO", piece, &["case n < 7 : n * 1; TRUE : 0; esac"]);
    check("STO", "DEFINE d := n < 7; ASSIGN next(n) := d ? n + 1 : 0;", &["FALSE", "FALSE ? n + 1 : 0"]);
    check("OBO", "INVARSPEC n / 1 = 2", &["n / 2 = 2", "n / 1 = 1", "n / 1 = 3"]);
}

#[test]
fn every_operator_has_a_unique_name_and_can_be_selected() {
    let mut names = String::new();
    for (index, info) in OPERATORS.iter().enumerate() {
        assert_eq!(info.operator as usize, index);
        assert_eq!(Selection::named(info.name).unwrap().operators().collect::<Vec<_>>(), [info.operator]);
        write!(names, "{}{} ", info.name, if info.default { "" } else { "?" }).unwrap();
    }
    assert_eq!(names, "ORO SNO ENO LRO RRO MCO STO ASO SRO? TRO? OBO? NCO? CBO? ARO? IVO? GSO? ");
    for (name, _, parts) in NAMES {
        assert!(parts.iter().all(|part| Selection::named(&name.to_lowercase()).unwrap().has(*part)));
    }
    assert_eq!(Selection::named("XYZ"), Err(UnknownOperator("XYZ".into())));
}
