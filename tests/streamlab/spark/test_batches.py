"""Windows are an exact number of batches or rejected; state is saved often enough for short batches."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from streamlab.spark import streaming
from streamlab.spark.batches import STATE_EVERY_BATCHES, save_state_often, whole_batches


def stream_with_batches_of(batch_ms: int) -> Any:
    duration = SimpleNamespace(milliseconds=lambda: batch_ms)
    stream = SimpleNamespace(slideDuration=lambda: duration)
    return SimpleNamespace(_jdstream=SimpleNamespace(dstream=lambda: stream))


@pytest.mark.parametrize(
    ("window_s", "batch_ms", "exact"),
    [
        (0.3, 100, Fraction(3, 10)),
        (2.3, 100, Fraction(23, 10)),  # int(2.3 * 1000) is 2299
        (0.1 + 0.2, 100, Fraction(3, 10)),  # 0.30000000000000004
        (30, 10_000, Fraction(30)),
        (1, 1000, Fraction(1)),
    ],
)
def test_a_whole_number_of_batches_is_returned_exactly(window_s: float, batch_ms: int, exact: Fraction) -> None:
    found = whole_batches(stream_with_batches_of(batch_ms), window_s, batch_ms / 1000)

    assert found == (exact, Fraction(batch_ms, 1000))


@pytest.mark.parametrize("seconds", [0, -0.1, -0.3, 0.05, 0.25, 0.3001, float("nan"), float("inf"), float("-inf")])
def test_a_length_that_is_not_a_whole_number_of_batches_is_rejected_by_name(seconds: float) -> None:
    expected = f"a whole number of batches of 0.1 s, at least one; got {seconds:g} s"
    with pytest.raises(ValueError, match=f"^window_s must be {expected}$".replace("+", r"\+")):
        whole_batches(stream_with_batches_of(100), seconds, 0.1)
    with pytest.raises(ValueError, match=f"^slide_s must be {expected}$".replace("+", r"\+")):
        whole_batches(stream_with_batches_of(100), 0.3, seconds)


def test_state_is_saved_every_few_batches_unless_the_query_sets_an_interval(spark: Any) -> None:
    with streaming(spark, 0.1) as context:
        pairs = context.queueStream([spark.sparkContext.parallelize([("a", 1)])])
        counts = pairs.updateStateByKey(lambda new, total: len(new))
        own = pairs.updateStateByKey(lambda new, total: len(new)).checkpoint(0.2)
        for stream in (counts, own):
            stream.map(str).foreachRDD(lambda batch: None)

        save_state_often(context)

        saved_ms = [stream._jdstream.dstream().checkpointDuration().milliseconds() for stream in (counts, own)]
        assert saved_ms == [100 * STATE_EVERY_BATCHES, 200]
        assert pairs._jdstream.dstream().checkpointDuration() is None
