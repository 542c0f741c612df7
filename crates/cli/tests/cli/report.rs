//! `report`: the page as a file, and as people use it in a browser.

use crate::browser::Browser;
use crate::{repository, specwright_in};
use ::specwright::harness::report::page::{
    CellView, ChartState, ChartTransition, ChartView, Diff, Difference, File, Further, GoalView, NodeView, Page,
    ScoreView, StateGraphView, Status, TableView, TestView, VarView, Verdict, page,
};
use ::specwright::syntax::testing::skipped;
use ::specwright::testgen::grade::{Bits, Group};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

const MODEL: &str = "examples/safety-injection/safety_injection.smv";
const SUITE: &str = "examples/safety-injection/tables.suite";

/// A folder of its own.
fn folder(name: &str) -> PathBuf {
    let folder = crate::scratch().join(format!("report-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The page of the safety injection.
fn written(to: &Path) -> String {
    let output = specwright_in(&repository())
        .args(["report", MODEL, SUITE, "--properties", "own", "--winnow", "all", "-o", to.to_str().unwrap()])
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "something survives: {error}");
    fs::read_to_string(to).unwrap()
}

/// Prints a message beside the test's result.
#[expect(clippy::print_stderr, reason = "only there does the harness of tests show it, or hide it")]
fn say(what: &str) {
    eprintln!("{what}");
}

/// Keeps a picture for the book if `PICTURES` is `overwrite`.
fn keep_picture(name: &str, picture: &[u8]) {
    assert!(picture.starts_with(b"\x89PNG"));
    let kept = repository().join("book/src/images").join(name);
    if std::env::var_os("PICTURES").is_some_and(|what| what == "overwrite") {
        fs::write(&kept, picture).unwrap();
    }
    assert!(kept.exists(), "`PICTURES=overwrite` makes the picture");
}

/// A browser, or a word about its absence.
fn browser(folder: &Path, size: (u32, u32)) -> Option<Browser> {
    let browser = Browser::start(&folder.join("profile"), size);
    if browser.is_none() {
        skipped("Chromium is not installed");
    }
    browser
}

#[test]
fn the_page_is_small_the_same_every_time_and_complete_without_scripts() {
    let folder = folder("file");
    let (one, other) = (written(&folder.join("one.html")), written(&folder.join("other.html")));
    assert!(one == other, "the same input gives the same bytes");
    assert!(one.len() < 2_000_000, "{} bytes", one.len());
    for needless in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!one.contains(needless), "{needless} would need a network");
    }
    let tables = &one[..one.find("<script").unwrap()];
    for part in [
        "54.1 %",
        "865 of 1597",
        "up-and-down-again",
        "id=\"f0-93\"",
        "<ins>",
        "subsumed",
        "class=\"as-text\"",
        "id=\"graph\"",
        "graph of 296",
    ] {
        assert!(tables.contains(part), "{part} is missing");
    }
}

#[test]
fn other_tools_get_the_same_report() {
    let folder = folder("formats");
    for (format, file) in [("stryker", "mutation.json"), ("sarif", "report.sarif")] {
        let arguments = ["examples/card-stack/card_stack.smv", "examples/card-stack/published.suite"];
        let arguments = arguments.map(|path| repository().join(path).into_os_string());
        let graded = specwright_in(&folder).arg("grade").args(&arguments).args(["--format", format]).output().unwrap();
        let options = ["--format", format, "--winnow", "consistent"];
        let output = specwright_in(&folder).arg("report").args(&arguments).args(options).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
        let written = std::fs::read(folder.join(file)).unwrap();
        assert!(written == graded.stdout && !written.is_empty(), "{format}");
    }
}

