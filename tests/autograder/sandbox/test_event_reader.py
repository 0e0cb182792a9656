"""Lines from a sandbox are parsed within limits; invalid ones are dropped."""

import os

import pytest

from autograder.sandbox.event_reader import LineReader, parsed


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


def test_each_line_is_an_event_and_the_end_is_reported() -> None:
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
def test_a_line_that_is_not_an_event_is_dropped_and_the_next_one_is_read(line: bytes) -> None:
    events, _ = read_all(line + b'{"event": "good"}\n')

    assert events == [{"event": "good"}]


def test_exceeding_the_limit_of_bytes_ends_the_sandbox() -> None:
    _, causes = read_all(b'{"event": "a"}\n' * 1000, bytes_max=2000)

    assert "over the limit" in causes[0]


def test_brackets_within_strings_do_not_count_as_depth() -> None:
    assert parsed(b'{"event": "a", "x": "' + b"[" * 100 + b'"}\n') is not None


def test_infinity_and_nan_become_none() -> None:
    line = b'{"event": "a", "x": NaN, "y": Infinity, "z": 1e999, "w": 1.5}\n'

    assert parsed(line) == {"event": "a", "x": None, "y": None, "z": None, "w": 1.5}


def test_half_of_a_surrogate_pair_is_escaped_and_a_whole_pair_is_one_character() -> None:
    assert parsed(rb'{"event": "a", "\uDFFF": ["\ud800", "\ud83d\ude00"]}') == {
        "event": "a",
        "\\udfff": ["\\ud800", "😀"],
    }


@pytest.mark.parametrize(
    "line",
    [
        '{"event": "a"}'.encode("utf-16"),
        b'{"event": "a", "x": "\xed\xa0\x80"}',
        b'{"event": "a", "x": ' + b"9" * 5000 + b"}",
        b'{"event": "a", "x": [' + b"[]," * 300_000 + b"1]}",
    ],
    ids=["utf-16", "a raw surrogate", "a number of many digits", "many parts"],
)
def test_a_line_that_is_not_utf8_or_too_large_to_parse_is_dropped(line: bytes) -> None:
    assert parsed(line) is None


def test_dropped_lines_are_counted() -> None:
    read_fd, write_fd = os.pipe()
    reader = LineReader(read_fd, 1_000_000, lambda cause: None)
    os.write(write_fd, b'no json\n{"event": "good"}\n[1]\n')
    os.close(write_fd)

    assert [reader.queue.get(timeout=10) for _ in range(2)] == [{"event": "good"}, None]
    assert reader.dropped == 2
