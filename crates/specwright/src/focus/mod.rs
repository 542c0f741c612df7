//! Finite focus: from what is kept to an engine for the reduced model, and what can go wrong.

mod auto;

use crate::check::undefined;
use crate::events::Events;
use crate::failure::Failure;
use crate::limits::Limits;
use crate::session::Session;
use crate::words::{count, hint};
use specwright_mc::bdd::Limit;
use specwright_mc::reduction::{ConeOfInfluence, Reduction};
use specwright_mc::{Answer, BuildError, Options, Proof, Query, Symbolic};
use specwright_model::interp::eval_set;
use specwright_model::model::AssignKind;
use specwright_model::op::BinaryOp;
use specwright_model::unparse::try_print_model;
use specwright_model::{Domain, Model, Node, State, Value, VarId, Word};
use specwright_syntax::escape::visible;
use specwright_testgen::criteria;
use specwright_testgen::focus::{Keep, KeepError, Quantized, Reach, Reduced, reduce};
use specwright_testgen::goal::Goal;
use specwright_testgen::suite;

impl Session {
    /// The finite-focus reduction of the model, as SMV.
    pub fn focus(&self, keep: &[String], limits: &Limits, events: &mut dyn Events) -> Result<String, Failure> {
        if keep.is_empty() {
            return Err(Failure::message("focus: give the values to keep, such as --keep 'x in 0..3'"));
        }
        let mut session = self.clone();
        let mut criteria = criteria::default_for(&session.model);
        // A focus is about formulas.
        criteria.retain(|name| name != criteria::MACHINE_MUTATION);
        let wanted = criteria::Options { criteria, ..criteria::Options::default() };
        let keeps = keeps(events, &mut session, keep, &wanted, limits)?;
        let reduced = reduced(events, &session.model, &keeps)?;
        fresh_engine(events, &session, &reduced, &limits.options(), false)?;
        for name in &reduced.left_out {
            let name = name.as_deref().unwrap_or("without a name");
            events.note(format_args!("the COMPUTE property {name} is left out: a focus changes the lengths of paths"));
        }
        let model = &session.model;
        let kept: Vec<String> =
            reduced.keeps.iter().map(|keep| format!("-- {}\n", visible(&keep.text(model)))).collect();
        Ok(format!(
            "-- {} reduced to a finite focus: `{}` is true until a value leaves it\n{}{}",
            visible(&model.name),
            reduced.model[reduced.sound].name,
            kept.concat(),
            try_print_model(&reduced.model).map_err(Failure::message)?
        ))
    }
}

/// What to keep, from texts such as `x in 0..3` and `auto`.
pub(crate) fn keeps(
    events: &mut dyn Events,
    session: &mut Session,
    keep: &[String],
    wanted: &criteria::Options,
    limits: &Limits,
) -> Result<Vec<Keep>, Failure> {
    let mut keeps: Vec<Keep> = Vec::new();
    for text in keep.iter().filter(|text| *text != "auto") {
        if let Some(line) = no_variable(&session.model, text) {
            events.error(format_args!("--keep: {line}"));
            return Err(Failure::Invalid);
        }
        let Ok(index) = session.sources.add("--keep", text.as_str()) else { return Err(Failure::Invalid) };
        let file = session.sources.files()[index].clone();
        let read = Keep::read(&session.model, &file, session.reading.dialect);
        let added = read.and_then(|read| read.iter().try_for_each(|keep| add(&session.model, &mut keeps, keep)));
        if let Err(error) = added {
            report(events, session, text, &error);
            return Err(Failure::Invalid);
        }
    }
    if keep.iter().any(|text| text == "auto") {
        auto::choose(events, &session.model, keeps, wanted, limits)
    } else {
        Ok(keeps)
    }
}

/// Keeps more; of a variable that is kept already, both counts.
fn add(model: &Model, keeps: &mut Vec<Keep>, keep: &Keep) -> Result<(), KeepError> {
    match keeps.iter_mut().find(|other| other.var == keep.var) {
        Some(other) => *other = other.and(model, keep)?,
        None => keeps.push(keep.clone()),
    }
    Ok(())
}

