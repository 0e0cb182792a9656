"""Whatever a learner's function returns becomes something that JSON can hold."""

import json
from datetime import UTC, datetime

from autograder.inside.rows import a_kind, or_rejected, plain


def test_what_json_cannot_hold_becomes_a_text() -> None:
    rows = plain([{1}, (2, None, True), {"a": b"x"}, {3: 4}, float("inf"), 0.5, datetime(1970, 1, 1, tzinfo=UTC)])

    assert rows == ["<set>", [2, None, True], {"a": "<bytes>"}, {"3": 4}, "inf", 0.5, 0.0]
    assert json.loads(json.dumps(rows, allow_nan=False)) == rows


def test_a_value_that_is_no_row_is_named_by_its_kind() -> None:
    assert a_kind({1}) == "<set>"


def test_a_refusal_is_a_row_and_another_error_is_not() -> None:
    def refuses() -> dict[str, int]:
        raise ValueError("not this")

    assert or_rejected(refuses) == {"rejected": "ValueError", "text": "not this"}
    assert or_rejected(lambda: {"n": 1}) == {"n": 1}
