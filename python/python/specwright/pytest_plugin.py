"""The pytest plugin: classes with `@specwright.model(…)` get one test for each test of the model."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ._api import Model, Suite, Test
    from ._decorator import Specified

_READING = {"dialect", "input", "output", "internal", "requirements"}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("specwright", "tests from formal specifications")
    group.addoption("--specwright-criterion", help="the criteria, instead of those of the decorator: mutation,mcdc,…")
    group.addoption("--specwright-fuzz", type=int, default=0, metavar="N", help="also walk each model N times at random")
    group.addoption("--specwright-seed", type=int, default=1, metavar="S", help="the seed of the first walk")
    group.addoption("--specwright-steps", type=int, default=50, metavar="K", help="the steps of each walk")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "specwright: tests that were generated from a model")
    config.addinivalue_line("markers", "specwright_fuzz: random walks through a model")


class ModelClass(pytest.Class):
    """The tests of one class against its model."""

    subject: type

    def _getobj(self) -> type:
        subject = self.subject

        def test(self: Any, specwright_test: tuple[Test, Suite]) -> None:
            __tracebackhide__ = True
            from ._drive import Mismatch, drive, path

            one, suite = specwright_test
            try:
                drive(subject(), path(one.trace), suite.variables, one.document.get("shows", ""))
            except Mismatch as mismatch:
                # The message says it all; the frames are ours.
                pytest.fail(str(mismatch), pytrace=False)

        def test_walk(self: Any, specwright_walk: tuple[int, int, Model, Suite]) -> None:
            __tracebackhide__ = True
            from ._drive import Mismatch
            from ._fuzz import fuzz

            seed, steps, model, suite = specwright_walk
            try:
                fuzz(subject, model, suite.variables, seed, steps)
            except Mismatch as mismatch:
                pytest.fail(str(mismatch), pytrace=False)

        marks = [pytest.mark.specwright, *getattr(subject, "pytestmark", [])]
        members: dict[str, Any] = {
            "__module__": subject.__module__,
            "__doc__": subject.__doc__,
            "pytestmark": marks,
            "specwright_subject": (subject,),  # in a tuple, so that pytest does not collect it again
            "test": test,
        }
        if self.config.getoption("specwright_fuzz") > 0:
            members["test_walk"] = pytest.mark.specwright_fuzz(test_walk)
        return type(subject.__name__, (), members)


def pytest_pycollect_makeitem(collector: Any, name: str, obj: Any) -> Any:
    if isinstance(obj, type) and "__specwright__" in vars(obj):
        made = ModelClass.from_parent(collector, name=name)
        made.subject = obj
        return made
    return None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    found = getattr(metafunc.cls, "specwright_subject", None)
    if found is None:
        return
    (subject,) = found
    config = metafunc.config
    specified: Specified = subject.__specwright__
    if "specwright_test" in metafunc.fixturenames:
        suite = _suite(config, specified)
        tests = suite.tests
        metafunc.parametrize("specwright_test", [(one, suite) for one in tests], ids=[one.name for one in tests])
    if "specwright_walk" in metafunc.fixturenames:
        model, suite = _load(specified), _suite(config, specified)
        first, n = config.getoption("specwright_seed"), config.getoption("specwright_fuzz")
        walks = [(seed, config.getoption("specwright_steps"), model, suite) for seed in range(first, first + n)]
        metafunc.parametrize("specwright_walk", walks, ids=[f"seed-{walk[0]}" for walk in walks])


def _load(specified: Specified) -> Model:
    from ._api import load

    reading = {name: value for name, value in specified.options.items() if name in _READING}
    return load(specified.path, **reading)


def _suite(config: pytest.Config, specified: Specified) -> Suite:
    """The suite of a model: generated once, and again when the model, the options or the version change."""
    from . import __version__
    from ._api import Suite, SpecwrightError

    options = {name: value for name, value in specified.options.items() if name not in _READING}
    wanted = config.getoption("specwright_criterion")
    if wanted:
        options["criterion"] = wanted.split(",")
    try:
        content = specified.path.read_bytes()
        reading = specified.options.get("requirements") or []
        for name in [reading] if isinstance(reading, str) else reading:
            content += (specified.path.parent / name).read_bytes()
    except OSError as error:
        raise pytest.UsageError(f"cannot read the model of @specwright.model: {error}") from None
    about = json.dumps([__version__, str(specified.path), specified.options, options], sort_keys=True, default=str)
    key = hashlib.sha256(about.encode() + b"\0" + content).hexdigest()[:32]
    cache = getattr(config, "cache", None)
    place = cache.mkdir("specwright") / f"{key}.json" if cache is not None else None
    if place is not None and place.is_file():
        try:
            return Suite.read(place)
        except (ValueError, OSError):
            pass  # it was written halfway
    try:
        suite = _load(specified).generate(**options).suite
    except SpecwrightError as error:
        raise pytest.UsageError(f"@specwright.model: {error}") from None
    if place is not None:
        suite.save(place)
    return suite
