"""Nodes that may each use a share of a core, so two cores are enough for three nodes. (Lab 8)

A node is a process that owns some partitions of the positions, and sleeps whenever its processor time exceeds its share
of the elapsed time. FenceX capped its instances at 30 to 100 MHz in the same way. The load is open-loop: position i is
due at (i + 1) / rate, whether or not the nodes keep up. Work, processor time and lag are real; there is no network.
"""

import gc
import multiprocessing
import time
import warnings
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

EVERY_S = 0.25
START_S = 0.3  # from the first fork to the first position
BURST = 20  # positions between two checks of the clock
WAIT_S, CAPPED_S = 0.002, 0.004
PATIENCE_S = 30.0
Sample = tuple[float, int, int]  # seconds, offered so far, done so far
Rows = list[tuple[int, Any]]  # (number, position) in order


def run(
    make: Callable[[], Any],
    positions: Sequence[Any],
    partition_of: Callable[[Any], int],
    assigned: Sequence[Sequence[int]],
    rate_per_s: float,
    share: float = 0.1,
    seconds: float = 3.0,
) -> list[Sample]:
    """Return the totals over all nodes, with one sample per quarter of a second.

    make: called in each node; its result has a method `move(position)`, as a `Watch` has.
    assigned: for each node the partitions that it owns.
    share: the part of a core that a node may use.
    Raises ValueError if there is no node, if a rate, share or duration is not positive, or if there are too few
    positions for the run, and RuntimeError with the error of a node that failed.
    """
    if min(rate_per_s, share, seconds) <= 0 or not assigned:
        raise ValueError(
            "expected at least one node and a positive rate, share and duration, "
            f"got {len(assigned)}, {rate_per_s}, {share} and {seconds}"
        )
    if len(positions) < rate_per_s * seconds:
        raise ValueError(
            f"{seconds} s at {rate_per_s}/s need {rate_per_s * seconds:.0f} positions, got {len(positions)}"
        )
    owner = {partition: node for node, partitions in enumerate(assigned) for partition in partitions}
    rows: list[Rows] = [[] for _ in assigned]
    for number, position in enumerate(positions):
        rows[owner[partition_of(position)]].append((number, position))
    done = _played(make, rows, rate_per_s, share, seconds)
    times = [EVERY_S * step for step in range(int(seconds / EVERY_S))]
    return [(at_s, int(rate_per_s * at_s), sum(each[step] for each in done)) for step, at_s in enumerate(times)]


def _played(make: Any, rows: Sequence[Rows], rate_per_s: float, share: float, seconds: float) -> list[list[int]]:
    began_s, nodes = time.monotonic() + START_S, list[tuple[BaseProcess, Connection]]()
    try:
        for mine in rows:
            nodes.append(_started(make, mine, rate_per_s, share, began_s, seconds))
        return [_received(ours, seconds) for _, ours in nodes]
    finally:
        for process, _ in nodes:
            process.kill()
            process.join()


def _started(*work: Any) -> tuple[BaseProcess, Connection]:
    context = multiprocessing.get_context("fork")  # a notebook's classes are already loaded
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_node, args=(*work, theirs), daemon=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads do not survive a fork; a node needs none
        process.start()
    theirs.close()
    return process, ours


def _received(ours: Connection, seconds: float) -> list[int]:
    if not ours.poll(START_S + seconds + PATIENCE_S):
        raise RuntimeError(f"a node did not end within {PATIENCE_S:g} s after the run")
    try:
        samples = ours.recv()
    except EOFError:
        raise RuntimeError("a node ended before the run") from None
    if isinstance(samples, str):
        raise RuntimeError(f"a node failed: {samples}")
    return list(samples)


def _node(
    make: Any, mine: Rows, rate_per_s: float, share: float, began_s: float, seconds: float, pipe: Connection
) -> None:
    gc.freeze()  # otherwise, garbage collection of the parent's objects would count as work
    try:
        pipe.send(_totals(make(), mine, rate_per_s, share, began_s, seconds))
    except Exception as problem:
        pipe.send(f"{type(problem).__name__}: {problem}")


def _totals(watch: Any, mine: Rows, rate_per_s: float, share: float, began_s: float, seconds: float) -> list[int]:
    """Work until the time is up; return the amount done by each quarter of a second."""
    done, samples = 0, list[int]()
    while time.monotonic() < began_s:
        time.sleep(WAIT_S)
    used_s = time.process_time()
    while (now_s := time.monotonic() - began_s) < seconds:
        samples += [done] * (int(now_s / EVERY_S) + 1 - len(samples))
        if time.process_time() - used_s > share * now_s:
            time.sleep(CAPPED_S)
            continue
        before = done
        while done < min(len(mine), before + BURST) and (mine[done][0] + 1) / rate_per_s <= now_s:
            watch.move(mine[done][1])
            done += 1
        if done == before:
            time.sleep(WAIT_S)
    return samples + [done] * (int(seconds / EVERY_S) - len(samples))
