//! The language server, as a client sees it: over standard input and output.

use crate::repository;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A client with its server.
struct Client {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    n_requests: i64,
    /// Messages that came while something else was waited for.
    waiting: Vec<Value>,
}

impl Client {
    /// Starts a server that is not initialized.
    fn raw() -> Client {
        let mut server = Command::new(env!("CARGO_BIN_EXE_specwright"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (server.stdin.take(), BufReader::new(server.stdout.take().unwrap()));
        Client { server, input, output, n_requests: 0, waiting: Vec::new() }
    }

    fn start() -> Client {
        let mut client = Client::raw();
        let result = client.ask("initialize", json!({"capabilities": {}}));
        assert_eq!(result["serverInfo"]["name"], "specwright");
        client.notify("initialized", json!({}));
        client
    }

    fn write(&mut self, payload: &str) {
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{payload}", payload.len()).unwrap();
        input.flush().unwrap();
    }

    #[expect(clippy::needless_pass_by_value, reason = "messages are made where they are sent")]
    fn notify(&mut self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    #[expect(clippy::needless_pass_by_value, reason = "messages are made where they are sent")]
    fn request(&mut self, method: &str, params: Value) -> i64 {
        self.n_requests += 1;
        let id = self.n_requests;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        id
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server is gone");
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().unwrap(),
                None if line == "\r\n" => break,
                None => panic!("{line:?} is no header"),
            }
        }
        let mut payload = vec![0; length];
        self.output.read_exact(&mut payload).unwrap();
        serde_json::from_slice(&payload).unwrap()
    }

    /// The first message that is wanted; others wait.
    fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.waiting.iter().position(&wanted) {
            return self.waiting.remove(at);
        }
        loop {
            let message = self.read();
            if wanted(&message) {
                return message;
            }
            self.waiting.push(message);
        }
    }

