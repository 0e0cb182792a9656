"""The server collects, cleans and sends lines; recorded lines are read back as they were written."""

import gzip
import json
import socket
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from streamlab.lab02_windows import TweetServer, recorded_tweets
from streamlab.lab02_windows.tweet_server import write_recording

DEADLINE_S = 20.0
# Characters that end a line for str.splitlines, but not for a reader of a socket.
LINES = ["first", "", "a\x0bb\x0cc\x1cd\x85e\u2028f", "café 東京", '{"text":"cut', "\x00"]


def text_of(line: str) -> str | None:
    """Clean a line almost as simply as the slides do."""
    try:
        text = json.loads(line)["text"]
    except (ValueError, KeyError, TypeError):
        return None
    return text if isinstance(text, str) else None


def received(server: TweetServer) -> list[str]:
    place = server.host, server.port
    with socket.create_connection(place, timeout=DEADLINE_S) as client, client.makefile("rb") as file:
        server.wait_done(DEADLINE_S)
        server.close()
        return [line.decode().removesuffix("\n") for line in file]


@pytest.mark.parametrize("lines", [LINES, []], ids=["lines", "no lines"])
def test_without_cleaning_every_line_is_sent_as_it_is(lines: list[str]) -> None:
    with TweetServer(lines) as server:
        assert received(server) == lines
        assert (server.collected, server.discarded, server.report().sent) == (len(lines), 0, len(lines))


def test_cleaned_texts_are_sent_and_rejected_lines_are_counted() -> None:
    lines = ['{"text": "one"}', "no json", '{"text": "two"}', "{}"]

    with TweetServer(lines, clean=text_of) as server:
        assert received(server) == ["one", "two"]
        assert (server.collected, server.discarded) == (4, 2)


def test_one_tweet_is_one_line_for_any_text() -> None:
    lines = [json.dumps({"text": text}) for text in ("a\nb\r\n\nc", "d\re", "half a pair: \ud83d", "\u2028", "")]

    with TweetServer(lines, clean=text_of) as server:
        assert received(server) == ["a b c", "d e", "half a pair: \ufffd", "\u2028", ""]


def test_tweets_are_played_at_the_requested_rate() -> None:
    with TweetServer((f"line {number}" for number in range(51)), rate_per_s=250) as server:
        started_s = time.monotonic()

        assert len(received(server)) == 51
        assert time.monotonic() - started_s >= 50 / 250


def test_the_recorded_hour_can_be_played() -> None:
    with TweetServer(recorded_tweets(), clean=text_of) as server:
        lines = received(server)

    assert server.collected == 6000
    assert len(lines) == 6000 - server.discarded > 5500


def test_an_exception_in_cleaning_includes_its_line() -> None:
    def careless(line: str) -> str:
        return json.loads(line)["text"]

    server = TweetServer(['{"text": "one"}', '{"delete": 1}'], clean=careless)
    with pytest.raises(KeyError) as raised, server:
        received(server)

    assert raised.value.__notes__[0] == """raised by careless for the line '{"delete": 1}'"""


@pytest.mark.parametrize(
    ("line", "clean", "message"),
    [("{}", json.loads, r"loads must return a text or None, got \{\} for the line"), (7, None, "got int: 7")],
)
def test_a_line_or_result_without_text_is_rejected(line: Any, clean: Callable[[str], Any] | None, message: str) -> None:
    with pytest.raises(ValueError, match=message), TweetServer(iter([line]), clean=clean) as server:
        received(server)


