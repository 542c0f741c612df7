//! Equivalence and subsumption on random models, compared with random walks and with the distinguishing traces.

use crate::engine;
use crate::support::{free_model, random_model, random_trace};
use specwright_mc::{Answer, Ends, Options as EngineOptions, Query, Symbolic};
use specwright_model::interp::{Explorer, Random, check_trace};
use specwright_model::op::UnaryOp;
use specwright_model::{Model, Node, Trace};
use specwright_testgen::criteria::{self, Mutation, Properties};
use specwright_testgen::goal::Goal;
use specwright_testgen::grade::{Bits, Grader, Quantifiers};
use specwright_testgen::winnow::{Redundant, Sameness, Which, Winnower, classes, subsumption, winnow};

/// Some mutants of a random model, or of one without fairness.
fn mutants(seed: u64, free: bool) -> Option<(Model, Symbolic, Vec<Goal>)> {
    let model = if free { free_model(seed, 3) } else { random_model(seed, 3) };
    let mut engine = Symbolic::new(model.system.clone(), &EngineOptions::default()).ok()?;
    let mutation = Mutation { properties: Properties::Own, ..Mutation::default() };
    let (mut goals, _) =
        criteria::collect(&model, Some(&mut engine), &criteria::Options { mutation, ..Default::default() });
    let step = goals.len().div_ceil(40).max(1);
    goals = goals.into_iter().step_by(step).collect();
    (!goals.is_empty()).then_some((model, engine, goals))
}

/// The exposures of goals as a grader, and whether any state exposes them.
fn exposures(model: &Model, goals: &[Goal]) -> (Grader, Vec<bool>) {
    let mut anywhere = Vec::new();
    let mut targets = Vec::new();
    for goal in goals {
        targets.push(match goal.target {
            Query::Falsify(formula) => {
                let mut claim = formula;
                let mut any = !model.mentions(formula, specwright_model::typing::is_temporal);
                while let Node::Unary(UnaryOp::AG | UnaryOp::G, inner) = model[claim] {
                    (claim, any) = (inner, true);
                }
                anywhere.push(any);
                let wish = model.make(Node::Unary(UnaryOp::Not, claim)).expect("claims are truth values");
                if any { Query::Reach(wish) } else { Query::Show(wish) }
            }
            target => {
                anywhere.push(matches!(target, Query::Reach(_)));
                target
            }
        });
    }
    (Grader::new(model, targets, Quantifiers::Path), anywhere)
}

fn meets(one: &Bits, other: &Bits) -> bool {
    one.iter().any(|state| other.contains(state))
}

/// Whether a trace reaches the first goal and not the second.
fn tells_apart(seen: &[(Bits, Bits)], anywhere: &[bool], trace: &Trace, ends: Ends, one: usize, other: usize) -> bool {
    let ((met, _), (other_met, other_missed)) = (&seen[one], &seen[other]);
    match ends {
        Ends::Anywhere if anywhere[one] == anywhere[other] => !met.is_subset(other_met),
        Ends::Anywhere => !met.is_empty() && other_met.is_empty(),
        Ends::Nowhere if anywhere[one] == anywhere[other] => meets(met, other_missed),
        Ends::Nowhere => {
            let never =
                if anywhere[other] { other_missed.count() == other_missed.limit() } else { other_missed.contains(0) };
            !met.is_empty() && never && (!anywhere[other] || trace.loop_start.is_some())
        }
    }
}

