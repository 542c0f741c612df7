//! Telling states apart on sets of pairs, against the explicit engine; and showing violations, against all reachable states.

use crate::LIMITS;
use crate::random::random_roles;
use specwright_mc::{Answer, Budget, Certainty, Claim, CompareMachines, Kill, Options, Symbolic, Tester};
use specwright_model::interface::{Observable, Role};
use specwright_model::interp::{Graph, Limits, Random, check_trace, eval_bool};
use specwright_model::model::VarKind;
use specwright_model::testing::{model, random_model, random_smv};
use specwright_model::{ExprId, Model, Node, State, Trace, VarId};

/// A machine whose inputs determine its steps, with two internal variables, and its text.
pub(crate) fn deterministic(random: &mut Random) -> (Model, String) {
    let has_step_input = random.percent(30);
    let mut atoms = vec!["i", "j = p", "x = 0", "x > 1", "y", "o", "x = 2 & y", "!i"];
    if has_step_input {
        atoms.push("k");
    }
    let term = |random: &mut Random, atoms: &[&'static str]| {
        let op = *random.pick(&["&", "|", "xor", "->"]);
        format!("({} {op} {})", random.pick(atoms), random.pick(atoms))
    };
    let choice = |random: &mut Random, values: &[&'static str]| {
        let n_branches = random.index(3);
        let branch = |random: &mut Random| format!("{} : {};", term(random, &atoms), random.pick(values));
        let branches: Vec<String> = (0..n_branches).map(|_| branch(random)).collect();
        format!("case {} TRUE : {}; esac", branches.join(" "), random.pick(values))
    };
    let plain = &atoms[..8];
    let step_input = if has_step_input { "IVAR k : boolean;" } else { "" };
    let defines = ["d", "b", "c"].map(|name| format!("{name} := {};", term(random, plain))).join(" ");
    let next = [("x", ["0", "1", "2", "x"]), ("y", ["y", "!y", "TRUE", "i"]), ("o", ["FALSE", "TRUE", "o", "y"])];
    let next = next.map(|(var, values)| format!("next({var}) := {};", choice(random, &values))).join(" ");
    let refuses = random.percent(30).then(|| *random.pick(&["y", "x = 1", "o", "x > 0 & !y"]));
    let refuses = refuses.map(|when| format!("TRANS {when} -> next(i);")).unwrap_or_default();
    let input = *random.pick(&["", "init(i) := FALSE;", "init(j) := p; next(j) := case i : {p, q}; TRUE : q; esac;"]);
    let text = format!(
        "MODULE main VAR i : boolean; j : {{p, q}}; x : 0..2; y : boolean; o : boolean; {step_input}
         DEFINE {defines} ASSIGN init(x) := 0; init(y) := FALSE; init(o) := FALSE; {input} {next} {refuses}"
    );
    let mut model = model(&text);
    for (name, role) in
        [("i", Role::Input), ("j", Role::Input), ("x", Role::Internal), ("y", Role::Internal), ("o", Role::Output)]
    {
        let var = model.var_named(name).expect("it is declared");
        model.set_role(var, role);
    }
    if let Some(var) = model.var_named("k") {
        model.set_role(var, Role::Input);
    }
    for name in ["d", "b", "c"] {
        let define = model.define_named(name).expect("it is defined");
        let role = if name == "d" && random.percent(30) { Role::Output } else { Role::Internal };
        model.interface.set(Observable::Define(define), role);
    }
    (model, text)
}

/// A state with other values of some variables.
fn with_others(model: &Model, random: &mut Random, state: &State, vars: &[VarId]) -> State {
    let mut other = state.clone();
    for var in vars {
        let values: Vec<_> = model[*var].domain.values().take(8).collect();
        other.set(*var, *random.pick(&values));
    }
    other
}

fn internal(model: &Model) -> Vec<VarId> {
    let is_internal = |var: &VarId| model.interface.role(Observable::Var(*var)) == Role::Internal;
    let vars = model.vars().filter(|(_, var)| var.kind != VarKind::Input).map(|(var, _)| var);
    vars.filter(is_internal).collect()
}

