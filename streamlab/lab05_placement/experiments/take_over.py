"""Measures how long a cluster of processes has no leader, and a query lacks an instance, after kill -9 (Lab 5)."""

import uuid
from typing import NamedTuple

from streamlab.experiments.waiting import wait_until
from streamlab.lab05_placement.managers import Registry, deploy
from streamlab.lab05_placement.managers.processes import Processes
from streamlab.lab05_placement.managers.programs import run_candidate, run_manager, sessions
from streamlab.lab05_placement.numa import Topology
from streamlab.progress import OnProgress, silent

MANAGERS = 3


class TakeOver(NamedTuple):
    """Seconds from the kill of the leader to the next term, and from that of a manager to the last start elsewhere."""

    leader_s: float
    manager_s: float


def take_over(
    manager: type, candidate: type, topology: Topology, address: str, session_s: float, on_progress: OnProgress = silent
) -> TakeOver:
    """Start two candidates and three managers, deploy a query, kill the leader, then kill a manager.

    manager, candidate: the classes InstanceManager and Orchestrator. The managers get the nodes of `topology` in turn.
    Raises TimeoutError if a step takes longer than 30 s, and `ProcessFailed` if a process ends by itself.
    """
    root, nodes = f"/cep-{uuid.uuid4().hex[:8]}", sorted(topology.distance)
    with sessions(address, 1, session_s=10.0) as (zk,), Processes() as processes:
        Registry(zk, root).prepare()
        for number in range(MANAGERS):
            node = nodes[number % len(nodes)]
            processes.start(f"m{number}", run_manager, manager, address, root, session_s=session_s, node=node)
        for name in "x", "y":
            processes.start(name, run_candidate, candidate, address, root, session_s=session_s, topology=topology)
            wait_until(lambda: _term(processes, "x") > 0, "x does not lead")
        wait_until(lambda: processes.log("y") != [], "y does not start")
        wait_until(lambda: len(Registry(zk, root).names("managers")) == MANAGERS, "the managers do not join")
        deploy(zk, "q", {f"q{number}": nodes[number % len(nodes)] for number in range(MANAGERS)}, root)
        return _kills(processes, on_progress)


def _kills(processes: Processes, on_progress: OnProgress) -> TakeOver:
    living = [f"m{number}" for number in range(MANAGERS)]
    wait_until(lambda: len(_runs(processes, living)) == MANAGERS, "the instances do not run")
    on_progress("the leader is killed")
    killed_s = processes.kill("x")
    wait_until(lambda: _term(processes, "y") > 0, "nobody takes over from the leader")
    leader_s = next(each.at_s for each in processes.log("y") if each.what == "leads") - killed_s
    on_progress("a manager is killed")
    lost, *living = sorted(living, key=lambda name: -len(_runs(processes, [name])))
    killed_s = processes.kill(lost)
    wait_until(lambda: len(_runs(processes, living)) == MANAGERS, f"nobody takes over from {lost}")
    return TakeOver(leader_s, max(at_s for at_s in _runs(processes, living).values()) - killed_s)


def _term(processes: Processes, name: str) -> int:
    return max((int(each.instance) for each in processes.log(name) if each.what == "leads"), default=0)


def _runs(processes: Processes, managers: list[str]) -> dict[str, float]:
    """Return the instances that run on these managers, with the time of their start."""
    last = {each.instance: each for name in managers for each in processes.log(name)}
    return {instance: each.at_s for instance, each in last.items() if each.what == "start"}
