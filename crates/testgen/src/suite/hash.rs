//! The content hash of a model: the same for all texts of the same flat machine, whatever their layout, comments and
//! file name.

use rustc_hash::FxHashMap;
use specwright_model::unparse::unparse;
use specwright_model::{ExprId, Model};
use specwright_syntax::smv::ast::ItemKind;
use specwright_syntax::smv::print::print_file;
use std::fmt::Write as _;

/// Number of nodes without sharing beyond which a model is hashed with sharing.
const MAX_UNSHARED_NODES: u64 = 10_000_000;

/// The content hash of a model, such as `fnv1a:0123456789abcdef0123456789abcdef`.
///
/// It is the hash of the flat machine printed as SMV: variables, defines, assignments and constraints. Properties and
/// shadow variables are excluded, since they do not affect executions. It distinguishes versions of a model; it is not
/// cryptographic.
pub fn model_hash(model: &Model) -> String {
    if !model.shadows.is_empty() {
        return model_hash(&model.without_shadows());
    }
    if let Some(text) = shared_text(model) {
        return format!("fnv1a:{:032x}", fnv1a(text.as_bytes()));
    }
    let mut file = unparse(model);
    for module in &mut file.modules {
        // Unused constants depend on the properties.
        module.items.retain(|item| !matches!(item.kind, ItemKind::Property(_) | ItemKind::Constants(_)));
    }
    format!("fnv1a:{:032x}", fnv1a(print_file(&file).as_bytes()))
}

/// The machine with every expression printed once, if it is too large without sharing.
fn shared_text(model: &Model) -> Option<String> {
    let sourced = [&model.init, &model.trans, &model.invar, &model.justice].into_iter().flatten();
    let pairs = model.compassion.iter().flat_map(|(p, q)| [p, q]);
    let roots: Vec<ExprId> = model
        .assigns
        .iter()
        .map(|assign| assign.value.expr)
        .chain(model.defines.iter().map(|define| define.body.expr))
        .chain(sourced.chain(pairs).map(|sourced| sourced.expr))
        .collect();
    let parts = model.exprs.parts(roots.iter().copied());
    let mut sizes: FxHashMap<ExprId, u64> = FxHashMap::default();
    let mut numbers: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    for (at, part) in parts.iter().enumerate() {
        let mut size = 1u64;
        model[*part].for_each_child(|child| size = size.saturating_add(sizes[&child]));
        sizes.insert(*part, size);
        numbers.insert(*part, ExprId(u32::try_from(at).ok()?));
    }
    if roots.iter().fold(0u64, |sum, root| sum.saturating_add(sizes[root])) <= MAX_UNSHARED_NODES {
        return None;
    }
    let mut text = String::new();
    for var in &model.vars {
        let _ = writeln!(text, "{} {:?} {:?}", var.name, var.domain, var.kind);
    }
    for part in &parts {
        let _ = writeln!(text, "{:?}", model[*part].clone().map_children(|child| numbers[&child]));
    }
    for assign in &model.assigns {
        let _ = writeln!(text, "{:?} {:?}", assign.kind, assign.var);
    }
    for root in &roots {
        let _ = writeln!(text, "{:?}", numbers[root]);
    }
    Some(text)
}

/// The hash FNV-1a with 128 bits.
fn fnv1a(bytes: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;
    use specwright_model::Node;
    use specwright_model::testing::model;
    use specwright_syntax::op::BinaryOp;

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(fnv1a(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(fnv1a(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }

    #[test]
    fn the_hash_depends_on_the_machine_only() {
        let hash = |text: &str| model_hash(&model(text));
        let one = hash("MODULE main VAR x : boolean; ASSIGN next(x) := !x; SPEC AG x");
        assert_eq!(one, hash("MODULE main -- words\nVAR\n  x : boolean;\nASSIGN\n  next(x) := (!x);\n"));
        assert_ne!(one, hash("MODULE main VAR x : boolean; ASSIGN next(x) := x;"));
    }

    #[test]
    fn shared_expressions_are_hashed_once() {
        let large = |last: &str| {
            let mut model = model(&format!("MODULE main VAR x : boolean; ASSIGN next(x) := {last};"));
            let mut expr = model.assigns[0].value.expr;
            for _ in 0..100 {
                let next = Node::Binary(BinaryOp::Implies, expr, expr);
                expr = model.make(next).unwrap();
            }
            model.assigns[0].value.expr = expr;
            model_hash(&model)
        };
        assert_eq!(large("!x"), large("!x"));
        assert_ne!(large("!x"), large("x"));
    }
}
