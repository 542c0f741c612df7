//! A conversation with a service: every request is posted to one address, on a connection of its own.

use super::link::{Limits, Link, MAX_ANSWER, TransportError, answer};
use super::protocol::Request;
use std::io::ErrorKind;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;
use ureq::Agent;
use ureq::http::{StatusCode, Uri};

/// The address of a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    uri: Uri,
}

/// An address that is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadAddress(pub &'static str);

impl Service {
    /// The service at an address such as `http://localhost:8080/specwright`. `https` needs the feature of that name.
    pub fn parse(url: &str) -> Result<Service, BadAddress> {
        if url.starts_with("https://") && !cfg!(feature = "https") {
            return Err(BadAddress(
                "this program was built without https: use a local proxy, or build with `--features https`",
            ));
        }
        if !url.starts_with("http://") && !url.starts_with("https://") {
            return Err(BadAddress("the address does not begin with http://"));
        }
        if url.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err(BadAddress("the address has a space in it"));
        }
        let uri: Uri = url.parse().map_err(|_| BadAddress("the address is not well formed"))?;
        let authority = uri.authority().filter(|a| !a.host().is_empty() && !a.as_str().contains('@'));
        let authority = authority.ok_or(BadAddress("the address needs the name of a host, and nothing before it"))?;
        if authority.port().is_none() && authority.host() != authority.as_str() {
            return Err(BadAddress("the port of the address is not a number"));
        }
        Ok(Service { uri })
    }

    /// A conversation with the service.
    pub(super) fn open(&self) -> Box<dyn Link> {
        Box::new(Connection { uri: self.uri.clone(), agent: configuration().into() })
    }
}

/// Every answer comes from the service itself: no proxies, no redirects, no kept connections.
fn configuration() -> ureq::config::Config {
    let config = Agent::config_builder()
        .proxy(None)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .max_idle_connections(0)
        .user_agent(concat!("specwright/", env!("CARGO_PKG_VERSION")));
    #[cfg(feature = "https")]
    let config = {
        use ureq::tls::{RootCerts, TlsConfig};
        config.tls_config(TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build())
    };
    config.build()
}

struct Connection {
    uri: Uri,
    agent: Agent,
}

impl Connection {
    /// Posts a text. The exchange has a thread of its own, so that waiting for it can end early; it ends by itself when its
    /// time is over.
    fn post(&self, body: String, patience: Duration, limits: &Limits) -> Result<Vec<u8>, TransportError> {
        /// How often cancellation is looked for.
        const TICK: Duration = Duration::from_millis(50);
        let (sender, receiver) = sync_channel(1);
        let (agent, uri) = (self.agent.clone(), self.uri.clone());
        let exchange = move || {
            let _ = sender.send(exchange(&agent, &uri, &body, patience));
        };
        let thread = std::thread::Builder::new().name("http".into()).spawn(exchange);
        thread.map_err(|error| TransportError::NotStarted(error.to_string()))?;
        loop {
            if let Some(stop) = limits.stop() {
                return Err(stop);
            }
            match receiver.recv_timeout(TICK) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => panic!("the thread of an exchange ended without a result"),
            }
        }
    }
}

/// Posts a text and reads the answer.
fn exchange(agent: &Agent, uri: &Uri, body: &str, patience: Duration) -> Result<Vec<u8>, TransportError> {
    let trouble = |error| trouble(uri, patience, error);
    let request = agent.post(uri).header("Content-Type", "application/json").header("Connection", "close");
    let request = request.config().timeout_global(Some(patience)).build();
    let mut response = request.send(body).map_err(trouble)?;
    if response.status() != StatusCode::OK {
        return Err(TransportError::Garbage(format!("`{:?} {}`", response.version(), response.status())));
    }
    response.body_mut().with_config().limit(MAX_ANSWER as u64).read_to_vec().map_err(trouble)
}