/// What is wrong with the name that a text starts with. It is looked at first, so that a wrong one is not taken for a
/// constant.
fn no_variable(model: &Model, text: &str) -> Option<String> {
    let text = text.trim_start_matches(['!', ' ']);
    let is_part = |c: char| c.is_alphanumeric() || "_$#.".contains(c);
    let name = text.split(|c: char| !is_part(c)).next().unwrap_or_default();
    let begins = |with: &str| {
        model.vars.iter().find(|var| var.name.strip_prefix(name).is_some_and(|rest| rest.starts_with(with)))
    };
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    // Names may go on with signs that are operators elsewhere.
    let known = model.vars.iter().any(|var| text.starts_with(var.name.as_str()));
    if !is_name || known || begins("[").is_some() || text[name.len()..].starts_with('(') {
        return None;
    }
    if let Some(var) = begins(".") {
        return Some(format!("`{name}` has parts; keep values of one, such as `{} in …`", var.name));
    }
    if model.define_named(name).is_some() {
        return Some(format!("`{name}` is computed from variables; keep values of those"));
    }
    let hint = hint(name, model.vars.iter().map(|var| var.name.as_str()));
    Some(format!("unknown variable `{name}` in {}{hint}", model.name))
}

/// Leaves inputs that are only compared with constants just the values that matter, but for those of which the user says
/// what to keep.
pub(crate) fn quantize(events: &mut dyn Events, model: &Model, keep: &[String]) -> Option<Quantized> {
    let named = |name: &str| {
        let rest = |text: &String| text.trim_start_matches(['!', ' ']).strip_prefix(name).map(str::to_owned);
        let ends = |rest: String| !rest.starts_with(|c: char| c.is_alphanumeric() || "_$#.[".contains(c));
        keep.iter().filter_map(rest).any(ends)
    };
    let kept: Vec<VarId> = model.vars().filter(|(_, var)| named(&var.name)).map(|(var, _)| var).collect();
    let quantized = Quantized::new(model, &kept);
    for input in quantized.iter().flat_map(|quantized| &quantized.inputs) {
        let (name, n_values) = (&model[input.var].name, input.values.size().unwrap_or_default());
        let all = model[input.var].domain.size().unwrap_or_default();
        let limited = if input.is_limited() { ", and its rate of change is limited" } else { "" };
        events.note(format_args!(
            "`{name}` is only compared with constants{limited}: {n_values} of its {all} values represent all"
        ));
    }
    let others = specwright_testgen::focus::unquantizable(model);
    for (var, expr) in &others {
        events.note(format_args!(
            "--quantize: `{}` keeps all its values: `{}` is not a comparison with a constant",
            model[*var].name,
            model.show_expr(*expr)
        ));
    }
    if quantized.is_none() && others.is_empty() && kept.is_empty() {
        events.note("--quantize: there is no input with many values");
    }
    quantized
}

/// Says which inputs could be quantized.
pub(crate) fn advise(events: &mut dyn Events, model: &Model) {
    const MANY: u128 = 256;
    for input in Quantized::new(model, &[]).iter().flat_map(|quantized| &quantized.inputs) {
        let (var, n_values) = (&model[input.var], input.values.size().unwrap_or_default());
        if let Some(all) = var.domain.size().filter(|all| *all > MANY) {
            let limited = if input.is_limited() { ", and its rate of change is limited" } else { "" };
            events.note(format_args!(
                "`{}` is only compared with constants{limited}: with `--quantize`, {n_values} of its {all} values represent all",
                var.name
            ));
        }
    }
}

fn report(events: &mut dyn Events, session: &Session, text: &str, error: &KeepError) {
    let model = &session.model;
    let message = match error {
        KeepError::Invalid(found) => {
            events.report(&session.sources, found);
            events.note(
                "--keep: write `x in 0..3` or `mode in {a, b}`; among the values must be those of an initial state",
            );
            return;
        }
        KeepError::Form => {
            format!("`{text}` does not say which values of a variable to keep; write `x in 0..3` or `mode in {{a, b}}`")
        }
        KeepError::Empty(var) => {
            let name = &model[*var].name;
            format!("`{text}` keeps no value of `{name}`; keep at least those that it has in an initial state")
        }
        KeepError::NoSuchValue(var, value) => {
            let (name, value) = (&model[*var].name, model.show_of(*var, *value));
            format!("`{text}`: `{name}` is never {value}; its values are {}", show_domain(model, *var))
        }
        KeepError::EmptyRange(low, high) => {
            format!("`{text}`: the range {low}..{high} is empty; the smaller number comes first")
        }
        KeepError::Everything(var) => {
            format!(
                "`{text}` keeps every number of 64 bits, so none is left for the others; keep fewer of `{}`",
                model[*var].name
            )
        }
        KeepError::TooMany(var) => {
            format!("`{text}` lists too many values of `{}`; keep one range without gaps", model[*var].name)
        }
    };
    events.error(format_args!("--keep: {message}"));
}

