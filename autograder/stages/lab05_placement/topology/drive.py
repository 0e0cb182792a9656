"""How topologies are fed: lists as texts, and trees of files in the scratch folder."""

from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, a_kind, or_rejected, plain


@drive("cpus")
def cpus(stage: Any, case: Any) -> Rows:
    """The numbers in a list."""
    return or_rejected(lambda: {"numbers": plain(stage.cpus(case["text"]))})


@drive("read_topology")
def read_topology(stage: Any, case: Any, scratch: Path) -> Rows:
    """The cores and distances that were read, and what `cpus` says of a list of its own."""
    for path, text in case["files"].items():
        (scratch / path).parent.mkdir(parents=True, exist_ok=True)
        (scratch / path).write_text(text, "utf-8")

    def read() -> Rows:
        arguments = [] if case["allowed"] is None else [set(case["allowed"])]
        topology = stage.read_topology(scratch, *arguments)
        cores, distance = (getattr(topology, name, None) for name in ("cores", "distance"))
        if not isinstance(cores, dict) or not isinstance(distance, dict):
            return {"returned": a_kind(topology)}
        return {"cores": plain(cores), "distance": plain(distance)}

    return or_rejected(read) | {"part": _probed(stage)}


def _probed(stage: Any) -> Any:
    try:
        return plain(stage.cpus("0-2,8\n"))
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"[:200]
