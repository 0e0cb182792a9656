"""Source of Lab 1: word count on a socket, with the reference solutions.

`./lab build` makes the student's notebook from it. The judging code is in autograder/stages/lab01_wordcount.
"""

# %% [markdown]
# # Lab 1 · Word count on a socket
#
# {map}
#
# Your parts are the source and the first Spark job. The job turns lines into counts per batch; `deliver` computes what
# a source loses when the job is slow. The largest such job on Databricks read over 1 PB a month ([Armbrust et al.,
# 2018][0]).
#
# [0]: https://doi.org/10.1145/3183713.3190664
# [map]: {map.svg}

# %% [markdown]
# ## 1 · What works after this lab
#
# | before | after |
# |---|---|
# | a program reads a file once and ends | a **standing query** answers while lines arrive, until you stop it |
# | you wait for the end of the file | you choose how often an answer comes |
# | a slow program is only slow | you know what happens when the source is faster |
#
# ```text
#                one thread                the other threads
#  LineServer ──▶ receiver ──▶ one RDD ──▶ words ──▶ count_words ──▶ live view
#  (a socket)                 per second   task 1     tasks 2, 3
# ```
#
# You count the same words all at once (batch) and second by second (micro-batch). {minutes} minutes. Nothing needs to
# be running. Terms are **bold** where they are introduced; `docs/glossary.md` lists them.

# %% [markdown]
# ## 2 · The invariants
#
# An **invariant** is a statement that always holds. Tasks, checks and messages cite these nine by number.
#
# {invariants}

# %% [markdown]
# ## 3 · Predict
#
# Three lines arrive: the first two in one second, the third in the next second. The second line is empty.
#
# ```text
# Stop! Don't stop.
#
# don't
# ```
#
# Double-click this cell and predict which counts each program gives, and when. Nobody grades it.
#
# 1. It reads all three lines at once: …
# 2. It counts the lines of each second separately: …
# 3. It keeps counting, word by word: …

# %% role="given" name="setup"
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from operator import add
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from pyspark import RDD
from pyspark.sql import DataFrame
from pyspark.sql.functions import explode, udf
from pyspark.sql.types import ArrayType, StringType
from pyspark.streaming import DStream

from streamlab import BatchMetrics, LineServer, bar_plot, check, line_plot
from streamlab import one_line_errors, play_batches, real_text, session, streaming
from streamlab import table
from streamlab.lab01_wordcount import live_view, printed_counts, run_example

spark = session("lab01_wordcount")  # about five seconds; the whole notebook shares it
THREE_LINES = ["Stop! Don't stop.", "", "don't"]

# %% [markdown]
# ## 4 · Tasks
#
# ### Task 1 · `words`
#
# **Why.** The lecture splits each line at spaces, `line.split(" ")` ([CS205, lecture C.3][1]). On real text, the counts
# are wrong: `Stop!` and `stop` become two words, and an empty line holds one word, `""`. No program fails, but every
# number that follows is wrong. Search engines and log analysis have the same problem.
#
# **Tools.** [Regular expressions][2] and [`str.casefold`][3]:
#
# ```python
# re.findall(r"\d+", "3 boats, 12 crew")        # longest runs of digits: ["3", "12"]
# "Straße".casefold()                           # "strasse": like lower, for comparing
# "é".isalnum(), "٣".isalnum(), "_".isalnum()   # (True, True, False): letter or digit?
# re.findall(r"\w+", "to_be, or")               # ["to_be", "or"]: \w includes _
# ```
#
# Stuck? Run `from streamlab import hint`, then `hint("words")`. Each of three calls says more.
#
# [1]: https://harvard-iacs.github.io/2020-CS205/lectures/C3/
# [2]: https://docs.python.org/3/library/re.html#regular-expression-syntax
# [3]: https://docs.python.org/3/library/stdtypes.html#str.casefold

