"""Tests of the installed wheel, in a fresh virtual environment. They run in the root of the repository."""

import doctest
import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import specwright

pytest_plugins = ["pytester"]

MODEL = "examples/request-busy/request_busy.smv"
ROOT = Path.cwd()

DOOR = (ROOT / "examples/door/door.smv").read_text()
SUBJECT = (ROOT / "examples/door/test_door.py").read_text()
WRONG = SUBJECT.replace("if button else", "if True else")


def test_the_package_does_what_the_command_line_does():
    made = subprocess.run(["specwright", "generate", MODEL, "--out", "-"], capture_output=True, text=True, check=True)
    suite = specwright.load(MODEL).generate().suite
    assert json.loads(made.stdout)["tests"] == suite.document["tests"]
    assert subprocess.run([sys.executable, "-m", "specwright", "check", MODEL]).returncode == 0
    assert subprocess.run(["specwright", "check", "examples/request-busy/impatient.smv"]).returncode == 2
    version = subprocess.run(["specwright", "--version"], capture_output=True, text=True, check=True)
    assert version.stdout == f"specwright {specwright.__version__}\n"


def test_the_examples_of_the_documentation_are_right():
    import specwright._api

    for page in ("python/README.md", "book/src/python.md"):
        result = doctest.testfile(str(ROOT / page), module_relative=False)
        assert result.attempted > 5 and result.failed == 0
    for page in ("README.md", "python/README.md", "book/src/python.md"):
        assert f"```python\n{SUBJECT}```" in (ROOT / page).read_text(encoding="utf-8"), page
    for module in (specwright, specwright._api):
        result = doctest.testmod(module)
        assert result.attempted > 0 and result.failed == 0


def test_errors_are_exceptions_with_diagnostics(tmp_path):
    broken = tmp_path / "broken.smv"
    broken.write_text("MODULE main\nVAR x : boolean;\nASSIGN next(y) := x;\n")
    with pytest.raises(specwright.ModelError) as caught:
        specwright.load(broken)
    assert "broken.smv:3" in caught.value.diagnostics and "error[SMV" in caught.value.diagnostics
    with pytest.raises(specwright.SpecwrightError, match="must be one of"):
        specwright.load(MODEL).generate(strategy="nope")
    with pytest.raises(TypeError, match="nope"):
        specwright.load(MODEL).generate(nope=1)


def test_results_show_as_html(tmp_path):
    model = specwright.load(MODEL)
    suite = model.generate().suite
    for shown in (suite, suite.tests[0], model.grade(suite), model.check(), model.audit(), model.generate()):
        assert shown._repr_html_().startswith("<")
    odd = specwright.Test("<script>", {"states": [{"x": "<b>"}], "loop": None})
    assert "<script>" not in odd._repr_html_() and "<b>&lt;" in odd._repr_html_() and "<td>&lt;b&gt;" in odd._repr_html_()


def test_suites_come_back_from_files_and_become_data_frames(tmp_path):
    model = specwright.load(MODEL)
    suite = model.generate().suite
    suite.save(tmp_path / "s.json")
    assert specwright.Suite.read(tmp_path / "s.json") == suite
    assert model.grade(tmp_path / "s.json").score == 1.0
    pandas = pytest.importorskip("pandas")
    frame = suite.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns)[:2] == ["test", "step"]
    assert len(frame) == sum(len(test.states) for test in suite.tests)
    assert model.grade(suite).to_pandas().to_numpy().any()


def test_other_threads_go_on_and_ctrl_c_ends_the_work(tmp_path):
    if not hasattr(signal, "pthread_kill"):
        pytest.skip("no signals to threads here")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        pytest.skip("SIGINT is ignored here")
    hard = ROOT / "testdata/engines/ring.smv"
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.02)
            if len(ticks) == 20:
                signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            specwright.load(hard).generate(goal="c0.s = 12", engine="bdd")
    finally:
        done.set()
        thread.join()
    assert len(ticks) >= 20