/// What a failed exchange means.
fn trouble(uri: &Uri, patience: Duration, error: ureq::Error) -> TransportError {
    use ureq::Error;
    let not_started = |why: &dyn std::fmt::Display| {
        TransportError::NotStarted(format!("{}: {why}", uri.authority().map_or("", ureq::http::uri::Authority::as_str)))
    };
    match error {
        Error::Timeout(_) => TransportError::Silent(patience),
        Error::BodyExceedsLimit(_) | Error::LargeResponseHeader(..) => TransportError::TooLong,
        Error::Protocol(error) => TransportError::Garbage(format!("a response that is not HTTP: {error}")),
        Error::Io(error) => match error.kind() {
            ErrorKind::UnexpectedEof => TransportError::Ended("an incomplete answer".into()),
            ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
                TransportError::Ended(error.to_string())
            }
            _ => not_started(&error),
        },
        Error::HostNotFound | Error::ConnectionFailed | Error::BadUri(_) | Error::Tls(_) => not_started(&error),
        error => TransportError::Ended(error.to_string()),
    }
}

impl Link for Connection {
    fn ask(
        &mut self,
        request: &Request,
        patience: Duration,
        limits: &Limits,
    ) -> Result<serde_json::Value, TransportError> {
        answer(&self.post(request.line(), patience, limits)?)
    }

    fn end(self: Box<Self>) {
        let _ = self.post(Request::Bye.line(), Duration::from_secs(1), &Limits::default());
    }

    fn stderr_tail(&self) -> String {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpListener, TcpStream};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
    use ureq::unversioned::transport::{DefaultConnector, NextTimeout};

    const AN_HOUR: Duration = Duration::from_hours(1);