# %% [markdown]
# **Rule.** `words` returns all words of one line, in order, with repeats.
#
# - A word is the longest possible run of letters and digits (`str.isalnum()`, invariant 1).
# - An apostrophe `'` directly between two letters or digits belongs to the word: `don't` is one word (2).
# - First find the words, then case-fold each one (3): `İ` is one letter, but `"İ".casefold()` is two characters, and
#   the second one is not a letter.
#
# **Edge cases**
#
# - Everything else separates words: white space, punctuation, the underscore, emoji, a typographic `’`, two apostrophes
#   side by side (`clock''s` holds `clock` and `s`).
# - A line without letters and digits gives `[]`. No word is empty.
# - Letters and digits of every language count, and accents stay: `café` is not `cafe`. (A combining accent, a character
#   of its own, separates words.)

# %% task="words" todo="find the words, then case-fold each one"
def words(line: str) -> list[str]:
    """Return the words of `line`, in order and case-folded.

    Example: words("Don't STOP, don't") -> ["don't", "stop", "don't"]
    """
    ### BEGIN SOLUTION
    return [word.casefold() for word in re.findall(r"[^\W_]+(?:'[^\W_]+)*", line)]
    ### END SOLUTION

# %% role="show"
# Notice: punctuation ends a word, and so does an apostrophe at its edge; an accent not.
lines = ["Don't STOP, don't", "rock 'n' roll_call", "À la carte: 2 crêpes", "--", ""]
for line in lines:
    print(f"{line!r:24}{words(line)}")

# %% check="words"
check("words")

# %% [markdown]
# ### Task 2 · `count_words`
#
# **Why.** A game described in the lecture sends 125 million events a minute ([CS205, C.3][1]), too many for one
# machine. So the lines are spread over many **workers**, and the network between them is slow. A good query counts
# where the lines are, and sends only small partial counts.
#
# A **resilient distributed dataset (RDD)** is a collection in **partitions**, which the workers compute. A
# **transformation**, such as `map`, only describes a new RDD. An **action**, such as `collect`, starts a job and brings
# its result to the **driver**, your program.
#
# **Tools.** [`mapPartitions`][2] calls your function once for each partition, with an iterator, and expects an
# iterable. [`reduceByKey`][3] merges the values of each key. For this, it sends all pairs of a key to one worker (a
# **shuffle**).
#
# ```python
# numbers = spark.sparkContext.parallelize([5, 1, 4, 3], numSlices=2)  # 5, 1 and 4, 3
# numbers.mapPartitions(lambda part: [max(part)]).collect()            # [5, 4]
# numbers.map(lambda n: (n % 2, n)).reduceByKey(add).collect()         # (0, 4), (1, 9)
# ```
#
# [1]: https://harvard-iacs.github.io/2020-CS205/lectures/C3/
# [2]: https://spark.apache.org/docs/latest/api/python/reference/api/pyspark.RDD.mapPartitions.html
# [3]: https://spark.apache.org/docs/latest/api/python/reference/api/pyspark.RDD.reduceByKey.html

# %% [markdown]
# **Rule.** Return an RDD with one pair (word, count) for each different word, in any order (invariant 4).
#
# - Find words by calling `words`. One check replaces `words`, and the counts must change with it.
# - The call starts no Spark job, and no line travels to the driver (5).
# - The counts do not depend on how the lines are partitioned.
#
# A throughput check (part 5) compares its speed. How many pairs does each partition send in your solution?
#
# **Edge cases.** No lines give no pairs. An empty line adds nothing.

# %% task="count_words" todo="count inside each partition, then merge the counts"
def count_words(lines: RDD[str]) -> RDD[tuple[str, int]]:
    """Return an RDD of pairs (word, count), one for each different word, in any order.

    Example: lines ["to be or", "", "not to be"] -> ("to", 2), ("be", 2), ("or", 1),
      ("not", 1)
    """
    ### BEGIN SOLUTION
    # A partition produces one pair for each different word, not one for each occurrence.
    def partial_counts(partition: Iterator[str]) -> Iterable[tuple[str, int]]:
        return Counter(chain.from_iterable(map(words, partition))).items()

    return lines.mapPartitions(partial_counts).reduceByKey(add)
    ### END SOLUTION

