"""Calls are shown one per line, and an error is shown like any other result."""

import pytest

from streamlab.views.calls import one_line_errors, show_calls


def half(number: int, of: int = 2) -> float:
    if of == 0:
        raise ValueError(f"of must not be 0\ngot {of}")
    return number / of


def test_arguments_and_results_are_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    show_calls(half, 1, (10, 5))

    assert capsys.readouterr().out == "half(1)      ->  0.5\nhalf(10, 5)  ->  2.0\n"


def test_an_error_in_one_call_does_not_stop_the_next(capsys: pytest.CaptureFixture[str]) -> None:
    show_calls(half, (1, 0), 4)

    assert capsys.readouterr().out == "half(1, 0)  ->  ValueError: of must not be 0\nhalf(4)     ->  2.0\n"


def test_long_arguments_are_cut(capsys: pytest.CaptureFixture[str]) -> None:
    show_calls(len, "x" * 200)

    assert capsys.readouterr().out == f"len('{'x' * 58}…)  ->  200\n"


def test_an_error_in_a_block_is_one_line_and_the_cell_continues(capsys: pytest.CaptureFixture[str]) -> None:
    with one_line_errors():
        half(1, 0)
    print("on")

    assert capsys.readouterr().out == "ValueError: of must not be 0\non\n"


def test_an_error_in_a_block_stops_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMLAB_ERRORS", "raise")

    with pytest.raises(ValueError, match="of must not be 0"), one_line_errors():
        half(1, 0)


def test_an_intended_error_is_shown_in_the_reference_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STREAMLAB_ERRORS", "raise")
    with one_line_errors(ValueError):
        half(1, 0)

    assert capsys.readouterr().out == "ValueError: of must not be 0\n"


def test_the_message_of_a_stub_is_shown_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with one_line_errors():
        raise NotImplementedError("near: the point decides")

    assert capsys.readouterr().out == "NotImplementedError: near: the point decides\n"


def test_an_interrupt_is_not_handled_as_an_error() -> None:
    with pytest.raises(KeyboardInterrupt), one_line_errors():
        raise KeyboardInterrupt