#[test]
fn walks_never_distinguish_duplicates_and_distinct_goals_have_a_distinguishing_trace() {
    let (mut n_same, mut n_shown, mut n_subsumed) = (0, 0, 0);
    for seed in 0..60 {
        for ends in [Ends::Nowhere, Ends::Anywhere] {
            let Some((model, mut engine, goals)) = mutants(seed, true) else { continue };
            let (mut grader, anywhere) = exposures(&model, &goals);
            let mut random = Random::new(seed);
            let walks: Vec<Trace> = (0..30).filter_map(|n| random_trace(&model, &mut random, 2 + n)).collect();
            let all: Vec<usize> = (0..goals.len()).collect();
            let mut winnower = Winnower::new(&mut engine, &goals, ends);
            let found = classes(&mut winnower, &all, Sameness::Paths, &mut |_| true);
            let distinct = found.distinct();
            let mut shown = Vec::new();
            for (one, other) in distinct.iter().zip(distinct.iter().skip(1)) {
                let mut equivalent = true;
                for (one, other) in [(*one, *other), (*other, *one)] {
                    match winnower.distinguish(one, other) {
                        Answer::Found(trace) => {
                            shown.push((one, other, trace));
                            equivalent = false;
                        }
                        Answer::Impossible(_) => {}
                        Answer::Undecided(_) => equivalent = false,
                    }
                }
                assert!(!equivalent, "seed {seed}, {ends:?}: {one} and {other} are different, but nothing shows it");
            }
            let relation = subsumption(&mut winnower, &distinct, &mut |_| true);
            for below in &relation.subsumes {
                for middle in below {
                    let at = relation.goals.iter().position(|goal| goal == middle).expect("it is one of them");
                    let by_way = relation.subsumes[at].iter().find(|far| below.contains(far));
                    assert_eq!(by_way, None, "seed {seed}, {ends:?}: not subsumed directly, but by way of {middle}");
                }
            }
            let model = &model;
            for walk in &walks {
                let seen = grader.exposures(model, walk);
                let text = |one: usize, other: usize| {
                    let of = |goal: usize| format!("{:?} {}", goals[goal].target, describe(model, &goals[goal]));
                    format!("seed {seed}, {ends:?}\n{}\n{}\n{walk:?}", of(one), of(other))
                };
                for (goal, first) in &found.of {
                    let apart = tells_apart(&seen, &anywhere, walk, ends, *goal, *first)
                        || tells_apart(&seen, &anywhere, walk, ends, *first, *goal);
                    assert!(!apart, "told apart: {}", text(*goal, *first));
                    n_same += usize::from(goal != first);
                }
                for (goal, below) in relation.goals.iter().zip(&relation.subsumes) {
                    for other in below {
                        let apart = tells_apart(&seen, &anywhere, walk, ends, *goal, *other);
                        assert!(!apart, "not subsumed: {}", text(*goal, *other));
                        n_subsumed += 1;
                    }
                }
            }
            for (one, other, trace) in &shown {
                assert_eq!(check_trace(model, trace), Ok(()));
                let seen = grader.exposures(model, trace);
                let apart = tells_apart(&seen, &anywhere, trace, ends, *one, *other);
                // In a deadlock nothing follows that could decide it.
                let dead = ends == Ends::Nowhere && trace.loop_start.is_none() && is_dead(model, trace);
                assert!(
                    apart || dead && tells_apart(&seen, &anywhere, trace, Ends::Anywhere, *one, *other),
                    "seed {seed}, {ends:?}: {} and {} are not told apart by {trace:?}",
                    describe(model, &goals[*one]),
                    describe(model, &goals[*other])
                );
                n_shown += 1;
            }
        }
    }
    assert!(n_same > 1000 && n_shown > 200 && n_subsumed > 1000, "{n_same} {n_shown} {n_subsumed}");
}

fn describe(model: &Model, goal: &Goal) -> String {
    let expr = goal.target.expr();
    model.show_expr(expr)
}

fn is_dead(model: &Model, trace: &Trace) -> bool {
    let last = trace.states.last().expect("executions have states");
    specwright_model::interp::Explorer::new(model).steps(last).next().is_none()
}

#[test]
fn trivial_goals_are_reached_by_every_loop() {
    let mut n_trivial = 0;
    for seed in 0..120 {
        let Some((model, mut engine, goals)) = mutants(seed, true) else { continue };
        let model = &model;
        let mut winnower = Winnower::new(&mut engine, &goals, Ends::Nowhere);
        let trivial: Vec<usize> = (0..goals.len()).filter(|goal| winnower.avoids(*goal).is_impossible()).collect();
        let mut grader = Grader::new(model, goals.iter().map(|goal| goal.target), Quantifiers::Path);
        let mut random = Random::new(seed);
        for n in 0..20 {
            let Some(walk) = random_trace(model, &mut random, 3 + n) else { continue };
            if walk.loop_start.is_some() {
                let reached = grader.reached(model, &walk);
                for goal in &trivial {
                    assert!(reached.contains(*goal), "seed {seed}: {} {walk:?}", describe(model, &goals[*goal]));
                    n_trivial += 1;
                }
            }
        }
    }
    assert!(n_trivial > 200, "{n_trivial}");
}

/// A random walk to a deadlock.
fn to_a_dead_end(model: &Model, random: &mut Random) -> Option<Trace> {
    const LONGEST: usize = 30;
    let explorer = Explorer::new(model);
    let mut choose = || Random::new(random.next_u64());
    let mut states = vec![explorer.initial().shuffled(choose()).next()?.ok()?.next];
    while states.len() < LONGEST {
        match explorer.steps(states.last()?).shuffled(choose()).next() {
            Some(step) => {
                let step = step.ok()?;
                *states.last_mut()? = step.now;
                states.push(step.next);
            }
            None => return Some(Trace { states, loop_start: None }),
        }
    }
    None
}

