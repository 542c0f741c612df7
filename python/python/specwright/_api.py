"""Models, suites and results."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

from . import _html, _specwright

version: str = _specwright.version

Texts = Union[str, list[str], None]
Trace = dict[str, Any]


class SpecwrightError(Exception):
    """There is no result: the message says why, and `diagnostics` shows where."""

    __module__ = "specwright"  # the name that users know

    def __init__(self, message: str, diagnostics: str = "") -> None:
        super().__init__(f"{message}\n\n{diagnostics}" if diagnostics else message)
        self.message = message
        self.diagnostics = diagnostics


class ModelError(SpecwrightError):
    """The model or the suite is invalid: `diagnostics` shows what is wrong, as the command line does."""

    __module__ = "specwright"


def _call(command: str, model: Path, **options: Any) -> Any:
    request = {"command": command, "model": os.fspath(model), **options}
    is_good, text, messages, rendered = _specwright.call(json.dumps(request, default=os.fspath))
    if not is_good:
        errors = [message.removeprefix("error: ") for message in messages if message.startswith("error: ")]
        why = "; ".join(part for part in (text, *errors) if part)
        raise ModelError(why, rendered) if rendered else SpecwrightError(why)
    for message in messages:
        if message.startswith("warning: "):
            warnings.warn(message.removeprefix("warning: "), stacklevel=3)
    return json.loads(text)


@dataclass(frozen=True)
class Test:
    """One test: a trace of the model, and the goals that it covers."""

    __test__ = False  # pytest is not to collect it

    name: str
    trace: Trace
    goals: list[str] = field(default_factory=list)
    document: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def states(self) -> list[dict[str, Any]]:
        """The states of the trace."""
        return self.trace["states"]

    def _repr_html_(self) -> str:
        return _html.trace(self.name, self.trace)


@dataclass(frozen=True)
class Suite:
    """A suite of tests of one model."""

    document: dict[str, Any] = field(repr=False)

    @property
    def model(self) -> str:
        """The name of the model."""
        return self.document["model"]

    @property
    def tests(self) -> list[Test]:
        """The tests."""
        return [Test(test["name"], _trace(test), list(test.get("goals", [])), test) for test in self.document["tests"]]

    @property
    def variables(self) -> list[dict[str, Any]]:
        """The variables, each with its name and its role."""
        return list(self.document.get("variables", []))

    def __len__(self) -> int:
        return len(self.document["tests"])

    def __repr__(self) -> str:
        return f"<Suite of {self.model}: {len(self)} tests>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the suite as JSON, as `specwright generate --out` does."""
        path = Path(path)
        # A reader never sees half of a file.
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(json.dumps(self.document, indent=2) + "\n")
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Suite:
        """Reads a suite that was written as JSON."""
        return cls(json.loads(Path(path).read_text(encoding="utf-8")))

    def to_pandas(self) -> Any:
        """A row for each state of each test: `test`, `step`, and a column for each variable. Needs pandas."""
        import pandas

        rows = [
            {"test": test.name, "step": step, **state} for test in self.tests for step, state in enumerate(test.states)
        ]
        return pandas.DataFrame(rows)

    def _repr_html_(self) -> str:
        return _html.suite(self)


def _trace(test: dict[str, Any]) -> Trace:
    trace = test.get("trace", test)
    return {"states": trace["states"], "loop": trace.get("loop")}


@dataclass(frozen=True)
class _Result:
    document: dict[str, Any] = field(repr=False)


class Check(_Result):
    """The verdicts of properties."""

    @property
    def properties(self) -> list[dict[str, Any]]:
        """A verdict for each property: `holds`, `fails` or `unknown`, and a trace where it fails."""
        return self.document["properties"]

    @property
    def holds(self) -> bool:
        """Whether every property holds. What is undecided does not."""
        return all(entry["verdict"] == "holds" for entry in self.properties)

    def __repr__(self) -> str:
        return f"<Check: {sum(entry['verdict'] == 'holds' for entry in self.properties)} of {len(self.properties)} hold>"

    def _repr_html_(self) -> str:
        return _html.table(self.properties, ["name", "formula", "verdict"])


@dataclass(frozen=True)
class Generation(_Result):
    """A suite that was generated, and what became of the goals."""

    suite: Suite = field(default_factory=lambda: Suite({"model": "", "tests": []}))

    @property
    def total(self) -> dict[str, Any]:
        """How many goals are covered, infeasible, and so on."""
        return self.document["total"]

    def _repr_html_(self) -> str:
        return _html.table(self.document["rows"], ["criterion", "group", "goals", "covered", "infeasible", "unknown"])


