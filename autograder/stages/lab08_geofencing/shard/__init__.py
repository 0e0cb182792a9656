"""Judges `batch_of_shard`, the step of `push` that processes one batch of one shard without Spark."""
