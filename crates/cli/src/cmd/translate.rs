//! `specwright translate`: a specification in another language.

use crate::args::{Target, Translate};
use crate::console::Console;
use crate::exit_code::ExitCode;
use anyhow::Context;
use specwright::suites::write_file;

pub fn run(console: &mut Console, args: &Translate) -> anyhow::Result<ExitCode> {
    let session = args.model.open_evaluated(console)?;
    let text = match args.to {
        Target::Smv => session.to_smv().with_context(|| format!("cannot translate {}", session.model.name))?,
    };
    match &args.out {
        Some(path) => write_file(path, text)?,
        None => console.document(text)?,
    }
    Ok(ExitCode::Good)
}
