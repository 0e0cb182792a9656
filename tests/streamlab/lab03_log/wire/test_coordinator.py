"""Consumer groups: the rules that the wire server and Apache Kafka share, and the effects of time."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest
from kafka.errors import BrokerResponseError, RebalanceInProgressError, UnknownMemberIdError

from streamlab.lab03_log.wire.coordinator import Group, State
from streamlab.lab03_log.wire.members import Joined, Protocol, elected_protocol
from tests.streamlab.lab03_log.wire.asking import SUBSCRIPTION, commit, committed, heartbeat, join, leave, sync
from tests.streamlab.services.conftest import wait_until

ILLEGAL_GENERATION, INCONSISTENT_PROTOCOL, NO_GROUP, UNKNOWN_MEMBER, WRONG_SESSION = 22, 23, 24, 25, 26
REBALANCING, ID_REQUIRED, UNKNOWN_TOPIC = 27, 79, 3
RANGE, STICKY = Protocol("range", b"r"), Protocol("sticky", b"s")


@pytest.fixture
def group(address: str) -> str:
    """Return the name of an unused group whose coordinator is in service; a new broker starts without one."""
    name = f"group-{uuid.uuid4()}"
    wait_until(lambda: heartbeat(address, name, 0, "nobody") == UNKNOWN_MEMBER)  # Kafka returns 0 while it loads
    return name


@pytest.fixture
def member(address: str, group: str) -> str:
    """Join `group` as its only member, in generation 1, without an assignment yet; return the member's id."""
    member_id = str(join(address, group, "").member_id)
    joined = join(address, group, member_id)
    assert (joined.error_code, joined.generation_id, joined.leader) == (0, 1, member_id)
    return member_id


def test_a_new_member_gets_an_id_and_joins_with_it(address: str, group: str) -> None:
    given = join(address, group, "")
    joined = join(address, group, given.member_id)

    assert (given.error_code, given.member_id.startswith("raw-")) == (ID_REQUIRED, True)
    assert (joined.error_code, joined.generation_id, joined.protocol_name) == (0, 1, "range")
    assert [(each.member_id, each.metadata) for each in joined.members] == [(given.member_id, SUBSCRIPTION)]


def test_a_rejected_join_returns_its_error_code(address: str, group: str, member: str) -> None:
    assert join(address, "", "").error_code == NO_GROUP
    assert join(address, group, "nobody").error_code == UNKNOWN_MEMBER
    assert join(address, group, member, session_ms=1).error_code == WRONG_SESSION
    assert join(address, group, member, protocols=()).error_code == INCONSISTENT_PROTOCOL
    another = join(address, group, "").member_id
    assert join(address, group, another, protocols=["mine"]).error_code == INCONSISTENT_PROTOCOL


def test_the_leader_sends_the_assignment_and_can_get_its_part_again(address: str, group: str, member: str) -> None:
    brought = sync(address, group, 1, member, {member: b"all of it"})
    again = sync(address, group, 1, member, {})

    assert (brought.error_code, brought.assignment) == (again.error_code, again.assignment) == (0, b"all of it")


def test_requests_of_another_generation_or_member_fail(address: str, group: str, topic: str, member: str) -> None:
    assert sync(address, group, 9, member, {}).error_code == ILLEGAL_GENERATION
    assert sync(address, group, 1, "nobody", {}).error_code == UNKNOWN_MEMBER
    sync(address, group, 1, member, {})
    assert heartbeat(address, group, 2, member) == ILLEGAL_GENERATION
    assert heartbeat(address, group, 1, "nobody") == UNKNOWN_MEMBER
    assert heartbeat(address, "no such group", 1, member) == UNKNOWN_MEMBER
    assert heartbeat(address, "", 1, member) == NO_GROUP
    assert leave(address, group, "nobody") == UNKNOWN_MEMBER
    assert commit(address, group, topic, 5, 2, member) == ILLEGAL_GENERATION
    assert commit(address, group, topic, 5, 1, "nobody") == UNKNOWN_MEMBER
    assert commit(address, group, topic, 5) == UNKNOWN_MEMBER
    assert heartbeat(address, group, 1, member) == 0


def test_a_member_can_commit_only_after_its_assignment(address: str, group: str, topic: str, member: str) -> None:
    assert commit(address, group, topic, 5, 1, member) == REBALANCING
    sync(address, group, 1, member, {})
    assert commit(address, group, topic, 5, 1, member) == 0
    assert committed(address, group, {topic: [0, 1]}) == {(topic, 0): 5, (topic, 1): -1}


def test_a_member_that_has_left_is_unknown(address: str, group: str, topic: str, member: str) -> None:
    assert leave(address, group, member) == 0
    assert leave(address, group, member) == UNKNOWN_MEMBER
    assert heartbeat(address, group, 1, member) == UNKNOWN_MEMBER
    assert commit(address, group, topic, 5, 1, member) == UNKNOWN_MEMBER
    assert commit(address, group, topic, 6) == 0  # from outside: the group is empty


def test_offsets_can_be_committed_from_outside_for_existing_partitions(address: str, group: str, topic: str) -> None:
    assert commit(address, group, topic, 7) == 0
    assert commit(address, group, topic, 8) == 0
    assert commit(address, group, topic, 1, partition=77) == UNKNOWN_TOPIC
    assert commit(address, group, "nowhere", 1) == UNKNOWN_TOPIC
    assert commit(address, group, topic, 1, 3, "nobody") == UNKNOWN_MEMBER
    assert commit(address, "no such group", topic, 1, 3, "nobody") == ILLEGAL_GENERATION
    assert committed(address, group, None) == {(topic, 0): 8}
    assert committed(address, "another group", None) == {}


