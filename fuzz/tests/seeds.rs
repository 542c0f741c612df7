//! Every target holds on its own seeds, also where no fuzzer is installed.

use std::path::Path;

#[test]
fn targets_hold_on_their_seeds() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    for (name, target) in specwright_fuzz::TARGETS {
        let files = std::fs::read_dir(seeds.join(name)).unwrap_or_else(|error| panic!("seeds/{name}: {error}"));
        let inputs: Vec<Vec<u8>> = files.map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect();
        assert!(!inputs.is_empty(), "{name} has no seeds");
        for input in &inputs {
            target(input);
            // Cut off anywhere, and with one byte changed.
            for at in (0..input.len()).step_by(1 + input.len() / 40) {
                target(&input[..at]);
                let mut other = input.clone();
                other[at] = other[at].wrapping_mul(7).wrapping_add(3) & 0x7f;
                target(&other);
            }
        }
    }
}
