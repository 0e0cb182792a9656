"""A Spark session that starts in the background while work that needs no Spark goes on.

The notebook's own `spark = session("…")` gives a stand-in here, which waits only when it is used.
"""

import threading
import time
from typing import Any


class SparkLater:
    """Starts a session in a thread at once; `get()` waits for it and raises what went wrong."""

    def __init__(self, lab: str) -> None:
        self._session: Any = None
        self._problem: BaseException | None = None
        self.seconds = 0.0
        self._thread = threading.Thread(target=self._start, args=(lab,), name="spark-start", daemon=True)
        self._thread.start()

    def _start(self, lab: str) -> None:
        began = time.monotonic()
        try:
            from streamlab.spark import session

            self._session = session(lab)
        except BaseException as problem:
            self._problem = problem
        self.seconds = time.monotonic() - began

    def get(self) -> Any:
        """The session, waited for."""
        self._thread.join()
        if self._problem is not None:
            raise RuntimeError(f"Spark did not start: {self._problem}") from self._problem
        return self._session


class StandIn:
    """What `session()` returns while a stage is loaded: the session itself, at its first use."""

    def __init__(self, later: SparkLater) -> None:
        object.__setattr__(self, "_later", later)

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "_later").get(), name)
