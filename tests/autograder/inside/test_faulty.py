"""The faulty client intercepts kazoo's writes to a real ZooKeeper."""

import uuid
from collections.abc import Callable

import pytest
from kazoo.client import KazooClient
from kazoo.exceptions import ConnectionLoss

from autograder.inside.faulty import Died, FaultyClient, expire
from streamlab.lab05_placement.managers import Registry

NewClient = Callable[[], KazooClient]


@pytest.fixture
def root(new_client: NewClient) -> str:
    name = f"/faulty-{uuid.uuid4().hex[:8]}"
    Registry(new_client(), name).prepare()
    return name


@pytest.mark.parametrize(("how", "error", "exists_afterwards"), [("before", Died, False), ("after", Died, True)])
def test_a_client_that_dies_at_a_write_writes_nothing_more(
    how: str, error: type[Exception], exists_afterwards: bool, new_client: NewClient, root: str
) -> None:
    client, observer = new_client(), new_client()
    FaultyClient(client, at=2, how=how)

    client.create(f"{root}/first")
    with pytest.raises(error):
        client.create(f"{root}/second")
    with pytest.raises(Died):
        client.get(root)

    assert observer.exists(f"{root}/first") is not None
    assert (observer.exists(f"{root}/second") is not None) == exists_afterwards


@pytest.mark.parametrize(("how", "exists_afterwards"), [("lost", True), ("fail", False)])
def test_a_write_with_a_lost_answer_was_executed_and_a_failed_one_was_not(
    how: str, exists_afterwards: bool, new_client: NewClient, root: str
) -> None:
    client = new_client()
    FaultyClient(client, at=1, how=how)

    with pytest.raises(ConnectionLoss):
        client.create(f"{root}/node")

    assert (client.exists(f"{root}/node") is not None) == exists_afterwards


def test_locks_and_transactions_count_as_writes(new_client: NewClient, root: str) -> None:
    client = new_client()
    faulty = FaultyClient(client)

    client.Lock(f"{root}/election").acquire(timeout=20)
    locked = faulty.writes
    change = client.transaction()
    change.create(f"{root}/a")
    change.create(f"{root}/b")
    change.commit()

    assert locked >= 1
    assert faulty.writes == locked + 1


def test_a_paused_write_is_sent_after_the_pause(new_client: NewClient, root: str) -> None:
    client, observer = new_client(), new_client()
    seen: list[bool] = []
    FaultyClient(client, 1, "pause", lambda: seen.append(observer.exists(f"{root}/node") is None))

    client.create(f"{root}/node")

    assert seen == [True]
    assert observer.exists(f"{root}/node") is not None


def test_an_expired_session_loses_its_ephemeral_nodes(new_client: NewClient, root: str) -> None:
    client, observer = new_client(), new_client()
    client.create(f"{root}/mine", ephemeral=True)
    before = client.client_id

    expire(client)

    assert observer.exists(f"{root}/mine") is None
    assert client.client_id != before
    client.create(f"{root}/mine", ephemeral=True)


def test_a_session_ends_even_if_its_client_reconnects_at_once(new_client: NewClient, root: str) -> None:
    observer, eager = new_client(), {"max_tries": -1, "delay": 0.001, "max_delay": 0.002}
    hosts = ",".join(f"{host}:{port}" for host, port in observer.hosts)

    for number in range(20):  # every fifth client regained its session when the session was expired only once
        client = KazooClient(hosts=hosts, timeout=10.0, connection_retry=eager)
        client.start(timeout=20)
        client.create(f"{root}/mine-{number}", ephemeral=True)

        expire(client)

        assert observer.exists(f"{root}/mine-{number}") is None
        client.stop()
        client.close()
