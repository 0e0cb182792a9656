"""A gradebook that cannot be used is one sentence: locked and by whom, damaged, or not writable, and what to do."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from autograder.record import gradebook_file
from autograder.record.gradebook_file import UnusableGradebook, fault_of, require_usable

HOLD = """import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
for each in sys.argv[2].split("; "):
    database.execute(each).fetchall()
print("locked", flush=True)
sys.stdin.read()"""


@pytest.fixture
def gradebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small database; nobody waits for its locks."""
    monkeypatch.setattr(gradebook_file, "LOCK_TIMEOUT_S", 0)
    path = tmp_path / "gradebook.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE grade (points)")
        database.executemany("INSERT INTO grade VALUES (?)", [("x" * 500,)] * 100)
    database.close()
    return path


@contextmanager
def locked_by_another(path: Path, statements: str) -> Iterator[int]:
    """Let another process lock the database; yield its id."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, path, statements], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        yield other.pid
        other.stdin.close()


READING = "BEGIN; SELECT * FROM grade LIMIT 1"


@pytest.mark.parametrize(
    ("statements", "can_read"), [("BEGIN EXCLUSIVE", False), ("BEGIN IMMEDIATE", True), (READING, True)]
)
def test_a_locked_gradebook_is_named_with_the_process_that_has_it_open(
    gradebook: Path, statements: str, can_read: bool
) -> None:
    with locked_by_another(gradebook, statements) as process:
        why = fault_of(gradebook, to_write=True)
        assert why is not None
        assert why.startswith(f"{gradebook} is locked by process {process} ({sys.executable} -c import sqlite3")
        assert "save and close it there, then call this command again" in why
        assert (fault_of(gradebook, to_write=False) is None) is can_read

    assert fault_of(gradebook, to_write=True) is None


def test_the_holder_of_a_lock_that_this_user_may_not_see_is_another_users_program(
    gradebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gradebook_file.psutil, "process_iter", lambda: [])

    with locked_by_another(gradebook, "BEGIN EXCLUSIVE"):
        why = fault_of(gradebook, to_write=True)

    assert why is not None
    assert "is locked by a program of another user or on another machine" in why


@pytest.mark.parametrize("damage", ["no database", "cut", "overwritten"])
@pytest.mark.parametrize("to_write", [True, False])
def test_a_damaged_gradebook_is_named_with_what_a_new_one_would_lose(
    gradebook: Path, damage: str, to_write: bool
) -> None:
    content = gradebook.read_bytes()
    middle = len(content) // 2
    gradebook.write_bytes(
        {
            "no database": b"x" * 9_000,
            "cut": content[:middle],
            "overwritten": content[:middle] + b"\xff" * 9_000 + content[middle + 9_000 :],
        }[damage]
    )

    with pytest.raises(UnusableGradebook, match=r"is damaged \(.+\); restore .* without manual grades"):
        require_usable(gradebook, to_write=to_write)


@pytest.mark.parametrize("closed", ["gradebook.db", "."])
def test_a_gradebook_that_cannot_be_written_names_the_path_whose_permissions_to_change(
    gradebook: Path, closed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, access = gradebook.parent / closed, os.access
    monkeypatch.setattr(os, "access", lambda asked, mode: access(asked, mode) and (asked != path or mode == os.R_OK))

    why = fault_of(gradebook, to_write=True)

    assert why is not None
    assert why.startswith(f"{path} is not writable for ")
    assert fault_of(gradebook, to_write=False) is None


def test_a_folder_in_place_of_the_gradebook_is_named(tmp_path: Path) -> None:
    why = fault_of(tmp_path, to_write=False)

    assert why == f"{tmp_path} is not a file; move it away, and `./lab grade` creates a new gradebook"


def test_checking_a_gradebook_changes_nothing(gradebook: Path) -> None:
    before = gradebook.read_bytes()

    assert fault_of(gradebook, to_write=True) is None
    assert fault_of(gradebook.with_name("missing.db"), to_write=True) is None

    assert gradebook.read_bytes() == before
    assert [each.name for each in gradebook.parent.iterdir()] == ["gradebook.db"]
