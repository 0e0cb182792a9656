"""Source of Lab 1: word count on a socket, with the reference solutions.

`./lab build` makes the student's notebook from it. Keeps out: judging (autograder/stages/lab01_wordcount).
"""

# %% [markdown]
# # Lab 1 · Word count on a socket
#
# ## 1 · What works after this lab
#
# | before | after |
# |---|---|
# | a file, and a program that reads it once | a source, and a standing query that answers while lines arrive |
# | the program ends when the file does | the query ends when you stop it |
# | a slow program is only slow | you can say what happens when the source is faster than you are |
#
# ```text
#                one thread               all other threads
#  LineServer ──▶ receiver ──▶ an RDD ──▶ words ──▶ count_words ──▶ live view
#  (a socket)                 a second    task 1     tasks 2, 3
# ```
#
# You will count the same words four times: all at once (batch), second by second (micro-batch), one by one
# (record-at-a-time), and by saying only what you want (declarative). Then you choose what happens to messages that
# come too fast.
#
# 90 minutes. Nothing needs to be running: the source plays on this machine, and the first cell starts Spark.

# %% [markdown]
# ## 2 · The invariants
#
# These hold whatever happens. Code comments, checks and messages cite them by number.
#
# {invariants}
#
# ## 3 · Predict
#
# Three lines arrive, the first two in one second, the third in the next. The second line is empty.
#
# ```text
# Stop! Don't stop.
#
# don't
# ```
#
# Before you run anything, write down what is answered, and when, by a program that
#
# 1. reads all three lines at once,
# 2. counts each second by itself,
# 3. keeps counting, word by word.
#
# You will see the answers in tasks 2, 3 and 5.

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

from streamlab import BatchMetrics, LineServer, bar_plot, check, line_plot, live_view, printed_counts
from streamlab import real_text, run_example, session, streaming, table

spark = session("lab01_wordcount")  # takes about five seconds; the whole notebook shares it
THREE_LINES = ["Stop! Don't stop.", "", "don't"]

# %% [markdown]
# ## 4 · Tasks
#
# ### Task 1 · `words`
#
# **The rule.** A word is a longest run of letters and digits, which are the characters for which `str.isalnum()` holds
# (invariant 1). An apostrophe `'` stays where it has such a character directly on both sides (2). Each word is
# case-folded after it was found (3): `str.casefold` is `str.lower` made for comparing.
#
# The slides split at blanks, `line.split(" ")` ([CS205][1], lecture C.3). Then `Stop!` and `stop` are two words, and an
# empty line holds one word: the empty one.
#
# Stuck, here or later? `from streamlab import hint`; then `hint("words")` asks a question, `hint("words", 2)` nudges,
# and `hint("words", 3)` nearly tells.
#
# [1]: https://harvard-iacs.github.io/2020-CS205/lectures/C3/

# %% task="words" todo="find the words, then fold their case"
def words(line: str) -> list[str]:
    """Return the words of `line`, in order.

    Example: words("Don't STOP, don't") -> ["don't", "stop", "don't"]
    """
    ### BEGIN SOLUTION
    return [word.casefold() for word in re.findall(r"[^\W_]+(?:'[^\W_]+)*", line)]
    ### END SOLUTION

# %% role="show"
# Notice: punctuation ends a word, an apostrophe at its edge does too, and an accent does not.
for line in ["Don't STOP, don't", "rock 'n' roll_call", "À la carte: 2 crêpes", "--", ""]:
    print(f"{line!r:24}{words(line)}")

# %% check="words"
check("words")

# %% [markdown]
# ### Task 2 · `count_words`
#
# A resilient distributed dataset (RDD) is a collection in partitions that lie where the workers are. *Transformations*
# such as `map` describe a new RDD; only *actions* such as `collect` run a job.
#
# **The rule.** `count_words` describes the pairs (word, count), one for each different word (invariant 4). It runs
# nothing, and no line travels to the program that calls it (5).
#
# It is judged for its speed too, against the slides' pipeline (part 5). Ask of each way to do it: how many pairs leave
# a partition?

