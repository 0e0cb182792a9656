"""The messages per second that Spark reads through an integration if the messages need no work."""

from typing import Any

from streamlab.experiments.limits import SMALLEST_BYTES
from streamlab.experiments.waiting import wait_until
from streamlab.lab03_log.experiments.integrations import Integration
from streamlab.lab03_log.experiments.queries import messages_in, worker

FLOOD = {"tcp": 200_000, "kafka": 200_000, "file": 3_000}
FLOOD_PER_S = 5e6
TRIES = 2


def framework_per_s(spark: Any, integration: Integration, interval_s: float) -> float:
    """Return the small messages per second that Spark reads if all are ready and need no work; the best of two."""
    return max(_flooded(spark, integration, interval_s) for _ in range(TRIES))


def _flooded(spark: Any, integration: Integration, interval_s: float) -> float:
    count = FLOOD[integration.name]
    with integration.playing(SMALLEST_BYTES, FLOOD_PER_S, count) as source:
        source.begin()
        wait_until(lambda: source.sent >= count or integration.name == "tcp", f"{count} messages were not sent")
        with source.processed(spark, worker(0.0), interval_s) as processing:
            wait_until(lambda: messages_in(processing.batches()) >= count, f"Spark did not read {count} messages")
            return count / sum(batch.took_s for batch in processing.batches())