#[test]
fn reports_on_mutants_name_the_language() {
    let folder = folder("languages");
    let csv = "from,a,to\nX,@T,Y\nY,@F,X\n";
    std::fs::write(folder.join("m.csv"), csv).unwrap();
    std::fs::write(folder.join("empty.suite"), "").unwrap();
    let example = |path: &str| repository().join("examples").join(path).display().to_string();
    for (model, language) in [
        (example("request-busy/request_busy.smv"), "smv"),
        (example("safety-injection/safety_injection.scr"), "scr"),
        (example("safety-injection-asm/safety_injection.asm"), "asmetal"),
        ("m.csv".to_owned(), "scr"),
    ] {
        let args = ["grade", &model, "empty.suite", "-c", "states,transitions", "--format", "stryker"];
        let output = specwright_in(&folder).args(args).output().unwrap();
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let files = document["files"].as_object().unwrap();
        assert!(!files.is_empty() && files.values().all(|file| file["language"] == language), "{model}: {files:?}");
    }
}

#[test]
fn a_run_folder_and_results_of_other_commands_are_taken() {
    let folder = folder("run");
    let run = folder.join("run");
    let model = "examples/request-busy/request_busy.smv";
    let generate = ["generate", model, "--properties", "own", "--out", run.to_str().unwrap()];
    assert_eq!(specwright_in(&repository()).args(generate).output().unwrap().status.code(), Some(0));
    let suite: serde_json::Value = serde_json::from_str(&fs::read_to_string(run.join("suite.json")).unwrap()).unwrap();
    let name = suite["tests"][0]["name"].as_str().unwrap();
    let results = folder.join("results.json");
    let test = json!({"name": name, "verdict": "fail", "step": 2, "message": "it said busy"});
    fs::write(&results, json!({"schema": "specwright/run/1", "tests": [test]}).to_string()).unwrap();
    let (path, results) = (folder.join("page.html"), results.to_str().unwrap());
    let report = |results: &str| {
        let args = ["report", model, run.to_str().unwrap(), "--properties", "own", "--with", results];
        specwright_in(&repository()).args(args).args(["-o", path.to_str().unwrap()]).output().unwrap()
    };
    let output = report(results);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("step 2: it said busy") && text.contains("100.0 %"));
    let stack = "examples/card-stack/card_stack.smv";
    for (command, title) in [("safety", "Dangerous mutants"), ("compare", "<h3>Each operator alone")] {
        let model = if command == "safety" { model } else { stack };
        let flags: &[&str] = if command == "safety" {
            &["--property", "state = ready | state = busy"]
        } else {
            &["--operators", "ORO,SNO"]
        };
        let made =
            specwright_in(&repository()).args([command, model, "--format", "json"]).args(flags).output().unwrap();
        fs::write(results, &made.stdout).unwrap();
        let output = report(results);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(fs::read_to_string(&path).unwrap().contains(title), "{title}");
    }
    fs::write(results, "{\"schema\": \"specwright/grade/1\"}").unwrap();
    let output = report(results);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is a specwright/grade/1, not a result of"));
}

