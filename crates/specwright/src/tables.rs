//! The tables of a model, marked up with the tests that cover their cells.

use serde::Serialize;
use specwright_mc::Query;
use specwright_model::Model;
use specwright_testgen::goal::Goal;

/// What became of a goal.
pub enum Covered {
    /// By these tests.
    By(Vec<String>),
    /// By none, and none can.
    Infeasible,
    /// By none.
    Missed,
}

/// A table, marked up.
#[derive(Serialize)]
pub struct Marked {
    /// Its name.
    pub name: String,
    /// Its cells, row by row.
    pub rows: Vec<Vec<MarkedCell>>,
}

/// A cell, marked up.
#[derive(Serialize)]
pub struct MarkedCell {
    /// What stands in it.
    pub text: String,
    /// What tests are to show of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<MarkedMark>,
}

/// Something that tests are to show of a cell.
#[derive(Serialize)]
pub struct MarkedMark {
    /// What is to be shown: `true`, `false`, `fires`, `stays`.
    pub mark: &'static str,
    /// The mode and the event, where the cell has several.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub case: String,
    /// The goal that asks for it.
    pub goal: String,
    /// `covered`, `infeasible` or `missed`.
    pub status: &'static str,
    /// The tests that show it.
    pub tests: Vec<String>,
}

impl MarkedMark {
    /// What is to be shown, in words.
    pub fn words(&self) -> String {
        [self.mark, &self.case].join(" ").trim_end().to_owned()
    }
}

/// The tables, if the goals ask for them.
pub fn marked(model: &Model, goals: &[Goal], covered: impl Fn(usize) -> Covered) -> Option<Vec<Marked>> {
    if !goals.iter().any(|goal| goal.criterion == "table") {
        return None;
    }
    let goal_of = |element: usize| {
        let [expr] = model.source.elements[element].instances[..] else { return None };
        goals.iter().position(|goal| goal.criterion == "table" && goal.target == Query::Reach(expr))
    };
    let mark = |mark: &specwright_model::model::Mark| {
        let goal = goal_of(mark.element)?;
        let (status, tests) = match covered(goal) {
            Covered::By(tests) => ("covered", tests),
            Covered::Infeasible => ("infeasible", Vec::new()),
            Covered::Missed => ("missed", Vec::new()),
        };
        let case = mark.case.clone();
        Some(MarkedMark { mark: mark.word, case, goal: goals[goal].id.clone(), status, tests })
    };
    let tables = model.source.tables.iter().map(|table| {
        let cells = |row: &Vec<specwright_model::model::Cell>| {
            let cell = |cell: &specwright_model::model::Cell| MarkedCell {
                text: cell.text.clone(),
                marks: cell.marks.iter().filter_map(mark).collect(),
            };
            row.iter().map(cell).collect()
        };
        let rows = table.rows.iter().filter(|row| !row.is_empty()).map(cells).collect();
        Marked { name: table.name.clone(), rows }
    });
    Some(tables.collect())
}
