//! `specwright fmt`: tables with their columns aligned, SMV with its lines indented.

use crate::args::Fmt;
use crate::console::Console;
use crate::exit_code::ExitCode;
use specwright::suites::write_file;
use specwright::syntax::{scr, smv};
use specwright::text::Text;

pub fn run(console: &mut Console, args: &Fmt) -> anyhow::Result<ExitCode> {
    let mut changes = false;
    for path in &args.files {
        let (name, stdin) = (path.display().to_string(), path.as_os_str() == "-");
        let format = match path.extension().and_then(|extension| extension.to_str()) {
            Some("smv") => smv::format,
            Some("scr") => scr::format,
            _ if stdin => scr::format,
            _ => anyhow::bail!("{name}: only `.scr` and `.smv` files can be formatted"),
        };
        let text = Text::read(path, &name).map_err(anyhow::Error::msg)?;
        if text.is_foreign() {
            console.warning(format_args!("{name} is not valid UTF-8: it is read as Latin-1 and written as UTF-8"));
        }
        let text = text.text;
        let laid_out = format(&text);
        let differs = laid_out != text;
        changes |= differs;
        if stdin && !args.check {
            console.document(laid_out)?;
        } else if differs && args.check {
            console.out(format_args!("{name} is not formatted\n"))?;
        } else if differs {
            write_file(path, laid_out)?;
        }
    }
    Ok(if args.check && changes { ExitCode::Found } else { ExitCode::Good })
}
