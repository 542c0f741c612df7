//! Audits of random models: each verdict against a check of the mutant as a model of its own, and each missing property against
//! both machines.

use specwright_mc::{Answer, Difference, Options, Place, Sat, Symbolic};
use specwright_model::model::{Property, PropertyKind};
use specwright_model::testing::random_model;
use specwright_model::{Model, TransitionSystem, testing};
use specwright_syntax::budget::Budget;
use specwright_testgen::audit::{
    Auditor, Form, Implied, MachineMutant, Open, SafetyClause, SatAuditor, Verdict, Why, fewest, implied, safety_clause,
};
use specwright_testgen::minimize;
use specwright_testgen::mutate::{self, Mutant, Mutants, Targets};

fn engine(model: &Model) -> Option<Symbolic> {
    Symbolic::new(model.system.clone(), &Options { traces: false, ..Options::default() }).ok()
}

fn claims(property: &Property) -> bool {
    !matches!(property.kind, PropertyKind::ComputeMin | PropertyKind::ComputeMax)
}

#[test]
fn verdicts_are_those_of_checks_on_mutated_models_and_missing_properties_kill() {
    let mut counts = [0; 5];
    let mut n_missing = 0;
    for seed in 0..400 {
        let mut model = random_model(seed);
        let Some(mut machine) = engine(&model) else { continue };
        let held: Vec<usize> = (0..model.properties.len())
            .filter(|index| claims(&model.properties[*index]))
            .filter(|index| machine.check(&model.properties[*index]).is_impossible())
            .collect();
        if held.is_empty() {
            continue;
        }
        let options = mutate::Options { targets: Targets::Machine, ..mutate::Options::default() };
        let mutants: Vec<Mutant> = Mutants::new(&model, options).take(25).collect();
        let plain = model.clone();
        let mut auditor = Auditor::new(&mut model, &mut machine, &held, true, &Options::default());
        let machines: Vec<MachineMutant> =
            mutants.iter().map(|mutant| MachineMutant::of_expression(&plain, mutant)).collect();
        let verdicts: Vec<Verdict> = machines.iter().map(|mutant| auditor.judge(mutant)).collect();
        let missing = auditor.into_missing();
        for (mutant, verdict) in mutants.iter().zip(&verdicts) {
            let at = format!("seed {seed}, {}: {verdict:?}\n{}", mutant.id, testing::random_smv(seed));
            let alone = mutant.apply(&plain);
            let Some(mut other) = engine(&alone) else {
                assert!(matches!(verdict, Verdict::Invalid(Why::Undefined(_))), "{at}");
                continue;
            };
            let checks = held.iter().map(|index| (*index, other.check(&alone.properties[*index])));
            let checks: Vec<(usize, Answer<_>)> = checks.collect();
            let failing: Vec<usize> =
                checks.iter().filter(|(_, answer)| answer.is_found()).map(|(index, _)| *index).collect();
            let all_hold = checks.iter().all(|(_, answer)| answer.is_impossible());
            match verdict {
                Verdict::Killed(by) => assert_eq!(*by, failing, "{at}"),
                Verdict::Survived(_) | Verdict::Equivalent => assert!(all_hold, "{at}"),
                Verdict::Invalid(_) | Verdict::Undecided(_) => {}
            }
            if let Verdict::Survived(survivor) = verdict {
                for place in &survivor.closed_by {
                    let clause = &missing[*place];
                    let text = plain.show_expr(clause.property.formula.expr);
                    // A formula over defines is read as the mutant has them.
                    let on_mutant = Property { formula: clause.property.formula.clone(), ..clause.property.clone() };
                    assert!(other.check(&on_mutant).is_found(), "{text} holds on the mutant: {at}");
                    assert!(engine(&plain).unwrap().check(&clause.property).is_impossible(), "{text}: {at}");
                    n_missing += 1;
                }
            }
            counts[match verdict {
                Verdict::Killed(_) => 0,
                Verdict::Survived(_) => 1,
                Verdict::Equivalent => 2,
                Verdict::Invalid(_) => 3,
                Verdict::Undecided(_) => 4,
            }] += 1;
        }
        let survivors: Vec<_> = verdicts
            .iter()
            .filter_map(|verdict| match verdict {
                Verdict::Survived(survivor) => Some(&**survivor),
                _ => None,
            })
            .collect();
        let closed = survivors.iter().filter(|survivor| !survivor.closed_by.is_empty()).count();
        let minimum = fewest(&missing, &survivors, &minimize::Options::default());
        let is_closed = |survivor: &&&_| {
            let survivor: &&specwright_testgen::audit::Survivor = survivor;
            survivor.closed_by.iter().any(|place| minimum.tests.contains(place))
        };
        assert_eq!(survivors.iter().filter(is_closed).count(), closed, "seed {seed}");
    }
    let [killed, survived, equivalent, invalid, undecided] = counts;
    assert!([killed, survived, equivalent, invalid].into_iter().all(|n| n > 50), "{counts:?}");
    // Bisimulation does not see labels of steps, which random models have often.
    assert!(undecided * 5 < killed + survived, "{counts:?}");
    assert!(n_missing > 100, "{n_missing}");
}

