"""The daemon that makes Spark's Python workers, in place of `pyspark.daemon`; conf/fast_start.conf sets it.

It saves three delays. Before each task, a worker calls importlib.invalidate_caches(); Python then reads the table of
contents of every zip and jar on its path again, a dozen times (90 ms a task), so none stays on the path. Java sends a
task in two small packets, and the second waits for the acknowledgement of the first (40 ms more), so the worker
acknowledges at once. After each task, the worker collects garbage among all objects that pyspark loaded (15 ms), so
those objects are frozen.
"""

import gc
import importlib
import os
import socket
import sys
from typing import Any, BinaryIO


def drop_archives() -> None:
    """Take zips and jars from this process's module path; pyspark itself is installed as a folder."""
    sys.path[:] = [entry for entry in sys.path if not entry.endswith((".zip", ".jar"))]
    sys.path_importer_cache.clear()


def acknowledge_at_once(infile: BinaryIO) -> None:
    """Switch off delayed acknowledgements on the socket that `infile` reads, if the system supports it."""
    if not hasattr(socket, "TCP_QUICKACK"):
        return
    with socket.socket(fileno=os.dup(infile.fileno())) as from_java:
        from_java.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)


def main() -> None:
    """Run pyspark's daemon with these changes; Spark names the module of its workers as the first argument."""
    drop_archives()
    worker: Any = importlib.import_module(sys.argv[1])
    run_task = worker.main

    def run_task_soon(infile: BinaryIO, outfile: BinaryIO) -> None:
        acknowledge_at_once(infile)
        run_task(infile, outfile)

    worker.main = run_task_soon  # before the daemon's import: in pyspark 4.0 it copies the name, in 4.2 after each fork
    from pyspark import daemon

    gc.collect()
    gc.freeze()
    daemon.manager()


if __name__ == "__main__":
    main()
