//! A model and its circuit agree: what one reaches, the other reaches in as many steps.

use specwright_mc::{Answer, Budget, Options, Query, Sat, Search, Symbolic};
use specwright_model::model::{Property, PropertyKind, VarKind};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::testing::{model, random_smv};
use specwright_model::{Model, Node, SourcedExpr, Trace, lower};
use specwright_syntax::aiger;
use specwright_syntax::span::{SourceMap, Span};

/// For each value of each variable of states: the variable never has it.
fn properties(model: &Model) -> Vec<Property> {
    let mut properties = Vec::new();
    for (id, var) in model.vars().filter(|(_, var)| var.kind != VarKind::Input) {
        for value in var.domain.values().take(5) {
            let make = |node| model.make(node).expect("the types fit");
            let [var, value] = [Node::Var(id), Node::Const(value)].map(make);
            let expr = make(Node::Unary(UnaryOp::Not, make(Node::Binary(BinaryOp::Eq, var, value))));
            let formula = SourcedExpr { expr, spans: [Span::NONE; 4].into() };
            let (kind, span) = (PropertyKind::Invar, Span::NONE);
            properties.push(Property { name: None, kind, formula, target: None, span });
        }
    }
    properties
}

/// The steps to the first state in which each property fails, if there is one.
fn failures(model: &Model, properties: &[Property]) -> Vec<Option<usize>> {
    let mut engine = Symbolic::new(model.system.clone(), &Options::default()).expect("the model is small");
    let answers = properties.iter().map(|property| {
        match engine.answer(Query::Falsify(property.formula.expr), &Budget::default()) {
            Answer::Found(Trace { states, .. }) => Some(states.len() - 1),
            Answer::Impossible(_) => None,
            Answer::Undecided(reason) => panic!("{reason:?}"),
        }
    });
    answers.collect()
}

#[test]
fn formulas_about_steps_become_bad_states() {
    let model = model(
        "MODULE main VAR a : boolean; b : 0..5; ASSIGN init(b) := 0; next(b) := {b, (b + 1) mod 6};
         LTLSPEC G (b = 5 -> X b != 0); LTLSPEC G (b = 5 -> X b != 1); LTLSPEC F b = 3;",
    );
    let mut sat = Sat::new(model.system.clone(), &Options::default()).expect("the model is small");
    let translated = sat.to_aiger(&model.properties, &[]).expect("the model is small");
    assert_eq!(translated.left_out, [2]);
    let lowered = lower::aiger::lower(&translated.circuit, "circuit.aag", &Budget::default());
    assert_eq!(failures(&lowered, &lowered.properties), [Some(6), None]);
}

#[test]
fn circuits_reach_what_their_models_reach() {
    let (mut n_reached, mut n_unreached) = (0, 0);
    for seed in 0..400 {
        let text = random_smv(seed);
        let model = model(&text);
        let properties = properties(&model);
        let Ok(mut sat) = Sat::new(model.system.clone(), &Options::default()) else { continue };
        let translated = sat.to_aiger(&properties, &[]).expect("the model is small");
        assert!(translated.left_out.is_empty(), "{text}");
        let mut sources = SourceMap::default();
        sources.add("circuit.aag", aiger::ascii(&translated.circuit)).expect("it is small");
        let (circuit, diagnostics) = aiger::parse(&sources.files()[0]);
        assert!(diagnostics.is_empty(), "{diagnostics:?}\n{text}");
        let lowered = lower::aiger::lower(&circuit, "circuit.aag", &Budget::default());
        let expected = failures(&model, &properties);
        assert_eq!(failures(&lowered, &lowered.properties), expected, "seed {seed}\n{text}");
        n_reached += expected.iter().flatten().count();
        n_unreached += expected.iter().filter(|failure| failure.is_none()).count();
    }
    assert!(n_reached > 500 && n_unreached > 100, "{n_reached} {n_unreached}");
}
