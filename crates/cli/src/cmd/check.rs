//! `specwright check`: does what the model claims hold?

mod batch;

use super::{certificate, gate};
use crate::args::{Check, CheckFormat, TraceFormat};
use crate::console::{self, BAD, Console, GOOD, QUIET, UNSURE};
use crate::diagnostics::{self, count};
use crate::exit_code::ExitCode;
use specwright::check::hazards::Found;
use specwright::check::{self, CheckSettings, Checked, Verdict};
use specwright::document::{self, CheckDocument, findings};
use specwright::export::nusmv_xml;
use specwright::gate::{Judged, Thresholds};
use specwright::model::Trace;
use specwright::model::model::{DefineId, Hazard, Property, VarKind};
use specwright::model::trace::{TextOptions, TraceJson, to_table_with, to_text};
use specwright::model::unparse::Unparser;
use specwright::syntax::columns;
use specwright::words::{kind_text, unparsed, unparsed_start};
use specwright::{Answer, Reason, Witness};
use specwright::{Session, suites};
use std::time::{Duration, Instant};

/// A property without a name is shown by at most this much of its text.
const TITLE: usize = 80;

pub fn run(console: &mut Console, args: &Check) -> anyhow::Result<ExitCode> {
    if args.others.is_empty() { one(console, args) } else { batch::run(console, args) }
}

/// Checks one model.
fn one(console: &mut Console, args: &Check) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    let session = args.model.open(console)?;
    if args.trace_format == TraceFormat::Aiger && !session.is_circuit() {
        anyhow::bail!("`--trace-format aiger` is for circuits only");
    }
    if let Some(path) = &args.check_certificate {
        return certificate::check(console, args, &session, path);
    }
    let pending = gate::open(&args.ci, Thresholds::default(), "check")?;
    let settings = settings(args);
    let mut checking = session.checking(&settings, console)?;
    let mut unparser = Unparser::new(&session.model);
    let property = |index: &usize| &session.model.properties[*index];
    let titles: Vec<String> =
        checking.chosen().iter().map(|index| title(&mut unparser, property(index), console.verbose())).collect();
    let width = titles.iter().map(|title| columns::width(title)).max().unwrap_or(0).min(TITLE);
    let mut titles = titles.iter();
    let defines = session.model.shown_defines(args.defines.into());
    while let Some(verdict) = checking.next() {
        let title = titles.next().map_or("", |title| title);
        if args.format == CheckFormat::Text {
            print(console, &session, verdict, (title, width), (args.trace_format, &defines))?;
        }
    }
    let mut checked = checking.finish(console);
    if let Some(path) = &args.certificate {
        checked.certified = certificate::write(console, &session, &checked, (path, &settings.limits))?;
    }
    if args.format == CheckFormat::Text {
        for (hazard, found) in &checked.hazards {
            print_hazard(console, &session, hazard, found, &defines)?;
        }
    }
    if let (Some(path), Some(order)) = (&args.write_order, &checked.order) {
        match order {
            Ok(order) => suites::write_file(path, order.join("\n") + "\n")?,
            Err(reason) => console.warning(format_args!("no order was written: {}", reason_text(&session, reason))),
        }
    }
    match args.format {
        CheckFormat::Text => console.out(summary(&checked))?,
        CheckFormat::Sarif => console.document(findings::failures(&session, &checked, why_stopped()))?,
        CheckFormat::Json => {
            console.document(document::json(&CheckDocument::new(
                &session,
                &checked,
                args.defines.into(),
                why_stopped(),
            ))?)?;
        }
    }
    console.flush()?;
    // After the verdicts, where they cannot be missed.
    diagnostics::report(console, &session.sources, &checked.warnings);
    if console.verbose() && checked.n_by_parts > 0 {
        let n = count(checked.n_by_parts, "question");
        console.note(format_args!("{n} answered on a cone of influence"));
    }
    if console.verbose() && checked.n_by_sat > 0 {
        let n = count(checked.n_by_sat, "question");
        console.note(format_args!("{n} answered by SAT-based search"));
    }
    let elapsed = started.elapsed();
    if console.verbose() || elapsed > Duration::from_secs(1) {
        console.note(format_args!("finished in {:.2} s", elapsed.as_secs_f64()));
    }
    let judged = || Judged::of_check(&session, &checked, why_stopped(), !console::interrupted());
    pending.close(console, judged, exit_code(&checked))
}

fn settings(args: &Check) -> CheckSettings {
    CheckSettings {
        property: args.property.clone(),
        traces: args.trace_format != TraceFormat::None,
        cones: args.cone.into(),
        engine: args.engine.into(),
        reordering: args.reorder.into(),
        order: args.order.clone(),
        last_order: args.write_order.is_some(),
        limits: args.limits.limits(),
    }
}

/// Why there is no answer, in a few words.
pub(super) fn reason_text(session: &Session, reason: &Reason) -> String {
    check::reason_text(&session.model, reason, why_stopped())
}

fn why_stopped() -> &'static str {
    console::why_stopped().unwrap_or("interrupted")
}

/// One line for a hazard, and the execution that leads to it.
fn print_hazard(
    console: &mut Console,
    session: &Session,
    hazard: &Hazard,
    found: &Found,
    defines: &[DefineId],
) -> anyhow::Result<()> {
    let text = &hazard.description;
    match found {
        Found::Happens(trace) => {
            console.out(format_args!("{BAD}happens{BAD:#}  {text}\n"))?;
            console.out(to_table_with(&session.model, trace, defines))?;
        }
        Found::Unknown(reason) => console.out(format_args!("{UNSURE}undecided{UNSURE:#}  {text}: {reason}\n"))?,
    }
    Ok(())
}