fn show_domain(model: &Model, var: VarId) -> String {
    match &model[var].domain {
        _ if model.denominator(var).is_some() => suite::type_text(model, var),
        Domain::Integer => "all integers".into(),
        Domain::Range(low, high) => format!("{low}..{high}"),
        Domain::Word { signed, width } => {
            let least: u64 = if *signed { 1 << (width - 1) } else { 0 };
            let ends = [least, least.wrapping_sub(1)].map(|bits| Word::new(*signed, *width, bits));
            format!("{}..{}", ends[0], ends[1])
        }
        domain => {
            let values: Vec<String> = domain.values().take(20).map(|value| model.show(value)).collect();
            format!("{{{}}}", values.join(", "))
        }
    }
}

/// The reduced model. Variables without bounds that are not kept are reported.
fn reduced(events: &mut dyn Events, model: &Model, keeps: &[Keep]) -> Result<Reduced, Failure> {
    let unbounded = |var: VarId| model[var].domain == Domain::Integer && !keeps.iter().any(|keep| keep.var == var);
    let open: Vec<String> =
        model.vars().filter(|(var, _)| unbounded(*var)).map(|(_, var)| format!("`{}`", var.name)).collect();
    if let [first, ..] = &open[..] {
        let name = first.trim_matches('`');
        let kind = if model.denominators.is_empty() { "integer" } else { "number" };
        events.error(format_args!(
            "{}: {} can be any {kind}; focus on some values, such as --keep '{name} in 0..3'",
            model.name,
            open.join(", ")
        ));
        return Err(Failure::Invalid);
    }
    for keep in keeps.iter().filter(|keep| keep.is_everything(model)) {
        events.note(format_args!("--keep: these are all values of `{}`", model[keep.var].name));
    }
    reduce(model, keeps).map_err(|unreducible| {
        events.error(format_args!(
            "--keep: `{}` cannot be reduced: which values `{}` offers cannot be listed",
            model[unreducible.var].name,
            model.show_expr(unreducible.expr)
        ));
        Failure::Invalid
    })
}

/// Goals of a model in a finite focus.
pub(crate) struct InFocus {
    /// The model in focus.
    pub reduced: Reduced,
    /// The goals for it.
    pub inside: Vec<Goal>,
    /// Their targets where anything may happen outside of the focus.
    pub anywhere: Vec<Query>,
}

/// Reduces a model, or the part of it that matters for some goals, and rewrites the goals for that.
pub(crate) fn enter(
    events: &mut dyn Events,
    model: &Model,
    relevant: Option<&ConeOfInfluence>,
    keeps: &[Keep],
    goals: &[Goal],
) -> Result<InFocus, Failure> {
    let matters = |keep: &&Keep| relevant.is_none_or(|part| part.cone().contains(keep.var));
    let keeps: Vec<Keep> = keeps.iter().filter(matters).cloned().collect();
    let part = relevant.map(|cone| model.reduced_to(cone.system()));
    let reduced = reduced(events, part.as_ref().unwrap_or(model), &keeps)?;
    let rewritten = |reach| goals.iter().map(|goal| reduced.target(goal.target, reach)).collect::<Vec<_>>();
    let (inside, anywhere) = (rewritten(Reach::Inside), rewritten(Reach::Anywhere));
    let inside: Vec<Goal> = goals.iter().zip(inside).map(|(goal, target)| Goal { target, ..goal.clone() }).collect();
    let inside = inside.into_iter().map(|goal| with_conditions(&reduced, goal)).collect();
    Ok(InFocus { reduced, inside, anywhere })
}

/// A goal whose contradiction and bounds are those of the reduced model.
fn with_conditions(reduced: &Reduced, goal: Goal) -> Goal {
    let inside = |when| reduced.target(Query::Reach(when), Reach::Inside).expr();
    Goal {
        contradiction: goal.contradiction.map(inside),
        bounds: goal.bounds.iter().copied().map(inside).collect(),
        ..goal
    }
}

