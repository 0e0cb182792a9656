"""Lines per second of an embedded and a remote model: its calls and their cost."""

import time
from collections.abc import Iterator
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import pytest

from streamlab.lab06_enrichment import store_server
from streamlab.lab06_enrichment.events import Key
from streamlab.lab06_enrichment.experiments import model_serving
from streamlab.lab06_enrichment.experiments.model_serving import ModelServer, lines_per_s, session_and_prediction_ms
from streamlab.lab06_enrichment.store_server import StoreClient
from tests.autograder.stages.driven_reference import reference
from tests.streamlab.services.conftest import server_programs

for module in "numpy", "onnxruntime", "pandas", "redis":
    server_programs(module)

ONE_BY_ONE = 300  # lines


class CountedClassifier:
    """Labels each line with its own service, and records the size of each batch."""

    def __init__(self, lost: int = 0) -> None:
        self.sizes, self._lost = list[int](), lost

    def __call__(self, batches: Iterator[Any], open_session: Any, sessions: Any) -> Iterator[Any]:
        for batch in batches:
            self.sizes.append(len(batch))
            yield batch.assign(label=batch["service"])[self._lost :]


def test_a_server_is_called_once_per_batch() -> None:
    stub = CountedClassifier()
    found = lines_per_s(stub, None, [0])

    assert [name for name, *_ in found] == ["embedded", "server at 0 ms"]
    calls = [1] * ONE_BY_ONE + [256] * 7 + [2000 - 7 * 256]
    assert stub.sizes == 2 * [10, *calls]


def test_each_call_to_a_server_takes_its_round_trip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_serving, "LINES", 300)
    (_, alone, many), *_ = lines_per_s(CountedClassifier(), None, [5])[1:]

    assert alone < 1 / 0.005
    assert alone < many < 256 / 0.005


def test_a_server_answers_with_the_labels_of_its_model() -> None:
    with closing(ModelServer(CountedClassifier(), None, 0)) as server, closing(StoreClient(server.address)) as client:
        keys = [Key("log line", service, "text") for service in ("web", "auth")]

        assert client.get_many(keys) == {keys[0]: "web", keys[1]: "auth"}
        assert len(server.calls) == 1


def test_lost_lines_raise_runtime_error() -> None:
    with pytest.raises(RuntimeError, match="expected 300 lines to come out, got 0"):
        lines_per_s(CountedClassifier(lost=1), None, [])


def test_batching_gains_more_if_each_call_costs_a_round_trip(monkeypatch: pytest.MonkeyPatch) -> None:
    lab, waited_s = reference("lab06_enrichment"), list[float]()
    clock = SimpleNamespace(perf_counter=lambda: time.process_time() + sum(waited_s))  # other processes do not count
    monkeypatch.setattr(model_serving, "LINES", 512)
    monkeypatch.setattr(model_serving, "time", clock)
    monkeypatch.setattr(store_server, "time", SimpleNamespace(sleep=waited_s.append))
    (_, embedded_alone, embedded), (_, far_alone, far) = lines_per_s(lab.classify_logs, lab.LruCache(3), [2])

    assert far_alone < 1 / 0.002
    assert embedded > embedded_alone > far_alone
    assert far > 20 * far_alone


def test_opening_a_session_takes_longer_than_classifying_a_line() -> None:
    open_ms, predict_ms = session_and_prediction_ms()

    assert open_ms > predict_ms > 0
