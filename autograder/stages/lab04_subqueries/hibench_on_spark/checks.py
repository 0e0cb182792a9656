"""The checks of `hibench_on_spark`: rows and shares, words and windows, the remaining state."""

from collections import Counter
from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_counts, same_items, same_value
from autograder.checks.compare import shown
from autograder.checks.rejection import must_answer, must_reject
from autograder.stages.lab04_subqueries.hibench import oracle
from autograder.stages.lab04_subqueries.hibench_on_spark import cases

COLUMNS = {
    "identity": ["time", "ip", "word"],
    "repartition": ["time", "ip", "word"],
    "wordcount": ["word", "count"],
    "fixwindow": ["ip", "count", "first", "last", "end"],
}


def _call(case: Case) -> str:
    return f'hibench_on_spark("{case["workload"]}", visits, {case["instances"]})'


def _answered(case: Case, rows: Rows) -> tuple[Mismatch | None, list[Any]]:
    """Return the output rows in order, as {"values", "share"}, or the reason why there are none."""
    wrong = must_answer(_call(case), "a streaming DataFrame", rows)
    wrong = wrong or same_items(COLUMNS[case["workload"]], rows.get("columns"), what=f"columns of {case['workload']}")
    files = rows.get("files")
    if wrong is None and not _are_files(files):
        wrong = Mismatch(f"Expected rows of {case['workload']}; yours are {shown(files)}.", [], files)
    return wrong, [] if wrong or not isinstance(files, list) else [row for file in files for row in file]


def _are_files(files: Any) -> bool:
    return isinstance(files, list) and all(
        isinstance(file, list) and all(isinstance(row, dict) and isinstance(row.get("values"), dict) for row in file)
        for file in files
    )


def _visits(case: Case) -> list[dict[str, Any]]:
    return [visit for file in case["files"] for visit in file]


def _same_visits(case: Case, rows: Rows) -> tuple[Mismatch | None, list[Any]]:
    wrong, got = _answered(case, rows)
    expected = [{"time": visit["t"], "ip": visit["ip"], "word": visit["word"]} for visit in _visits(case)]
    what = f"rows of {case['workload']}, times in ms"
    return wrong or same_items(expected, [row["values"] for row in got], what=what), got


@check("hibench_on_spark", cases=cases.shares_in_spark, invariant=9)
def repartition_returns_every_row_in_equal_shares(case: Case, rows: Rows) -> Mismatch | None:
    """Require partitions that differ by at most one row; identity returns every row, too."""
    wrong, got = _same_visits(case, rows)
    if wrong or case["workload"] == "identity":
        return wrong
    shares = Counter(str(row.get("share")) for row in got)
    sizes = sorted(shares.values())
    if len(shares) == case["instances"] and sizes[-1] - sizes[0] <= 1:
        return None
    sentence = f"Expected {len(got)} rows in {case['instances']} equal shares; yours are shares of {shown(sizes)}."
    return Mismatch(sentence, len(got) / case["instances"], sizes)


@check("hibench_on_spark", cases=cases.unknown_in_spark, invariant=11)
def spark_rejects_an_unknown_workload(case: Case, rows: Rows) -> Mismatch | None:
    """Require ValueError; a known workload returns its rows."""
    return _same_visits(case, rows)[0] if case["workload"] == "identity" else must_reject(_call(case), rows)


@check("hibench_on_spark", cases=cases.answers_in_spark, invariant=9)
def words_and_windows_equal_those_of_your_engine(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the last row of each word, and of each ip and window."""
    words, expected = oracle.word_totals(_visits(case)), oracle.windows(_visits(case))
    wrong, got = _answered(case, rows)
    values = [row["values"] for row in got]
    if wrong:
        return wrong
    if case["workload"] == "wordcount":
        last = {str(row.get("word")): row.get("count") for row in values}
        return same_counts(words, [list(pair) for pair in last.items()], what="words")
    windows = {str((row.get("ip"), row.get("end"))): row for row in values}
    return same_items(expected, list(windows.values()), what="windows, times in ms")


@check(
    "hibench_on_spark", cases=cases.finished_in_spark, invariant=3, after="words_and_windows_equal_those_of_your_engine"
)
def finished_windows_leave_the_state(case: Case, rows: Rows) -> Mismatch | None:
    """Require that, a day later, the state keeps only the window of the last visit."""
    newest_ms, windows = oracle.windows(case["files"][-1])[0]["end"], len(oracle.windows(_visits(case)))
    wrong, got = _answered(case, rows)
    ends_ms = [row["values"].get("end") for row in got]
    if wrong is None and newest_ms not in ends_ms:
        sentence = f"Expected a row for the window that ends at {newest_ms} ms; yours end at {shown(ends_ms)}."
        wrong = Mismatch(sentence, newest_ms, ends_ms)
    kept = rows.get("state_rows")
    after = kept[-1] if isinstance(kept, list) and kept else kept
    what = f"the number of rows of state a day later ({windows} without a watermark)"
    return wrong or same_value(1, after, what=what)
