//! `specwright check`: does what the model claims hold?

mod document;
pub(super) mod hazards;
pub(super) mod vacuity;

use crate::args::{Check, CheckFormat, ConeUse, Reorder, TraceFormat};
use crate::cmd::show::{kind_text, unparsed};
use crate::console::{self, BAD, Console, GOOD, QUIET, UNSURE};
use crate::diagnostics::{self, count};
use crate::exit_code::ExitCode;
use crate::findings;
use crate::load::{self, Loaded};
use crate::suites;
use anyhow::Context;
use specwright_harness::export::nusmv_xml;
use specwright_harness::report::{Finding, Level, Place, sarif};
use specwright_mc::bdd::{Count, Limit, Reordering};
use specwright_mc::{Answer, Cones, Options, Portfolio, Quantity, Reason, Witness};
use specwright_model::model::{Hazard, Property, PropertyKind, VarKind};
use specwright_model::trace::{TextOptions, TraceJson, to_table, to_text};
use specwright_model::unparse::Unparser;
use specwright_model::{ExprId, Trace};
use specwright_syntax::budget::{Budget, Spent};
use specwright_syntax::columns::{self, shorten};
use specwright_syntax::diagnostic::{Diagnostic, closest};
use std::time::{Duration, Instant};

/// A property without a name is shown by so much of its text.
const TITLE: usize = 80;
/// Steps of decision diagrams, well below a second, that the number of states is worth once all verdicts are known.
const LAST_EFFORT: u64 = 500_000;

/// Steps that it is worth at least to know whether paths end; otherwise as many as the verdicts took.
const SANITY_EFFORT: u64 = 5_000_000;

pub fn run(console: &mut Console, args: &Check) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    let loaded = match load::load_unevaluated(console, &args.model) {
        Ok(loaded) => loaded,
        Err(code) => return Ok(code),
    };
    let chosen = choose(&loaded, &args.property)?;
    let options = options(args)?;
    console::catch_interrupts();
    let asked = chosen.iter().map(|index| &loaded.model.properties[*index]);
    let hazards = loaded.model.hazards.iter().map(|hazard| hazard.predicate);
    let mut checker = match Portfolio::new(loaded.model.clone(), asked, hazards, &options, cones(args.cone)) {
        Ok(checker) => checker,
        Err(error) => return Ok(load::refuse(console, &loaded, &error)),
    };

    let mut progress = console.progress(chosen.len());
    let mut warnings = Vec::new();
    let mut unparser = Unparser::new(&loaded.model);
    let titles: Vec<String> =
        chosen.iter().map(|index| title(&mut unparser, &loaded.model.properties[*index], console.verbose())).collect();
    let width = titles.iter().map(|title| columns::width(title)).max().unwrap_or(0).min(TITLE);
    let mut results = Vec::new();
    for (done, index) in chosen.into_iter().enumerate() {
        let property = &loaded.model.properties[index];
        progress.at(done, property.name.as_deref().unwrap_or(""));
        let checked = Budget::run(|| {
            let mut explored = |n| progress.exploring(n);
            if let PropertyKind::ComputeMin | PropertyKind::ComputeMax = property.kind {
                return (Verdict::of_value(checker.compute(property, &mut explored)), None);
            }
            let violation = checker.check(property, &mut explored);
            let reaches_all = |conditions: &[ExprId]| checker.reaches_all(property, conditions);
            let vacuous = vacuity::vacuous(&loaded.model, property, &violation, reaches_all);
            (Verdict { violation, value: None }, vacuous)
        });
        let interrupted = |Spent| (Verdict { violation: Answer::INTERRUPTED, value: None }, None);
        let (verdict, vacuous) = checked.unwrap_or_else(interrupted);
        if let Some(conditions) = vacuous {
            warnings.push(vacuity::warning(&loaded.model, property, &conditions));
        }
        let result = Checked { index, verdict };
        if args.format == CheckFormat::Text {
            progress.pause();
            print(console, &loaded, &result, (&titles[done], width), args.trace_format)?;
        }
        results.push(result);
    }
    if !console::interrupted() && checker.explore_a_little(LAST_EFFORT).is_ok() {
        progress.at(results.len(), "dead ends and fair paths");
        let effort = options.timeout.is_none().then_some(SANITY_EFFORT);
        warnings.splice(0..0, findings::sanity(&loaded.model, &checker.sanity(effort)));
    }
    progress.finish();
    let reach = |expr| Budget::run(|| checker.reach(expr)).unwrap_or(Answer::INTERRUPTED);
    let hazards = hazards::find(&loaded.model, reach, |reason| reason_text(&loaded, reason));
    for (hazard, found) in &hazards {
        if args.format == CheckFormat::Text {
            hazards::print(console, &loaded, hazard, found)?;
        }
    }
    warnings.extend(hazards::diagnostics(&loaded.model, &hazards));
    if let Some(path) = &args.write_order {
        match checker.order() {
            Ok(order) => suites::write_file(path, order.join("\n") + "\n")?,
            Err(reason) => console.warning(format_args!("no order was written: {}", reason_text(&loaded, &reason))),
        }
    }

    let (n_states, depth) = (checker.n_states(), checker.diameter());
    match args.format {
        CheckFormat::Text => console.out(summary(&results, n_states.as_ref(), depth))?,
        CheckFormat::Sarif => console.document(findings_document(&loaded, &results))?,
        CheckFormat::Json => {
            let document = document::document(&loaded, &results, n_states.as_ref(), depth, &warnings, &hazards);
            console.document(format_args!("{}\n", serde_json::to_string_pretty(&document)?))?;
        }
    }
    console.flush()?;
    // After the verdicts, where they cannot be missed.
    diagnostics::report(console, &loaded.sources, &warnings);
    if console.verbose() && checker.n_by_parts() > 0 {
        let n = count(checker.n_by_parts(), "question");
        console.note(format_args!("{n} answered on the part of the model that matters"));
    }
    let elapsed = started.elapsed();
    if console.verbose() || elapsed > Duration::from_secs(1) {
        console.note(format_args!("this took {:.2} s", elapsed.as_secs_f64()));
    }
    Ok(exit_code(&results, &hazards))
}

