"""Judges `push`: both topics through Spark Structured Streaming, including a job killed inside a batch."""
