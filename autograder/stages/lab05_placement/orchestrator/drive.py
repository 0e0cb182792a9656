"""Drives `placement_changes` with what is stored, and `Orchestrator` with scripts and with real processes.

A script plays in one process, on a root of its own.
The "kind" of a case: `script` plays once. `stopped` plays once for each write at which the candidate can be stopped,
`anywhere` once for each request, also for reads. `deaths` plays once undisturbed, and twice for each write: the leader
dies before it and after it. `processes` plays `drive_processes.killed_processes`. The stub of `heal` is `in_threes`.
"""

from collections.abc import Callable
from copy import deepcopy
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from autograder.inside import drive
from autograder.inside.rows import Rows, plain, type_name
from autograder.stages.lab05_placement.managers.drive_sessions import Sessions
from autograder.stages.lab05_placement.orchestrator.drive_processes import killed_processes
from autograder.stages.lab05_placement.orchestrator.drive_rule import four_nodes, in_threes
from autograder.stages.lab05_placement.orchestrator.drive_script import MortalLeader, Script

MOST_REQUESTS = 60


@drive("placement_changes")
def placement_changes(stage: Any, case: Any) -> Rows:
    """Return the changes, whether the arguments stayed unchanged, and [nodes, busy] of each call of `heal`."""
    arguments, before = (deepcopy([case[name] for name in ("queries", "placed", "managers")]) for _ in range(2))
    calls: list[Any] = []

    def heal(nodes: Any, running: Any, managers: Any, busy: Any, topology: Any) -> dict[str, str]:
        calls.append([plain(nodes), plain(busy)])
        return in_threes(nodes, running, managers, busy, topology)

    with stage.replaced(heal=heal):
        found = stage.placement_changes(*arguments, four_nodes())
    changes = plain(found) if isinstance(found, dict) else type_name(found)
    return {"changes": changes, "unchanged": arguments == before, "heals": calls}


@drive("Orchestrator")
def orchestrator(stage: Any, case: Any, scratch: Path) -> Rows:
    """Return the trace of each run of the case."""
    with stage.replaced(heal=in_threes):
        if case["kind"] == "processes":
            return killed_processes(stage, case, scratch)
        with Sessions() as sessions:
            return {"runs": RUNS[case["kind"]](stage.Orchestrator, sessions, case["script"])}


def _once(make: Any, sessions: Sessions, script: list[Any]) -> list[Any]:
    return [_played(Script(make, sessions), script)]


def _played(played: Script, script: list[Any]) -> dict[str, Any]:
    played.play(script)
    return {"trace": played.trace, "death": getattr(played, "death", {})}


def _stopped(make: Any, sessions: Sessions, script: list[Any], *, anywhere: bool = False) -> list[Any]:
    """Return one run for each write, or each request, up to the last one of the script."""
    runs = []
    for at in range(1, MOST_REQUESTS):
        with Sessions() as own:
            played = Script(make, own, at, anywhere=anywhere)
            run = _played(played, script)
        if not played.struck:
            break
        runs.append(run | {"request": played.struck})
    return runs


def _deaths(make: Any, sessions: Sessions, script: list[Any]) -> list[Any]:
    """Return the undisturbed run, then two runs for each write."""
    runs = _once(make, sessions, script)
    for at in count(1):
        for how in ("before", "after"):
            with Sessions() as own:
                mortal = MortalLeader(make, own, at, how)
                run = _played(mortal, script)
            if not mortal.struck or at > MOST_REQUESTS:
                return runs
            runs.append(run | {"write": at, "how": how})
    return runs


RUNS: dict[str, Callable[[Any, Sessions, list[Any]], list[Any]]] = {
    "script": _once,
    "stopped": _stopped,
    "anywhere": partial(_stopped, anywhere=True),
    "deaths": _deaths,
}
