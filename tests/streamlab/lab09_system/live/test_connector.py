"""A broker that outlives a system can serve the next one."""

from streamlab.lab09_system.city import PARTITIONS, City
from streamlab.lab09_system.live.connector import Connector, delete_topics
from streamlab.services.base import Service


def test_a_broker_numbers_records_from_0_again_after_its_topics_are_deleted(kafka: Service) -> None:
    sent = []
    for _ in range(2):
        connector = Connector(kafka.address)
        connector.send(City("monday").fences())  # raises WrongOffset unless the first one gets the offset 0
        connector.close()
        delete_topics(kafka.address, [*PARTITIONS, "never-made"])
        sent.append(sum(connector.sent.values()))

    assert sent == [12, 12]
