"""The two brokers for the same clients: the wire server in front of Lab 3's log, and Apache Kafka."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from kafka.protocol.metadata import FindCoordinatorRequest
from kafka.protocol.producer import InitProducerIdRequest

from streamlab.lab03_log.wire.server import WireServer
from streamlab.services import running
from streamlab.services.base import Service
from tests.autograder.stages.lab03_log.reference import reference
from tests.conftest import LOGS
from tests.streamlab.lab03_log.wire.asking import raw_client
from tests.streamlab.services.conftest import wait_until
from tests.streamlab.services.records import make_topic


@pytest.fixture(scope="session")
def real_kafka(request: pytest.FixtureRequest) -> Iterator[Service]:
    """Yield a real broker that is ready for groups and producer ids; each test uses its own topic."""
    with running("kafka") as broker:
        request.config.stash[LOGS]["real_kafka"] = broker.log
        wait_until(lambda: _serves_groups_and_producers(broker.address))
        yield broker


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[WireServer]:
    """Yield an empty server in front of the log that learners write in Lab 3."""
    with WireServer(reference().PartitionLog, tmp_path / "topics") as server:
        yield server


@pytest.fixture(params=["wire server", "apache kafka"])
def address(request: pytest.FixtureRequest) -> str:
    """Return the address of each of the two brokers in turn, so a test runs against both."""
    broker = request.getfixturevalue("wire" if request.param == "wire server" else "real_kafka")
    return str(broker.address)


@pytest.fixture
def topic(address: str) -> str:
    """Create an empty topic with two partitions; return its name."""
    name = f"topic-{uuid.uuid4()}"
    make_topic(address, name, 2)
    return name


def _serves_groups_and_producers(address: str) -> bool:
    with raw_client(address) as client:
        coordinator = client.ask(FindCoordinatorRequest(key="any", key_type=0), 3)
        producer = client.ask(InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=1000), 1)
    return coordinator.error_code == 0 and producer.error_code == 0
