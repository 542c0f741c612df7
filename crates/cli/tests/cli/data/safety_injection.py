"""A safety injection system, and its adapter for `specwright run`. The argument is its fault: none, never or silent."""

import json
import sys

FAULT = sys.argv[1]


class SafetyInjection:
    def __init__(self, **inputs):
        self.inputs = inputs
        self.pressure = "TooLow"
        self.overridden = False

    def step(self, **inputs):
        before, after = self.inputs, inputs
        old, new = before["WaterPres"], after["WaterPres"]
        mode = self.pressure
        if mode == "TooLow" and old < 90 <= new:
            mode = "Permitted"
        elif mode == "Permitted" and old >= 90 > new:
            mode = "TooLow"
        elif mode == "Permitted" and old < 100 <= new:
            mode = "High"
        elif mode == "High" and old >= 100 > new:
            mode = "Permitted"
        if mode != self.pressure:
            self.overridden = False
        elif mode != "High":
            if before["Reset"] != "On" and after["Reset"] == "On":
                self.overridden = False
            elif before["Block"] != "On" and after["Block"] == "On" and before["Reset"] == "Off":
                self.overridden = True
        self.pressure, self.inputs = mode, inputs

    def outputs(self):
        outputs = {"Pressure": self.pressure, "Overridden": self.overridden}
        if FAULT != "silent":
            injects = self.pressure == "TooLow" and not self.overridden and FAULT != "never"
            outputs["SafetyInjection"] = "On" if injects else "Off"
        return outputs


for line in sys.stdin:
    request = json.loads(line)
    answer = {}
    if request["op"] == "hello":
        answer = {"reset": True}
    elif request["op"] == "reset":
        system = SafetyInjection(**request["inputs"])
        answer = {"outputs": system.outputs()}
    elif request["op"] == "step":
        system.step(**request["inputs"])
        answer = {"outputs": system.outputs()}
    print(json.dumps(answer), flush=True)
