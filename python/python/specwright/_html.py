"""Results as HTML, for notebooks. Every text is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._api import Grade, Suite

#: Tests that a notebook shows.
SHOWN = 20


def _cell(value: Any) -> str:
    return "" if value is None else escape(str(value))


def table(rows: list[dict[str, Any]], columns: list[str]) -> str:
    """A table of some columns."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{_cell(row.get(column))}</td>" for column in columns) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def trace(name: str, trace: dict[str, Any]) -> str:
    """A trace: a row for each variable, a column for each state."""
    states = trace["states"]
    names: list[str] = []
    for state in states:
        names.extend(variable for variable in state if variable not in names)
    rows = [{"": variable, **{str(n): state.get(variable) for n, state in enumerate(states)}} for variable in names]
    return f"<p><b>{escape(name)}</b></p>" + table(rows, ["", *(str(n) for n in range(len(states)))])


def suite(suite: Suite) -> str:
    """The tests of a suite."""
    tests = suite.tests
    rows = [{"test": test.name, "states": len(test.states), "goals": len(test.goals)} for test in tests[:SHOWN]]
    more = f"<p>… and {len(tests) - SHOWN} more</p>" if len(tests) > SHOWN else ""
    return f"<p><b>{escape(suite.model)}</b>: {len(tests)} tests</p>" + table(rows, ["test", "states", "goals"]) + more


def grade(grade: Grade) -> str:
    """A score, and what survives."""
    document = grade.document
    head = f"<p><b>{100 * grade.score:.1f} %</b>: {document['killed']} of {document['total']}</p>"
    return head + table(grade.survivors, ["id", "line", "description", "status"])
