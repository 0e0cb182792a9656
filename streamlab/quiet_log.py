"""Silences a library's log for a while: a notebook's stderr must stay empty, and what matters is raised."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quiet_log(name: str) -> Iterator[None]:
    """Drop what the logger logs while the block runs, up to errors.

    Example: with quiet_log("py4j.clientserver"): query.processAllAvailable()
    """
    log = logging.getLogger(name)
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)
