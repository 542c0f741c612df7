//! The terminal: results to stdout, everything else to stderr, colour where it is wanted, progress on long runs.
//!
//! The interfaces to `anstream` and `indicatif` are localized here. What a specification, a file or a program under test
//! says never reaches the terminal raw: see [`paint`].

mod paint;
mod stream;

pub use paint::{Paint, clean};

use crate::args::{ColorWhen, Global};
use crate::diagnostics;
use crate::exit_code::ExitCode;
use crate::memory;
use crate::signals;
use anstream::{AutoStream, ColorChoice};
use paint::clean_rendered;
use specwright::Limits;
use specwright::events::{self, Events, Level};
use specwright::syntax::diagnostic::Diagnostic;
use specwright::syntax::escape::{is_harmful, visible};
use specwright::syntax::span::SourceMap;
use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use stream::Stream;

/// For what holds, and for what stands out as good.
pub const GOOD: Paint = Paint::Good;
/// For what fails.
pub const BAD: Paint = Paint::Bad;
/// For what is not known.
pub const UNSURE: Paint = Paint::Unsure;
/// For headings.
pub const HEADING: Paint = Paint::Heading;
/// For what may be skipped by the eye.
pub const QUIET: Paint = Paint::Quiet;

/// Set by Ctrl-C and by the limits of the run. Long work looks at it and stops with what it knows.
static CANCEL: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Set if it was not the user who asked to stop, but the end of the time.
static TIME_IS_UP: AtomicBool = AtomicBool::new(false);

/// Set if it was not the user who asked to stop, but the end of the memory.
static MEMORY_IS_SPENT: AtomicBool = AtomicBool::new(false);

/// Whether the user has asked for an end. Unlike the flag of the work, it stays set while results are prepared.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Time after the end of the time in which all work must have stopped. Work looks at the flag many times in a second; this
/// is for what does not, and ends the program.
const GRACE: Duration = Duration::from_secs(20);

/// Whether the work is to stop: the user has asked for it, or the time is up.
pub fn interrupted() -> bool {
    CANCEL.load(Ordering::Relaxed)
}

/// Why the work is to stop, if it is.
pub fn why_stopped() -> Option<&'static str> {
    let why = if TIME_IS_UP.load(Ordering::Relaxed) {
        "the time is up"
    } else if MEMORY_IS_SPENT.load(Ordering::Relaxed) {
        "the memory limit is reached"
    } else {
        "interrupted"
    };
    let flags = [&INTERRUPTED, &TIME_IS_UP, &MEMORY_IS_SPENT];
    (interrupted() || flags.iter().any(|flag| flag.load(Ordering::Relaxed))).then_some(why)
}

/// The flag that tells the same to those who do not know the console.
pub fn cancel_flag() -> Arc<AtomicBool> {
    Arc::clone(&CANCEL)
}

/// The limits of the run: it ends at Ctrl-C, at the end of the time and at the end of the memory.
pub fn limits() -> Limits {
    Limits {
        cancel: cancel_flag(),
        memory: memory::for_diagrams,
        is_out_of_memory: Some(stop_without_memory),
        ..Limits::default()
    }
}

/// Asks all work to stop, as Ctrl-C does, if the memory is spent.
fn stop_without_memory() -> bool {
    let is_spent = memory::is_spent();
    if is_spent && !CANCEL.swap(true, Ordering::Relaxed) {
        MEMORY_IS_SPENT.store(true, Ordering::Relaxed);
    }
    is_spent
}

/// From here on Ctrl-C and other signals that end programs ask the work to stop; a second one ends the program at once,
/// and the programs that it has started.
pub fn catch_interrupts() {
    signals::handle(|code| {
        let has_asked = INTERRUPTED.swap(true, Ordering::Relaxed);
        if CANCEL.swap(true, Ordering::Relaxed) || has_asked {
            specwright::run::kill_all();
            #[expect(clippy::exit, reason = "the user insists")]
            std::process::exit(code);
        }
    });
}

/// Says what is wrong with the command line, or shows help. If this cannot be printed, nothing can.
pub fn usage(error: &clap::Error) {
    let text = error.render().to_string();
    if text.contains(|c| c != '\n' && is_harmful(c)) {
        let _ = write!(io::stderr(), "{}", clean(&text, false));
    } else {
        let _ = error.print();
    }
}

