//! Selection and identity of mutants.

use super::*;
use std::collections::BTreeSet;

const LIGHT: &str = "\
MODULE main
VAR light : {red, green}; ped : {red, green}; wait : boolean;
ASSIGN
  init(light) := red;
  next(light) := case wait : green; TRUE : {red, green}; esac;
SPEC NAME safe := AG !(light = green & ped = green)
SPEC AG (wait -> AF ped = green)
INVARSPEC NAME other := wait | light = red
";

fn list(text: &str, options: Options) -> Vec<Mutant> {
    Mutants::new(&load(text).0, options).collect()
}

fn ids(text: &str, options: Options) -> Vec<String> {
    list(text, options).iter().map(|mutant| mutant.id.to_string()).collect()
}

#[test]
fn names_survive_edits_elsewhere() {
    let before = ids(LIGHT, Options::default());
    assert_eq!(before.iter().collect::<BTreeSet<_>>().len(), before.len(), "names are unique");
    // Comments, new properties before and between, another order of declarations, another layout.
    let edited = "\
-- A crossing.
MODULE main
VAR wait : boolean; light : {red, green}; ped : {red, green}; n : 0..3;
ASSIGN
  next(light) := case wait : green; TRUE : {red, green}; esac;
  init(light) := red;
INVARSPEC n < 3
SPEC
  NAME safe := AG (!((light = green)
                     & ped = green))
LTLSPEC G n < 2
SPEC AG (wait -> AF ped = green)
INVARSPEC NAME other := wait | light = red
";
    let after: BTreeSet<String> = ids(edited, Options::default()).into_iter().collect();
    let lost: Vec<&String> = before.iter().filter(|id| !after.contains(*id)).collect();
    assert_eq!(lost, Vec::<&String>::new());
}

#[test]
fn names_do_not_depend_on_which_operators_are_applied() {
    let all: BTreeSet<String> = list(LIGHT, Options::default()).iter().map(|mutant| mutant.id.key()).collect();
    for info in OPERATORS.iter().filter(|info| info.default) {
        for mutant in list(LIGHT, operators(&[info.name])) {
            assert!(all.contains(&mutant.id.key()), "{}", mutant.id);
        }
    }
}

#[test]
fn equal_properties_have_mutants_with_different_ids() {
    let text = "MODULE main VAR a : boolean; INVARSPEC a INVARSPEC a";
    let ids = ids(text, operators(&["SNO"]));
    assert_eq!(ids[1], format!("{}-2", ids[0]));
}

#[test]
fn equal_changes_of_several_operators_are_one_mutant() {
    let text = "MODULE main VAR a : boolean; INVARSPEC a & a";
    let origins = |names: &[&str]| -> Vec<Vec<Operator>> {
        let mutants = list(text, operators(names));
        mutants.iter().map(|mutant| mutant.origins.iter().map(|origin| origin.operator).collect()).collect()
    };
    assert_eq!(origins(&["MCO"]), [[Operator::Mco, Operator::Mco]], "either of them may be the one that is missing");
    let both = origins(&["ENO", "SNO"]);
    assert_eq!(both, [vec![Operator::Eno], vec![Operator::Sno, Operator::Eno], vec![Operator::Sno, Operator::Eno]]);
}

#[test]
fn mutants_come_in_the_order_of_the_source_and_always_the_same() {
    for targets in [Targets::Properties, Targets::Machine] {
        let options = Options { targets, ..operators(&["all"]) };
        let mutants = list(LIGHT, options.clone());
        assert_eq!(mutants, list(LIGHT, options));
        let sites: Vec<u32> = mutants.iter().map(|mutant| mutant.site.sourced(&load(LIGHT).0).span().start).collect();
        assert!(sites.is_sorted());
    }
}

#[test]
fn one_property_can_be_chosen() {
    let options = Options { targets: Targets::PropertiesAt(vec![1]), ..Options::default() };
    let mutants = list(LIGHT, options);
    assert!(!mutants.is_empty() && mutants.iter().all(|mutant| mutant.site == SiteId::Property(1)));
}

