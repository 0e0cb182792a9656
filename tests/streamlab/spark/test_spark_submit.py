"""The Java that spark-submit gets: a complete one unchanged, one without the vector module in a wrapper."""

import subprocess
from pathlib import Path

import pytest

from streamlab.java.finder import VECTOR_MODULE, Java
from streamlab.spark import spark_submit


def test_a_complete_java_is_used_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_submit, "find_java", lambda: Java("/j/bin/java", "/j", 17, has_vector_module=True))

    assert spark_submit.java_home() == "/j"


def test_the_wrapper_drops_the_missing_module_and_nothing_else(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "a java"
    program.write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("STREAMLAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(spark_submit, "find_java", lambda: Java(str(program), "", 21, has_vector_module=False))
    wrapper = Path(spark_submit.java_home(), "bin", "java")

    ran = subprocess.run([wrapper, "-Xmx1g", VECTOR_MODULE, "-cp", "a b:*", ""], capture_output=True, text=True)

    assert ran.stdout == "-Xmx1g|-cp|a b:*||"
