//! Running suites on a service.

use crate::run;
use specwright_harness::run::{Options, Service, Target, Verdict};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;

/// A server that speaks the protocol over HTTP until it is told to stop.
fn serve(listener: &TcpListener) {
    let mut state = "ready";
    for stream in listener.incoming() {
        let mut stream = stream.unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if let Some(n) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = n.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let message: serde_json::Value = serde_json::from_slice(&body).unwrap();
        let answer = match message["op"].as_str().unwrap() {
            "hello" => r#"{"inputs": "leaving"}"#.to_owned(),
            "reset" => {
                state = "ready";
                format!(r#"{{"outputs": {{"state": "{state}"}}}}"#)
            }
            "step" => {
                state = if state == "ready" && message["inputs"]["request"] == true { "busy" } else { "ready" };
                format!(r#"{{"outputs": {{"state": "{state}"}}}}"#)
            }
            _ => "{}".to_owned(),
        };
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{answer}", answer.len()).unwrap();
        if message["op"] == "bye" && message["last"].is_null() {
            return;
        }
    }
}

#[test]
fn a_service_is_tested_like_a_program() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || serve(&listener));
    let target = Target::Service(Service::parse(&format!("http://{address}/specwright")).unwrap());
    let suite = "
test asks
  request = TRUE, state = ready
  state = busy
test wants-too-much
  request = FALSE, state = ready
  state = busy
";
    let options = Options { judging: specwright_harness::run::Judging::Recorded, ..Options::default() };
    let with_reset = run(suite, &target, &options);
    // The first connection ends with the first test, since this service does not support reset.
    server.join().unwrap();
    let report = with_reset.unwrap();
    assert_eq!(report.outcomes[0].1.verdict, Verdict::Pass);
    // The service has ended.
    assert_eq!(report.outcomes[1].1.verdict, Verdict::Error);
    assert!(run(suite, &target, &options).is_err());
}
