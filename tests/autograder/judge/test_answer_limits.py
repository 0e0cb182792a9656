"""Judging ends for answers that are far too large, and for submissions that take too much of the judge's time."""

import json

import pytest

from autograder.judge import answer_limits
from autograder.judge.answer_limits import values_in
from autograder.judge.reference_figures import measured
from tests.autograder.judge.tiny_kit import RIGHT, Kit, sentence, verdicts


@pytest.mark.parametrize(
    ("answer", "count"), [({}, 0), ({"n": 1}, 1), ({"n": [1, [2]]}, 4), ([[], [], {}], 3), ("text", 0)]
)
def test_values_are_counted_at_all_levels(answer: object, count: int) -> None:
    assert values_in(answer) == count


@pytest.mark.parametrize(("values", "verdict"), [(1_009, "fail"), (1_010, "error")])
def test_an_answer_of_too_many_values_is_an_error(kit: Kit, values: int, verdict: str) -> None:
    """The reference answers with one value, so that 1,010 are allowed, the field that holds the answer included."""
    recorded = {"reference": measured({}, {"double": 1, "triple": 1})}
    (kit.root / "autograder/stages/lab99_tiny/verified.json").write_text(json.dumps(recorded))

    results = kit.judge(f"def double(x):\n    return [0] * {values}", RIGHT["triple"])

    assert verdicts(results) == {"double": verdict, "triple": "pass"}
    if verdict == "error":
        assert "too many values: 1,011, where at most 1,010 are expected" in sentence(results, "double")


def test_a_check_after_the_judges_time_is_over_earns_nothing(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_limits, "JUDGING_S", -1.0)

    results = kit.judge(*RIGHT.values())

    assert (results["score"], verdicts(results)) == (0, {"double": "timeout", "triple": "timeout"})
    assert "double was not judged" in sentence(results, "double")
