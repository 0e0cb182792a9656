"""Spark's Java process, started directly: without the shell scripts and the second Java of spark-submit.

`start_early()` returns at once, so that Python can work while Java starts; `connect()` waits for it.
All that Java and Spark's Python workers print goes to a file (`log_file`). Keeps out: which Java
(`streamlab.java`), settings of sessions (`streamlab.spark`).
"""

import atexit
import importlib.util
import os
import shutil
import struct
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from streamlab.java import find_java

ROOT = Path(__file__).resolve().parents[1]
CONF = Path(__file__).resolve().parent / "conf"
START_LIMIT_S = 120.0

# What Spark's launcher (org.apache.spark.launcher.JavaModuleOptions) opens to Spark, but for the vector module.
OPENED = (
    "java.base/java.lang java.base/java.lang.invoke java.base/java.lang.reflect java.base/java.io java.base/java.net "
    "java.base/java.nio java.base/java.util java.base/java.util.concurrent java.base/java.util.concurrent.atomic "
    "java.base/jdk.internal.ref java.base/sun.nio.ch java.base/sun.nio.cs java.base/sun.security.action "
    "java.base/sun.util.calendar java.security.jgss/sun.security.krb5"
).split()
ALWAYS = [
    "-XX:+IgnoreUnrecognizedVMOptions",
    *(f"--add-opens={each}=ALL-UNNAMED" for each in OPENED),
    "-Djdk.reflect.useDirectMethodHandle=false",
    "-Dio.netty.tryReflectionSetAccessible=true",
    f"-Dlog4j2.configurationFile={(CONF / 'log4j2.properties').as_uri()}",
]
TUNINGS = {
    "short": ["-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"],
    "throughput": ["-Xmx1g", "-XX:+UseSerialGC"],
}


class SparkDidNotStart(RuntimeError):
    """Java ended or hung before Spark was there; the message ends with the last line of its log."""


@dataclass
class Jvm:
    """A Java process for Spark; `folder` holds its log and Spark's temporary files, and goes when it ends."""

    process: subprocess.Popen[bytes]
    folder: Path

    @property
    def log_file(self) -> Path:
        """Where Java, Spark and the Python workers print."""
        return self.folder / "spark.log"

    @property
    def is_running(self) -> bool:
        """Whether the process is alive."""
        return self.process.poll() is None

    def address(self) -> tuple[int, str]:
        """Wait until Java listens; its port on the loopback and the secret that it expects."""
        written = self.folder / "address"
        deadline = time.monotonic() + START_LIMIT_S
        while not written.exists():
            if not self.is_running or time.monotonic() > deadline:
                raise SparkDidNotStart(f"Spark's Java process {self._fate()}: {self._last_line()}")
            time.sleep(0.002)
        raw = written.read_bytes()
        port, length = struct.unpack_from("!ii", raw)
        return port, raw[8 : 8 + length].decode("utf-8")

    def stop(self) -> None:
        """End the process and delete its folder; a second call does nothing."""
        if self.process.stdin:
            self.process.stdin.close()  # Spark's gateway ends when its input does
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _fate(self) -> str:
        return "did not answer" if self.is_running else f"ended with code {self.process.returncode}"

    def _last_line(self) -> str:
        lines = self.log_file.read_text(encoding="utf-8", errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it printed nothing")


_started: Jvm | None = None


def start_early(tuned: str | None = None) -> Jvm:
    """Start Spark's Java process if none runs in this Python, and return without waiting for it.

    `tuned` is "short" (default) or "throughput"; see docs/speed.md. Raises `JavaNotFound`.
    """
    global _started
    if _started is None or not _started.is_running:
        _started = _start(tuned_as(tuned))
    return _started


def tuned_as(tuned: str | None) -> str:
    """The name of a tuning: what was asked for, else `STREAMLAB_TUNING`, else "short"."""
    name = tuned or os.environ.get("STREAMLAB_TUNING") or "short"
    if name not in TUNINGS:
        raise ValueError(f"expected a tuning of {', '.join(TUNINGS)}, got {name!r}")
    return name


def connect(jvm: Jvm) -> Any:
    """The py4j gateway to a Java process that was started; waits until it listens."""
    from pyspark import java_gateway

    port, secret = jvm.address()
    handshake = {"PYSPARK_GATEWAY_PORT": str(port), "PYSPARK_GATEWAY_SECRET": secret}
    os.environ.update(handshake)
    try:
        return java_gateway.launch_gateway()
    finally:
        for name in handshake:
            os.environ.pop(name, None)


def class_path() -> str:
    """Every jar of the installed pyspark by name: a class archive is only good for the very same list."""
    return ":".join(str(jar) for jar in sorted(pyspark_folder().glob("jars/*.jar")))


def pyspark_folder() -> Path:
    """Where pyspark is installed, found without importing it."""
    found = importlib.util.find_spec("pyspark")
    if found is None or found.origin is None:
        raise SparkDidNotStart("pyspark is not installed: `pip install -r requirements.lock`")
    return Path(found.origin).parent


def command(tuning: str, folder: Path) -> list[str]:
    """The command line of Java for Spark."""
    options = [*TUNINGS[tuning], *ALWAYS, f"-Djava.io.tmpdir={folder}"]
    return [find_java().program, "-cp", class_path(), *options, "org.apache.spark.api.python.PythonGatewayServer"]


def _start(tuning: str) -> Jvm:
    folder = Path(tempfile.mkdtemp(prefix="streamlab-spark-"))
    try:
        with open(folder / "spark.log", "wb") as log:
            process = subprocess.Popen(
                command(tuning, folder),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=_environment(folder),
                process_group=0,  # an interrupt of the notebook is for Python, not for Java
            )
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    jvm = Jvm(process, folder)
    atexit.register(jvm.stop)
    return jvm


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("SPARK_HOME", "SPARK_CONF_DIR")}
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return kept | {
        "_PYSPARK_DRIVER_CONN_INFO_PATH": str(folder / "address"),
        "PYTHONPATH": ":".join(paths),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_HOSTNAME": "localhost",
    }
