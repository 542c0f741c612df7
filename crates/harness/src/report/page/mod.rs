//! A graded suite as one HTML page that a browser opens from disk: no network, no build step.
//!
//! The tables are static HTML, so they work without scripts; a script renders the matrix and the traces from data in
//! the page. Specifications and suites are untrusted: the template engine escapes text, data is JSON without angle
//! brackets that the script only turns into text nodes, and the Content-Security-Policy allows only the one script and
//! the one style, by their digests.

mod audit;
mod chart;
mod charts;
mod data;
mod diff;
mod digest;
mod embedded;
mod graph;
mod view;

pub use audit::{AuditView, ExecutionView, UnguardedView};
pub use chart::{ChartState, ChartTransition, ChartView};
pub use charts::{MAX_STATES, ScoreView, StateGraphView};
pub use data::{
    CellView, Diff, Difference, File, Further, GoalView, NodeView, Page, Status, TableView, TestView, VarView, Verdict,
};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, HtmlEscape, UndefinedBehavior, Value};
use std::fmt::Write;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page.
pub fn page(page: &Page) -> String {
    let mut environment = Environment::new();
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    environment.set_syntax(syntax.expect("the customary delimiters"));
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_filter("code", code);
    environment.add_template("page", TEMPLATE).expect("the template is well-formed");
    let view = view::View::new(page, STYLE, SCRIPT, policy());
    let rendered = environment.get_template("page").and_then(|template| template.render(Value::from(Serde(&view))));
    rendered.expect("the template fits what it is given")
}

/// Text in which `this` is code.
#[expect(clippy::needless_pass_by_value, reason = "filters are given values")]
fn code(text: String) -> Value {
    let mut html = String::new();
    for (index, part) in text.split('`').enumerate() {
        let part = HtmlEscape(part);
        let _ = if index % 2 == 0 { write!(html, "{part}") } else { write!(html, "<code>{part}</code>") };
    }
    Value::from_safe_string(html)
}

/// The Content-Security-Policy.
fn policy() -> String {
    let digest = |text: &str| digest::base64(&digest::sha256(text.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        digest(SCRIPT),
        digest(STYLE)
    )
}
