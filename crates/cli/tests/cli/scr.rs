//! SCR tables on the command line.

use crate::{repository, specwright_in};
use std::fs;

#[test]
fn tables_are_laid_out_in_place() {
    let folder = crate::scratch().join("fmt");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("pump.scr");
    fs::write(&file, "modes\nPump:{Off,On} initially Off\nmode table Pump\nOff|@T(Low)|On\n").unwrap();
    let fmt = |args: &[&str]| {
        let output = specwright_in(&folder).arg("fmt").args(args).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(fmt(&["--check", "pump.scr"]), (Some(2), "pump.scr is not formatted\n".into()));
    assert_eq!(fmt(&["pump.scr"]), (Some(0), String::new()));
    assert_eq!(fmt(&["--check", "pump.scr"]), (Some(0), String::new()));
    let wanted = "modes\n  Pump : {Off,On} initially Off\n\nmode table Pump\n  Off | @T(Low) | On\n";
    assert_eq!(fs::read_to_string(&file).unwrap(), wanted);
    assert_eq!(fmt(&["model.smv"]).0, Some(1), "only tables have columns");
}

#[test]
fn the_json_of_a_grade_has_the_tables() {
    let args = ["grade", "safety_injection.scr", "tables.suite", "--criterion", "table", "--format", "json"];
    let output = specwright_in(&repository().join("examples/safety-injection")).args(args).output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let tables = document["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 3);
    let mark = &tables[0]["rows"][1][1]["marks"][0];
    assert_eq!((mark["mark"].as_str(), mark["status"].as_str()), (Some("fires"), Some("covered")));
    assert_eq!(mark["tests"], serde_json::json!(["up-and-down-again", "high-and-back", "stay-high"]));
}
