"""The checks of `kafka_counts` and `write_once`: a job on a real broker, and a sink that may get a batch twice."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_counts, same_items, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer
from autograder.stages.lab03_log.kafka import cases, oracle

COLUMNS = ["start", "end", "key", "count"]

# kafka_counts


def _call(case: Case) -> str:
    return f"kafka_counts(events, window_s={case['window_s']}, watermark_s={case['watermark_s']})"


def _windows(case: Case, rows: Rows) -> tuple[Mismatch | None, list[Any]]:
    """Return the rows that were written, or the reason why there are none."""
    wrong = must_answer(_call(case), "a streaming DataFrame", rows)
    wrong = wrong or same_items(COLUMNS, rows.get("columns"), what="columns")
    windows = rows.get("windows")
    if wrong or not isinstance(windows, list):
        return wrong or same_value([], windows, what=f"the windows of {_call(case)}"), []
    return None, windows


def _same_windows(case: Case, rows: Rows, when: str = "") -> Mismatch | None:
    """Compare the count of each window and key; another check judges records without a key."""
    counts = oracle.kafka_counts(case["records"], case["window_s"])
    wrong, windows = _windows(case, rows)
    expected = {_cell(*cell): count for cell, count in counts.items()}
    got = [[_cell(*row[:3]), row[3]] if _is_window(row) else row for row in windows if not _has_no_key(row)]
    return wrong or same_counts(expected, got, what=f"windows{when}")


def _is_window(row: Any) -> bool:
    return isinstance(row, list) and len(row) == len(COLUMNS)


def _has_no_key(row: Any) -> bool:
    return _is_window(row) and row[2] is None


def _cell(start_s: Any, end_s: Any, key: Any) -> str:
    """Return a window and key as text. Example: _cell(1000.0, 1010.0, "a") -> "[1000, 1010) a"."""
    return f"[{_whole(start_s)}, {_whole(end_s)}) {'an empty key' if key == '' else key}"


def _whole(seconds: Any) -> Any:
    return int(seconds) if isinstance(seconds, float) and seconds.is_integer() else seconds


@check("kafka_counts", cases=cases.counted, invariant=12)
def each_record_counts_in_the_window_of_its_timestamp(case: Case, rows: Rows) -> Mismatch | None:
    """Compare windows [start, end) of Kafka's timestamp over all partitions; equal records count twice."""
    return _same_windows(case, rows)


@check("kafka_counts", cases=cases.counted, invariant=12)
def a_record_without_a_key_is_not_counted(case: Case, rows: Rows) -> Mismatch | None:
    """Look for a window without a key; an empty key is a key."""
    wrong, windows = _windows(case, rows)
    without = [row for row in windows if _has_no_key(row)]
    if wrong or not without:
        return wrong
    count = f"{_cell(*without[0][:3])}: {shown(without[0][3])}"
    return Mismatch(f"Expected no window for records without a key; yours has {count}.", [], without)


@check(
    "kafka_counts",
    cases=cases.killed,
    invariant=12,
    after=("each_record_counts_in_the_window_of_its_timestamp", "a_record_without_a_key_is_not_counted"),
)
def killing_the_job_or_the_broker_changes_no_count(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the counts after kill -9 of the job inside a batch, or of the broker; both continue where they were."""
    wrong = _same_windows(case, rows, f" of a run whose {case['kill']} was killed")
    return wrong or same_value(True, _is_some(rows.get("restarts")), what=f"a restart of the {case['kill']}")


def _is_some(value: Any) -> bool:
    return isinstance(value, int) and value >= 1


# write_once


def _writes(case: Case, count: int | None = None) -> str:
    """Describe the writes in words: they are the smallest input."""
    dies = {"dies": ", dies", "dies late": ", dies when it renames"}
    found = [f"batch {number} ({len(rows)} rows{dies.get(how, '')})" for number, rows, how in case["writes"][:count]]
    return f"write_once of {', '.join(found)}"


@check("write_once", cases=cases.written, invariant=13)
def a_batch_written_twice_is_in_the_table_once(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the rows of all batches; equal rows stay separate rows."""
    return _same_table(case, rows, _tables(case))


def _alive(case: Case) -> list[Any]:
    """Return the writes, with "ok" for those that die late: a sink that renames nothing does not die."""
    return [[*write[:2], "ok" if write[2] == "dies late" else write[2]] for write in case["writes"]]


def _nobody_died_late(case: Case, rows: Rows) -> bool:
    died = rows.get("died")
    late = [at for at, write in enumerate(case["writes"]) if write[2] == "dies late"]
    return isinstance(died, list) and any(at < len(died) and died[at] is False for at in late)


def _tables(case: Case) -> tuple[list[Any], list[Any]]:
    """Return the rows of the table if the late writes died, and if they did not."""
    return oracle.written(case["writes"]), oracle.written(_alive(case))


def _same_table(case: Case, rows: Rows, tables: tuple[list[Any], list[Any]]) -> Mismatch | None:
    expected, writes = tables[_nobody_died_late(case, rows)], _writes(case)
    wrong = must_answer(writes, "nothing", rows)
    if not wrong and rows.get("rows") is None:
        wrong = Mismatch(f"Expected a table that can be read after {writes}; yours cannot be read.", expected)
    return wrong or same_items(expected, rows.get("rows"), what=f"rows of the table after {writes}")


@check("write_once", cases=cases.dying, invariant=13, after="a_batch_written_twice_is_in_the_table_once")
def a_failed_try_leaves_no_readable_row(case: Case, rows: Rows) -> Mismatch | None:
    """Require that a failed attempt leaves other batches unchanged and that the next attempt succeeds."""
    tables = _tables(case)
    readable, otherwise = (
        [oracle.readable_after(writes[:count]) for count in range(1, 1 + len(writes))]
        for writes in (case["writes"], _alive(case))
    )
    readable = otherwise if _nobody_died_late(case, rows) else readable
    if wrong := must_answer(_writes(case), "nothing", rows):
        return wrong
    after = rows.get("after_each")
    for count, got in enumerate(after if isinstance(after, list) else [], 1):
        expected = readable[min(count, len(readable)) - 1]
        if got != expected and not (got is None and expected == 0):
            table = "no table" if got is None else shown(got)
            sentence = f"Expected {expected} rows to be read after {_writes(case, count)}; yours has {table}."
            return Mismatch(sentence, expected, got)
    return _same_table(case, rows, tables)
