"""The cache folder: its path, and the fallback if it is not writable."""

import fcntl
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from streamlab.java import cache


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"STREAMLAB_CACHE": "/one", "XDG_CACHE_HOME": "/two", "HOME": "/three"}, "/one"),
        ({"XDG_CACHE_HOME": "/two", "HOME": "/three"}, "/two/streamlab"),
        ({"XDG_CACHE_HOME": "", "HOME": "/three"}, "/three/.cache/streamlab"),  # set but empty counts as not set
    ],
)
def test_the_cache_folder_is_the_first_one_named_in_the_environment(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: str
) -> None:
    for name in ("STREAMLAB_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert str(cache.cache_folder()) == expected


def test_remembered_values_are_recalled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path / "not yet there"))
    cache.remember("answers.json", {"java": 17})

    assert cache.recall("answers.json") == {"java": 17}
    assert [each.name for each in (tmp_path / "not yet there").iterdir()] == ["answers.json"]


@pytest.mark.parametrize("content", ["", "{", "[1]", "\udcff"])
def test_a_broken_cache_file_counts_as_empty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str) -> None:
    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path))
    (tmp_path / "answers.json").write_bytes(content.encode("utf-8", "surrogateescape"))

    assert cache.recall("answers.json") == {}


def test_a_temporary_folder_replaces_an_unusable_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(cache.tempfile, "tempdir", str(tmp_path))
    cache.remember("answers.json", {"java": 17})

    assert cache.writable_folder() == tmp_path / f"streamlab-{os.getuid()}"
    assert json.loads((cache.writable_folder() / "answers.json").read_text()) == {"java": 17}
    assert cache.recall("answers.json") == {"java": 17}


def test_another_users_temporary_folder_is_not_trusted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / f"streamlab-{os.getuid()}").symlink_to(tmp_path / "elsewhere")
    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(cache.tempfile, "tempdir", str(tmp_path))
    chosen = cache.writable_folder()

    assert chosen.parent == tmp_path
    assert chosen.name not in (f"streamlab-{os.getuid()}", "elsewhere")


def test_a_lock_that_another_process_holds_is_reported_before_the_wait(tmp_path: Path) -> None:
    said: list[str] = []
    with open(tmp_path / "lock", "w") as held, open(tmp_path / "lock", "w") as wanted, ThreadPoolExecutor(1) as pool:
        cache.acquire(held, "prepares Spark", said.append)

        def release(message: str) -> None:
            said.append(message)
            fcntl.flock(held, fcntl.LOCK_UN)

        pool.submit(cache.acquire, wanted, "prepares Spark", release).result(timeout=60)

    assert said == ["waiting for another process, which prepares Spark"]