#[test]
fn results_know_their_model_and_suite() {
    let folder = folder("results");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let model = "examples/request-busy/request_busy.smv";
    let specwright = |args: &[&str]| specwright_in(&repository()).args(args).output().unwrap();
    let (run, page) = (path("run"), path("page.html"));
    let report = |result: &str| {
        let output = specwright(&["report", result, "-o", &page]);
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        (output.status.code(), said)
    };
    let text = || fs::read_to_string(&page).unwrap();

    // A folder knows with which flags its goals were made.
    let flags = ["--criterion", "states,mcdc", "--goal", "state = busy", "--input", "request"];
    assert_eq!(specwright(&[&["generate", model, "--out", &run][..], &flags].concat()).status.code(), Some(0));
    let (code, said) = report(&run);
    assert!(code == Some(0) && said.starts_with("9/9 goals covered by"), "{said}");
    assert!(text().contains("states:state=busy"));
    let (_, said) = report(&format!("{run}/goals.json"));
    assert!(said.starts_with("9/9 goals covered by"), "{said}");
    // A suite knows its model, and flags that are typed count.
    let output = specwright(&["report", &format!("{run}/suite.json"), "-o", &page, "--criterion", "states"]);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("4/4 goals covered by"));

    // Documents of other commands.
    let documents: [(&[&str], &str); 4] = [
        (&["audit", model], "Audit of the properties"),
        (
            &["grade", model, &run, "--criterion", "transitions", "--ignore", "transitions:state:busy->ready x"],
            "4 goals",
        ),
        (&["compare", model, "--operators", "ORO,SNO"], "<h3>Each operator alone"),
        (&["safety", model, "--property", "state = ready | state = busy"], "Dangerous mutants"),
    ];
    for (command, contains) in documents {
        let output = specwright(&[command, &["--format", "json"][..]].concat());
        let document = path("document.json");
        fs::write(&document, output.stdout).unwrap();
        let (code, said) = report(&document);
        assert!(code.is_some_and(|code| code != 1), "{command:?}: {said}");
        assert!(text().contains(contains) || said.contains("3/3 goals"), "{command:?}: {said}");
        assert!(text().contains("request_busy.smv"));
    }
    let verdict = json!({"name": "some", "verdict": "fail", "step": 1, "message": "wrong"});
    let mut document = json!({"schema": "specwright/run/1", "model": model, "tests": [verdict]});
    fs::write(path("run.json"), document.to_string()).unwrap();
    let (code, said) = report(&path("run.json"));
    assert!(code == Some(0) && text().contains("step 1: wrong"), "{said}");
    document["suite"] = json!("run/suite.json");
    fs::write(path("run.json"), document.to_string()).unwrap();
    let (code, said) = report(&path("run.json"));
    assert!(code.is_some() && said.contains("1 test not in the suite, such as `some`"), "{said}");

    // What is none says what to do.
    assert!(report(model).1.contains("specwright report MODEL"));
    assert!(report(&path("")).1.contains("is not a folder that `generate` wrote"));
    fs::write(path("run.json"), "{\"schema\": \"specwright/suite/1\", \"model\": \"gone.smv\"}").unwrap();
    assert!(report(&path("run.json")).1.contains("gone.smv, which does not exist"));
}

/// Everything that a page could be attacked with, everywhere.
fn hostile(text: &str) -> Page {
    let s = || text.to_owned();
    let mut reaches = Bits::new(2);
    reaches.insert(0);
    let goal = |status| GoalView {
        id: s(),
        groups: vec![s()],
        description: s(),
        ignored: Some(s()),
        place: Some((0, 1)),
        status,
        redundancy: Some("trivial"),
        diff: Some(Diff::of(text, "")),
        lost: Some(s()),
    };
    Page {
        only_trace: false,
        model: s(),
        suite: s(),
        version: "1".into(),
        command: Some(s()),
        date: Some(s()),
        chart: Some(ChartView {
            states: vec![
                ChartState { name: s(), ..ChartState::default() },
                ChartState { name: s(), parent: Some(0), ..ChartState::default() },
            ],
            transitions: vec![ChartTransition { source: 1, targets: vec![0], label: s(), is_taken: false }],
        }),
        state_graph: Some(StateGraphView {
            states: vec![s(), s()],
            initial: vec![0],
            edges: vec![(0, 1, Group { reached: 1, total: 2 }), (1, 1, Group { reached: 0, total: 1 })],
        }),
        history: vec![ScoreView { label: s(), score: Group { reached: 1, total: 2 } }],
        noun: "mutant",
        score: Group { reached: 1, total: 2 },
        effects: vec![(s(), Group::default()); 2],
        properties: vec![(s(), Group::default())],
        files: vec![File { name: s(), text: s() }],
        goals: vec![goal(Status::Killed), goal(Status::Survives)],
        tests: vec![TestView {
            name: s(),
            rejects: true,
            states: vec![vec![Some(s())], vec![None]],
            loop_start: Some(0),
            departure: Some(1),
            notes: vec![s()],
            reaches,
            news: vec![vec![0], vec![]],
            alone: 1,
            redundant: true,
            invalid: Some(s()),
            verdict: Some(Verdict {
                word: s(),
                step: Some(1),
                message: s(),
                differences: vec![Difference { variable: s(), expected: s(), actual: s() }],
            }),
        }],
        vars: vec![VarView { name: s(), role: "input", is_leaving: true }],
        tables: vec![TableView {
            name: s(),
            rows: vec![vec![CellView { text: s(), marks: vec![(s(), s(), vec![s()])] }]],
        }],
        further: vec![Further { title: s(), note: s(), head: vec![s()], rows: vec![vec![s()]] }],
        audit: None,
        subsumption: vec![
            NodeView { goal: 0, same: 0, subsumes: vec![1] },
            NodeView { goal: 1, same: 2, subsumes: vec![] },
        ],
        n_open: 3,
    }
}