class Grade(_Result):
    """How good a suite is."""

    @property
    def score(self) -> float:
        """Killed mutants, or covered goals, over all that count: between 0 and 1."""
        return self.document["score"]

    @property
    def survivors(self) -> list[dict[str, Any]]:
        """The goals that no test reaches, with their places."""
        return self.document["details"]

    @property
    def matrix(self) -> dict[str, list[str]]:
        """The tests that reach each goal."""
        return self.document["matrix"]

    def __repr__(self) -> str:
        return f"<Grade {100 * self.score:.1f} %: {self.document['killed']} of {self.document['total']}>"

    def to_pandas(self) -> Any:
        """The matrix: a row for each goal, a column for each test. Needs pandas."""
        import pandas

        tests = [test["name"] for test in self.document["tests"]]
        rows = {goal: [name in killers for name in tests] for goal, killers in self.matrix.items()}
        return pandas.DataFrame.from_dict(rows, orient="index", columns=tests)

    def _repr_html_(self) -> str:
        return _html.grade(self)


@dataclass(frozen=True)
class Minimized(_Result):
    """The smallest suite that reaches the same."""

    suite: Suite = field(default_factory=lambda: Suite({"model": "", "tests": []}))


class Audit(_Result):
    """How strong properties are."""

    @property
    def score(self) -> float | None:
        """Killed mutants of the machine over killed and surviving ones; nothing if there are none."""
        return self.document["score"]

    @property
    def survivors(self) -> list[dict[str, Any]]:
        """The wrong machines on which all properties hold."""
        return [mutant for mutant in self.document["mutants"] if mutant["verdict"] == "survived"]

    @property
    def missing(self) -> list[dict[str, Any]]:
        """The properties that would kill survivors."""
        return self.document["missing"]

    def _repr_html_(self) -> str:
        return _html.table(self.survivors, ["id", "line", "description"])


@dataclass(frozen=True)
class Model:
    """A model that was read."""

    path: Path
    name: str
    variables: list[dict[str, str]]
    options: dict[str, Any] = field(default_factory=dict, repr=False)

    def names(self, role: str) -> list[str]:
        """The variables with a role: `input`, `output` or `internal`."""
        return [variable["name"] for variable in self.variables if variable["role"] == role]

    def check(self, property: Texts = None, timeout: float | None = None) -> Check:
        """Decides properties: all, or those that are named."""
        return Check(self._do("check", property=property, timeout=timeout))

    def generate(self, criterion: Texts = None, **options: Any) -> Generation:
        """Generates a suite. Options are those of the command: `goal`, `trap`, `strategy`, `engine`, `kill`, `keep`, …"""
        result = self._do("generate", criterion=criterion, **options)
        return Generation(result["summary"], Suite(result["suite"]))

    def grade(self, suite: Suite | str | os.PathLike[str], criterion: Texts = None, **options: Any) -> Grade:
        """Grades a suite, or the suite in a file."""
        with _file(suite) as path:
            return Grade(self._do("grade", suite=path, criterion=criterion, **options))

    def minimize(self, suite: Suite | str | os.PathLike[str], criterion: Texts = None, **options: Any) -> Minimized:
        """The smallest suite that reaches the same."""
        with _file(suite) as path:
            result = self._do("minimize", suite=path, criterion=criterion, **options)
        return Minimized(result["summary"], Suite(result["suite"]))

    def audit(self, **options: Any) -> Audit:
        """Audits the properties: which wrong machines satisfy all of them?"""
        return Audit(self._do("audit", **options))

    def _do(self, command: str, **options: Any) -> Any:
        unknown = set(options) - _KNOWN[command]
        if unknown:
            raise TypeError(f"{command}() has no option {', '.join(sorted(unknown))}")
        return _call(command, self.path, **self.options, **options)


_GOALS = {"criterion", "goal", "trap", "operators", "kill", "timeout", "max_nodes"}
_KNOWN = {
    "check": {"property", "timeout", "max_nodes"},
    "generate": _GOALS | {"keep", "strategy", "engine", "tests_per_goal"},
    "grade": _GOALS | {"suite", "keep"},
    "minimize": _GOALS | {"suite"},
    "audit": {"property", "operators", "timeout", "max_nodes"},
}


class _file:
    """A suite as a file, for as long as it is needed."""

    def __init__(self, suite: Suite | str | os.PathLike[str]) -> None:
        self.suite = suite
        self.folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> str:
        if not isinstance(self.suite, Suite):
            return os.fspath(self.suite)
        self.folder = tempfile.TemporaryDirectory(prefix="specwright-")
        path = Path(self.folder.name) / "suite.json"
        self.suite.save(path)
        return os.fspath(path)

    def __exit__(self, *_: object) -> None:
        if self.folder is not None:
            self.folder.cleanup()


def load(
    path: str | os.PathLike[str],
    *,
    dialect: str = "nusmv",
    input: Texts = None,
    output: Texts = None,
    internal: Texts = None,
    requirements: Texts = None,
) -> Model:
    """Reads a model: SMV, an Abstract State Machine, SCR tables or an AIGER circuit.

    >>> load("no-such-model.smv")
    Traceback (most recent call last):
    ...
    specwright.SpecwrightError: cannot read no-such-model.smv: there is no such file
    """
    options = {
        "dialect": dialect,
        "input": input,
        "output": output,
        "internal": internal,
        "requirements": requirements,
    }
    found = _call("load", Path(path), **options)
    return Model(Path(path), found["name"], found["variables"], options)
