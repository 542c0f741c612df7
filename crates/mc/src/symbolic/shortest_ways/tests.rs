use crate::bdd::Bdd;
use crate::encode::Time;
use crate::symbolic::reachability::Reach;
use crate::symbolic::witness::{Point, choose, walk_back};
use crate::symbolic::{Options, Symbolic};
use specwright_model::testing::{model, random_tasks};

/// Sets of states: each value of each variable, and each two of these.
fn targets(engine: &Symbolic) -> Vec<Bdd> {
    let mut single = Vec::new();
    for var in engine.state_vars() {
        for value in engine.layout.domain(var).values() {
            single.push(engine.layout.equals(&engine.manager, var, Time::Now, value).unwrap());
        }
    }
    let pairs = single.iter().enumerate().flat_map(|(n, one)| single[..n].iter().map(move |other| (one, other)));
    let both: Vec<Bdd> = pairs.map(|(one, other)| engine.manager.and(one, other).unwrap()).collect();
    single.into_iter().chain(both).collect()
}

/// Whichever end the search goes on from, the nearest states are the same, and so is the way to the first of them.
#[test]
fn both_ends_find_the_ways_that_rings_find() {
    let (mut n_deep, mut n_unreached) = (0, 0);
    for seed in 0..60 {
        let text = random_tasks(seed);
        let mut engine = Symbolic::new(model(&text).system, &Options::default()).unwrap();
        engine.explore(&mut |_| ()).unwrap();
        assert!(engine.has_events(), "no events found in\n{text}");
        let (manager, relation) = (&engine.manager, &engine.machine.relation);
        let mut forward = Reach::new(&engine.machine.init);
        let mut backward = engine.reach.clone();
        backward.too_few_steps = u64::MAX;
        let mut between = engine.reach.clone();
        between.extend(manager, relation).unwrap();
        between.too_few_steps = u64::MAX;
        for states in targets(&engine) {
            let expected = forward.shortest_ways(manager, relation, &states).unwrap();
            for reach in [&mut backward, &mut between] {
                let ways = reach.shortest_ways(manager, relation, &states).unwrap();
                let (Some(expected), Some(ways)) = (&expected, &ways) else {
                    assert_eq!(expected.is_some(), ways.is_some(), "seed {seed}\n{text}");
                    n_unreached += 1;
                    continue;
                };
                assert_eq!(expected.len(), ways.len(), "seed {seed}\n{text}");
                assert_eq!(expected.last(), ways.last(), "seed {seed}\n{text}");
                let walk = |ways: &[Bdd]| {
                    let wishes = engine.state_wishes();
                    walk_back(manager, relation, ways, choose(&ways[ways.len() - 1], &wishes), &wishes).unwrap()
                };
                assert_eq!(walk(expected), walk(ways), "seed {seed}\n{text}");
                // Walks that take steps back from earlier ones are the same, whichever ways led to these.
                let last = choose(&ways[ways.len() - 1], &engine.state_wishes());
                let shared = engine.walk_along_shortest(ways, last).unwrap().points;
                let states = |points: &[Point]| points.iter().map(|point| engine.decode(point)).collect::<Vec<_>>();
                assert_eq!(states(&walk(expected)), states(&shared), "seed {seed}\n{text}");
                n_deep += usize::from(ways.len() > 2);
            }
        }
        assert_eq!(backward.rings.len(), 1, "it went backward only");
    }
    assert!(n_deep > 100 && n_unreached > 100, "{n_deep} deep, {n_unreached} unreached");
}
