"""Seeded cases of `Supervisor`, smallest first.

A step is [ms, "tick"], or [ms, "beat" or "ended", program, number of its start]. Each check has cases of its own claim
only: without restarts, without leases that end, or with ticks that are further apart than the longest wait.
"""

import random
from typing import Any

from autograder.checks import Case
from autograder.checks.seeds import random_for

Step = list[Any]
NEVER = 10**9  # ms, longer than every script
APART_MS = 20_000  # between ticks, longer than every wait


def _case(rules: list[int], *script: Step, programs: tuple[str, ...] = ("job",)) -> Case:
    """Return a case; the rules are lease_ms, first_ms, most_ms, stable_ms and tries."""
    return {"programs": list(programs), "rules": rules, "script": list(script)}


def _ticks(*times_ms: int) -> list[Step]:
    return [[now_ms, "tick"] for now_ms in times_ms]


def _merged(*steps: Step) -> list[Step]:
    """Return the steps by time; at one time in the order given."""
    return sorted(steps, key=lambda step: step[0])


def leases(seed: str) -> list[Case]:
    """Return programs that are started, send beats and fall silent; none is started again."""
    rng = random_for(seed, "leases")
    rules = [3000, NEVER, NEVER, NEVER, 9]
    beats = [[1000, "beat", "job", 1], [2000, "beat", "job", 1]]
    late = [[0, "tick"], [2999, "beat", "job", 1], [6500, "beat", "job", 1], *_ticks(9499, 9500, 9501)]
    two = [[5, "tick"], [1000, "beat", "sink", 1], [1500, "beat", "job", 1], *_ticks(3999, 4000, 4500, 60_000)]
    return [
        _case(rules, *_ticks(0, 2999, 3000)),
        _case(rules, [0, "tick"], *beats, *_ticks(4000, 4999, 5000, 6000)),
        _case(rules, *late),
        _case(rules, *two, programs=("job", "sink")),
        _case(rules, *_ticks(1001, 4000, 4001)),
        _case(rules, *_ticks(7, 9000), programs=("sink", "job", "feed")),
        *(_case([rng.choice([1000, 3000]), NEVER, NEVER, NEVER, 9], *_silences(rng), programs=PROGRAMS) for _ in "abc"),
    ]


PROGRAMS = ("sink", "job", "feed")


def _silences(rng: random.Random) -> list[Step]:
    """Return beats of each program that come often enough until it falls silent, and ticks."""
    beats = list[Step]()
    for program in PROGRAMS:
        now_ms = 0
        for _ in range(rng.randint(1, 12)):
            now_ms += rng.choice([100, 400, 999])
            beats.append([now_ms, "beat", program, 1])
    return _merged([0, "tick"], *beats, *_ticks(*range(500, 16_000, 250)))


def restarts(seed: str) -> list[Case]:
    """Return ends of running programs, with ticks around the next start; in some cases a lease ends."""
    rng = random_for(seed, "restarts")
    rules = [NEVER, 1000, 4500, 20_000, 99]
    again = [[100, "ended", "job", 1], *_ticks(100, 1099, 1100), [1200, "ended", "job", 2], *_ticks(3199, 3200)]
    most = [[3300, "ended", "job", 3], *_ticks(7299, 7300), [7400, "ended", "job", 4], *_ticks(11_899, 11_900)]
    runs = [[100, "ended", "job", 1], [1100, "tick"], [21_000, "beat", "job", 2], [21_100, "ended", "job", 2]]
    stable = [*runs, *_ticks(22_099, 22_100)]
    almost = [[100, "ended", "job", 1], [1100, "tick"], [21_099, "ended", "job", 2], *_ticks(22_099, 23_099)]
    killed = [[0, "tick"], [100, "ended", "job", 1], [1100, "tick"], [3900, "beat", "job", 2]]
    kill_and_start = [[0, "tick"], [2000, "ended", "sink", 1], [3000, "tick"]]
    short = [NEVER, 1000, 3000, 20_000, 2]
    return [
        _case(rules, [0, "tick"], [100, "ended", "job", 1], *_ticks(200, 1099, 1100)),
        _case([3000, 0, 0, NEVER, 99], *_ticks(0, 3000)),
        _case([3000, 100, 100, NEVER, 99], *kill_and_start, programs=("job", "sink")),
        _case([3000, 1000, 1000, NEVER, 99], [0, "tick"], [5000, "ended", "job", 1], *_ticks(5500, 6000)),
        _case(rules, [0, "tick"], *again, *most),
        _case(rules, [0, "tick"], *stable, [22_200, "ended", "job", 3], *_ticks(24_199, 24_200)),
        _case(rules, [0, "tick"], *almost),
        _case(short, [0, "tick"], *stable),
        _case([3000, 1000, 3000, 5000, 99], *_ticks(0, 5000, 5999, 6000)),
        _case([3000, 1000, 3000, 5000, 99], *killed, *_ticks(6900, 7899, 7900)),
        _case([3000, 1000, 3000, 6500, 99], *killed, *_ticks(8000, 8999, 9000)),
        *(_case([NEVER, 1000, 4000, 5000, 99], *_crashes(rng), programs=("job", "sink")) for _ in range(4)),
    ]


