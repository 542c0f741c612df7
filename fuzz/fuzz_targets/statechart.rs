#![no_main]
specwright_fuzz::target!("statechart");
