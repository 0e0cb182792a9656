"""Audit findings become sentences of a fixed form; any other event is not a finding."""

from typing import Any

import pytest

from autograder.judge.audit_findings import changed_names, sentence_of, unreliable_value


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
def test_a_finding_is_a_sentence_from_the_table(event: dict[str, Any], sentence: str | None) -> None:
    found = sentence_of(event)

    assert found == sentence if sentence is None else (found or "").startswith(sentence) and len(found or "") < 400


@pytest.mark.parametrize(
    ("what", "subject", "unreliable"),
    [
        ("code", "autograder.stages.x.drive.words", "autograder.stages.x.drive.words"),
        ("code", "__main__.words", None),
        ("hook", "sys.settrace", "sys.settrace"),
        ("hook", "gc.get_objects", None),
        ("scheduler", "", "Spark's count of its jobs"),
        ("open", "autograder.", None),
    ],
)
def test_only_findings_that_can_falsify_a_measured_value_make_rows_unreliable(
    what: str, subject: str, unreliable: str | None
) -> None:
    assert unreliable_value({"event": "finding", "what": what, "subject": subject}) == unreliable


def test_a_broken_seal_without_names_is_reported() -> None:
    assert changed_names({"names": "all"}) == changed_names({}) != ""