    /// The address of a server that does something with its one connection once a request has come.
    fn server(serve: impl FnOnce(TcpStream) + Send + 'static) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let mut stream = listener.accept().unwrap().0;
            let mut request = Vec::new();
            while !request.ends_with(b"{\"op\":\"bye\"}\n") && !request.ends_with(b"{\"op\":\"bye\"}") {
                let mut byte = [0];
                stream.read_exact(&mut byte).unwrap();
                request.push(byte[0]);
            }
            serve(stream);
        });
        address
    }

    fn connection(address: SocketAddr) -> Connection {
        let uri = format!("http://{address}/specwright").parse().unwrap();
        Connection { uri, agent: configuration().into() }
    }

    /// What is made of these bytes, after which the server closes the connection.
    fn answered(response: impl Into<Vec<u8>>) -> Result<serde_json::Value, TransportError> {
        let response = response.into();
        let address = server(move |mut stream| {
            // It does not listen to the end if the answer is too long.
            let _ = stream.write_all(&response);
        });
        connection(address).ask(&Request::Bye, AN_HOUR, &Limits::default())
    }

    #[test]
    fn addresses_are_taken_apart() {
        let service = Service::parse("http://localhost:8080/a/b?c").unwrap();
        assert_eq!(service.uri.path_and_query().unwrap(), "/a/b?c");
        assert!(Service::parse("http://host").is_ok() && Service::parse("http://[::1]:8080").is_ok());
        assert_eq!(Service::parse("https://host").is_ok(), cfg!(feature = "https"));
        for wrong in [
            "host:80",
            "http://",
            "http://host/a b",
            "http://user@host/",
            "http://host:x/",
            "http://host:99999/",
            "http:///a",
            "http://:80/",
        ] {
            assert!(Service::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn responses_come_whole_or_not_at_all() {
        let head = "HTTP/1.1 200 OK\r\n";
        let whole = Ok(serde_json::json!({}));
        assert_eq!(answered(format!("{head}Content-Length: 2\r\n\r\n{{}}")), whole);
        assert_eq!(answered(format!("{head}content-length: 2\r\n\r\n{{}} and more")), whole);
        assert_eq!(answered(format!("{head}\r\n{{}}")), whole);
        assert_eq!(answered("HTTP/1.0 200 OK\r\n\r\n{}"), whole);
        let chunks = format!("{head}Transfer-Encoding: chunked\r\n\r\n1\r\n{{\r\n1;x\r\n}}\r\n0\r\n\r\n");
        assert_eq!(answered(&*chunks), whole);
        let cut = format!("{head}Content-Length: 3\r\n\r\n{{}}");
        for incomplete in [&chunks[..chunks.len() - 6], &cut, head, ""] {
            let answer = answered(incomplete);
            assert!(matches!(answer, Err(TransportError::Ended(_))), "{incomplete}: {answer:?}");
        }
    }

    #[test]
    fn what_is_no_answer_is_none() {
        let is_garbage = |response: &str| matches!(answered(response), Err(TransportError::Garbage(_)));
        assert_eq!(
            answered("HTTP/1.1 500 No\r\n\r\n"),
            Err(TransportError::Garbage("`HTTP/1.1 500 Internal Server Error`".into()))
        );
        assert!(is_garbage("HTTP/1.1 204 No Content\r\n\r\n"));
        assert!(is_garbage("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n{}"));
        assert!(is_garbage("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n"));
        assert!(is_garbage("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"));
        assert!(is_garbage("SSH-2.0-OpenSSH\r\n\r\n"));
        assert!(is_garbage("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Encoding: gzip\r\n\r\n\u{1f}\u{8b}!"));
    }

    #[test]
    fn redirects_are_not_followed() {
        let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
        let location = elsewhere.local_addr().unwrap();
        for status in ["301 Moved Permanently", "303 See Other", "307 Temporary Redirect"] {
            let head = format!("HTTP/1.1 {status}\r\nLocation: http://{location}/\r\nContent-Length: 0\r\n\r\n");
            assert_eq!(answered(head), Err(TransportError::Garbage(format!("`HTTP/1.1 {status}`"))));
        }
        elsewhere.set_nonblocking(true).unwrap();
        assert_eq!(elsewhere.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
    }

    #[test]
    fn answers_that_are_too_long_are_not_read() {
        let head = "HTTP/1.1 200 OK\r\n";
        let long = "x".repeat(2 * MAX_ANSWER);
        assert_eq!(answered(format!("{head}\r\n{long}")), Err(TransportError::TooLong));
        assert_eq!(
            answered(format!("{head}Content-Length: {}\r\n\r\n{long}", long.len())),
            Err(TransportError::TooLong)
        );
        let chunk = format!("{head}Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{long}\r\n0\r\n\r\n", long.len());
        assert_eq!(answered(chunk), Err(TransportError::TooLong));
        assert_eq!(answered(format!("{head}X: {long}\r\n\r\n{{}}")), Err(TransportError::TooLong));
    }

    #[test]
    fn silence_and_trickling_end() {
        let patience = Duration::from_millis(20);
        let silent = server(std::mem::forget);
        let ask = |address| connection(address).ask(&Request::Bye, patience, &Limits::default());
        assert_eq!(ask(silent), Err(TransportError::Silent(patience)));
        let trickle = server(|mut stream| {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
            while stream.write_all(b" ").is_ok() {
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        assert_eq!(ask(trickle), Err(TransportError::Silent(patience)));
    }

    #[test]
    fn waiting_can_be_cancelled() {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = flag.clone();
        let address = server(move |stream| {
            raised.store(true, Ordering::Relaxed);
            std::mem::forget(stream);
        });
        let limits = Limits { interrupt: Some(flag), ..Limits::default() };
        assert_eq!(connection(address).ask(&Request::Bye, AN_HOUR, &limits), Err(TransportError::Interrupted));
    }

    #[test]
    fn a_service_that_is_not_there_is_named() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let refused = connection(address).ask(&Request::Bye, AN_HOUR, &Limits::default());
        assert!(
            matches!(&refused, Err(TransportError::NotStarted(why)) if why.starts_with(&address.to_string())),
            "{refused:?}"
        );
    }

    /// Some machines name `::1` first where a service listens on 127.0.0.1 alone.
    #[test]
    fn all_addresses_of_a_name_are_tried() {
        #[derive(Debug)]
        struct Names(SocketAddr);

        impl Resolver for Names {
            fn resolve(
                &self,
                _: &Uri,
                _: &ureq::config::Config,
                _: NextTimeout,
            ) -> Result<ResolvedSocketAddrs, ureq::Error> {
                let mut addresses = self.empty();
                addresses.push(SocketAddr::new(std::net::Ipv6Addr::LOCALHOST.into(), self.0.port()));
                addresses.push(self.0);
                Ok(addresses)
            }
        }

        let address = server(|mut stream| stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n{}").unwrap());
        let agent = Agent::with_parts(configuration(), DefaultConnector::default(), Names(address));
        let uri = format!("http://localhost:{}/", address.port()).parse().unwrap();
        let result = Connection { uri, agent }.ask(&Request::Bye, AN_HOUR, &Limits::default());
        assert_eq!(result, Ok(serde_json::json!({})));
    }
}