    fn answer(&mut self, id: i64) -> Value {
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "smv", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// The last diagnostics of a version: those of a text that was looked at to the end.
    fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<Value> {
        // An answer that needs the meaning of the text comes behind its diagnostics.
        self.ask("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
        let is_ours = |message: &Value| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"]["version"] == version
        };
        let last = self.waiting.iter().rposition(is_ours).expect("diagnostics come first");
        let found = self.waiting[last]["params"]["diagnostics"].as_array().unwrap().clone();
        self.waiting.retain(|message| !is_ours(message));
        found
    }

    fn at(&mut self, method: &str, uri: &str, (line, character): (usize, usize)) -> Value {
        let position = json!({"line": line, "character": character});
        self.ask(&format!("textDocument/{method}"), json!({"textDocument": {"uri": uri}, "position": position}))
    }

    /// Leaves as the protocol says. Returns the exit code.
    fn leave(mut self) -> Option<i32> {
        self.ask("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.server.wait().unwrap().code()
    }
}

/// The line and the UTF-16 column of the nth occurrence of a text.
fn place(text: &str, needle: &str, nth: usize) -> (usize, usize) {
    let (at, _) = text.match_indices(needle).nth(nth).expect("it is there");
    let line_start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    (text[..at].matches('\n').count(), text[line_start..at].encode_utf16().count())
}

fn start_of(range: &Value) -> (u64, u64) {
    (range["start"]["line"].as_u64().unwrap(), range["start"]["character"].as_u64().unwrap())
}

const PUMP: &str = "-- ein Füllstand 𝔘
MODULE cell(high, limit)
VAR
  pump : {off, on};
DEFINE
  busy := pump = on;
ASSIGN
  init(pump) := off;
  next(pump) := case high : on; TRUE : off; esac;

MODULE main
VAR
  sensor : boolean;
  level : 0..7;
  left : cell(sensor, level);
DEFINE /-- 𝔘𝔘 --/ full := level + 1;
SPEC NAME safe := AG (sensor -> AX left.pump = on)
INVARSPEC left.busy -> full > 3
";

const URI: &str = "file:///models/pump.smv";

#[test]
fn a_client_leaves_in_good_order() {
    assert_eq!(Client::start().leave(), Some(0));
    let mut client = Client::start();
    client.notify("exit", Value::Null);
    assert_eq!(client.server.wait().unwrap().code(), Some(1), "`exit` without `shutdown`");
    let mut client = Client::start();
    client.input = None;
    assert_eq!(client.server.wait().unwrap().code(), Some(1), "the client is gone");
}

#[test]
fn diagnostics_follow_edits_and_have_actions() {
    let mut client = Client::start();
    client.open(URI, PUMP);
    assert_eq!(client.diagnostics(URI, 1), Vec::<Value>::new());
    // The comment before the name has characters of two units.
    let (line, character) = place(PUMP, "full := level", 0);
    let range = json!({
        "start": {"line": line, "character": character + 8},
        "end": {"line": line, "character": character + 13},
    });
    let changes = json!([{"range": range, "text": "levle"}]);
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": changes}),
    );
    let found = client.diagnostics(URI, 2);
    let unknown = found.iter().find(|found| found["message"].as_str().unwrap().contains("levle")).unwrap();
    assert_eq!(unknown["range"], range, "columns are counted in UTF-16 code units");
    let actions = client.ask(
        "textDocument/codeAction",
        json!({"textDocument": {"uri": URI}, "range": range, "context": {"diagnostics": []}}),
    );
    let edit = &actions[0]["edit"]["changes"][URI][0];
    assert_eq!((&edit["range"], &edit["newText"]), (&range, &json!("level")));
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": URI, "version": 3}, "contentChanges": [{"text": PUMP}]}),
    );
    assert_eq!(client.diagnostics(URI, 3), Vec::<Value>::new());
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    let cleared = client.wait(|message| message["method"] == "textDocument/publishDiagnostics");
    assert_eq!(cleared["params"]["diagnostics"], json!([]));
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn names_are_found_through_instances_and_parameters() {
    let mut client = Client::start();
    client.open(URI, PUMP);
    let declared = place(PUMP, "pump", 0);
    let definition = client.at("definition", URI, place(PUMP, "pump = on)", 0));
    assert_eq!(start_of(&definition[0]["range"]), (declared.0 as u64, declared.1 as u64));
    let references = client.at("references", URI, declared);
    assert_eq!(references.as_array().unwrap().len(), PUMP.matches("pump").count());
    let position = json!({"line": declared.0, "character": declared.1});
    let renamed = client
        .ask("textDocument/rename", json!({"textDocument": {"uri": URI}, "position": position, "newName": "valve"}));
    let edits = renamed["changes"][URI].as_array().unwrap();
    assert_eq!(edits.len(), PUMP.matches("pump").count());
    // A name that is taken, a keyword, and what is no name are refused.
    for name in ["busy", "MODULE", "1x", ""] {
        let params = json!({"textDocument": {"uri": URI}, "position": position, "newName": name});
        let id = client.request("textDocument/rename", params);
        assert!(client.answer(id).get("error").is_some(), "{name}");
    }
    let hover = client.at("hover", URI, place(PUMP, "full >", 0));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("1..8") && text.contains("level + 1"), "{text}");
    let hover = client.at("hover", URI, place(PUMP, "AX", 0));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("in all next states"));
    let hints = json!({"textDocument": {"uri": URI}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}});
    let hints = client.ask("textDocument/inlayHint", hints);
    let labels: Vec<&str> = hints.as_array().unwrap().iter().map(|hint| hint["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["high:", "limit:", ": boolean", ": 1..8"]);
    let symbols = client.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": URI}}));
    let names: Vec<&str> = symbols.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["cell", "main"]);
    assert_eq!(client.leave(), Some(0));
}

const LIGHT: &str = r##"{
  "id": "light", "initial": "red", "context": {"n": 0},
  "states": {
    "red": {"on": {"GO": {"target": "green", "guard": "ready"}}},
    "green": {"initial": "steady", "states": {
      "steady": {"on": {"TICK": "blinking"}},
      "blinking": {"on": {"TICK": "#light.red"}}
    }, "on": {"STOP": "red"}}
  }
}
"##;

const DOOR: &str = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="closed" datamodel="ecmascript">
  <!-- ein Türchen 𝔘 -->
  <state id="closed"><transition event="open" target="opened"/></state>
  <state id="opened"><transition event="close" target="closed"/></state>
</scxml>
"#;

/// As many edits of each of six texts that they are more than a thousand.
const N_EDITS: i64 = 175;

