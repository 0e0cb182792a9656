"""The state of the cluster: JSON in the nodes of ZooKeeper, below one root.

queries/Q     {"nodes": {instance: NUMA node of its data}}            persistent, written by clients
placements/Q  {"epoch": term, "managers": {instance: manager}}        persistent, written by the leader
managers/M    {"node": NUMA node}                                     ephemeral, written by manager M
claims/I      its owner, a session, runs instance I                   ephemeral, written by managers
epoch         the number of the current term                          persistent, written by the leader
election      the queue of the candidates                             persistent; its children are ephemeral
"""

import json
from collections.abc import Mapping
from typing import Any

from kazoo.client import KazooClient
from kazoo.exceptions import NodeExistsError, NoNodeError

ROOT = "/cep"
PARENTS = ("queries", "placements", "managers", "claims", "election")


class Registry:
    """Reads and creates the nodes below `root`, with a connected ZooKeeper client."""

    def __init__(self, zk: KazooClient, root: str = ROOT) -> None:
        self.zk, self.root = zk, root

    def path(self, *parts: str) -> str:
        """Return the path of a node.

        Example: Registry(zk).path("claims", "a1") -> "/cep/claims/a1"
        """
        return "/".join((self.root, *parts))

    def names(self, kind: str) -> list[str]:
        """Return the names of all nodes of a kind, sorted.

        Example: Registry(zk).names("queries") -> ["a", "b"]
        """
        return sorted(self.zk.get_children(self.path(kind)))

    def read(self, kind: str, name: str) -> dict[str, Any] | None:
        """Return the content of the node of this kind and name, or None if there is no such node."""
        try:
            data, _ = self.zk.get(self.path(kind, name))
        except NoNodeError:
            return None
        content: dict[str, Any] = json.loads(data)
        return content

    def all(self, kind: str) -> dict[str, dict[str, Any]]:
        """Return the content of each node of a kind, as {name: content} sorted by name."""
        read = {name: self.read(kind, name) for name in self.names(kind)}
        return {name: content for name, content in read.items() if content is not None}

    def prepare(self) -> None:
        """Create the parents of all nodes, and term 0. Does nothing if they exist."""
        if self.zk.exists(self.path("epoch")):
            return  # it is created last
        for kind in PARENTS:
            self.zk.ensure_path(self.path(kind))
        self.zk.retry(self._create_epoch)

    def _create_epoch(self) -> None:
        try:
            self.zk.create(self.path("epoch"), b"0")
        except NodeExistsError:
            return  # another process was faster


def deploy(zk: KazooClient, query: str, nodes: Mapping[str, int], root: str = ROOT) -> None:
    """Deploy a query, given the NUMA node of each instance's data. A client does this, not the leader.

    Raises NodeExistsError if a query of this name is already deployed.
    Example: deploy(zk, "a", {"a1": 0, "a2": 1})
    """
    registry = Registry(zk, root)
    registry.prepare()
    zk.create(registry.path("queries", query), json.dumps({"nodes": dict(nodes)}).encode())


def undeploy(zk: KazooClient, query: str, root: str = ROOT) -> None:
    """Remove a query; raises NoNodeError if it is not deployed."""
    zk.delete(Registry(zk, root).path("queries", query))