# %% role="show"
# Prediction 1. Notice: "don't" is in both partitions and has one pair.
lines = spark.sparkContext.parallelize(THREE_LINES, numSlices=2)
print("the three lines:", sorted(count_words(lines).collect()))

book = spark.sparkContext.parallelize(real_text(), numSlices=8)
print("a whole manual: ", count_words(book).takeOrdered(5, key=lambda pair: -pair[1]))

# %% check="count_words"
check("count_words")

# %% [markdown]
# ### Task 3 · `word_counts`
#
# **Why.** A stream does not end, so a program that waits for its end never answers. Spark Streaming cuts the stream
# into **micro-batches**, one for each interval, and runs a batch program on each ([CS205, C.3][1]).
#
# A **discretized stream (DStream)** is a sequence of RDDs, one for each micro-batch. You describe once what to do with
# an RDD, and Spark repeats it for every batch. (New programs use Structured Streaming, a bonus task; in [DStreams][2]
# you can see each batch.)
#
# **Tools.** [`transform`][3] takes a function from RDD to RDD; many methods of an RDD exist on a DStream, too:
#
# ```python
# lines.map(len)                                   # the length of each line
# lines.transform(lambda batch: batch.distinct())  # the function is called for each batch
# lines.foreachRDD(lambda batch: print(batch.count()))  # an output: a stream needs one
# ```
#
# [1]: https://harvard-iacs.github.io/2020-CS205/lectures/C3/
# [2]: https://spark.apache.org/docs/latest/streaming-programming-guide.html
# [3]: https://spark.apache.org/docs/latest/api/python/reference/api/pyspark.streaming.DStream.transform.html

# %% [markdown]
# **Rule.** Return a DStream of pairs (word, count). Each batch has the counts of its own lines, and nothing else
# (invariant 6). Only describe the query: start nothing.
#
# **Edge cases**
#
# - A batch without lines has no pairs, and does not fail.
# - Carry nothing from batch to batch: change no variable outside the function, and keep no state in Spark (Lab 2).
#
# The cell below has the lecture's six steps: context, source, query, start, wait, stop. `streaming` stops the stream
# even if the cell fails.

# %% task="word_counts" todo="count the RDD of each batch"
def word_counts(lines: DStream[str]) -> DStream[tuple[str, int]]:
    """Return a DStream of pairs (word, count), in any order: each batch counted alone.

    Example: batches ["Go! go", ""], [], ["go"] -> [("go", 2)], [], [("go", 1)]
    """
    ### BEGIN SOLUTION
    return lines.transform(count_words)
    ### END SOLUTION

# %% role="show"
# Prediction 2: the three lines in two batches. The second knows nothing of the first.
# (About 15 s.)
two_batches = [THREE_LINES[:2], THREE_LINES[2:]]
for batch, counts in play_batches(spark, two_batches, word_counts, batch_s=0.2):
    print(f"batch {batch}: {sorted(counts)}")

# A socket that sends 500 lines a second. Counting takes only a part of each interval.
server = LineServer(real_text(), rate_per_s=500)
with server as source, streaming(spark, batch_s=1) as ssc:
    counts = word_counts(ssc.socketTextStream(source.host, source.port))
    view = live_view(counts, ssc, seconds=6)
    ssc.start()
    view.run()

# Spark's own example program reads the same source. It splits at spaces: five words.
with LineServer(THREE_LINES) as source:
    printed = run_example(
        "network_wordcount", source.host, source.port,
        until=lambda text: printed_counts(text).total() == 5,
    )
print(sorted(printed_counts(printed).items()))

# %% check="word_counts"
check("word_counts")

