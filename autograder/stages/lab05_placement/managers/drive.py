"""Drives `InstanceManager` with a script of placements, steps and faults, in one process.

The operations of a script, each with the label of a manager or the name of a query:

    join LABEL ME CORES     a manager named ME on a new session      place QUERY {instance: manager} or None
    step LABEL              one step; a planned fault may end it     fault LABEL HOW   the fault of its next write
    expire LABEL            its session ends, and it gets a new one  kill LABEL        it ends together with its session

With CORES, positions among the cores that the drive may use, the manager's instances are processes.
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
from streamlab.kit_program import PYTHON

OWN = sorted(os.sched_getaffinity(0))
WAITS = "input()"  # an instance that waits until its input ends


class Managed:
    """One manager: its client, the learner's object, and the instances that it started and has not stopped."""

    def __init__(
        self, make: Any, sessions: Sessions, label: str, me: str, events: list[Any], cores: Sequence[int]
    ) -> None:
        self.client, self.label, self.me = sessions.open(), label, me
        self._sessions, self._events, self._cores = sessions, events, cores
        self.runs: list[str] = []  # an instance that was started twice is listed twice
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self.manager = make(self.client, me, 0, self._start, self._stop, sessions.root, cores or [0], self._pin)

    def _start(self, instance: str) -> int:
        self._events.append(["start", self.label, plain(instance), self._claim(instance)])
        self.runs.append(instance)
        if not self._cores:
            return os.getpid()
        self._processes[instance] = subprocess.Popen([*PYTHON, "-c", WAITS], stdin=subprocess.PIPE)
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
        return {name: sorted(os.sched_getaffinity(process.pid)) for name, process in self._processes.items()}

    def end(self) -> None:
        """End all processes."""
        for instance in list(self._processes):
            self._end(instance)

    def _end(self, instance: str) -> None:
        with suppress(KeyError), self._processes.pop(instance) as process:
            process.kill()

    def _claim(self, instance: str) -> str:
        """Return who owns the claim of an instance now: "own", "another" or "nobody"."""
        stat = self._sessions.observer.exists(self._sessions.registry.path("claims", str(instance)))
        if stat is None:
            return "nobody"
        return "own" if stat.ephemeralOwner == self.client.client_id[0] else "another"


class Script:
    """The managers of one case, and the state after each operation."""

    def __init__(self, make: Any, sessions: Sessions) -> None:
        self._make, self._sessions = make, sessions
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
        self._managed[label] = Managed(self._make, self._sessions, label, me, self.events, on)
        self._owners[self._managed[label].client.client_id[0]] = label

    def place(self, query: str, managers: dict[str, str] | None) -> None:
        """Write a placement, or delete it."""
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
        """End a manager together with its session."""
        end(self._managed.pop(label).client)


OPERATIONS: dict[str, Callable[..., None]] = {
    name: getattr(Script, name) for name in ("join", "place", "step", "fault", "expire", "kill")
}


@drive("InstanceManager")
def instance_manager(stage: Any, case: Any) -> Rows:
    """Return the running instances and the claims after each operation, and all starts and stops."""
    with Sessions() as sessions:
        script = Script(stage.InstanceManager, sessions)
        try:
            script.play(case["script"])
        finally:
            script.end()
        return {"seen": script.seen, "events": script.events, "own": OWN}
