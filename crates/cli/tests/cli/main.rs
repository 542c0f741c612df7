//! Tests of the program as its users see it.
#![expect(clippy::unwrap_used, reason = "a test that cannot do its work should say so and stop")]

mod asm;
mod audit;
mod book;
mod browser;
mod check;
mod ci_files;
mod diagnostics;
mod documents;
mod export;
mod focus;
mod gate;
mod generate;
mod lsp;
mod mutate;
mod odd_names;
mod optional;
mod outputs;
mod project;
mod report;
mod robustness;
mod run;
mod safety;
mod schemas;
mod scr;
mod shards;
mod simulate;
mod tools;
mod winnow;
mod xstate;

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A folder for the files of this run: two runs at the same time must not write each other's.
fn scratch() -> PathBuf {
    static FOLDER: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    let make = || {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("run-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    };
    FOLDER.get_or_init(make).clone()
}

/// The program, to be run in a folder, without the colour settings of the caller.
fn specwright_in(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_specwright"));
    command.current_dir(folder).env("NO_COLOR", "1").env_remove("CLICOLOR_FORCE").env_remove("RUST_BACKTRACE");
    command
}
