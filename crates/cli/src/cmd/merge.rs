//! `specwright merge` and `specwright plan`: the shards of a command.

use crate::args::{Command, Merge, Plan};
use crate::cmd::{audit, compare, generate, grade, mutate, safety};
use crate::console::Console;
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use crate::project;
use specwright::document::{self, PlanDocument};
use specwright::shard::{Answers, Decided, Shard, Sharding};
use std::ffi::OsString;
use std::sync::Arc;

/// The commands that have shards.
const NAMES: &str = "`generate`, `grade`, `audit`, `mutate`, `safety` and `compare`";

pub fn run(console: &mut Console, args: &Merge) -> anyhow::Result<ExitCode> {
    let answers = Answers::read(&args.folders)?;
    let typed: Vec<OsString> =
        ["specwright"].into_iter().chain(answers.command().iter().map(String::as_str)).map(Into::into).collect();
    let cli = project::parse(&typed).map_err(|error| anyhow::anyhow!("the command of the shards is wrong: {error}"))?;
    let sharding = Sharding::Merge(Arc::new(answers));
    match cli.command {
        Command::Generate(args) => generate::run_as(console, &args, sharding),
        Command::Grade(args) => grade::run_as(console, &args, sharding),
        Command::Audit(args) => audit::run_as(console, &args, sharding),
        Command::Mutate(args) => mutate::run_as(console, &args, sharding),
        Command::Safety(args) => safety::run_as(console, &args, sharding),
        Command::Compare(args) => compare::run_as(console, &args, sharding),
        _ => anyhow::bail!("only shards of {NAMES} can be merged"),
    }
}

pub fn plan(console: &mut Console, args: &Plan) -> anyhow::Result<ExitCode> {
    match args.command.first().map(String::as_str) {
        Some("generate" | "grade" | "audit" | "mutate" | "safety" | "compare") => {}
        _ => anyhow::bail!("only {NAMES} have shards"),
    }
    let shards = (1..=args.shards).map(|number| Shard { number, of: args.shards });
    let document = PlanDocument::new(shards, &args.answers, &args.command);
    console.document(document::json(&document)?)?;
    Ok(ExitCode::Good)
}

/// Says what a shard has decided.
pub(super) fn decided(console: &mut Console, sharding: &Sharding, decided: Decided) -> anyhow::Result<ExitCode> {
    let Sharding::Decide { shard, folder, .. } = sharding else { return Ok(ExitCode::Good) };
    let goals = count(decided.goals, "goal");
    let resumed = match decided.resumed {
        0 => String::new(),
        n => format!(", {n} of them known from an earlier run"),
    };
    if !decided.is_complete {
        console.warning(format_args!("shard {shard} was stopped: the same command continues from here"));
        return Ok(ExitCode::Unknown);
    }
    let undecided = match decided.undecided {
        0 => String::new(),
        n => format!(", {n} undecided"),
    };
    console.out(format_args!("shard {shard}: {goals}{undecided}{resumed}, written to {}\n", folder.display()))?;
    Ok(ExitCode::Good)
}
