"""A Spark session that starts in the background while work that needs no Spark continues.

In a sandbox, the notebook's own `spark = session("…")` returns a proxy. Its first use starts the session and waits.
"""

import importlib
import os
import threading
import time
from typing import Any

from autograder.inside.drives import DRIVES
from streamlab.spark import jvm

IMPORTED_AT_ONCE = ("pyspark.sql", "pyspark.streaming")


def _elastic(lab: str) -> tuple[int, int] | None:
    """Return the (workers, cores) of the elastic cluster that a drive of this lab needs, or None."""
    own = (each for each in DRIVES.values() if each.run.__module__.startswith(f"autograder.stages.{lab}."))
    return next((each.elastic for each in own if each.elastic), None)


class SparkLater:
    """A session that `start()` begins in a thread; `get()` waits for it and raises its error."""

    def __init__(self, lab: str) -> None:
        self.seconds = 0.0
        self._lab = lab
        self._elastic: tuple[int, int] | None = None
        self._session: Any = None
        self._problem: BaseException | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start Java, and then the session in a thread; a second call does nothing."""
        if self._thread is not None:
            return
        began = time.monotonic()
        self._elastic = _elastic(self._lab)
        if self._elastic:
            os.environ[jvm.EXECUTORS] = "1"
        jvm.start_early()
        for name in IMPORTED_AT_ONCE:  # while Java starts, and before a thread and the notebook could both import it
            importlib.import_module(name)
        jvm.cache_class_lookups()  # now, since it changes py4j, and the seal would report a later change
        self._thread = threading.Thread(target=self._start, args=(began,), name="spark-start", daemon=True)
        self._thread.start()

    def _start(self, began: float) -> None:
        try:
            from streamlab.spark import session

            self._session = session(self._lab, elastic=self._elastic)
        except BaseException as problem:
            self._problem = problem
        self.seconds = time.monotonic() - began

    @property
    def is_gone(self) -> bool:
        """Whether the session existed and its Java process has ended."""
        return self._session is not None and not self._session.sparkContext._gateway.streamlab_jvm.is_running

    def get(self) -> Any:
        """Wait for the session, make it active in the calling thread and return it.

        Raises RuntimeError if Spark did not start.
        """
        self.start()
        assert self._thread is not None
        self._thread.join()
        if self._problem is not None:
            raise RuntimeError(f"Spark did not start: {self._problem}") from self._problem
        java = self._session.sparkContext._jvm
        java.org.apache.spark.sql.classic.SparkSession.setActiveSession(self._session._jsparkSession)
        return self._session


class DeferredSession:
    """A proxy that `session()` returns while a stage is loaded; its first use gets the session."""

    def __init__(self, later: SparkLater) -> None:
        object.__setattr__(self, "_later", later)

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "_later").get(), name)
