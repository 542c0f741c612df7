//! A conversation with a service: every request is posted to one address.
//!
//! This is as much of HTTP/1.1 as it takes, over plain TCP: one request for each connection, an answer with a length, in
//! chunks, or until the connection is closed.

use super::link::{Limits, Link, MAX_ANSWER, TransportError, answer};
use super::protocol::Request;
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// The address of a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// Name and port, as they are connected to.
    address: String,
    /// Name and port, as they were written.
    host: String,
    path: String,
}

/// An address that is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadAddress(pub &'static str);

impl Service {
    /// The service at an address such as `http://localhost:8080/specwright`.
    pub fn parse(url: &str) -> Result<Service, BadAddress> {
        if url.starts_with("https://") {
            return Err(BadAddress("https is not supported: let a local proxy speak it"));
        }
        let rest = url.strip_prefix("http://").ok_or(BadAddress("the address does not begin with http://"))?;
        if rest.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err(BadAddress("the address has a space in it"));
        }
        let (host, path) = rest.find('/').map_or((rest, "/"), |at| rest.split_at(at));
        if host.is_empty() || host.contains('@') {
            return Err(BadAddress("the address needs the name of a host, and nothing before it"));
        }
        let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let address = if has_port { host.to_owned() } else { format!("{host}:80") };
        Ok(Service { address, host: host.into(), path: path.into() })
    }

    fn post(&self, body: &str, end: Instant, limits: &Limits) -> Result<Vec<u8>, TransportError> {
        let failed = |error: &std::io::Error| TransportError::Ended(error.to_string());
        let mut addresses =
            self.address.to_socket_addrs().map_err(|error| TransportError::NotStarted(error.to_string()))?;
        let address =
            addresses.next().ok_or_else(|| TransportError::NotStarted(format!("{} is unknown", self.address)))?;
        let left = end.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        let mut stream = TcpStream::connect_timeout(&address, left)
            .map_err(|error| TransportError::NotStarted(format!("{}: {error}", self.address)))?;
        let tick = Some(Duration::from_millis(50));
        stream.set_read_timeout(tick).and_then(|()| stream.set_write_timeout(Some(left))).map_err(|e| failed(&e))?;
        let head = format!(
            "POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.path,
            self.host,
            body.len()
        );
        stream.write_all((head + body).as_bytes()).map_err(|error| failed(&error))?;
        let (mut bytes, mut buffer) = (Vec::new(), [0; 8 << 10]);
        loop {
            if let Some(stop) = limits.stop() {
                return Err(stop);
            }
            if let Some(body) = response(&bytes, false)? {
                return Ok(body);
            }
            match stream.read(&mut buffer) {
                Ok(0) => {
                    return response(&bytes, true)?.ok_or_else(|| TransportError::Ended("an incomplete answer".into()));
                }
                Ok(n) => bytes.extend_from_slice(&buffer[..n]),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(&error)),
            }
            if bytes.len() > MAX_ANSWER {
                return Err(TransportError::TooLong);
            }
            if Instant::now() >= end {
                return Err(TransportError::Silent(Duration::ZERO));
            }
        }
    }
}

impl Link for Service {
    fn ask(
        &mut self,
        request: &Request,
        patience: Duration,
        limits: &Limits,
    ) -> Result<serde_json::Value, TransportError> {
        match self.post(&request.line(), Instant::now() + patience, limits) {
            Ok(body) => answer(&body),
            Err(TransportError::Silent(_)) => Err(TransportError::Silent(patience)),
            Err(error) => Err(error),
        }
    }

    fn end(self: Box<Self>) {
        let limits = Limits::default();
        let _ = self.post(&Request::Bye.line(), Instant::now() + Duration::from_secs(1), &limits);
    }

    fn stderr_tail(&self) -> String {
        String::new()
    }
}

/// The body of a response, if all of it is there.
fn response(bytes: &[u8], closed: bool) -> Result<Option<Vec<u8>>, TransportError> {
    let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { return Ok(None) };
    let head = String::from_utf8_lossy(&bytes[..end]);
    let body = &bytes[end + 4..];
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap_or_default();
    if status.split(' ').nth(1) != Some("200") || !status.starts_with("HTTP/1.") {
        let status: String = status.chars().take(80).filter(|c| !c.is_control()).collect();
        return Err(TransportError::Garbage(format!("`{status}`")));
    }
    let fields: Vec<(String, &str)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim()))
        .collect();
    let field = |wanted: &str| fields.iter().find(|(name, _)| name == wanted).map(|(_, value)| *value);
    if field("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked")) {
        return unchunked(body);
    }
    match field("content-length").map(str::parse::<usize>) {
        Some(Ok(length)) if body.len() >= length => Ok(Some(body[..length].to_vec())),
        Some(Ok(length)) if length > MAX_ANSWER => Err(TransportError::TooLong),
        Some(Err(_)) => Err(TransportError::Garbage("a response with a strange length".into())),
        Some(Ok(_)) => Ok(None),
        None => Ok(closed.then(|| body.to_vec())),
    }
}

/// The content of chunks, if all of them are there.
fn unchunked(mut rest: &[u8]) -> Result<Option<Vec<u8>>, TransportError> {
    let mut content = Vec::new();
    loop {
        let Some(end) = rest.windows(2).position(|window| window == b"\r\n") else { return Ok(None) };
        let size = String::from_utf8_lossy(&rest[..end]).into_owned();
        let size = usize::from_str_radix(size.split(';').next().unwrap_or_default().trim(), 16)
            .ok()
            .filter(|size| *size <= MAX_ANSWER)
            .ok_or_else(|| TransportError::Garbage("a response with a strange chunk".into()))?;
        if size == 0 {
            return Ok(Some(content));
        }
        let Some(chunk) = rest.get(end + 2..end + 2 + size) else { return Ok(None) };
        content.extend_from_slice(chunk);
        rest = rest.get(end + 4 + size..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart() {
        let service = Service::parse("http://localhost:8080/a/b").unwrap();
        assert_eq!((&*service.address, &*service.path), ("localhost:8080", "/a/b"));
        assert_eq!(Service::parse("http://host").unwrap().address, "host:80");
        assert!(Service::parse("https://host").is_err() && Service::parse("host:80").is_err());
        assert!(Service::parse("http://host/a b").is_err() && Service::parse("http://").is_err());
    }

    #[test]
    fn responses_come_whole_or_not_at_all() {
        let head = "HTTP/1.1 200 OK\r\n";
        let body = |text: &str, closed| response(text.as_bytes(), closed);
        let ok = |text: &str| Ok(Some(text.as_bytes().to_vec()));
        assert_eq!(body(&format!("{head}Content-Length: 2\r\n\r\n{{}}"), false), ok("{}"));
        assert_eq!(body(&format!("{head}content-length: 3\r\n\r\n{{}}"), false), Ok(None));
        assert_eq!(body(&format!("{head}\r\n{{}}"), false), Ok(None));
        assert_eq!(body(&format!("{head}\r\n{{}}"), true), ok("{}"));
        let chunks = format!("{head}Transfer-Encoding: chunked\r\n\r\n1\r\n{{\r\n1;x\r\n}}\r\n0\r\n\r\n");
        assert_eq!(body(&chunks, false), ok("{}"));
        assert_eq!(body(&chunks[..chunks.len() - 5], true), Ok(None));
        assert!(body("HTTP/1.1 500 No\r\n\r\n", false).is_err());
        assert!(body(&format!("{head}Content-Length: 99999999999\r\n\r\n"), false).is_err());
    }
}
