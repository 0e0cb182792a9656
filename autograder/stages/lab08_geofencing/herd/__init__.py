"""Judges `contacts`, a query about a herd on Spark Structured Streaming, and `scaling`, which evaluates runs."""