#[test]
fn states_events_and_data_of_statecharts_are_names() {
    let mut client = Client::start();
    for (uri, text, name, n_uses, renamed) in [
        ("file:///models/light.json", LIGHT, "red", 4, "stopped"),
        ("file:///models/door.scxml", DOOR, "closed", 3, "shut"),
    ] {
        client.open(uri, text);
        assert_eq!(client.diagnostics(uri, 1), Vec::<Value>::new(), "{uri}");
        let needle = format!("\"{name}\"");
        let (line, character) = place(text, &needle, 0);
        let declared = if uri.ends_with("json") { place(text, "red\": {", 0) } else { place(text, "closed\"><", 0) };
        let definition = client.at("definition", uri, (line, character + 2));
        assert_eq!(start_of(&definition[0]["range"]), (declared.0 as u64, declared.1 as u64), "{uri}");
        let references = client.at("references", uri, declared);
        assert_eq!(references.as_array().unwrap().len(), n_uses, "{uri}: {references}");
        let position = json!({"line": declared.0, "character": declared.1});
        let params = json!({"textDocument": {"uri": uri}, "position": position, "newName": renamed});
        let edits = client.ask("textDocument/rename", params);
        assert_eq!(edits["changes"][uri].as_array().unwrap().len(), n_uses, "{uri}");
        let hover = client.at("hover", uri, declared);
        let hover = hover["contents"]["value"].as_str().unwrap();
        assert!(hover.contains(&format!("state `{name}`")), "{hover}");
        let items = client.at("completion", uri, (line, character + 1));
        let labels: Vec<&str> = items.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect();
        assert!(labels.contains(&name) && labels.contains(&"target"), "{labels:?}");
        let document = json!({"textDocument": {"uri": uri}});
        let symbols = client.ask("textDocument/documentSymbol", document.clone());
        assert!(symbols[0]["children"].as_array().unwrap().iter().any(|child| child["name"] == name), "{symbols}");
        let tokens = client.ask("textDocument/semanticTokens/full", document.clone());
        assert!(tokens["data"].as_array().unwrap().len() >= 5 * n_uses, "{uri}");
        let folds = client.ask("textDocument/foldingRange", document);
        assert!(!folds.as_array().unwrap().is_empty(), "{uri}");
    }
    let event = client.at("references", "file:///models/light.json", place(LIGHT, "TICK", 1));
    assert_eq!(event.as_array().unwrap().len(), 2);
    let uri = "file:///models/light.ts";
    let text = format!("import {{ createMachine }} from 'xstate';\nexport const m = createMachine({LIGHT});\n");
    client.open(uri, &text);
    let (line, character) = place(&text, "\"red\"", 1);
    let definition = client.at("definition", uri, place(&text, "red\"}}", 0));
    assert_eq!(start_of(&definition[0]["range"]), (line as u64, character as u64 + 1));
    let position = json!({"line": line, "character": character + 1});
    let id = client.request(
        "textDocument/rename",
        json!({"textDocument": {"uri": uri}, "position": position, "newName": "stopped"}),
    );
    let refused = client.answer(id)["error"]["message"].to_string();
    assert!(refused.contains("may be used elsewhere"), "{refused}");
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn completion_knows_parts_and_values() {
    let mut client = Client::start();
    let text = PUMP.replace("SPEC NAME safe := AG (sensor -> AX left.pump = on)", "SPEC AG left.pump = ");
    client.open(URI, &text);
    let labels = |items: &Value| -> Vec<String> {
        let items = items.as_array().unwrap();
        let first = |item: &&Value| item["sortText"].as_str().unwrap().starts_with('0');
        items.iter().filter(first).map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    };
    let (line, character) = place(&text, "left.pump", 0);
    let parts = client.at("completion", URI, (line, character + 5));
    assert_eq!(labels(&parts), ["high", "limit", "pump", "busy"]);
    let values = client.at("completion", URI, (line, character + 12));
    assert_eq!(labels(&values), ["off", "on"]);
    let inside = client.at("completion", URI, (0, 8));
    assert_eq!(inside, json!([]), "nothing is completed in a comment");
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn properties_are_checked_where_they_are_written() {
    let mut client = Client::start();
    client.open(URI, PUMP);
    let lenses = client.ask("textDocument/codeLens", json!({"textDocument": {"uri": URI}}));
    let titles: Vec<&str> =
        lenses.as_array().unwrap().iter().map(|lens| lens["command"]["title"].as_str().unwrap()).collect();
    assert!(titles.contains(&"Check 2 properties"), "{titles:?}");
    let lens = lenses.as_array().unwrap().iter().find(|lens| lens["command"]["title"] == "Check 2 properties");
    let command = &lens.unwrap()["command"];
    let params = json!({"command": command["command"], "arguments": command["arguments"]});
    let checked = client.ask("workspace/executeCommand", params);
    let verdicts: Vec<&str> =
        checked["verdicts"].as_array().unwrap().iter().map(|verdict| verdict["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["holds", "fails"]);
    assert!(checked["verdicts"][1]["text"].as_str().unwrap().contains("State: 2.1"));
    assert!(checked["verdicts"][1]["page"].as_str().unwrap().contains("<html"));
    let found = client.diagnostics(URI, 1);
    assert!(found.iter().any(|found| found["code"] == "fails"), "results stay: {found:?}");
    let hover = client.at("hover", URI, place(PUMP, "pump :", 0));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("reachable values: `off`, `on`"), "{text}");
    let audited = client
        .ask("workspace/executeCommand", json!({"command": "specwright.server.audit", "arguments": [{"uri": URI}]}));
    assert_eq!(audited["kind"], "audit");
    assert!(!audited["survivors"].as_array().unwrap().is_empty());
    let generated = client
        .ask("workspace/executeCommand", json!({"command": "specwright.server.generate", "arguments": [{"uri": URI}]}));
    assert!(generated["text"].as_str().unwrap().contains("sensor"), "{generated}");
    // Another text has other results.
    let change =
        json!([{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "-- \n"}]);
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": change}),
    );
    assert_eq!(client.diagnostics(URI, 2), Vec::<Value>::new());
    assert_eq!(client.leave(), Some(0));
}

/// A model whose states no search can list.
fn endless() -> String {
    let mut text = "MODULE main\nVAR\n".to_owned();
    for n in 0..12 {
        writeln!(text, "  w{n} : unsigned word[32];").unwrap();
    }
    text += "ASSIGN\n";
    for n in 0..12 {
        writeln!(text, "  init(w{n}) := 0ud32_{n};\n  next(w{n}) := w{n} * w{} + w{};", (n + 1) % 12, (n + 5) % 12)
            .unwrap();
    }
    text + "INVARSPEC w0 * w1 != w2 * w3 + 0ud32_12345\n"
}

#[test]
fn requests_are_cancelled() {
    let mut client = Client::start();
    client.open(URI, &endless());
    client.ask("textDocument/codeLens", json!({"textDocument": {"uri": URI}}));
    let check = json!({"command": "specwright.server.check", "arguments": [{"uri": URI}]});
    let id = client.request("workspace/executeCommand", check.clone());
    client.notify("$/cancelRequest", json!({"id": id}));
    let answer = client.answer(id);
    assert_eq!(answer["error"]["code"], -32800, "{answer}");
    // Typing goes on while a check runs, and ends it.
    let id = client.request("workspace/executeCommand", check);
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": PUMP}]}),
    );
    assert_eq!(client.diagnostics(URI, 2), Vec::<Value>::new());
    let answer = client.answer(id);
    assert_eq!(answer["error"]["code"], -32801, "{answer}");
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn malformed_messages_are_answered_and_survived() {
    let mut client = Client::raw();
    let id = client.request("textDocument/hover", json!({}));
    assert_eq!(client.answer(id)["error"]["code"], -32002, "not initialized");
    client.ask("initialize", json!({"capabilities": {}}));
    for (payload, code) in [("{", -32700), ("[1, 2]", -32600), ("\"x\"", -32600), ("{\"jsonrpc\": \"2.0\"}", -32600)] {
        client.write(payload);
        let answer = client.wait(|message| message["id"].is_null() && message.get("error").is_some());
        assert_eq!(answer["error"]["code"], code, "{payload}");
    }
    client.input.as_mut().unwrap().write_all(b"garbage\r\n\r\n").unwrap();
    let answer = client.wait(|message| message["id"].is_null() && message.get("error").is_some());
    assert_eq!(answer["error"]["code"], -32700);
    let id = client.request("no/such/method", json!({}));
    assert_eq!(client.answer(id)["error"]["code"], -32601);
    let id = client.request("textDocument/hover", json!({"textDocument": {"uri": "file:///none"}}));
    assert!(client.answer(id).get("error").is_some());
    client.open(URI, PUMP);
    let id = client.request("textDocument/hover", json!({"textDocument": {"uri": URI}, "position": "here"}));
    assert_eq!(client.answer(id)["error"]["code"], -32602);
    let id = client.request(
        "workspace/executeCommand",
        json!({"command": "specwright.server.dance", "arguments": [{"uri": URI}]}),
    );
    assert!(client.answer(id).get("error").is_some());
    client.notify("textDocument/didChange", json!({"nonsense": true}));
    client.notify("textDocument/didOpen", json!(7));
    let far = client.at("hover", URI, (4_000_000_000, 4_000_000_000));
    assert!(far.is_null() || far.is_object());
    assert_eq!(client.leave(), Some(0));
}

/// Numbers that look random, the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most.max(1)
    }
}