#[test]
fn hostile_content_is_harmless() {
    let folder = folder("hostile");
    let long = "a".repeat(10_000);
    let attacks = [
        "<script>document.title = 'owned'</script>",
        "</script><script>document.title = 'owned'</script>",
        "\"><img src=x onerror=\"document.title = 'owned'\">",
        "' onmouseover='document.title = \"owned\"' x='",
        "<!-- <script> ]]> --!> {{ 7 * 7 }} {% raw %} javascript:alert(1) &lt;b&gt; \u{2028}\u{0}\u{202e}",
        "</title></style></noscript></pre><svg onload=\"document.title='owned'\">",
        &long,
    ];
    let harmless = page(&hostile("x"));
    let count = |text: &str, what: &str| text.matches(what).count();
    let mut browser = browser(&folder, (1000, 800));
    for (number, attack) in attacks.into_iter().enumerate() {
        let text = page(&hostile(attack));
        for what in ["<script", "</script", "<img", "<svg", "<!--", "</style", "</noscript", "</pre", "<del>"] {
            assert_eq!(count(&text, what), count(&harmless, what), "{what} in the page of {attack:.40}");
        }
        assert!(text.len() < harmless.len() + 40_000, "{} bytes for {attack:.40}", text.len());
        let Some(browser) = &mut browser else { continue };
        let path = folder.join(format!("{number}.html"));
        fs::write(&path, &text).unwrap();
        browser.open(&path);
        assert_eq!(browser.value("document.querySelectorAll('script').length"), 2);
        assert_eq!(browser.value("document.querySelectorAll('[onerror], [onload], [onmouseover], img').length"), 0);
        assert!(browser.value("document.title").as_str().unwrap().ends_with(": 50.0 %"));
        assert!(browser.text("#step").contains("state 1 of 2"), "the script works");
        let wide = "[...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll, #grid, .skip, .hidden')).map((e) => e.outerHTML.slice(0, 80)).join()";
        assert_eq!(browser.value(wide), "", "the page is as wide as the window with {attack:.40}");
        assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
    }
}

