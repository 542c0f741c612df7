//! Real test tools, where `.ci/run` has installed them or the system has them. Tests say which tools they did without.

use ::specwright::syntax::testing::skipped;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of installed tools.
fn target() -> PathBuf {
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    tmp.parent().expect("a folder below the target folder").to_path_buf()
}

/// A Python that has a module: that of `.ci/run`, or that of the system.
pub(crate) fn python(module: &str) -> Option<PathBuf> {
    let own = target().join("tools/python/bin/python");
    let all = [own, PathBuf::from("python3")];
    let found = all.into_iter().find(|python| {
        let tried = Command::new(python).args(["-c", &format!("import {module}")]).output();
        tried.is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        skipped(&format!("no Python with {module}"));
    }
    found
}

/// The folder of npm packages, if it has one of them.
pub(crate) fn npm(package: &str) -> Option<PathBuf> {
    let modules = target().join("node_modules");
    if modules.join(package).is_dir() {
        return Some(modules);
    }
    skipped(&format!("no npm package {package} in target/node_modules"));
    None
}

/// The class path of JUnit 5 with its console launcher.
pub(crate) fn junit() -> Option<String> {
    let folder = std::env::var_os("SPECWRIGHT_JUNIT").map_or_else(|| PathBuf::from("/usr/share/java"), PathBuf::from);
    let names = [
        "junit-platform-console",
        "junit-platform-reporting",
        "junit-platform-launcher",
        "junit-platform-engine",
        "junit-platform-commons",
        "junit-jupiter-api",
        "junit-jupiter-engine",
        "opentest4j",
        "apiguardian-api",
        "picocli",
        "univocity-parsers",
    ];
    let jars: Vec<PathBuf> = names.map(|name| folder.join(format!("{name}.jar"))).into();
    let jars: Vec<String> = jars.iter().filter(|jar| jar.exists()).map(|jar| jar.display().to_string()).collect();
    if jars.iter().any(|jar| jar.contains("platform-console")) {
        return Some(jars.join(":"));
    }
    skipped("no JUnit 5");
    None
}

/// Makes a folder available under another name.
pub(crate) fn link(folder: &Path, name: &Path) {
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder, name).unwrap();
    #[cfg(windows)]
    std::os::windows::fs::symlink_dir(folder, name).unwrap();
}
