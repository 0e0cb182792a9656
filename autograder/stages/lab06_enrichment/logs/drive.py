"""Drives `classify_logs` with batches as frames, the lab's real models, and a cache of the newest sessions.

`CountedSession` counts runs, and weak references show which sessions are still alive.
"""

import gc
import weakref
from collections.abc import Iterator
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain, type_name

COLUMNS = ["id", "service", "content"]


class CountedSession:
    """A session of ONNX Runtime that records the number of lines of each run."""

    def __init__(self, service: str, runs: list[Any]) -> None:
        from streamlab.lab06_enrichment.log_models import open_session

        self._session, self._service, self._runs = open_session(service), service, runs

    def run(self, outputs: Any, inputs: Any, *more: Any) -> Any:
        """Run the model."""
        self._runs.append([self._service, len(inputs["text"])])
        return self._session.run(outputs, inputs, *more)


class NewestSessions:
    """A cache that keeps the `places` entries that were put last, regardless of their use."""

    def __init__(self, places: int) -> None:
        self._places, self._entries = places, list[tuple[Any, Any]]()

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key, or `default`."""
        return next((value for each, value in self._entries if each == key), default)

    def put(self, key: Any, value: Any) -> None:
        """Store a value."""
        others = [each for each in self._entries if each[0] != key]
        self._entries = [*others, (key, value)][-self._places :]


class SessionOpener:
    """Opens sessions, and records the requested services and the sessions that are alive.

    The service `new` has the model of another one, `like`.
    """

    def __init__(self, new: str = "", like: str = "") -> None:
        self._new, self._like = new, like
        self.services, self.runs = list[str](), list[Any]()
        self._sessions = list[weakref.ref[CountedSession]]()

    def __call__(self, service: str) -> CountedSession:
        """Open a session. Raises LookupError for an unknown service."""
        session = CountedSession(self._like if self._new and service == self._new else service, self.runs)
        self.services.append(service)
        self._sessions.append(weakref.ref(session))
        return session

    def alive(self) -> int:
        """Return how many sessions are still alive."""
        gc.collect()
        return sum(each() is not None for each in self._sessions)


@drive("classify_logs")
def classify_logs(stage: Any, case: Any) -> Rows:
    """Return the frames, the runs of each batch, the opened services, and the sessions alive after each batch."""
    if "new" in case:
        list(stage.classify_logs(_batches(case["batches"]), SessionOpener(), NewestSessions(case["places"])))
    opener, frames, alive, runs = SessionOpener(*case.get("new", [])), [], [], []
    for frame in stage.classify_logs(_batches(case["batches"]), opener, NewestSessions(case["places"])):
        frames.append(_as_rows(frame))
        alive.append(opener.alive())
        runs.append(list(opener.runs))
        opener.runs.clear()
    return {"frames": frames, "runs": runs, "opened": opener.services, "alive": alive}


def _batches(batches: list[Any]) -> Iterator[Any]:
    import pandas as pd

    for rows in batches:
        yield pd.DataFrame([tuple(row) for row in rows], columns=COLUMNS, dtype=object).astype({"id": "int64"})


def _as_rows(frame: Any) -> Any:
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        return type_name(frame)
    rows = [[_value(each) for each in row] for row in frame.itertuples(index=False, name=None)]
    return {"columns": [str(each) for each in frame.columns], "rows": rows}


def _value(value: Any) -> Any:
    """Return numbers of numpy as Python's."""
    return plain(value.item() if hasattr(value, "item") else value)
