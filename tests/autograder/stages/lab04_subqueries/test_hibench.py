"""HiBench's workloads: the oracle against examples worked out by hand."""

from autograder.stages.lab04_subqueries.hibench import oracle
from autograder.stages.lab04_subqueries.hibench.cases import some_visits, visit_at
from autograder.stages.lab04_subqueries.hibench_on_spark import cases


def test_windows_are_half_open_and_hold_their_first_and_last_time() -> None:
    visits = [visit_at(t, "a") for t in (1000, 29_999, 30_000)]

    assert oracle.windows(visits) == [
        {"ip": "a", "count": 2, "first": 1000, "last": 29_999, "end": 30_000},
        {"ip": "a", "count": 1, "first": 30_000, "last": 30_000, "end": 60_000},
    ]


def test_a_window_before_0_ends_at_0() -> None:
    assert [window["end"] for window in oracle.windows([visit_at(-1), visit_at(0)])] == [0, 30_000]


def test_the_counts_of_each_word_start_at_one() -> None:
    visits = [visit_at(t, word=word) for t, word in enumerate(["to", "be", "to"])]

    assert [row["count"] for row in oracle.running_counts(visits)] == [1, 1, 2]
    assert oracle.word_totals(visits) == {"to": 2, "be": 1}


def test_no_row_of_a_spark_case_is_late() -> None:
    """Spark's watermark is 10 s before the newest row of the earlier files."""
    for make in (cases.answers_in_spark, cases.finished_in_spark):
        for case in make("public"):
            first, second = case["files"]

            assert min(visit["t"] for visit in second) > max(visit["t"] for visit in first) - 10_000


def test_times_of_visits_are_unique_and_sorted() -> None:
    from random import Random

    times = [visit["t"] for visit in some_visits(Random(1), 50)]

    assert times == sorted(set(times))