# %% task="count_words" todo="count inside each partition, then merge the counts"
def count_words(lines: RDD[str]) -> RDD[tuple[str, int]]:
    """Describe the counts of all `words` of `lines`: pairs (word, count), in any order.

    Example: lines ["Stop! Don't stop.", "", "don't"] -> ("stop", 2), ("don't", 2)
    """
    ### BEGIN SOLUTION
    # A partition sends one pair for each different word, not one for each occurrence.
    def counted(partition: Iterator[str]) -> Iterable[tuple[str, int]]:
        return Counter(chain.from_iterable(map(words, partition))).items()

    return lines.mapPartitions(counted).reduceByKey(add)
    ### END SOLUTION

# %% role="show"
lines = spark.sparkContext.parallelize(THREE_LINES, numSlices=2)
print("the three lines:", sorted(count_words(lines).collect()))

# Notice: "don't" is in both partitions and has one entry.
book = spark.sparkContext.parallelize(real_text(), numSlices=8)
print("a whole manual: ", count_words(book).takeOrdered(5, key=lambda pair: -pair[1]))

# %% check="count_words"
check("count_words")

# %% [markdown]
# ### Task 3 · `word_counts`
#
# A discretized stream (DStream) is a sequence of RDDs, one for each interval: a micro-batch. You describe once what
# becomes of an RDD, and Spark does it to each one, every second, until it is stopped. That is a **standing query**.
#
# **The rule.** Each batch is counted alone (invariant 6). A batch without lines has no counts.
#
# A stream is used in the same five steps each time: define its source, describe the query, start, wait, stop.
# `streaming` stops it for you even when a cell fails: a stream that is left running blocks the next one.
#
# (Prediction 2: the first second answers `stop` 2 and `don't` 1, the next one `don't` 1.)

# %% task="word_counts" todo="count the RDD of each batch"
def word_counts(lines: DStream[str]) -> DStream[tuple[str, int]]:
    """Describe the counts of each batch by itself: pairs (word, count), in any order.

    Example: batches ["Stop! stop", ""], ["stop"] -> [("stop", 2)], [("stop", 1)]
    """
    ### BEGIN SOLUTION
    return lines.transform(count_words)
    ### END SOLUTION

# %% role="show"
# Notice: each batch starts from nothing, and takes a part of its interval only.
with LineServer(real_text(), rate_per_s=500) as source, streaming(spark, batch_s=1) as ssc:
    counts = word_counts(ssc.socketTextStream(source.host, source.port))
    view = live_view(counts, ssc, seconds=6)
    ssc.start()
    view.run()

# A program that nobody here wrote, Spark's own example. Notice its five words: it splits at blanks.
with LineServer(THREE_LINES) as source:
    printed = run_example(
        "network_wordcount", source.host, source.port,
        until=lambda text: printed_counts(text).total() == 5,
    )
print(sorted(printed_counts(printed).items()))

# %% check="word_counts"
check("word_counts")

# %% [markdown]
# ### Task 4 · `local_master`
#
# In one process, Spark's master is `local[n]`: n threads do all of the work. A receiver is a job that never ends, so it
# keeps one thread for as long as it runs (invariant 7). Files need no receiver, a socket needs one.
#
# **The rule.** Return the master with a thread for each receiver and each worker. A number of receivers below 0 or of
# workers below 1 is a `ValueError` that names what came.
#
# `local[1]` with one receiver is the best known trap of Spark's streams: lines are received and never counted, and
# nothing says so. You will spring it in part 7.

