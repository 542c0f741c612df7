//! The JSON data in a page, for its script.

use super::audit::{self, ExecutionView};
use super::data::{Diff, GoalView, Page, TestView, VarView, Verdict};
use super::diff::shorten;
use super::digest::base64;
use super::view::{Kind, verdict};
use serde::Serialize;
use specwright_testgen::grade::Bits;
use std::collections::BTreeMap;

/// Maximal number of goals listed for one step of a test.
const MAX_GOALS_PER_STEP: usize = 40;

/// The data of the script.
#[derive(Serialize)]
struct Data<'a> {
    noun: &'static str,
    labels: &'a [Kind],
    groups: Vec<String>,
    files: Vec<String>,
    vars: Vec<VarView>,
    values: Vec<String>,
    goals: Vec<GoalData<'a>>,
    tests: Vec<TestData>,
    /// The executions of an audit, which are shown as tests are.
    executions: Vec<TestData>,
}

#[derive(Serialize)]
struct GoalData<'a> {
    id: String,
    /// Indices of groups.
    g: Vec<usize>,
    d: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<(usize, usize)>,
    /// Index of the status.
    s: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    redundancy: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ignored: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a Diff>,
}

#[derive(Serialize)]
struct TestData {
    name: String,
    rejects: bool,
    /// For each state, the indices of the values of the variables; -1 stands for none.
    states: Vec<Vec<i64>>,
    #[serde(rename = "loop")]
    loop_start: Option<usize>,
    departure: Option<usize>,
    notes: Vec<String>,
    /// For each state, the number of goals that are reached first there, and some of them.
    news: Vec<(usize, Vec<usize>)>,
    /// The reached goals as a bit set, the lowest bit first.
    kills: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Verdict>,
}

/// The data as JSON that can neither end its element nor begin a comment there.
pub(super) fn data(page: &Page, labels: &[Kind]) -> String {
    let mut groups: BTreeMap<&str, usize> =
        page.goals.iter().flat_map(|goal| &goal.groups).map(|group| (group.as_str(), 0)).collect();
    groups.values_mut().zip(0..).for_each(|(place, number)| *place = number);
    let mut values = Values::default();
    let goal = |goal: &'_ GoalView| GoalData {
        id: shorten(&goal.id),
        g: goal.groups.iter().map(|group| groups[group.as_str()]).collect(),
        d: shorten(&goal.description),
        at: goal.place,
        s: goal.status as usize,
        redundancy: goal.redundancy,
        ignored: goal.ignored.as_deref().map(shorten),
        diff: None,
    };
    let goals = page.goals.iter().map(|view| GoalData { diff: view.diff.as_ref(), ..goal(view) }).collect();
    let tests = page.tests.iter().map(|test| test_data(test, &mut values)).collect();
    let vars = audit::vars(page);
    let executions =
        audit::executions(page).map(|(id, execution)| execution_data(id, execution, &vars, &mut values)).collect();
    let data = Data {
        noun: page.noun,
        labels,
        groups: groups.keys().map(|group| shorten(group)).collect(),
        files: page.files.iter().map(|file| shorten(&file.name)).collect(),
        vars: vars.iter().map(|var| VarView { name: shorten(&var.name), ..var.clone() }).collect(),
        values: Vec::new(),
        goals,
        tests,
        executions,
    };
    let data = Data { values: values.names, ..data };
    let json = serde_json::to_string(&data).expect("names and numbers can be written");
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

fn test_data(test: &TestView, values: &mut Values) -> TestData {
    let mut state = |state: &Vec<Option<String>>| {
        state.iter().map(|value| value.as_ref().map_or(-1, |value| values.number(value))).collect()
    };
    TestData {
        name: shorten(&test.name),
        rejects: test.rejects,
        states: test.states.iter().map(&mut state).collect(),
        loop_start: test.loop_start,
        departure: test.departure,
        notes: test.notes.iter().map(|note| shorten(note)).collect(),
        news: test
            .news
            .iter()
            .map(|news| (news.len(), news.iter().copied().take(MAX_GOALS_PER_STEP).collect()))
            .collect(),
        kills: base64(&bytes(&test.reaches)),
        verdict: test.verdict.as_ref().map(verdict),
    }
}

fn execution_data(id: &str, execution: &ExecutionView, vars: &[VarView], values: &mut Values) -> TestData {
    let mut state = |state: &BTreeMap<String, String>| {
        vars.iter().map(|var| state.get(&var.name).map_or(-1, |value| values.number(value))).collect()
    };
    TestData {
        name: shorten(id),
        rejects: false,
        states: execution.states.iter().map(&mut state).collect(),
        loop_start: execution.loop_start,
        departure: None,
        notes: Vec::new(),
        news: Vec::new(),
        kills: String::new(),
        verdict: None,
    }
}

fn bytes(bits: &Bits) -> Vec<u8> {
    let mut bytes = vec![0; bits.limit().div_ceil(8)];
    bits.iter().for_each(|index| bytes[index / 8] |= 1 << (index % 8));
    bytes
}

/// A table of distinct values.
#[derive(Default)]
struct Values {
    names: Vec<String>,
    numbers: BTreeMap<String, i64>,
}

impl Values {
    fn number(&mut self, value: &str) -> i64 {
        if let Some(number) = self.numbers.get(value) {
            return *number;
        }
        let number = i64::try_from(self.names.len()).unwrap_or(-1);
        self.names.push(shorten(value));
        self.numbers.insert(value.into(), number);
        number
    }
}
