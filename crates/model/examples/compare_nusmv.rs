//! Compares the interpreter with NuSMV on random models: verdicts, lengths of paths, and the number of states.
//!
//! ```console
//! $ cargo run --release -p specwright-model --features testing --example compare_nusmv -- NUSMV FROM TO [FILE]
//! ```
//!
//! `NUSMV` is the program, 2.5.4 or later; `FROM` and `TO` are seeds. Models that NuSMV rejects or does not finish are
//! counted and not compared. With `FILE`, NuSMV's answers are written to it; `testdata/random_models/nusmv.tsv` is such
//! a file.
#![expect(clippy::print_stdout, reason = "it is a program")]

use specwright_model::model::{Model, PropertyKind, VarKind};
use specwright_model::testing::{Options, answers, model, random_smv_with, sum};
use std::fmt::Write;
use std::io::Error;
use std::path::Path;
use std::process::Command;

const SCRIPT: &str = "set on_failure_script_quits 1\nset use_coi_size_sorting 0\nset prop_print_method index\n\
    set counter_examples 0\ngo\nprint_reachable_states\ncheck_property\nquit\n";

fn main() -> Result<(), Error> {
    let args: Vec<String> = std::env::args().collect();
    let (Some(nusmv), Some(Ok(from)), Some(Ok(to))) =
        (args.get(1), args.get(2).map(|arg| arg.parse::<u64>()), args.get(3).map(|arg| arg.parse::<u64>()))
    else {
        return Err(Error::other("usage: compare_nusmv NUSMV FROM TO [FILE]"));
    };
    let folder = std::env::temp_dir().join(format!("compare-nusmv-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("script"), SCRIPT)?;
    let mut record = String::from("# seed, sum of the text, NuSMV's number of states and answers\n");
    let (mut compared, mut skipped, mut different) = (0, 0, 0);
    for seed in from..to {
        let text = random_smv_with(seed, &Options::both_versions());
        std::fs::write(folder.join("model.smv"), &text)?;
        let model = model(&text);
        let theirs = ask(nusmv, &folder)?;
        let ours = answers(&model);
        if theirs.len() != ours.len() {
            skipped += 1;
            continue;
        }
        if !(1..ours.len()).any(|index| quirk(&model, index)) {
            let _ = writeln!(record, "{seed}\t{:016x}\t{}", sum(&text), theirs.join(" "));
        }
        for (index, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            if quirk(&model, index) {
                continue;
            }
            compared += 1;
            if ours != theirs {
                different += 1;
                println!("seed {seed}, answer {index}: ours {ours}, theirs {theirs}");
            }
        }
    }
    if let Some(file) = args.get(4) {
        std::fs::write(file, record)?;
    }
    println!("{compared} answers compared, {different} different, {skipped} models skipped");
    std::fs::remove_dir_all(folder)
}

/// NuSMV's number of states and its answers, up to the first error.
fn ask(nusmv: &str, folder: &Path) -> Result<Vec<String>, Error> {
    let output = Command::new(nusmv).arg("-source").arg("script").arg("model.smv").current_dir(folder).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut answers = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("reachable states: ") {
            answers.push(rest.split_whitespace().next().unwrap_or_default().to_string());
        } else if line.starts_with("-- ") && line.contains('[') {
            answers.push(line.rsplit(' ').next().unwrap_or_default().to_string());
        }
    }
    Ok(answers)
}

/// A known defect: NuSMV does not quantify inputs when it checks LTL with compassion, and then misses counterexamples.
fn quirk(model: &Model, answer: usize) -> bool {
    let has_inputs = model.vars.iter().any(|var| var.kind == VarKind::Input);
    let kind = answer.checked_sub(1).map(|property| model.properties[property].kind);
    has_inputs && !model.compassion.is_empty() && kind == Some(PropertyKind::Ltl)
}
