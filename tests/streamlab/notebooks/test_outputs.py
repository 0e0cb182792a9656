"""Outputs are removed from a notebook's text, and nothing else is."""

import json
from pathlib import Path

import pytest

from streamlab.notebooks import outputs
from streamlab.notebooks.labfile import lab_of_bytes
from streamlab.notebooks.outputs import TooManyParts, without_outputs


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"outputs": [{"text": ["a]", "}\\""]}, []], "source": "x"}', '{"outputs": [], "source": "x"}'),
        ('{"attachments": {"a.png": {"image/png": "AA"}}, "source": "x"}', '{"attachments": [], "source": "x"}'),
        (
            '{"outputs": [], "source": ["[", "x"], "outputs": [1]}',
            '{"outputs": [], "source": ["[", "x"], "outputs": []}',
        ),
        ('{"source": ["outputs", "\\"outputs\\": [1]"]}', None),  # text of a cell
        ('{"cell_type": "outputs", "source": []}', None),
        ('{"outputs": "text"}', None),
        ('{"outputs": [1, "', '{"outputs": []'),  # cut while it was saved
        ('{"outputs" : {"outputs": [1]}, "outputs":[2]}', '{"outputs" : [], "outputs":[]}'),
    ],
)
def test_only_the_values_of_outputs_are_removed(content: str, expected: str | None) -> None:
    assert without_outputs(content.encode()).decode() == (content if expected is None else expected)


def test_many_outputs_count_toward_no_limit_and_the_source_stays() -> None:
    cell = {"cell_type": "code", "source": "x = 1", "outputs": [{"x": [at]} for at in range(300_000)]}
    content = json.dumps({"cells": [cell], "metadata": {}}).encode()

    assert [each.source for each in lab_of_bytes(content, Path("lab.ipynb")).cells] == ["x = 1"]


def test_outputs_that_would_take_minutes_to_read_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "TOKENS_MAX", 10)

    with pytest.raises(TooManyParts):
        without_outputs(b'{"outputs": ' + b"[" * 20)
