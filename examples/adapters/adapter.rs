//! A server that takes one job at a time, and its adapter: the Rust side of `specwright run`.
//!
//! ```sh
//! rustc -o adapter examples/adapters/adapter.rs
//! specwright run suite.json -- ./adapter
//! ```
//!
//! The model is examples/request-busy/request_busy.smv. To test something else, replace `Server`. In a project, read the
//! lines with `serde_json`; here the few values are found without it.

use std::io::{self, BufRead, Write};

/// The implementation under test.
#[derive(Default)]
struct Server {
    busy: bool,
}

impl Server {
    fn step(&mut self, request: bool) {
        self.busy = !self.busy && request;
    }

    fn answer(&self) -> String {
        format!(r#"{{"outputs":{{"state":"{}"}}}}"#, if self.busy { "busy" } else { "ready" })
    }
}

fn main() -> io::Result<()> {
    let mut server = Server::default();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let is = |op: &str| line.contains(&format!(r#""op":"{op}""#));
        let answer = if is("hello") {
            // One process does for many tests, and a step acts on the inputs of the state that it leaves.
            r#"{"protocol":"specwright/run/1","reset":true,"inputs":"leaving"}"#.to_owned()
        } else if is("reset") {
            server = Server::default();
            server.answer()
        } else if is("step") {
            server.step(line.contains(r#""request":true"#));
            server.answer()
        } else {
            break;
        };
        println!("{answer}");
        io::stdout().flush()?;
    }
    Ok(())
}
