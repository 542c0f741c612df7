//! Signals that ask the program to end: Ctrl-C, and on Unix SIGTERM and SIGHUP.
//!
//! The interfaces to `signal-hook` and `ctrlc` are localized here.

use std::sync::Once;

/// Calls a function at each such signal from now on, with the exit code that is customary for a program that it ends.
/// Further calls do nothing. Where no handler can be set, signals simply end the program.
pub fn handle(at_signal: impl Fn(i32) + Send + 'static) {
    static HANDLED: Once = Once::new();
    HANDLED.call_once(|| install(at_signal));
}

#[cfg(unix)]
fn install(at_signal: impl Fn(i32) + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal));
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) {
        std::thread::spawn(move || signals.forever().for_each(|signal| at_signal(128 + signal)));
    }
}

/// Whether the program was started with a signal ignored, as `nohup` does it, where the system tells.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(not(unix))]
fn install(at_signal: impl Fn(i32) + Send + 'static) {
    let _ = ctrlc::set_handler(move || at_signal(130));
}
