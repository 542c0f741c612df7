//! Tables: a header row with the names of variables, and a line for each state.

use super::Reader;
use super::raw::{RawState, RawTest, RawValue};
use crate::export::starts_formula;
use specwright_syntax::csv;
use specwright_syntax::escape::unescape;
use specwright_syntax::span::Span;

struct Cell {
    text: String,
    /// Whether it was marked as text, so that it is a name whatever it says.
    is_text: bool,
    place: Span,
}

impl Reader<'_> {
    /// Tests are told apart by the column `@test`, or else by empty lines.
    pub(super) fn csv(&mut self) -> Vec<RawTest> {
        let rows = self.rows();
        let mut rows = rows.into_iter().skip_while(|row| is_empty(row));
        let Some(heads) = rows.next() else {
            self.wrong(self.span(0, 0), "a table needs a row with the names of the variables");
            return Vec::new();
        };
        let column = |name: &str| heads.iter().position(|head| head.is_mark() && head.text == name);
        let marks = ["@test", "@expect", "@loop", "@goals", "@note"].map(column);
        let [test_column, expect_column, loop_column, goals_column, note_column] = marks;
        for head in heads.iter().filter(|head| head.is_mark()) {
            if !["@test", "@expect", "@loop", "@goals", "@note", "@state"].contains(&head.text.as_str()) {
                self.wrong(head.place, format!("unknown column `{}`", head.text));
            }
        }
        let mut tests: Vec<RawTest> = Vec::new();
        let mut apart = true;
        for row in rows {
            if is_empty(&row) {
                apart = true;
                continue;
            }
            if row.len() != heads.len() {
                let place = row.first().map_or(Span::NONE, |cell| cell.place);
                let cells = if row.len() == 1 { "cell" } else { "cells" };
                self.wrong(place, format!("this row has {} {cells}, but the heading has {}", row.len(), heads.len()));
                continue;
            }
            let cell = |column: Option<usize>| column.map_or("", |column| row[column].text.as_str());
            let place = row[0].place.to(row[row.len() - 1].place);
            let name = cell(test_column);
            let same = tests.last().is_some_and(|test| test_column.is_some() && test.name == name);
            if !same && (test_column.is_some() || apart) {
                tests.push(RawTest { name: name.into(), place: row[0].place, ..RawTest::default() });
            }
            apart = false;
            let Some(test) = tests.last_mut() else { continue };
            match cell(expect_column) {
                "reject" => test.rejected = true,
                "" | "accept" => {}
                _ => {
                    let place = expect_column.map_or(place, |column| row[column].place);
                    self.diagnostics.push(unexpected(place, "expected `accept`, `reject` or nothing"));
                }
            }
            if !matches!(cell(loop_column), "" | "0" | "FALSE" | "false") {
                test.loop_start = Some(test.states.len());
            }
            test.goals.extend(cell(goals_column).split_whitespace().map(|goal| unescape(goal).into_owned()));
            test.notes.push(cell(note_column).to_owned());
            let values = heads.iter().zip(&row).filter(|(head, _)| !head.is_mark());
            let value = |(head, cell): (&Cell, &Cell)| RawValue {
                by_environment: false,
                name: head.text.clone(),
                text: unescape(cell.text.trim()).into_owned(),
                is_bits: false,
                place: cell.place,
                name_place: head.place,
            };
            test.states.push(RawState { place, values: values.map(value).collect(), ..RawState::default() });
        }
        tests
    }

    /// The cells of all rows.
    fn rows(&mut self) -> Vec<Vec<Cell>> {
        let mut table = csv::read(self.file);
        if let Some(at) = table.open_quote {
            table.rows.pop();
            self.wrong(self.span(at, at + 1), "a quote that does not end");
        }
        let cell = |found: &csv::Cell| {
            let text = found.unquoted().into_owned();
            // An apostrophe keeps spreadsheets from taking the text for a formula.
            let text_only = text.strip_prefix('\'').filter(|rest| starts_formula(rest)).map(str::to_owned);
            Cell {
                is_text: text_only.is_some(),
                text: text_only.unwrap_or(text),
                place: self.span(found.at, found.at + found.raw.len()),
            }
        };
        table.rows.iter().map(|row| row.iter().map(cell).collect()).collect()
    }
}

impl Cell {
    /// Whether it is the head of a column that says something about a test.
    fn is_mark(&self) -> bool {
        self.text.starts_with('@') && !self.is_text
    }
}

fn is_empty(row: &[Cell]) -> bool {
    row.iter().all(|cell| cell.text.trim().is_empty())
}

fn unexpected(place: Span, message: &str) -> specwright_syntax::diagnostic::Diagnostic {
    specwright_syntax::diagnostic::Diagnostic::error(specwright_testgen::suite::codes::UNEXPECTED, place, message)
}
