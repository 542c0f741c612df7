//! Semantics of tables, compared with an equivalent SMV text, with their translation to SMV, and with a direct
//! interpretation of random matrices.

mod direct;

use super::{Options, Overlap, lower};
use crate::interp::{Graph, Limits, check_step};
use crate::testing::{answers, model, scr};
use crate::unparse::print_model;
use crate::{Model, State, Value};
use specwright_syntax::scr::{codes, parse};
use specwright_syntax::span::SourceMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const SAFETY_INJECTION: &str = include_str!("../../../../../examples/safety-injection/safety_injection.scr");
const CRUISE_CONTROL: &str = include_str!("../../../../../examples/cruise-control/cruise_control.scr");
const LITERAL: &str = include_str!("../../../../../examples/cruise-control/literal.scr");

/// The entries of a matrix.
const SIGNS: [&str; 5] = ["@T", "@F", "t", "f", "-"];

/// For every reachable state, projected to these variables, its successors.
fn behaviour(model: &Model, names: &[&str]) -> (BTreeSet<String>, BTreeMap<String, BTreeSet<String>>) {
    let graph = Graph::explore(model, Limits::default()).unwrap_or_else(|error| panic!("{}", error.describe(model)));
    let seen = |state: &State| {
        let value = |name: &&str| model.show(state.get(model.var_named(name).unwrap()).unwrap());
        names.iter().map(value).collect::<Vec<_>>().join(" ")
    };
    let mut steps: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, edges) in graph.edges.iter().enumerate() {
        let targets = steps.entry(seen(&graph.states[from])).or_default();
        targets.extend(edges.iter().map(|edge| seen(&graph.states[edge.to])));
    }
    ((0..graph.n_initial).map(|state| seen(&graph.states[state])).collect(), steps)
}

#[test]
fn safety_injection_behaves_as_its_smv_text() {
    let tables = scr(SAFETY_INJECTION, false);
    let text = model(include_str!("../../../../../examples/safety-injection/safety_injection.smv"));
    // In both, these variables determine the others, so equal behaviour of these is a bisimulation.
    let names = ["Reset", "Block", "WaterPres", "Pressure", "Overridden"];
    let (initial, steps) = behaviour(&tables, &names);
    assert_eq!(steps.len(), 1004);
    assert_eq!((initial, steps), behaviour(&text, &names));
}

#[test]
fn an_event_table_latches_new_values_and_knows_its_modes() {
    let tables = scr(
        "monitored\n  n : 0..2 initially 0\n  b : boolean initially FALSE\nmodes\n  M : {On, Off} initially On\n\
         controlled\n  d : 0..2 initially 0\nmode table M\n  On | @T(b) | Off\n  Off | @F(b) | On\n\
         event table d by M\n  On | @C(n) WHEN Inmode\n  Off | NEVER\n  d' = | n'\n",
        false,
    );
    let text = model(
        "MODULE main VAR n : 0..2; b : boolean; M : {On, Off}; d : 0..2; ASSIGN init(n) := 0; init(b) := FALSE; \
         init(M) := On; init(d) := 0; \
         next(M) := case M = On & !b & next(b) : Off; M = Off & b & !next(b) : On; TRUE : M; esac; \
         next(d) := case M = On & next(n) != n : next(n); TRUE : d; esac; \
         TRANS (next(n) = n) xor (next(b) = b)",
    );
    let names = ["n", "b", "M", "d"];
    assert_eq!(behaviour(&tables, &names), behaviour(&text, &names));
}

#[test]
fn a_translation_has_the_same_verdicts() {
    for text in [SAFETY_INJECTION, CRUISE_CONTROL, LITERAL] {
        let tables = scr(text, false);
        assert_eq!(answers(&tables), answers(&model(&print_model(&tables))));
    }
}

#[test]
fn names_that_are_invalid_in_smv_are_translated() {
    let tables = scr(
        "monitored\n  esac : boolean\n  F : {F, X, other}\nmodes\n  case : {01Start, F} initially 01Start\n\
         mode table case\n  01Start | @T(esac = TRUE) WHEN F = X | F\n  F | @C(F) | 01Start\n\
         properties\n  case = F => esac\n",
        false,
    );
    let smv = print_model(&tables);
    assert_eq!(answers(&tables)[0], answers(&model(&smv))[0], "{smv}");
}