def test_an_error_in_the_source_is_raised_in_the_waiting_thread() -> None:
    def failing_source() -> Iterator[str]:
        yield "one"
        raise ValueError("tweets.gz is broken after line 1")

    with pytest.raises(ValueError, match="broken after line 1"), TweetServer(failing_source()) as server:
        received(server)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tweets": "one string"}, "pass lines"),
        ({"loop": True}, "loop is not for tweets"),
        ({"rate_per_s": 0}, "rate_per_s must be a positive number"),
    ],
)
def test_an_invalid_argument_is_rejected(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TweetServer(**{"tweets": ["a"], **arguments})


@pytest.mark.parametrize("name", ["tweets.jsonl", "tweets.jsonl.gz"])
def test_written_lines_are_read_back(tmp_path: Path, name: str) -> None:
    recording = write_recording(LINES, tmp_path / name)

    assert list(recorded_tweets(tmp_path / name)) == LINES
    assert recording.lines == len(LINES)
    assert recording.line_bytes == sum(len(line.encode()) + 1 for line in LINES)
    assert recording.file_bytes == (tmp_path / name).stat().st_size
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_equal_lines_give_equal_files_and_equal_checksums(tmp_path: Path) -> None:
    written = [write_recording(LINES, tmp_path / name) for name in ("a.gz", "b.gz", "c")]

    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert len({recording.sha256 for recording in written}) == 1


@pytest.mark.parametrize(
    ("name", "content", "lines"),
    [
        ("empty", b"", []),
        ("empty.gz", b"", []),
        ("an empty line", b"\n", [""]),
        ("no line feed at the end", b"one\ntwo", ["one", "two"]),
        ("the API's own ends of lines", b"one\r\ntwo\r\n", ["one", "two"]),
        ("not UTF-8", b"caf\xe9\n", ["caf\ufffd"]),
        ("gzip whatever its name says", gzip.compress(b"one\n", mtime=0), ["one"]),
        ("two gzips in one", gzip.compress(b"one\n", mtime=0) + gzip.compress(b"two\n", mtime=0), ["one", "two"]),
    ],
)
def test_a_file_is_read_line_by_line(tmp_path: Path, name: str, content: bytes, lines: list[str]) -> None:
    (tmp_path / name).write_bytes(content)

    assert list(recorded_tweets(str(tmp_path / name))) == lines


def test_a_missing_file_is_reported_at_once_with_the_next_step(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no file .*nothing.jsonl; `./lab dataset tweets --to FILE` makes one"):
        recorded_tweets(tmp_path / "nothing.jsonl")


def test_a_file_that_is_not_lines_of_text_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "plain.gz").write_text("one\n")
    with zipfile.ZipFile(tmp_path / "tweets.zip", "w") as archive:
        archive.writestr("tweets.jsonl", "one\n")

    with pytest.raises(IsADirectoryError):
        recorded_tweets(tmp_path)
    with pytest.raises(ValueError, match="not compressed by gzip, though its name says so"):
        recorded_tweets(tmp_path / "plain.gz")
    with pytest.raises(ValueError, match=r"is a zip archive; expected lines of text, plain or compressed by gzip"):
        recorded_tweets(tmp_path / "tweets.zip")


@pytest.mark.parametrize("damage", ["cut", "flipped", "checksum", "followed by something else"])
def test_a_broken_gzip_yields_its_complete_lines_and_then_reports_where_it_broke(tmp_path: Path, damage: str) -> None:
    content = gzip.compress("".join(f"line {number}\n" for number in range(50_000)).encode())
    broken = {
        "cut": content[: len(content) // 2],
        "flipped": content[:5000] + bytes([content[5000] ^ 0xFF]) + content[5001:],
        "checksum": content[:-8] + b"\0\0\0\0" + content[-4:],
        "followed by something else": content + b"something else",
    }[damage]
    (tmp_path / "broken.gz").write_bytes(broken)
    read: list[str] = []

    with pytest.raises(ValueError, match=r"broken.gz is broken after line \d+: .+; copy or make it again"):
        read.extend(recorded_tweets(tmp_path / "broken.gz"))  # keeps the lines before the exception
    assert len(read) > 100 or damage == "flipped"
    assert all(line.startswith("line ") for line in read[:100])


def test_a_failed_recording_leaves_no_new_file_and_keeps_the_old_one(tmp_path: Path) -> None:
    def fails() -> Iterator[str]:
        yield "one"
        raise RuntimeError("no more")

    (tmp_path / "tweets.gz").write_text("old")
    with pytest.raises(RuntimeError, match="no more"):
        write_recording(fails(), tmp_path / "tweets.gz")

    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]
