//! Every element of every table that the model was written in.

use super::cx::{Cx, Draft};
use crate::goal::Target;
use specwright_syntax::span::Span;

pub(super) fn goals(cx: &mut Cx<'_>) {
    let tables = cx.model().tables.clone();
    if tables.is_empty() {
        cx.note(Span::NONE, "the model was not written in tables: `table` asks for nothing".into());
    }
    for table in tables {
        for mark in table.rows.iter().flatten().flat_map(|cell| &cell.marks) {
            let element = cx.model().elements[mark.element].clone();
            let target = Target::Reach(cx.any(element.instances));
            let (group, description) = (table.name.clone(), element.name);
            cx.add(Draft { key: None, group, description, span: element.span, target });
        }
    }
}
