#![no_main]
specwright_fuzz::target!("aiger");