# %% [markdown]
# ### The same in two terminals (five minutes)
#
# Outside a notebook, source and Spark program are two processes. Terminal 1, in the kit's folder, plays a file, two
# lines a second:
# ```sh
# ./lab play README.md --port 9999 --rate 2
# ```
# Terminal 2 runs Spark's own example. Ctrl+C ends both (with a long traceback):
# ```sh
# source .venv/bin/activate
# cp .venv/lib/python3*/site-packages/pyspark/examples/src/main/python/streaming/\
# network_wordcount.py .
# spark-submit network_wordcount.py localhost 9999
# ```
# Make the lecture's three edits in your copy. What changes after each?
#
# 1. `StreamingContext(sc, 5)`: a batch every 5 s.
# 2. `sc.setLogLevel("ERROR")` after `sc = …`: Spark's log no longer hides the counts.
# 3. `SparkContext("local[2]", appName=…)`: two threads. What does `local[1]` print? Task 4 says why.

# %% [markdown]
# ### Task 4 · `local_master`
#
# **Why.** A socket needs a **receiver**: a job that reads lines until the stream stops, and occupies one thread all the
# time. With only one thread, lines arrive and are never counted, and Spark reports no error. The lecture warns of this
# trap ([CS205, C.3][1]); part 7 shows it.
#
# **Tools.** The **[master URL][2]** of a session says where Spark runs: `"local[4]"` is one process on this machine
# with four threads.
#
# **Rule.** Return the `local[n]` that has one thread for each receiver and one for each worker (invariant 7). A worker
# is here a thread that processes batches.
#
# **Edge cases.** 0 receivers are valid, since a stream of files needs none.
#
# [1]: https://harvard-iacs.github.io/2020-CS205/lectures/C3/
# [2]: https://spark.apache.org/docs/latest/submitting-applications.html#master-urls

# %% task="local_master" todo="one thread for each receiver and each worker, or a ValueError"
def local_master(receivers: int, workers: int) -> str:
    """Return the master URL with a thread for each receiver and each worker.

    Raises ValueError if `receivers` is below 0 or `workers` is below 1.
    Example: local_master(receivers=1, workers=2) -> "local[3]"
    """
    ### BEGIN SOLUTION
    if receivers < 0:
        raise ValueError(f"receivers must be 0 or more, got {receivers}")
    if workers < 1:
        raise ValueError(f"workers must be 1 or more, or nothing is processed; got {workers}")
    return f"local[{receivers + workers}]"
    ### END SOLUTION

# %% check="local_master"
check("local_master")

# %% [markdown]
# ### Task 5 · `deliver`
#
# **Why.** In **direct messaging**, a producer pushes each message to a consumer. It is used where **latency**, the time
# from an event to its effect, matters most. A **bounded buffer** between them smooths bursts. If the producer stays
# faster, the buffer fills, and two choices are left: drop messages, or block the producer (**back-pressure**).
# `deliver` computes what each choice costs.
#
# Time is virtual: milliseconds from 0 on. The result has the message numbers 0, 1, 2, … in three lists, and two
# measurements:
#
# | field of `Delivery` | meaning |
# |---|---|
# | `delivered` | messages whose service has ended, in order |
# | `dropped` | messages that were lost, in order |
# | `queued` | messages in service or waiting, in order |
# | `blocked_ms` | how long the producer was blocked: hand-over minus offer, summed over the messages handed over |
# | `longest_queue` | the largest number of messages that waited in the buffer at the same time |
#
# First write down offer, hand-over, start and end of service for three messages on paper.

# %% [markdown]
# **Rule** (invariant 9)
#
# 1. The producer **offers** message i at `arrivals_ms[i]`, or when the message before it is handed over or dropped,
#    whichever is later.
# 2. If the consumer is idle, the message is **handed over** to it at once and is in service for `service_ms`. It is not
#    in the buffer.
# 3. If the consumer is busy and fewer than `buffer_size` messages wait, the message is handed over to the buffer at
#    once. When a service ends, the consumer takes the message that has waited longest.
# 4. If the buffer is full, `"drop"` loses the offered message. `"block"` makes the producer wait, and hands the message
#    over as soon as rule 2 or 3 allows it.
# 5. The result is the state at the moment when the last message is handed over or dropped.
#
# **Edge cases**
#
# - If a service ends and a message is offered at the same moment, the service ends first. The consumer takes the next
#   waiting message, and the offered message can take its place in the buffer.
# - A message whose service ends at the last moment counts as delivered.
# - With `buffer_size` 0, `"block"` hands over when the consumer is idle.
# - Without messages, the lists are empty and the measurements are 0.
# - Invalid arguments raise ValueError: call `reject_invalid_arguments`, which is given. Equal arrivals are valid.

