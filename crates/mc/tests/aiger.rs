//! A model and its circuit agree: what one reaches, the other reaches in as many steps.

use specwright_mc::{Answer, Budget, Options, Query, Refused, SafetyClaim, Sat, Search, Symbolic, check_certificate};
use specwright_model::interp::Random;
use specwright_model::model::{Property, PropertyKind, VarKind};
use specwright_model::op::{BinaryOp, UnaryOp};
use specwright_model::testing::{model, random_smv};
use specwright_model::{Model, Node, SourcedExpr, Trace, lower};
use specwright_syntax::aiger;
use specwright_syntax::aiger::ast::Circuit;
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
    let translated = sat.to_aiger(&claims(&model.properties), &[]).expect("the model is small");
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
        let translated = sat.to_aiger(&claims(&properties), &[]).expect("the model is small");
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

/// The circuit of a model with a bad state for each property, and a certificate for those that hold, by index.
fn certified(model: &Model, properties: &[Property]) -> Option<(Circuit, Vec<usize>, Option<Circuit>)> {
    let claims = claims(properties);
    let circuit = Sat::new(model.system.clone(), &Options::default()).ok()?.to_aiger(&claims, &[]).ok()?.circuit;
    let mut sat = Sat::new(model.system.clone(), &Options::default()).ok()?;
    let embedded = sat.embed(&claims, &[]).expect("the model is small");
    let outcomes = sat.prove_claims(&claims, &Budget::default());
    let proved: Vec<usize> = (0..claims.len()).filter(|index| outcomes[*index].is_ok()).collect();
    let bad: Vec<usize> = proved.iter().filter_map(|index| embedded.bad[*index]).collect();
    let witness = (!bad.is_empty()).then(|| sat.certificate(&embedded, &bad));
    Some((circuit, proved, witness))
}

fn claims(properties: &[Property]) -> Vec<SafetyClaim<'_>> {
    properties.iter().map(SafetyClaim::from).collect()
}

/// A wrong version of a certificate: one literal, reset value or name is another one.
fn tampered(witness: &Circuit, random: &mut Random) -> Circuit {
    let mut witness = witness.clone();
    let last = witness.variables().count() as u32;
    let place = random.index(4);
    if place == 0 && !witness.latches.is_empty() {
        let latch = random.index(witness.latches.len());
        let reset = &mut witness.latches[latch].reset;
        *reset = if reset.is_some() && random.index(2) == 0 { None } else { Some(*reset != Some(true)) };
    } else if place == 1 && witness.latches.len() > 1 {
        let [one, other] = [(); 2].map(|()| random.index(witness.latches.len()));
        let name = witness.latches[other].name.clone();
        witness.latches[one].name = name;
    } else {
        let mut n_signals = 0;
        witness.for_each_signal(|_| n_signals += 1);
        let (chosen, change) = (random.index(n_signals), random.index(2 * last as usize) as u32);
        let mut at = 0;
        witness.for_each_signal(|signal| {
            if at == chosen {
                signal.literal = if change % 3 == 0 { signal.literal ^ 1 } else { change };
            }
            at += 1;
        });
    }
    witness
}

#[test]
fn certificates_of_what_holds_are_accepted_and_never_certify_what_fails() {
    let mut random = Random::new(7);
    let (mut n_certified, mut n_refused, mut n_tampered) = (0, 0, 0);
    for seed in 0..250 {
        let text = random_smv(seed);
        let model = model(&text);
        let properties = properties(&model);
        let Some((circuit, proved, witness)) = certified(&model, &properties) else { continue };
        let failures = failures(&model, &properties);
        assert!(proved.iter().all(|index| failures[*index].is_none()), "seed {seed}\n{text}");
        let Some(witness) = witness else { continue };
        let all: Vec<usize> = (0..properties.len()).collect();
        let excluded = check_certificate(&circuit, &witness, &all, &Budget::default());
        let excluded = excluded.unwrap_or_else(|refused| panic!("seed {seed}: {refused}\n{text}"));
        assert!(proved.iter().all(|index| excluded[*index]), "seed {seed}\n{text}");
        assert!((0..all.len()).all(|index| !excluded[index] || failures[index].is_none()), "seed {seed}\n{text}");
        n_certified += proved.len();
        for _ in 0..20 {
            let tampered = tampered(&witness, &mut random);
            // What is read from a file is checked by the parser first.
            let mut sources = SourceMap::default();
            sources.add("witness.aag", aiger::ascii(&tampered)).expect("it is small");
            let (tampered, diagnostics) = aiger::parse(&sources.files()[0]);
            if !diagnostics.is_empty() {
                continue;
            }
            n_tampered += 1;
            match check_certificate(&circuit, &tampered, &all, &Budget::default()) {
                Err(_) => n_refused += 1,
                Ok(excluded) => {
                    let is_sound = |index: usize| !excluded[index] || failures[index].is_none();
                    assert!((0..all.len()).all(is_sound), "seed {seed}\n{text}\n{}", aiger::ascii(&tampered));
                }
            }
        }
    }
    assert!(n_certified > 100 && 3 * n_refused > n_tampered, "{n_certified} {n_refused} of {n_tampered}");
}

/// Queries about states, inputs and steps.
fn queries(model: &Model, random: &mut Random) -> Vec<Query> {
    let make = |node| model.make(node).expect("the types fit");
    let mut exprs = Vec::new();
    for (id, var) in model.vars() {
        let now = make(Node::Var(id));
        for value in var.domain.values().take(4) {
            let value = make(Node::Const(value));
            exprs.push(make(Node::Binary(BinaryOp::Eq, now, value)));
            if var.kind == VarKind::State {
                exprs.push(make(Node::Binary(BinaryOp::Eq, make(Node::Next(now)), value)));
            }
        }
    }
    for _ in 0..12 {
        let [a, b] = [(); 2].map(|()| *random.pick(&exprs));
        exprs.push(make(Node::Binary(BinaryOp::And, a, b)));
    }
    exprs.into_iter().flat_map(|expr| [Query::Reach(expr), Query::Falsify(expr)]).collect()
}

