"""Drives `InstanceManager` with a script of placements, steps and faults, in one process.

The operations of a script, each with the label of a manager or the name of a query:

    join LABEL ME CORES     a manager named ME on a new session      place QUERY {instance: manager} or None [BY]
    step LABEL              one step; a planned fault may end it     fault LABEL HOW   the fault of its next write
    expire LABEL            its session ends, and it gets a new one  kill LABEL        it ends together with its session
    feed MS                 instances get their rows before MS

With BY, {"source": the instance that sends the rows, "machine": the nodes of m1, m2, …}, the learner's `place` chooses
the managers, by the bytes of the rows so far. With CORES, positions among the cores that the drive may use, instances
are processes. In a case with `shares`, {instance: its rows}, each process runs the learner's `Aggregate` of Lab 4.
"""

import json
import os
import subprocess
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Any

from kazoo.exceptions import ConnectionLoss

from autograder.inside import drive
from autograder.inside.faulty import FaultyClient, expire
from autograder.inside.rows import Rows, plain
from autograder.stages.lab05_placement.managers.drive_sessions import Sessions, end
from autograder.stages.lab05_placement.managers.drive_subqueries import Subqueries
from autograder.stages.lab05_placement.placing.drive import UNWRITTEN
from autograder.stages.lab05_placement.search.drive_problems import topology_of
from streamlab.kit_program import PYTHON

OWN = sorted(os.sched_getaffinity(0))
WAITS = "input()"  # an instance that waits until its input ends
Process = subprocess.Popen[bytes]


def waiting(instance: str) -> Process:
    """Start a process that waits."""
    return subprocess.Popen([*PYTHON, "-c", WAITS], stdin=subprocess.PIPE)


class Managed:
    """One manager: its client, the learner's object, and the instances that it started and has not stopped."""

    def __init__(
        self,
        make: Any,
        sessions: Sessions,
        label: str,
        me: str,
        events: list[Any],
        cores: Sequence[int],
        launch: Callable[[str], Process],
    ) -> None:
        self.client, self.label, self.me = sessions.open(), label, me
        self._sessions, self._events, self._cores, self._launch = sessions, events, cores, launch
        self.runs: list[str] = []  # an instance that was started twice is listed twice
        self._processes: dict[str, Process] = {}
        self.manager = make(self.client, me, 0, self._start, self._stop, sessions.root, cores or [0], self._pin)

    def _start(self, instance: str) -> int:
        self._events.append(["start", self.label, plain(instance), self._claim(instance)])
        self.runs.append(instance)
        if not self._cores:
            return os.getpid()
        self._processes[instance] = self._launch(instance)
        return self._processes[instance].pid

    def _stop(self, instance: str) -> None:
        self._events.append(["stop", self.label, plain(instance), self._claim(instance)])
        with suppress(ValueError):
            self.runs.remove(instance)
        self._end(instance)

    def _pin(self, pid: int, cores: Collection[int]) -> None:
        if self._cores and pid in [process.pid for process in self._processes.values()]:
            os.sched_setaffinity(pid, cores)

    def affinity(self) -> dict[str, list[int]]:
        """Return the cores that the process of each running instance may use."""
        alive = {name: process.pid for name, process in self._processes.items() if process.poll() is None}
        return {name: sorted(os.sched_getaffinity(pid)) for name, pid in alive.items()}

    def end(self) -> None:
        """End all processes."""
        for instance in list(self._processes):
            self._end(instance)

    def _end(self, instance: str) -> None:
        with suppress(KeyError, BrokenPipeError), self._processes.pop(instance) as process:
            process.kill()

    def _claim(self, instance: str) -> str:
        """Return who owns the claim of an instance now: "own", "another" or "nobody"."""
        stat = self._sessions.observer.exists(self._sessions.registry.path("claims", str(instance)))
        if stat is None:
            return "nobody"
        return "own" if stat.ephemeralOwner == self.client.client_id[0] else "another"


