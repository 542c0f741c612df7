//! Criteria on the rules of machines, compared with an explicit search.

use specwright_mc::{Answer, Options as Limits, Proof, Symbolic};
use specwright_model::interp::{Explorer, Random, eval_bool, initial_states, steps_from};
use specwright_model::lower::asm;
use specwright_model::model::{Model, VarKind};
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, Node, State, Value, VarId};
use specwright_syntax::asm::{codes, parse};
use specwright_syntax::span::SourceMap;
use specwright_testgen::criteria::{Options, collect, default_for};
use specwright_testgen::generate::{Options as Tests, Run, generate};
use specwright_testgen::goal::Goal;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::ControlFlow;

fn model(text: &str) -> Model {
    let mut sources = SourceMap::default();
    sources.add("rules.asm", text).expect("it is small");
    let (file, diagnostics) = parse(&sources.files()[0]);
    assert!(diagnostics.is_empty(), "{diagnostics:?} in\n{text}");
    let options = asm::Options { name: "rules".into(), mutants: true, ..asm::Options::default() };
    let (model, diagnostics) = asm::lower(&[file], &options);
    model.unwrap_or_else(|| panic!("{diagnostics:?} in\n{text}"))
}

/// What becomes of the goals of some criteria.
fn outcomes(model: &Model, names: &[&str]) -> Vec<(Goal, Answer<()>)> {
    let mut engine = Symbolic::new(model.system.clone(), &Limits::default()).expect("it is small");
    let criteria = names.iter().map(|name| (*name).to_owned()).collect();
    let (goals, _) = collect(model, Some(&mut engine), &Options { criteria, ..Options::default() });
    let mut run = Run::new(goals.len());
    let _ = generate(&mut engine, &goals, &Tests::default(), &mut run, &mut |_, _| ControlFlow::Continue(()));
    goals.into_iter().zip(run.outcomes.into_iter().map(|outcome| outcome.expect("all are decided"))).collect()
}

/// A machine of three guarded rules that may be inconsistent, and one that chooses.
fn machine(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut pick = |options: &[&str]| options[random.below(options.len() as u128) as usize].to_owned();
    let mut rules = String::new();
    for rule in 1..=3 {
        let atoms = ["a", "b", "x", "y", "not a", "not b", "not x", "not y"];
        let (one, op, other) = (pick(&atoms), pick(&["and", "or"]), pick(&atoms));
        let (target, value) = (pick(&["x", "y"]), pick(&["true", "false", "a", "not x"]));
        let _ = writeln!(rules, "\trule r_{rule} = if ({one}) {op} ({other}) then {target} := {value} endif");
    }
    let none = pick(&["", " ifnone x := true"]);
    format!(
        "asm rules\nimport StandardLibrary\nsignature:\n\tmonitored a: Boolean\n\tmonitored b: Boolean\n\
         \tcontrolled x: Boolean\n\tcontrolled y: Boolean\ndefinitions:\n{rules}\
         \trule r_pick = choose $v in Boolean with $v implies a do if y != $v then y := $v endif{none}\n\
         \tmain rule r_Main = par r_1[] r_2[] r_3[] r_pick[] endpar\n\
         default init s0:\n\tfunction x = false\n\tfunction y = true\n"
    )
}

