"""Waiting for something that other processes or threads do."""

import time
from collections.abc import Callable

START_LIMIT_S = 30.0
POLL_S = 0.01


def wait_until(true: Callable[[], bool], else_say: str, limit_s: float = START_LIMIT_S) -> None:
    """Wait until `true()`; TimeoutError after `limit_s`."""
    deadline = time.monotonic() + limit_s
    while not true():
        time.sleep(POLL_S)
        if time.monotonic() > deadline:
            raise TimeoutError(f"{else_say} within {limit_s:.0f} s")
