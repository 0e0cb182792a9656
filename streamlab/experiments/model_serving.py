"""Experiment of Lab 6: a model in the process or in a server at a distance, one line per call or many."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from streamlab.enrichment.log_lines import LogLine, log_lines
from streamlab.enrichment.log_models import open_session

LINES, BATCH = 2000, 256
PAPER_MS = {"ResNet-18": (871, 461, 91), "ResNet-101": (1663, 1098, 217)}  # fetch, open a session, predict: table II


def lines_per_s(classify_logs: Any, sessions: Any, distances_ms: Sequence[float]) -> list[tuple[str, float, float]]:
    """Return (where the model is, lines/s one by one, lines/s in batches of 256): embedded, and at each distance.

    A server at a distance answers a call after that time; it computes what `classify_logs` computes.
    """
    lines = log_lines("serving", LINES)

    def at(name: str, distance_s: float) -> tuple[str, float, float]:
        alone, many = (_rate(classify_logs, sessions, lines, batch, distance_s) for batch in (1, BATCH))
        return name, alone, many

    return [at("embedded", 0.0), *(at(f"server at {ms:g} ms", ms / 1000) for ms in distances_ms)]


def session_and_prediction_ms(service: str = "web") -> tuple[float, float]:
    """Return the ms to open a session of a small model, and those to classify one line with it."""
    import numpy as np

    text = {"text": np.array([["GET /index 200 12 bytes in 9 ms"]], dtype=object)}
    open_ms, session = _took_ms(lambda: open_session(service))
    return open_ms, min(_took_ms(lambda: session.run(["label"], text))[0] for _ in range(50))


def _took_ms(call: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    result = call()
    return 1000 * (time.perf_counter() - began), result


def _rate(classify_logs: Any, sessions: Any, lines: Sequence[LogLine], batch: int, distance_s: float) -> float:
    import pandas as pd

    some = lines if batch > 1 else lines[:300]
    rows = [(str(at), each.service, each.content) for at, each in enumerate(some)]
    frame = pd.DataFrame(rows, columns=["id", "service", "content"])

    def frames() -> Iterator[Any]:
        for begin in range(0, len(frame), batch):
            if distance_s:
                time.sleep(distance_s)
            yield frame[begin : begin + batch]

    list(classify_logs(iter([frame[:10]]), open_session, sessions))  # sessions are open before it is measured
    took_ms, answers = _took_ms(lambda: list(classify_logs(frames(), open_session, sessions)))
    if sum(map(len, answers)) != len(frame):
        raise RuntimeError(f"expected {len(frame)} lines to come out, got {sum(map(len, answers))}")
    return 1000 * len(frame) / took_ms
