//! A connection to a program through its standard input and output.
//!
//! Nothing here blocks, grows without bound or is left behind, whatever the program does: separate threads write and
//! read, its output is bounded, and at the end the program is killed with all its descendants.

use super::link::{Limits, Link, MAX_ANSWER, TransportError, answer};
use super::protocol::Request;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The running programs, each the leader of a process group.
#[cfg(unix)]
static RUNNING: Mutex<Vec<rustix::process::Pid>> = Mutex::new(Vec::new());

/// Kills all running programs and their descendants. To be called before exit.
pub fn kill_all() {
    #[cfg(unix)]
    for group in RUNNING.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// A running program.
pub(super) struct Process {
    child: Child,
    requests: Sender<String>,
    answers: Receiver<Line>,
    stderr_tail: Arc<Mutex<Vec<u8>>>,
    /// Disconnected once stderr is read to its end.
    stderr_closed: Receiver<()>,
}

/// A line of output.
enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// Number of bytes of stderr that are kept.
const MAX_STDERR: usize = 4 << 10;
/// Number of lines that the program may write before they are read.
const MAX_BUFFERED_LINES: usize = 16;
/// Interval between two checks for cancellation.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Time for the program to end after it was asked to.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);

impl Process {
    /// Starts a program.
    pub(super) fn start(program: &[OsString]) -> Result<Process, TransportError> {
        let [name, args @ ..] = program else { return Err(TransportError::NotStarted("no program is given".into())) };
        let mut command = Command::new(name);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A process group of its own, so that it can be killed with its descendants.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let spawned = command.spawn();
        let mut child =
            spawned.map_err(|error| TransportError::NotStarted(format!("{}: {error}", name.to_string_lossy())))?;
        #[cfg(unix)]
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).push(rustix::process::Pid::from_child(&child));
        let (requests, to_send) = channel();
        let (said, answers) = sync_channel(MAX_BUFFERED_LINES);
        let stderr_tail = Arc::new(Mutex::new(Vec::new()));
        let (hearing, stderr_closed) = channel::<()>();
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let mut process = Process { child, requests, answers, stderr_tail: Arc::clone(&stderr_tail), stderr_closed };
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            process.kill();
            return Err(TransportError::NotStarted("it has no standard input and output".into()));
        };
        let start = |work: Box<dyn FnOnce() + Send>| std::thread::Builder::new().stack_size(256 << 10).spawn(work);
        let threads = [
            start(Box::new(move || send(stdin, &to_send))),
            start(Box::new(move || listen(stdout, &said))),
            start(Box::new(move || {
                keep_stderr_tail(stderr, &stderr_tail);
                drop(hearing);
            })),
        ];
        if let Some(error) = threads.into_iter().find_map(Result::err) {
            process.kill();
            return Err(TransportError::NotStarted(error.to_string()));
        }
        Ok(process)
    }

    /// Kills the program and its descendants.
    fn kill(&mut self) {
        #[cfg(unix)]
        {
            let group = rustix::process::Pid::from_child(&self.child);
            RUNNING.lock().unwrap_or_else(PoisonError::into_inner).retain(|running| *running != group);
            // The group exists as long as the program was not reaped, which happens only below.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// The exit status of the program, if it has ended.
    fn exit(&mut self) -> Option<String> {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
            // Without reaping it, so that its group stays reserved until all of it is killed.
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            let status = waitid(WaitId::Pid(Pid::from_child(&self.child)), options).ok()??;
            match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => Some(format!("exit code {code}")),
                (_, Some(signal)) => Some(format!("killed by signal {signal}")),
                _ => Some("it has ended".into()),
            }
        }
        #[cfg(not(unix))]
        {
            self.child.try_wait().ok()?.map(|status| status.to_string())
        }
    }

    /// Waits for the program to end.
    fn wait(&mut self, patience: Duration) -> Option<String> {
        let end = Instant::now() + patience;
        let mut pause = Duration::from_millis(1);
        loop {
            match self.exit() {
                None if Instant::now() < end => std::thread::sleep(pause),
                ended => return ended,
            }
            pause = (2 * pause).min(POLL_INTERVAL);
        }
    }
}

impl Link for Process {
    fn ask(
        &mut self,
        request: &Request,
        patience: Duration,
        limits: &Limits,
    ) -> Result<serde_json::Value, TransportError> {
        if let Ok(Line::Text(line)) = self.answers.try_recv() {
            answer(&line)?;
            return Err(TransportError::Garbage("it answered without a request".into()));
        }
        // If sending fails, the program has closed its input; whether it still has an answer is checked below.
        let _ = self.requests.send(request.line() + "\n");
        let end = Instant::now() + patience;
        loop {
            if let Some(stop) = limits.stop() {
                return Err(stop);
            }
            let left = end.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(Line::Text(line)) => return answer(&line),
                Ok(Line::TooLong) => return Err(TransportError::TooLong),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(TransportError::Silent(patience)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let how = self.wait(EXIT_TIMEOUT).unwrap_or_else(|| "it closed its standard output".into());
                    // The end of stderr may not have been read yet.
                    let _ = self.stderr_closed.recv_timeout(EXIT_TIMEOUT);
                    // A second signal kills the program, so its end may be a part of the cancellation.
                    return Err(limits.stop().unwrap_or(TransportError::Ended(how)));
                }
            }
        }
    }

    fn end(mut self: Box<Self>) {
        let _ = self.requests.send(Request::Bye.line() + "\n");
        // Closing its input tells the program that there are no more requests.
        self.requests = channel().0;
        self.wait(EXIT_TIMEOUT);
    }

    fn stderr_tail(&self) -> String {
        let stderr_tail = self.stderr_tail.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&stderr_tail).trim().to_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn send(mut stdin: ChildStdin, requests: &Receiver<String>) {
    for request in requests {
        if stdin.write_all(request.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn listen(stdout: ChildStdout, answers: &SyncSender<Line>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = (&mut reader).take(MAX_ANSWER as u64 + 1).read_until(b'\n', &mut line);
        let line = match read {
            Ok(0) | Err(_) => return,
            Ok(_) if line.len() > MAX_ANSWER => Line::TooLong,
            // Empty lines are ignored.
            Ok(_) if line.iter().all(u8::is_ascii_whitespace) => continue,
            Ok(_) => Line::Text(line),
        };
        let ends = matches!(line, Line::TooLong);
        if answers.send(line).is_err() || ends {
            return;
        }
    }
}

fn keep_stderr_tail(mut stderr: ChildStderr, stderr_tail: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4 << 10];
    while let Ok(n @ 1..) = stderr.read(&mut buffer) {
        let mut stderr_tail = stderr_tail.lock().unwrap_or_else(PoisonError::into_inner);
        stderr_tail.extend_from_slice(&buffer[..n]);
        let surplus = stderr_tail.len().saturating_sub(MAX_STDERR);
        stderr_tail.drain(..surplus);
    }
}