#[test]
fn steps_agree_with_the_entries_of_a_matrix() {
    let mut random = 7u64;
    let mut below = |n: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as usize % n
    };
    for _ in 0..60 {
        let rows: Vec<(usize, [usize; 3], usize)> = (0..6)
            .map(|_| {
                let mut signs = [0; 3].map(|_: i32| below(5));
                // At least one entry is an event.
                signs[below(3)] = below(2);
                (below(3), signs, below(3))
            })
            .collect();
        let (mut text, mut csv) = (String::from("monitored\n  a, b, c : boolean\nmodes\n"), String::new());
        text.push_str("  M : {A, B, C} initially A\nmode matrix M\n  from | a | b | c | to\n");
        // The first rows of the file name all modes.
        csv.push_str("from,a,b,c,to\nA,T,f,f,A\nB,T,f,f,B\nC,T,f,f,C\n");
        for (from, signs, to) in &rows {
            let [from, to] = [from, to].map(|mode| ["A", "B", "C"][*mode]);
            let [a, b, c] = signs.map(|sign| SIGNS[sign]);
            let _ = writeln!(text, "  {from} | {a} | {b} | {c} | {to}");
            let _ = writeln!(csv, "{from},{},{},{},{to}", a.replace('@', ""), b.replace('-', ""), c);
        }
        // The rows that name the modes must come last.
        let csv_rows: Vec<&str> = csv.lines().collect();
        let csv = [&csv_rows[..1], &csv_rows[4..], &csv_rows[1..4]].concat().join("\n");
        for (model, literal) in [(scr(&text, false), true), (scr(&csv, true), false)] {
            compare(&model, &rows, &text, literal, true);
        }
        // Where inputs change together, a condition that is to hold may cease while the event happens.
        let text = text.replace("mode matrix", "inputs any\nmode matrix");
        compare(&scr(&text, false), &rows, &text, true, false);
    }
}

/// Compares all steps of a random matrix; rows of a CSV file that stay in their mode have no effect. One input changes in
/// each step, or any number.
fn compare(model: &Model, rows: &[(usize, [usize; 3], usize)], text: &str, literal: bool, one: bool) {
    let vars: Vec<_> = ["a", "b", "c"].map(|name| model.var_named(name).unwrap()).to_vec();
    let class = model.vars().find(|(_, var)| var.name == "M" || var.name == "test").unwrap().0;
    let mode = |index: usize| Value::Symbol(model.context.symbols.get(["A", "B", "C"][index]).unwrap());
    let state = |bits: usize, at: usize| {
        let mut state = State::empty(model.vars.len());
        for (index, var) in vars.iter().enumerate() {
            state.set(*var, Value::Bool(bits >> index & 1 == 1));
        }
        state.set(class, mode(at));
        state
    };
    for from in (0..3).filter(|mode| literal || rows.iter().any(|row| row.0 == *mode)) {
        for before in 0..8usize {
            for after in 0..8usize {
                let fires = |row: &&(usize, [usize; 3], usize)| {
                    row.0 == from
                        && row.1.iter().enumerate().all(|(index, sign)| {
                            let (old, new) = (before >> index & 1 == 1, after >> index & 1 == 1);
                            match sign {
                                0 => !old && new,
                                1 => old && !new,
                                2 => old && new,
                                3 => !old && !new,
                                _ => true,
                            }
                        })
                };
                let wanted = rows.iter().find(fires).map_or(from, |row| row.2);
                for to in 0..3 {
                    let allowed = (!one || (before ^ after).is_power_of_two()) && to == wanted;
                    let step = check_step(model, &state(before, from), &state(after, to));
                    assert_eq!(step.is_ok(), allowed, "{text}\n{before:03b} {from} -> {after:03b} {to}");
                }
            }
        }
    }
}

