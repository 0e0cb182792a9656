"""Runs real processes: candidates x and y, and three managers. x kills itself at a write; then a manager is killed.

Orchestrator and InstanceManager are the learner's. The managers log their starts and stops, with the time.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from kazoo.client import KazooClient

from autograder.inside.faulty import FaultyClient
from autograder.inside.patience import Patience
from autograder.inside.rows import Rows
from autograder.stages.lab05_placement.managers.drive_sessions import Sessions
from autograder.stages.lab05_placement.orchestrator.drive_rule import four_nodes
from streamlab.lab05_placement.managers import deploy
from streamlab.lab05_placement.managers.programs import Logged, read_log, run_candidate, run_manager
from streamlab.spark.killable_job import KillableJob

SESSION_S = 1.0
STARTS_S = 25.0  # for processes to start, on a busy machine
PLACES_S = 10.0  # for actions of running processes
LATER_S = 2.0  # for either, once an earlier wait has timed out


def dies_at(write: int, zk: KazooClient) -> None:
    """Plan the death of this process at the given write, counted from now on."""
    FaultyClient(zk, write, "kill")


class Processes:
    """The processes of one case, killed at the end of the block, and their logs."""

    def __init__(self, stage: Any, sessions: Sessions, scratch: Path) -> None:
        self._stage, self._sessions, self._scratch = stage, sessions, scratch
        self._jobs: dict[str, KillableJob] = {}
        self.wait = Patience(LATER_S).wait
        self._stack = ExitStack()

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def start(self, name: str, job: Callable[..., Any], *arguments: Any) -> None:
        """Start a process; `arguments` come after the class, the address and the root."""
        folder = self._scratch / name
        folder.mkdir()
        role = self._stage.InstanceManager if job is run_manager else self._stage.Orchestrator
        where = (self._sessions.address, self._sessions.root, name, folder / "log", SESSION_S)
        self._jobs[name] = self._stack.enter_context(
            KillableJob(job, role, *where, *arguments, folder=folder, spark=False)
        )

    def log(self, name: str) -> list[Logged]:
        """Return what a process has logged so far."""
        return read_log(self._scratch / name / "log")

    def is_alive(self, name: str) -> bool:
        """Return whether a process is still running."""
        return self._jobs[name].is_alive

    def kill(self, name: str) -> float:
        """Kill a process with SIGKILL and return the time."""
        self._jobs[name].kill()
        return time.monotonic()


def killed_processes(stage: Any, case: Any, scratch: Path) -> Rows:
    """Return starts and stops, the placements after each kill, and the seconds until all instances ran again."""
    with Sessions() as sessions, Processes(stage, sessions, scratch) as processes:
        for number in range(3):
            processes.start(f"m{number}", run_manager, number)
        processes.start("x", run_candidate, four_nodes(), partial(dies_at, case["write"]))
        processes.wait(lambda: has(processes, "x", "leads") and len(sessions.registry.names("managers")) == 3, STARTS_S)
        processes.start("y", run_candidate, four_nodes())
        processes.wait(lambda: has(processes, "y", "waits"), STARTS_S)
        for query, nodes in case["queries"].items():
            deploy(sessions.observer, query, nodes, sessions.root)
        return _deaths(processes, sessions, case)


def _deaths(processes: Processes, sessions: Sessions, case: Any) -> Rows:
    """Kill both processes; the second one only if all instances ran again after the first kill."""
    died_s, took_s, placements = dict[str, float](), dict[str, float](), list[Any]()
    names = sorted(name for nodes in case["queries"].values() for name in nodes)

    def all_run() -> bool:
        return has(processes, "y", "leads") and running(processes, died_s) == names

    processes.wait(lambda: not processes.is_alive("x") or len(sessions.placements()) == len(case["queries"]), PLACES_S)
    for name in "x", case["kill"]:
        died_s[name] = processes.kill(name)
        is_healed = processes.wait(lambda: all_run() and placed_at(sessions).isdisjoint(died_s), PLACES_S)
        took_s[name] = time.monotonic() - died_s[name]
        placements.append(sessions.placements())
        if not is_healed:
            break
    logs = {name: [list(each) for each in processes.log(name)] for name in ("m0", "m1", "m2", "x", "y")}
    owned = [query for query in case["queries"] if owner_of(sessions, query)]
    return {"placements": placements, "ephemeral": owned, "logs": logs, "died_s": died_s, "took_s": took_s}


def owner_of(sessions: Sessions, query: str) -> int:
    """Return the session whose end would delete the placement of a query; 0 if no session owns it."""
    stat = sessions.observer.exists(sessions.registry.path("placements", query))
    return stat.ephemeralOwner if stat else 0


def has(processes: Processes, name: str, what: str) -> bool:
    """Return whether a process has logged `what`."""
    return any(each.what == what for each in processes.log(name))


def placed_at(sessions: Sessions) -> set[str]:
    """Return the managers that placements name."""
    return {manager for managers in sessions.placements().values() for manager in managers.values()}


def running(processes: Processes, died_s: dict[str, float]) -> list[str]:
    """Return the instances that run now on living managers, sorted; one that runs twice is listed twice."""
    found: list[str] = []
    for manager in ("m0", "m1", "m2"):
        last = {each.instance: each.what for each in processes.log(manager)} if manager not in died_s else {}
        found += [instance for instance, what in last.items() if what == "start"]
    return sorted(found)
