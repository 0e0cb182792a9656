"""What a client asks first: where is the broker, which topics are there, who coordinates my group.

Keeps out: the versions of requests (apis.py) and making topics (creating.py).
"""

from typing import TypeAlias

from kafka.errors import BrokerResponseError, CoordinatorNotAvailableError, InvalidRequestError
from kafka.protocol.metadata import (
    CoordinatorType,
    FindCoordinatorRequest,
    FindCoordinatorResponse,
    MetadataRequest,
    MetadataResponse,
)

from streamlab.wire.broker import CLUSTER_ID, NO_ERROR, NODE_ID, Broker

Topic: TypeAlias = MetadataResponse.MetadataResponseTopic
Partition: TypeAlias = MetadataResponse.MetadataResponseTopic.MetadataResponsePartition
Node: TypeAlias = MetadataResponse.MetadataResponseBroker


async def metadata(broker: Broker, request: MetadataRequest) -> MetadataResponse:
    """The one broker, and the topics that are asked for; None asks for all. No topic is made by asking."""
    names = broker.topics.names() if request.topics is None else [each.name for each in request.topics]
    return MetadataResponse(
        brokers=[Node(node_id=NODE_ID, host=broker.host, port=broker.port)],
        cluster_id=CLUSTER_ID,
        controller_id=NODE_ID,
        topics=[_topic(broker, name) for name in names],
    )


async def find_coordinator(broker: Broker, request: FindCoordinatorRequest) -> FindCoordinatorResponse:
    """It is this broker for every group; for transactions there is none."""
    if request.key_type == CoordinatorType.GROUP:
        return FindCoordinatorResponse(error_code=NO_ERROR, node_id=NODE_ID, host=broker.host, port=broker.port)
    transaction = request.key_type == CoordinatorType.TRANSACTION
    problem = CoordinatorNotAvailableError if transaction else InvalidRequestError
    message = "this server coordinates groups only"
    return FindCoordinatorResponse(error_code=problem.errno, error_message=message, node_id=-1, host="", port=-1)


def _topic(broker: Broker, name: str) -> Topic:
    try:
        partitions = broker.topics.partitions(name)
    except BrokerResponseError as problem:
        return Topic(error_code=broker.code_of(problem), name=name, partitions=[])
    return Topic(error_code=NO_ERROR, name=name, partitions=[_partition(index) for index in partitions])


def _partition(index: int) -> Partition:
    here = [NODE_ID]
    return Partition(
        error_code=NO_ERROR,
        partition_index=index,
        leader_id=NODE_ID,
        replica_nodes=here,
        isr_nodes=here,
        offline_replicas=[],
    )
