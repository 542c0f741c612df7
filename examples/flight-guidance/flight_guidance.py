"""The mode logic of a flight guidance system, and its adapter for `specwright run`.

    specwright run suite.json -- python3 examples/flight-guidance/flight_guidance.py --fault 2

This is a program as a team might write it: a side keeps its active and armed modes, and buttons, captures and the other
side change them. It is not derived from the model.
"""

import argparse
import json
import sys

FAULTS = {
    0: "none",
    1: "a transfer of control leaves the new pilot without a flight director, although the autopilot is engaged",
    2: "too fast, the pilot can still leave the mode that slows the aircraft down",
    3: "the glide path can be captured before the localizer",
    4: "a captured altitude is kept when the pilot selects another one",
    5: "a failed autopilot falls silent when the chime ends",
}

# Buttons of modes that change the altitude.
MODES = {"vs_button": "VS", "flc_button": "FLC"}

# What a side copies from the other one.
FOLLOWED = ("lateral", "lateral_armed", "vertical", "vertical_armed", "captured")


class Steady:
    """A signal that counts once it has been there for two frames in a row."""

    def __init__(self):
        self.frames = 0

    def __bool__(self):
        return self.frames == 2

    def update(self, present):
        self.frames = min(self.frames + 1, 2) if present else 0


class Side:
    """What one pilot sees: active modes (none is the basic mode) and armed ones."""

    def __init__(self, name, fault):
        self.name, self.fault = name, fault
        self.director = False
        self.signals = {
            name: Steady() for name in ("on_course", "on_localizer", "on_glide", "near_target", "at_target", "fast")
        }
        self.clear()

    def clear(self):
        self.lateral = None
        self.lateral_armed = None
        self.vertical = None
        self.vertical_armed = frozenset()
        self.captured = False

    def steady(self, name):
        return bool(self.signals[name])

    def too_fast(self):
        keeps_altitude = self.vertical == "ALT" or (self.vertical == "ALTSEL" and self.captured)
        return self.steady("fast") and not keeps_altitude

    def update_signals(self, sensors):
        for name, signal in self.signals.items():
            needs_valid = name not in ("near_target", "at_target")
            signal.update(sensors[name] and (sensors["valid"] or not needs_valid))

    def lead(self, panel, moved, valid):
        """The modes of the next frame, by this side's own logic."""
        lateral, armed = self.lateral, self.lateral_armed
        vertical, vertical_armed, captured = self.vertical, self.vertical_armed, self.captured
        approach = lateral == "APPR" or armed == "APPR"

        # Lateral modes.
        changed = False
        if panel == "go_around":
            lateral, armed, changed = "GA", None, True
        elif panel == "heading" and lateral != "HDG":
            lateral, changed = "HDG", True
        elif panel == "nav_button":
            if lateral == "NAV" or armed == "NAV":
                lateral = None if lateral == "NAV" else lateral
                armed = None if armed == "NAV" else armed
            else:
                lateral = None if lateral == "APPR" else lateral
                armed = "NAV"
        elif panel == "appr_button":
            if approach:
                lateral = None if lateral == "APPR" else lateral
                armed = None if armed == "APPR" else armed
            else:
                armed = "APPR"
        elif armed == "APPR" and self.steady("on_localizer"):
            lateral, armed, changed = "APPR", None, True
        elif armed == "NAV" and self.steady("on_course"):
            lateral, armed, changed = "NAV", None, True
        elif panel == "heading" or (lateral == "GA" and panel in ("ap_button", "sync")):
            lateral = None
        if not valid and not changed and lateral == self.lateral and lateral in ("NAV", "APPR"):
            lateral = None

        # Vertical modes.
        may_follow_glide = self.fault == 3 or (self.lateral == "APPR" and not changed)
        if panel == "go_around":
            vertical, vertical_armed, captured = "GA", frozenset(), False
        elif panel == "alt_button" and vertical != "ALT":
            vertical, vertical_armed, captured = "ALT", vertical_armed - {"ALTS"}, False
        elif self.too_fast():
            if vertical != "FLC":
                vertical, vertical_armed, captured = "FLC", vertical_armed | {"ALTS"}, False
            elif panel == "flc_button" and self.fault == 2:
                vertical = None
        elif panel in MODES and vertical != MODES[panel]:
            vertical, vertical_armed, captured = MODES[panel], vertical_armed | {"ALTS"}, False
        elif "GS" in vertical_armed and self.steady("on_glide") and may_follow_glide and panel != "appr_button":
            vertical, vertical_armed, captured = "GS", frozenset(), False
        elif "ALTS" in vertical_armed and self.steady("near_target") and panel != "appr_button":
            vertical, vertical_armed, captured = "ALTSEL", vertical_armed - {"ALTS"}, False
        elif panel == "alt_button" or panel in MODES or (vertical == "GA" and panel in ("ap_button", "sync")):
            vertical = None
        if self.vertical == "ALTSEL" and vertical == "ALTSEL":
            if moved and self.fault != 4:
                vertical, vertical_armed, captured = None, vertical_armed | {"ALTS"}, False
            elif self.steady("at_target"):
                captured = True
        if self.vertical not in ("ALT", "GS", "GA", "ALTSEL") and vertical not in ("ALT", "GS", "GA", "ALTSEL"):
            vertical_armed = vertical_armed | {"ALTS"}

        # The approach is one procedure.
        if panel == "appr_button" and not approach:
            vertical_armed = vertical_armed | {"GS"}
        if lateral != "APPR" and armed != "APPR":
            vertical_armed = vertical_armed - {"GS"}
            vertical = None if vertical == "GS" else vertical
        return lateral, armed, vertical, vertical_armed, captured

    def display(self, on):
        vertical = ("ALTS" if self.captured else "ALTCAP") if self.vertical == "ALTSEL" else self.vertical
        return {
            f"{self.name}_director": self.director,
            f"{self.name}_lateral": (self.lateral or "ROLL") if on else "DARK",
            f"{self.name}_lateral_armed": self.lateral_armed or "DARK",
            f"{self.name}_vertical": (vertical or "PITCH") if on else "DARK",
            f"{self.name}_vertical_armed": "_".join(sorted(self.vertical_armed, reverse=True)).replace("ALTS_GS", "GS_ALTS")
            or "DARK",
        }