# %% role="given" name="delivery"
@dataclass(frozen=True)
class Delivery:
    """The outcome: each message's number is in one of three lists (invariant 9)."""

    delivered: list[int]
    dropped: list[int]
    queued: list[int]
    blocked_ms: int
    longest_queue: int


def reject_invalid_arguments(
    arrivals_ms: list[int], service_ms: int, buffer_size: int, policy: str
) -> None:
    """Raise ValueError if an argument of `deliver` is invalid."""
    if policy not in ("drop", "block"):
        raise ValueError(f'policy must be "drop" or "block", got {policy!r}')
    if service_ms <= 0 or buffer_size < 0:
        got = f"{service_ms}, {buffer_size}"
        raise ValueError(f"expected service_ms > 0 and buffer_size >= 0, got {got}")
    if list(arrivals_ms) != sorted(arrivals_ms):
        raise ValueError(f"arrivals_ms must not go back in time, got {arrivals_ms}")

# %% task="deliver" todo="reject invalid arguments, then follow each message"
def deliver(
    arrivals_ms: list[int], service_ms: int, buffer_size: int, policy: str
) -> Delivery:
    """Follow the messages of one producer through a bounded buffer to one consumer.

    Raises the ValueError of `reject_invalid_arguments`.
    Example: deliver([0, 0, 0], 10, buffer_size=1, policy="drop")
      -> Delivery([], [2], [0, 1], 0, 1)
    """
    ### BEGIN SOLUTION
    reject_invalid_arguments(arrivals_ms, service_ms, buffer_size, policy)
    starts, accepted, dropped, blocked_ms, longest_queue = [], [], [], 0, 0
    now_ms = free_ms = 0
    for message, arrival_ms in enumerate(arrivals_ms):
        offer_ms = max(arrival_ms, now_ms)
        starts.append(max(offer_ms, free_ms))
        # There is room when the message buffer_size places ahead starts (this message, if buffer_size is 0).
        room_ms = max(offer_ms, starts[-1 - buffer_size]) if len(starts) > buffer_size else offer_ms
        if policy == "drop" and room_ms > offer_ms:
            now_ms = offer_ms
            dropped.append(message)
            starts.pop()
        else:
            now_ms, free_ms = room_ms, starts[-1] + service_ms
            accepted.append(message)
            blocked_ms += now_ms - offer_ms
            longest_queue = max(longest_queue, len(starts) - bisect_right(starts, now_ms))
    finished = bisect_right(starts, now_ms - service_ms)
    return Delivery(accepted[:finished], dropped, accepted[finished:], blocked_ms, longest_queue)
    ### END SOLUTION

# %% check="deliver"
# With "drop" the producer is on time and loses messages; with "block" it is late and
# loses none.
arrivals_ms = [0, 10, 20, 30, 40, 50]
with one_line_errors():
    for policy in ("drop", "block"):
        outcome = deliver(arrivals_ms, service_ms=25, buffer_size=1, policy=policy)
        print(f"{policy:6}{outcome}")

check("deliver")

# %% [markdown]
# ## 5 · What the checks look at
#
# {checks}
#
# A check runs your functions on many inputs and compares what they return. It does not look at your code. In a notebook
# a check is feedback only; grading uses other inputs of the same kind.
#
# **The throughput check** of `count_words` compares its **throughput**, the words counted per second, with that of the
# lecture's pipeline, the **baseline**:
#
# ```python
# pairs = lines.flatMap(words).map(lambda word: (word, 1))
# counts = pairs.reduceByKey(lambda x, y: x + y)
# ```
#
# Both sides get the same simple `words`. {threshold of count_words} times the baseline's rate earns all points; halfway
# between 1 and that, or less, earns none.

