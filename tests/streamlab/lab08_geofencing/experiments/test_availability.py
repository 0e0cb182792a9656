"""The figures reported for the questions during a failover."""

from streamlab.lab08_geofencing.experiments.availability import AlwaysReady, FailOver
from streamlab.lab08_geofencing.geo import Answer, Position
from streamlab.lab08_geofencing.replicas import Span

START = [Span(0.0, 5, 4, 0), Span(0.25, 9, 0, 0)]
SPANS = [*START, Span(2.0, 6, 0, 3), Span(2.25, 9, 0, 0), Span(2.5, 8, 1, 0), Span(2.75, 9, 0, 0)]


class Feed:
    def read(self, offsets: dict[int, int], most: int) -> tuple[list[Position], dict[int, int]]:
        offset = offsets.get(0, 0)
        return ([Position(f"cow-{offset}", 0, 0.0, 0.0, offset)] if offset < 2 else []), {0: min(2, offset + 1)}


class Everyone:
    def __init__(self) -> None:
        self._movers: list[str] = []

    def put(self, position: Position) -> bool:
        self._movers.append(position.mover)
        return True

    def within(self, polygons: object, since_ms: int | None = None) -> list[str]:
        return list(self._movers)


def test_the_share_covers_the_first_to_the_last_bad_span_after_the_kill() -> None:
    assert FailOver("round robin", SPANS).row() == ("round robin", 54, 5, 3, 100 * 4 / 27, 0.75)


def test_the_share_is_0_if_no_span_after_the_kill_is_bad() -> None:
    assert FailOver("ask", START).row()[4:] == (0.0, 0)


def test_the_summary_has_all_counts() -> None:
    assert FailOver("way", SPANS).in_words() == "54 questions, 5 wrong, 3 failed; 15 % not right for 0.75 s"


def test_a_replica_that_is_always_ready_answers_before_its_first_read() -> None:
    replica = AlwaysReady(Feed(), Everyone())

    assert replica.within(()) == Answer([], {})
    assert [replica.poll(), replica.poll(), replica.poll()] == [1, 1, 0]
    assert replica.within(()) == Answer(["cow-0", "cow-1"], {})
