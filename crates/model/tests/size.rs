//! Large generated models: long chains, deep nesting, many instances.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use specwright_model::interp::eval_bool;
use specwright_model::lower::smv::{Options, lower};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::unparse::{print_model, try_print_model};
use specwright_model::{ExprId, Model, Node, SourcedExpr, State, Value};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::ast::Dialect;
use specwright_syntax::smv::parse;
use specwright_syntax::span::SourceMap;
use std::fmt::Write;

fn read(text: String) -> (Option<Model>, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    sources.add("model.smv", text).unwrap();
    let (file, diagnostics) = parse(&sources.files()[0], Dialect::NuSmv);
    assert!(diagnostics.is_empty(), "{:?}", diagnostics[0]);
    lower(&file, &Options::default())
}

/// A chain of defines, each of which uses the next one; the last one is first or last in the file.
fn chain(n: usize, last: &str) -> String {
    let mut text = String::from("MODULE main\nVAR x : boolean;\nDEFINE\n");
    for at in 0..n {
        writeln!(text, "  d{at} := d{} & x;", at + 1).unwrap();
    }
    writeln!(text, "  d{n} := {last};\nSPEC AG d0").unwrap();
    text
}

#[test]
fn a_chain_of_a_hundred_thousand_defines() {
    let (model, diagnostics) = read(chain(100_000, "x"));
    let model = model.unwrap_or_else(|| panic!("{:?}", diagnostics[0]));
    assert_eq!(model.defines.len(), 100_001);
    assert_eq!(model.defines[0].name, "d100000", "what is used comes first");
    assert!(print_model(&model).contains("SPEC AG d0;"));
}

#[test]
fn a_circle_of_a_hundred_thousand_defines() {
    let (model, diagnostics) = read(chain(100_000, "d0"));
    assert!(model.is_none());
    assert_eq!(diagnostics[0].code.0, "SMV072");
}

#[test]
fn a_chain_of_assignments() {
    let mut text = String::from("MODULE main\nVAR\n");
    for at in 0..20_000 {
        writeln!(text, "  x{at} : boolean;").unwrap();
    }
    text.push_str("ASSIGN\n");
    for at in 1..20_000 {
        writeln!(text, "  next(x{}) := !next(x{at});", at - 1).unwrap();
    }
    assert!(read(text.clone()).0.is_some());
    text.push_str("  next(x19999) := next(x0);\n");
    assert_eq!(read(text).1[0].code.0, "SMV072");
}

#[test]
fn deep_expressions() {
    for (open, close) in [("!(", ")"), ("(x & ", ")"), ("(x ? x : ", ")"), ("AG (x -> ", ")")] {
        let text = format!("MODULE main\nVAR x : boolean;\nSPEC {}x{}\n", open.repeat(5000), close.repeat(5000));
        let (model, diagnostics) = read(text);
        let model = model.unwrap_or_else(|| panic!("{:?}", diagnostics[0]));
        assert!(print_model(&model).len() > 5000);
    }
}

#[test]
fn exponential_instantiation_is_rejected() {
    let mut text = String::from("MODULE main\nVAR m : m0;\n");
    for at in 0..40 {
        writeln!(text, "MODULE m{at}\nVAR a : m{0}; b : m{0};", at + 1).unwrap();
    }
    text.push_str("MODULE m40\nVAR x : boolean;\n");
    let (model, diagnostics) = read(text);
    assert!(model.is_none());
    assert!(diagnostics.iter().any(|diagnostic| diagnostic.code.0 == "SMV039"));
}

/// A chain of nodes each of which uses the previous one twice: 2^100 nodes as a tree.
fn doubled(last: &str) -> Model {
    let text = format!("MODULE main VAR x : boolean; shared_1 : boolean; ASSIGN next(x) := {last}; INVARSPEC x = x;");
    let mut model = read(text).0.unwrap();
    let mut expr = model.assigns[0].value.expr;
    for n in 0..100 {
        let op = if n % 2 == 0 { BinaryOp::Xor } else { BinaryOp::Implies };
        let not = model.make(Node::Unary(UnaryOp::Not, expr)).unwrap();
        expr = model.make(Node::Binary(op, expr, not)).unwrap();
    }
    model.assigns[0].value = SourcedExpr { expr, spans: std::sync::Arc::new([]) };
    model.properties[0].formula = SourcedExpr { expr, spans: std::sync::Arc::new([]) };
    model
}

#[test]
fn shared_expressions_are_printed_once() {
    let model = doubled("!x");
    let text = print_model(&model);
    assert!(text.len() < 10_000, "{} bytes", text.len());
    assert_eq!(try_print_model(&model).as_ref(), Ok(&text));
    let defines = |name: &str| text.lines().any(|line| line.trim().starts_with(name) && line.contains(":="));
    assert!(defines("shared_2 ") && !defines("shared_1 "), "names are not taken twice\n{text}");
    // It has the same meaning, step by step.
    let again = read(text.clone()).0.unwrap();
    for value in [false, true] {
        let next = |model: &Model| {
            let mut now = State::empty(model.vars.len());
            model.vars().for_each(|(id, _)| now.set(id, Value::Bool(value)));
            eval_bool(model, model.assigns[0].value.expr, &now, None)
        };
        assert_eq!(next(&model), next(&again), "after {value}");
    }
    assert_eq!(text, print_model(&again), "printing what was printed is the same");
}

#[test]
fn long_expressions_are_elided() {
    let model = doubled("!x");
    let shown = model.show_expr(model.assigns[0].value.expr);
    assert!(shown.contains('…') && shown.len() < 20_000, "{} bytes", shown.len());
    assert!(!model.show_expr(ExprId(20)).contains('…'), "short ones are whole");
}
