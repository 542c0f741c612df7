//! A graded suite as one page that a browser opens from disk: no network, no build step.
//!
//! The tables are written here, so that they are there without any script; what is interactive, the matrix and the traces,
//! a script makes from data in the page. Nothing of a specification or a suite is ever trusted: text is escaped by the
//! template engine, data is JSON without angle brackets that scripts only turn into text, and the Content-Security-Policy
//! lets nothing take effect but the one script and the one style that are known here by their digests.

mod data;
mod diff;
mod digest;
mod embedded;
mod graph;
mod view;

pub use data::{
    CellView, Diff, File, Further, GoalView, NodeView, Page, Status, TableView, TestView, VarView, Verdict,
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

/// What the page may do: show itself.
fn policy() -> String {
    let digest = |text: &str| digest::base64(&digest::sha256(text.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        digest(SCRIPT),
        digest(STYLE)
    )
}
