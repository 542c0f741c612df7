//! Audits of random models: each verdict against a check of the mutant as a model of its own, and each missing property against
//! both machines.

use specwright_mc::{Answer, Options, Symbolic};
use specwright_model::model::{Property, PropertyKind};
use specwright_model::testing::random_model;
use specwright_model::{Model, testing};
use specwright_testgen::audit::{Auditor, Verdict, Why, fewest};
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
        let mut auditor = Auditor::new(&mut model, &mut machine, &held, true);
        let verdicts: Vec<Verdict> = mutants.iter().map(|mutant| auditor.judge(mutant)).collect();
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
