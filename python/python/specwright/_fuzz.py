"""Random walks through a model, on a subject; a failure is shown on a shortest execution."""

from __future__ import annotations

from typing import Any

from ._api import Model, SpecwrightError, _call
from ._drive import Mismatch, drive


def fuzz(subject: type, model: Model, variables: list[dict[str, Any]], seed: int, steps: int) -> None:
    """Walks a model at random, with a seed, and a subject with it; shrinks a failure."""
    __tracebackhide__ = True
    walk = _call("walk", model.path, **model.options, seed=seed, steps=steps)
    states = walk["states"]
    # Outputs can be defined.
    defines = walk.get("defines") or [{} for _ in states]
    driven = [{**defined, **state} for defined, state in zip(defines, states)]
    try:
        drive(subject(), driven, variables, f"a random walk with the seed {seed}")
        return
    except Mismatch as mismatch:
        failure, length = mismatch, mismatch.step
    # Shrinking: a shortest execution with the same last step is a test that shows the same, if it fails as well.
    for shorter in _shorter(model, states, length):
        try:
            what = f"a random walk with the seed {seed}, shrunk from {length} steps to {len(shorter) - 1}"
            drive(subject(), shorter, variables, what)
        except Mismatch as mismatch:
            failure = mismatch
            break
    raise failure


def _shorter(model: Model, states: list[dict[str, Any]], step: int) -> list[list[dict[str, Any]]]:
    """Shortest executions to the last step of a walk, or to its last state."""
    if step < 2:
        return []
    before, after = _holds(states[step - 1]), _holds(states[step])
    try:
        tests = model.generate(goal=[f"{before} & EX ({after})"], kill="weak").suite.tests
    except SpecwrightError:
        return []  # a name that formulas cannot have: the walk itself is shown
    found = [test.states for test in tests if len(test.states) - 1 < step]
    return sorted(found, key=len)


def _holds(state: dict[str, Any]) -> str:
    def value(item: Any) -> str:
        return str(item).upper() if isinstance(item, bool) else str(item)

    return " & ".join(f"{name} = {value(item)}" for name, item in state.items())
