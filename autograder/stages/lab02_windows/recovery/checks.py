"""The checks of `recoverable_counts`."""

from typing import Any

from autograder.checks import Case, Mismatch, Rows, check, same_counts, same_value
from autograder.checks.rejection import must_answer
from autograder.stages.lab02_windows.recovery import cases, oracle
from autograder.stages.lab02_windows.recovery.drive import FIRST_TOTAL


def _same_words(case: Case, rows: Rows, when: str) -> Mismatch | None:
    expected = oracle.words_of_files(case["files"])
    if wrong := must_answer("recoverable_counts", "a StreamingContext", rows):
        return wrong
    if not isinstance(rows["totals"], dict):
        return same_value("an object word -> count", rows["totals"], what="the newest file of totals")
    got = [[word, _from_zero(total)] for word, total in rows["totals"].items()]
    return same_counts(expected, got, what=f"totals {when}")


def _from_zero(total: Any) -> Any:
    """Return a total minus the first total of the drive's stub of `running_counts`, if the learner's job called it."""
    return total - FIRST_TOTAL if isinstance(total, int) and total >= FIRST_TOTAL else total


@check("recoverable_counts", cases=cases.files, invariant=4)
def totals_cover_the_words_of_all_files(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the totals of a run without a crash."""
    return _same_words(case, rows, "after the last file")


@check("recoverable_counts", cases=cases.files, invariant=4, after="totals_cover_the_words_of_all_files")
def every_batch_writes_its_own_file_of_totals(case: Case, rows: Rows) -> Mismatch | None:
    """Require a file for each batch. Each input file arrives after the last was counted, so no two share a batch."""
    wrong, least = must_answer("recoverable_counts", "a StreamingContext", rows), len(case["files"])
    if wrong or rows["files_of_totals"] >= least:
        return wrong
    expected = f"Expected at least {least} files totals-<ms>.json after {least} batches with lines"
    return Mismatch(f"{expected}; your job wrote {rows['files_of_totals']}.", least, rows["files_of_totals"])


@check("recoverable_counts", cases=cases.killed, invariant=12, after="totals_cover_the_words_of_all_files")
def a_killed_run_ends_with_the_same_totals_after_a_restart(case: Case, rows: Rows) -> Mismatch | None:
    """Compare the totals after kill -9 following the first file, a restart on the same folders, and the other file."""
    wrong = _same_words(case, rows, f"of a run that was killed after file {case['kill_after_files']} and restarted")
    return wrong or same_value(1, rows["restarts"], what="the number of restarts")