def _crashes(rng: random.Random) -> list[Step]:
    """Return ends that are at least the longest wait (4 s) apart, so that the program runs; many runs last just 5 s."""
    ends = list[Step]()
    for program in ("job", "sink"):
        now_ms = 0
        for number in range(1, 9):
            now_ms += rng.choice([4500, 6000, 7000, 9000, 12_000])
            ends.append([now_ms, "ended", program, number])
    return _merged(*ends, *_ticks(*range(0, 60_000, 500)))


def zombies(seed: str) -> list[Case]:
    """Return beats and ends of earlier and later starts, of programs that do not run, and of unknown ones."""
    rng = random_for(seed, "zombies")
    rules = [50_000, 10, 10, NEVER, 99]
    again = [[0, "tick"], [100, "ended", "job", 1], [20_000, "tick"]]
    ended = [[20_100, "ended", "job", 1], [20_200, "beat", "job", 2], [40_000, "tick"], [40_001, "beat", "job", 2]]
    waits = [[0, "beat", "job", 1], [1, "tick"], [2, "ended", "job", 1], [3, "beat", "job", 1], [4, "ended", "job", 1]]
    killed = [[0, "tick"], [60_000, "tick"], [60_001, "beat", "job", 1], [60_002, "ended", "job", 1], [80_000, "tick"]]
    unknown = [[0, "tick"], [1, "beat", "cat", 1], [2, "ended", "cat", 1], [3, "beat", "job", 2]]
    future = [[5, "ended", "job", 2], [6, "beat", "job", 1], [20_000, "tick"], [20_001, "beat", "job", 1]]
    return [
        _case(rules, *again, [20_100, "beat", "job", 1], [20_200, "beat", "job", 2]),
        _case(rules, *again, [69_000, "beat", "job", 1], [70_001, "tick"]),
        _case(rules, *again, *ended),
        _case([50_000, 10, 10, NEVER, 2], *waits, [20_000, "tick"], [20_001, "beat", "job", 2]),
        _case([50_000, 10, 10, NEVER, 2], *killed, [80_001, "beat", "job", 2]),
        _case(rules, *unknown, *future),
        *(_case([NEVER, 10, 10, NEVER, 99], *_mixed(rng)) for _ in range(4)),
    ]


def _mixed(rng: random.Random) -> list[Step]:
    """Return ticks, and beats and ends of any start between them."""
    script = _ticks(0)
    for now_ms in range(0, 25 * APART_MS, APART_MS):
        for _ in range(rng.randint(0, 3)):
            what = rng.choice(["beat", "beat", "ended"])
            script.append([now_ms + 50, what, "job", rng.randint(1, 5)])
        script.append([now_ms + APART_MS, "tick"])
    return script


def crash_loops(seed: str) -> list[Case]:
    """Return failures in a row up to the last try, of which only the last one is a lease that ends."""
    rng = random_for(seed, "crash loops")
    names, tries = ("sink", "job"), rng.randint(3, 6)
    runs = {name: _runs(name, 6) for name in names}
    later = _ticks(140_000, 160_000)
    return [
        _case([NEVER, 10, 10, NEVER, 2], *_runs("job", 2), *_ticks(30_000, 60_000)),
        _case([NEVER, 10, 10, NEVER, 3], *_runs("job", 3), *_ticks(60_000, 60_001, 99_000)),
        _case([NEVER, 10_000, 10_000, NEVER, 1], *_runs("job", 1), *_ticks(5, 6, 50_000)),
        _case([15_000, 10, 10, NEVER, 1], *_ticks(0, 20_000, 40_000), programs=names),
        _case([15_000, 10, 10, NEVER, 3], *_runs("job", 2), *_ticks(40_000, 60_000, 80_000)),
        _case([NEVER, 10, 10, NEVER, tries], *_merged(*runs["job"], *runs["sink"][:4], *later), programs=names),
    ]


def _runs(program: str, count: int) -> list[Step]:
    """Return the ticks that start a program, each with its end 5 ms later."""
    begins = range(0, count * APART_MS, APART_MS)
    return [step for at, ms in enumerate(begins, 1) for step in ([ms, "tick"], [ms + 5, "ended", program, at])]


def numbers(seed: str) -> list[Case]:
    """Return starts of one program and of two, and a kill after which the program is given up."""
    first_ms = random_for(seed, "numbers").randint(1, 9000)
    rules = [NEVER, 10, 10, NEVER, 9]
    twice = [[first_ms, "tick"], [9500, "ended", "job", 1], [APART_MS, "tick"], [20_001, "beat", "job", 2]]
    return [
        _case(rules, *_runs("job", 1), [APART_MS, "tick"]),
        _case(rules, *_runs("job", 6), programs=("sink", "job")),
        _case([15_000, 10, 10, NEVER, 2], *twice, [40_000, "tick"]),
    ]
