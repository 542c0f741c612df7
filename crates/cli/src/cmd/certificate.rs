//! `--certificate` and `--check-certificate` of `check` and `generate`: proofs as witness circuits.

use super::check::reason_text;
use crate::args::{Check, CheckFormat, Format, Generate};
use crate::console::{BAD, Console, GOOD};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use specwright::certificate::{Certified, CertifiedGoals, GoalCertificate, left_out_text};
use specwright::check::Checked;
use specwright::document::{self, CertificateDocument};
use specwright::generate::Generated;
use specwright::words::property_text;
use specwright::{Failure, GenerateSettings, Limits, Session, suites};
use std::collections::BTreeMap;
use std::path::Path;

/// Writes a certificate of the properties that hold, and says which those are.
pub fn write(
    console: &mut Console,
    session: &Session,
    checked: &Checked,
    (path, limits): (&Path, &Limits),
) -> anyhow::Result<Vec<usize>> {
    let holds = checked.verdicts.iter().filter(|verdict| verdict.word() == "holds" && verdict.value.is_none());
    let holds: Vec<usize> = holds.map(|verdict| verdict.index).collect();
    if holds.is_empty() {
        console.warning("no certificate was written: no property is known to hold");
        return Ok(Vec::new());
    }
    let certificate = session.certify(&holds, limits, console)?;
    for (index, reason) in &certificate.others {
        let (name, reason) = (name(session, *index), reason_text(session, reason));
        console.warning(format_args!("`{name}` is not part of the certificate: {reason}"));
    }
    match session.certificate_file(&certificate, path) {
        Some(bytes) => suites::write_file(path, bytes)?,
        None => console.warning("no certificate was written: SAT-based search has no proof"),
    }
    Ok(certificate.certified)
}

/// Checks a certificate.
pub fn check(console: &mut Console, args: &Check, session: &Session, path: &Path) -> anyhow::Result<ExitCode> {
    if args.format == CheckFormat::Sarif {
        return Err(Failure::message("`--check-certificate` prints text or JSON").into());
    }
    let certified = session.check_certificate(path, &args.property, &args.limits.limits(), console)?;
    let Certified { properties, refused } = &certified;
    if args.format == CheckFormat::Json {
        console.document(document::json(&CertificateDocument::new(session, path, &certified))?)?;
    } else if refused.is_none() {
        for (index, is_certified) in properties {
            let name = name(session, *index);
            if *is_certified {
                console.out(format_args!("{GOOD}certified{GOOD:#}  {name}\n"))?;
            } else {
                console.out(format_args!("{BAD}not certified{BAD:#}  {name}\n"))?;
            }
        }
    }
    console.flush()?;
    if let Some(refused) = refused {
        console.error(format_args!("{} is not a certificate for {}: {refused}", path.display(), session.model.name));
    }
    let is_limit = matches!(refused, Some(specwright::certificate::Refused::Limit(_)));
    Ok(match properties.iter().all(|(_, is_certified)| *is_certified) {
        true => ExitCode::Good,
        false if is_limit => ExitCode::Unknown,
        false => ExitCode::Found,
    })
}

/// Writes a certificate of the infeasible goals, and says which of them are not part of it.
pub fn write_goals(
    console: &mut Console,
    session: &Session,
    generated: &Generated,
    (folder, limits): (&Path, &Limits),
) -> anyhow::Result<GoalCertificate> {
    let certificate = session.certify_goals(generated, folder, limits, console)?;
    let mut left_out: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (goal, reason) in &certificate.others {
        left_out.entry(left_out_text(reason)).or_default().push(&generated.goals[*goal].id);
    }
    for (reason, ids) in left_out {
        let (goals, verb) = (count(ids.len(), "infeasible goal"), if ids.len() == 1 { "is" } else { "are" });
        let ids = if console.verbose() { format!(": {}", ids.join(", ")) } else { String::new() };
        console.warning(format_args!("{goals} {verb} not part of the certificate: {reason}{ids}"));
    }
    if certificate.certified.is_empty() {
        let why = if certificate.others.is_empty() { "no goal is infeasible" } else { "SAT-based search has no proof" };
        console.warning(format_args!("no certificate was written: {why}"));
    } else {
        let goals = count(certificate.certified.len(), "infeasible goal");
        console.note(format_args!("certificate of {goals} written to {}", folder.display()));
    }
    Ok(certificate)
}

/// Checks a certificate of infeasible goals.
pub fn check_goals(
    console: &mut Console,
    args: &Generate,
    session: &Session,
    (folder, settings): (&Path, &GenerateSettings),
) -> anyhow::Result<ExitCode> {
    let certified = session.check_goals(folder, settings, console)?;
    let CertifiedGoals { goals, refused, is_limit } = &certified;
    if args.format == Format::Json {
        console.document(document::json(&CertificateDocument::of_goals(session, folder, &certified))?)?;
    } else if refused.is_none() {
        for (goal, is_certified) in goals {
            match is_certified {
                false => console.out(format_args!("{BAD}not certified{BAD:#}  {}\n", goal.id))?,
                true if console.verbose() => console.out(format_args!("{GOOD}certified{GOOD:#}  {}\n", goal.id))?,
                true => {}
            }
        }
        let n_certified = goals.iter().filter(|(_, is_certified)| *is_certified).count();
        console.out(format_args!("{} of {} certified\n", n_certified, count(goals.len(), "infeasible goal")))?;
    }
    console.flush()?;
    if let Some(refused) = refused {
        console.error(format_args!("{} is no certificate for {}: {refused}", folder.display(), session.model.name));
    }
    Ok(match refused.is_none() && goals.iter().all(|(_, is_certified)| *is_certified) {
        true => ExitCode::Good,
        false if *is_limit => ExitCode::Unknown,
        false => ExitCode::Found,
    })
}

/// A property by its name, or by its text.
fn name(session: &Session, index: usize) -> String {
    let property = &session.model.properties[index];
    property.name.clone().unwrap_or_else(|| property_text(&session.model, property))
}
