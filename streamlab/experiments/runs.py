"""One run: messages of one size come at a rate for some seconds and cost a core some time each. How late are they?

The delay of a message is what the batch took that it was in. The seconds of a run count from the end of the first
batches, which pay for the start: on a busy machine that takes longer than a short run, and a run that holds nothing
else measures how Spark starts. A run in which the source was blocked, or after which messages were left over that
should have been done, did not keep up: its delay is infinite.
Source: the method is that of B. Blamey, A. Hellander and S. Toor, https://arxiv.org/abs/1807.07724.
Keeps out: where messages come from (integrations.py), which rates are tried (grid.py).
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from streamlab.experiments.integrations import Integration, Playing
from streamlab.experiments.queries import Batch, Processing, messages_in, worker
from streamlab.experiments.waiting import START_LIMIT_S, wait_until

SENT_IN_TIME = 0.9  # of what was due, else the source was blocked
LEFT_OVER_INTERVALS = 2.5  # what may still be under way when the source ends
WARM_UP_BATCHES = 2
LOOK_EVERY_S = 0.05
MOST_WAITING_BYTES = 100e6  # a stream that piles up so much does not keep up, and would fill Spark's memory


@dataclass(frozen=True)
class Load:
    """What comes: messages of `size_bytes` that take `cpu_s` seconds of a core each."""

    size_bytes: int
    cpu_s: float


def mean_delay_s(
    spark: Any, integration: Integration, load: Load, rate_per_s: float, interval_s: float, run_s: float
) -> float:
    """Play `rate_per_s` messages a second for `run_s` seconds; the mean delay of a message, infinite if it piles up."""
    with (
        integration.playing(load.size_bytes, rate_per_s) as source,
        source.processed(spark, worker(load.cpu_s), interval_s) as processing,
    ):
        source.begin()
        wait_until(lambda: source.sent > 0, "no message was sent")
        most_waiting = MOST_WAITING_BYTES / load.size_bytes
        if not warmed_up(source, processing, most_waiting):
            return math.inf
        began, before = time.monotonic(), source.sent
        if not _played(source, processing, run_s, most_waiting):
            return math.inf
        sent, took_s = source.sent, time.monotonic() - began
        done = processing.batches()
    if sent - before < SENT_IN_TIME * rate_per_s * took_s - 1:
        return math.inf
    return mean_of(done, left_over=sent - messages_in(done), allowed=rate_per_s * interval_s)


def mean_of(done: Sequence[Batch], left_over: float, allowed: float) -> float:
    """The mean delay over all messages but those of the first batches, which pay for the start."""
    counted = done[WARM_UP_BATCHES:] or done[-1:]
    messages = messages_in(counted)
    if not messages or left_over > LEFT_OVER_INTERVALS * allowed + 1:
        return math.inf
    return sum(batch.messages * batch.took_s for batch in counted) / messages


def warmed_up(source: Playing, processing: Processing, most_waiting: float, limit_s: float = START_LIMIT_S) -> bool:
    """Wait for the first batches; False if they are not done in time, or if more messages wait than should."""
    deadline = time.monotonic() + limit_s
    while len(processing.batches()) < WARM_UP_BATCHES:
        if time.monotonic() > deadline or not _goes_on(source, processing, most_waiting):
            return False
        time.sleep(LOOK_EVERY_S)
    return True


def _played(source: Playing, processing: Processing, run_s: float, most_waiting: float) -> bool:
    """Wait out a run; False, at once, where more messages wait than memory should hold."""
    until = time.monotonic() + run_s
    while time.monotonic() < until:
        time.sleep(LOOK_EVERY_S)
        if not _goes_on(source, processing, most_waiting):
            return False
    return True


def _goes_on(source: Playing, processing: Processing, most_waiting: float) -> bool:
    """Whether no more messages wait than memory should hold; a failure of Spark's is raised."""
    if processing.problem() is not None:
        raise RuntimeError(f"Spark failed: {processing.problem()}")
    return source.sent - messages_in(processing.batches()) <= most_waiting
