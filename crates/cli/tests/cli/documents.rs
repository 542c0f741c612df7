//! The console blocks of the README, the book and the examples are run, and must print what they claim.
//!
//! `TRYCMD=overwrite` brings them up to date.

#[test]
fn documents_tell_the_truth() {
    // Commands run in the root of the repository, as readers run them.
    std::env::set_current_dir(crate::repository()).unwrap();
    let cases = trycmd::TestCases::new();
    // A chapter and an example run implementations.
    if !crate::run::has("python3") {
        cases.skip("book/src/worked-example.md").skip("examples/cache/README.md");
    }
    cases
        .env("NO_COLOR", "1")
        .default_bin_path(env!("CARGO_BIN_EXE_specwright"))
        .case("README.md")
        .case("book/src/*.md")
        .case("book/src/*/*.md")
        .case("examples/*/README.md");
}
