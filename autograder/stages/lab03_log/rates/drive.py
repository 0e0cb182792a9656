"""Systems whose highest rate is searched for: a model with a capacity, or delays that are written down."""

import math
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, a_kind, or_rejected, plain

ENDLESS = 10_000


class Endless(RuntimeError):
    """A search that does not end."""


class Played:
    """Plays rates; `rates` are those that were asked for."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.case, self.rates = case, list[Any]()

    def __call__(self, rate: Any) -> float:
        """The mean delay at this rate, in seconds."""
        self.rates.append(plain(rate))
        if len(self.rates) > ENDLESS:
            raise Endless(f"{ENDLESS} runs, and no end; there are at most most_runs of them")
        if "delays" in self.case:
            return self._written_down(rate)
        capacity, interval_s = self.case["capacity_per_s"], self.case["interval_s"]
        return float(interval_s * rate / capacity if rate <= capacity else 10 * interval_s)

    def _written_down(self, rate: float) -> float:
        """The delay of this rate; of a rate that is not there, the one that is as manieth in the list."""
        delays = self.case["delays"]
        same = [delay for known, delay in delays if math.isclose(known, rate, rel_tol=1e-6)]
        at = min(len(self.rates), len(delays)) - 1
        return float(same[0] if same else delays[at][1])


@drive("highest_rate")
def highest_rate(stage: Any, case: Any) -> Rows:
    """The rate that was found, and those that were played."""
    run = Played(case)
    more = {name: case[name] for name in ("limit_per_s", "most_runs") if case.get(name) is not None}

    def searched() -> Rows:
        rate = stage.highest_rate(run, case["start_per_s"], case["interval_s"], **more)
        return {"rate": plain(rate)} if isinstance(rate, int | float) else {"returned": a_kind(rate)}

    return or_rejected(searched) | {"runs": run.rates}


@drive("rate_limit")
def rate_limit(stage: Any, case: Any) -> Rows:
    """The limit and what bounds it."""
    names = ("size_bytes", "cpu_s", "cores", "bytes_per_s", "framework_per_s")

    def limited() -> Rows:
        limit = stage.rate_limit(*(case[name] for name in names))
        if not isinstance(limit, tuple) or len(limit) != 2:
            return {"returned": a_kind(limit)}
        return {"rate_per_s": plain(limit[0]), "bound": plain(limit[1])}

    return or_rejected(limited)
