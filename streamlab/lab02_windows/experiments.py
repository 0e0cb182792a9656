"""The measurements and the recorded hour of Lab 2's experiments."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from tempfile import TemporaryDirectory
from timeit import repeat
from typing import Any, Literal, NamedTuple

from streamlab.lab02_windows.cleaned_texts import tweet_texts
from streamlab.lab02_windows.sentiment import mood
from streamlab.spark.sessions import streaming
from streamlab.views.metrics import BatchMetrics

START_S = 1_539_201_600  # 20:00, when the recorded hour begins
BATCHES, PAIRS, BATCH_S, LIMIT_S = 15, 3000, 0.2, 90.0
SLIDES, TRIES = 200, 10
MINUTES = 6  # of a window of moods


class TimedTweet(NamedTuple):
    """A tweet of the recorded hour, with its minutes of arrival and of event time."""

    arrived: int
    happened: int
    text: str
    event: dict[str, str]


def slide_cost_us(window: Any, length: int) -> float:
    """Return the µs that a slide (expire, add and result) of a window with `length` values takes at best."""
    for value in range(length):
        window.add(value)

    def slide() -> None:
        window.expire()
        window.add(1)
        window.result()

    return min(repeat(slide, number=SLIDES, repeat=TRIES)) / SLIDES * 1e6


def state_costs(
    spark: Any, running_counts: Callable[[Any], Any], first_key: Callable[[int], int]
) -> list[tuple[int, int, int]]:
    """Return (batch, keys kept, ms) for 15 batches of 3,000 pairs each, whose keys begin at `first_key(batch)`."""
    key_counts: list[int] = []
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder, streaming(spark, BATCH_S) as ssc:
        ssc.checkpoint(folder)
        metrics = BatchMetrics(ssc)
        starts = [first_key(batch) for batch in range(BATCHES)]
        keys = [spark.sparkContext.range(start, start + PAIRS, numSlices=2) for start in starts]
        totals = running_counts(ssc.queueStream(keys).map(lambda key: (key, 1)))
        totals.foreachRDD(lambda batch: key_counts.append(batch.count()))
        ssc.start()
        ended = metrics.wait_batches(BATCHES, timeout_s=LIMIT_S)
    return [(at + 1, key_counts[at], ended[at].processing_ms) for at in range(BATCHES)]


def recorded_hour() -> list[TimedTweet]:
    """Return the tweets of the recorded hour, without those whose event time is later than their arrival."""
    hour = []
    for tweet in tweet_texts():
        if tweet.happened_ms <= tweet.arrived_ms:
            at = datetime.fromtimestamp(tweet.happened_ms / 1000, UTC).isoformat()
            arrived, happened = ((each - START_S * 1000) // 60_000 for each in (tweet.arrived_ms, tweet.happened_ms))
            hour.append(TimedTweet(arrived, happened, tweet.text, {"id": tweet.id, "key": "tweet", "event_time": at}))
    return hour


def moods(hour: Sequence[TimedTweet], clock: Literal["arrived", "happened"]) -> list[tuple[int, tuple[int, float]]]:
    """Return (minute, (mentions of Harvard, their mean mood) in the six minutes before it), every two minutes."""
    about = [each for each in hour if re.search(r"\bharvard\b", each.text.casefold())]
    found = [(getattr(each, clock), mood(each.text)) for each in about]
    windows = {end: [value for minute, value in found if end - MINUTES <= minute < end] for end in range(2, 62, 2)}
    return [(end, (len(window), sum(window) / max(1, len(window)))) for end, window in windows.items()]