#[test]
fn people_can_use_the_page() {
    let folder = folder("use");
    let path = folder.join("page.html");
    written(&path);
    let Some(mut browser) = browser(&folder, (1200, 900)) else { return };
    browser.open(&path);
    assert_eq!(browser.value("scrollY"), 0, "people begin at the beginning");

    // The matrix: everything, then what a word and a status leave.
    assert_eq!(browser.text("#count"), "2216 of 2216 mutants, 4 tests");
    browser.value("document.querySelector('#find').focus()");
    browser.write("line:93");
    let at_line: usize = browser.text("#count").split(' ').next().unwrap().parse().unwrap();
    assert!((1..100).contains(&at_line), "{at_line}");
    browser.value("for (const [id, value] of [['find', ''], ['status', '1']]) { const e = document.getElementById(id); e.value = value; e.dispatchEvent(new Event('input')); }");
    assert_eq!(browser.text("#count"), "732 of 2216 mutants, 4 tests");
    browser
        .value("{ const e = document.getElementById('status'); e.value = '0'; e.dispatchEvent(new Event('input')); }");
    assert_eq!(browser.text("#count"), "865 of 2216 mutants, 4 tests");
    browser.value("document.querySelector('#grid').focus()");
    let before = browser.text("#cell");
    browser.press("ArrowDown");
    assert_ne!(browser.text("#cell"), before);

    // From a mutant to a test that kills it, and through the test with the keyboard.
    browser.value("document.querySelector('#mutant a.killer').click()");
    browser.value("new Promise(requestAnimationFrame)");
    let named = browser.text("#mutant a.killer");
    assert!(browser.text("#step").starts_with(&format!("{named}: state 1 of")), "{}", browser.text("#step"));
    assert_eq!(browser.value("document.activeElement.id"), "timeline");
    browser.press("ArrowRight");
    assert!(browser.text("#step").contains("state 2 of"));
    assert_eq!(browser.text("#timeline thead .here"), "2");
    browser.press("End");
    let states = browser.value("document.querySelectorAll('#timeline thead th').length - 1");
    assert!(browser.text("#step").contains(&format!("state {states} of {states}")));

    // From a survivor in the specification to the matrix, and from there to the line.
    let link = "document.querySelector('details.line .survivor a')";
    let id = browser.value(&format!("{link}.textContent"));
    browser.value(&format!("{link}.click()"));
    browser.value("new Promise(requestAnimationFrame)");
    assert_eq!(browser.text("#mutant strong"), id.as_str().unwrap());
    browser.value("document.querySelector('#mutant a').click()");
    browser.value("new Promise(requestAnimationFrame)");
    assert_eq!(browser.value("document.querySelector('details.line').open"), true);

    // What comes for free with a mutant is lit up.
    browser.value("graph.closest('details').open = true; graph.querySelector('a.dominator').focus()");
    assert_eq!(browser.value("graph.querySelectorAll('path.lit').length > 3"), true);
    assert_eq!(browser.value("graph.querySelectorAll('a.lit').length < graph.querySelectorAll('a').length"), true);

    // No line is squeezed, whatever became of it.
    let widths = "[...document.querySelectorAll('.line > code, summary > code')].map((code) => code.clientWidth)";
    assert_eq!(browser.value(&format!("Math.min(...{widths}) > 600")), true);

    // Tables are sorted by their heads.
    browser.value("document.querySelectorAll('#tests thead button')[3].click()");
    assert_eq!(browser.text("#tests tbody tr th"), "up-and-down-again");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);

    // On paper, and without scripts, there are the traces as text in place of what is interactive.
    let shown = "['#trace', '#matrix', '.as-text'].map((part) => document.querySelector(part).clientHeight > 0).join()";
    assert_eq!(browser.value(shown), "true,true,false");
    browser.ask("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    assert_eq!(browser.value(shown), "false,false,true");
    browser.ask("Emulation.setEmulatedMedia", &json!({"media": ""}));
    browser.ask("Emulation.setScriptExecutionDisabled", &json!({"value": true}));
    browser.open(&path);
    assert_eq!(browser.value(shown), "false,false,true");
    browser.ask("Emulation.setScriptExecutionDisabled", &json!({"value": false}));

    // The picture in the book.
    browser.resize((1200, 1710));
    browser.open(&path);
    keep_picture("report.png", &browser.picture());

    // Three widths in two themes.
    for theme in ["light", "dark"] {
        browser.ask(
            "Emulation.setEmulatedMedia",
            &json!({"features": [{"name": "prefers-color-scheme", "value": theme}]}),
        );
        for width in [400, 800, 1200] {
            browser.resize((width, 900));
            browser.open(&path);
            let overflows = browser.value("document.documentElement.scrollWidth > innerWidth");
            assert_eq!(overflows, false, "{width} pixels wide");
            keep_picture(&format!("report-{width}-{theme}.png"), &browser.picture());
        }
    }
}

