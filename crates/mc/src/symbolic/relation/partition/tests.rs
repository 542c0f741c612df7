use crate::bdd::Bdd;
use crate::symbolic::relation::Relation;
use crate::symbolic::witness::choose;
use crate::symbolic::{Options, Symbolic};
use specwright_model::testing::{model, random_tasks};

/// Forty defines, each of which says the one before it twice, are one disjunct, not 2^40.
#[test]
fn defines_that_share_defines_are_walked_once() {
    let chain: Vec<String> = (1..40).map(|n| format!("d{n} := d{m} | d{m};", m = n - 1)).collect();
    let chain = chain.join("\n");
    let text = format!("MODULE main\nVAR x : boolean; y : boolean;\nDEFINE d0 := next(x) = x;\n{chain}\nTRANS d39\n");
    let mut engine = Symbolic::new(model(&text).system, &Options::default()).unwrap();
    engine.explore(&mut |_| ()).unwrap();
    assert_eq!(engine.n_states().and_then(|count| count.exact), Some(4));
}

/// The steps from a state of a set to one after it are the same by events and by clusters.
fn assert_steps_between(engine: &Symbolic, events: &Relation, relation: &Relation, states: &Bdd) {
    let (manager, wishes) = (&engine.manager, engine.state_wishes());
    if states.is_false() {
        return;
    }
    let from = choose(states, &wishes);
    let after = relation.image(&from.set(manager).unwrap()).unwrap();
    if after.is_false() {
        return;
    }
    let to = choose(&after, &wishes);
    let target = manager.swap_next(&to.set(manager).unwrap()).unwrap();
    let step = manager.and(&from.set(manager).unwrap(), &target).unwrap();
    let differing: Vec<_> =
        wishes.bits.iter().map(|(bit, _)| *bit).filter(|bit| from.has(*bit) != to.has(*bit)).collect();
    let steps = events.between(&step, &differing).unwrap();
    assert_eq!(steps, relation.within(&step).unwrap());
    assert!(!steps.is_false());
}

/// Events and clusters are the same steps, forwards and backwards.
#[test]
fn moves_are_the_steps_of_the_relation() {
    for seed in 0..60 {
        let text = random_tasks(seed);
        let mut engine = Symbolic::new(model(&text).system, &Options::default()).unwrap();
        let events = engine.machine.relation.clone();
        let relation = Relation::new(&engine.manager, events.list().unwrap(), &events.alphabet).unwrap();
        let partition = events.partition.clone().unwrap_or_else(|| panic!("no partition found in\n{text}"));
        let everywhere = engine.manager.and(&engine.machine.invar, &partition.domain).unwrap();
        let mut states = engine.machine.init.clone();
        for _ in 0..4 {
            let after = relation.image(&states).unwrap();
            assert_eq!(partition.image(&states).unwrap(), after, "seed {seed}\n{text}");
            states = engine.manager.or(&states, &after).unwrap();
            let before = relation.preimage(&after).unwrap();
            let before = engine.manager.and(&before, &everywhere).unwrap();
            assert_eq!(partition.preimage(&after, &everywhere).unwrap(), before, "seed {seed}\n{text}");
            assert_eq!(partition.preimage_of_few(&after, &everywhere).unwrap(), before, "seed {seed}\n{text}");
            assert_steps_between(&engine, &events, &relation, &after);
        }
        engine.explore(&mut |_| ()).unwrap();
        let closure = engine.reached();
        let impatient = partition.reachable_with(1, &engine.machine.init, &mut |_| ()).unwrap();
        assert_eq!(impatient, closure, "seed {seed}: sifted on the way\n{text}");
        let mut rings = crate::symbolic::reachability::Reach::new(&engine.machine.init);
        rings.complete(&engine.manager, &relation, &mut |_| ()).unwrap();
        assert_eq!(rings.known(), Some(&closure), "seed {seed}\n{text}");
    }
}
