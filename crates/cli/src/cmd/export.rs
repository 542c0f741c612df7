//! `specwright export`: a suite for other tool chains.

use crate::args::Export;
use crate::console::{self, Console};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use specwright::suites::{make_folder, write_file};
use specwright::{BoundSuite, ReadSettings, SuiteSource};
use std::path::Path;

pub fn run(console: &mut Console, args: &Export) -> anyhow::Result<ExitCode> {
    let source = SuiteSource {
        suite: args.suite.clone(),
        model: args.model.clone(),
        reading: ReadSettings { dialect: args.dialect.into(), limits: console::limits(), ..ReadSettings::default() },
        mapping: args.mapping.clone(),
        recorded: false,
    };
    let mut bound = BoundSuite::open(&source, console)?;
    if let Some(timing) = args.inputs {
        bound.set_timing(timing.into());
    }
    let files = match (&args.template, args.to) {
        (Some(path), _) => vec![bound.export_with(path)?],
        (None, Some(format)) => bound.export(format)?,
        (None, None) => Vec::new(), // one of them is required
    };
    match (&args.out, &files[..]) {
        (None, [file]) => console.document(&file.text)?,
        (None, _) => anyhow::bail!("this format makes {}: say where with `--out DIR`", count(files.len(), "file")),
        (Some(path), [file]) if !path.is_dir() && !ends_like_folder(path) => write_file(path, &file.text)?,
        (Some(folder), _) => {
            make_folder(folder)?;
            for file in &files {
                write_file(&folder.join(&file.name), &file.text)?;
            }
            console.note(format_args!("{} written to {}", count(files.len(), "file"), folder.display()));
        }
    }
    Ok(ExitCode::Good)
}

fn ends_like_folder(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|last| matches!(last, b'/' | b'\\'))
}
