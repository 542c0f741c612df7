//! `specwright init`: the file of a project.

use crate::args::Init;
use crate::console::Console;
use crate::exit_code::ExitCode;
use crate::project::FILE;
use specwright::suites::write_file;
use std::path::Path;

pub fn run(console: &mut Console, args: &Init) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(args.model.is_file(), "there is no file {}", args.model.display());
    anyhow::ensure!(!Path::new(FILE).exists(), "there is a {FILE} already");
    let model = toml_edit::Value::from(args.model.display().to_string());
    write_file(Path::new(FILE), text(model.to_string().trim()))?;
    console.out(format_args!("{FILE} is written; `specwright generate` makes the tests\n"))?;
    Ok(ExitCode::Good)
}

fn text(model: &str) -> String {
    format!(
        "\
# Settings of `specwright` in this folder. Every flag of a command can be set under its name;
# the command line overrides this file, and a command with a model or suite as its argument ignores it.

# The specification and its tests.
model = {model}
suite = \"suite.json\"

# Roles of variables (default: as the model suggests).
# input = [\"button\"]
# output = [\"lamp\"]
# internal = [\"timer\"]

# The coverage criteria, see *Criteria* in the book.
criterion = [\"mutation\"]
# operators = [\"ORO\", \"SNO\"]

[generate]
out = \"suite.json\"

[report]
out = \"report.html\"

[run]
# The adapter of the implementation, see *run* in the book.
# program = [\"python3\", \"adapter.py\"]
# junit = \"results.xml\"

# Reviewed goals that do not count, each with a reason.
[ignore]
# ORO-3fa91c07 = \"both are off at night\"
# \"states:mode=test\" = \"only in the factory\"
"
    )
}