/// Compares the engines on some candidates. Returns the number of pairs that are told apart, of those that are alike, and of
/// those that only the explicit engine decides.
fn compare_candidates(model: &Model, random: &mut Random, place: &str) -> [usize; 3] {
    let mut counts = [0; 3];
    let observer = crate::all_sent(model);
    let vars = internal(model);
    let Ok(graph) = Graph::explore(model, Limits { states: 300, work: 100_000 }) else { return counts };
    if vars.is_empty() || graph.is_empty() {
        return counts;
    }
    let mut symbolic = Symbolic::new(model.system.clone(), &Options::default()).expect("random models have values");
    let mut tester = Tester::new(model, &observer, LIMITS);
    for _ in 0..4 {
        let test = graph.path_to(random.index(graph.len()));
        let at = test.states.len() - 1;
        let candidate = with_others(model, random, &test.states[at], &vars);
        let expected = tester.tell_apart(&test, at, &candidate);
        let answer = symbolic.tell_apart(&observer, &test, at, &candidate, false, &Budget::default());
        match (&expected, &answer) {
            (_, Answer::Undecided(_)) => counts[2] += 1,
            (Answer::Found(Kill { certainty: Certainty::Certain, trace }), Answer::Found(found)) => {
                counts[0] += 1;
                assert_eq!(check_trace(model, found), Ok(()), "{place}");
                assert_eq!(trace.states.len(), found.states.len(), "{place}");
                let told = tester.tells_apart(found, at, &candidate);
                assert_eq!(told, Ok(Some(Certainty::Certain)), "{place}");
            }
            (Answer::Impossible(_), Answer::Impossible(_)) => counts[1] += 1,
            _ => panic!("{place}: {expected:?} {answer:?}"),
        }
        // Other inputs may tell more, and never less.
        let chosen = symbolic.tell_apart(&observer, &test, at, &candidate, true, &Budget::default());
        assert!(!answer.is_found() || chosen.is_found(), "{place}");
        if let Answer::Found(found) = chosen {
            assert_eq!(check_trace(model, &found), Ok(()), "{place}");
            let mut other = candidate.clone();
            observer.inputs.iter().for_each(|var| other.set(*var, found.states[at].get(*var)));
            let told = tester.tells_apart(&found, at, &other);
            assert_eq!(told, Ok(Some(Certainty::Certain)), "{place}");
        }
    }
    counts
}

#[test]
fn pairs_of_states_are_told_apart_as_by_the_explicit_engine() {
    let mut total = [0; 3];
    let mut add = |counts: [usize; 3]| total.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
    for seed in 0..crate::n_seeds(1500) {
        let mut random = Random::new(seed);
        let (model, text) = deterministic(&mut random);
        add(compare_candidates(&model, &mut random, &text));
        let mut any = random_model(seed);
        random_roles(&mut any, &mut random);
        add(compare_candidates(&any, &mut random, &random_smv(seed)));
    }
    let [n_apart, n_alike, n_undecided] = total;
    assert!(n_apart > 1500 && n_alike > 1500 && n_undecided < n_apart + n_alike, "{total:?}");
}

/// The points at which an execution violates a claim.
fn violations(model: &Model, claim: &Claim, trace: &Trace) -> Vec<usize> {
    let holds = |expr: ExprId, state: &State| eval_bool(model, expr, state, None) == Ok(true);
    let is_violated = |at: &usize| {
        claim.before.is_none_or(|before| holds(before, &trace.states[at - 1])) && !holds(claim.expr, &trace.states[*at])
    };
    (usize::from(claim.is_step)..trace.states.len()).filter(is_violated).collect()
}

fn candidates(model: &Model, claim: &Claim, state: &State) -> Vec<State> {
    let mut all = vec![state.clone()];
    for var in &claim.internal {
        let values = |state: &State| -> Vec<State> {
            let domain = model[*var].domain.values();
            domain
                .map(|value| {
                    let mut state = state.clone();
                    state.set(*var, value);
                    state
                })
                .collect()
        };
        all = all.iter().flat_map(values).collect();
    }
    all.retain(|state| eval_bool(model, claim.expr, state, None) == Ok(true));
    all
}

/// Whether outputs can show the violation at the end of an execution.
fn can_show(model: &Model, tester: &mut Tester<'_>, claim: &Claim, trace: &Trace) -> bool {
    let at = trace.states.len() - 1;
    let candidates = candidates(model, claim, &trace.states[at]);
    candidates.is_empty() || candidates.iter().any(|other| tester.tell_apart(trace, at, other).is_found())
}

