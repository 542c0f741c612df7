//! `specwright focus`: the finite-focus reduction of a model.

use crate::args::Focus;
use crate::console::Console;
use crate::exit_code::ExitCode;
use specwright::suites::write_file;
use specwright::{ReadSettings, Session};

pub fn run(console: &mut Console, args: &Focus) -> anyhow::Result<ExitCode> {
    let reading = ReadSettings { mutants: true, ..(&args.model.reading).into() };
    let session = Session::open(&args.model.path, &reading, console)?;
    let text = session.focus(&args.keeping.keep, &args.limits.limits(), console)?;
    match &args.out {
        Some(path) => write_file(path, text)?,
        None => console.document(text)?,
    }
    Ok(ExitCode::Good)
}