#[test]
fn a_duration_counts_the_units_during_which_a_condition_holds() {
    let tables = scr(
        "clock Second\nmonitored\n  b : boolean initially FALSE\nmodes\n  M : {Idle, Armed} initially Idle\n\
         mode table M\n  Idle | @T(DUR(b) > 1) | Armed\n  Armed | @F(b) WHEN 1 < DUR(b) | Idle\n",
        false,
    );
    let text = model(
        "MODULE main VAR Second : boolean; b : boolean; M : {Idle, Armed}; d : 0..2; ASSIGN init(Second) := FALSE; \
         init(b) := FALSE; init(M) := Idle; init(d) := 0; \
         next(d) := case !(b & next(b)) : 0; next(Second) & d < 2 : d + 1; TRUE : d; esac; \
         next(M) := case M = Idle & !(d > 1) & next(d) > 1 : Armed; M = Armed & b & !next(b) & d > 1 : Idle; \
         TRUE : M; esac; TRANS (next(b) != b) xor next(Second)",
    );
    let names = ["Second", "b", "M"];
    assert_eq!(behaviour(&tables, &names), behaviour(&text, &names));
}

#[test]
fn the_time_in_a_mode_can_end_the_mode() {
    let tables = scr(
        "clock Second\nmonitored\n  b : boolean initially FALSE\nmodes\n  M : {Idle, Armed} initially Idle\n\
         mode table M\n  Idle | @T(b) | Armed\n  Armed | @T(DUR(M = Armed) > 1) | Idle\n",
        false,
    );
    let text = model(
        "MODULE main VAR Second : boolean; b : boolean; M : {Idle, Armed}; d : 0..2; ASSIGN init(Second) := FALSE; \
         init(b) := FALSE; init(M) := Idle; init(d) := 0; \
         next(d) := case M = Armed & next(Second) & d < 2 : d + 1; M = Armed : d; TRUE : 0; esac; \
         next(M) := case M = Idle & !b & next(b) : Armed; M = Armed & !(d > 1) & next(d) > 1 : Idle; TRUE : M; esac; \
         TRANS (next(b) != b) xor next(Second)",
    );
    let names = ["Second", "b", "M"];
    assert_eq!(behaviour(&tables, &names), behaviour(&text, &names));
}

#[test]
fn assumptions_bound_durations() {
    let tables = scr(
        "clock Second\nmonitored\n  b : boolean initially FALSE\nmodes\n  M : {Idle, Armed} initially Idle\n\
         mode table M\n  Idle | @T(DUR(b) > 1) | Armed\n  Armed | @F(b) | Idle\nassume\n  DUR(b) < 2\n",
        false,
    );
    let (_, steps) = behaviour(&tables, &["M"]);
    assert_eq!(steps.keys().collect::<Vec<_>>(), ["Idle"], "b never holds for long enough");
}

#[test]
fn overlapping_rows_are_a_choice_if_that_is_wanted() {
    let text = "monitored\n  a, b : boolean initially FALSE\nmodes\n  M : {P, Q, R} initially P\ncontrolled\n\
                \x20 d : 0..3 initially 0\ninputs any\nmode table M\n  P | @T(a) | Q\n  P | @T(b) | R\n  Q, R | @F(a) | P\n\
                event table d\n  - | @C(a) | @C(b) | @T(a)\n  d' = | 1 | 2 | 3\n";
    let mut sources = SourceMap::default();
    let file = sources.add("test", text).unwrap();
    let (tree, _) = parse(&sources.files()[file]);
    let options = Options { overlap: Overlap::Choose, ..Options::default() };
    let tables = lower(&tree, &options).0.unwrap();
    let smv = "MODULE main VAR a : boolean; b : boolean; M : {P, Q, R}; d : 0..3; ASSIGN init(a) := FALSE; \
               init(b) := FALSE; init(M) := P; init(d) := 0; \
               TRANS (M = P & !a & next(a) & next(M) = Q) | (M = P & !b & next(b) & next(M) = R) \
               | (M != P & a & !next(a) & next(M) = P) \
               | (!(M = P & !a & next(a)) & !(M = P & !b & next(b)) & !(M != P & a & !next(a)) & next(M) = M); \
               TRANS (a != next(a) & next(d) = 1) | (b != next(b) & next(d) = 2) | (!a & next(a) & next(d) = 3) \
               | (a = next(a) & b = next(b) & next(d) = d)";
    let names = ["a", "b", "M", "d"];
    assert_eq!(behaviour(&tables, &names), behaviour(&model(smv), &names));
}