/// A small machine is drawn with the inputs that tests try, and scores are recorded on request only.
#[test]
fn small_machines_and_scores_are_drawn() {
    let folder = folder("charts");
    let (page, history) = (folder.join("page.html"), folder.join("scores.jsonl"));
    let report = |args: &[&str]| {
        let model = ["report", "examples/barrier/barrier.smv", "examples/barrier/suite.json", "-o"];
        let output = specwright_in(&repository()).args(model).arg(&page).args(args).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read_to_string(&page).unwrap()
    };
    let plain = report(&[]);
    assert!(plain.contains("The tests try 4 of 8 combinations of a state and an input."), "{plain}");
    assert!(plain.contains("barrier=down → barrier=up: tests try 1 of 2 inputs"));
    assert!(plain.contains("width=\"500.0\" height=\"78.0\""), "two states side by side need little height");
    assert!(!plain.contains("Score over time"));
    let command =
        "<code>specwright report examples&#x2f;barrier&#x2f;barrier.smv examples&#x2f;barrier&#x2f;suite.json</code>";
    assert!(plain.contains(command));
    let file = history.to_str().unwrap();
    for date in ["monday", "tuesday", "tuesday"] {
        report(&["--history", file, "--date", date]);
    }
    let recorded = fs::read_to_string(&history).unwrap();
    let line = |label| format!("{{\"label\":\"{label}\",\"covered\":83,\"total\":83}}\n");
    assert_eq!(recorded, line("monday") + &line("tuesday"));
    let drawn = report(&["--history", file]);
    assert!(drawn.contains("aria-label=\"Scores: monday 100.0 %, tuesday 100.0 %\""));
    assert_eq!(fs::read_to_string(&history).unwrap(), recorded, "without a date nothing is recorded");
    fs::write(&history, "no score\n").unwrap();
    let args =
        ["report", "examples/barrier/barrier.smv", "examples/barrier/suite.json", "-o", "x.html", "--history", file];
    let output = specwright_in(&repository()).args(args).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot read line 1 of"), "{output:?}");
}

