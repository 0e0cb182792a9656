"""Lines from a sandbox are data with limits."""

import os

import pytest

from autograder.sandbox.reading import LineReader, parsed


def read_all(content: bytes, bytes_max: int = 1_000_000) -> tuple[list[object], list[str]]:
    read_fd, write_fd = os.pipe()
    causes: list[str] = []
    reader = LineReader(read_fd, bytes_max, causes.append)
    os.write(write_fd, content)
    os.close(write_fd)
    events = []
    while (event := reader.queue.get(timeout=10)) is not None:
        events.append(event)
    reader.close()
    return events, causes


def test_each_line_is_an_event_and_the_end_is_told() -> None:
    events, causes = read_all(b'{"event": "a"}\n{"event": "b", "x": [1]}\n')

    assert events == [{"event": "a"}, {"event": "b", "x": [1]}]
    assert causes == []


@pytest.mark.parametrize(
    "line",
    [
        b"no json\n",
        b"[1]\n",
        b'{"x": 1}\n',
        b'{"event": 5}\n',
        b'{"event": "a", "x": ' + b"[" * 50 + b"]" * 50 + b"}\n",
    ],
)
def test_a_line_that_is_no_event_is_dropped_and_the_next_one_read(line: bytes) -> None:
    events, _ = read_all(line + b'{"event": "good"}\n')

    assert events == [{"event": "good"}]


def test_over_the_limit_of_bytes_the_sandbox_is_ended() -> None:
    _, causes = read_all(b'{"event": "a"}\n' * 1000, bytes_max=2000)

    assert "over the limit" in causes[0]


def test_brackets_within_strings_do_not_count_as_depth() -> None:
    assert parsed(b'{"event": "a", "x": "' + b"[" * 100 + b'"}\n') is not None


def test_infinity_and_nan_become_nothing() -> None:
    assert parsed(b'{"event": "a", "x": NaN, "y": Infinity}\n') == {"event": "a", "x": None, "y": None}