def test_ctrl_c_ends_the_console_script():
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        pytest.skip("SIGINT is ignored here")
    command = ["specwright", "generate", "testdata/engines/ring.smv", "--goal", "c0.s = 12", "--engine", "bdd"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(1)
        assert process.poll() is None, "it takes longer than that"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    # On a slow machine the signal comes before the program listens, and ends it at once.
    early = process.returncode == -signal.SIGINT or "KeyboardInterrupt" in errors
    assert process.returncode != 0 and (early or "interrupted" in errors), errors


def project(pytester, subject):
    pytester.makefile(".smv", door=DOOR)
    pytester.makepyfile(test_door=subject)


def test_a_class_that_is_right_passes_one_test_for_each_of_the_suite(pytester):
    project(pytester, SUBJECT)
    result = pytester.runpytest_subprocess("-v")
    n = len(specwright.load(pytester.path / "door.smv").generate().suite)
    result.assert_outcomes(passed=n)
    result.stdout.fnmatch_lines(["*test_door.py::Door::test[[]*against*[]] PASSED*"])


def test_a_planted_fault_fails_with_a_message_that_a_person_understands(pytester):
    project(pytester, WRONG)
    result = pytester.runpytest_subprocess()
    assert result.ret == 1
    page = (ROOT / "book/src/python.md").read_text(encoding="utf-8")
    shown = page.split("```text\n")[1].split("```")[0]
    assert "expected 'closed', actual 'open'" in shown and shown in "\n".join(result.outlines), result.outlines


def test_suites_are_cached_and_made_again_when_the_model_changes(pytester):
    project(pytester, SUBJECT)
    pytester.runpytest_subprocess()
    cached = list((pytester.path / ".pytest_cache").rglob("*.json"))
    assert len(cached) == 1
    stamp = cached[0].stat().st_mtime_ns
    pytester.runpytest_subprocess()
    assert cached[0].stat().st_mtime_ns == stamp
    cached[0].write_text("{")
    assert pytester.runpytest_subprocess().ret == 0
    (pytester.path / "door.smv").write_text(DOOR + "SPEC AG (door = open | door = closed)\n")
    pytester.runpytest_subprocess()
    assert len(list((pytester.path / ".pytest_cache").rglob("*.json"))) == 2


def test_criteria_markers_and_walks(pytester):
    project(pytester, SUBJECT)
    n = len(specwright.load(pytester.path / "door.smv").generate(criterion="states").suite)
    pytester.runpytest_subprocess("--specwright-criterion", "states", "--strict-markers").assert_outcomes(passed=n)
    result = pytester.runpytest_subprocess("--specwright-fuzz", "3", "-m", "specwright_fuzz", "-v")
    assert result.parseoutcomes()["passed"] == 3
    result.stdout.fnmatch_lines(["*Door::test_walk[[]seed-2[]] PASSED*"])
    project(pytester, WRONG)
    result = pytester.runpytest_subprocess("--specwright-fuzz", "2", "--specwright-steps", "30", "-m", "specwright_fuzz")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*a random walk with the seed *"])
    again = pytester.runpytest_subprocess("--specwright-fuzz", "2", "--specwright-steps", "30", "-m", "specwright_fuzz")
    shown = [line for line in result.outlines if "seed" in line and "walk" in line]
    assert shown == [line for line in again.outlines if "seed" in line and "walk" in line], "the seed decides"


def test_a_walk_is_shrunk_to_a_shortest_execution(pytester):
    counter = "MODULE main\nVAR up : boolean; n : 0..7;\nASSIGN init(n) := 0; next(n) := up & n < 7 ? n + 1 : n;\n"
    subject = '''
import specwright


@specwright.model("counter.smv", criterion="states")
class Counter:
    def reset(self):
        self.n = 0
        return {"n": 0}

    def step(self, up):
        self.n += up and self.n < 3
        return {"n": self.n}
'''
    pytester.makefile(".smv", counter=counter)
    pytester.makepyfile(test_counter=subject)
    result = pytester.runpytest_subprocess("--specwright-fuzz", "1", "-m", "specwright_fuzz")
    text = "\n".join(result.outlines)
    assert result.ret == 1 and "n: expected 4, actual 3" in text, text
    assert "at step 4" in text, text


def test_a_model_that_cannot_be_read_is_told(pytester):
    pytester.makefile(".smv", door="MODULE main VAR x : ;")
    pytester.makepyfile(test_door=SUBJECT)
    result = pytester.runpytest_subprocess()
    assert result.ret != 0
    text = "\n".join([*result.outlines, *result.errlines])
    assert "@specwright.model" in text and "SMV" in text
