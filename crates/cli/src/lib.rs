//! The `specwright` command: glue between the user and the library crates. It is a library, so that other programs carry
//! it whole.
//!
//! Only this crate prints, reads the environment or decides how the program ends.
#![forbid(unsafe_code)]
#![expect(unreachable_pub, reason = "one function is outside of a program: here `pub` says that other modules use it")]

mod args;
mod cmd;
mod columns;
mod console;
mod diagnostics;
mod exit_code;
mod memory;
mod project;
mod signals;

use args::Cli;
use console::Console;
use exit_code::ExitCode;
use specwright::Failure;
use specwright::syntax::budget::{Budget, Spent};
use specwright::syntax::diagnostic::Diagnostic;
use specwright::syntax::escape::visible;
use specwright::syntax::span::SourceMap;
use std::ffi::OsString;
use std::panic::PanicHookInfo;
use std::sync::OnceLock;

/// The command line of this run.
static TYPED: OnceLock<Vec<OsString>> = OnceLock::new();

/// Deep models make for deep recursion. The memory is only taken if it is used.
const STACK: usize = 256 << 20;

/// Runs a command line, whose first word is the name of the program, and returns the exit code.
pub fn run_command_line(typed: &[OsString]) -> u8 {
    std::panic::set_hook(Box::new(report_panic));
    let _ = TYPED.set(typed.to_vec());
    let cli = match project::parse(typed) {
        Ok(cli) => cli,
        Err(error) => {
            console::usage(&error);
            return if error.use_stderr() { ExitCode::Invalid } else { ExitCode::Good }.number();
        }
    };
    let worker = std::thread::Builder::new().name("main".into()).stack_size(STACK).spawn(move || run(cli));
    let code = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(_panic)) => ExitCode::Internal, // reported where it happened
        Err(error) => {
            anstream::eprintln!("error: cannot start a thread with a stack of {} MiB: {error}", STACK >> 20);
            ExitCode::Internal
        }
    };
    code.number()
}

fn run(cli: Cli) -> ExitCode {
    // The server has standard output to itself, which a console would lock.
    if let args::Command::Lsp(_) = cli.command {
        return cmd::lsp::run();
    }
    let mut console = Console::new(&cli.global);
    concluded(&mut console, |console| cmd::run(console, cli.command))
}

/// Does some work, and says why it has no result, if it has none.
fn concluded(console: &mut Console, work: impl FnOnce(&mut Console) -> anyhow::Result<ExitCode>) -> ExitCode {
    let result = Budget::run(|| work(console)).unwrap_or_else(|Spent| {
        let why = console::why_stopped().unwrap_or("stopped");
        console.warning(format_args!("{why} before there was anything to show"));
        Ok(ExitCode::Unknown)
    });
    let result = result.and_then(|code| {
        console.flush()?;
        Ok(code)
    });
    result.unwrap_or_else(|error| match error.downcast_ref() {
        // These were reported where they were found.
        Some(Failure::Invalid) => ExitCode::Invalid,
        Some(Failure::Undecided) => ExitCode::Unknown,
        Some(Failure::Message(_)) | None => {
            console.error(format_args!("{error:#}"));
            ExitCode::Invalid
        }
    })
}

/// A panic is our mistake, never the user's: says so, with what we need to mend it.
fn report_panic(info: &PanicHookInfo<'_>) {
    let message = visible(info.payload_as_str().unwrap_or("unknown reason"));
    let place = info.location().map(|place| format!(" ({place})")).unwrap_or_default();
    anstream::eprintln!(
        "\n{BAD}internal error{BAD:#}: {message}{place}\n\n\
         This is a bug in specwright {version}, please report it.\n\
         The command line and the model that lead here are all that is needed to fix it.",
        BAD = console::BAD.style(),
        version = env!("CARGO_PKG_VERSION"),
    );
}

/// Diagnostics as people read them, without colour.
pub fn rendered(sources: &SourceMap, found: &[Diagnostic]) -> String {
    diagnostics::plain(sources, found)
}
