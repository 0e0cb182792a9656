"""Experiment of Lab 6: a model in the process or in a server at a distance, with one line or many per call."""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any

from streamlab.experiments.published import published
from streamlab.lab06_enrichment.events import Key
from streamlab.lab06_enrichment.log_lines import LogLine, log_lines
from streamlab.lab06_enrichment.log_models import open_session
from streamlab.lab06_enrichment.store_server import StoreClient, StoreServer

LINES, FEWER, BATCH = 2000, 300, 256
PAPER_MS = published("lab06_enrichment", "scheinert", "fetch (ms)", "open a session (ms)", "predict (ms)")


class ModelServer(StoreServer):
    """A store whose row for the key ("log line", service, content) is the line's label, computed on request."""

    def __init__(self, classify_logs: Any, sessions: Any, distance_s: float) -> None:
        self._classify_logs, self._sessions = classify_logs, sessions
        super().__init__({}, distance_s)

    def rows_of(self, keys: list[Key]) -> list[str | None]:
        """Return the label of each line; the lines of a call are one batch."""
        return _labels(self._classify_logs, self._sessions, [(service, content) for _, service, content in keys])


def lines_per_s(classify_logs: Any, sessions: Any, distances_ms: Sequence[float]) -> list[tuple[str, float, float]]:
    """Return (where the model is, lines/s one by one, lines/s in batches of 256): embedded, and at each distance.

    Calls to a server go through a socket, one after another, and each answer takes the server's distance.
    """
    lines = log_lines("serving", LINES)

    def at_server(distance_ms: float) -> tuple[str, float, float]:
        server = ModelServer(classify_logs, sessions, distance_ms / 1000)
        with closing(server), closing(StoreClient(server.address)) as client:
            return f"server at {distance_ms:g} ms", *_rates(lambda some: _asked(client, some), lines)

    embedded = _rates(lambda some: _labels(classify_logs, sessions, some), lines)
    return [("embedded", *embedded), *map(at_server, distances_ms)]


def session_and_prediction_ms(service: str = "web") -> tuple[float, float]:
    """Return the ms to open a session of a small model, and the ms to classify one line with it."""
    import numpy as np

    text = {"text": np.array([["GET /index 200 12 bytes in 9 ms"]], dtype=object)}
    open_ms, session = _took_ms(lambda: open_session(service))
    return open_ms, min(_took_ms(lambda: session.run(["label"], text))[0] for _ in range(50))


def _took_ms(call: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    result = call()
    return 1000 * (time.perf_counter() - began), result


def _labels(classify_logs: Any, sessions: Any, lines: Sequence[tuple[str, str]]) -> list[str | None]:
    import pandas as pd

    rows = [(str(at), *each) for at, each in enumerate(lines)]
    frame = pd.DataFrame(rows, columns=["id", "service", "content"])
    return [label for batch in classify_logs(iter([frame]), open_session, sessions) for label in batch["label"]]


def _asked(client: StoreClient, lines: Sequence[tuple[str, str]]) -> list[str | None]:
    keys = [Key("log line", *each) for each in lines]
    found = client.get_many(keys)
    return [found.get(key) for key in keys]


def _rates(labels: Callable[[Sequence[tuple[str, str]]], list[Any]], lines: Sequence[LogLine]) -> tuple[float, float]:
    """Return the lines/s one by one (for a few lines), and in batches (for all)."""
    texts = [(each.service, each.content) for each in lines]
    labels(texts[:10])  # opens the sessions before the measurement
    return _rate(labels, texts[:FEWER], 1), _rate(labels, texts, BATCH)


def _rate(labels: Callable[[Sequence[Any]], list[Any]], lines: Sequence[tuple[str, str]], batch: int) -> float:
    took_ms, found = _took_ms(lambda: [labels(lines[at : at + batch]) for at in range(0, len(lines), batch)])
    if (out := sum(map(len, found))) != len(lines):
        raise RuntimeError(f"expected {len(lines)} lines to come out, got {out}")
    return 1000 * len(lines) / took_ms
