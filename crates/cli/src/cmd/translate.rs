//! `specwright translate`: a specification in another language.

use crate::args::{Target, Translate};
use crate::console::Console;
use crate::exit_code::ExitCode;
use crate::load;
use anyhow::Context;
use specwright_harness::files::write_atomically;
use specwright_model::unparse::try_print_model;

pub fn run(console: &mut Console, args: &Translate) -> anyhow::Result<ExitCode> {
    let loaded = match load::load(console, &args.model) {
        Ok(loaded) => loaded,
        Err(code) => return Ok(code),
    };
    let text = match args.to {
        Target::Smv => {
            try_print_model(&loaded.model).with_context(|| format!("cannot translate {}", loaded.model.name))?
        }
    };
    match &args.out {
        Some(path) => write_atomically(path, text).with_context(|| format!("cannot write {}", path.display()))?,
        None => console.document(text)?,
    }
    Ok(ExitCode::Good)
}
