"""Measures the mean delay of one run: messages of one size arrive at a rate, and each uses a core for some time.

The delay of a message is the time of its batch. The time of a run starts at the end of the first batches, since these
include Spark's start, which can take longer than a short run on a busy machine. A run did not keep up if the source was
blocked, or if too many messages were left over; its delay is infinite.
Source: the method is that of B. Blamey, A. Hellander and S. Toor, https://arxiv.org/abs/1807.07724.
"""

import math
import time
from collections.abc import Sequence
from typing import Any

from streamlab.experiments.grid import Load
from streamlab.experiments.waiting import START_LIMIT_S, wait_until
from streamlab.lab03_log.experiments.integrations import Integration, Playing
from streamlab.lab03_log.experiments.queries import Batch, Processing, messages_in, worker

SENT_IN_TIME = 0.9  # of the messages due; if fewer were sent, the source was blocked
LEFT_OVER_INTERVALS = 2.5  # the messages of this many intervals may be unfinished when the source ends
WARM_UP_BATCHES = 2
POLL_EVERY_S = 0.05
MOST_WAITING_BYTES = 100e6  # a stream with more waiting bytes does not keep up, and would fill Spark's memory


def mean_delay_s(
    spark: Any, integration: Integration, load: Load, rate_per_s: float, interval_s: float, run_s: float
) -> float:
    """Play `rate_per_s` messages a second for `run_s` seconds; return the mean delay in s, infinite if they pile up."""
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
    """Return the mean delay of all messages except those of the first batches, which include Spark's start."""
    counted = done[WARM_UP_BATCHES:] or done[-1:]
    messages = messages_in(counted)
    if not messages or left_over > LEFT_OVER_INTERVALS * allowed + 1:
        return math.inf
    return sum(batch.messages * batch.took_s for batch in counted) / messages


def warmed_up(source: Playing, processing: Processing, most_waiting: float, limit_s: float = START_LIMIT_S) -> bool:
    """Wait for the first batches; return False if they are not done in time, or if too many messages wait."""
    deadline = time.monotonic() + limit_s
    while len(processing.batches()) < WARM_UP_BATCHES:
        if time.monotonic() > deadline or not _keeps_up(source, processing, most_waiting):
            return False
        time.sleep(POLL_EVERY_S)
    return True


def _played(source: Playing, processing: Processing, run_s: float, most_waiting: float) -> bool:
    """Wait for the end of a run; return False as soon as more messages wait than memory should hold."""
    until = time.monotonic() + run_s
    while time.monotonic() < until:
        time.sleep(POLL_EVERY_S)
        if not _keeps_up(source, processing, most_waiting):
            return False
    return True


def _keeps_up(source: Playing, processing: Processing, most_waiting: float) -> bool:
    """Return whether the waiting messages fit into memory; raises RuntimeError if Spark has failed."""
    if processing.problem() is not None:
        raise RuntimeError(f"Spark failed: {processing.problem()}")
    return source.sent - messages_in(processing.batches()) <= most_waiting
