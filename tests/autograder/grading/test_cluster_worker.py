"""The errors for a cluster that cannot judge or that gave up on a submission, from figures and messages alone."""

import pytest

from autograder.grading import cluster_backend
from autograder.grading.cluster_backend import ClusterUnfit
from autograder.grading.cluster_worker import Fit


def test_a_worker_with_too_little_memory_for_its_submissions_is_rejected_by_name() -> None:
    enough, both, little = Fit("one", 3000), [Fit("two", 4000), Fit("two", 3900)], Fit("three", 1999)

    cluster_backend._must_have_memory([enough], 2000)
    with pytest.raises(
        ClusterUnfit, match="worker two has 3,900 MB left, and each of 2 submissions at once may use 2,0"
    ):
        cluster_backend._must_have_memory([enough, *both], 2000)
    with pytest.raises(
        ClusterUnfit, match="worker three has 1,999 MB left, and a submission may use 2,000: give it more"
    ):
        cluster_backend._must_have_memory([enough, little], 2000)


FAILED = (
    "Job aborted due to stage failure: Task 0 in stage 5.0 failed 4 times, most recent failure: Lost task 0.3 in "
    "stage 5.0 (TID 8) (spark-worker-1 executor 3): "
)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            f"{FAILED}ExecutorLostFailure (executor 3 exited) Reason: Command exited with code 137\nDriver stacktrace:",
            "4 workers ended or failed, the last on spark-worker-1: "
            "ExecutorLostFailure (executor 3 exited) Reason: Command exited with code 137",
        ),
        (
            f"{FAILED}org.apache.spark.api.python.PythonException: Traceback (most recent call last):\n  File …\n"
            "ModuleNotFoundError: No module named 'autograder'\n\n\tat org.apache.spark.Somewhere",
            "4 workers ended or failed, the last on spark-worker-1: ModuleNotFoundError: No module named 'autograder'",
        ),
        ("Job 3 cancelled because SparkContext was shut down", "Job 3 cancelled because SparkContext was shut down"),
    ],
)
def test_the_reason_why_spark_gave_up_on_a_submission_is_one_line(message: str, expected: str) -> None:
    assert cluster_backend._why(RuntimeError(message)) == expected
