//! A conversation with a program through its standard input and output.
//!
//! Whatever the program does, nothing here blocks, grows or stays behind: it is written to and read from by threads of
//! its own, what it says is bounded, and in the end it is killed with all that it has started.

use super::link::{Limits, Link, MAX_ANSWER, Trouble, answer};
use super::protocol::Request;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The programs that are running, each the head of a process group.
#[cfg(unix)]
static RUNNING: Mutex<Vec<rustix::process::Pid>> = Mutex::new(Vec::new());

/// Ends all programs that are running, and all that they have started. For the moment before this program ends.
pub fn kill_all() {
    #[cfg(unix)]
    for group in RUNNING.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// A program that is running.
pub(super) struct Process {
    child: Child,
    requests: Sender<String>,
    answers: Receiver<Line>,
    asides: Arc<Mutex<Vec<u8>>>,
    /// Disconnected once stderr is read to its end.
    heard: Receiver<()>,
}

/// What the program wrote.
enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// So much of what it writes to stderr is kept.
const ASIDES: usize = 4 << 10;
/// It may run ahead by so many lines before it has to wait.
const AHEAD: usize = 16;
/// So often somebody looks whether all should end.
const TICK: Duration = Duration::from_millis(50);
/// So long a program has to end after it was told so.
const GRACE: Duration = Duration::from_secs(1);

impl Process {
    /// Starts a program.
    pub(super) fn start(program: &[OsString]) -> Result<Process, Trouble> {
        let [name, args @ ..] = program else { return Err(Trouble::NotStarted("no program is given".into())) };
        let mut command = Command::new(name);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own, so that it can be ended with all that it starts.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let spawned = command.spawn();
        let mut child = spawned.map_err(|error| Trouble::NotStarted(format!("{}: {error}", name.to_string_lossy())))?;
        #[cfg(unix)]
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).push(rustix::process::Pid::from_child(&child));
        let (requests, to_send) = channel();
        let (said, answers) = sync_channel(AHEAD);
        let asides = Arc::new(Mutex::new(Vec::new()));
        let (hearing, heard) = channel::<()>();
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let mut process = Process { child, requests, answers, asides: Arc::clone(&asides), heard };
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            process.kill();
            return Err(Trouble::NotStarted("it has no standard input and output".into()));
        };
        let start = |work: Box<dyn FnOnce() + Send>| std::thread::Builder::new().stack_size(256 << 10).spawn(work);
        let threads = [
            start(Box::new(move || send(stdin, &to_send))),
            start(Box::new(move || listen(stdout, &said))),
            start(Box::new(move || {
                overhear(stderr, &asides);
                drop(hearing);
            })),
        ];
        if let Some(error) = threads.into_iter().find_map(Result::err) {
            process.kill();
            return Err(Trouble::NotStarted(error.to_string()));
        }
        Ok(process)
    }

    /// Ends the program and all that it has started.
    fn kill(&mut self) {
        #[cfg(unix)]
        {
            let group = rustix::process::Pid::from_child(&self.child);
            RUNNING.lock().unwrap_or_else(PoisonError::into_inner).retain(|running| *running != group);
            // The group exists as long as the program was not waited for, and that happens only below.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// How the program ended, if it did.
    fn exit(&mut self) -> Option<String> {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
            // Without waiting for it for good, so that its group stays reserved until all of it is killed.
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            let status = waitid(WaitId::Pid(Pid::from_child(&self.child)), options).ok()??;
            match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => Some(format!("exit code {code}")),
                (_, Some(signal)) => Some(format!("killed by signal {signal}")),
                _ => Some("it is gone".into()),
            }
        }
        #[cfg(not(unix))]
        {
            self.child.try_wait().ok()?.map(|status| status.to_string())
        }
    }

    /// Waits a little for the program to end.
    fn wait(&mut self, patience: Duration) -> Option<String> {
        let end = Instant::now() + patience;
        let mut pause = Duration::from_millis(1);
        loop {
            match self.exit() {
                None if Instant::now() < end => std::thread::sleep(pause),
                ended => return ended,
            }
            pause = (2 * pause).min(TICK);
        }
    }
}

impl Link for Process {
    fn ask(&mut self, request: &Request, patience: Duration, limits: &Limits) -> Result<serde_json::Value, Trouble> {
        if let Ok(Line::Text(line)) = self.answers.try_recv() {
            answer(&line)?;
            return Err(Trouble::Garbage("it answers without being asked".into()));
        }
        // If nobody takes it, the program has closed its input; whether it still has an answer is seen below.
        let _ = self.requests.send(request.line() + "\n");
        let end = Instant::now() + patience;
        loop {
            if let Some(stop) = limits.stop() {
                return Err(stop);
            }
            let left = end.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left.min(TICK)) {
                Ok(Line::Text(line)) => return answer(&line),
                Ok(Line::TooLong) => return Err(Trouble::TooLong),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Trouble::Silent(patience)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let how = self.wait(GRACE).unwrap_or_else(|| "it closed its standard output".into());
                    // Its last words may still be on the way.
                    let _ = self.heard.recv_timeout(GRACE);
                    return Err(Trouble::Ended(how));
                }
            }
        }
    }

    fn end(mut self: Box<Self>) {
        let _ = self.requests.send(Request::Bye.line() + "\n");
        // Whoever does not care for the word sees that nothing more will come.
        self.requests = channel().0;
        self.wait(GRACE);
    }

    fn asides(&self) -> String {
        let asides = self.asides.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&asides).trim().to_owned()
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
            // An empty line says nothing.
            Ok(_) if line.iter().all(u8::is_ascii_whitespace) => continue,
            Ok(_) => Line::Text(line),
        };
        let ends = matches!(line, Line::TooLong);
        if answers.send(line).is_err() || ends {
            return;
        }
    }
}

fn overhear(mut stderr: ChildStderr, asides: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4 << 10];
    while let Ok(n @ 1..) = stderr.read(&mut buffer) {
        let mut asides = asides.lock().unwrap_or_else(PoisonError::into_inner);
        asides.extend_from_slice(&buffer[..n]);
        let surplus = asides.len().saturating_sub(ASIDES);
        asides.drain(..surplus);
    }
}
