//! The terminal: results to stdout, everything else to stderr, colour where it is wanted, progress on long runs.
//!
//! The interfaces to `anstream` and `indicatif` are localized here.

use crate::args::{ColorWhen, Global};
use crate::exit_code::ExitCode;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use specwright_syntax::budget::Budget;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// For what holds, and for what stands out as good.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// For what fails.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// For what is not known.
pub const UNSURE: Style = AnsiColor::Yellow.on_default().bold();
/// For headings.
pub const HEADING: Style = Style::new().bold();
/// For what may be skipped by the eye.
pub const QUIET: Style = Style::new().dimmed();

/// Set by Ctrl-C and by the end of the time. Long work looks at it and stops with what it knows.
static CANCEL: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Set if it was not the user who asked to stop, but the end of the time.
static TIME_IS_UP: AtomicBool = AtomicBool::new(false);

/// Time after the end of the time in which all work must have stopped. Work looks at the flag many times in a second; this
/// is for what does not, and ends the program.
const GRACE: Duration = Duration::from_secs(20);

/// Whether the work is to stop: the user has asked for it, or the time is up.
pub fn interrupted() -> bool {
    CANCEL.load(Ordering::Relaxed)
}

/// Why the work is to stop, if it is.
pub fn why_stopped() -> Option<&'static str> {
    let why = if TIME_IS_UP.load(Ordering::Relaxed) { "the time is up" } else { "interrupted" };
    interrupted().then_some(why)
}

/// The flag that tells the same to those who do not know the console.
pub fn cancel_flag() -> Arc<AtomicBool> {
    Arc::clone(&CANCEL)
}

/// The budget of the run: it is spent at Ctrl-C and at the end of the time.
pub fn budget() -> Budget {
    Budget::until(cancel_flag())
}

/// From here on Ctrl-C asks the work to stop; a second one ends the program at once.
pub fn catch_interrupts() {
    // Where no handler can be set, Ctrl-C simply ends the program, as ever.
    let _ = ctrlc::set_handler(|| {
        if CANCEL.swap(true, Ordering::Relaxed) {
            #[expect(clippy::exit, reason = "the user insists")]
            std::process::exit(130);
        }
    });
}

/// Asks the work to stop after some time, as Ctrl-C does. Work that does not stop is ended.
fn cancel_after(time: Duration) {
    std::thread::spawn(move || {
        std::thread::sleep(time);
        if !CANCEL.swap(true, Ordering::Relaxed) {
            TIME_IS_UP.store(true, Ordering::Relaxed);
        }
        std::thread::sleep(GRACE);
        anstream::eprintln!("{BAD}error{BAD:#}: the time is up, and the work did not stop by itself");
        #[expect(clippy::exit, reason = "the user has set a limit, and it holds")]
        std::process::exit(ExitCode::Unknown.number().into());
    });
}

/// Where a command writes.
pub struct Console {
    stdout: AutoStream<io::StdoutLock<'static>>,
    stderr: AutoStream<io::Stderr>,
    quiet: bool,
    verbose: bool,
    /// When the time of the run is up, if it is limited.
    deadline: Option<Instant>,
    /// The reader of stdout has gone away. Nobody looks any more, which is no error: `… | head` does it.
    closed: bool,
}

impl Console {
    /// A console as the user wants it. The time of the run starts here.
    pub fn new(global: &Global) -> Console {
        let time = global.time_limit.map(Duration::from_secs_f64);
        if let Some(time) = time {
            cancel_after(time);
        }
        let (stdout, stderr) = (io::stdout().lock(), io::stderr());
        Console {
            stdout: AutoStream::new(stdout, choice(global.color, AutoStream::choice(&io::stdout()))),
            stderr: AutoStream::new(stderr, choice(global.color, AutoStream::choice(&io::stderr()))),
            quiet: global.quiet,
            verbose: global.verbose,
            deadline: time.map(|time| Instant::now() + time),
            closed: false,
        }
    }

    /// Whether warnings and other asides are unwanted.
    pub fn quiet(&self) -> bool {
        self.quiet
    }

