"""The requests of group members: JoinGroup, SyncGroup, Heartbeat and LeaveGroup; groups.py has the rules."""

from typing import TypeAlias

from kafka.errors import (
    BrokerResponseError,
    InvalidGroupIdError,
    InvalidSessionTimeoutError,
    MemberIdRequiredError,
    UnknownMemberIdError,
)
from kafka.protocol.consumer import (
    HeartbeatRequest,
    HeartbeatResponse,
    JoinGroupRequest,
    JoinGroupResponse,
    LeaveGroupRequest,
    LeaveGroupResponse,
    SyncGroupRequest,
    SyncGroupResponse,
)

from streamlab.lab03_log.wire.broker import NO_ERROR, Broker
from streamlab.lab03_log.wire.coordinator import Group
from streamlab.lab03_log.wire.members import Joined, Protocol

Other: TypeAlias = JoinGroupResponse.JoinGroupResponseMember
# https://kafka.apache.org/documentation/#brokerconfigs_group.min.session.timeout.ms, and max
MIN_SESSION_MS, MAX_SESSION_MS = 6_000, 1_800_000
ANNOUNCED_FROM_VERSION = 4  # from this version on, a new member gets an id before it joins (KIP-394)


async def join_group(broker: Broker, request: JoinGroupRequest) -> JoinGroupResponse:
    """Answer when the generation begins, which may take as long as the group's rebalance time-out."""
    try:
        joined = await _joined(broker, request)
    except MemberIdRequiredError as given:
        return _not_joined(given, member_id=str(given.args[0]))
    except BrokerResponseError as problem:
        return _not_joined(problem, member_id=request.member_id)
    return JoinGroupResponse(
        error_code=NO_ERROR,
        generation_id=joined.generation,
        protocol_name=joined.protocol,
        leader=joined.leader,
        member_id=joined.member_id,
        members=[Other(member_id=member_id, metadata=metadata) for member_id, metadata in joined.members],
    )


async def sync_group(broker: Broker, request: SyncGroupRequest) -> SyncGroupResponse:
    """Answer when the leader has sent the assignment."""
    assignments = {each.member_id: each.assignment for each in request.assignments}
    try:
        assignment = await _group(broker, request.group_id).sync(request.member_id, request.generation_id, assignments)
    except BrokerResponseError as problem:
        return SyncGroupResponse(error_code=problem.errno, assignment=b"")
    return SyncGroupResponse(error_code=NO_ERROR, assignment=assignment)


async def heartbeat(broker: Broker, request: HeartbeatRequest) -> HeartbeatResponse:
    """Answer whether the member may continue or has to rejoin."""
    try:
        _group(broker, request.group_id).heartbeat(request.member_id, request.generation_id)
    except BrokerResponseError as problem:
        return HeartbeatResponse(error_code=problem.errno)
    return HeartbeatResponse(error_code=NO_ERROR)


async def leave_group(broker: Broker, request: LeaveGroupRequest) -> LeaveGroupResponse:
    """Remove the member; the others take over its partitions."""
    try:
        _group(broker, request.group_id).leave(request.member_id)
    except BrokerResponseError as problem:
        return LeaveGroupResponse(error_code=problem.errno)
    return LeaveGroupResponse(error_code=NO_ERROR)


async def _joined(broker: Broker, request: JoinGroupRequest) -> Joined:
    if not request.group_id:
        raise InvalidGroupIdError()
    if not MIN_SESSION_MS <= request.session_timeout_ms <= MAX_SESSION_MS:
        limits = f"{MIN_SESSION_MS} to {MAX_SESSION_MS} ms"
        raise InvalidSessionTimeoutError(f"expected a session timeout of {limits}, got {request.session_timeout_ms}")
    group, session_s = broker.groups.made(request.group_id), request.session_timeout_ms / 1000
    member_id = request.member_id
    if not member_id:
        member_id = group.announce(request.header.client_id or "", session_s)
        if request.API_VERSION >= ANNOUNCED_FROM_VERSION:
            raise MemberIdRequiredError(member_id)
    protocols = [Protocol(each.name, each.metadata) for each in request.protocols]
    rebalance_s = max(request.rebalance_timeout_ms / 1000, session_s if request.API_VERSION == 0 else 0)
    return await group.join(member_id, request.protocol_type, protocols, session_s, rebalance_s)


def _not_joined(problem: BrokerResponseError, member_id: str) -> JoinGroupResponse:
    return JoinGroupResponse(
        error_code=problem.errno, generation_id=-1, protocol_name="", leader="", member_id=member_id, members=[]
    )


def _group(broker: Broker, name: str) -> Group:
    if not name:
        raise InvalidGroupIdError()
    group = broker.groups.find(name)
    if group is None:
        raise UnknownMemberIdError(f"group {name} has no members")
    return group
