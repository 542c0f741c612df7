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
# What `specwright` is told in this folder. Every flag of a command can be given under its name;
# what is typed counts more, and a command that is typed with its model or suite does not look here.

# The specification, and the tests of it.
model = {model}
suite = \"suite.json\"

# On which side of the system variables stand, where the model does not say.
# input = [\"button\"]
# output = [\"lamp\"]
# internal = [\"timer\"]

# What tests are to show: `mutation`, and whatever else the book's page on criteria has.
criterion = [\"mutation\"]
# operators = [\"ORO\", \"SNO\"]

[generate]
out = \"suite.json\"

[report]
out = \"report.html\"

[run]
# The program that connects the implementation, see the book on `run`.
# program = [\"python3\", \"adapter.py\"]
# junit = \"results.xml\"

# Mutants and other goals that were reviewed, each with the reason why it does not matter.
# They are counted apart, and shown with their reasons.
[ignore]
# ORO-3fa91c07 = \"both are off at night\"
# \"states:mode=test\" = \"only in the factory\"
"
    )
}
