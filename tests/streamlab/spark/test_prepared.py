"""What is made once to start faster, without running Java."""

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from streamlab.java.finder import Java
from streamlab.spark import prepared


@pytest.fixture
def java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Java:
    """A Java, a pyspark with three jars, and a cache, all of them in a temporary folder."""
    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path / "cache"))
    (tmp_path / "bin").mkdir()
    for name in ("bin/java", "janino-3.jar", "spark-core.jar", "spark-mllib.jar"):
        (tmp_path / name).write_text(name)
    jars = sorted(tmp_path.glob("*.jar"))
    monkeypatch.setattr(prepared, "pyspark_jars", lambda: jars)
    return Java(str(tmp_path / "bin" / "java"), str(tmp_path), 17, True)


def made(java: Java) -> Path:
    """The prepared folder of `java`, as if `prepare` had made it."""
    folder = prepared.writable_folder() / prepared._name(java)
    folder.mkdir()
    for name in ("janino-3.jar", prepared.OWN_JAR, prepared.ARCHIVE):
        (folder / name).write_text(name)
    return folder


def names(class_path: str) -> list[str]:
    return [Path(each).name for each in class_path.split(":")]


def test_nothing_is_prepared_at_first(java: Java) -> None:
    assert prepared.prepared_folder(java) is None


def test_a_folder_without_its_archive_is_not_prepared(java: Java) -> None:
    (made(java) / prepared.ARCHIVE).unlink()

    assert prepared.prepared_folder(java) is None


def test_the_folder_is_found_until_a_jar_changes(java: Java, tmp_path: Path) -> None:
    folder = made(java)
    found = prepared.prepared_folder(java)
    (tmp_path / "spark-core.jar").write_text("another release")

    assert found == folder
    assert prepared.prepared_folder(java) is None


def test_the_folder_is_found_by_whatever_name_java_was_called(java: Java) -> None:
    folder = made(java)

    assert prepared.prepared_folder(replace(java, program="/usr/bin/java")) == folder


def test_the_class_path_without_a_folder_is_pysparks_own_jars(java: Java) -> None:
    assert names(prepared.class_path(None)) == ["janino-3.jar", "spark-core.jar"]


def test_the_class_path_prefers_the_copies_in_the_folder(java: Java) -> None:
    folder = made(java)

    chosen = prepared.class_path(folder).split(":")

    assert chosen[:2] == [str(folder / prepared.OWN_JAR), str(folder / "janino-3.jar")]


def test_asking_for_every_jar_only_adds_at_the_end(java: Java) -> None:
    folder = made(java)

    few, every = prepared.class_path(folder), prepared.class_path(folder, every_jar=True)

    assert every.startswith(few)  # else the archive would be of no use
    assert names(every.removeprefix(few)) == ["", "spark-mllib.jar"]


def test_a_copy_has_everything_but_the_signature(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "signed.jar", "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n\r\nName: A.class\r\nSHA-256-Digest: x\r\n\r\n")
        jar.writestr("META-INF/SIGNER.SF", "signature")
        jar.writestr("META-INF/SIGNER.RSA", "key")
        jar.writestr("A.class", b"code")

    prepared._copy_unsigned(tmp_path / "signed.jar", tmp_path / "copy.jar")

    with zipfile.ZipFile(tmp_path / "copy.jar") as copy:
        content = {name: copy.read(name) for name in copy.namelist()}
    assert content == {"META-INF/MANIFEST.MF": b"Manifest-Version: 1.0\n\n", "A.class": b"code"}
