"""Judges `route`, which reads the records of the log, and `alerts`, which runs a desk for each shard on Spark."""
