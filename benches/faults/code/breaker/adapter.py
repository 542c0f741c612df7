"""pybreaker.CircuitBreaker on a simulated clock."""

import datetime

from subject import module, serve


class Failure(Exception):
    pass


class Excused(Exception):
    pass


class Breaker:
    def __init__(self):
        self.now = datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc)
        breakers = module("pybreaker")

        class Clock(datetime.datetime):
            now = staticmethod(lambda zone=None: self.now)

        breakers.datetime = Clock
        self.breaker = breakers.CircuitBreaker(fail_max=2, reset_timeout=2, success_threshold=2, exclude=[Excused])
        self.error = breakers.CircuitBreakerError
        self.result = "none"

    def call(self, op):
        def guarded():
            if op == "fail":
                raise Failure
            if op == "excuse":
                raise Excused
            return "ok"

        try:
            return self.breaker.call(guarded)
        except Failure:
            return "failed"
        except Excused:
            return "excused"
        except self.error:
            return "rejected"

    def step(self, op):
        self.result = "none"
        if op == "tick":
            self.now += datetime.timedelta(seconds=1)
        elif op in ("open", "half_open", "close"):
            getattr(self.breaker, op)()
        else:
            self.result = self.call(op)

    def outputs(self):
        names = {"closed": "closed", "open": "opened", "half-open": "trial"}
        return {
            "state": names[self.breaker.current_state],
            "failures": min(self.breaker.fail_counter, 2),
            "successes": self.breaker.success_counter,
            "result": self.result,
        }


if __name__ == "__main__":
    serve(Breaker)
