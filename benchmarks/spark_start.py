"""Compare a bare PySpark program with the Spark work of a Lab 1 submission, in turns, each in a new process.

`python benchmarks/spark_start.py [--pairs N]` prints seconds of both, the ratio of their medians and its
95 % bootstrap interval. The bare side counts a range and stops; the other makes 11 RDD jobs, runs a DStream from a
queue and one from a socket, a Structured Streaming query with three files in complete mode, and a UDF.
Does not measure the judge (sandbox, notebook, checks).
"""

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.judge.ratio import ratio_of_medians

ROOT = Path(__file__).resolve().parents[1]
LIMIT_S = 60.0
SIDES = ("lab", "start")

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BARE = """
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
spark.range(100_000).groupBy().count().collect()
spark.stop()
"""


def main() -> None:
    """Measure pairs of runs and print their seconds and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--side", choices=SIDES, help="run one side in this process, and print its steps")
    options = parser.parse_args()
    if options.side:
        run_lab(only_start=options.side == "start")
        return
    pairs = []
    for at in range(options.pairs):
        bare_s, lab_s, start_s = seconds_of("-c", BARE), *(seconds_of(__file__, "--side", side) for side in SIDES)
        pairs.append((bare_s, lab_s, start_s))
        print(f"pair {at + 1}: bare {bare_s:.2f} s, Lab 1 {lab_s:.2f} s, start alone {start_s:.2f} s", flush=True)
    for name, column in (("Lab 1", 1), ("start alone", 2)):
        ratio = ratio_of_medians([(pair[column], pair[0]) for pair in pairs])
        interval = f"95 % interval {ratio.low:.2f} to {ratio.high:.2f}, {len(pairs)} pairs"
        print(f"{name} / bare: {ratio.value:.2f} ({interval})")


def seconds_of(*arguments: str) -> float:
    """Run a new Python with these arguments; return the seconds from its start to its end."""
    began = time.perf_counter()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([sys.executable, *arguments], check=True, env=os.environ | {"PYTHONPATH": str(ROOT)}, **quiet)  # type: ignore[call-overload]
    return time.perf_counter() - began


def run_lab(only_start: bool) -> None:
    """Run the tuned side; after each step, print the seconds since this call."""
    began = time.perf_counter()
    from streamlab.spark import jvm, session

    jvm.start_early()
    spark = session("benchmark")
    steps: list[Callable[[SparkSession], object]] = [count_range] if only_start else STEPS
    print(f"{time.perf_counter() - began:6.2f} s session")
    for step in steps:
        step(spark)
        print(f"{time.perf_counter() - began:6.2f} s {step.__name__}")


def count_range(spark: "SparkSession") -> None:
    """Count a range, as the bare side does."""
    spark.range(100_000).groupBy().count().collect()


def batch_jobs(spark: "SparkSession") -> None:
    """Run eleven word counts on RDDs with 1 to 3 partitions."""
    for at in range(11):
        lines = spark.sparkContext.parallelize(["to be or not", "to be"] * 20, 1 + at % 3)
        counts = lines.flatMap(str.split).map(lambda word: (word, 1)).reduceByKey(lambda left, right: left + right)
        assert dict(counts.collect())["to"] == 40


def queue_stream(spark: "SparkSession") -> None:
    """Count words in four micro-batches from a queue."""
    from streamlab.spark import streaming

    batches = [spark.sparkContext.parallelize(["to be", "to"], 2) for _ in range(4)]
    seen: list[Any] = []
    with streaming(spark, 0.2) as stream:
        counts = stream.queueStream(batches).flatMap(str.split).countByValue()
        counts.foreachRDD(lambda rdd: seen.append(rdd.collect()))
        stream.start()
        wait_until(lambda: len(seen) >= 4)


def socket_stream(spark: "SparkSession") -> None:
    """Count words in lines from a socket, until all are counted."""
    from streamlab.spark import streaming

    seen: list[tuple[str, int]] = []
    with socket.create_server(("127.0.0.1", 0)) as server, streaming(spark, 0.2) as stream:
        threading.Thread(target=send_lines, args=(server,), daemon=True).start()
        lines = stream.socketTextStream("127.0.0.1", server.getsockname()[1])
        lines.flatMap(str.split).countByValue().foreachRDD(lambda rdd: seen.extend(rdd.collect()))
        stream.start()
        wait_until(lambda: sum(count for _, count in seen) == 60)


def send_lines(server: socket.socket) -> None:
    """Act as the source of `socket_stream`."""
    client, _ = server.accept()
    with client:
        client.sendall(b"to be to\n" * 20)
        client.recv(1)


def file_stream(spark: "SparkSession") -> None:
    """Run a streaming query over three files, one after the other, in complete mode."""
    from pyspark.sql import functions as f

    with tempfile.TemporaryDirectory() as folder:
        words = spark.readStream.text(folder).select(f.explode(f.split(f.lower("value"), " ")).alias("word"))
        counts = words.groupBy("word").count()
        query = counts.writeStream.format("memory").queryName("counts").outputMode("complete").start()
        for at in range(3):
            Path(folder, f"{at}.txt").write_text("to be\nto\n", encoding="utf-8")
            query.processAllAvailable()
            assert {row["word"]: row["count"] for row in spark.table("counts").collect()}["to"] == 2 * (at + 1)
        query.stop()


def python_function(spark: "SparkSession") -> None:
    """Apply a UDF to a DataFrame made in Python."""
    from pyspark.sql import functions as f

    upper = f.udf(str.upper, "string")
    spark.createDataFrame([("a", 1), ("b", 2)], ["word", "count"]).select(upper("word")).collect()


def wait_until(reached: Callable[[], bool]) -> None:
    """Wait until `reached` returns true; raise TimeoutError after `LIMIT_S`."""
    deadline = time.monotonic() + LIMIT_S
    while not reached():
        if time.monotonic() > deadline:
            raise TimeoutError(f"no progress in {LIMIT_S:.0f} s")
        time.sleep(0.005)


STEPS: list[Callable[["SparkSession"], object]] = [
    batch_jobs,
    queue_stream,
    socket_stream,
    file_stream,
    python_function,
]

if __name__ == "__main__":
    main()