/// A goal that some execution does not reach before a deadlock is not trivial.
#[test]
fn trivial_goals_are_reached_before_every_deadlock() {
    let (mut n_trivial, mut n_other) = (0, 0);
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let (last, more) = (2 + random.index(3), ["x + 1", "{x, x + 1}", "b ? x + 1 : x"][random.index(3)]);
        let claims: Vec<String> = (0..4)
            .map(|_| {
                let at = random.index(last + 1);
                match random.index(7) {
                    0 => format!("INVARSPEC x < {at}\n"),
                    1 => format!("INVARSPEC x = {at} -> b\n"),
                    2 => format!("SPEC AG (x = {at} -> AX b)\n"),
                    3 => format!("LTLSPEC G (x = {at} -> c)\n"),
                    // What looks further ahead is not decided by single steps.
                    4 => format!("LTLSPEC G (x = {at} -> X X b)\n"),
                    5 => format!("SPEC AG (x = {at} -> AX (b -> AX c))\n"),
                    _ => "INVARSPEC b -> c\n".to_owned(),
                }
            })
            .collect();
        let text = format!(
            "MODULE main\nVAR x : 0..{last}; b : boolean; c : boolean;\n\
             ASSIGN init(x) := 0; next(x) := x = {last} ? x : {more}; init(b) := TRUE;\n\
             TRANS x != {last} & !(x = 1 & !b & !c);\n{}",
            claims.concat()
        );
        let model = &specwright_model::testing::model(&text);
        let mut engine = engine(model);
        let mutation = Mutation { properties: Properties::Own, ..Mutation::default() };
        let (goals, _) =
            criteria::collect(model, Some(&mut engine), &criteria::Options { mutation, ..Default::default() });
        let mut winnower = Winnower::new(&mut engine, &goals, Ends::Nowhere);
        let trivial: Vec<bool> = (0..goals.len()).map(|goal| winnower.avoids(goal).is_impossible()).collect();
        let mut grader = Grader::new(model, goals.iter().map(|goal| goal.target), Quantifiers::Path);
        let ends: Vec<Trace> = (0..40).filter_map(|_| to_a_dead_end(model, &mut random)).collect();
        assert!(!ends.is_empty(), "{text}");
        for walk in &ends {
            let reached = grader.reached(model, walk);
            for goal in (0..goals.len()).filter(|goal| trivial[*goal]) {
                assert!(reached.contains(goal), "seed {seed}: {} {walk:?}", describe(model, &goals[goal]));
            }
        }
        n_trivial += trivial.iter().filter(|trivial| **trivial).count();
        n_other += trivial.iter().filter(|trivial| !**trivial).count();
    }
    assert!(n_trivial > 50 && n_other > 500, "{n_trivial} trivial, {n_other} others");
}

#[test]
fn fairness_and_loops_do_no_harm() {
    for seed in 0..60 {
        let Some((_model, mut engine, goals)) = mutants(seed, false) else { continue };
        let mut winnower = Winnower::new(&mut engine, &goals, Ends::Anywhere);
        for goal in 1..goals.len().min(12) {
            if winnower.differ(0, goal).is_impossible() {
                assert!(winnower.differ(goal, 0).is_impossible(), "seed {seed}: being the same is mutual");
            }
        }
    }
}

/// What is the same as a trivial goal is left out as trivial, and not as a duplicate.
#[test]
fn duplicates_of_trivial_goals_are_trivial() {
    let mut n_trivial = 0;
    for seed in 0..60 {
        let Some((_model, mut engine, goals)) = mutants(seed, true) else { continue };
        let all: Vec<usize> = (0..goals.len()).collect();
        let mut winnower = Winnower::new(&mut engine, &goals, Ends::Nowhere);
        let same = classes(&mut winnower, &all, Sameness::Paths, &mut |_| true);
        let which = Which { trivial: true, duplicates: true, ..Which::default() };
        let found = winnow(&mut winnower, &all, which, Sameness::Paths, &mut |_, _| true);
        for (goal, first) in same.of.iter().filter(|(goal, first)| goal != first) {
            let trivial = found.redundant[*first] == Some(Redundant::Trivial);
            let expected = if trivial { Redundant::Trivial } else { Redundant::Duplicate(*first) };
            assert_eq!(found.redundant[*goal], Some(expected), "seed {seed}");
            n_trivial += usize::from(trivial);
        }
    }
    assert!(n_trivial > 10, "{n_trivial}");
}

/// A fragment of an execution says nothing about goals that look back, since it need not start where executions do.
#[test]
fn fragments_do_not_tell_goals_apart_that_look_back() {
    let text = "MODULE main VAR x : 0..3; b : boolean; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;
        LTLSPEC G (x = 2 -> X X b)
        LTLSPEC G (x = 2 -> X X X b)
        LTLSPEC G b
        LTLSPEC G (O x = 0 -> b)
        LTLSPEC G (H x < 2 -> b)";
    for ends in [Ends::Nowhere, Ends::Anywhere] {
        let model = specwright_model::testing::model(text);
        let goal = |(index, property): (usize, &specwright_model::model::Property)| Goal {
            id: format!("g{index}"),
            criterion: "mutation",
            groups: vec!["mutation".into()],
            description: String::new(),
            span: property.span,
            property: Some(index),
            target: Query::Falsify(property.formula.expr),
            pair: None,
            contradiction: None,
            bounds: std::sync::Arc::default(),
            mutant: None,
        };
        let goals: Vec<Goal> = model.properties.iter().enumerate().map(goal).collect();
        let mut engine = engine(&model);
        let mut winnower = Winnower::new(&mut engine, &goals, ends);
        let found = classes(&mut winnower, &[0, 1, 2, 3, 4], Sameness::Paths, &mut |_| true);
        assert_eq!(found.of, [(0, 0), (1, 1), (2, 2), (3, 2), (4, 4)], "{ends:?}");
    }
}
