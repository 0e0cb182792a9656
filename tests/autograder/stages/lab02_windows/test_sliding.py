"""Sliding windows: the oracle against examples worked out by hand, and the operations that the drive counts."""

import math
from pathlib import Path
from typing import Any

import pytest

from autograder.stages.lab02_windows.sliding import cases, oracle, workload
from autograder.stages.lab02_windows.sliding.checks import sliding_is_faster_than_recomputing_each_window, steps_so_far
from tests.autograder.stages.lab02_windows.driven import rows_of

ADD_5, ADD_3, EXPIRE, RESULT = ["add", 5], ["add", 3], ["expire"], ["result"]
REJECTED = oracle.REJECTED


@pytest.mark.parametrize(
    ("steps", "sums", "maxima"),
    [
        ([], [], []),
        ([RESULT], [0], [REJECTED]),
        ([EXPIRE], [REJECTED], [REJECTED]),
        ([ADD_5, RESULT], [None, 5], [None, 5]),
        ([ADD_5, ADD_3, RESULT, EXPIRE, RESULT], [None, None, 8, None, 3], [None, None, 5, None, 3]),  # the oldest left
        ([ADD_5, EXPIRE, RESULT], [None, None, 0], [None, None, REJECTED]),
        ([EXPIRE, ADD_5, RESULT], [REJECTED, None, 5], [REJECTED, None, 5]),  # a rejected call changes nothing
        ([ADD_5, ADD_5, EXPIRE, RESULT], [None, None, None, 5], [None, None, None, 5]),
        ([["add", -5], RESULT], [None, -5], [None, -5]),
    ],
)
def test_answers_come_from_the_values_in_the_window(steps: list[Any], sums: list[Any], maxima: list[Any]) -> None:
    assert oracle.answers(steps, oracle.exact_sum) == sums
    assert oracle.answers(steps, oracle.maximum) == maxima


def test_a_float_sum_kept_by_adding_and_subtracting_is_within_the_rounding_allowed() -> None:
    for case in cases.floats("a seed of this test"):
        steps, total, window, sums = case["steps"], 0.0, [], []
        for verb, *value in steps:
            if verb == "add":
                window += value
                total += value[0]
            elif verb == "expire":
                total -= window.pop(0)
            else:
                sums.append(total)
        exact = [each for each in oracle.answers(steps, oracle.exact_sum) if each is not None]

        allowed = oracle.rounding_allowed(steps)
        assert sums == pytest.approx(exact, rel=0, abs=allowed)
        assert allowed < 1e-6 * max(1, *map(abs, exact))


def test_sums_of_floats_are_exact() -> None:
    assert oracle.exact_sum([0.1] * 10) == math.fsum([0.1] * 10)


def test_only_the_last_few_of_many_steps_are_shown() -> None:
    assert steps_so_far([ADD_5, EXPIRE, RESULT], 2) == "add(5), expire()"
    assert steps_so_far([ADD_5] * 20, 20) == "12 calls, " + ", ".join(["add(5)"] * 8)


# The throughput check


def test_the_throughput_check_expects_sums_of_the_last_values() -> None:
    sums = workload.sums("".join(f"{value}\n" for value in range(1500)).encode())

    assert sums[:3] == [0, 1, 3]
    assert sums[999:1001] == [sum(range(1000)), sum(range(1, 1001))]
    assert sums[-1] == sum(range(500, 1500))


@pytest.mark.parametrize(
    ("results", "sentence"),
    [
        ([1, 3, 6], None),
        ([1, 2, 6], "Expected the result of slide 2 to be 3; yours is 2."),
        ([1, 3], "Expected the number of results to be 3; yours is 2."),
        (None, "Expected the number of results to be 3; yours is None."),
        ([1, None, 6], "Expected the result of slide 2 to be 3; yours is None."),
    ],
)
def test_one_wrong_sum_fails_a_throughput_turn(results: Any, sentence: str | None) -> None:
    mismatch = sliding_is_faster_than_recomputing_each_window.judge(b"1\n2\n3\n", {"results": results})

    assert (mismatch and mismatch.sentence) == sentence


# The drive

WINDOW = """
class Window:
    def __init__(self): self.values = []
    def add(self, value): self.values.append(value)
    def expire(self):
        if not self.values: raise ValueError("it is empty")
        return self.values.pop(0)
"""
SUM = f"{WINDOW}\n    def result(self): return sum(self.values)\nSlidingSum = Window"
MAX = f"{WINDOW}\n    def result(self): return max(self.values)\nSlidingMax = Window"


def test_additions_and_subtractions_are_counted_in_their_step() -> None:
    rows = rows_of("SlidingSum", SUM, {"steps": [RESULT, ADD_5, ADD_3, RESULT, EXPIRE, EXPIRE, EXPIRE]})

    assert rows["answers"] == [0, None, None, 8, None, None, {"rejected": "ValueError", "text": "it is empty"}]
    assert (rows["adds"], rows["subtractions"], rows["comparisons"]) == (2, 0, 0)
    assert rows["work_of_each_step"] == [0, 0, 0, 2, 0, 0, 0]


def test_every_comparison_of_a_maximum_is_counted() -> None:
    rows = rows_of("SlidingMax", MAX, {"steps": [ADD_5, ["add", 7.5], RESULT]})

    assert (rows["answers"], rows["comparisons"]) == ([None, None, 7.5], 1)


def test_values_of_a_maximum_cannot_be_subtracted() -> None:
    code = MAX.replace("max(self.values)", "self.values[0] - self.values[0]")

    with pytest.raises(TypeError, match="unsupported operand"):
        rows_of("SlidingMax", code, {"steps": [ADD_5, RESULT]})


def test_a_throughput_turn_has_a_result_for_every_number(tmp_path: Path) -> None:
    path = tmp_path / "turn.txt"
    path.write_text("1\n" * 1000 + "5\n")

    results = rows_of("SlidingSum.throughput", SUM, {"path": str(path)})["results"]

    assert (len(results), results[0], results[999], results[1000]) == (1001, 1, 1000, 1004)
