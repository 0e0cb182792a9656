"""`./lab demo` begins with two minutes of the system."""

import pytest

from autograder.cli import demo, lab09_system


def test_the_system_moves_on_80_columns_before_anything_is_judged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lab09_system, "LINE_S", 0)

    demo._show_system()

    lines = capsys.readouterr().out.splitlines()
    seconds = [int(line.split()[0]) for line in lines if line[:6].strip().isdigit()]
    assert len(seconds) > 20
    assert seconds == sorted(seconds)
    assert max(map(len, lines)) < 80
