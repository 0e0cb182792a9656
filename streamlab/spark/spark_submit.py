"""Spark's own launcher, `spark-submit`: its environment, and the command with which PySpark itself starts Java."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from streamlab.java.cache import writable_folder
from streamlab.java.finder import VECTOR_MODULE, Java, find_java, pyspark_jars

WRAPPER = """\
#!/bin/sh
# Runs a Java without the module jdk.incubator.vector: Spark's launcher always asks for it,
# and this runtime does not hold it.
left=$#
while [ "$left" -gt 0 ]; do
  option=$1; shift; left=$((left-1))
  [ "$option" = "{vector_module}" ] || set -- "$@" "$option"
done
exec {java} "$@"
"""


def spark_home() -> Path:
    """Return the folder of the installed pyspark, which is a complete Spark."""
    return pyspark_jars()[0].parent.parent


def java_home() -> str:
    """Return a JAVA_HOME for the launcher: the Java's home, or a wrapper's if the Java lacks the vector module."""
    java = find_java()
    if java.has_vector_module:
        return java.home
    return str(_wrap(java).parent.parent)


def environment() -> dict[str, str]:
    """Return the variables that the launcher needs in addition to the environment of this process."""
    return {"JAVA_HOME": java_home(), "SPARK_HOME": str(spark_home())}


def driver_command(connector: Sequence[str], options: Sequence[str]) -> list[str]:
    """Return the command that starts Spark's Java for a session, with more `options` and the jars of a `connector`."""
    quoted = " ".join(f'"{option}"' for option in options)
    jars = ["--driver-class-path", ":".join(connector)] if connector else []
    launcher = str(spark_home() / "bin" / "spark-submit")
    return [launcher, "--conf", f"spark.driver.extraJavaOptions={quoted}", *jars, "pyspark-shell"]


def _wrap(java: Java) -> Path:
    """Write a `bin/java` that drops the option for the vector module, which this Java lacks; return its path."""
    program = writable_folder() / "java-home" / "bin" / "java"
    program.parent.mkdir(parents=True, exist_ok=True)
    draft = program.with_name(f".java.{os.getpid()}")
    draft.write_text(WRAPPER.format(java=shlex.quote(java.program), vector_module=VECTOR_MODULE))
    draft.chmod(0o755)
    os.replace(draft, program)
    return program