/// All ranges of an answer lie in the text.
fn check_ranges(answer: &Value, lines: &[usize]) {
    match answer {
        Value::Object(fields) => {
            if let (Some(line), Some(character)) = (fields.get("line"), fields.get("character")) {
                let (line, character) = (line.as_u64().unwrap(), character.as_u64().unwrap());
                let length = lines.get(usize::try_from(line).unwrap());
                let inside = length.is_some_and(|length| character <= *length as u64);
                assert!(inside, "line {line}, character {character} is outside of the text: {length:?}");
            }
            fields.values().for_each(|value| check_ranges(value, lines));
        }
        Value::Array(items) => items.iter().for_each(|item| check_ranges(item, lines)),
        _ => {}
    }
}

#[test]
fn a_thousand_random_edits_leave_no_stale_position() {
    let snippets = [
        "",
        " ",
        "\n",
        "\r\n",
        "x",
        "é",
        "𝔘",
        "MODULE m(p)\n",
        "VAR a : 0..3;\n",
        "left.",
        "next(",
        ")",
        "case",
        "esac;",
        ":=",
        "/--",
        "--/",
        "-- c\n",
        "{",
        "}",
        "pump",
        "SPEC AG pump\n",
        "\"",
        "DEFINE d := ",
        ";",
        "IN",
        "self.",
    ];
    let methods =
        ["hover", "definition", "references", "completion", "documentHighlight", "signatureHelp", "prepareRename"];
    let whole = ["documentSymbol", "semanticTokens/full", "foldingRange", "codeLens"];
    for (name, text) in [
        ("a.smv", PUMP.to_owned()),
        ("b.scr", example("safety-injection/safety_injection.scr")),
        ("c.asm", example("safety-injection-asm/safety_injection.asm")),
        ("d.json", LIGHT.to_owned()),
        ("e.scxml", DOOR.to_owned()),
        ("f.ts", example("checkout/checkout.ts")),
    ] {
        let uri = format!("file:///nowhere/{name}");
        let mut client = Client::start();
        let mut units: Vec<u16> = text.encode_utf16().collect();
        client.open(&uri, &text);
        let mut random = Random(7);
        for version in 2..N_EDITS {
            let lines = positions(&units);
            let start = random.below(units.len() + 1);
            let most = if random.below(10) == 0 { 200 } else { 6 };
            let end = (start + random.below(most)).min(units.len());
            // An edit does not cut a character, nor the end of a line, in two.
            let (start, end) = (whole_from(&units, start), whole_from(&units, end).max(whole_from(&units, start)));
            let snippet = snippets[random.below(snippets.len())];
            let range = json!({"start": at(&lines, start), "end": at(&lines, end)});
            let changes = json!([{"range": range, "text": snippet}]);
            client.notify(
                "textDocument/didChange",
                json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": changes}),
            );
            units.splice(start..end, snippet.encode_utf16());
            if random.below(4) == 0 {
                let lengths = lengths(&units);
                let line = random.below(lengths.len());
                let position = json!({"line": line, "character": random.below(lengths[line] + 1)});
                let method = methods[random.below(methods.len())];
                let answer = client.ask(
                    &format!("textDocument/{method}"),
                    json!({"textDocument": {"uri": uri}, "position": position, "context": {"includeDeclaration": true}}),
                );
                check_ranges(&answer, &lengths);
                let method = whole[random.below(whole.len())];
                let answer = client.ask(&format!("textDocument/{method}"), json!({"textDocument": {"uri": uri}}));
                check_ranges(&answer, &lengths);
            }
        }
        // The server has the text that the client has: a fresh document with it has the same diagnostics.
        let found = client.diagnostics(&uri, N_EDITS - 1);
        let text = String::from_utf16(&units).unwrap();
        let mut fresh = Client::start();
        fresh.open(&uri, &text);
        assert_eq!(fresh.diagnostics(&uri, 1), found);
        assert_eq!((client.leave(), fresh.leave()), (Some(0), Some(0)));
    }
}

