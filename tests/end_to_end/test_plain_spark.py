"""The fast start changes how long Spark takes, and nothing else: without it, the reference still gets full marks."""

import pytest

from autograder.course import load_course
from autograder.judge.batch import judge_all
from autograder.judge.request import Request
from streamlab.spark import fast_start
from streamlab.spark.jvm import ROOT

LAB = "lab01_wordcount"  # it has RDDs, streams from queues and sockets, and a standing query; others take minutes


@pytest.mark.slow
def test_without_the_fast_start_the_reference_gets_full_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(fast_start.SWITCH, "0")
    request = Request(root=ROOT, course=load_course(ROOT), lab=LAB, throughput=False)

    [results] = judge_all([(ROOT / "solutions" / LAB / f"{LAB}.py", request)], 1)

    not_passed = [check["sentence"] for check in results["streamlab"]["checks"] if check["verdict"] != "pass"]
    assert not_passed == []
    assert results["score"] == results["max_score"] > 0