# %% [markdown]
# ## 6 · Checkpoint
#
# All five tasks pass their checks. Two experiments are left.
#
# **How fast can the source be?** If a batch takes longer than its interval, the next one starts late. Every answer is
# right, and every answer is older than the one before. Compare two rows of the table: does a batch with four times the
# lines take four times as long? Part of its time is a fixed cost: Spark plans each batch and starts its tasks.
#
# **How long does the same text take**, counted in three ways?

# %% role="show"
def compute(batch: RDD[tuple[str, int]]) -> None:
    batch.count()  # an action: without one, no batch is computed


text, rows = real_text(), []
for rate_per_s in (16_000, 64_000, 128_000, 256_000, 512_000):  # 6 s each
    server = LineServer(text, rate_per_s, loop=True)
    with server as source, streaming(spark, batch_s=1) as ssc:
        metrics = BatchMetrics(ssc)
        word_counts(ssc.socketTextStream(source.host, source.port)).foreachRDD(compute)
        ssc.start()
        batches = metrics.wait_batches(5, timeout_s=90)[1:]  # the first may be cold
    ends_ms = [batch.time_ms + batch.total_delay_ms for batch in batches]
    records, duration_ms = sum(b.records for b in batches[1:]), ends_ms[-1] - ends_ms[0]
    per_s, age_ms = 1000 * records / duration_ms, batches[-1].total_delay_ms
    batch_ms = median(b.processing_ms for b in batches)
    rows.append((rate_per_s, round(per_s), batch_ms, age_ms))
    if batch_ms > 1000:  # longer than the interval: each answer is older than the last
        break

offered, processed, batch, age = ([(row[0], row[i]) for row in rows] for i in range(4))
each = "at {} lines/s, {} processed, {:.0f} ms a batch".format
alt_text = "; ".join(each(*row[:3]) for row in rows)
columns = "offered (lines/s)", "processed (lines/s)", "batch (ms)", "answer's age (ms)"
print(table(rows, list(columns)))
rates = {"offered": offered, "processed": processed}
line_plot(rates, "offered (lines/s)", "lines/s", "Offered and processed", alt_text)
times = {"batch": batch, "age of the last answer": age}
interval = {"interval": 1000}
line_plot(times, "offered (lines/s)", "ms", "Batch time", alt_text, levels=interval)

# %% role="given" name="count_in_stream"
def count_in_stream(text: list[str]) -> Counter[str]:
    """Send `text` through a socket, and count its words batch by batch."""
    total: Counter[str] = Counter()
    with LineServer(text) as source, streaming(spark, batch_s=1) as ssc:
        metrics = BatchMetrics(ssc)
        counts = word_counts(ssc.socketTextStream(source.host, source.port))
        counts.foreachRDD(lambda batch: total.update(dict(batch.collect())))
        ssc.start()
        metrics.wait_records(len(text), timeout_s=90)
    return total

# %% role="show"
parallel = spark.sparkContext.parallelize
ways = {
    "a plain Counter": lambda text: Counter(chain.from_iterable(map(words, text))),
    "a batch": lambda text: dict(count_words(parallel(text)).collect()),
    "a DStream": count_in_stream,
}
expected = ways["a plain Counter"](real_text())


def time_of(name: str, copies: int) -> float:
    """Return how many seconds one way takes for some copies of the manual."""
    text, start_s = real_text() * copies, perf_counter()
    counts = ways[name](text)
    duration_s = perf_counter() - start_s
    assert dict(counts) == {word: copies * count for word, count in expected.items()}
    return duration_s