#[test]
fn a_violation_is_shown_exactly_if_some_reachable_state_shows_it() {
    let (mut n_shown, mut n_never, mut n_satisfied) = (0, 0, 0);
    for seed in 0..crate::n_seeds(700) {
        let mut random = Random::new(seed);
        let (mut model, text) = deterministic(&mut random);
        let observer = crate::all_sent(&model);
        let is_step = random.percent(60);
        let names = |model: &mut Model, name: &str| {
            let define = model.define_named(name).expect("it is defined");
            model.make(Node::Define(define)).expect("it is a condition")
        };
        let expr = names(&mut model, "b");
        let before = (is_step && random.percent(70)).then(|| names(&mut model, "c"));
        let all = internal(&model);
        let internal = if random.percent(60) { all } else { vec![*random.pick(&all)] };
        let claim = Claim { before, is_step, expr, internal };
        let mut symbolic = Symbolic::new(model.system.clone(), &Options::default()).expect("all has values");
        let answer = symbolic.show_violation(&observer, &claim, &Budget::default());
        let graph = Graph::explore(&model, Limits { states: 3000, work: 100_000 }).expect("it is small");
        let mut tester = Tester::new(&model, &observer, LIMITS);
        let mut paths = Vec::new();
        for from in 0..graph.len() {
            let path = graph.path_to(from);
            if is_step {
                for edge in &graph.edges[from] {
                    let mut longer = path.clone();
                    longer.states[path.states.len() - 1] = graph.now(from, *edge);
                    longer.states.push(graph.states[edge.to].clone());
                    paths.push(longer);
                }
            } else {
                paths.push(path);
            }
        }
        let is_violated = |path: &Trace| violations(&model, &claim, path).contains(&(path.states.len() - 1));
        let violated: Vec<&Trace> = paths.iter().filter(|path| is_violated(path)).collect();
        let expected = violated.iter().any(|path| can_show(&model, &mut tester, &claim, path));
        let by_interpreter = tester.show_violation(&claim, 256);
        assert_eq!(by_interpreter.is_found(), answer.is_found(), "{text}");
        assert_eq!(by_interpreter.is_impossible(), answer.is_impossible(), "{text}");
        match answer {
            Answer::Found(trace) => {
                n_shown += 1;
                assert!(expected, "{text}");
                assert_eq!(check_trace(&model, &trace), Ok(()), "{text}");
                let shows = violations(&model, &claim, &trace).into_iter().any(|at| {
                    let others = candidates(&model, &claim, &trace.states[at]);
                    let told = |other: &State| tester.tells_apart(&trace, at, other) == Ok(Some(Certainty::Certain));
                    others.is_empty() || others.iter().any(told)
                });
                assert!(shows, "{text}");
            }
            Answer::Impossible(_) => {
                n_never += 1;
                n_satisfied += usize::from(violated.is_empty());
                assert!(!expected, "{text}");
            }
            Answer::Undecided(reason) => panic!("{text}: {reason:?}"),
        }
    }
    assert!(n_shown > 200 && n_never - n_satisfied > 30, "{n_shown} shown, {n_never} never, {n_satisfied} hold");
}

/// Where the model may choose, against all executions of a few steps.
#[test]
fn a_violation_is_shown_exactly_if_some_history_shows_it() {
    let (mut n_shown, mut n_never, mut n_unknown) = (0, 0, 0);
    for seed in 0..crate::n_seeds(250) {
        let mut random = Random::new(seed);
        let mut model = random_model(seed);
        random_roles(&mut model, &mut random);
        let observer = crate::all_sent(&model);
        let is_step = random.percent(50);
        let expr = crate::random::atom(&mut model, &mut random, false);
        let before = (is_step && random.percent(70)).then(|| crate::random::atom(&mut model, &mut random, false));
        let claim = Claim { before, is_step, expr, internal: internal(&model) };
        let Ok(graph) = Graph::explore(&model, Limits { states: 60, work: 100_000 }) else { continue };
        if claim.internal.is_empty() {
            continue;
        }
        let mut tester = Tester::new(&model, &observer, LIMITS);
        let place = || format!("seed {seed}: {claim:?}\n{}", random_smv(seed));
        // Whether all candidates are known at the end of an execution, and whether some are told apart.
        let mut shows = |trace: &Trace, at: usize| -> (bool, bool) {
            let others = candidates(&model, &claim, &trace.states[at]);
            let answers = others.iter().map(|other| tester.tell_apart(trace, at, other)).collect::<Vec<_>>();
            let is_certain =
                |answer: &Answer<Kill>| matches!(answer, Answer::Found(kill) if kill.certainty == Certainty::Certain);
            let is_known = answers.iter().all(|answer| is_certain(answer) || answer.is_impossible());
            (is_known, others.is_empty() || answers.iter().any(is_certain))
        };
        let mut paths: Vec<(Trace, usize)> = (0..graph.n_initial).map(|state| (graph.path_to(state), state)).collect();
        let (mut some_shows, mut some_unknown) = (false, false);
        for at in 0..3 {
            for (path, _) in paths.iter().filter(|(path, _)| violations(&model, &claim, path).contains(&at)) {
                let (is_known, shown) = shows(path, at);
                some_shows |= is_known && shown;
                some_unknown |= !is_known;
            }
            let longer = paths.iter().flat_map(|(path, from)| {
                graph.edges[*from].iter().map(|edge| {
                    let mut path = path.clone();
                    path.states[at] = graph.now(*from, *edge);
                    path.states.push(graph.states[edge.to].clone());
                    (path, edge.to)
                })
            });
            paths = longer.take(40).collect();
        }
        match Tester::new(&model, &observer, LIMITS).show_violation(&claim, 256) {
            Answer::Found(trace) => {
                n_shown += 1;
                assert_eq!(check_trace(&model, &trace), Ok(()), "{}", place());
                let violated = violations(&model, &claim, &trace);
                assert!(violated.into_iter().any(|at| shows(&trace, at) == (true, true)), "{}", place());
            }
            Answer::Impossible(_) => {
                n_never += 1;
                assert!(!some_shows && !some_unknown, "{}", place());
            }
            Answer::Undecided(_) => {
                n_unknown += 1;
                assert!(!some_shows, "{}", place());
            }
        }
    }
    assert!(n_shown > 20 && n_never > 20 && n_unknown > 2, "{n_shown} shown, {n_never} never, {n_unknown} unknown");
}