/// A property and its answer.
struct Checked {
    index: usize,
    verdict: Verdict,
}

/// The verdict on a property.
struct Verdict {
    /// What violates it.
    violation: Answer<Witness>,
    /// The number that it asks for, if it is a COMPUTE: it claims nothing, so nothing violates it.
    value: Option<Quantity>,
}

impl Verdict {
    fn of_value(answer: Answer<Quantity>) -> Verdict {
        match answer {
            Answer::Found(value) => Verdict { violation: Answer::INFEASIBLE, value: Some(value) },
            other => Verdict { violation: other.map(|_| Witness::Unshown), value: None },
        }
    }
}

/// The properties that were asked for by number or name; all of them if none was.
fn choose(loaded: &Loaded, wanted: &[String]) -> anyhow::Result<Vec<usize>> {
    let properties = &loaded.model.properties;
    if wanted.is_empty() {
        return Ok((0..properties.len()).collect());
    }
    let mut chosen = Vec::new();
    for wanted in wanted {
        let named = properties.iter().position(|property| property.name.as_ref() == Some(wanted));
        let numbered = wanted.parse().ok().filter(|number| (1..=properties.len()).contains(number));
        let Some(index) = named.or(numbered.map(|number: usize| number - 1)) else {
            let names = properties.iter().filter_map(|property| property.name.as_deref());
            let hint = closest(wanted, names).map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
            let n = count(properties.len(), "property");
            anyhow::bail!("{} has no property `{wanted}`{hint} (it has {n})", loaded.model.name);
        };
        chosen.push(index);
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

fn options(args: &Check) -> anyhow::Result<Options> {
    let order = args.order.as_ref().map(|path| {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        anyhow::Ok(text.split_whitespace().map(str::to_owned).collect())
    });
    Ok(Options {
        reordering: match args.reorder {
            Reorder::Auto => Reordering::Auto,
            Reorder::Off => Reordering::Off,
            Reorder::Always => Reordering::Always,
        },
        order: order.transpose()?,
        traces: args.trace_format != TraceFormat::None,
        ..args.limits.options()
    })
}

fn cones(wanted: ConeUse) -> Cones {
    match wanted {
        ConeUse::Auto => Cones::Auto,
        ConeUse::Off => Cones::Off,
        ConeUse::Always => Cones::Always,
    }
}

/// A verdict in a word.
fn word(verdict: &Verdict) -> &'static str {
    match verdict.violation {
        Answer::Impossible(_) => "holds",
        Answer::Found(_) => "fails",
        Answer::Undecided(_) => "unknown",
    }
}

/// Why there is no answer, in a few words.
fn reason_text(loaded: &Loaded, reason: &Reason) -> String {
    match reason {
        Reason::Limit(Limit::Interrupted) => console::why_stopped().unwrap_or("interrupted").into(),
        Reason::Undefined(undefined) => {
            let Diagnostic { message, notes, .. } = findings::undefined(&loaded.model, undefined);
            std::iter::once(message).chain(notes).collect::<Vec<_>>().join(", ")
        }
        reason => reason.to_string(),
    }
}

fn quantity_text(quantity: Quantity) -> String {
    match quantity {
        Quantity::Steps(steps) => steps.to_string(),
        Quantity::Infinity => "infinity".into(),
        Quantity::Undefined => "undefined".into(),
    }
}

/// One line for a property, and the trace that shows why it fails.
fn print(
    console: &mut Console,
    loaded: &Loaded,
    checked: &Checked,
    (title, width): (&str, usize),
    format: TraceFormat,
) -> anyhow::Result<()> {
    let property = &loaded.model.properties[checked.index];
    let Verdict { violation, value } = &checked.verdict;
    let (style, word) = match violation {
        Answer::Impossible(_) if value.is_some() => (GOOD, "value"),
        Answer::Impossible(_) => (GOOD, "holds"),
        Answer::Found(_) => (BAD, "fails"),
        Answer::Undecided(_) => (UNSURE, "unknown"),
    };
    let line = loaded.sources.locate(property.span).map(|(_, line, _)| format!("line {line}")).unwrap_or_default();
    let kind = kind_text(property.kind);
    let title = columns::left(title, width);
    console.out(format_args!("{style}{word:7}{style:#}  {title}  {QUIET}{kind}, {line}{QUIET:#}"))?;
    match (violation, value) {
        (_, Some(quantity)) => console.out(format_args!(" = {}\n", quantity_text(*quantity)))?,
        (Answer::Undecided(reason), _) => console.out(format_args!(": {}\n", reason_text(loaded, reason)))?,
        _ => console.out("\n")?,
    }
    match violation {
        Answer::Found(Witness::Trace(trace)) => print_trace(console, loaded, checked, trace, format),
        Answer::Found(Witness::Prefix(trace)) => {
            print_trace(console, loaded, checked, trace, format)?;
            Ok(console.out("  From the last state on it fails, though no single execution shows why.\n")?)
        }
        Answer::Found(Witness::Unshown) => {
            Ok(console.out("  It claims that something exists, so no execution shows that it does not.\n")?)
        }
        _ => Ok(()),
    }
}

/// A property by its name, or else by its text.
fn title(unparser: &mut Unparser<'_>, property: &Property, everything: bool) -> String {
    match &property.name {
        Some(name) => name.clone(),
        None if everything => unparsed(unparser, property),
        None => shorten(unparsed(unparser, property), TITLE),
    }
}

fn print_trace(
    console: &mut Console,
    loaded: &Loaded,
    checked: &Checked,
    trace: &Trace,
    format: TraceFormat,
) -> anyhow::Result<()> {
    let model = &loaded.model;
    let kind = kind_text(model.properties[checked.index].kind).to_uppercase();
    let description = format!("{kind} Counterexample");
    let text = match format {
        TraceFormat::None => return Ok(()),
        TraceFormat::Text => {
            let number = checked.index + 1;
            to_text(model, trace, &TextOptions { number, description, ..TextOptions::default() })
        }
        TraceFormat::Table => to_table(model, trace),
        TraceFormat::Json => serde_json::to_string_pretty(&TraceJson::document(model, trace))? + "\n",
        TraceFormat::Xml => nusmv_xml(model, trace, checked.index + 1, &description),
    };
    console.out(text)?;
    let is_missing = |var| trace.states.first().is_some_and(|state| state.get(var).is_none());
    let is_part = model.vars().any(|(id, var)| var.kind != VarKind::Input && is_missing(id));
    if is_part && matches!(format, TraceFormat::Text | TraceFormat::Table) {
        console.out("  The other variables cannot matter, and take too long to come round again.\n")?;
    }
    Ok(())
}

/// What fails, and what nobody knows, for tools that show findings beside the code.
fn findings_document(loaded: &Loaded, results: &[Checked]) -> String {
    let mut unparser = Unparser::new(&loaded.model);
    let finding = |checked: &Checked| {
        let property = &loaded.model.properties[checked.index];
        let title = title(&mut unparser, property, true);
        let (level, message) = match &checked.verdict.violation {
            Answer::Found(Witness::Trace(trace)) => {
                let steps = count(trace.n_steps(), "step");
                (Level::Error, format!("property `{title}` fails: an execution of {steps} shows it"))
            }
            Answer::Found(_) => (Level::Error, format!("property `{title}` fails")),
            Answer::Undecided(reason) => {
                (Level::Note, format!("property `{title}` is undecided: {}", reason_text(loaded, reason)))
            }
            Answer::Impossible(_) => return None,
        };
        Some(Finding {
            rule: word(&checked.verdict).to_owned(),
            rule_text: match level {
                Level::Note => "A property that could not be decided within the limits".into(),
                _ => "A property that the model does not satisfy".into(),
            },
            level,
            message,
            place: Place::of(&loaded.sources, property.span),
            fingerprint: property.name.clone().unwrap_or_else(|| unparsed(&mut unparser, property)),
        })
    };
    sarif(env!("CARGO_PKG_VERSION"), &results.iter().filter_map(finding).collect::<Vec<_>>())
}

/// How many hold, and how large the model is.
fn summary(results: &[Checked], n_states: Option<&Count>, depth: Option<usize>) -> String {
    let n = |wanted: &str| results.iter().filter(|checked| word(&checked.verdict) == wanted).count();
    let values = results.iter().filter(|checked| checked.verdict.value.is_some()).count();
    let parts = [
        (n("holds") - values, "hold", "holds"),
        (n("fails"), "fail", "fails"),
        (values, "values", "value"),
        (n("unknown"), "unknown", "unknown"),
    ];
    let parts = parts.iter().filter(|(n, ..)| *n > 0);
    let parts: Vec<String> = parts.map(|(n, many, one)| format!("{n} {}", if *n == 1 { one } else { many })).collect();
    let verdicts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    let states = match (n_states, depth) {
        (Some(states), Some(depth)) => {
            format!("; {states} reachable states, {} deep", count(depth, "step"))
        }
        (Some(states), None) => format!("; {states} reachable states"),
        _ => String::new(),
    };
    format!("{}{verdicts}{states}\n", count(results.len(), "property"))
}

fn exit_code(results: &[Checked], hazards: &[(Hazard, hazards::Found)]) -> ExitCode {
    let any = |wanted: &str| results.iter().any(|checked| word(&checked.verdict) == wanted);
    let happens = hazards.iter().any(|(_, found)| matches!(found, hazards::Found::Happens(_)));
    if any("fails") || happens {
        ExitCode::Found
    } else if any("unknown") || !hazards.is_empty() {
        ExitCode::Unknown
    } else {
        ExitCode::Good
    }
}
