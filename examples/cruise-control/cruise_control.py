"""A cruise control, written from the mode table by hand, and eight versions of it with a fault in each.

    from cruise_control import CruiseControl
    control = CruiseControl()
    control.reset(Ignited=False, EngRun=False, Toofast=False, Brake=False, Lever="Resume")
    mode = control.step(Ignited=True, EngRun=False, Toofast=False, Brake=False, Lever="Resume")

`CruiseControl(fault=n)` has one of the faults below, from 1 to 8. The seventh makes no difference as long as one thing
happens at a time: it is not really a fault, and no test can expose it.
"""

FAULTS = {
    0: "no fault",
    1: "resumes from Override although the driver brakes",
    2: "goes on cruising when the driver brakes",
    3: "goes on cruising when the car gets too fast",
    4: "starts to cruise although the engine does not run",
    5: "stays in Override when the ignition is switched off",
    6: "falls back to Inactive, not to Override, when the lever says Deactivate",
    7: "looks at the engine before it looks at the ignition",
    8: "wakes up when the engine starts, not when the ignition is switched on",
}


class CruiseControl:
    """The mode is one of Off, Inactive, Cruise and Override."""

    def __init__(self, fault=0):
        if fault not in FAULTS:
            raise ValueError(f"there is no fault {fault}")
        self.fault = fault
        self.mode = "Off"
        self.now = {}

    def reset(self, **inputs):
        """Back to the start, with these inputs."""
        self.mode = "Off"
        self.now = inputs
        return self.mode

    def step(self, **inputs):
        """The inputs have become these. What matters is what has changed."""
        before, self.now = self.now, inputs
        rises = lambda name: not before[name] and inputs[name]
        falls = lambda name: before[name] and not inputs[name]
        lever = lambda place: before["Lever"] != place and inputs["Lever"] == place
        react = getattr(self, "_" + self.mode.lower())
        self.mode = react(before, rises, falls, lever)
        return self.mode

    def _off(self, before, rises, falls, lever):
        switched_on = rises("EngRun") if self.fault == 8 else rises("Ignited")
        return "Inactive" if switched_on else "Off"

    def _inactive(self, before, rises, falls, lever):
        if falls("Ignited"):
            return "Off"
        runs = before["EngRun"] or self.fault == 4
        if before["Ignited"] and runs and not before["Toofast"] and not before["Brake"] and lever("Activate"):
            return "Cruise"
        return "Inactive"

    def _cruise(self, before, rises, falls, lever):
        if self.fault == 7 and falls("EngRun"):
            return "Inactive"
        if falls("Ignited"):
            return "Off"
        if falls("EngRun") or (rises("Toofast") and self.fault != 3):
            return "Inactive"
        if rises("Brake") and self.fault != 2:
            return "Override"
        if lever("Deactivate"):
            return "Inactive" if self.fault == 6 else "Override"
        return "Cruise"

    def _override(self, before, rises, falls, lever):
        if falls("Ignited"):
            return "Override" if self.fault == 5 else "Off"
        if falls("EngRun"):
            return "Inactive"
        brakes = before["Brake"] and self.fault != 1
        if not before["Toofast"] and not brakes and (lever("Activate") or lever("Resume")):
            return "Cruise"
        return "Override"
