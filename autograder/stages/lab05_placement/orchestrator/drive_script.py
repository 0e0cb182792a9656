"""Plays a script with candidates in one process and records the answer and the stored state of each operation.

manager NAME node|None   a manager appears or disappears         deploy QUERY nodes   undeploy QUERY
candidate LABEL          a candidate on a new session            epoch number         the term of an earlier leader
lead LABEL timeout_s     expire LABEL   kill LABEL               step LABEL
stop LABEL operations    the operations happen at its k-th write from now on, or with `anywhere` at its k-th request
                         (reads of the election do not count); each run has its own k
"""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from kazoo.client import KazooClient
from kazoo.exceptions import NoNodeError

from autograder.inside.faulty import WRITES, Died, FaultyClient, do_nothing, expire
from autograder.inside.patience import at_the_latest_s
from autograder.inside.rows import plain
from autograder.stages.lab05_placement.managers.drive_sessions import Sessions, end
from autograder.stages.lab05_placement.orchestrator.drive_rule import four_nodes
from streamlab.lab05_placement.managers import NotLeader, deploy, undeploy

UNWATCHED = ("election", "managers", "claims", "queries")
PATIENCE_S = 20.0
CALLS = {"GetData": "get", "GetChildren": "get_children", "SetData": "set", "Transaction": "commit"}
Record = dict[str, Any]


class StoppedClient(FaultyClient):
    """Counts the requests for which `counts` is true; `struck` is the one at which the fault happened, or None."""

    def __init__(
        self,
        client: KazooClient,
        at: int,
        how: str,
        meanwhile: Callable[[], None] = do_nothing,
        counts: Callable[[Any], bool] = lambda request: isinstance(request, WRITES),
    ) -> None:
        self.counts, self.struck = counts, None
        super().__init__(client, at, how, meanwhile)

    def __call__(self, request: Any, answer: Any) -> Any:
        """Send a request, or fail as planned."""
        if self.is_dead:
            raise Died
        if self.counts(request):
            self.writes += 1
            if self.writes == self.at:
                self.struck = request
                self._strike(request, answer)
        return self._send(request, answer)


