//! The language server of Specwright: what editors ask about specifications, over the Language Server Protocol.
//!
//! [`serve`] speaks the protocol over a pair of streams. A main loop reads messages and answers them from what is known; a
//! thread of its own looks at texts, and threads of their own verify. Nothing waits for a search.
#![forbid(unsafe_code)]

mod analysis;
mod document;
mod feature;
mod index;
mod jobs;
mod lexis;
mod position;
mod server;
mod transport;
mod uri;
mod vocabulary;

use std::io::{BufRead, Write};

/// How a session with a client ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The client asked for the end, as the protocol says.
    Orderly,
    /// The client left without asking.
    Abruptly,
}

/// Serves a client until it leaves.
pub fn serve(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> std::io::Result<Ended> {
    server::run(input, output)
}
