"""The class archive that makes Spark start faster; these tests do not run Java."""

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from streamlab.java.finder import Java, pyspark_jars
from streamlab.spark import fast_start
from streamlab.spark.fast_start import class_archive


@pytest.fixture
def java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Java:
    """Return a Java; it, a pyspark with three jars, and a cache are in a temporary folder."""
    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv(fast_start.SWITCH, raising=False)
    (tmp_path / "bin").mkdir()
    for name in ("bin/java", "janino-3.jar", "spark-core.jar", "spark-mllib.jar"):
        (tmp_path / name).write_text(name)
    jars = sorted(tmp_path.glob("*.jar"))
    monkeypatch.setattr(class_archive, "pyspark_jars", lambda: jars)
    return Java(str(tmp_path / "bin" / "java"), str(tmp_path), 17, True)


def prepared(java: Java) -> Path:
    """Create the folder that `prepare` would create for `java`."""
    folder = class_archive.writable_folder() / class_archive._name(java)
    folder.mkdir()
    for name in ("janino-3.jar", class_archive.OWN_JAR, class_archive.ARCHIVE):
        (folder / name).write_text(name)
    return folder


def names(class_path: str) -> list[str]:
    return [Path(each).name for each in class_path.split(":")]


def test_without_an_archive_no_folder_is_prepared(java: Java) -> None:
    assert class_archive.prepared_folder(java) is None

    (prepared(java) / class_archive.ARCHIVE).unlink()
    assert class_archive.prepared_folder(java) is None


def test_the_folder_is_found_until_a_jar_changes(java: Java, tmp_path: Path) -> None:
    folder = prepared(java)
    found = class_archive.prepared_folder(java)
    (tmp_path / "spark-core.jar").write_text("another release")

    assert found == folder
    assert class_archive.prepared_folder(java) is None


def test_the_folder_does_not_depend_on_the_path_by_which_java_was_called(java: Java) -> None:
    folder = prepared(java)

    assert class_archive.prepared_folder(replace(java, program="/usr/bin/java")) == folder


def test_folders_of_other_checkouts_are_kept_and_unusable_ones_are_deleted(java: Java, tmp_path: Path) -> None:
    current = prepared(java)
    made_for = {
        "a": class_archive._made_for(java),
        "b": f"{tmp_path / 'bin/java'}\n{tmp_path / 'deleted'}\n",
        "c": f"{tmp_path / 'bin/java'}\n{tmp_path / 'bin'}\n",
    }
    (current / class_archive.MADE_FOR).write_text(made_for["a"])
    of_same, of_deleted, of_other = (current.parent / f"spark-{digit * 16}" for digit in made_for)
    for folder, text in zip((of_same, of_deleted, of_other), made_for.values(), strict=True):
        folder.mkdir()
        (folder / class_archive.MADE_FOR).write_text(text)
    connector = current.parent / "spark-sql-kafka_2.13-4.0.0-731cded8"
    connector.mkdir()

    class_archive._forget_unused(current)

    assert sorted(current.parent.iterdir()) == sorted([current, of_other, connector])


def test_the_class_path_without_a_prepared_folder_has_pysparks_own_jars(java: Java) -> None:
    assert names(class_archive.class_path(None)) == ["janino-3.jar", "spark-core.jar"]


def test_the_class_path_prefers_the_copies_in_the_folder(java: Java) -> None:
    folder = prepared(java)
    chosen = class_archive.class_path(folder).split(":")

    assert chosen[:2] == [str(folder / class_archive.OWN_JAR), str(folder / "janino-3.jar")]


def test_the_jars_with_most_of_the_needed_classes_are_searched_first(
    java: Java, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jars = [tmp_path / name for name in ("antlr4-4.jar", "avro-1.jar", "janino-3.jar", "spark-sql-api_2.13-4.jar")]
    monkeypatch.setattr(class_archive, "pyspark_jars", lambda: jars)
    chosen = names(class_archive.class_path(None))

    assert chosen == ["janino-3.jar", "spark-sql-api_2.13-4.jar", "antlr4-4.jar", "avro-1.jar"]


def test_no_class_of_the_jars_searched_first_is_in_another_jar() -> None:
    """Otherwise their order would decide which of two classes Spark gets."""
    jars_of: dict[str, list[str]] = {}
    for jar in pyspark_jars():
        with zipfile.ZipFile(jar) as archive:
            for name in archive.namelist():
                if name.endswith(".class") and not name.startswith(("META-INF/", "org/apache/spark/unused/")):
                    jars_of.setdefault(name, []).append(jar.name)

    first = {jar for jars in jars_of.values() for jar in jars if class_archive.SEARCHED_FIRST.match(jar)}
    shared = {name: jars for name, jars in jars_of.items() if len(jars) > 1 and first.intersection(jars)}
    assert len(first) == 12
    assert shared.keys() <= {"module-info.class"}


def test_with_the_switch_off_no_folder_is_used_and_every_jar_is_on_the_class_path(
    java: Java, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared(java)
    monkeypatch.setenv(fast_start.SWITCH, "0")

    assert class_archive.prepared_folder(java) is None
    assert names(class_archive.class_path(None)) == ["janino-3.jar", "spark-core.jar", "spark-mllib.jar"]
    with pytest.raises(class_archive.NotPrepared, match="STREAMLAB_FAST_START=0"):
        class_archive.prepare()


def test_an_unsigned_copy_has_everything_except_the_signature(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "signed.jar", "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n\r\nName: A.class\r\nSHA-256-Digest: x\r\n\r\n")
        jar.writestr("META-INF/SIGNER.SF", "signature")
        jar.writestr("META-INF/SIGNER.RSA", "key")
        jar.writestr("A.class", b"code")

    class_archive._copy_unsigned(tmp_path / "signed.jar", tmp_path / "copy.jar")

    with zipfile.ZipFile(tmp_path / "copy.jar") as copy:
        content = {name: copy.read(name) for name in copy.namelist()}
    assert content == {"META-INF/MANIFEST.MF": b"Manifest-Version: 1.0\n\n", "A.class": b"code"}