fn example(name: &str) -> String {
    std::fs::read_to_string(repository().join("examples").join(name)).unwrap()
}

/// For each line its start and its length without the end, in UTF-16 code units.
fn positions(units: &[u16]) -> Vec<(usize, usize)> {
    let mut lines = vec![(0, 0)];
    let mut at = 0;
    while at < units.len() {
        let end = match (units[at], units.get(at + 1)) {
            (13, Some(10)) => 2,
            (10 | 13, _) => 1,
            _ => 0,
        };
        if let Some((start, length)) = lines.last_mut() {
            *length = at - *start + usize::from(end == 0);
        }
        at += end.max(1);
        if end > 0 {
            lines.push((at, 0));
        }
    }
    lines
}

fn lengths(units: &[u16]) -> Vec<usize> {
    positions(units).into_iter().map(|(_, length)| length).collect()
}

fn at(lines: &[(usize, usize)], unit: usize) -> Value {
    let line = lines.partition_point(|(start, _)| *start <= unit) - 1;
    json!({"line": line, "character": unit - lines[line].0})
}

/// The start of the character, or of the end of a line, at a unit.
fn whole_from(units: &[u16], unit: usize) -> usize {
    let low = units.get(unit).is_some_and(|unit| (0xdc00..0xe000).contains(unit));
    let in_end = unit > 0 && units[unit - 1] == 13 && units.get(unit) == Some(&10);
    unit - usize::from(low || in_end)
}

