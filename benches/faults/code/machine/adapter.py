"""A machine of the package `transitions`."""

from subject import module, serve

STATES = [
    {"name": "stopped", "on_enter": "on_enter", "on_exit": "on_exit"},
    {"name": "playing", "on_enter": "on_enter", "on_exit": "on_exit"},
    {"name": "paused", "on_enter": "on_enter", "on_exit": "on_exit"},
    {
        "name": "ejected",
        "on_enter": "on_enter",
        "on_exit": "on_exit",
        "final": True,
        "ignore_invalid_triggers": True,
    },
]
TRANSITIONS = [
    {"trigger": "play", "source": "stopped", "dest": "playing", "conditions": "has_disc", "unless": "is_locked"},
    {"trigger": "play", "source": "stopped", "dest": "paused", "conditions": ["has_disc"]},
    {"trigger": "play", "source": "paused", "dest": "playing"},
    {"trigger": "pause", "source": "playing", "dest": "paused", "unless": ["is_locked"]},
    {"trigger": "stop", "source": ["playing", "paused"], "dest": "stopped"},
    {"trigger": "tick", "source": "playing", "dest": None},
    {"trigger": "restart", "source": "playing", "dest": "=", "conditions": "has_disc", "unless": "is_locked"},
    {"trigger": "eject", "source": "*", "dest": "ejected"},
]


class Player:
    def __init__(self):
        self.answer = "yes"
        self.disc = self.locked = False
        self.calls = []
        for transition in TRANSITIONS:
            transition.update(before="on_before", after="on_after", prepare="on_try")
        self.package = module("transitions.core")
        self.machine = self.package.Machine(
            model=self,
            states=STATES,
            transitions=TRANSITIONS,
            initial="stopped",
            auto_transitions=False,
            prepare_event="on_prepare",
            on_final="on_final",
        )
        self.calls = []

    has_disc = lambda self: self.disc
    is_locked = lambda self: self.locked
    on_enter = lambda self: self.calls.append("entered")
    on_exit = lambda self: self.calls.append("exited")
    on_before = lambda self: self.calls.append("before")
    on_after = lambda self: self.calls.append("after")
    on_try = lambda self: self.calls.append("tried")
    on_prepare = lambda self: self.calls.append("prepared")
    on_final = lambda self: self.calls.append("final")

    def step(self, op, disc, locked):
        self.disc, self.locked, self.calls = disc, locked, []
        try:
            self.answer = "yes" if self.trigger(op) else "no"
        except self.package.MachineError:
            self.answer = "refused"

    def outputs(self):
        flags = ["prepared", "before", "after", "exited", "entered", "final"]
        order = [call for call in self.calls if call not in ("tried", "prepared")]
        assert order in ([], ["before", "after"], ["before", "exited", "entered", "after"],
                         ["before", "exited", "entered", "final", "after"]), order
        return {
            "state": self.state,
            "answer": self.answer,
            "tried": self.calls.count("tried"),
            **{flag: flag in self.calls for flag in flags},
        }


if __name__ == "__main__":
    serve(Player)
