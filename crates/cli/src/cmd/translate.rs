//! `specwright translate`: a specification in another language.

use crate::args::{Target, Translate};
use crate::console::Console;
use crate::exit_code::ExitCode;
use anyhow::Context;
use specwright::suites::write_file;
use specwright::syntax::aiger;

pub fn run(console: &mut Console, args: &Translate) -> anyhow::Result<ExitCode> {
    let session = args.model.open_evaluated(console)?;
    let failed = || format!("cannot translate {}", session.model.name);
    let bytes = match args.to {
        Target::Smv => session.to_smv().with_context(failed)?.into_bytes(),
        Target::Aiger => {
            let circuit = session.to_aiger(console).with_context(failed)?;
            let is_binary = args.out.as_ref().is_some_and(|path| path.extension().is_some_and(|name| name == "aig"));
            if is_binary { aiger::binary(&circuit) } else { aiger::ascii(&circuit).into_bytes() }
        }
    };
    match &args.out {
        Some(path) => write_file(path, bytes)?,
        None => console.document(String::from_utf8_lossy(&bytes).into_owned())?,
    }
    Ok(ExitCode::Good)
}
