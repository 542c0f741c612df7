//! Coverage of tables.
//!
//! A row with several modes abbreviates one row for each, and so does a cell with several events. `table` has a goal
//! for each of these, `table-cells` only one for a cell, as in the literature.

use super::builder::{Builder, Draft};
use specwright_mc::Query;
use specwright_model::model::Mark;
use specwright_syntax::span::Span;

/// A goal for every mark, mode of its row and event of its cell.
pub(super) fn goals(builder: &mut Builder<'_>) {
    each(builder, |one, other| one.element == other.element);
}

/// A goal for every mark of a cell, in any mode of its row and by any event of its cell.
pub(super) fn cells(builder: &mut Builder<'_>) {
    each(builder, |one, other| one.word == other.word);
}

/// A goal for each mark of a cell that is not `together` with an earlier one.
fn each(builder: &mut Builder<'_>, together: impl Fn(&Mark, &Mark) -> bool) {
    let tables = builder.model().source.tables.clone();
    if tables.is_empty() {
        let criterion = builder.criterion;
        builder.note(Span::NONE, format!("the model was not written in tables: `{criterion}` has no goals"));
    }
    for table in tables {
        for marks in table.rows.iter().flatten().map(|cell| &cell.marks) {
            for (at, mark) in marks.iter().enumerate() {
                if marks[..at].iter().any(|earlier| together(earlier, mark)) {
                    continue;
                }
                let elements = marks.iter().filter(|other| together(mark, other)).map(|mark| mark.element);
                let mut instances: Vec<_> =
                    elements.flat_map(|element| builder.model().source.elements[element].instances.clone()).collect();
                instances.dedup();
                let element = builder.model().source.elements[mark.element].clone();
                let target = Query::Reach(builder.any(instances));
                let (group, description) = (table.name.clone(), element.name);
                builder.add(Draft { key: None, group, description, span: element.span, target });
            }
        }
    }
}
