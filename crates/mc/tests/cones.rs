//! Properties decided on their cones of influence, against the explicit interpreter on the whole model.

use specwright_mc::{Answer, BuildError, Cones, Engine, Options, Portfolio, Quantity, Symbolic, Witness};
use specwright_model::interp::{Graph, Length, Limits, Verdict, check_property, check_trace, eval_bool, kills};
use specwright_model::model::{Model, Property, PropertyKind};
use specwright_model::testing::{self, model, random_smv_with};
use specwright_model::{Node, Trace};

/// Two random models side by side, which know nothing of each other.
fn side_by_side(seed: u64) -> String {
    // Constraints hold everything together, so some models have few.
    let few = testing::Options { max_states: 24, justice: 10, compassion: 5, ..testing::Options::default() };
    let many = testing::Options { max_states: 24, ..testing::Options::default() };
    let side = |seed: u64, name: &str| {
        let options = if seed.is_multiple_of(3) { &many } else { &few };
        random_smv_with(seed, options).replacen("MODULE main", &format!("MODULE {name}"), 1)
    };
    let (left, right) = (side(2 * seed, "left"), side(2 * seed + 1, "right"));
    format!("{left}\n{right}\nMODULE main\nVAR l : left; r : right;\n")
}

fn checker(model: &Model, options: &Options, cones: Cones) -> Portfolio {
    Portfolio::new(model.system.clone(), &model.properties, [], options, cones, Engine::Auto)
        .expect("random models have values everywhere")
}

fn agree(expected: &Verdict, answer: &Answer<Witness>) -> bool {
    matches!((expected, answer), (Verdict::Holds, Answer::Impossible(_)) | (Verdict::Fails, Answer::Found(_)))
}

fn is_length(expected: &Verdict, answer: &Answer<Quantity>) -> bool {
    match (expected, answer) {
        (Verdict::Length(Length::Steps(a)), Answer::Found(Quantity::Steps(b))) => a == b,
        (Verdict::Length(Length::Infinite), Answer::Found(Quantity::Infinity))
        | (Verdict::Length(Length::Undefined), Answer::Found(Quantity::Undefined)) => true,
        _ => false,
    }
}

#[derive(Default)]
struct Seen {
    parts: usize,
    traces: usize,
    loops: usize,
    dead_ends: usize,
}

fn compare(seed: u64, text: &str, seen: &mut Seen) {
    let model = model(text);
    let Ok(graph) = Graph::explore(&model, Limits::default()) else { return };
    let options = Options { max_memory: 64 << 20, ..Options::default() };
    let mut checker = checker(&model, &options, Cones::Always);
    let mut engine = Symbolic::new(model.system.clone(), &options).expect("random models have values everywhere");
    for property in &model.properties {
        let answer = check_property(&graph, property).expect("random formulas have values");
        let place = || format!("seed {seed}, {}\n{text}", model.show_expr(property.formula.expr));
        if let PropertyKind::ComputeMin | PropertyKind::ComputeMax = property.kind {
            let length = checker.compute(property, &mut |_| ());
            assert!(is_length(&answer, &length), "interpreter {answer:?}, checker {length:?}: {}", place());
            continue;
        }
        let verdict = checker.check(property, &mut |_| ());
        assert!(agree(&answer, &verdict), "interpreter {answer:?}, checker {verdict:?}: {}", place());
        let whole = engine.check(property);
        match (&verdict, &whole) {
            (Answer::Found(Witness::Trace(ours)), Answer::Found(Witness::Trace(theirs))) => {
                assert_eq!(check_trace(&model, ours), Ok(()), "{}", place());
                assert_eq!(kills(&model, ours, property), Ok(true), "{ours:?}: {}", place());
                if let (None, None) = (ours.loop_start, theirs.loop_start) {
                    assert_eq!(ours.states.len(), theirs.states.len(), "{}", place());
                }
                seen.traces += 1;
                seen.loops += usize::from(ours.loop_start.is_some());
            }
            (Answer::Found(Witness::Prefix(ours)), _) => {
                assert_eq!(check_trace(&model, ours), Ok(()), "{}", place());
            }
            // A loop of one state says nothing, and may be one of several in the whole.
            (Answer::Found(ours), Answer::Found(theirs)) => {
                let is_nothing = matches!((ours, theirs), (Witness::Unshown, Witness::Unshown | Witness::Prefix(_)));
                assert!(is_nothing, "{ours:?}: {}", place());
            }
            _ => {}
        }
        if property.kind == PropertyKind::Invar && !speaks_of_steps(&model, property) {
            let expr = property.formula.expr;
            let theirs = engine.reaches_all(&[expr]);
            let ours = checker.reaches_all(property, &[expr]);
            assert_eq!(ours, theirs, "{}", place());
        }
    }
    let (ours, theirs) = (checker.sanity(None), engine.sanity());
    assert_eq!(ours.no_initial_state, theirs.no_initial_state, "seed {seed}\n{text}");
    assert_eq!(ours.no_fair_path, theirs.no_fair_path, "seed {seed}\n{text}");
    assert_eq!(ours.partly_unfair, theirs.partly_unfair, "seed {seed}\n{text}");
    assert_eq!(ours.deadlock.is_some(), theirs.deadlock.is_some(), "seed {seed}\n{text}");
    if let (Some(ours), Some(theirs)) = (ours.deadlock, theirs.deadlock) {
        assert_eq!(check_trace(&model, &ours), Ok(()), "seed {seed}\n{text}");
        assert_eq!(ours.states.len(), theirs.states.len(), "seed {seed}\n{text}");
        seen.dead_ends += 1;
    }
    seen.parts += checker.n_by_parts();
}

