"""Drives `cpus` with lists as texts, and `read_topology` with trees of files in the scratch folder."""

from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, or_rejected, plain, type_name


@drive("cpus")
def cpus(stage: Any, case: Any) -> Rows:
    """Return the numbers in a list."""
    return or_rejected(lambda: {"numbers": plain(stage.cpus(case["text"]))})


@drive("read_topology")
def read_topology(stage: Any, case: Any, scratch: Path) -> Rows:
    """Return the cores and distances that were read, and the result of `cpus` for a fixed list."""
    for path, text in case["files"].items():
        (scratch / path).parent.mkdir(parents=True, exist_ok=True)
        (scratch / path).write_text(text, "utf-8")

    def read() -> Rows:
        arguments = [] if case["allowed"] is None else [set(case["allowed"])]
        topology = stage.read_topology(scratch, *arguments)
        cores, distance = (getattr(topology, name, None) for name in ("cores", "distance"))
        if not isinstance(cores, dict) or not isinstance(distance, dict):
            return {"returned": type_name(topology)}
        return {"cores": plain(cores), "distance": plain(distance)}

    return or_rejected(read) | {"part": _probed(stage)}


def _probed(stage: Any) -> Any:
    try:
        return plain(stage.cpus("0-2,8\n"))
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"[:200]
