"""Tests from formal specifications of reactive systems.

>>> import specwright
>>> model = specwright.load("examples/request-busy/request_busy.smv")
>>> model.check().holds
True
>>> suite = model.generate(criterion="mutation").suite
>>> model.grade(suite).score
1.0
>>> suite.tests[0].trace["states"][0]
{'request': False, 'state': 'ready'}
"""

from __future__ import annotations

from ._api import Audit, Check, Generation, Grade, Minimized, Model, ModelError, SpecwrightError, Suite, Test, load
from ._api import version as __version__
from ._decorator import model

__all__ = [
    "Audit",
    "Check",
    "Generation",
    "Grade",
    "Minimized",
    "Model",
    "ModelError",
    "SpecwrightError",
    "Suite",
    "Test",
    "__version__",
    "load",
    "model",
]
