"""A herd and what scales: `contacts` on Spark Structured Streaming, and `scaling`."""