rows = [(name, time_of(name, 1), time_of(name, 16)) for name in ways]
print(table(rows, ["counted by", "one manual (s)", "sixteen manuals (s)"]))
bar_plot(
    {name: long_s for name, _, long_s in rows},
    x_label="seconds for sixteen manuals, about 7 MB",
    title="The same text, counted three ways",
    alt="Bars: " + ", ".join(f"{name} {long_s:.1f} s" for name, _, long_s in rows),
)

# %% [markdown]
# **When is Spark not worth it?** The plain `Counter` has no fixed cost. The other two pay for jobs, tasks and batches
# first. Spark is worth it when the text does not fit on one machine, when one core is too slow, or when a machine can
# fail during the count.
#
# ## 7 · Break it
#
# Invariant 7 demands more threads than receivers. The next cell starts as many receivers as the session has threads,
# and then only one.
#
# **Predict** how many batches are finished after five seconds, and what Spark reports.

# %% role="show"
text = real_text()
for receivers in (2, 1):
    server = LineServer(text, rate_per_s=500, loop=True)
    with server as source, streaming(spark, batch_s=1) as ssc:
        metrics = BatchMetrics(ssc)
        address = source.host, source.port
        streams = [ssc.socketTextStream(*address) for _ in range(receivers)]
        word_counts(ssc.union(*streams)).foreachRDD(lambda batch: batch.foreach(len))
        ssc.start()
        ssc.awaitTerminationOrTimeout(5)
        finished = f"Batches finished in 5 s: {len(metrics.batches)}"
        print(f"{receivers} of 2 threads receive. {finished}")
        print(f"Lines sent meanwhile: {source.report().sent}")

# %% [markdown]
# With two receivers, no batch is finished, although lines arrive all the time. Spark reports no error:
#
# ```output
# 2 of 2 threads receive. Batches finished in 5 s: 0
# ```
#
# **How you would have noticed in production:** the input rate looks healthy, but the number of *waiting* batches grows.
# Monitor the age of the newest answer: it reveals every reason why a query cannot keep up.
#
# ## 8 · Questions, and the next labs
#
# In `deliver`, a consumer that goes offline loses messages or stops the producer. Lab 3 puts a **log** between them.
# Lab 2 stays with the stream: its answers cover the last 30 seconds. Two questions are graded by hand.

# %% [markdown] written="choose_a_model"
# **Batch, micro-batch or record-at-a-time?** (4 points) A record-at-a-time program reacts to each event at once, and
# manages its state itself. Choose one for each job, and give the decisive reason.
#
# 1. The month's invoices of a mobile network, from 40 GB of call records.
# 2. A page that shows the most frequent hashtags of a city, for thousands of readers.
# 3. Stopping a card payment that looks like fraud while the customer waits.
#
# Then change one fact in one of the jobs so that your choice changes.

# %% [markdown] written="dbms_same_question"
# **The same question to a database** (2 points). You ask a database how often each word occurs. What work does it do
# before your query arrives, what after, and when is its answer out of date? Which of your tasks is most like it, and
# how does it differ?

# %% [markdown]
# ## 9 · ★ Bonus
#
# No later task needs these tasks, and their points are outside the {points} of this lab.

# %% [markdown]
# ### ★ · `on_word`
#
# **Why.** A machine that overheats must stop now, not at the end of a batch. Systems such as [Storm][1] pass each event
# to your function, which reacts at once: **record-at-a-time**. You manage the **state** yourself: what the function
# remembers between two calls.
#
# **Rule.** Add one occurrence of `word` to `state`, in place, and return the pair (word, count so far).
#
# **Edge cases**
#
# - `state` can hold counts already, for example after a restart. Continue from them, and keep the other words.
# - Remember nothing outside `state`, so that two states are independent (invariant 8).
#
# [1]: https://storm.apache.org/releases/current/Concepts.html

# %% task="on_word" todo="add one to the word's count in state, and return both"
def on_word(state: dict[str, int], word: str) -> tuple[str, int]:
    """Count one more `word` in `state`, in place, and return (word, count so far).

    Example: on_word({"stop": 1}, "stop") -> ("stop", 2), and the state is {"stop": 2}
    """
    ### BEGIN SOLUTION
    state[word] = state.get(word, 0) + 1
    return word, state[word]
    ### END SOLUTION