#[test]
fn properties_compare_values_before_and_after_a_step() {
    let claims = ["n' > n", "n' >= n", "@T(n > 1) => n' > n", "@C(n) => b' = b", "n' - n <= k' + 2", "@C(n + 1)"];
    let claims: Vec<String> = claims.iter().enumerate().map(|(at, claim)| format!("  p{at} : {claim}\n")).collect();
    let tables = scr(
        &format!(
            "monitored\n  n : 0..3 initially 0\n  k : 0..4 initially 0\n  b : boolean initially FALSE\nproperties\n{}",
            claims.concat()
        ),
        false,
    );
    let text = model(
        "MODULE main VAR n : 0..3; k : 0..4; b : boolean; ASSIGN init(n) := 0; init(k) := 0; init(b) := FALSE; \
         TRANS count(next(n) != n, next(k) != k, next(b) != b) = 1; \
         LTLSPEC G ((n = 0 & X n > 0) | (n = 1 & X n > 1) | (n = 2 & X n > 2)); \
         LTLSPEC G ((n = 0 & X n >= 0) | (n = 1 & X n >= 1) | (n = 2 & X n >= 2) | (n = 3 & X n >= 3)); \
         LTLSPEC TRUE; LTLSPEC TRUE; LTLSPEC FALSE; LTLSPEC FALSE",
    );
    assert_eq!(answers(&tables), answers(&text));
}

#[test]
fn properties_of_steps_remember_values_of_large_variables() {
    let tables = scr(
        "monitored\n  n : 0..400 initially 0\n  k : 0..400 initially 3\nproperties\n  p : n' - n <= k' + 2\n  q : @C(n) => k' = k\n",
        false,
    );
    let text = model(
        "MODULE main VAR n : 0..400; k : 0..400; old_n : 0..400; old_k : 0..400; ASSIGN init(n) := 0; init(k) := 3; \
         init(old_n) := n; init(old_k) := k; next(old_n) := n; next(old_k) := k; \
         TRANS count(next(n) != n, next(k) != k) = 1;",
    );
    let properties: Vec<String> =
        tables.properties.iter().map(|property| tables.show_sourced(&property.formula)).collect();
    assert_eq!(properties, ["G X n - n_before <= k + 2", "G (X n_before != n -> X k = k_before)"]);
    assert_eq!(tables.assigns.len(), text.assigns.len());
    let shown =
        |model: &Model| model.assigns.iter().map(|assign| model.show_sourced(&assign.value)).collect::<BTreeSet<_>>();
    assert_eq!(shown(&tables), shown(&text));
}

#[test]
fn real_numbers_are_multiples_of_half_of_the_smallest_fraction() {
    let tables = scr(
        "constants\n  Low = 0.5\n  Step = -0.25\nmonitored\n  x : 0.0..1.5 initially Low\n  n : 0..2 initially 0\n\
         inputs any\nassume\n  x' - x <= Low AND x - x' <= 0.5\ncontrolled\n  y : -3.0..4.5\n  z : 0.0..1.5 initially 1\n\
         condition table y\n  - | x > Low + Step OR n = x | NOT (x > 0.25 OR n = x)\n  y = | 2 * x - n / 2 + 0.5 | -x\n\
         event table z\n  - | @T(x * 2 >= 2.5) | @C(n)\n  z' = | x' | n / 2.0\n",
        false,
    );
    // All numbers are eighths; `n / 2` is a division of whole numbers.
    let text = model(
        "MODULE main VAR x : 0..12; n : 0..2; y : -24..36; z : 0..12; ASSIGN init(x) := 4; init(n) := 0; init(z) := 8; \
         TRANS next(x) - x <= 4 & x - next(x) <= 4; \
         ASSIGN y := case x > 2 | n * 8 = x : 2 * x - (n / 2) * 8 + 4; TRUE : -x; esac; \
         next(z) := case !(x * 2 >= 20) & next(x) * 2 >= 20 : next(x); n != next(n) : n * 4; TRUE : z; esac;",
    );
    let names = ["x", "n", "y", "z"];
    assert_eq!(behaviour(&tables, &names), behaviour(&text, &names));
}