#[test]
fn parts_that_do_not_matter_are_found() {
    let text = "MODULE main VAR a : boolean; b : boolean; n : 0..3;
        ASSIGN init(n) := 0; next(n) := n < 2 ? n + 1 : 0;
        SPEC AG (a -> n < 3)
        SPEC AG (n = 1 -> AX n = 2)
        SPEC AG (n = 3 -> b)
        LTLSPEC G (n = 0 | b -> F n = 2)";
    let model = testing::model(text);
    let mut engine = engine(&model).unwrap();
    let parts = |property: &Property| {
        let found = specwright_testgen::audit::irrelevant(&model, &mut engine, property);
        found.into_iter().map(|expr| model.show_expr(expr)).collect::<Vec<_>>()
    };
    let found: Vec<Vec<String>> = model.properties.iter().map(parts).collect();
    assert_eq!(found, [vec!["a"], vec![], vec!["b"], vec!["n = 0 | b"]]);
}

/// A random model with the properties that hold on it, and some mutants of its machine.
fn options() -> mutate::Options {
    mutate::Options { targets: Targets::Machine, ..mutate::Options::default() }
}

fn held_and_mutants(model: &Model, machine: &mut Symbolic, most: usize) -> (Vec<usize>, Vec<MachineMutant>) {
    let held: Vec<usize> = (0..model.properties.len())
        .filter(|index| claims(&model.properties[*index]))
        .filter(|index| machine.check(&model.properties[*index]).is_impossible())
        .collect();
    let mutants = Mutants::new(model, options()).take(most);
    (held, mutants.map(|mutant| MachineMutant::of_expression(model, &mutant)).collect())
}

#[test]
fn sat_based_search_judges_mutants_as_diagrams_do() {
    let (mut n_killed, mut n_survived, mut n_equivalent, mut n_closed) = (0, 0, 0, 0);
    let (mut n_constrained, mut n_fair) = (0, 0);
    for seed in 0..400 {
        let mut model = random_model(seed);
        let Some(mut machine) = engine(&model) else { continue };
        let has_constraints = !model.invar.is_empty() || !model.trans.is_empty();
        let has_fairness = !model.justice.is_empty() || !model.compassion.is_empty();
        let (held, mutants) = held_and_mutants(&model, &mut machine, 12);
        if held.is_empty() {
            continue;
        }
        let plain = model.clone();
        let Some(mut by_sat) = SatAuditor::new(&plain, &held, &Options::default()) else { continue };
        let mut auditor = Auditor::new(&mut model, &mut machine, &held, false, &Options::default());
        let mut missing = Vec::new();
        for mutant in &mutants {
            let (one, other) = (auditor.judge(mutant), by_sat.judge(&plain, mutant, Some(&mut missing)));
            if let Verdict::Survived(survivor) = &other {
                assert_eq!(survivor.closed_by.is_empty(), survivor.open == Some(Open::NotBySat));
                let alone = Mutants::new(&plain, options()).find(|other| other.id.to_string() == mutant.id);
                let alone = alone.expect("it is one of the mutants").apply(&plain);
                for place in &survivor.closed_by {
                    let clause = &missing[*place].property;
                    let text = plain.show_expr(clause.formula.expr);
                    assert!(
                        engine(&plain).unwrap().check(clause).is_impossible(),
                        "seed {seed}: {text} fails on the machine"
                    );
                    assert!(
                        engine(&alone).unwrap().check(clause).is_found(),
                        "seed {seed}, {}: {text} holds",
                        mutant.id
                    );
                    n_closed += 1;
                }
            }
            let at = format!("seed {seed}, {}: {one:?}, {other:?}\n{}", mutant.id, testing::random_smv(seed));
            if !matches!(other, Verdict::Undecided(_)) {
                n_constrained += usize::from(has_constraints);
                n_fair += usize::from(has_fairness);
            }
            match (&one, &other) {
                (_, Verdict::Undecided(_))
                | (Verdict::Undecided(_), _)
                | (Verdict::Invalid(_), Verdict::Invalid(_)) => {}
                (Verdict::Killed(one), Verdict::Killed(other)) => {
                    // Others may be undecided.
                    assert!(other.iter().all(|property| one.contains(property)), "{at}");
                    n_killed += 1;
                }
                (Verdict::Survived(_), Verdict::Survived(_)) => n_survived += 1,
                (Verdict::Equivalent, Verdict::Equivalent) => n_equivalent += 1,
                _ => panic!("{at}"),
            }
        }
    }
    let counts = [n_killed, n_survived, n_equivalent, n_closed, n_constrained, n_fair];
    assert!(counts.into_iter().all(|n| n > 10), "{counts:?}");
}

