//! `specwright lsp`: the language server, over standard input and output.

use crate::exit_code::ExitCode;
use specwright_lsp::{Ended, serve};
use std::io::{BufReader, stdin, stdout};

pub fn run() -> ExitCode {
    match serve(BufReader::new(stdin()), stdout()) {
        Ok(Ended::Orderly) => ExitCode::Good,
        // The client is gone; there is no one left to tell why.
        Ok(Ended::Abruptly) | Err(_) => ExitCode::Invalid,
    }
}
