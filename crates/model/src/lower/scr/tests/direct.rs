//! Random tables whose steps are compared with a direct interpretation: `WHEN` before the step, `WHERE` after it,
//! `WHILE` both; the first row that fires decides.

use crate::interp::check_step;
use crate::testing::scr;
use crate::{Model, State, Value};
use std::fmt::Write;

const MODES: [&str; 3] = ["X", "Y", "Z"];

/// The visible part of a state: inputs as bits, the mode, the term and the controlled variable.
#[derive(Clone, Copy, PartialEq)]
struct Seen {
    inputs: usize,
    mode: usize,
    term: bool,
    controlled: bool,
}

/// A literal, or two of them joined.
#[derive(Clone, Copy)]
struct Condition {
    literals: [(usize, bool); 2],
    /// `AND`, `OR`, or only the first literal.
    join: usize,
}

impl Condition {
    fn random(below: &mut impl FnMut(usize) -> usize) -> Condition {
        Condition { literals: [0; 2].map(|_| (below(3), below(2) == 0)), join: below(3) }
    }

    fn text(self) -> String {
        let [first, second] =
            self.literals.map(|(input, sign)| format!("{}{}", if sign { "" } else { "NOT " }, ["a", "b", "c"][input]));
        match self.join {
            0 => format!("{first} AND {second}"),
            1 => format!("{first} OR {second}"),
            _ => first,
        }
    }

    fn holds(self, inputs: usize) -> bool {
        let [first, second] = self.literals.map(|(input, sign)| (inputs >> input & 1 == 1) == sign);
        match self.join {
            0 => first && second,
            1 => first || second,
            _ => first,
        }
    }
}

/// `@T(c) WHEN d` and similar events; `@T(Inmode)` if there is no condition.
#[derive(Clone, Copy)]
struct Event {
    kind: usize,
    of: Option<Condition>,
    moment: usize,
    when: Condition,
}

impl Event {
    fn random(below: &mut impl FnMut(usize) -> usize, inmode: bool) -> Event {
        let of = if inmode && below(4) == 0 { None } else { Some(Condition::random(below)) };
        Event { kind: below(3), of, moment: below(4), when: Condition::random(below) }
    }

    fn text(self) -> String {
        let of = self.of.map_or_else(|| "Inmode".to_owned(), Condition::text);
        let event = format!("{}({of})", ["@T", "@F", "@C"][self.kind]);
        match self.moment {
            3 => event,
            moment => format!("{event} {} ({})", ["WHEN", "WHERE", "WHILE"][moment], self.when.text()),
        }
    }

    /// Whether it happens in a step, in a row of these modes.
    fn happens(self, modes: &[usize], before: Seen, after: Seen) -> bool {
        let changes = |old: bool, new: bool| [!old && new, old && !new, old != new][self.kind];
        let happens = match self.of {
            Some(of) => modes.contains(&before.mode) && changes(of.holds(before.inputs), of.holds(after.inputs)),
            None => modes.iter().any(|mode| changes(before.mode == *mode, after.mode == *mode)),
        };
        let (old, new) = (self.when.holds(before.inputs), self.when.holds(after.inputs));
        happens && [old, new, old && new, true][self.moment]
    }
}

/// The tables of the mode, of the term (events) and of the controlled variable (conditions).
struct Tables {
    transitions: Vec<(Vec<usize>, Vec<Event>, usize)>,
    events: Vec<(Vec<usize>, [Vec<Event>; 2])>,
    conditions: Vec<(Vec<usize>, Condition)>,
}

impl Tables {
    fn random(below: &mut impl FnMut(usize) -> usize) -> Tables {
        let cell = |below: &mut _, inmode: bool, n: usize| (0..n).map(|_| Event::random(below, inmode)).collect();
        let rows = [vec![vec![0, 1], vec![2]], vec![vec![1], vec![0, 2]], vec![vec![2, 1, 0]]];
        let mut transitions = Vec::new();
        for _ in 0..3 {
            let modes = rows[below(3)][0].clone();
            let n = 1 + below(2);
            transitions.push((modes, cell(below, false, n), below(3)));
        }
        let events = rows[below(3)].iter().map(|modes| {
            let [first, second] = [below(3), 1 + below(2)];
            (modes.clone(), [cell(below, true, first), cell(below, true, second)])
        });
        let events = events.collect();
        let conditions = rows[below(3)].iter().map(|modes| (modes.clone(), Condition::random(below))).collect();
        Tables { transitions, events, conditions }
    }