#[test]
fn published_tables_are_read_as_they_are() {
    let published = scr(
        "clock Second\ntypes\n  Knob : {Off, On, Not_Set}\n  Feet : 0..2\nmonitored\n  /ACAIRB/ : Knob initially $Off$\n\
         \x20 /Radar Alt/ : Feet initially 0\nmodes\n  *Nav* : {*DIG*, *DI*, *IMS fail*} initially *DIG*\n\
         terms\n  !Low altitude! : boolean\ncontrolled\n  //Fly-to Light// : Knob initially $Off$\n\
         mode table *Nav*\n  *DIG* | @T(/ACAIRB/ = $On$) | *DI*\n  *DI* | @F(/ACAIRB/ = $On$) OR -- both\n       @T(!Low altitude!) \
         | *DIG*\n       | @T(DUR(/ACAIRB/ = $On$)\n         > 1) | *IMS fail*\n\
         condition table !Low altitude!\n  - | /Radar Alt/ < 1 | /Radar Alt/ = 1\n    | OR /Radar Alt/ > 1 |\n  \
         !Low altitude! = | TRUE | FALSE\n\
         event table //Fly-to Light// by *Nav*\n  *DIG*, | @C(/Radar Alt/) | X\n  *DI* | WHEN NOT !Low altitude! |\n  \
         *IMS fail* | X | @T(Inmode)\n  //Fly-to Light//' = | $On$ | $Not Set$\n",
        false,
    );
    let plain = scr(
        "clock Second\ntypes\n  Knob : {Off, On, Not_Set}\n  Feet : 0..2\nmonitored\n  ACAIRB : Knob initially Off\n\
         \x20 Radar_Alt : Feet initially 0\nmodes\n  Nav : {DIG, DI, IMS_fail} initially DIG\n\
         terms\n  Low_altitude : boolean\ncontrolled\n  Fly_to_Light : Knob initially Off\n\
         mode table Nav\n  DIG | @T(ACAIRB = On) | DI\n  DI | @F(ACAIRB = On) OR @T(Low_altitude) | DIG\n  \
         DI | @T(DUR(ACAIRB = On) > 1) | IMS_fail\n\
         condition table Low_altitude\n  - | Radar_Alt < 1 OR Radar_Alt > 1 | Radar_Alt = 1\n  Low_altitude = | TRUE | FALSE\n\
         event table Fly_to_Light by Nav\n  DIG, DI | @C(Radar_Alt) WHEN NOT Low_altitude | NEVER\n  \
         IMS_fail | NEVER | @T(Inmode)\n  Fly_to_Light' = | On | Not_Set\n",
        false,
    );
    assert_eq!(print_model(&published), print_model(&plain));
}

/// A row is complete if any of its conditions always holds.
#[test]
fn rows_with_gaps_are_told_from_complete_ones() {
    let gaps = |row: &str| {
        let text = format!(
            "monitored\n  a : boolean\nmodes\n  M : {{X}} initially X\ncontrolled\n  d : {{p, q, r}}\n\
             mode table M\n  X | @T(a) | X\ncondition table d by M\n  X | {row}\n  d = | p | q | r\n"
        );
        let expectations = scr(&text, false).source.expectations;
        expectations.iter().filter(|expected| expected.otherwise.code == codes::INCOMPLETE).count()
    };
    assert_eq!(["TRUE | FALSE | FALSE", "FALSE | TRUE | FALSE", "FALSE | FALSE | TRUE"].map(gaps), [0, 0, 0]);
    assert_eq!(["a | FALSE | NOT a", "a | FALSE | FALSE"].map(gaps), [1, 1], "the engine has to look");
}

#[test]
fn the_tables_of_the_a_7e_are_supported() {
    let Some(root) = specwright_syntax::testing::shared("scr") else { return };
    for (name, rows) in [("ANT", 301), ("NU", 78), ("traffic_light", 5)] {
        let model = scr(&std::fs::read_to_string(root.join(name).with_extension("csv")).unwrap(), true);
        assert_eq!(model.source.tables[0].rows.len(), rows + 1, "{name}: a row for each line, and the heading");
        assert_eq!(model.source.elements.len(), 2 * rows, "{name}");
    }
}
