//! Import of files as other tools write them.

use crate::read;
use specwright_harness::import::Mapping;
use specwright_model::testing::model;
use specwright_model::{Model, Value};
use specwright_testgen::suite::{Suite, write_text};

const SERVER: &str = "MODULE main
VAR request : boolean; state : {ready, busy};
DEFINE working := state = busy;
ASSIGN init(state) := ready;
  next(state) := case state = ready & request : busy; TRUE : {ready, busy}; esac;";

fn one(model: &Model, name: &str, text: &str, mapping: &Mapping) -> Suite {
    let (suite, found) = read(model, &[(name.into(), text.into())], mapping);
    assert!(found.is_empty(), "{found:?}");
    suite
}

/// The tests as text, without the first two lines.
fn text(model: &Model, suite: &Suite) -> String {
    let written = write_text(model, suite);
    let lines: Vec<&str> = written.lines().skip(2).map(str::trim_start).collect();
    lines.join("\n") + "\n"
}

#[test]
fn traces_of_nusmv() {
    let model = model(SERVER);
    let printed = "*** This is NuSMV
-- specification AG !working is false
-- as demonstrated by the following execution sequence
Trace Description: CTL Counterexample
Trace Type: Counterexample
-> State: 1.1 <-
  request = TRUE
  state = ready
  working = FALSE
-- Loop starts here
-> State: 1.2 <-
  state = busy
  working = TRUE
-> State: 1.3 <-
-- specification something else is false
-- as demonstrated by the following execution sequence
Trace Description: LTL Counterexample
Trace Type: Counterexample
  -- Loop starts here
-> State: 2.1 <-
  request = FALSE
  state = ready
-> State: 2.2 <-
";
    let suite = one(&model, "nusmv.txt", printed, &Mapping::default());
    let expected = "test nusmv-1\nrequest = TRUE, state = ready, working = FALSE\nloop\nstate = busy, working = TRUE\n\n\
                    test nusmv-2\nloop\nrequest = FALSE, state = ready, working = FALSE\n";
    assert_eq!(text(&model, &suite), expected);
    // Only a state that comes again closes a loop.
    let open =
        "-> State: 1.1 <-\n  request = TRUE\n  state = ready\n-- Loop starts here\n-> State: 1.2 <-\n  state = busy\n";
    let suite = one(&model, "open.txt", open, &Mapping::default());
    assert_eq!(text(&model, &suite), "test open\nrequest = TRUE, state = ready\nstate = busy\n");
    let document = r#"<?xml version="1.0" encoding="UTF-8"?>
<counter-example type="0" id="1" desc="CTL Counterexample" >
  <node>
    <state id="1"><value variable="request">TRUE</value><value variable="state">ready</value></state>
    <combinatorial id="1"><value variable="working">FALSE</value></combinatorial>
  </node>
  <node>
    <state id="2"><value variable="request">TRUE</value><value variable="state">busy</value></state>
  </node>
  <loops> </loops>
</counter-example>
"#;
    let suite = one(&model, "trace.xml", document, &Mapping::default());
    assert_eq!(text(&model, &suite), "test trace\nrequest = TRUE, state = ready\nstate = busy\n");
}

/// NuSMV's `show_traces -a` writes one document after the other.
#[test]
fn several_documents_in_a_file() {
    let model = model(SERVER);
    let document = |value: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- 1 > 0 --><counter-example desc='a > b'><node>\
             <state id='1'><value variable=\"state\">{value}</value></state></node></counter-example>\n"
        )
    };
    let text_of = |values: &[&str]| values.iter().map(|value| document(value)).collect::<String>();
    let found =
        one(&model, "all.xml", &format!("\u{feff}\n{}<!-- end -->", text_of(&["ready", "busy"])), &Mapping::default());
    assert_eq!(text(&model, &found), "test all-1\nstate = ready\n\ntest all-2\nstate = busy\n");
    // All ways to write a value.
    let found = one(
        &model,
        "all.xml",
        &text_of(&["&#98;us&#x79;", " <![CDATA[busy]]>\n", "<!-- or not -->busy"]),
        &Mapping::default(),
    );
    assert!(found.tests.iter().all(|test| test.trace.states[0] == found.tests[0].trace.states[0]), "{found:?}");
    assert_eq!(found.tests.len(), 3);
    // The place of a mistake is that in the file.
    let wrong = text_of(&["ready", "b<usy"]);
    let (_, diagnostics) = read(&model, &[("all.xml".into(), wrong.clone())], &Mapping::default());
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    assert!(diagnostics[0].primary.span.start as usize > wrong.rfind("b<usy").unwrap(), "{diagnostics:?}");
}

