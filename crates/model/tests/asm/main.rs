//! The model of a machine agrees with direct execution of the machine.

mod calls;
mod choices;
mod direct;
mod domains;
mod library;
mod machines;
mod numbers;
mod random;
mod sequences;

use direct::{Location, Machine, Values};
use specwright_model::interface::Role;
use specwright_model::interp::{Explorer, SearchError, Step, eval_bool, initial_states, steps_from};
use specwright_model::lower::asm::{Const, Options, lower};
use specwright_model::model::{Model, Shape, VarKind};
use specwright_model::{Node, State, Value, VarId};
use specwright_syntax::asm::ast::{BinaryOp, File, Ident, RuleKind, Term, TermId, TermKind};
use specwright_syntax::asm::{codes, parse};
use specwright_syntax::span::{SourceMap, Span};
use std::collections::BTreeSet;

/// Number of states of each machine that are compared.
const STATES: usize = 60;

/// The tree and the model of a machine; `None` if it has an unbounded sequence, which the model cuts.
fn read(text: &str) -> Option<(File, Model)> {
    let mut sources = SourceMap::default();
    sources.add("random.asm", text).expect("it is small");
    let (file, diagnostics) = parse(&sources.files()[0]);
    assert!(diagnostics.is_empty(), "{diagnostics:?} in\n{text}");
    let (model, diagnostics) =
        lower(std::slice::from_ref(&file), &Options { name: "random".into(), mutants: true, ..Options::default() });
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?} in\n{text}"));
    diagnostics.is_empty().then_some((file, model))
}

/// All locations of a machine.
fn locations(machine: &Machine<'_>) -> Vec<Location> {
    let mut found = Vec::new();
    for decl in machine.file.functions.iter().filter(|decl| !decl.name.text.starts_with(['d', 'e'])) {
        match decl.params.first() {
            None => found.push((decl.name.text.to_string(), Vec::new())),
            Some(param) => {
                let args = machine.domain(&param.name.text);
                found.extend(args.into_iter().map(|arg| (decl.name.text.to_string(), vec![arg])));
            }
        }
    }
    found
}

fn name((function, args): &Location) -> String {
    args.iter().fold(function.clone(), |name, arg| format!("{name}.{arg}"))
}

/// The value of a location in a state of the model; a location without variables is constant.
fn value(model: &Model, machine: &Machine<'_>, state: &State, location: &Location) -> Const {
    if let Some(compound) = model.source.compounds.iter().find(|compound| compound.name == location.0) {
        return whole(model, state, &compound.shape);
    }
    match model.var_named(&name(location)) {
        Some(var) => single(model, state, var),
        None => machine.initial(location, &Values::new()),
    }
}

/// The value of a location after the change by the environment.
fn seen(model: &Model, machine: &Machine<'_>, state: &State, location: &Location) -> Const {
    match model.source.shared.iter().find(|shared| shared.name == alias(location)) {
        Some(shared) if state.get(shared.set) == Some(Value::Bool(true)) => whole(model, state, &shared.value),
        _ => value(model, machine, state, location),
    }
}

fn alias((function, args): &Location) -> String {
    let args: Vec<String> = args.iter().map(Const::to_string).collect();
    if args.is_empty() { function.clone() } else { format!("{function}({})", args.join(",")) }
}

/// The composite value of several variables.
fn whole(model: &Model, state: &State, shape: &Shape) -> Const {
    match shape {
        Shape::One(var) => single(model, state, *var),
        Shape::Seq { length, items } => {
            let all = || items.iter().map(|item| whole(model, state, item));
            match length.map(|length| single(model, state, length)) {
                None => Const::Seq(all().collect()),
                Some(Const::Int(n)) => usize::try_from(n).map_or(Const::Undef, |n| Const::Seq(all().take(n).collect())),
                _ => Const::Undef,
            }
        }
        Shape::Mixed { kind, cases } => {
            let kind = single(model, state, *kind).to_string();
            cases.iter().find(|(name, _)| *name == kind).map_or(Const::Undef, |(_, shape)| whole(model, state, shape))
        }
        Shape::Known(text) => match (text.as_str(), text.parse()) {
            ("undef", _) => Const::Undef,
            (_, Ok(number)) => Const::Int(number),
            (name, _) => Const::Atom(name.into()),
        },
        Shape::Tuple(parts) => {
            let parts: Vec<Const> = parts.iter().map(|part| whole(model, state, part)).collect();
            if parts.iter().all(|part| *part == Const::Undef) { Const::Undef } else { Const::Tuple(parts) }
        }
        Shape::Set(members) => {
            let inside = members.iter().filter(|(_, var)| single(model, state, *var) == Const::Bool(true));
            Const::set(inside.map(|(member, _)| Const::Atom(member.as_str().into())).collect())
        }
        Shape::Fraction(denominator, shape) => match whole(model, state, shape) {
            Const::Int(number) => {
                let [number, denominator] =
                    [number, *denominator].map(|number| f64::from(i32::try_from(number).expect("it is small")));
                Const::Atom(format!("{:?}", number / denominator).into())
            }
            other => other,
        },
    }
}

