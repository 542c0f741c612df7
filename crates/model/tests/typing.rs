//! Typing rules, one line each, and expressions over the names of a model.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use specwright_model::lower::smv::{Options, lower, parse_expr_in};
use specwright_model::op::{BinaryOp, Logic, UnaryOp};
use specwright_model::typing::{Expected, Problem};
use specwright_model::{Model, Node, Ty, Value};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::smv::parse;
use specwright_syntax::span::SourceMap;

const MODEL: &str = "
MODULE part
VAR x : 0..3; lamps : array 0..2 of {on, off};
DEFINE same := lamps[0] = lamps[1];
MODULE main
VAR b : boolean; c : boolean; n : 0..3; e : {p, q}; m : {p, 1}; k : {1, 2}; a : array 0..1 of boolean;
    w : word[2]; v : word[4]; s : signed word[2]; m1 : part;
IVAR i : boolean;
DEFINE d := [n, n + 1];
";

fn model() -> Model {
    let mut sources = SourceMap::default();
    sources.add("model.smv", MODEL).unwrap();
    let (file, diagnostics) = parse(&sources.files()[0], Dialect::NuSmv);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    lower(&file, &Options::default()).0.unwrap()
}

/// The type of an expression, or the code and message of the first error.
fn type_in(model: &mut Model, text: &str, logic: Option<Logic>) -> String {
    let mut sources = SourceMap::default();
    sources.add("expression", text).unwrap();
    let (sourced, diagnostics) = parse_expr_in(model, &sources.files()[0], Dialect::NuSmv, logic);
    match (sourced, diagnostics.into_iter().find(Diagnostic::is_error)) {
        (Some(sourced), None) => model.context.exprs.ty(sourced.expr).to_string(),
        (_, Some(error)) => error.code.0.to_string(),
        (None, None) => panic!("{text}: neither a type nor an error"),
    }
}

#[test]
fn expressions_have_the_types_that_nusmv_gives_them() {
    let rules = [
        ("b & c", "boolean"),
        ("b & n", "SMV050"),
        ("w | w", "unsigned word[2]"),
        ("w | v", "SMV050"),
        ("w -> w", "unsigned word[2]"),
        ("!n", "SMV050"),
        ("-n", "integer"),
        ("-w", "unsigned word[2]"),
        ("-b", "SMV050"),
        ("b = c", "boolean"),
        ("b = 1", "SMV050"),
        ("n = 7", "boolean"),
        ("e = n", "SMV050"),
        ("e = on", "boolean"),
        ("m = 1", "boolean"),
        ("m = e", "boolean"),
        ("m = b", "SMV050"),
        ("m < 2", "SMV050"),
        ("m + 1", "SMV050"),
        ("k + 1", "integer"),
        ("b < c", "SMV050"),
        ("s < s", "boolean"),
        ("s = w", "SMV050"),
        ("n + b", "SMV050"),
        ("n mod 2", "integer"),
        ("w << n", "unsigned word[2]"),
        ("w << s", "SMV050"),
        ("w << 3", "SMV051"),
        ("w :: s", "unsigned word[4]"),
        ("s[1:0]", "unsigned word[2]"),
        ("w[2:0]", "SMV051"),
        ("{1, 2}", "integer set"),
        ("{1}", "integer"),
        ("{p, 1}", "symbolic or integer set"),
        ("{TRUE, 1}", "symbolic or integer set"),
        ("{w, w}", "SMV050"),
        ("n union {b}", "symbolic or integer set"),
        ("n = {1, 2}", "SMV050"),
        ("n in {1, 2}", "boolean"),
        ("{1, 2} in n", "boolean"),
        ("b in {1, 2}", "SMV050"),
        ("e in {1, p}", "boolean"),
        ("e in {1, 2}", "SMV050"),
        ("w in w", "SMV050"),
        ("1..3", "integer set"),
        ("b ? 1 : p", "symbolic or integer"),
        ("b ? 1 : c", "SMV050"),
        ("b ? {1, 2} : 3", "integer set"),
        ("b ? a : a", "array 0..1 of boolean"),
        ("n ? 1 : 2", "SMV050"),
        ("case b : 1; c : p; esac", "symbolic or integer"),
        ("case b : w; c : v; esac", "SMV050"),
        ("a", "array 0..1 of boolean"),
        ("a = a", "SMV050"),
        ("a[n]", "boolean"),
        ("a[w]", "boolean"),
        ("a[b]", "SMV050"),
        ("a[2]", "SMV051"),
        ("d[n]", "integer"),
        ("d[2]", "SMV051"),
        ("w[0]", "SMV050"),
        ("next(n)", "integer"),
        ("next(next(n))", "SMV060"),
        ("next(a)[n]", "boolean"),
        ("count(b, c)", "integer"),
        ("count(n)", "SMV050"),
        ("toint(b) + toint(w) + toint(n)", "integer"),
        ("toint(e)", "SMV050"),
        ("bool(n) & bool(w[0:0])", "boolean"),
        ("bool(w)", "SMV050"),
        ("word1(b)", "unsigned word[1]"),
        ("signed(w)", "signed word[2]"),
        ("signed(s)", "SMV050"),
        ("unsigned(s)", "unsigned word[2]"),
        ("extend(s, 2)", "signed word[4]"),
        ("extend(w, -1)", "SMV051"),
        ("extend(w, n)", "SMV040"),
        ("resize(w, 64)", "unsigned word[64]"),
        ("resize(w, 65)", "SMV043"),
        ("sizeof(v)", "integer"),
        ("sizeof(n)", "SMV050"),
        ("uwconst(-5, 4)", "unsigned word[4]"),
        ("swconst(8, 4)", "SMV051"),
        ("abs(n)", "integer"),
        ("abs(w)", "SMV050"),
        ("max(w, w)", "unsigned word[2]"),
        ("min(n, b)", "SMV050"),
        ("m1.x", "integer"),
        ("m1.lamps[n]", "symbolic"),
        ("m1.lamps", "array 0..2 of symbolic"),
        ("m1.same", "boolean"),
        ("m1.y", "SMV035"),
        ("nothing[n]", "SMV035"),
    ];
    let mut model = model();
    for (text, expected) in rules {
        assert_eq!(type_in(&mut model, text, None), expected, "{text}");
    }
}

