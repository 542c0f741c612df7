"""h11's ConnectionState: the protocol of one connection."""

from subject import module, serve


class Connection:
    def __init__(self):
        import h11

        self.events = h11
        self.module = module("h11._state")
        self.state = self.module.ConnectionState()
        self.answer = "ok"

    def apply(self, op):
        module, events, state = self.module, self.events, self.state
        kinds = {
            "request": (module.CLIENT, events.Request),
            "client_data": (module.CLIENT, events.Data),
            "client_end": (module.CLIENT, events.EndOfMessage),
            "client_close": (module.CLIENT, events.ConnectionClosed),
            "info": (module.SERVER, events.InformationalResponse),
            "response": (module.SERVER, events.Response),
            "server_data": (module.SERVER, events.Data),
            "server_end": (module.SERVER, events.EndOfMessage),
            "server_close": (module.SERVER, events.ConnectionClosed),
        }
        if op in kinds:
            state.process_event(*kinds[op])
        elif op == "accept_upgrade":
            state.process_event(module.SERVER, events.InformationalResponse, module._SWITCH_UPGRADE)
        elif op == "accept_connect":
            state.process_event(module.SERVER, events.Response, module._SWITCH_CONNECT)
        elif op == "propose_upgrade":
            state.process_client_switch_proposal(module._SWITCH_UPGRADE)
        elif op == "propose_connect":
            state.process_client_switch_proposal(module._SWITCH_CONNECT)
        elif op == "no_keep_alive":
            state.process_keep_alive_disabled()
        elif op == "next_cycle":
            state.start_next_cycle()
        else:
            state.process_error(module.CLIENT if op == "client_error" else module.SERVER)

    def step(self, op):
        try:
            self.apply(op)
            self.answer = "ok"
        except (self.events.LocalProtocolError, AttributeError):
            # h11 0.16.0 raises AttributeError where it refuses a pair of event and switch: its message asks the pair for
            # a name. The generated tests found that; here it counts as a refusal.
            self.answer = "refused"

    def outputs(self):
        names = {
            "MIGHT_SWITCH_PROTOCOL": "might_switch",
            "SWITCHED_PROTOCOL": "switched",
        }

        def name(side):
            state = self.state.states[side].__name__
            return names.get(state, state.lower())

        return {
            "client": name(self.module.CLIENT),
            "server": name(self.module.SERVER),
            "answer": self.answer,
        }


if __name__ == "__main__":
    serve(Connection)
