"""What the audit tells becomes sentences of a fixed form; whatever else comes is no report."""

from typing import Any

import pytest

from autograder.judge.audit_findings import names_changed, sentence_of, what_may_lie


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (
            {"what": "open", "subject": "/root/x", "during": ""},
            "It tried to open /root/x (while the notebook was loaded).",
        ),
        ({"what": "scheduler", "subject": "", "during": "count_words"}, "It reached into Spark's scheduler, which"),
        ({"what": "open", "subject": "x" * 9999, "during": "y" * 9999}, "It tried to open xxx"),
        ({"what": "praise", "subject": "full points"}, None),
        ({"what": ["open"], "subject": {}}, None),
        ({}, None),
    ],
)
def test_a_report_is_a_sentence_from_the_table(event: dict[str, Any], sentence: str | None) -> None:
    said = sentence_of(event)

    assert said == sentence if sentence is None else (said or "").startswith(sentence) and len(said or "") < 400


@pytest.mark.parametrize(
    ("what", "subject", "lie"),
    [
        ("code", "autograder.stages.x.drive.words", "autograder.stages.x.drive.words"),
        ("code", "__main__.words", None),
        ("hook", "sys.settrace", "sys.settrace"),
        ("hook", "gc.get_objects", None),
        ("scheduler", "", "Spark's count of its jobs"),
        ("open", "autograder.", None),
    ],
)
def test_only_what_can_falsify_a_measured_value_makes_rows_doubtful(what: str, subject: str, lie: str | None) -> None:
    assert what_may_lie({"event": "finding", "what": what, "subject": subject}) == lie


def test_a_broken_seal_without_names_is_still_one() -> None:
    assert names_changed({"names": "all"}) == names_changed({}) != ""
