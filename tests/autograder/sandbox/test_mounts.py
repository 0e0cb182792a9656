"""A sandbox shows listed folders of this machine's disk, and covers private ones at any place."""

from pathlib import Path

import pytest

from autograder.sandbox import bubblewrap, environment, mounts
from autograder.sandbox.mounts import Mount
from tests.autograder.conftest import working_level


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A disk whose only system folder is `lib`, with a Python in it."""
    (tmp_path / "lib" / "kit" / ".venv").mkdir(parents=True)
    (tmp_path / "lib" / "kit" / "solutions").mkdir()
    monkeypatch.setattr(mounts, "_system", lambda: [str(tmp_path / "lib")])
    monkeypatch.setattr(mounts, "folders_to_show", lambda: [str(tmp_path / "lib" / "kit" / ".venv")])
    return tmp_path


def test_a_kit_below_a_system_folder_is_covered_and_its_python_is_mounted_on_top(disk: Path) -> None:
    lib, kit = str(disk / "lib"), str(disk / "lib" / "kit")

    assert mounts.mounts([kit]) == [Mount(lib), Mount(kit, is_cover=True), Mount(f"{kit}/.venv")]
    assert list(mounts.hidden_entries([kit])) == [f"{kit}/solutions"]


def test_a_check_inside_the_sandbox_returns_the_visible_paths(disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    working_level("bubblewrap")
    shown, hidden = disk / "lib" / "kit" / ".venv", disk / "lib" / "kit" / "solutions"
    usr = [f"/usr/{name}" for name in mounts.SYSTEM_FOLDERS]
    monkeypatch.setattr(mounts, "_system", lambda: [*usr, str(disk / "lib")])

    assert bubblewrap.seen_inside([str(shown), str(hidden)], disk / "lib" / "kit") == [str(shown)]


@pytest.mark.parametrize("prefix", ["/", "/usr", "/usr/local"])
def test_only_programs_and_libraries_of_a_shared_prefix_are_shown(prefix: str) -> None:
    assert prefix not in environment.parts_of(prefix)
    assert str(Path(prefix, "lib")) in environment.parts_of(prefix)
    assert str(Path(prefix, "share")) not in environment.parts_of(prefix)


def test_an_installation_with_its_own_prefix_is_shown_completely() -> None:
    assert environment.parts_of("/srv/python-3.12") == ["/srv/python-3.12"]
