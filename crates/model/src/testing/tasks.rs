//! Random interleaved systems of tasks, in two common formulations.

use crate::interp::Random;
use std::fmt::Write as _;

/// Number of tasks of a system.
const TASKS: usize = 8;

/// A random system of tasks: as a disjunction of transitions that leave most variables unchanged (even seeds), or as
/// assignments that read a scheduling variable (odd seeds).
pub fn random_tasks(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::from("MODULE main\n");
    let by_turn = seed % 2 == 1;
    for task in 0..TASKS {
        let domain = if task == 0 { "{a, b, c}" } else { "boolean" };
        let _ = writeln!(text, "VAR x{task} : {domain};");
    }
    if random.percent(30) {
        text.push_str("IVAR go : {yes, no, maybe};\n");
    }
    // A derived variable changes with the variables that it depends on.
    let derived = random.percent(30);
    if derived {
        let (a, b) = (atom(&mut random), atom(&mut random));
        let _ = writeln!(text, "VAR both : boolean;\nASSIGN both := {a} & {b};");
    }
    let goes = if text.contains("IVAR") { " & go != no" } else { "" };
    for task in 0..TASKS {
        let start = value(&mut random, task);
        let _ = writeln!(text, "INIT x{task} = {start}");
    }
    if by_turn {
        let kind = if !derived && random.percent(50) { "VAR" } else { "IVAR" };
        let _ = writeln!(text, "{kind} turn : 0..{};", TASKS - 1);
        text.push_str("ASSIGN\n");
        for task in 0..TASKS {
            let (guard, new) = (atom(&mut random), value(&mut random, task));
            let _ = writeln!(
                text,
                "  next(x{task}) := case turn = {task} & {guard}{goes} : {new}; turn = {task} : {}; TRUE : x{task}; esac;",
                choice(&mut random, task)
            );
        }
        // Some hold at first and after every step, some do not.
        if random.percent(40) {
            let [a, b, c, d] = std::array::from_fn(|_| atom(&mut random));
            let _ = writeln!(text, "TRANS next({a} | {b})\nTRANS {c} -> next({d})");
        }
    } else {
        let mut steps = Vec::new();
        for _ in 0..2 * TASKS {
            let mut moving = vec![random.index(TASKS)];
            if !derived && random.percent(30) {
                moving.push(random.index(TASKS));
            }
            let mut parts = vec![format!("{}{goes}", guard(&mut random))];
            for task in 0..TASKS {
                if moving.contains(&task) {
                    parts.push(format!("next(x{task}) in {}", choice(&mut random, task)));
                } else if random.percent(50) {
                    parts.push(format!("next(x{task}) = x{task}"));
                } else {
                    parts.push(format!("x{task} = next(x{task})"));
                }
            }
            steps.push(format!("({})", parts.join(" & ")));
        }
        let _ = writeln!(text, "TRANS {}", steps.join("\n  | "));
    }
    if random.percent(30) {
        let _ = writeln!(text, "INVAR {} | {}", atom(&mut random), atom(&mut random));
    }
    if random.percent(30) {
        let _ = writeln!(text, "FAIRNESS {}", atom(&mut random));
    }
    for _ in 0..2 {
        let [a, b, c] = std::array::from_fn(|_| atom(&mut random));
        let _ = writeln!(text, "INVARSPEC {a} | {b} | {c}");
        let _ = writeln!(text, "CTLSPEC AG ({a} -> EF ({b} & {c}))");
        let _ = writeln!(text, "CTLSPEC AG (EX TRUE | {a}) & ({b} -> EX TRUE)");
        let _ = writeln!(text, "CTLSPEC AG ({a} | {b}) -> AX {c}");
        let _ = writeln!(text, "CTLSPEC EF ({a} & {b} & {c})");
        let _ = writeln!(text, "CTLSPEC A [{a} U {b}] | EG {c}");
        let _ = writeln!(text, "LTLSPEC G ({a} -> F {b})");
    }
    text
}

fn value(random: &mut Random, task: usize) -> &'static str {
    if task == 0 { ["a", "b", "c"][random.index(3)] } else { ["FALSE", "TRUE"][random.index(2)] }
}

fn choice(random: &mut Random, task: usize) -> String {
    format!("{{{}, {}}}", value(random, task), value(random, task))
}

fn atom(random: &mut Random) -> String {
    let task = random.index(TASKS);
    format!("x{task} = {}", value(random, task))
}

/// The guard of a task, which may depend on another task.
fn guard(random: &mut Random) -> String {
    let task = random.index(TASKS);
    let x = if random.percent(20) { format!("next(x{task})") } else { format!("x{task}") };
    format!("{x} = {}", value(random, task))
}
