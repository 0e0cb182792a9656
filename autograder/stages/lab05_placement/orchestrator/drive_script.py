"""A script of a cluster with candidates in one process: what each operation gives, and what is stored after it.

manager NAME node|None   the node of a manager comes or goes     deploy QUERY nodes   undeploy QUERY
candidate LABEL          a candidate on a new session            epoch number         the last term of old times
lead LABEL timeout_s     expire LABEL   kill LABEL               step LABEL
stop LABEL operations    the operations happen at its k-th write from now on; k is the run's
"""

import json
from contextlib import suppress
from typing import Any

from kazoo.client import KazooClient
from kazoo.exceptions import NoNodeError

from autograder.inside.faulty import Died, FaultyClient, expire
from autograder.inside.rows import plain
from autograder.stages.lab05_placement.managers.drive_sessions import Sessions, end
from autograder.stages.lab05_placement.orchestrator.drive_rule import four_nodes
from streamlab.cep import NotLeader, deploy, undeploy

UNWATCHED = ("election", "managers", "claims", "queries")
PATIENCE_S = 20.0
Told = dict[str, Any]


class Script:
    """Plays operations. `at` is the number of a write: 0 for none."""

    def __init__(self, make: Any, sessions: Sessions, at: int = 0) -> None:
        self.make, self.sessions, self.at = make, sessions, at
        self.clients: dict[str, KazooClient] = {}
        self.candidates: dict[str, Any] = {}
        self.told: list[Told] = []
        self.faults: list[FaultyClient] = []
        self._zxids = self._stored_zxids()

    @property
    def has_struck(self) -> bool:
        """Whether the planned stop has happened."""
        return any(fault.has_struck for fault in self.faults)

    def play(self, operations: list[list[Any]]) -> None:
        """Do each operation; tell what it gave, the placements after it, and the nodes that it has written."""
        for operation in operations:
            gave = self.do(*operation)
            self.told.append({"operation": operation[:2], "gave": gave, **self.stored()})

    def do(self, name: str, *arguments: Any) -> Any:
        """What one operation gives: a number, or the name of the error."""
        try:
            return plain(getattr(self, name)(*arguments))
        except (NotLeader, TimeoutError) as problem:
            return type(problem).__name__

    def stored(self) -> Told:
        """The placements as they are, with their terms, and the paths written since the last look."""
        contents = self.sessions.registry.all("placements")
        before, self._zxids = self._zxids, self._stored_zxids()
        paths = sorted({*before, *self._zxids})
        return {
            "placements": {query: content.get("managers") for query, content in contents.items()},
            "terms": {query: content.get("epoch") for query, content in contents.items()},
            "written": [path for path in paths if before.get(path) != self._zxids.get(path)],
        }

    def _stored_zxids(self) -> dict[str, int]:
        """The last transaction of each node that only leaders write; one level of nodes is asked for at once."""
        zk, root, found = self.sessions.look, self.sessions.root, dict[str, int]()
        level = [name for name in zk.get_children(root) if name not in UNWATCHED]
        while level:
            answers = [(path, zk.get_children_async(f"{root}/{path}", include_data=True)) for path in level]
            level = []
            for path, answer in answers:
                with suppress(NoNodeError):
                    names, stat = answer.get(timeout=PATIENCE_S)
                    found[path] = stat.mzxid
                    level += [f"{path}/{name}" for name in names]
        return found

    def manager(self, name: str, node: int | None) -> None:
        """A manager comes or goes."""
        path, zk = self.sessions.registry.path("managers", name), self.sessions.look
        if node is None:
            zk.delete(path)
        else:
            zk.create(path, json.dumps({"node": node}).encode(), ephemeral=True)

    def deploy(self, query: str, nodes: dict[str, int]) -> None:
        """A client asks for a query."""
        deploy(self.sessions.look, query, nodes, self.sessions.root)

    def undeploy(self, query: str) -> None:
        """A client takes a query away."""
        undeploy(self.sessions.look, query, self.sessions.root)

    def epoch(self, number: int) -> None:
        """Some leader of old times has led in this term."""
        self.sessions.look.set(self.sessions.registry.path("epoch"), str(number).encode())

    def candidate(self, label: str) -> None:
        """One more candidate."""
        self.clients[label] = self.sessions.open()
        self.candidates[label] = self.make(self.clients[label], label, four_nodes(), self.sessions.root)

    def lead(self, label: str, timeout_s: float) -> Any:
        """The number of the term."""
        return self.candidates[label].lead(timeout_s)

    def step(self, label: str) -> Any:
        """How many placements were written."""
        return self.candidates[label].step()

    def expire(self, label: str) -> None:
        """The session of a candidate ends; the candidate goes on."""
        expire(self.clients[label])

    def kill(self, label: str) -> None:
        """A candidate ends, and its session with it."""
        end(self.clients.pop(label))

    def stop(self, label: str, operations: list[list[Any]]) -> None:
        """Plan what happens while a candidate is stopped before its k-th write."""
        fault = FaultyClient(self.clients[label], self.at, "pause", lambda: self.play(operations))
        self.faults.append(fault)


class MortalLeader(Script):
    """A script in which the leader "x" dies `how` its k-th write; x1 takes over and does what was to be done."""

    def __init__(self, make: Any, sessions: Sessions, at: int, how: str) -> None:
        super().__init__(make, sessions, at)
        self.how, self.now = how, "x"
        self.death: Told = {}

    def candidate(self, label: str) -> None:
        """The first one dies as planned."""
        super().candidate(label)
        if label == "x":
            self.faults.append(FaultyClient(self.clients[label], self.at, self.how))

    def do(self, name: str, *arguments: Any) -> Any:
        """The operation, by the leader of now; if it dies, by the next one."""
        if name not in ("lead", "step"):
            return super().do(name, *arguments)
        try:
            return super().do(name, self.now, *arguments[1:])
        except Died:
            self._bury(name)
        return super().do(name, self.now, *arguments[1:])

    def _bury(self, name: str) -> None:
        self.kill(self.now)
        self.death = {"in": len(self.told), **self.stored()}
        self.now = "x1"
        self.candidate(self.now)
        if name == "step":
            super().do("lead", self.now, PATIENCE_S)
