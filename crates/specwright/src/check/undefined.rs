//! What the evaluation of all values shows about a model, as diagnostics with the places they are about.

use specwright_mc::{BuildError, Sanity, Undefined, UndefinedReason};
use specwright_model::{Model, Node, SourcedExpr, State, VarId, interp};
use specwright_syntax::diagnostic::Diagnostic;
use specwright_syntax::smv::codes;
use specwright_syntax::span::Span;

/// At most this number of values of an example is told.
const TOLD: usize = 12;

/// Why the engine cannot take a model; nothing if that is only a matter of limits.
pub(crate) fn build_error(model: &Model, error: &BuildError) -> Vec<Diagnostic> {
    match error {
        BuildError::Unbounded(var) => vec![unbounded(model, *var)],
        BuildError::Undefined(all) => {
            let mut diagnostics: Vec<Diagnostic> =
                all.iter().map(|undefined| self::undefined(model, undefined)).collect();
            diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
            diagnostics
        }
        BuildError::Limit(_) => Vec::new(),
    }
}

fn unbounded(model: &Model, var: VarId) -> Diagnostic {
    let message = format!("`{}` can be any {}", model[var].name, model.number_kind(var));
    Diagnostic::error(codes::UNBOUNDED, model[var].span, message)
        .label("without bounds")
        .note("only finite models can be checked")
        .help("give it a range, such as `0..255`, or focus on some values: `generate` and `grade` take `--keep`")
}

/// An expression that has no value somewhere.
pub(crate) fn undefined(model: &Model, undefined: &Undefined) -> Diagnostic {
    let (code, message) = match undefined.reason {
        UndefinedReason::NoBranch => (codes::NO_BRANCH, "this `case` does not cover every situation".into()),
        UndefinedReason::DivisionByZero => (codes::DIVISION_BY_ZERO, "this can be a division by zero".into()),
        UndefinedReason::Index => (codes::BAD_INDEX, "this index can be outside of its array".into()),
        UndefinedReason::Shift => {
            (codes::BAD_SHIFT, "this can shift by a negative number or by more than the width".into())
        }
        UndefinedReason::Overflow => (codes::OVERFLOW, "this can be a number of more than 64 bits".into()),
        UndefinedReason::OutOfRange => (codes::BAD_VALUE, bad_value(model, undefined)),
    };
    let mut diagnostic = Diagnostic::error(code, part_span(model, undefined), message);
    if let Some(var) = undefined.var.filter(|_| undefined.reason == UndefinedReason::OutOfRange) {
        diagnostic = diagnostic.also(model[var].span, "declared here");
    }
    // Only what the expression speaks of matters.
    let support = interp::support(model, undefined.site.expr);
    let mut example = told(model, &undefined.now, "", |var| support.now.contains(&var));
    example.extend(told(model, &undefined.next, "next", |var| support.next.contains(&var)));
    if example.is_empty() { diagnostic } else { diagnostic.note(format!("for example when {}", list(&example))) }
}

fn bad_value(model: &Model, undefined: &Undefined) -> String {
    let Some(var) = undefined.var else { return "this can be a value out of range".into() };
    let values = interp::eval_set(model, undefined.site.expr, &undefined.now, Some(&undefined.next));
    let bad = values.ok().and_then(|values| values.iter().find(|value| !model[var].domain.contains(*value)));
    let bad = bad.map_or_else(|| "a value".into(), |value| model.show(value));
    format!("this can be {bad}, which `{}` cannot have", model[var].name)
}

/// The values of a state, as far as they are known.
pub(crate) fn told(model: &Model, state: &State, around: &str, wanted: impl Fn(VarId) -> bool) -> Vec<String> {
    let wanted = model.vars().filter(|(id, _)| wanted(*id));
    let known = wanted.filter_map(|(id, var)| Some((&var.name, model.show_of(id, state.get(id)?))));
    let name = |name: &str| if around.is_empty() { name.to_owned() } else { format!("{around}({name})") };
    known.map(|(var, value)| format!("{} = {value}", name(var))).collect()
}

pub(crate) fn list(words: &[String]) -> String {
    let more = if words.len() > TOLD { ", …" } else { "" };
    format!("{}{more}", words[..words.len().min(TOLD)].join(", "))
}

/// The place of the part that has no value.
fn part_span(model: &Model, undefined: &Undefined) -> Span {
    let SourcedExpr { expr, spans } = &undefined.site;
    // Where several processes assign a variable, the choice between them has no place of its own.
    let chosen = match &model[*expr] {
        Node::Case(branches) if undefined.part == *expr => branches.iter().find_map(|(guard, value)| {
            let holds = interp::eval_bool(model, *guard, &undefined.now, Some(&undefined.next));
            holds.unwrap_or(false).then_some(*value)
        }),
        _ => None,
    };
    let (mut stack, mut chosen_span) = (vec![*expr], None);
    for span in spans.iter() {
        let Some(expr) = stack.pop() else { break };
        if expr == undefined.part && span.is_some() {
            return *span;
        }
        if Some(expr) == chosen && span.is_some() {
            chosen_span = chosen_span.or(Some(*span));
        }
        stack.extend(model[expr].children().into_iter().rev());
    }
    chosen_span.unwrap_or_else(|| undefined.site.span())
}

/// What the properties of a model rest on, where it is not firm ground.
pub(crate) fn sanity(model: &Model, sanity: &Sanity) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut warn = |code, message: &str, notes: &[String]| {
        let diagnostic = Diagnostic::warning(code, Span::NONE, message);
        diagnostics.push(notes.iter().fold(diagnostic, Diagnostic::note));
    };
    if sanity.no_initial_state {
        let note = "every property holds vacuously".to_owned();
        warn(codes::NO_INITIAL_STATE, "no state is initial", &[note]);
        return diagnostics;
    }
    if let Some(way) = &sanity.deadlock {
        let last = way.states.last().map(|state| list(&told(model, state, "", |_| true))).unwrap_or_default();
        let notes = [
            format!("after {} steps, in the state {last}", way.states.len() - 1),
            "properties are about infinite paths, so they claim nothing about executions that end here".to_owned(),
        ];
        warn(codes::DEADLOCK, "a reachable state has no successor", &notes);
    }
    if sanity.no_fair_path {
        let note = "every property of all paths holds vacuously".to_owned();
        warn(codes::NO_FAIR_PATH, "there is no infinite fair path", &[note]);
    } else if sanity.partly_unfair {
        let note = "properties claim nothing about executions from these states".to_owned();
        warn(codes::NO_FAIR_PATH, "from some initial states no infinite fair path starts", &[note]);
    }
    if sanity.is_partial {
        let note = "`--timeout SECONDS` sets another limit for this search".to_owned();
        warn(codes::DEADLOCK, "states without a successor, or without a fair path, may have been missed", &[note]);
    }
    diagnostics
}