    fn text(&self) -> String {
        let modes = |modes: &[usize]| modes.iter().map(|mode| MODES[*mode]).collect::<Vec<_>>().join(", ");
        let cell = |events: &[Event]| match events {
            [] => "FALSE".to_owned(),
            _ => events.iter().map(|event| event.text()).collect::<Vec<_>>().join(" OR "),
        };
        let mut text = String::from(
            "monitored\n  a, b, c : boolean\nmodes\n  M : {X, Y, Z} initially X\nterms\n  t : boolean initially FALSE\n\
             controlled\n  d : boolean\ninputs any\nmode table M\n",
        );
        for (from, events, to) in &self.transitions {
            let _ = writeln!(text, "  {} | {} | {}", modes(from), cell(events), MODES[*to]);
        }
        text.push_str("event table t by M\n");
        for (of, [yes, no]) in &self.events {
            let _ = writeln!(text, "  {} | {} | {}", modes(of), cell(yes), cell(no));
        }
        text.push_str("  t' = | TRUE | FALSE\ncondition table d by M\n");
        for (of, condition) in &self.conditions {
            // `Inmode` holds in every mode of its row.
            let condition = match condition.join {
                0 => format!("{} AND Inmode", condition.text()),
                _ => condition.text(),
            };
            let _ = writeln!(text, "  {} | {condition} | NOT ({condition})", modes(of));
        }
        text + "  d = | TRUE | FALSE\n"
    }

    /// The controlled variable as a function of the inputs and the mode.
    fn controlled(&self, inputs: usize, mode: usize) -> bool {
        self.conditions.iter().any(|(modes, condition)| modes.contains(&mode) && condition.holds(inputs))
    }

    /// The successor of a state for new inputs.
    fn step(&self, before: Seen, inputs: usize) -> Seen {
        let mut after = Seen { inputs, ..before };
        let any = |events: &[Event], modes: &[usize], after: Seen| {
            events.iter().any(|event| event.happens(modes, before, after))
        };
        let fires = |(modes, events, _): &&(Vec<usize>, Vec<Event>, usize)| any(events, modes, after);
        if let Some((.., to)) = self.transitions.iter().find(fires) {
            after.mode = *to;
        }
        let cells = self.events.iter().flat_map(|(modes, [yes, no])| [(modes, yes, true), (modes, no, false)]);
        let fired = cells.into_iter().find(|(modes, events, _)| any(events, modes, after));
        after.term = fired.map_or(before.term, |(.., value)| value);
        after.controlled = self.controlled(inputs, after.mode);
        after
    }
}

fn state(model: &Model, seen: Seen) -> State {
    let mut state = State::empty(model.vars.len());
    let mut set = |name: &str, value| state.set(model.var_named(name).unwrap(), value);
    for (index, name) in ["a", "b", "c"].into_iter().enumerate() {
        set(name, Value::Bool(seen.inputs >> index & 1 == 1));
    }
    set("M", Value::Symbol(model.context.symbols.get(MODES[seen.mode]).unwrap()));
    set("t", Value::Bool(seen.term));
    set("d", Value::Bool(seen.controlled));
    state
}

#[test]
fn steps_agree_with_the_cells_of_tables() {
    let mut random = 11u64;
    let mut below = |n: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as usize % n
    };
    let all = |inputs: std::ops::Range<usize>| {
        inputs.flat_map(|inputs| {
            (0..12).map(move |rest| Seen { inputs, mode: rest / 4, term: rest & 2 != 0, controlled: rest & 1 != 0 })
        })
    };
    for _ in 0..20 {
        let tables = Tables::random(&mut below);
        let text = tables.text();
        let model = scr(&text, false);
        for before in all(0..8).filter(|seen| seen.controlled == tables.controlled(seen.inputs, seen.mode)) {
            for inputs in 0..8 {
                let wanted = tables.step(before, inputs);
                for after in all(inputs..inputs + 1) {
                    let step = check_step(&model, &state(&model, before), &state(&model, after));
                    assert_eq!(step.is_ok(), after == wanted, "{text}\n{}", model.name);
                }
            }
        }
    }
}
