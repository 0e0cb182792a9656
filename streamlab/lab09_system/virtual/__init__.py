"""The complete system in virtual seconds, with the learner's policies: nothing runs, and a day takes two seconds.

`System(parts, seed, rules)` has `inject(fault)` and `step() -> {name: number}`; `the_day` runs a plan of faults.
"""

from streamlab.lab09_system.virtual.control import RULES
from streamlab.lab09_system.virtual.day import END_S, OBJECTIVE, PLAN, Day, back_s, the_day, worker_ratio
from streamlab.lab09_system.virtual.faults import FAULTS, Fault
from streamlab.lab09_system.virtual.sources import PARTITIONS
from streamlab.lab09_system.virtual.system import EARLIER, POLICIES, System

__all__ = [
    "EARLIER",
    "END_S",
    "FAULTS",
    "OBJECTIVE",
    "PARTITIONS",
    "PLAN",
    "POLICIES",
    "RULES",
    "Day",
    "Fault",
    "System",
    "back_s",
    "the_day",
    "worker_ratio",
]
