//! Many models: each is checked on its own, several at a time, and shown in the order in which they were named.

use super::one;
use crate::args::{Check, CheckFormat};
use crate::concluded;
use crate::console::{self, BAD, Console, GOOD, HEADING, Kept, UNSURE};
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use specwright::syntax::parallel;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;

/// What became of a model.
struct Done {
    code: ExitCode,
    shown: Kept,
}

/// Exit codes, the worst first, and what they say of a model.
const CODES: [(ExitCode, &str); 4] = [
    (ExitCode::Invalid, "invalid"),
    (ExitCode::Found, "with failures"),
    (ExitCode::Unknown, "undecided"),
    (ExitCode::Good, "without failures"),
];

pub(super) fn run(console: &mut Console, args: &Check) -> anyhow::Result<ExitCode> {
    if args.format == CheckFormat::Sarif {
        anyhow::bail!("`--format sarif` is for one model");
    }
    let paths: Vec<&PathBuf> = std::iter::once(&args.model.path).chain(&args.others).collect();
    if paths.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
        anyhow::bail!("`-` can be given once: standard input is one model");
    }
    // Ctrl-C ends the whole batch, and what was checked is shown.
    console::catch_interrupts();
    let jobs = match args.limits.jobs {
        Some(jobs) => usize::from(jobs),
        None => available_parallelism().map_or(1, NonZeroUsize::get),
    };
    let recorder = console.recorder();
    let work = |path: &&PathBuf| {
        if console::interrupted() {
            return None;
        }
        let mut args = args.clone();
        args.model.path.clone_from(path);
        args.others.clear();
        // Threads are spread over models first.
        args.limits.jobs = u16::try_from((jobs / paths.len()).max(1)).ok();
        let mut console = recorder.console();
        let code = concluded(&mut console, |console| one(console, &args));
        Some(Done { code, shown: console.into_kept() })
    };
    let (mut codes, mut result) = (Vec::new(), Ok(()));
    let mut names = paths.iter();
    let mut progress = console.progress(paths.len());
    parallel::each(jobs, &paths, work, |done| {
        let name = names.next().map(|path| path.display().to_string()).unwrap_or_default();
        let Some(done) = done else { return };
        progress.pause();
        if result.is_ok() {
            result = show(console, args.format, (&name, codes.is_empty()), &done);
        }
        codes.push(done.code);
        progress.at(codes.len(), &name);
    });
    progress.finish();
    result?;
    if args.format == CheckFormat::Text {
        console.out(format_args!("\n{}\n", summary(&codes)))?;
    }
    let left = paths.len() - codes.len();
    if left > 0 {
        let why = console::why_stopped().unwrap_or("interrupted");
        console.warning(format_args!("{why}: {} not checked", count(left, "model")));
        codes.push(ExitCode::Unknown);
    }
    let worst = CODES.iter().find(|(code, _)| codes.contains(code));
    Ok(worst.map_or(ExitCode::Good, |(code, _)| *code))
}

fn show(console: &mut Console, format: CheckFormat, (name, is_first): (&str, bool), done: &Done) -> anyhow::Result<()> {
    if format == CheckFormat::Text {
        let space = if is_first { "" } else { "\n" };
        console.out(format_args!("{space}{HEADING}{name}{HEADING:#}\n"))?;
    }
    Ok(console.show(&done.shown)?)
}

/// How many models there are, by what became of them.
fn summary(codes: &[ExitCode]) -> String {
    let parts = CODES.iter().filter_map(|(code, words)| {
        let n = codes.iter().filter(|other| *other == code).count();
        let paint = match code {
            ExitCode::Good => GOOD,
            ExitCode::Unknown => UNSURE,
            _ => BAD,
        };
        (n > 0).then(|| format!("{paint}{n} {words}{paint:#}"))
    });
    format!("{}: {}", count(codes.len(), "model"), parts.collect::<Vec<_>>().join(", "))
}
