"""Apache Cassandra: one node without passwords, bounded to 256 MB of heap and 128 MB of direct memory.

Its 101 jars (60 MB) are fetched once. Settings: https://cassandra.apache.org/doc/5.0/. Clients: cassandra-driver.
"""

import re
import socket
import struct
from pathlib import Path
from typing import ClassVar

from streamlab.java.jars import JarSet, fetched
from streamlab.progress import OnProgress, silent
from streamlab.services.base import Service
from streamlab.services.java_servers import java_command
from streamlab.services.ports import HOST

VERSION = "5.0.9"  # of the jars in the list; conf/cassandra-ivy.xml explains how to make another list
CONF = Path(__file__).resolve().parent / "conf"
JARS = JarSet(f"cassandra-{VERSION}", CONF / "cassandra-jars.sha256")
HEAP_MB, DIRECT_MB = 256, 128
ANSWER_LIMIT_S = 2.0
OPTIONS, SUPPORTED = 5, 6  # of the native protocol, version 4
# packages of Java that Cassandra opens, from its own conf/jvm17-server.options
OPENED = (
    *("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED", "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED"),
    "--add-exports=java.management.rmi/com.sun.jmx.remote.internal.rmi=ALL-UNNAMED",
    *("--add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED", "--add-exports=java.rmi/sun.rmi.server=ALL-UNNAMED"),
    *("--add-exports=java.sql/java.sql=ALL-UNNAMED", "--add-exports=java.base/java.lang.ref=ALL-UNNAMED"),
    *("--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED", "--add-exports=jdk.attach/sun.tools.attach=ALL-UNNAMED"),
    *("--add-opens=java.base/java.lang.module=ALL-UNNAMED", "--add-opens=java.base/jdk.internal.loader=ALL-UNNAMED"),
    *("--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED", "--add-opens=java.base/jdk.internal.reflect=ALL-UNNAMED"),
    *("--add-opens=java.base/jdk.internal.math=ALL-UNNAMED", "--add-opens=java.base/jdk.internal.module=ALL-UNNAMED"),
    "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED",
    *("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED", "--add-opens=java.base/java.io=ALL-UNNAMED"),
    *("--add-opens=java.base/java.lang.reflect=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED"),
    *("--add-opens=java.base/java.util=ALL-UNNAMED", "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED"),
    *("--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED", "-Dio.netty.tryReflectionSetAccessible=true"),
    *(
        "-Djava.security.manager=allow",
        "-Djdk.attach.allowAttachSelf=true",
        f"-XX:MaxDirectMemorySize={DIRECT_MB}m",
        "-Xss256k",
    ),
)
YAML = """\
cluster_name: lab
num_tokens: 1
initial_token: "0"
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters: [{{seeds: "{host}:{storage}"}}]
listen_address: {host}
rpc_address: {host}
native_transport_port: {port}
storage_port: {storage}
ssl_storage_port: {ssl}
start_native_transport: true
authenticator: AllowAllAuthenticator
authorizer: AllowAllAuthorizer
commitlog_sync: periodic
commitlog_sync_period: 1000ms
commitlog_segment_size: 8MiB
commitlog_total_space: 64MiB
memtable_heap_space: 48MiB
memtable_offheap_space: 48MiB
file_cache_size: 32MiB
key_cache_size: 4MiB
concurrent_reads: 8
concurrent_writes: 8
concurrent_compactors: 1
cdc_enabled: false
auto_snapshot: false
auto_bootstrap: false
hinted_handoff_enabled: false
"""
LOGBACK = """\
<configuration><appender name="O" class="ch.qos.logback.core.ConsoleAppender">
<encoder><pattern>%d{HH:mm:ss.SSS} %-5level %logger{0} %msg%n</pattern></encoder></appender>
<root level="WARN"><appender-ref ref="O"/></root></configuration>
"""


class Cassandra(Service):
    """One Cassandra node; `ports` are those for clients, for other nodes (two, unused), and for JMX."""

    name: ClassVar[str] = "cassandra"
    ports_needed: ClassVar[int] = 4
    lock: ClassVar[str | None] = "requirements-databases.lock"
    is_heavy: ClassVar[bool] = True
    error_line: ClassVar[re.Pattern[str]] = re.compile(r"[\d:.]+ ERROR |Exception in thread|java\.lang\.\w+Error")

    @classmethod
    def fetch(cls, on_progress: OnProgress = silent) -> None:
        """Fetch the node's jars."""
        fetched(JARS, on_progress)

    def version(self) -> str:
        """Return the version of the node."""
        return VERSION

    def prepare(self, on_progress: OnProgress) -> list[str]:
        """Fetch the jars at first use, write the settings, and return the command."""
        class_path = ":".join(JARS.paths_in(fetched(JARS, on_progress)))
        port, storage, ssl, _ = self._record.ports
        settings = YAML.format(host=HOST, port=port, storage=storage, ssl=ssl)
        (self.folder / "cassandra.yaml").write_text(settings, encoding="utf-8")
        (self.folder / "logback.xml").write_text(LOGBACK, encoding="utf-8")
        options = [*OPENED, *(f"-D{name}={value}" for name, value in self._properties().items())]
        main = "org.apache.cassandra.service.CassandraDaemon"
        return java_command(main, class_path=class_path, heap_mb=HEAP_MB, folder=self.folder, options=options)

    def answers(self) -> bool:
        """Return whether the node answers OPTIONS with SUPPORTED; listening for clients is its last step."""
        try:
            with socket.create_connection((HOST, self.port), ANSWER_LIMIT_S) as connection:
                connection.sendall(struct.pack("!BBhBi", 4, 0, 0, OPTIONS, 0))
                answer = connection.recv(9)
                return len(answer) >= 5 and answer[4] == SUPPORTED
        except OSError:
            return False

    def _properties(self) -> dict[str, object]:
        """Return system properties for a single node, which need not wait for others."""
        return {
            "cassandra.config": (self.folder / "cassandra.yaml").as_uri(),
            "cassandra.storagedir": self.data,
            "logback.configurationFile": self.folder / "logback.xml",
            "cassandra-foreground": "yes",
            "cassandra.jmx.local.port": self._record.ports[3],
            "cassandra.ring_delay_ms": 1,
            "cassandra.skip_wait_for_gossip_to_settle": 0,
            "cassandra.superuser_setup_delay_ms": 0,
        }