/// All reachable states, without inputs of steps.
fn reachable(model: &Model) -> Vec<State> {
    let explorer = Explorer::new(model);
    let mut waiting = initial_states(model, 10_000).expect("they are few");
    let mut known: BTreeSet<State> = waiting.iter().cloned().collect();
    while let Some(state) = waiting.pop() {
        for step in steps_from(&explorer, &state, 10_000).expect("they are few") {
            let mut next = step.next;
            choices(model).for_each(|var| next.set(var, None));
            if known.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    known.into_iter().collect()
}

fn choices(model: &Model) -> impl Iterator<Item = VarId> + '_ {
    model.vars().filter(|(_, var)| var.kind == VarKind::Input).map(|(id, _)| id)
}

/// A state with every choice of the step.
fn chosen(model: &Model, state: &State) -> Vec<State> {
    let mut all = vec![state.clone()];
    for var in choices(model) {
        let with = |state: &State| -> Vec<State> {
            let values = model[var].domain.values();
            values
                .map(|value| {
                    let mut state = state.clone();
                    state.set(var, value);
                    state
                })
                .collect()
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// What becomes of taking a step from where all of these hold.
fn expected(model: &Model, states: &[State], guards: &[Vec<ExprId>]) -> Answer<()> {
    let holds = |expr: &ExprId, state: &State| eval_bool(model, *expr, state, None) == Ok(true);
    let all = |state: &State| guards.iter().all(|guard| guard.iter().any(|instance| holds(instance, state)));
    let explorer = Explorer::new(model);
    let steps = |state: &State| steps_from(&explorer, state, 10_000).expect("they are few");
    if states.iter().any(|state| steps(state).iter().any(|step| all(&step.now))) {
        return Answer::Found(());
    }
    let clash = |state: &State| {
        let hazards = model.source.hazards.iter().filter(|hazard| hazard.code == codes::INCONSISTENT);
        hazards.into_iter().any(|hazard| holds(&hazard.step, state))
    };
    let stopped = states.iter().any(|state| chosen(model, state).iter().any(|state| all(state) && clash(state)));
    if stopped { Answer::Impossible(Proof::Inconsistent(None)) } else { Answer::Impossible(Proof::Infeasible) }
}

/// Whether a condition holds in a state, as far as it is about the state alone: a goal also wants a step from there.
fn holds_where_known(model: &Model, expr: ExprId, state: &State) -> bool {
    match (eval_bool(model, expr, state, None), &model[expr]) {
        (Ok(truth), _) => truth,
        (Err(_), Node::Binary(BinaryOp::And, left, right)) => {
            holds_where_known(model, *left, state) && holds_where_known(model, *right, state)
        }
        _ => true,
    }
}

/// A guard of three conditions, with the values of the inputs that a goal may be covered by.
#[test]
fn conditions_of_guards_are_combined_missed_and_have_an_impact() {
    let model = model(
        "asm rules\nimport StandardLibrary\nsignature:\n\tmonitored a: Boolean\n\tmonitored b: Boolean\n\
         \tmonitored c: Boolean\n\tcontrolled x: Boolean\ndefinitions:\n\
         \tmain rule r_Main = if a and (b or not c) then x := not x endif\ndefault init s0:\n\tfunction x = false\n",
    );
    let inputs = ["a", "b", "c"].map(|name| model.var_named(name).unwrap());
    let states = |expr: ExprId| -> BTreeSet<String> {
        let holds = |bits: &usize| {
            let mut state = State::empty(model.vars.len());
            for (id, _) in model.vars() {
                state.set(id, Value::Bool(false));
            }
            for (at, input) in inputs.iter().enumerate() {
                state.set(*input, Value::Bool(bits >> at & 1 == 1));
            }
            holds_where_known(&model, expr, &state)
        };
        let name = |bits: usize| {
            ["a", "b", "c"].iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, n)| *n).collect()
        };
        (0..8).filter(holds).map(name).collect()
    };
    let goals = |criterion: &str| -> BTreeSet<BTreeSet<String>> {
        let outcomes = outcomes(&model, &[criterion]);
        assert!(outcomes.iter().all(|(_, outcome)| outcome.is_found()), "{criterion}");
        outcomes.iter().map(|(goal, _)| states(goal.target.expr())).collect()
    };
    let sets = |sets: &[&[&str]]| -> BTreeSet<BTreeSet<String>> {
        sets.iter().map(|set| set.iter().map(|name| (*name).to_owned()).collect()).collect()
    };
    assert_eq!(goals("rule-complete-condition").len(), 8);
    // Without `a`: not a, and b or not c. Without `b`: a, b, c. Without `c`: a, not b, not c.
    let missing = sets(&[&["", "b", "bc"], &["abc"], &["a"]]);
    assert_eq!(goals("rule-missing-condition"), missing);
    // a and b: true alone with c; false for a: b and c; for b: a and c. a and not c: alone without b; for a: "" (and b
    // with b); for c: a and c.
    let impact = sets(&[&["abc"], &["b", "bc"], &["ac"], &["a"], &["", "b"]]);
    assert_eq!(goals("rule-impact"), impact);
}

#[test]
fn nothing_is_infeasible_that_only_steps_beyond_a_bound_could_reach() {
    let machine = |limit: &str| {
        model(&format!(
            "asm rules\nimport StandardLibrary\nsignature:\n\tcontrolled list: Seq(Boolean)\n\tcontrolled x: Boolean\n\
             definitions:\n\tmain rule r_Main = par if length(list) < {limit} then list := append(list, true) endif \
             if length(list) = 30 then x := true endif endpar\ndefault init s0:\n\tfunction list = []\n\tfunction x = false\n"
        ))
    };
    let not_covered = |model: &Model| -> BTreeSet<String> {
        let outcomes = outcomes(model, &["basic-rule"]).into_iter().filter(|(_, outcome)| !outcome.is_found());
        outcomes.map(|(_, outcome)| format!("{outcome:?}")).collect()
    };
    assert_eq!(not_covered(&machine("100")), BTreeSet::from(["Undecided(Bounded)".to_owned()]));
    assert_eq!(not_covered(&machine("3")), BTreeSet::from(["Impossible(Infeasible)".to_owned()]));
}

#[test]
fn a_goal_that_only_inconsistent_updates_prevent_is_reported() {
    let mut n_found = 0;
    for seed in 0..60 {
        let text = machine(seed);
        let model = model(&text);
        let states = reachable(&model);
        let instances = |name: &str| {
            let element = model.source.elements.iter().find(|element| element.kind == "rule" && element.name == name);
            element.unwrap_or_else(|| panic!("no rule {name} in\n{text}")).instances.clone()
        };
        for (goal, outcome) in outcomes(&model, &["strong-parallel"]) {
            let names = goal.id.split_once(':').expect("ids say their criterion").1;
            let guards: Vec<Vec<ExprId>> = names.split('|').map(instances).collect();
            assert_eq!(outcome, expected(&model, &states, &guards), "{} in\n{text}", goal.id);
            n_found += usize::from(outcome == Answer::Impossible(Proof::Inconsistent(None)));
        }
        for (goal, outcome) in outcomes(&model, &["rule-update"]) {
            let element =
                model.source.elements.iter().find(|element| format!("rule-update:{}", element.name) == goal.id);
            let changes = element.expect("every goal is about an update").instances.clone();
            assert_eq!(outcome, expected(&model, &states, &[changes]), "{} in\n{text}", goal.id);
        }
        // Mutants that differ only where the machine has no step are equivalent.
        let mutants = outcomes(&model, &["rule-mutation"]);
        assert!(mutants.iter().all(|(_, outcome)| *outcome != Answer::Impossible(Proof::Inconsistent(None))), "{text}");
    }
    assert!(n_found > 20, "{n_found}");
}

/// Every rule is asked to fire in a step, and not to fire in a step.
#[test]
fn rules_are_asked_to_fire_and_to_rest() {
    for seed in 0..10 {
        let text = machine(seed);
        let model = &model(&text);
        let mut engine = Symbolic::new(model.system.clone(), &Limits::default()).expect("it is small");
        let (goals, _) =
            collect(model, Some(&mut engine), &Options { criteria: vec!["rule".into()], ..Options::default() });
        let rules: Vec<_> = model.source.elements.iter().filter(|element| element.kind == "rule").collect();
        for word in ["=fires", "=rests"] {
            assert!(goals.iter().any(|goal| goal.id.ends_with(word)), "{word} in\n{text}");
        }
        let explorer = Explorer::new(model);
        let states = reachable(model);
        let steps: Vec<_> =
            states.iter().flat_map(|state| steps_from(&explorer, state, 10_000).expect("few")).collect();
        for goal in &goals {
            let (name, word) = goal.id["rule:".len()..].split_once('=').expect("ids say what the rule does");
            let rule = rules.iter().find(|rule| rule.name == name).expect("goals are about rules");
            for step in &steps {
                let holds = |expr: ExprId| eval_bool(model, expr, &step.now, Some(&step.next)).expect("it has a value");
                let fires = rule.instances.iter().any(|guard| holds(*guard));
                assert_eq!(holds(goal.target.expr()), fires == (word == "fires"), "{} in\n{text}", goal.id);
            }
        }
    }
}

#[test]
fn strong_parallel_asks_for_single_rules_and_for_pairs() {
    let ids = |name: &str| -> BTreeSet<String> {
        let all = outcomes(&model(&machine(1)), &[name]);
        all.into_iter()
            .map(|(goal, _)| goal.id.split_once(':').expect("ids say their criterion").1.to_owned())
            .collect()
    };
    let (pairs, all) = (ids("parallel"), ids("strong-parallel"));
    let singles: BTreeSet<String> = all.difference(&pairs).cloned().collect();
    let rules: BTreeSet<&str> = pairs.iter().flat_map(|pair| pair.split('|')).collect();
    assert!(pairs.is_subset(&all) && pairs.iter().all(|pair| pair.contains('|')), "{pairs:?}");
    assert_eq!(singles.iter().map(String::as_str).collect::<BTreeSet<&str>>(), rules, "every rule on its own");
    assert_eq!(pairs.len(), rules.len() * (rules.len() - 1) / 2);
}

#[test]
fn machines_have_criteria_of_their_own() {
    let machine = model(&machine(1));
    let names = default_for(&machine);
    assert!(["rule", "rule-mutation"].iter().all(|name| names.iter().any(|known| known == name)), "{names:?}");
    assert!(names.iter().all(|name| name.contains("rule")), "{names:?}");
    assert_eq!(default_for(&Model::default()), ["mutation"]);
}