#[test]
fn one_variable_can_be_chosen() {
    let (model, sources) = load(LIGHT);
    let wait = model.var_named("wait").unwrap();
    for targets in [Targets::Properties, Targets::Machine] {
        let options = Options { variables: vec![wait], targets, ..Options::default() };
        let mutants = list(LIGHT, options);
        assert!(!mutants.is_empty());
        for mutant in mutants {
            assert!(sources.text(mutant.span).contains("wait"), "{mutant:?}");
        }
    }
    // What is compared with the variable belongs to it.
    let options = Options { variables: vec![model.var_named("light").unwrap()], ..operators(&["CRO"]) };
    assert_eq!(list(LIGHT, options).len(), 2);
}

#[test]
fn places_can_be_chosen() {
    let (_, sources) = load(LIGHT);
    let start = LIGHT.find("AF ped").unwrap() as u32;
    let place = specwright_syntax::span::Span::new(start, start + 2);
    let mutants = list(LIGHT, Options { places: Some(vec![place]), ..Options::default() });
    let texts: BTreeSet<&str> = mutants.iter().map(|mutant| sources.text(mutant.span)).collect();
    assert_eq!(texts, BTreeSet::from(["wait -> AF ped = green"]));
    assert!(list(LIGHT, Options { places: Some(Vec::new()), ..Options::default() }).is_empty());
}

#[test]
fn mutants_can_be_ignored_whichever_operator_they_are_ascribed_to() {
    let all = list(LIGHT, Options::default());
    let sno = list(LIGHT, operators(&["SNO"]))[0].id;
    let eno = format!("ENO-{}", sno.key());
    let ignores = vec![
        Ignore { id: eno, reason: "equivalent".into() },
        Ignore { id: "ORO-00000000".into(), reason: "gone".into() },
    ];
    let (model, _) = load(LIGHT);
    let mut mutants = Mutants::new(&model, Options { ignores, ..Options::default() });
    let rest: Vec<Mutant> = mutants.by_ref().collect();
    assert_eq!(rest.len(), all.len() - 1);
    assert!(rest.iter().all(|mutant| mutant.id != sno));
    assert_eq!(mutants.unmet_ignores().map(|ignore| ignore.id.as_str()).collect::<Vec<_>>(), ["ORO-00000000"]);
}

#[test]
fn samples_are_repeatable_and_survive_edits() {
    let all = list(LIGHT, Options::default());
    let chosen = sample(all.clone(), 10, 7);
    assert_eq!(chosen.len(), 10);
    assert_eq!(chosen, sample(all.clone(), 10, 7));
    assert_ne!(chosen, sample(all.clone(), 10, 8));
    assert!(chosen.iter().map(|mutant| all.iter().position(|other| other == mutant)).is_sorted());
    assert_eq!(sample(all.clone(), all.len() + 5, 7), all);
    assert!(sample(all.clone(), 0, 7).is_empty());
    // With fewer mutants to choose from, those chosen before are chosen again.
    let fewer: Vec<Mutant> = all.iter().filter(|mutant| mutant.site != SiteId::Property(2)).cloned().collect();
    let again = sample(fewer.clone(), 10, 7);
    assert!(chosen.iter().filter(|mutant| fewer.contains(mutant)).all(|mutant| again.contains(mutant)));
}

#[test]
fn descriptions_say_what_is_changed() {
    let (model, _) = load("MODULE main VAR a : boolean; b : boolean; x : {on, off}; INVARSPEC a & x = on -> b");
    let mut mutants = Mutants::new(&model, Options::default());
    let mut seen = BTreeMap::new();
    while let Some(mutant) = mutants.next() {
        seen.entry(mutant.operator().name()).or_insert_with(|| mutant.description(mutants.model()));
    }
    let expected = [
        ("ASO", "replace `a & x = on -> b` with `a & (x = on -> b)`"),
        ("ENO", "negate `a & x = on -> b`"),
        ("LRO", "replace `->` with `&` in `a & x = on -> b`"),
        ("MCO", "drop `b`"),
        ("ORO", "replace `a` with `b`"),
        ("SNO", "negate `a`"),
        ("STO", "replace `a` with `FALSE`"),
    ];
    assert_eq!(seen, expected.map(|(name, text)| (name, text.to_owned())).into());
}
