"""HiBench's workloads: three engines agree, and HiBench's report does not distinguish wrong counts from right ones."""

from typing import Any

import pytest

from streamlab.lab04_subqueries.engine import Map, Query
from streamlab.lab04_subqueries.experiments import hibench
from streamlab.lab04_subqueries.experiments.hibench import answer, as_spark_row, compare_engines, hibench_report
from streamlab.lab04_subqueries.page_visits import visits
from tests.autograder.stages.driven_reference import reference


def test_a_visit_becomes_a_row_with_its_time_as_a_timestamp() -> None:
    visit = {"t": 1500, "ip": "a", "url": "/", "word": "to", "duration_s": 3}

    assert as_spark_row(visit) == {"time": "1970-01-01T00:00:01.500+00:00", "ip": "a", "word": "to"}


def test_an_answer_keeps_only_the_latest_row_of_a_key() -> None:
    words = [{"word": "to", "count": 10}, {"word": "to", "count": 9}]  # rows of the same time are in text order
    windows = [{"ip": "a", "t": 9, "count": n, "first": 1, "last": n} for n in (1, 2)]

    assert answer("wordcount", words) == {"to": 10}
    assert answer("fixwindow", windows) == {("a", 9): (2, 1, 2)}


@pytest.mark.parametrize("workload", ["wordcount", "fixwindow"])
def test_three_engines_give_equal_answers(workload: str, spark: Any) -> None:
    compared = compare_engines(spark, reference("lab04_subqueries"), workload, visits(5, 200, rate_per_s=4, ips=6))

    assert compared.is_equal
    assert min(compared[2:]) > 0


def test_a_differing_engine_is_detected(spark: Any) -> None:
    class Wrong:
        hibench_on_spark = staticmethod(lambda workload, rows, instances: rows.where("word <> 'key'"))

        def __getattr__(self, name: str) -> Any:
            return getattr(reference("lab04_subqueries"), name)

    assert not compare_engines(spark, Wrong(), "identity", visits(5, 20)).is_equal


def test_the_report_is_the_same_for_wrong_and_right_counts() -> None:
    rows = visits(5, 100, rate_per_s=1000)
    wrong = Query("visits").add("one", Map(lambda row: {"word": row["word"], "count": 1}), ["visits"], ["results"])
    right = reference("lab04_subqueries").hibench("wordcount", lambda: 0)
    reports = [hibench_report(query, rows) for query in (right, wrong)]

    assert [report.records for report in reports] == [100, 100]
    assert all(100 < report.throughput_per_s < 5000 and report.mean_latency_ms >= 0 for report in reports)


def test_all_four_workloads_are_compared() -> None:
    assert hibench.WORKLOADS == ("identity", "repartition", "wordcount", "fixwindow")
