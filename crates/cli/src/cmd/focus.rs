//! `specwright focus`: the finite-focus reduction of a model.

use crate::args::Focus;
use crate::console::Console;
use crate::exit_code::ExitCode;
use specwright::suites::write_file;
use specwright::{ReadSettings, Session, focus};
use specwright_model::unparse::try_print_model;
use specwright_syntax::escape::visible;
use specwright_testgen::criteria;

pub fn run(console: &mut Console, args: &Focus) -> anyhow::Result<ExitCode> {
    let reading = ReadSettings { mutants: true, ..(&args.model.reading).into() };
    let mut session = Session::open(&args.model.path, &reading, console)?;
    if args.keeping.keep.is_empty() {
        anyhow::bail!("focus: say what to keep, such as --keep 'x in 0..3'");
    }
    let wanted = criteria::Options { criteria: criteria::default_for(&session.model), ..criteria::Options::default() };
    let limits = args.limits.limits();
    let keeps = focus::keeps(console, &mut session, &args.keeping.keep, &wanted, &limits)?;
    let reduced = focus::reduced(console, &session.model, &keeps)?;
    focus::fresh_engine(console, &session, &reduced, &limits.options())?;
    for name in &reduced.left_out {
        let name = name.as_deref().unwrap_or("without a name");
        console.note(format_args!("the COMPUTE property {name} is left out: lengths of paths mean nothing in a focus"));
    }
    let kept: Vec<String> =
        reduced.keeps.iter().map(|keep| format!("-- {}\n", visible(&keep.text(&session.model)))).collect();
    let name = &reduced.model[reduced.sound].name;
    let text = format!(
        "-- {} reduced to a finite focus: `{name}` is true as long as nothing has left\n{}{}",
        visible(&session.model.name),
        kept.concat(),
        try_print_model(&reduced.model)?
    );
    match &args.out {
        Some(path) => write_file(path, text)?,
        None => console.document(text)?,
    }
    Ok(ExitCode::Good)
}
