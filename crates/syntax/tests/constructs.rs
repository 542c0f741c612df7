//! Parsing and printing of every construct of the language.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use specwright_syntax::smv::ast::{Dialect, ExprKind, File, ItemKind, PropertyKind, TypeKind, VarKind};
use specwright_syntax::smv::print::{Layout, print_expr_with, print_file, print_file_with, print_item, print_type};
use specwright_syntax::smv::{parse, same_file};
use specwright_syntax::span::SourceMap;

fn read(text: &str, dialect: Dialect) -> (SourceMap, File) {
    let mut sources = SourceMap::default();
    sources.add("test.smv", text).unwrap();
    let (file, diagnostics) = parse(&sources.files()[0], dialect);
    assert!(diagnostics.iter().all(|diagnostic| !diagnostic.is_error()), "{diagnostics:#?}");
    (sources, file)
}

/// A module with `body` is printed with `expected`.
fn check(body: &str, expected: &str) {
    let (_, file) = read(&format!("MODULE main\n{body}"), Dialect::NuSmv);
    let printed = print_file(&file);
    let found = printed.strip_prefix("MODULE main\n").unwrap();
    assert_eq!(found.trim_end(), expected.trim(), "from {body}");
    let (_, again) = read(&printed, Dialect::NuSmv);
    assert!(same_file(&file, &again), "{printed} reads back");
}

/// A module with this body is printed unchanged.
fn same(body: &str) {
    check(body, body);
}

#[test]
fn modules_and_instances() {
    let text = "\
MODULE main
VAR
  a : counter(TRUE, b.out, 3);
  b : process counter(a.out, self, 1..3);
  c : plain;

ISA base

MODULE counter(inc, from, n)
VAR
  out : boolean;

MODULE plain
";
    let (_, file) = read(text, Dialect::NuSmv);
    assert_eq!(print_file(&file), text);
    assert_eq!(file.modules[1].params.iter().map(|param| &*param.text).collect::<Vec<_>>(), ["inc", "from", "n"]);
    check("VAR c : plain();", "VAR\n  c : plain;");
}

#[test]
fn types() {
    same("VAR\n  x : boolean;");
    same("VAR\n  x : integer;");
    same("VAR\n  x : {red, green, -1, 2, TRUE};");
    same("VAR\n  x : {a.b, c};");
    same("VAR\n  x : -3..n + 1;");
    same("VAR\n  x : n..2 * (m - 1);");
    same("VAR\n  x : self.n..a[1];");
    same("VAR\n  x : (a = b)..max(2, 3);");
    same("VAR\n  x : unsigned word[8];");
    same("VAR\n  x : signed word[n + 1];");
    check("VAR x : word[3]; y : Word[4];", "VAR\n  x : unsigned word[3];\n  y : unsigned word[4];");
    same("VAR\n  x : array 0..3 of array -1..1 of {a, b};");
    same("VAR\n  x : array n..m of unsigned word[2];");
    let (_, file) = read("MODULE main VAR x : array 0..1 of array 2..3 of boolean;", Dialect::NuSmv);
    let ItemKind::Vars(_, vars) = &file.modules[0].items[0].kind else { panic!() };
    assert_eq!(print_type(&file.exprs, &vars[0].ty), "array 0..1 of array 2..3 of boolean");
    let TypeKind::Array(_, _, element) = &vars[0].ty.kind else { panic!() };
    assert!(matches!(element.kind, TypeKind::Array(..)));
}

#[test]
fn sections_of_variables() {
    same("VAR");
    same("IVAR\n  in_1   : boolean;\n  longer : 0..3;");
    same("FROZENVAR\n  n : 0..3;");
    check(
        "VAR VAR a.b : boolean; x[3] : boolean; y[-1].0 : boolean;",
        "VAR\n\nVAR\n  a.b     : boolean;\n  x[3]    : boolean;\n  y[-1].0 : boolean;",
    );
    let (_, file) = read("MODULE main INPUT i : boolean; OUTPUT o : boolean; VAR INPUT : boolean;", Dialect::Cmu);
    let kinds: Vec<VarKind> = file.modules[0]
        .items
        .iter()
        .map(|item| match &item.kind {
            ItemKind::Vars(kind, vars) => {
                assert_eq!(vars.len(), 1);
                *kind
            }
            _ => panic!(),
        })
        .collect();
    assert_eq!(kinds, [VarKind::Monitored, VarKind::Controlled, VarKind::State]);
}

#[test]
fn names() {
    same(
        "VAR\n  a$b#c-d_1    : boolean;\n  _x           : boolean;\n  \"any thing!\" : boolean;\n  integer      : boolean;\n  real         : boolean;",
    );
    check("VAR a\\b : boolean;", "VAR\n  a\\b : boolean;");
    // Single letters are reserved, but not as parts of names, and not in lower case.
    same("VAR\n  AA : boolean;\n  u  : boolean;\n  Ex : boolean;");
}

