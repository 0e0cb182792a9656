"""Real servers for the drives: one of each kind for all cases of a process, which ends with it.

Keeps out: what is done with them (the drives), their jars (the judge has fetched them: there is no network here).
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
    """This process's own server, started at first use.

    Example: own_server("kafka").address
    """
    from streamlab.services import running

    servers, earlier = ExitStack(), _children()
    atexit.register(servers.close)
    with _all_memory():
        server = servers.enter_context(running(name))
    _OWN.update(_children() - earlier)
    return server


@contextmanager
def _all_memory() -> Iterator[None]:
    """Lift the limit of one case of a warm sandbox: a child would inherit it, and Java does not start in so little."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def is_own(process: int) -> bool:
    """Whether this process is one of these servers, or guards one."""
    return process in _OWN


def _children() -> set[int]:
    return {child.pid for child in psutil.Process().children()}