/// Asks the work to stop after some time, as Ctrl-C does. Work that does not stop is ended.
fn cancel_after(time: Duration) {
    std::thread::spawn(move || {
        std::thread::sleep(time);
        if !CANCEL.swap(true, Ordering::Relaxed) {
            TIME_IS_UP.store(true, Ordering::Relaxed);
        }
        std::thread::sleep(GRACE);
        let _ = writeln!(io::stderr(), "error: time limit reached; the command was aborted");
        specwright::run::kill_all();
        #[expect(clippy::exit, reason = "the user has set a limit, and it holds")]
        std::process::exit(ExitCode::Unknown.number().into());
    });
}

/// Where a command writes.
pub struct Console {
    stdout: Stream<io::StdoutLock<'static>>,
    stderr: Stream<io::Stderr>,
    quiet: bool,
    verbose: bool,
    /// When the time of the run is up, if it is limited.
    deadline: Option<Instant>,
    /// The reader of stdout has closed it, as `… | head` does. That is no error.
    closed: bool,
}

impl Console {
    /// A console as the user wants it. The limits of the run hold from here on.
    pub fn new(global: &Global) -> Console {
        memory::set_limit((global.max_memory as usize) << 20);
        let time = global.time_limit.map(Duration::from_secs_f64);
        if let Some(time) = time {
            cancel_after(time);
        }
        let (stdout, stderr) = (io::stdout().lock(), io::stderr());
        Console {
            stdout: Stream::Live(AutoStream::new(stdout, choice(global.color, AutoStream::choice(&io::stdout())))),
            stderr: Stream::Live(AutoStream::new(stderr, choice(global.color, AutoStream::choice(&io::stderr())))),
            quiet: global.quiet,
            verbose: global.verbose,
            deadline: time.map(|time| Instant::now() + time),
            closed: false,
        }
    }

    /// A console like this one for another thread, which keeps what it gets until it is [shown](Self::show).
    pub fn recorder(&self) -> Recorder {
        let Console { quiet, verbose, deadline, .. } = *self;
        let styled = (self.stdout.is_styled(), self.stderr.is_styled());
        Recorder { styled, quiet, verbose, deadline }
    }

    /// Shows what another console has kept: its results, then what is beside them.
    pub fn show(&mut self, kept: &Kept) -> io::Result<()> {
        if !self.closed {
            let result = self.stdout.flush().and_then(|()| io::stdout().write_all(&kept.results));
            Self::written(&mut self.closed, result)?;
        }
        self.flush()?;
        let _ = self.stderr.write_all(&kept.asides);
        Ok(())
    }

    /// What was kept by a console of a [recorder](Recorder).
    pub fn into_kept(self) -> Kept {
        match (self.stdout, self.stderr) {
            (Stream::Kept { text: results, .. }, Stream::Kept { text: asides, .. }) => Kept { results, asides },
            _ => Kept::default(),
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

    /// Whether the reader of stdout has closed it: further results would be lost.
    pub fn closed(&self) -> bool {
        self.closed
    }

    /// Writes results.
    pub fn out(&mut self, text: impl std::fmt::Display) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let styled = self.stdout.is_styled();
        Self::written(&mut self.closed, self.stdout.write_all(clean(&text.to_string(), styled).as_bytes()))
    }

    /// Writes a document for other programs, byte for byte, unless it is a terminal that reads it.
    pub fn document(&mut self, text: impl std::fmt::Display) -> io::Result<()> {
        if io::stdout().is_terminal() {
            return self.out(text);
        }
        if self.closed {
            return Ok(());
        }
        // Not through what removes colours: in a document everything is content.
        let result = match &mut self.stdout {
            Stream::Live(stdout) => stdout.flush().and_then(|()| write!(io::stdout(), "{text}")),
            Stream::Kept { text: kept, .. } => write!(kept, "{text}"),
        };
        Self::written(&mut self.closed, result)
    }

    fn written(closed: &mut bool, result: io::Result<()>) -> io::Result<()> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                *closed = true;
                Ok(())
            }
            result => result,
        }
    }

    /// Makes sure that the results written so far are seen.
    pub fn flush(&mut self) -> io::Result<()> {
        let result = self.stdout.flush();
        Self::written(&mut self.closed, result)
    }

    /// Writes for the eye of the user, beside the results. Errors of stderr are ignored.
    pub fn err(&mut self, text: impl std::fmt::Display) {
        let styled = self.colors_errors();
        let _ = self.stderr.write_all(clean(&text.to_string(), styled).as_bytes());
    }

    /// Writes what a renderer has made, with its colours, beside the results.
    pub fn rendered(&mut self, text: &str) {
        let _ = self.stderr.write_all(clean_rendered(text).as_bytes());
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
        self.stderr.is_styled()
    }

    /// The width of the terminal to which stderr goes; a customary one otherwise.
    pub fn error_width() -> usize {
        const CUSTOMARY: usize = 140;
        terminal_size::terminal_size_of(io::stderr()).map_or(CUSTOMARY, |(width, _)| width.0.into())
    }

    /// A progress bar for a number of pieces of work.
    pub fn progress(&self, total: usize) -> Box<dyn events::Progress> {
        Box::new(Progress {
            total: total as u64,
            done: 0,
            started: Instant::now(),
            wanted: !self.quiet && matches!(self.stderr, Stream::Live(_)),
            bar: RefCell::default(),
        })
    }
}

