//! What is asserted of inputs that a fuzzer makes up; `fuzz_targets/` has one file for each function of [`TARGETS`].
//!
//! No input may lead to a panic. Beyond that, what is read without errors is written, and what is written is read again as the same.

mod languages;
mod project;
mod suites;
mod traces;

/// One target: an input, and assertions about it.
pub type Query = fn(&[u8]);

/// All targets by their names, which are those of their folders of seeds.
pub const TARGETS: &[(&str, Query)] = &[
    ("smv", languages::smv),
    ("smv_tree", languages::smv_tree),
    ("scr", languages::scr),
    ("aiger", languages::aiger),
    ("statechart", languages::statechart),
    ("matrix", languages::matrix),
    ("asm", languages::asm),
    ("suite_json", suites::json),
    ("suite_text", suites::text),
    ("trace_csv", traces::csv),
    ("itf", traces::itf),
    ("nusmv_xml", traces::nusmv_xml),
    ("nusmv_text", traces::nusmv_text),
    ("vcd", traces::vcd),
    ("avalla", traces::avalla),
    ("mapping", traces::mapping),
    ("project", project::project),
    ("template", suites::template),
    ("export", suites::export_all),
];

/// Tries an input on a target.
pub fn run(name: &str, input: &[u8]) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).expect("a target of the list");
    target(input);
}

/// Declares the target of a file by its name.
#[macro_export]
macro_rules! target {
    ($name:literal) => {
        libfuzzer_sys::fuzz_target!(|input: &[u8]| $crate::run($name, input));
    };
}