#[test]
fn certificates_of_infeasible_queries_are_accepted() {
    let (mut n_found, mut n_certified, mut n_left_out) = (0, 0, 0);
    for seed in 0..150 {
        let text = random_smv(seed);
        let model = model(&text);
        let queries = queries(&model, &mut Random::new(seed));
        let new = || Sat::new(model.system.clone(), &Options::default()).expect("random models have values");
        let mut engine = Symbolic::new(model.system.clone(), &Options::default()).expect("the model is small");
        let answers: Vec<Answer<Trace>> =
            queries.iter().map(|query| engine.answer(*query, &Budget::default())).collect();
        let names: Vec<String> = (0..queries.len()).map(|number| format!("goal {number}")).collect();
        let asked: Vec<SafetyClaim<'_>> = (names.iter().zip(&queries))
            .map(|(name, query)| SafetyClaim::Infeasible(name, std::slice::from_ref(query)))
            .collect();
        // Bad states are reached in as many steps as queries are answered.
        let translated = new().to_aiger(&asked, &[]).expect("the model is small");
        let lowered = lower::aiger::lower(&translated.circuit, "circuit.aag", &Budget::default());
        let said = (0..queries.len()).filter(|index| !translated.left_out.contains(index));
        let expected = said.map(|index| match &answers[index] {
            Answer::Found(trace) => Some(trace.n_steps()),
            Answer::Impossible(_) => None,
            Answer::Undecided(reason) => panic!("{reason:?}"),
        });
        let expected: Vec<Option<usize>> = expected.collect();
        assert_eq!(failures(&lowered, &lowered.properties), expected, "seed {seed}\n{text}");
        n_found += expected.iter().flatten().count();
        n_left_out += translated.left_out.len();
        // Together, and twice the same.
        let mut sat = new();
        let outcomes = sat.prove_claims(&asked, &Budget::default());
        let proved: Vec<usize> = (0..asked.len()).filter(|index| outcomes[*index].is_ok()).collect();
        assert!(proved.iter().all(|index| answers[*index].is_impossible()), "seed {seed}\n{text}");
        if proved.is_empty() {
            continue;
        }
        let claims: Vec<SafetyClaim<'_>> = proved.iter().map(|index| asked[*index]).collect();
        let embedded = new().embed(&claims, &[]).expect("the model is small");
        let bad: Vec<usize> = (0..claims.len()).collect();
        let circuit = new().to_aiger(&claims, &[]).expect("the model is small").circuit;
        let excluded = check_certificate(&circuit, &sat.certificate(&embedded, &bad), &bad, &Budget::default());
        assert_eq!(excluded, Ok(vec![true; bad.len()]), "seed {seed}\n{text}");
        n_certified += bad.len();
    }
    assert!(n_found > 500 && n_certified > 200, "{n_found} found, {n_certified} certified, {n_left_out} left out");
}

#[test]
fn a_certificate_is_refused_for_its_first_mistake() {
    let circuit = |text: &str| {
        let mut sources = SourceMap::default();
        sources.add("circuit.aag", text).expect("it is small");
        let (circuit, diagnostics) = aiger::parse(&sources.files()[0]);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        circuit
    };
    // Two latches that exchange their values: never both are true. That they differ is inductive.
    let model = circuit("aag 3 0 2 0 1 1\n2 4 1\n4 2 0\n6\n6 2 4\n");
    let gates = "6 2 4\n8 3 5\n10 7 9\n";
    let witness = |latches: &str, names: &str| circuit(&format!("aag 5 0 2 0 3 1\n{latches}\n11\n{gates}{names}"));
    let check = |witness: &Circuit| check_certificate(&model, witness, &[0], &Budget::default());
    assert_eq!(check(&witness("2 4 1\n4 2 0", "")), Ok(vec![true]));
    assert_eq!(check(&witness("2 4 1\n4 2 0", "l0 = 2\nl1 = 4\n")), Ok(vec![true]));
    assert_eq!(check(&witness("2 4 0\n4 2 1", "l0 = 4\nl1 = 2\n")), Ok(vec![true]));
    let words = |witness: &Circuit| check(witness).map_err(|refused| refused.to_string()).unwrap_err();
    assert!(words(&witness("2 4 1\n4 2 0", "l0 = 6\n")).contains("latch 0 of the witness circuit stands for `6`"));
    assert!(words(&witness("2 4 0\n4 2 1", "")).contains("can start"));
    assert!(words(&witness("2 5 1\n4 3 0", "")).contains("can take a step"));
    // A latch that is not shared may do what it likes.
    assert!(words(&witness("2 4 1\n4 2 0", "l0 = 2\n")).contains("can take a step"));
    let simple = |bad: u32| circuit(&format!("aag 2 0 2 0 0 1\n2 4 1\n4 2 0\n{bad}\n"));
    assert!(words(&simple(2)).contains("does not hold in every first state"));
    assert!(words(&simple(3)).contains("inductive"));
    let empty = circuit("aag 2 0 2 0 0 0\n2 4 1\n4 2 0\n");
    assert_eq!(check(&empty), Err(Refused::NoProperty));
    let weak = circuit("aag 2 0 2 0 0 1\n2 4 1\n4 2 0\n0\n");
    assert_eq!(check(&weak), Ok(vec![false]), "what always holds proves nothing");
}