# The following tests call a group directly: they need sessions of less than six seconds, and parallel requests.


def on_a_loop(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Return the test, run on its own event loop for at most five seconds."""
    return lambda: asyncio.run(asyncio.wait_for(test(), 5))


def joins(group: Group, name: str = "", session_s: float = 3, rebalance_s: float = 3) -> Awaitable[Joined]:
    """Let a new member join, or let `name` join again."""
    member_id = name or group.announce("test", session_s)
    return asyncio.ensure_future(group.join(member_id, "consumer", [RANGE], session_s, rebalance_s))


async def group_of_two(**of_the_second: float) -> tuple[Group, str, str]:
    """Return a stable group of two, its leader's id, and the other member's id."""
    group = Group()
    first = await joins(group)
    second = joins(group, **of_the_second)  # type: ignore[arg-type]
    again = await joins(group, first.member_id)
    other = await second
    await asyncio.gather(
        group.sync(again.member_id, again.generation, {again.member_id: b"a", other.member_id: b"b"}),
        group.sync(other.member_id, other.generation, {}),
    )
    return group, again.member_id, other.member_id


@on_a_loop
async def test_each_member_gets_its_part_of_the_assignment_and_only_the_leader_sees_all_members() -> None:
    group = Group()
    first = await joins(group)
    second = joins(group)
    leader, other = await joins(group, first.member_id), await second
    waiting = asyncio.ensure_future(group.sync(other.member_id, 2, {}))
    await asyncio.sleep(0)
    own = await group.sync(leader.member_id, 2, {leader.member_id: b"a", other.member_id: b"b"})

    assert (leader.generation, other.generation, leader.leader) == (2, 2, other.leader)
    assert ([name for name, _ in leader.members], other.members) == ([leader.member_id, other.member_id], [])
    assert (own, await waiting, group.state) == (b"a", b"b", State.STABLE)


@on_a_loop
async def test_a_silent_member_is_removed_and_the_others_must_rejoin() -> None:
    group, leader, silent = await group_of_two(session_s=0.5)
    while group.state is State.STABLE:
        await asyncio.sleep(0.01)

    with pytest.raises(RebalanceInProgressError):
        group.heartbeat(leader, 2)
    with pytest.raises(UnknownMemberIdError):
        group.heartbeat(silent, 2)
    alone = await joins(group, leader)
    assert (alone.generation, [name for name, _ in alone.members]) == (3, [leader])


@on_a_loop
async def test_heartbeats_keep_a_member_in_the_group() -> None:
    group, leader, _ = await group_of_two(session_s=1.0)
    (other,) = set(group._members) - {leader}
    for _ in range(130):
        await asyncio.sleep(0.01)
        group.heartbeat(other, 2)

    assert group.state is State.STABLE


@on_a_loop
async def test_a_member_that_does_not_rejoin_in_time_is_removed() -> None:
    group, leader, slow = await group_of_two(rebalance_s=0.05)
    group._members[leader].rebalance_s = 0.05
    joined = await joins(group, leader, rebalance_s=0.05)

    assert [name for name, _ in joined.members] == [leader]
    with pytest.raises(UnknownMemberIdError):
        await joins(group, slow)


@on_a_loop
async def test_a_member_waiting_for_a_rebalance_can_be_silent_for_longer_than_its_session() -> None:
    group, leader, slow = await group_of_two()
    waiting = joins(group, leader, session_s=0.05)
    await asyncio.sleep(0)
    with pytest.raises(RebalanceInProgressError):
        group.heartbeat(leader, 2)
    await asyncio.sleep(0.1)
    joins(group, slow)

    assert [name for name, _ in (await waiting).members] == [leader, slow]


@on_a_loop
async def test_a_member_waiting_for_an_assignment_must_rejoin_if_another_one_joins() -> None:
    group = Group()
    first = await joins(group)
    second = joins(group)
    await joins(group, first.member_id)
    other = await second
    waiting = asyncio.ensure_future(group.sync(other.member_id, 2, {}))
    await asyncio.sleep(0)
    third = joins(group)

    with pytest.raises(RebalanceInProgressError):
        await waiting
    members = await asyncio.gather(joins(group, first.member_id), joins(group, other.member_id), third)
    assert {each.generation for each in members} == {3}


@on_a_loop
async def test_an_unused_member_id_does_not_block_the_others() -> None:
    group = Group()
    group.announce("crashed", session_s=0.05)

    assert (await joins(group)).generation == 1


@on_a_loop
async def test_a_repeated_join_gets_the_same_answer_without_a_rebalance() -> None:
    group, _, other = await group_of_two()

    assert (await joins(group, other)).generation == 2
    assert group.state is State.STABLE


@on_a_loop
async def test_a_join_request_replaced_by_another_is_answered_with_an_error() -> None:
    group = Group()
    group.announce("comes later", session_s=3)
    name = group.announce("asks twice", session_s=3)
    first = joins(group, name)
    await asyncio.sleep(0)
    joins(group, name)

    with pytest.raises(BrokerResponseError):
        await first


@pytest.mark.parametrize(
    ("members", "elected"),
    [
        ([[RANGE, STICKY]], "range"),
        ([[RANGE, STICKY], [STICKY, RANGE], [STICKY, RANGE]], "sticky"),
        ([[RANGE, STICKY], [STICKY]], "sticky"),  # the second member does not support range
    ],
)
def test_the_protocol_is_elected_among_those_of_all_members(members: list[list[Protocol]], elected: str) -> None:
    assert elected_protocol(members) == elected
