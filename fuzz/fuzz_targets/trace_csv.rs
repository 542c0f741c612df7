#![no_main]
specwright_fuzz::target!("trace_csv");