/// An engine for a reduced model that knows all reachable states, once it is known that there is something in focus. Nothing if
/// `most` steps are not enough for it.
pub(crate) fn engine(
    events: &mut dyn Events,
    session: &Session,
    reduced: &Reduced,
    options: &Options,
    most: Option<u64>,
) -> Result<Option<Symbolic>, Failure> {
    let budget = most.map_or_else(|| options.budget.clone(), |most| options.budget.limited(most));
    let limited = Options { budget: budget.clone(), ..options.clone() };
    let Some(mut engine) = fresh_engine(events, session, reduced, &limited, most.is_some())? else { return Ok(None) };
    let mut progress = events.progress(1);
    let explored = engine.within(&budget, |engine| engine.explore(&mut |n| progress.exploring(n)));
    progress.finish();
    if let Err(limit) = explored {
        if most.is_some() && limit == Limit::Steps {
            return Ok(None);
        }
        let name = &session.model.name;
        events.error(format_args!("{name}: {limit} before all states in focus were known; keep less"));
        return Err(Failure::Undecided);
    }
    Ok(Some(engine))
}

/// An engine for a reduced model, once it is known that there is something in focus. Nothing if it may take too many steps, and
/// does.
fn fresh_engine(
    events: &mut dyn Events,
    session: &Session,
    reduced: &Reduced,
    options: &Options,
    may_be_large: bool,
) -> Result<Option<Symbolic>, Failure> {
    let name = &session.model.name;
    let mut engine = match Symbolic::new(reduced.model.system.clone(), options) {
        Ok(engine) => engine,
        Err(BuildError::Limit(Limit::Steps)) if may_be_large => return Ok(None),
        Err(BuildError::Limit(limit)) => {
            events.error(format_args!("{name}: {limit} before the reduced model was built; keep less"));
            return Err(Failure::Undecided);
        }
        Err(error) => {
            events.report(&session.sources, &undefined::build_error(&reduced.model, &error));
            return Err(Failure::Invalid);
        }
    };
    // Without a variable in focus, nothing leaves it.
    if reduced.keeps.is_empty() {
        return Ok(Some(engine));
    }
    let make = |node| engine.system().make(node).expect("soundness is a truth value");
    let sound = make(Node::Var(reduced.sound));
    let next = make(Node::Next(sound));
    let step = make(Node::Binary(BinaryOp::And, sound, next));
    // Whatever stays in focus begins there.
    if matches!(engine.show(sound), Answer::Impossible(Proof::Infeasible)) {
        for line in missed(&session.model, &reduced.keeps) {
            events.error(format_args!("--keep: {line}"));
        }
        return Err(Failure::Invalid);
    }
    if matches!(engine.show(step), Answer::Impossible(Proof::Infeasible)) {
        let keeps: Vec<String> = reduced.keeps.iter().map(|keep| format!("`{}`", keep.text(&session.model))).collect();
        events.error(format_args!(
            "--keep: nothing but initial states is reachable in {}: every step leaves it; keep the values that follow, too",
            keeps.join(", ")
        ));
        return Err(Failure::Invalid);
    }
    Ok(Some(engine))
}

/// How many goals can only be reached outside of the focus, for certain and maybe.
pub(crate) fn outside(n_reached: usize, n_open: usize) -> Option<String> {
    match (n_reached, n_open) {
        (0, 0) => None,
        (n_reached, 0) => Some(format!("{} can only be covered outside", count(n_reached, "goal"))),
        (0, n_open) => Some(format!("{} can only be covered outside, if at all", count(n_open, "goal"))),
        (n_reached, n_open) => {
            Some(format!("{} can only be covered outside, and {n_open} more if at all", count(n_reached, "goal")))
        }
    }
}

/// Why there is no initial state in focus.
fn missed(model: &Model, keeps: &[Keep]) -> Vec<String> {
    let nowhere = State::empty(model.vars.len());
    let mut lines = Vec::new();
    for keep in keeps {
        let Some(assign) = model.assign(AssignKind::Init, keep.var) else { continue };
        let Ok(set) = eval_set(model, assign.value.expr, &nowhere, None) else { continue };
        let values: Vec<Value> = set.iter().take(5).collect();
        if !values.is_empty() && !values.iter().any(|value| keep.values.contains(*value)) {
            let (name, text) = (&model[keep.var].name, keep.text(model));
            let shown: Vec<String> = values.iter().map(|value| model.show_of(keep.var, *value)).collect();
            lines.push(format!("`{name}` starts as {}, which `{text}` leaves out; keep it, too", shown.join(" or ")));
        }
    }
    if lines.is_empty() {
        let keeps: Vec<String> = keeps.iter().map(|keep| format!("`{}`", keep.text(model))).collect();
        lines.push(format!("there is no initial state in {}; keep the values of one", keeps.join(", ")));
    }
    lines
}