#[test]
fn what_the_others_imply_kills_nothing_alone() {
    let (mut n_yes, mut n_no) = (0, 0);
    for seed in 0..300 {
        let mut model = random_model(seed);
        let Some(mut machine) = engine(&model) else { continue };
        let (held, mutants) = held_and_mutants(&model, &mut machine, 20);
        if held.len() < 2 {
            continue;
        }
        let plain = model.clone();
        let mut auditor = Auditor::new(&mut model, &mut machine, &held, false, &Options::default());
        let verdicts: Vec<Verdict> = mutants.iter().map(|mutant| auditor.judge(mutant)).collect();
        for property in &held {
            let others: Vec<usize> = held.iter().copied().filter(|other| other != property).collect();
            let found = implied(&plain, *property, &others, &Options::default());
            n_yes += usize::from(found == Implied::Yes);
            n_no += usize::from(found == Implied::No);
            if found == Implied::Yes {
                let is_alone = |(mutant, verdict): (&MachineMutant, &Verdict)| {
                    mutant.keeps_meanings() && matches!(verdict, Verdict::Killed(by) if by == &[*property])
                };
                let text = testing::random_smv(seed);
                assert!(!mutants.iter().zip(&verdicts).any(is_alone), "seed {seed}, property {property}\n{text}");
            }
        }
    }
    assert!(n_yes > 10 && n_no > 10, "{n_yes} {n_no}");
}

#[test]
fn implication_is_decided_for_constraints_on_states_and_steps() {
    let text = "MODULE main VAR n : 0..7; on : boolean;
        ASSIGN init(n) := 0; next(n) := n < 5 ? n + 1 : 0; init(on) := FALSE; next(on) := n = 3;
        INVARSPEC NAME small := n < 6
        SPEC NAME weaker := AG n < 7
        SPEC NAME first := n = 0
        LTLSPEC NAME up := G (n < 5 -> X n > 0)
        SPEC NAME back := AG (n = 5 -> AX n = 0)
        SPEC NAME within := AG (n = 5 -> AX n < 6)
        SPEC NAME again := AG EF n = 0
        SPEC NAME two := AG (n = 5 -> AX AX n < 6)";
    let model = testing::model(text);
    let all: Vec<usize> = (0..model.properties.len()).collect();
    let is_implied = |property: usize, others: &[usize]| implied(&model, property, others, &Options::default());
    let without = |property: usize| all.iter().copied().filter(|other| *other != property).collect::<Vec<_>>();
    let found = all.iter().map(|property| is_implied(*property, &without(*property)).word()).collect::<Vec<_>>();
    assert_eq!(found, ["undecided", "yes", "undecided", "undecided", "undecided", "yes", "undecided", "yes"]);
    // Without `again`, all others but `two` are constraints on states and steps.
    let constraints = |property: usize| (0..6).filter(|other| *other != property).collect::<Vec<_>>();
    let found = (0..6).map(|property| is_implied(property, &constraints(property)).word()).collect::<Vec<_>>();
    assert_eq!(found, ["no", "yes", "no", "no", "no", "yes"]);
    // It asks for the existence of a path, and holds on the permissive machine: that says nothing of others.
    assert_eq!(is_implied(6, &constraints(6)), Implied::Undecided);
}

