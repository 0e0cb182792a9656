"""Run members of a group on a real ZooKeeper: they join, leave or are killed, and one watcher records the changes.

All cases of this process share one server; each case has its own group, and sessions of one second. A case has
`kind` and `members`, and by kind:

    killed       members join, `kill` is killed (kill -9)         own_session  joins twice in one session
    left         members join, `leave` leaves                     same_name    a second session joins, for `timeout_s`
    offsets      one makes `commits`, leaves; another reads them  freed        the same, and the first session ends
"""

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import Any

from kazoo.client import KazooClient

from autograder.inside import drive
from autograder.inside.patience import Patience, at_the_latest_s, wait_until
from autograder.inside.rows import Rows, or_rejected, plain
from autograder.inside.servers import own_server
from streamlab.spark.killable_job import KillableJob

SESSION_S = 1.0
PATIENCE_S = 15.0  # for a client or a process to start
SETTLES_S = 4.0  # for the effect of a call to be seen
EXPIRES_S = 8 * SESSION_S  # for the end of a killed member's session to be seen
LATER_S = 0.5  # for either, after one was not seen


def client_of(address: str) -> KazooClient:
    """Return a client with a running session."""
    client = KazooClient(hosts=address, timeout=SESSION_S)
    try:
        client.start(timeout=at_the_latest_s(PATIENCE_S))
    except BaseException:
        end(client)  # otherwise it would keep trying
        raise
    return client


def end(client: KazooClient) -> None:
    """End a session, even one that never began."""
    for step in (client.stop, client.close):
        with suppress(Exception):
            step()


def stay_a_member(make: Any, address: str, group: str, me: str, joined: str) -> None:
    """Run in a separate process: join, touch a file, and stay until killed."""
    make(client_of(address), group, me).join()
    Path(joined).touch()
    while True:
        time.sleep(60)


class Group:
    """The members of one case, each with its own session, and one watcher that is not a member."""

    def __init__(self, make: Any, case: dict[str, Any], scratch: Path) -> None:
        self.make, self.case, self.scratch = make, case, scratch
        self.name = case.get("group", f"g-{uuid.uuid4().hex[:12]}")
        self.names: list[str] = case["members"]
        self.seen: list[Any] = []
        self.committed: dict[str, Any] = {}
        self._opened: list[KazooClient] = []
        self._patience = Patience(LATER_S)
        self.observer = self.client()

    def client(self) -> KazooClient:
        """Return a client with one more session."""
        self._opened.append(client_of(own_server("zookeeper").address))
        return self._opened[-1]

    def member(self, me: str) -> Any:
        """Return a learner's Membership on a new session."""
        return self.make(self.client(), self.name, me)

    def close(self) -> None:
        """End all sessions."""
        for client in self._opened:
            end(client)

    def watch(self) -> None:
        """Start to record what one watcher sees."""

        def notify(names: Any) -> Any:
            self.seen.append(plain(names))
            return self.case.get("notify_returns")

        self.member("watcher").on_change(notify)

    def member_nodes(self) -> list[str]:
        """Return the names of the members' nodes, read without the learner's code."""
        path = f"/consumers/{self.name}/ids"
        return sorted(self.observer.get_children(path)) if self.observer.exists(path) else []

    def settle(self, names: list[str], patience_s: float = SETTLES_S) -> None:
        """Wait until the members are these and the watcher, if it has started, has seen them."""
        seen = self.seen
        self._patience.wait(lambda: self.member_nodes() == names and (not seen or seen[-1] == names), patience_s)

    def is_ephemeral(self) -> bool:
        """Return whether members' nodes exist and each is owned by a session."""
        nodes = [self.observer.exists(f"/consumers/{self.name}/ids/{name}") for name in self.member_nodes()]
        return bool(nodes) and all(node is not None and node.ephemeralOwner != 0 for node in nodes)

    def is_persistent(self) -> bool:
        """Return whether committed offsets exist and none of their nodes belongs to a session."""
        path = f"/consumers/{self.name}/offsets"
        names = self.observer.get_children(path) if self.observer.exists(path) else []
        nodes = [self.observer.exists(f"{path}/{name}") for name in names]
        return bool(nodes) and all(node is not None and node.ephemeralOwner == 0 for node in nodes)

    @contextmanager
    def process(self, me: str) -> Iterator[None]:
        """Run a member in a separate process, which is killed at the end of the block."""
        folder = self.scratch / f"process-{me}"
        folder.mkdir()
        joined = folder / "joined"
        arguments = (self.make, own_server("zookeeper").address, self.name, me, str(joined))
        with KillableJob(stay_a_member, *arguments, folder=folder, spark=False) as process:
            wait_until(joined.exists, PATIENCE_S, process.pause)
            yield


