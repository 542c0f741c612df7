//! `specwright translate`: a specification in another language.

use crate::args::{Target, Translate};
use crate::console::Console;
use crate::exit_code::ExitCode;
use anyhow::Context;
use specwright_harness::files::write_atomically;
use specwright_model::unparse::try_print_model;

pub fn run(console: &mut Console, args: &Translate) -> anyhow::Result<ExitCode> {
    let session = args.model.open_evaluated(console)?;
    let text = match args.to {
        Target::Smv => {
            try_print_model(&session.model).with_context(|| format!("cannot translate {}", session.model.name))?
        }
    };
    match &args.out {
        Some(path) => write_atomically(path, text).with_context(|| format!("cannot write {}", path.display()))?,
        None => console.document(text)?,
    }
    Ok(ExitCode::Good)
}