fn single(model: &Model, state: &State, var: VarId) -> Const {
    let flag = model.var_named(&format!("{}.defined", model[var].name));
    if flag.is_some_and(|flag| state.get(flag) == Some(Value::Bool(false))) {
        return Const::Undef;
    }
    match state.get(var).expect("states are complete") {
        Value::Bool(value) => Const::Bool(value),
        Value::Int(value) => Const::Int(value),
        Value::Symbol(symbol) if model.context.symbols.name(symbol) == "undef" => Const::Undef,
        Value::Symbol(symbol) => Const::Atom(model.context.symbols.name(symbol).into()),
        Value::Word(_) => unreachable!("machines have no words"),
    }
}

/// Compares the two, unless there are too many choices.
fn compare(text: &str) -> bool {
    let Some((file, model)) = read(text) else { return false };
    // With too many choices, hazards are not quantified over them.
    let chosen = |node: &Node| matches!(node, Node::Var(var) if model[*var].kind == VarKind::Input);
    if model.source.hazards.iter().any(|hazard| model.mentions(hazard.predicate, chosen)) {
        return false;
    }
    let machine = Machine { file: &file };
    let locations = locations(&machine);
    // A shared function that is never updated behaves like a monitored one.
    let monitored = |location: &Location| match &location.0[..1] {
        "h" => model.source.shared.iter().all(|shared| shared.name != alias(location)),
        function => function == "m",
    };
    let left = |state: &State| -> Values {
        let own = locations.iter().filter(|location| !monitored(location));
        own.map(|location| (location.clone(), value(&model, &machine, state, location))).collect()
    };
    let read_state = |state: &State| -> Values {
        locations.iter().map(|location| (location.clone(), seen(&model, &machine, state, location))).collect()
    };
    let initial = initial_states(&model, 1_000_000).expect("initial states are found");
    assert!(!initial.is_empty(), "no initial state of\n{text}");
    for state in &initial {
        let values = left(state);
        for location in &locations {
            let first = machine.initial(location, &values);
            // The environment sets the first value where the initial state has none, and of all shared functions.
            let given = location.0.starts_with('m') && first != Const::Undef && model.var_named(&location.0).is_some();
            if given || !monitored(location) {
                assert_eq!(value(&model, &machine, state, location), first, "{location:?} in\n{text}");
            }
        }
    }
    let explorer = Explorer::new(&model);
    let mut known: BTreeSet<State> = initial.iter().cloned().collect();
    let mut waiting = initial;
    let mut compared = 0;
    while let Some(state) = waiting.pop() {
        compared += 1;
        // Changes by the environment multiply the steps.
        if compared > if model.source.shared.is_empty() { STATES } else { STATES / 4 } {
            break;
        }
        let values = read_state(&state);
        let outcomes = machine.outcomes(&values);
        let clash = outcomes.iter().any(|outcome| outcome.clash);
        let fits = |outcome: &direct::Outcome| outcome.updates.iter().all(|(at, value)| machine.fits(at, value));
        let outside = outcomes.iter().any(|outcome| !outcome.clash && !fits(outcome));
        let happens = |code| {
            let hazards = model.source.hazards.iter().filter(|hazard| hazard.code == code);
            let mut reached = hazards.filter(|hazard| eval_bool(&model, hazard.predicate, &state, None) == Ok(true));
            reached.next().is_some()
        };
        assert_eq!(happens(codes::INCONSISTENT), clash, "contradictions in {values:?} of\n{text}");
        if outside {
            assert!(happens(codes::OUTSIDE), "leaving in {values:?} of\n{text}");
        } else if !clash {
            assert!(!happens(codes::OUTSIDE), "no leaving in {values:?} of\n{text}");
        }
        // Compare the steps.
        let after = |updates: &Values| -> Values {
            let mut next = values.clone();
            next.extend(updates.clone());
            next.retain(|location, _| !monitored(location));
            next
        };
        let valid = outcomes.iter().filter(|outcome| !outcome.clash && fits(outcome));
        let expected: BTreeSet<Vec<(Location, Const)>> =
            valid.map(|outcome| after(&outcome.updates).into_iter().collect()).collect();
        let steps = match steps_from(&explorer, &state, 200_000) {
            Err(SearchError::Limit) => return false,
            steps => steps.expect("steps are found"),
        };
        let mut found = BTreeSet::new();
        for step in &steps {
            found.insert(left(&step.next).into_iter().collect::<Vec<_>>());
        }
        assert_eq!(found, expected, "steps from {values:?} of\n{text}");
        if !clash && !outside {
            compare_coverage(&model, &outcomes, &steps, text);
            // There are many mutants, so they are compared in few states.
            for step in steps.iter().filter(|_| compared <= 2) {
                compare_mutants(&model, &file, step, &values, &left(&step.next), text);
            }
        }
        for step in steps {
            let mut next = step.next;
            for (var, declared) in model.vars() {
                if declared.kind == VarKind::Input {
                    next.set(var, None);
                }
            }
            if known.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    assert!(model.vars().all(|(id, var)| model.role(id) != Role::Input || var.name.starts_with(['m', 'h'])));
    true
}

/// An element is covered by some step if and only if it is executed, or changes a value, in some outcome.
fn compare_coverage(model: &Model, outcomes: &[direct::Outcome], steps: &[Step], text: &str) {
    for (kind, spans) in [
        ("node", outcomes.iter().flat_map(|outcome| outcome.executed.clone()).collect::<BTreeSet<Span>>()),
        ("update", outcomes.iter().flat_map(|outcome| outcome.changed.clone()).collect()),
    ] {
        let mut covered = BTreeSet::new();
        for element in model.source.elements.iter().filter(|element| element.kind == kind) {
            let exercised = steps
                .iter()
                .any(|step| element.instances.iter().any(|expr| eval_bool(model, *expr, &step.now, None) == Ok(true)));
            if exercised {
                covered.insert(element.span);
            }
        }
        assert_eq!(covered, spans, "{kind}s covered in\n{text}");
    }
}

/// A step kills a mutant if no step of the mutant leads to the same state.
fn compare_mutants(model: &Model, file: &File, step: &Step, values: &Values, next: &Values, text: &str) {
    for element in model.source.elements.iter().filter(|element| element.kind == "mutant") {
        let Some(rule) = file.rule_nodes.iter().position(|rule| rule.span == element.span) else { continue };
        let operator = element.name.split(' ').next().unwrap_or_default();
        let mut mutant = file.clone();
        mutant.rule_nodes[rule].kind = match (operator, file.rule_nodes[rule].kind.clone()) {
            ("RR", _) => RuleKind::Skip,
            ("CN", RuleKind::If(condition, then, otherwise)) => {
                let span = file[condition].span;
                mutant.terms.push(Term { kind: TermKind::Not(condition), span });
                // The negation of an undefined condition holds, while its `not` is undefined.
                let undefined = [TermKind::Apply(Ident { text: "isUndef".into(), span }, vec![condition])];
                mutant.terms.extend(undefined.map(|kind| Term { kind, span }));
                let n = mutant.terms.len() as u32;
                mutant.terms.push(Term { kind: TermKind::Binary(BinaryOp::Or, TermId(n - 2), TermId(n - 1)), span });
                RuleKind::If(TermId(n), then, otherwise)
            }
            ("P2S", RuleKind::Par(rules)) => RuleKind::Seq(rules),
            ("S2P", RuleKind::Seq(rules)) => RuleKind::Par(rules),
            _ => continue,
        };
        let machine = Machine { file: &mutant };
        let reproduced = machine.outcomes(values).iter().any(|outcome| {
            let mut after = values.clone();
            after.extend(outcome.updates.clone());
            after.retain(|location, _| next.contains_key(location));
            !outcome.clash && after == *next
        });
        let told = element.instances.iter().any(|expr| eval_bool(model, *expr, &step.now, None) == Ok(true));
        assert_eq!(told, !reproduced, "{} after {values:?} in\n{text}", element.name);
    }
}

#[test]
fn a_machine_and_its_model_agree() {
    let skipped = (0..200).filter(|seed| !compare(&random::machine(*seed))).count();
    assert!(skipped < 20, "{skipped} machines were not compared");
}
