//! `specwright export`: a suite for other tool chains.

use super::run::subject::{Source, Subject};
use crate::args::{Export, FormatName};
use crate::console::Console;
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use crate::suites::write_file;
use anyhow::Context;
use specwright_harness::export::{Exported, export, export_with};
use specwright_testgen::suite::{Suite, Validated, validate, write_json, write_text};

pub fn run(console: &mut Console, args: &Export) -> anyhow::Result<ExitCode> {
    let source = Source {
        suite: &args.suite,
        model: args.model.as_deref(),
        dialect: args.dialect,
        mapping: args.mapping.as_deref(),
        recorded: false,
    };
    let Some(subject) = Subject::load(console, &source)? else { return Ok(ExitCode::Invalid) };
    let Subject { model, read, has_behaviour } = subject;
    let mut suite: Suite = read.suite;
    if has_behaviour {
        // What is left open is filled in where the model leaves one way.
        for test in &mut suite.tests {
            if let Ok(Validated::Execution(trace)) = validate(&model, test) {
                test.trace = trace;
            }
        }
    }
    let files = match (&args.template, args.to.and_then(FormatName::format)) {
        (Some(path), _) => {
            let template = crate::text::read(path, &path.display().to_string()).map_err(anyhow::Error::msg)?;
            let text = export_with(&model, &suite, &template, args.inputs.into());
            vec![Exported { name: "suite.txt".into(), text: text.map_err(|error| anyhow::anyhow!("{error}"))? }]
        }
        (None, Some(format)) => {
            export(&model, &suite, format, args.inputs.into()).map_err(|error| anyhow::anyhow!("{error}"))?
        }
        (None, None) if args.to == Some(FormatName::Json) => {
            vec![Exported { name: "suite.json".into(), text: write_json(&model, &suite) }]
        }
        (None, None) => vec![Exported { name: "tests.suite".into(), text: write_text(&model, &suite) }],
    };
    match (&args.out, &files[..]) {
        (None, [file]) => console.document(&file.text)?,
        (None, _) => anyhow::bail!("this format makes {}: say where with `--out DIR`", count(files.len(), "file")),
        (Some(path), [file]) if !path.is_dir() && !ends_like_folder(path) => write_file(path, &file.text)?,
        (Some(folder), _) => {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
            for file in &files {
                write_file(&folder.join(&file.name), &file.text)?;
            }
            console.note(format_args!("{} written to {}", count(files.len(), "file"), folder.display()));
        }
    }
    Ok(ExitCode::Good)
}

fn ends_like_folder(path: &std::path::Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|last| matches!(last, b'/' | b'\\'))
}
