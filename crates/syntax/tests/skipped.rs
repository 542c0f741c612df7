//! A skipped test reports that it was skipped.

use specwright_syntax::testing::shared;
use std::process::Command;

/// The test starts itself; the child process is the skipped test.
#[test]
fn a_skipped_test_says_so_although_it_passes() {
    if std::env::var_os("SPECWRIGHT_SKIPPED").is_some() {
        assert!(shared("no-such-folder").is_none());
        return;
    }
    let myself = Command::new(std::env::current_exe().unwrap()).env("SPECWRIGHT_SKIPPED", "1").output().unwrap();
    assert!(myself.status.success(), "{myself:?}");
    let expected = "a_skipped_test_says_so_although_it_passes: there is no folder ../shared/no-such-folder\n";
    assert_eq!(String::from_utf8_lossy(&myself.stderr), format!("skipped: {expected}"));
}