#[test]
fn machines_are_renamed_across_imports() {
    let folder = crate::scratch().join("lsp-imports");
    std::fs::create_dir_all(&folder).unwrap();
    let library = "module lib\nimport StandardLibrary\nsignature:\n  enum domain Light = {RED | GREEN}\n  controlled lamp: Light\ndefinitions:\n  rule r_toggle = if lamp = RED then lamp := GREEN else lamp := RED endif\n";
    let machine = "asm main1\nimport lib\nsignature:\n  monitored go: Boolean\ndefinitions:\n  main rule r_Main = if go then r_toggle[] endif\ndefault init s0:\n  function lamp = RED\n";
    std::fs::write(folder.join("lib.asm"), library).unwrap();
    std::fs::write(folder.join("main1.asm"), machine).unwrap();
    let uri = |name: &str| format!("file://{}", folder.join(name).display());
    let mut client = Client::start();
    client.open(&uri("main1.asm"), machine);
    let (line, character) = place(machine, "r_toggle", 0);
    let definition = client.at("definition", &uri("main1.asm"), (line, character));
    assert_eq!(definition[0]["uri"], uri("lib.asm"));
    client.open(&uri("lib.asm"), library);
    let (line, character) = place(library, "lamp:", 0);
    let renamed = client.ask(
        "textDocument/rename",
        json!({"textDocument": {"uri": uri("lib.asm")}, "position": {"line": line, "character": character}, "newName": "lantern"}),
    );
    let count = |name: &str| renamed["changes"][uri(name)].as_array().map_or(0, Vec::len);
    assert_eq!((count("lib.asm"), count("main1.asm")), (4, 1));
    assert_eq!(client.diagnostics(&uri("main1.asm"), 1), Vec::<Value>::new());
    // What is not saved counts.
    let changed = library.replace("GREEN}", "BLUE}");
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": uri("lib.asm"), "version": 2}, "contentChanges": [{"text": changed}]}),
    );
    client.ask("textDocument/codeLens", json!({"textDocument": {"uri": uri("main1.asm")}}));
    let wrong = client.wait(|message| {
        message["method"] == "textDocument/publishDiagnostics"
            && message["params"]["diagnostics"].to_string().contains("GREEN")
    });
    assert_eq!(wrong["params"]["uri"], uri("lib.asm"));
    assert_eq!(client.leave(), Some(0));
}
