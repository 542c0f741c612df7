use crate::symbolic::relation::Relation;
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

/// Events and clusters are the same steps, forwards and backwards.
#[test]
fn moves_are_the_steps_of_the_relation() {
    for seed in 0..60 {
        let text = random_tasks(seed);
        let mut engine = Symbolic::new(model(&text).system, &Options::default()).unwrap();
        let events = engine.machine.relation.clone();
        let relation = Relation::new(&engine.manager, events.list().unwrap(), &events.alphabet).unwrap();
        let partition = events.partition.unwrap_or_else(|| panic!("no partition found in\n{text}"));
        let everywhere = engine.manager.and(&engine.machine.invar, &partition.domain).unwrap();
        let mut states = engine.machine.init.clone();
        for _ in 0..4 {
            let after = relation.image(&states).unwrap();
            assert_eq!(partition.image(&states).unwrap(), after, "seed {seed}\n{text}");
            states = engine.manager.or(&states, &after).unwrap();
            let before = relation.preimage(&after).unwrap();
            let before = engine.manager.and(&before, &everywhere).unwrap();
            assert_eq!(partition.preimage(&after, &everywhere).unwrap(), before, "seed {seed}\n{text}");
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
