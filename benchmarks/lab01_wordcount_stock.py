# ruff: noqa: B018, B023, E731, F401, F821
"""Lab 1 as a teacher would write it with nbgrader alone: one locked cell of asserts for each task.

A percent source from which `stock_course.py` makes a notebook. Each check cell gets `cases`: those of the public seed
with precomputed expected values. The cells with live views and rate sweeps are left out; that favours stock nbgrader,
which would have to run them.
"""

# %% role="given" name="setup"
import json
import re
import socket
import tempfile
import threading
import time
import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from operator import add
from pathlib import Path

from pyspark import RDD
from pyspark.sql import DataFrame
from pyspark.sql.functions import explode, udf
from pyspark.sql.types import ArrayType, StringType
from pyspark.streaming import DStream, StreamingContext

warnings.filterwarnings("ignore")  # a warning on stderr costs a test cell its points
{session}
spark.sparkContext.setLogLevel("OFF")  # so does a line of Spark's log

# %% task="words"
# %% check="words"
for line, expected in cases:
    assert words(line) == expected, f"words({line!r}): expected {expected}, got {words(line)}"

# %% task="count_words"
# %% check="count_words"
scheduler = spark.sparkContext._jsc.sc().dagScheduler()
for lines, partitions, expected in cases["texts"]:
    for number in partitions:
        before = scheduler.numTotalJobs()
        counts = count_words(spark.sparkContext.parallelize(lines, number))
        assert scheduler.numTotalJobs() == before, "calling count_words runs a job"
        assert sorted(counts.collect()) == sorted(map(tuple, expected)), f"wrong counts in {number} partitions"

own_words = words
words = lambda line: line.split("|")
try:
    for lines, expected in cases["bars"]:
        counts = count_words(spark.sparkContext.parallelize(lines, 1))
        assert sorted(counts.collect()) == sorted(map(tuple, expected)), "count_words does not call words"
finally:
    words = own_words


# %% task="word_counts"
# %% check="word_counts"
def play(context, done, timeout_s=20):
    context.start()
    deadline = time.monotonic() + timeout_s
    while not done() and time.monotonic() < deadline:
        context.awaitTerminationOrTimeout(0.01)
    context.stop(stopSparkContext=False, stopGraceFully=False)


def serve(server, lines, until):
    client, _ = server.accept()
    with client:
        client.sendall("".join(line + "\n" for line in lines).encode())
        until.wait(20)


for batches, expected in cases["batches"]:
    seen, context = [], StreamingContext(spark.sparkContext, 0.15)
    queue = [spark.sparkContext.parallelize(batch, 2) for batch in batches]
    word_counts(context.queueStream(queue)).foreachRDD(lambda batch: seen.append(sorted(batch.collect())))
    play(context, done=lambda: len(seen) >= len(batches))
    assert seen[: len(batches)] == [sorted(map(tuple, each)) for each in expected], "wrong counts of a batch"

for lines, expected in cases["socket"]:
    total, arrived, all_arrived = Counter(), Counter(), threading.Event()
    context = StreamingContext(spark.sparkContext, 0.15)
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=serve, args=(server, lines, all_arrived), daemon=True).start()
        stream = context.socketTextStream("127.0.0.1", server.getsockname()[1])
        word_counts(stream).foreachRDD(lambda batch: total.update(dict(batch.collect())))
        stream.foreachRDD(lambda batch: arrived.update(lines=batch.count()))
        play(context, done=lambda: arrived["lines"] >= len(lines))
        all_arrived.set()
    assert total == Counter(dict(expected)), "batches do not add up to the whole"

# %% task="local_master"
# %% check="local_master"
for receivers, workers, expected in cases:
    if expected is not None:
        assert local_master(receivers=receivers, workers=workers) == expected
        continue
    try:
        local_master(receivers=receivers, workers=workers)
    except ValueError:
        continue
    raise AssertionError(f"local_master({receivers}, {workers}) is not rejected")

# %% task="on_word"
# %% check="on_word"
for events, answers, expected in cases:
    states = [{} for _ in expected]
    assert [on_word(states[number], word) for number, word in events] == list(map(tuple, answers))
    assert states == expected, "the counts are not in the state"

# %% task="standing_counts"
# %% check="standing_counts"
for number, (files, expected) in enumerate(cases):
    with tempfile.TemporaryDirectory() as folder:
        counts = standing_counts(spark.readStream.text(folder))
        assert sorted(counts.columns) == ["count", "word"], f"columns {counts.columns}"
        query = counts.writeStream.outputMode("complete").format("memory").queryName(f"answer_{number}").start()
        try:
            for at, lines in enumerate(files):
                Path(folder, f"{at}.txt").write_text("".join(line + "\n" for line in lines))
                query.processAllAvailable()
                rows = spark.table(f"answer_{number}").select("word", "count").collect()
                assert sorted(map(tuple, rows)) == sorted(map(tuple, expected[at])), f"wrong after file {at + 1}"
        finally:
            query.stop()

# %% role="given" name="delivery"
# %% task="deliver"
# %% check="deliver"
for arguments, expected in cases:
    try:
        found = deliver(*arguments)
    except ValueError:
        assert expected is None, f"deliver{tuple(arguments)} is rejected"
        continue
    assert expected is not None, f"deliver{tuple(arguments)} is not rejected"
    for name, value in expected.items():
        assert getattr(found, name) == value, (
            f"deliver{tuple(arguments)}: {name} is {getattr(found, name)}, not {value}"
        )