# %% check="on_word"
# Prediction 3. Four words, four answers: a batch would have given one, at its end.
with one_line_errors():
    state: dict[str, int] = {}
    for line in THREE_LINES:
        print(f"{line!r:24}{[on_word(state, word) for word in words(line)]}")

check("on_word")

# %% [markdown]
# ### ★ · `standing_counts`
#
# **Why.** In `on_word` you wrote *how* the state changes. A **declarative** query states only *what* you want to know,
# and the engine keeps the state. [Structured Streaming][1] treats a stream as a table that grows. In **complete mode**,
# each answer is the whole result.
#
# **Tools.** [`udf`][2] turns a Python function into a function of columns; declare what it returns, or Spark expects a
# string. [`explode`][3] makes a row from each element of a list:
#
# ```python
# tags = udf(lambda text: text.split("+"), ArrayType(StringType()))
# films.select(explode(tags("genres")).alias("genre"))   # "war+love": two rows
# films.groupBy("year").count()                          # columns year and count
# ```
#
# [1]: https://spark.apache.org/docs/latest/streaming/index.html
# [2]: https://spark.apache.org/docs/latest/api/python/reference/pyspark.sql/api/pyspark.sql.functions.udf.html
# [3]: https://spark.apache.org/docs/latest/api/python/reference/pyspark.sql/api/pyspark.sql.functions.explode.html

# %% [markdown]
# **Rule.** Return the words of all lines in the column `value`, with their counts so far (invariant 8).
#
# **Edge cases**
#
# - Each different word has one row, whichever files it came from (4). The words are those of task 1 (1 to 3).
# - A line without words adds no row. The order of columns and rows is free.
# - Only describe the query: the cell below starts it.

# %% task="standing_counts" todo="make one row of each word, then group and count"
def standing_counts(lines: DataFrame) -> DataFrame:
    """Return the counts so far of all words.

    From (value: string) to (word: string, count: long).

    Example: rows "to be or", "", "not to be" -> ("to", 2), ("be", 2), ("or", 1),
      ("not", 1), in any order
    """
    ### BEGIN SOLUTION
    split_line = udf(words, ArrayType(StringType()))
    occurrences = lines.select(explode(split_line("value")).alias("word"))
    return occurrences.groupBy("word").count()
    ### END SOLUTION

# %% role="show"
# Notice: each file is a micro-batch, and each answer covers all files so far.
with TemporaryDirectory() as folder:
    counts = standing_counts(spark.readStream.text(folder))
    answers = counts.writeStream.outputMode("complete")
    query = answers.format("memory").queryName("answer").start()
    try:
        for number, line in enumerate(THREE_LINES):
            Path(folder, f"{number}.txt").write_text(line + "\n")
            query.processAllAvailable()
            print(f"{line!r:24}{sorted(map(tuple, spark.table('answer').collect()))}")
    finally:
        query.stop()

# %% check="standing_counts"
check("standing_counts")

# %% role="show"
# The same text in a fourth way: compare its times with the table of part 6.
def count_in_table(text: list[str]) -> Counter[str]:
    """Write `text` to a file, and count its words with a standing query."""
    with TemporaryDirectory() as folder:
        Path(folder, "text.txt").write_text("\n".join(text))
        counts = standing_counts(spark.readStream.text(folder))
        answers = counts.writeStream.outputMode("complete")
        answers = answers.format("memory").queryName("total").trigger(availableNow=True)
        answers.start().awaitTermination()
        return Counter(dict(spark.table("total").collect()))


for copies in (1, 16):
    text, start_s = real_text() * copies, perf_counter()
    assert count_in_table(text) == Counter(chain.from_iterable(map(words, text)))
    print(f"Structured Streaming, manuals: {copies}, {perf_counter() - start_s:.1f} s")
