//! `specwright show`: what a model is made of.

use crate::args::{Format, Show};
use crate::columns::{Align, Columns};
use crate::console::{Console, HEADING};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use specwright::Session;
use specwright::document::{self, ShowDocument};
use specwright::model::Model;
use specwright::model::VarId;
use specwright::model::interface::Observable;
use specwright::model::model::VarKind;
use specwright::syntax::columns::shorten;
use specwright::testgen::suite;
use specwright::words::{domain_text, kind_text, property_text};

pub fn run(console: &mut Console, args: &Show) -> anyhow::Result<ExitCode> {
    let session = args.model.open_evaluated(console)?;
    if args.flat {
        console.document(session.to_smv()?)?;
        return Ok(ExitCode::Good);
    }
    if args.mermaid {
        let diagram = session.model.source.diagram.as_ref();
        let diagram = diagram.ok_or_else(|| anyhow::anyhow!("{} is not a statechart", session.model.name))?;
        console.document(diagram.mermaid())?;
        return Ok(ExitCode::Good);
    }
    match args.format {
        Format::Text => console.out(text(&session, console.verbose()))?,
        Format::Json => console.document(document::json(&ShowDocument::new(&session))?)?,
    }
    Ok(ExitCode::Good)
}

/// The summary for people. What is long is shortened, unless everything is wanted.
fn text(session: &Session, everything: bool) -> String {
    let Session { model, .. } = session;
    let line = |span| session.sources.locate(span).map(|(_, line, _)| line.to_string()).unwrap_or_default();
    let short = |text: String, width| if everything { text } else { shorten(text, width) };
    let mut sections = vec![format!("{HEADING}{}{HEADING:#}: {}\n", model.name, summary(model))];

    if !model.vars.is_empty() {
        let mut columns = Columns::new([
            ("variable", Align::Left),
            ("type", Align::Left),
            ("role", Align::Left),
            ("bits", Align::Right),
            ("line", Align::Right),
        ]);
        for (id, var) in model.vars() {
            let bits = var.domain.bits().map_or("∞".into(), |bits| bits.to_string());
            let ty = short(type_text(model, id), 50);
            columns.row([var.name.clone(), ty, model.role(id).name().into(), bits, line(var.span)]);
        }
        sections.push(columns.to_string());
    }
    if model.source.instances.len() > 1 {
        let mut columns = Columns::new([("instance", Align::Left), ("module", Align::Left)]);
        for instance in model.source.instances.iter().filter(|instance| !instance.path.is_empty()) {
            let process = if instance.process { "process " } else { "" };
            columns.row([instance.path.clone(), format!("{process}{}", instance.module)]);
        }
        sections.push(columns.to_string());
    }
    if !model.defines.is_empty() {
        let heads =
            [("define", Align::Left), ("stands for", Align::Left), ("role", Align::Left), ("line", Align::Right)];
        let mut columns = Columns::new(heads);
        for (id, define) in model.defines() {
            let role = model.interface.role(Observable::Define(id)).name();
            let body = short(model.show_sourced(&define.body), 70);
            columns.row([define.name.clone(), body, role.into(), line(define.span)]);
        }
        sections.push(columns.to_string());
    }
    if !model.properties.is_empty() {
        let mut columns = Columns::new([
            ("#", Align::Right),
            ("kind", Align::Left),
            ("property", Align::Left),
            ("line", Align::Right),
        ]);
        for (index, property) in model.properties.iter().enumerate() {
            let what = short(property.name.clone().unwrap_or_else(|| property_text(model, property)), 80);
            columns.row([(index + 1).to_string(), kind_text(property.kind).into(), what, line(property.span)]);
        }
        sections.push(columns.to_string());
    }
    sections.join("\n")
}

/// The counts, in one sentence.
fn summary(model: &Model) -> String {
    let bits: Option<u32> = model.vars.iter().map(|var| var.domain.bits()).sum();
    let size = match bits {
        Some(bits) => format!("{} in {}", count(model.vars.len(), "variable"), count(bits as usize, "bit")),
        None => format!("{}, not all of them finite", count(model.vars.len(), "variable")),
    };
    let n_instances = model.source.instances.iter().filter(|instance| !instance.path.is_empty()).count();
    let constraints = model.init.len() + model.trans.len() + model.invar.len();
    let fairness = model.justice.len() + model.compassion.len();
    let parts = [
        (n_instances, "instance"),
        (model.defines.len(), "define"),
        (model.assigns.len(), "assignment"),
        (constraints, "constraint"),
        (fairness, "fairness constraint"),
        (model.properties.len(), "property"),
    ];
    let parts = parts.iter().filter(|(n, _)| *n > 0).map(|(n, noun)| count(*n, noun));
    std::iter::once(size).chain(parts).collect::<Vec<_>>().join(", ")
}

/// A type as SMV writes it, with a word on variables that are not plain parts of the state.
fn type_text(model: &Model, id: VarId) -> String {
    let var = &model[id];
    let kind = match var.kind {
        VarKind::State => "",
        VarKind::Frozen => " (frozen)",
        VarKind::Input => " (of the step)",
    };
    match model.denominator(id) {
        Some(_) => format!("{}{kind}", suite::type_text(model, id)),
        None => format!("{}{kind}", domain_text(model, &var.domain)),
    }
}
