"""The registry and the two roles, on a real ZooKeeper, and what a manager pins with."""

import os
import subprocess
import sys
import uuid
from collections.abc import Callable

import pytest
from kazoo.client import KazooClient
from kazoo.exceptions import NodeExistsError, NoNodeError

from streamlab.kit_program import PYTHON
from streamlab.lab05_placement.managers import Candidate, Member, Registry, deploy, undeploy
from streamlab.lab05_placement.managers.roles import pin_first_thread
from streamlab.lab05_placement.numa import Topology

NewClient = Callable[[], KazooClient]
ONE_NODE = Topology({0: [0]}, {0: {0: 10}})


@pytest.fixture
def root() -> str:
    return f"/cep-{uuid.uuid4().hex[:8]}"


def member(client: KazooClient, name: str, root: str) -> Member:
    return Member(client, name, 3, lambda _: None, lambda _: None, root)


def test_preparing_a_registry_twice_keeps_its_content(new_client: NewClient, root: str) -> None:
    registry = Registry(new_client(), root)
    registry.prepare()
    registry.zk.set(registry.path("epoch"), b"7")
    registry.prepare()

    assert registry.zk.get(registry.path("epoch"))[0] == b"7"
    assert [registry.names(kind) for kind in ("queries", "placements", "managers", "claims", "election")] == [[]] * 5


def test_a_query_is_listed_from_deploy_to_undeploy(new_client: NewClient, root: str) -> None:
    zk = new_client()
    registry = Registry(zk, root)

    deploy(zk, "b", {"b1": 0}, root)
    deploy(zk, "a", {"a1": 1, "a2": 2}, root)
    with pytest.raises(NodeExistsError):
        deploy(zk, "a", {"a1": 0}, root)

    assert registry.all("queries") == {"a": {"nodes": {"a1": 1, "a2": 2}}, "b": {"nodes": {"b1": 0}}}
    undeploy(zk, "a", root)
    assert registry.names("queries") == ["b"]
    assert registry.read("queries", "a") is None
    with pytest.raises(NoNodeError):
        undeploy(zk, "a", root)


def test_a_manager_is_a_member_as_long_as_its_session_lasts(new_client: NewClient, root: str) -> None:
    zk, reader = new_client(), new_client()
    registry = Registry(reader, root)
    registry.prepare()
    manager = member(zk, "m0", root)
    manager.join()
    manager.join()

    assert registry.all("managers") == {"m0": {"node": 3}}
    assert manager.owns(registry.path("managers", "m0"))
    assert not member(reader, "m0", root).owns(registry.path("managers", "m0"))
    zk.stop()
    assert registry.names("managers") == []


def test_join_waits_until_the_name_is_released_by_its_old_session(new_client: NewClient, root: str) -> None:
    first, second = new_client(), new_client()
    Registry(first, root).prepare()
    member(first, "m0", root).join()

    with pytest.raises(TimeoutError, match="still belongs to another session"):
        member(second, "m0", root).join(timeout_s=0.1)
    first.stop()
    member(second, "m0", root).join(timeout_s=10)

    assert member(second, "m0", root).owns(f"{root}/managers/m0")


def test_one_candidate_holds_the_election_at_a_time(new_client: NewClient, root: str) -> None:
    x, y = (Candidate(new_client(), name, ONE_NODE, root) for name in "xy")
    x.registry.prepare()

    assert x.epoch is None
    assert x.election.acquire(timeout=20)
    assert not y.election.acquire(blocking=False)
    x.election.release()
    assert y.election.acquire(timeout=20)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="affinity exists on Linux only")
def test_a_process_is_limited_to_the_cores() -> None:
    [*_, last] = sorted(os.sched_getaffinity(0))
    with subprocess.Popen([*PYTHON, "-c", "input()"], stdin=subprocess.PIPE) as process:
        pin_first_thread(process.pid, [last])
        cores = os.sched_getaffinity(process.pid)
        process.kill()

    assert cores == {last}


def test_an_instance_without_a_process_needs_no_cores() -> None:
    pin_first_thread(None, [])  # type: ignore[arg-type]
