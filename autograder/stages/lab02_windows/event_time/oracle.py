"""The right answer of `event_time_counts` in plain Python: it plays micro-batches one after another.

Which events Spark's watermark drops (Structured Streaming Programming Guide of Spark 4.0, "Handling Late Data and
Watermarking" and "Semantic Guarantees of Aggregation with Watermarking";
https://spark.apache.org/docs/4.0.0/streaming/apis-on-dataframes-and-datasets.html):
after each trigger the watermark is set to the maximum event time seen so far minus the delay, for the next trigger,
and it never goes back; an event less than the delay before that maximum is never dropped; an earlier event may or may
not be dropped. In the second case, engine and operators differ: a window drops an event once the window's *end*
is not after the watermark, dropping duplicates drops an event whose own *time* is not after it; and a trigger that
follows at once, without a trigger for no data in between, still filters by the previous watermark (SPARK-42376).
The oracle therefore judges an event only where all of these agree, and rejects a case with any other event.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

Event = dict[str, Any]
Window = tuple[int, int, str]

NEVER = -math.inf


@dataclass
class Answer:
    """(start_s, end_s, key) -> events, the number of dropped events, and the final watermark in seconds.

    `closed` holds the windows that are final by then, which every output mode has emitted.
    """

    windows: dict[Window, int] = field(default_factory=dict)
    dropped: int = 0
    watermark_s: float = NEVER
    closed: dict[Window, int] = field(default_factory=dict)


class AmbiguousCase(ValueError):
    """An event that one correct solution counts and another one drops."""


def window_of(event_time_s: float, window_s: int) -> tuple[int, int]:
    """Return the window [start, end) that holds a time; windows begin at multiples of their length since 1970.

    Example: window_of(1010.0, window_s=10) -> (1010, 1020)
    """
    start_s = math.floor(event_time_s / window_s) * window_s
    return start_s, start_s + window_s


def event_time_counts(files: Iterable[Sequence[Event]], window_s: int, watermark_s: int) -> Answer:
    """Return the counts and the dropped events if each file is one micro-batch.

    Example: event_time_counts([[{"id": "1", "key": "a", "event_time_s": 1003.0}]], 10, 30).windows
    -> {(1000, 1010, "a"): 1}
    """
    answer, seen = Answer(), set[str]()
    before_s = NEVER  # the watermark of the previous trigger, by which a trigger may still filter
    for file in files:
        for event in file:
            _take(event, window_of(event["event_time_s"], window_s), before_s, answer, seen)
        latest_s = max((event["event_time_s"] for event in file), default=NEVER) - watermark_s
        before_s, answer.watermark_s = answer.watermark_s, max(answer.watermark_s, latest_s)
    answer.closed = {window: count for window, count in answer.windows.items() if window[1] <= answer.watermark_s}
    return answer


def _take(event: Event, window: tuple[int, int], before_s: float, answer: Answer, seen: set[str]) -> None:
    start_s, end_s = window
    if end_s <= before_s:
        answer.dropped += 1
    elif event["event_time_s"] <= answer.watermark_s:
        raise AmbiguousCase(
            f"{event} is older than the watermark {answer.watermark_s}, but not for every correct solution"
        )
    elif event["id"] not in seen:
        seen.add(event["id"])
        cell = (start_s, end_s, event["key"])
        answer.windows[cell] = answer.windows.get(cell, 0) + 1
