"""The memory that the groups of a process or its container still allow, for both versions of control groups."""

import sys
from pathlib import Path

import pytest

from autograder.sandbox.memory_left import FILES, containers_limit, left_in_groups


@pytest.mark.parametrize("version", FILES)
def test_it_is_the_limit_minus_the_used_memory(tmp_path: Path, version: tuple[str, str]) -> None:
    for name, figure in zip(version, ("3000\n", "1000\n"), strict=True):
        (tmp_path / name).write_text(figure)

    assert left_in_groups([tmp_path]) == 2000


def test_without_a_limit_it_is_unlimited(tmp_path: Path) -> None:
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("1000\n")

    assert left_in_groups([tmp_path]) == sys.maxsize


def test_cached_files_that_the_system_can_drop_count_as_free(tmp_path: Path) -> None:
    for name, text in {"max": "3000\n", "current": "1000\n", "stat": "anon 400\ninactive_file 500\n"}.items():
        (tmp_path / f"memory.{name}").write_text(text)

    assert left_in_groups([tmp_path]) == 2500


def test_the_tightest_limit_of_the_own_group_and_those_above_counts(tmp_path: Path) -> None:
    own = tmp_path / "x.slice" / "x.service"
    own.mkdir(parents=True)
    for folder, limit in ((own, "max\n"), (own.parent, "3000\n")):
        (folder / "memory.max").write_text(limit)
        (folder / "memory.current").write_text("1000\n")

    assert left_in_groups([own, own.parent, tmp_path]) == 2000
    assert left_in_groups([]) == sys.maxsize


def test_the_limit_of_a_container_is_the_one_that_its_group_has(tmp_path: Path) -> None:
    outside = containers_limit([tmp_path])
    (tmp_path / "memory.max").write_text("max\n")
    unlimited = containers_limit([tmp_path])
    (tmp_path / "memory.max").write_text("3000\n")

    assert (outside, unlimited, containers_limit([tmp_path])) == (None, None, 3000)
