"""Metadata and FindCoordinator, a client's first requests: the broker's address, the topics, a group's coordinator."""

from typing import TypeAlias

from kafka.errors import BrokerResponseError, InvalidRequestError, TransactionalIdAuthorizationFailedError
from kafka.protocol.metadata import (
    CoordinatorType,
    FindCoordinatorRequest,
    FindCoordinatorResponse,
    MetadataRequest,
    MetadataResponse,
)

from streamlab.lab03_log.wire.broker import CLUSTER_ID, NO_ERROR, NODE_ID, Broker

Topic: TypeAlias = MetadataResponse.MetadataResponseTopic
Partition: TypeAlias = MetadataResponse.MetadataResponseTopic.MetadataResponsePartition
Node: TypeAlias = MetadataResponse.MetadataResponseBroker


async def metadata(broker: Broker, request: MetadataRequest) -> MetadataResponse:
    """Return the one broker and the requested topics; None requests all. A request does not create a topic."""
    names = broker.topics.names() if request.topics is None else [each.name for each in request.topics]
    return MetadataResponse(
        brokers=[Node(node_id=NODE_ID, host=broker.host, port=broker.port)],
        cluster_id=CLUSTER_ID,
        controller_id=NODE_ID,
        topics=[_topic(broker, name) for name in names],
    )


async def find_coordinator(broker: Broker, request: FindCoordinatorRequest) -> FindCoordinatorResponse:
    """Return this broker for every group, and an error that ends the producer for a transaction."""
    if request.key_type == CoordinatorType.GROUP:
        return FindCoordinatorResponse(error_code=NO_ERROR, node_id=NODE_ID, host=broker.host, port=broker.port)
    transaction = request.key_type == CoordinatorType.TRANSACTION
    problem = TransactionalIdAuthorizationFailedError if transaction else InvalidRequestError
    message = "this server coordinates groups only, and has no transactions"
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
