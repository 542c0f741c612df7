"""Drives a subject along a trace, and says where it departs from it."""

from __future__ import annotations

from typing import Any


class Mismatch(AssertionError):
    """The subject does not do what the model says."""

    def __init__(self, message: str, step: int) -> None:
        super().__init__(message)
        self.step = step


def path(trace: dict[str, Any]) -> list[dict[str, Any]]:
    """The states that a test goes through: a loop is gone round once more."""
    states = trace["states"]
    loop = trace.get("loop")
    return states if loop is None else [*states, *states[loop:]]


def inputs_of(states: list[dict[str, Any]], step: int, variables: list[dict[str, Any]]) -> dict[str, Any]:
    """The inputs of a step: those that it takes on entering its state, and those of the state before that it leaves with."""
    inputs: dict[str, Any] = {}
    for variable in variables:
        if variable.get("role") != "input":
            continue
        name = variable["name"]
        if variable.get("timing", "entering") == "entering":
            if name in states[step]:
                inputs[name] = states[step][name]
        elif step > 0 and name in states[step - 1]:
            inputs[name] = states[step - 1][name]
    return inputs


def drive(subject: Any, states: list[dict[str, Any]], variables: list[dict[str, Any]], what: str) -> None:
    """Runs a subject along states; raises `Mismatch` at the first output that differs."""
    __tracebackhide__ = True
    outputs = {variable["name"] for variable in variables if variable.get("role") == "output"}
    optional = {variable["name"] for variable in variables if variable.get("optional")}
    done: list[tuple[dict[str, Any], Any]] = []
    for step, state in enumerate(states):
        inputs = inputs_of(states, step, variables)
        actual = subject.reset(**inputs) if step == 0 else subject.step(**inputs)
        done.append((inputs, actual))
        if not isinstance(actual, dict):
            method = "step" if step else "reset"
            raise Mismatch(f"`{method}` returned {actual!r}, not a dictionary of outputs", step)
        expected = {name: value for name, value in state.items() if name in outputs}
        wrong = [
            name
            for name, value in expected.items()
            if not (name in optional and name not in actual) and not _same(actual.get(name, _MISSING), value)
        ]
        if wrong:
            raise Mismatch(_message(what, step, expected, done, wrong), step)


_MISSING = object()


def _same(actual: Any, expected: Any) -> bool:
    # `True == 1` in Python, and a model tells them apart.
    return isinstance(actual, bool) == isinstance(expected, bool) and actual == expected


def _message(
    what: str, step: int, expected: dict[str, Any], done: list[tuple[dict[str, Any], Any]], wrong: list[str]
) -> str:
    inputs, actual = done[-1]
    place = "after reset" if step == 0 else f"at step {step}"
    lines = [f"{place}, the model and the class differ in {', '.join(wrong)}"]
    for name in wrong:
        seen = repr(actual[name]) if name in actual else "nothing"
        lines.append(f"  {name}: expected {expected[name]!r}, actual {seen}")
    lines.append(f"  inputs of this step: {_shown(inputs)}")
    if what:
        lines.append(f"  the test: {what}")
    lines.append("  the trace:")
    for number, (given, seen) in enumerate(done):
        mark = ">" if number == step else " "
        call = f"step({_shown(given)})" if number else f"reset({_shown(given)})"
        lines.append(f"  {mark} {number}: {call} -> {_shown(seen)}")
    return "\n".join(lines)


def _shown(values: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in values.items())
