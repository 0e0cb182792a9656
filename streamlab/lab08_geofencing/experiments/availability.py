"""Experiment of Lab 8 on availability: one of three replicas on Kafka is killed with SIGKILL and restarted."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from streamlab.lab08_geofencing.experiments.fences import positions
from streamlab.lab08_geofencing.geo import Answer, Polygons, Position
from streamlab.lab08_geofencing.published import figure
from streamlab.lab08_geofencing.replicas import Span, TopicFeed, fail_over
from streamlab.sources.topics import ANY_TIME, KeyValueTime, new_topic, send

POSITIONS, MOVERS, PARTITIONS = 20_000, 2_000, 2
SPAN_S, KILL_S = 0.25, 2.0
FENCE: Polygons = ((((17.4, 59.4), (17.6, 59.4), (17.6, 59.6), (17.4, 59.6), (17.4, 59.4)),),)
HEADERS = ["way to ask", "questions", "wrong", "failed", "not right after the kill (%)", "for (s)"]
_FAILED = figure("availability, failed (%)"), figure("availability, for (s)")
FENCEX = ("FenceX, open loop, 4 -> 3 -> 4", "?", "?", "?", *_FAILED)


class FailOver(NamedTuple):
    """The outcome of all questions, for one way to ask."""

    way: str
    spans: list[Span]

    def row(self) -> tuple[str, int, int, int, float, float]:
        """Return a row for HEADERS; the share is from the first bad span after the kill to the last one."""
        right, wrong, failed = (
            sum(getattr(each, name) for each in self.spans) for name in ("right", "wrong", "failed")
        )
        bad = [at for at, each in enumerate(self.spans) if each.begin_s >= KILL_S and each.wrong + each.failed]
        between = self.spans[bad[0] : bad[-1] + 1] if bad else []
        not_right = sum(each.wrong + each.failed for each in between)
        asked = not_right + sum(each.right for each in between)
        percent = 100 * not_right / asked if asked else 0.0
        return self.way, right + wrong + failed, wrong, failed, percent, SPAN_S * len(between)

    def in_words(self) -> str:
        """Return the content of a plot of the spans, for its alt text."""
        _, asked, wrong, failed, percent, took_s = self.row()
        return f"{asked} questions, {wrong} wrong, {failed} failed; {percent:.0f} % not right for {took_s:g} s"


class AlwaysReady:
    """A replica that always answers, from the records that it has applied so far, as FenceX's instances did.

    Its answers name no offsets, so nobody can tell how old they are.
    """

    def __init__(self, feed: Any, index: Any) -> None:
        self._feed, self._index, self._offsets = feed, index, dict[int, int]()

    def poll(self, most: int = 1000) -> int:
        """Apply the next records."""
        found, self._offsets = self._feed.read(self._offsets, most)
        for position in found:
            self._index.put(position)
        return len(found)

    def within(self, polygons: Polygons, since_ms: int | None = None, at_least: Any = None) -> Answer:
        """Answer from the records applied so far, however few they are."""
        return Answer(self._index.within(polygons, since_ms), {})


def fail_overs(
    address: str, replica: Callable[..., Any], mover_index: Callable[[], Any], ask: Callable[..., Answer]
) -> list[FailOver]:
    """Return how the kill affects round robin over replicas that are always ready, and how it affects `ask`.

    replica, mover_index, ask: the learner's tasks. A right answer names exactly the movers of FENCE.
    """
    known = positions("fail over", POSITIONS, MOVERS)
    topic = new_topic(address, PARTITIONS, ANY_TIME)
    send(address, topic, map(_record, known))
    index = mover_index()
    for each in known:
        index.put(each)
    expected = index.within(FENCE)

    def served(kind: Callable[..., Any]) -> Callable[[], Any]:
        return lambda: kind(TopicFeed(address, topic), mover_index())

    def in_turns(replicas: Sequence[Any], number: int) -> Answer:
        return replicas[number % len(replicas)].within(FENCE)

    def asked(replicas: Sequence[Any], number: int) -> Answer:
        return ask(replicas, FENCE, first=number % len(replicas))

    ways = {"round robin, always ready": (AlwaysReady, in_turns), "ask, replicas that reject": (replica, asked)}
    return [
        FailOver(way, fail_over(served(kind), how, expected, kill_at_s=KILL_S, span_s=SPAN_S))
        for way, (kind, how) in ways.items()
    ]


def _record(position: Position) -> KeyValueTime:
    value = f'{{"mover": "{position.mover}", "lon": {position.lon!r}, "lat": {position.lat!r}}}'
    return position.mover.encode(), value.encode(), position.time_ms
