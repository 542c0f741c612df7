"""The decorator that turns a model into tests of a class."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, TypeVar

Class = TypeVar("Class", bound=type)


@dataclass(frozen=True)
class Specified:
    """What a class is tested against."""

    path: Path
    options: dict[str, Any] = field(default_factory=dict)


def model(path: str | os.PathLike[str], **options: Any) -> Callable[[Class], Class]:
    """Tests a class against a model: pytest runs one test for each test that is generated from it.

    The class has two methods. `reset(**inputs)` goes to the start, and `step(**inputs)` takes a step; both return the
    outputs as a dictionary. The path is relative to the file with the class. Options are those of `Model.generate`,
    and `input`, `output`, `internal`, `dialect` and `requirements` of `load`.
    """

    def decorate(cls: Class) -> Class:
        for method in ("reset", "step"):
            if not callable(getattr(cls, method, None)):
                raise TypeError(f"{cls.__name__} has no method `{method}`")
        file = getattr(sys.modules.get(cls.__module__), "__file__", None)
        folder = Path(file).parent if file else Path.cwd()
        setattr(cls, "__specwright__", Specified(folder / os.fspath(path), options))
        return cls

    return decorate
