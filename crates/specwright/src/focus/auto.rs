//! `--keep auto`: a focus that grows as long as it pays.

use crate::events::Events;
use crate::failure::Failure;
use crate::limits::Limits;
use crate::policy::{FOCUS_PATIENCE, FOCUS_ROUNDS, FOCUS_WORTH, WIDER_STEPS};
use specwright_mc::reduction::Reduction;
use specwright_mc::{Answer, Options, Proof, Symbolic};
use specwright_model::op::BinaryOp;
use specwright_model::{Domain, Model, Node, Value};
use specwright_testgen::criteria::{self, Properties};
use specwright_testgen::focus::{Keep, Reach, Reduced, propose, reduce, relevant, widen};
use specwright_testgen::generate::{Options as Tests, Run, generate};
use specwright_testgen::goal::Goal;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Chooses what to keep of each variable with very many values, and says why.
pub(super) fn choose(
    events: &mut dyn Events,
    model: &Model,
    chosen: Vec<Keep>,
    wanted: &criteria::Options,
    limits: &Limits,
) -> Result<Vec<Keep>, Failure> {
    let start = propose(model, &chosen);
    if start.is_empty() {
        if chosen.is_empty() {
            events.error("--keep auto: no variable has very many values; it works without `--keep`");
            return Err(Failure::Invalid);
        }
        return Ok(chosen);
    }
    // What restates the machine has more mutants in a wider focus; an author's properties always have the same.
    let mut wanted = wanted.clone();
    if !model.properties.is_empty() {
        wanted.mutation.properties = Properties::Own;
    }
    let mut best: Option<(Vec<Keep>, usize)> = None;
    let mut patience = FOCUS_PATIENCE;
    let mut before: Vec<Keep> = Vec::new();
    let mut why = "the limit of rounds is reached";
    for by in 0..=FOCUS_ROUNDS {
        let keeps: Vec<Keep> = chosen.iter().cloned().chain(start.iter().map(|keep| widen(model, keep, by))).collect();
        if keeps == before {
            why = "there are no more values";
            break;
        }
        before.clone_from(&keeps);
        let Some((used, score)) = score(model, &keeps, &wanted, limits) else {
            why = "a limit is reached beyond";
            break;
        };
        let text = show(model, &used);
        events.note(format_args!("--keep auto: {text} covers {}.{} % of its goals", score / 10, score % 10));
        match &best {
            Some((_, known)) if score < known + FOCUS_WORTH => {
                patience -= 1;
                if patience == 0 {
                    why = "more values cover few further goals";
                    break;
                }
            }
            _ => (best, patience) = (Some((used, score)), FOCUS_PATIENCE),
        }
    }
    let Some((keeps, _)) = best else {
        let keeps: Vec<Keep> = chosen.iter().cloned().chain(start.iter().map(|keep| widen(model, keep, 0))).collect();
        events.note(format_args!(
            "--keep auto: {} is kept, from the initial values and constants on; a limit is reached in it",
            show(model, &keeps)
        ));
        return Ok(keeps);
    };
    events.note(format_args!(
        "--keep auto: {} is kept, from the initial values and constants on; {why}",
        show(model, &keeps)
    ));
    Ok(keeps)
}

fn show(model: &Model, keeps: &[Keep]) -> String {
    let texts: Vec<String> = keeps.iter().map(|keep| format!("`{}`", keep.text(model))).collect();
    texts.join(", ")
}

/// How much of its goals a focus covers, in per mille, and what of it is used at all.
fn score(model: &Model, keeps: &[Keep], wanted: &criteria::Options, limits: &Limits) -> Option<(Vec<Keep>, usize)> {
    let whole = model.clone();
    let wanted = criteria::Options { focus: keeps.to_vec(), ..wanted.clone() };
    let (goals, _) = criteria::collect(&whole, None, &wanted);
    // The same way as `generate` goes, so that what is promised here is what comes of it there.
    let relevant = relevant(&whole, &goals, &[], keeps);
    let part = relevant.as_ref().map(|cone| whole.reduced_to(cone.system()));
    let matters = |keep: &&Keep| relevant.as_ref().is_none_or(|part| part.cone().contains(keep.var));
    let reduced =
        reduce(part.as_ref().unwrap_or(&whole), &keeps.iter().filter(matters).cloned().collect::<Vec<_>>()).ok()?;
    let inside: Vec<Goal> = goals
        .iter()
        .map(|goal| Goal {
            target: reduced.target(goal.target, Reach::Inside),
            contradiction: None,
            bounds: Arc::default(),
            ..goal.clone()
        })
        .collect();
    let options = limits.options();
    let options = Options { budget: options.budget.limited(WIDER_STEPS), ..options };
    let mut engine = Symbolic::new(reduced.model.system.clone(), &options).ok()?;
    engine.within(&options.budget, |engine| engine.explore(&mut |_| ())).ok()?;
    let mut run = Run::new(goals.len());
    let options = Tests { budget: limits.budget(), ..Tests::default() };
    let done = generate(&mut engine, &inside, &options, &mut run, &mut |_, _| {
        if limits.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if done.is_break() {
        return None;
    }
    let reduced = Arc::new(reduced);
    let cone = relevant.iter().map(|cone| Arc::new(cone.clone()) as Arc<dyn Reduction>);
    let stack: Vec<Arc<dyn Reduction>> = cone.chain([Arc::clone(&reduced) as Arc<dyn Reduction>]).collect();
    let left = run.lift(&stack, &whole, &goals);
    let score = 1000 * left.counts().covered / goals.len().max(1);
    let trim = |keep| if matters(&keep) { trimmed(&mut engine, &reduced, keep) } else { keep.clone() };
    let used = keeps.iter().map(trim).collect();
    Some((used, score))
}

/// A range without the ends that are never reached in focus.
fn trimmed(engine: &mut Symbolic, reduced: &Reduced, keep: &Keep) -> Keep {
    let Domain::Range(mut low, mut high) = keep.values else { return keep.clone() };
    let mut is_reached = |number: i64| {
        let make = |node| engine.system().make(node).expect("numbers can be compared");
        let (var, sound) = (make(Node::Var(keep.var)), make(Node::Var(reduced.sound)));
        let number = make(Node::Const(Value::Int(number)));
        let equal = make(Node::Binary(BinaryOp::Eq, var, number));
        let both = make(Node::Binary(BinaryOp::And, sound, equal));
        !matches!(engine.reach(both), Answer::Impossible(Proof::Infeasible))
    };
    while low < high && !is_reached(low) {
        low += 1;
    }
    while low < high && !is_reached(high) {
        high -= 1;
    }
    Keep { var: keep.var, values: Domain::Range(low, high) }
}