#[test]
fn defines_and_constants() {
    same("DEFINE\n  a      := b & c;\n  matrix := [[1, 2], [3, next(x)]];\n  row    := [a];");
    check("MDEFINE m := [1];", "DEFINE\n  m := [1];");
    same("DEFINE");
    same("CONSTANTS a, b, c.d;");
    check("CONSTANTS ;", "CONSTANTS ;");
}

#[test]
fn assignments() {
    same(
        "ASSIGN\n  x := 1;\n  init(y) := {1, 2};\n  next(z) := y union 3;\n  next(a[1].b) := next(c);\n  self.d := 2;\n  e.0 := 3;",
    );
    same(
        "ASSIGN
  next(x) := case
    a     : 1;
    b & c : case
      d : 2;
    esac;
    TRUE  : x + case
      TRUE : 3;
    esac;
  esac;",
    );
}

#[test]
fn constraints() {
    check("INIT a TRANS next(a) = b; INVAR c INVAR d;", "INIT a;\n\nTRANS next(a) = b;\n\nINVAR c;\nINVAR d;");
    check(
        "FAIRNESS a JUSTICE b; COMPASSION (a, b) COMPASSION (c & d, e);",
        "JUSTICE a;\nJUSTICE b;\nCOMPASSION (a, b);\nCOMPASSION (c & d, e);",
    );
    check("PRED a = b MIRROR x; PRED <p> := a; PRED [3] a & b", "PRED a = b;\nMIRROR x;\nPRED <p> := a;\nPRED a & b;");
    check("VAR x : boolean; PRED (x) MIRROR x.y", "VAR\n  x : boolean;\n\nPRED x;\nMIRROR x.y;");
}

#[test]
fn properties() {
    check("SPEC AG a CTLSPEC EF b; SPEC NAME p := AX c", "SPEC AG a;\nSPEC EF b;\nSPEC NAME p := AX c;");
    same("LTLSPEC NAME x.y := G (a -> F b);\nINVARSPEC a;\nINVARSPEC NAME q := next(a) = b;");
    same("COMPUTE MIN [a, b];\nCOMPUTE NAME c := MAX [a = 1, b | c];");
    same("SPEC AG a IN m.n;\nINVARSPEC b IN x[1];\nCOMPUTE MIN [a, b] IN c;");
    let (sources, file) = read("MODULE main SPEC NAME p := AG a IN m; VAR x : boolean;", Dialect::NuSmv);
    let ItemKind::Property(property) = &file.modules[0].items[0].kind else { panic!() };
    assert_eq!(property.kind, PropertyKind::Ctl);
    assert_eq!(sources.text(property.span), "SPEC NAME p := AG a IN m");
}

#[test]
fn formulas() {
    for formula in [
        "AG (a -> AX b)",
        "E [a U b & c]",
        "A [a BU 1..3 b]",
        "EBF 0..5 p & ABG 2..3 q",
        "!EX !AF p",
        "EG EBG 1..2 a = b",
        "ABF -1..2 a",
    ] {
        same(&format!("SPEC {formula};"));
    }
    for formula in [
        "G (a -> X b U c)",
        "F [1, 3] p & G [0, 2] q",
        "a U b V c",
        "H (a -> O b) & Y c S Z d T e",
        "O [1, 2] a | H [0, 1] b",
    ] {
        same(&format!("LTLSPEC {formula};"));
    }
}

#[test]
fn constants_and_calls() {
    same("INIT 0ud8_255 = 0sh4_f;");
    check("INIT 0b_01_01 = 0d8_5 & -0sd8_128 = 0o3_7;", "INIT 0ub4_0101 = 0ud8_5 & -0sd8_128 = 0uo3_7;");
    same("INIT count(a, b, (c = d)) = abs(-1) + min(a, b) - max(c, d);");
    same("INIT bool(w) & word1(b) = toint(w) & signed(w) = unsigned(v);");
    same("INIT extend(w, 3) = resize(v, 8) & sizeof(w) = 8;");
    same("INIT uwconst(5, n + 1) = swconst(a | b, 4);");
    same("INIT w[3:0] :: v[1:1] = a[i][j + 1].b[2:0];");
    same("INIT TRUE = FALSE;");
    same("INIT case\n  a : b;\nesac[0] = 1;");
    same("INVAR self.x.0 = next(a + next_b);");
}

#[test]
fn comments_and_places() {
    let text = "-- top\nMODULE main /-- a\nblock --/ VAR x -- name\r\n : boolean; -- end";
    let (sources, file) = read(text, Dialect::NuSmv);
    let comments: Vec<&str> = file.comments.iter().map(|span| sources.text(*span)).collect();
    assert_eq!(comments, ["-- top", "/-- a\nblock --/", "-- name", "-- end"]);

    let text = "MODULE main INIT (a) & ((b | !(c)));";
    let (sources, file) = read(text, Dialect::NuSmv);
    let ItemKind::Constraint(_, root) = file.modules[0].items[0].kind else { panic!() };
    assert_eq!(sources.text(file.exprs[root].span), "(a) & ((b | !(c)))");
    let ExprKind::Binary(_, left, right) = file.exprs[root].kind else { panic!() };
    assert_eq!(sources.text(file.exprs[left].span), "a", "its own parentheses do not count");
    assert_eq!(sources.text(file.exprs[right].span), "b | !(c)");
    assert_eq!(sources.text(file.modules[0].items[0].span), "INIT (a) & ((b | !(c)));");
    assert_eq!(sources.text(file.modules[0].span), text);
}

