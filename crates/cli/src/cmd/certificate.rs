//! `specwright check --certificate` and `--check-certificate`: proofs as witness circuits.

use super::check::reason_text;
use crate::args::{Check, CheckFormat};
use crate::console::{BAD, Console, GOOD};
use crate::exit_code::ExitCode;
use specwright::certificate::Certified;
use specwright::check::Checked;
use specwright::document::{self, CertificateDocument};
use specwright::words::property_text;
use specwright::{Failure, Limits, Session, suites};
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

/// A property by its name, or by its text.
fn name(session: &Session, index: usize) -> String {
    let property = &session.model.properties[index];
    property.name.clone().unwrap_or_else(|| property_text(&session.model, property))
}
