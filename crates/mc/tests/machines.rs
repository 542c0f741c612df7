//! The engine on the model of a machine, and a direct interpreter of the machine's rules, agree: on how many states can be
//! reached, on whether updates can contradict each other, and on which rules and updates a step can execute.

#[path = "../../model/tests/asm/direct.rs"]
mod direct;
#[path = "../../model/tests/asm/random.rs"]
mod random;

use direct::{Location, Machine, Outcome, Values};
use specwright_mc::{Answer, Options, Proof, Symbolic};
use specwright_model::lower::asm::{self, Const};
use specwright_model::model::VarKind;
use specwright_model::op::BinaryOp;
use specwright_model::{ExprId, Model, Node, TransitionSystem, Value};
use specwright_syntax::asm::ast::File;
use specwright_syntax::asm::{codes, parse};
use specwright_syntax::diagnostic::Code;
use specwright_syntax::span::{SourceMap, Span};
use std::collections::BTreeSet;

/// Machines with more states than this, inputs aside, take the interpreter too long.
const STATES: usize = 150;

fn read(text: &str) -> (File, Model) {
    let mut sources = SourceMap::default();
    sources.add("random.asm", text).expect("it is small");
    let (file, diagnostics) = parse(&sources.files()[0]);
    assert!(diagnostics.is_empty(), "{diagnostics:?} in\n{text}");
    let options = asm::Options { name: "random".into(), ..asm::Options::default() };
    let (model, diagnostics) = asm::lower(std::slice::from_ref(&file), &options);
    (file, model.unwrap_or_else(|| panic!("{diagnostics:?} in\n{text}")))
}

/// What a machine can do, by executing it in every state that it comes to.
#[derive(Default)]
struct Seen {
    /// The states without what is monitored.
    states: BTreeSet<Vec<(Location, Const)>>,
    /// The states with all that is monitored.
    n_states: usize,
    contradicts: bool,
    leaves: bool,
    executed: BTreeSet<Span>,
    changed: BTreeSet<Span>,
}

/// Nothing if there are too many states.
fn explore(machine: &Machine<'_>, model: &Model) -> Option<Seen> {
    let mut initial = Values::new();
    let mut inputs = vec![Values::new()];
    for decl in &machine.file.functions {
        let name = decl.name.text.to_string();
        // Derived functions, and shared ones, which no machine here uses.
        if name.starts_with(['d', 'e', 'h']) {
            continue;
        }
        let args = decl.params.first().map_or_else(
            || vec![Vec::new()],
            |param| machine.domain(&param.name.text).into_iter().map(|arg| vec![arg]).collect(),
        );
        for args in args {
            let location = (name.clone(), args);
            if !name.starts_with('m') {
                initial.insert(location.clone(), machine.initial(&location, &Values::new()));
            } else if model.var_named(&name).is_some() {
                let values = machine.domain(&decl.codomain.name.text);
                let with = |input: &Values, value: &Const| {
                    let mut input = input.clone();
                    input.insert(location.clone(), value.clone());
                    input
                };
                inputs = inputs.iter().flat_map(|input| values.iter().map(|value| with(input, value))).collect();
            }
        }
    }
    // Where the initial state says what is monitored, it is so at first.
    let is_first = |input: &&Values| {
        input.iter().all(|(at, value)| {
            let first = machine.initial(at, &initial);
            first == Const::Undef || first == *value
        })
    };
    let first_inputs: Vec<Values> = inputs.iter().filter(is_first).cloned().collect();
    let mut seen = Seen { n_states: first_inputs.len(), ..Seen::default() };
    let mut waiting = vec![(initial.clone(), &first_inputs)];
    while let Some((state, inputs_now)) = waiting.pop() {
        for input in inputs_now {
            let mut now = state.clone();
            now.extend(input.clone());
            for outcome in machine.outcomes(&now) {
                let fits = outcome.updates.iter().all(|(at, value)| machine.fits(at, value));
                seen.contradicts |= outcome.clash;
                seen.leaves |= !outcome.clash && !fits;
                if outcome.clash || !fits {
                    continue;
                }
                let Outcome { updates, executed, changed, .. } = outcome;
                seen.executed.extend(executed);
                seen.changed.extend(changed);
                let mut next = state.clone();
                next.extend(updates);
                if seen.states.insert(next.clone().into_iter().collect()) {
                    if seen.states.len() > STATES {
                        return None;
                    }
                    seen.n_states += inputs.len();
                    if next == initial {
                        seen.n_states -= first_inputs.len();
                    }
                    waiting.push((next, &inputs));
                }
            }
        }
    }
    Some(seen)
}

/// Any of these, in a state that a step leaves.
fn leaving(model: &TransitionSystem, instances: &[ExprId]) -> ExprId {
    let make = |node| model.make(node).expect("it is well-typed");
    let mut any = make(Node::Const(Value::Bool(false)));
    for instance in instances {
        any = make(Node::Binary(BinaryOp::Or, any, *instance));
    }
    let var = model.vars().find(|(_, var)| var.kind == VarKind::State).map(|(id, _)| id);
    let make = |node| model.make(node).expect("it is well-typed");
    let Some(var) = var else { return any };
    let now = make(Node::Var(var));
    let next = make(Node::Next(now));
    let step = make(Node::Binary(BinaryOp::Eq, next, next));
    make(Node::Binary(BinaryOp::And, any, step))
}

fn is_reached(engine: &mut Symbolic, expr: ExprId, text: &str) -> bool {
    match engine.reach(expr) {
        Answer::Found(_) => true,
        Answer::Impossible(Proof::Infeasible) => false,
        other => panic!("{other:?} in\n{text}"),
    }
}

/// Says whether the machine is small enough to be compared.
fn compare(text: &str) -> bool {
    let (file, model) = read(text);
    let Some(seen) = explore(&Machine { file: &file }, &model) else { return false };
    let mut engine =
        Symbolic::new(model.system.clone(), &Options::default()).unwrap_or_else(|error| panic!("{error:?} in\n{text}"));
    engine.explore(&mut |_| ()).expect("there is no limit");

    let states = engine.n_states().and_then(|count| count.exact);
    assert_eq!(states, Some(seen.n_states as u128), "states of\n{text}");

    let mut happens = |code: Code| {
        let hazards = model.source.hazards.iter().filter(|hazard| hazard.code == code);
        hazards.map(|hazard| hazard.predicate).any(|predicate| is_reached(&mut engine, predicate, text))
    };
    assert_eq!(happens(codes::INCONSISTENT), seen.contradicts, "contradictions in\n{text}");
    if seen.leaves || !seen.contradicts {
        assert_eq!(happens(codes::OUTSIDE), seen.leaves, "leaving in\n{text}");
    }

    for (kind, spans) in [("node", &seen.executed), ("update", &seen.changed)] {
        let mut covered = BTreeSet::new();
        for element in model.source.elements.iter().filter(|element| element.kind == kind) {
            let predicate = leaving(engine.system(), &element.instances);
            if is_reached(&mut engine, predicate, text) {
                covered.insert(element.span);
            }
        }
        assert_eq!(covered, *spans, "{kind}s that can be covered in\n{text}");
    }
    true
}

#[test]
fn the_engine_and_a_direct_interpreter_agree() {
    // Machines of odd seeds share functions with their environment.
    let n_compared = (0..1000).step_by(2).filter(|seed| compare(&random::machine(*seed))).count();
    assert!(n_compared >= 250, "{n_compared} machines were compared");
}
