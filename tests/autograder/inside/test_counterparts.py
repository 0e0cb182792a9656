"""A counterpart answers only the questions that it knows; where there is no judge, it lives with its drive."""

from typing import Any

import pytest

from autograder.inside.counterparts import COUNTERPARTS, Counterpart, NoAnswer
from autograder.inside.drives import Drive


class Sums(Counterpart):
    QUESTIONS = frozenset({"add"})
    total = 0

    def add(self, number: int) -> int:
        self.total += number
        return self.total

    def shown(self) -> dict[str, Any]:
        return {"name": self.case["name"]}

    def rows(self) -> dict[str, Any]:
        return {"total": self.total}


@pytest.mark.parametrize("question", [("total",), ("rows",), ("__init__", {}), ([],), ("add",), ("add", "one")])
def test_any_other_question_has_no_answer(question: tuple[Any, ...]) -> None:
    with pytest.raises(NoAnswer):
        Sums({}).ask(*question)


def test_a_drive_without_a_judge_asks_a_counterpart_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COUNTERPARTS, "sums", Sums)
    drive = Drive(
        "sums", lambda case, outside: {"case": case, "one": outside("add", 1)}, frozenset({"case", "outside"})
    )

    rows = drive(stage=None, case={"name": "a", "secret": 7})

    assert rows == {"case": {"name": "a"}, "one": 1, "total": 1}
