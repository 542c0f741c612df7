//! Shards: parts of the work of a command, and what puts them together.

use clap::Args;
use specwright::shard::{MOST, Shard, Sharding};
use std::path::PathBuf;

/// A part of the goals or mutants.
#[derive(Clone, Debug, Default, Args)]
pub struct ShardArgs {
    /// Decide only every Nth goal or mutant, from the Kth on, and store the answers; `merge` makes the result
    #[arg(long, value_name = "K/N", value_parser = Shard::parse, requires = "answers", help_heading = "Shards")]
    pub shard: Option<Shard>,
    /// The folder for the answers of the shard; an interrupted shard continues from them
    #[arg(long, value_name = "DIR", requires = "shard", help_heading = "Shards")]
    pub answers: Option<PathBuf>,
}

impl ShardArgs {
    /// What the command has to do: with what was typed, without the flags of shards.
    pub fn sharding(&self) -> anyhow::Result<Sharding> {
        let (Some(shard), Some(folder)) = (self.shard, self.answers.clone()) else { return Ok(Sharding::Whole) };
        let mut command = Vec::new();
        let mut typed = crate::TYPED.get().into_iter().flatten().skip(1).cloned();
        let mut is_flag = true;
        while let Some(word) = typed.next() {
            let Some(word) = word.into_string().ok() else {
                anyhow::bail!("--shard: the arguments are stored, so they must be valid Unicode");
            };
            is_flag &= word != "--";
            match word.as_str() {
                "--shard" | "--answers" if is_flag => drop(typed.next()),
                flag if is_flag && (flag.starts_with("--shard=") || flag.starts_with("--answers=")) => {}
                _ => command.push(word),
            }
        }
        Ok(Sharding::Decide { shard, folder, command })
    }
}

/// Merge the answers of all shards of a command into its result
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright generate model.smv --out run --shard 1/2 --answers shards/1
  specwright generate model.smv --out run --shard 2/2 --answers shards/2
  specwright merge shards/1 shards/2                  as `specwright generate model.smv --out run`")]
pub struct Merge {
    /// The folders of the answers, one for each shard
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
}

/// Print the shards of a command as JSON: a matrix for a CI job
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  specwright plan --shards 8 -- generate model.smv --out run
  specwright plan --shards 8 --answers out -- grade model.smv suite.json")]
pub struct Plan {
    /// The number of shards
    #[arg(long, value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=MOST as u64))]
    pub shards: usize,
    /// The folder that gets a folder for each shard
    #[arg(long, value_name = "DIR", default_value = "shards")]
    pub answers: String,
    /// The command and its arguments, after `--`
    #[arg(value_name = "COMMAND", last = true, required = true)]
    pub command: Vec<String>,
}
