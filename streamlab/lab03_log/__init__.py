"""What Lab 3 provides: a server that puts a log behind Kafka's protocol (`wire`), and experiments on integrations."""

import logging

# Without logging handlers, kafka-python prints on stderr when a client is closed while it asks for metadata.
logging.getLogger("kafka").setLevel(logging.CRITICAL)
