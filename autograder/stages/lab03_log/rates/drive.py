"""Drive `highest_rate` on a model with a capacity or a script of delays, and `rate_limit`."""

import math
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain, type_name

MOST_RUNS = 10_000


class EndlessSearch(RuntimeError):
    """A search that does not end."""


class RecordedRuns:
    """The `run` function of a case, with a record of all rates that it was called with."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.case, self.rates = case, list[Any]()

    def __call__(self, rate: Any) -> float:
        """Return the mean delay at this rate, in seconds."""
        self.rates.append(plain(rate))
        if len(self.rates) > MOST_RUNS:
            raise EndlessSearch(f"expected at most most_runs runs, got more than {MOST_RUNS}; stop after most_runs")
        if "delays" in self.case:
            return self._scripted_delay(rate)
        capacity, interval_s = self.case["capacity_per_s"], self.case["interval_s"]
        return float(interval_s * rate / capacity if rate <= capacity else 10 * interval_s)

    def _scripted_delay(self, rate: float) -> float:
        """Return the scripted delay of this rate; for an unknown rate, the delay at the same place in the list."""
        delays = self.case["delays"]
        same = [delay for known, delay in delays if math.isclose(known, rate, rel_tol=1e-6)]
        at = min(len(self.rates), len(delays)) - 1
        return float(same[0] if same else delays[at][1])


@drive("highest_rate")
def highest_rate(stage: Any, case: Any) -> Rows:
    """Return the rate that was found, and the rates that were played."""
    run = RecordedRuns(case)
    more = {name: case[name] for name in ("limit_per_s", "most_runs") if case.get(name) is not None}

    def searched() -> Rows:
        rate = stage.highest_rate(run, case["start_per_s"], case["interval_s"], **more)
        return {"rate": plain(rate)} if isinstance(rate, int | float) else {"returned": type_name(rate)}

    return or_rejected(searched) | {"runs": run.rates}


@drive("rate_limit")
def rate_limit(stage: Any, case: Any) -> Rows:
    """Return the limit and the name of its bound."""
    names = ("size_bytes", "cpu_s", "cores", "bytes_per_s", "framework_per_s")

    def limited() -> Rows:
        limit = stage.rate_limit(*(case[name] for name in names))
        if not isinstance(limit, tuple) or len(limit) != 2:
            return {"returned": type_name(limit)}
        return {"rate_per_s": plain(limit[0]), "bound": plain(limit[1])}

    return or_rejected(limited)
