//! The elements of the tables that the model was written in.
//!
//! A row of several modes is short for a row of each, and so is a cell of several events. `table` asks for each of these,
//! `table-cells` for one of them, as the literature counts.

use super::cx::{Cx, Draft};
use crate::goal::Target;
use specwright_model::model::Mark;
use specwright_syntax::span::Span;

/// Every element, in every mode of its row and by every event of its cell.
pub(super) fn goals(cx: &mut Cx<'_>) {
    each(cx, |one, other| one.element == other.element);
}

/// Every element, in one of the modes of its row and by one of the events of its cell.
pub(super) fn cells(cx: &mut Cx<'_>) {
    each(cx, |one, other| one.word == other.word);
}

/// A goal for the first mark of each cell, and for each later one that belongs to none of those before.
fn each(cx: &mut Cx<'_>, together: impl Fn(&Mark, &Mark) -> bool) {
    let tables = cx.model().tables.clone();
    if tables.is_empty() {
        let criterion = cx.criterion;
        cx.note(Span::NONE, format!("the model was not written in tables: `{criterion}` asks for nothing"));
    }
    for table in tables {
        for marks in table.rows.iter().flatten().map(|cell| &cell.marks) {
            for (at, mark) in marks.iter().enumerate() {
                if marks[..at].iter().any(|earlier| together(earlier, mark)) {
                    continue;
                }
                let elements = marks.iter().filter(|other| together(mark, other)).map(|mark| mark.element);
                let mut instances: Vec<_> =
                    elements.flat_map(|element| cx.model().elements[element].instances.clone()).collect();
                instances.dedup();
                let element = cx.model().elements[mark.element].clone();
                let target = Target::Reach(cx.any(instances));
                let (group, description) = (table.name.clone(), element.name);
                cx.add(Draft { key: None, group, description, span: element.span, target });
            }
        }
    }
}