fn speaks_of_steps(model: &Model, property: &Property) -> bool {
    let is_step = |node: &Node| match node {
        Node::Next(_) => true,
        Node::Var(var) => model[*var].kind == specwright_model::model::VarKind::Input,
        _ => false,
    };
    model.mentions(property.formula.expr, is_step)
}

#[test]
fn cones_of_random_models_change_no_answer() {
    let mut seen = Seen::default();
    for seed in 0..150 {
        compare(seed, &side_by_side(seed), &mut seen);
        compare(seed, &testing::random_smv(seed), &mut seen);
    }
    let Seen { parts, traces, loops, dead_ends } = seen;
    assert!(parts > 800 && traces > 400, "{parts} answers by parts, {traces} traces");
    assert!(loops > 50 && dead_ends > 20, "{loops} loops, {dead_ends} dead ends");
}

/// Counters with different periods: together they have too many states to explore.
fn counters(n: usize, properties: impl Fn(usize) -> String) -> String {
    const PERIODS: [u32; 8] = [509, 521, 523, 541, 547, 557, 563, 569];
    let all = || PERIODS.iter().enumerate().take(n);
    let vars: Vec<String> = all().map(|(index, period)| format!("  c{index} : 0..{};\n", period - 1)).collect();
    let next = |index, period| format!("  init(c{index}) := 0; next(c{index}) := (c{index} + 1) mod {period};\n");
    let assigns: Vec<String> = all().map(|(index, period)| next(index, period)).collect();
    let properties: Vec<String> = (0..n).map(properties).collect();
    format!("MODULE main\nVAR\n{}ASSIGN\n{}{}", vars.concat(), assigns.concat(), properties.concat())
}

#[test]
fn a_whole_that_is_too_much_is_not_explored() {
    let text =
        counters(8, |n| format!("SPEC AG AF c{n} = 0\nINVARSPEC c{n} != 300\nCOMPUTE MIN [c{n} = 1, c{n} = 0]\n"));
    let model = model(&text);
    let mut checker = checker(&model, &Options::default(), Cones::Auto);
    for (index, property) in model.properties.iter().enumerate() {
        if index % 3 == 2 {
            let Answer::Found(Quantity::Steps(steps)) = checker.compute(property, &mut |_| ()) else {
                panic!("{index}")
            };
            assert!((508..569).contains(&steps), "{steps}");
            continue;
        }
        match (index % 3, checker.check(property, &mut |_| ())) {
            (0, Answer::Impossible(_)) => {}
            (1, Answer::Found(Witness::Trace(trace))) => {
                assert_eq!(check_trace(&model, &trace), Ok(()));
                assert_eq!(trace.n_steps(), 300);
            }
            (_, verdict) => panic!("property {index}: {verdict:?}"),
        }
    }
    let sanity = checker.sanity(Some(0));
    assert!(!sanity.is_partial && sanity.deadlock.is_none() && !sanity.no_fair_path);
    assert!(checker.n_states().is_none() && checker.n_by_parts() > 0);
}

#[test]
fn a_loop_that_takes_too_long_to_come_round_is_shown_without_what_cannot_matter() {
    let model = model(&counters(8, |n| format!("LTLSPEC F G c{n} = 0\n")));
    let mut checker = checker(&model, &Options::default(), Cones::Auto);
    for (var, property) in model.vars().map(|(var, _)| var).zip(&model.properties) {
        let Answer::Found(Witness::Trace(trace)) = checker.check(property, &mut |_| ()) else { panic!("it fails") };
        let Trace { states, loop_start } = &trace;
        assert!(loop_start.is_some() && states.len() <= 569);
        for state in states {
            assert!(model.vars().all(|(other, _)| (other == var) == state.get(other).is_some()));
        }
    }
}

