//! The `specwright` command.
#![forbid(unsafe_code)]

fn main() {}