/// One line for a property, and the trace that shows why it fails.
fn print(
    console: &mut Console,
    session: &Session,
    verdict: &Verdict,
    (title, width): (&str, usize),
    (format, defines): (TraceFormat, &[DefineId]),
) -> anyhow::Result<()> {
    let property = &session.model.properties[verdict.index];
    let Verdict { violation, value, .. } = verdict;
    let (style, word) = match violation {
        Answer::Impossible(_) if value.is_some() => (GOOD, "value"),
        Answer::Impossible(_) => (GOOD, "holds"),
        Answer::Found(_) => (BAD, "fails"),
        Answer::Undecided(_) => (UNSURE, "undecided"),
    };
    let line = session.sources.locate(property.span).map(|(_, line, _)| format!("line {line}")).unwrap_or_default();
    let kind = kind_text(property.kind);
    let title = columns::left(title, width);
    console.out(format_args!("{style}{word:7}{style:#}  {title}  {QUIET}{kind}, {line}{QUIET:#}"))?;
    match (violation, value) {
        (_, Some(quantity)) => console.out(format_args!(" = {}\n", check::quantity_text(*quantity)))?,
        (Answer::Undecided(reason), _) => console.out(format_args!(": {}\n", reason_text(session, reason)))?,
        _ => console.out("\n")?,
    }
    match violation {
        Answer::Found(Witness::Trace(trace)) => print_trace(console, session, verdict, trace, (format, defines)),
        Answer::Found(Witness::Prefix(trace)) => {
            print_trace(console, session, verdict, trace, (format, defines))?;
            Ok(console.out("  The property fails in the last state; no single execution shows why.\n")?)
        }
        Answer::Found(Witness::Unshown) => Ok(console
            .out("  The property says that an execution exists; no single execution shows that there is none.\n")?),
        _ => Ok(()),
    }
}

/// A property by its name, or else by its text.
fn title(unparser: &mut Unparser<'_>, property: &Property, everything: bool) -> String {
    match &property.name {
        Some(name) => name.clone(),
        None if everything => unparsed(unparser, property),
        None => unparsed_start(unparser, property, TITLE),
    }
}

fn print_trace(
    console: &mut Console,
    session: &Session,
    verdict: &Verdict,
    trace: &Trace,
    (format, defines): (TraceFormat, &[DefineId]),
) -> anyhow::Result<()> {
    let model = &session.model;
    let kind = kind_text(model.properties[verdict.index].kind).to_uppercase();
    let description = format!("{kind} Counterexample");
    let text = match format {
        TraceFormat::None => return Ok(()),
        TraceFormat::Text => {
            let number = verdict.index + 1;
            to_text(
                model,
                trace,
                &TextOptions { number, description, defines: defines.into(), ..TextOptions::default() },
            )
        }
        TraceFormat::Table => to_table_with(model, trace, defines),
        TraceFormat::Json => document::json(&TraceJson::document(model, trace).with_defines(model, trace, defines))?,
        TraceFormat::Aiger => session.aiger_witness(verdict.index, trace)?,
        TraceFormat::Xml => nusmv_xml(model, trace, verdict.index + 1, &description),
    };
    console.out(text)?;
    let is_missing = |var| trace.states.first().is_some_and(|state| state.get(var).is_none());
    let is_part = model.vars().any(|(id, var)| var.kind != VarKind::Input && is_missing(id));
    if is_part && matches!(format, TraceFormat::Text | TraceFormat::Table) {
        console
            .out("  The other variables do not influence the property; extending the loop to them takes too long.\n")?;
    }
    Ok(())
}

/// How many hold, and how large the model is.
fn summary(checked: &Checked) -> String {
    let n = |wanted: &str| checked.verdicts.iter().filter(|verdict| verdict.word() == wanted).count();
    let values = checked.verdicts.iter().filter(|verdict| verdict.value.is_some()).count();
    let parts = [
        (n("holds") - values, "hold", "holds"),
        (n("fails"), "fail", "fails"),
        (values, "values", "value"),
        (n("unknown"), "undecided", "undecided"),
    ];
    let parts = parts.iter().filter(|(n, ..)| *n > 0);
    let parts: Vec<String> = parts.map(|(n, many, one)| format!("{n} {}", if *n == 1 { one } else { many })).collect();
    let verdicts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    let states = checked.n_states.as_ref().map(ToString::to_string).map_or_else(String::new, |states| {
        let noun = if states == "1" { "state" } else { "states" };
        let deep = checked.depth.map_or_else(String::new, |depth| format!(", {} deep", count(depth, "step")));
        format!("; {states} reachable {noun}{deep}")
    });
    format!("{}{verdicts}{states}\n", count(checked.verdicts.len(), "property"))
}

fn exit_code(checked: &Checked) -> ExitCode {
    let any = |wanted: &str| checked.verdicts.iter().any(|verdict| verdict.word() == wanted);
    let happens = checked.hazards.iter().any(|(_, found)| matches!(found, Found::Happens(_)));
    if any("fails") || happens {
        ExitCode::Found
    } else if any("unknown") || !checked.hazards.is_empty() {
        ExitCode::Unknown
    } else {
        ExitCode::Good
    }
}