#[test]
fn large_matrices_open_and_scroll() {
    let (n_goals, n_tests) = (10_000, 200);
    let folder = folder("large");
    let goal = |index: usize| GoalView {
        id: format!("ORO-{index:08x}"),
        groups: vec![["ORO", "SNO", "LRO"][index % 3].into()],
        description: format!("replace `x{index}` with `y`"),
        place: Some((0, index / 10 + 1)),
        status: if index.is_multiple_of(7) { Status::Survives } else { Status::Killed },
        redundancy: None,
        ignored: None,
        diff: Some(Diff::of(&format!("AG (x{index} -> AX z)"), "AG (y -> AX z)")),
        lost: None,
    };
    let test = |test: usize| {
        let mut reaches = Bits::new(n_goals);
        (0..n_goals)
            .filter(|goal| goal % 7 != 0 && (goal * 31 + test * 17) % 11 < 3)
            .for_each(|goal| reaches.insert(goal));
        TestView {
            name: format!("test-{test}"),
            states: vec![vec![Some("TRUE".into()); 10]; 20],
            reaches,
            ..hostile("").tests.remove(0)
        }
    };
    let large = Page {
        files: vec![File { name: "large.smv".into(), text: "x := y;\n".repeat(500) }],
        goals: (0..n_goals).map(goal).collect(),
        tests: (0..n_tests).map(test).collect(),
        vars: (0..10).map(|var| VarView { name: format!("v{var}"), role: "output", is_leaving: false }).collect(),
        ..hostile("")
    };
    let path = folder.join("page.html");
    let text = page(&large);
    assert!(text.len() < 8_000_000, "{} bytes", text.len());
    fs::write(&path, text).unwrap();
    let Some(mut browser) = browser(&folder, (1200, 900)) else { return };
    browser.open(&path);
    let opening = browser.value("performance.getEntriesByType('navigation')[0].loadEventEnd");
    say(&format!("10,000 × 200: the page is open after {opening} ms"));
    assert_eq!(browser.text("#count"), "10000 of 10000 mutants, 200 tests");
    // The matrix is one picture, not a million elements.
    assert_eq!(browser.value("document.querySelectorAll('#matrix *').length < 1000"), true);
    // Only what is in view is ever painted, so it takes no more time than a small matrix does.
    assert_eq!(browser.value("canvas.width <= innerWidth && canvas.height <= innerHeight"), true);
    browser.value("document.querySelector('#grid').focus()");
    browser.press("End");
    assert!(browser.text("#cell").ends_with("ORO-0000270f"), "{}", browser.text("#cell"));
    assert_eq!(browser.value("grid.scrollTop > 80000"), true);
    let frames = "new Promise((done) => { const start = performance.now(); let n = 0; const turn = () => { grid.scrollTop = n * 700; n++; n < 60 ? requestAnimationFrame(turn) : done((performance.now() - start) / 60); }; turn(); })";
    let milliseconds = browser.value(frames);
    say(&format!("10,000 × 200: a frame takes {milliseconds} ms"));
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn tests_and_mutants_are_explained() {
    let explain = |name: &str| {
        let (model, suite) = ("examples/request-busy/request_busy.smv", "examples/request-busy/first.suite");
        let args = ["explain", name, model, suite, "--properties", "own"];
        let output = specwright_in(&repository()).args(args).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), text)
    };
    let (code, text) = explain("serve-a-request");
    assert!(code == Some(0) && text.contains("kills 16 mutants, 8 of them unique to this test"), "{text}");
    let (code, text) = explain("MCO-f0f80589");
    assert!(code == Some(0) && text.contains("this one would") && text.contains("  + "), "{text}");
    let (code, text) = explain("STO-a34a6e62");
    assert!(code == Some(0) && text.contains("`request` and `FALSE` differ at the end of this execution"), "{text}");
    let (code, text) = explain("ENO-93d079a9");
    assert!(code == Some(0) && text.contains("1 test kills it: serve-a-request"), "{text}");
    let run = |args: &[&str]| {
        let output = specwright_in(&repository()).arg("explain").args(args).output().unwrap();
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    let text = run(&["MCO-f0f80589", "examples/request-busy/request_busy.smv"]);
    assert!(text.contains("this test kills it:"), "{text}");
    let name = "safe-against-negate-barrier-is-up";
    let text = run(&[name, "examples/barrier/suite.json"]);
    assert!(text.starts_with(&format!("{name}: 3 states; kills 53 mutants")), "{text}");
    let text = run(&[name, "examples/barrier"]);
    assert!(text.contains("is not a folder that `generate` wrote"), "{text}");
    let (code, text) = explain("serve-a-reqest");
    assert!(code == Some(1) && text.contains("did you mean `serve-a-request`?"), "{text}");
}

