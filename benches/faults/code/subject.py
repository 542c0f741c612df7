"""What the Python adapters share: the protocol of `specwright run`, and the file that is tested.

The first argument of an adapter is a file with a mutated version of the module under test, or `-` for the module as
it is installed.
"""

import importlib.util
import inspect
import json
import os
import sys


def module(name):
    """The module under test."""
    if name not in sys.modules or not hasattr(sys.modules[name], "__specwright__"):
        found = importlib.util.find_spec(name)
        path = found.origin if sys.argv[1] == "-" else sys.argv[1]
        places = found.submodule_search_locations
        spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=places)
        loaded = importlib.util.module_from_spec(spec)
        loaded.__specwright__ = path
        sys.modules[name] = loaded
        spec.loader.exec_module(loaded)
    return sys.modules[name]


def serve(make):
    """Answers requests with an object of `make`: `step(**inputs)` and `outputs()`."""
    lines = set()
    subject = None
    for line in sys.stdin:
        request = json.loads(line)
        answer = {}
        if request["op"] == "hello":
            answer = {"inputs": "leaving", "reset": True}
        elif request["op"] in ("reset", "step"):
            if "SPECWRIGHT_LINES" in os.environ:
                sys.settrace(lambda *call: watch(lines, *call))
            try:
                if request["op"] == "reset":
                    subject = make()
                else:
                    subject.step(**request["inputs"])
                answer = {"outputs": subject.outputs()}
            except Exception as error:  # a mutant may raise anything: say so in place of the outputs
                answer = {"outputs": {}, "error": f"{type(error).__name__}: {error}"}
            sys.settrace(None)
        print(json.dumps(answer), flush=True)
    if "SPECWRIGHT_LINES" in os.environ:
        with open(os.environ["SPECWRIGHT_LINES"], "w") as out:
            out.write("\n".join(f"{file}:{number}" for file, number in sorted(lines)))


def watch(lines, frame, event, _):
    """Notes every line that a function executes; the bodies of modules and classes run once, when they are loaded."""
    if frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        lines.add((frame.f_code.co_filename, frame.f_lineno))
    return lambda *call: watch(lines, *call)
