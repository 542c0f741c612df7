//! The extension module of the Python package: the library and the whole command line.
//!
//! Requests and results are JSON documents. What they look like in Python is said there.

mod work;

use pyo3::prelude::*;
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Time between two looks at the signals of Python.
const LOOK: Duration = Duration::from_millis(50);

/// Deep models make for deep recursion. The memory is only taken if it is used.
const STACK: usize = 256 << 20;

/// What Python is told: whether there is a result, the result as JSON or the error, messages, and rendered diagnostics.
type Told = (bool, String, Vec<String>, String);

/// Runs a command line, whose first word is the name of the program, and returns the exit code.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "arguments from Python are made for the call")]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| specwright_cli::run_command_line(&arguments))
}

/// Does what a request, a JSON document, asks for. Other threads of Python go on meanwhile, and Ctrl-C ends the work.
#[pyfunction]
fn call(py: Python<'_>, request: String) -> PyResult<Told> {
    let cancel = Arc::new(AtomicBool::new(false));
    let (sender, mut receiver) = channel();
    let flag = Arc::clone(&cancel);
    let worker = std::thread::Builder::new().name("specwright".into()).stack_size(STACK).spawn(move || {
        // If the work panics, the sender is dropped, which tells.
        let _ = sender.send(work::answer(&request, &flag));
    })?;
    let mut interrupted = None;
    let told = loop {
        match py.detach(|| next(&mut receiver)) {
            Ok(told) => break Some(told),
            Err(RecvTimeoutError::Disconnected) => break None,
            Err(RecvTimeoutError::Timeout) if interrupted.is_none() => {
                if let Err(signal) = py.check_signals() {
                    cancel.store(true, Ordering::Relaxed);
                    interrupted = Some(signal);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    };
    let joined = py.detach(|| worker.join());
    match (interrupted, told, joined) {
        (Some(signal), ..) => Err(signal),
        (None, Some(told), Ok(())) => Ok(told),
        _ => Err(pyo3::exceptions::PyRuntimeError::new_err("internal error of specwright, please report it")),
    }
}

/// Waits for what is sent next, for a short time. A receiver is used by one thread at a time, hence the exclusive reference.
fn next(receiver: &mut Receiver<Told>) -> Result<Told, RecvTimeoutError> {
    receiver.recv_timeout(LOOK)
}

#[pymodule]
fn _specwright(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("version", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_function(wrap_pyfunction!(call, module)?)
}
