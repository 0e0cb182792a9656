"""The server has no transactions: a transactional producer fails at once, and need not wait for a time-out."""

import importlib.util
import os

import pytest
from kafka import KafkaProducer
from kafka.errors import TransactionalIdAuthorizationFailedError
from kafka.protocol.metadata import FindCoordinatorRequest
from kafka.protocol.producer import InitProducerIdRequest

from streamlab.lab03_log.wire.server import WireServer
from tests.streamlab.lab03_log.wire.asking import ask
from tests.streamlab.lab03_log.wire.clients import LIMIT_S
from tests.streamlab.lab03_log.wire.test_faults import INVALID_REQUEST, NO_TRANSACTION


@pytest.mark.parametrize("version", [1, 3])
def test_a_coordinator_is_found_for_groups_only(wire: WireServer, version: int) -> None:
    kinds = [ask(wire.address, FindCoordinatorRequest(key="x", key_type=kind), version) for kind in (0, 1, 2)]

    assert [each.error_code for each in kinds] == [0, NO_TRANSACTION, INVALID_REQUEST]


@pytest.mark.parametrize("version", [0, 4])
def test_a_transactional_id_gets_no_producer_id(wire: WireServer, version: int) -> None:
    request = InitProducerIdRequest(transactional_id="x", transaction_timeout_ms=1000)

    assert ask(wire.address, request, version).error_code == NO_TRANSACTION


def test_kafka_python_raises_a_fatal_error(wire: WireServer) -> None:
    with KafkaProducer(bootstrap_servers=wire.address, transactional_id="x") as producer:
        with pytest.raises(TransactionalIdAuthorizationFailedError):
            producer.init_transactions()

        assert producer._transaction_manager.has_fatal_error()


@pytest.mark.skipif(
    importlib.util.find_spec("confluent_kafka") is None and not os.environ.get("CI"),
    reason="confluent-kafka is not installed: `./lab test` installs it",
)
def test_librdkafka_raises_a_fatal_error(wire: WireServer) -> None:
    from confluent_kafka import KafkaException, Producer

    producer = Producer({"bootstrap.servers": wire.address, "transactional.id": "x", "log_level": 0})
    with pytest.raises(KafkaException) as raised:
        producer.init_transactions(LIMIT_S)

    assert raised.value.args[0].fatal()