#[test]
fn limits_that_the_whole_reaches_do_not_stop_its_parts() {
    let all = "VAR all : boolean;\nASSIGN init(all) := FALSE; next(all) := c0 = c1 & c2 = c3;\nSPEC AG AF all\n";
    let model = model(&(counters(4, |n| format!("SPEC AG AF c{n} = 0\n")) + all));
    let options = Options { max_nodes: Some(40_000), ..Options::default() };
    let mut engine =
        Symbolic::new(model.system.clone(), &options).expect("the steps have few nodes, the states have not");
    assert!(matches!(engine.check(&model.properties[0]), Answer::Undecided(_)));
    let mut checker = checker(&model, &options, Cones::Auto);
    let verdicts: Vec<Answer<Witness>> =
        model.properties.iter().map(|property| checker.check(property, &mut |_| ())).collect();
    let (last, others) = verdicts.split_last().unwrap();
    assert!(others.iter().all(Answer::is_impossible), "{others:?}");
    assert!(matches!(last, Answer::Undecided(_)), "{last:?}");
}

#[test]
fn what_has_no_value_is_found_wherever_it_is() {
    let text = "MODULE main\nVAR a : boolean; d : 0..3; e : 0..3; w : 0..60000;\n\
                ASSIGN next(a) := !a; next(d) := d + 1; next(w) := w + 1;\nINVAR 3 / e > 0\nSPEC AG AF a\n";
    let model = model(text);
    let sites = |cones| match Portfolio::new(
        model.system.clone(),
        &model.properties,
        [],
        &Options::default(),
        cones,
        Engine::Auto,
    ) {
        Err(BuildError::Undefined(all)) => {
            let mut sites: Vec<_> = all.iter().map(|undefined| undefined.site.span()).collect();
            sites.sort_unstable();
            sites
        }
        _ => panic!("three expressions have no value somewhere"),
    };
    assert_eq!(sites(Cones::Off).len(), 3);
    assert_eq!(sites(Cones::Off), sites(Cones::Always));
}

#[test]
fn a_variable_without_bounds_is_refused_even_where_it_cannot_matter() {
    let model =
        model("MODULE main\nVAR a : boolean; n : integer;\nASSIGN next(a) := !a; next(n) := n + 1;\nSPEC AG AF a\n");
    for cones in [Cones::Auto, Cones::Off, Cones::Always] {
        let checker =
            Portfolio::new(model.system.clone(), &model.properties, [], &Options::default(), cones, Engine::Auto);
        assert!(matches!(checker, Err(BuildError::Unbounded(_))));
    }
}

#[test]
fn states_are_reached_in_cones() {
    let model = model(&counters(8, |_| String::new()));
    let expr = testing::expr(&model, "c1 = 200", None);
    let mut checker =
        Portfolio::new(model.system.clone(), [], [expr], &Options::default(), Cones::Always, Engine::Auto).unwrap();
    let Answer::Found(trace) = checker.reach(expr) else { panic!("it can be reached") };
    assert_eq!((check_trace(&model, &trace), trace.n_steps()), (Ok(()), 200));
    assert_eq!(eval_bool(&model, expr, trace.states.last().unwrap(), None), Ok(true));
}

/// A model whose bits diagrams cannot multiply, though its property is inductive; and one as large that they know at a glance.
#[test]
fn models_of_many_bits_are_left_to_sat_unless_a_glance_is_enough() {
    let hard = model(
        "MODULE main VAR a : unsigned word[60]; b : unsigned word[60]; c : unsigned word[60]; d : unsigned word[60];
           z : boolean;
         ASSIGN next(a) := a * b; next(b) := b * c; next(c) := c * d; next(d) := d * a;
           init(z) := FALSE; next(z) := z & a * b > c * d;
         INVARSPEC !z;",
    );
    let bits: Vec<String> = (0..250).map(|n| format!("VAR x{n} : boolean; ASSIGN next(x{n}) := !x{n};\n")).collect();
    let easy = model(&format!("MODULE main\n{}INVARSPEC x1 | !x1;", bits.concat()));
    let check = |model: &Model| {
        let mut checker = checker(model, &Options::default(), Cones::Auto);
        let answer = checker.check(&model.properties[0], &mut |_| ());
        assert!(matches!(answer, Answer::Impossible(_)), "{answer:?}");
        checker.explore_a_little(500_000).expect("nothing interrupts it");
        (checker.n_by_sat(), checker.n_states().is_some())
    };
    assert_eq!(check(&hard), (1, false));
    assert_eq!(check(&easy), (0, true));
}
