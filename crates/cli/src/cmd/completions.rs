//! `specwright completions` and `specwright man`: for packagers, made from the same definitions as the help.

use crate::args::{Cli, Completions, Man};
use crate::console::Console;
use crate::exit_code::ExitCode;
use clap::CommandFactory;

pub fn run(console: &mut Console, args: &Completions) -> anyhow::Result<ExitCode> {
    let mut bytes = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "specwright", &mut bytes);
    console.document(String::from_utf8_lossy(&bytes))?;
    Ok(ExitCode::Good)
}

pub fn man(console: &mut Console, args: &Man) -> anyhow::Result<ExitCode> {
    let mut cli = Cli::command();
    cli.build();
    let command = match &args.command {
        None => &cli,
        Some(name) => cli.find_subcommand(name).ok_or_else(|| anyhow::anyhow!("unknown command `{name}`"))?,
    };
    let mut bytes = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut bytes)?;
    console.document(String::from_utf8_lossy(&bytes))?;
    Ok(ExitCode::Good)
}