class Script:
    """Plays operations. `at` is the number of the write, or of the request, at which a candidate stops; 0 for none."""

    def __init__(self, make: Any, sessions: Sessions, at: int = 0, *, anywhere: bool = False) -> None:
        self.make, self.sessions, self.at, self.anywhere = make, sessions, at, anywhere
        self.clients: dict[str, KazooClient] = {}
        self.candidates: dict[str, Any] = {}
        self.trace: list[Record] = []
        self.faults: list[StoppedClient] = []
        self._zxids = self._stored_zxids()

    @property
    def struck(self) -> str:
        """Return the request at which the planned stop has happened: "get epoch", "commit"; "" if it has not."""
        requests = [fault.struck for fault in self.faults if fault.struck is not None]
        return self._call(requests[0]) if requests else ""

    def _call(self, request: Any) -> str:
        name, path = type(request).__name__, getattr(request, "path", self.sessions.root)
        return " ".join([CALLS.get(name, name.lower()), *path.removeprefix(self.sessions.root).split("/")[1:2]])

    def play(self, operations: list[list[Any]]) -> None:
        """Carry out the operations; record each answer, the placements after it, and the nodes that it has written."""
        for operation in operations:
            answer = self.do(*operation)
            self.trace.append({"operation": operation[:2], "answer": answer, **self.stored()})

    def do(self, name: str, *arguments: Any) -> Any:
        """Return the result of one operation: a number, or the name of the error."""
        try:
            return plain(getattr(self, name)(*arguments))
        except (NotLeader, TimeoutError) as problem:
            return type(problem).__name__

    def stored(self) -> Record:
        """Return the current placements, their terms, and the paths written since the last call."""
        contents = self.sessions.registry.all("placements")
        before, self._zxids = self._zxids, self._stored_zxids()
        paths = sorted({*before, *self._zxids})
        return {
            "placements": {query: content.get("managers") for query, content in contents.items()},
            "terms": {query: content.get("epoch") for query, content in contents.items()},
            "written": [path for path in paths if before.get(path) != self._zxids.get(path)],
        }

    def _stored_zxids(self) -> dict[str, int]:
        """Return the last transaction of each node that only leaders write; request one level of nodes at once."""
        zk, root, found = self.sessions.observer, self.sessions.root, dict[str, int]()
        level = [name for name in zk.get_children(root) if name not in UNWATCHED]
        while level:
            answers = [(path, zk.get_children_async(f"{root}/{path}", include_data=True)) for path in level]
            level = []
            for path, answer in answers:
                with suppress(NoNodeError):
                    names, stat = answer.get(timeout=at_the_latest_s(PATIENCE_S))
                    found[path] = stat.mzxid
                    level += [f"{path}/{name}" for name in names]
        return found

    def manager(self, name: str, node: int | None) -> None:
        """Let a manager appear or disappear."""
        path, zk = self.sessions.registry.path("managers", name), self.sessions.observer
        if node is None:
            zk.delete(path)
        else:
            zk.create(path, json.dumps({"node": node}).encode(), ephemeral=True)

    def deploy(self, query: str, nodes: dict[str, int]) -> None:
        """Deploy a query as a client does."""
        deploy(self.sessions.observer, query, nodes, self.sessions.root)

    def undeploy(self, query: str) -> None:
        """Remove a query as a client does."""
        undeploy(self.sessions.observer, query, self.sessions.root)

    def epoch(self, number: int) -> None:
        """Store the term of an earlier leader."""
        self.sessions.observer.set(self.sessions.registry.path("epoch"), str(number).encode())

    def candidate(self, label: str) -> None:
        """Add a candidate."""
        self.clients[label] = self.sessions.open()
        self.candidates[label] = self.make(self.clients[label], label, four_nodes(), self.sessions.root)

    def lead(self, label: str, timeout_s: float) -> Any:
        """Return the number of the term."""
        return self.candidates[label].lead(timeout_s)

    def step(self, label: str) -> Any:
        """Return how many placements the step has written."""
        return self.candidates[label].step()

    def expire(self, label: str) -> None:
        """End the session of a candidate that keeps running."""
        expire(self.clients[label])

    def kill(self, label: str) -> None:
        """End a candidate together with its session."""
        end(self.clients.pop(label))

    def stop(self, label: str, operations: list[list[Any]]) -> None:
        """Plan the operations that happen while a candidate is stopped before its k-th write."""
        fault = StoppedClient(self.clients[label], self.at, "pause", lambda: self.play(operations), self._counts)
        self.faults.append(fault)

    def _counts(self, request: Any) -> bool:
        """Return whether a candidate stops at such a request; kazoo's lock repeats reads of the election."""
        election = self.sessions.registry.path("election")
        return isinstance(request, WRITES) or (self.anywhere and not getattr(request, "path", "").startswith(election))


class MortalLeader(Script):
    """A script whose leader "x" dies before or after (`how`) its k-th write; x1 takes over its remaining work."""

    def __init__(self, make: Any, sessions: Sessions, at: int, how: str) -> None:
        super().__init__(make, sessions, at)
        self.how, self.now = how, "x"
        self.death: Record = {}

    def candidate(self, label: str) -> None:
        """Add a candidate; the first one dies as planned."""
        super().candidate(label)
        if label == "x":
            self.faults.append(StoppedClient(self.clients[label], self.at, self.how))

    def do(self, name: str, *arguments: Any) -> Any:
        """Let the current leader carry out the operation; if it dies, the next one repeats it."""
        if name not in ("lead", "step"):
            return super().do(name, *arguments)
        try:
            return super().do(name, self.now, *arguments[1:])
        except Died:
            self._replace_leader(name)
        return super().do(name, self.now, *arguments[1:])

    def _replace_leader(self, name: str) -> None:
        self.kill(self.now)
        self.death = {"in": len(self.trace), **self.stored()}
        self.now = "x1"
        self.candidate(self.now)
        if name == "step":
            super().do("lead", self.now, at_the_latest_s(PATIENCE_S))
