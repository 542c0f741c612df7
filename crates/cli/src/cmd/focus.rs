//! `specwright focus`: the finite-focus reduction of a model.

use crate::args::Focus;
use crate::console::{self, Console};
use crate::exit_code::ExitCode;
use crate::focus;
use crate::load;
use crate::suites::write_file;
use specwright_model::unparse::try_print_model;
use specwright_syntax::escape::visible;
use specwright_testgen::criteria;

pub fn run(console: &mut Console, args: &Focus) -> anyhow::Result<ExitCode> {
    Ok(match reduce(console, args)? {
        Ok(()) => ExitCode::Good,
        Err(code) => code,
    })
}

fn reduce(console: &mut Console, args: &Focus) -> anyhow::Result<Result<(), ExitCode>> {
    let mut loaded = match load::load_unevaluated(console, &args.model.with_mutants(true)) {
        Ok(loaded) => loaded,
        Err(code) => return Ok(Err(code)),
    };
    if args.keeping.keep.is_empty() {
        anyhow::bail!("focus: say what to keep, such as --keep 'x in 0..3'");
    }
    console::catch_interrupts();
    let wanted = criteria::Options { criteria: criteria::default_for(&loaded.model), ..criteria::Options::default() };
    let keeps = match focus::keeps(
        console,
        &mut loaded,
        &args.keeping,
        args.model.reading.dialect,
        &wanted,
        &args.limits.options(),
    ) {
        Ok(keeps) => keeps,
        Err(code) => return Ok(Err(code)),
    };
    let reduced = match focus::reduced(console, &loaded.model, &keeps) {
        Ok(reduced) => reduced,
        Err(code) => return Ok(Err(code)),
    };
    if let Err(code) = focus::fresh_engine(console, &loaded, &reduced, &args.limits.options()) {
        return Ok(Err(code));
    }
    for name in &reduced.left_out {
        let name = name.as_deref().unwrap_or("without a name");
        console.note(format_args!("the COMPUTE property {name} is left out: lengths of paths mean nothing in a focus"));
    }
    let kept: Vec<String> =
        reduced.keeps.iter().map(|keep| format!("-- {}\n", visible(&keep.text(&loaded.model)))).collect();
    let name = &reduced.model[reduced.sound].name;
    let text = format!(
        "-- {} reduced to a finite focus: `{name}` is true as long as nothing has left\n{}{}",
        visible(&loaded.model.name),
        kept.concat(),
        try_print_model(&reduced.model)?
    );
    match &args.out {
        Some(path) => write_file(path, text)?,
        None => console.document(text)?,
    }
    Ok(Ok(()))
}