/// What makes consoles for other threads.
#[derive(Clone, Copy, Debug)]
pub struct Recorder {
    styled: (bool, bool),
    quiet: bool,
    verbose: bool,
    deadline: Option<Instant>,
}

/// What a console got: results, and what is beside them.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    results: Vec<u8>,
    asides: Vec<u8>,
}

impl Recorder {
    /// A console that keeps what it gets.
    pub fn console(&self) -> Console {
        let Recorder { styled, quiet, verbose, deadline } = *self;
        Console {
            stdout: Stream::kept(styled.0),
            stderr: Stream::kept(styled.1),
            quiet,
            verbose,
            deadline,
            closed: false,
        }
    }
}

fn choice(when: ColorWhen, auto: ColorChoice) -> ColorChoice {
    match when {
        ColorWhen::Auto => auto,
        ColorWhen::Always => ColorChoice::Always,
        ColorWhen::Never => ColorChoice::Never,
    }
}

impl Events for Console {
    fn message(&mut self, level: Level, text: &str) {
        match level {
            Level::Error => self.error(text),
            Level::Warning => self.warning(text),
            Level::Note => self.note(text),
        }
    }

    fn diagnostics(&mut self, sources: &SourceMap, found: &[Diagnostic]) {
        diagnostics::report(self, sources, found);
    }

    fn progress(&self, total: usize) -> Box<dyn events::Progress> {
        Console::progress(self, total)
    }

    fn verbose(&self) -> bool {
        self.verbose
    }

    fn why_stopped(&self) -> &'static str {
        why_stopped().unwrap_or("stopped")
    }

    fn input_is_read(&mut self) {
        catch_interrupts();
    }
}

/// A bar on stderr that only shows itself when the work takes long, and only on a terminal.
struct Progress {
    total: u64,
    done: usize,
    started: Instant,
    wanted: bool,
    /// The bar while it is shown. It is erased before results are printed, and drawn again below them.
    bar: RefCell<Option<indicatif::ProgressBar>>,
}

impl events::Progress for Progress {
    fn is_seen(&self) -> bool {
        const PATIENCE: Duration = Duration::from_secs(1);
        self.wanted && self.started.elapsed() >= PATIENCE && io::stderr().is_terminal()
    }

    fn exploring(&mut self, n_parts: usize) {
        if self.is_seen() {
            self.at(self.done, &format!("exploring reachable states, step {n_parts}"));
        }
    }

    fn at(&mut self, done: usize, what: &str) {
        self.done = done;
        if !self.is_seen() {
            return;
        }
        let bar = self.bar.get_mut().get_or_insert_with(|| {
            let style = indicatif::ProgressStyle::with_template("{bar:24} {pos}/{len} {elapsed} {wide_msg}")
                .unwrap_or_else(|_| indicatif::ProgressStyle::default_bar());
            indicatif::ProgressBar::new(self.total).with_style(style).with_elapsed(self.started.elapsed())
        });
        bar.set_position(done as u64);
        bar.set_message(visible(what).into_owned());
    }

    fn pause(&self) {
        if let Some(bar) = self.bar.borrow_mut().take() {
            bar.finish_and_clear();
        }
    }

    fn finish(&mut self) {
        self.pause();
    }
}
