//! The file of a project, `specwright.toml`.

use clap::{Arg, ArgAction, Command};
use std::ffi::OsString;

#[path = "../../crates/cli/src/project/merge.rs"]
mod merge;

/// Some commands with arguments of all kinds.
fn commands() -> Command {
    let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    let many = |name: &'static str| Arg::new(name).long(name).short(name.chars().next()).action(ArgAction::Append);
    let place = |name: &'static str| Arg::new(name).value_name(name).required(true);
    Command::new("specwright")
        .subcommand(Command::new("generate").arg(place("model")).arg(many("criterion")).arg(many("ignore")))
        .subcommand(
            Command::new("run")
                .arg(place("suite"))
                .arg(flag("shrink"))
                .arg(Arg::new("program").value_name("PROGRAM").num_args(0..).last(true)),
        )
        .subcommand(Command::new("explain").arg(Arg::new("what")).arg(Arg::new("model").value_name("MODEL")))
}

/// What was typed stays in its order, and a flag that was typed is not taken from the file.
pub(crate) fn project(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    for typed in ["specwright generate --criterion x", "specwright run -- a b", "specwright explain t", "specwright"] {
        let typed: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
        let Ok(Some(words)) = merge::completed(commands(), &typed, text) else { continue };
        let mut left = words.iter();
        assert!(typed.iter().all(|word| left.any(|other| other == word)), "{typed:?} is not in {words:?}");
        if typed[1] == "generate" {
            let criteria = words.iter().filter(|word| word.as_encoded_bytes().starts_with(b"--criterion"));
            assert_eq!(criteria.count(), 1, "{words:?}");
        }
    }
}
