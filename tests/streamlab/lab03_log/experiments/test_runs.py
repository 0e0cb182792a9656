"""A run measures the delay of messages on real Spark over each integration."""

import math
from typing import Any

import pytest

from streamlab.experiments.limits import file_bytes_per_s, loopback_bytes_per_s
from streamlab.experiments.waiting import wait_until
from streamlab.lab03_log.experiments.integrations import Files, Integration, Kafka, PacedSender, Tcp
from streamlab.lab03_log.experiments.queries import Batch
from streamlab.lab03_log.experiments.runs import Load, mean_delay_s, mean_of, warmed_up
from streamlab.services.base import Service


@pytest.fixture(scope="module")
def ways(kafka: Service) -> dict[str, Integration]:
    return {"tcp": Tcp(), "file": Files(), "kafka": Kafka(kafka.address)}


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.parametrize("name", ["tcp", "file", "kafka"])
def test_a_sustainable_rate_has_a_finite_delay(name: str, ways: dict[str, Integration], spark: Any) -> None:
    delay_s = mean_delay_s(spark, ways[name], Load(1000, 0.0), rate_per_s=20, interval_s=1.0, run_s=4.0)

    assert 0 < delay_s < 60


@pytest.mark.slow
def test_a_rate_beyond_the_cores_has_an_infinite_delay(spark: Any) -> None:
    assert mean_delay_s(spark, Tcp(), Load(100, 0.1), rate_per_s=100, interval_s=0.5, run_s=3.0) == math.inf


def test_the_mean_is_over_messages_and_leaves_out_the_warm_up() -> None:
    done = [Batch(5, 9.0), Batch(5, 9.0), Batch(1, 0.4), Batch(3, 0.2)]

    assert mean_of(done, left_over=0, allowed=4) == pytest.approx(0.25)


class _Stream:
    """A source that has sent `sent` messages, and batches that finish between polls."""

    def __init__(self, sent: int, done: list[list[Batch]]) -> None:
        self.sent, self._done = sent, done

    def batches(self) -> list[Batch]:
        return self._done.pop(0) if len(self._done) > 1 else self._done[0]

    def problem(self) -> str | None:
        return None


def test_a_run_starts_when_the_warm_up_batches_are_done() -> None:
    first, second = Batch(5, 9.0), Batch(5, 3.0)
    stream: Any = _Stream(10, [[], [], [first], [first], [first, second]])

    assert warmed_up(stream, stream, most_waiting=100)


@pytest.mark.parametrize(("sent", "limit_s"), [(1000, 30.0), (10, 0.0)])
def test_a_stream_that_piles_up_or_never_starts_does_not_warm_up(sent: int, limit_s: float) -> None:
    stream: Any = _Stream(sent, [[]])

    assert not warmed_up(stream, stream, most_waiting=100, limit_s=limit_s)


def test_messages_that_remain_or_never_arrive_have_an_infinite_delay() -> None:
    assert mean_of([Batch(5, 0.1)] * 4, left_over=12, allowed=4) == math.inf
    assert mean_of([], left_over=0, allowed=4) == math.inf


def test_a_source_sends_the_requested_number_of_messages_and_no_more() -> None:
    seen: list[int] = []
    sender = PacedSender(seen.append, rate_per_s=1e6, most=10)
    sender.begin()
    wait_until(lambda: sender.sent == 10, "ten messages were not sent")
    sender.end()

    assert seen == list(range(10))


def test_the_bandwidth_of_loopback_and_files_is_measured() -> None:
    assert loopback_bytes_per_s() > 1e6
    assert file_bytes_per_s() > 1e6
