//! `init` and `specwright.toml`: commands without arguments in the folder of a project.

use crate::{repository, specwright_in};
use std::fs;
use std::path::Path;

fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = specwright_in(folder).args(args).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn a_project_needs_no_arguments() {
    let folder = crate::scratch().join("project");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::copy(repository().join("examples/request-busy/request_busy.smv"), folder.join("it's.smv")).unwrap();
    let (code, said) = run(&folder, &["generate"]);
    assert!(code == Some(1) && said.contains("<MODEL>"), "{said}");

    assert_eq!(run(&folder, &["init", "it's.smv"]).0, Some(0));
    let (code, said) = run(&folder, &["init", "it's.smv"]);
    assert!(code == Some(1) && said.contains("already"), "{said}");
    assert_eq!(run(&folder, &["generate"]).0, Some(0));
    let (code, said) = run(&folder, &["grade"]);
    assert!(code == Some(0) && said.contains("100.0 %"), "{said}");
    assert_eq!(run(&folder, &["report"]).0, Some(0));
    assert!(folder.join("suite.json").is_file() && folder.join("report.html").is_file());

    let (code, said) = run(&folder, &["explain", "served-against-negate-state-is-busy"]);
    assert!(code == Some(0) && said.starts_with("served-against-negate-state-is-busy: "), "{said}");
    let (code, said) = run(&folder, &["explain", "SMV012"]);
    assert!(code == Some(0) && said.starts_with("SMV012: "), "{said}");

    // Arguments count more than the project file, and a named model is not replaced.
    let (code, said) = run(&folder, &["generate", "--criterion", "states", "--out", "other.json"]);
    assert!(code == Some(0) && folder.join("other.json").is_file(), "{said}");
    let (code, said) = run(&folder, &["grade", "it's.smv"]);
    assert!(code == Some(1) && said.contains("<SUITE>"), "{said}");

    // What is ignored is counted apart, and named with its reason.
    let text = fs::read_to_string(folder.join("specwright.toml")).unwrap();
    let text = text.replace("[ignore]", "[ignore]\nMCO-f0f80589 = \"nobody cares\"\nMCO-00000000 = \"gone\"");
    fs::write(folder.join("specwright.toml"), text).unwrap();
    let (code, said) = run(&folder, &["generate"]);
    assert!(code == Some(0) && said.contains("1 goal ignored"), "{said}");
    assert!(said.contains("there is no goal MCO-00000000 to ignore"), "{said}");
    let (_, said) = run(&folder, &["grade"]);
    assert!(said.contains(", 1 ignored\n") && said.contains("(MCO-f0f80589"), "{said}");
    assert!(said.contains("): nobody cares\n"), "{said}");
    assert_eq!(run(&folder, &["report"]).0, Some(0));
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(page.contains("<h2 id=\"ignored-title\">") && page.contains("nobody cares"));
    assert!(run(&folder, &["explain", "MCO-f0f80589"]).1.contains("ignored: nobody cares"));

    fs::write(folder.join("specwright.toml"), "model = \"it's.smv\"\n[generate]\ncritrion = \"states\"\n").unwrap();
    let (code, said) = run(&folder, &["generate"]);
    assert!(
        code == Some(1)
            && said.contains("specwright.toml: `generate` has no option `critrion`; did you mean `criterion`?"),
        "{said}"
    );
}