    /// Whether the user wants to see everything.
    pub fn verbose(&self) -> bool {
        self.verbose
    }

    /// When the time of the run is up, if the user limits it.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Whether nobody reads the results any more, so that there is no use in making more of them.
    pub fn closed(&self) -> bool {
        self.closed
    }

    /// Writes results.
    pub fn out(&mut self, text: impl std::fmt::Display) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        match write!(self.stdout, "{text}") {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            result => result,
        }
    }

    /// Makes sure that the results written so far are seen.
    pub fn flush(&mut self) -> io::Result<()> {
        match self.stdout.flush() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            result => result,
        }
    }

    /// Writes for the eye of the user, beside the results. If even stderr is gone, there is nobody left to tell.
    pub fn err(&mut self, text: impl std::fmt::Display) {
        let _ = write!(self.stderr, "{text}");
    }

    /// A one-line error.
    pub fn error(&mut self, message: impl std::fmt::Display) {
        self.err(format_args!("{BAD}error{BAD:#}{HEADING}: {message}{HEADING:#}\n"));
    }

    /// A one-line warning, unless the user wants none.
    pub fn warning(&mut self, message: impl std::fmt::Display) {
        if !self.quiet {
            self.err(format_args!("{UNSURE}warning{UNSURE:#}{HEADING}: {message}{HEADING:#}\n"));
        }
    }

    /// A one-line remark, unless the user wants none.
    pub fn note(&mut self, message: impl std::fmt::Display) {
        if !self.quiet {
            self.err(format_args!("{HEADING}note{HEADING:#}: {message}\n"));
        }
    }

    /// Whether what goes to stderr is coloured.
    pub fn colors_errors(&self) -> bool {
        !matches!(self.stderr.current_choice(), ColorChoice::Never)
    }

    /// The width of the terminal to which stderr goes; a customary one otherwise.
    pub fn error_width() -> usize {
        const CUSTOMARY: usize = 140;
        terminal_size::terminal_size_of(io::stderr()).map_or(CUSTOMARY, |(width, _)| width.0.into())
    }

    /// A progress bar for so many pieces of work.
    pub fn progress(&self, total: usize) -> Progress {
        Progress { total: total as u64, started: Instant::now(), wanted: !self.quiet, bar: None }
    }
}

fn choice(when: ColorWhen, auto: ColorChoice) -> ColorChoice {
    match when {
        ColorWhen::Auto => auto,
        ColorWhen::Always => ColorChoice::Always,
        ColorWhen::Never => ColorChoice::Never,
    }
}

/// A bar on stderr that only shows itself when the work takes long, and only on a terminal.
pub struct Progress {
    total: u64,
    started: Instant,
    wanted: bool,
    bar: Option<indicatif::ProgressBar>,
}

impl Progress {
    /// Whether anybody sees it, so that saying how far the work has come is worth finding out.
    pub fn is_seen(&self) -> bool {
        const PATIENCE: Duration = Duration::from_secs(1);
        self.wanted && self.started.elapsed() >= PATIENCE && io::stderr().is_terminal()
    }

    /// Says that reachable states are being found, and how many rings or parts of them there are.
    pub fn exploring(&mut self, n_parts: usize) {
        if self.is_seen() {
            let done = self.bar.as_ref().map_or(0, |bar| bar.position() as usize);
            self.at(done, &format!("reachable states, part {n_parts}"));
        }
    }

    /// Says how far the work has come.
    pub fn at(&mut self, done: usize, what: &str) {
        if !self.is_seen() {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let style = indicatif::ProgressStyle::with_template("{bar:24} {pos}/{len} {elapsed} {wide_msg}")
                .unwrap_or_else(|_| indicatif::ProgressStyle::default_bar());
            indicatif::ProgressBar::new(self.total).with_style(style)
        });
        bar.set_position(done as u64);
        bar.set_message(what.to_owned());
    }

    /// Takes the bar off the screen, so that something can be printed.
    pub fn pause(&self) {
        if let Some(bar) = &self.bar {
            bar.suspend(|| ());
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
