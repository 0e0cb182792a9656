"""The one running `./lab system up`: its process, port and token in a folder that only its user can read.

A lock on a file says that one runs; the system releases it when the process ends, for whatever reason. The record says
which one; a pid of another process, or of one that began at another time, is never touched.
"""

import fcntl
import json
import os
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from streamlab.own_host import LOOPBACK
from streamlab.services.catalogue import services_folder
from streamlab.services.process import start_of, write_whole

PATIENCE_S, LOOK_EVERY_S, ANSWER_S = 20.0, 0.05, 10.0


class AlreadyRuns(RuntimeError):
    """Another `./lab system up` runs."""


class Silent(RuntimeError):
    """The running system does not answer."""


class Running(NamedTuple):
    """The record of a running system."""

    pid: int
    began: float
    port: int
    token: str

    @property
    def address(self) -> str:
        """The page's address, with the token."""
        return f"http://{LOOPBACK}:{self.port}/{self.token}/"

    @property
    def place(self) -> str:
        """Where a browser finds the page: its address, or in a JupyterHub where the hub's proxy shows it."""
        if not (prefix := prefix_in_hub()):
            return self.address
        server = os.environ.get("JUPYTERHUB_PUBLIC_URL") or f"your hub's address, followed by {prefix}"
        return f"{server}proxy/{self.port}/{self.token}/"

    def is_alive(self) -> bool:
        """Return whether its process still runs."""
        return start_of(self.pid) == self.began

    def stop(self) -> bool:
        """End the process, with SIGKILL if it does not within PATIENCE_S; return whether it ended by itself."""
        for number, patience_s in ((signal.SIGTERM, PATIENCE_S), (signal.SIGKILL, PATIENCE_S)):
            if self.is_alive():
                with suppress(ProcessLookupError):
                    os.kill(self.pid, number)
            deadline_s = time.monotonic() + patience_s
            while self.is_alive() and time.monotonic() < deadline_s:
                time.sleep(LOOK_EVERY_S)
            if not self.is_alive():
                return number == signal.SIGTERM
        return False

    def ask(self, what: str, post: bool = False) -> Any:
        """Return the JSON that the page's server answers; raises Silent."""
        request = urllib.request.Request(self.address + what, data=b"" if post else None)
        request.add_header("Origin", f"http://{LOOPBACK}:{self.port}")
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=ANSWER_S) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as problem:
            raise Silent(problem.read().decode(errors="replace").strip()) from None
        except (OSError, ValueError) as problem:
            raise Silent(f"pid {self.pid} does not answer at port {self.port} ({problem})") from None


def prefix_in_hub() -> str | None:
    """Return the path of this user's server in a JupyterHub, for example "/user/ada/"; None outside of a hub."""
    return os.environ.get("JUPYTERHUB_SERVICE_PREFIX")


def running() -> Running | None:
    """Return the running system, or None."""
    try:
        found = Running(**json.loads(_record().read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return found if found.is_alive() else None


@contextmanager
def only_one() -> Iterator[None]:
    """Hold the lock of the running system for a block; raises AlreadyRuns."""
    folder = _record().parent
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    with open(folder / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            other = running()
            where = f"at {other.place} (pid {other.pid})" if other else "and has not said where yet"
            raise AlreadyRuns(f"a system runs already {where}; `./lab system down` ends it") from None
        try:
            yield
        finally:
            _record().unlink(missing_ok=True)


def note(port: int, token: str) -> Running:
    """Record this process as the running system, and return the record; its lock must be held."""
    found = Running(os.getpid(), start_of(os.getpid()) or 0.0, port, token)
    write_whole(_record(), found._asdict())
    return found


def _record() -> Path:
    return services_folder() / "system" / "up.json"