/// Documents that are short and mean much are refused, and those that are deep are read.
#[test]
fn documents_that_grow() {
    let model = model(SERVER);
    let mut laughs = "<!DOCTYPE x [<!ENTITY l0 \"ha\">".to_owned();
    for n in 1..30 {
        laughs.extend(["<!ENTITY l", &n.to_string(), " \"", &format!("&l{};", n - 1).repeat(2), "\">"]);
    }
    laughs += "]><counter-example><node><state id=\"1\"><value variable=\"state\">&l29;</value></state></node></counter-example>";
    let (_, found) = read(&model, &[("a.xml".into(), laughs)], &Mapping::default());
    assert!(found[0].message.contains("DTD"), "{found:?}");
    let state = "<state id='1'><value variable='state'>busy</value></state>";
    let (open, close) = ("<node>".repeat(100_000), "</node>".repeat(100_000));
    let deep = format!("<counter-example>{open}{state}{close}</counter-example>");
    let (suite, found) = read(&model, &[("a.xml".into(), deep)], &Mapping::default());
    assert!(found.is_empty() && suite.tests.len() == 1, "{found:?}");
}

#[test]
fn tables_with_other_names() {
    let model = model(SERVER);
    let mapping = Mapping::parse(
        r#"{"variables": {"REQ": "request", "mode": "state", "clock": null},
            "values": {"request": {"high": "TRUE", "low": "FALSE"}, "state": {"idle": "ready"}}}"#,
    )
    .unwrap();
    let table = "clock;REQ;mode\r\n0.5;high;idle\r\n1.0;low;busy\r\n\r\n2;;idle\r\n";
    let suite = one(&model, "log.csv", table, &mapping);
    assert_eq!(
        text(&model, &suite),
        "test log-1\nrequest = TRUE, state = ready\nrequest = FALSE, state = busy\n\ntest log-2\nstate = ready\n"
    );
    assert!(Mapping::parse(r#"{"variable": {}}"#).is_err(), "a misspelt member is no mapping");
}

#[test]
fn traces_of_quint() {
    let model = model("MODULE main VAR px : 0..7; q : boolean;");
    let document = r##"{"#meta": {"format": "ITF", "status": "violation"}, "vars": ["px", "q"],
      "states": [{"#meta": {"index": 0}, "px": {"#bigint": "3"}, "q": true, "mbt::actionTaken": {"tag": "x"}},
                 {"px": 4, "q": false}]}"##;
    let suite = one(&model, "out.itf.json", document, &Mapping::default());
    assert_eq!(text(&model, &suite), "test out\npx = 3, q = TRUE\npx = 4, q = FALSE\n");
    let set = r##"{"states": [{"px": {"#set": [1]}, "q": true}]}"##;
    let (_, found) = read(&model, &[("s.itf.json".into(), set.into())], &Mapping::default());
    assert!(found[0].message.contains("`#set` are not supported"), "{found:?}");
}

