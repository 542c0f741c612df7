//! The program `specwright`.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    let typed: Vec<_> = std::env::args_os().collect();
    specwright_cli::run_command_line(&typed).into()
}