#[test]
fn psl() {
    let check = |formula: &str, expected: &str| {
        check(&format!("PSLSPEC {formula};"), &format!("PSLSPEC {expected};"));
    };
    check("always a -> b", "G a -> b");
    check("always (a -> next b)", "G a -> X b");
    check("(always a) -> b", "(G a) -> b");
    check("never a & b", "G !(a & b)");
    check("eventually! a & b", "F a & b");
    check("next! a", "X a");
    check("next !a", "X !a");
    check("next[2](a)", "X X a");
    check("next_a[1:2](a)", "(X a) & (X X a)");
    check("next_e![0:1](a)", "a | (X a)");
    check("a until! b", "[a U b]");
    check("a until !b", "[a U !b] | (G a)");
    check("a until_ b", "[a U a & b] | (G a)");
    check("a until!_ b", "[a U a & b]");
    check("a before! b", "[!b U a & !b]");
    check("a before b", "[!b U a & !b] | (G !b)");
    check("a before!_ b", "[!b U a]");
    check("a before_ b", "[!b U a] | (G !b)");
    check("next_event(b)(a)", "[!b U b & a] | (G !b)");
    check("next_event!(b)[2](a)", "[!b U b & (X [!b U b & a])]");
    check("next_event_e!(b)[1:2](a)", "[!b U b & a] | [!b U b & (X [!b U b & a])]");
    check("[a U b] | [a W b]", "[a U b] | ([a U b] | (G a))");
    check("X [a U b]", "X [a U b]");
    check("A [a U b] & EX c", "(A [a U b]) & (EX c)");
    check("AG a -> EF b", "AG a -> EF b");
    check("forall i in {1, 3:4}: x[i] = i", "x[1] = 1 & x[3] = 3 & x[4] = 4");
    check("forany b in boolean: x = b", "x = FALSE | x = TRUE");
    check("a && b || c ^ d == e", "a & b | c xor d = e");
    check("a -> b -> c", "a -> b -> c");
    check("a -> (b -> c)", "a -> (b -> c)");
    check("select(w, 3, 0) = 0ub4_0101", "select(w, 3, 0) = 0ub4_0101");
    check("NAME p := always a", "NAME p := G a");
    check("always a IN m.n", "G a IN m.n");
    check("case a : b; TRUE : c; esac", "case\n  a    : b;\n  TRUE : c;\nesac");
}

#[test]
fn layout() {
    let text = "MODULE main ASSIGN next(x) := case aaaa : 1; TRUE : 2; esac; INIT aaaaaaaaaa & bbbbbbbbbb & (c | d) INIT aaaaaaaaaa -> bbbbbbbbbb -> (c -> d) -> e";
    let (_, file) = read(text, Dialect::NuSmv);
    let layout = Layout { indent: 4, margin: "| ".into(), width: 20 };
    let expected = "\
| MODULE main
| ASSIGN
|     next(x) := case
|         aaaa : 1;
|         TRUE : 2;
|     esac;
|
| INIT
|     aaaaaaaaaa
|     & bbbbbbbbbb
|     & (c | d);
| INIT
|     aaaaaaaaaa
|     -> bbbbbbbbbb
|     -> (c -> d)
|     -> e;
";
    assert_eq!(print_file_with(&file, &layout), expected);
    let item = &file.modules[0].items[0];
    assert!(print_item(&file.exprs, item, &Layout::default()).starts_with("ASSIGN\n  next(x) := case\n    aaaa"));
    let ItemKind::Assigns(assigns) = &item.kind else { panic!() };
    let case = print_expr_with(&file.exprs, assigns[0].value, &Layout::default());
    assert_eq!(case, "case\n  aaaa : 1;\n  TRUE : 2;\nesac");
}

#[test]
fn dialects_differ_in_expressions_only() {
    let text = "MODULE main VAR n : 0..3; b : boolean; ASSIGN next(n) := n + 1 mod 4; SPEC AG !n = 3;";
    let (_, cmu) = read(text, Dialect::Cmu);
    let (_, nusmv) = read(text, Dialect::NuSmv);
    assert!(!same_file(&cmu, &nusmv));
    let printed = print_file(&cmu);
    assert!(printed.contains("next(n) := (n + 1) mod 4;") && printed.contains("AG !(n = 3)"), "{printed}");
    assert!(same_file(&cmu, &read(&printed, Dialect::NuSmv).1), "what is printed is for NuSMV");
}
