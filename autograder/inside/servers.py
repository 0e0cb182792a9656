"""Real servers for the drives: one of each kind for all cases of a process, which ends with it.

Keeps out: what is done with them (the drives), their jars (the judge has fetched them: there is no network here).
"""

import atexit
from contextlib import ExitStack
from functools import cache
from typing import Any


@cache
def own_server(name: str) -> Any:
    """This process's own server, started at first use.

    Example: own_server("kafka").address
    """
    from streamlab.services import running

    servers = ExitStack()
    atexit.register(servers.close)
    return servers.enter_context(running(name))
