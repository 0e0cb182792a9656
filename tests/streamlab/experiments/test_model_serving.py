"""Lines per second of a model in the process and at a distance: what is called, how often, and what it costs."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from streamlab.experiments import model_serving
from streamlab.experiments.model_serving import lines_per_s, session_and_prediction_ms
from tests.autograder.stages.driven_reference import reference
from tests.streamlab.services.conftest import server_programs

for module in "numpy", "onnxruntime", "pandas", "redis":
    server_programs(module)

ONE_BY_ONE = 300  # lines


class CountedClassifier:
    """Gives the batches back, and notes how many lines each has."""

    def __init__(self, lost: int = 0) -> None:
        self.sizes, self._lost = list[int](), lost

    def __call__(self, batches: Iterator[Any], open_session: Any, sessions: Any) -> Iterator[Any]:
        for batch in batches:
            self.sizes.append(len(batch))
            yield batch[self._lost :]


def test_a_server_is_asked_once_for_a_batch_and_each_call_takes_its_distance(monkeypatch: pytest.MonkeyPatch) -> None:
    slept_s, stub = list[float](), CountedClassifier()
    monkeypatch.setattr(time, "sleep", slept_s.append)

    found = lines_per_s(stub, None, [1, 5])

    assert [name for name, *_ in found] == ["embedded", "server at 1 ms", "server at 5 ms"]
    calls = [1] * ONE_BY_ONE + [256] * 7 + [2000 - 7 * 256]
    assert stub.sizes == 3 * [10, *calls[:ONE_BY_ONE], 10, *calls[ONE_BY_ONE:]]
    assert slept_s == [0.001] * len(calls) + [0.005] * len(calls)


def test_lines_that_get_lost_are_an_error() -> None:
    with pytest.raises(RuntimeError, match="expected 300 lines to come out, got 0"):
        lines_per_s(CountedClassifier(lost=1), None, [])


def test_a_batch_is_worth_more_where_each_call_costs_a_round_trip(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = reference("lab06_enrichment")
    monkeypatch.setattr(model_serving, "LINES", 512)

    (_, embedded_alone, embedded), (_, far_alone, far) = lines_per_s(lab.classify_logs, lab.LruCache(3), [2])

    assert far_alone < 1 / 0.002
    assert embedded > embedded_alone > far_alone
    assert far > 20 * far_alone


def test_a_session_takes_longer_to_open_than_a_line_to_classify() -> None:
    open_ms, predict_ms = session_and_prediction_ms()

    assert open_ms > predict_ms > 0
