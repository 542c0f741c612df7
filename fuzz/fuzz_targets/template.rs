#![no_main]
specwright_fuzz::target!("template");