/// The page of a run with a failure: the failure comes first, and the title has no percentage.
#[test]
fn a_failed_run_shows_its_failures_first() {
    let folder = folder("failed");
    let suite = "examples/barrier/suite.json";
    let written: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(repository().join(suite)).unwrap()).unwrap();
    let name = written["tests"][2]["name"].as_str().unwrap();
    let message = "`barrier` should be up, but is down";
    let difference = json!({"variable": "barrier", "expected": ["up"], "got": "down"});
    let test = json!({"name": name, "verdict": "fail", "step": 2, "message": message, "differences": [difference]});
    let (results, path) = (folder.join("run.json"), folder.join("page.html"));
    fs::write(&results, json!({"schema": "specwright/run/1", "tests": [test]}).to_string()).unwrap();
    let args = ["report", "examples/barrier/barrier.smv", suite, "--with", results.to_str().unwrap(), "-o"];
    let output = specwright_in(&repository()).args(args).arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(&path).unwrap();
    assert!(page.contains(": 1 of 3 tests failed</title>"));
    let at = |part: &str| page.find(part).unwrap_or_else(|| panic!("{part} is missing"));
    assert!(at("id=\"failures\"") < at("id=\"source\"") && at("id=\"source\"") < at("id=\"operators\""));
    let Some(mut browser) = browser(&folder, (1000, 800)) else { return };
    browser.open(&path);
    // The trace that is shown first is the one that failed.
    assert_eq!(browser.text("#timeline td.wrong"), "up down");
    assert!(browser.text("#step").contains("state 3 of 3, after step 2"), "{}", browser.text("#step"));
    assert!(!browser.text("#summary").contains('%'), "a failed run has no percentage in its head");

    // The same test as a sequence of messages: inputs of the state before, outputs of the state after the step.
    browser.value("document.querySelector('#view').value = 'sequence'; document.querySelector('#view').dispatchEvent(new Event('change'))");
    assert_eq!(browser.text("#timeline li.here .send"), "ticket = FALSE, car = TRUE");
    assert_eq!(browser.text("#timeline li.here .answer"), "barrier = up down");
    browser.value("document.querySelector('#timeline').focus()");
    browser.press("ArrowUp");
    assert_eq!(browser.text("#timeline li.here .answer"), "barrier = up");
    browser.press("ArrowDown");
    browser.value("document.querySelector('#trace').scrollIntoView()");
    keep_picture("report-sequence.png", &browser.picture());
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// The variable `SPECWRIGHT_AXE` names the script of axe-core, which looks for what people with disabilities cannot use.
#[test]
fn pages_are_accessible() {
    let Some(axe) = std::env::var_os("SPECWRIGHT_AXE").and_then(|path| fs::read_to_string(path).ok()) else {
        skipped("SPECWRIGHT_AXE does not name the script of axe-core");
        return;
    };
    let folder = folder("axe");
    let pages = [
        ("examples/card-stack/card_stack.smv", "examples/card-stack/published.suite", "mutation"),
        ("examples/safety-injection/safety_injection.scr", "examples/safety-injection/tables.suite", "table"),
        ("examples/barrier/barrier.smv", "examples/barrier/suite.json", "mcdc"),
    ];
    let Some(mut browser) = browser(&folder, (1200, 900)) else { return };
    browser.ask("Page.setBypassCSP", &json!({"enabled": true}));
    for (model, suite, criterion) in pages {
        let path = folder.join("page.html");
        let args = ["report", model, suite, "--criterion", criterion, "-o", path.to_str().unwrap()];
        let output = specwright_in(&repository()).args(args).output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 2)), "{}", String::from_utf8_lossy(&output.stderr));
        for theme in ["light", "dark"] {
            let features = json!({"features": [{"name": "prefers-color-scheme", "value": theme}]});
            browser.ask("Emulation.setEmulatedMedia", &features);
            for width in [400, 1200] {
                browser.resize((width, 900));
                browser.open(&path);
                browser.value(&format!("{axe}; 0"));
                let script = "axe.run().then((found) => found.violations.map((one) => \
                    `${one.id}: ${one.nodes.map((node) => node.target).join(' ')}`).join('; '))";
                for view in ["timeline", "sequence"] {
                    browser.value(&format!("view.value = '{view}'; view.dispatchEvent(new Event('change'))"));
                    let violations = browser.value(script);
                    assert_eq!(violations, "", "{model}, {theme}, {width} pixels wide, {view}");
                }
                let overflows = browser.value("document.documentElement.scrollWidth > innerWidth");
                assert_eq!(overflows, false, "{model}, {width} pixels wide");
            }
        }
    }
}
