"""CreateTopics. A topic has one replica and no settings; a request for more is rejected with Kafka's errors."""

from typing import TypeAlias

from kafka.errors import (
    InvalidConfigurationError,
    InvalidPartitionsError,
    InvalidReplicationAssignmentError,
    InvalidReplicationFactorError,
    InvalidRequestError,
    PolicyViolationError,
)
from kafka.protocol.admin import CreateTopicsRequest, CreateTopicsResponse

from streamlab.lab03_log.wire.broker import NO_ERROR, Broker

Wanted: TypeAlias = CreateTopicsRequest.CreatableTopic
Made: TypeAlias = CreateTopicsResponse.CreatableTopicResult
DEFAULT = -1
MAX_PARTITIONS = 10_000  # Kafka's own limit for one request


async def create_topics(broker: Broker, request: CreateTopicsRequest) -> CreateTopicsResponse:
    """Create each topic that can be created, and return an error for each of the others."""
    names = [each.name for each in request.topics]
    twice = {name for name in names if names.count(name) > 1}
    made = [_made(broker, each, request.validate_only) for each in request.topics if each.name not in twice]
    rejected = [_rejected(broker, name, InvalidRequestError("Duplicate topic name.")) for name in sorted(twice)]
    return CreateTopicsResponse(topics=made + rejected)


def _made(broker: Broker, wanted: Wanted, validate_only: bool) -> Made:
    try:
        broker.topics.must_be_new(wanted.name)
        _reject_settings(wanted)
        partitions = _partitions(broker, wanted)
        if not validate_only:
            broker.topics.make(wanted.name, partitions)
    except Exception as problem:  # a learner's log may raise anything
        return _rejected(broker, wanted.name, problem)
    return Made(name=wanted.name, error_code=NO_ERROR, error_message=None)


def _rejected(broker: Broker, name: str, problem: Exception) -> Made:
    return Made(name=name, error_code=broker.code_of(problem), error_message=str(problem))


def _reject_settings(wanted: Wanted) -> None:
    if wanted.replication_factor not in (1, DEFAULT):
        got = f"got {wanted.replication_factor}"
        raise InvalidReplicationFactorError(f"expected the replication factor 1, since there is 1 broker, {got}")
    if wanted.assignments:
        raise InvalidReplicationAssignmentError("expected no replica assignment, since there is only one broker")
    if wanted.configs:
        raise InvalidConfigurationError(f"Unknown topic config name: {wanted.configs[0].name}; a topic has no settings")


def _partitions(broker: Broker, wanted: Wanted) -> int:
    partitions = broker.partitions if wanted.num_partitions == DEFAULT else wanted.num_partitions
    if partitions < 1:
        raise InvalidPartitionsError(f"expected 1 partition or more, got {wanted.num_partitions}")
    if partitions > MAX_PARTITIONS:
        raise PolicyViolationError(f"expected at most {MAX_PARTITIONS} partitions, got {partitions}")
    return int(partitions)
