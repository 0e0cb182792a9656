"""Ports on which this machine serves: free ones, and who has one that is taken.

Keeps out: who listens on them later (streamlab.services.base).
"""

import errno
import socket
from contextlib import ExitStack

import psutil

from streamlab.own_host import own_host

HOST = own_host()


def free_ports(count: int) -> list[int]:
    """`count` different ports that nobody uses now, chosen by the system."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind((HOST, 0))
        return [int(each.getsockname()[1]) for each in sockets]


def why_not_free(port: int) -> str | None:
    """None where a server could listen on `port` now; what is left of closed connections does not count."""
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((HOST, port))
            trial.listen(1)
        except OSError as problem:
            if problem.errno == errno.EACCES:
                return f"port {port} is the system's own, as all below 1024"
            return f"port {port} is taken by {_holder_of(port)}"
    return None


def listens(pid: int, port: int) -> bool:
    """Whether the process listens on `port` itself; True where the system does not tell us."""
    try:
        held = psutil.Process(pid).net_connections("tcp")
    except psutil.NoSuchProcess:
        return False
    except (psutil.Error, OSError):
        return True
    return any(each.status == psutil.CONN_LISTEN and each.laddr.port == port for each in held)


def _holder_of(port: int) -> str:
    """Who listens on `port`, as far as the system tells us."""
    try:
        for each in psutil.net_connections("tcp"):
            if each.laddr and each.laddr.port == port and each.status == psutil.CONN_LISTEN and each.pid:
                return f"pid {each.pid} ({psutil.Process(each.pid).name()})"
    except (psutil.Error, OSError):
        pass
    return "another program"
