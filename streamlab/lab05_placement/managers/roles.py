"""The base classes of the roles in a cluster, without their steps: `Member` for managers, `Candidate` for leaders."""

import json
import os
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from kazoo.client import KazooClient
from kazoo.exceptions import NodeExistsError

from streamlab.lab05_placement.managers.registry import ROOT, Registry

if TYPE_CHECKING:
    from streamlab.lab05_placement.numa import Topology

POLL_EVERY_S = 0.02


class NotLeader(RuntimeError):
    """This candidate does not lead: it was never elected, or another candidate has begun a later term."""


def pin_first_thread(pid: int, cores: Collection[int]) -> None:
    """Limit a process that has just started to `cores`, if there are any. Threads that it starts later inherit them."""
    if cores:
        os.sched_setaffinity(pid, cores)


class Member:
    """A manager `me` on a NUMA node with these `cores`.

    `start(instance)` starts an instance and returns the number of its process; `stop(instance)` stops it, and does
    nothing if it has ended. `pin(pid, cores)` limits a process to cores. Without cores, nothing is pinned, and an
    instance needs no process.
    Attributes: zk, me, node, cores, start, stop, pin, registry, and running, the set of instances that run, which
    `step` keeps up to date.
    """

    def __init__(
        self,
        zk: KazooClient,
        me: str,
        node: int,
        start: Callable[[str], int | None],
        stop: Callable[[str], None],
        root: str = ROOT,
        cores: Collection[int] = (),
        pin: Callable[[Any, Collection[int]], Any] = pin_first_thread,
    ) -> None:
        self.zk, self.me, self.node, self.start, self.stop = zk, me, node, start, stop
        self.cores, self.pin = list(cores), pin
        self.registry = Registry(zk, root)
        self.running: set[str] = set()

    def join(self, timeout_s: float = 10.0) -> None:
        """Create the ephemeral node managers/ME, unless this session owns it already.

        Waits while another session owns it, and raises TimeoutError after `timeout_s`.
        """
        path = self.registry.path("managers", self.me)
        deadline = time.monotonic() + timeout_s
        while not self.owns(path):
            with suppress(NodeExistsError):
                self.zk.create(path, json.dumps({"node": self.node}).encode(), ephemeral=True)
                return
            if time.monotonic() > deadline:
                raise TimeoutError(f"{path} still belongs to another session after {timeout_s:g} s")
            time.sleep(POLL_EVERY_S)

    def owns(self, path: str) -> bool:
        """Return whether the node exists and belongs to the current session of `zk`."""
        stat = self.zk.exists(path)
        return stat is not None and stat.ephemeralOwner == self.zk.client_id[0]


class Candidate:
    """A process that wants to lead.

    Attributes: zk, me, topology, registry, epoch (the term in which it leads, or None), and election, kazoo's `Lock` on
    the node `election`: the candidate that holds the lock is elected.
    """

    def __init__(self, zk: KazooClient, me: str, topology: "Topology", root: str = ROOT) -> None:
        self.zk, self.me, self.topology = zk, me, topology
        self.registry = Registry(zk, root)
        self.election = zk.Lock(self.registry.path("election"), me)
        self.epoch: int | None = None
