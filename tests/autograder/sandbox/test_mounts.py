"""What a sandbox shows of this machine's disk: folders by name, private ones covered wherever they lie."""

from pathlib import Path

import pytest

from autograder.sandbox import bubblewrap, environment, mounts
from autograder.sandbox.mounts import Mount
from tests.autograder.conftest import that_works


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A disk whose only system folder is `lib`, with a Python in it."""
    (tmp_path / "lib" / "kit" / ".venv").mkdir(parents=True)
    (tmp_path / "lib" / "kit" / "solutions").mkdir()
    monkeypatch.setattr(mounts, "_system", lambda: [str(tmp_path / "lib")])
    monkeypatch.setattr(mounts, "folders_to_show", lambda: [str(tmp_path / "lib" / "kit" / ".venv")])
    return tmp_path


def test_a_kit_below_a_system_folder_is_covered_and_its_python_lies_on_top(disk: Path) -> None:
    lib, kit = str(disk / "lib"), str(disk / "lib" / "kit")

    assert mounts.mounts([kit]) == [Mount(lib), Mount(kit, is_cover=True), Mount(f"{kit}/.venv")]
    assert list(mounts.hidden_entries([kit])) == [f"{kit}/solutions"]


def test_a_look_from_the_inside_tells_what_is_seen(disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    that_works("bubblewrap")
    shown, hidden = disk / "lib" / "kit" / ".venv", disk / "lib" / "kit" / "solutions"
    usr = [f"/usr/{name}" for name in mounts.SYSTEM_FOLDERS]
    monkeypatch.setattr(mounts, "_system", lambda: [*usr, str(disk / "lib")])

    assert bubblewrap.seen_inside([str(shown), str(hidden)], disk / "lib" / "kit") == [str(shown)]


@pytest.mark.parametrize("prefix", ["/", "/usr", "/usr/local"])
def test_of_a_shared_prefix_only_programs_and_libraries_are_shown(prefix: str) -> None:
    assert prefix not in environment.parts_of(prefix)
    assert str(Path(prefix, "lib")) in environment.parts_of(prefix)
    assert str(Path(prefix, "share")) not in environment.parts_of(prefix)


def test_an_installation_of_its_own_is_shown_whole() -> None:
    assert environment.parts_of("/srv/python-3.12") == ["/srv/python-3.12"]
