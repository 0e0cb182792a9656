"""Kafka's protocol in front of a log of one's own, and the record batches that both sides speak in."""
