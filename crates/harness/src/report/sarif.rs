//! Findings as SARIF 2.1.0, for tools that show them beside the code.

use super::place::Place;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A finding.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its rule, such as the operator of a mutant.
    pub rule: String,
    /// The description of the rule.
    pub rule_text: String,
    /// Its level.
    pub level: Level,
    /// Its message.
    pub message: String,
    /// Its position.
    pub place: Option<Place>,
    /// An identity that does not depend on other lines.
    pub fingerprint: String,
}

/// The level of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// An error.
    Error,
    /// Something is missing.
    Warning,
    /// Something is undecided.
    Note,
}

/// The document of all findings of one run.
pub fn sarif(version: &str, findings: &[Finding]) -> String {
    sarif_against(version, findings, None)
}

/// The document of all findings of one run; of each, whether it is new, if that was asked.
pub fn sarif_against(version: &str, findings: &[Finding], new: Option<&[bool]>) -> String {
    let rules: BTreeMap<&str, &str> =
        findings.iter().map(|finding| (finding.rule.as_str(), finding.rule_text.as_str())).collect();
    let rules: Vec<Value> =
        rules.iter().map(|(id, text)| json!({"id": id, "shortDescription": {"text": text}})).collect();
    let mut results: Vec<Value> = findings.iter().map(result).collect();
    for (result, is_new) in results.iter_mut().zip(new.into_iter().flatten()) {
        result["baselineState"] = if *is_new { "new" } else { "unchanged" }.into();
    }
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "specwright", "version": version, "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&document).expect("names and numbers can be written") + "\n"
}

fn result(finding: &Finding) -> Value {
    let level = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    };
    let locations: Vec<Value> = finding
        .place
        .iter()
        .map(|place| {
            json!({"physicalLocation": {
                "artifactLocation": {"uri": uri(&place.file)},
                "region": {
                    "startLine": place.start.line,
                    "startColumn": place.start.column,
                    "endLine": place.end.line,
                    "endColumn": place.end.column,
                },
            }})
        })
        .collect();
    json!({
        "ruleId": finding.rule,
        "level": level,
        "message": {"text": finding.message},
        "locations": locations,
        "partialFingerprints": {"specwright/1": finding.fingerprint},
    })
}

/// A path as a URI reference, with special characters percent-encoded.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path).replace('\\', "/");
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    if uri.starts_with('/') { format!("file://{uri}") } else { uri }
}
