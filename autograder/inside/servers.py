"""Real servers for the drives: one of each kind for all cases of a process, until the process ends.

A sandbox has no network; the judge has already fetched the servers' jars.
"""

import atexit
import resource
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any

import psutil

_OWN: set[int] = set()


@cache
def own_server(name: str) -> Any:
    """Return this process's own server of this kind; the first call starts it.

    Example: own_server("kafka").address
    """
    from streamlab.services import running

    servers, earlier = ExitStack(), _children()
    atexit.register(servers.close)
    with all_memory():
        server = servers.enter_context(running(name))
    _OWN.update(_children() - earlier)
    return server


@contextmanager
def all_memory() -> Iterator[None]:
    """Lift the memory limit of a case in a warm sandbox: a child would inherit it, and servers need more to start."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def is_own(process: int) -> bool:
    """Return whether this process id belongs to one of these servers, or to a guard of one."""
    return process in _OWN


def _children() -> set[int]:
    return {child.pid for child in psutil.Process().children()}
