//! Messages over a pair of streams: framing, one thread that reads and one that writes.
//!
//! A message that is not JSON, or not one of JSON-RPC, is answered with an error, and reading goes on with the next one.

use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_server::{ErrorCode, Message, Notification, RequestId, Response};
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};
use std::thread::JoinHandle;

/// No document that a person writes comes near this.
const MAX_MESSAGE: u64 = 256 << 20;

/// Headers are short; what is longer is no header.
const MAX_HEADER: u64 = 4096;

/// The way to the client. Clones share one stream.
#[derive(Clone)]
pub(crate) struct Client {
    /// What is to be written; nothing more after `None`.
    outgoing: Sender<Option<String>>,
}

impl Client {
    /// Answers a request.
    pub(crate) fn respond(&self, id: RequestId, result: &impl Serialize) {
        match serde_json::to_value(result) {
            Ok(value) => self.send(&Message::Response(Response { id, response_result: Ok(value) })),
            Err(error) => self.fail(id, ErrorCode::InternalError, error.to_string()),
        }
    }

    /// Says why a request has no answer.
    pub(crate) fn fail(&self, id: RequestId, code: ErrorCode, message: String) {
        self.send(&Message::Response(Response::new_err(id, code as i32, message)));
    }

    /// Tells the client something.
    pub(crate) fn notify(&self, method: &str, params: &impl Serialize) {
        if let Ok(params) = serde_json::to_value(params) {
            self.send(&Message::Notification(Notification { method: method.to_owned(), params }));
        }
    }

    /// Asks the client for something whose answer does not matter.
    pub(crate) fn request(&self, id: String, method: &str, params: &impl Serialize) {
        if let Ok(params) = serde_json::to_value(params) {
            let request = lsp_server::Request { id: id.into(), method: method.to_owned(), params };
            self.send(&Message::Request(request));
        }
    }

    fn send(&self, message: &Message) {
        let Ok(mut value) = serde_json::to_value(message) else { return };
        if let Value::Object(fields) = &mut value {
            fields.insert("jsonrpc".into(), "2.0".into());
        }
        // A client that is gone hears nothing.
        let _ = self.outgoing.send(Some(value.to_string()));
    }

    /// An answer to what cannot be read, which has no id.
    fn reject(&self, code: ErrorCode, message: &str) {
        let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": code as i32, "message": message}});
        let _ = self.outgoing.send(Some(error.to_string()));
    }
}

/// The threads and channels of a connection.
pub(crate) struct Transport {
    /// What the client says, until its stream ends.
    pub(crate) incoming: Receiver<Message>,
    /// The way to the client.
    pub(crate) client: Client,
    writer: JoinHandle<io::Result<()>>,
}

impl Transport {
    /// Starts to read and write.
    pub(crate) fn start(
        mut input: impl BufRead + Send + 'static,
        mut output: impl Write + Send + 'static,
    ) -> Transport {
        let (outgoing, messages) = unbounded::<Option<String>>();
        let writer = std::thread::spawn(move || {
            while let Ok(Some(message)) = messages.recv() {
                write!(output, "Content-Length: {}\r\n\r\n{message}", message.len())?;
                output.flush()?;
            }
            Ok(())
        });
        let client = Client { outgoing };
        let (sender, incoming) = unbounded();
        let rejecting = client.clone();
        std::thread::spawn(move || {
            loop {
                let message = match frame(&mut input) {
                    Ok(Frame::Payload(text)) => parse(&text),
                    Ok(Frame::Broken(reason)) => Err((ErrorCode::ParseError, reason)),
                    Ok(Frame::End) | Err(_) => break,
                };
                match message {
                    Ok(message) => {
                        if sender.send(message).is_err() {
                            break;
                        }
                    }
                    Err((code, reason)) => rejecting.reject(code, &reason),
                }
            }
        });
        Transport { incoming, client, writer }
    }

    /// Writes what is left. The reading thread ends with its stream, or with the program.
    pub(crate) fn finish(self) -> io::Result<()> {
        let _ = self.client.outgoing.send(None);
        self.writer.join().unwrap_or(Ok(()))
    }
}

enum Frame {
    Payload(Vec<u8>),
    Broken(String),
    End,
}

/// Reads a header and what it announces.
fn frame(input: &mut impl BufRead) -> io::Result<Frame> {
    let mut length: Option<u64> = None;
    let mut strange: Option<String> = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)? == 0 {
            return Ok(Frame::End);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            match (length, strange.take()) {
                // What was read up to here is no header; the next one may follow.
                (None, Some(reason)) => return Ok(Frame::Broken(reason)),
                (Some(_), _) => break,
                (None, None) => continue,
            }
        }
        match line.split_once(':') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("content-length") => match value.trim().parse() {
                Ok(number) => length = Some(number),
                Err(_) => strange = Some("the header Content-Length has no number".into()),
            },
            Some((name, _)) if name.trim().eq_ignore_ascii_case("content-type") => {}
            _ => strange = Some("this is no header of a message".into()),
        }
    }
    let length = length.unwrap_or_default();
    if length > MAX_MESSAGE {
        io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
        return Ok(Frame::Broken(format!("a message has at most {} MiB", MAX_MESSAGE >> 20)));
    }
    let mut payload = Vec::new();
    if input.by_ref().take(length).read_to_end(&mut payload)? as u64 != length {
        return Ok(Frame::End);
    }
    Ok(Frame::Payload(payload))
}

fn parse(payload: &[u8]) -> Result<Message, (ErrorCode, String)> {
    let value: Value =
        serde_json::from_slice(payload).map_err(|error| (ErrorCode::ParseError, format!("not JSON: {error}")))?;
    serde_json::from_value(value).map_err(|error| (ErrorCode::InvalidRequest, format!("not a message: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn frames(text: &str) -> Vec<String> {
        let mut input = Cursor::new(text.as_bytes().to_vec());
        let mut frames = Vec::new();
        loop {
            match frame(&mut input).expect("a cursor does not fail") {
                Frame::Payload(payload) => frames.push(String::from_utf8(payload).expect("text")),
                Frame::Broken(reason) => frames.push(format!("! {reason}")),
                Frame::End => return frames,
            }
        }
    }

    #[test]
    fn headers_may_be_in_any_case_and_order() {
        let text = "content-type: x\r\nCONTENT-LENGTH: 2\r\n\r\n{}Content-Length:3\r\n\r\n[1]";
        assert_eq!(frames(text), ["{}", "[1]"]);
    }

    #[test]
    fn reading_goes_on_after_what_is_no_header() {
        let text = "hello\r\n\r\nContent-Length: x\r\n\r\nContent-Length: 2\r\n\r\n{}";
        let expected = ["! this is no header of a message", "! the header Content-Length has no number", "{}"];
        assert_eq!(frames(text), expected);
    }

    #[test]
    fn a_message_that_is_cut_off_ends_the_stream() {
        assert_eq!(frames("Content-Length: 20\r\n\r\n{}"), Vec::<String>::new());
    }

    #[test]
    fn a_payload_is_json_and_a_message() {
        assert_eq!(parse(b"{").unwrap_err().0 as i32, ErrorCode::ParseError as i32);
        assert_eq!(parse(b"[1]").unwrap_err().0 as i32, ErrorCode::InvalidRequest as i32);
        assert!(parse(br#"{"jsonrpc": "2.0", "method": "exit"}"#).is_ok());
    }
}