@drive("Membership")
def membership(stage: Any, case: Any, scratch: Path) -> Rows:
    """Play one case and return the final state."""
    group = Group(stage.Membership, case, scratch)
    try:
        rows = or_rejected(lambda: {"ephemeral": KINDS[case["kind"]](group)}, ValueError, TimeoutError)
        reader = None if "rejected" in rows else stage.Membership(group.observer, group.name, "asks")
        return rows | {
            "seen": without_repeats(group.seen),
            "members": plain(reader.members()) if reader else group.member_nodes(),
            "committed": group.committed,
            "persistent": group.is_persistent(),
        }
    finally:
        group.close()


def without_repeats(seen: list[Any]) -> list[Any]:
    """Return the names without consecutive repeats. Example: without_repeats([["a"], ["a"], []]) -> [["a"], []]."""
    return [names for at, names in enumerate(seen) if at == 0 or seen[at - 1] != names]


def _join_all(group: Group, names: list[str]) -> dict[str, Any]:
    members = {name: group.member(name) for name in names}
    for each in members.values():
        each.join()
    group.settle(sorted(names))
    return members


def _killed(group: Group) -> bool:
    dies = group.case["kill"]
    others = [name for name in group.names if name != dies]
    _join_all(group, others)
    with group.process(dies):
        group.settle(sorted(group.names))
        group.watch()
        group.settle(sorted(group.names))
        ephemeral = group.is_ephemeral()
    group.settle(sorted(others), EXPIRES_S)
    return ephemeral


def _left(group: Group) -> bool:
    leaves = group.case["leave"]
    members = _join_all(group, group.names)
    group.watch()
    ephemeral = group.is_ephemeral()
    for _ in range(2):  # leaving twice is valid
        members[leaves].leave()
    group.settle(sorted(name for name in group.names if name != leaves))
    return ephemeral


def _same_name(group: Group) -> bool:
    [name] = group.names
    group.member(name).join()
    group.member(name).join(group.case["timeout_s"])
    return group.is_ephemeral()


def _freed(group: Group) -> bool:
    [name], first = group.names, group.client()
    group.make(first, group.name, name).join()
    second, ends = group.member(name), Timer(1.3, first.stop)
    ends.start()
    try:
        second.join(group.case["timeout_s"])
    finally:
        ends.join()
    return group.is_ephemeral()


def _own_session(group: Group) -> bool:
    client = group.client()
    for _ in range(2):
        group.make(client, group.name, group.names[0]).join(1.0)
    return group.is_ephemeral()


def _offsets(group: Group) -> bool:
    [name] = group.names
    first = group.member(name)
    first.join()
    for partition, offset in group.case["commits"]:
        first.commit(partition, offset)
    first.leave()
    other = group.member(name)
    group.committed = {str(partition): plain(other.committed(partition)) for partition in group.case["partitions"]}
    return True


KINDS: dict[str, Callable[[Group], bool]] = {
    "killed": _killed,
    "left": _left,
    "same_name": _same_name,
    "freed": _freed,
    "own_session": _own_session,
    "offsets": _offsets,
}
