"""The table of all requests that the server answers: their versions and their handlers.

Versions begin where records have today's format (Produce 3, Fetch 4), and end before features that this server lacks:
topic ids (Metadata 10, Fetch 13, Produce 13), static members (JoinGroup 5), several groups in one request.
A client takes the newest version that both sides know.
"""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from kafka.errors import UnsupportedVersionError
from kafka.protocol.admin import CreateTopicsRequest
from kafka.protocol.api_message import ApiMessage
from kafka.protocol.consumer import (
    FetchRequest,
    HeartbeatRequest,
    JoinGroupRequest,
    LeaveGroupRequest,
    ListOffsetsRequest,
    OffsetCommitRequest,
    OffsetFetchRequest,
    SyncGroupRequest,
)
from kafka.protocol.metadata import ApiVersionsRequest, ApiVersionsResponse, FindCoordinatorRequest, MetadataRequest
from kafka.protocol.producer import InitProducerIdRequest, ProduceRequest

from streamlab.lab03_log.wire.broker import NO_ERROR, Broker
from streamlab.lab03_log.wire.fetch_requests import fetch
from streamlab.lab03_log.wire.group_requests import heartbeat, join_group, leave_group, sync_group
from streamlab.lab03_log.wire.list_offsets import list_offsets
from streamlab.lab03_log.wire.metadata_requests import find_coordinator, metadata
from streamlab.lab03_log.wire.offset_requests import offset_commit, offset_fetch
from streamlab.lab03_log.wire.produce_requests import init_producer_id, produce
from streamlab.lab03_log.wire.topic_requests import create_topics

Answer = Callable[[Broker, Any], Awaitable[ApiMessage | None]]


class Api(NamedTuple):
    """One kind of request, its oldest and newest supported version, and its handler."""

    request: type[ApiMessage]
    oldest: int
    newest: int
    answer: Answer

    @property
    def key(self) -> int:
        """The number of this kind of request in the protocol."""
        return int(self.request.API_KEY)


async def api_versions(broker: Broker, request: ApiVersionsRequest) -> ApiVersionsResponse:
    """Return the versions of all requests in this module's table."""
    return _versions(NO_ERROR, list(APIS.values()))


def unknown_api_versions() -> ApiVersionsResponse:
    """Return the answer to an unknown version of ApiVersions itself; clients then ask again with an older one."""
    return _versions(UnsupportedVersionError.errno, [APIS[ApiVersionsRequest.API_KEY]])


def _versions(error_code: int, apis: list[Api]) -> ApiVersionsResponse:
    Versions = ApiVersionsResponse.ApiVersion
    listed = [Versions(api_key=each.key, min_version=each.oldest, max_version=each.newest) for each in apis]
    return ApiVersionsResponse(error_code=error_code, api_keys=listed)


APIS = {
    api.key: api
    for api in (
        Api(ApiVersionsRequest, 0, 4, api_versions),
        Api(MetadataRequest, 1, 9, metadata),
        Api(CreateTopicsRequest, 2, 4, create_topics),
        Api(InitProducerIdRequest, 0, 4, init_producer_id),
        Api(ProduceRequest, 3, 9, produce),
        Api(FetchRequest, 4, 12, fetch),
        Api(ListOffsetsRequest, 1, 6, list_offsets),
        Api(FindCoordinatorRequest, 0, 3, find_coordinator),
        Api(JoinGroupRequest, 0, 4, join_group),
        Api(SyncGroupRequest, 0, 2, sync_group),
        Api(HeartbeatRequest, 0, 2, heartbeat),
        Api(LeaveGroupRequest, 0, 2, leave_group),
        Api(OffsetCommitRequest, 2, 6, offset_commit),
        Api(OffsetFetchRequest, 1, 5, offset_fetch),
    )
}