# %% task="local_master" todo="a thread for each receiver and each worker, or a ValueError"
def local_master(receivers: int, workers: int) -> str:
    """Return the master for `receivers` receivers, and `workers` threads that process.

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
# ### Task 5 · `on_word`
#
# Storm and its kin call a function of yours with each event, and it reacts at once: record-at-a-time. There is no
# batch to wait for. In return, what a count is and where it lies between two calls is your business.
#
# **The rule.** Each call adds one occurrence to `state` and returns the word with its count so far: 1, 2, 3, …
# All that is remembered is in `state`, so two states know nothing of each other (invariant 8).

# %% task="on_word" todo="add one to the word's count in state, and return both"
def on_word(state: dict[str, int], word: str) -> tuple[str, int]:
    """React to one `word`: update `state` in place and return (word, count so far).

    Example: on_word({"stop": 1}, "stop") -> ("stop", 2), and the state is {"stop": 2}
    """
    ### BEGIN SOLUTION
    state[word] = state.get(word, 0) + 1
    return word, state[word]
    ### END SOLUTION

# %% role="show"
# Notice: four words, four answers. A batch would have given one, at its end.
state: dict[str, int] = {}
for line in THREE_LINES:
    print(f"{line!r:24}{[on_word(state, word) for word in words(line)]}")

# %% check="on_word"
check("on_word")

# %% [markdown]
# ### Task 6 · `standing_counts`
#
# The other way round, you say *what* you want and leave it to the engine to keep the answer up to date: declarative.
# Structured Streaming shows a stream as a table that grows. The query is the one that you would write for a finished
# table, and in *complete* mode each answer is the whole result.
#
# **The rule.** From a column `value` with lines to the columns `word` and `count`: at any moment, the counts of all
# that has arrived so far (invariant 8).

# %% task="standing_counts" todo="one row for each word, then group and count"
def standing_counts(lines: DataFrame) -> DataFrame:
    """Describe the counts so far of all `words`: (value: string) -> (word: string, count: long).

    Example: rows "Stop! Don't stop.", "", "don't" -> ("stop", 2), ("don't", 2), in any order
    """
    ### BEGIN SOLUTION
    split_line = udf(words, ArrayType(StringType()))
    occurrences = lines.select(explode(split_line("value")).alias("word"))
    return occurrences.groupBy("word").count()
    ### END SOLUTION

# %% role="show"
# Notice: each file is a micro-batch, and each answer covers all files so far.
with TemporaryDirectory() as folder:
    answers = standing_counts(spark.readStream.text(folder)).writeStream.outputMode("complete")
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

# %% [markdown]
# ### Task 7 · `deliver`
#
# Until now the source could wait. In **direct messaging** a producer pushes each message to a consumer, both online at
# once, with a bounded buffer between them. What if the producer is faster (UBC CPSC 436C, Stream Processing 1, 2024)?
#
# **The rule** (invariant 9), in virtual time:
#
# - Message i is ready at `arrivals_ms[i]`. The consumer serves one message at a time, each for `service_ms`.
# - A message that finds the consumer idle goes straight to it, and is in service, not in the buffer. Else it waits in
#   the buffer if fewer than `buffer_size` messages wait there. Else the policy decides.
# - `"drop"` loses the message. `"block"` holds the producer up until there is room (with a buffer of size 0: until the
#   consumer is idle); then it hands the message over. It offers the next message at the later of two moments: this
#   hand-over, and the next message's arrival.
# - `blocked_ms` adds up, over all messages, hand-over minus offer. `longest_queue` is the most that ever waited in the
#   buffer. When things happen at the same moment, services end before messages arrive.
# - We stop looking when the last message is handed over or dropped. `delivered` are the messages whose service has
#   ended by then, `queued` all others that were accepted. `reject_invalid_arguments`, below, is for all the rest.

# %% role="given" name="delivery"
@dataclass(frozen=True)
class Delivery:
    """What became of the messages: every index is in exactly one list, in order (invariant 9)."""

    delivered: list[int]
    dropped: list[int]
    queued: list[int]
    blocked_ms: int
    longest_queue: int


def reject_invalid_arguments(
    arrivals_ms: list[int], service_ms: int, buffer_size: int, policy: str
) -> None:
    """Raise a ValueError that names what came, if `deliver` cannot be asked that."""
    if policy not in ("drop", "block"):
        raise ValueError(f'policy must be "drop" or "block", got {policy!r}')
    if service_ms <= 0 or buffer_size < 0:
        raise ValueError(f"expected service_ms > 0 <= buffer_size, got {service_ms}, {buffer_size}")
    if arrivals_ms != sorted(arrivals_ms):
        raise ValueError(f"arrivals_ms must not go back in time, got {arrivals_ms}")

# %% task="deliver" todo="reject the impossible, then follow each message"
def deliver(arrivals_ms: list[int], service_ms: int, buffer_size: int, policy: str) -> Delivery:
    """Follow each message from one producer through a bounded buffer to one consumer.

    Example: deliver([0, 0, 0], 10, buffer_size=1, policy="drop") -> Delivery([], [2], [0, 1], 0, 1)
    """
    ### BEGIN SOLUTION
    reject_invalid_arguments(arrivals_ms, service_ms, buffer_size, policy)
    starts, accepted, dropped, blocked_ms, longest_queue = [], [], [], 0, 0
    now_ms = free_ms = min(arrivals_ms, default=0)
    for message, arrival_ms in enumerate(arrivals_ms):
        offer_ms = max(arrival_ms, now_ms)
        starts.append(max(offer_ms, free_ms))
        # Room comes when the message buffer_size places ahead starts (this one, if it is 0).
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

# %% role="show"
# Notice: drop is on time with fewer messages, block is late with all of them.
arrivals_ms = [0, 10, 20, 30, 40, 50]
for policy in ("drop", "block"):
    print(f"{policy:6}{deliver(arrivals_ms, service_ms=25, buffer_size=1, policy=policy)}")

# %% check="deliver"
check("deliver")

# %% [markdown]
# ## 5 · What the checks look at
#
# A check runs your functions on inputs of many kinds and compares what comes out. How you wrote them is not looked at:
# any way that keeps the rules is right. In a notebook it is advice, and grading takes other inputs of the same kind.
#
# **The throughput check** of `count_words` is against the slides' pipeline ([CS205][1], lecture C.3):
#
# ```python
# pairs = lines.flatMap(words).map(lambda word: (word, 1))
# counts = pairs.reduceByKey(lambda x, y: x + y)
# ```
#
# Both sides get the same `words`, so only counting is compared. They take turns on the same text, each answer is
# checked, and {threshold of count_words} times the rate of the pipeline earns all points. The ratio is graded, never a
# rate by itself.
#
# ## 6 · Checkpoint
#
# All seven checks pass. Two experiments show what you have built. **How fast may the source be?** While a batch takes
# less than its interval, the query keeps up. Beyond, each batch ends later than the one before: every answer is
# right, and every answer is older. Notice: eight times the lines take far less than eight times as long, for much of
# a batch's time is not counting.
#
# [1]: https://harvard-iacs.github.io/2020-CS205/lectures/C3/

# %% role="show"
def compute(batch: RDD[tuple[str, int]]) -> None:
    batch.count()  # an action: without one, nothing would run

text, rows = real_text(), []
for rate_per_s in (16_000, 64_000, 128_000, 256_000, 512_000):
    with LineServer(text, rate_per_s, loop=True) as source, streaming(spark, batch_s=1) as ssc:
        metrics = BatchMetrics(ssc)
        word_counts(ssc.socketTextStream(source.host, source.port)).foreachRDD(compute)
        ssc.start()
        batches = metrics.wait_batches(5, timeout_s=90)[1:]  # the first may be cold
    ends_ms = [batch.time_ms + batch.total_delay_ms for batch in batches]
    per_s = sum(batch.records for batch in batches[1:]) / (ends_ms[-1] - ends_ms[0]) * 1000
    batch_ms, age_ms = median(b.processing_ms for b in batches), batches[-1].total_delay_ms
    rows.append((rate_per_s, round(per_s), batch_ms, age_ms))
    if batch_ms > 1000:  # longer than the interval: from here on, every answer is older than the last
        break

offered, processed, batch, age = ([(row[0], row[at]) for row in rows] for at in range(4))
said = "; ".join(f"at {row[0]} lines/s, {row[1]} processed, {row[2]:.0f} ms a batch" for row in rows)
print(table(rows, ["offered (lines/s)", "processed (lines/s)", "batch (ms)", "answer's age (ms)"]))
rates = {"offered": offered, "processed": processed}
line_plot(rates, "offered (lines/s)", "lines/s", "Offered and processed", said)
times = {"batch": batch, "age of the last answer": age}
line_plot(times, "offered (lines/s)", "ms", "Batch time", said, levels={"interval": 1000})

# %% role="show"
def in_stream(text: list[str]) -> Counter[str]:
    """The words of `text`, sent through a socket and counted batch by batch."""
    total: Counter[str] = Counter()
    with LineServer(text) as source, streaming(spark, batch_s=1) as ssc:
        metrics = BatchMetrics(ssc)
        counts = word_counts(ssc.socketTextStream(source.host, source.port))
        counts.foreachRDD(lambda batch: total.update(dict(batch.collect())))
        ssc.start()
        metrics.wait_records(len(text), timeout_s=90)
    return total


def in_table(text: list[str]) -> Counter[str]:
    """The words of `text`, written to a file and counted by a standing query."""
    with TemporaryDirectory() as folder:
        Path(folder, "text.txt").write_text("\n".join(text))
        answers = standing_counts(spark.readStream.text(folder)).writeStream.outputMode("complete")
        answers = answers.format("memory").queryName("total").trigger(availableNow=True)
        answers.start().awaitTermination()
        return Counter(dict(spark.table("total").collect()))

# %% role="show"
ways = {
    "a plain Counter": lambda text: Counter(chain.from_iterable(map(words, text))),
    "a batch": lambda text: dict(count_words(spark.sparkContext.parallelize(text)).collect()),
    "a DStream": in_stream,
    "Structured Streaming": in_table,
}
once = ways["a plain Counter"](real_text())
rows = []
for name, counted in ways.items():
    times_s = []
    for copies in (1, 16):
        text = real_text() * copies
        began_s = perf_counter()
        counts = counted(text)
        times_s.append(perf_counter() - began_s)
        assert dict(counts) == {word: copies * count for word, count in once.items()}
    rows.append((name, *times_s))

print(table(rows, ["counted by", "one manual (s)", "sixteen manuals (s)"]))
bar_plot(
    {name: long_s for name, _, long_s in rows},
    x_label="seconds for sixteen manuals, about 7 MB", title="The same text, counted four ways",
    alt="Bars: " + ", ".join(f"{name} {long_s:.1f} s" for name, _, long_s in rows),
)

# %% [markdown]
# **When is Spark not worth it?** Notice: for one manual, the plain `Counter` is done before Spark has started its first
# task. From one manual to sixteen, its time grows by a larger factor than that of the other three: most of theirs is
# the fixed cost of tasks and batches. Spark is worth it when the text does not fit into one machine, when one core is
# too slow, or when a machine may fail while it counts.
#
# ## 7 · Break it
#
# Invariant 7 wants more threads than receivers. The next cell breaks it: as many receivers as the session has threads.
# Then it runs the same query with one receiver.
#
# **Predict** how many batches are finished after five seconds, and what Spark says about it.

# %% role="show"
text = real_text()
for receivers in (2, 1):
    with LineServer(text, rate_per_s=500, loop=True) as source, streaming(spark, batch_s=1) as ssc:
        metrics = BatchMetrics(ssc)
        received = [ssc.socketTextStream(source.host, source.port) for _ in range(receivers)]
        word_counts(ssc.union(*received)).foreachRDD(compute)
        ssc.start()
        ssc.awaitTerminationOrTimeout(5)
        print(f"{receivers} of 2 threads receive. Batches finished in 5 s: {len(metrics.batches)}")
        print(f"Lines that were sent meanwhile: {source.report().sent}")

# %% [markdown]
# Nothing failed, nothing was printed, and the source was read all the time:
#
# ```output
# 2 of 2 threads receive. Batches finished in 5 s: 0
# ```
#
# **How you would have noticed in production:** not by an error, and not by the input rate, which looks healthy. The
# batches *waiting* grow by one each interval and the last *finished* batch gets older. Watch the age of the newest
# answer: it shows this and every other way of falling behind.
#
# ## 8 · Questions, and the next labs
#
# In `deliver`, producer and consumer are online at once. A consumer that was offline has missed what was sent
# meanwhile: with `drop` it is gone, with `block` the producer stood still all that time. Lab 3 puts a log between them:
# the producer appends, and each consumer reads on from where it was. Lab 2 stays with the stream, and asks for the last
# 30 seconds rather than for one or for all.
#
# Two questions are graded by hand.

# %% [markdown] written="choose_a_model"
# **Batch, micro-batch or record-at-a-time?** (4 points) Choose for each job and give the reason that decides.
#
# 1. The month's invoices of a mobile network, from 40 GB of call records.
# 2. A page that shows the most frequent hashtags of a city, for thousands of readers.
# 3. Stopping a card payment that looks like fraud while the customer stands at the till.
#
# Then change one fact in one of the jobs so that your choice changes.

# %% [markdown] written="dbms_same_question"
# **The same question to a database** (2 points). What does a database management system (DBMS) do before and after you
# ask it how often each word occurs, and when is its answer out of date? Which of your tasks is nearest to it, and
# in what do they differ?
