"""Helpers of all servers in Java: a command with bounded memory, and settings as a properties file.

Does not find Java or its jars; `streamlab.java` does.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from streamlab.java.finder import find_java

LOGGING = Path(__file__).resolve().parent / "conf" / "log4j2.properties"
QUICK_START = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xshare:auto")


def java_command(
    main: str, *arguments: str, class_path: str, heap_mb: int, folder: Path, options: Sequence[str] = ()
) -> list[str]:
    """Return the command that runs the class `main` with at most `heap_mb` of heap; temporary files go to `folder`.

    Raises `JavaNotFound`.
    """
    own = [f"-Xms{heap_mb // 2}m", f"-Xmx{heap_mb}m", *QUICK_START, "-XX:+ExitOnOutOfMemoryError"]
    own += [f"-Dlog4j2.configurationFile={LOGGING.as_uri()}", f"-Djava.io.tmpdir={folder}"]
    own += [f"-XX:ErrorFile={folder}/java-crashed-%p.log", "-Djava.awt.headless=true"]
    return [find_java().program, *own, *options, "-cp", class_path, main, *arguments]


def properties(settings: Mapping[str, object]) -> str:
    """Return settings as the text of a Java properties file.

    Example: properties({"num.partitions": 4}) -> "num.partitions=4\\n"
    """
    return "".join(f"{name}={value}\n" for name, value in settings.items())
