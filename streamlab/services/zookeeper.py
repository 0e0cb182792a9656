"""Apache ZooKeeper: one server, from the jars that come with pyspark, bounded to 128 MB of heap.

Settings: https://zookeeper.apache.org/doc/r3.9.3/zookeeperAdmin.html.
"""

import re
import socket
from pathlib import Path
from typing import ClassVar

from streamlab.java.finder import pyspark_jars
from streamlab.progress import OnProgress
from streamlab.services.base import Service
from streamlab.services.java_servers import java_command, properties
from streamlab.services.ports import HOST
from streamlab.services.process import ServiceError

HEAP_MB = 128
ANSWER_LIMIT_S = 2.0
# with all of pyspark's 300 jars the server takes 30 MB more memory and starts a third slower
NEEDED = re.compile(
    r"(zookeeper|netty-(buffer|codec|common|handler|resolver|transport)|slf4j-api|log4j-(api|core|slf4j2)"
    r"|metrics-core|snappy|commons-cli|commons-io|audience)"
)
SETTINGS = {
    "tickTime": 500,  # ms; sessions last from 2 to 20 of them
    "dataDir": "./data",
    "clientPortAddress": HOST,
    "maxClientCnxns": 0,  # no limit for each host: all clients are on this one, and more than 60 would never connect
    "admin.enableServer": "false",
    "4lw.commands.whitelist": "ruok,srvr,mntr",
}


class ZooKeeper(Service):
    """One ZooKeeper server; `address` is the argument of kazoo's `KazooClient(hosts=…)`."""

    name: ClassVar[str] = "zookeeper"
    # it logs this message if `answers` connects while it starts and it cannot yet close the connection cleanly
    error_line: ClassVar[re.Pattern[str]] = re.compile(
        f"(?!.* Error closing a command socket)(?:{Service.error_line.pattern})"
    )

    def version(self) -> str:
        """Return the version of the jar in pyspark."""
        return _jar().stem.removeprefix("zookeeper-")

    def prepare(self, on_progress: OnProgress) -> list[str]:
        """Write the settings and return the command; pyspark has the jars."""
        settings = properties(SETTINGS | {"clientPort": self._record.ports[0]})
        (self.folder / "zoo.cfg").write_text(settings, encoding="ascii")
        main = "org.apache.zookeeper.server.quorum.QuorumPeerMain"
        jars = ":".join(str(jar) for jar in pyspark_jars() if NEEDED.match(jar.name))
        return java_command(main, "zoo.cfg", class_path=jars, heap_mb=HEAP_MB, folder=self.folder)

    def answers(self) -> bool:
        """Return whether the server reports its mode, as it does once it serves clients."""
        try:
            with socket.create_connection((HOST, self.port), ANSWER_LIMIT_S) as connection:
                connection.sendall(b"srvr")
                with connection.makefile("rb") as answer:
                    return b"\nMode: " in answer.read()
        except OSError:
            return False


def _jar() -> Path:
    found = [jar for jar in pyspark_jars() if re.fullmatch(r"zookeeper-\d[\d.]*\.jar", jar.name)]
    if not found:
        raise ServiceError("pyspark holds no zookeeper jar; install the release that requirements.lock names")
    return found[-1]
