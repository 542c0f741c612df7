//! The content hash of a model: the same for every text that means the same flat machine, whatever its layout,
//! comments and file name.

use specwright_model::Model;
use specwright_model::unparse::unparse;
use specwright_syntax::smv::ast::ItemKind;
use specwright_syntax::smv::print::print_file;

/// The content hash of a model, such as `fnv1a:0123456789abcdef0123456789abcdef`.
///
/// It is taken from the flat machine printed as SMV: variables, defines, assignments and constraints. Properties do not
/// count, for they do not change what an execution is. It tells versions of a model apart; it is no seal against forgery.
pub fn model_hash(model: &Model) -> String {
    let mut file = unparse(model);
    for module in &mut file.modules {
        // Loose constants come and go with the properties that use them.
        module.items.retain(|item| !matches!(item.kind, ItemKind::Property(_) | ItemKind::Constants(_)));
    }
    format!("fnv1a:{:032x}", fnv1a(print_file(&file).as_bytes()))
}

/// FNV-1a with 128 bits.
fn fnv1a(bytes: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;
    use specwright_model::testing::model;

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(fnv1a(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(fnv1a(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }

    #[test]
    fn the_hash_sees_the_machine_and_nothing_else() {
        let hash = |text: &str| model_hash(&model(text));
        let one = hash("MODULE main VAR x : boolean; ASSIGN next(x) := !x; SPEC AG x");
        assert_eq!(one, hash("MODULE main -- words\nVAR\n  x : boolean;\nASSIGN\n  next(x) := (!x);\n"));
        assert_ne!(one, hash("MODULE main VAR x : boolean; ASSIGN next(x) := x;"));
    }
}
