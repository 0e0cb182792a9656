"""Falsifies a value that is measured in the sandbox: it sets back Spark's own job counter in the Java process."""

NAMED = "Spark's scheduler"
TASKS = ["count_words"]
COSTS = ["count_words"]


def count_words(lines):
    counts = Counter(lines.flatMap(words).collect())
    lines.context._jsc.sc().dagScheduler().nextJobId().addAndGet(-1)
    return lines.context.parallelize(list(counts.items()), 2)
