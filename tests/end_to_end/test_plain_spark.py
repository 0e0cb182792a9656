"""The fast start changes how long Spark takes, and nothing else: without it, the reference still gets full marks."""

import pytest

from autograder.course import load_course
from autograder.judge.batch import judge_all
from autograder.judge.request import Request
from streamlab.spark import fast_start
from streamlab.spark.jvm import ROOT

# Java starts in three ways: as it is, with the connector to Kafka, and with executors as processes.
LABS = {"streams": "lab01_wordcount", "kafka": "lab03_log", "executors": "lab07_irm"}


@pytest.mark.slow
@pytest.mark.parametrize("lab", LABS.values(), ids=LABS.keys())
def test_without_the_fast_start_the_reference_gets_full_marks(lab: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(fast_start.SWITCH, "0")
    request = Request(root=ROOT, course=load_course(ROOT), lab=lab, throughput=False)

    [results] = judge_all([(ROOT / "solutions" / lab / f"{lab}.py", request)], 1)

    not_passed = [check["sentence"] for check in results["streamlab"]["checks"] if check["verdict"] != "pass"]
    assert not_passed == []
    assert results["score"] == results["max_score"] > 0
