"""The adapter through which `specwright run` talks to the cruise control.

    specwright run suite.json -- python3 examples/cruise-control/adapter.py --fault 3

Each line on standard input is a request, each line on standard output its answer, both in JSON.
"""

import argparse
import json
import sys

from cruise_control import FAULTS, CruiseControl

parser = argparse.ArgumentParser(description="A cruise control to be tested.")
parser.add_argument("--fault", type=int, default=0, choices=list(FAULTS), help="which fault it has; 0 is none")
control = CruiseControl(parser.parse_args().fault)

for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "bye":
        break
    if request["op"] == "hello":
        answer = {"protocol": "specwright/run/1", "reset": True}
    elif request["op"] == "reset":
        answer = {"outputs": {"CruiseControl": control.reset(**request["inputs"])}}
    else:
        answer = {"outputs": {"CruiseControl": control.step(**request["inputs"])}}
    print(json.dumps(answer), flush=True)