/// Keeps some elements of a list.
fn retain<T>(list: &mut Vec<T>, kept: Vec<bool>) {
    let mut kept = kept.into_iter();
    list.retain(|_| kept.next().expect("there is a word for each"));
}

/// The machine with nothing but some of its parts.
fn only(model: &Model, places: &[Place]) -> TransitionSystem {
    let mut system = model.system.clone();
    let keep =
        |place: fn(usize) -> Place, n: usize| (0..n).map(|index| places.contains(&place(index))).collect::<Vec<_>>();
    retain(&mut system.assigns, keep(Place::Assign, model.assigns.len()));
    retain(&mut system.init, keep(Place::Init, model.init.len()));
    retain(&mut system.invar, keep(Place::Invar, model.invar.len()));
    retain(&mut system.trans, keep(Place::Trans, model.trans.len()));
    system
}

#[test]
fn a_property_holds_on_every_machine_with_the_core_of_its_proof() {
    let (mut n_cores, mut n_smaller) = (0, 0);
    for seed in 0..400 {
        let model = random_model(seed);
        let Some(mut machine) = engine(&model) else { continue };
        let (held, _) = held_and_mutants(&model, &mut machine, 0);
        let Ok(mut sat) = Sat::new(model.system.clone(), &Options::default()) else { continue };
        for index in held {
            let (claim, at_start) = match safety_clause(&model, &model.properties[index]) {
                Some(SafetyClause::Always(claim)) => (claim, false),
                Some(SafetyClause::Initial(claim)) => (claim, true),
                None => continue,
            };
            let Ok(core) = sat.core(claim, at_start, &Budget::default()) else { continue };
            let part = only(&model, &core.places);
            let Ok(mut freed) = Symbolic::new(part, &Options { traces: false, ..Options::default() }) else { continue };
            let answer = freed.check(&model.properties[index]);
            let text = testing::random_smv(seed);
            assert!(answer.is_impossible(), "seed {seed}, property {index}: {core:?}\n{text}");
            n_cores += 1;
            n_smaller += usize::from(core.places.len() < model.assigns.len());
        }
    }
    assert!(n_cores > 30 && n_smaller > 10, "{n_cores} {n_smaller}");
}

#[test]
fn mutants_of_fairness_constraints_are_killed_by_liveness() {
    let text = "MODULE main VAR request : boolean; grant : boolean; busy : boolean;
        ASSIGN init(grant) := FALSE; init(busy) := TRUE;
          next(grant) := request & !busy;
        JUSTICE !busy
        COMPASSION (request, grant)
        SPEC AG (!request -> AX !grant)";
    let mut model = testing::model(text);
    let mut machine = engine(&model).unwrap();
    let (held, mutants) = held_and_mutants(&model, &mut machine, 1000);
    let of_fairness =
        |mutant: &&MachineMutant| mutant.changes.iter().any(|(place, _)| matches!(place, Place::Fairness(_)));
    let mutants: Vec<&MachineMutant> = mutants.iter().filter(of_fairness).collect();
    assert!(mutants.len() > 6, "{}", mutants.len());
    let plain = model.clone();
    let mut auditor = Auditor::new(&mut model, &mut machine, &held, true, &Options::default());
    let verdicts: Vec<Verdict> = mutants.iter().map(|mutant| auditor.judge(mutant)).collect();
    let missing = auditor.into_missing();
    let mut clauses: Vec<String> = Vec::new();
    for (mutant, verdict) in mutants.iter().zip(&verdicts) {
        match verdict {
            Verdict::Survived(survivor) => {
                let is_fair = matches!(survivor.difference, Difference::FairAdded(_) | Difference::FairRemoved(_));
                assert!(is_fair && survivor.difference.trace().loop_start.is_some(), "{mutant:?}");
                for place in &survivor.closed_by {
                    assert_eq!(missing[*place].form, Form::Liveness);
                    clauses.push(plain.show_expr(missing[*place].property.formula.expr));
                }
            }
            Verdict::Invalid(_) | Verdict::Equivalent => {}
            verdict => panic!("{mutant:?}: {verdict:?}"),
        }
    }
    assert!(clauses.iter().any(|clause| clause == "AG (busy -> AF !busy)"), "{clauses:?}");
    assert!(clauses.iter().any(|clause| clause == "G F request -> G F grant"), "{clauses:?}");
}
