"""The right answers of `Autoscaler`: needs by search in fractions, places by a scan, from all ticks so far."""

from fractions import Fraction
from itertools import count
from typing import Any

Packed = list[Any]  # {instance: worker}, number of workers


def need(rules: list[int], offered: int, per_instance: int, lag: int) -> int:
    """Return the fewest instances that carry this load, within the limits."""
    busy_percent, drain_s, _, least, most, _ = rules
    busy, drained = Fraction(busy_percent, 100), offered + Fraction(lag, drain_s)
    for instances in range(least, most):
        if offered <= busy * instances * per_instance and drained <= instances * per_instance:
            return instances
    return most


def needs(case: dict[str, Any]) -> list[int]:
    """Return how many instances run after each tick: the largest need of the last quiet ticks."""
    found = [need(case["rules"], *tick[:3]) for tick in case["ticks"]]
    quiet_ticks = case["rules"][2]
    return [max(found[max(0, at - quiet_ticks + 1) : at + 1]) for at in range(len(found))]


def packed(case: dict[str, Any]) -> list[Packed]:
    """Return the instances with their workers, and the number of workers, after each tick; a machine may die."""
    size, machines = case["rules"][5], dict[int, str]()
    where, newest, found = dict[str, int](), 0, list[Packed]()
    for at, (wanted, tick) in enumerate(zip(needs(case), case["ticks"], strict=True)):
        dead = case["machine"] if case.get("dies_at") == at else None
        gone = {name for name, worker in where.items() if dead and machines[worker] == dead} | set(tick[3])
        rows = sorted((worker, int(name[5:])) for name, worker in where.items() if name not in gone)[:wanted]
        while len(rows) < wanted:
            newest, taken = newest + 1, [worker for worker, _ in rows]
            rows.append((next(each for each in count() if (taken.count(each) + 1) * size <= 1000), newest))
        where = {f"desk-{number}": worker for worker, number in rows}
        machines = _machines(case, at, set(where.values()), machines) if "machine" in case else {}
        found.append([where, 1 + max(where.values(), default=-1)])
    return found


def machines(case: dict[str, Any]) -> list[dict[str, str]]:
    """Return the machine of each worker after each tick."""
    known, found = dict[int, str](), list[dict[str, str]]()
    for at, (where, _) in enumerate(packed(case)):
        known = _machines(case, at, set(where.values()), known)
        found.append({f"w{worker}": machine for worker, machine in known.items()})
    return found


def _machines(case: dict[str, Any], at: int, workers: set[int], before: dict[int, str]) -> dict[int, str]:
    """Keep workers on living machines; place the others by name: fewest workers, then nearest, then first by name."""
    living = [f"m{number}" for number in range(3) if at < case["dies_at"] or case["machine"] != f"m{number}"]
    now = {worker: machine for worker, machine in before.items() if worker in workers and machine in living}
    for worker in sorted(workers - now.keys(), key=lambda worker: f"w{worker}"):
        used, own = list(now.values()), f"m{worker % 3}"
        now[worker] = sorted(living, key=lambda each: (used.count(each), each != own, each))[0]
    return now


def blocked_ms(case: dict[str, Any]) -> list[int]:
    """Return how long the sources of each tick's second wait for the connector's buffer."""
    found = []
    for instances, (offered, per_instance, *_) in zip(needs(case), case["ticks"], strict=True):
        chunks = offered // 100
        arrivals = [250 * each // chunks for each in range(chunks)]
        found.append(_blocked(arrivals, 100_000 // (instances * per_instance), case["buffer"]))
    return found


def _blocked(arrivals: list[int], service_ms: int, buffer: int) -> int:
    """Play it millisecond by millisecond: one consumer, a buffer, and a producer that waits if the buffer is full."""
    waiting, ends_ms, handed, free_from_ms, blocked = 0, -1, 0, 0, 0
    for now_ms in count():
        if handed == len(arrivals):
            return blocked
        if now_ms >= ends_ms and waiting:
            waiting, ends_ms = waiting - 1, now_ms + service_ms
        while handed < len(arrivals) and arrivals[handed] <= now_ms and (now_ms >= ends_ms or waiting < buffer):
            if now_ms >= ends_ms:
                ends_ms = now_ms + service_ms
            else:
                waiting += 1
            blocked += now_ms - max(arrivals[handed], free_from_ms)
            handed, free_from_ms = handed + 1, now_ms
    raise AssertionError("the loop above never ends by itself")