#[test]
fn formulas_belong_to_a_logic() {
    let rules = [
        ("AG (b -> AX c)", Logic::Ctl, "boolean"),
        ("A [b U c] <-> EBF 0..3 b", Logic::Ctl, "boolean"),
        ("AG n", Logic::Ctl, "SMV050"),
        ("n", Logic::Ctl, "SMV052"),
        ("G b", Logic::Ctl, "SMV062"),
        ("AG b = c", Logic::Ctl, "boolean"),
        ("(AG b) = c", Logic::Ctl, "SMV062"),
        ("AG (b ? AG c : b)", Logic::Ctl, "SMV062"),
        ("AG i", Logic::Ctl, "SMV061"),
        ("AG next(b)", Logic::Ctl, "SMV060"),
        ("G (b -> F (c & Y b S c))", Logic::Ltl, "boolean"),
        ("G i", Logic::Ltl, "boolean"),
        ("G (b -> next(b))", Logic::Ltl, "boolean"),
        ("G next(i)", Logic::Ltl, "SMV061"),
        ("AG b", Logic::Ltl, "SMV062"),
        ("F [1,3] b", Logic::Ltl, "boolean"),
        ("m1.lamps[2] = on & EX m1.same", Logic::Ctl, "boolean"),
    ];
    let mut model = model();
    for (text, logic, expected) in rules {
        assert_eq!(type_in(&mut model, text, Some(logic)), expected, "{text}");
    }
}

#[test]
fn parsing_an_expression_leaves_the_model_unchanged() {
    let mut model = model();
    let (n_vars, n_defines, n_exprs) = (model.vars.len(), model.defines.len(), model.context.exprs.len());
    assert_eq!(type_in(&mut model, "AG (b -> AF m1.x = 3)", Some(Logic::Ctl)), "boolean");
    assert_eq!((model.vars.len(), model.defines.len()), (n_vars, n_defines));
    assert!(model.context.exprs.len() > n_exprs);
}

#[test]
fn making_an_expression_checks_it() {
    let model = model();
    let b = model.make(Node::Var(model.var_named("b").unwrap())).unwrap();
    let n = model.make(Node::Var(model.var_named("n").unwrap())).unwrap();
    let error = model.make(Node::Binary(BinaryOp::And, b, n)).unwrap_err();
    assert_eq!((error.operand, error.problem), (1, Problem::Expected(Expected::BooleanOrWord)));
    let error = model.make(Node::Binary(BinaryOp::Eq, b, n)).unwrap_err();
    assert_eq!(error.problem, Problem::Mismatch { other: 0, ty: Ty::BOOL });
    let next = model.make(Node::Next(b)).unwrap();
    assert_eq!(model.make(Node::Next(next)).unwrap_err().problem, Problem::NestedNext);
    let always = model.make(Node::Unary(UnaryOp::AG, b)).unwrap();
    let both = model.make(Node::Binary(BinaryOp::And, always, b)).unwrap();
    assert_eq!(model.make(Node::Binary(BinaryOp::Eq, b, both)).unwrap_err().problem, Problem::Temporal);
    let one = model.make(Node::Const(Value::Int(1))).unwrap();
    let again = model.make(Node::Const(Value::Int(1))).unwrap();
    assert_eq!(one, again, "equal expressions are one");
}