#[test]
fn wave_forms_with_a_clock() {
    let model = model("MODULE main VAR level : 0..15; full : boolean;");
    let dump = "$timescale 1ns $end
$scope module top $end
$var wire 1 c clk $end $var reg 4 n level [3:0] $end
$scope module unit $end $var wire 1 f full $end $upscope $end
$upscope $end
$enddefinitions $end
#0 $dumpvars 0c b0 n xf $end
#5 1c
#6 b1010 n 1f
#10 0c
#15 1c
#20 0c
#25 1c b1011 n
";
    let mapping = Mapping::parse(r#"{"variables": {"unit.full": "full"}, "clock": "clk"}"#).unwrap();
    let suite = one(&model, "dump.vcd", dump, &mapping);
    let count = model.var_named("level").unwrap();
    let full = model.var_named("full").unwrap();
    let seen: Vec<_> = suite.tests[0].trace.states.iter().map(|state| (state.get(count), state.get(full))).collect();
    let number = |n| Some(Value::Int(n));
    let truth = |t| Some(Value::Bool(t));
    assert_eq!(seen, [(number(0), None), (number(10), truth(true)), (number(11), truth(true))]);
}

#[test]
fn scenarios() {
    let model = model(SERVER);
    let scenario = "scenario serve\nload ./server.asm\n\nset request := true;\ncheck state = READY and request = true;\nstep\ncheck state = busy;\n";
    let mapping = Mapping::parse(r#"{"values": {"state": {"READY": "ready"}}}"#).unwrap();
    let suite = one(&model, "serve.avalla", scenario, &mapping);
    assert_eq!(text(&model, &suite), "test serve\nrequest = TRUE, state = ready\nrequest = ?, state = busy\n");
    let (_, found) = read(&model, &[("x.avalla".into(), "scenario x\nexec r_Main[];\n".into())], &Mapping::default());
    assert!(found[0].message.contains("only scenarios of an Abstract State Machine"), "{found:?}");
    let until = [("x.avalla".into(), "scenario x\nstep until state = busy;\n".into())];
    let (_, found) = read(&model, &until, &Mapping::default());
    assert!(found[0].message.contains("step until"), "{found:?}");
}

#[test]
fn checks_of_scenarios_are_equations_in_any_form() {
    let model = model(SERVER);
    let scenario = "scenario serve\nload ./server.asm\nbegin first\nset request := true;\nend\n\
                    check (state = ready) and request;\nstep\nset request := false;\n\
                    check not(request) and state = busy;\n";
    let suite = one(&model, "serve.avalla", scenario, &Mapping::default());
    assert_eq!(text(&model, &suite), "test serve\nrequest = TRUE, state = ready\nrequest = FALSE, state = busy\n");
    let (_, found) = read(
        &model,
        &[(
            "x.avalla".into(),
            "scenario x\ncheck state = ready or request;\ninvariant i: request or state = busy;\n".into(),
        )],
        &Mapping::default(),
    );
    let messages: Vec<&str> = found.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(messages, ["this condition is not compared: the model is not an Abstract State Machine"; 2]);
    assert!(found.iter().all(|found| !found.is_error()), "{found:?}");
}

#[test]
fn scenarios_execute_their_blocks_and_have_invariants() {
    let model = model(SERVER);
    let scenario = "scenario serve\nload ./server.asm\ninvariant quick over request: request = true;\n\
                    begin go set request := true;\ncheck state = ready;\nbegin inner\nstep\nend\nend\n\
                    check state = busy;\nexecblock inner;\nexecblock go;\n";
    let suite = one(&model, "serve.avalla", scenario, &Mapping::default());
    let expected = "test serve\nrequest = TRUE, state = ready\nstate = busy\nstate = ready\nstate = ?\n";
    assert_eq!(text(&model, &suite), expected);
    let said = |text: &str| {
        let (_, found) = read(&model, &[("x.avalla".into(), text.into())], &Mapping::default());
        found.first().map(|found| found.message.clone()).unwrap_or_default()
    };
    assert_eq!(said("scenario x\nexecblock go;\n"), "no block `go` comes before this in the scenario");
    assert_eq!(said("scenario x\nbegin go\nexecblock go;\nend\n"), "no block `go` comes before this in the scenario");
    let doubling: Vec<String> =
        (1..40).map(|n| format!("begin b{n}\nexecblock b{0};execblock b{0};\nend\n", n - 1)).collect();
    let doubling = said(&format!("scenario x\nbegin b0\nset request := true;\nend\n{}", doubling.concat()));
    assert_eq!(doubling, "more than 10000 blocks are executed");
    let contradiction = said("scenario x\ninvariant i: request = true;\nset request := false;\n");
    assert_eq!(contradiction, "`request` is always true, but is false in a state of the scenario");
}

#[test]
fn diagnostics_have_spans() {
    let model = model(SERVER);
    let said = |name: &str, text: &str, message: &str| {
        let (_, found) = read(&model, &[(name.into(), text.into())], &Mapping::default());
        assert!(found.iter().any(|diagnostic| diagnostic.message.contains(message)), "{name}: {found:?}");
        assert!(found.iter().all(|diagnostic| diagnostic.primary.span.is_some()), "{name}: {found:?}");
    };
    said("a.csv", "request,stat\nTRUE,ready\n", "no variable `stat`");
    said("a.csv", "request,state\nTRUE,raedy\n", "`state` cannot be raedy");
    said("a.csv", "request,state\nTRUE\n", "this row has 1 cell,");
    said("a.csv", "request,state\n\"TRUE,ready\n", "a quote that does not end");
    said("a.xml", "<counter-example><node>", "never closed");
    said("a.xml", "<counter-example></node>", "not well-formed XML");
    said("a.xml", "<counter-example>&copy;</counter-example>", "unknown entity reference 'copy'");
    said("a.xml", "<counter-example/> and more", "not well-formed XML");
    said("a.xml", "<html></html>", "does not belong");
    said("a.vcd", "$var wire 1 a request $end $enddefinitions $end\n#0\nhello\n", "expected the change of a value");
    said("a.json", "{\"states\": [1]}", "expected a state");
    said("a.txt", "-> State: 1.1 <-\n  request TRUE\n", "expected `variable = value`");
}

/// Any file is read without a panic, and diagnostics have spans within it.
#[test]
fn arbitrary_input_is_reported() {
    let model = model(SERVER);
    let pieces = [
        "<",
        ">",
        "</value>",
        "<state id=\"1\">",
        "{",
        "}",
        "\"states\"",
        "[",
        "#0",
        "$var",
        "$end",
        "b01 !",
        "-> State: 1.1 <-",
        "\n",
        ",",
        "\"",
        "request",
        " = ",
        "TRUE",
        "check ",
        "set ",
        ";",
        "step",
        "é",
        "\0",
        "&#x;",
        "loop",
        "@test",
    ];
    let mut random = specwright_model::interp::Random::new(3);
    for _ in 0..3000 {
        let text: String = (0..random.index(12)).map(|_| *random.pick(&pieces)).collect();
        let name = *random.pick(&["a.csv", "a.json", "a.xml", "a.txt", "a.vcd", "a.avalla", "a"]);
        let (_, found) = read(&model, &[(name.into(), text.clone())], &Mapping::default());
        for diagnostic in found {
            let span = diagnostic.primary.span;
            let place = text.get(span.start as usize..span.end as usize);
            assert!(place.is_some() || !span.is_some(), "{name}: {text:?}: {diagnostic:?}");
        }
    }
}
