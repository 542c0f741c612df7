#![no_main]
specwright_fuzz::target!("smv_tree");