class FlightGuidance:
    def __init__(self, fault=0):
        self.fault = fault
        self.reset()

    def reset(self):
        self.sides = {"left": Side("left", self.fault), "right": Side("right", self.fault)}
        self.flying = "left"
        self.autopilot = "disengaged"
        self.chime = 0
        return self.display()

    def on(self):
        return any(side.director for side in self.sides.values()) or self.autopilot == "engaged"

    def step(self, panel, moved, sensors):
        independent = all(
            side.lateral == "APPR" and side.vertical == "GS" and sensors[name]["valid"] for name, side in self.sides.items()
        )
        leads = {name: independent or name == self.flying for name in self.sides}
        was_engaged = self.autopilot == "engaged"
        self.step_autopilot(panel, sensors[self.flying]["valid"])
        if was_engaged and self.autopilot == "disengaged":
            self.chime = 2
        else:
            self.chime = max(self.chime - 1, 0)

        # Every side sees the other one as it was in the frame before.
        before = {name: tuple(getattr(side, field) for field in FOLLOWED) for name, side in self.sides.items()}
        modes = {}
        for name, side in self.sides.items():
            other = "right" if name == "left" else "left"
            modes[name] = side.lead(panel, moved, sensors[name]["valid"]) if leads[name] else before[other]
        for name, side in self.sides.items():
            self.step_director(side, panel, leads[name])
        for name, side in self.sides.items():
            for field, value in zip(FOLLOWED, modes[name]):
                setattr(side, field, value)
            if panel == "transfer" or not self.on():
                side.clear()
            side.update_signals(sensors[name])
        if panel == "transfer":
            self.flying = "right" if self.flying == "left" else "left"
        return self.display()

    def step_autopilot(self, panel, valid):
        if panel in ("disconnect", "go_around"):
            self.autopilot = "disengaged"
        elif self.autopilot == "engaged" and not valid:
            self.autopilot = "failed"
        elif self.autopilot == "engaged" and panel == "ap_button":
            self.autopilot = "disengaged"
        elif panel == "ap_button" and valid:
            self.autopilot = "engaged"

    def step_director(self, side, panel, leads):
        selects = ("heading", "nav_button", "appr_button", "vs_button", "flc_button", "alt_button")
        handed_over = panel == "transfer" and self.fault != 1
        if (
            panel == "go_around"
            or (leads and panel in selects)
            or (self.autopilot == "engaged" and (leads or handed_over))
            or side.too_fast()
        ):
            side.director = True
        elif panel == f"fd_{side.name}":
            side.director = not side.director

    def display(self):
        on = self.on()
        leader = self.sides[self.flying]
        lamps = {
            "heading_lamp": leader.lateral == "HDG",
            "nav_lamp": "NAV" in (leader.lateral, leader.lateral_armed),
            "appr_lamp": "APPR" in (leader.lateral, leader.lateral_armed),
            "vs_lamp": leader.vertical == "VS",
            "flc_lamp": leader.vertical == "FLC",
            "alt_lamp": leader.vertical == "ALT",
            "ap_lamp": self.autopilot == "engaged",
            "ap_warning": self.chime > 0 or (self.autopilot == "failed" and self.fault != 5),
        }
        state = {"flying": f"{self.flying}_side", "autopilot": self.autopilot}
        return state | self.sides["left"].display(on) | self.sides["right"].display(on) | lamps


def main():
    parser = argparse.ArgumentParser(description="A flight guidance system to be tested.")
    parser.add_argument("--fault", type=int, default=0, choices=list(FAULTS), help="which fault it has; 0 is none")
    guidance = FlightGuidance(parser.parse_args().fault)
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "bye":
            break
        if request["op"] == "hello":
            answer = {"protocol": "specwright/run/1", "reset": True, "inputs": "leaving"}
        elif request["op"] == "reset":
            answer = {"outputs": guidance.reset()}
        else:
            inputs = request["inputs"]
            sensors = {
                side: {name.split(".")[1]: value for name, value in inputs.items() if name.startswith(f"{side}_sensors.")}
                for side in ("left", "right")
            }
            answer = {"outputs": guidance.step(inputs["panel"], inputs["moved"], sensors)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
