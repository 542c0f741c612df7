//! Chromium without a window, driven through a pipe with the `DevTools` protocol.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: Option<String>,
    n_sent: u64,
    /// What the page complained about.
    pub(crate) complaints: Vec<String>,
}

/// The program, if it is installed.
fn program() -> Option<&'static str> {
    let works = |name: &&str| {
        let version = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    };
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(works)
}

impl Browser {
    /// A browser that keeps its files in a folder; nothing where there is none.
    pub(crate) fn start(folder: &Path, size: (u32, u32)) -> Option<Browser> {
        let program = program()?;
        // The protocol is spoken over the descriptors 3 and 4, which a shell connects.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null", "sh", program])
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"])
            .args(["--remote-debugging-pipe", "--no-first-run", "--disable-extensions"])
            .arg(format!("--window-size={},{}", size.0, size.1))
            .arg(format!("--user-data-dir={}", folder.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut browser = Browser { child, to, from, session: None, n_sent: 0, complaints: Vec::new() };
        let target = browser.ask("Target.createTarget", &json!({"url": "about:blank"}))["targetId"].clone();
        let session = browser.ask("Target.attachToTarget", &json!({"targetId": target, "flatten": true}));
        browser.session = Some(session["sessionId"].as_str().unwrap().into());
        browser.resize(size);
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            browser.ask(domain, &json!({}));
        }
        Some(browser)
    }

    /// Gives the window a size.
    pub(crate) fn resize(&mut self, (width, height): (u32, u32)) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.ask("Emulation.setDeviceMetricsOverride", &metrics);
    }

    /// Asks and waits for the answer; notes exceptions and violated policies on the way.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.n_sent += 1;
        let id = self.n_sent;
        let mut message = json!({"id": id, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        write!(self.to, "{message}\0").unwrap();
        self.to.flush().unwrap();
        loop {
            let message = self.message();
            if message["id"] == json!(id) {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
        }
    }

    fn message(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.from.read_until(0, &mut bytes).unwrap();
        assert_eq!(bytes.pop(), Some(0), "the browser has gone");
        let message: Value = serde_json::from_slice(&bytes).unwrap();
        let worrying = match message["method"].as_str() {
            Some("Runtime.exceptionThrown" | "Page.javascriptDialogOpening") => true,
            Some("Log.entryAdded") => message["params"]["entry"]["level"] == "error",
            _ => false,
        };
        if worrying {
            self.complaints.push(message["params"].to_string());
        }
        message
    }

    /// Opens a file and waits until it is there.
    pub(crate) fn open(&mut self, path: &Path) {
        self.ask("Page.navigate", &json!({"url": format!("file://{}", path.display())}));
        while self.message()["method"] != "Page.loadEventFired" {}
    }

    /// What an expression is in the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.ask("Runtime.evaluate", &params);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// What an element says.
    pub(crate) fn text(&mut self, selector: &str) -> String {
        self.value(&format!("document.querySelector({}).textContent", json!(selector))).as_str().unwrap().into()
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str) {
        let code = match key {
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "End" => 35,
            "Enter" => 13,
            _ => 0,
        };
        for kind in ["rawKeyDown", "keyUp"] {
            let params = json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code});
            self.ask("Input.dispatchKeyEvent", &params);
        }
    }

    /// Types into what has the focus.
    pub(crate) fn write(&mut self, text: &str) {
        self.ask("Input.insertText", &json!({"text": text}));
    }

    /// A picture of what is in view, as PNG.
    pub(crate) fn picture(&mut self) -> Vec<u8> {
        let answer = self.ask("Page.captureScreenshot", &json!({"format": "png"}));
        decode(answer["data"].as_str().unwrap())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Base64.
fn decode(text: &str) -> Vec<u8> {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    for chunk in text.trim_end_matches('=').as_bytes().chunks(4) {
        let place = |letter: &u8| u32::try_from(letters.iter().position(|known| known == letter).unwrap()).unwrap();
        let group = chunk.iter().fold(0, |group, letter| group << 6 | place(letter)) << (6 * (4 - chunk.len()));
        bytes.extend_from_slice(&group.to_be_bytes()[1..chunk.len()]);
    }
    bytes
}
