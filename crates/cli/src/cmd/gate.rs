//! What continuous integration is told: what is new, how high the score is, and files that other tools show.

use crate::args::CiArgs;
use crate::console::Console;
use crate::diagnostics::count;
use crate::exit_code::ExitCode;
use specwright::gate::{Band, Gate, Judged, Known, News, Thresholds, annotations};
use specwright::suites;

/// New findings that are listed without `--verbose`.
const SHOWN: usize = 20;

/// A gate before the work has begun: a file that cannot be used is told at once.
pub(super) struct Pending<'a> {
    args: &'a CiArgs,
    thresholds: Thresholds,
    known: Option<Known>,
}

/// Reads what is known of the results of a command.
pub(super) fn open<'a>(args: &'a CiArgs, thresholds: Thresholds, command: &str) -> anyhow::Result<Pending<'a>> {
    let known = match &args.known {
        Some(path) if !args.update_known || path.exists() => Some(Known::read(path, command)?),
        _ => None,
    };
    Ok(Pending { args, thresholds, known })
}

impl Pending<'_> {
    /// Judges a result and writes the files that are wanted. Where neither a score nor a file of what is known is given,
    /// the exit code is the one of the command, and the result is not even prepared: that takes as long as to print it.
    pub(super) fn close(
        self,
        console: &mut Console,
        judged: impl FnOnce() -> Judged,
        plain: ExitCode,
    ) -> anyhow::Result<ExitCode> {
        if self.is_open_to_all() {
            return Ok(plain);
        }
        let judged = &judged();
        let Pending { args, thresholds, known } = self;
        if let (Some(known), Some(path)) = (&known, &args.known) {
            known.check_model(judged, path)?;
        }
        let mut code = plain;
        let news = match &args.known {
            Some(path) if args.update_known && judged.is_complete => {
                let new = Known::of(judged);
                new.write(path)?;
                let n = count(judged.findings().count(), "finding");
                console.note(format_args!("{n} written to {}", path.display()));
                Some(new.compare(judged))
            }
            Some(path) if args.update_known => {
                console.warning(format_args!("{} was not changed: the run was stopped", path.display()));
                known.map(|known| known.compare(judged))
            }
            _ => known.map(|known| known.compare(judged)),
        };
        let gate = if news.is_some() || thresholds.least.is_some() {
            let gate = judged.gate(thresholds.least, news.as_ref());
            code = match gate {
                Gate::Passed => ExitCode::Good,
                Gate::Open => ExitCode::Unknown,
                Gate::Failed => ExitCode::Found,
            };
            gate
        } else {
            match plain {
                ExitCode::Good => Gate::Passed,
                ExitCode::Unknown => Gate::Open,
                _ => Gate::Failed,
            }
        };
        tell(console, judged, &thresholds, news.as_ref());
        if let Some(path) = &args.sarif {
            suites::write_file(path, judged.sarif(news.as_ref()))?;
        }
        if let Some(path) = args.junit.as_ref().filter(|_| judged.command != "run") {
            suites::write_file(path, judged.junit(news.as_ref()))?;
        }
        if let Some(path) = &args.summary {
            suites::append_file(path, &judged.markdown(&thresholds, news.as_ref(), gate))?;
        }
        if args.annotate {
            console.flush()?;
            console.err(annotations(&judged.shown(news.as_ref())));
        }
        Ok(code)
    }

    /// Whether nothing is compared, demanded or written.
    fn is_open_to_all(&self) -> bool {
        let CiArgs { known, update_known: _, sarif, junit, summary, annotate, .. } = self.args;
        let Thresholds { high, low, least } = self.thresholds;
        let has_files = [known, sarif, junit, summary].into_iter().any(Option::is_some);
        !has_files && !annotate && [high, low, least].iter().all(Option::is_none)
    }
}

/// Says what is new and how high the score is.
fn tell(console: &mut Console, judged: &Judged, thresholds: &Thresholds, news: Option<&News>) {
    if let Some(score) = judged.score {
        let (percent, shown) = (score.percent(), specwright::words::percent(score.good, score.total));
        if let Some(least) = thresholds.least.filter(|least| percent < *least) {
            let undecided = match score.undecided {
                0 => String::new(),
                n => format!(", with {n} undecided"),
            };
            console.error(format_args!("the score of {shown}{undecided} is below {least} %"));
        } else if thresholds.band(percent) == Some(Band::Low) {
            console.warning(format_args!("the score of {shown} is low"));
        }
    }
    let Some(news) = news else { return };
    if !news.added.is_empty() {
        console.error(format_args!(
            "{} that {} not known:",
            count(news.added.len(), "finding"),
            if news.added.len() == 1 { "is" } else { "are" }
        ));
        let shown = judged.shown(Some(news));
        let n = if console.verbose() { shown.len() } else { SHOWN };
        for finding in shown.iter().take(n) {
            let place = finding.place.as_ref();
            let place = place.map(|place| format!("{}:{}:{}: ", place.file, place.start.line, place.start.column));
            console.err(format_args!("  {}{} ({})\n", place.unwrap_or_default(), finding.message, finding.fingerprint));
        }
        if shown.len() > n {
            console.err(format_args!("  … and {} more: `--verbose` lists all\n", shown.len() - n));
        }
    }
    if !news.gone.is_empty() && judged.is_complete {
        let n = count(news.gone.len(), "known finding");
        let verb = if news.gone.len() == 1 { "is" } else { "are" };
        console.note(format_args!("{n} {verb} not found any more: `--update-known` removes them"));
    }
}
