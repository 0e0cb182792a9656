"""The virtual day: twenty minutes with all ten faults, one after the other, and the numbers that say how it went."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from streamlab.lab09_system import Incident, Objective, Report, ScaleRules
from streamlab.lab09_system.virtual.control import PER_INSTANCE_PER_S, RULES
from streamlab.lab09_system.virtual.faults import FAULTS
from streamlab.lab09_system.virtual.system import System

PLAN = {
    60: "burst",
    240: "hot-key",
    400: "store-stopped",
    520: "store-killed",
    640: "broker",
    740: "job",
    840: "leader",
    940: "python-worker",
    1040: "poison",
    1090: "clock-ahead",
}
END_S = 1200
OBJECTIVE = Objective(99.0, 30_000)
UNJUDGED_S = 100  # alerts of the last seconds may still be on their way
BACK_LAG = 2 * PER_INSTANCE_PER_S


class Day(NamedTuple):
    """How a day went. back_s: seconds from the end of each fault until the lag is back, None if it never is.

    ratio: worker-seconds by what the records would need if every worker were always full. instances: (second, how
    many) of each second.
    """

    report: Report
    back_s: dict[str, int | None]
    ratio: float
    incidents: list[Incident]
    undecided: int
    largest_lag: int
    instances: list[tuple[int, int]]
    system: System


def the_day(
    parts: Any, seed: str = "day", plan: Mapping[int, str] = PLAN, end_s: int = END_S, rules: ScaleRules = RULES
) -> Day:
    """Run the system with the learner's policies and the faults of `plan` ({second: fault}).

    `parts` has all of `system.POLICIES` and `system.EARLIER` as attributes. Without `post_mortem`, the incidents are
    those of the plan.
    """
    system = System(parts, seed, rules)
    instances = []
    for at_s in range(end_s):
        if at_s in plan:
            system.inject(plan[at_s])
        instances.append((at_s, system.step()["instances"]))
    due = {alert: at_ms for alert, at_ms in system.expected.items() if at_ms < 1000 * (end_s - UNJUDGED_S)}
    report = parts.service_levels(due, [each for each in system.seen if each[0] in due], 1000 * end_s, OBJECTIVE)
    return Day(
        report,
        back_s(system),
        worker_ratio(system, rules),
        parts.post_mortem(system.samples) if hasattr(parts, "post_mortem") else planned(system),
        len(system.undecided),
        max(sum(each.lag) for each in system.samples),
        instances,
        system,
    )


def back_s(system: System) -> dict[str, int | None]:
    """Return for each fault after how many seconds the lag is back, and stays so until the next fault."""
    injected, found = system.faults.injected, dict[str, int | None]()
    ends = [from_s for _, from_s, _ in injected[1:]] + [system.now_s]
    for (fault, _, to_s), end_s in zip(injected, ends, strict=True):
        high = [each.at_s for each in system.samples[to_s:end_s] if sum(each.lag) > BACK_LAG]
        back_s = high[-1] + 1 if high else to_s
        found[fault] = back_s - to_s if back_s < end_s else None
    return found


def planned(system: System) -> list[Incident]:
    """Return the faults that were injected as incidents, as a `post_mortem` that knows the plan would."""
    waited = back_s(system)
    return [
        Incident(FAULTS[fault].kind, from_s, to_s, None if waited[fault] is None else to_s + (waited[fault] or 0))
        for fault, from_s, to_s in system.faults.injected
    ]


def worker_ratio(system: System, rules: ScaleRules) -> float:
    """Return the worker-seconds so far by those that full workers would need for the same records."""
    records = sum(sum(each.offered) for each in system.samples)
    return round(system.worker_s * PER_INSTANCE_PER_S * (1000 // rules.size) / records, 2)
