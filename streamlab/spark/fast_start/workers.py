"""What Spark starts instead of `pyspark.daemon`, to make its Python workers; because conf/fast_start.conf says so.

Before each task a worker calls importlib.invalidate_caches(), and then Python reads the table of
contents of every zip and jar on its path again, a dozen times: 90 ms a task. Here none is on the path.
And the Java side sends a task in two small packets, of which the second waits until the first is
acknowledged: 40 ms more, unless the worker acknowledges at once. After each task it collects garbage
among all that pyspark loaded: 15 ms, unless those objects are set aside. Keeps out: what a worker does.
"""

import gc
import os
import socket
import sys
from typing import BinaryIO


def drop_archives() -> None:
    """Take zips and jars from this process's module path; pyspark itself is installed as a folder."""
    sys.path[:] = [entry for entry in sys.path if not entry.endswith((".zip", ".jar"))]
    sys.path_importer_cache.clear()


def acknowledge_at_once(infile: BinaryIO) -> None:
    """Switch off the delay of acknowledgements on the socket that `infile` reads, where the system can."""
    if not hasattr(socket, "TCP_QUICKACK"):
        return
    with socket.socket(fileno=os.dup(infile.fileno())) as from_java:
        from_java.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)


def main() -> None:
    """Run pyspark's daemon with these changes."""
    drop_archives()
    from pyspark import daemon

    run_task = daemon.worker_main

    def run_task_soon(infile: BinaryIO, outfile: BinaryIO) -> None:
        acknowledge_at_once(infile)
        run_task(infile, outfile)

    daemon.worker_main = run_task_soon
    gc.collect()
    gc.freeze()
    daemon.manager()


if __name__ == "__main__":
    main()
