"""A fail-over test: right, wrong and failed answers over time while one of several replicas is killed and restarted."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from streamlab.lab08_geofencing.geo import Answer, NotCaughtUp, Unavailable
from streamlab.lab08_geofencing.replicas.client import RemoteReplica
from streamlab.lab08_geofencing.replicas.processes import ReplicaProcess, replica_processes
from streamlab.lab08_geofencing.replicas.server import Replicated

Asking = Callable[[Sequence[RemoteReplica], int], Answer]


class Span(NamedTuple):
    """Counts of the questions that began in [begin_s, begin_s + span_s): right answers, wrong answers, failures."""

    begin_s: float
    right: int
    wrong: int
    failed: int


def fail_over(
    make: Callable[[], Replicated],
    asking: Asking,
    expected: Sequence[str],
    *,
    count: int = 3,
    kill_at_s: float = 2.0,
    restart_at_s: float = 3.0,
    end_s: float = 6.0,
    span_s: float = 0.25,
) -> list[Span]:
    """Ask `count` replicas one question after another; meanwhile, kill the first one with SIGKILL and restart it.

    `asking(replicas, number)` asks question `number`; an answer is right if its movers are `expected`. OSError,
    NotCaughtUp and Unavailable are failed questions, and any other error ends the run. Time starts when all replicas
    are ready; times are those at which the questions began.

    Raises ValueError unless 0 <= kill_at_s <= restart_at_s <= end_s, and for a span that is not positive.
    Example: fail_over(make, lambda replicas, n: ask(replicas, fence, first=n % 3), expected=["cow-01"])
    """
    if not (0 <= kill_at_s <= restart_at_s <= end_s and span_s > 0):
        times = f"{kill_at_s}, {restart_at_s}, {end_s} and {span_s}"
        raise ValueError(f"fail_over: expected kill, restart and end in this order and a positive span, got {times} s")
    counts: dict[int, list[int]] = {span: [0, 0, 0] for span in range(-int(-end_s // span_s))}
    with replica_processes(make, count) as processes:
        clients, began_s, number = [each.client() for each in processes], time.monotonic(), 0
        due = [(restart_at_s, ReplicaProcess.start), (kill_at_s, ReplicaProcess.kill)]
        while (now_s := time.monotonic() - began_s) < end_s:
            while due and now_s >= due[-1][0]:
                due.pop()[1](processes[0])
            counts[int(now_s // span_s)][_outcome(asking, clients, number, expected)] += 1
            number += 1
        for each in clients:
            each.close()
    return [Span(round(span * span_s, 6), *each) for span, each in counts.items()]


def _outcome(asking: Asking, clients: Sequence[RemoteReplica], number: int, expected: Sequence[str]) -> int:
    """Return 0 for a right answer, 1 for a wrong one, 2 for none."""
    try:
        return int(asking(clients, number).movers != list(expected))
    except (OSError, NotCaughtUp, Unavailable):
        return 2
