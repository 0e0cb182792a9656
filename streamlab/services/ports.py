"""Ports of this machine: find free ones, and the process that holds a taken one."""

import errno
import socket
from contextlib import ExitStack

import psutil

from streamlab.own_host import own_host

HOST = own_host()


def free_ports(count: int) -> list[int]:
    """Return `count` different free ports, chosen by the system."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind((HOST, 0))
        return [int(each.getsockname()[1]) for each in sockets]


def why_not_free(port: int) -> str | None:
    """Return why a server cannot listen on `port` now, or None if it can; closed connections do not block it."""
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
    """Return whether the process itself listens on `port`; True if the system does not reveal it."""
    try:
        connections = psutil.Process(pid).net_connections("tcp")
    except psutil.NoSuchProcess:
        return False
    except (psutil.Error, OSError):
        return True
    return any(each.status == psutil.CONN_LISTEN and each.laddr.port == port for each in connections)


def _holder_of(port: int) -> str:
    """Return the name of the process that listens on `port`, if the system reveals it."""
    try:
        for each in psutil.net_connections("tcp"):
            if each.laddr and each.laddr.port == port and each.status == psutil.CONN_LISTEN and each.pid:
                return f"pid {each.pid} ({psutil.Process(each.pid).name()})"
    except (psutil.Error, OSError):
        pass
    return "another program"
