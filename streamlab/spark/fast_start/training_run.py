"""The runs of Java that prepare Spark: one compiles the kit's Java class, one archives the classes that it loads.

class_archive.py calls `python -m streamlab.spark.fast_start.training_run compile|archive FOLDER`. The second run
does a little of everything that labs do, since only loaded classes are archived.
"""

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from streamlab.java.finder import find_java, java_environment
from streamlab.spark import jvm, session, streaming
from streamlab.spark.fast_start import class_archive

LIMIT_S = 120.0


def compile_own_classes(folder: Path) -> None:
    """Compile the sources in fast_start/java with the compiler in Spark's jars and pack the classes."""
    started = jvm.start_early()
    gateway = jvm.connect(started)
    java = gateway.jvm
    sources = [str(path) for path in sorted(class_archive.JAVA_SOURCES.rglob("*.java"))]
    with tempfile.TemporaryDirectory() as classes:
        compiler = java.org.codehaus.janino.Compiler()
        compiler.setDestinationDirectory(java.java.io.File(classes), False)
        files = gateway.new_array(java.java.io.File, len(sources))
        for at, path in enumerate(sources):
            files[at] = java.java.io.File(path)
        compiler.compile(files)
        class_archive.pack_own_classes(Path(classes), folder)
    started.stop()


def archive_classes(folder: Path) -> None:
    """Run a bit of everything, and have Java archive the loaded classes in a form that it can map into memory.

    Java writes this archive when it ends. It builds on a base archive of Java's own classes, which not every Java has.
    """
    base, draft = folder / class_archive.BASE_ARCHIVE, folder / "classes.draft"
    dump = [find_java().program, "-Xshare:dump", f"-XX:SharedArchiveFile={base}"]
    subprocess.run(dump, check=True, capture_output=True, timeout=LIMIT_S, env=java_environment())
    options = (f"-XX:SharedArchiveFile={base}", f"-XX:ArchiveClassesAtExit={draft}")
    started = jvm.start_early("short", folder=folder, options=options)
    spark = session("training")
    with ThreadPoolExecutor(len(COURSES)) as pool:
        list(pool.map(partial(_train, spark), COURSES))
    spark.stop()
    started.stop(limit_s=5 * LIMIT_S)
    if not draft.exists():
        raise RuntimeError("Java ended without an archive of its classes")
    os.replace(draft, folder / class_archive.ARCHIVE)


def _train(spark: Any, course: Sequence[Callable[[Any], None]]) -> None:
    for train in course:
        train(spark)


def _batches(spark: Any) -> None:
    context = spark.sparkContext
    lines = context.parallelize(["a b", "a"], 2).cache()
    counts = lines.flatMap(str.split).map(lambda word: (word, 1)).reduceByKey(lambda left, right: left + right)
    counts.sortByKey().collect()
    lines.flatMap(str.split).map(lambda word: (word, 1)).groupByKey().mapValues(len).collect()
    shared = context.broadcast({"a": 1})
    counts.map(lambda pair: shared.value.get(pair[0], 0)).sum()
    counts.join(counts).count()
    context.union([lines, lines]).distinct().take(1)


def _queries(spark: Any) -> None:
    from pyspark.sql import functions as f

    counts = spark.createDataFrame([("a", 1), ("b", 2)], ["word", "count"])
    upper = f.udf(lambda word: word.upper(), "string")
    counts.groupBy("word").agg(f.sum("count"), f.avg("count")).orderBy("word").collect()
    counts.select(upper("word")).join(counts.withColumnRenamed("word", "other"), f.lit(True)).collect()
    spark.range(10).groupBy().count().collect()
    counts.createOrReplaceTempView("counts")
    spark.sql("select word, count(*) from counts group by word").collect()
    spark.sparkContext.parallelize([("a", 1)]).toDF(["word", "count"]).rdd.collect()
    counts.toJSON().collect()


def _batch_streams(spark: Any) -> None:
    batches = [spark.sparkContext.parallelize(["a b", "a"], 2) for _ in range(3)]
    seen: list[Any] = []
    with tempfile.TemporaryDirectory() as saved, streaming(spark, 0.2) as context:
        stream: Any = context
        stream.checkpoint(saved)
        pairs = stream.queueStream(batches).flatMap(str.split).map(lambda word: (word, 1))
        pairs.reduceByKey(lambda left, right: left + right).foreachRDD(lambda _, rdd: seen.append(rdd.collect()))
        pairs.updateStateByKey(lambda new, old: sum(new) + (old or 0)).foreachRDD(lambda rdd: rdd.collect())
        pairs.reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, 0.4, 0.2).foreachRDD(lambda rdd: rdd.count())
        stream.start()
        _wait_until(lambda: len(seen) >= 3)


def _socket_stream(spark: Any) -> None:
    seen: list[Any] = []
    with socket.create_server(("127.0.0.1", 0)) as server, streaming(spark, 0.2) as stream:
        threading.Thread(target=_send_lines, args=(server,), daemon=True).start()
        lines = stream.socketTextStream("127.0.0.1", server.getsockname()[1])
        lines.flatMap(str.split).countByValue().foreachRDD(lambda rdd: seen.extend(rdd.collect()))
        stream.start()
        _wait_until(lambda: bool(seen))


def _send_lines(server: socket.socket) -> None:
    client, _ = server.accept()
    with client:
        client.sendall(b"to be\nor not\n" * 10)
        client.recv(1)  # until Spark closes


def _file_stream(spark: Any) -> None:
    from pyspark.sql import functions as f

    with tempfile.TemporaryDirectory() as folder:
        lines = spark.readStream.text(folder)
        words = lines.select(f.explode(f.split(f.lower("value"), r"\s+")).alias("word")).where("word != ''")
        counts = words.groupBy("word").count()
        query = counts.writeStream.format("memory").queryName("training").outputMode("complete").start()
        for at in range(3):
            Path(folder, f"{at}.txt").write_text("to be or\nnot to be\n", encoding="utf-8")
            query.processAllAvailable()
            spark.table("training").collect()
        query.stop()


def _event_time(spark: Any) -> None:
    from pyspark.sql import functions as f

    with tempfile.TemporaryDirectory() as folder:
        events = spark.readStream.schema("id string, key string, at timestamp").json(folder)
        once = events.withWatermark("at", "10 seconds").dropDuplicatesWithinWatermark(["id"])
        counts = once.groupBy(f.window("at", "5 seconds"), "key").count().select("window.start", "key", "count")
        query = counts.writeStream.outputMode("update").foreachBatch(lambda rows, _: rows.collect()).start()
        for at in range(3):
            row = f'{{"id": "{at}", "key": "k", "at": "2026-01-01T10:0{at}:00Z"}}\n'
            Path(folder, f"{at}.json").write_text(row, encoding="utf-8")
            query.processAllAvailable()
        query.stop()


def _wait_until(reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LIMIT_S
    while not reached():
        if time.monotonic() > deadline:
            raise TimeoutError(f"the training run made no progress in {LIMIT_S:.0f} s")
        time.sleep(0.01)


# Each runs in a thread of its own, since one thread leaves a core idle.
COURSES = ((_batches, _batch_streams, _socket_stream), (_queries, _file_stream, _event_time))

if __name__ == "__main__":
    steps = {"compile": compile_own_classes, "archive": archive_classes}
    steps[sys.argv[1]](Path(sys.argv[2]))