class Script:
    """The managers of one case, and the state after each operation."""

    def __init__(self, stage: Any, sessions: Sessions, subqueries: Subqueries | None) -> None:
        self._stage, self._sessions, self._subqueries = stage, sessions, subqueries
        self._managed: dict[str, Managed] = {}
        self._owners: dict[int, str] = {}
        self.events: list[Any] = []
        self.seen: list[Any] = []

    def play(self, operations: list[list[Any]]) -> None:
        """Carry out all operations and record the state after each one."""
        for name, *arguments in operations:
            OPERATIONS[name](self, *arguments)
            running = {label: sorted(map(str, each.runs)) for label, each in self._managed.items()}
            reported = {label: sorted(map(str, each.manager.running)) for label, each in self._managed.items()}
            cores = {label: each.affinity() for label, each in self._managed.items()}
            self.seen.append({"runs": running, "running": reported, "claims": self._claims(), "cores": cores})

    def _claims(self) -> dict[str, str]:
        """Return the label of the manager whose session owns each claim."""
        found = {}
        for instance in self._sessions.registry.names("claims"):
            stat = self._sessions.observer.exists(self._sessions.registry.path("claims", instance))
            found[instance] = self._owners.get(stat.ephemeralOwner, "no session") if stat else "gone"
        return found

    def end(self) -> None:
        """End the processes of all managers."""
        for each in self._managed.values():
            each.end()

    def join(self, label: str, me: str, cores: Sequence[int] = ()) -> None:
        """Add a manager."""
        on = sorted({OWN[at % len(OWN)] for at in cores})
        launch = self._subqueries.start if self._subqueries else waiting
        self._managed[label] = Managed(self._stage.InstanceManager, self._sessions, label, me, self.events, on, launch)
        self._owners[self._managed[label].client.client_id[0]] = label

    def place(self, query: str, managers: dict[str, str] | None, by: Any = None) -> None:
        """Write a placement, or delete it."""
        if by and managers and self._subqueries:
            managers = _chosen(self._stage, managers, self._subqueries.byte_rates(by["source"]), by["machine"])
        path, zk = self._sessions.registry.path("placements", query), self._sessions.observer
        data = json.dumps({"epoch": 1, "managers": managers}).encode()
        if managers is None:
            zk.delete(path)
        elif zk.exists(path):
            zk.set(path, data)
        else:
            zk.create(path, data)

    def step(self, label: str) -> None:
        """Let a manager carry out one step, which a fault may end."""
        try:
            self._managed[label].manager.step()
        except ConnectionLoss:
            self.events.append(["ended", label, "", ""])

    def fault(self, label: str, how: str) -> None:
        """Plan a fault for a manager's next write."""
        FaultyClient(self._managed[label].client, at=1, how=how)

    def expire(self, label: str) -> None:
        """End the session of a manager that keeps running."""
        client = self._managed[label].client
        expire(client)
        self._owners[client.client_id[0]] = label

    def kill(self, label: str) -> None:
        """End a manager together with its processes and its session."""
        managed = self._managed.pop(label)
        managed.end()
        end(managed.client)

    def feed(self, until_ms: int) -> None:
        """Let the instances process their rows before a time."""
        if self._subqueries:
            self._subqueries.feed(until_ms)


def _chosen(stage: Any, managers: dict[str, str], rates: Any, machine: Any) -> dict[str, str]:
    """Return the managers on the nodes that the learner's `place` chooses; `managers` if it is not written yet."""
    try:
        nodes = stage.place(list(managers), rates, topology_of(machine))
    except Exception as problem:
        if type(problem).__name__ in UNWRITTEN:
            return managers
        raise
    if not isinstance(nodes, dict):  # the checks of `place` say so
        return managers
    return {str(instance): f"m{node + 1}" for instance, node in nodes.items()}


OPERATIONS: dict[str, Callable[..., None]] = {
    name: getattr(Script, name) for name in ("join", "place", "step", "fault", "expire", "kill", "feed")
}


@drive("InstanceManager")
def instance_manager(stage: Any, case: Any, earlier: Any) -> Rows:
    """Return the running instances and claims after each operation, all starts and stops, and the results of Lab 4."""
    subqueries = None
    if "shares" in case:
        subqueries = Subqueries(earlier("lab04_subqueries").Aggregate, case["shares"], case["window_ms"])
    with Sessions() as sessions:
        script = Script(stage, sessions, subqueries)
        try:
            script.play(case["script"])
        finally:
            script.end()
        results = plain(subqueries.results) if subqueries else []
        return {"seen": script.seen, "events": script.events, "own": OWN, "results": results}
