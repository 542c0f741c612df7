//! The commands, one file each.

mod audit;
mod certificate;
mod check;
mod compare;
mod completions;
mod explain;
mod export;
mod fmt;
mod focus;
mod gate;
mod generate;
mod grade;
mod init;
pub mod lsp;
mod merge;
mod minimize;
mod mutate;
mod reflect;
mod report;
mod run;
mod safety;
mod show;
mod simulate;
mod tables;
mod translate;

use crate::args::Command;
use crate::console::Console;
use crate::exit_code::ExitCode;

/// Does what was asked for.
pub fn run(console: &mut Console, command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Audit(args) => audit::run(console, &args),
        Command::Check(args) => check::run(console, &args),
        Command::Generate(args) => generate::run(console, &args),
        Command::Grade(args) => grade::run(console, &args),
        Command::Init(args) => init::run(console, &args),
        Command::Minimize(args) => minimize::run(console, &args),
        Command::Merge(args) => merge::run(console, &args),
        Command::Plan(args) => merge::plan(console, &args),
        Command::Compare(args) => compare::run(console, &args),
        Command::Report(args) => report::run(console, &args),
        Command::Run(args) => run::run(console, &args),
        Command::Export(args) => export::run(console, &args),
        Command::Show(args) => show::run(console, &args),
        Command::Simulate(args) => simulate::run(console, &args),
        Command::Mutate(args) => mutate::run(console, &args),
        Command::Safety(args) => safety::run(console, &args),
        Command::Reflect(args) => reflect::run(console, &args),
        Command::Focus(args) => focus::run(console, &args),
        Command::Translate(args) => translate::run(console, &args),
        Command::Fmt(args) => fmt::run(console, &args),
        Command::Explain(args) => explain::run(console, &args),
        Command::Lsp(_) => Ok(lsp::run()),
        Command::Completions(args) => completions::run(console, &args),
        Command::Man(args) => completions::man(console, &args),
    }
}
