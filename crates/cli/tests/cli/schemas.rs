//! Every document that is written has a schema in `schemas/`, and is as that says.

use crate::{repository, specwright_in};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const MODEL: &str = "examples/request-busy/request_busy.smv";
const TABLES: &str = "examples/cruise-control/cruise_control.scr";

/// The kinds that are only read.
const READ: [&str; 2] = ["specwright/mapping/1", "specwright/suite/1"];

/// An implementation that answers, and is wrong.
const ADAPTER: &str = r#"while read -r line; do
  case "$line" in
    *hello*) echo '{"inputs": "leaving"}' ;;
    *) echo '{"outputs": {"state": "busy"}}' ;;
  esac
done
"#;

/// What a command prints to stdout.
fn printed(args: &[&str]) -> String {
    let output = specwright_in(&repository()).args(args).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    text
}

/// A document of every kind, made by the command that writes it.
fn documents() -> Vec<Value> {
    let folder = crate::scratch().join("schemas");
    fs::create_dir_all(folder.join("variants")).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    fs::write(path("variants/wrong.sh"), ADAPTER).unwrap();
    let (out, suite) = (path("out"), path("out/suite.json"));
    let (wrong, variants, subsumption) = (path("variants/wrong.sh"), path("variants"), path("subsumption.json"));
    let (certificate, goals, known) = (path("proof.aig"), path("goals"), path("known.json"));
    let as_json = ["--format", "json"];
    let mut texts: Vec<String> = [
        &["show", MODEL][..],
        &["show", TABLES],
        &["check", MODEL],
        &["check", "examples/request-busy/impatient.smv"],
        &["check", "examples/barrier/barrier.smv", "--certificate", &certificate],
        &["check", "examples/barrier/barrier.smv", "--check-certificate", &certificate],
        &["check", MODEL, "--check-certificate", &certificate],
        &["generate", MODEL, "--goal", "state = ready & state = busy", "--certificate", &goals],
        &["generate", MODEL, "--goal", "state = ready & state = busy", "--check-certificate", &goals],
        &["simulate", MODEL, "--steps", "3"],
        &["generate", MODEL, "--out", &out],
        &["generate", TABLES, "--criterion", "table"],
        &["grade", MODEL, &suite, "--subsumption", &subsumption],
        &["check", "examples/request-busy/impatient.smv", "--known", &known, "--update-known"],
        &["minimize", MODEL, &suite],
        &["compare", MODEL],
        &["mutate", MODEL],
        &["mutate", "examples/safety-injection-asm/safety_injection.asm"],
        &["reflect", MODEL],
        &["audit", MODEL],
        &["safety", TABLES, "--operators", "SNO"],
    ]
    .iter()
    .map(|args| printed(&[args, &as_json[..]].concat()))
    .collect();
    if cfg!(unix) {
        texts.push(printed(&["run", &suite, "--format", "json", "--shrink", "--", "sh", &wrong]));
        texts.push(printed(&["run", &suite, "--format", "json", "--repeat", &variants, "--", "sh", "{}"]));
    }
    for file in ["out/suite.json", "out/goals.json", "subsumption.json", "known.json"] {
        texts.push(fs::read_to_string(path(file)).unwrap());
    }
    let shard = path("shard");
    printed(&["generate", MODEL, "--shard", "1/2", "--answers", &shard]);
    texts.extend(fs::read_to_string(path("shard/answers.jsonl")).unwrap().lines().take(1).map(str::to_owned));
    let journal = path("audit.jsonl");
    printed(&["audit", MODEL, "--journal", &journal]);
    texts.extend(fs::read_to_string(&journal).unwrap().lines().take(1).map(str::to_owned));
    texts.extend(fs::read_to_string(path("out/journal.jsonl")).unwrap().lines().map(str::to_owned));
    texts.iter().map(|text| serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))).collect()
}

/// The schemas by the kinds that they are for. Objects have no other members than a schema names.
fn schemas() -> BTreeMap<String, Value> {
    let mut schemas = BTreeMap::new();
    for entry in fs::read_dir(repository().join("schemas")).unwrap() {
        let path = entry.unwrap().path();
        let mut schema: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let kinds = strings(&schema).into_iter().filter(|text| is_kind(text)).collect::<BTreeSet<_>>();
        assert!(!kinds.is_empty(), "{} is for no kind", path.display());
        close(&mut schema);
        schemas.extend(kinds.into_iter().map(|kind| (kind, schema.clone())));
    }
    schemas
}

fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(strings).collect(),
        Value::Object(members) => members.values().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}

/// Forbids members that are not named, wherever some are.
fn close(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(close),
        Value::Object(members) => {
            if members.contains_key("properties") && members.get("type") == Some(&json!("object")) {
                members.entry("additionalProperties").or_insert(json!(false));
            }
            members.values_mut().for_each(close);
        }
        _ => {}
    }
}

/// Whether a text is a kind of document, such as `specwright/suite/2`.
fn is_kind(text: &str) -> bool {
    let parts: Vec<&str> = text.split('/').collect();
    matches!(parts[..], ["specwright", name, version]
        if name.chars().all(|c| c.is_ascii_lowercase() || c == '-') && version.parse::<u32>().is_ok())
}

/// The kinds that the source code names.
fn kinds_in_source(folder: &Path, kinds: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            kinds_in_source(&path, kinds);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            kinds.extend(text.split('"').filter(|part| is_kind(part)).map(str::to_owned));
        }
    }
}

#[test]
fn every_document_is_as_its_schema_says() {
    let schemas = schemas();
    let mut seen = BTreeSet::new();
    for document in documents() {
        // Only the first line of a journal names its kind.
        let kind = document.get("schema").map_or("specwright/journal/1", |kind| kind.as_str().unwrap()).to_owned();
        let schema = schemas.get(&kind).unwrap_or_else(|| panic!("{kind} has no schema"));
        let validator = jsonschema::validator_for(schema).unwrap();
        let wrong: Vec<String> =
            validator.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(wrong.is_empty(), "{kind}: {wrong:#?}");
        seen.insert(kind);
    }
    let mut named = BTreeSet::new();
    for crate_folder in fs::read_dir(repository().join("crates")).unwrap() {
        kinds_in_source(&crate_folder.unwrap().path().join("src"), &mut named);
    }
    for kind in &named {
        assert!(schemas.contains_key(kind), "{kind} has no schema in schemas/");
        let is_tried = seen.contains(kind) || READ.contains(&&**kind) || (cfg!(not(unix)) && kind.contains("/run"));
        assert!(is_tried, "no document of the kind {kind} is compared with its schema here");
    }
}

#[test]
fn schemas_refuse_what_is_wrong() {
    for (kind, schema) in schemas() {
        let validator = jsonschema::validator_for(&schema).unwrap();
        let empty = Value::Object(Map::from_iter([("schema".to_owned(), json!("specwright/other/1"))]));
        assert!(!validator.is_valid(&empty), "{kind}");
    }
}
