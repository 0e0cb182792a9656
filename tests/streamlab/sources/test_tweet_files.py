"""Recorded lines come back as they were written; a file that is not there, or not whole, is said in one sentence."""

import gzip
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from streamlab.sources.tweet_files import recorded_tweets, write_recording

# Characters that end a line for str.splitlines, and for nobody who reads a socket.
LINES = ["first", "", "a\x0bb\x0cc\x1cd\x85e\u2028f", "café 東京", '{"text":"cut', "\x00"]


@pytest.mark.parametrize("name", ["tweets.jsonl", "tweets.jsonl.gz"])
def test_what_was_written_is_read_again(tmp_path: Path, name: str) -> None:
    recording = write_recording(LINES, tmp_path / name)

    assert list(recorded_tweets(tmp_path / name)) == LINES
    assert recording.lines == len(LINES)
    assert recording.line_bytes == sum(len(line.encode()) + 1 for line in LINES)
    assert recording.file_bytes == (tmp_path / name).stat().st_size
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_equal_lines_give_equal_files_and_one_checksum(tmp_path: Path) -> None:
    written = [write_recording(LINES, tmp_path / name) for name in ("a.gz", "b.gz", "c")]

    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert len({recording.sha256 for recording in written}) == 1


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"one\ntwo", ["one", "two"]),  # no line feed at the end
        (b"one\r\ntwo\r\n", ["one", "two"]),  # the API's own ends of lines
        (b"caf\xe9\n", ["caf\ufffd"]),
        (gzip.compress(b"one\n"), ["one"]),  # whatever its name says
        (gzip.compress(b"one\n") + gzip.compress(b"two\n"), ["one", "two"]),
    ],
    ids=["empty", "empty line", "no end", "carriage returns", "no UTF-8", "gzip", "two gzips in one"],
)
def test_a_file_is_read_line_by_line(tmp_path: Path, content: bytes, lines: list[str]) -> None:
    path = tmp_path / "tweets"
    path.write_bytes(content)

    assert list(recorded_tweets(str(path))) == lines


def test_an_empty_file_is_an_empty_stream_even_where_its_name_ends_in_gz(tmp_path: Path) -> None:
    (tmp_path / "empty.gz").touch()

    assert list(recorded_tweets(tmp_path / "empty.gz")) == []


def test_without_a_path_it_is_the_kits_own_hour() -> None:
    assert sum(1 for _ in recorded_tweets()) == 6000


def test_a_missing_file_is_said_at_once_with_the_way_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no file .*nothing.jsonl; `./lab dataset tweets --to FILE` makes one"):
        recorded_tweets(tmp_path / "nothing.jsonl")


def test_a_folder_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match="cannot read"):
        recorded_tweets(tmp_path)


def test_what_is_not_gzip_though_its_name_says_so_is_refused(tmp_path: Path) -> None:
    (tmp_path / "plain.gz").write_text("one\n")

    with pytest.raises(ValueError, match="not compressed by gzip, though its name says so"):
        recorded_tweets(tmp_path / "plain.gz")


def test_another_kind_of_archive_is_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "tweets.zip", "w") as archive:
        archive.writestr("tweets.jsonl", "one\n")

    with pytest.raises(ValueError, match=r"is a zip archive; expected lines of text, plain or compressed by gzip"):
        recorded_tweets(tmp_path / "tweets.zip")


@pytest.mark.parametrize("damage", ["cut", "flipped", "checksum", "followed by something else"])
def test_a_broken_gzip_gives_its_whole_lines_and_says_where_it_broke(tmp_path: Path, damage: str) -> None:
    content = gzip.compress("".join(f"line {number}\n" for number in range(50_000)).encode())
    broken = {
        "cut": content[: len(content) // 2],
        "flipped": content[:5000] + bytes([content[5000] ^ 0xFF]) + content[5001:],
        "checksum": content[:-8] + b"\0\0\0\0" + content[-4:],
        "followed by something else": content + b"something else",
    }[damage]
    path = tmp_path / "broken.gz"
    path.write_bytes(broken)
    read: list[str] = []

    with pytest.raises(ValueError, match=r"broken.gz is broken after line \d+: .+; copy it again, or make it anew"):
        read.extend(_kept(recorded_tweets(path), read))
    assert len(read) > 100 or damage == "flipped"
    assert all(line.startswith("line ") for line in read[:100])


def _kept(lines: Iterator[str], into: list[str]) -> list[str]:
    for line in lines:
        into.append(line)
    return []


def test_nothing_is_left_where_making_lines_fails_and_an_old_file_stays(tmp_path: Path) -> None:
    def fails() -> Iterator[str]:
        yield "one"
        raise RuntimeError("no more")

    (tmp_path / "tweets.gz").write_text("old")
    with pytest.raises(RuntimeError, match="no more"):
        write_recording(fails(), tmp_path / "tweets.gz")

    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]
