#![no_main]
specwright_fuzz::target!("nusmv_text");
