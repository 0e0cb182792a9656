"""Collecting from the exchange accepts only regular files of their owner, and records when they arrived."""

import os
import pwd
import stat
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from nbgrader.apps import NbGraderAPI
from traitlets.config import Config

from autograder.record import inbound
from autograder.record.collection import SafeCollect
from autograder.record.settings import configure

LAB = "lab99_tiny"
ME = pwd.getpwuid(os.getuid()).pw_name


class Exchange:
    """An exchange folder, and submissions in it as students leave them."""

    def __init__(self, tiny_class, folder: Path) -> None:
        self.inbound = folder / "tiny" / "inbound"
        self.inbound.mkdir(parents=True)
        folder.chmod(0o777)
        self.classroom = tiny_class.classroom
        config = Config()
        configure(config, self.classroom)
        config.Exchange.root = str(folder)
        self.api = NbGraderAPI(config=config)

    def submission(self, student: str, when: datetime) -> Path:
        stamp = when.strftime("%Y-%m-%d %H:%M:%S.%f UTC")
        folder = self.inbound / f"{student}+{LAB}+{stamp}+random"
        folder.mkdir()
        (folder / f"{LAB}.ipynb").write_text("{}")
        (folder / "timestamp.txt").write_text(stamp)
        return folder

    def collected(self) -> list[str]:
        outcome = self.api.collect(LAB)
        assert outcome["success"], outcome
        return (
            sorted(path.name for path in self.classroom.submitted.iterdir())
            if self.classroom.submitted.exists()
            else []
        )


@pytest.fixture
def exchange(tiny_class, recorder, tmp_path: Path) -> Exchange:
    return Exchange(tiny_class, tmp_path / "exchange")


def now() -> datetime:
    return datetime.now(UTC)


def test_an_own_submission_is_collected_and_the_newest_one_counts(exchange) -> None:
    exchange.submission(ME, now() - timedelta(minutes=2))
    newest = exchange.submission(ME, now())
    (newest / f"{LAB}.ipynb").write_text('{"newest": 1}')

    assert exchange.collected() == [ME]
    assert "newest" in (exchange.classroom.submitted / ME / LAB / f"{LAB}.ipynb").read_text()


def test_a_submission_in_another_students_name_is_rejected(exchange) -> None:
    exchange.submission("victim", now())
    exchange.submission(ME, now())

    assert exchange.collected() == [ME]


def test_a_forged_newer_submission_does_not_hide_the_honest_one(exchange) -> None:
    exchange.submission(ME, now())
    forged = exchange.submission(ME, now() + timedelta(days=1))
    (forged / "more.txt").symlink_to("/etc/passwd")

    assert exchange.collected() == [ME]
    assert not (exchange.classroom.submitted / ME / LAB / "more.txt").is_symlink()


@pytest.mark.parametrize("kind", ["symlink", "hard link", "pipe"])
def test_a_submission_with_anything_but_regular_files_is_rejected(exchange, kind: str, tmp_path: Path) -> None:
    folder = exchange.submission(ME, now())
    (tmp_path / "secret.txt").write_text("secret")
    path = folder / "data.txt"
    if kind == "symlink":
        path.symlink_to(tmp_path / "secret.txt")
    elif kind == "hard link":
        path.hardlink_to(tmp_path / "secret.txt")
    else:
        os.mkfifo(path)

    assert exchange.collected() == []


def test_a_time_stamp_earlier_than_the_arrival_of_the_file_is_corrected(exchange) -> None:
    exchange.submission(ME, now() - timedelta(days=3))

    exchange.collected()

    text = (exchange.classroom.submitted / ME / LAB / "timestamp.txt").read_text()
    recorded = datetime.strptime(text, "%Y-%m-%d %H:%M:%S.%f UTC").replace(tzinfo=UTC)
    assert now() - recorded < timedelta(minutes=1)


def test_only_the_teacher_can_read_a_copy(exchange) -> None:
    folder = exchange.submission(ME, now())
    (folder / "data").mkdir()
    (folder / "data" / "more.txt").write_text("x")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o777)

    assert exchange.collected() == [ME]

    copy = exchange.classroom.submitted / ME / LAB
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (copy, *copy.rglob("*"))}
    assert modes == {0o700, 0o600}
    assert (copy / "data" / "more.txt").read_text() == "x"


@pytest.mark.parametrize("kind", ["symlink", "pipe", "folder that links out"])
def test_a_file_that_is_swapped_in_after_the_check_is_not_copied(
    exchange, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, secret = exchange.submission(ME, now()), tmp_path / "solutions"
    secret.mkdir()
    (secret / f"{LAB}.ipynb").write_text("the solution")
    swaps: dict[str, Callable[[Path], None]] = {
        "symlink": lambda path: path.symlink_to(secret / f"{LAB}.ipynb"),
        "pipe": os.mkfifo,
        "folder that links out": lambda path: path.symlink_to(secret),
    }
    copy_files = SafeCollect.copy_files

    def swap_and_copy(self: SafeCollect) -> None:
        (folder / f"{LAB}.ipynb").unlink()
        swaps[kind](folder / f"{LAB}.ipynb")
        copy_files(self)

    monkeypatch.setattr(SafeCollect, "copy_files", swap_and_copy)

    exchange.collected()

    assert not (exchange.classroom.submitted / ME / LAB).exists()


def test_a_folder_instead_of_the_time_stamp_does_not_stop_collecting(exchange) -> None:
    folder = exchange.submission(ME, now())
    (folder / "timestamp.txt").unlink()
    (folder / "timestamp.txt" / "deep").mkdir(parents=True)

    assert exchange.collected() == [ME]
    assert exchange.collected() == [ME]
    assert (exchange.classroom.submitted / ME / LAB / "timestamp.txt").is_file()


@pytest.mark.parametrize("bad", ["huge", "many", "deep", "no time", "unreadable"])
def test_one_bad_submission_does_not_stop_a_batch(exchange, bad: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbound, "ENTRIES_MAX", 30)
    monkeypatch.setattr(inbound, "_require_owner", lambda status, rules, name: None)
    opened = os.open

    def unreadable(path: str, *arguments: int, **named: int | None) -> int:
        if path == "closed":  # a folder of mode 000, for a teacher who is not root
            raise PermissionError(13, "Permission denied")
        return opened(path, *arguments, **named)

    monkeypatch.setattr(os, "open", unreadable)
    folder = exchange.submission("daemon", now())
    spoil: dict[str, Callable[[], object]] = {
        "huge": lambda: os.truncate(folder / f"{LAB}.ipynb", 1 << 40),
        "many": lambda: [(folder / str(number)).touch() for number in range(40)],
        "deep": lambda: (folder / "/".join("abcdefghijk")).mkdir(parents=True),
        "unreadable": lambda: (folder / "closed").mkdir(),
        "no time": lambda: folder.rename(folder.parent / f"daemon+{LAB}+not a time+x"),
    }
    spoil[bad]()
    exchange.submission(ME, now())

    assert exchange.collected() == [ME]
