#![no_main]
specwright_fuzz::target!("suite_text");
