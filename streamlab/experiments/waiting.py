"""Waits for a condition that other processes or threads fulfil."""

import time
from collections.abc import Callable

START_LIMIT_S = 30.0
POLL_S = 0.01


def wait_until(condition: Callable[[], bool], failure: str, limit_s: float = START_LIMIT_S) -> None:
    """Wait until `condition()` is true; raises TimeoutError, with the text `failure`, after `limit_s`."""
    deadline = time.monotonic() + limit_s
    while not condition():
        time.sleep(POLL_S)
        if time.monotonic() > deadline:
            raise TimeoutError(f"{failure} within {limit_s:.0f} s")
